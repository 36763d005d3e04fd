"""Count the iterations of the default algorithm to 0.5% of the pot on random spots.

python benchmarks/reaching.py --spots 40             # rivers and turns, a minute or two
python benchmarks/reaching.py --streets flop --spots 12 --json reaching.json

`zerosum estimate` derives times from the figures: TO_HALF_A_PERCENT and APART in src/zerosum/holdem/engine/estimate.py.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
from pathlib import Path
from typing import Any

import zerosum
from zerosum.holdem.cards.cards import STREETS, format_cards
from zerosum.holdem.solution.result import SpotResult
from zerosum.problems.problem import Problem
from zerosum.problems.registry import problem

LARGEST = 2e7
"""Infoset-actions of a spot."""


def draw_random_spot(rng: random.Random, street: str) -> Problem | None:
    """A spot with random cards, ranges, stacks and sizes; None if that cannot be, or is too large."""
    cards = rng.sample(range(52), 3 + STREETS.index(street))
    wide = (5, 8, 12) if street == "flop" else (10, 20, 35, 50)
    sizes = ("33%", "50%", "75%") if street == "flop" else ("50%", "75%", "33%,75%", "33%,75%,150%")
    stack = 100 * rng.choice((0.5, 1, 2, 4, 8, 16, 32))
    ranges = [f"{rng.choice(wide)}%" for _ in range(2)]
    bets, raises = rng.choice(sizes), rng.choice(("60%", "allin", "50%,100%"))
    try:
        candidate = problem(zerosum.holdem.spot(format_cards(cards), 100, stack, *ranges, bets, raises, minimum=1))
        size = candidate.estimate(candidate.resolve_algorithm(None))
    except zerosum.ZerosumError:
        return None
    return candidate if size is not None and size.infoset_actions <= LARGEST else None


def taken(spot_problem: Problem) -> dict[str, Any]:
    """The iterations of a spot, and how deep it is."""
    result = zerosum.solve(spot_problem, until="0.5%", iterations=5000)
    assert isinstance(result, SpotResult)
    return {
        "spot": str(result.spot),
        "depth": result.spot.stack / result.spot.pot,
        "infoset_actions": result.sequences,
        "iterations": result.iterations,
        "reached": result.stopped == "until",
    }


def main() -> None:
    """Solve spots, and print the mean of each street and how far single spots are from it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streets", nargs="+", default=["river", "turn"], choices=STREETS)
    parser.add_argument("--spots", type=int, default=20, help="the number on each street")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="keep every spot in a file")
    options = parser.parse_args()
    report: dict[str, list[dict[str, Any]]] = {}
    for street in options.streets:
        rng, rows = random.Random(options.seed), report.setdefault(street, [])
        while len(rows) < options.spots:
            candidate = draw_random_spot(rng, street)
            if candidate is not None:
                rows.append(taken(candidate))
                print(f"{rows[-1]['spot']}: {rows[-1]['iterations']} iterations", file=sys.stderr, flush=True)
        scaled = sorted(row["iterations"] / math.sqrt(1 + row["depth"]) for row in rows)
        mean = math.exp(statistics.fmean(map(math.log, scaled)))
        inside = sum(0.5 <= value / mean <= 2 for value in scaled)
        ends = f"{scaled[0] / mean:.2f} to {scaled[-1] / mean:.2f} times that"
        print(f"{street}: {mean:.1f} sqrt(1 + stack / pot); {inside} of {len(rows)} within half and twice, all {ends}")
        if options.json is not None:
            options.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
