"""Known values, published points, other solvers, identities and bounds."""

from __future__ import annotations

import math
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from public_play import counterfactual_values
from random_games import RandomGame
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.sequence.step_sizes import compute_value_bounds
from zerosum.problems.problem import FACTORS, tune_step_sizes
from zerosum.runs.evaluation_schedule import iterate_checkpoints


@pytest.fixture(scope="module")
def forms():
    names = ["kuhn", "leduc", "liars-dice(sides=4)", "goofspiel(4, order=ascending)"]
    return {name: compile_game(zerosum.game(name)) for name in names}


# By the linear program; the values of the games are in test_games_values.py.


def test_equilibrium_of_double_scissors() -> None:
    strategy = zerosum.solve("rps-double-scissors", "lp").strategy
    for actions in strategy.values():
        assert [actions[a] for a in ("rock", "paper", "scissors")] == pytest.approx([0.4, 0.4, 0.2])


def test_royal_uniform_play() -> None:
    form = compile_game(zerosum.game("royal(infosets=suited)"))
    evaluation = zerosum.evaluate(form, *(tree.uniform_plan() for tree in form.treeplexes))
    assert evaluation.exploitability == pytest.approx(4.1306, abs=5e-5)


# The single decision of the dcfr paper.


@pytest.mark.parametrize(("name", "first"), [("cfr", 471_407), ("cfr+", 471_407), ("lcfr", 972)])
def test_single_decision(name: str, first: int) -> None:
    """The iteration at which the second action is first played with probability 1."""
    solver = zerosum.Solver(compile_game(zerosum.game("decision([0, 1, -1000000])")), zerosum.algorithm(name), 10**6)
    solver.run(first - 2)
    assert solver.current[0][2] < 1.0
    solver.run(1)
    assert solver.current[0].tolist() == [1.0, 0.0, 1.0, 0.0]


# Published curves.


@pytest.mark.parametrize(("name", "published"), [("cfr", 9.38e-4), ("cfr+(average=1)", 8.74e-5), ("dcfr", 1.47e-4)])
def test_kuhn_after_1000_iterations(name: str, published: float) -> None:
    assert zerosum.solve("kuhn", name, iterations=1000).exploitability == pytest.approx(published, rel=5e-3)


@pytest.mark.parametrize(
    ("game", "name", "published"),
    [
        ("leduc", "cfr", 1.18e-2),
        ("leduc", "cfr+(average=1)", 2.57e-4),
        ("leduc", "dcfr", 1.53e-4),
        ("liars-dice(sides=4)", "cfr", 1.73e-3),
        ("liars-dice(sides=4)", "cfr+(average=1)", 4.53e-5),
        ("liars-dice(sides=4)", "dcfr", 2.62e-5),
    ],
)
def test_published_size_after_1000_iterations(forms, game: str, name: str, published: float) -> None:
    """Long runs are chaotic: the size is compared, not the digits."""
    reached = zerosum.solve(forms[game], name, iterations=1000).exploitability
    assert published / 1.5 < reached < published * 1.5


# OpenSpiel. The golden numbers are NashConv / 2 of its C++ solvers.

GOLDEN = {
    ("CFRSolver", "cfr"): {10: 0.888578983168769, 100: 0.09571635300459762},
    ("CFRPlusSolver", "cfr+(average=1)"): {10: 0.6104389015904066, 100: 0.013415994970897835},
}


@pytest.mark.parametrize(("solver", "name"), list(GOLDEN))
def test_leduc_equals_openspiel(forms, solver: str, name: str) -> None:
    ours = zerosum.Solver(forms["leduc"], zerosum.algorithm(name), 100)
    for iterations, digits in ((10, 1e-6), (100, 1e-3)):
        ours.run(iterations - ours.iteration)
        assert ours.evaluate().exploitability == pytest.approx(GOLDEN[solver, name][iterations], rel=digits)


