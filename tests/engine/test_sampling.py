"""Sampled walks: unbiased, convergent, reproducible."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from compiled_kernels import emitted, jitted
from random_games import RandomGame
from sampled_names import DISCOUNTED, SAMPLED
from walk_moments import moments, note, nothing_yet
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.history_solver import HistorySampler
from zerosum.engine.sampling.history_walk import NEVER, SampledTable, walk_external, walk_once
from zerosum.engine.sampling.history_walk import fill_strategy as fill_strategy
from zerosum.native.decorators import exact_kernel
from zerosum.runs.run import Run

LARGEST_Z = 4.5
OFTEN = 600
COUNT = 25_000
"""Walks, all from the same start."""


# Unbiased: the mean of the changes by a walk is the exact regret and the exact average.


def exact_regrets(form, player, strategies) -> np.ndarray:
    """q - v of every sequence of a player, bottom-up."""
    plans = [tree.plan(strategy) for tree, strategy in zip(form.treeplexes, strategies, strict=True)]
    tree, strategy = form.treeplexes[player], strategies[player]
    total = form.gradients(*plans)[player].copy()
    regret = np.zeros(tree.sequences)
    for number in reversed(range(len(tree.infosets))):
        sequences = tree.sequences_of(number)
        value = strategy[sequences] @ total[sequences]
        regret[sequences] = total[sequences] - value
        total[tree.tree.parent[number]] += value
    return regret


def chance_of(form, player) -> np.ndarray:
    """For every sequence of a player, how likely chance leads to its infoset, summed over the histories."""
    tree = form.history_tree
    chance = np.zeros(sum(tree.n_slots))

    def go(node: int, reach: float) -> None:
        who, count, first, data = tree.nodes[node]
        if who == player:
            chance[data : data + count] += reach
        for child in range(count):
            probability = 1.0
            if who == zerosum.CHANCE:
                sums = (
                    np.diff(tree.chance[data : data + count], prepend=0.0) if data >= 0 else np.full(count, 1 / count)
                )
                probability = sums[child]
            go(first + child, reach * probability)

    go(0, 1.0)
    return chance


fill_strategy = jitted(fill_strategy)


@exact_kernel
def again(table, start, sums) -> None:
    """Record the changes of regret and average by a walk, and restore the start."""
    note(table.regret, start.regret, sums[0])
    note(table.average, start.average, sums[1])
    for place in range(len(start.baseline)):
        table.baseline[place] = start.baseline[place]
    for place in range(len(start.previous_regret)):
        table.previous_regret[place], table.changed_at[place] = start.previous_regret[place], start.changed_at[place]


@emitted
def sample(tree, table, start, scratch, scheme, learner, sums) -> None:
    """Walk `COUNT` times from the same start."""
    for walk in range(COUNT):
        walk_once(tree, table, scratch, scheme, learner, walk + 1)
        again(table, start, sums)


@emitted
def second_walks(tree, table, start, scratch, scheme, learner, walk, sums) -> None:
    """Walk `COUNT` times against the plan before the last."""
    for _ in range(COUNT):
        walk_external(tree, table, scratch, scheme, learner, walk, walk - 1)
        again(table, start, sums)


def copied(table: SampledTable) -> SampledTable:
    return SampledTable(*(array.copy() for array in table))


def walks(form, name: str, learner: int, baseline: bool = False):
    """Return the mean and the standard error of the changes by walks for a player, from random regrets."""
    solver = HistorySampler(form, zerosum.algorithm(name), seed=12, start_seed=5)
    table, scratch = solver.table, solver._scratch
    table.regret[:] -= 0.3
    if baseline:
        table.baseline[:] = np.random.default_rng(3).normal(size=len(table.baseline))
    slots = len(table.regret)
    sums, start = (nothing_yet(slots), nothing_yet(slots)), copied(table)
    sample(form.history_tree, table, start, scratch, solver._scheme, learner, sums)
    regrets = solver.regrets
    strategies = [tree.strategy(np.maximum(regret, 0.0)) for tree, regret in zip(form.treeplexes, regrets, strict=True)]
    return solver, strategies, *(moments(total, COUNT) for total in sums)


def largest_z(solver, player: int, added, exact: np.ndarray) -> float:
    """The largest deviation in standard errors, where enough walks came for the errors to be normal."""
    mean, error, hits = (solver.arrange_by_sequence(numbers)[player] for numbers in added)
    often = (hits >= OFTEN) & (error > 1e-12)
    assert often.sum() >= 4
    return float((np.abs(mean - exact)[often] / error[often]).max())


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("name", ["mccfr", "os-mccfr", "vr-mccfr", "cs-cfr"])
def test_walks_are_unbiased(forms, game: str, name: str) -> None:
    """Against the exact numbers, and against numbers that a wrong weight would give."""
    form = forms[game]
    for learner in (0, 1):
        solver, strategies, regret, average = walks(form, name, learner, baseline=name == "vr-mccfr")
        exact = exact_regrets(form, learner, strategies)
        assert largest_z(solver, learner, regret, exact) < LARGEST_Z < largest_z(solver, learner, regret, 1.5 * exact)
        on_policy = learner if name == "cs-cfr" else 1 - learner
        plan = form.treeplexes[on_policy].plan(strategies[on_policy])
        exact = plan * solver.arrange_by_sequence(chance_of(form, on_policy))[on_policy]
        assert largest_z(solver, on_policy, average, exact) < LARGEST_Z
        assert largest_z(solver, on_policy, average, 0.8 * exact) > LARGEST_Z


@pytest.mark.parametrize("name", ["mccfr", "os-mccfr", "vr-mccfr", "cs-cfr"])
def test_the_average_of_the_first_player_begins_with_the_second_strategy(name: str) -> None:
    """After one iteration player 2's average is uniform, and player 1's too where it grows in the player's walk."""
    solver = HistorySampler(compile_game(zerosum.game("rps")), zerosum.algorithm(name), seed=1)
    solver.run(1)
    uniform = [
        np.allclose(average, tree.uniform_plan())
        for tree, average in zip(solver.form.treeplexes, solver.average, strict=True)
    ]
    assert uniform == [name == "cs-cfr", True]


