"""Regenerates the figures of sampled walks: against OpenSpiel's C++ external sampling, and nodes touched a second.

python benchmarks/sampling.py [--json FILE] [--seconds-per-contestant S]
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyspiel

import zerosum
from machine import Contestant, describe_machine, interleave, ratio, table, verdict, walked
from zerosum.engine.limits import Limits

SECONDS = 6.0
GAMES = {"leduc": "leduc_poker", "liars-dice(sides=6)": "liars_dice"}
"""The same game by zerosum's name and by OpenSpiel's."""
SAMPLERS = ("mccfr", "linear-mccfr", "os-mccfr", "vr-mccfr", "cs-cfr")
TARGET = 10.0
WITHOUT_END = Limits(iterations=10**12, threads=1)
CHECKED_AFTER = 2000
"""Iterations after which both must have come equally far."""


def race(name: str, problem: zerosum.Problem, seconds: float) -> dict[str, Any]:
    """An iteration of external sampling, a walk for each player, on one thread each and in turns."""
    ours = problem.build_solver(zerosum.algorithm("mccfr"), WITHOUT_END)
    theirs = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game(GAMES[name]), seed=0)
    ours.load_kernels()

    def openspiel(iterations: int) -> None:
        for _ in range(iterations):
            theirs.run_iteration()

    samples = interleave([Contestant("zerosum", ours.run), Contestant("openspiel", openspiel)], seconds)
    us, them = samples["zerosum"], samples["openspiel"]
    times = ratio(them, us)
    return {
        "game": name,
        "zerosum_iterations": 1 / statistics.median(us),
        "openspiel_iterations": 1 / statistics.median(them),
        "ratio": times,
        "verdict": verdict(times >= TARGET),
        "check": check(name, problem),
    }


def check(name: str, problem: zerosum.Problem) -> dict[str, float]:
    """The exploitability of both after the same number of iterations, mean of four seeds."""
    game = pyspiel.load_game(GAMES[name])
    theirs = []
    for seed in range(4):
        solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=seed)
        for _ in range(CHECKED_AFTER):
            solver.run_iteration()
        theirs.append(pyspiel.exploitability(game, solver.average_policy()))
    ours = zerosum.repeat(problem, "mccfr", seeds=4, iterations=CHECKED_AFTER)
    return {"zerosum": ours.exploitability, "openspiel": statistics.mean(theirs)}


def speeds(problem: zerosum.Problem, seconds: float) -> list[dict[str, Any]]:
    """Nodes touched and iterations a second of every sampler, on one thread, by the processor's time."""
    rows = []
    for name in SAMPLERS:
        solver = problem.build_solver(zerosum.algorithm(name), WITHOUT_END)
        solver.run(10)
        walk = walked(solver, seconds)
        rows.append({
            "game": problem.name,
            "algorithm": name,
            "nodes": walk.nodes / walk.processor,
            "iterations": walk.iterations / walk.processor,
        })  # fmt: skip
    return rows


def show(report: dict[str, Any]) -> str:
    """The tables."""
    races = [
        [
            row["game"],
            f"{row['zerosum_iterations']:,.0f}",
            f"{row['openspiel_iterations']:,.0f}",
            f"{row['ratio']:.0f}",
            row["verdict"],
            f"{row['check']['zerosum']:.3g}",
            f"{row['check']['openspiel']:.3g}",
        ]
        for row in report["races"]
    ]
    head = ("game", "zerosum it/s", "OpenSpiel it/s", "x", "", f"zerosum after {CHECKED_AFTER}", "OpenSpiel")
    speeds = [
        [row["game"], row["algorithm"], f"{row['nodes'] / 1e6:.1f}", f"{row['iterations']:,.0f}"]
        for row in report["speeds"]
    ]
    return _section("External sampling, one thread", head, races) + _section(
        "Every sampler, one thread", ("game", "algorithm", "million nodes/s", "iterations/s"), speeds
    )


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return f"\n## {title}\n\n{table(head, rows)}\n"


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to a file")
    parser.add_argument("--seconds-per-contestant", type=float, default=SECONDS, metavar="S", help=f"{SECONDS:g}")
    options = parser.parse_args()
    report: dict[str, Any] = {"machine": describe_machine(), "races": [], "speeds": []}
    machine = report["machine"]
    print(f"{machine['date']}, commit {machine['commit']}, {machine['processor']}, load {machine['load_at_start']}")
    for name in GAMES:
        problem = zerosum.problem(name)
        problem.build_form(sampled=True)
        report["races"].append(race(name, problem, options.seconds_per_contestant))
        report["speeds"] += speeds(problem, options.seconds_per_contestant / 3)
    print(show(report))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
