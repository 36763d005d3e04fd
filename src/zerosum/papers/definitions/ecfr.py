"""Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization (Li et al., 2020)."""

from __future__ import annotations

from dataclasses import replace

from zerosum.papers.claims.claim import Claim, Pair
from zerosum.papers.claims.comparisons import gain, lower, lower_at_end, lowest, overtakes
from zerosum.papers.claims.shapes import falls, spike
from zerosum.papers.figure import ByScale, Figure, Line, Panel, simultaneous

METHODS = simultaneous(
    Line("CFR", "cfr"),
    Line("CFR+", "cfr+"),
    Line("LCFR", "lcfr"),
    Line("DCFR", "dcfr"),
    Line("ECFR", "ecfr"),
)
CHOICES_NOTE = (
    "Both players update at once, from the same strategies, on every line: that is algorithm 1 of the paper "
    "(alternating updates are in ecfr-choices). exp() makes ECFR depend on the unit of the payoffs: they are taken as "
    "the rules give them, and regrets are counterfactual, so that the chance of a deal makes them small; ecfr-choices "
    "shows other units."
)
LENGTHS = {
    "kuhn": ByScale(10_000, quick=2_000),
    "leduc": ByScale(10_000, quick=1_000),
    "royal": ByScale(10_000, quick=60),
}

COIN = Figure(
    "ecfr-1",
    "The game tree of Coin Toss",
    (Panel("coin-toss", "coin-toss", (), ByScale(1)),),
    (),
    "Drawn from the rules that the solvers enumerate; a dotted line joins the histories of an infoset.",
    drawing="tree",
)


def _pair(game: str, lines: tuple[Line, ...], length: ByScale) -> tuple[Panel, Panel]:
    """The paper's linear axes, and the same curves on logarithmic ones, where they are distinguishable."""
    payoff_scales = ByScale(4, gallery=1, quick=1) if game == "royal" else ByScale(8, quick=1)
    panel = Panel(game, game, lines, length, payoff_scales=payoff_scales)
    return replace(panel, title=f"{game}, linear axes", axes="linear", window=(1, 1000)), panel


def _ends(game: str) -> tuple[Claim, ...]:
    """What the paper says of every game."""
    return (
        lower(f"{game}: ECFR converges faster than DCFR at most iterations", Pair(game, "ECFR", "DCFR"), 10, share=0.5,
              needs=50),
        lowest(f"{game}: ECFR has the lowest exploitability at the end", game, ("ECFR",), needs=50),
        lower_at_end(f"{game}: ECFR ends below CFR", Pair(game, "ECFR", "CFR"), needs=50),
        falls(f"{game}: all five end close to zero (at most a fiftieth of their highest)", game, 0.02),
    )  # fmt: skip


COMPARISON = Figure(
    "ecfr-2",
    "ECFR and other methods on Kuhn, Leduc and Royal",
    tuple(panel for game, length in LENGTHS.items() for panel in _pair(game, METHODS, length)),
    (
        *(claim for game in LENGTHS for claim in _ends(game)),
        spike("kuhn: LCFR fluctuates a lot (rises at least 2 times)", "kuhn", "LCFR"),
    ),
    CHOICES_NOTE,
)


def _b(*values: str) -> tuple[Line, ...]:
    return simultaneous(*(Line(f"b = {value}", f"ecfr(b={value})") for value in values))


