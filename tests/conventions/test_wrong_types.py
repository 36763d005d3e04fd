"""Every public function, called with arguments of wrong types, accepts them or answers with a message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import zerosum
from zerosum import public

KUHN = zerosum.compile_game(zerosum.game("kuhn"))
PLANS = tuple(treeplex.uniform_plan() for treeplex in KUHN.treeplexes)
SOLVED = zerosum.solve(KUHN, iterations=2)
WRONG: tuple[Any, ...] = (2.5, 10**400, "\0", b"x", [1], {1: 2}, object())
NONE: dict[str, Any] = {}
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "Algorithm": ((), {"name": "w", "accumulate": zerosum.Discount(), "average": zerosum.Power(1)}),
    "Discount": ((1.5, 0.0), NONE),
    "Exponential": ((-1.0, 0, 2), {"scale": 1.0}),
    "ExternalSampling": ((), {"period": 1e7, "initial": None}),
    "OutcomeSampling": ((), {"period": 1e7, "explore": 0.6, "baseline": None}),
    "Power": ((2,), NONE),
    "RegretMatching": ((1.0,), NONE),
    "Run": ((zerosum.problem(KUHN), zerosum.algorithm("cfr"), None), NONE),
    "RulesSampler": ((zerosum.game("kuhn"), "mccfr"), {"seed": 0}),
    "HistorySampler": ((KUHN, "mccfr"), {"seed": 0}),
    "Solver": ((KUHN, "cfr", 5), {"start_seed": None, "threads": None, "fixed": None}),
    "Theory": ((), {"kappa": 1.0, "factor": 1.0, "unit": 1.0}),
    "Workers": ((), {"executor": None, "count": None, "threads": None, "progress": None}),
    "algorithm": (("cfr",), NONE),
    "best_response": ((KUHN.treeplexes[0], KUHN.gradients(*PLANS)[0]), {"fixed": None}),
    "compare": ((KUHN, ["cfr"]), {"iterations": 2}),
    "compile_game": ((zerosum.game("kuhn"),), {"progress": None}),
    "curve_frame": ((SOLVED,), NONE),
    "diff": ((SOLVED, SOLVED), NONE),
    "equilibrium": ((KUHN,), {"fixed": (None, None)}),
    "estimate": ((KUHN, "cfr"), NONE),
    "evaluate": ((KUHN, *PLANS), {"fixed": (None, None)}),
    "exploit": ((KUHN, SOLVED), {"worst": 1, "fill": None}),
    "export": ((SOLVED, "csv", "strategy.csv"), {"streets": None}),
    "game": (("kuhn",), NONE),
    "head_to_head": ((KUHN, SOLVED, SOLVED), {"fill": None}),
    "load": (("run.zs",), NONE),
    "open_run": (("run.zs",), {"iterations": "+1", "algorithm": None}),
    "plot": (([],), {"ax": None, "x": None}),
    "problem": ((KUHN,), {"refine": False, "locks": None}),
    "read_strategy": (("run.zs",), NONE),
    "repeat": ((KUHN, "mccfr"), {"seeds": 1, "nodes": 20, "progress": None}),
    "report": (("spot:river",), {"by": "card"}),
    "resume": (("run.zs",), {"iterations": "+1", "until": None, "seconds": None, "nodes": None, "threads": None}),
    "rule": ((lambda t, instant, regret, strategy, memory: None,), {"memory": 0, "average": None}),
    "solve": ((KUHN, "cfr"), {"iterations": 2, "until": None, "seconds": None, "nodes": None, "threads": None,
                              "seed": None, "start_seed": None, "start_from": None, "start_weight": 1.0, "fill": None,
                              "refine": False, "by_rules": False, "half": False, "folder": None, "streets": None,
                              "locks": None, "unlocked": None, "progress": None, "evaluated": None, "out": None}),
    "start": ((KUHN, "cfr"), {"iterations": 2}),
    "sweep": (("kuhn", "dcfr({a})", {"a": [1]}), {"iterations": 2, "progress": None}),
    "to_latex": (([SOLVED],), NONE),
    "write_game": (("kuhn", "game.efg"), NONE),
}  # fmt: skip
"""A good call of each."""


def is_function(name: str) -> bool:
    value = getattr(public, name)
    return callable(value) and not isinstance(value, type) and not name.startswith("_")


def test_every_function_has_a_call() -> None:
    assert {name for name in vars(public) if is_function(name)} <= set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_wrong_types_get_a_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    zerosum.solve(KUHN, iterations=2, out="run.zs")
    values, options = CALLS[name]
    calls = [((*values[:k], wrong, *values[k + 1 :]), options) for k in range(len(values)) for wrong in WRONG]
    calls += [(values, {**options, key: wrong}) for key in options for wrong in WRONG]
    for arguments, named in calls:
        try:
            getattr(zerosum, name)(*arguments, **named)
        except zerosum.ZerosumError as error:
            assert "\n" not in str(error)
