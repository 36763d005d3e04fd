"""Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization (Li et al., 2020)."""

from __future__ import annotations

from dataclasses import replace

from zerosum.papers.claim import Claim, Pair
from zerosum.papers.claim_kinds import (
    all_fall,
    has_spike,
    is_lower,
    is_lower_at_end,
    is_lower_on_average,
    is_lowest,
    overtakes,
)
from zerosum.papers.figure import ByScale, Figure, Lines, Panel, label_by_name, make_simultaneous

METHODS = make_simultaneous(label_by_name("cfr", "cfr+", "lcfr", "dcfr", "ecfr"))
CHOICES_NOTE = (
    "Both players update at once, from the same strategies, on every line: that is algorithm 1 of the paper "
    "(alternating updates are in ecfr-choices). exp() makes ECFR depend on the unit of the payoffs: they are taken as "
    "the rules give them, and regrets are counterfactual, so that the chance of a deal makes them small; ecfr-choices "
    "shows other units."
)
GAMES = ("kuhn", "leduc")
LENGTHS = {game: ByScale(10_000, quick=quick) for game, quick in (("kuhn", 2_000), ("leduc", 1_000), ("royal", 60))}

COIN = Figure(
    "ecfr-1",
    "The game tree of Coin Toss",
    (Panel("coin-toss", "coin-toss", {}, ByScale(1)),),
    notes="Drawn from the rules that the solvers enumerate; a dotted line joins the histories of an infoset.",
    drawing="tree",
)


def _make_panels_with_both_axes(game: str) -> tuple[Panel, Panel]:
    """Return a panel with the linear axes of the paper, and one with logarithmic axes, where the curves differ."""
    payoff_scales = ByScale(4, gallery=1, quick=1) if game == "royal" else ByScale(8, quick=1)
    panel = Panel(game, game, METHODS, LENGTHS[game], payoff_scales=payoff_scales)
    return replace(panel, title=f"{game}, linear axes", axes="linear-linear", window=(1, 1000)), panel


def _make_claims(game: str) -> tuple[Claim, ...]:
    """Return what the paper claims of every game."""
    most = f"{game}: ECFR converges faster than DCFR at most iterations"
    return (
        is_lower(most, Pair(game, "ECFR", "DCFR"), 10, share=0.5, needs=50),
        is_lowest(f"{game}: ECFR has the lowest exploitability at the end", game, ("ECFR",), needs=50),
        is_lower_at_end(f"{game}: ECFR ends below CFR", Pair(game, "ECFR", "CFR"), needs=50),
        all_fall(f"{game}: all five end close to zero (at most a fiftieth of their highest)", game, 0.02),
    )


COMPARISON = Figure(
    "ecfr-2",
    "ECFR and other methods on Kuhn, Leduc and Royal",
    tuple(panel for game in LENGTHS for panel in _make_panels_with_both_axes(game)),
    (
        *(claim for game in LENGTHS for claim in _make_claims(game)),
        has_spike("kuhn: LCFR fluctuates a lot (rises at least 2 times)", "kuhn", "LCFR"),
    ),
    CHOICES_NOTE,
)


def _make_lines_of_b(*values: str) -> Lines:
    return make_simultaneous({f"b = {value}": f"ecfr(b={value})" for value in values})


CONSTANTS = ("1", "0.1", "0.01", "0.001", "0.0001", "0.00001")
GROUPS = {
    "positive constants": _make_lines_of_b(*CONSTANTS),
    "negative constants": _make_lines_of_b(*(f"-{value}" for value in CONSTANTS)),
    "powers of r": _make_lines_of_b("r", "r^2", "r^3", "t*r", "t*r^2", "t*r^3", "-0.0001", "-0.00001", "-r^2"),
    "powers of 1/t": _make_lines_of_b("1/t", "1/t^2", "1/t^3", "-1/t", "-1/t^2", "-1/t^3"),
    "fine selection": _make_lines_of_b(
        "-0.008", "-0.009", "-0.0001", "-0.00011", "-0.00012", "-r^2", "-r^2/t", "-r^2/t^2"
    ),
}


def _claim_best_b(text: str, panel: str, *values: str, first: float | None = None) -> Claim:
    return is_lowest(text, panel, tuple(f"b = {value}" for value in values), needs=500, first=first)


