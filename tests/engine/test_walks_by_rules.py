"""Sampled walks without enumerating the game: the same runs as on an enumeration, and games too large for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from random_games import RandomGame
from sampled_names import DISCOUNTED, SAMPLED
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.history_solver import HistorySampler
from zerosum.engine.sampling.rules_solver import RulesSampler
from zerosum.problems.games.rules_problem import RulesProblem
from zerosum.runs.run import Run


@given(st.integers(0, 10**6), st.sampled_from([*SAMPLED, *DISCOUNTED]))
def test_walks_by_rules_equal_the_enumerated_game(seed: int, name: str) -> None:
    """The compiled walk equals the plain one bit for bit."""
    game = RandomGame(seed)
    same_run(game, compile_game(game), name, seed, 60)


@pytest.mark.parametrize("name", [*SAMPLED, *DISCOUNTED])
def test_walks_by_rules_equal_the_enumerated_leduc(forms, name: str) -> None:
    same_run(zerosum.game("leduc"), forms["leduc"], name, 4, 100)


def same_run(game, form, name: str, seed: int, iterations: int) -> None:
    algorithm = zerosum.algorithm(name)
    enumerated, other = HistorySampler(form, algorithm, seed=seed), RulesSampler(game, algorithm, seed=seed)
    enumerated.run(iterations)
    other.run(iterations)
    assert enumerated.nodes == other.nodes
    averages = enumerated.arrange_by_sequence(enumerated.table.average)
    for player, tree in enumerate(form.treeplexes):
        behaviour = tree.behaviour(averages[player])
        for infoset, slot in other.table.slots[player].items():
            assert list(behaviour[infoset].values()) == other.table.compute_average_strategy(slot)


@pytest.mark.parametrize(
    ("game", "name"),
    [("liars-dice(dice=2)", "mccfr"), ("leduc(ranks=50, suits=4)", "vr-mccfr"), ("leduc(ranks=50, suits=4)", "cs-cfr")],
)
def test_a_game_too_large_to_enumerate(game: str, name: str, tmp_path) -> None:
    result, again = (zerosum.solve(game, name, nodes=5_000, seed=1, by_rules=True) for _ in range(2))
    assert replace(result, seconds=0, exploitability=0, nash_conv=0, value=0) == replace(
        again, seconds=0, exploitability=0, nash_conv=0, value=0
    )
    assert np.isnan([result.exploitability, result.nash_conv, result.value]).all()
    assert result.curve == ()
    assert result.nodes >= 5_000
    assert result.infosets == len(result.decisions) > 100
    more = zerosum.solve(game, name, nodes=10_000, seed=1, by_rules=True)
    assert more.infosets > result.infosets
    assert more.bytes > result.bytes > 100 * result.infosets
    result.save(tmp_path / "r.json.gz")
    loaded = zerosum.load(tmp_path / "r.json.gz")
    assert loaded.decisions == result.decisions
    assert np.isnan(loaded.exploitability)
    assert loaded.summary()["exploitability"] is None


def test_memory_ends_a_run_by_rules() -> None:
    run = Run(RulesProblem("liars-dice(dice=2)"), zerosum.algorithm("mccfr"), Limits(nodes=10**7))
    run.prepare()
    run.solver.memory = 10**6
    run.advance()
    assert (run.curve, run.stopped) == ((), "memory")
    assert 10**6 < run.solver.bytes < 10**7


def test_rules_that_forget_are_refused() -> None:
    class Forgets(RandomGame):
        def infoset(self, state):
            return (self.player(state), len(state))

        def actions(self, state):
            return ("a", "b")

    with pytest.raises(zerosum.ZerosumError, match="imperfect recall"):
        zerosum.solve(Forgets(1, depth=6), "cs-cfr", iterations=5, by_rules=True)


def test_limits_of_walks_by_rules(forms) -> None:
    for options, words in (({"until": 0.1}, "no exploitability"), ({"start_seed": 1}, "zero regret")):
        with pytest.raises(zerosum.ZerosumError, match=words):
            zerosum.solve("kuhn", "mccfr", by_rules=True, **options)
    with pytest.raises(zerosum.ZerosumError, match="needs the rules"):
        zerosum.solve(forms["kuhn"], "mccfr", by_rules=True)
    with pytest.raises(zerosum.ZerosumError, match="needs the whole game"):
        zerosum.solve("kuhn", "lp", by_rules=True)
