"""Efficient CFR with Instant Updates (Li et al., 2020)."""

from __future__ import annotations

from itertools import product
from typing import Any

from zerosum.papers.claim import Claim, Pair
from zerosum.papers.claim_kinds import (
    are_alike,
    are_lower_in_pairs,
    is_faster,
    is_lower_at_end,
    is_lowest,
    needs_no_more_bytes,
    overtakes,
    reaches,
)
from zerosum.papers.figure import ByScale, Figure, Lines, Panel, label_by_name, make_simultaneous

INSTANT_BY_PLAIN = {"CFR": "ICFR", "CFR+": "ICFR+", "DCFR": "IDCFR", "DCFR+": "IDCFR+"}
LINEAR_CFR_PLUS = {"CFR+": "cfr+(average=1)"}
METHODS = {
    **label_by_name("cfr", "icfr"),
    **LINEAR_CFR_PLUS,
    **label_by_name("icfr+", "dcfr", "idcfr", "dcfr+", "idcfr+"),
}
CHOICES_NOTE = (
    "Random boards and ranges as DeepStack draws them, from seeds 0, 1, ...; the mean and its 95% interval. The paper "
    "sweeps the parameters of DCFR on each game (icfr-choices does), here they are (1.5, 0, 2) and (1.5, 2). Its "
    "instance of no-limit Leduc has about 1.1e4 infosets, ours 9,984: the rules of the paper do not pin it down "
    "further."
)
LENGTH = ByScale(1_000, quick=300)
REPEATS = ByScale(30, gallery=10, quick=2)
RIVERS = {"River(5k)": "deepstack:river-5k:{}", "River(500)": "deepstack:river-500:{}"}
SPOTS = {"Turn(5k)": "deepstack:turn-5k:{}", **RIVERS}
MAIN_PANELS = ("Leduc", *RIVERS)


def _make_river_panel(title: str, lines: Lines, river: str) -> Panel:
    return Panel(title, RIVERS[river], lines, LENGTH, repeats=REPEATS, axes="linear-log")


CONVERGENCE = Figure(
    "icfr-1",
    "Instant updates on no-limit Leduc and two rivers",
    (
        Panel("Leduc", "leduc-nl", METHODS, LENGTH, axes="linear-log"),
        *(_make_river_panel(river, METHODS, river) for river in RIVERS),
    ),
    (
        is_lower_at_end("Leduc: CFR+ performs better than DCFR", Pair("Leduc", "CFR+", "DCFR"), needs=100),
        is_lowest("Leduc: ICFR+ or IDCFR+ performs best", "Leduc", ("ICFR+", "IDCFR+"), needs=100),
        *(
            is_lower_at_end(f"Leduc: {new} performs better than {old}", Pair("Leduc", new, old), needs=100)
            for new, old in (("ICFR+", "DCFR"), ("IDCFR+", "CFR+"), ("IDCFR+", "DCFR"))
        ),
        *(
            is_lower_at_end(f"{river}: DCFR outperforms CFR+", Pair(river, "DCFR", "CFR+"), needs=100)
            for river in RIVERS
        ),
        *(
            is_lower_at_end(f"{panel}: {new} performs much better than CFR", Pair(panel, new, "CFR"), 2.0, needs=100)
            for panel in MAIN_PANELS
            for new in ("CFR+", "DCFR+")
        ),
        *(is_lowest(f"{river}: IDCFR+ performs best", river, ("IDCFR+",), needs=100) for river in RIVERS),
        *(
            is_lower_at_end(f"{panel}: {instant} converges faster than {plain}", Pair(panel, instant, plain), needs=100)
            for panel in MAIN_PANELS
            for plain, instant in INSTANT_BY_PLAIN.items()
        ),
    ),
    CHOICES_NOTE,
)

