"""exp and log in vectors, and the rules that are built from them, over wild scales."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from compiled_kernels import jitted
from zerosum.algorithms import kernel_rule
from zerosum.engine.updates import accumulation, matching
from zerosum.engine.updates.rare_rules import FORMULAS
from zerosum.engine.updates.vector_math import exp, log
from zerosum.engine.updates.vectors import LANES, first_lanes, read, write
from zerosum.native.decorators import kernel

regret_matching = jitted(matching.regret_matching)
RARE = {formula: jitted(formula) for formula in FORMULAS}


def apply(formula: Any, target: Any, source: Any, weight: Any = None, step: Any = None, **columns: float) -> None:
    """Apply a formula of a rare rule with the coefficients in some columns."""
    weight = np.zeros_like(target) if weight is None else weight
    step = np.ones(target.shape[1], target.dtype) if step is None else step
    c, work = np.ones(kernel_rule.N_COEFFICIENTS, target.dtype), np.zeros((3, target.shape[1]), target.dtype)
    for column, number in columns.items():
        c[getattr(kernel_rule, column)] = number
    RARE[formula](target, source, weight, step, work, c)


KINDS = [np.float32, np.float64]
EXACT = {np.float32: (-87.2, 88.2), np.float64: (-708.2, 709.3)}
"""Where exp() neither vanishes nor is cut off."""


@jitted
@kernel
def exps_and_logs(x: Any, exps: Any, logs: Any) -> None:
    for w in range(0, len(x), LANES):
        mask = first_lanes(len(x) - w)
        number = read(x, w, mask)
        write(exps, w, mask, exp(number))
        write(logs, w, mask, log(number))


def both(x: Any) -> tuple[Any, Any]:
    """Return exp and log of an array, and check that the memory behind it is unchanged."""
    exps, logs = np.full(len(x) + LANES, 7.0, x.dtype), np.full(len(x) + LANES, 7.0, x.dtype)
    exps_and_logs(x, exps[: len(x)], logs[: len(x)])
    assert (exps[len(x) :] == 7.0).all()
    assert (logs[len(x) :] == 7.0).all()
    return exps[: len(x)], logs[: len(x)]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_exp(kind: Any, data: Any) -> None:
    least, most = EXACT[kind]
    numbers = st.floats(least, most) | st.floats(-1.0, 1.0)
    x = np.array(data.draw(st.lists(numbers, min_size=1, max_size=40)), kind)
    np.testing.assert_allclose(both(x)[0], np.exp(x.astype(np.longdouble)), rtol=1.5 * np.finfo(kind).eps)


@pytest.mark.parametrize("kind", KINDS)
def test_exp_at_its_ends(kind: Any) -> None:
    least, most = EXACT[kind]
    x = np.array([-np.inf, -1e30, 2 * least, 0.0, 2 * most, 1e30, np.inf], kind)
    exps = both(x)[0]
    assert (exps[:3] == 0.0).all()
    assert exps[3] == 1.0
    assert (exps[4:] == exps[4]).all()
    assert np.exp(most) <= exps[4] <= np.finfo(kind).max


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_log(kind: Any, data: Any) -> None:
    limits = np.finfo(kind)
    width = 32 if kind is np.float32 else 64
    numbers = st.floats(float(limits.smallest_subnormal), float(limits.max), width=width) | st.floats(0.5, 2.0)
    x = np.array(data.draw(st.lists(numbers, min_size=1, max_size=40)), kind)
    np.testing.assert_allclose(both(x)[1], np.log(x.astype(np.longdouble)), rtol=2.5 * limits.eps)


def test_exp_and_log_of_many_numbers() -> None:
    generator = np.random.default_rng(0)
    for kind in KINDS:
        least, most = EXACT[kind]
        x = generator.uniform(least, most, 100_003).astype(kind)
        np.testing.assert_allclose(both(x)[0], np.exp(x.astype(np.longdouble)), rtol=1.5 * np.finfo(kind).eps)
        x = np.exp(generator.uniform(least, most, 100_003)).astype(kind)
        np.testing.assert_allclose(both(x)[1], np.log(x.astype(np.longdouble)), rtol=2.5 * np.finfo(kind).eps)


@st.composite
def scores(draw: st.DrawFn, kind: Any) -> Any:
    """An (A, W) array of regrets of wild scales: ties, zeros, one positive number among others that are not."""
    A, W = draw(st.integers(1, 12)), draw(st.integers(1, 35))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    score = generator.normal(size=(A, W))
    for w in range(W):
        match generator.integers(6):
            case 0:
                score[:, w] = generator.integers(-1, 2, A)
            case 1:
                score[:, w] = -np.abs(score[:, w])
                score[generator.integers(A), w] = 1.0
            case 2:
                score[:, w] = generator.integers(-1, 1)
            case 3:
                score[:, w] *= 10.0 ** generator.uniform(-30, 0, A)
    return (score * 10.0 ** generator.uniform(-30, 30, W)).astype(kind)


def positive_part(score: Any) -> tuple[Any, Any, Any]:
    """z = R+ / max R+ in float64, where there is any, and how the strategy is to be had from its parts."""
    positive = np.maximum(score.astype(np.float64), 0.0)
    largest = positive.max(axis=0)
    some = largest > 0.0

    def shared(parts: Any) -> Any:
        return np.where(some, parts / np.where(some, parts.sum(axis=0), 1.0), 1.0 / len(score))

    return positive / np.where(some, largest, 1.0), some, shared


def check(strategy: Any, expected: Any, kind: Any) -> None:
    np.testing.assert_allclose(strategy, expected, rtol=0, atol=8 * np.finfo(kind).eps)
    np.testing.assert_allclose(strategy.sum(axis=0, dtype=np.float64), 1.0, rtol=0, atol=8 * np.finfo(kind).eps)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_normal_hedge(kind: Any, data: Any) -> None:
    """The mean of exp(R+^2/(2c)) is e, and the strategy is proportional to R+ exp(R+^2/(2c))."""
    score = data.draw(scores(kind))
    strategy = np.empty_like(score)
    apply(matching.normal_hedge, strategy, score)
    z, some, shared = positive_part(score)
    A, W = score.shape

    def excess(s: float, w: int) -> float:
        return float(np.log(np.exp(s * z[:, w] ** 2).mean()) - 1.0)

    s = np.array([brentq(excess, 0.9, 1.1 + np.log(A), (w,), xtol=1e-15) if some[w] else 0.0 for w in range(W)])
    check(strategy, shared(z * np.exp(s * (z**2 - 1.0))), kind)
    best = z.argmax(axis=0)
    for a, w in zip(*np.nonzero((z > 0.05) & (z < 0.9)), strict=True):
        ratio = float(strategy[best[w], w]) / float(strategy[a, w]) * z[a, w]
        assert abs(excess(np.log(ratio) / (1.0 - z[a, w] ** 2), w)) < 200 * np.finfo(kind).eps


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), exponent=st.floats(0.01, 20.0))
def test_temperature(kind: Any, data: Any, exponent: float) -> None:
    score = data.draw(scores(kind))
    strategy, work = np.empty_like(score), np.empty((2, score.shape[1]), kind)
    apply(matching.temperature_matching, strategy, score, EXPONENT=exponent)
    z, _, shared = positive_part(score)
    check(strategy, shared(np.where(z > 0.0, z ** float(kind(exponent)), 0.0)), kind)
    matched = np.empty_like(score)
    apply(matching.temperature_matching, strategy, score, EXPONENT=1.0)
    regret_matching(matched, score, work)
    np.testing.assert_array_equal(strategy, matched)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_softmax(kind: Any, data: Any) -> None:
    score = data.draw(scores(kind))
    step = (1.0 / np.maximum(np.abs(score).max(axis=0), 1e-30)).astype(kind)
    strategy = np.empty_like(score)
    for factor in (0.0, 1.0, 30.0, 1e4):
        apply(matching.softmax, strategy, score, step=step * kind(factor))
        power = np.exp((step * kind(factor)).astype(np.float64) * (score - score.max(axis=0)))
        np.testing.assert_allclose(strategy, power / power.sum(axis=0), rtol=0, atol=30 * np.finfo(kind).eps)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), scale=st.sampled_from([1e-3, 1.0, 1e3]), power=st.integers(0, 3))
def test_exponential_rule(kind: Any, data: Any, scale: float, power: int) -> None:
    """The formulas where exp() is moderate; finite numbers and probabilities where it is not."""
    instant = np.clip(data.draw(scores(kind)), -1e6, 1e6)
    regret, weight, strategy = np.zeros_like(instant), np.empty_like(instant), np.empty_like(instant)
    parameters = {"PARAMETER_1": -0.5, "PARAMETER_2": scale, "PARAMETER_3": power}
    apply(accumulation.accumulate_exponential, regret, instant, weight, **parameters)
    r = scale * instant.astype(np.float64)
    exponent = r - r.mean(axis=0)
    small = np.abs(r).max(axis=0) < 5.0
    heavy, gain = np.exp(exponent[:, small]), np.where(r > 0.0, r, -0.5 * r**power)[:, small]
    limits = np.finfo(kind)
    np.testing.assert_allclose(weight[:, small], heavy, rtol=30 * limits.eps)
    np.testing.assert_allclose(regret[:, small], heavy * gain, rtol=60 * limits.eps, atol=1e3 * float(limits.tiny))
    assert np.isfinite(weight).all()
    calm = np.abs(exponent).max(axis=0) < 30.0
    apply(matching.exponential_matching, strategy, regret, weight)
    parts = np.maximum(regret, 0.0) * weight.astype(np.float64)
    total = parts.sum(axis=0)
    expected = np.where(total > 0.0, parts / np.where(total > 0.0, total, 1.0), 1.0 / len(parts))
    comparable = calm & ((total > 1e-30) | (total == 0.0))
    np.testing.assert_allclose(strategy[:, comparable], expected[:, comparable], rtol=0, atol=8 * np.finfo(kind).eps)
    strategy = strategy[:, np.isfinite(regret).all(axis=0)]  # e^60 times a power of a wild number is too large
    assert np.isfinite(strategy).all()
    np.testing.assert_allclose(strategy.sum(axis=0, dtype=np.float64), 1.0, rtol=0, atol=8 * np.finfo(kind).eps)
