"""Solving Imperfect-Information Games via Discounted Regret Minimization (Brown, Sandholm, AAAI 2019)."""

from __future__ import annotations

import math
from dataclasses import replace

from zerosum.papers.claim import Claim, Pair
from zerosum.papers.claim_kinds import (
    gains_more,
    has_iteration_cost,
    has_slope,
    has_spike,
    is_lower,
    is_lower_at_end,
    is_lower_by_time,
    is_lower_on_average,
    is_steeper,
    notes_number,
)
from zerosum.papers.figure import ByScale, Figure, Lines, Panel, label_by_name

DCFR, FLOORED, PRUNING = "DCFR(1.5, 0, 2)", "DCFR(1.5, -inf, 2)", "DCFR(1.5, 0.5, 2)"
LINEAR_AVERAGE = "CFR+ (weight t)"
DISCOUNTED = label_by_name("cfr+", "lcfr", "lcfr+", "dcfr(1.5, -inf, 2)", "dcfr(1.5, 0, 2)", "dcfr(1.5, 0.5, 2)")
BOTH_AVERAGES = {**DISCOUNTED, LINEAR_AVERAGE: "cfr+(average=1)"}
OTHER_MINIMISERS = {
    **label_by_name("cfr+", "lcfr", "dcfr(1.5, 0, 2)"),
    "NH DCFR": "nh-dcfr",
    "Optimistic LCFR": "optimistic-lcfr",
    "NH LCFR": "nh-lcfr",
    "Optimistic DCFR": "optimistic-dcfr",
}
SAMPLED = {"MCCFR": "mccfr", "Initial Discount MCCFR": "initial-discount-mccfr", "Linear MCCFR": "linear-mccfr"}

SMALL_LENGTHS = dict.fromkeys((3, 4), ByScale(32_768, quick=1_000))
LENGTHS = {1: ByScale(32_768, 2_048, 40), 2: ByScale(32_768, 2_048, 100), **SMALL_LENGTHS}
"""Iterations on the Libratus endgames."""
SLOW_LENGTHS = {1: ByScale(32_768, 256, 20), 2: ByScale(32_768, 2_048, 50), **SMALL_LENGTHS}
"""The same with NormalHedge, which is slower."""
SEVERE = (1, 3)
"""Endgames with a small pot, whose mistakes are severe."""
LENGTH_NOTES = {1: "The paper runs 32,768 iterations."}
TIE = 0.9
"""A curve that is at most a tenth higher still matches."""


def _make_subgame_panel(number: int, lines: Lines, lengths: dict[int, ByScale]) -> Panel:
    payoff_scales = ByScale(1) if number < 3 else ByScale(4, quick=1)
    return Panel(f"subgame {number}", f"libratus:{number}", lines, lengths[number], payoff_scales=payoff_scales)


def _make_averaging_claim(panel: str) -> Claim:
    """Why the paper's CFR+ is not that of its inventors."""
    text = "CFR+ converges faster with weights t^2 in the average than with t (in the text, not drawn)"
    return is_lower_at_end(text, Pair(panel, "CFR+", LINEAR_AVERAGE), needs=200)


