"""Measure an iteration of other algorithms on hold'em spots, in iterations of DCFR: one thread, in turns.

python benchmarks/rules.py --data FOLDER               # the folder with subgame1.txt .. subgame4.txt
python benchmarks/rules.py --spots turn nh-dcfr        # some spots, some algorithms
"""

from __future__ import annotations

import argparse
import json
import statistics

import zerosum
from holdem import solver_of, spots
from machine import Contestant, describe_machine, interleave, ratio, table

NAMES = ["cfr+", "pcfr+", "nh-dcfr", "trm-lcfr(1.005, 0.995)", "ecfr", "hedge", "oftrl"]
LARGEST = 10_000_000
"""Spots with more infoset-actions are left out."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithms", nargs="*", default=NAMES)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds a spot and contestant")
    options = parser.parse_args()
    print(json.dumps(describe_machine(), indent=1))
    rows = []
    for name, spot in spots(options.data):
        if options.spots not in name or name.startswith("flop"):
            continue
        problem = zerosum.problem(spot)
        actions = sum(problem.build_form().store)
        if actions > LARGEST:
            continue
        names = ["dcfr", *options.algorithms]
        solvers = {algorithm: solver_of(problem, algorithm) for algorithm in names}
        for solver in solvers.values():
            solver.run(5)
        samples = interleave(
            [Contestant(algorithm, solver.run) for algorithm, solver in solvers.items()], options.seconds
        )
        nanoseconds = statistics.median(samples["dcfr"]) / actions * 1e9
        ratios = [f"{ratio(samples[algorithm], samples['dcfr']):.1f}" for algorithm in options.algorithms]
        rows.append([name, f"{actions:,}", f"{nanoseconds:.2f}", *ratios])
    print(table(["spot", "infoset-actions", "dcfr, ns", *options.algorithms], rows))


if __name__ == "__main__":
    main()
