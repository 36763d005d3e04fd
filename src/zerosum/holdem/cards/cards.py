"""Parse cards, boards and hands; find the hands that a board leaves. `zerosum.games.poker.hole_cards` numbers them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zerosum.games.poker.hole_cards import CARDS as CARDS
from zerosum.games.poker.hole_cards import HAND_COUNT as HAND_COUNT
from zerosum.games.poker.hole_cards import HAND_INDEX as HAND_INDEX
from zerosum.games.poker.hole_cards import HANDS as HANDS
from zerosum.games.poker.hole_cards import RANKS as RANKS
from zerosum.games.poker.hole_cards import SUITS as SUITS
from zerosum.games.poker.hole_cards import card_name as card_name
from zerosum.games.poker.hole_cards import format_cards as format_cards
from zerosum.games.poker.hole_cards import hand_name as hand_name
from zerosum.support.errors import ZerosumError

STREETS = ("flop", "turn", "river")
"""The streets by number: a board of three cards is street 0, the flop."""

_PLAIN = str.maketrans("♠♥♦♣♤♡♢♧,", "shdcshdc ")
_CARD = re.compile(r"(10|[2-9TJQKA])([shdc])", re.IGNORECASE | re.ASCII)


def parse_hand(text: str) -> int:
    """Return the number of a hand by its name.

    >>> parse_hand("3s2s"), parse_hand("A♣ A♦")
    (3, 1325)
    """
    cards = parse_cards(text)
    if len(cards) != 2:
        raise ZerosumError(f"{text!r} is not a hand of two cards, like AsKd")
    return int(HAND_INDEX[cards[0], cards[1]])


def parse_cards(text: str) -> tuple[int, ...]:
    """Parse cards: `Ks7h2d9c`, `Ks 7h 2d 9c`, `K♠ 7♥`, in capital or small letters; `10h` is Th.

    >>> parse_cards("2s 2h, ac")
    (0, 1, 51)
    >>> parse_cards("Ks7x")
    Traceback (most recent call last):
    zerosum.ZerosumError: cannot read the cards 'Ks7x' from '7x' on: write a rank 2-9TJQKA and a suit shdc
    """
    cards: list[int] = []
    rest = text.translate(_PLAIN).lstrip()
    while rest:
        match = _CARD.match(rest)
        if match is None:
            raise ZerosumError(
                f"cannot read the cards {text!r} from {rest[:12]!r} on: write a rank 2-9TJQKA and a suit shdc"
            )
        rank = "T" if match[1] == "10" else match[1].upper()
        cards.append(RANKS.index(rank) * 4 + SUITS.index(match[2].lower()))
        if cards[-1] in cards[:-1]:
            raise ZerosumError(f"the card {card_name(cards[-1])} appears twice in {text!r}")
        rest = rest[match.end() :].lstrip()
    return tuple(cards)


@lru_cache(maxsize=1024)
def parse_board(text: str) -> tuple[int, ...]:
    """Parse a board of three, four or five cards.

    >>> format_cards(parse_board("Ks 7h 2d 9c"))
    'Ks7h2d9c'
    >>> parse_board("Ks 7h")
    Traceback (most recent call last):
    zerosum.ZerosumError: the board 'Ks 7h' has 2 cards; a flop has 3, a turn 4, a river 5
    """
    board = parse_cards(text)
    if len(board) not in (3, 4, 5):
        number = f"{len(board)} card{'s' * (len(board) != 1)}"
        raise ZerosumError(f"the board {text!r} has {number}; a flop has 3, a turn 4, a river 5")
    return board


def find_street(board: Sequence[int]) -> int:
    """Return the street of a board: 0 for a flop, 1 for a turn, 2 for a river."""
    return len(board) - 3


def find_unblocked_hands(board: Sequence[int]) -> NDArray[np.bool_]:
    """Return which of the 1,326 hands share no card with the board.

    >>> int(find_unblocked_hands(parse_board("4s8hTc9h2s")).sum())
    1081
    """
    on_board = np.zeros(CARDS, dtype=bool)
    on_board[list(board)] = True
    return ~(on_board[HANDS[:, 0]] | on_board[HANDS[:, 1]])
