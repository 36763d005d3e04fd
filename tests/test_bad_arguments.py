"""What a Python caller may get wrong is answered with one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rue

loose: Any = rue
"""The same functions, without their types."""
KUHN = rue.compile_game(rue.game("kuhn"))
WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: loose.Solver(3, "dcfr", 100), "the rules of a game are an object with root"),
    (lambda: loose.Solver("kuhm", "dcfr", 100), "did you mean kuhn"),
    (lambda: loose.Solver(KUHN, "dcfr", "x"), "horizon must be a whole number of at least 1, not x"),
    (lambda: loose.SampledSolver(KUHN, "mccfr", seed="x"), "seed must be a whole number of at least 0, not x"),
    (lambda: loose.equilibrium(3), "the rules of a game are an object with root"),
    (lambda: loose.plot(3), "a result, or a list of results, not 3"),
    (lambda: loose.plot(["kuhn"]), "a result, or a list of results, not 'kuhn'"),
    (lambda: loose.curve_frame(3), "a result, or a list of results, not 3"),
    (lambda: loose.to_latex([3]), "a result, or a list of results, not 3"),
    (lambda: loose.plot([], ax=3), "axes of matplotlib's, not 3"),
    (lambda: loose.plot([], x=[1]), "iterations, seconds or nodes, not .1."),
    (lambda: loose.solve("kuhn", out="\0"), "named by a text or a path, not by '.x00'"),
    (lambda: loose.load(3), "named by a text or a path, not by 3"),
    (lambda: loose.resume(None), "named by a text or a path, not by None"),
    (lambda: loose.write_game("kuhn", 3), "named by a text or a path, not by 3"),
    (lambda: loose.game(3), "a game is named by a text like leduc.suits=3., not by 3"),
    (lambda: loose.export(3, "csv", "x.csv"), "what is exported is a result, not 3"),
    (lambda: loose.solve("kuhn", "mccfr", seed="x"), "seed must be a whole number of at least 0, not x"),
    (lambda: loose.solve("kuhn", start_seed=-1), "start_seed must be a whole number of at least 0, not -1"),
    (lambda: loose.solve("kuhn", start_from={}, start_weight="x"), "a number above 0, not x"),
    (lambda: loose.solve("kuhn", progress=5), "progress must be a function, not 5"),
    (lambda: loose.solve("kuhn", evaluated=5), "evaluated must be a function, not 5"),
    (lambda: loose.solve("kuhn", out=3), "named by a text or a path, not by 3"),
    (lambda: loose.solve("kuhn", half=True), r"half \(--half\) is an option of hold'em"),
    (lambda: loose.solve("kuhn", locks="K|bet: fold -10%, call 110%"), "between 0% and 100%, and one of them is -10%"),
    (lambda: loose.solve("spot:river", streets=3), "streets are named like 'flop,turn', not by 3"),
    (lambda: loose.solve("spot:river", streets=[]), "streets are named like 'flop,turn', not by .."),
    (lambda: loose.solve("spot:river", parts="x"), "parts are those of a spot, like .'pot': 500., not 'x'"),
    (lambda: loose.solve("kuhn", parts={1: 2}), "parts are those of a spot, like .'pot': 500., not .1: 2."),
    (lambda: loose.solve("kuhn", iterations=10**5000), "iterations cannot be a number of more than 4096 bits"),
    (lambda: loose.compare("kuhn", []), "a comparison needs an algorithm"),
    (lambda: loose.compare("kuhn", "cfr"), "give a list of names like .'cfr', 'dcfr'., not 'cfr'"),
    (lambda: loose.compare("kuhn", 3), "give a list of names"),
    (lambda: loose.repeat("kuhn", seeds=2.5), "a number of them, at most 1,000,000, or a list of numbers, not 2.5"),
    (lambda: loose.repeat("kuhn", seeds=10**400), "at most 1,000,000"),
    (lambda: loose.Power(10**400), "must be a number or a range like 1..4"),
    (lambda: loose.Exponential(power=2.5), "the powers of t and r must be whole and below"),
    (lambda: loose.solve("kuhn", iterations=10**400), "iterations must be a whole number"),
    (lambda: loose.repeat("kuhn", seeds=["x"]), "seed must be a whole number of at least 0, not x"),
    (lambda: loose.repeat("kuhn", seeds=2, progress=5), "progress must be a function, not 5"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": [1]}, progress=5), "progress must be a function, not 5"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", 3), "a grid has a list of values for each parameter"),
    (lambda: loose.sweep("kuhn", "dcfr({a})", {"a": 1}), "a grid has a list of values for each parameter"),
    (lambda: loose.report("spot:river", lines="check"), "there is no option 'lines'"),
]


@pytest.mark.parametrize(("call", "sentence"), WRONG)
def test_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(rue.RueError, match=sentence) as said:
        call()
    assert "\n" not in str(said.value)


def test_a_name_stands_for_a_compiled_game() -> None:
    exact = rue.equilibrium("kuhn")
    assert KUHN.value(*exact) == pytest.approx(-1 / 18)
    assert rue.evaluate(KUHN, *exact).exploitability == pytest.approx(0.0, abs=1e-12)
    named, compiled = (rue.Solver(given, "cfr+", 50) for given in ("kuhn", KUHN))
    for solver in (named, compiled):
        solver.run(50)
    assert named.evaluate() == compiled.evaluate()
    assert rue.SampledSolver("kuhn", "mccfr").form.infosets == KUHN.infosets
