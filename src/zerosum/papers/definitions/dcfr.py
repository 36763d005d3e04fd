"""Solving Imperfect-Information Games via Discounted Regret Minimization (Brown, Sandholm, AAAI 2019)."""

from __future__ import annotations

import math
from dataclasses import replace

from zerosum.papers.claims.claim import Claim, Pair
from zerosum.papers.claims.comparisons import gain, iteration_cost, larger_gain, lower, lower_at_end, lower_by_time
from zerosum.papers.claims.shapes import noted_number, slope, spike, steeper
from zerosum.papers.figure import ByScale, Figure, Line, Panel

CFR_PLUS, LCFR, LCFR_PLUS = Line("CFR+", "cfr+"), Line("LCFR", "lcfr"), Line("LCFR+", "lcfr+")
DCFR = Line("DCFR(1.5, 0, 2)", "dcfr(1.5, 0, 2)")
FLOORED = Line("DCFR(1.5, -inf, 2)", "dcfr(1.5, -inf, 2)")
PRUNING = Line("DCFR(1.5, 0.5, 2)", "dcfr(1.5, 0.5, 2)")
LINEAR_AVERAGE = Line("CFR+ (weight t)", "cfr+(average=1)")
DISCOUNTED = (CFR_PLUS, LCFR, LCFR_PLUS, FLOORED, DCFR, PRUNING)
NORMAL = Line("NH DCFR", "nh-dcfr")
OPTIMISTIC = Line("Optimistic LCFR", "optimistic-lcfr")
NORMAL_LINEAR = Line("NH LCFR", "nh-lcfr")
OPTIMISTIC_DCFR = Line("Optimistic DCFR", "optimistic-dcfr")
OTHER_MINIMISERS = (CFR_PLUS, LCFR, DCFR, NORMAL, OPTIMISTIC, NORMAL_LINEAR, OPTIMISTIC_DCFR)

LENGTHS = {
    1: ByScale(32_768, gallery=2_048, quick=40),
    2: ByScale(32_768, gallery=2_048, quick=100),
    3: ByScale(32_768, quick=1_000),
    4: ByScale(32_768, quick=1_000),
}
"""Iterations on the Libratus endgames."""
SLOW_LENGTHS = {
    1: ByScale(32_768, gallery=256, quick=20),
    2: ByScale(32_768, gallery=2_048, quick=50),
    **dict(list(LENGTHS.items())[2:]),
}
"""The same where NormalHedge takes part, which is slower."""
SEVERE = (1, 3)
"""Endgames with a small pot, whose mistakes are severe."""
TURNS = "The paper runs 32,768 iterations."
SAME = 0.9
"""A tenth above counts as a match."""


def _subgame(number: int, lines: tuple[Line, ...], lengths: dict[int, ByScale]) -> Panel:
    payoff_scales = ByScale(1) if number < 3 else ByScale(4, quick=1)
    return Panel(f"subgame {number}", f"libratus:{number}", lines, lengths[number], payoff_scales=payoff_scales)


def _average(panel: str) -> Claim:
    """Why the paper's CFR+ is not that of its inventors."""
    text = "CFR+ converges faster with weights t^2 in the average than with t (in the text, not drawn)"
    return lower_at_end(text, Pair(panel, CFR_PLUS.label, LINEAR_AVERAGE.label), needs=200)


