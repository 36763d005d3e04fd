"""Stable-Predictive Optimistic Counterfactual Regret Minimization (Farina, Kroer, Brown, Sandholm, ICML 2019)."""

from __future__ import annotations

from dataclasses import replace

from zerosum.papers.claim import Claim, Pair
from zerosum.papers.claim_kinds import are_alike, gains_more, has_slope, is_lower, is_lower_at_end, overtakes
from zerosum.papers.figure import ByScale, Figure, Panel, make_simultaneous

LENGTHS = {1: ByScale(2_000, 100, 20), 2: ByScale(2_000, quick=50), **dict.fromkeys((3, 4), ByScale(2_000, quick=500))}
THEORY, TUNED = "OFTRL theory", "OFTRL tuned"
LINES = {
    "CFR": "cfr",
    THEORY: "oftrl(theory, losses=chips, kappa=1)",
    TUNED: "oftrl(tuned, losses=chips, kappa=1)",
    "DCFR": "dcfr",
}
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


def _make_panel(number: int, order: str) -> Panel:
    lines = LINES if order == "alternating" else make_simultaneous(LINES)
    payoff_scales = ByScale(1) if number < 3 else ByScale(8, quick=1)
    return Panel(_make_title(number, order), f"libratus:{number}", lines, LENGTHS[number], payoff_scales=payoff_scales)


def _make_title(number: int, order: str) -> str:
    return f"subgame {number}, {order}"


def _make_simultaneous_claims(number: int) -> list[Claim]:
    panel = _make_title(number, "simultaneous")
    theory = Pair(panel, THEORY, "CFR")
    claims = [
        is_lower_at_end(f"subgame {number}: DCFR performs better than {label}", Pair(panel, "DCFR", label), needs=100)
        for label in (THEORY, TUNED)
    ]
    text = f"subgame {number}: DCFR converges faster than its bound of 1/sqrt(T)"
    claims.append(has_slope(text, panel, "DCFR", most=-0.5))
    if number == 4:
        claims.append(is_lower("subgame 4: OFTRL theory outperforms CFR almost immediately", theory, 50, needs=100))
        claims.append(is_lower_at_end("subgame 4: and significantly", theory, 2.0, needs=100))
    elif number == 3:
        text = "subgame 3: OFTRL theory outperforms CFR after roughly 800 iterations"
        claims.append(overtakes(text, theory, earliest=400, latest=1_600))
    else:
        text = f"subgame {number}: tuned OFTRL beats CFR"
        claims.append(is_lower_at_end(text, Pair(panel, TUNED, "CFR"), needs=100))
        text = f"subgame {number}: OFTRL theory barely makes progress, CFR is far ahead"
        claims.append(is_lower_at_end(text, Pair(panel, "CFR", THEORY), 10, needs=100))
    return claims


def _make_alternating_claims(number: int) -> list[Claim]:
    """Return what the text claims of alternating updates, under its label for the line and under the other one."""
    panel, simultaneous_panel = _make_title(number, "alternating"), _make_title(number, "simultaneous")
    named, other = (THEORY, TUNED) if number < 3 else (TUNED, THEORY)
    claims = []
    for label in ("CFR", THEORY, TUNED):
        text = f"subgame {number}: DCFR performs significantly better than {label}"
        claims.append(is_lower_at_end(text, Pair(panel, "DCFR", label), 2.0, needs=100))
    for rival in ("CFR", "DCFR"):  # under the label of the set-up
        text = f"subgame {number}: relative to {rival}, {other} does worse than with simultaneous updates"
        claims.append(gains_more(text, Pair(simultaneous_panel, other, rival), panel, needs=100))
    for label, name in ((named, named), (other, f"{other} (the other label)")):
        if number == 1:
            text = f"subgame 1: {name} slightly outperforms CFR"
            claims.append(is_lower_at_end(text, Pair(panel, label, "CFR"), needs=100))
        elif number == 2:
            claims.append(are_alike(f"subgame 2: {name} and CFR are nearly identical", Pair(panel, label, "CFR"), 1.5))
        else:
            text = f"subgame {number}: {'even ' if label == TUNED else ''}{name} performs worse than CFR"
            claims.append(is_lower_at_end(text, Pair(panel, "CFR", label), needs=100))
    return claims


def _make_simultaneous_figure(place: int, *numbers: int) -> Figure:
    claims = tuple(claim for number in numbers for claim in _make_simultaneous_claims(number))
    title = f"Subgames {numbers[0]} and {numbers[1]}, simultaneous updates"
    panels = tuple(_make_panel(number, "simultaneous") for number in numbers)
    return Figure(f"spcfr-{place}", title, panels, claims, CHOICES_NOTE)


def _make_alternating_figure(place: int, *numbers: int) -> Figure:
    claims = tuple(claim for number in numbers for claim in _make_alternating_claims(number))
    title = f"Subgames {numbers[0]} and {numbers[1]}, alternating updates"
    drawn = (_make_panel(number, "alternating") for number in numbers)
    compared = (replace(_make_panel(number, "simultaneous"), is_drawn=False) for number in numbers)
    notes = f"{CHOICES_NOTE}{LABEL_NOTE} The runs with simultaneous updates are those of spcfr-{place - 1}."
    return Figure(f"spcfr-{place}", title, (*drawn, *compared), claims, notes)


KUHN = Figure(
    "spcfr-1",
    "The decision process of the first player of Kuhn poker",
    (Panel("kuhn", "kuhn", {}, ByScale(1)),),
    notes="Drawn from the treeplex that the solvers work on.",
    drawing="treeplex",
)

FIGURES = (
    KUHN,
    _make_simultaneous_figure(2, 2, 4),
    _make_alternating_figure(3, 2, 4),
    _make_simultaneous_figure(4, 1, 3),
    _make_alternating_figure(5, 1, 3),
)
