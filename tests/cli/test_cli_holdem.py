"""The command on hold'em: output before and after solving, any decision, saved results, bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from zerosum.cli.main import run
from zerosum.holdem.engine.public_tree import build_public_tree

TINY = ("holdem", "--board", "Ks7h2d9c4s", "--pot", "200", "--stack", "300", "--oop", "AA,99,87s", "--ip", "KK,QQ,65s")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "river.zs"
    assert run(["solve", "spot:river", "--until", "0.5%", "--json", "--out", str(path)]) == 0
    return path


def test_it_says_how_large_the_spot_is_and_stops(zerosum: Any) -> None:
    code, out, err = zerosum("solve", "spot:turn", "--dry-run")
    assert (code, err) == (0, "")
    assert re.search(r"^ *turn +1 +26 +24 +12 +13", out, re.MULTILINE)
    assert re.search(r"^ *river +48 +156 ", out, re.MULTILINE)
    for text in ("309 out of position, 367 in position", "2,434,276, with 6,492,980 actions", "memory", "iteration"):
        assert text in out
    assert "exploitability" not in out


def test_a_dry_run_as_json(zerosum: Any) -> None:
    code, out, _ = zerosum("solve", "spot:river", "--dry-run", "--json")
    summary = json.loads(out)
    assert code == 0
    assert (summary["infosets"], summary["infoset_actions"], summary["hands"]) == (6420, 18190, [227, 308])
    assert summary["streets"]["river"]["leaves"] == {"showdown": 23, "fold": 22}


def test_numbers_frequencies_and_the_grid(zerosum: Any) -> None:
    code, out, err = zerosum("solve", "spot:river", "--until", "0.5%")
    assert (code, err) == (0, "")
    assert re.search(r"out of position +-\d+\.\d\d chips net of half the pot.*equity 51\.6667%", out)
    assert re.search(r"exploitability +\S+ chips, 0\.[34]\d*% of the pot, \S+ mbb/g", out)
    assert re.search(r"^ *check +\d+\.\d%", out, re.MULTILINE)
    assert "22  " in out
    assert "A9s" in out
    assert "a check   b bet 858" in out


def test_the_grid_has_colours(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    _, out, _ = zerosum("solve", *TINY, "--iterations", "20")
    assert "\x1b[1;" in out
    assert "48;2;" in out


def test_json_is_one_object(zerosum: Any) -> None:
    code, out, err = zerosum("solve", *TINY, "--iterations", "200", "--json")
    assert (code, err) == (0, "")
    summary = json.loads(out)
    keys = "game algorithm iterations seconds exploitability nash_conv value infosets sequences curve stopped zerosum "
    assert (
        set(
            (
                keys
                + "exploitability_pot exploitability_mbb ev_oop ev_ip rake equity bytes root nodes seed locks price"
            ).split()
        )
        == summary.keys()
    )
    assert summary["exploitability_pot"] == pytest.approx(summary["exploitability"] / 200)
    assert summary["exploitability_mbb"] == pytest.approx(summary["exploitability"] * 10)
    assert sum(summary["root"].values()) == pytest.approx(1)
    assert summary["iterations"] == 200


def test_a_line_and_hands_after_solving(zerosum: Any) -> None:
    code, out, err = zerosum("solve", *TINY, "--iterations", "100", "--line", "check bet50", "--hand", "99")
    assert (code, err) == (0, "")
    assert "Ks7h2d9c4s, check, bet 100: out of position to act, pot 300" in out
    assert re.search(r"^ *9h9d +set +\d\.\d\d", out, re.MULTILINE)
    assert "AcAd" not in out


def test_show_a_saved_result(zerosum: Any, saved: Path) -> None:
    code, out, err = zerosum("show", saved, "--line", "bet33", "--limit", "3")
    assert (code, err) == (0, "")
    assert "bet 858: in position to act, pot 3458" in out
    assert "classes of hands left out" in out
    content = json.loads(zerosum("show", saved, "--line", "bet33", "--hand", "AcKc", "--json").out)
    assert content["decision"]["line"] == ["bet 858"]
    assert content["decision"]["columns"]["hand"] == ["AcKc"]
    assert content["exploitability_pot"] <= 0.005


def test_spots_from_files_and_by_name(zerosum: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('board = "Ks7h2d9c4s"\npot = 200\nstack = 300\noop = "AA"\nip = "KK"\n')
    assert json.loads(zerosum("solve", path, "--dry-run", "--json").out)["hands"] == [6, 3]
    assert zerosum("solve", "deepstack:river-5k:7", "--dry-run").code == 0
    assert json.loads(zerosum("solve", path, "--oop", "AA,QQ", "--dry-run", "--json").out)["hands"] == [12, 3]
    changed = json.loads(zerosum("solve", "deepstack:river-5k:7", "--bets", "allin", "--dry-run", "--json").out)
    assert changed["streets"]["river"]["decisions"] == [2, 2]


def test_compare(zerosum: Any, tmp_path: Path) -> None:
    picture = tmp_path / "river.svg"
    code, out, err = zerosum("compare", "spot:river", "dcfr", "cfr+", "--until", "1%", "--plot", picture)
    assert (code, err) == (0, "")
    assert "river of a single-raised pot (Ks7h2d9c4s, pot 2600, stack 8700): 6,420 infosets, 18,192 sequences" in out
    assert re.search(r"algorithm +iterations +time +iterations/s +exploitability \(chips\) +% of the pot +value", out)
    assert re.search(r"^ dcfr +\d+ +\S+ s +\S+ +\S+ +0\.\d+ +-\d\d", out, re.MULTILINE)
    assert len(re.findall(r"best *$", out, re.MULTILINE)) == 1
    assert "\nexploitability, % of the pot\n" in out
    assert "a dcfr   b cfr+" in out
    assert "exploitability (% of the pot)" in picture.read_text()


def test_compare_json_and_seconds(zerosum: Any) -> None:
    code, out, err = zerosum("compare", *TINY, "dcfr", "pcfr+", "--iterations", 50, "--x", "seconds", "--json")
    assert (code, err) == (0, "")
    summary = json.loads(out)
    assert [run["algorithm"] for run in summary["results"]] == ["dcfr", "pcfr+"]
    assert all(run["iterations"] == 50 and run["exploitability_pot"] > 0 for run in summary["results"])
    assert summary["sequences"] == summary["results"][0]["sequences"]
    alone = json.loads(zerosum("solve", *TINY, "--algorithm", "dcfr", "--iterations", 50, "--json").out)
    assert summary["results"][0]["exploitability"] == alone["exploitability"]


def test_with_a_goal_the_first_there_is_the_best(zerosum: Any) -> None:
    out = zerosum("compare", "spot:river", "pcfr+", "dcfr", "--until", "0.5%").out
    assert re.search(r"^ dcfr .* best *$", out, re.MULTILINE)


def test_a_comparison_builds_the_tree_once(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    counted = lambda *arguments: built.append(arguments) or build_public_tree(*arguments)  # noqa: E731
    monkeypatch.setattr("zerosum.holdem.problem.problem.build_public_tree", counted)
    assert zerosum("compare", *TINY, "cfr", "cfr+", "--iterations", 5).code == 0
    assert len([spot for spot, *_ in built if spot.pot == 200]) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve holdem", "--board"),
        ("solve holdem --board Ks7h2d --pot 5", "--stack"),
        ("solve holdem --board KsKs2d --pot 500 --stack 500", "Ks appears twice"),
        ("solve holdem --board Ks7h --pot 500 --stack 500", "2 cards"),
        ("solve holdem --board Ks7h2x --pot 500 --stack 500", "cannot read the cards"),
        ("solve holdem --board Ks7h2d --pot 500 --stack -5", "stack"),
        ("solve holdem --board Ks7h2d --pot 0 --stack 5", "pot"),
        ("solve holdem --board Ks7h2d --pot x --stack 5", "pot"),
        ("solve holdem --board Ks7h2d --pot 500 --stack 500 --oop XX", "out of position"),
        ("solve holdem --board Ks7h2d --pot 500 --stack 500 --oop KsKh", "no hand of the range out of position"),
        ("solve holdem --board Ks7h2d --pot 500 --stack 500 --oop AsAh --ip AsAh", "dealt together"),
        ("solve holdem --board Ks7h2d --pot 500 --stack 500 --bets half", "bet size"),
        ("solve holdem --board Ks7h2d --pot 500 --stack 500 --cap -1", "-1"),
        ("solve spot:rivr", "river"),
        ("solve missing.toml", "cannot read the spot missing.toml"),
        ("solve libratus:3", "folder"),
        ("solve libratus:3 --data missing", "cannot read the Libratus file"),
        ("solve spot:river --data .", "--data"),
        ("solve spot:river --until small", "until"),
        ("solve spot:river --until -1%", "until"),
        ("solve spot:river --seed 1", "does not sample"),
        ("solve spot:river --hand XX", "XX"),
        ("solve spot:river --hand AA", "no hand of AA is in the range out of position"),
        ("solve spot:river --line dance", "there is no 'dance' here: the actions are check, bet 858"),
        ("solve spot:river --line check/check", "nobody has a decision: the hand is over"),
        ("solve spot:river --line check/check/4d", "the hand is over: there is no '4d'"),
        ("solve spot:turn --line check/check", "name the next card"),
        ("solve spot:turn --line check/check/Kx", "'Kx' is not a card that can come on Qh8h3c5d"),
        ("solve spot:turn --line check/check/8h", "'8h' is not a card that can come on Qh8h3c5d"),
        ("solve spot:turn --line check/check/4d --hand 4d4s", "no hand of 4d4s"),
        ("solve spot:river --algorithm lp", "lp"),
        ("solve spot:river --iterations 1 --out missing/r.zs", "cannot write"),
        ("solve kuhn --board Ks7h2d", "--board"),
        ("solve kuhn --until 0.5%", "pot"),
        ("compare kuhn cfr --until 0.5%", "pot"),
        ("compare kuhn cfr --board Ks7h2d", "--board"),
        ("compare kuhn cfr --no-isomorphism", "--no-isomorphism"),
        ("compare spot:river dcfr dcfr", "dcfr is named twice"),
        ("compare spot:river dcfr dcfr()", "dcfr and dcfr() are the same algorithm"),
        ("compare spot:river dcfr lp", "lp"),
        ("compare spot:river dcfr idcfr+(skip=0.5) --until 0.5%", "give iterations"),
        ("compare spot:river dcfr --refine", "--refine"),
        ("compare spot:river dcfr --x years", "iterations, seconds or nodes"),
        ("compare spot:river dcfr --plot x", "must end in"),
        ("compare holdem dcfr --board Ks7h2d", "--pot"),
    ],
)
def test_bad_input_is_one_sentence(zerosum: Any, line: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*arguments: object) -> None:
        raise AssertionError("the tree was built before the input was checked")

    monkeypatch.setattr("zerosum.holdem.problem.problem.build_public_tree", unreachable)
    code, out, err = zerosum(*line.split())
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("zerosum: ")
    assert err.count("\n") == 1


def test_malformed_files_are_one_sentence(zerosum: Any, tmp_path: Path, saved: Path) -> None:
    (tmp_path / "subgame1.txt").write_text("-round 3 -board Ks7h2d9c -pot 500 -reach 1 2 3")
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "cut.zs").write_bytes(saved.read_bytes()[:500])
    (tmp_path / "zip.zs").write_bytes(b"PK nothing")
    for line in (
        ["solve", "libratus:1", "--data", tmp_path],
        ["solve", tmp_path / "a.json"],
        ["show", tmp_path / "cut.zs"],
        ["show", tmp_path / "zip.zs"],
        ["show", saved, "--line", "dance"],
        ["show", saved, "--line", "check check"],
        ["show", saved, "--player", "1"],
        ["show", saved, "--hand", "72o"],
    ):
        code, out, err = zerosum(*line)
        assert (code, out, err.count("\n")) == (2, "", 1), err