CONSTANTS = ("1", "0.1", "0.01", "0.001", "0.0001", "0.00001")
GROUPS = {
    "positive constants": _b(*CONSTANTS),
    "negative constants": _b(*(f"-{value}" for value in CONSTANTS)),
    "powers of r": _b("r", "r^2", "r^3", "t*r", "t*r^2", "t*r^3", "-0.0001", "-0.00001", "-r^2"),
    "powers of 1/t": _b("1/t", "1/t^2", "1/t^3", "-1/t", "-1/t^2", "-1/t^3"),
    "fine selection": _b("-0.008", "-0.009", "-0.0001", "-0.00011", "-0.00012", "-r^2", "-r^2/t", "-r^2/t^2"),
}
GOOD = ("b = -0.0001", "b = -r^2", "b = -0.00001", "b = r^3")
"""What the paper finds good on Kuhn."""
ABLATION = Figure(
    "ecfr-3",
    "ECFR: the parameter b",
    tuple(
        Panel(f"{game}: {group}", game, lines, ByScale(1_000))
        for group, lines in GROUPS.items()
        for game in ("kuhn", "leduc")
    ),
    (
        lowest("kuhn: b = -r^2 is the best of the fine selection", "kuhn: fine selection", ("b = -r^2",), needs=500),
        lowest("leduc: b = -r^2 is the best of the fine selection in the end", "leduc: fine selection", ("b = -r^2",),
               needs=500, first=400),
        *(
            overtakes(f"leduc: b = {early} is better than b = -r^2 in the first 400 iterations, then worse (200 to "
                      "800)", Pair("leduc: fine selection", "b = -r^2", f"b = {early}"), 200, 800)
            for early in ("-0.0001", "-0.00011", "-0.00012")
        ),
        *(
            lower_at_end(f"leduc: b = {worse} is worse than b = {better}",
                         Pair("leduc: powers of r", f"b = {better}", f"b = {worse}"), needs=500)
            for worse in ("-0.00001", "r^3")
            for better in ("-0.0001", "-r^2")
        ),
        lowest("kuhn: one of b = -0.0001, -r^2, -0.00001 and r^3 is better than all other powers of r",
               "kuhn: powers of r", GOOD, needs=500),
        lowest("leduc: b = -0.0001 or -r^2 is better than all other powers of r", "leduc: powers of r",
               ("b = -0.0001", "b = -r^2"), needs=500),
        lowest("kuhn: -0.0001 or -0.00001 is the best of the negative constants", "kuhn: negative constants",
               ("b = -0.0001", "b = -0.00001"), needs=500),
    ),
    CHOICES_NOTE,
)  # fmt: skip

WITH = simultaneous(Line("with b", "ecfr"), Line("without b", "ecfr(b=0)"))
WITHOUT = Figure(
    "ecfr-4",
    "ECFR with and without b",
    tuple(Panel(game, game, WITH, LENGTHS[game]) for game in ("kuhn", "leduc")),
    (
        lower(
            "kuhn: with b is better after the first 100 iterations",
            Pair("kuhn", "with b", "without b"),
            100,
            needs=1_000,
        ),
        overtakes(
            "leduc: with b is better after about 750 iterations", Pair("leduc", "with b", "without b"), 375, 1_500
        ),
    ),
    CHOICES_NOTE,
)

UNITS = simultaneous(
    Line("DCFR", "dcfr"),
    Line("ECFR, payoffs x 0.1", "ecfr(scale=0.1)"),
    Line("ECFR, payoffs x 1", "ecfr"),
    Line("ECFR, payoffs x 10", "ecfr(scale=10)"),
    Line("ECFR, payoffs x 100", "ecfr(scale=100)"),
)
BOTH_SIGNS = "e^L r, payoffs x 3"
READINGS = (
    *simultaneous(
        Line("DCFR", "dcfr"),
        Line("DCFR of section 3.4", "dcfr(immediate=true)"),
        Line("ECFR", "ecfr"),
        Line(BOTH_SIGNS, "ecfr(b=r, scale=3, average=1)"),
    ),
    Line("DCFR, alternating", "dcfr"),
    Line("ECFR, alternating", "ecfr"),
)
CHOICES = Figure(
    "ecfr-choices",
    "ECFR where the paper is silent: the unit of the payoffs, the order of updates, its DCFR",
    tuple(
        Panel(f"{game}: {what}", game, lines, LENGTHS[game])
        for what, lines in (("units", UNITS), ("readings", READINGS))
        for game in ("kuhn", "leduc")
    ),
    (
        *(
            gain(f"leduc: ECFR is as good as DCFR with {unit}", Pair("leduc: units", f"ECFR, {unit}", "DCFR"), 1.0)
            for unit in ("payoffs x 100", "payoffs x 10")
        ),
        *(
            gain(f"{game}: ECFR is as good as DCFR if updates alternate",
                 Pair(f"{game}: readings", "ECFR, alternating", "DCFR, alternating"), 1.0)
            for game in ("kuhn", "leduc")
        ),
        *(
            gain(f"{game}: ECFR is better than the DCFR of section 3.4",
                 Pair(f"{game}: readings", "ECFR", "DCFR of section 3.4"), 1.0)
            for game in ("kuhn", "leduc")
        ),
        *(
            gain(f"{game}: e^L r for both signs, payoffs x 3, linear average: as good as DCFR",
                 Pair(f"{game}: readings", BOTH_SIGNS, "DCFR"), 1.0)
            for game in ("kuhn", "leduc")
        ),
    ),
    "The claims here are ours: whether another choice where the paper is silent would make its own claim hold. Section "
    "3.4 describes DCFR as discounting the regret of the iteration by its sign, where DCFR discounts the accumulated "
    "regret. e^L r for both signs is b = r.",
)  # fmt: skip

FIGURES = (COIN, COMPARISON, ABLATION, WITHOUT, CHOICES)
