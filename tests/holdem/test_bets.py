"""Bet sizes: the notation, the amounts, the bounds, round trips, and errors for text that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.betting.sizes import PLAYERS, BettingState, Size, SizeSteps, format_chips
from zerosum.holdem.cards.cards import STREETS
from zerosum.support.errors import ZerosumError


@pytest.mark.parametrize(
    ("text", "bet", "raised"),
    [
        ("50%", 250, 250 + 500),
        ("100%", 500, 250 + 1000),
        ("pot", 500, 250 + 1000),
        ("2.5x", 1250, 625),
        ("300", 300, 300),
        ("300c", 300, 300),
        ("33.3%", 166.5, 250 + 333),
        ("allin", 9750, 9750),
        ("All-In", 9750, 9750),
        (" 50 % ", 250, 750),
    ],
)
def test_amounts(text: str, bet: float, raised: float) -> None:
    size = Size.parse(text)
    assert size.compute_amount(BettingState(2, 0, 500, 9750)) == pytest.approx(bet)
    assert size.compute_amount(BettingState(2, 1, 750, 9750, bet_to_match=250)) == pytest.approx(raised)


def test_a_bet_is_at_least_the_minimum_and_at_most_the_stack() -> None:
    betting = BettingAbstraction.parse("10%,15%,50%,2000%", "10%")
    assert betting.compute_bet_amounts(BettingState(2, 0, 500, 900, 0, 0, 0, 0, 0)) == [100, 250, 900]
    assert betting.compute_bet_amounts(BettingState(2, 0, 500, 80, 0, 0, 0, 0, 0)) == [80]
    # A raise exceeds the bet by at least the last raise.
    assert betting.compute_bet_amounts(BettingState(2, 1, 750, 900, 0, 250, 250, 1, 1)) == [500]
    assert betting.compute_bet_amounts(BettingState(2, 1, 1250, 900, 0, 500, 500, 1, 1)) == [900]
    assert betting.compute_bet_amounts(BettingState(2, 1, 1400, 900, 0, 900, 900, 1, 1)) == []


def test_a_bet_that_leaves_little_is_all_in() -> None:
    assert BettingAbstraction.parse("100%", allin_threshold=0.1).compute_bet_amounts(
        BettingState(2, 0, 500, 640, 0, 0, 0, 0, 0)
    ) == [640]
    assert BettingAbstraction.parse("100%", allin_threshold="10%") == BettingAbstraction.parse(
        "100%", allin_threshold=0.1
    )
    assert BettingAbstraction.parse("100%", allin_threshold=0.1).compute_bet_amounts(
        BettingState(2, 0, 500, 660, 0, 0, 0, 0, 0)
    ) == [500]


def test_a_cap_ends_raising() -> None:
    assert BettingAbstraction.parse(cap=1).compute_bet_amounts(BettingState(2, 1, 750, 9750, 0, 250, 250, 1, 1)) == []
    assert BettingAbstraction.parse(cap=0).compute_bet_amounts(BettingState(2, 0, 500, 9750, 0, 0, 0, 0, 0)) == []


def test_steps_count_bets_or_actions() -> None:
    sizes = SizeSteps.parse("50%", "100% / allin")
    assert [str(sizes.find_sizes(bets, 9)[0]) for bets in range(4)] == ["50%", "100%", "allin", "allin"]
    sizes = SizeSteps.parse("50% / 100% / allin", by="actions")
    assert [str(sizes.find_sizes(0, actions)[0]) for actions in range(4)] == ["50%", "100%", "allin", "allin"]


def test_streets_and_players_may_differ() -> None:
    betting = BettingAbstraction.parse("50%; flop: 33%; river ip: 75%,allin; oop: 25%", "none; turn: 3x")
    written = [[sizes.format_texts() for sizes in pair] for pair in betting.sizes]
    assert written == [
        [("25%", "none"), ("33%", "none")],
        [("25%", "3x"), ("50%", "3x")],
        [("25%", "none"), ("75%,allin", "none")],
    ]


@pytest.mark.parametrize(
    ("bets", "raises", "message"),
    [
        ("50", "x", "'x'"),
        ("fifty%", None, "'fifty%'"),
        ("", None, "empty"),
        (" ; ", None, "empty"),
        ("0%", None, "above zero"),
        ("-50%", None, "'-50%'"),
        ("nan%", None, "'nan%'"),
        ("1e5", None, "'1e5'"),
        ("9" * 400, None, "finite"),
        ("floop: 50%", None, "did you mean flop"),
        ("flop: 50%", None, "none for turn oop"),
    ],
)
def test_errors_name_what_is_wrong(bets: str, raises: str | None, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        BettingAbstraction.parse(bets, raises)


@pytest.mark.parametrize(
    "wrong", [{"cap": -1}, {"cap": 1.5}, {"allin_threshold": float("nan")}, {"minimum": 0}, {"by": "x"}]
)
def test_refuses_meaningless_rules(wrong: dict[str, object]) -> None:
    with pytest.raises(ZerosumError):
        BettingAbstraction.parse(**wrong)  # type: ignore[arg-type]


numbers = st.floats(1e-9, 1e12).map(format_chips)
size_texts = st.builds(lambda value, unit: f"{value}{unit}", numbers, st.sampled_from(["%", "x", "c"]))
lists = st.lists(size_texts | st.just("allin"), min_size=1, max_size=4).map(",".join) | st.just("none")
places = st.sampled_from([*STREETS, *PLAYERS, "flop oop", "turn ip", "river oop"])
texts = st.builds(
    lambda first, rest: "; ".join([first, *(f"{where}: {sizes}" for where, sizes in rest)]),
    lists,
    st.lists(st.tuples(places, lists), max_size=4),
)


@given(texts, texts)
@settings(deadline=None)
def test_texts_read_back(bets: str, raises: str) -> None:
    betting = BettingAbstraction.parse(bets, raises)
    assert BettingAbstraction.parse(**betting.to_options()) == betting


@given(st.text() | st.text("0123456789.%xc,;:/ flopturniveallin"))
@settings(deadline=None)
def test_any_text_gives_sizes_or_an_error(text: str) -> None:
    try:
        betting = BettingAbstraction.parse(text)
    except ZerosumError:
        return
    assert BettingAbstraction.parse(**betting.to_options()) == betting
