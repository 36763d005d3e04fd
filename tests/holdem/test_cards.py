"""Cards, hands and boards: the numbering, the names, and errors for text that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.holdem.cards.cards import (
    HAND_INDEX,
    HANDS,
    card_name,
    find_street,
    find_unblocked_hands,
    format_cards,
    hand_name,
    parse_board,
    parse_cards,
    parse_hand,
)
from zerosum.support.errors import ZerosumError


def test_the_order_of_hands_is_that_of_the_libratus_files() -> None:
    firsts = [parse_hand(name) for name in ("2s2h", "2s2d", "2s2c", "2s3s", "2s3h")]
    assert firsts == [0, 1, 2, 3, 4]
    assert parse_hand("AdAc") == 1325
    assert HANDS.shape == (1326, 2)
    assert (HAND_INDEX[HANDS[:, 0], HANDS[:, 1]] == range(1326)).all()


def test_every_name_reads_back() -> None:
    assert [parse_cards(card_name(card)) for card in range(52)] == [(card,) for card in range(52)]
    assert [parse_hand(hand_name(hand)) for hand in range(1326)] == list(range(1326))


@pytest.mark.parametrize("text", ["Ks7h2d9c", "Ks 7h 2d 9c", "ks,7H, 2D 9c", "K♠7♥2♦9♣", " K♤ 7♡ 2♢ 9♧ "])
def test_ways_to_write_a_board(text: str) -> None:
    assert format_cards(parse_board(text)) == "Ks7h2d9c"
    assert find_street(parse_board(text)) == 1


def test_ten_in_two_characters() -> None:
    assert parse_cards("10h") == parse_cards("Th")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ks7h2dKs", "Ks appears twice"),
        ("Ks7h", "has 2 cards"),
        ("Ks", "has 1 card;"),
        ("", "has 0 cards"),
        ("Ks7h2d9c3c4c", "has 6 cards"),
        ("Ks7h2x", "'2x'"),
        ("Ks7h1d", "'1d'"),
        ("Ks7h2", "'2'"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        parse_board(text)


def test_a_board_blocks_hands() -> None:
    assert [int(find_unblocked_hands(range(count)).sum()) for count in (3, 4, 5)] == [1176, 1128, 1081]


@given(st.text())
@settings(deadline=None)
def test_any_text_gives_cards_or_an_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except ZerosumError:
        return
    assert len(set(cards)) == len(cards)
    assert parse_cards(format_cards(cards, " ")) == cards