def test_baselines_lower_the_variance(forms) -> None:
    def spread(name: str) -> float:
        solver = HistorySampler(forms["kuhn"], zerosum.algorithm(name), seed=1)
        solver.run(5000)
        regrets = []
        for _ in range(300):
            before = solver.regrets[0]
            solver.run(1)
            regrets.append(solver.regrets[0] - before)
        return float(np.var(regrets, axis=0).sum())

    assert spread("vr-mccfr") < spread("os-mccfr")


# Exponents, and regret against the last two plans.


def test_exponents_are_those_of_regret_matching(forms) -> None:
    """The strategies that walks play, by the plain formula; exponent 1 changes no digit."""
    solver = HistorySampler(forms["leduc"], zerosum.algorithm("trm-mccfr(1.7)"), seed=3)
    solver.run(200)
    table, scratch = solver.table, solver._scratch
    infosets = [int(slot) for who, count, _, slot in solver._tree.nodes if who in (0, 1) and count == 3]
    for slot in infosets[:50]:
        fill_strategy(table, scratch, slot, 3, 0, NEVER)
        positive = np.maximum(table.regret[slot : slot + 3], 0.0) ** 1.7
        expected = positive / positive.sum() if positive.any() else np.full(3, 1 / 3)
        assert scratch.sigma[0, :3] == pytest.approx(expected, rel=1e-12)
    plain, tempered = (
        HistorySampler(forms["leduc"], zerosum.algorithm(name), seed=3) for name in ("mccfr", "trm-mccfr(1)")
    )
    for sampler in (plain, tempered):
        sampler.run(300)
    assert np.array_equal(plain.table.regret, tempered.table.regret)


def test_an_exponent_goes_from_the_first_to_the_last(forms) -> None:
    solver = HistorySampler(forms["kuhn"], zerosum.algorithm("trm-mccfr(2, 1)"), limits=Limits(nodes=10_000))
    seen = []
    for _ in range(5):
        solver.run(10**6, 2000 * (len(seen) + 1))
        seen.append(float(solver._scratch.exponent[0]))
    assert seen == pytest.approx([1.8, 1.6, 1.4, 1.2, 1.0], abs=0.01)


