"""Names with parameters: what is read, what is refused, with which words."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rue
from rue.algorithms.catalogue import ALGORITHMS, PREFIXES
from rue.names import parse


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
        ("optimistic-pcfr+", "has one already"),
        ("optimistic-ecfr", "takes no prediction"),
        ("trm-cfr(0)", "exponent must be positive"),
        ("trm-cfr(-1)", "must be at least 0"),
        ("trm-cfr(random=-1)", "positive number"),
        ("trm-cfr(random=1, seed=x)", "whole number"),
        ("ecfr(b=q)", "cannot read b=q"),
        ("ecfr(scale=0)", "scale must be positive"),
        ("hedge(-1)", "step size must be at least 0"),
        ("dcfr(immediate=2)", "immediate must be true or false"),
        ("oftrl(losses=euros)", "losses must be bounded or chips"),
        ("oftrl(fixed, eta=1, losses=chips)", "goes with steps of theory"),
        ("trm-mccfr(random=1)", "is a number or goes from one to another"),
        ("rtrm-os-mccfr", "samples externally"),
        ("oftrl(best)", "theory, tuned, fixed or anytime"),
        ("oftrl(fixed)", "needs a step size"),
        ("oftrl(theory, eta=1)", "goes with fixed steps"),
        ("oftrl(theory, factor=3)", "goes with tuned steps"),
        ("oftrl(regulariser=l1)", "entropy or euclidean"),
        ("oftrl(kappa=0)", "kappa must be positive"),
        ("pcfr+(prediction=future)", "none, last or propagated"),
        ("oftrl(kappa=1..2)", "kappa must be one number"),
        ("oftrl(tuned, factor=1..2)", "factor must be one number"),
        ("ecfr(scale=1..2)", "scale must be one number"),
        ("trm-dcfr(1.5, 0, 2)", "no first and last.*parameters of the base are named"),
        ("rtrm-cfr(1, random=1)", "no first and last"),
        ("trm-cfr(seed=3)", "seed goes with a random exponent"),
        ("dcfr(1.5, 0, 2, average=1)", "give one of them"),
        ("linear-cfr", "for full traversals there is lcfr"),
        ("linear-discounted-mccfr", "does already"),
        ("discounted-mccfr(1.5, 0, 2, average=1)", "give one of them"),
        ("linear-mccfr(0.5)", "whole number of nodes"),
        ("initial-discount-mccfr(2)", "between 0 and 1"),
        ("os-mccfr(0)", "explore must be above 0"),
        ("vr-mccfr(step=2)", "step of the baseline"),
        ("nh-mccfr", "regret matching, plain or with an exponent"),
        ("optimistic-mccfr", "predicts nothing"),
        ("mccfr(order=simultaneous)", "in turn"),
        ("cs-cfr(skip=0.5)", "skips nothing"),
        ("lp(1)", "takes no parameters and no prefix"),
        ("nh-lp", "takes no parameters and no prefix"),
    ],
)
def test_meaningless_algorithm(text: str, words: str) -> None:
    with pytest.raises(rue.RueError, match=words):
        rue.algorithm(text)


@pytest.mark.parametrize("base", list(ALGORITHMS))
def test_every_base_builds_and_is_documented(base: str) -> None:
    assert rue.algorithm(base).name == base
    assert ALGORITHMS[base].summary
    assert ALGORITHMS[base].paper


def test_prefixes_build() -> None:
    for prefix, change in PREFIXES.items():
        assert rue.algorithm(f"{prefix}-{change.base}").name == f"{prefix}-{change.base}"


def test_sampled_names_discount_by_periods() -> None:
    assert rue.algorithm("mccfr").after_period(1, 9) == (1, 1, 1)
    assert rue.algorithm("linear-mccfr").after_period(3, 9) == pytest.approx((0.75, 0.75, 0.75))
    assert rue.algorithm("linear-os-mccfr(1e6, explore=0.3)").sampling == rue.OutcomeSampling(period=1e6, explore=0.3)
    assert rue.algorithm("discounted-cs-cfr").after_period(4, 9) == pytest.approx((8 / 9, 0.5, 0.64))
    initial = rue.algorithm("initial-discount-mccfr(0.2, 5)")
    assert [initial.after_period(n, 9)[0] for n in (1, 2)] == [0.2, 1]
    with pytest.raises(rue.RueError, match="does not sample"):
        rue.algorithm("cfr").after_period(1, 9)


def test_none_is_a_prediction() -> None:
    for name in ("pcfr+", "pdcfr+", "hs-pcfr+", "oftrl"):
        assert rue.algorithm(f"{name}(prediction=none)").prediction == "none"


def test_a_skipped_share_leaves_the_last_iteration() -> None:
    assert rue.algorithm("cfr(skip=0.9999)").average.first(100) == 100


def test_choices_that_mean_nothing_together() -> None:
    with pytest.raises(rue.RueError, match="both of its parts"):
        rue.Algorithm(accumulate=rue.Exponential())
    with pytest.raises(rue.RueError, match="floor"):
        rue.Algorithm(accumulate=rue.Discount(floor=True), match=rue.Softmax())


def test_a_schedule_may_be_a_function() -> None:
    same = rue.Algorithm(accumulate=rue.Discount(alpha=lambda t, n: 1 + 3 * t / n), average=rue.Power(2))
    other = rue.Algorithm(accumulate=rue.Discount(alpha=rue.Linear(1, 4)), average=rue.Power(2))
    assert (same.coefficients(1, 50, 50) == other.coefficients(1, 50, 50)).all()
    assert same.needs_horizon


@settings(max_examples=400)
@given(st.text(max_size=40))
@example("matrix([[1,[[[[[[[[[[[[[[[[[[[[[[[[[[[[")
@example("dcfr(" + "9" * 400 + ")")
@example("dcfr(1e999)")
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    for reader in (parse, rue.algorithm):
        try:
            reader(text)
        except rue.RueError as error:
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
def test_any_parameters_are_taken_or_refused_with_a_sentence(base: str, values: list[str], keys: list[str]) -> None:
    named = [f"{key}={value}" for key, value in zip(keys, values, strict=False)]
    for text in (f"{base}({', '.join(values)})", f"{base}({', '.join(named)})"):
        try:
            rue.algorithm(text).coefficients(1, 10, 10)
        except rue.RueError as error:
            assert str(error)
