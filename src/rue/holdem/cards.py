"""Cards and hands as numbers, and the texts people write for them.

A card is `rank * 4 + suit`: ranks 2, 3, ..., K, A are 0 to 12, suits spades, hearts, diamonds, clubs 0 to 3.
So 2s is 0, 2h is 1 and Ac is 51. The 1,326 hands are the pairs of cards (i, j) with i < j in lexicographic
order: 2s2h, 2s2d, 2s2c, 2s3s, ... This is also the order of the Libratus files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError

RANKS = "23456789TJQKA"
SUITS = "shdc"
CARDS = 52
HAND_COUNT = 1326
STREETS = ("flop", "turn", "river")
"""The streets by number: a board of three cards is street 0, the flop."""

HANDS: NDArray[np.int64] = np.array(list(combinations(range(CARDS), 2)), dtype=np.int64)
"""The two cards of each hand, shape (1326, 2), the smaller card first."""

HAND_INDEX: NDArray[np.int64] = np.full((CARDS, CARDS), -1, dtype=np.int64)
"""The number of the hand of two cards, in either order; -1 for a card with itself."""
HAND_INDEX[HANDS[:, 0], HANDS[:, 1]] = HAND_INDEX[HANDS[:, 1], HANDS[:, 0]] = np.arange(HAND_COUNT)

for _array in (HANDS, HAND_INDEX):
    _array.flags.writeable = False

_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc")
_CARD = re.compile(r"(10|[2-9TJQKA])([shdc])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,]*")


def card_name(card: int) -> str:
    """The name of a card.

    >>> card_name(0), card_name(51)
    ('2s', 'Ac')
    """
    return RANKS[card // 4] + SUITS[card % 4]


def cards_name(cards: Iterable[int], separator: str = "") -> str:
    """The names of several cards in their order.

    >>> cards_name([46, 21])
    'Kd7h'
    """
    return separator.join(card_name(int(card)) for card in cards)


@cache
def hand_name(hand: int) -> str:
    """The name of a hand, its higher rank first.

    >>> hand_name(0), hand_name(3), hand_name(1325)
    ('2s2h', '3s2s', 'AdAc')
    """
    low, high = (int(card) for card in HANDS[hand])
    return cards_name((low, high) if low // 4 == high // 4 else (high, low))


def hand_index(text: str) -> int:
    """The number of a hand by its name.

    >>> hand_index("3s2s"), hand_index("A♣ A♦")
    (3, 1325)
    """
    cards = parse_cards(text)
    if len(cards) != 2:
        raise RueError(f"{text!r} is not a hand of two cards, like AsKd")
    return int(HAND_INDEX[cards[0], cards[1]])


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards: `Ks7h2d9c`, `Ks 7h 2d 9c`, `K♠ 7♥`, in capital or small letters; `10h` is Th.

    >>> parse_cards("2s 2h, ac")
    (0, 1, 51)
    >>> parse_cards("Ks7x")
    Traceback (most recent call last):
    rue.errors.RueError: cannot read the cards 'Ks7x' from '7x' on: write a rank 2-9TJQKA and a suit shdc
    """
    plain = text.translate(_SYMBOLS)
    cards: list[int] = []
    position = _skip(plain, 0)
    while position < len(plain):
        match = _CARD.match(plain, position)
        if match is None:
            raise RueError(
                f"cannot read the cards {text!r} from {text[position : position + 12]!r} on: "
                f"write a rank 2-9TJQKA and a suit shdc"
            )
        rank = "T" if match[1] == "10" else match[1].upper()
        cards.append(RANKS.index(rank) * 4 + SUITS.index(match[2].lower()))
        position = _skip(plain, match.end())
    twice = next((card for place, card in enumerate(cards) if card in cards[:place]), None)
    if twice is not None:
        raise RueError(f"the card {card_name(twice)} appears twice in {text!r}")
    return tuple(cards)


def parse_board(text: str) -> tuple[int, ...]:
    """Read a board of three, four or five cards.

    >>> cards_name(parse_board("Ks 7h 2d 9c"))
    'Ks7h2d9c'
    >>> parse_board("Ks 7h")
    Traceback (most recent call last):
    rue.errors.RueError: the board 'Ks 7h' has 2 cards; a flop has 3, a turn 4, a river 5
    """
    board = parse_cards(text)
    if len(board) not in (3, 4, 5):
        number = f"{len(board)} card{'s' * (len(board) != 1)}"
        raise RueError(f"the board {text!r} has {number}; a flop has 3, a turn 4, a river 5")
    return board


def street_of(board: Sequence[int]) -> int:
    """0 for a flop, 1 for a turn, 2 for a river."""
    return len(board) - 3


def allowed_hands(board: Sequence[int]) -> NDArray[np.bool_]:
    """Which of the 1,326 hands share no card with the board.

    >>> int(allowed_hands(parse_board("4s8hTc9h2s")).sum())
    1081
    """
    dealt = np.zeros(CARDS, dtype=bool)
    dealt[list(board)] = True
    return ~(dealt[HANDS[:, 0]] | dealt[HANDS[:, 1]])


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    return match.end() if match else position