@pytest.mark.parametrize("learner", [0, 1])
def test_the_second_walk_is_against_the_plan_before(forms, learner: int) -> None:
    """Its mean is the exact regret against the opponent's regrets as they were, for the learner's own strategy as it
    was; the average stays."""
    form = forms["kuhn"]
    solver = HistorySampler(form, zerosum.algorithm("rtrm-mccfr(1)"), seed=5, start_seed=5)
    table, scratch = solver.table, solver._scratch
    table.regret[:] -= 0.3
    rng = np.random.default_rng(9)
    table.previous_regret[:] = rng.random(len(table.previous_regret)) - 0.3
    walk = 7
    table.changed_at[:] = np.where(rng.random(len(table.changed_at)) < 0.7, walk - 1, walk - 3)
    slots = solver._tree.n_slots[0]
    theirs = slice(slots, None) if learner == 0 else slice(0, slots)
    regret = table.regret.copy()
    for who, count, _, slot in solver._tree.nodes:
        if who == 1 - learner and table.changed_at[slot] == walk - 1:
            regret[slot : slot + count] = table.previous_regret[slot : slot + count]
    assert not np.array_equal(regret[theirs], table.regret[theirs])
    sums = nothing_yet(len(regret)), nothing_yet(len(regret))
    second_walks(form.history_tree, table, copied(table), scratch, solver._scheme, learner, walk, sums)
    assert not sums[1].any(), "the average stays"
    strategies = [
        plex.strategy(np.maximum(values, 0.0))
        for plex, values in zip(form.treeplexes, solver.arrange_by_sequence(regret), strict=True)
    ]
    exact = exact_regrets(form, learner, strategies)
    mean, error, _ = (solver.arrange_by_sequence(numbers)[learner] for numbers in moments(sums[0], COUNT))
    z = (mean - exact) / error
    assert np.abs(z[1:]).max() < LARGEST_Z


def test_both_walks_of_an_iteration_learn_from_the_same_strategy(forms) -> None:
    """The regret of an infoset before an iteration is stored once, whichever walk reaches it first."""
    solver = HistorySampler(forms["kuhn"], zerosum.algorithm("rtrm-mccfr"), seed=1, limits=Limits(nodes=10**6))
    for _ in range(50):
        before = solver.table.regret.copy()
        solver.run(1)
        now = solver.table.changed_at >= 2 * solver.iteration
        for who, count, _, slot in solver._tree.nodes:
            if who in (0, 1) and now[slot]:
                assert np.array_equal(solver.table.previous_regret[slot : slot + count], before[slot : slot + count])


@pytest.mark.parametrize("name", ["trm-mccfr", "rtrm-mccfr", "trm-cs-cfr", "trm-os-mccfr"])
def test_tempered_walks_converge(forms, name: str) -> None:
    result = zerosum.solve(forms["kuhn"], name, nodes=1_000_000, seed=1)
    assert result.value == pytest.approx(-1 / 18, abs=5e-3)
    assert result.exploitability < 0.03


def test_tempered_walks_are_for_enumerated_games() -> None:
    for problem in (zerosum.problem("spot:river"), zerosum.problem("kuhn", by_rules=True)):
        with pytest.raises(zerosum.ZerosumError, match="enumerated"):
            zerosum.solve(problem, "rtrm-mccfr", nodes=1000)


# Convergence.


@pytest.mark.parametrize(
    "name", [*SAMPLED, "linear-mccfr(1e5)", "linear-os-mccfr(1e5)", "discounted-cs-cfr(period=1e5)"]
)
def test_kuhn_is_solved(forms, name: str) -> None:
    result = zerosum.solve(forms["kuhn"], name, nodes=3_000_000, seed=1)
    assert result.value == pytest.approx(-1 / 18, abs=2e-3)
    assert result.exploitability < 0.01
    assert result.stopped == "nodes"


