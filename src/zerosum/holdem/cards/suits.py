"""Permutations of the four suits, and which of them leave a board and two ranges unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import CARDS, HAND_INDEX, HANDS

SuitPermutation = tuple[int, ...]
"""The suit that takes the place of each of the four suits."""
IDENTITY: SuitPermutation = (0, 1, 2, 3)


def find_suit_symmetries(board: Sequence[int], weights: Sequence[NDArray[np.float64]]) -> list[SuitPermutation]:
    """Return the permutations of the suits that change neither the board nor the weights of any range."""
    return [
        suits
        for suits in permutations(range(4))
        if {permute_card(card, suits) for card in board} == set(board)
        and all(np.array_equal(range_weights[permute_hands(suits)], range_weights) for range_weights in weights)
    ]


def permute_card(card: int, suits: SuitPermutation) -> int:
    """Return a card with its suit exchanged."""
    return card // 4 * 4 + suits[card % 4]


@cache
def permute_hands(suits: SuitPermutation) -> NDArray[np.int64]:
    """Return the number of each of the 1,326 hands after its suits are exchanged; read-only, because it is cached."""
    cards = HANDS // 4 * 4 + np.array(suits)[HANDS % 4]
    hands: NDArray[np.int64] = HAND_INDEX[cards[:, 0], cards[:, 1]]
    hands.flags.writeable = False
    return hands


@cache
def invert_permutation(suits: SuitPermutation) -> SuitPermutation:
    """Return the permutation that undoes another one."""
    return tuple(int(suit) for suit in np.argsort(suits))


def find_card_orbit(card: int, symmetries: Sequence[SuitPermutation]) -> dict[int, SuitPermutation]:
    """Return the cards that a card stands for, each with the permutation that leads from the card to it.

    >>> find_card_orbit(2, [IDENTITY, (0, 1, 3, 2)])
    {2: (0, 1, 2, 3), 3: (0, 1, 3, 2)}
    """
    orbit: dict[int, SuitPermutation] = {card: IDENTITY}
    for suits in symmetries:
        back = invert_permutation(suits)
        orbit.setdefault(permute_card(card, back), back)
    return orbit


def iterate_next_cards(
    board: Sequence[int], symmetries: Sequence[SuitPermutation]
) -> Iterator[tuple[int, dict[int, SuitPermutation], list[SuitPermutation]]]:
    """Yield one card of each set of interchangeable next cards, its `find_card_orbit`, and the symmetries that keep it.

    >>> [len(orbit) for _, orbit, _ in iterate_next_cards(range(4), [IDENTITY, (0, 1, 3, 2)])][:4]
    [1, 1, 2, 1]
    """
    remaining = [card for card in range(CARDS) if card not in board]
    while remaining:
        card = remaining[0]
        orbit = find_card_orbit(card, symmetries)
        yield card, orbit, [suits for suits in symmetries if permute_card(card, suits) == card]
        remaining = [other for other in remaining if other not in orbit]
