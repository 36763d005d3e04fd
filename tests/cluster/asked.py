"""Everything that can be asked of other machines, once and small; run as a program, it tells its numbers.

python -m cluster.asked ADDRESS FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import rue
from rue.papers.catalogue import FIGURES
from rue.papers.figure import Most
from rue.papers.kept import CurveStore
from rue.papers.make import make, table
from rue.papers.work import Work


def numbers(on: str | None, out: Path) -> dict[str, Any]:
    """A sweep, seeds, a report, a figure and a solve that two machines share, on a cluster or here."""
    sizes: Any = {"bets": "100%,allin", "raises": "allin"}
    spot = rue.holdem.spot("Ks 7h 2d 9c", 100, 200, "AA,KK,QJs", "QQ,JJ,T9s", **sizes)
    sweep = rue.sweep(["kuhn"], "dcfr({alpha}, 0, 2)", {"alpha": [1, 2]}, iterations=50, out=out / "sweep", on=on)
    seeds = rue.repeat("kuhn", "mccfr", seeds=2, iterations=50, out=out / "seeds", on=on)
    report = rue.report(spot, vary={"stack": ["150"]}, iterations=5, out=out / "report", on=on)
    shared = rue.solve(spot, "dcfr", iterations=5, out=out / "run", on=on, machines=None if on is None else 2)
    return {
        "sweep": [row.exploitability for row in sweep.rows],
        "seeds": seeds.reached,
        "report": [(row.name, row.ev_oop, row.frequencies) for row in report.rows],
        "figure": _figure(on, out),
        "solve": [(p.iteration, p.exploitability, p.value) for p in shared.curve][-1],
        "strategy": shared.at("check").strategy.tolist(),
    }


def _figure(on: str | None, out: Path) -> Any:
    from rue.cluster.executor import RayExecutor

    work = Work(store=CurveStore(out / "curves"), executor=None if on is None else RayExecutor(on))
    return table(next(make([FIGURES["ecfr-4"]], "quick", work, Most(iterations=5, nodes=500, repeats=1))))


if __name__ == "__main__":
    print(json.dumps(numbers(sys.argv[1], Path(sys.argv[2]))))
