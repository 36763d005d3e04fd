"""Equities before the flop, against another evaluator, known numbers and what must always hold."""

from __future__ import annotations

import lzma
from typing import Any

import numpy as np
import pytest
from numba import njit
from phevaluator import evaluate_cards

from hand_strength import evaluate
from rue.games.preflop import BOARDS, FILE, HANDS, RENAMED, matchups, of_classes, smallest
from rue.holdem import cards
from rue.holdem.cards import hand_index
from rue.holdem.hand_classes import class_hands
from rue.holdem.preflop_enumeration import stored

RANKS = cards.RANKS


def test_hands_are_numbered_as_everywhere() -> None:
    assert (HANDS == cards.HANDS).all()


def compared(one: int, two: int, board: tuple[int, ...]) -> int:
    """1, 0 or -1 as the first hand wins, ties or loses, by an evaluator that is not ours."""
    first, second = (evaluate_cards(*map(int, (*board, *HANDS[hand]))) for hand in (one, two))
    return (first < second) - (first > second)  # there the smaller is the better


@njit
def counted(one: Any, two: Any, rest: Any) -> tuple[int, int]:
    """On how many of all boards the first hand wins, and on how many both do, one board after the other."""
    first, second = np.empty(7, dtype=np.int64), np.empty(7, dtype=np.int64)
    first[5:], second[5:] = one, two
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
    one, two = map(hand_index, hands.split())
    rest = np.setdiff1d(np.arange(52), [HANDS[one], HANDS[two]])
    wins, ties = matchups()
    assert (wins[one, two], ties[one, two]) == counted(HANDS[one], HANDS[two], rest)


def test_many_pairs_on_random_boards_by_another_evaluator() -> None:
    rng = np.random.default_rng(5)
    drawn, deviations = 500, []
    for _ in range(50):
        deal = [rng.choice(52, 4, replace=False)]
        one, two = (int(cards.HAND_INDEX[a, b]) for a, b in (deal[0][:2], deal[0][2:]))
        rest = np.setdiff1d(np.arange(52), deal[0])
        found = [compared(one, two, tuple(rng.choice(rest, 5, replace=False))) for _ in range(drawn)]
        lead = (matchups().wins[one, two] - matchups().wins[two, one]) / BOARDS
        deviations.append((np.mean(found) - lead) / (np.std(found) / drawn**0.5))
    assert np.abs(deviations).max() < 4.5
    assert 0.5 < np.mean(np.square(deviations)) < 1.6


@pytest.mark.parametrize(
    ("one", "two", "wins", "ties"),
    [("AA", "KK", 0.8171, 0.0046), ("AKs", "QQ", 0.4583, 0.0043)],
)
def test_known_numbers(one: str, two: str, wins: float, ties: float) -> None:
    """Of classes, over all pairs of hands that share no card; the numbers of any public calculator."""
    first, second = (class_hands(RANKS.index(t[0]), RANKS.index(t[1]), t[2:]) for t in (one, two))
    found = matchups()
    apart = (found.wins + found.wins.T + found.ties > 0)[np.ix_(first, second)]
    assert found.wins[np.ix_(first, second)][apart].mean() / BOARDS == pytest.approx(wins, abs=1e-4)
    assert found.ties[np.ix_(first, second)][apart].mean() / BOARDS == pytest.approx(ties, abs=1e-4)


@pytest.mark.parametrize(("name", "equity"), [("AA", 0.8520), ("KK", 0.8240), ("72o", 0.3458), ("32o", 0.3230)])
def test_against_a_random_hand(name: str, equity: float) -> None:
    first, found = of_classes()
    row = np.searchsorted(first, smallest()[class_hands(RANKS.index(name[0]), RANKS.index(name[1]), name[2:])[0]])
    assert found.equity[row].sum() / 1225 == pytest.approx(equity, abs=1e-4)


def test_nothing_depends_on_the_names_of_suits_or_the_order_of_players() -> None:
    wins, ties = matchups()
    one, two = HANDS[:, None, :, None], HANDS[None, :, None, :]
    apart = ~(one == two).any(axis=(2, 3))
    assert ((wins + wins.T + ties) == BOARDS * apart).all()
    assert (ties == ties.T).all()
    for hands in RENAMED:
        assert (wins[hands[:, None], hands] == wins).all()


def test_the_file_is_what_is_written_of_it() -> None:
    assert lzma.decompress(stored(matchups())) == lzma.decompress(FILE.read_bytes())
