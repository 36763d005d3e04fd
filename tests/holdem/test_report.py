"""Reports: rows show the decisions they name, means are over all deals, and solves are stored."""

from __future__ import annotations

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum as package
import zerosum.holdem
from zerosum.engine.forms.public.rounds import find_disjoint_hands
from zerosum.holdem.cards.cards import HANDS, parse_cards
from zerosum.holdem.cards.flops import find_canonical_flop, list_canonical_flops, list_flop_lists, parse_flops
from zerosum.holdem.cards.hand_strength import compute_equity
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.study.report import Report

TURN = zerosum.holdem.spot(
    "Ks7h2d4c", 100, 200, "AA,QQ,KJs,76s,AKo", "KQs,JJ,A7s,54s,KTo", "50%,allin", "allin", big_blind=1
)
FLOP = zerosum.holdem.spot(
    "Ks7h2d", 100, 60, "AA,QJs", "KQs,JJ", "flop: allin; turn: none; river: none", "none", big_blind=1
)


@pytest.fixture(scope="module")
def solved() -> Any:
    return package.solve(TURN, iterations=60)


def test_the_classes_of_flops() -> None:
    assert (len(list_canonical_flops()), sum(list_canonical_flops().values())) == (1755, 22100)
    assert all(find_canonical_flop(flop) == flop for flop in list_canonical_flops())
    assert find_canonical_flop(parse_cards("2d Kh 7d")) == find_canonical_flop(parse_cards("7s 2s Kc"))


def test_flops_by_name() -> None:
    for name in list_flop_lists():
        weights = parse_flops(name)
        assert sum(weights.values()) == pytest.approx(1.0)
        assert len(weights) == (1755 if name == "all" else int(name))
        assert len({find_canonical_flop(flop) for flop in weights}) == len(weights)
    for text, sentence in (
        ("12", "there are no flops"),
        ("Ks7h2d, Ks7h2d", "twice"),
        ("Ks7h2d 0", "above zero"),
        ("Ks7h2", "cannot read|no flops"),
    ):
        with pytest.raises(package.ZerosumError, match=sentence):
            parse_flops(text)


