"""Reports: rows are the decisions they name, means are those of all deals, solves are kept."""

from __future__ import annotations

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue as package
import rue.holdem
from rue.forms.rounds import disjoint
from rue.holdem.cards import HANDS, parse_cards
from rue.holdem.equity import equity
from rue.holdem.flops import classes, flops_named, kind_of, names
from rue.holdem.ranges import Range
from rue.views.report import Report

TURN = rue.holdem.spot(
    "Ks7h2d4c", 100, 200, "AA,QQ,KJs,76s,AKo", "KQs,JJ,A7s,54s,KTo", "50%,allin", "allin", big_blind=1
)
FLOP = rue.holdem.spot(
    "Ks7h2d", 100, 60, "AA,QJs", "KQs,JJ", "flop: allin; turn: none; river: none", "none", big_blind=1
)


@pytest.fixture(scope="module")
def solved() -> Any:
    return package.solve(TURN, iterations=60)


def test_the_classes_of_flops() -> None:
    assert (len(classes()), sum(classes().values())) == (1755, 22100)
    assert all(kind_of(flop) == flop for flop in classes())
    assert kind_of(parse_cards("2d Kh 7d")) == kind_of(parse_cards("7s 2s Kc"))


def test_flops_by_name() -> None:
    for name in names():
        found = flops_named(name)
        assert sum(found.values()) == pytest.approx(1.0)
        assert len(found) == (1755 if name == "all" else int(name))
        assert len({kind_of(flop) for flop in found}) == len(found)
    for text, sentence in (
        ("12", "there are no flops"),
        ("Ks7h2d, Ks7h2d", "twice"),
        ("Ks7h2d 0", "above zero"),
        ("Ks7h2", "cannot read|no flops"),
    ):
        with pytest.raises(package.RueError, match=sentence):
            flops_named(text)


