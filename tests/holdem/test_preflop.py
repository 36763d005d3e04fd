"""Equities before the flop, against another evaluator, known numbers and invariants."""

from __future__ import annotations

import importlib.util
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from phevaluator import evaluate_cards

from hand_strength import evaluate
from twins.equity import comparison
from zerosum.games.poker.preflop_equity import (
    BOARDS,
    FILE,
    HANDS,
    SUIT_PERMUTED,
    find_class_representatives,
    load_class_equities,
    load_preflop_equities,
)
from zerosum.holdem.cards import cards
from zerosum.holdem.cards.cards import list_class_hands, parse_hand

SCRIPT = importlib.util.spec_from_file_location(
    "preflop_equities", Path(__file__).parents[2] / "benchmarks" / "preflop_equities.py"
)
assert SCRIPT is not None
assert SCRIPT.loader is not None
script = importlib.util.module_from_spec(SCRIPT)
SCRIPT.loader.exec_module(script)


def test_hands_are_numbered_as_everywhere() -> None:
    assert (HANDS == cards.HANDS).all()


def compared(mine: int, theirs: int, board: tuple[int, ...]) -> int:
    """Return 1, 0 or -1 if the first hand wins, ties or loses, by an independent evaluator."""
    first, second = (evaluate_cards(*map(int, (*board, *HANDS[hand]))) for hand in (mine, theirs))
    return (first < second) - (first > second)  # there the smaller is the better


@njit
def counted(mine: Any, theirs: Any, rest: Any) -> tuple[int, int]:
    """Count the boards on which the first hand wins, and those on which both do, board by board."""
    first, second = np.empty(7, dtype=np.int64), np.empty(7, dtype=np.int64)
    first[5:], second[5:] = mine, theirs
    wins = ties = 0
    for a in range(len(rest)):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for place, card in enumerate((rest[a], rest[b], rest[c], rest[d], rest[e])):
                            first[place] = second[place] = card
                        lead = evaluate(first) - evaluate(second)
                        wins += lead > 0
                        ties += lead == 0
    return wins, ties


@pytest.mark.parametrize("hands", ["8s7s AsTh", "KcKd 5h5d", "Qh3c QdJc", "4d2s 4h2c"])
def test_pairs_on_every_board(hands: str) -> None:
    mine, theirs = map(parse_hand, hands.split())
    rest = np.setdiff1d(np.arange(52), [HANDS[mine], HANDS[theirs]])
    wins, ties = load_preflop_equities()
    assert (wins[mine, theirs], ties[mine, theirs]) == counted(HANDS[mine], HANDS[theirs], rest)


def test_many_pairs_on_random_boards_by_another_evaluator() -> None:
    rng = np.random.default_rng(5)
    drawn, deviations = 500, []
    for _ in range(50):
        deal = [rng.choice(52, 4, replace=False)]
        mine, theirs = (int(cards.HAND_INDEX[a, b]) for a, b in (deal[0][:2], deal[0][2:]))
        rest = np.setdiff1d(np.arange(52), deal[0])
        outcomes = [compared(mine, theirs, tuple(rng.choice(rest, 5, replace=False))) for _ in range(drawn)]
        lead = (load_preflop_equities().wins[mine, theirs] - load_preflop_equities().wins[theirs, mine]) / BOARDS
        deviations.append((np.mean(outcomes) - lead) / (np.std(outcomes) / drawn**0.5))
    assert np.abs(deviations).max() < 4.5
    assert 0.5 < np.mean(np.square(deviations)) < 1.6


@pytest.mark.parametrize(
    ("hand", "opponent", "wins", "ties"),
    [("AA", "KK", 0.8171, 0.0046), ("AKs", "QQ", 0.4583, 0.0043)],
)
def test_known_numbers(hand: str, opponent: str, wins: float, ties: float) -> None:
    """Equities of classes, over all pairs of hands that share no card; any public calculator has these numbers."""
    first, second = (list_class_hands(t) for t in (hand, opponent))
    equities = load_preflop_equities()
    apart = (equities.wins + equities.wins.T + equities.ties > 0)[np.ix_(first, second)]
    assert equities.wins[np.ix_(first, second)][apart].mean() / BOARDS == pytest.approx(wins, abs=1e-4)
    assert equities.ties[np.ix_(first, second)][apart].mean() / BOARDS == pytest.approx(ties, abs=1e-4)


@pytest.mark.parametrize(("name", "equity"), [("AA", 0.8520), ("KK", 0.8240), ("72o", 0.3458), ("32o", 0.3230)])
def test_against_a_random_hand(name: str, equity: float) -> None:
    first, classes = load_class_equities()
    row = np.searchsorted(first, find_class_representatives()[list_class_hands(name)[0]])
    assert classes.equity[row].sum() / 1225 == pytest.approx(equity, abs=1e-4)


def test_nothing_depends_on_the_names_of_suits_or_the_order_of_players() -> None:
    wins, ties = load_preflop_equities()
    mine, theirs = HANDS[:, None, :, None], HANDS[None, :, None, :]
    apart = ~(mine == theirs).any(axis=(2, 3))
    assert ((wins + wins.T + ties) == BOARDS * apart).all()
    assert (ties == ties.T).all()
    for hands in SUIT_PERMUTED:
        assert (wins[hands[:, None], hands] == wins).all()


def test_comparing_all_hands_agrees_with_the_plain_twin() -> None:
    """Board by board, weighted by its number of copies; a blocked hand neither wins nor ties."""
    random = np.random.default_rng(3)
    ranks = random.integers(0, 4, (5, 9)).astype(np.int16)
    ranks[random.random(ranks.shape) < 0.2] = script.BLOCKED
    times = np.array([1, 4, 12, 24, 6], np.int16)
    wins, ties = np.zeros((9, 9), np.int32), np.zeros((9, 9), np.int32)
    script.add_comparisons(ranks, times, wins, ties)
    expected_wins, expected_ties = np.zeros((9, 9)), np.zeros((9, 9))
    for board, count in zip(ranks, times, strict=True):
        there = [hand for hand in range(9) if board[hand] != script.BLOCKED]
        results = comparison([(int(board[i]), (i, i)) for i in there], [(int(board[j]), (9 + j, 9 + j)) for j in there])
        expected_wins[np.ix_(there, there)] += count * (np.array(results) == 1)
        expected_ties[np.ix_(there, there)] += count * (np.array(results) == 0)
    assert (wins == expected_wins).all()
    assert (ties == expected_ties).all()


def test_the_bundled_file_can_be_written_again() -> None:
    assert lzma.decompress(script.pack_equities(load_preflop_equities())) == lzma.decompress(FILE.read_bytes())
