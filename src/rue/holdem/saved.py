"""Solved spots of earlier versions: a zip of `result.json` and the average strategies of both players as numpy arrays.

They are read and no longer written: compressing the noise of float32 took longer than solving. `result.json` has the
spot, in the words of a spot's file, and the numbers and the curve of the run. Runs of today are in `rue.runs`.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.holdem.estimate import estimate
from rue.holdem.files import from_mapping
from rue.holdem.form import public_tree
from rue.holdem.solution import Solution
from rue.holdem.solve import HoldemResult
from rue.result import Point
from rue.solvers.public_solver import PublicSolver

FORMAT, FORMAT_VERSION = "rue-holdem", 1
NUMBERS = ("iterations", "seconds", "exploitability", "nash_conv", "value", "equity", "infosets", "sequences", "bytes")
LOOKING = "cfr"
"""An algorithm that stores no more than averages need: a solution that was read is looked at, not solved on."""
TEXTS = ("game", "algorithm", "stopped", "rue")


def load(path: str | Path) -> HoldemResult:
    """Read a run or a result on a spot, of this version or of an earlier one; all else is refused with a sentence."""
    from rue.runs.resume import load as load_any

    found = load_any(path)
    if not isinstance(found, HoldemResult):
        raise RueError(f"{path} holds {found.game}, not a hold'em spot: rue.load reads it")
    return found


def load_zip(path: Path) -> HoldemResult:
    """Read a result that an earlier version saved; anything else is refused with a sentence."""
    try:
        with zipfile.ZipFile(path) as archive:
            content = json.loads(archive.read("result.json"))
            _check_format(content, path)
            stored = [_array(archive, player) for player in (0, 1)]
    except OSError as error:
        raise RueError(f"cannot read {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zipfile.zlib.error, KeyError, EOFError, RecursionError):  # type: ignore[attr-defined]
        raise RueError(f"{path} is not a saved hold'em result, or is damaged") from None
    except ValueError as error:
        raise error if isinstance(error, RueError) else RueError(f"{path} is damaged: {error}") from None
    try:
        return _result(content, stored)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RueError(f"{path} cannot be used: {error}") from None


def layout(tree: PublicTree) -> str:
    """A fingerprint of the order in which a tree is stored."""
    form = tree.form
    digest = hashlib.sha256()
    for table in (form.choices, form.bundles, form.places, form.boards, form.cards):
        digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()[:16]


def _check_format(content: Any, path: str | Path) -> None:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RueError(f"{path} is not a saved hold'em result")
    if content.get("version") != FORMAT_VERSION:
        raise RueError(f"{path} has format version {content.get('version')}, this rue reads {FORMAT_VERSION}")


def _array(archive: zipfile.ZipFile, player: int) -> Any:
    with archive.open(f"average{player}.npy") as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _result(content: dict[str, Any], stored: list[Any]) -> HoldemResult:
    spot = from_mapping(content["spot"])
    for key in NUMBERS:
        if isinstance(content[key], bool) or not isinstance(content[key], int | float):
            raise ValueError(f"{key} is not a number")
    if not all(isinstance(content[key], str) for key in TEXTS):
        raise ValueError("a name is missing")
    isomorphism = bool(content["isomorphism"])
    algorithm = named_algorithm(LOOKING)
    estimate(spot, algorithm, isomorphism=isomorphism).check()
    tree = public_tree(spot, isomorphism)
    if layout(tree) != content["layout"]:
        raise RueError(f"it was stored by rue {content['rue']} in an order that this rue does not know")
    solver = PublicSolver(tree, algorithm, max(1, int(content["iterations"])))
    for average, read in zip(solver.averages(), stored, strict=True):
        if read.shape != average.shape or not np.isfinite(read).all() or (read < 0).any():
            raise ValueError("its strategies do not fit the spot")
        average[:] = read
    solver.iteration = int(content["iterations"])
    return HoldemResult(
        **{key: content[key] for key in (*NUMBERS, *TEXTS)},
        exploitability_pot=content["exploitability"] / spot.pot,
        exploitability_mbb=content["exploitability"] / spot.big_blind * 1000,
        curve=tuple(Point(**point) for point in content["curve"]),
        solution=Solution(spot, solver),
        nodes=content.get("nodes"),
        seed=content.get("seed"),
    )