@pytest.mark.parametrize(
    ("name", "reached"), [("mccfr", 0.06), ("linear-mccfr(1e6)", 0.06), ("cs-cfr", 0.1), ("os-mccfr", 0.25)]
)
def test_leduc_converges(forms, name: str, reached: float) -> None:
    result = zerosum.solve(forms["leduc"], name, nodes=10_000_000)
    assert result.exploitability < reached
    assert result.value == pytest.approx(-0.0856, abs=reached / 2)


def test_external_sampling_is_as_good_as_openspiel_s(forms) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("leduc_poker")
    theirs = []
    for seed in range(3):
        solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=seed)
        for _ in range(3000):
            solver.run_iteration()
        theirs.append(pyspiel.exploitability(game, solver.average_policy()))
    ours = zerosum.repeat(forms["leduc"], "mccfr", seeds=8, iterations=3000)
    assert ours.exploitability == pytest.approx(np.mean(theirs), rel=0.2)


@pytest.mark.parametrize(("game", "reached"), [("kuhn", 0.005), ("leduc", 0.05)])
@pytest.mark.parametrize("name", ["pcs-cfr", "linear-pcs-cfr(1e5)"])
def test_public_chance_sampling_solves_poker(forms, game: str, reached: float, name: str) -> None:
    result = zerosum.solve(forms[game], name, iterations=3000, seed=1)
    assert result.exploitability < reached
    again = zerosum.solve(game, name, iterations=3000, seed=1)
    assert again.strategy == result.strategy
    assert again.nodes == result.nodes > 0


def test_public_chance_sampling_needs_boards(forms) -> None:
    for game in ("rps", "leduc(infosets=rank)"):
        with pytest.raises(zerosum.ZerosumError, match="samples boards.*use cs-cfr"):
            zerosum.solve(game, "pcs-cfr")
    with pytest.raises(zerosum.ZerosumError, match="refined"):
        zerosum.solve("leduc", "pcs-cfr", refine=True)
    with pytest.raises(zerosum.ZerosumError, match="zero regret"):
        zerosum.solve(forms["leduc"], "pcs-cfr", start_seed=1)
    with pytest.raises(zerosum.ZerosumError, match="samples boards"):
        zerosum.solve("leduc", "pcs-cfr", by_rules=True)


# Periods.


@pytest.mark.parametrize(
    ("name", "factor"), [("linear-mccfr(2000)", 1 / 2), ("initial-discount-mccfr(0.1, 2000)", 0.1)]
)
def test_a_period_ends_between_iterations(forms, name: str, factor: float) -> None:
    plain, other = (HistorySampler(forms["leduc"], zerosum.algorithm(n), seed=2) for n in ("mccfr", name))
    plain.run(10**6, 2000)
    other.run(plain.iteration)
    assert other.nodes == plain.nodes >= 2000
    for mine, theirs in zip(plain.regrets, other.regrets, strict=True):
        assert np.array_equal(mine * factor, theirs)
    assert np.array_equal(plain.table.average * factor, other.table.average)


# The same seed, the same run.


@pytest.mark.parametrize("name", [*SAMPLED, *DISCOUNTED])
def test_a_run_may_be_cut_into_pieces(forms, name: str) -> None:
    whole, pieces = (HistorySampler(forms["leduc"], zerosum.algorithm(name), seed=9) for _ in range(2))
    whole.run(300)
    for step in (1, 99, 200):
        pieces.run(step)
    assert whole.nodes == pieces.nodes
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(whole.average, pieces.average, strict=True))


def test_seeds_and_threads() -> None:
    runs = [zerosum.repeat("kuhn", "os-mccfr", seeds=5, nodes=20_000, threads=threads) for threads in (1, 2)]
    assert runs[0].reached == runs[1].reached
    assert len(set(runs[0].reached)) == 5
    single = zerosum.solve("kuhn", "os-mccfr", nodes=20_000, seed=3)
    assert single.exploitability == runs[0].reached[3]
    assert (single.seed, single.stopped) == (3, "nodes")
    again = zerosum.solve("kuhn", "os-mccfr", nodes=20_000, seed=3)
    assert again.strategy == single.strategy
    assert [point.nodes for point in again.curve] == [point.nodes for point in single.curve]


