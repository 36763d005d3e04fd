"""Made hands and draws against a plain classification of one hand at a time, and the names that players type."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.holdem.cards.cards import HANDS, RANKS, find_unblocked_hands, parse_board, parse_hand
from zerosum.holdem.cards.hand_filter import FILTER_NAMES, GROUPS, SYNONYMS, select_hands
from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.holdem.cards.made_hands import DRAWS, MADE_HANDS, classify_hands
from zerosum.support.errors import ZerosumError

NAMES = [f"{rank}{suit}" for rank in RANKS for suit in "shdc"]
WINDOWS = ["A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA"]


def ranks(cards: Sequence[str]) -> list[str]:
    """The ranks of cards, highest first."""
    return sorted((card[0] for card in cards), key=RANKS.index, reverse=True)


def straight_top(cards: Sequence[str]) -> int:
    """Return the number of the highest of the ten straights in some cards; -1 for none."""
    held = {card[0] for card in cards}
    return max((number for number, window in enumerate(WINDOWS) if set(window) <= held), default=-1)


def five(cards: Sequence[str]) -> tuple[int, list[int]]:
    """Return five cards as a comparable tuple: the category, and ranks in the order in which they count."""
    held = ranks(cards)
    groups = sorted(set(held), key=lambda rank: (held.count(rank), RANKS.index(rank)), reverse=True)
    shape = tuple(held.count(rank) for rank in groups)
    flush, straight = len({card[1] for card in cards}) == 1, straight_top(cards)
    if straight >= 0:
        return (8 if flush else 4), [straight]
    order = [RANKS.index(rank) for rank in groups]
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return max(kinds.get(shape, 0), 5 if flush else 0), order


def plain_made(hole: Sequence[str], board: Sequence[str]) -> str:
    """Return the made hand of two cards on a board, from their best five cards."""
    best = max(combinations((*hole, *board), 5), key=five)
    kind = five(best)[0]
    if kind >= 4:
        return {8: "straight flush", 7: "quads", 6: "full house", 5: "flush", 4: "straight"}[kind]
    mine, theirs, played = [card[0] for card in hole], ranks(board), ranks(best)
    several = {rank for rank in played if played.count(rank) > 1 and rank in mine}
    pocket = mine[0] == mine[1]
    if kind == 3 and several:
        return "set" if pocket else "trips"
    if len(several) == 2:
        return "two pair"
    if several:
        (rank,) = several
        above = {card for card in theirs if RANKS.index(card) > RANKS.index(rank)}
        if pocket:
            return "underpair" if above else "overpair"
        return {0: "top pair", 1: "second pair", 2: "third pair"}.get(len(above), "low pair")
    return "ace high" if "A" in mine else "king high" if "K" in mine else "nothing"


def plain_draws(hole: Sequence[str], board: Sequence[str], made_hand: str) -> set[str]:
    """Return the draws of a hand by trying every card that may come."""
    if len(board) == 5:
        return {"no draw"}
    draws = set()
    rest = [name for name in NAMES if name not in hole and name not in board]
    held = [*hole, *board]
    if MADE_HANDS.index(made_hand) > MADE_HANDS.index("flush"):
        for suit in {card[1] for card in hole}:
            count = sum(card[1] == suit for card in held)
            if any(count + (card[1] == suit) == 5 for card in rest):
                draws.add("flush draw")
            if len(board) == 3 and count == 3 and hole[0][1] == hole[1][1]:
                draws.add("backdoor flush draw")
    if MADE_HANDS.index(made_hand) > MADE_HANDS.index("straight"):
        outs = {card[0] for card in rest if straight_top([*held, card]) > straight_top([*board, card])}
        if outs:
            draws.add("gutshot" if len(outs) == 1 else "open-ended")
            if "flush draw" in draws:
                draws.add("combo draw")
    return draws or {"no draw"}


def check(board: Sequence[int], hands: Sequence[int]) -> None:
    there, names = classify_hands(board), [NAMES[card] for card in board]
    for hand in hands:
        cards = HANDS[hand].tolist()
        if set(cards) & set(board):
            assert there.made_hand[hand] == -1
            assert not any(there.draws[name][hand] for name in DRAWS)
            continue
        hole = [NAMES[card] for card in cards]
        made_hand = plain_made(hole, names)
        assert MADE_HANDS[there.made_hand[hand]] == made_hand, (hole, names)
        assert {name for name in DRAWS if there.draws[name][hand]} == plain_draws(hole, names, made_hand), (hole, names)


@pytest.mark.parametrize("board", ["Ks7h2d", "Th9h8c", "KsKh7d", "7s7h7d", "AsKsQs", "5s6h7d8c", "AsAhKdKc"])
def test_every_hand_of_a_flop_or_turn_agrees_with_the_plain_twin(board: str) -> None:
    check(parse_board(board), range(0, 1326, 2))


@settings(max_examples=60)
@given(st.permutations(range(52)), st.integers(3, 5), st.data())
def test_hands_on_any_board_agree_with_the_plain_twin(deck: list[int], count: int, data: st.DataObject) -> None:
    hands = data.draw(st.lists(st.integers(0, 1325), min_size=30, max_size=30))
    check(deck[:count], hands)


@pytest.mark.parametrize("board", ["Ks7h2d9c4s", "Th9h8c7h2h", "KsKh7d7c2s", "7s7h7d2c3c", "AsAhAdAcKs", "5s6s7s8s9s"])
def test_rivers_agree_with_the_evaluator(board: str) -> None:
    cards = parse_board(board)
    strengths = compute_strengths([cards])[0]
    there = classify_hands(cards)
    kinds = {8: "straight flush", 7: "quads", 6: "full house", 5: "flush", 4: "straight"}
    for number, name in kinds.items():
        assert ((strengths >> 26 == number) == there.select(name)).all()
    order = there.made_hand[np.argsort(-strengths, kind="stable")]
    strong = order[(order >= 0) & (order <= MADE_HANDS.index("straight"))]
    assert (np.diff(strong) >= 0).all()
    assert (there.select("no draw") == find_unblocked_hands(cards)).all()


@given(st.permutations(range(52)), st.integers(3, 5))
def test_every_hand_is_one_made_hand_and_suits_have_no_names(deck: list[int], count: int) -> None:
    board = deck[:count]
    there = classify_hands(board)
    assert (sum(there.select(name).astype(int) for name in MADE_HANDS) == find_unblocked_hands(board)).all()
    turned = [card // 4 * 4 + (card % 4 + 1) % 4 for card in board]
    other = classify_hands(turned)
    for name in (*MADE_HANDS, *DRAWS):
        assert there.select(name).sum() == other.select(name).sum()


@pytest.mark.parametrize(
    ("text", "board", "hands", "others"),
    [
        ("sets", "Ks7h2d", "KcKd 7s7c", "AsAh Kc7c"),
        ("Top Pairs", "Ks7h2d", "AsKd Kc3c", "AsAh 7s6s"),
        ("flush-draw", "Ks7s2d", "AsQs Ts9s", "AsQd"),
        ("FD with open-ended", "9s8s2d", "JsTs Ts7s", "AsQs JhTd"),
        ("oesd", "9s8s2d", "JhTd JsTs", "QhJd"),
        ("gutshots without flush draw", "9s8s2d", "QhJd", "QsJs JhTd"),
        ("two pair or better", "Ks7h2d", "Kc7c 2s2h", "AsAh"),
        ("overpair+", "Ks7h2d", "AsAh Kc7c", "AsKd QsQh"),
        ("TPTK", "As7h2d", "KsAd", "AdQd"),
        ("nut flush draws", "Ks7s2d", "AsQs", "QsJs"),
        ("nfd", "Ks7s2s", "AsQd", "QsJd"),
        ("bottom pair", "Ks7h2d", "As2s 3c2c", "As7s 2c2s"),
        ("middle pair", "Ks7h2d", "As7s", "As2s"),
        ("air", "9s8s2d", "Qs3d 5h4h", "AhQd QhJd QsJs Kh3h"),
        ("ace-high, k high", "9s8s2d", "Ah3d KhQh", "Qh3h"),
        ("AKs, pocket pairs", "9s8s2d", "AhKh 9c9d 3c3d", "AhKd"),
        ("three of a kind", "KsKh2d", "QdKd AsKd", "AsAh 2s2h"),
        ("pairs & flush draw", "Ks7s2d", "As2s", "KdQd 7d6s"),
        ("not made hands", "Ks7s2d", "AsQs", "As2s"),
        ("ace high and not a draw", "Ks7s2d", "AdQd", "AsQs"),
    ],
)
def test_names_that_players_type(text: str, board: str, hands: str, others: str) -> None:
    selected = select_hands(text, parse_board(board))
    assert all(selected[parse_hand(name)] for name in hands.split()), hands
    assert not any(selected[parse_hand(name)] for name in others.split()), others


@given(st.sampled_from(FILTER_NAMES), st.permutations(range(52)), st.integers(3, 5))
def test_every_name_reads_in_singular_and_plural_and_excludes_dealt_cards(
    name: str, deck: list[int], count: int
) -> None:
    board = deck[:count]
    selected = select_hands(name, board)
    assert (selected == select_hands(name.upper() + "s", board)).all()
    assert (selected == select_hands(name.replace(" ", "-"), board)).all()
    assert not (selected & ~find_unblocked_hands(board)).any()
    assert (select_hands(f"not {name}", board) == find_unblocked_hands(board) & ~selected).all()
    if name in (*MADE_HANDS, *DRAWS):
        assert (selected == classify_hands(board).select(name)).all()


def test_synonyms_name_known_categories() -> None:
    for meant in SYNONYMS.values():
        assert all(name in (*MADE_HANDS, *DRAWS, *GROUPS) for name in meant.split(", "))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no hands are named"),
        ("top pear", "did you mean"),
        ("AKx", "cannot read 'AKx'"),
        ("AKs:2", "weight"),
        ("flush draw+", "only made hands like top pair"),
        ("top pair with", "''"),
        ("zzz", "a made hand or a draw like top pair"),
    ],
)
def test_text_that_names_no_hands_is_refused(text: str, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        select_hands(text, parse_board("Ks7h2d"))


def test_boards_that_are_none() -> None:
    with pytest.raises(ZerosumError, match="3, 4 or 5 cards, not 2"):
        classify_hands([0, 1])
    with pytest.raises(ZerosumError, match="appears twice"):
        classify_hands([0, 1, 1])