def _make_discounting_figure(number: int) -> Figure:
    """Figures 1 to 4."""
    panel = f"subgame {number}"
    claims = [
        is_lower(f"{DCFR} matches or outperforms CFR+", Pair(panel, DCFR, "CFR+"), 100, 0.9, TIE, needs=200),
        is_lower_on_average("the improvement is usually a factor of 2 or 3", Pair(panel, DCFR, "CFR+"), 1.5),
        is_lower_at_end("LCFR+ is worse than LCFR", Pair(panel, "LCFR", "LCFR+"), needs=200),
        is_lower_at_end("LCFR+ is worse than CFR+", Pair(panel, "CFR+", "LCFR+"), needs=200),
        is_lower_on_average(f"{PRUNING} performs very similarly to {DCFR}", Pair(panel, DCFR, PRUNING), 0.5, 2.0),
        is_lower_on_average(f"{FLOORED} is generally as strong as {DCFR}", Pair(panel, DCFR, FLOORED), 0.5, 2.0),
    ]
    if number in SEVERE:
        text = "LCFR does particularly well here: far ahead of CFR+ at 100 to 1,000 iterations"
        claims.append(is_lower_on_average(text, Pair(panel, "LCFR", "CFR+"), 2.0, last=1_000))
    if number == 2:
        claims.append(has_spike(f"{FLOORED} can produce a spike in exploitability", panel, FLOORED))
    text = "asymptotically LCFR does worse than CFR+: its curve is flatter"
    claims.append(is_steeper(text, Pair(panel, "CFR+", "LCFR")))
    if number >= 3:
        claims.append(_make_averaging_claim(panel))
    panels = (_make_subgame_panel(number, DISCOUNTED if number < 3 else BOTH_AVERAGES, LENGTHS),)
    title = f"Convergence in HUNL subgame {number}"
    return Figure(f"dcfr-{number}", title, panels, tuple(claims), LENGTH_NOTES.get(number, ""))


def _make_minimisers_figure(number: int) -> Figure:
    """Figures 6 to 9: NormalHedge and optimism."""
    panel = f"subgame {number}"
    claims = []
    for new, old in (("NH DCFR", DCFR), ("Optimistic LCFR", "LCFR")):
        better, worse, verb = (new, old, "outperforms") if number in SEVERE else (old, new, "does worse than")
        claims.append(is_lower_on_average(f"{new} {verb} {old}", Pair(panel, better, worse), 1.0))
    for new, old in (("NH LCFR", "LCFR"), ("Optimistic DCFR", DCFR)):
        text = f"{new} does worse than {old} in every subgame (in the text, not drawn)"
        claims.append(is_lower_on_average(text, Pair(panel, old, new), 1.0))
    text = f"NH slows convergence by time: {DCFR} is lower than NH DCFR"
    claims.append(is_lower_by_time(text, Pair(panel, DCFR, "NH DCFR"), needs=100))
    if number == 1:
        text = "an iteration of NH takes five times as long"
        claims.append(has_iteration_cost(text, Pair(panel, "NH DCFR", DCFR), 5, 1.5))
    panels = (_make_subgame_panel(number, OTHER_MINIMISERS, SLOW_LENGTHS),)
    title = f"NormalHedge and optimism in HUNL subgame {number}"
    return Figure(f"dcfr-{number + 5}", title, panels, tuple(claims), LENGTH_NOTES.get(number, ""))


def _make_sampled_panel(number: int) -> Panel:
    return Panel(
        f"subgame {number}",
        f"libratus:{number}",
        SAMPLED,
        ByScale(10**9, quick=3 * 10**7),
        length_unit="nodes",
        repeats=ByScale(100, gallery=6, quick=2),
        window=(10**6, math.inf),
    )


def _make_monte_carlo_figure(number: int) -> Figure:
    """Figures 10 and 11."""
    panel, first = f"subgame {number}", 5 * 10**7
    linear, initial = Pair(panel, "Linear MCCFR", "MCCFR"), Pair(panel, "Initial Discount MCCFR", "MCCFR")
    panels = [_make_sampled_panel(number)]
    claims = [
        is_lower("linear MCCFR outperforms MCCFR", linear, first, needs=10**8),
        is_lower("a discount after the first period alone helps, too", initial, first, share=0.8, needs=10**8),
    ]
    if number == 3:
        panels.append(replace(_make_sampled_panel(4), is_drawn=False))
        text = "the improvement is particularly noticeable in subgame 3"
        claims.append(gains_more(text, linear, "subgame 4", needs=10**8))
    title = f"Monte Carlo CFR in HUNL subgame {number}"
    notes = "Periods of 1e7 nodes. The paper shows the mean of 100 runs."
    return Figure(f"dcfr-{number + 7}", title, tuple(panels), tuple(claims), notes)