def test_lists_are_nearer_to_all_flops_than_chance() -> None:
    """The share of flops of each number of suits and ranks: within two in a hundred for every list."""

    def shares(flops: dict[Any, float]) -> np.ndarray:
        kinds = np.zeros((2, 4))
        for flop, weight in flops.items():
            kinds[0, len({card % 4 for card in flop})] += weight
            kinds[1, len({card // 4 for card in flop})] += weight
        return kinds

    whole = shares(parse_flops("all"))
    for name in list_flop_lists()[:-1]:
        assert np.abs(shares(parse_flops(name)) - whole).max() < 0.02


def test_both_players_earn_the_pot(solved: Any) -> None:
    """The EV of the waiting player is computed separately, and both EVs sum to the pot."""
    for line in ("", "check", "check bet50", "bet50", "bet50 raise", "check check 9d", "check check 9d check bet50"):
        assert sum(solved.solution.compute_range_evs(line)) == pytest.approx(solved.at(line).pot)
    assert solved.solution.compute_range_evs("")[0] == pytest.approx(50 + solved.value)


def test_the_mean_over_rivers_is_what_a_check_earns(solved: Any) -> None:
    table = package.report(solved, line="check check")
    before = solved.at("check")
    check = before.frequency[0] * before.deals
    assert table.totals.ev_ip[0] == pytest.approx(float(before.action_ev[0] @ check / check.sum()))
    assert len(table.rows) == 48
    assert table.rows.weight.sum() == pytest.approx(1.0)
    (row,) = table.rows.select_rows([table.rows.name.index("9d")]).iterate_rows()
    point = solved.at("check check 9d")
    assert row["frequency"] == point.frequencies
    assert row["equity_oop"] == pytest.approx(point.range_equity)
    assert row["realised_oop"] == pytest.approx(row["ev_oop"] / (row["equity_oop"] * 100))
    later = package.report(solved, line="check check * check")
    assert later.totals.player == ("in position",)
    for line in ("check", "check *", "check check 9d"):
        with pytest.raises(package.ZerosumError, match="card"):
            package.report(solved, line=line)


def test_flops_are_weighed_by_the_deals_they_leave() -> None:
    """The mean equity of a report is that over all deals of its two flops."""
    flops = "Ks7s2s:3, AsTs2s:1"
    with ThreadPoolExecutor(1) as executor:
        table = package.report(FLOP, flops=flops, line="", iterations=5, executor=executor)
    total = weights = 0.0
    for text, weight in (("Ks7s2s", 3), ("AsTs2s", 1)):
        board = parse_cards(text)
        spot = zerosum.holdem.spot(text, 100, 60, FLOP.oop, FLOP.ip, big_blind=1)
        oop, ip = (Range(weights_ / weights_.max()) for weights_ in spot.weights)
        deals = float((spot.weights[0] @ find_disjoint_hands(HANDS, HANDS)) @ spot.weights[1])
        total, weights = total + weight * deals * compute_equity(board, oop, ip), weights + weight * deals
    assert table.totals.equity_oop[0] == pytest.approx(total / weights)
    assert table.rows.name == ("Ks7s2s", "AsTs2s")


def test_a_report_goes_on(tmp_path: Path) -> None:
    seen: list[Any] = []
    with ThreadPoolExecutor(2) as executor:
        how: dict[str, Any] = {"iterations": 5, "out": tmp_path / "flops", "executor": executor}
        first = package.report(FLOP, flops="Ks7s2s", **how)
        both = package.report(FLOP, flops="Ks7s2s, 8s7s3s", progress=seen.append, **how)
    assert seen[0].done == 1
    assert both.rows.ev_oop[0] == first.rows.ev_oop[0]
    loaded = Report.load(tmp_path / "flops" / "report.json")
    assert loaded.content() == both.content()
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
    with pytest.raises(package.ZerosumError, match="does not hold a report|a number that is 1000"):
        Report.load(path)


def test_damaged_rows_of_a_report_are_solved_again(tmp_path: Path) -> None:
    how: dict[str, Any] = {"iterations": 5, "out": tmp_path / "flops", "executor": ThreadPoolExecutor(1)}
    first = package.report(FLOP, flops="Ks7s2s", **how)
    (path,) = (tmp_path / "flops" / "jobs").glob("*.json")
    stored = json.loads(path.read_text())
    for damage in ({}, {**stored["content"], "deals": "many"}, {**stored["content"], "frequencies": []}):
        path.write_text(json.dumps({**stored, "content": damage}))
        assert package.report(FLOP, flops="Ks7s2s", **how).rows.ev_oop[0] == first.rows.ev_oop[0]


def test_variants_are_other_spots() -> None:
    with ThreadPoolExecutor(1) as executor:
        table = package.report(
            TURN, vary={"stack": ["50"], "turn ip bets": ["50%", "none"]}, iterations=10, executor=executor
        )
    assert table.rows.variant == ("as it is", "stack 50, turn ip bets 50%", "stack 50, turn ip bets none")
    assert table.rows.ev_oop[0] == pytest.approx(50 + package.solve(TURN, iterations=10).value)
    with pytest.raises(package.ZerosumError, match="a spot has no"):
        package.report(TURN, vary={"size": ["1"]})
    with pytest.raises(package.ZerosumError, match="does not begin on a flop"):
        package.report(TURN, flops="25")
    with pytest.raises(package.ZerosumError, match="not a hold'em spot"):
        package.report("kuhn", flops="25")


def test_locks_hold_in_every_variant() -> None:
    with ThreadPoolExecutor(1) as executor:
        table = package.report(TURN, vary={"stack": ["60"]}, iterations=10, executor=executor, locks="check: check")
    locked, free = (package.solve(TURN, iterations=10, locks=locks) for locks in ("check: check", None))
    assert table.rows.ev_oop[0] == pytest.approx(locked.ev_oop)
    assert abs(locked.ev_oop - free.ev_oop) > 0.1


def test_the_command(zerosum: Any, tmp_path: Path, solved: Any) -> None:
    run = tmp_path / "turn.zs"
    solved.save(run)
    output = zerosum(
        "report", run, "--line", "check check", "--sort", "ev_ip", "--plot", tmp_path / "r.png", "--limit", 5
    )
    assert output.code == 0, output.err
    assert "all cards" in output.out
    assert "43 more rows" in output.out
    assert (tmp_path / "r.png").stat().st_size > 5000
    content = json.loads(zerosum("report", run, "--line", "check check", "--json").out)
    assert len(content["rows"]) == 48
    assert zerosum("report", run, "--line", "check check", "--sort", "beauty").code == 2
    assert "--flops" in zerosum("report", "spot:flop").err
    assert zerosum("report", "spot:flop", "--flops", "xyz").code == 2
    assert zerosum("report", "spot:flop", "--vary", "bets").code == 2
