"""Trainings in the workspace: a file for each run, with a line for each answer; the next server continues them."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from zerosum.explorer.workspace import Workspace
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.study.training import Answer, Training
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most, write_atomically

FOLDER = "trainings"
"""In the workspace."""
MAX_FILE_BYTES = 64 << 20
TEXTS = ("board", "player", "hand", "made_hand", "chosen")


class TrainingStore:
    """A file for each run: how its training was started, then every answer."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._open: dict[str, Training] = {}

    def __contains__(self, key: str) -> bool:
        path = self._get_path(key)
        return key in self._open or (path.is_file() and not path.is_symlink())

    def open_training(self, key: str, result: SpotResult) -> Training | None:
        """Return the training of a run, or None; one of an earlier server continues with a new hand."""
        if key not in self._open and key in self:
            self._open[key] = _read_training(self._get_path(key), result)
        return self._open.get(key)

    def start(self, key: str, training: Training) -> None:
        """Save a new training, which replaces the earlier one of its run."""
        path = self._get_path(key)
        path.parent.mkdir(exist_ok=True)
        header = {"line": list(training.line), "seat": training.seat, "seed": training.seed}
        write_atomically(path, f"{json.dumps(header)}\n".encode())
        self._open[key] = training

    def append_answer(self, key: str, answer: Answer) -> None:
        path = self._get_path(key)
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(asdict(answer))}\n")
        except OSError as error:
            raise ZerosumError(f"cannot write {path}: {error.strerror or error}") from None

    def delete(self, key: str) -> None:
        self._open.pop(key, None)
        self._get_path(key).unlink(missing_ok=True)

    def _get_path(self, key: str) -> Path:
        return self.workspace.get_safe_path(FOLDER) / f"{key}.jsonl"


def _read_training(path: Path, result: SpotResult) -> Training:
    """Return a training on disk, without a last line that is incomplete."""
    first, *rows = read_at_most(path, MAX_FILE_BYTES, "the training").decode("utf-8", "replace").split("\n")
    try:
        header = parse_json(first, path)
        line, seat, seed = header["line"], header["seat"], header["seed"]
        answers = [_parse_answer(parse_json(row, path)) for row in rows[:-1]]
        is_valid = seat in (0, 1, None) and isinstance(seed, int) and all(isinstance(word, str) for word in line)
    except DAMAGE_ERRORS:
        is_valid = False
    if not is_valid:
        raise ZerosumError(f"{path} is not a training: delete it, or start a new one")
    return Training(result, line, seat, seed, answers)


def _parse_answer(data: dict[str, Any]) -> Answer:
    """Return a saved answer; raise one of the `DAMAGE_ERRORS` if it cannot be one."""
    answer = Answer(**{field.name: _lists_to_tuples(data[field.name]) for field in fields(Answer)})
    numbers = [answer.pot, *answer.strategy, *answer.evs, *(size for size in answer.sizes if size is not None)]
    has_texts = all(type(getattr(answer, name)) is str for name in TEXTS) and len(answer.hand) == 4 and answer.pot > 0
    same_length = len(answer.actions) == len(answer.evs) == len(answer.strategy) == len(answer.sizes)
    finite = all(abs(number) < 1e15 for number in numbers)
    if not (has_texts and same_length and finite and answer.chosen in answer.actions):
        raise ValueError
    if not all(isinstance(word, str) and word for word in (*answer.line, *answer.actions)):
        raise ValueError
    if not (answer.hand_class and answer.grade):  # the hand consists of cards, and the loss can be graded
        raise ValueError
    return answer


def _lists_to_tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
