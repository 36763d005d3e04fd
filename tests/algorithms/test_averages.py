"""Averages weighted by any function of t."""

from __future__ import annotations

import functools
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
import zerosum
import zerosum.holdem
from random_games import RandomGame
from zerosum.algorithms.function_fingerprint import fingerprint_function
from zerosum.algorithms.serialization import decode_algorithm, encode_algorithm

FUNCTIONS: list[Any] = [
    lambda t: t**2,
    lambda t: 1.0,
    lambda t: float(t > 5),
    lambda t: np.sqrt(t) * (t % 3),
    lambda t: 2.0**t,
    lambda t: 0,
]


def weighed(plans: list[np.ndarray], weights: list[float]) -> np.ndarray:
    """Return the weighted mean of plans, and the plain mean where every weight is zero."""
    return np.average(plans, axis=0, weights=weights if any(weights) else None)


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_the_average_is_the_weighted_mean_of_the_plans(number: int) -> None:
    """Collect the plans of iterations 1 to T and normalise their mean at each infoset, as masses are."""
    function = FUNCTIONS[number]
    game = RandomGame(3)
    form = zerosum.compile_game(game)
    chosen = replace(zerosum.algorithm("dcfr"), average=function)
    solver = zerosum.Solver(form, chosen, horizon=40)
    plans: list[tuple[np.ndarray, np.ndarray]] = []
    for t in range(1, 31):
        plans.append(solver.current)
        solver.run(1)
        weights = [float(function(s)) for s in range(1, t + 1)]
        for player, treeplex in enumerate(form.treeplexes):
            mean = weighed([plan[player] for plan in plans], weights)
            expected = treeplex.plan(treeplex.strategy(mean))
            np.testing.assert_allclose(solver.average[player], expected, atol=1e-12)
    rules = replace(reference.DCFR, weight=function)
    strategies = reference.run(reference.unfold(game, game.root()), rules, 30, 40)
    for treeplex, average, strategy in zip(form.treeplexes, solver.average, strategies, strict=True):
        np.testing.assert_allclose(average, reference.sequence_plan(treeplex, strategy), atol=1e-9)


@given(st.lists(st.floats(0, 1e300), min_size=12, max_size=12), st.integers(1, 11))
def test_pieces_change_nothing(weights: list[float], cut: int) -> None:
    chosen = zerosum.Algorithm("mine", average=lambda t: weights[t - 1])
    whole, head, tail = (
        chosen.coefficients(1, 12, 12),
        chosen.coefficients(1, cut, 12),
        chosen.coefficients(cut + 1, 12, 12),
    )
    np.testing.assert_array_equal(np.concatenate([head, tail]), whole)
    np.testing.assert_array_equal(chosen.coefficients(cut, 12, 12), whole[cut - 1 :])
    assert np.isfinite(whole).all()


def test_a_power_is_a_function_too(tmp_path: Path) -> None:
    spot = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")
    squares = replace(zerosum.algorithm("cfr+"), name="squares", average=lambda t: t * t)
    for game in ("leduc", spot):
        mine, named = zerosum.solve(game, squares, iterations=60), zerosum.solve(game, "cfr+", iterations=60)
        assert mine.exploitability == pytest.approx(named.exploitability, rel=1e-4)
    assert zerosum.rule(lambda t, instant, regret, strategy, memory: None, average=lambda t: t).average.function(3) == 3