@pytest.mark.parametrize(("solver", "name"), list(GOLDEN))
def test_golden_numbers_are_those_of_openspiel(solver: str, name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("leduc_poker")
    theirs = getattr(pyspiel, solver)(game)
    for iteration in range(1, 101):
        theirs.evaluate_and_update_policy()
        if iteration in (10, 100):
            reached = pyspiel.nash_conv(game, theirs.average_policy()) / 2
            assert GOLDEN[solver, name][iteration] == pytest.approx(reached, rel=1e-9)


# Identities.


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("dcfr(1, 1, 1)", "lcfr"),
        ("dcfr(inf, -inf, 2)", "cfr+"),
        ("dcfr(inf, inf, 0)", "cfr"),
        ("dcfr(1.5, -inf, 2)", "dcfr+(1.5, 2)"),
        ("trm-cfr(1)", "cfr"),
        ("trm-cfr+(1..1)", "cfr+"),
        ("trm-lcfr(1, 1)", "lcfr"),
        ("hs-dcfr(30)", "dcfr(1..4, -1..-3, 30..25)"),
        ("cfr+(average=2)", "cfr+"),
        ("oftrl(fixed, eta=0.1, prediction=none)", "hedge(0.1)"),
        ("ftrl(theory)", "oftrl(theory, prediction=none)"),
        ("oftrl(tuned, factor=1)", "oftrl(theory)"),
        ("hybrid-cfr+", "cfr+(average=0, skip=0.5, order=simultaneous)"),
    ],
)
def test_identity(forms, left: str, right: str) -> None:
    for form in forms.values():
        a, b = (zerosum.Solver(form, zerosum.algorithm(name), 60) for name in (left, right))
        a.run(50)
        b.run(50)
        for x, y in zip(a.average + a.current, b.average + b.current, strict=True):
            np.testing.assert_array_equal(x, y)


# Bounds of the papers, with Delta the range of payoffs.


@given(st.integers(0, 10**6), st.integers(1, 200), st.sampled_from(["cfr", "cfr+", "dcfr", "lcfr"]))
def test_regret_bounds(seed: int, iterations: int, name: str) -> None:
    """Regret matching: R(I, a) <= Delta sqrt(A T); dcfr theorems 1 and 2: an epsilon-equilibrium."""
    form = compile_game(RandomGame(seed, depth=4))
    solver = zerosum.Solver(form, zerosum.algorithm(f"{name}(order=simultaneous)"), iterations)
    solver.run(iterations)
    delta = 2 * form.largest_payoff
    most = max((len(actions) for tree in form.treeplexes for actions in tree.actions), default=1)
    root = math.sqrt(iterations)
    if name in ("cfr", "cfr+"):
        for regret in solver.regrets:
            assert regret.max() <= delta * math.sqrt(most) * root + 1e-9
    weight = {"cfr": 1.0, "lcfr": 2 / math.sqrt(3), "cfr+": 3.0, "dcfr": 6.0}[name]
    slack = 1 / root if name == "dcfr" else 0.0
    bound = weight * delta * max(form.infosets, 1) * (math.sqrt(most) + slack) / root
    assert max(solver.evaluate().gains) <= 2 * bound + 1e-9


@given(st.integers(0, 10**6), st.floats(0.01, 1.0), st.sampled_from(["entropy", "euclidean"]), st.booleans())
def test_theory_steps_are_stable(seed: int, kappa: float, regulariser: str, alternating: bool) -> None:
    """spcfr, corollary 1: with the step sizes of theory a plan moves by at most kappa an iteration."""
    form = compile_game(RandomGame(seed))
    order = "alternating" if alternating else "simultaneous"
    name = f"oftrl(theory, kappa={kappa!r}, regulariser={regulariser}, order={order})"
    solver = zerosum.Solver(form, zerosum.algorithm(name), 30)
    before = solver.current
    for _ in range(30):
        solver.run(1)
        after = solver.current
        for x, y in zip(before, after, strict=True):
            assert np.linalg.norm(x - y) <= kappa + 1e-12
        before = after


@given(st.integers(0, 10**6))
def test_no_counterfactual_value_exceeds_its_bound(seed: int) -> None:
    """Pure strategies, which have the largest values, respect the bound, too."""
    form = compile_game(RandomGame(seed))
    bounds = compute_value_bounds(form)
    generator = np.random.default_rng(seed)
    for power in (1.0, 200.0):
        strategies = [t.strategy(generator.random(t.sequences) ** power + 1e-300) for t in form.treeplexes]
        plans = [t.plan(s) for t, s in zip(form.treeplexes, strategies, strict=True)]
        for treeplex, gradient, strategy, bound in zip(
            form.treeplexes, form.gradients(*plans), strategies, bounds, strict=True
        ):
            values = counterfactual_values(treeplex, gradient, strategy)
            for infoset, largest in enumerate(bound):
                assert np.abs(values[treeplex.sequences_of(infoset)]).max() <= largest * (1 + 1e-9) + 1e-12


def test_bounds_one_can_count(forms) -> None:
    """In Kuhn, a card has chance 1/3, and 2 chips may change hands below every decision."""
    for bound in compute_value_bounds(forms["kuhn"]):
        np.testing.assert_allclose(bound, 2 / 3)
    form = compile_game(zerosum.game("rps"))
    assert [bound.tolist() for bound in compute_value_bounds(form)] == [[1.0], [1.0]]


