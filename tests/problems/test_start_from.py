"""Starting from a strategy: it is played first, and the run converges all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.sequence.solver import Solver
from zerosum.support.errors import ZerosumError

ALGORITHMS = ["cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr+", "ecfr", "icfr+", "trm-lcfr(1.5, 1)", "rtrm-cfr",
              "optimistic-dcfr", "cfr(order=simultaneous)"]  # fmt: skip
REFUSED = ["hedge", "oftrl(fixed, eta=0.1)", "nh-dcfr", "mccfr", "lp"]


@pytest.fixture(scope="module")
def leduc() -> SequenceForm:
    return zerosum.compile_game(zerosum.game("leduc"))


def random_strategies(form: SequenceForm, seed: int = 5) -> tuple[Floats, Floats]:
    """Random play, some actions of which are never taken."""
    random = np.random.default_rng(seed)
    mass = (np.maximum(random.random(tree.sequences) - 0.3, 0.0) for tree in form.treeplexes)
    first, second = (tree.strategy(weights) for tree, weights in zip(form.treeplexes, mass, strict=True))
    return first, second


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("weight", [1e-3, 1.0, 100.0])
def test_the_first_iteration_plays_the_strategy(leduc: SequenceForm, name: str, weight: float) -> None:
    strategies = random_strategies(leduc)
    solver = Solver(leduc, zerosum.algorithm(name), 100)
    solver.start_from(strategies, weight)
    for player, treeplex in enumerate(leduc.treeplexes):
        np.testing.assert_allclose(solver.current[player], treeplex.plan(strategies[player]), atol=1e-12)
    solver.run(1)
    if name != "ecfr":  # which weighs a plan by what the iteration makes of it
        np.testing.assert_allclose(solver.average[0], leduc.treeplexes[0].plan(strategies[0]), atol=1e-12)


@pytest.mark.parametrize("name", ["cfr", "cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize("start", ["poor", "good"])
def test_it_converges_from_anywhere(leduc: SequenceForm, name: str, start: str) -> None:
    good = zerosum.solve(leduc, "dcfr", iterations=500)
    poor = {d.infoset: {action: float(k == 0) for k, action in enumerate(d.actions)} for d in good.decisions}
    strategy = good if start == "good" else poor
    result = zerosum.solve(leduc, name, iterations=30_000 if name == "cfr" else 3000, start_from=strategy)
    assert result.exploitability < (0.005 if name == "cfr" else 0.001)
    assert result.curve[0].exploitability == pytest.approx(zerosum.exploit(leduc, strategy).exploitability, abs=1e-12)


def test_a_good_start_is_stayed_near(leduc: SequenceForm) -> None:
    good = zerosum.solve(leduc, "dcfr", iterations=1000)
    cold = zerosum.solve(leduc, "cfr+", iterations=10).exploitability
    assert zerosum.solve(leduc, "cfr+", iterations=10, start_from=good).exploitability < cold / 20


@pytest.mark.parametrize("name", REFUSED)
def test_algorithms_that_cannot_start_from_a_strategy(leduc: SequenceForm, name: str) -> None:
    with pytest.raises(ZerosumError, match="cannot start from a strategy"):
        zerosum.solve(leduc, name, iterations=10, start_from={}, fill="uniform")


def test_other_refusals(leduc: SequenceForm) -> None:
    with pytest.raises(ZerosumError, match="says nothing about"):
        zerosum.solve(leduc, start_from={})
    with pytest.raises(ZerosumError, match="above 0, not nan"):
        zerosum.solve(leduc, start_from={}, fill="uniform", start_weight=float("nan"))
    with pytest.raises(ZerosumError, match="not from both"):
        zerosum.solve(leduc, start_from={}, start_seed=1)
    with pytest.raises(ZerosumError, match="samples"):
        zerosum.solve("leduc", "mccfr", start_from={}, by_rules=True)


# hold'em


@pytest.fixture(scope="module")
def river() -> Any:
    return zerosum.holdem.spot("Ks 7h 2d 9c 4s", 500, 1000, "22+,AK,T9s", "QQ+,A2s+,87s", "50%,allin")


@pytest.fixture(scope="module")
def solved(river: Any) -> Any:
    return zerosum.solve(river, "dcfr", iterations=50)


@pytest.mark.parametrize("name", ["cfr", "dcfr", "pcfr+", "icfr+", "trm-lcfr(1.5, 1)", "cfr(order=simultaneous)"])
def test_the_second_player_of_a_spot_starts_with_the_strategy(river: Any, solved: Any, name: str) -> None:
    """The average after one iteration is the strategy that the first player faced."""
    after = zerosum.solve(river, name, iterations=1, start_from=solved)
    for line in ("check", "bet50"):
        before, played = solved.at(line), after.at(line)
        reached = before.reach > 0
        np.testing.assert_allclose(played.frequency[:, reached], before.frequency[:, reached], atol=1e-5)


@pytest.mark.parametrize("name", ["cfr+", "dcfr", "pcfr+"])
def test_a_spot_converges_from_a_start(river: Any, solved: Any, name: str) -> None:
    result = zerosum.solve(river, name, iterations=600, start_from=solved)
    assert result.exploitability_pot < 0.002


def test_a_turn_converges_from_a_file(tmp_path: Any) -> None:
    turn = zerosum.holdem.spot("Ks 7h 2d 9c", 500, 1000, "TT+,AK", "QQ+,87s", "50%,allin")
    first = zerosum.solve(turn, "dcfr", iterations=300)
    first.save(tmp_path / "turn.zs")
    cold = zerosum.solve(turn, "cfr+", iterations=10)
    warm = zerosum.solve(turn, "cfr+", iterations=10, start_from=tmp_path / "turn.zs")
    assert warm.exploitability < cold.exploitability / 3
    assert zerosum.solve(turn, "cfr+", iterations=500, start_from=first).exploitability_pot < 0.002


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"pot": 600}, "the pot differs"),
        ({"bets": "75%,allin"}, "the bets differ"),
        ({"board": "Ks 7h 2d 9c 4d"}, "the board differs"),
        ({"oop": "22+,AK,T8s"}, "other hands are in the ranges"),
    ],
)
def test_strategies_of_other_spots_are_refused(solved: Any, change: dict[str, Any], sentence: str) -> None:
    fields = {"board": "Ks 7h 2d 9c 4s", "pot": 500, "stack": 1000, "oop": "22+,AK,T9s", "ip": "QQ+,A2s+,87s"}
    other = zerosum.holdem.spot(**{**fields, "bets": "50%,allin", **change})
    with pytest.raises(ZerosumError, match=sentence):
        zerosum.solve(other, start_from=solved)
    with pytest.raises(ZerosumError, match=sentence):
        zerosum.exploit(other, solved)


def test_starts_that_a_spot_cannot_have(river: Any, solved: Any) -> None:
    for name, half, sentence in [
        ("hedge", False, "does not match"),
        ("dcfr", True, "16-bit"),
        ("mccfr", False, "samples"),
    ]:
        with pytest.raises(ZerosumError, match=sentence):
            zerosum.solve(river, name, half=half, start_from=solved)


# what a spot's strategy is worth


def test_a_spot_is_judged_as_it_was_solved(river: Any, solved: Any) -> None:
    judged = zerosum.exploit(river, solved)
    assert judged.value == pytest.approx(solved.value, abs=1e-9)
    assert judged.exploitability == pytest.approx(solved.exploitability, abs=1e-9)
    assert judged.first_street == pytest.approx(judged.gains, abs=1e-9)  # a river has no other street
    assert judged.worst[0].loss >= judged.worst[-1].loss > 0
    assert judged.worst[0].best in judged.worst[0].actions


def test_a_spot_may_have_other_weights(solved: Any) -> None:
    heavier = zerosum.holdem.spot("Ks 7h 2d 9c 4s", 500, 1000, "22+:0.5,AK,T9s", "QQ+,A2s+,87s", "50%,allin")
    assert zerosum.exploit(heavier, solved).exploitability > solved.exploitability


def test_a_later_street_is_distinguished() -> None:
    turn = zerosum.holdem.spot("Ks 7h 2d 9c", 500, 1000, "TT+,AK", "QQ+,87s", "50%,allin")
    judged = zerosum.exploit(turn, zerosum.solve(turn, iterations=5))
    for before, gain in zip(judged.first_street, judged.gains, strict=True):
        assert 0 < before < gain


def test_spots_head_to_head(river: Any, solved: Any) -> None:
    poor = zerosum.solve(river, "cfr", iterations=2)
    met, back = zerosum.head_to_head(river, solved, poor), zerosum.head_to_head(river, poor, solved)
    assert met.mean == pytest.approx(-back.mean, abs=1e-9)
    same = zerosum.head_to_head(river, solved, solved)
    assert (same.first, same.second) == pytest.approx((solved.value, -solved.value), abs=1e-9)
    assert met.first <= solved.value + solved.nash_conv + zerosum.exploit(river, poor).nash_conv
