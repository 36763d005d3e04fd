"""Exact equity: every pair of hands compared on every runout, plainly.

It shares nothing with a solver but the evaluator, so that it can check one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError
from rue.holdem.cards import CARDS, HAND_COUNT, HANDS
from rue.holdem.evaluator import filling, strengths_of_boards
from rue.holdem.ranges import Range
from rue.native.kernel import Call, Kernel

ADD_RUNOUTS = Kernel("rue.holdem.kernels:add_runouts")


def runouts(board: Sequence[int]) -> NDArray[np.int64]:
    """All boards of five cards that a board can become, each once, in no order of dealing.

    >>> [len(runouts(range(count))) for count in (3, 4, 5)]
    [1176, 48, 1]
    """
    rest = [card for card in range(CARDS) if card not in set(board)]
    return np.array([[*board, *more] for more in combinations(rest, 5 - len(board))], dtype=np.int64)


def hand_equities(board: Sequence[int], own: Range, other: Range) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of the pot each hand of a range wins on average against another range, and its opposition.

    The first array is nan where a hand has weight 0, is blocked or meets no hand. The second is the weight of
    the other range that each hand meets, summed over the runouts.
    """
    if len(board) not in (3, 4, 5):
        raise RueError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    won, mass = np.zeros(len(HANDS)), np.zeros(len(HANDS))
    _adding(strengths_of_boards(runouts(board)), own.weights, other.weights, won, mass)()
    with np.errstate(invalid="ignore"):
        return won / mass, mass


def _adding(strengths: NDArray[np.int32], *arrays: NDArray[np.float64]) -> Call:
    return Call(ADD_RUNOUTS, (strengths, HANDS, *arrays))


def comparing() -> list[Call]:
    """The kernels that compare hands on no board at all: to have them made before they are needed."""
    strengths, nothing = np.zeros((0, HAND_COUNT), dtype=np.int32), np.zeros(HAND_COUNT)
    return [filling(np.zeros((0, 5), dtype=np.int64), strengths), _adding(strengths, *[nothing] * 4)]


def equity(board: Sequence[int], own: Range, other: Range) -> float:
    """The share of the pot a range wins on average against another when all cards come and nobody bets.

    >>> from rue.holdem.cards import parse_board
    >>> aces, kings = Range.parse("AA"), Range.parse("KK")
    >>> round(equity(parse_board("Td9d6hQc"), aces, kings), 6)
    0.863636
    """
    shares, mass = hand_equities(board, own, other)
    weight = own.weights * mass
    if not weight.any():
        raise RueError("the two ranges have no two hands that can be dealt together")
    return float((np.nan_to_num(shares) * weight).sum() / weight.sum())
