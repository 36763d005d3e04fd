"""Everything that can run on other machines, once and small; as a program, it prints its numbers.

python -m cluster.remote_numbers ADDRESS FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import zerosum
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.workers import Workers
from zerosum.papers.catalogue import FIGURES
from zerosum.papers.curve_job import open_curve_store
from zerosum.papers.figure import FigureLimits
from zerosum.papers.problems import ProblemCache
from zerosum.papers.reproduction import reproduce


def numbers(on: str | None, out: Path) -> dict[str, Any]:
    """A sweep, seeds, a report, a figure and a solve that two machines share, on a cluster or here."""
    sizes: Any = {"bets": "100%,allin", "raises": "allin"}
    spot = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA,KK,QJs", "QQ,JJ,T9s", **sizes)
    sweep = zerosum.sweep(["kuhn"], "dcfr({alpha}, 0, 2)", {"alpha": [1, 2]}, iterations=50, out=out / "sweep", on=on)
    seeds = zerosum.repeat("kuhn", "mccfr", seeds=2, iterations=50, out=out / "seeds", on=on)
    report = zerosum.report(spot, vary={"stack": ["150"]}, iterations=5, out=out / "report", on=on)
    shared = zerosum.solve(spot, "dcfr", iterations=5, out=out / "run", on=on, machines=None if on is None else 2)
    return {
        "sweep": [row.exploitability for row in sweep.rows],
        "seeds": seeds.reached,
        "report": [(row["name"], row["ev_oop"], row["frequencies"]) for row in report.rows.to_rows()],
        "figure": _figure(on, out),
        "solve": [(p.iteration, p.exploitability, p.value) for p in shared.curve][-1],
        "strategy": shared.at("check").frequency.tolist(),
    }


def _figure(on: str | None, out: Path) -> Any:
    from zerosum.cluster.executor import RayExecutor

    runner = JobRunner(Workers(None if on is None else RayExecutor(on)), open_curve_store(out / "curves"))
    limits = FigureLimits(iterations=5, nodes=500, repeats=1)
    return next(reproduce([FIGURES["ecfr-4"]], "quick", runner, ProblemCache(), limits)).to_csv()


if __name__ == "__main__":
    print(json.dumps(numbers(sys.argv[1], Path(sys.argv[2]))))
