"""A solver of a card game whose deals are held by workers: other processes, on this machine or on others.

The solver itself holds the first place. For each player's share of an iteration, and for each evaluation:

    open     the solver walks down the first place and sends its rows to all workers
    walk     each worker walks the deals that it holds (`zerosum.engine.public.deal_worker`)
    close    the solver receives the values of the deals and walks up the first place

The result is bit for bit that of a single solver, for any number of workers. If a worker is lost, it is replaced, all
workers return to the last save, or to the beginning, and the iterations since are walked again.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.tree import PublicDecision, PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.staged_pass import DealValues, StagedPass
from zerosum.engine.public.walk import Scratch
from zerosum.engine.solver import Arrays, copy_arrays
from zerosum.support.array_file import PART_SUFFIX, ArrayFile, ArrayPart, SplitArray
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

Answer = TypeVar("Answer")
MAX_LOSSES = 8
"""The number of losses of workers in a row after which the run gives up."""


class WorkerLostError(Exception):
    """Raised when a worker has ended, or its machine has."""


class WorkerGroup(ABC):
    """The workers of a distributed solver, each with the deals that it holds."""

    deals: Sequence[Sequence[int]]

    @abstractmethod
    def call_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        """Call methods of workers and return the results; raise `WorkerLostError` if a worker is lost.

        `calls` has the name of a method of `DealWorker` and its arguments by the number of the worker.
        """

    @abstractmethod
    def replace_lost(self) -> None:
        """Start new workers in place of lost ones, without any numbers yet."""

    @abstractmethod
    def restart(self) -> None:
        """Return all workers to the beginning of the run."""

    def call_all(self, *call: Any) -> list[Any]:
        """Make the same call to all workers and return the results."""
        return self.call_each(dict.fromkeys(range(len(self.deals)), call))

    def walk(self, size: int, *call: Any) -> list[DealValues]:
        """Let all workers walk their deals and return the values; `size` is the bytes of the values of a deal."""
        return self.call_all(*call)


class DistributedSolver(PublicSolver):
    """Iterates with a group of workers."""

    def __init__(
        self, tree: PublicTree, algorithm: Algorithm, horizon: int, group: WorkerGroup, **choices: Any
    ) -> None:
        self.group = group
        self._saved: tuple[Path, int] | None = None
        super().__init__(tree, algorithm, horizon, **choices)
        self._worker_of = {deal: worker for worker, deals in enumerate(group.deals) for deal in deals}

    def count_numbers(self, player: int) -> tuple[int, int]:
        rows, width = self.form.get_shape(0, player)
        return self.form.slice_place(0, player).stop, rows * width

    def iterate_held_decisions(self) -> list[PublicDecision]:
        return list(self.form.iterate_decisions_at(0))

    def load_kernels(self) -> None:
        super().load_kernels()
        self._call_all("load_kernels")

    def _run(self, iterations: int, nodes: int | None) -> None:
        target = self.iteration + iterations
        self._retry_after_loss(lambda: self._iterate_to(target))

    def _iterate_to(self, target: int) -> None:
        while self.iteration < target:
            before = self.iteration
            for player in (self.rule.first, 1 - self.rule.first):
                self._walk(self.make_update_pass(player), None, "run_update", before, player)

    def _retry_after_loss(self, step: Callable[[], Answer]) -> Answer:
        """Take a step with the workers; if one is lost, return to the last save, walk back to this point and retry."""
        reached = self.iteration
        for _ in range(MAX_LOSSES):
            try:
                self._iterate_to(reached)
                return step()
            except WorkerLostError:
                self._restore_last_save()
        raise self._make_loss_error()

    def _restore_last_save(self) -> None:
        """Return to the last save, or to the beginning."""
        for _ in range(MAX_LOSSES):
            with suppress(WorkerLostError):
                self.group.replace_lost()
                if self._saved is not None:
                    self._load_file(*self._saved)
                else:
                    self.group.restart()
                    self.stores = self._allocate_store(0), self._allocate_store(1)
                    self.iteration = 0
                return
        raise self._make_loss_error()

    def _make_loss_error(self) -> ZerosumError:
        return ZerosumError(
            f"workers were lost {MAX_LOSSES} times in a row: solve {self.form.name} on one machine, or on others"
        )

    def _call_all(self, *call: Any) -> list[Any]:
        return self._retry_after_loss(lambda: self.group.call_all(*call))

    def _call_holder(self, place: int, *call: Any) -> Any:
        """Call the worker that holds a place."""
        worker = self._worker_of[int(self.form.deal_by_place[place])]
        return self._retry_after_loss(lambda: self.group.call_each({worker: call}))[0]

    def compute_row_values(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        if place:
            return np.asarray(self._call_holder(place, "compute_row_values", place, entering, player, best))
        return super().compute_row_values(place, entering, player, best)

    def _evaluate_into_scratch(self, scratch: Scratch, place: int, entering: Floats, player: int, best: bool) -> None:
        with_average = scratch is self.evaluation_scratch_both
        staged = self.make_evaluation_pass(player, best, with_average)
        self._retry_after_loss(lambda: self._walk(staged, entering, "run_evaluation", player, best, with_average))

    def _walk(self, staged: StagedPass, entering: Floats | None, *call: Any) -> None:
        """Do a pass whose deals the workers walk."""
        rows = staged.open(entering)
        staged.close(self.group.walk(staged.deal_bytes, *call, rows))

    def read_average(self, place: int, player: int, at: slice) -> Any:
        if place:
            return self._call_holder(place, "read_average", place, player, at)
        return super().read_average(place, player, at)

    def averages(self) -> tuple[Any, Any]:
        raise ZerosumError(f"the strategies of {self.form.name} are held by its workers: save the run and load it")

    def check_finite(self) -> None:
        super().check_finite()
        self._call_all("check_finite")

    @property
    def state_bytes(self) -> int:
        return super().state_bytes + self._worker_bytes

    @property
    def bytes(self) -> int:
        return super().bytes + self._worker_bytes

    @cached_property
    def _worker_bytes(self) -> int:
        """The bytes of the state that the workers hold."""
        return sum(map(int, self._call_all("count_held_bytes")))

    def collect_state(self, file: Path) -> dict[str, Any]:
        """Return the first place and the parts of arrays that the workers have written beside a run's file."""
        stamp = f"{file.name}.{self.iteration}-{uuid.uuid4().hex[:8]}"
        workers = range(len(self.group.deals))
        calls = {n: ("save_part", file.absolute().with_name(f"{stamp}-{n}{PART_SUFFIX}")) for n in workers}
        state = self.state()
        parts: dict[str, list[ArrayPart]] = {name: [] for name in state}
        for part in chain.from_iterable(self._retry_after_loss(lambda: self.group.call_each(calls))):
            parts[part.array].append(part)
        return {
            name: SplitArray(array, len(array) + sum(part.length for part in parts[name]), parts[name])
            for name, array in state.items()
        }

    def mark_saved(self, file: Path) -> None:
        self._saved = file, self.iteration

    def load_saved(self, saved: ArrayFile, iteration: int) -> None:
        """Continue from a saved run; each worker reads its part of it."""
        file = saved.file.absolute()
        self._saved = file, iteration
        self._retry_after_loss(lambda: self._load_file(file, iteration))

    def _load_file(self, file: Path, iteration: int) -> None:
        self.group.call_all("load_part", file, iteration)
        state, saved = self.state(), ArrayFile(file)
        try:
            copy_arrays(state, {name: saved.read_range(name, 0, len(array)) for name, array in state.items()})
        finally:
            saved.close()
        self.iteration = iteration

    def restore(self, state: Arrays, iteration: int) -> None:  # type: ignore[override]
        raise ZerosumError("a run on several machines can only be restored from its file: use load_saved")
