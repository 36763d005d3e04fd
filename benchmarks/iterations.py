"""What saves iterations on hold'em spots: how many each algorithm needs to 0.5% and to 0.1% of the pot.

    python benchmarks/iterations.py --data FOLDER                     # the algorithms of the table
    python benchmarks/iterations.py --spots river "dcfr(1, 0.5, 4)"   # spots whose name contains a word, another rule

Iterations are counted, not seconds, so that other work on the machine changes nothing. Play is judged after every
iteration at first, then whenever the run is 3% longer. `--starts` counts what a start from a solution saves.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import zerosum
from holdem import spots
from machine import table
from zerosum.engine.limits import Limits
from zerosum.engine.solver import BaseSolver

GOALS = (0.5, 0.1)
"""In % of the pot."""
LONGEST = 1500
HELD_OUT = [
    *(f"deepstack:river-{kind}:{number}" for kind in ("5k", "500") for number in range(3)),
    *("deepstack:turn-5k:0", "spot:river", "spot:turn"),
]
"""Spots that had no part in the choice of the default."""
ALGORITHMS = [
    *(f"dcfr({numbers}, 4)" for numbers in ("1.25, 0.5", "1, 0.5", "1.1, 0.5", "1.15, 0.5", "1.25, 0.25", "1.25, 1")),
    *("dcfr(1.25, 0.5, 6)", "dcfr(1.25, 0.5, 8)", "dcfr"),
]
WEIGHTS = (1.0, 10.0, 100.0)
"""How many iterations a start is trusted like."""


def restarted(t: int) -> float:
    """The weight t^3 of an average that starts anew at each power of 4, as postflop-solver does it."""
    return (t - 4.0 ** math.floor(math.log(t, 4.0)) + 1.0) ** 3


RESTARTS = {
    "dcfr(1.5, 0), average restarted": zerosum.Algorithm(
        "r", accumulate=zerosum.Discount(1.5, 0.0), average=zerosum.Weighted(restarted)
    ),
    "dcfr(1.25, 0.5), average restarted": zerosum.Algorithm(
        "r", accumulate=zerosum.Discount(1.25, 0.5), average=zerosum.Weighted(restarted)
    ),
}


def problems(folder: str | None, word: str) -> Iterator[tuple[str, zerosum.Problem]]:
    """The spots, without the two that take longest."""
    for name, spot in spots(folder):
        if word in name and name not in ("subgame 1", "flop Td9d6h"):
            yield name, zerosum.problem(spot)
    for name in HELD_OUT:
        if word in name:
            yield name, zerosum.problem(name)


def needed(problem: zerosum.Problem, algorithm: zerosum.Algorithm) -> str:
    """The iterations to each goal."""
    solver = problem.build_solver(algorithm, Limits(iterations=LONGEST, threads=1))
    assert isinstance(solver, BaseSolver)
    reached: list[str] = []
    while solver.iteration < LONGEST and len(reached) < len(GOALS):
        solver.run(max(1, int(solver.iteration * 0.03)))
        judged = solver.evaluate()
        assert judged is not None
        left = GOALS[len(reached) :]
        reached += [
            str(solver.iteration)
            for goal in left
            if judged.exploitability <= (problem.unit.parse_target(f"{goal}%") or 0.0)
        ]
    return " / ".join(reached + ["-"] * (len(GOALS) - len(reached)))


def starts(name: str) -> list[str]:
    """Iterations to 0.1% of the pot, to 0.5%, and from the latter to the former as a start of so much weight."""
    half = zerosum.solve(name, until="0.5%", threads=1)
    cells = [zerosum.solve(name, until="0.1%", threads=1).iterations, half.iterations]
    for weight in WEIGHTS:
        cells.append(zerosum.solve(name, until="0.1%", threads=1, start_from=half, start_weight=weight).iterations)
    return [name, *map(str, cells)]


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithms", nargs="*", help="those of the table by default")
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    parser.add_argument("--starts", action="store_true", help="count what starts save instead")
    options = parser.parse_args()
    if options.starts:
        rows = [starts(name) for name in HELD_OUT if options.spots in name]
        print(table(["spot", "0.1%", "0.5%", *(f"weight {weight:g}" for weight in WEIGHTS)], rows))
        return
    chosen = {name: zerosum.algorithm(name) for name in options.algorithms or ALGORITHMS}
    chosen |= {} if options.algorithms else RESTARTS
    selected = list(problems(options.data, options.spots))
    rows = []
    for name, algorithm in chosen.items():
        rows.append([name, *(needed(problem, algorithm) for _, problem in selected)])
        print(" | ".join(rows[-1]), flush=True)
    print(table(["algorithm", *(name for name, _ in selected)], rows))


if __name__ == "__main__":
    main()
