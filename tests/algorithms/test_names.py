"""Names with parameters: how they are parsed, and the messages for those that are refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.algorithms.prefixes import PREFIXES
from zerosum.support.call_syntax import parse_call


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dcfrr", "did you mean dcfr"),
        ("xyz", "valid names are cfr, cfr+"),
        ("nh-dcfrr", "did you mean nh-dcfr"),
        ("nh-nh-cfr", "there is no algorithm"),
        ("", "cannot read"),
        ("dcfr(", "cannot read"),
        ("dcfr(1.5", "cannot read"),
        ("dcfr(1,2,3,4)", "dcfr takes alpha, beta, gamma"),
        ("dcfr(alfa=1)", "no parameter 'alfa'.*did you mean alpha"),
        ("dcfr(x)", "alpha must be a number"),
        ("dcfr(true)", "alpha must be a number"),
        ("dcfr(1, 0, -1)", "average must be at least 0"),
        ("dcfr(1, 0, inf)", "must be finite"),
        ("dcfr(1, beta=0, 2)", "comes after a named parameter"),
        ("dcfr(alpha=1, alpha=2)", "given twice"),
        ("cfr(skip=-1)", "skip must be at least 0"),
        ("cfr(skip=1.5)", "fraction below 1 or a whole number"),
        ("cfr(order=backwards)", "alternating or simultaneous"),
        ("cfr(average=last)", "must be a number"),
        ("nh-hedge", "replaces regret matching"),
        ("nh-trm-cfr(2)", "replaces regret matching"),
        ("optimistic-pcfr+", "has a prediction already"),
        ("optimistic-ecfr", "leave prediction at none"),
        ("trm-cfr(0)", "exponent must be positive"),
        ("trm-cfr(-1)", "must be at least 0"),
        ("trm-cfr(random=-1)", "positive number"),
        ("trm-cfr(random=1, seed=x)", "whole number"),
        ("ecfr(b=q)", "cannot read b=q"),
        ("ecfr(scale=0)", "scale must be positive"),
        ("hedge(-1)", "step size must be at least 0"),
        ("dcfr(immediate=2)", "immediate must be true or false"),
        ("oftrl(losses=euros)", "losses must be bounded or chips"),
        ("oftrl(fixed, eta=1, losses=chips)", "needs theoretical steps"),
        ("trm-mccfr(random=1)", "cannot be a function: use a number, or two"),
        ("rtrm-os-mccfr", "needs external sampling"),
        ("oftrl(best)", "theory, tuned, fixed or anytime"),
        ("oftrl(fixed)", "needs a step size"),
        ("oftrl(theory, eta=1)", "needs fixed steps"),
        ("oftrl(theory, factor=3)", "needs tuned steps"),
        ("oftrl(regulariser=l1)", "entropy or euclidean"),
        ("oftrl(kappa=0)", "kappa must be positive"),
        ("pcfr+(prediction=future)", "none, last or propagated"),
        ("oftrl(kappa=1..2)", "kappa cannot change over the run"),
        ("oftrl(tuned, factor=1..2)", "factor cannot change over the run"),
        ("ecfr(scale=1..2)", "scale cannot change over the run"),
        ("trm-dcfr(1.5, 0, 2)", "no first and last.*parameters of the base by name"),
        ("rtrm-cfr(1, random=1)", "no first and last"),
        ("trm-cfr(seed=3)", "seed needs a random exponent"),
        ("dcfr(1.5, 0, 2, average=1)", "give only one of them"),
        ("linear-cfr", "for full traversals there is lcfr"),
        ("linear-discounted-mccfr", "discounts by nodes touched already"),
        ("discounted-mccfr(1.5, 0, 2, average=1)", "give only one of them"),
        ("linear-mccfr(0.5)", "whole number of nodes"),
        ("initial-discount-mccfr(2)", "between 0 and 1"),
        ("os-mccfr(0)", "explore must be above 0"),
        ("vr-mccfr(step=2)", "step of the baseline"),
        ("nh-mccfr", "needs regret matching"),
        ("optimistic-mccfr", "need walks over every history"),
        ("mccfr(order=simultaneous)", "in turn"),
        ("cs-cfr(skip=0.5)", "cannot skip iterations"),
        ("lp(1)", "has no parameters and no prefixes"),
        ("nh-lp", "has no parameters and no prefixes"),
    ],
)
def test_meaningless_algorithm(text: str, words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.algorithm(text)


@pytest.mark.parametrize("base", list(ALGORITHMS))
def test_every_base_builds_and_is_documented(base: str) -> None:
    assert zerosum.algorithm(base).name == base
    assert ALGORITHMS[base].summary
    assert ALGORITHMS[base].paper


def test_prefixes_build() -> None:
    for prefix, change in PREFIXES.items():
        assert zerosum.algorithm(f"{prefix}-{change.base}").name == f"{prefix}-{change.base}"


def test_sampled_names_discount_by_periods() -> None:
    assert zerosum.algorithm("mccfr").period_factors(1, 9) == (1, 1, 1)
    assert zerosum.algorithm("linear-mccfr").period_factors(3, 9) == pytest.approx((0.75, 0.75, 0.75))
    assert zerosum.algorithm("linear-os-mccfr(1e6, explore=0.3)").sampling == zerosum.OutcomeSampling(
        period=1e6, explore=0.3
    )
    assert zerosum.algorithm("discounted-cs-cfr").period_factors(4, 9) == pytest.approx((8 / 9, 0.5, 0.64))
    initial = zerosum.algorithm("initial-discount-mccfr(0.2, 5)")
    assert [initial.period_factors(n, 9)[0] for n in (1, 2)] == [0.2, 1]
    with pytest.raises(zerosum.ZerosumError, match="does not sample"):
        zerosum.algorithm("cfr").period_factors(1, 9)


def test_none_is_a_prediction() -> None:
    for name in ("pcfr+", "pdcfr+", "hs-pcfr+", "oftrl"):
        assert zerosum.algorithm(f"{name}(prediction=none)").prediction == "none"


def test_a_skipped_share_leaves_the_last_iteration() -> None:
    assert zerosum.algorithm("cfr(skip=0.9999)").average.first_iteration(100) == 100


def test_choices_that_mean_nothing_together() -> None:
    with pytest.raises(zerosum.ZerosumError, match="both of its parts"):
        zerosum.Algorithm(accumulate=zerosum.Exponential())
    with pytest.raises(zerosum.ZerosumError, match="floor"):
        zerosum.Algorithm(accumulate=zerosum.Discount(floor=True), match=zerosum.Softmax())


def test_a_schedule_may_be_a_function() -> None:
    same = zerosum.Algorithm(accumulate=zerosum.Discount(alpha=lambda t, n: 1 + 3 * t / n), average=zerosum.Power(2))
    other = zerosum.Algorithm(accumulate=zerosum.Discount(alpha=zerosum.Linear(1, 4)), average=zerosum.Power(2))
    assert (same.coefficients(1, 50, 50) == other.coefficients(1, 50, 50)).all()
    assert same.needs_horizon


@settings(max_examples=400)
@given(st.text(max_size=40))
@example("matrix([[1,[[[[[[[[[[[[[[[[[[[[[[[[[[[[")
@example("dcfr(" + "9" * 400 + ")")
@example("dcfr(1e999)")
def test_any_text_is_read_or_refused_with_a_message(text: str) -> None:
    for reader in (parse_call, zerosum.algorithm):
        try:
            reader(text)
        except zerosum.ZerosumError as error:
            assert str(error)


@settings(max_examples=400)
@given(
    st.sampled_from([*ALGORITHMS, "nh-dcfr", "trm-cfr", "optimistic-lcfr", "linear-mccfr", "discounted-mccfr"]),
    st.lists(st.sampled_from(["1", "-1", "0.5", "inf", "-inf", "nan", "1..2", "[1]", "x", "true", "none", "1e9"])),
    st.lists(
        st.sampled_from(
            ["alpha", "gamma", "skip", "order", "average", "b", "eta", "seed", "random", "factor", "period"]
        )
    ),
)
def test_any_parameters_are_taken_or_refused_with_a_message(base: str, values: list[str], keys: list[str]) -> None:
    named = [f"{key}={value}" for key, value in zip(keys, values, strict=False)]
    for text in (f"{base}({', '.join(values)})", f"{base}({', '.join(named)})"):
        try:
            zerosum.algorithm(text).coefficients(1, 10, 10)
        except zerosum.ZerosumError as error:
            assert str(error)
