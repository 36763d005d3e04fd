"""Workers that share a card game: the deals of each, and the solver that holds their numbers and walks them.

The layout of a worker's store is that of a solver that holds all deals. Numbers of other deals are never touched, and
memory that is never touched is only addressed, not allocated.

Deals are shared evenly first, because all workers wait for the largest share; where possible, consecutive deals stay
together, because they are contiguous in the store, in large memory pages that are faster to read.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.tree import PublicDecision, PublicTree
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.staged_pass import DealValues, FirstPlaceRows
from zerosum.engine.public.walk import Scratch
from zerosum.engine.solver import Span
from zerosum.support.array_file import ArrayFile, ArrayPart, write_array_file
from zerosum.support.errors import ZerosumError

Shares = list[list[int]]
EQUAL_LOAD = 1.005
"""Two partitions count as equally even if the ratio of their largest shares is at most this."""
PART = "zerosum-part"
"""The format, in the header, of a file with a part of a run's arrays."""
WITHOUT_RESERVE = 0x4000
"""MAP_NORESERVE of Linux: address memory without checking that it is available."""


class DealWorker(PublicSolver):
    """Holds and walks some deals; other workers hold the others."""

    def __init__(
        self, tree: PublicTree, algorithm: Algorithm, horizon: int, deals: Sequence[int], **choices: Any
    ) -> None:
        self.deals = tuple(deals)
        super().__init__(tree, algorithm, horizon, **choices)

    def allocate(self, name: str, size: int, kind: Any) -> Any:
        """Allocate an array of zeros; the parts of it that are never touched take no memory.

        The parts that the worker holds are in large pages where the system has them, as numpy does for whole arrays.
        """
        itemsize = np.dtype(kind).itemsize
        if not size or not hasattr(mmap, "MAP_ANONYMOUS"):
            return super().allocate(name, size, kind)
        memory = self._address_memory(size * itemsize)
        for part in join_slices(self.find_held_slices(name, size)):
            first, last = -(-part.start * itemsize // mmap.PAGESIZE), part.stop * itemsize // mmap.PAGESIZE
            if last > first and hasattr(mmap, "MADV_HUGEPAGE"):
                with suppress(OSError):  # a system without large pages
                    memory.madvise(mmap.MADV_HUGEPAGE, first * mmap.PAGESIZE, (last - first) * mmap.PAGESIZE)
        return np.frombuffer(memory, kind)

    def allocate_deal_values(self, scratch: Scratch, deals: int) -> Any:
        """Allocate the values of some deals of the first place; only those of held deals take memory."""
        empty = super().allocate_deal_values(scratch, 0)
        shape = empty.shape[0], deals, empty.shape[2]
        if not math.prod(shape) or not hasattr(mmap, "MAP_ANONYMOUS"):
            return super().allocate_deal_values(scratch, deals)
        return np.frombuffer(self._address_memory(math.prod(shape) * empty.itemsize), empty.dtype).reshape(shape)

    def _address_memory(self, length: int) -> mmap.mmap:
        """Return bytes that take memory only once they are touched."""
        try:
            return mmap.mmap(-1, length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | WITHOUT_RESERVE)
        except OSError as error:
            raise ZerosumError(f"cannot address {length:,} bytes for {self.form.name}: {error.strerror}") from None

    def find_held_slices(self, name: str, size: int) -> Iterator[slice]:
        """Yield the parts of an array of the state that this worker holds, deal by deal; `size` is the array's."""
        player, rows = int(name[-1]), name[:-1] == "previous"
        factor = size // self.count_numbers(player)[rows]
        for deal in self.deals:
            span = self.form.slice_deal(deal, player, rows)
            yield slice(span.start * factor, span.stop * factor)

    def iterate_held_decisions(self) -> Iterable[PublicDecision]:
        places = np.flatnonzero(np.isin(self.form.deal_by_place, self.deals))
        return (decision for place in places for decision in self.form.iterate_decisions_at(int(place)))

    def iterate_spans(self) -> Iterator[Span]:
        """Yield the parts of the state that this worker holds, deal by deal."""
        for name, array in self.state().items():
            for part in self.find_held_slices(name, len(array)):
                yield Span(name, part.start, array[part])

    def count_held_bytes(self) -> int:
        """Return the bytes of the state that this worker holds."""
        return sum(span.numbers.nbytes for span in self.iterate_spans())

    def run_update(self, iteration: int, player: int, opened: FirstPlaceRows) -> DealValues:
        """Walk the deals for a player's share of the iteration after `iteration`."""
        self.iteration = iteration
        return self.make_update_pass(player).walk(opened, self.deals)

    def run_evaluation(self, player: int, best: bool, with_average: bool, opened: FirstPlaceRows) -> DealValues:
        """Walk the deals of an evaluation."""
        return self.make_evaluation_pass(player, best, with_average).walk(opened, self.deals)

    def save_part(self, path: Path) -> list[ArrayPart]:
        """Write this worker's part of the state to a file; return the parts of arrays in it."""
        spans = {f"{span.name}@{span.first}": span for span in self.iterate_spans()}
        write_array_file(path, {"format": PART}, {name: span.numbers for name, span in spans.items()})
        return [ArrayPart(path.name, key, name, first, len(held)) for key, (name, first, held) in spans.items()]

    def load_part(self, path: Path, iteration: int) -> None:
        """Load the deals of this worker from a saved run."""
        saved = ArrayFile(path)
        try:
            for span in self.iterate_spans():
                span.numbers[:] = saved.read_range(span.name, span.first, span.first + len(span.numbers))
        finally:
            saved.close()
        self.iteration = iteration


def join_slices(parts: Iterable[slice]) -> list[slice]:
    """Return slices in order, with contiguous ones joined.

    >>> join_slices([slice(0, 2), slice(2, 5), slice(7, 8)])
    [slice(0, 5, None), slice(7, 8, None)]
    """
    joined: list[slice] = []
    for part in parts:
        if joined and joined[-1].stop == part.start:
            part = slice(joined.pop().start, part.stop)
        joined.append(part)
    return joined


def partition_deals(tree: PublicTree, workers: int) -> Shares:
    """Return the deals of each worker; some may have none.

    >>> from zerosum.engine.forms.public.poker import build_poker_tree
    >>> from zerosum.games.poker.leduc import Leduc
    >>> partition_deals(build_poker_tree(Leduc()), 2)
    [[0, 1, 2], [3, 4, 5]]
    """
    spans = [[tree.slice_deal(deal, player) for player in (0, 1)] for deal in range(tree.deal_count)]
    return partition_sizes([sum(span.stop - span.start for span in both) for both in spans], workers)


def partition_sizes(sizes: Sequence[int], workers: int) -> Shares:
    """Return the indices of sized items for each worker, in order.

    >>> partition_sizes([5, 1, 4, 4, 5, 5], 2)
    [[0, 2, 3], [1, 4, 5]]
    >>> partition_sizes([3, 0], 2), partition_sizes([0, 0], 2)
    ([[], [0, 1]], [[0, 1], []])
    """
    starts = _assign_in_order(sizes, workers), _assign_largest_first(sizes, workers)
    consecutive, greedy = (_even_out(sizes, shares) for shares in starts)
    is_even = max(_sum_loads(sizes, consecutive)) <= EQUAL_LOAD * max(_sum_loads(sizes, greedy))
    return [sorted(share) for share in (consecutive if is_even else greedy)]


def _sum_loads(sizes: Sequence[int], shares: Shares) -> list[int]:
    return [sum(sizes[item] for item in share) for share in shares]


def _assign_in_order(sizes: Sequence[int], workers: int) -> Shares:
    """Give the first items to the first worker, and so on."""
    shares: Shares = [[] for _ in range(workers)]
    before, total = 0, max(1, sum(sizes))
    for item, size in enumerate(sizes):
        shares[min(workers - 1, (2 * before + size) * workers // (2 * total))].append(item)
        before += size
    return shares


def _assign_largest_first(sizes: Sequence[int], workers: int) -> Shares:
    """Give the items, largest first, to the worker with the smallest load so far."""
    shares: Shares = [[] for _ in range(workers)]
    loads = [0] * workers
    for item in sorted(range(len(sizes)), key=lambda item: -sizes[item]):
        least = loads.index(min(loads))
        shares[least].append(item)
        loads[least] += sizes[item]
    return shares


def _even_out(sizes: Sequence[int], shares: Shares) -> Shares:
    """Move or exchange items of the largest share as long as that makes it smaller."""
    while True:
        loads = _sum_loads(sizes, shares)
        most = loads.index(max(loads))
        largest, best = loads[most], None
        for other in range(len(shares)):
            for mine, theirs in product(shares[most], [None, *shares[other]]):
                less = sizes[mine] - (0 if theirs is None else sizes[theirs])
                if other != most and max(loads[most] - less, loads[other] + less) < largest:
                    largest, best = max(loads[most] - less, loads[other] + less), (other, mine, theirs)
        if best is None:
            return shares
        other, mine, theirs = best
        shares[most].remove(mine)
        shares[other].append(mine)
        if theirs is not None:
            shares[other].remove(theirs)
            shares[most].append(theirs)
