"""How strong a hand is: a compiled evaluator of all hands on one board.

A strength is one integer, larger is stronger, equal is a tie: the category in the highest bits, from 0 for a high card
to 8 for a straight flush, then two sets of ranks of 13 bits each, those that make the category and the kickers. A set
of ranks is itself comparable, because its highest rank is its highest bit. So no tables are needed.

On one board a hand without a flush depends only on its two ranks, so 91 evaluations serve all 1,326 hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import CARDS, HAND_COUNT
from zerosum.holdem.cards.kernels import fill_boards
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError


def hand_strengths(boards: Sequence[Sequence[int]] | NDArray[Any]) -> NDArray[np.int32]:
    """The strengths of all hands on each of several boards of five cards, shape (boards, 1326); -1 if blocked.

    >>> from zerosum.holdem.cards.cards import hand_index, parse_board
    >>> on_board = hand_strengths([parse_board("4s8hTc9h2s")])[0]
    >>> bool(on_board[hand_index("QdJd")] > on_board[hand_index("AsAh")]), int(on_board[hand_index("AsTc")])
    (True, -1)
    """
    table = np.ascontiguousarray(boards, dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != 5:
        raise ZerosumError("strengths need boards of five cards")
    rows = np.sort(table, axis=1)
    if rows.size and (rows.min() < 0 or rows.max() >= CARDS or (rows[:, 1:] == rows[:, :-1]).any()):
        raise ZerosumError("a board needs five different cards numbered 0 to 51")
    out = np.empty((len(table), HAND_COUNT), dtype=np.int32)
    filling(table, out)()
    return out


def filling(boards: NDArray[np.int64], out: NDArray[np.int32]) -> KernelCall:
    """The kernel that fills the strengths of boards, with its arguments."""
    return fill_boards.bind(boards, np.empty(13 * 13, dtype=np.int32), out)
