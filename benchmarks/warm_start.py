"""Starting a run from a strategy: exploitability on Leduc after 300, 3,000 and 30,000 iterations.

python benchmarks/warm_start.py
"""

from __future__ import annotations

import zerosum

ITERATIONS = (300, 3_000, 30_000)


def main() -> None:
    """Run three algorithms from nothing, from a good strategy and from one that always takes the first action."""
    good = zerosum.solve("leduc", "dcfr", iterations=500)
    assert isinstance(good, zerosum.GameResult)
    poor = {decision.infoset: {next(iter(decision.actions)): 1.0} for decision in good.decisions}
    for algorithm in ("cfr", "cfr+", "dcfr"):
        for name, start in (("none", None), ("dcfr after 500 iterations", good), ("poor", poor)):
            runs = [zerosum.solve("leduc", algorithm, iterations=n, start_from=start) for n in ITERATIONS]
            print(f"{algorithm:5} {name:26}" + "".join(f"{run.exploitability:10.1e}" for run in runs))


if __name__ == "__main__":
    main()
