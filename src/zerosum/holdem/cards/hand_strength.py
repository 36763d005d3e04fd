"""How strong hands are: all hands ranked on a board, and exact all-in equities of ranges.

A strength is one integer, larger is stronger, equal is a tie: the category in the highest bits, from 0 for a high card
to 8 for a straight flush, then two sets of ranks of 13 bits each, those that make the category and the kickers. A set
of ranks is itself comparable, because its highest rank is its highest bit. So no tables are needed.

On one board a hand without a flush depends only on its two ranks, so 91 evaluations serve all 1,326 hands.

Equities compare every pair of hands on every runout. They share only the strengths with the solvers, so that they can
check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import CARDS, HAND_COUNT, HANDS, check_board
from zerosum.holdem.cards.kernels import add_equities, fill_strengths
from zerosum.holdem.cards.ranges import Range
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError


def compute_strengths(boards: Sequence[Sequence[int]] | NDArray[Any]) -> NDArray[np.int32]:
    """Return the strengths of all hands on each of several boards of five cards, shape (boards, 1326); -1 if blocked.

    >>> from zerosum.holdem.cards.cards import parse_hand, parse_board
    >>> on_board = compute_strengths([parse_board("4s8hTc9h2s")])[0]
    >>> bool(on_board[parse_hand("QdJd")] > on_board[parse_hand("AsAh")]), int(on_board[parse_hand("AsTc")])
    (True, -1)
    """
    table = np.ascontiguousarray(boards, dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != 5:
        raise ZerosumError("strengths need boards of five cards")
    rows = np.sort(table, axis=1)
    if rows.size and (rows.min() < 0 or rows.max() >= CARDS or (rows[:, 1:] == rows[:, :-1]).any()):
        raise ZerosumError("a board needs five different cards numbered 0 to 51")
    out = np.empty((len(table), HAND_COUNT), dtype=np.int32)
    fill_strengths(table, np.empty(13 * 13, dtype=np.int32), out)
    return out


def list_runouts(board: Sequence[int]) -> NDArray[np.int64]:
    """Return all boards of five cards that a board can become, each once, whatever the order of dealing.

    >>> [len(list_runouts(range(count))) for count in (3, 4, 5)]
    [1176, 48, 1]
    """
    remaining = [card for card in range(CARDS) if card not in set(board)]
    return np.array([[*board, *cards] for cards in combinations(remaining, 5 - len(board))], dtype=np.int64)


def compute_hand_equities(
    board: Sequence[int], player: Range, opponent: Range
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the equity of each hand of a range against another range, and the weight of the hands it meets.

    An equity is a share of the pot; it is nan if a hand has weight 0, is blocked or meets no hand. The weight is that
    of the opponent's hands without a common card, summed over the runouts.
    """
    check_board(board)
    won, mass = np.zeros(HAND_COUNT), np.zeros(HAND_COUNT)
    add_equities(compute_strengths(list_runouts(board)), HANDS, player.weights, opponent.weights, won, mass)
    with np.errstate(invalid="ignore"):
        return won / mass, mass


def compute_equity(board: Sequence[int], player: Range, opponent: Range) -> float:
    """Return the share of the pot that a range wins against another if all cards come without further bets.

    >>> from zerosum.holdem.cards.cards import parse_board
    >>> aces, kings = Range.parse("AA"), Range.parse("KK")
    >>> round(compute_equity(parse_board("Td9d6hQc"), aces, kings), 6)
    0.863636
    """
    equities, mass = compute_hand_equities(board, player, opponent)
    weight = player.weights * mass
    if not weight.any():
        raise ZerosumError("the two ranges have no two hands that can be dealt together")
    return float((np.nan_to_num(equities) * weight).sum() / weight.sum())


def list_kernel_calls() -> list[KernelCall]:
    """Return calls of the kernels of this module on no board at all, with which they are compiled in advance."""
    strengths, zeros = np.zeros((0, HAND_COUNT), dtype=np.int32), np.zeros(HAND_COUNT)
    return [
        fill_strengths.bind(np.zeros((0, 5), dtype=np.int64), np.empty(13 * 13, dtype=np.int32), strengths),
        add_equities.bind(strengths, HANDS, *[zeros] * 4),
    ]