def test_the_draws_are_the_same_everywhere(forms) -> None:
    """Golden numbers: a change of the generator or of the order of the draws shows."""
    solver = HistorySampler(forms["kuhn"], zerosum.algorithm("mccfr"), seed=1)
    solver.run(1000)
    assert (solver.nodes, float(solver.regrets[0].sum()).hex()) == GOLDEN


GOLDEN = (14643, "-0x1.794cb12d22c71p+8")


def test_the_mean_of_seeds() -> None:
    runs = zerosum.repeat("kuhn", "mccfr", seeds=[3, 1, 4], iterations=500)
    assert runs.seeds == (3, 1, 4)
    assert runs.exploitability == pytest.approx(np.mean(runs.reached))
    margin = 4.302652729911275 * np.std(runs.reached, ddof=1) / np.sqrt(3)
    assert (runs.low, runs.high) == pytest.approx((runs.exploitability - margin, runs.exploitability + margin))
    assert [point.iteration for point in runs.curve] == sorted({point.iteration for point in runs.curve})
    assert runs.curve[-1].iteration == runs.iterations == 500
    with pytest.raises(zerosum.ZerosumError, match="at least one"):
        zerosum.repeat("kuhn", "mccfr", seeds=0)
    with pytest.raises(zerosum.ZerosumError, match="every seed gives the same"):
        zerosum.repeat("kuhn", "cfr", seeds=2)


def test_interrupted_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeds that were done count; a seed that was not is left out."""
    begun, stops, advance = [], [], Run.advance

    @contextmanager
    def by_hand(stop):
        stops.append(stop)
        yield

    def go_on(run: Run) -> bool:
        begun.append(run.start.seed)
        if len(begun) == 2:
            stops[0]()
        return advance(run)

    monkeypatch.setattr("zerosum.jobs.runner.stop_on_interrupt", by_hand)
    monkeypatch.setattr(Run, "advance", go_on)
    runs = zerosum.repeat("kuhn", "mccfr", seeds=5, iterations=10, threads=1)
    assert (runs.stopped, runs.seeds, runs.iterations) == ("interrupted", (0,), 10)


@given(st.integers(0, 10**6), st.sampled_from([*SAMPLED, *DISCOUNTED]))
def test_plans_are_plans_on_random_games(seed: int, name: str) -> None:
    form = compile_game(RandomGame(seed), sampled=True)
    solver = HistorySampler(form, zerosum.algorithm(name), seed=seed)
    solver.run(50)
    for tree, plan in zip(form.treeplexes, solver.average, strict=True):
        assert tree.is_plan(plan)
    assert min(solver.evaluate().gains) > -1e-9


# Runs.


def test_limits_of_a_sampled_run(forms) -> None:
    by_iterations = zerosum.solve(forms["leduc"], "mccfr", iterations=500)
    assert (by_iterations.iterations, by_iterations.stopped) == (500, "iterations")
    first = zerosum.solve(forms["leduc"], "mccfr", iterations=500, nodes=10**6)
    assert (first.iterations, first.stopped) == (500, "iterations")
    assert zerosum.solve(forms["kuhn"], "mccfr", until=0.05).stopped == "until"
    assert zerosum.solve(forms["kuhn"], "mccfr", seconds=0.05).stopped == "seconds"
    full = zerosum.solve(forms["kuhn"], "cfr", nodes=1000)
    assert (full.nodes, full.iterations, full.stopped) == (9 * 2 * 58, 9, "nodes")


def test_a_form_may_be_compiled_without_its_histories(forms) -> None:
    plain = compile_game(zerosum.game("leduc"))
    assert (
        zerosum.solve(plain, "mccfr", iterations=50).strategy
        == zerosum.solve(forms["leduc"], "mccfr", iterations=50).strategy
    )
    with pytest.raises(zerosum.ZerosumError, match="use HistorySampler"):
        zerosum.Solver(plain, zerosum.algorithm("mccfr"), 10)
    with pytest.raises(zerosum.ZerosumError, match="use an algorithm that samples"):
        zerosum.HistorySampler(plain, zerosum.algorithm("cfr"))