def _discounting(number: int) -> Figure:
    """Figures 1 to 4."""
    panel = f"subgame {number}"
    lines = DISCOUNTED if number < 3 else (*DISCOUNTED, LINEAR_AVERAGE)
    claims: list[Claim] = [
        lower("DCFR(1.5, 0, 2) matches or outperforms CFR+", Pair(panel, DCFR.label, CFR_PLUS.label), 100, share=0.9,
              factor=SAME, needs=200),
        gain("the improvement is usually a factor of 2 or 3", Pair(panel, DCFR.label, CFR_PLUS.label), 1.5),
        lower_at_end("LCFR+ is worse than LCFR", Pair(panel, LCFR.label, LCFR_PLUS.label), needs=200),
        lower_at_end("LCFR+ is worse than CFR+", Pair(panel, CFR_PLUS.label, LCFR_PLUS.label), needs=200),
        gain("DCFR(1.5, 0.5, 2) performs very similarly to DCFR(1.5, 0, 2)", Pair(panel, DCFR.label, PRUNING.label),
             0.5, 2.0),
        gain("DCFR(1.5, -inf, 2) is generally as strong as DCFR(1.5, 0, 2)", Pair(panel, DCFR.label, FLOORED.label),
             0.5, 2.0),
    ]  # fmt: skip
    if number in SEVERE:
        claims.append(
            gain("LCFR does particularly well here: far ahead of CFR+ at 100 to 1,000 iterations",
                 Pair(panel, LCFR.label, CFR_PLUS.label), 2.0, last=1_000)
        )  # fmt: skip
    if number == 2:
        claims.append(spike("DCFR(1.5, -inf, 2) can produce a spike in exploitability", panel, FLOORED.label))
    claims.append(
        steeper(
            "asymptotically LCFR does worse than CFR+: its curve is flatter", Pair(panel, CFR_PLUS.label, LCFR.label)
        )
    )
    if number >= 3:
        claims.append(_average(panel))
    notes = TURNS if number == 1 else ""
    return Figure(
        f"dcfr-{number}",
        f"Convergence in HUNL subgame {number}",
        (_subgame(number, lines, LENGTHS),),
        tuple(claims),
        notes,
    )


def _minimisers(number: int) -> Figure:
    """Figures 6 to 9: NormalHedge and optimism."""
    panel = f"subgame {number}"
    severe = number in SEVERE
    pairs = ((NORMAL.label, DCFR.label), (OPTIMISTIC.label, LCFR.label))
    claims = tuple(
        gain(f"{new} {'outperforms' if severe else 'does worse than'} {old}",
             Pair(panel, *((new, old) if severe else (old, new))), 1.0)
        for new, old in pairs
    ) + tuple(
        gain(f"{new} does worse than {old} in every subgame (in the text, not drawn)",
             Pair(panel, old, new), 1.0)
        for new, old in ((NORMAL_LINEAR.label, LCFR.label), (OPTIMISTIC_DCFR.label, DCFR.label))
    )  # fmt: skip
    claims += (
        lower_by_time("NH slows convergence by time: DCFR(1.5, 0, 2) is lower than NH DCFR",
                      Pair(panel, DCFR.label, NORMAL.label), needs=100),
    )  # fmt: skip
    if number == 1:
        claims += (
            iteration_cost(
                "an iteration of NH takes five times as long", Pair(panel, NORMAL.label, DCFR.label), 5, 1.5
            ),
        )
    notes = TURNS if number == 1 else ""
    return Figure(
        f"dcfr-{number + 5}",
        f"NormalHedge and optimism in HUNL subgame {number}",
        (_subgame(number, OTHER_MINIMISERS, SLOW_LENGTHS),),
        claims,
        notes,
    )


MCCFR = (
    Line("MCCFR", "mccfr"),
    Line("Initial Discount MCCFR", "initial-discount-mccfr"),
    Line("Linear MCCFR", "linear-mccfr"),
)
FEWER_SEEDS = "The paper shows the mean of 100 runs."


def _sampled(number: int) -> Panel:
    return Panel(
        f"subgame {number}",
        f"libratus:{number}",
        MCCFR,
        ByScale(10**9, quick=3 * 10**7),
        length_unit="nodes",
        repeats=ByScale(100, gallery=6, quick=2),
        window=(10**6, math.inf),
    )


def _monte_carlo(number: int) -> Figure:
    """Figures 10 and 11."""
    panel = f"subgame {number}"
    claims: list[Claim] = [
        lower("linear MCCFR outperforms MCCFR", Pair(panel, "Linear MCCFR", "MCCFR"), 5 * 10**7, needs=10**8),
        lower("a discount after the first period alone helps, too", Pair(panel, "Initial Discount MCCFR", "MCCFR"),
              5 * 10**7, share=0.8, needs=10**8),
    ]  # fmt: skip
    panels = [_sampled(number)]
    if number == 3:
        panels.append(replace(_sampled(4), drawn=False))
        claims.append(
            larger_gain("the improvement is particularly noticeable in subgame 3",
                        Pair(panel, "Linear MCCFR", "MCCFR"), "subgame 4", needs=10**8)
        )  # fmt: skip
    return Figure(
        f"dcfr-{number + 7}",
        f"Monte Carlo CFR in HUNL subgame {number}",
        tuple(panels),
        tuple(claims),
        f"Periods of 1e7 nodes. {FEWER_SEEDS}",
    )