HALVES = {
    "Hybrid CFR+": "hybrid-cfr+(skip=0.5)",
    **LINEAR_CFR_PLUS,
    "CFR+ Half": "cfr+(average=1, skip=0.5)",
    "ICFR+": "icfr+",
    "ICFR+ Half": "icfr+(skip=0.5)",
    "IDCFR+": "idcfr+",
    "IDCFR+ Half": "idcfr+(skip=0.5)",
}
SKIPS = {"IDCFR+": "idcfr+"} | {f"skip {n}": f"idcfr+(skip={n / 1000:g})" for n in (100, 300, 500, 600, 700, 900)}
SKIPPING_HALF, SKIPPING_MORE = "skipping half", "IDCFR+, skipping"
LATER = 580
"""From here on the paper has its IDCFR+ below without the first 500 iterations: before, an average of few is poor."""
SKIPPING = Figure(
    "icfr-2",
    "Skipping iterations in the average on River(5k)",
    (_make_river_panel(SKIPPING_HALF, HALVES, "River(5k)"), _make_river_panel(SKIPPING_MORE, SKIPS, "River(5k)")),
    (
        *(
            is_lower_at_end(f"{method} is better with half of the iterations skipped",
                         Pair(SKIPPING_HALF, f"{method} Half", method), needs=1_000, first=LATER)
            for method in ("CFR+", "ICFR+", "IDCFR+")
        ),
        is_lower_at_end("CFR+ performs much better than DeepStack's hybrid",
                     Pair(SKIPPING_HALF, "CFR+", "Hybrid CFR+"), factor=2.0, needs=1_000, first=LATER),
        is_faster("IDCFR+ Half converges three times faster than DeepStack's hybrid",
               Pair(SKIPPING_HALF, "IDCFR+ Half", "Hybrid CFR+"), times=3.0, needs=1_000),
        overtakes("IDCFR+ Half is above IDCFR+ from 500 to 580 iterations, then below (500 to 750)",
                  Pair(SKIPPING_HALF, "IDCFR+ Half", "IDCFR+"), earliest=500, latest=750),
        is_lowest("skipping 500 or 600 of 1,000 iterations is best in the end",
               SKIPPING_MORE, ("skip 500", "skip 600"), needs=1_000, first=900),
    ),
    f"An average that skips is that of all iterations until it starts. {CHOICES_NOTE}",
)  # fmt: skip

LONG = {**LINEAR_CFR_PLUS, **label_by_name("icfr+", "dcfr", "idcfr+")}
GAMES = {"Leduc": "leduc-nl", "Preflop(5k)": "deepstack:preflop-5k:{}", "Flop(5k)": "deepstack:flop-5k:{}", **SPOTS}
LENGTHS = {
    **dict.fromkeys(GAMES, ByScale(10_000, quick=500)),
    **dict.fromkeys(("Preflop(5k)", "Flop(5k)"), ByScale(10_000, gallery=500, quick=20)),
    "Turn(5k)": ByScale(10_000, gallery=1_000, quick=20),
}
COUNTS = {
    **dict.fromkeys(GAMES, ByScale(30, gallery=4, quick=1)),
    "Leduc": ByScale(1),
    "Turn(5k)": ByScale(30, gallery=1),
    "River(5k)": ByScale(30, gallery=10, quick=1),
}
PUBLISHED = {"CFR+": 2.9e-5, "ICFR+": 2.3e-5, "DCFR": 3.5e-5, "IDCFR+": 3.1e-5}
"""Table 1 on Leduc."""
ENDS_AT = "Leduc: {} ends at {:g} if an iteration updates one player (within 1.5 times)"
TABLE = Figure(
    "icfr-table1",
    "After 10,000 iterations",
    tuple(Panel(name, game, LONG, LENGTHS[name], repeats=COUNTS[name]) for name, game in GAMES.items()),
    (
        *(
            is_lower_at_end(f"{name}: {instant} is lower than {plain}", Pair(name, instant, plain), needs=10)
            for name in GAMES
            for plain, instant in (("CFR+", "ICFR+"), ("DCFR", "IDCFR+"))
        ),
        *(
            reaches(ENDS_AT.format(label, number), "Leduc", label, 5_000, number, within=1.5)
            for label, number in PUBLISHED.items()
        ),
    ),
    "Preflop(5k) and Flop(5k) are not the paper's: its leaves are values of DeepStack's unpublished networks, "
    "and here the hands are checked down after the street, over all cards that may come, which is exact. The paper "
    "has 1.6e4, 2.4e4, 1.7e6, 2.4e6 and 1.6e5 infosets on Preflop(5k), Flop(5k), Turn(5k), River(5k) and River(500), "
    "ours are 15,912, 14,112, 2,919,264, 25,944 and 77,832. It takes its bets from DeepStack's table S3, and so do we "
    "except before the flop, where that table (22 decisions, 29,172 infosets) does not fit the paper's number and the "
    "bets of the flop do; the paper's number on the flop would fit half a pot as a second bet, too (20 decisions, "
    "23,520 infosets). Its table, in a unit that it does not name, for CFR+, ICFR+, DCFR and IDCFR+: Preflop(5k) "
    "4.5e-4, 3.3e-4, 3.0e-5, 9.1e-6; Flop(5k) 8.2e-3, 2.5e-3, 1.7e-3, 7.3e-4; Turn(5k) 1.9e-2, 1.8e-2, 7.7e-3, "
    "7.2e-3; River(5k) 1.0e-2, 3.9e-3, 2.2e-3, 1.6e-3; River(500) 3.4e-3, 2.2e-3, 1.3e-3, 1.1e-3. Its numbers for "
    "CFR+ and ICFR+ on Leduc fit iterations that count the update of one player, so that its 10,000 are 5,000 here, "
    "as ours count both; those for DCFR and IDCFR+ fit neither. "
    f"{CHOICES_NOTE}",
    drawing="dots",
)

