"""The 169 classes of hands such as AKs: members, order by equity; orders of lists of 1,326 hands."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import HAND_COUNT, HANDS, RANKS
from zerosum.support.errors import ZerosumError, suggest_names

CLASS_ORDER = tuple(
    """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs
    K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s
    J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o
    Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s
    J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s
    76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s
    82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
    """.split()  # noqa: SIM905
)
"""The 169 classes of hands, best first, by their exact equity against a random hand over all boards."""

HAND_ORDERS = ("libratus", "pio")
"""The orders of hands in which lists of 1,326 numbers are read and written."""


@cache
def list_class_hands(name: str) -> NDArray[np.int64]:
    """Return the hands of a class such as AA, AKs or AKo, or of AK for both.

    >>> len(list_class_hands("AA")), len(list_class_hands("AKs")), len(list_class_hands("AK"))
    (6, 4, 16)
    """
    low_rank, high_rank = HANDS.T // 4
    members = (high_rank == RANKS.index(name[0])) & (low_rank == RANKS.index(name[1]))
    if name[2:]:
        is_suited = HANDS[:, 0] % 4 == HANDS[:, 1] % 4
        members &= is_suited == (name[2] == "s")
    return np.flatnonzero(members)


@cache
def find_hand_order(order: str) -> NDArray[np.int64]:
    """Return the hands in the order of a list of 1,326 numbers.

    >>> from zerosum.holdem.cards.cards import hand_name
    >>> " ".join(hand_name(hand) for hand in find_hand_order("pio")[:8])
    '2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d'
    """
    if order not in HAND_ORDERS:
        raise ZerosumError(f"there is no order of hands called {order!r}; {suggest_names(order, HAND_ORDERS)}")
    if order == "libratus":
        return np.arange(HAND_COUNT)
    cards = HANDS // 4 * 4 + (3 - HANDS % 4)  # Pio's suits are c, d, h, s
    return np.lexsort((cards.min(axis=1), cards.max(axis=1)))
