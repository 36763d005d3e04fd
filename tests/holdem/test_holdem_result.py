"""A solved spot from Python: numbers, limits, memory, refusals, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum.holdem
import zerosum.holdem.cards.cards
from hand_strength import strengths
from zerosum.holdem.cards.cards import HANDS
from zerosum.holdem.engine.estimate import SpotEstimate
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.files import load_spot
from zerosum.holdem.spots.line import find_decision
from zerosum.problems.problem import FACTORS
from zerosum.support.errors import ZerosumError


@pytest.fixture(scope="module")
def tiny() -> Any:
    return zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", big_blind=2)


@pytest.fixture(scope="module")
def solved(tiny: Any) -> Any:
    return zerosum.solve(tiny, until="0.1%")


def test_numbers_in_three_units(solved: Any) -> None:
    assert solved.stopped == "until"
    assert solved.exploitability_pot == pytest.approx(solved.exploitability / 200)
    assert solved.exploitability_pot <= 0.001
    assert solved.exploitability_mbb == pytest.approx(solved.exploitability / 2 * 1000)
    assert solved.nash_conv == pytest.approx(2 * solved.exploitability)
    assert solved.curve[-1].exploitability == solved.exploitability
    tree = build_public_tree(solved.spot)
    assert (solved.infosets, solved.sequences) == (tree.infosets, tree.sequences)


def test_any_decision_has_strategies_ranges_and_earnings(solved: Any) -> None:
    point = solved.at("check bet50")
    assert point.player == 0
    assert point.frequency.shape == point.action_ev.shape == (len(point.actions), len(point.hand))
    assert point.frequency.sum(axis=0) == pytest.approx(np.ones(len(point.hand)))
    assert [len(weights) for weights in point.ranges] == [1326, 1326]


def test_equity_at_a_decision(solved: Any) -> None:
    """The root has the equity of the spot; after a bet, the equity of the remaining ranges, counted plainly."""
    assert solved.at().range_equity == pytest.approx(solved.equity, abs=1e-12)
    point = solved.at("check bet50")
    (oop, ip), board = point.ranges, zerosum.holdem.cards.cards.parse_board(point.board)
    strengths = fill(board)
    won = met = 0.0
    for hand in np.flatnonzero(oop):
        for opponent in np.flatnonzero(ip):
            if not set(HANDS[hand]) & set(HANDS[opponent]):
                weight = oop[hand] * ip[opponent]
                met += weight
                won += weight * (0.5 + 0.5 * np.sign(int(strengths[hand]) - int(strengths[opponent])))
    assert point.player == 0
    assert point.range_equity == pytest.approx(won / met, abs=1e-12)
    assert len(point.equity) == len(point.hand)


def fill(board: tuple[int, ...]) -> Any:
    return strengths(board)


def test_sizes_in_a_line(solved: Any) -> None:
    """Sizes are given in chips, as a share of the pot (a raise: of the pot after calling), or as a multiple."""
    bet = "check", "bet 100"
    for line in ("check bet50", "check bet 100", "check bet 50%", "check bet0.5x"):
        assert solved.at(line).line == bet
    deep = zerosum.holdem.spot("Ks7h2d9c4s", 200, 9000, "AA,99,87s", "KK,QQ,65s", bets="50%", raises="75%,100%")
    for line in ("bet50 raise100", "bet50 raise 500", "bet 100 raise 5x"):
        assert find_decision(deep, line).line == ("bet 100", "raise 500"), line
    assert find_decision(deep, ["bet 100", "raise75%"]).line == ("bet 100", "raise 400")
    for line in ("bet50 raise99", "bet50 raise50", None, 5, [3]):
        with pytest.raises(ZerosumError, match="there is no|a line is a string"):
            find_decision(deep, line)


def test_half_refuses_many_actions_before_anything_is_built() -> None:
    many = zerosum.holdem.spot("Ks7h2d9c4s", 2000, 30000, "AA", "QQ", bets="20%,40%,60%,80%,100%")
    with pytest.raises(ZerosumError, match="up to 5 actions"):
        zerosum.estimate(many, half=True)


def test_frequencies_count_deals() -> None:
    """A hand that leaves the opponent fewer hands is dealt less often, and counts less."""
    river = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AsAh,5h5d", "AsKd,AhKd,QcQd", "allin")
    point = zerosum.solve(river, iterations=50).at()
    names = [zerosum.holdem.cards.cards.hand_name(int(hand)) for hand in point.hand]
    left = {"AsAh": 1.0, "AhAs": 1.0, "5h5d": 3.0}
    assert point.opposing_reach.tolist() == [left[name] for name in names]
    weights = point.opposing_reach / point.opposing_reach.sum()
    assert list(point.frequencies.values()) == pytest.approx((point.frequency @ weights).tolist())


def test_a_decision_is_evaluated_once(solved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solved.at("check bet50") is solved.at("check, bet 100")
    monkeypatch.setattr(solved.solution.solver, "compute_row_values", None)
    assert solved.at("check bet50").line == ("check", "bet 100")


def test_isomorphism_changes_only_the_size() -> None:
    turn = zerosum.holdem.spot("Ks7s2s9s", 200, 300, "AA,QQ", "TT,88", "allin")
    reduced, whole = (zerosum.solve(turn, iterations=50, isomorphism=flag) for flag in (True, False))
    assert reduced.value == pytest.approx(whole.value, abs=1e-3)
    assert reduced.infosets < whole.infosets
    for flag, result in ((True, reduced), (False, whole)):
        size = zerosum.estimate(turn, isomorphism=flag)
        assert (size.infosets, size.infoset_actions) == (result.infosets, result.sequences - 2)
        tree = build_public_tree(turn, flag)
        assert (size.infosets, sum(size.boards)) == (tree.infosets, len(tree.boards))


@pytest.mark.parametrize("board", ["8s8h3d", "9s5s2s"])
def test_runouts_of_interchangeable_suits_are_shown_as_themselves(board: str, tmp_path: Path) -> None:
    """The turn may be stored as another card, and the river is then named by suits that are exchanged."""
    flop = zerosum.holdem.spot(board, 10, 10, "TT,44,A9s", "A4s,65s", "none; river: allin", "none", big_blind=1)
    shared, apart = (zerosum.solve(flop, iterations=2, isomorphism=flag) for flag in (True, False))
    shared.save(tmp_path / "flop.zs")
    saved = zerosum.load(tmp_path / "flop.zs")
    left = [card for card in range(52) if card not in flop.board]
    runouts = np.random.default_rng(0).permuted(np.tile(left, (8, 1)), axis=1)[:, :2]
    for runout in (
        *runouts.tolist(),
        *([4 * 2 + first, 4 * 7 + second] for first in range(2, 4) for second in range(2, 4)),
    ):
        turn, river = (zerosum.holdem.cards.cards.card_name(card) for card in runout)
        line = f"check check {turn} check check {river} allin"
        expected = apart.at(line)
        free = ~np.isin(HANDS[expected.hand], runout).any(axis=1)
        assert free.all()
        for decision in (shared.at(line), saved.at(line)):
            order = [np.argsort(point.hand) for point in (decision, expected)]
            assert (decision.hand[order[0]] == expected.hand[order[1]]).all(), line
            assert decision.frequency[:, order[0]] == pytest.approx(expected.frequency[:, order[1]], abs=1e-4), line
            assert decision.action_ev[:, order[0]] == pytest.approx(expected.action_ev[:, order[1]], abs=1e-3), line


def test_every_decision_of_an_export_has_hands_that_its_board_leaves() -> None:
    flop = zerosum.holdem.spot("QsJh2h", 10, 10, "TT,44", "A4s", "none", "none", big_blind=1)
    boards = set()
    for node in zerosum.solve(flop, iterations=1).iterate_tables():
        cards = zerosum.holdem.cards.cards.parse_cards(node.board)
        boards.add(node.board)
        assert not np.isin(HANDS[node.hand], cards).any(), node.line
    assert len(boards) == 1 + 49 + 49 * 48


def test_memory_is_refused_before_it_is_taken(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.problems.estimate.available_bytes", lambda: 1000)
    with pytest.raises(ZerosumError, match="KB .* 1.0 KB are free: use fewer bet sizes, a cap"):
        zerosum.solve(tiny)


@pytest.mark.parametrize(
    ("algorithm", "more"), [("pcfr+", 4), ("cfr(order=simultaneous)", 2), ("cfr+", 0), ("optimistic-lcfr", 4)]
)
def test_rules_that_store_more_need_more(algorithm: str, more: int) -> None:
    turn = zerosum.holdem.load_spot("turn")
    plain, other = zerosum.estimate(turn), zerosum.estimate(turn, algorithm)
    assert isinstance(plain, SpotEstimate)
    assert isinstance(other, SpotEstimate)
    assert (other.store - plain.store) / plain.infoset_actions == pytest.approx(more, abs=0.2)


def test_a_saved_result_is_the_same(solved: Any, tmp_path: Path) -> None:
    solved.save(tmp_path / "tiny.zs")
    read = zerosum.load(tmp_path / "tiny.zs")
    assert read == solved
    assert read.spot == solved.spot
    before, after = solved.at("check bet50"), read.at("check bet50")
    assert (before.frequency == after.frequency).all()
    assert (before.action_ev == after.action_ev).all()


@pytest.mark.parametrize("until", ["x%", "", "-1", "nan%"])
def test_limits_that_mean_nothing(tiny: Any, until: str) -> None:
    with pytest.raises(ZerosumError, match="until"):
        zerosum.solve(tiny, until=until)


def test_algorithms_that_the_public_form_cannot_run_are_refused(tiny: Any) -> None:
    with pytest.raises(ZerosumError, match="lp needs"):
        zerosum.solve(tiny, "lp", iterations=1)


def test_tuned_continues_while_it_improves(tiny: Any) -> None:
    tuned = zerosum.solve(tiny, "oftrl(tuned)", iterations=100)
    factor = float(tuned.algorithm.removeprefix("oftrl(tuned, factor=").removesuffix(")"))
    assert factor in FACTORS
    theory = zerosum.solve(tiny, "oftrl(theory)", iterations=100)
    assert tuned.exploitability < theory.exploitability


def test_compare_solves_one_by_one(tiny: Any) -> None:
    results = zerosum.compare(tiny, ["dcfr", zerosum.algorithm("cfr+")], iterations=40)
    assert [result.algorithm for result in results] == ["dcfr", "cfr+"]
    for result in results:
        alone = zerosum.solve(tiny, result.algorithm, iterations=40)
        assert result.exploitability == alone.exploitability
        assert (result.at("check").frequency == alone.at("check").frequency).all()


@pytest.mark.parametrize(
    ("algorithms", "words"),
    [(["cfr", "cfr"], "cfr is named twice"), (["cfr", "cfr()"], "the same algorithm"), (["cfr", "lp"], "lp needs")],
)
def test_comparisons_that_mean_nothing(tiny: Any, algorithms: list[str], words: str) -> None:
    with pytest.raises(ZerosumError, match=words):
        zerosum.compare(tiny, algorithms, iterations=1)


@pytest.mark.parametrize(
    "algorithm", ["cfr", "pcfr+", "idcfr+", "nh-dcfr", "hybrid-cfr+", "hs-dcfr", "oftrl(fixed, eta=0.01)", "rtrm-cfr"]
)
def test_the_others_run(tiny: Any, algorithm: str) -> None:
    result = zerosum.solve(tiny, algorithm, iterations=300)
    assert result.exploitability < result.curve[0].exploitability / 2


def test_a_skip_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(ZerosumError, match="skips all 5 iterations"):
        zerosum.solve(load_spot("river"), "hybrid-cfr+(skip=5)", iterations=5)
