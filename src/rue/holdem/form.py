"""From a hold'em spot to its public form: the betting tree, and boards with their hands sorted by strength."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from rue.forms.public_tree import PublicTree
from rue.forms.rounds import ALLIN, Board
from rue.forms.treeplex import Integers
from rue.holdem.cards import CARDS, HAND_INDEX, HANDS, card_name
from rue.holdem.evaluator import strengths_of_boards
from rue.holdem.spots import Spot
from rue.holdem.tree import walk_streets
from rue.native.kernel import Kernel

TOLD = 16
"""Boards after which their number is told again."""
ADD_COMPARISON = Kernel("rue.holdem.kernels:add_comparison")
Suits = tuple[int, ...]
"""A permutation of the four suits."""
Strengths = NDArray[np.int32]
"""Of all hands on a river."""
AS_THEY_ARE: Suits = (0, 1, 2, 3)
"""No suit is exchanged."""


def public_tree(
    spot: Spot,
    isomorphism: bool = True,
    tell: Callable[[str, int], None] | None = None,
    suits: Sequence[Suits] | None = None,
) -> PublicTree:
    """The public form of a spot; with `isomorphism`, cards that only differ by interchangeable suits share a board.

    `tell` hears now and then how many boards are done, and may end the work by an error. `suits` are the permutations
    that count as interchangeable, if not all that leave the spot as it is.
    """
    kept = tuple(np.flatnonzero(weights) for weights in spot.weights)
    hands = kept[0], kept[1]
    symmetries = list(suits or suit_symmetries(spot)) if isomorphism else [AS_THEY_ARE]
    board = _Boards(spot, tell).board(spot.board, hands, symmetries)
    _Boards.scale_equity(board)
    weights = spot.weights[0][board.hands[0]], spot.weights[1][board.hands[1]]
    return PublicTree(spot.name or "holdem", spot.tree, board, weights, tuple(symmetries))


def suit_symmetries(spot: Spot) -> list[Suits]:
    """The permutations of the suits that change neither the board nor the ranges."""
    return [
        suits
        for suits in permutations(range(4))
        if {renamed(card, suits) for card in spot.board} == set(spot.board)
        and all(np.array_equal(weights[renamed_hands(suits)], weights) for weights in spot.weights)
    ]


def renamed(card: int, suits: Suits) -> int:
    """A card with its suit exchanged."""
    return card // 4 * 4 + suits[card % 4]


@cache
def renamed_hands(suits: Suits) -> Integers:
    """The number of every hand after its suits are exchanged; worked out once, to be read only."""
    cards = HANDS // 4 * 4 + np.array(suits)[HANDS % 4]
    hands: Integers = HAND_INDEX[cards[:, 0], cards[:, 1]]
    hands.flags.writeable = False
    return hands


def orbit_of(card: int, symmetries: Sequence[Suits]) -> dict[int, Suits]:
    """The cards for which the board of a card stands, and how its suits are then to be read.

    >>> orbit_of(2, [AS_THEY_ARE, (0, 1, 3, 2)])
    {2: (0, 1, 2, 3), 3: (0, 1, 3, 2)}
    """
    orbit: dict[int, Suits] = {card: AS_THEY_ARE}
    for suits in symmetries:
        back = inverse(suits)
        orbit.setdefault(renamed(card, back), back)
    return orbit


class _Boards:
    """Builds the boards of a spot from its own board on."""

    def __init__(self, spot: Spot, tell: Callable[[str, int], None] | None) -> None:
        self.tell, self.done = tell, 0
        self.allin = [False, False, False]
        for street in walk_streets(spot.tree):
            self.allin[street.street] |= any(leaf.kind == ALLIN for leaf in street.ends)

    def board(
        self,
        cards: tuple[int, ...],
        hands: tuple[Integers, Integers],
        symmetries: list[Suits],
        strength: Strengths | None = None,
    ) -> Board:
        """A board and all that may follow it; `strength` is that of all hands on a river, if it is known."""
        if self.tell is not None and self.done % TOLD == 0:
            self.tell("boards", self.done)
        self.done += 1
        if len(cards) == 5:
            return self._last(
                cards, hands, symmetries, strengths_of_boards([cards])[0] if strength is None else strength
            )
        board = Board(hands, (HANDS[hands[0]], HANDS[hands[1]]), label=_label(cards), alike=_alike(hands, symmetries))
        board.chance = 1.0 / (CARDS - len(cards) - 4)
        wanted = any(self.allin[: len(cards) - 2])
        if wanted:
            board.equity = np.zeros((len(hands[0]), len(hands[1])), dtype=np.float32)
        left = [card for card in range(CARDS) if card not in cards]
        rivers = strengths_of_boards([(*cards, card) for card in left]) if len(cards) == 4 else ()
        strength_on: dict[int, Strengths] = dict(zip(left, rivers, strict=False))
        while left:
            card = left[0]
            orbit = orbit_of(card, symmetries)
            left = [other for other in left if other not in orbit]
            free = tuple(own[~(HANDS[own] == card).any(axis=1)] for own in hands)
            kept = [suits for suits in symmetries if renamed(card, suits) == card]
            child = self.board((*cards, card), (free[0], free[1]), kept, strength_on.get(card))
            for member in sorted(orbit, key=lambda other: other != card):
                back = renamed_hands(orbit[member])
                child.names.append(card_name(member))
                child.sources.append((_places(back[child.hands[0]], hands[0]), _places(back[child.hands[1]], hands[1])))
            if wanted:
                self._add_equity(board, child)
            board.children.append(child)
        return board

    @staticmethod
    def scale_equity(board: Board) -> float:
        """Turn the counts of runouts into chances, from the last cards up; returns the chance of one runout."""
        chance = board.chance * max((_Boards.scale_equity(child) for child in board.children), default=1.0)
        if board.equity is not None:
            board.equity *= np.float32(chance)
        return chance if board.children else 1.0

    @staticmethod
    def _last(
        cards: tuple[int, ...], hands: tuple[Integers, Integers], symmetries: list[Suits], strengths: Strengths
    ) -> Board:
        strength = strengths.astype(np.int64)
        order = [np.argsort(strength[own], kind="stable") for own in hands]
        one, two = (own[sort] for own, sort in zip(hands, order, strict=True))
        board = Board((one, two), (HANDS[one], HANDS[two]), [], (strength[one], strength[two]), label=_label(cards))
        board.alike = _alike(board.hands, symmetries)
        return board

    def _add_equity(self, board: Board, child: Board) -> None:
        """Add the runouts that the hands win or lose on a child, for every card it stands for: whole numbers, exact."""
        assert board.equity is not None
        if child.strengths is not None:
            part = np.zeros((len(child.hands[0]), len(child.hands[1])), dtype=np.float32)
            ADD_COMPARISON(part, *child.strengths, *child.cards)
        else:
            assert child.equity is not None
            part = child.equity
        for one, two in child.sources:
            board.equity[np.ix_(one, two)] += part


def inverse(suits: Suits) -> Suits:
    """The permutation that undoes one."""
    return tuple(int(suit) for suit in np.argsort(suits))


def _places(hands: Integers, among: Integers) -> Integers:
    """Where hands stand among others."""
    where = np.full(len(HANDS), -1, dtype=np.int64)
    where[among] = np.arange(len(among))
    return where[hands]


def _alike(hands: tuple[Integers, Integers], symmetries: list[Suits]) -> tuple[Integers, Integers] | None:
    """For each hand the first one among those that the symmetries make of it; None where there are none."""
    if len(symmetries) == 1:
        return None
    places = ([_places(renamed_hands(suits)[own], own) for suits in symmetries] for own in hands)
    one, two = (np.stack(each).min(axis=0) for each in places)
    return one, two


def _label(cards: tuple[int, ...]) -> str:
    return "".join(card_name(card) for card in cards)
