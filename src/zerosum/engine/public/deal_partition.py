"""Sharing the deals of a card game among workers: evenly first, and consecutive deals together where possible.

Evenness comes first because all workers wait for the largest share. Consecutive deals are contiguous in the store, in
large memory pages that are faster to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from zerosum.engine.forms.public.tree import PublicTree

Shares = list[list[int]]
EQUAL_LOAD = 1.005
"""Two partitions count as equally even if the ratio of their largest shares is at most this."""


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
