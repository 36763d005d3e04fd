"""A saved run on a hold'em spot, to be looked at: the tree is built again, the strategies are read."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.disk import check_writable
from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.holdem.estimate import estimate
from rue.holdem.files import from_mapping, to_mapping
from rue.holdem.form import public_tree
from rue.holdem.saved import LOOKING, layout
from rue.holdem.solution import Solution
from rue.holdem.solve import HoldemResult
from rue.holdem.spots import Spot
from rue.result import Point
from rue.runs import container
from rue.runs.machine import provenance
from rue.runs.opened import CUT, FORMAT, RUNNING, STRATEGY
from rue.runs.place import is_result
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_solver import PublicSolver

if TYPE_CHECKING:
    from rue.runs.opened import Opened

SAMPLED = ("dealt", "sampled boards")
DEALT = "mccfr"
"""An algorithm that stores what the averages of dealt hands need."""


def spot_of(run: Opened) -> Spot:
    """What was solved."""
    return from_mapping(run.header["spot"])


def tree_of(run: Opened, spot: Spot) -> PublicTree:
    """The tree of the run, as it was stored."""
    tree = public_tree(spot, bool(run.header["isomorphism"]))
    if layout(tree) != run.header["numbers"]["layout"]:
        raise RueError(f"it was stored by rue {run.parts[-1]['rue']} in an order that this rue does not know")
    return tree


def holdem_result(run: Opened) -> HoldemResult:
    """What the run has reached."""
    spot = spot_of(run)
    solver: Any
    if run.kind == CUT:
        from rue.runs.cut import KeptStreets, Resolving

        tree = tree_of(run, spot)
        solution: Solution = Resolving(spot, KeptStreets(run, tree))
    else:
        isomorphism, half = bool(run.header["isomorphism"]), bool(run.header["half"])
        estimate(spot, DEALT if run.kind == "dealt" else LOOKING, isomorphism=isomorphism, half=half).check()
        solver = _looking(run, tree_of(run, spot), half)
        solution = Solution(spot, solver)
    last = run.curve[-1] if run.curve else Point(run.iteration, run.seconds, math.nan, math.nan, math.nan)
    if run.stopped == RUNNING:
        found = solver.evaluate()
        numbers = found.exploitability, found.nash_conv, found.value
        last = Point(run.iteration, run.seconds, *numbers, run.nodes)
    result = HoldemResult.reached(
        solution,
        replace(last, iteration=run.iteration),
        algorithm=str(run.header["algorithm"]["name"]),
        bytes=int(run.header["numbers"]["bytes"]),
        curve=run.curve,
        stopped=run.stopped,
        nodes=run.nodes,
        rue=str(run.parts[-1]["rue"]),
    )
    sampled = run.header.get("was", run.kind) in SAMPLED
    return replace(result, seed=run.seed or 0) if sampled else result


def _looking(run: Opened, tree: PublicTree, half: bool) -> PublicSolver:
    """A solver that holds the averages of the run."""
    if run.kind == "dealt":
        dealt = DealtSolver(tree, named_algorithm(DEALT))
        _fill(dealt.table.average, run.array("average"), half)
        dealt.iteration = run.iteration
        return dealt.judge
    if run.kind not in ("public", "sampled boards", STRATEGY):
        raise ValueError(f"it is of an unknown kind, {run.kind!r}")
    solver = PublicSolver(tree, named_algorithm(LOOKING), max(1, run.iteration), half=half)
    for player, store in enumerate(solver._stores):
        _fill(store.average, run.array(f"average{player}"), half)
    solver.iteration = run.iteration
    return solver


def _fill(average: NDArray[Any], saved: NDArray[Any], half: bool) -> None:
    if saved.shape != average.shape or saved.dtype != average.dtype:
        raise ValueError("its strategies do not fit the spot")
    numbers = saved.view(np.float16) if half else saved
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError("its strategies are not made of chances")
    average[:] = saved


def save_strategy(result: HoldemResult, path: Path) -> None:
    """Write what a run has reached, without what it would need to go on; whole or not at all."""
    solution = result.solution
    if is_result(path):
        raise RueError(f"a hold'em result is saved as a file in .rue, not as {path.name}")
    check_writable(path)
    averages = solution.solver.averages()
    half = averages[0].dtype == np.float16
    header = {
        "format": FORMAT,
        "kind": STRATEGY,
        "was": "public" if result.seed is None else "dealt",
        "spot": to_mapping(result.spot),
        "isomorphism": any(len(board.names) > 1 for board in solution.tree.boards),
        "half": half,
        "streets": None,
        "algorithm": {"name": result.algorithm},
        "limits": {},
        "seed": result.seed,
        "iteration": result.iterations,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "stopped": result.stopped,
        "settled": True,
        "clock": "iterations",
        "curve": [list(asdict(point).values()) for point in result.curve],
        "numbers": {"name": str(result.spot), "layout": layout(solution.tree), "bytes": result.bytes},
        "parts": [{**provenance(), "rue": result.rue, "from": 0, "to": result.iterations}],
    }
    arrays = {f"average{p}": own.view(np.uint16) if half else own for p, own in enumerate(averages)}
    container.write(path, header, arrays)
