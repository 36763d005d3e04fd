"""How strong a hand is: a compiled evaluator of five to seven cards, and all hands on one board.

A strength is one integer, larger is stronger, equal is a tie: the category in the highest bits, then two sets
of ranks of 13 bits each, those that make the category and the kickers. A set of ranks is itself comparable,
because its highest rank is its highest bit. So no tables are needed.

On one board a hand without a flush depends only on its two ranks, so 91 evaluations serve all 1,326 hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError
from rue.holdem.cards import CARDS, HAND_COUNT
from rue.regret.compiled import compiled

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
BLOCKED = -1
"""The strength of a hand that shares a card with the board."""


@compiled
def count_bits(ranks: int) -> Any:
    """How many ranks a set holds."""
    pairs = ranks - ((ranks >> 1) & 0x1555)
    fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
    eights = (fours + (fours >> 4)) & 0x0F0F
    return (eights + (eights >> 8)) & 0x1F


@compiled
def highest(ranks: int, count: int) -> Any:
    """The highest `count` ranks of a set."""
    for _ in range(count_bits(ranks) - count):
        ranks &= ranks - 1
    return ranks


@compiled
def straight(ranks: int) -> Any:
    """The highest straight in a set of ranks as the bit of its lowest card, bit 0 for the low ace; or 0."""
    line = (ranks << 1) | ((ranks >> 12) & 1)
    return highest(line & (line >> 1) & (line >> 2) & (line >> 3) & (line >> 4), 1)


@compiled
def ranks_strength(one: int, two: int, three: int, four: int) -> Any:
    """The strength without flushes, from the sets of ranks held at least once, twice, three, four times."""
    if four:
        return (7 << 26) | (four << 13) | highest(one ^ four, 1)
    if three:
        best = highest(three, 1)
        if two != best:
            return (6 << 26) | (best << 13) | highest(two ^ best, 1)
    run = straight(one)
    if run:
        return (4 << 26) | run
    if three:
        return (3 << 26) | (three << 13) | highest(one ^ three, 2)
    if two & (two - 1):
        best = highest(two, 2)
        return (2 << 26) | (best << 13) | highest(one ^ best, 1)
    if two:
        return (1 << 26) | (two << 13) | highest(one ^ two, 3)
    return highest(one, 5)


@compiled
def flush_strength(suited: int) -> Any:
    """The strength of five or more ranks of one suit."""
    run = straight(suited)
    return (8 << 26) | run if run else (5 << 26) | highest(suited, 5)


@compiled
def evaluate(cards: NDArray[Any]) -> Any:
    """The strength of the best five of five, six or seven cards."""
    one = two = three = four = 0
    suits = 0  # thirteen bits a suit
    for card in cards:
        bit = 1 << (card >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suits |= bit << (13 * (card & 3))
    for suit in range(4):
        suited = (suits >> (13 * suit)) & 0x1FFF
        if count_bits(suited) >= 5:
            # With at most seven cards a flush leaves no room for four of a kind or a full house.
            return flush_strength(suited)
    return ranks_strength(one, two, three, four)


@compiled
def evaluate7(c0: int, c1: int, c2: int, c3: int, c4: int, c5: int, c6: int) -> Any:
    """The strength of the best five of seven cards, for use in other kernels."""
    one = two = three = four = 0
    suits = 0
    for card in (c0, c1, c2, c3, c4, c5, c6):
        bit = 1 << (card >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suits |= bit << (13 * (card & 3))
    for suit in range(4):
        suited = (suits >> (13 * suit)) & 0x1FFF
        if count_bits(suited) >= 5:
            return flush_strength(suited)
    return ranks_strength(one, two, three, four)


@compiled
def fill_strengths(board: NDArray[np.int64], out: NDArray[np.int32]) -> None:
    """Write the strengths of the 1,326 hands on a board of five cards; -1 where the hand is blocked."""
    one = two = three = four = 0
    suits = np.zeros(4, dtype=np.int64)
    blocked = np.zeros(52, dtype=np.bool_)
    for card in board:
        bit = 1 << (card >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suits[card & 3] |= bit
        blocked[card] = True
    table = np.empty((13, 13), dtype=np.int32)
    for low in range(13):
        bit = 1 << low
        four1 = four | (three & bit)
        three1 = three | (two & bit)
        two1 = two | (one & bit)
        one1 = one | bit
        for high in range(low, 13):
            bit = 1 << high
            table[low, high] = ranks_strength(
                one1 | bit, two1 | (one1 & bit), three1 | (two1 & bit), four1 | (three1 & bit)
            )
    flush = -1
    for suit in range(4):
        if count_bits(suits[suit]) >= 3:
            flush = suit
    held = count_bits(suits[flush]) if flush >= 0 else 0
    hand = 0
    for first in range(52):
        first_bit = 1 << (first >> 2) if first & 3 == flush else 0
        for second in range(first + 1, 52):
            if blocked[first] or blocked[second]:
                out[hand] = -1
            else:
                out[hand] = table[first >> 2, second >> 2]
                if flush >= 0:
                    second_bit = 1 << (second >> 2) if second & 3 == flush else 0
                    if held + (first_bit != 0) + (second_bit != 0) >= 5:
                        out[hand] = flush_strength(suits[flush] | first_bit | second_bit)
            hand += 1


@compiled
def fill_boards(boards: NDArray[np.int64], out: NDArray[np.int32]) -> None:
    """Write the strengths of the 1,326 hands on each of several boards of five cards."""
    for index in range(boards.shape[0]):
        fill_strengths(boards[index], out[index])


def strengths(board: Sequence[int]) -> NDArray[np.int32]:
    """The strength of each of the 1,326 hands on a board of five cards; -1 where the hand is blocked.

    >>> from rue.holdem.cards import hand_index, parse_board
    >>> on_board = strengths(parse_board("4s8hTc9h2s"))
    >>> bool(on_board[hand_index("QdJd")] > on_board[hand_index("AsAh")])
    True
    >>> category(on_board[hand_index("QdJd")]), int(on_board[hand_index("AsTc")])
    ('straight', -1)
    """
    row: NDArray[np.int32] = strengths_of_boards([board])[0]
    return row


def strengths_of_boards(boards: Sequence[Sequence[int]] | NDArray[Any]) -> NDArray[np.int32]:
    """The strengths of all hands on each of several boards of five cards, shape (boards, 1326)."""
    table = np.asarray(boards, dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != 5:
        raise RueError("strengths need boards of five cards")
    rows = np.sort(table, axis=1)
    if rows.size and (rows.min() < 0 or rows.max() >= CARDS or (rows[:, 1:] == rows[:, :-1]).any()):
        raise RueError("a board needs five different cards numbered 0 to 51")
    out = np.empty((len(table), HAND_COUNT), dtype=np.int32)
    fill_boards(table, out)
    return out


def strength(cards: Sequence[int]) -> int:
    """The strength of the best five of five, six or seven cards.

    >>> from rue.holdem.cards import parse_cards
    >>> category(strength(parse_cards("As2d3h4c5s KdKh")))
    'straight'
    """
    if not 5 <= len(cards) <= 7 or len(set(cards)) < len(cards):
        raise RueError("a strength needs five, six or seven different cards")
    return int(evaluate(np.asarray(cards, dtype=np.int64)))


def category(value: int) -> str:
    """The category of a strength."""
    return CATEGORIES[int(value) >> 26]
