"""A worker's part of a card game: a solver that holds the numbers of some deals of the first place and walks them.

The layout is that of a solver that holds everything. What is not held here is never touched, and memory that is never
touched is never taken: it is only addressed.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rue.container as container
from rue.algorithms.algorithm import Algorithm
from rue.container import Container, Piece
from rue.errors import RueError
from rue.forms.public_tree import Decision, PublicTree
from rue.forms.treeplex import Floats
from rue.solvers.base import first_not_finite
from rue.solvers.passes import Opened, Walked
from rue.solvers.public_solver import PublicSolver
from rue.solvers.public_space import Space

PART = "rue-part"
"""The format of a file that holds a part of a run's arrays, in its header."""
WITHOUT_RESERVE = 0x4000
"""Linux: address memory without asking whether there is as much (MAP_NORESERVE)."""


class Span(NamedTuple):
    """A part of an array of the state."""

    name: str
    first: int
    numbers: NDArray[Any]


class DealsSolver(PublicSolver):
    """Holds and walks some deals; the other numbers are somebody else's."""

    def __init__(
        self, tree: PublicTree, algorithm: Algorithm, horizon: int, deals: Sequence[int], **choices: Any
    ) -> None:
        self.deals = tuple(deals)
        super().__init__(tree, algorithm, horizon, **choices)

    def room(self, name: str, size: int, kind: Any) -> Any:
        """So many zeros, of which those that are never touched take no memory; those that are held lie in large pages,
        where there are any, as numpy has it for the arrays of one process."""
        each = np.dtype(kind).itemsize
        if not size or not hasattr(mmap, "MAP_ANONYMOUS"):
            return super().room(name, size, kind)
        mapped = self._mapped(size * each)
        for at in joined(self.held(name, size)):
            first, last = -(-at.start * each // mmap.PAGESIZE), at.stop * each // mmap.PAGESIZE
            if last > first and hasattr(mmap, "MADV_HUGEPAGE"):
                with suppress(OSError):  # a kernel without them
                    mapped.madvise(mmap.MADV_HUGEPAGE, first * mmap.PAGESIZE, (last - first) * mmap.PAGESIZE)
        return np.frombuffer(mapped, kind)

    def new_results(self, space: Space, deals: int) -> Any:
        """Room for what the deals are worth; only those that are held take memory."""
        found = super().new_results(space, 0)
        shape = found.shape[0], deals, found.shape[2]
        if not math.prod(shape) or not hasattr(mmap, "MAP_ANONYMOUS"):
            return super().new_results(space, deals)
        return np.frombuffer(self._mapped(math.prod(shape) * found.itemsize), found.dtype).reshape(shape)

    def _mapped(self, length: int) -> mmap.mmap:
        """Bytes that are only addressed, as long as they are not touched."""
        try:
            return mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | WITHOUT_RESERVE)
        except OSError as error:
            raise RueError(f"cannot address {length:,} bytes for {self.form.name}: {error.strerror}") from None

    def held(self, name: str, size: int) -> Iterator[slice]:
        """The parts of an array of the state, of so many numbers, that are held here, deal by deal."""
        player, rows = int(name[-1]), name[:-1] == "previous"
        factor = size // self.extent(player)[rows]
        for deal in self.deals:
            at = self.form.deal_span(deal, player, rows)
            yield slice(at.start * factor, at.stop * factor)

    def held_decisions(self) -> Iterable[Decision]:
        held = np.flatnonzero(np.isin(self.form.place_deals, self.deals))
        return (decision for place in held for decision in self.form.decisions_at(int(place)))

    def spans(self) -> Iterator[Span]:
        """The parts of the state that are held here, deal by deal."""
        for name, array in self.state().items():
            for at in self.held(name, len(array)):
                yield Span(name, at.start, array[at])

    def held_bytes(self) -> int:
        """The bytes of the state that are held here."""
        return sum(span.numbers.nbytes for span in self.spans())

    def learn(self, iteration: int, player: int, opened: Opened) -> Walked:
        """Walk the deals for a player's share of the iteration after `iteration`."""
        self.iteration = iteration
        return self.learning(player).walk(opened, self.deals)

    def judge(self, player: int, best: bool, own: bool, opened: Opened) -> Walked:
        """Walk the deals of a judgement."""
        return self.judging(player, best, own).walk(opened, self.deals)

    def average_block(self, player: int, start: int, stop: int) -> Floats:
        """A part of a player's average, as it is stored."""
        block: Floats = self.stores[player].average[start:stop].copy()
        return block

    def check_finite(self) -> None:
        for span in self.spans():
            index = first_not_finite(span.numbers) if self.checked(span.name) else None
            if index is not None:
                raise self.not_finite(span.name, span.first + index)

    def keep(self, path: Path) -> list[Piece]:
        """Write what is held here to a file of its own; returns what lies there."""
        found = list(self.spans())
        names = [f"{span.name}@{span.first}" for span in found]
        container.write(path, {"format": PART}, {name: span.numbers for name, span in zip(names, found, strict=True)})
        sizes = [(span.name, span.first, len(span.numbers)) for span in found]
        return [Piece(path.name, name, *size) for name, size in zip(names, sizes, strict=True)]

    def take(self, path: Path, iteration: int) -> None:
        """Take up what a saved run has of the deals that are held here."""
        saved = Container(path)
        try:
            for span in self.spans():
                span.numbers[:] = saved.span(span.name, span.first, span.first + len(span.numbers))
        finally:
            saved.close()
        self.iteration = iteration


def joined(parts: Iterable[slice]) -> list[slice]:
    """Parts in order, with those together that follow each other.

    >>> joined([slice(0, 2), slice(2, 5), slice(7, 8)])
    [slice(0, 5, None), slice(7, 8, None)]
    """
    found: list[slice] = []
    for part in parts:
        if found and found[-1].stop == part.start:
            part = slice(found.pop().start, part.stop)
        found.append(part)
    return found
