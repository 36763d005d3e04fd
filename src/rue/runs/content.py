"""What a run of each kind of solver consists of, besides the solver's own state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rue.holdem.saved import layout
from rue.runs.tables import arrays_of, fingerprint_of, packed
from rue.solvers.board_solver import BoardSolver
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver
from rue.solvers.rules_solver import RulesSolver
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.solver import Solver

if TYPE_CHECKING:
    from rue.solvers.iterate import Iterating

KINDS: dict[type, str] = {
    Solver: "sequences",
    SampledSolver: "slots",
    BoardSolver: "boards",
    RulesSolver: "rules",
    PublicSolver: "public",
    DealtSolver: "dealt",
    PublicSampler: "sampled boards",
}
GENERAL = ("sequences", "slots", "boards")
HOLDEM = ("public", "dealt", "sampled boards")


def kind_of(solver: Iterating) -> str:
    """What a run with a solver is called in its file."""
    return KINDS[type(solver)]


def fixed(solver: Iterating) -> dict[str, NDArray[Any]]:
    """Arrays that stay the same over the run."""
    if isinstance(solver, Solver | BoardSolver):
        return arrays_of(solver.form)
    if isinstance(solver, SampledSolver):
        assert solver.form.renumber is not None
        order = {f"order{p}": own.astype(np.uint32) for p, own in enumerate(solver.form.renumber)}
        return {**arrays_of(solver.form), **order}
    return {}


def moving(solver: Iterating) -> dict[str, NDArray[Any]]:
    """Arrays that a strategy is read with and that change over the run."""
    if isinstance(solver, BoardSolver):
        one, two = solver.accumulated
        return {"sums0": one, "sums1": two}
    if isinstance(solver, RulesSolver):
        keys = {slot: key for known in solver.table.slots for key, slot in known.items()}
        return {"names": packed([solver.describe(keys[slot]) for slot in solver.table.actions])}
    return {}


def numbers(solver: Iterating, moving: bool = False) -> dict[str, Any]:
    """What a result tells of its game; with `moving`, what changes over the run."""
    if isinstance(solver, RulesSolver):
        table = solver.table
        sizes = {"infosets": table.infosets, "sequences": table.sequences, "bytes": solver.bytes}
        return {"name": solver.form.name, **sizes}
    if moving:
        return {}
    form: Any = solver.form
    found = {"name": form.name, "infosets": form.infosets, "sequences": form.sequences}
    if isinstance(solver, PublicSolver | DealtSolver | PublicSampler):
        return {**found, "layout": layout(form), "bytes": solver.bytes}
    if isinstance(solver, SampledSolver | BoardSolver):
        found["bytes"] = solver.bytes
    return {**found, "fingerprint": fingerprint_of(form)}
