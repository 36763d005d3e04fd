"""The trainings of the page, by run: kept in the folder, a line for each answer, and taken up by the next server."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rue.disk import DAMAGE, from_json, read_at_most, write_atomically
from rue.errors import RueError
from rue.explore.folder import Folder
from rue.results.spot import SpotResult
from rue.views.training import Answer, Training

FOLDER = "trainings"
"""Of the chosen folder."""
LARGEST = 64 << 20
TEXTS = ("board", "player", "hand", "made", "chosen")


class Trainings:
    """A file a run: how the training was begun, then every answer."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._going: dict[str, Training] = {}

    def __contains__(self, key: str) -> bool:
        path = self._path(key)
        return key in self._going or (path.is_file() and not path.is_symlink())

    def get(self, key: str, result: SpotResult) -> Training | None:
        """The training of a run; one of an earlier server goes on with a new hand."""
        if key not in self._going and key in self:
            self._going[key] = _read(self._path(key), result)
        return self._going.get(key)

    def begin(self, key: str, training: Training) -> None:
        """Keep a training instead of the one before it."""
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        about = {"line": list(training.line), "seat": training.seat, "seed": training.seed}
        write_atomically(path, f"{json.dumps(about)}\n".encode())
        self._going[key] = training

    def answered(self, key: str, given: Answer) -> None:
        """Keep an answer."""
        path = self._path(key)
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(asdict(given))}\n")
        except OSError as error:
            raise RueError(f"cannot write {path}: {error.strerror or error}") from None

    def forget(self, key: str) -> None:
        """Delete the training of a run."""
        self._going.pop(key, None)
        self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder.inside(FOLDER) / f"{key}.jsonl"


def _read(path: Path, result: SpotResult) -> Training:
    """A training on the disk; a last line that is not whole is left out."""
    first, *rows = read_at_most(path, LARGEST, "the training").decode("utf-8", "replace").split("\n")
    try:
        about = from_json(first, path)
        line, seat, seed = about["line"], about["seat"], about["seed"]
        answers = [_answer(from_json(row, path)) for row in rows[:-1]]
        known = seat in (0, 1, None) and isinstance(seed, int) and all(isinstance(word, str) for word in line)
    except DAMAGE:
        known = False
    if not known:
        raise RueError(f"{path} is not a training: delete it, or start a new one")
    return Training(result, line, seat, seed, answers)


def _answer(data: dict[str, Any]) -> Answer:
    """An answer as it was kept; what cannot be one raises."""
    found = Answer(**{each.name: _tuple(data[each.name]) for each in fields(Answer)})
    numbers = [found.pot, *found.strategy, *found.evs, *(size for size in found.sizes if size is not None)]
    right = all(type(getattr(found, name)) is str for name in TEXTS) and len(found.hand) == 4 and found.pot > 0
    same = len(found.actions) == len(found.evs) == len(found.strategy) == len(found.sizes)
    if not (right and same and all(abs(number) < 1e15 for number in numbers) and found.chosen in found.actions):
        raise ValueError
    if not all(isinstance(word, str) and word for word in (*found.line, *found.actions)):
        raise ValueError
    if not (found.hands and found.grade):  # a hand of cards that there are, a loss that can be judged
        raise ValueError
    return found


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