def test_theory_steps_are_stable_on_leduc(forms) -> None:
    solver = zerosum.Solver(forms["leduc"], zerosum.algorithm("oftrl(theory)"), 100)
    kappa = 100**-0.25
    before = solver.current
    for _ in range(100):
        solver.run(1)
        assert all(np.linalg.norm(x - y) <= kappa for x, y in zip(before, solver.current, strict=True))
        before = solver.current


# Convergence of the strong ones, and the shape of a run.


@pytest.mark.parametrize("name", ["cfr+", "dcfr", "pcfr+", "pdcfr+", "idcfr+", "hs-dcfr", "hs-pcfr+", "nh-dcfr"])
def test_leduc_converges_to_the_exact_value(forms, name: str) -> None:
    result = zerosum.solve(forms["leduc"], name, iterations=1000)
    assert result.exploitability < 2e-3
    assert result.value == pytest.approx(-0.0856064240780, abs=2 * result.exploitability)


def test_threads_do_not_change_the_result() -> None:
    form = compile_game(zerosum.game("liars-dice(sides=6)"))
    single, many = (zerosum.Solver(form, zerosum.algorithm("dcfr"), 20) for _ in range(2))
    single.threads, many.threads = 1, 2
    single.run(20)
    many.run(20)
    for x, y in zip(single.average + single.regrets, many.average + many.regrets, strict=True):
        np.testing.assert_array_equal(x, y)


def test_a_run_ends_at_its_limits() -> None:
    by_count = zerosum.solve("kuhn", "cfr+", iterations=37)
    assert (by_count.iterations, by_count.stopped) == (37, "iterations")
    assert [point.iteration for point in by_count.curve] == list(iterate_checkpoints(37))
    by_quality = zerosum.solve("kuhn", "cfr+", until=1e-3)
    assert by_quality.exploitability <= 1e-3
    assert by_quality.stopped == "until"
    by_time = zerosum.solve("leduc", "cfr+", seconds=0.2)
    assert by_time.stopped == "seconds"
    assert zerosum.solve("leduc", "cfr+", seconds=0).iterations >= 1


def test_progress_is_reported() -> None:
    seen = []
    zerosum.solve("leduc", iterations=200, progress=seen.append)
    assert seen[-1].iteration == 200
    assert seen[-1].point.iteration == 200
    assert all(a.iteration <= b.iteration for a, b in pairwise(seen))


def test_random_start_is_reproducible_and_leaves_the_equilibrium_of_rps() -> None:
    first, again, other = (zerosum.solve("rps", "cfr", iterations=50, start_seed=seed) for seed in (1, 1, 2))
    assert first.strategy == again.strategy
    assert first.strategy != other.strategy
    assert first.curve[0].exploitability > 0.01


def test_tuned_continues_while_it_improves() -> None:
    """The chosen factor beats the one before and the one after in a tenth of the run."""

    def pilot(factor: float) -> float:
        curve = zerosum.solve("leduc", f"oftrl(tuned, factor={factor:g})", iterations=100).curve
        return next(point.exploitability for point in curve if point.iteration == 10)

    name = zerosum.solve("leduc", "oftrl(tuned)", iterations=100).algorithm
    factor = float(name.removeprefix("oftrl(tuned, factor=").removesuffix(")"))
    assert factor in FACTORS
    assert factor == 10 or pilot(factor) < pilot(factor / 10)
    assert factor == FACTORS[-1] or pilot(factor) <= pilot(factor * 10)