GOOFSPIEL = Figure(
    "dcfr-5",
    "Convergence in 5-card Goofspiel",
    (Panel("goofspiel", "goofspiel(5, order=ascending)", (*DISCOUNTED, LINEAR_AVERAGE), ByScale(8_192, quick=1_024)),),
    (
        gain("DCFR(1.5, 0, 2) performs essentially as CFR+ does",
             Pair("goofspiel", DCFR.label, CFR_PLUS.label), 0.5, 2.0),
        lower("LCFR does poorly: it is above CFR+",
              Pair("goofspiel", CFR_PLUS.label, LCFR.label), 100, share=0.9, needs=500),
        gain("DCFR(1.5, 0.5, 2) does noticeably worse than DCFR(1.5, 0, 2)",
             Pair("goofspiel", DCFR.label, PRUNING.label), 1.2),
        lower_at_end("LCFR+ is worse than LCFR", Pair("goofspiel", LCFR.label, LCFR_PLUS.label), needs=500),
        lower_at_end("LCFR+ is worse than CFR+", Pair("goofspiel", CFR_PLUS.label, LCFR_PLUS.label), needs=500),
        gain("DCFR(1.5, -inf, 2) is generally as strong as DCFR(1.5, 0, 2)",
             Pair("goofspiel", DCFR.label, FLOORED.label), 0.5, 2.0),
        _average("goofspiel"),
    ),
    "Bids are seen after each round, and the payoff is the difference of the points.",
)  # fmt: skip

PAYOFFS = "payoffs 0, 1, -1,000,000"
EXAMPLE = Figure(
    "dcfr-example",
    "One decision: payoffs 0, 1 and -1,000,000",
    (
        Panel(
            PAYOFFS,
            "decision([0, 1, -1000000])",
            (Line("CFR", "cfr"), Line("CFR+", "cfr+"), Line("LCFR", "lcfr"), Line("DCFR", "dcfr")),
            ByScale(500_000),
            measure="mistake",
            axes="log-linear",
        ),
    ),
    (
        noted_number("CFR plays the best action with certainty after 471,407 iterations", PAYOFFS, "CFR",
                     "first perfect", 471_407),
        noted_number("CFR+ plays the best action with certainty after 471,407 iterations", PAYOFFS, "CFR+",
                     "first perfect", 471_407),
        noted_number("LCFR plays the best action with certainty after only 970 iterations", PAYOFFS,
                     "LCFR", "first perfect", 970, within=0.003),
    ),
    "The paper's 970 for LCFR is 972 by direct count. A curve ends where it reaches zero.",
    section="section on regret discounting",
)  # fmt: skip

MATRIX = Figure(
    "dcfr-matrix",
    "A game in which CFR+ converges slower than 1/T",
    (
        Panel(
            "matrix [[1, 0.9], [-0.7, 1]]",
            "matrix([[1, 0.9], [-0.7, 1]])",
            (Line("CFR", "cfr"), LINEAR_AVERAGE, CFR_PLUS, LCFR, DCFR),
            ByScale(1_000_000, gallery=1_000_000, quick=100_000),
        ),
    ),
    (
        slope("CFR+ with the average of its inventors converges slower than 1/T", "matrix [[1, 0.9], [-0.7, 1]]",
              LINEAR_AVERAGE.label, least=-0.999),
        slope("CFR+ with the average of this paper converges slower than 1/T", "matrix [[1, 0.9], [-0.7, 1]]", "CFR+",
              least=-0.999),
    ),
    section="section on CFR+",
)  # fmt: skip

FIGURES = (
    *(_discounting(number) for number in (1, 2, 3, 4)),
    GOOFSPIEL,
    *(_minimisers(number) for number in (1, 2, 3, 4)),
    _monte_carlo(3),
    _monte_carlo(4),
    EXAMPLE,
    MATRIX,
)