def test_lists_are_nearer_to_all_flops_than_chance() -> None:
    """The share of flops of each number of suits and ranks: within two in a hundred for every list."""

    def shares(flops: dict[Any, float]) -> np.ndarray:
        kinds = np.zeros((2, 4))
        for flop, weight in flops.items():
            kinds[0, len({card % 4 for card in flop})] += weight
            kinds[1, len({card // 4 for card in flop})] += weight
        return kinds

    whole = shares(flops_named("all"))
    for name in names()[:-1]:
        assert np.abs(shares(flops_named(name)) - whole).max() < 0.02


def test_both_players_earn_the_pot(solved: Any) -> None:
    """What the player who waits earns is found by itself, and together they win what is in the middle."""
    for line in ("", "check", "check bet50", "bet50", "bet50 raise", "check check 9d", "check check 9d check bet50"):
        assert sum(solved.solution.earned(line)) == pytest.approx(solved.at(line).pot)
    assert solved.solution.earned("")[0] == pytest.approx(50 + solved.value)


def test_the_mean_over_rivers_is_what_a_check_earns(solved: Any) -> None:
    found = package.report(solved, line="check check")
    before = solved.at("check")
    check = before.strategy[0] * before.likelihood
    assert found.total.ev_ip == pytest.approx(float(before.evs[0] @ check / check.sum()))
    assert len(found.rows) == 48
    assert sum(row.weight for row in found.rows) == pytest.approx(1.0)
    row = next(row for row in found.rows if row.name == "9d")
    point = solved.at("check check 9d")
    assert row.frequencies == point.frequencies
    assert row.equity_oop == pytest.approx(point.equity)
    assert row.realised_oop == pytest.approx(row.ev_oop / (row.equity_oop * 100))
    later = package.report(solved, line="check check * check")
    assert later.total.player == "in position"
    for line in ("check", "check *", "check check 9d"):
        with pytest.raises(package.RueError, match="card"):
            package.report(solved, line=line)


def test_flops_are_weighed_by_the_deals_they_leave() -> None:
    """Nobody bets more than the equity is worth: the mean equity over all deals of two flops."""
    flops = "Ks7s2s:3, AsTs2s:1"
    with ThreadPoolExecutor(1) as executor:
        found = package.report(FLOP, flops=flops, line="", iterations=5, executor=executor)
    total = weights = 0.0
    for text, weight in (("Ks7s2s", 3), ("AsTs2s", 1)):
        board = parse_cards(text)
        spot = rue.holdem.spot(text, 100, 60, FLOP.oop, FLOP.ip, big_blind=1)
        one, two = (Range(own / own.max()) for own in spot.weights)
        deals = float((spot.weights[0] @ disjoint(HANDS, HANDS)) @ spot.weights[1])
        total, weights = total + weight * deals * equity(board, one, two), weights + weight * deals
    assert found.total.equity_oop == pytest.approx(total / weights)
    assert [row.name for row in found.rows] == ["Ks7s2s", "AsTs2s"]


def test_a_report_goes_on(tmp_path: Path) -> None:
    seen: list[Any] = []
    with ThreadPoolExecutor(2) as executor:
        how: dict[str, Any] = {"iterations": 5, "out": tmp_path / "flops", "executor": executor}
        first = package.report(FLOP, flops="Ks7s2s", **how)
        both = package.report(FLOP, flops="Ks7s2s, 8s7s3s", progress=seen.append, **how)
    assert seen[0].done == 1
    assert both.rows[0].ev_oop == first.rows[0].ev_oop
    loaded = Report.load(tmp_path / "flops" / "report.json")
    assert loaded == both
    rows = list(csv.DictReader(io.StringIO((tmp_path / "flops" / "report.csv").read_text())))
    assert [row["name"] for row in rows] == ["Ks7s2s", "8s7s3s", "all flops"]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("rows", []),
        ("totals", []),
        ("missing", None),
        pytest.param("ev_oop", 10**400, id="401 digits"),
        ("pot", None),
        ("exploitability", "1"),
    ],
)
def test_a_damaged_report_is_refused(tmp_path: Path, solved: Any, part: str, value: Any) -> None:
    content = package.report(solved, line="check check").content()
    changed = content["totals"][0] if part in content["totals"][0] else content
    changed[part] = value
    path = tmp_path / "report.json"
    path.write_text(json.dumps(content))
    with pytest.raises(package.RueError, match="does not hold a report|a number that is 1000"):
        Report.load(path)


def test_what_a_report_keeps_and_is_damaged_is_solved_again(tmp_path: Path) -> None:
    how: dict[str, Any] = {"iterations": 5, "out": tmp_path / "flops", "executor": ThreadPoolExecutor(1)}
    first = package.report(FLOP, flops="Ks7s2s", **how)
    (path,) = (tmp_path / "flops" / "solved").glob("*.json")
    kept = json.loads(path.read_text())
    for damage in ({}, {**kept["told"], "deals": "many"}, {**kept["told"], "frequencies": []}):
        path.write_text(json.dumps({**kept, "told": damage}))
        assert package.report(FLOP, flops="Ks7s2s", **how).rows[0].ev_oop == first.rows[0].ev_oop


def test_variants_are_other_spots() -> None:
    with ThreadPoolExecutor(1) as executor:
        found = package.report(
            TURN, vary={"stack": ["50"], "turn ip bets": ["50%", "none"]}, iterations=10, executor=executor
        )
    assert [row.variant for row in found.rows] == [
        "as it is", "stack 50, turn ip bets 50%", "stack 50, turn ip bets none",
    ]  # fmt: skip
    assert found.rows[0].ev_oop == pytest.approx(50 + package.solve(TURN, iterations=10).value)
    with pytest.raises(package.RueError, match="a spot has no"):
        package.report(TURN, vary={"size": ["1"]})
    with pytest.raises(package.RueError, match="does not begin on a flop"):
        package.report(TURN, flops="25")
    with pytest.raises(package.RueError, match="not a hold'em spot"):
        package.report("kuhn", flops="25")


def test_what_is_locked_is_locked_in_every_variant() -> None:
    with ThreadPoolExecutor(1) as executor:
        found = package.report(TURN, vary={"stack": ["60"]}, iterations=10, executor=executor, locks="check: check")
    locked, free = (package.solve(TURN, iterations=10, locks=locks) for locks in ("check: check", None))
    assert found.rows[0].ev_oop == pytest.approx(locked.ev_oop)
    assert abs(locked.ev_oop - free.ev_oop) > 0.1


def test_the_command(rue: Any, tmp_path: Path, solved: Any) -> None:
    run = tmp_path / "turn.rue"
    solved.save(run)
    said = rue("report", run, "--line", "check check", "--sort", "ev_ip", "--plot", tmp_path / "r.png", "--limit", 5)
    assert said.code == 0, said.err
    assert "all cards" in said.out
    assert "43 more rows" in said.out
    assert (tmp_path / "r.png").stat().st_size > 5000
    content = json.loads(rue("report", run, "--line", "check check", "--json").out)
    assert len(content["rows"]) == 48
    assert rue("report", run, "--line", "check check", "--sort", "beauty").code == 2
    assert "--flops" in rue("report", "spot:flop").err
    assert rue("report", "spot:flop", "--flops", "xyz").code == 2
    assert rue("report", "spot:flop", "--vary", "bets").code == 2