GOOFSPIEL = Figure(
    "dcfr-5",
    "Convergence in 5-card Goofspiel",
    (Panel("goofspiel", "goofspiel(5, order=ascending)", BOTH_AVERAGES, ByScale(8_192, quick=1_024)),),
    (
        is_lower_on_average(f"{DCFR} performs essentially as CFR+ does", Pair("goofspiel", DCFR, "CFR+"), 0.5, 2.0),
        is_lower("LCFR does poorly: it is above CFR+", Pair("goofspiel", "CFR+", "LCFR"), 100, share=0.9, needs=500),
        is_lower_on_average(f"{PRUNING} does noticeably worse than {DCFR}", Pair("goofspiel", DCFR, PRUNING), 1.2),
        is_lower_at_end("LCFR+ is worse than LCFR", Pair("goofspiel", "LCFR", "LCFR+"), needs=500),
        is_lower_at_end("LCFR+ is worse than CFR+", Pair("goofspiel", "CFR+", "LCFR+"), needs=500),
        is_lower_on_average(f"{FLOORED} is generally as strong as {DCFR}", Pair("goofspiel", DCFR, FLOORED), 0.5, 2.0),
        _make_averaging_claim("goofspiel"),
    ),
    "Bids are seen after each round, and the payoff is the difference of the points.",
)

PAYOFFS, CERTAIN = "payoffs 0, 1, -1,000,000", "plays the best action with certainty after"
BASIC = label_by_name("cfr", "cfr+", "lcfr", "dcfr")
EXAMPLE = Figure(
    "dcfr-example",
    "One decision: payoffs 0, 1 and -1,000,000",
    (Panel(PAYOFFS, "decision([0, 1, -1000000])", BASIC, ByScale(500_000), measure="mistake", axes="log-linear"),),
    (
        notes_number(f"CFR {CERTAIN} 471,407 iterations", PAYOFFS, "CFR", "first perfect", 471_407),
        notes_number(f"CFR+ {CERTAIN} 471,407 iterations", PAYOFFS, "CFR+", "first perfect", 471_407),
        notes_number(f"LCFR {CERTAIN} only 970 iterations", PAYOFFS, "LCFR", "first perfect", 970, within=0.003),
    ),
    "The paper's 970 for LCFR is 972 by direct count. A curve ends where it reaches zero.",
    section="section on regret discounting",
)

PAYOFF_MATRIX, SLOWER = "[[1, 0.9], [-0.7, 1]]", "converges slower than 1/T"
MATRIX_LENGTH = ByScale(1_000_000, gallery=1_000_000, quick=100_000)
MATRIX_LINES = {"CFR": "cfr", LINEAR_AVERAGE: "cfr+(average=1)", **label_by_name("cfr+", "lcfr", "dcfr(1.5, 0, 2)")}
MATRIX = Figure(
    "dcfr-matrix",
    "A game in which CFR+ converges slower than 1/T",
    (Panel(f"matrix {PAYOFF_MATRIX}", f"matrix({PAYOFF_MATRIX})", MATRIX_LINES, MATRIX_LENGTH),),
    tuple(
        has_slope(f"CFR+ with the average of {whose} {SLOWER}", f"matrix {PAYOFF_MATRIX}", label, least=-0.999)
        for whose, label in (("its inventors", LINEAR_AVERAGE), ("this paper", "CFR+"))
    ),
    section="section on CFR+",
)

FIGURES = (
    *map(_make_discounting_figure, (1, 2, 3, 4)),
    GOOFSPIEL,
    *map(_make_minimisers_figure, (1, 2, 3, 4)),
    *map(_make_monte_carlo_figure, (3, 4)),
    EXAMPLE,
    MATRIX,
)
