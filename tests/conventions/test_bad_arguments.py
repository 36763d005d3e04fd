"""Wrong arguments from Python are answered with a one-line message."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
from zerosum.support.source_hash import PACKAGE

loose: Any = zerosum
"""The same functions, without their types."""
loose_int: Any = np.int64
KUHN = zerosum.compile_game(zerosum.game("kuhn"))
WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: loose.Solver(3, "dcfr", 100), "the rules of a game are an object with root"),
    (lambda: loose.Solver("kuhm", "dcfr", 100), "did you mean kuhn"),
    (lambda: loose.Solver(KUHN, "dcfr", "x"), "horizon must be a whole number of at least 1, not 'x'"),
    (lambda: loose.HistorySampler(KUHN, "mccfr", seed="x"), "seed must be a whole number of at least 0, not 'x'"),
    (lambda: loose.equilibrium(3), "the rules of a game are an object with root"),
    (lambda: loose.plot(3), "a result or a list of results can be shown, not 3"),
    (lambda: loose.plot(["kuhn"]), "a result or a list of results can be shown, not 'kuhn'"),
    (lambda: loose.curve_frame(3), "a result or a list of results can be shown, not 3"),
    (lambda: loose.to_latex([3]), "a result or a list of results can be shown, not 3"),
    (lambda: loose.plot([], ax=3), "must be matplotlib axes, not 3"),
    (lambda: loose.plot([], x=[1]), "iterations, seconds or nodes, not .1."),
    (lambda: loose.solve("kuhn", out="\0"), "named by a string or a path, not by '.x00'"),
    (lambda: loose.load(3), "named by a string or a path, not by 3"),
    (lambda: loose.resume(None), "named by a string or a path, not by None"),
    (lambda: loose.write_game("kuhn", 3), "named by a string or a path, not by 3"),
    (lambda: loose.game(3), "a game is named by a string like leduc.suits=3., not by 3"),
    (lambda: loose.export(3, "csv", "x.csv"), "only a result can be exported, not 3"),
    (lambda: loose.solve("kuhn", "mccfr", seed="x"), "seed must be a whole number of at least 0, not 'x'"),
    (lambda: loose.solve("kuhn", start_seed=-1), "start_seed must be a whole number of at least 0, not -1"),
    (lambda: loose.solve("kuhn", start_from={}, start_weight="x"), "start_weight must be a number, not 'x'"),
    (lambda: loose.solve("kuhn", progress=5), "progress must be a function, not 5"),
    (lambda: loose.solve("kuhn", evaluated=5), "evaluated must be a function, not 5"),
    (lambda: loose.solve("kuhn", out=3), "named by a string or a path, not by 3"),
    (lambda: loose.solve("kuhn", half=True), "half is an option of hold'em"),
    (
        lambda: loose.solve("kuhn", locks="K|bet: fold -10%, call 110%"),
        "frequencies must be between 0% and 100%, not -10%",
    ),
    (lambda: loose.solve("spot:river", streets=3), "streets must be a string, not 3"),
    (lambda: loose.solve("spot:river", streets=[]), r"streets must be a string, not \[\]"),
    (
        lambda: loose.solve("spot:river", parts="x"),
        "parts must be those of a spot, like .'pot': 500., not 'x'",
    ),
    (
        lambda: loose.solve("kuhn", parts={1: 2}),
        "parts must be those of a spot, like .'pot': 500., not .1: 2.",
    ),
    (lambda: loose.solve("kuhn", iterations=10**5000), "iterations cannot be a number of more than 4096 bits"),
    (lambda: loose.compare("kuhn", []), "a comparison needs an algorithm"),
    (lambda: loose.compare("kuhn", "cfr"), "must be a list of names like .'cfr', 'dcfr'., not 'cfr'"),
    (lambda: loose.compare("kuhn", 3), "must be a list of names"),
    (lambda: loose.repeat("kuhn", seeds=2.5), "a number of seeds, at most 1,000,000, or a list of seeds, not 2.5"),
    (lambda: loose.repeat("kuhn", seeds=10**400), "seeds are limited to 1,000,000: give fewer"),
    (lambda: loose.repeat("kuhn", seeds=range(10**9)), "seeds are limited to 1,000,000: give fewer"),
    (lambda: loose.repeat("kuhn", seeds=iter(int, 1)), "seed 0 is listed twice|seeds are limited to 1,000,000"),
    (lambda: loose.repeat("kuhn", seeds=-1), "a list of seeds, not -1"),
    (lambda: loose.repeat("kuhn", seeds="3"), "a list of seeds, not '3'"),
    (lambda: loose.repeat("kuhn", seeds=True), "a list of seeds, not True"),
    (lambda: loose.repeat("kuhn", seeds=[1, 1]), "seed 1 is listed twice"),
    (lambda: loose.repeat("kuhn", seeds=[1, np.int64(1)]), "seed 1 is listed twice"),
    (lambda: loose.repeat("kuhn", seeds=[None]), "a seed is a whole number, not None"),
    (lambda: loose.solve("kuhn", refine="x"), "refine must be true or false, not 'x'"),
    (lambda: loose.solve("kuhn", by_rules=1), "by_rules must be true or false, not 1"),
    (lambda: loose.solve("spot:river", half="no"), "half must be true or false, not 'no'"),
    (lambda: loose.solve("spot:river", isomorphism=0), "isomorphism must be true or false, not 0"),
    (lambda: loose.HistorySampler(KUHN, "mccfr").run(1.5), "iterations must be a whole number of at least 0, not 1.5"),
    (lambda: loose.HistorySampler(KUHN, "mccfr").run(-1), "iterations must be a whole number of at least 0, not -1"),
    (lambda: loose.HistorySampler(KUHN, "mccfr").run("x"), "iterations must be a whole number of at least 0, not 'x'"),
    (lambda: loose.RulesSampler("kuhn", "mccfr").run(1.5), "iterations must be a whole number of at least 0, not 1.5"),
    (lambda: loose.Solver(KUHN, "cfr", 5).run("x"), "iterations must be a whole number of at least 0, not 'x'"),
    (lambda: loose.Solver(KUHN, "cfr", 5).run(-1), "iterations must be a whole number of at least 0, not -1"),
    (lambda: loose.Solver(KUHN, "cfr", 5).run(None), "give the number of iterations"),
    (lambda: loose.HistorySampler(KUHN, "mccfr").run(1, nodes="x"), "nodes must be a whole number of at least 0"),
    (lambda: loose.Softmax("x"), r"steps must be step sizes like Anytime\(\) or Fixed\(0.1\), not 'x'"),
    (lambda: loose.Projection("x"), "steps must be step sizes like"),
    (lambda: loose.Softmax(loose.Anytime), "steps must be step sizes like"),
    (lambda: loose.Algorithm(instant="yes"), "instant must be true or false, not 'yes'"),
    (lambda: loose.Algorithm(both_plans=3), "both_plans must be true or false, not 3"),
    (lambda: loose.Algorithm(exact=1), "exact must be true or false, not 1"),
    (lambda: loose.Algorithm(prediction_discounted=1), "prediction_discounted must be true or false, not 1"),
    (lambda: loose.Discount(floor="x"), "floor must be true or false, not 'x'"),
    (lambda: loose.rule(lambda t, i, r, s, m: None, instant="x"), "instant must be true or false, not 'x'"),
    (lambda: loose.Algorithm(name=5), "name must be a string, not 5"),
    (lambda: loose.Algorithm(match=5), r"match must be a choice like RegretMatching\(\), not 5"),
    (lambda: loose.Uniform("x"), "the mean of the draws must be a number, not 'x'"),
    (lambda: loose.Uniform(1, seed="x"), "seed must be a whole number of at least 0, not 'x'"),
    (lambda: loose.solve("kuhn", locks="K|bet: call 100%", unlocked=5), "a result, a saved run or True, not 5"),
    (lambda: loose.solve("spot:river", locks=["check: check 100%"], unlocked=5), "a saved run or True, not 5"),
    (
        lambda: loose.solve("kuhn", locks="K|bet: call 100%", unlocked=loose.solve("spot:river", iterations=1)),
        "is a strategy of a hold.em spot",
    ),
    (lambda: loose.Solver(KUHN, "cfr", 5).start_from((1, 2), 1), "the start of player 1 needs 13 numbers"),
    (lambda: loose.Solver(KUHN, "cfr", 5).start_from(1, 1), "give a pair of strategies, one for each player, not 1"),
    (lambda: loose.Solver(KUHN, "cfr", 5).start_from((1, 2), "x"), "a number above 0, not 'x'"),
    (lambda: loose.report("spot:flop", flops=5), "flops must be a string like '25', not 5"),
    (lambda: loose.report("spot:river", vary="x"), "vary takes the parts of a spot with their values, .*, not 'x'"),
    (lambda: loose.report("spot:river", vary=5), "vary takes the parts of a spot with their values, .*, not 5"),
    (lambda: loose.report("spot:river", vary={"stack": 5}), "values of stack must be a list, not 5"),
    (lambda: loose.report("spot:river", vary={"stack": range(10**9)}), "values of stack are limited to 10,000"),
    (lambda: loose.report("spot:river", vary={"pot": range(200), "stack": range(200)}), "at most 10,000 variants"),
    (lambda: loose.repeat("kuhn", seeds=2, nodes=20, out=5), "named by a string or a path, not by 5"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": [1]}, iterations=2, out=5), "a string or a path, not by 5"),
    (lambda: loose.start("kuhn", listener=5), "listener must be a zerosum.Listener, not 5"),
    (lambda: loose.RulesSampler(5, "mccfr"), "the rules of a game are an object with root"),
    (lambda: loose.RulesSampler("kuhn", "mccfr", memory="x"), "memory must be a whole number of at least 0, not 'x'"),
    (lambda: loose.solve(type(loose.game("kuhn"))), "the rules of a game are an object with root"),
    (lambda: loose.solve(Path("no.efg")), "there is no file no.efg"),
    (lambda: loose.problem(Path("no.efg")), "there is no file no.efg"),
    (lambda: loose.sweep(Path("no.efg"), "dcfr({a})", {"a": [1]}), "there is no file no.efg"),
    (lambda: loose.solve("kuhn", out=""), "the name of a file or a folder is empty"),
    (lambda: loose.repeat("kuhn", seeds=2, nodes=20, out=""), "the name of a file or a folder is empty"),
    (lambda: loose.solve("kuhn", out="x.csv"), r"cannot write x.csv: .* the suffix of a file: leave it out"),
    (lambda: loose.repeat("kuhn", seeds=2, nodes=20, out="x.zs"), "cannot write x.zs: it would be a folder"),
    (lambda: loose.solve("kuhn", iterations="20"), "a whole number of at least 1, not '20'"),
    (lambda: loose.solve("kuhn", iterations=Decimal(20)), r"a whole number of at least 1, not Decimal\('20'\)"),
    (lambda: loose.solve("kuhn", iterations=np.array(20)), r"a whole number of at least 1, not array\(20\)"),
    (lambda: loose.solve("spot:river", streets="flop"), "the river is the only street of the spot"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": range(10**9)}), "values of a are limited to 10,000"),
    (lambda: loose.sweep(range(10**9), "dcfr({a})", {"a": [1]}), "games are limited to 10,000"),
    (lambda: loose.sweep("kuhn", "dcfr({a}, {b})", {"a": range(200), "b": range(200)}), "at most 10,000 points"),
    (lambda: loose.Power(10**400), "must be a number or a range like 1..4"),
    (lambda: loose.Exponential(power=2.5), "the powers of t and r must be whole and below"),
    (lambda: loose.solve("kuhn", iterations=10**400), "iterations must be a whole number"),
    (lambda: loose.repeat("kuhn", seeds=["x"]), "seed must be a whole number of at least 0, not 'x'"),
    (lambda: loose.repeat("kuhn", seeds=2, progress=5), "progress must be a function, not 5"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": [1]}, progress=5), "progress must be a function, not 5"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", 3), "a grid has a list of values for each parameter"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": 1}), "a grid has a list of values for each parameter"),
    (lambda: loose.report("spot:river", lines="check"), "there is no option 'lines'"),
]


@pytest.mark.parametrize(("call", "sentence"), WRONG)
def test_mistakes_get_a_one_line_message(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_name_stands_for_a_compiled_game() -> None:
    exact = zerosum.equilibrium("kuhn")
    assert KUHN.value(*exact) == pytest.approx(-1 / 18)
    assert zerosum.evaluate(KUHN, *exact).exploitability == pytest.approx(0.0, abs=1e-12)
    named, compiled = (zerosum.Solver(game, "cfr+", 50) for game in ("kuhn", KUHN))
    for solver in (named, compiled):
        solver.run(50)
    assert named.evaluate() == compiled.evaluate()
    assert zerosum.HistorySampler("kuhn", "mccfr").form.infosets == KUHN.infosets


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda t: 1, "cannot be computed as a function of t and n: TypeError"),
        (lambda t, n: "x", "cannot be computed as a function of t and n: TypeError: 'x' is not a number"),
        (lambda t, n: 1 / 0, "cannot be computed as a function of t and n: ZeroDivisionError"),
        (lambda t, n: 10**400, "cannot be computed as a function of t and n: OverflowError"),
        (lambda t, n: [1, 2, 3], "cannot be computed as a function of t and n: ValueError"),
        (lambda t, n: float("nan"), "is nan at iteration 1: it must be a number"),
        (lambda t, n: np.where(t == 3, np.nan, 1), "is nan at iteration 3: it must be a number"),
    ],
)
def test_a_custom_schedule_must_return_numbers(function: Any, sentence: str) -> None:
    for what, parts in {
        "alpha": {"accumulate": zerosum.Discount(alpha=function)},
        "beta": {"accumulate": zerosum.Discount(beta=function)},
        "the power of the average": {"average": zerosum.Power(function)},
        "the exponent": {"match": zerosum.RegretMatching(function)},
        "the step size": {"match": zerosum.Softmax(zerosum.Fixed(function))},
    }.items():
        with pytest.raises(zerosum.ZerosumError, match=f"{what} {sentence}"):
            zerosum.solve(KUHN, loose.Algorithm("mine", **parts), iterations=5)


def test_the_values_of_a_schedule_obey_the_bounds_of_a_number() -> None:
    below = zerosum.Algorithm("mine", average=zerosum.Power(lambda t, n: -5 * np.ones_like(t)))
    with pytest.raises(zerosum.ZerosumError, match="the power of the average is -5 at iteration 1: .* of at least 0"):
        zerosum.solve(KUHN, below, iterations=5)
    boundless = zerosum.Algorithm(
        "mine", zerosum.Discount(alpha=lambda t, n: np.inf * t, beta=lambda t, n: -np.inf * t)
    )
    plain = zerosum.Algorithm("plain", zerosum.Discount(beta=-np.inf))
    assert zerosum.solve(KUHN, boundless, iterations=5).value == zerosum.solve(KUHN, plain, iterations=5).value


def test_a_schedule_may_have_no_value_before_the_first_iteration(recwarn: pytest.WarningsRecorder) -> None:
    falling = zerosum.Algorithm(
        "mine", zerosum.Discount(lambda t, n: 1 / t, 0), average=zerosum.Power(lambda t, n: np.log(t) / t)
    )
    assert zerosum.solve(KUHN, falling, iterations=50).exploitability < 0.1
    assert not recwarn.list


def test_a_long_run_is_walked_in_pieces() -> None:
    def weight(t: int) -> float:
        if t == 3:
            raise OverflowError("so far and no farther")
        return 1.0

    with pytest.raises(zerosum.ZerosumError, match="so far and no farther"):
        zerosum.Solver(KUHN, zerosum.Algorithm("mine", average=weight), 10**12).run(10**12)


def test_whole_numbers_of_numpy_and_whole_floats_are_whole_numbers() -> None:
    for solver in (zerosum.Solver(KUHN, "cfr", 5), zerosum.HistorySampler(KUHN, "mccfr")):
        loose_solver: Any = solver
        loose_solver.run(np.int64(3))
        loose_solver.run(2.0)
        assert solver.iteration == 5
        assert type(solver.iteration) is int
    first = loose.Algorithm(first=np.int64(2)).first
    assert (first, type(first)) == (2, int)


def test_seeds_may_be_numbers_of_numpy() -> None:
    few = zerosum.repeat("kuhn", "mccfr", seeds=loose_int(2), nodes=20)
    assert few.reached == zerosum.repeat("kuhn", "mccfr", seeds=np.arange(2).tolist(), nodes=20).reached
    assert few.seeds == (0, 1)


def test_a_run_is_saved_where_a_path_says() -> None:
    run = loose.start("kuhn", iterations=2)
    run.advance()
    with pytest.raises(zerosum.ZerosumError, match="named by a string or a path, not by 5"):
        run.save(5)


OWN_GAME = """
import zerosum
class Mine(type(zerosum.game("kuhn"))):
    pass