LEDUC_POWERS, LEDUC_FINE = "leduc: powers of r", "leduc: fine selection"
ABLATION = Figure(
    "ecfr-3",
    "ECFR: the parameter b",
    tuple(Panel(f"{game}: {group}", game, lines, ByScale(1_000)) for group, lines in GROUPS.items() for game in GAMES),
    (
        _claim_best_b("kuhn: b = -r^2 is the best of the fine selection", "kuhn: fine selection", "-r^2"),
        _claim_best_b("leduc: b = -r^2 is the best of the fine selection in the end", LEDUC_FINE, "-r^2", first=400),
        *(
            overtakes(f"leduc: b = {b} is better than b = -r^2 in the first 400 iterations, then worse (200 to 800)",
                      Pair(LEDUC_FINE, "b = -r^2", f"b = {b}"), earliest=200, latest=800)
            for b in ("-0.0001", "-0.00011", "-0.00012")
        ),
        *(
            is_lower_at_end(f"leduc: {worse} is worse than {better}", Pair(LEDUC_POWERS, better, worse), needs=500)
            for worse in ("b = -0.00001", "b = r^3")
            for better in ("b = -0.0001", "b = -r^2")
        ),
        _claim_best_b("kuhn: one of b = -0.0001, -r^2, -0.00001 and r^3 is better than all other powers of r",
                "kuhn: powers of r", "-0.0001", "-r^2", "-0.00001", "r^3"),
        _claim_best_b(
            "leduc: b = -0.0001 or -r^2 is better than all other powers of r", LEDUC_POWERS, "-0.0001", "-r^2"
        ),
        _claim_best_b("kuhn: -0.0001 or -0.00001 is the best of the negative constants",
                "kuhn: negative constants", "-0.0001", "-0.00001"),
    ),
    CHOICES_NOTE,
)  # fmt: skip

KUHN_B, LEDUC_B = (Pair(game, "with b", "without b") for game in GAMES)
WITHOUT = Figure(
    "ecfr-4",
    "ECFR with and without b",
    tuple(
        Panel(game, game, make_simultaneous({"with b": "ecfr", "without b": "ecfr(b=0)"}), LENGTHS[game])
        for game in GAMES
    ),
    (
        is_lower("kuhn: with b is better after the first 100 iterations", KUHN_B, 100, needs=1_000),
        overtakes("leduc: with b is better after about 750 iterations", LEDUC_B, 375, 1_500),
    ),
    CHOICES_NOTE,
)

UNITS = {
    "DCFR": "dcfr",
    "ECFR, payoffs x 0.1": "ecfr(scale=0.1)",
    "ECFR, payoffs x 1": "ecfr",
    "ECFR, payoffs x 10": "ecfr(scale=10)",
    "ECFR, payoffs x 100": "ecfr(scale=100)",
}
BOTH_SIGNS = "e^L r, payoffs x 3"
READINGS = {
    "DCFR": "dcfr",
    "DCFR of section 3.4": "dcfr(immediate=true)",
    "ECFR": "ecfr",
    BOTH_SIGNS: "ecfr(b=r, scale=3, average=1)",
}
ALTERNATING = {"DCFR, alternating": "dcfr", "ECFR, alternating": "ecfr"}
CHOICES = Figure(
    "ecfr-choices",
    "ECFR where the paper is silent: the unit of the payoffs, the order of updates, its DCFR",
    (
        *(Panel(f"{game}: units", game, make_simultaneous(UNITS), LENGTHS[game]) for game in GAMES),
        *(Panel(f"{game}: readings", game, make_simultaneous(READINGS) | ALTERNATING, LENGTHS[game]) for game in GAMES),
    ),
    (
        *(
            is_lower_on_average(
                f"leduc: ECFR is as good as DCFR with {unit}", Pair("leduc: units", f"ECFR, {unit}", "DCFR"), 1.0
            )
            for unit in ("payoffs x 100", "payoffs x 10")
        ),
        *(
            is_lower_on_average(f"{game}: {text}", Pair(f"{game}: readings", better, worse), 1.0)
            for text, better, worse in (
                ("ECFR is as good as DCFR if updates alternate", "ECFR, alternating", "DCFR, alternating"),
                ("ECFR is better than the DCFR of section 3.4", "ECFR", "DCFR of section 3.4"),
                ("e^L r for both signs, payoffs x 3, linear average: as good as DCFR", BOTH_SIGNS, "DCFR"),
            )
            for game in GAMES
        ),
    ),
    "The claims here are ours: whether another choice where the paper is silent would make its own claim hold. Section "
    "3.4 describes DCFR as discounting the regret of the iteration by its sign, where DCFR discounts the accumulated "
    "regret. e^L r for both signs is b = r.",
)

FIGURES = (COIN, COMPARISON, ABLATION, WITHOUT, CHOICES)