def test_resuming_a_saved_run_needs_the_function_again(tmp_path: Path) -> None:
    def late(power: float) -> zerosum.Algorithm:
        return zerosum.Algorithm("late", average=lambda t: t**power)

    whole = zerosum.solve("kuhn", late(2.5), iterations=40)
    zerosum.solve("kuhn", late(2.5), iterations=20, out=tmp_path / "run")
    assert zerosum.load(tmp_path / "run").iterations == 20
    with pytest.raises(zerosum.ZerosumError, match="contains a user-defined function"):
        zerosum.resume(tmp_path / "run", iterations=40)
    with pytest.raises(zerosum.ZerosumError, match="not what this run was started with"):
        zerosum.resume(tmp_path / "run", iterations=40, algorithm=late(3.0))
    assert zerosum.resume(tmp_path / "run", iterations=40, algorithm=late(2.5)).strategy == whole.strategy
    assert encode_algorithm(late(1.0))["average"]["function"]["kind"] == "function"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda t: -1.0 if t == 4 else 1.0, "the weight of iteration 4 in the average is -1"),
        (lambda t: float("nan"), "iteration 1 in the average is nan"),
        (lambda t: 1 / (t - 2), "iteration 1 in the average is -1"),
        (lambda t: [][t], "failed at iteration 1: IndexError"),
        (lambda: 1, "failed at iteration 1: TypeError"),
    ],
)
def test_weights_that_are_none(function: Any, words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.solve("kuhn", zerosum.Algorithm("mine", average=function), iterations=10)


def test_values_that_are_no_average_are_refused() -> None:
    with pytest.raises(zerosum.ZerosumError, match="must be a function of t, not 'much'"):
        zerosum.Algorithm("mine", average="much")
    with pytest.raises(zerosum.ZerosumError, match="weight them by a function of t"):
        replace(zerosum.algorithm("mccfr"), average=lambda t: t)


class Plain:
    """An object that is called."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, t: int) -> float:
        return self.factor * t

    def weight(self, t: int) -> float:
        return self.factor * t


class Slotted:
    __slots__ = ("factor",)

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, t: int) -> float:
        return self.factor * t


@dataclass
class Dataclassed:
    factor: float

    def __call__(self, t: int) -> float:
        return self.factor * t


def compiled(text: str, **globals_: Any) -> Any:
    """A function without a source."""
    exec(text, globals_)
    return globals_["f"]


def enclosed(value: Any) -> Callable[[int], float]:
    return lambda t: float(np.sum(value)) * t


def by_default(value: Any) -> Any:
    return lambda t, value=value: float(np.sum(value)) * t


def by_name(value: Any) -> Any:
    def weigh(t: int, *, value: Any = value) -> float:
        return float(np.sum(value)) * t

    return weigh


def of_class(value: float) -> Any:
    class Rule:
        factor = value

        def __call__(self, t: int) -> float:
            return self.factor * t

    return Rule()


def through_helper(value: float) -> Any:
    return compiled("def f(t): return helper(t)", helper=compiled(f"f = lambda t: t * {value}"))


def through_module(value: float) -> Any:
    module: Any = ModuleType("own_helpers")
    module.scale = value
    return compiled("def f(t): return own_helpers.scale * t", own_helpers=module)


READING: dict[str, Callable[[Any], Any]] = {
    "code": lambda value: compiled(f"f = lambda t: t * {value}"),
    "default": by_default,
    "default by name": by_name,
    "closure": enclosed,
    "list in a closure": lambda value: enclosed([1.0, value]),
    "list of lists": lambda value: enclosed([[1.0, value], [2.0, 3.0]]),
    "array in a closure": lambda value: enclosed(np.array([1.0, value])),
    "array as a default": lambda value: by_default(np.array([1.0, value])),
    "global": lambda value: compiled("def f(t): return factor * t", factor=value),
    "global in a function inside": lambda value: compiled("def f(t): return (lambda: factor * t)()", factor=value),
    "global mapping": lambda value: compiled("def f(t): return factors['a'] * t", factors={"a": value}),
    "global array": lambda value: compiled("def f(t): return factors.sum() * t", factors=np.array([1.0, value])),
    "helper": through_helper,
    "module": through_module,
    "method": lambda value: Plain(value).weight,
    "object": Plain,
    "object with slots": Slotted,
    "dataclass": Dataclassed,
    "value of a class": of_class,
    "partial": lambda value: functools.partial(lambda factor, t: factor * t, value),
    "remembered": lambda value: functools.lru_cache(enclosed(value)),
    "wrapped": lambda value: functools.wraps(enclosed(1.0))(enclosed(value)),
}


@pytest.mark.parametrize("what", READING)
def test_a_fingerprint_covers_everything_a_function_reads(what: str) -> None:
    first, same, other = (
        encode_algorithm(zerosum.Algorithm("mine", average=READING[what](value))) for value in (2.0, 2.0, 3.0)
    )
    assert first == same
    assert first != other
    assert decode_algorithm(first, zerosum.Algorithm("mine", average=READING[what](2.0))).name == "mine"


def test_comments_and_names_do_not_change_a_function() -> None:
    plain, unchanged = (compiled("def f(t):\n    x = t * 2\n    return x") for _ in range(2))
    assert fingerprint_function(plain) == fingerprint_function(
        compiled("def f(t):\n    # twice\n    twice = t * 2\n\n    return twice")
    )
    for _ in range(1000):  # code that is run often is changed inside Python
        plain(3)
    assert fingerprint_function(plain) == fingerprint_function(unchanged)


def test_functions_on_one_line_have_different_fingerprints() -> None:
    constant, shifted = (lambda t: t, lambda t: t + 1)
    assert fingerprint_function(constant) != fingerprint_function(shifted)


def test_functions_that_call_each_other_and_lists_in_themselves() -> None:
    def pair(value: float) -> Any:
        return compiled("def f(t): return t and g(t - 1)\ndef g(t): return t and factor * f(t - 1)", factor=value)

    assert fingerprint_function(pair(2.0)) == fingerprint_function(pair(2.0))
    assert fingerprint_function(pair(2.0)) != fingerprint_function(pair(3.0))
    around: list[Any] = [1.0]
    around.append(around)
    assert fingerprint_function(enclosed(around))


@pytest.mark.parametrize("value", [threading.Lock(), (t for t in [1]), sys.stdout])
def test_functions_that_cannot_be_checked_are_not_saved(value: Any, tmp_path: Path) -> None:
    chosen = zerosum.Algorithm("mine", average=lambda t: t if value else 0)
    assert zerosum.solve("kuhn", chosen, iterations=5).iterations == 5
    with pytest.raises(zerosum.ZerosumError, match="cannot be saved: no hash can be computed"):
        zerosum.solve("kuhn", chosen, iterations=5, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


OWN_FILE = """
import numpy as np, zerosum
WEIGHTS, WORDS = np.arange(1.0, 100.0), frozenset({"a", "b", "c"})
def helper(t): return WEIGHTS[t] if "a" in {"a", "b", "c"} else len(WORDS)
class Late:
    def __init__(self, start): self.start, self.words = start, {"x", "y", "z"}
    def __call__(self, t): return 0.0 if t < self.start else helper(t)
mine = zerosum.Algorithm("mine", average=Late(3))
"""


def test_an_object_that_is_called_goes_on_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN_FILE)
    solve = "import zerosum; zerosum.solve('kuhn', 'own.py:mine', iterations=20, out='run')"
    subprocess.run([sys.executable, "-c", solve], check=True)
    whole = zerosum.solve("kuhn", "own.py:mine", iterations=40)
    Path("own.py").write_text(OWN_FILE.replace("Late(3)", "Late(4)"))
    with pytest.raises(zerosum.ZerosumError, match="or its code, or data that it reads, has changed"):
        zerosum.resume("run", iterations=40, algorithm="own.py:mine")
    Path("own.py").write_text(OWN_FILE)
    assert zerosum.resume("run", iterations=40, algorithm="own.py:mine").strategy == whole.strategy


def test_runs_of_earlier_versions_are_refused_with_a_message() -> None:
    chosen = zerosum.Algorithm("mine", average=Plain(2.0))
    data = encode_algorithm(chosen)
    data["average"]["function"] = {"kind": "function", "source": "0123456789abcdef"}
    with pytest.raises(zerosum.ZerosumError, match="saved by another version of zerosum or of Python"):
        decode_algorithm(data, chosen)
