"""Cards, boards and hands: parse them, find the hands that a board leaves, classes and orders of the 1,326 hands.

`zerosum.games.poker.hole_cards` numbers cards and hands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

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
from zerosum.games.poker.hole_cards import list_class_places, map_hands_to_classes
from zerosum.support.errors import ZerosumError, suggest_names

STREETS = ("flop", "turn", "river")
"""The streets by number: a board of three cards is street 0, the flop."""

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


def check_board(board: Sequence[int]) -> None:
    """Refuse a board that is not three, four or five different cards."""
    if len(board) not in (3, 4, 5):
        raise ZerosumError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    if any(not 0 <= card < CARDS for card in board):
        raise ZerosumError("the cards of a board are numbered 0 to 51")
    repeated = [card for card in board if board.count(card) > 1]
    if repeated:
        raise ZerosumError(f"the card {card_name(repeated[0])} appears twice on the board")


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


@cache
def list_class_hands(name: str) -> NDArray[np.int64]:
    """Return the hands of a class such as AA, AKs or AKo, or of AK for both.

    >>> len(list_class_hands("AA")), len(list_class_hands("AKs")), len(list_class_hands("AK"))
    (6, 4, 16)
    """
    places = list_class_places()
    names = [name] if name in places else [f"{name}s", f"{name}o"]
    return np.sort(np.concatenate([np.flatnonzero(map_hands_to_classes() == places[full_name]) for full_name in names]))


@cache
def find_hand_order(order: str) -> NDArray[np.int64]:
    """Return all hands in the order of a format with 1,326 numbers: `pio` or `libratus`.

    >>> " ".join(hand_name(hand) for hand in find_hand_order("pio")[:8])
    '2d2c 2h2c 2h2d 2s2c 2s2d 2s2h 3c2c 3c2d'
    """
    if order not in HAND_ORDERS:
        raise ZerosumError(f"there is no order of hands called {order!r}; {suggest_names(order, HAND_ORDERS)}")
    if order == "libratus":
        return np.arange(HAND_COUNT)
    cards = HANDS // 4 * 4 + (3 - HANDS % 4)  # Pio's suits are c, d, h, s
    return np.lexsort((cards.min(axis=1), cards.max(axis=1)))
