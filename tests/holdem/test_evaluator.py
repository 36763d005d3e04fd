"""The evaluator against known counts, its plain twin (the best of 21 hands of five) and an independent package."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numba import njit

from hand_strength import BLOCKED, CATEGORIES, category, evaluate, strength, strengths
from twins import hand_strength as twin
from zerosum.holdem.cards.cards import HANDS, card_name, parse_cards
from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.support.errors import ZerosumError

FIVE = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40)
SEVEN = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)
"""How many of all hands of five and of seven cards fall into each category: well-known counts."""


@njit
def count_five() -> Any:
    counts = np.zeros(9, dtype=np.int64)
    cards = np.empty(5, dtype=np.int64)
    for a in range(52):
        cards[0] = a
        for b in range(a + 1, 52):
            cards[1] = b
            for c in range(b + 1, 52):
                cards[2] = c
                for d in range(c + 1, 52):
                    cards[3] = d
                    for e in range(d + 1, 52):
                        cards[4] = e
                        counts[evaluate(cards) >> 26] += 1
    return counts


@njit
def count_seven() -> Any:
    """Count the hands of seven cards by category, from about a quarter of them.

    Shifting all suits of a hand by one, two or three gives three other hands of its category, since seven cards are
    never their own image. Among these four hands, the number with a card of the first suit in the lowest rank equals
    the number of cards of that rank. Only these are counted, and they share the four among them.
    """
    counts = np.zeros(9, dtype=np.int64)
    cards = np.empty(7, dtype=np.int64)
    for a in range(0, 52, 4):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    lowest = 1 + (b < a + 4) + (c < a + 4) + (d < a + 4)
                    for e in range(d + 1, 52):
                        cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                        for f in range(e + 1, 52):
                            cards[5] = f
                            for g in range(f + 1, 52):
                                cards[6] = g
                                counts[evaluate(cards) >> 26] += 12 // lowest
    return counts // 3


def random_hands(count: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return np.argsort(rng.random((count, 52)), axis=1)[:, :7]


def same_order(ours: list[int], theirs: list[Any]) -> bool:
    """Whether two lists of strengths sort the same hands in the same way, ties included."""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    return all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))


def test_categories_of_all_hands_of_five_cards() -> None:
    assert tuple(count_five()) == FIVE


def test_categories_of_all_hands_of_seven_cards() -> None:
    assert tuple(count_seven()) == SEVEN


def test_no_suit_is_better_than_another() -> None:
    for hand in random_hands(5000, 11):
        moved = [hand // 4 * 4 + (hand + step) % 4 for step in range(4)]
        assert len({strength(cards) for cards in moved}) == 1


@pytest.mark.parametrize("seed", [0, 1])
def test_agrees_with_best_of_twenty_one(seed: int) -> None:
    hands = random_hands(4000, seed)
    ours = [strength(hand) for hand in hands]
    theirs = [twin.strength(tuple(hand)) for hand in hands]
    assert same_order(ours, theirs)
    assert [category(value) for value in ours] == [CATEGORIES[value[0]] for value in theirs]


def test_agrees_on_all_shapes_of_five_cards() -> None:
    hands = np.argsort(np.random.default_rng(3).random((20000, 52)), axis=1)[:, :5]
    special = ("As2s3s4s5s", "AsKsQsJsTs", "As2d3s4s5s", "2s2h2d2cAs")
    hands = np.concatenate([hands, [parse_cards(text) for text in special]])
    assert same_order([strength(tuple(hand)) for hand in hands], [twin.strength_of_five(tuple(hand)) for hand in hands])


def test_agrees_with_another_package() -> None:
    phevaluator = pytest.importorskip("phevaluator", reason="the package phevaluator is not installed")
    hands = random_hands(100_000, 7)
    ours = [strength(hand) for hand in hands]
    names = [card_name(card) for card in range(52)]
    theirs = [-phevaluator.evaluate_cards(*(names[card] for card in hand)) for hand in hands]
    assert same_order(ours, theirs)


def test_all_hands_on_a_board() -> None:
    boards = random_hands(60, 5)[:, :5]
    boards[0] = parse_cards("As2s3s4s5s")
    boards[1] = parse_cards("KsKhKdKc2s")
    boards[2] = parse_cards("9s9h9d4c4s")
    table = compute_strengths(boards)
    for board, row in zip(boards, table, strict=True):
        for hand in range(0, 1326, 3):
            cards = {*board, *HANDS[hand]}
            assert row[hand] == (strength(tuple(cards)) if len(cards) == 7 else BLOCKED)
        assert np.array_equal(row, strengths(board))
        assert (row == BLOCKED).sum() == 1326 - 1081


def test_all_hands_on_a_board_agree_with_the_plain_twin() -> None:
    board = parse_cards("9s9h8s7s2d")
    hands = [hand for hand in range(0, 1326, 2) if not {*board} & {*HANDS[hand].tolist()}]
    ours = compute_strengths([board])[0][hands].tolist()
    assert same_order(ours, [twin.strength((*board, *HANDS[hand].tolist())) for hand in hands])


def test_a_royal_flush_on_the_board_ties() -> None:
    row = strengths(parse_cards("AsKsQsJsTs"))
    assert set(row) == {BLOCKED, strength(parse_cards("AsKsQsJsTs"))}


@pytest.mark.parametrize("board", [(), (0, 1, 2, 3), (0, 0, 1, 2, 3), (0, 1, 2, 3, 52), (-1, 1, 2, 3, 4)])
def test_refuses_invalid_boards(board: tuple[int, ...]) -> None:
    with pytest.raises(ZerosumError):
        strengths(board)
