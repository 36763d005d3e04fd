"""Which algorithm to pick for hold'em: seconds to 0.5% and to 0.1% of the pot, for every algorithm on every spot.

    python benchmarks/pick.py --data FOLDER --json pick.json      # goes on where it stopped
    python benchmarks/pick.py --json pick.json --spots flop       # one spot; two may run side by side into one file
    python benchmarks/pick.py --json pick.json --show             # only prints the table

Only the iterations are timed, on one thread, in seconds of that thread, so that other programs on the machine matter
little; the exploitability is evaluated every 8% of the run where a goal is near. A run that takes longer than its spot
allows, or is above 2.5% of the pot after a third of that, is given up and shown with what it reached. Sampled
algorithms have a separate script.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zerosum
from holdem import spots
from machine import describe_machine, table
from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.engine.limits import Limits

GOALS = (0.005, 0.001)
COMBINED = ("nh-dcfr", "optimistic-lcfr", "optimistic-dcfr", "trm-lcfr(1.005, 0.995)", "trm-dcfr(1.005, 0.995)")
"""Prefixed names that the papers use or that promise something."""
PARAMETERS = ("dcfr(1.5, 0, 4)", "dcfr(1.5, 0.5, 4)", "dcfr(1.25, 0.5, 4)")
"""Other parameters of DCFR, found on small spots."""
STEP_SIZES = ("ftrl(tuned, factor=1e6)", "oftrl(tuned, factor=1e6)", "oftrl(theory)")
ALLOWED = {"subgame 4": 8, "subgame 3": 8, "subgame 2": 16, "turn Td9d6hQc": 8, "subgame 1": 120, "flop Td9d6h": 240}
"""Seconds a run may take."""
HOPELESS = 0.025
"""A run above this part of the pot after a third of its time is given up."""
NEAREST, FARTHEST = 1 / 12, 1 / 2
"""Iterations between two evaluations of the exploitability, as a share of those before."""
HORIZON = {"flop Td9d6h": 250}
"""Iterations that schedules are laid out for; 1000 on the other spots."""


def names() -> list[str]:
    """Every algorithm that walks the whole tree."""
    plain = [name for name in ALGORITHMS if zerosum.algorithm(name).sampling is None and name not in ("ftrl", "oftrl")]
    return [*plain, *PARAMETERS, *COMBINED, *STEP_SIZES]


def race(problem: zerosum.Problem, name: str, allowed: float, horizon: int) -> dict[str, Any]:
    """Iterate until the last goal or the time allowed; seconds and iterations to each goal."""
    algorithm = zerosum.algorithm(name)
    share = problem.unit.plot_measure.factor / 100
    solver = problem.build_solver(
        algorithm, Limits(iterations=horizon if algorithm.needs_horizon else 10**9, threads=1)
    )
    solver.load_kernels()
    spent, last = 0.0, 1.0
    reached: dict[str, Any] = {}
    while spent < allowed and len(reached) < len(GOALS):
        count = max(1, round(solver.iteration * until_look(last, reached)))
        if spent:
            count = min(count, 1 + int((allowed / spent - 1.0) * solver.iteration))
        if algorithm.needs_horizon:
            count = min(count, horizon - solver.iteration)
            if count == 0:
                break
        began = time.process_time()
        solver.run(count)
        spent += time.process_time() - began
        last = solver.evaluate().exploitability * share  # type: ignore[union-attr]
        for goal in GOALS:
            if last <= goal and str(goal) not in reached:
                reached[str(goal)] = {"seconds": spent, "iterations": solver.iteration}
        if not last <= HOPELESS and spent > allowed / 3:
            break
    return {"reached": reached, "seconds": spent, "iterations": solver.iteration, "exploitability": last}


def until_look(last: float, reached: dict[str, Any]) -> float:
    """Return the iterations until the next evaluation, as a share of those done: exploitability falls as t^-2."""
    goal = next(goal for goal in GOALS if str(goal) not in reached)
    return float(min(FARTHEST, max(NEAREST, (last / goal) ** 0.5 - 1.0)))


def run(folder: str | None, path: Path, wanted: str, minutes: float) -> None:
    """Race the algorithms missing in the file, spot by spot, and write after each run."""
    until = time.monotonic() + 60 * minutes
    for name, spot in spots(folder):
        if wanted not in name:
            continue
        problem = zerosum.problem(spot)
        for text in _order(read(path)["runs"]):
            if text in read(path)["runs"].get(name, {}) or time.monotonic() > until:
                continue
            row = race(problem, text, ALLOWED[name], HORIZON.get(name, 1000))
            done = read(path)
            done["runs"].setdefault(name, {})[text] = row
            path.write_text(json.dumps(done, indent=1))
            print(
                f"{name:16}{text:28}{row['exploitability']:.4%} after {row['iterations']} in {row['seconds']:.1f} s",
                flush=True,
            )


def read(path: Path) -> dict[str, Any]:
    """What the file holds, or the machine and no run."""
    return json.loads(path.read_text()) if path.exists() else {"machine": describe_machine(), "runs": {}}


def _order(runs: dict[str, Any]) -> list[str]:
    """Names, the most promising first: by the spots on which they reached the last goal, then by their time there."""

    def merit(name: str) -> tuple[int, float]:
        goals = [spot[name]["reached"].get(str(GOALS[-1])) for spot in runs.values() if name in spot]
        times = [goal["seconds"] for goal in goals if goal]
        return -len(times), sum(times)

    return sorted(names(), key=merit)


def columns(runs: dict[str, Any]) -> list[str]:
    """Return the spots, in the order of their time limits."""
    return sorted(runs, key=lambda name: ALLOWED[name])


def cells(runs: dict[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each algorithm: seconds to both goals on each spot, or the exploitability reached."""
    for name in _order(runs):
        row = [name]
        for key in columns(runs):
            spot = runs[key]
            if name not in spot:
                row.append("not run")
                continue
            result = spot[name]
            times = [result["reached"].get(str(goal)) for goal in GOALS]
            texts = [short(goal["seconds"]) if goal else "-" for goal in times]
            row.append(
                " / ".join(texts)
                if times[-1]
                else f"{texts[0]} / {result['exploitability']:.2%} in {short(result['seconds'])}"
            )
        yield row


def short(seconds: float) -> str:
    """Two digits, or whole seconds."""
    return f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}"


def main() -> None:
    """Race and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--json", type=Path, required=True, help="where the figures are kept")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    parser.add_argument("--minutes", type=float, default=180.0, help="start no run after this time")
    parser.add_argument("--show", action="store_true", help="only print what the file holds")
    options = parser.parse_args()
    if not options.show:
        run(options.data, options.json, options.spots, options.minutes)
    done = read(options.json)
    print(json.dumps(done["machine"]))
    print(table(["algorithm", *columns(done["runs"])], list(cells(done["runs"]))))


if __name__ == "__main__":
    main()
