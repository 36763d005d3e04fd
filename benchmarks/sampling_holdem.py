"""Measure sampled walks with dealt hands on hold'em rivers: nodes a second and core, and the gain of discounting.

    python benchmarks/sampling_holdem.py --data FOLDER              # the folder with subgame3.txt and subgame4.txt
    python benchmarks/sampling_holdem.py --data FOLDER --nodes 1e8 --seeds 2 --json sampled.json

The claim of the dcfr paper (figures 10 and 11): linear MCCFR is below MCCFR at equal nodes touched, the margin being
larger on subgame 3.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import zerosum
from machine import describe_machine, table, verdict, walked
from zerosum.engine.limits import Limits
from zerosum.problems.start import Start

SUBGAMES = (3, 4)
SAMPLERS = ("mccfr", "linear-mccfr", "os-mccfr", "vr-mccfr", "cs-cfr")
CONTEST = ("mccfr", "linear-mccfr", "initial-discount-mccfr")
TARGET = 20e6
"""Nodes touched a second and core, external sampling on subgame 3."""


def speeds(number: int, problem: zerosum.Problem, seconds: float) -> list[dict[str, Any]]:
    """Return the nodes a second of every sampler, with one seed and with two seeds side by side."""
    rows = []
    limits = Limits(iterations=10**12, threads=1)
    for name in SAMPLERS:
        solvers = [problem.build_solver(zerosum.algorithm(name), limits, Start(seed)) for seed in (0, 1)]
        for solver in solvers:
            solver.load_kernels()
            solver.run(10**9, 10**6)
        alone = walked(solvers[0], seconds)
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(lambda solver: walked(solver, seconds), solvers))
        rows.append({
            "subgame": number,
            "algorithm": name,
            "nodes_per_second": alone.nodes / alone.seconds,
            "nodes_per_processor_second": alone.nodes / alone.processor,
            "two_seeds_nodes_per_second": sum(walk.nodes / walk.seconds for walk in both),
            "nodes_per_walk": (solvers[0].nodes or 0) / (2 * solvers[0].iteration),
        })  # fmt: skip
    return rows


def contest(number: int, problem: zerosum.Problem, nodes: int, seeds: int) -> list[dict[str, Any]]:
    """The mean exploitability of the discounted versions at equal nodes touched."""
    rows = []
    for name in CONTEST:
        runs = zerosum.repeat(problem, name, seeds=seeds, nodes=nodes)
        curve = [(point.nodes, point.exploitability) for point in runs.curve]
        rows.append({
            "subgame": number,
            "algorithm": name,
            "seeds": seeds,
            "nodes": runs.nodes,
            "exploitability": runs.exploitability,
            "low": runs.low,
            "high": runs.high,
            "value": runs.value,
            "curve": curve,
        })  # fmt: skip
    return rows


def show(fast: list[dict[str, Any]], reached: list[dict[str, Any]]) -> None:
    """The tables."""
    rows = [
        [
            f"subgame {row['subgame']}",
            row["algorithm"],
            f"{row['nodes_per_walk']:.1f}",
            f"{row['nodes_per_second'] / 1e6:.1f}",
            f"{row['nodes_per_processor_second'] / 1e6:.1f}",
            f"{row['two_seeds_nodes_per_second'] / 1e6:.1f}",
        ]
        for row in fast
    ]
    print(table(["spot", "algorithm", "nodes/walk", "million nodes/s", "of processor time", "two seeds"], rows))
    first = fast[0]["nodes_per_processor_second"]
    print(f"\nexternal sampling on subgame 3, at least {TARGET / 1e6:g} million a core: {verdict(first >= TARGET)}\n")
    rows = [
        [
            f"subgame {row['subgame']}",
            row["algorithm"],
            f"{row['nodes']:.3g}",
            f"{row['exploitability']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            f"{row['value']:.3f}",
        ]
        for row in reached
    ]
    print(table(["spot", "algorithm", "nodes", "exploitability (chips)", "95% of the mean", "value"], rows))
    results = {(row["subgame"], row["algorithm"]): row["exploitability"] for row in reached}
    margins = {number: results[number, "mccfr"] / results[number, "linear-mccfr"] for number in SUBGAMES}
    print(f"\nMCCFR over linear MCCFR: {margins[3]:.2f} on subgame 3, {margins[4]:.2f} on subgame 4")
    print(f"linear below plain on both, more so on 3: {verdict(margins[3] > margins[4] > 1.0)}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the folder of the Libratus endgames")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement of speed")
    parser.add_argument("--nodes", type=float, default=1e9)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    machine = describe_machine()
    print(machine)
    problems = {number: zerosum.problem(f"libratus:{number}", folder=options.data) for number in SUBGAMES}
    fast = [row for number, problem in problems.items() for row in speeds(number, problem, options.seconds)]
    reached = [
        row
        for number, problem in problems.items()
        for row in contest(number, problem, int(options.nodes), options.seeds)
    ]
    show(fast, reached)
    if options.json is not None:
        options.json.write_text(json.dumps({"machine": machine, "speed": fast, "reached": reached}, indent=1))


if __name__ == "__main__":
    main()
