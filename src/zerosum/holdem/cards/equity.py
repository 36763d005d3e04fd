"""Exact all-in equity of a range against another: every pair of hands compared on every runout.

It shares only the evaluator with the solvers, so that it can check them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import CARDS, HAND_COUNT, HANDS
from zerosum.holdem.cards.evaluator import filling, hand_strengths
from zerosum.holdem.cards.kernels import add_runouts
from zerosum.holdem.cards.ranges import Range
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError


def runouts(board: Sequence[int]) -> NDArray[np.int64]:
    """Return all boards of five cards that a board can become, each once, whatever the order of dealing.

    >>> [len(runouts(range(count))) for count in (3, 4, 5)]
    [1176, 48, 1]
    """
    remaining = [card for card in range(CARDS) if card not in set(board)]
    return np.array([[*board, *cards] for cards in combinations(remaining, 5 - len(board))], dtype=np.int64)


def hand_equities(
    board: Sequence[int], player: Range, opponent: Range
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the equity of each hand of a range against another range, and the weight of the hands it meets.

    An equity is a share of the pot; it is nan if a hand has weight 0, is blocked or meets no hand. The weight is that
    of the opponent's hands without a common card, summed over the runouts.
    """
    if len(board) not in (3, 4, 5):
        raise ZerosumError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    won, mass = np.zeros(len(HANDS)), np.zeros(len(HANDS))
    _adding(hand_strengths(runouts(board)), player.weights, opponent.weights, won, mass)()
    with np.errstate(invalid="ignore"):
        return won / mass, mass


def _adding(strengths: NDArray[np.int32], *arrays: NDArray[np.float64]) -> KernelCall:
    return add_runouts.bind(strengths, HANDS, *arrays)


def comparing() -> list[KernelCall]:
    """Return calls of the kernels that compare hands, on no board at all: they compile them in advance."""
    strengths, zeros = np.zeros((0, HAND_COUNT), dtype=np.int32), np.zeros(HAND_COUNT)
    return [filling(np.zeros((0, 5), dtype=np.int64), strengths), _adding(strengths, *[zeros] * 4)]


def equity(board: Sequence[int], player: Range, opponent: Range) -> float:
    """Return the share of the pot that a range wins against another if all cards come without further bets.

    >>> from zerosum.holdem.cards.cards import parse_board
    >>> aces, kings = Range.parse("AA"), Range.parse("KK")
    >>> round(equity(parse_board("Td9d6hQc"), aces, kings), 6)
    0.863636
    """
    shares, mass = hand_equities(board, player, opponent)
    weight = player.weights * mass
    if not weight.any():
        raise ZerosumError("the two ranges have no two hands that can be dealt together")
    return float((np.nan_to_num(shares) * weight).sum() / weight.sum())
