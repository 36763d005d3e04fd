"""Made hands and draws of all 1,326 hands on a board.

Every hand is one of `MADE_HANDS`, by its best five cards:

| made hand | what it is |
|---|---|
| straight flush, quads, full house, flush, straight | the best five cards, also where the board has them all |
| set, trips | three of a rank: with a pocket pair; with one card and a pair on the board |
| two pair | each of its cards pairs another card of the board |
| overpair, underpair | a pocket pair above the highest card of the board; below it |
| top, second, third, low pair | a card pairs the highest card of the board, the next ones, a lower one |
| ace high, king high, nothing | no pair, by its higher card |

Hands of the board alone do not count: aces on K K 7 are an overpair, A7 is second pair, AQ ace high. A pair that
does not play, such as fives on K K 7 7 2, is none.

`DRAWS` are drawn to on flops and turns, with at least one card of the hand. They may overlap, also with made hands:

| draw | what it is |
|---|---|
| flush draw | four cards of a suit |
| open-ended | two or more ranks make a straight better than the board's own; so does a double gutshot |
| gutshot | one rank does |
| combo draw | a flush draw and a straight draw |
| backdoor flush draw | on a flop, both cards of the hand and one of the board are of a suit |
| no draw | none of these |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import CARDS, HAND_COUNT, HANDS, unblocked_hands
from zerosum.support.errors import ZerosumError

MADE_HANDS = (
    "straight flush",
    "quads",
    "full house",
    "flush",
    "straight",
    "set",
    "trips",
    "two pair",
    "overpair",
    "top pair",
    "second pair",
    "underpair",
    "third pair",
    "low pair",
    "ace high",
    "king high",
    "nothing",
)
"""The made hands, best first; every hand is one of them."""

DRAWS = ("flush draw", "open-ended", "gutshot", "combo draw", "backdoor flush draw", "no draw")
"""The draws; a combo draw is also a flush draw and open-ended or a gutshot."""

Mask = NDArray[np.bool_]
Ranks = NDArray[np.int64]

low_rank, high_rank, suits = HANDS[:, 0] // 4, HANDS[:, 1] // 4, HANDS % 4
"""The ranks and the suits of the cards of each hand."""
_ONE_RANK = 1 << np.arange(13)
_NONE = -1


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

    def mask(self, name: str) -> Mask:
        """Return the hands of one of `MADE_HANDS` or of `DRAWS`.

        >>> from zerosum.holdem.cards.cards import parse_board
        >>> flop = classify_hands(parse_board("Ks 7h 2d"))
        >>> int(flop.mask("set").sum()), int(flop.mask("top pair").sum()), int(flop.mask("gutshot").sum())
        (9, 120, 0)
        """
        return self.draws[name] if name in self.draws else self.made_hand == MADE_HANDS.index(name)


def classify_hands(board: Sequence[int]) -> MadeHands:
    """Classify all hands on a board of three, four or five cards.

    >>> from zerosum.holdem.cards.cards import hand_index, parse_board
    >>> turn = classify_hands(parse_board("Ks 7s 2d 8c"))
    >>> MADE_HANDS[turn.made_hand[hand_index("Ts9s")]], bool(turn.draws["combo draw"][hand_index("Ts9s")])
    ('nothing', True)
    """
    cards = tuple(int(card) for card in board)
    if len(cards) not in (3, 4, 5) or len(set(cards)) < len(cards) or not all(0 <= card < CARDS for card in cards):
        raise ZerosumError(f"hands can be classified on boards of three to five different cards, not on {list(board)}")
    return _categories(cards)


@lru_cache(maxsize=64)
def _categories(board: tuple[int, ...]) -> MadeHands:
    hands = _HandCounts(board)
    made_hand, paired = _made_hands(hands)
    blocked = ~unblocked_hands(board)
    made_hand[blocked], paired[blocked] = _NONE, _NONE
    draws = {name: mask & ~blocked for name, mask in _draws(hands, made_hand).items()}
    made_hand.flags.writeable = paired.flags.writeable = False
    for mask in draws.values():
        mask.flags.writeable = False
    return MadeHands(board, made_hand, draws, paired)


class _HandCounts:
    """Every hand together with the board: how often each rank and suit is there, and sets of ranks as bits."""

    def __init__(self, board: tuple[int, ...]) -> None:
        self.board = np.array(board)
        self.ranks = np.zeros((HAND_COUNT, 13), dtype=np.int64)
        self.of_suit = np.zeros((HAND_COUNT, 4), dtype=np.int64)
        """For each suit the set of its ranks."""
        rows = np.arange(HAND_COUNT)
        for cards in (*(np.full(HAND_COUNT, card) for card in board), HANDS[:, 0], HANDS[:, 1]):
            self.ranks[rows, cards // 4] += 1
            self.of_suit[rows, cards % 4] |= _ONE_RANK[cards // 4]
        self.set = (self.ranks > 0) @ _ONE_RANK
        self.suited = _size(self.of_suit)
        self.own_suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)


def _size(ranks: Ranks) -> Ranks:
    """Return the number of ranks in a set."""
    return np.asarray(((ranks[..., None] & _ONE_RANK) > 0).sum(axis=-1))


def _straight(ranks: Ranks) -> Ranks:
    """Return the top rank of the highest straight in a set of ranks, or -1; the ace is also below the two."""
    line = (ranks << 1) | (ranks >> 12 & 1)
    lowest = line & line >> 1 & line >> 2 & line >> 3 & line >> 4
    return np.where(lowest > 0, _highest(lowest) + 3, _NONE)


def _highest(ranks: Ranks) -> Ranks:
    """Return the highest rank of a set; -1 for none."""
    return np.where(ranks > 0, np.floor(np.log2(np.maximum(ranks, 1))).astype(np.int64), _NONE)


def _made_hands(hands: _HandCounts) -> tuple[NDArray[np.int8], Ranks]:
    """Return the made hand of each hand, and the rank of the board that a single pair pairs."""
    twice, thrice = (hands.ranks >= 2) @ _ONE_RANK, (hands.ranks >= 3) @ _ONE_RANK
    pocket = low_rank == high_rank
    three = _highest(thrice)
    own_three = (three == low_rank) | (three == high_rank)
    top_pair = _highest(twice)
    next_pair = _highest(twice & ~(1 << np.maximum(top_pair, 0)))
    plays = [((rank == top_pair) | (rank == next_pair)) & (three < 0) for rank in (low_rank, high_rank)]
    """Whether the first and the second card of the hand are part of a pair that plays."""
    pair = np.where(plays[1], high_rank, np.where(plays[0], low_rank, _NONE))
    board = np.flatnonzero(np.bincount(hands.board // 4))[::-1]
    above = (board[None] > pair[:, None]).sum(axis=1)
    rules: tuple[tuple[str, Any], ...] = (
        ("straight flush", (_straight(hands.of_suit) >= 0).any(axis=1)),
        ("quads", (hands.ranks == 4).any(axis=1)),
        ("full house", (three >= 0) & (_size(twice) > 1)),
        ("flush", (hands.suited >= 5).any(axis=1)),
        ("straight", _straight(hands.set) >= 0),
        ("set", own_three & pocket),
        ("trips", own_three),
        ("two pair", plays[0] & plays[1] & ~pocket),
        ("overpair", (pair >= 0) & pocket & (above == 0)),
        ("underpair", (pair >= 0) & pocket),
        ("top pair", (pair >= 0) & (above == 0)),
        ("second pair", (pair >= 0) & (above == 1)),
        ("third pair", (pair >= 0) & (above == 2)),
        ("low pair", pair >= 0),
        ("ace high", high_rank == 12),
        ("king high", high_rank == 11),
    )
    made_hand = np.full(HAND_COUNT, MADE_HANDS.index("nothing"), dtype=np.int8)
    for name, mask in reversed(rules):
        made_hand[mask] = MADE_HANDS.index(name)
    single = (made_hand >= MADE_HANDS.index("top pair")) & (made_hand <= MADE_HANDS.index("low pair")) & ~pocket
    return made_hand, np.where(single, pair, _NONE)


def _draws(hands: _HandCounts, made_hand: NDArray[np.int8]) -> dict[str, Mask]:
    cards = len(hands.board)
    below_straight = made_hand > MADE_HANDS.index("straight")
    below_flush = made_hand > MADE_HANDS.index("flush")
    flush = below_flush & ((hands.suited == 4) & (hands.own_suited > 0)).any(axis=1) & (cards < 5)
    completing = np.zeros(HAND_COUNT, dtype=np.int64)
    alone = (np.bincount(hands.board // 4, minlength=13) > 0) @ _ONE_RANK
    for rank in range(13):
        completing += _straight(hands.set | 1 << rank) > _straight(alone | 1 << rank)
    straight = below_straight & (completing > 0) & (cards < 5)
    backdoor = below_flush & ((hands.suited == 3) & (hands.own_suited == 2)).any(axis=1) & (cards == 3)
    return {
        "flush draw": flush,
        "open-ended": straight & (completing > 1),
        "gutshot": straight & (completing == 1),
        "combo draw": flush & straight,
        "backdoor flush draw": backdoor,
        "no draw": ~(flush | straight | backdoor),
    }
