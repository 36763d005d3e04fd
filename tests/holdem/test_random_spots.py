"""Random spots: properties that must hold for any of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import zerosum
from spot_play import assert_same, played, solver
from zerosum.holdem.cards.cards import CARDS, HANDS, parse_board
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.cards.suits import permute_card, permute_hands
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.spot import Spot, spot

CLASSES = ["AA", "77:0.5", "22", "AKs", "AKo:0.25", "QJs:0.5", "T9o", "76s", "A5s", "K2s:0.75"]
COMBINATIONS = ["AsAh", "AsKd:0.5", "KsKc", "QhJh", "7s7d", "6d5d:0.25", "AhQc", "9s8s", "3c2d:0.5", "JdTd"]


@st.composite
def spots(draw: Any, hands: list[str], sizes: tuple[int, ...] = (4, 5), bets: str | None = None) -> Spot:
    """Small spots; boards in few suits are common."""
    suits = draw(st.sampled_from([(0,), (0, 1), (0, 1, 2, 3)]))
    cards = st.sampled_from([card for card in range(CARDS) if card % 4 in suits])
    size = draw(st.sampled_from(sizes))
    board = draw(st.lists(cards, min_size=size, max_size=size, unique=True))
    oop, ip = (",".join(draw(st.lists(st.sampled_from(hands), min_size=1, max_size=4))) for _ in range(2))
    raises = st.sampled_from(["none", "allin", "100%"])
    sizes_of_bets = st.sampled_from(["none", "50%", "100%,allin", "33%; river: allin"])
    stack = draw(st.sampled_from([150, 400]))
    try:
        return spot(board, 200, stack, oop, ip, bets or draw(sizes_of_bets), "none" if bets else draw(raises))
    except zerosum.ZerosumError:
        assume(False)
        raise


def renamed_spot(spot: Spot, suits: tuple[int, ...]) -> Spot:
    """The same spot with its suits exchanged."""
    ranges = []
    for old in spot.ranges:
        weights = np.zeros(len(HANDS))
        weights[permute_hands(suits)] = old.weights
        ranges.append(Range(weights))
    board = tuple(permute_card(card, suits) for card in spot.board)
    return replace(spot, board=board, oop=ranges[0], ip=ranges[1])


FEW = settings(max_examples=15)


@given(spots(CLASSES + COMBINATIONS))
@FEW
def test_zero_sum(spot: Spot) -> None:
    public_solver = solver(spot, "dcfr", 5)
    oop, ip = (public_solver.compute_hand_values(player, best=False).sum() for player in (0, 1))
    assert oop == pytest.approx(-ip, abs=1e-9)
    assert min(public_solver.evaluate().gains) >= -1e-9


@given(spots(CLASSES + COMBINATIONS, bets="none"))
@FEW
def test_symmetric_spots_are_worth_nothing(spot: Spot) -> None:
    for both_ranges in spot.ranges:
        try:
            same = replace(spot, oop=both_ranges, ip=both_ranges)
        except zerosum.ZerosumError:
            continue
        assert solver(same).evaluate().value == pytest.approx(0, abs=1e-9)


@given(spots(CLASSES + COMBINATIONS), st.permutations(range(4)))
@FEW
def test_permuting_suits_changes_nothing(spot: Spot, suits: list[int]) -> None:
    other = renamed_spot(spot, tuple(suits))
    for iterations in (0, 5):
        assert_same(*(played(variant, "dcfr", iterations).evaluate() for variant in (spot, other)))


@given(spots(CLASSES))
@FEW
def test_isomorphism_changes_nothing(spot: Spot) -> None:
    for iterations in (0, 5):
        reduced, other = (played(spot, "dcfr", iterations, isomorphism=either) for either in (True, False))
        assert_same(reduced.evaluate(), other.evaluate())


@pytest.mark.parametrize("board", ["Td9d6d", "Td9d6h", "7s7h7d", "KsKh2d"])
def test_isomorphism_of_flops(board: str) -> None:
    flop = spot(board, 200, 300, "AA,AKs,T9s:0.5", "KK,QJs,66:0.25", "100%; river: allin", "none")
    reduced, other = (played(flop, "dcfr", 3, isomorphism=either, threads=2) for either in (True, False))
    assert len(reduced.form.boards) < 0.7 * len(other.form.boards)
    assert_same(reduced.evaluate(), other.evaluate())


@given(spots(CLASSES + COMBINATIONS), st.booleans())
@FEW
def test_the_board_blocks_hands(spot: Spot, isomorphism: bool) -> None:
    tree = build_public_tree(spot, isomorphism)
    for board in tree.boards:
        gone = parse_board(board.label)
        for hands, cards in zip(board.hands, board.cards, strict=True):
            assert not np.isin(cards, gone).any()
            np.testing.assert_array_equal(HANDS[hands], cards)
    for weights, unblocked, hands in zip(spot.weights, tree.weights, tree.board.hands, strict=True):
        assert weights[hands].tolist() == unblocked.tolist()
        assert weights.sum() == pytest.approx(unblocked.sum())


@given(spots(CLASSES + COMBINATIONS))
@FEW
def test_hands_that_share_a_card_never_meet(spot: Spot) -> None:
    """Hands that cannot be dealt against the only hand of the other player change nothing."""
    hand = int(np.flatnonzero(spot.weights[0])[0])
    only, more = np.zeros(len(HANDS)), spot.weights[1].copy()
    only[hand] = 1.0
    shared = np.isin(HANDS, HANDS[hand]).any(axis=1)
    less = np.where(shared, 0.0, more)
    more[shared] = 1.0
    assume(less.any())
    with_them, without = (
        played(replace(spot, oop=Range(only), ip=Range(weights)), "cfr", 4) for weights in (more, less)
    )
    assert_same(with_them.evaluate(), without.evaluate())
    values = with_them.compute_hand_values(1, best=True)
    assert not np.abs(values[shared[with_them.form.board.hands[1]]]).max(initial=0.0) > 1e-9


@given(spots(CLASSES, sizes=(4,)), st.sampled_from(["dcfr", "pcfr+", "cfr(order=simultaneous)"]))
@FEW
def test_threads_change_nothing(spot: Spot, algorithm: str) -> None:
    alone, shared = (solver(spot, algorithm, 4, threads=threads, dtype=np.float32) for threads in (1, 2))
    assert shared.threads == 2
    for store, other in zip(alone.stores, shared.stores, strict=True):
        for mine, theirs in zip(store, other, strict=True):
            np.testing.assert_array_equal(mine, theirs)
    assert alone.evaluate() == shared.evaluate()


@given(spots(CLASSES + COMBINATIONS))
@FEW
def test_float32_is_near_float64(spot: Spot) -> None:
    narrow, other = (played(spot, "cfr", 4, dtype=dtype).evaluate() for dtype in (np.float32, np.float64))
    assert_same(narrow, other, near=5e-3)