"""


def test_a_path_means_the_same_as_its_text(tmp_path: Path) -> None:
    zerosum.write_game("kuhn", tmp_path / "k.efg")
    zerosum.write_game("rps", tmp_path / "r.nfg")
    (tmp_path / "own.py").write_text(OWN_GAME)
    (tmp_path / "my.toml").write_text((PACKAGE / "holdem" / "spots" / "bundled" / "river.toml").read_text())
    for name in ("k.efg", "r.nfg", "own.py:Mine", "my.toml"):
        path = tmp_path / name
        from_path, other = (zerosum.solve(source, iterations=3) for source in (path, str(path)))
        assert (from_path.game, from_path.value) == (other.game, other.value)
    efg = tmp_path / "k.efg"
    assert zerosum.game(efg).name == zerosum.game(str(efg)).name
    assert zerosum.Solver(efg, "cfr", 5).form.infosets == 12
    assert zerosum.RulesSampler(efg, "mccfr").form.name == zerosum.game(efg).name
    assert zerosum.sweep(efg, "dcfr({a})", {"a": [1]}, iterations=2).games == (str(efg),)
    zerosum.solve(efg, iterations=2, out=tmp_path / "run")
    assert zerosum.resume(tmp_path / "run", game=efg, iterations=4).iterations == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: loose.solve("x" * 3000),
        lambda: loose.solve("kuhn", "x" * 3000),
        lambda: loose.solve("kuhn", iterations=list(range(3000))),
        lambda: loose.solve("kuhn", seed="x" * 3000),
        lambda: loose.plot("x" * 3000),
    ],
)
def test_messages_quote_long_arguments_in_part(call: Callable[[], Any]) -> None:
    with pytest.raises(zerosum.ZerosumError) as error:
        call()
    assert len(str(error.value)) < 500


def test_any_iterable_is_a_list_of_results() -> None:
    results = zerosum.compare(KUHN, (name for name in ("cfr", "dcfr")), iterations=3)
    assert zerosum.to_latex(result for result in results) == zerosum.to_latex(results)
    assert len(zerosum.curve_frame(iter(results))) == len(zerosum.curve_frame(results))
    assert len(zerosum.plot(result for result in results).lines) == 2


@pytest.mark.parametrize(
    ("call", "python"),
    [
        (lambda: loose.solve("spot:river", folder="data"), "folder belongs to libratus:1"),
        (
            lambda: loose.solve("kuhn", refine=True, by_rules=True),
            "refine needs the whole game, which by_rules",
        ),
        (lambda: loose.solve("kuhn", machines=2), "on='local'"),
        (lambda: loose.solve("kuhn", start_from={"K|bet": {"call": 1.0}}), "fill='uniform'"),
        (lambda: loose.solve("kuhn", by_rules=True, locks="K|bet: call 100%"), "by_rules"),
    ],
)
def test_a_message_names_the_python_argument(call: Callable[[], Any], python: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=python):
        call()


def test_a_run_that_is_there_goes_on_in_python_too(tmp_path: Path) -> None:
    zerosum.solve("kuhn", iterations=2, out=tmp_path / "o1")
    with pytest.raises(zerosum.ZerosumError, match=r"continue it \(zerosum resume .*o1, zerosum.resume\)"):
        zerosum.solve("kuhn", iterations=2, out=tmp_path / "o1")
    with pytest.raises(zerosum.ZerosumError, match=r"iterations='\+1000', until or seconds"):
        zerosum.resume(tmp_path / "o1")