@pytest.mark.parametrize("reached", [(3.0, 4.0, 2.0), (1.0, 2.0, 3.0), (3.0, 2.0, 2.0)])
def test_tuned_in_chips_is_the_best_of_three(reached: tuple[float, ...]) -> None:
    """Also if the second is worse than the first."""

    def solver_of(algorithm: zerosum.Algorithm) -> Any:
        evaluation = SimpleNamespace(exploitability=reached[FACTORS.index(algorithm.steps.factor)])
        return SimpleNamespace(horizon=100, run=lambda count: None, evaluate=lambda: evaluation)

    chosen = tune_step_sizes(zerosum.algorithm("oftrl(tuned, losses=chips)"), solver_of)
    assert chosen.steps.factor == FACTORS[reached.index(min(reached))]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"iterations": 0}, "at least 1"),
        ({"iterations": 2.5}, "whole number"),
        ({"until": -1.0}, "at least 0"),
        ({"until": math.nan}, "at least 0"),
        ({"seconds": math.inf}, "at least 0"),
        ({"threads": 0}, "at least 1"),
        ({"algorithm": "hs-dcfr", "seconds": 1}, "number of iterations"),
        ({"algorithm": "idcfr+(skip=0.5)", "until": 1e-3}, "number of iterations"),
        ({"algorithm": "oftrl(theory)", "until": 1e-3}, "number of iterations"),
        ({"until": 0}, "may never be reached"),
        ({"until": 1e-300}, "exploitability of 1e-300 may never be reached"),
    ],
)
def test_limits_that_mean_nothing(arguments: dict, words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.solve("kuhn", **arguments)


def test_compare_solves_one_by_one() -> None:
    results = zerosum.compare("kuhn", ["lp", "cfr", "cfr+"], iterations=50)
    assert [result.algorithm for result in results] == ["lp", "cfr", "cfr+"]
    assert results[1].strategy == zerosum.solve("kuhn", "cfr", iterations=50).strategy


def test_an_interrupted_run_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def at_once(stop):
        stop()
        yield

    monkeypatch.setattr("zerosum.runs.run.stop_on_interrupt", at_once)
    results = zerosum.compare("kuhn", ["cfr", "cfr+"], iterations=50)
    assert [(result.algorithm, result.stopped) for result in results] == [("cfr", "interrupted")]


@pytest.mark.parametrize(
    ("algorithms", "words"),
    [
        (["cfr", "cfr"], "cfr is named twice"),
        (["lp", "LP"], "lp is named twice"),
        (["cfr+", "dcfr", "dcfr(1.5, 0, 2)"], r"dcfr and dcfr\(1.5, 0, 2\) are the same algorithm"),
    ],
)
def test_comparisons_that_mean_nothing(algorithms: list[str], words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.compare("kuhn", algorithms)


def test_every_public_name_is_documented_with_an_example() -> None:
    constants = {"CHANCE", "TERMINAL", "ONE", "TWO"}
    for name in set(zerosum.__all__) - constants:
        text = getattr(zerosum, name).__doc__
        assert text, name
        assert ">>>" in text or name == "ZerosumError", name


def test_a_skip_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(zerosum.ZerosumError, match="skips all"):
        zerosum.solve("kuhn", "idcfr+(skip=100)", iterations=100)
    assert zerosum.solve("kuhn", "idcfr+(skip=99)", iterations=100).iterations == 100


def test_a_solver_takes_an_algorithm_by_its_name() -> None:
    form = zerosum.compile_game(zerosum.game("kuhn"))
    by_name, by_object = zerosum.Solver(form, "dcfr", 100), zerosum.Solver(form, zerosum.algorithm("dcfr"), 100)
    by_name.run(100)
    by_object.run(100)
    assert by_name.evaluate() == by_object.evaluate()
    assert zerosum.HistorySampler(form, "mccfr").algorithm == zerosum.algorithm("mccfr")
    assert zerosum.RulesSampler(zerosum.game("kuhn"), "mccfr").algorithm == zerosum.algorithm("mccfr")


@pytest.mark.parametrize("value", [4, 1.5, ["dcfr"]])
def test_values_that_are_no_algorithm_are_refused_with_a_message(value: object) -> None:
    with pytest.raises(zerosum.ZerosumError, match="an algorithm is a name or an Algorithm, not"):
        zerosum.solve("kuhn", algorithm=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("iterations", [-1, 2.5, math.nan, math.inf])
def test_a_solver_goes_on_for_a_whole_number_of_iterations(forms, iterations: float) -> None:
    solver = zerosum.Solver(forms["kuhn"], "cfr", 10)
    solver.run(5)
    with pytest.raises(zerosum.ZerosumError, match="whole number"):
        solver.run(iterations)  # type: ignore[arg-type]
    assert solver.iteration == 5
    with pytest.raises(zerosum.ZerosumError, match="whole number"):
        zerosum.Solver(forms["kuhn"], "cfr", iterations)  # type: ignore[arg-type]


@pytest.mark.parametrize("part", [{"name": 3}, {"accumulate": "dcfr"}, {"match": None}, {"sampling": "external"}])
def test_invalid_parts_of_an_algorithm_get_a_message(part: dict[str, Any]) -> None:
    with pytest.raises(zerosum.ZerosumError, match=f"{next(iter(part))} must be a "):
        zerosum.Algorithm(**part)


@pytest.mark.parametrize("name", ["dcfr", "oftrl", "mccfr", "lp"])
@pytest.mark.parametrize("payoff", [0, 3])
def test_a_game_in_which_nothing_can_be_won(name: str, payoff: int) -> None:
    """The matrix of payoffs has no entries, or equal ones."""
    result = zerosum.solve(f"matrix([[{payoff}, {payoff}], [{payoff}, {payoff}]])", name, iterations=10)
    assert result.value == pytest.approx(payoff)
    assert result.exploitability == pytest.approx(0.0)
