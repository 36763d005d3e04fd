"""Ranges: the notation, its sizes on known boards, round trips, and errors that name the unreadable text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zerosum.holdem.cards.cards import (
    CLASS_ORDER,
    HAND_COUNT,
    HAND_ORDERS,
    find_hand_order,
    hand_name,
    parse_board,
    parse_hand,
)
from zerosum.holdem.cards.ranges import Range
from zerosum.support.errors import ZerosumError

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("QQ-99", "QQ,JJ,TT,99"),
        ("99-QQ", "QQ,JJ,TT,99"),
        ("QQ+", "QQ KK AA"),
        ("A5s-A2s", "A5s,A4s,A3s,A2s"),
        ("A2s-A5s", "A5s,A4s,A3s,A2s"),
        ("AJo+", "AJo,AQo,AKo"),
        ("T8s+", "T8s,T9s"),
        ("T9s+", "T9s,JTs,QJs,KQs,AKs"),
        ("AKs+", "AKs"),
        ("32o+", "32o,43o,54o,65o,76o,87o,98o,T9o,JTo,QJo,KQo,AKo"),
        ("87s-54s", "87s,76s,65s,54s"),
        ("T8o-86o", "T8o,97o,86o"),
        ("AK", "AKs,AKo"),
        ("AQ+", "AQs+,AQo+"),
        ("KA", "AK"),
        ("aks, KqO ", "AKs,KQo"),
        ("asKD", "KdAs"),
        ("AA , KK : 0.5", "AA KK:0.5"),
        ("22+:0.5 AA", "22-KK:0.5,AA"),
        ("AA:1.0", "AA"),
        ("100%", "random"),
        ("0.5%", "AA"),
        ("2.3%", "AA,KK,QQ,JJ,TT"),
        ("QQ - 99", "QQ-99"),
        ("JJ-", "JJ-22"),
        ("A5s-, 44", "A5s-A2s,44"),
        ("65s-", "65s,54s,43s,32s"),
        ("K2o-", "K2o"),
        ("AA@0.5,KK @ 25%", "AA:0.5,KK:0.25"),
        ("AA:50% KK", "AA:0.5,KK"),
        ("25%:50%", "25%:0.5"),
        ("[25]AA[/25]", "AA:0.25"),
        ("[25.5]AA,KK-JJ [/25.5],AKs, [ 50% ]random[/]", "random:0.5"),
        ("QQ,[25]AA, AJs-[/25] [1]KK[/1]", "QQ,AA:0.25,AJs-A2s:0.25,KK:0.01"),
        ("random, AA:0", "KK-22,AK-A2,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32"),
    ],
)
def test_notation(text: str, same: str) -> None:
    assert Range.parse(text) == Range.parse(same)


def test_sizes_on_known_boards() -> None:
    flop, turn = parse_board("Td9d6h"), parse_board("Td9d6hQc")
    ranges = [Range.parse(OOP), Range.parse(IP)]
    assert [r.remove_cards(flop).count for r in ranges] == [180, 265]
    assert [r.remove_cards(turn).count for r in ranges] == [167, 250]


def test_classes_are_complete_and_ordered() -> None:
    assert len(set(CLASS_ORDER)) == 169
    assert Range.parse(",".join(CLASS_ORDER)).count == HAND_COUNT
    assert Range.parse("25%").count == 328
    previous = np.zeros(HAND_COUNT)
    for percent in range(1, 101):
        weights = Range.parse(f"{percent}%").weights
        assert (weights >= previous).all()
        assert weights.sum() <= percent / 100 * HAND_COUNT + 1e-9
        assert weights.sum() > percent / 100 * HAND_COUNT - 12
        previous = weights


def test_the_order_of_piosolver() -> None:
    names = [hand_name(hand) for hand in find_hand_order("pio")]
    assert names[:8] == ["2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c", "3c2d"]
    assert names[14:16] == ["3d3c", "3h2c"]
    assert names[-1] == "AsAh"
    assert sorted(find_hand_order("pio")) == list(range(HAND_COUNT))


def test_the_same_numbers_in_another_order() -> None:
    numbers = " ".join(["1"] + ["0"] * 1325)
    assert Range.parse(numbers) == Range.parse("2s2h")
    assert Range.parse(f"pio: {numbers}") == Range.parse("2d2c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (" , ", "empty"),
        ("AA:0", "empty"),
        ("AKx", "'AKx'"),
        ("AA,KQ5", "'KQ5'"),
        ("AAs", "neither suited nor offsuit"),
        ("AsAs", "As appears twice"),
        ("AA:1.5", "'AA:1.5'"),
        ("AA:-1", "'AA:-1'"),
        ("AA:nan", "nan"),
        ("AA:inf", "inf"),
        ("AA:x", "'AA:x'"),
        ("AA:", "'AA:'"),
        ("AA:0.5:0.5", "'AA:0.5:0.5'"),
        ("AA:50", "AA:50.*0% and 100%"),
        ("50% AA", "best 50% of all hands and AA, or AA with the weight 50%: write 50%,AA or AA:50%"),
        ("KK,AA 50%", "best 50% of all hands and AA"),
        ("QQ+ 2.5%,33", "write 2.5%,QQ\\+ or QQ\\+:2.5%"),
        ("[25]AA", "never closed"),
        ("AA[/25]", "do not match"),
        ("[25]AA[/30]", "do not match"),
        ("[25][30]AA[/30][/25]", "do not match"),
        ("[25]AA:0.5[/25]", "a weight inside brackets with a weight"),
        ("[x]AA[/x]", "cannot read '.x.'"),
        ("[250]AA[/250]", "between 0 and 1"),
        ("JJ- AA", "write JJ-, with a comma"),
        ("AA-x", "'AA-x'"),
        ("AKs-AQo", "its ends"),
        ("AKs-QTs", "its ends"),
        ("AA-AKs", "its ends"),
        ("AA-AK", "its ends"),
        ("0%", "'0%'"),
        ("0.1%", "aces"),
        ("101%", "'101%'"),
        ("AsKd+", "'AsKd\\+'"),
        ("1 2 3", "'1'"),
        ("+", "'\\+'"),
        ("-", "'-'"),
        ("x " * HAND_COUNT, "'x'"),
        ("nan " * HAND_COUNT, "nan"),
        ("2 " * HAND_COUNT, "between 0 and 1"),
        ("0 " * HAND_COUNT, "empty"),
    ],
)
def test_errors_name_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        Range.parse(text)


def test_refuses_wrong_arrays_and_orders() -> None:
    with pytest.raises(ZerosumError, match="1,326"):
        Range(np.ones(5))
    with pytest.raises(ZerosumError, match="numbers, not 5"):
        Range.from_numbers(np.ones(5))
    with pytest.raises(ZerosumError, match="did you mean pio"):
        Range.parse("AA").to_numbers("pioo")


def test_weights_cannot_be_changed_and_equal_ranges_are_equal_keys() -> None:
    range_, other = Range.parse("AA"), Range.parse("AA:1")
    assert hash(range_) == hash(other)
    assert len({range_, other, Range.parse("KK")}) == 2
    with pytest.raises(ValueError, match="read-only"):
        range_.weights[0] = 1.0


def test_grid() -> None:
    grid = Range.parse("AA, AKs:0.5, AKo:0.25, AsQs").class_weights()
    assert (grid[0, 0], grid[0, 1], grid[1, 0], grid[0, 2], grid[2, 0]) == (1, 0.5, 0.25, 0.25, 0)
    assert Range.parse("AsQs").weights[parse_hand("AsQs")] == 1


few_weights = st.sampled_from([0.0, 0.25, 1.0, 1 / 3])
any_weights = st.floats(0, 1)
classes = st.lists(st.tuples(st.sampled_from(CLASS_ORDER), few_weights | any_weights), min_size=1)
single = st.lists(st.tuples(st.integers(0, HAND_COUNT - 1), few_weights | any_weights), max_size=20)


@given(classes, single, few_weights)
@settings(deadline=None)
def test_texts_read_back(parts: list[tuple[str, float]], hands: list[tuple[int, float]], base: float) -> None:
    text = ",".join([f"random:{base!r}", *(f"{name}:{weight!r}" for name, weight in parts)])
    text = ",".join([text, *(f"{hand_name(hand)}:{weight!r}" for hand, weight in hands), "7s2h"])
    built = Range.parse(text)
    assert Range.parse(built.to_text()) == built
    for order in HAND_ORDERS:
        assert Range.parse(f"{order}: {built.to_numbers(order)}") == built


@given(st.text() | st.text("AKQJT98765432shdco+-%:,. 10random") | st.from_regex(r"([AKT2][AKT2][so]?[+-]?,?)+"))
@example("AA:1e400")
@example("A\u212a")
@example("\uff110%")
@example("٣٣")
@settings(max_examples=400, deadline=None)
def test_any_text_gives_a_range_or_an_error(text: str) -> None:
    try:
        parsed = Range.parse(text)
    except ZerosumError:
        return
    assert Range.parse(parsed.to_text()) == parsed