ALPHAS, GAMMAS = ("0.5", "1", "1.5", "2", "2.5"), ("1", "2", "3", "4")
BETAS = ("-inf", "0", "0.5", "1", "1.5", "2", "2.5")
"""What the paper sweeps (section 5.2)."""
CHOSEN = (("1.5", "0", "2"), ("1.5", "2"), *product(ALPHAS, BETAS, GAMMAS), *product(ALPHAS, GAMMAS))
"""Every choice of parameters; the usual ones of DCFR and of DCFR+ first."""
SWEPT_NAMES = [f"{'dcfr' if len(numbers) == 3 else 'dcfr+'}({', '.join(numbers)})" for numbers in dict.fromkeys(CHOSEN)]
PLAIN, INSTANT = label_by_name(*SWEPT_NAMES), label_by_name(*(f"i{name}" for name in SWEPT_NAMES))
SWEPT = dict(line for pair in zip(PLAIN.items(), INSTANT.items(), strict=True) for line in pair)
"""Without and with instant updates, in turn."""
SWEEP_RUNS: dict[str, Any] = {
    "lines": SWEPT,
    "length": ByScale(1_000, gallery=400, quick=100),
    "most_lines": ByScale(len(SWEPT), quick=4),
}
SWEEPS = (
    *(
        Panel(f"Leduc, stack {stack}", f"leduc-nl(stack={stack})", **SWEEP_RUNS, payoff_scales=ByScale(4, quick=1))
        for stack in (4, 5, 6)
    ),
    *(Panel(river, game, **SWEEP_RUNS, repeats=ByScale(30, gallery=10, quick=1)) for river, game in RIVERS.items()),
)


def _make_sweep_claims(panel: str) -> tuple[Claim, ...]:
    best = f"{panel}: the best parameters with instant updates are better than the best without"
    most = f"{panel}: instant updates are better with most parameters"
    return (
        is_lowest(best, panel, tuple(INSTANT), needs=100),
        are_lower_in_pairs(most, panel, tuple(INSTANT), tuple(PLAIN), share=0.5, needs=100),
    )


SWEEP = Figure(
    "icfr-choices",
    "Instant updates with all parameters of DCFR and DCFR+",
    SWEEPS,
    tuple(claim for panel in SWEEPS for claim in _make_sweep_claims(panel.title)),
    "Every point is a choice of (alpha, beta, gamma) for DCFR or (alpha, gamma) for DCFR+: the paper sweeps them and "
    "does not say which it took. Below the line instant updates are better. The claims here are ours: whether another "
    "choice would make the paper's claims hold.",
    drawing="pairs",
)

PLAIN_AND_INSTANT = label_by_name("cfr", "icfr")
STORAGE_LINES = PLAIN_AND_INSTANT | {
    f"{label}, simultaneous": algorithm for label, algorithm in make_simultaneous(PLAIN_AND_INSTANT).items()
}
STORAGE_GAMES = {"Leduc": "leduc-nl", "River(5k)": "deepstack:river-5k:0", "Turn(5k)": "deepstack:turn-5k:0"}
HOLDEM_GAMES = ("River(5k)", "Turn(5k)")
ORDERS = {"alternating": "", "simultaneous": ", simultaneous"}
"""The order of updates, and how the labels of the lines end."""
SPACE = Figure(
    "icfr-space",
    "Memory between iterations, with and without instant updates",
    tuple(Panel(name, game, STORAGE_LINES, ByScale(1), measure="space") for name, game in STORAGE_GAMES.items()),
    (
        *(
            are_alike(
                f"{name}: instant updates need no more space, {order}", Pair(name, f"ICFR{end}", f"CFR{end}"), 1.0, 1
            )
            for name in STORAGE_GAMES
            for order, end in ORDERS.items()
        ),
        *(
            needs_no_more_bytes(
                f"{name}: nor with all that a walk needs, {order}", Pair(name, f"ICFR{end}", f"CFR{end}")
            )
            for name in HOLDEM_GAMES
            for order, end in ORDERS.items()
        ),
        *(
            reaches(f"{name}: two numbers for each action of an infoset are enough", name, "ICFR", 1, 2.0, 1.0)
            for name in HOLDEM_GAMES
        ),
    ),
    "Theorem 4: CFR with instant updates needs 2 numbers for each action of an infoset and, while it walks, one more "
    "(two with simultaneous updates) for the actions on a single way through the game. The numbers stored from one "
    "iteration to the next are drawn; the memory of a walk besides them is counted in bytes, with the tables of the "
    "game. Hold'em is walked a board at a time, so that on a river the walk's numbers are those of the whole tree. "
    "The general form of games keeps the strategy, too, so that it is not drawn again: 3 numbers, with and without.",
    drawing="dots",
    section="theorem 4",
)

FIGURES = (CONVERGENCE, SKIPPING, TABLE, SWEEP, SPACE)
