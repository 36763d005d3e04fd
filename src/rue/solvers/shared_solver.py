"""A solver of a card game whose deals others hold and walk: processes here, or machines elsewhere.

It holds the first place. For each player's share of an iteration, and for each judgement:

    open     down the first place, here; its rows go to all workers
    walk     each worker walks the deals that it holds (`rue.solvers.deals_solver`)
    close    what the deals are worth comes back; up the first place, here

The numbers are those of one solver, to the last bit, whatever the number of workers. If a worker is lost, others are
hired, everybody goes back to the last save, or to the beginning, and the iterations are walked again.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.container import PART_SUFFIX, Container, Piece, Pieces
from rue.errors import RueError
from rue.forms.public_tree import Decision, PublicTree, shares
from rue.forms.treeplex import Floats
from rue.once import cached_property
from rue.solvers.base import Arrays, fill
from rue.solvers.given import laid_over
from rue.solvers.passes import Pass, Walked
from rue.solvers.public_solver import PublicSolver

Answer = TypeVar("Answer")
PATIENCE = 8
"""How often in a row workers may be lost before the run gives up."""


class LostError(Exception):
    """A worker is gone."""


class Crew(ABC):
    """The workers, each with the deals that it holds."""

    deals: Sequence[Sequence[int]]

    @abstractmethod
    def ask_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        """What workers answer, by number, to a method of `DealsSolver` and its arguments; LostError if one is gone."""

    @abstractmethod
    def mend(self) -> None:
        """Hire others for those who are gone; they have not begun."""

    @abstractmethod
    def anew(self) -> None:
        """Let all workers begin again."""

    def ask(self, *call: Any) -> list[Any]:
        """What all workers answer to the same call."""
        return self.ask_each(dict.fromkeys(range(len(self.deals)), call))

    def walk(self, size: int, *call: Any) -> list[Walked]:
        """What all workers answer that walk their deals; `size` is that of the answer, in bytes, for a deal."""
        return self.ask(*call)

    def ask_one(self, worker: int, *call: Any) -> Any:
        """What one worker answers."""
        return self.ask_each({worker: call})[0]


class SharedSolver(PublicSolver):
    """Iterates with a crew."""

    def __init__(self, tree: PublicTree, algorithm: Algorithm, horizon: int, crew: Crew, **choices: Any) -> None:
        self.crew = crew
        self._saved: tuple[Path, int] | None = None
        super().__init__(tree, algorithm, horizon, **choices)
        self._worker_of = {deal: worker for worker, deals in enumerate(crew.deals) for deal in deals}

    def extent(self, player: int) -> tuple[int, int]:
        rows, width = self.form.shape(0, player)
        return self.form.span(0, player).stop, rows * width

    def held_decisions(self) -> list[Decision]:
        return list(self.form.decisions_at(0))

    def load(self) -> None:
        super().load()
        self._again(lambda: self.crew.ask("load"))

    def _run(self, iterations: int, nodes: int | None) -> None:
        target = self.iteration + iterations
        self._again(lambda: self._walk_to(target))

    def _walk_to(self, target: int) -> None:
        while self.iteration < target:
            before = self.iteration
            for player in (self.rule.first, 1 - self.rule.first):
                self._walk(self.learning(player), None, "learn", before, player)

    def _again(self, step: Callable[[], Answer]) -> Answer:
        """Do something with the crew; if that breaks, go back, walk up to here again, and do it again."""
        reached = self.iteration
        for _ in range(PATIENCE):
            try:
                self._walk_to(reached)
                return step()
            except LostError:
                self._go_back()
        raise self._given_up()

    def _go_back(self) -> None:
        """To the last save, or to the beginning."""
        for _ in range(PATIENCE):
            try:
                self.crew.mend()
                if self._saved is not None:
                    self._take(*self._saved)
                else:
                    self.crew.anew()
                    self.stores = tuple(self._store(player) for player in (0, 1))
                    self.iteration = 0
                return
            except LostError:
                continue
        raise self._given_up()

    def _given_up(self) -> RueError:
        return RueError(f"workers were lost {PATIENCE} times in a row: {self.form.name} cannot be solved this way")

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        if place:
            worker = self._worker_of[int(self.form.place_deals[place])]
            found: Floats = self._again(lambda: self.crew.ask_one(worker, "rows", place, entering, player, best))
            return found
        return self._again(lambda: self._first_rows(entering, player, best))

    def judge_both(self, player: int) -> None:
        self._again(lambda: self._judge(player, True, True))

    def _judge(self, player: int, best: bool, own: bool = False, entering: Floats | None = None) -> None:
        self._walk(self.judging(player, best, own), entering, "judge", player, best, own)

    def _walk(self, one: Pass, entering: Floats | None, *call: Any) -> None:
        """A pass whose deals the workers walk."""
        opened = one.open(entering)
        one.close(self.crew.walk(one.deal_bytes, *call, opened))

    def _first_rows(self, entering: Floats, player: int, best: bool) -> Floats:
        self._judge(player, best, entering=entering)
        count, width = self.form.shape(0, player)
        return np.array(self.judging_space.value[0, 0, : count * width].reshape(count, width))

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        if not place:
            return super().strategy(place, player, first, actions)
        at = self.form.block(place, player, first, actions)
        worker = self._worker_of[int(self.form.place_deals[place])]
        block = self._again(lambda: self.crew.ask_one(worker, "average_block", player, at.start, at.stop))
        learned = shares((block.view(np.float16) if self.half else block).reshape(actions, -1))
        return laid_over(learned, self.given.get((place, player, first)))

    def averages(self) -> tuple[Any, Any]:
        raise RueError(f"the strategies of {self.form.name} lie with its workers: save the run and load it")

    def check_finite(self) -> None:
        super().check_finite()
        self._again(lambda: self.crew.ask("check_finite"))

    @property
    def kept_bytes(self) -> int:
        return super().kept_bytes + self._held

    @property
    def bytes(self) -> int:
        return super().bytes + self._held

    @cached_property
    def _held(self) -> int:
        """The bytes of the state that workers hold."""
        return sum(int(held) for held in self._again(lambda: self.crew.ask("held_bytes")))

    def kept(self, file: Path) -> dict[str, Any]:
        """Each worker writes its part beside the run's file; returns where the arrays lie."""
        stamp = f"{file.name}.{self.iteration}-{uuid.uuid4().hex[:8]}"
        places = [file.absolute().with_name(f"{stamp}-{each}{PART_SUFFIX}") for each in range(len(self.crew.deals))]
        parts = self._again(lambda: self.crew.ask_each({each: ("keep", path) for each, path in enumerate(places)}))
        found: dict[str, list[Piece]] = {name: [] for name in self.state()}
        for piece in chain.from_iterable(parts):
            found[piece.array].append(piece)
        own = self.state()
        return {
            name: Pieces(own[name], len(own[name]) + sum(piece.length for piece in pieces), pieces)
            for name, pieces in found.items()
        }

    def remember(self, file: Path) -> None:
        self._saved = file, self.iteration

    def take_up(self, saved: Container, iteration: int) -> None:
        """Take up a saved run; each worker reads its part of it."""
        file = saved.file.absolute()
        self._saved = file, iteration
        self._again(lambda: self._take(file, iteration))

    def _take(self, file: Path, iteration: int) -> None:
        self.crew.ask("take", file, iteration)
        own, saved = self.state(), Container(file)
        try:
            fill(own, {name: saved.span(name, 0, len(array)) for name, array in own.items()})
        finally:
            saved.close()
        self.iteration = iteration

    def restore(self, state: Arrays, iteration: int) -> None:  # type: ignore[override]
        raise RueError("a run that is shared takes up a saved one by its file")
