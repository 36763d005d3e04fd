"""Instant updates (icfr) with every choice of parameters, and what they store."""

from __future__ import annotations

from itertools import product

from zerosum.papers.claims.claim import Claim, Pair
from zerosum.papers.claims.comparisons import alike, lower_in_pairs, lowest, no_more_bytes
from zerosum.papers.claims.shapes import reaches
from zerosum.papers.figure import ByScale, Figure, Line, Panel, simultaneous

SPOTS = {
    "Turn(5k)": "deepstack:turn-5k:{}",
    "River(5k)": "deepstack:river-5k:{}",
    "River(500)": "deepstack:river-500:{}",
}
ALPHAS, BETAS, GAMMAS = (
    ("0.5", "1", "1.5", "2", "2.5"),
    ("-inf", "0", "0.5", "1", "1.5", "2", "2.5"),
    ("1", "2", "3", "4"),
)
"""What the paper sweeps (section 5.2)."""
USUAL = (("1.5", "0", "2"), ("1.5", "2"))


def _grid() -> list[tuple[str, str]]:
    """A name without and one with instant updates, for every choice of the parameters; the usual ones first."""
    chosen = [*USUAL, *(product(ALPHAS, BETAS, GAMMAS)), *(product(ALPHAS, GAMMAS))]
    names = dict.fromkeys(("dcfr" if len(numbers) == 3 else "dcfr+", ", ".join(numbers)) for numbers in chosen)
    return [(f"{name}({numbers})", f"i{name}({numbers})") for name, numbers in names]


GRID = _grid()
PLAIN, INSTANT = (tuple(pair[k].upper().replace("-INF", "-inf") for pair in GRID) for k in (0, 1))
SWEPT = tuple(Line(label, name) for pair in zip(zip(PLAIN, INSTANT, strict=True), GRID, strict=True)
              for label, name in zip(*pair, strict=True))  # fmt: skip
STACKS = (4, 5, 6)
REPEATS = ByScale(30, gallery=10, quick=1)
LENGTH = ByScale(1_000, gallery=400, quick=100)
FIRST_LINES = ByScale(len(SWEPT), quick=4)
SWEEPS = (
    *(Panel(f"Leduc, stack {stack}", f"leduc-nl(stack={stack})", SWEPT, LENGTH, most_lines=FIRST_LINES,
            payoff_scales=ByScale(4, quick=1)) for stack in STACKS),
    *(Panel(name, SPOTS[name], SWEPT, LENGTH, most_lines=FIRST_LINES, repeats=REPEATS)
      for name in ("River(5k)", "River(500)")),
)  # fmt: skip


def _claims(panel: str) -> tuple[Claim, ...]:
    return (
        lowest(f"{panel}: the best parameters with instant updates are better than the best without", panel, INSTANT,
               needs=100),
        lower_in_pairs(f"{panel}: instant updates are better with most parameters", panel, INSTANT, PLAIN, 0.5,
                       needs=100),
    )  # fmt: skip


SWEEP = Figure(
    "icfr-choices",
    "Instant updates with all parameters of DCFR and DCFR+",
    SWEEPS,
    tuple(claim for panel in SWEEPS for claim in _claims(panel.title)),
    "Every point is a choice of (alpha, beta, gamma) for DCFR or (alpha, gamma) for DCFR+: the paper sweeps them and "
    "does not say which it took. Below the line instant updates are better. The claims here are ours: whether another "
    "choice would make the paper's claims hold.",
    drawing="pairs",
)

STORAGE_LINES = (
    Line("CFR", "cfr"),
    Line("ICFR", "icfr"),
    *(Line(f"{line.label}, simultaneous", line.algorithm)
      for line in simultaneous(Line("CFR", "cfr"), Line("ICFR", "icfr"))),
)  # fmt: skip
STORAGE_GAMES = {"Leduc": "leduc-nl", "River(5k)": "deepstack:river-5k:0", "Turn(5k)": "deepstack:turn-5k:0"}
SPACE = Figure(
    "icfr-space",
    "Memory between iterations, with and without instant updates",
    tuple(Panel(name, game, STORAGE_LINES, ByScale(1), measure="space") for name, game in STORAGE_GAMES.items()),
    (
        *(
            alike(f"{name}: instant updates need no more space{order or ', alternating'}",
                  Pair(name, f"ICFR{order}", f"CFR{order}"), 1.0, needs=1)
            for name in STORAGE_GAMES
            for order in ("", ", simultaneous")
        ),
        *(
            no_more_bytes(f"{name}: nor with all that a walk needs{order or ', alternating'}",
                          Pair(name, f"ICFR{order}", f"CFR{order}"))
            for name in list(STORAGE_GAMES)[1:]
            for order in ("", ", simultaneous")
        ),
        *(
            reaches(f"{name}: two numbers for each action of an infoset are enough", name, "ICFR", 1, 2.0, 1.0)
            for name in list(STORAGE_GAMES)[1:]
        ),
    ),
    "Theorem 4: CFR with instant updates needs 2 numbers for each action of an infoset and, while it walks, one more "
    "(two with simultaneous updates) for the actions on a single way through the game. The numbers stored from one "
    "iteration to the next are drawn; the memory of a walk besides them is counted in bytes, with the tables of the "
    "game. Hold'em is walked a board at a time, so that on a river the walk's numbers are those of the whole tree. "
    "The general form of games keeps the strategy, too, so that it is not drawn again: 3 numbers, with and without.",
    drawing="dots",
    section="theorem 4",
)  # fmt: skip

CHOICES = (SWEEP, SPACE)
