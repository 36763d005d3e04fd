"""Stable-Predictive Optimistic Counterfactual Regret Minimization (Farina, Kroer, Brown, Sandholm, ICML 2019)."""

from __future__ import annotations

from dataclasses import replace

from zerosum.papers.claims.claim import Claim, Pair
from zerosum.papers.claims.comparisons import alike, larger_gain, lower, lower_at_end, overtakes
from zerosum.papers.claims.shapes import slope
from zerosum.papers.figure import ByScale, Figure, Line, Panel, simultaneous

LENGTHS = {
    1: ByScale(2_000, gallery=100, quick=20),
    2: ByScale(2_000, quick=50),
    3: ByScale(2_000, quick=500),
    4: ByScale(2_000, quick=500),
}
THEORY, TUNED = "OFTRL theory", "OFTRL tuned"
LINES = (
    Line("CFR", "cfr"),
    Line(THEORY, "oftrl(theory, losses=chips, kappa=1)"),
    Line(TUNED, "oftrl(tuned, losses=chips, kappa=1)"),
    Line("DCFR", "dcfr"),
)
CHOICES_NOTE = (
    "The figures of the paper are not in its text, so the length of the runs is ours. Steps of theory are for losses "
    "of at most 1/3, and the paper does not say how it gets there. Here losses are chips per own hand (losses=chips, "
    "kappa=1), the reading that makes its claims on subgames 3 and 4 come true; scaled by the sound bound of each "
    "decision (the default of `oftrl`) the steps are 2e4 to 4e5 times smaller, and nothing moves in 2,000 iterations. "
    "Tuned is the best of 10, 100 and 1,000 times theory after a tenth of the run (the paper writes divided, and says "
    "that it is less conservative)."
)
LABEL_NOTE = (
    " On alternating updates the text names theory for subgames 1 and 2 and tuned for 3 and 4, its set-up the other "
    "way round: each claim that compares OFTRL with CFR here is judged under both labels, and with this reading of the "
    "losses it fits under neither."
)


def _panel(number: int, order: str) -> Panel:
    lines = LINES if order == "alternating" else simultaneous(*LINES)
    payoff_scales = ByScale(1) if number < 3 else ByScale(8, quick=1)
    return Panel(_title(number, order), f"libratus:{number}", lines, LENGTHS[number], payoff_scales=payoff_scales)


def _title(number: int, order: str) -> str:
    return f"subgame {number}, {order}"


def _alternating(number: int, panel: str) -> tuple[Claim, ...]:
    """Return the claims of the text, with its label for the line and with the other one."""
    labels = (THEORY, TUNED) if number < 3 else (TUNED, THEORY)
    texts = [label if k == 0 else f"{label} (the other label)" for k, label in enumerate(labels)]
    if number == 1:
        return tuple(
            lower_at_end(f"subgame 1: {text} slightly outperforms CFR", Pair(panel, label, "CFR"), needs=100)
            for text, label in zip(texts, labels, strict=True)
        )
    if number == 2:
        return tuple(
            alike(f"subgame 2: {text} and CFR are nearly identical", Pair(panel, label, "CFR"), 1.5)
            for text, label in zip(texts, labels, strict=True)
        )
    return tuple(
        lower_at_end(f"subgame {number}: {'even ' if label == TUNED else ''}{text} performs worse than CFR",
                     Pair(panel, "CFR", label), needs=100)
        for text, label in zip(texts, labels, strict=True)
    )  # fmt: skip


def _relative(number: int) -> tuple[Claim, ...]:
    """What alternating updates change, under the label of the set-up."""
    label = TUNED if number < 3 else THEORY
    return tuple(
        larger_gain(f"subgame {number}: relative to {other}, {label} does worse than with simultaneous updates",
                    Pair(_title(number, "simultaneous"), label, other), _title(number, "alternating"), needs=100)
        for other in ("CFR", "DCFR")
    )  # fmt: skip


def _best(number: int, order: str) -> tuple[Claim, ...]:
    """What the text says of DCFR."""
    panel = _title(number, order)
    if order == "alternating":
        return tuple(
            lower_at_end(f"subgame {number}: DCFR performs significantly better than {label}",
                         Pair(panel, "DCFR", label), 2.0, needs=100)
            for label in ("CFR", THEORY, TUNED)
        )  # fmt: skip
    return (
        *(
            lower_at_end(f"subgame {number}: DCFR performs better than {label}", Pair(panel, "DCFR", label), needs=100)
            for label in (THEORY, TUNED)
        ),
        slope(f"subgame {number}: DCFR converges faster than its bound of 1/sqrt(T)", panel, "DCFR", most=-0.5),
    )


def _claims(number: int, order: str) -> tuple[Claim, ...]:
    panel = _title(number, order)
    best = _best(number, order)
    if order == "alternating":
        return (*best, *_relative(number), *_alternating(number, panel))
    if number == 4:
        return (
            *best,
            lower(
                "subgame 4: OFTRL theory outperforms CFR almost immediately", Pair(panel, THEORY, "CFR"), 50, needs=100
            ),
            lower_at_end("subgame 4: and significantly", Pair(panel, THEORY, "CFR"), 2.0, needs=100),
        )
    if number == 3:
        return (
            *best,
            overtakes("subgame 3: OFTRL theory outperforms CFR after roughly 800 iterations",
                      Pair(panel, THEORY, "CFR"), 400, 1_600),
        )  # fmt: skip
    return (
        *best,
        lower_at_end(f"subgame {number}: tuned OFTRL beats CFR", Pair(panel, TUNED, "CFR"), needs=100),
        lower_at_end(f"subgame {number}: OFTRL theory barely makes progress, CFR is far ahead",
                     Pair(panel, "CFR", THEORY), 10, needs=100),
    )  # fmt: skip


def _figure(place: int, numbers: tuple[int, int], order: str) -> Figure:
    panels = [_panel(number, order) for number in numbers]
    if order == "alternating":
        panels += [replace(_panel(number, "simultaneous"), drawn=False) for number in numbers]
    return Figure(
        f"spcfr-{place}",
        f"Subgames {numbers[0]} and {numbers[1]}, {order} updates",
        tuple(panels),
        tuple(claim for number in numbers for claim in _claims(number, order)),
        f"{CHOICES_NOTE}{LABEL_NOTE} The runs with simultaneous updates are those of spcfr-{place - 1}."
        if order == "alternating"
        else CHOICES_NOTE,
    )


KUHN = Figure(
    "spcfr-1",
    "The decision process of the first player of Kuhn poker",
    (Panel("kuhn", "kuhn", (), ByScale(1)),),
    (),
    "Drawn from the treeplex that the solvers work on.",
    drawing="treeplex",
)

FIGURES = (
    KUHN,
    _figure(2, (2, 4), "simultaneous"),
    _figure(3, (2, 4), "alternating"),
    _figure(4, (1, 3), "simultaneous"),
    _figure(5, (1, 3), "alternating"),
)
