"""Made hands and draws of all 1,326 hands on a board, as docs/holdem.md#hands defines them.

Every hand is one of `MADE_HANDS`, by its best five cards. Pairs on the board alone do not count: aces on K K 7 are an
overpair, A7 is second pair, AQ ace high. A pair that does not play, such as fives on K K 7 7 2, is none.

`DRAWS` exist on flops and turns and need at least one card of the hand. They may overlap, also with made hands. A
straight draw must make a straight better than the board's own; a double gutshot counts as open-ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import HAND_COUNT, HANDS, check_board, find_unblocked_hands

MADE_HANDS = (
    "straight flush", "quads", "full house", "flush", "straight", "set", "trips", "two pair", "overpair", "top pair",
    "second pair", "underpair", "third pair", "low pair", "ace high", "king high", "nothing",
)  # fmt: skip
"""The made hands, best first; every hand is one of them."""

DRAWS = ("flush draw", "open-ended", "gutshot", "combo draw", "backdoor flush draw", "no draw")
"""The draws; a combo draw is also a flush draw and open-ended or a gutshot."""

Mask = NDArray[np.bool_]
Ranks = NDArray[np.int64]

low_rank, high_rank, hand_suits = HANDS[:, 0] // 4, HANDS[:, 1] // 4, HANDS % 4
"""The lower and the higher rank of each hand, and the suits of its cards."""
_ONE_RANK = 1 << np.arange(13)


@dataclass(frozen=True)
class MadeHands:
    """Made hands and draws of the 1,326 hands on a board.

    `made_hand` is an index into `MADE_HANDS` for each hand, -1 if the board has one of its cards. `draws` has a mask
    for each of `DRAWS`; `paired` is the rank of the board with which a hand makes one pair, else -1.
    """

    board: tuple[int, ...]
    made_hand: NDArray[np.int8]
    draws: dict[str, Mask]
    paired: Ranks

    def select(self, name: str) -> Mask:
        """Return the hands of one of `MADE_HANDS` or of `DRAWS`.

        >>> from zerosum.holdem.cards.cards import parse_board
        >>> flop = classify_hands(parse_board("Ks 7h 2d"))
        >>> int(flop.select("set").sum()), int(flop.select("top pair").sum()), int(flop.select("gutshot").sum())
        (9, 120, 0)
        """
        return self.draws[name] if name in self.draws else self.made_hand == MADE_HANDS.index(name)


def classify_hands(board: Sequence[int]) -> MadeHands:
    """Classify all hands on a board of three, four or five cards.

    >>> from zerosum.holdem.cards.cards import parse_hand, parse_board
    >>> turn = classify_hands(parse_board("Ks 7s 2d 8c"))
    >>> MADE_HANDS[turn.made_hand[parse_hand("Ts9s")]], bool(turn.draws["combo draw"][parse_hand("Ts9s")])
    ('nothing', True)
    """
    check_board(board)
    return _classify_board(tuple(int(card) for card in board))


@lru_cache(maxsize=64)
def _classify_board(board: tuple[int, ...]) -> MadeHands:
    hands = _HandCounts(board)
    made_hand, paired = _find_made_hands(hands)
    blocked = ~find_unblocked_hands(board)
    made_hand[blocked], paired[blocked] = -1, -1
    draws = {name: mask & ~blocked for name, mask in _find_draws(hands, made_hand).items()}
    arrays: list[NDArray[Any]] = [made_hand, paired, *draws.values()]
    for array in arrays:
        array.flags.writeable = False
    return MadeHands(board, made_hand, draws, paired)


class _HandCounts:
    """Every hand together with the board: how often each rank and suit occurs, and sets of ranks as bits."""

    def __init__(self, board: tuple[int, ...]) -> None:
        self.board = np.array(board)
        self.ranks = np.zeros((HAND_COUNT, 13), dtype=np.int64)
        self.rank_sets_by_suit = np.zeros((HAND_COUNT, 4), dtype=np.int64)
        rows = np.arange(HAND_COUNT)
        for cards in (*(np.full(HAND_COUNT, card) for card in board), HANDS[:, 0], HANDS[:, 1]):
            self.ranks[rows, cards // 4] += 1
            self.rank_sets_by_suit[rows, cards % 4] |= _ONE_RANK[cards // 4]
        self.rank_set = (self.ranks > 0) @ _ONE_RANK
        self.suits = _count_ranks(self.rank_sets_by_suit)
        self.own_suits = np.stack([(hand_suits == suit).sum(axis=1) for suit in range(4)], axis=1)


def _count_ranks(ranks: Ranks) -> Ranks:
    """Return the number of ranks in a set."""
    return np.asarray(((ranks[..., None] & _ONE_RANK) > 0).sum(axis=-1))


def _find_straight(ranks: Ranks) -> Ranks:
    """Return the top rank of the highest straight in a set of ranks, or -1; the ace is also below the two."""
    line = (ranks << 1) | (ranks >> 12 & 1)
    lowest = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return np.where(lowest > 0, _find_highest_rank(lowest) + 3, -1)


def _find_highest_rank(ranks: Ranks) -> Ranks:
    """Return the highest rank of a set; -1 for none."""
    return np.where(ranks > 0, np.floor(np.log2(np.maximum(ranks, 1))).astype(np.int64), -1)


def _find_made_hands(hands: _HandCounts) -> tuple[NDArray[np.int8], Ranks]:
    """Return the made hand of each hand, and the rank of the board that a single pair pairs."""
    twice, thrice = (hands.ranks >= 2) @ _ONE_RANK, (hands.ranks >= 3) @ _ONE_RANK
    pocket = low_rank == high_rank
    three = _find_highest_rank(thrice)
    own_three = (three == low_rank) | (three == high_rank)
    top_pair = _find_highest_rank(twice)
    next_pair = _find_highest_rank(twice & ~(1 << np.maximum(top_pair, 0)))
    low_plays, high_plays = (((r == top_pair) | (r == next_pair)) & (three < 0) for r in (low_rank, high_rank))
    pair = np.where(high_plays, high_rank, np.where(low_plays, low_rank, -1))
    board = np.flatnonzero(np.bincount(hands.board // 4))[::-1]
    above = (board[None] > pair[:, None]).sum(axis=1)
    masks = {
        "straight flush": (_find_straight(hands.rank_sets_by_suit) >= 0).any(axis=1),
        "quads": (hands.ranks == 4).any(axis=1),
        "full house": (three >= 0) & (_count_ranks(twice) > 1),
        "flush": (hands.suits >= 5).any(axis=1),
        "straight": _find_straight(hands.rank_set) >= 0,
        "set": own_three & pocket,
        "trips": own_three,
        "two pair": low_plays & high_plays & ~pocket,
        "overpair": (pair >= 0) & pocket & (above == 0),
        "underpair": (pair >= 0) & pocket,
        "top pair": (pair >= 0) & (above == 0),
        "second pair": (pair >= 0) & (above == 1),
        "third pair": (pair >= 0) & (above == 2),
        "low pair": pair >= 0,
        "ace high": high_rank == 12,
        "king high": high_rank == 11,
        "nothing": np.ones(HAND_COUNT, dtype=bool),
    }
    # The order of the tests is not that of the strengths: an underpair is tested before the pairs with a board card.
    made_hand = np.select(list(masks.values()), [MADE_HANDS.index(name) for name in masks]).astype(np.int8)
    single = (made_hand >= MADE_HANDS.index("top pair")) & (made_hand <= MADE_HANDS.index("low pair")) & ~pocket
    return made_hand, np.where(single, pair, -1)


def _find_draws(hands: _HandCounts, made_hand: NDArray[np.int8]) -> dict[str, Mask]:
    cards = len(hands.board)
    below_straight = made_hand > MADE_HANDS.index("straight")
    below_flush = made_hand > MADE_HANDS.index("flush")
    flush = below_flush & ((hands.suits == 4) & (hands.own_suits > 0)).any(axis=1) & (cards < 5)
    completing = np.zeros(HAND_COUNT, dtype=np.int64)
    alone = (np.bincount(hands.board // 4, minlength=13) > 0) @ _ONE_RANK
    for rank in range(13):
        completing += _find_straight(hands.rank_set | 1 << rank) > _find_straight(alone | 1 << rank)
    straight = below_straight & (completing > 0) & (cards < 5)
    backdoor = below_flush & ((hands.suits == 3) & (hands.own_suits == 2)).any(axis=1) & (cards == 3)
    return {
        "flush draw": flush,
        "open-ended": straight & (completing > 1),
        "gutshot": straight & (completing == 1),
        "combo draw": flush & straight,
        "backdoor flush draw": backdoor,
        "no draw": ~(flush | straight | backdoor),
    }
