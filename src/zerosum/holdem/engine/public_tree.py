"""Build the public tree of a spot: its boards, hands sorted by strength, all-in equities."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.rounds import ALLIN, Board
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.holdem.betting.tree import walk_streets
from zerosum.holdem.cards.cards import CARDS, HANDS, card_name, format_cards
from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.holdem.cards.kernels import add_comparison
from zerosum.holdem.cards.suits import (
    IDENTITY,
    SuitPermutation,
    find_suit_symmetries,
    iterate_next_cards,
    permute_hands,
)
from zerosum.holdem.spots.spot import Spot

REPORT_EVERY = 16
"""The number of boards between two reports of progress."""
Strengths = NDArray[np.int32]
"""The strengths of all hands on a river."""


def build_public_tree(
    spot: Spot,
    isomorphism: bool = True,
    progress: Callable[[str, int], None] | None = None,
    suits: Sequence[SuitPermutation] | None = None,
) -> PublicTree:
    """Build the public form of a spot; with `isomorphism`, cards that differ by interchangeable suits share a board.

    `progress` is called now and then with "boards" and their number, and may raise an error to stop the work. `suits`
    are the permutations that count as interchangeable: by default all that leave the spot unchanged.
    """
    hands = np.flatnonzero(spot.weights[0]), np.flatnonzero(spot.weights[1])
    symmetries = list(suits or find_suit_symmetries(spot.board, spot.weights)) if isomorphism else [IDENTITY]
    board = _BoardBuilder(spot, progress).build_board(spot.board, hands, symmetries)
    _normalize_equities(board)
    weights = spot.weights[0][board.hands[0]], spot.weights[1][board.hands[1]]
    return PublicTree(spot.name or "holdem", spot.tree, board, weights, tuple(symmetries))


class _BoardBuilder:
    """Builds the boards of a spot from its own board on."""

    def __init__(self, spot: Spot, progress: Callable[[str, int], None] | None) -> None:
        self.progress, self.done = progress, 0
        self.allin = [False, False, False]
        for street in walk_streets(spot.tree):
            self.allin[street.street] |= any(leaf.kind == ALLIN for leaf in street.ends)

    def build_board(
        self,
        cards: tuple[int, ...],
        hands: tuple[Integers, Integers],
        symmetries: list[SuitPermutation],
        strengths: Strengths | None = None,
    ) -> Board:
        """Build a board and all that can follow it; `strengths` are those on a river, if they are already computed."""
        if self.progress is not None and self.done % REPORT_EVERY == 0:
            self.progress("boards", self.done)
        self.done += 1
        if len(cards) == 5:
            strengths = compute_strengths([cards])[0] if strengths is None else strengths
            return _build_river(cards, hands, symmetries, strengths)
        board = Board(
            hands,
            (HANDS[hands[0]], HANDS[hands[1]]),
            label=format_cards(cards),
            representatives=_find_canonical_hands(hands, symmetries),
        )
        board.chance = 1.0 / (CARDS - len(cards) - 4)
        needs_equity = any(self.allin[: len(cards) - 2])
        if needs_equity:
            board.equity = np.zeros((len(hands[0]), len(hands[1])), dtype=np.float32)
        on_rivers: dict[int, Strengths] = {}
        if len(cards) == 4:
            rivers = [card for card in range(CARDS) if card not in cards]
            on_rivers = dict(zip(rivers, compute_strengths([(*cards, card) for card in rivers]), strict=True))
        for card, orbit, stabilizer in iterate_next_cards(cards, symmetries):
            oop, ip = (held[~(HANDS[held] == card).any(axis=1)] for held in hands)
            child = self.build_board((*cards, card), (oop, ip), stabilizer, on_rivers.get(card))
            for member in sorted(orbit, key=lambda other: other != card):
                back = permute_hands(orbit[member])
                child.names.append(card_name(member))
                child.sources.append(
                    (_find_positions(back[child.hands[0]], hands[0]), _find_positions(back[child.hands[1]], hands[1]))
                )
            if needs_equity:
                _add_equity(board, child)
            board.children.append(child)
        return board


def _build_river(
    cards: tuple[int, ...], hands: tuple[Integers, Integers], symmetries: list[SuitPermutation], strengths: Strengths
) -> Board:
    """Build a board of five cards, with the hands sorted by strength."""
    oop, ip = (held[np.argsort(strengths[held], kind="stable")] for held in hands)
    values = strengths[oop].astype(np.int64), strengths[ip].astype(np.int64)
    representatives = _find_canonical_hands((oop, ip), symmetries)
    return Board(
        (oop, ip), (HANDS[oop], HANDS[ip]), strengths=values, label=format_cards(cards), representatives=representatives
    )


def _add_equity(board: Board, child: Board) -> None:
    """Add the runouts that the hands win or lose on a child, for each card it stands for: exact, as integers."""
    assert board.equity is not None
    if child.strengths is not None:
        part = np.zeros((len(child.hands[0]), len(child.hands[1])), dtype=np.float32)
        add_comparison(part, *child.strengths, *child.cards)
    else:
        assert child.equity is not None
        part = child.equity
    for oop, ip in child.sources:
        board.equity[np.ix_(oop, ip)] += part


def _normalize_equities(board: Board) -> float:
    """Turn counts of runouts into probabilities, from the last cards up; return the probability of one runout."""
    chance = board.chance * max((_normalize_equities(child) for child in board.children), default=1.0)
    if board.equity is not None:
        board.equity *= np.float32(chance)
    return chance if board.children else 1.0


def _find_positions(hands: Integers, among: Integers) -> Integers:
    """Return the positions of hands among others; -1 for those that are not there."""
    positions = np.full(len(HANDS), -1, dtype=np.int64)
    positions[among] = np.arange(len(among))
    return positions[hands]


def _find_canonical_hands(
    hands: tuple[Integers, Integers], symmetries: list[SuitPermutation]
) -> tuple[Integers, Integers] | None:
    """Return for each hand the first one among its images under the symmetries; None without symmetries."""
    if len(symmetries) == 1:
        return None
    images = ([_find_positions(permute_hands(suits)[held], held) for suits in symmetries] for held in hands)
    oop, ip = (np.stack(positions).min(axis=0) for positions in images)
    return oop, ip
