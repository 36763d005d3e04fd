"""How the deals of a card game are shared out among workers: evenly, and what follows each other together.

All wait for the largest share, so even comes first. What lies together in the store is read faster: in large pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rue.forms.public_tree import PublicTree

Shares = list[list[int]]
ALIKE = 1.005
"""Two ways to share are as even as each other if their largest shares differ by less."""


def dealt_out(tree: PublicTree, workers: int) -> Shares:
    """The deals of each worker, which may have none.

    >>> from rue.forms.poker_public import poker_tree
    >>> from rue.games.leduc import Leduc
    >>> dealt_out(poker_tree(Leduc()), 2)
    [[0, 1, 2], [3, 4, 5]]
    """
    spans = [[tree.deal_span(deal, player) for player in (0, 1)] for deal in range(tree.deals)]
    return shared_out([sum(span.stop - span.start for span in both) for both in spans], workers)


def shared_out(sizes: Sequence[int], workers: int) -> Shares:
    """Things of some sizes in order, for each worker its own.

    >>> shared_out([5, 1, 4, 4, 5, 5], 2)
    [[0, 2, 3], [1, 4, 5]]
    >>> shared_out([3, 0], 2), shared_out([0, 0], 2)
    ([[], [0, 1]], [[0, 1], []])
    """
    together, apart = (_evened(sizes, shares) for shares in (_in_order(sizes, workers), _largest_first(sizes, workers)))
    best = together if max(_loads(sizes, together)) <= ALIKE * max(_loads(sizes, apart)) else apart
    return [sorted(share) for share in best]


def _loads(sizes: Sequence[int], shares: Shares) -> list[int]:
    return [sum(sizes[each] for each in share) for share in shares]


def _in_order(sizes: Sequence[int], workers: int) -> Shares:
    """The first ones to the first worker, and so on."""
    shares: Shares = [[] for _ in range(workers)]
    before, whole = 0, max(1, sum(sizes))
    for each, size in enumerate(sizes):
        shares[min(workers - 1, (2 * before + size) * workers // (2 * whole))].append(each)
        before += size
    return shares


def _largest_first(sizes: Sequence[int], workers: int) -> Shares:
    """Each to whoever has least so far."""
    shares: Shares = [[] for _ in range(workers)]
    loads = [0] * workers
    for each in sorted(range(len(sizes)), key=lambda each: -sizes[each]):
        least = loads.index(min(loads))
        shares[least].append(each)
        loads[least] += sizes[each]
    return shares


def _evened(sizes: Sequence[int], shares: Shares) -> Shares:
    """Whoever has most gives something away, or exchanges it, as long as that helps."""
    while True:
        loads = _loads(sizes, shares)
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
