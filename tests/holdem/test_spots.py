"""Spots: their checks, their files, the bundled spots, and the Libratus endgames."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.holdem.betting.abstraction import BettingAbstraction
from zerosum.holdem.cards.cards import find_unblocked_hands, format_cards, parse_board
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots import libratus
from zerosum.holdem.spots.files import (
    list_bundled_spots,
    load_spot,
    read_spot,
    spot_from_dict,
    spot_to_dict,
    write_spot,
)
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")

GOOD: dict[str, Any] = {"board": "Ks 7h 2d 9c", "pot": 500, "stack": 9750, "oop": "22+,A2s+", "ip": "random"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": "Ks Ks 7h"}, "Ks appears twice"),
        ({"board": "Ks 7h"}, "2 cards"),
        ({"board": "Ks 7h 1d"}, "'1d'"),
        ({"board": (0, 1, 60)}, "0 to 51"),
        ({"board": (0, 1, 1)}, "2h appears twice"),
        ({"board": ["Ks", 7]}, "cannot read the board"),
        ({"board": None}, "cannot read the board"),
        ({"oop": ["AA"]}, "a range is a string"),
        ({"oop": np.ones(3)}, "1,326 weights"),
        ({"bets": ["50%"]}, "bet sizes are a string"),
        ({"bets": "flop: 50%"}, "none for turn oop"),
        ({"allin_threshold": "x"}, "cannot read the all-in threshold"),
        ({"pot": 5.5}, "the big blind of 100 is more than the pot of 5.5"),
        ({"big_blind": 0}, "the big blind is 0"),
        ({"oop": "pio: 1 0 1"}, "1,326 numbers, not 3"),
        ({"pot": 0}, "the pot is 0"),
        ({"pot": -5}, "the pot is -5"),
        ({"pot": float("nan")}, "the pot is nan"),
        ({"pot": float("inf")}, "the pot is inf"),
        ({"pot": "five"}, "cannot read the pot 'five'"),
        ({"stack": 0}, "the stack is 0"),
        ({"stack": "100,-5"}, "the stack is 100,-5"),
        ({"stack": "1,2,3"}, "cannot read the stack"),
        ({"stack": "nan,5"}, "the stack is nan,5"),
        ({"stack": ""}, "cannot read the stack"),
        ({"oop": ""}, "out of position: the range is empty"),
        ({"ip": "AKx"}, "in position: cannot read 'AKx'"),
        ({"oop": "KsKd:1, KsKh", "board": "Ks 7h 2d"}, "no hand of the range out of position"),
        ({"oop": "AsAh", "ip": "AsAd"}, "no two hands"),
        ({"oop": "AsAh", "ip": "AsAh"}, "no two hands"),
        ({"bets": "half"}, "'half'"),
        ({"raises": "0%"}, "'0%'"),
        ({"bets": "1%", "raises": "1%", "minimum": 1}, "larger sizes"),
        ({"cap": -1}, "cap"),
        ({"name": "two\nlines"}, "one line"),
    ],
)
def test_errors_say_what_is_wrong(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ZerosumError, match=message) as caught:
        spot(**GOOD | changes).count_tree()
    assert "\n" not in str(caught.value)


def test_too_many_decisions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is lowered, because growing a tree up to the real one takes seconds."""
    monkeypatch.setattr("zerosum.holdem.betting.tree.MAX_DECISIONS", 20_000)
    with pytest.raises(ZerosumError, match="these bets allow more than 20,000 decisions: use fewer or larger sizes"):
        spot(**GOOD | {"bets": "10%,20%,30%", "raises": "10%,20%,30%", "minimum": 1}).count_tree()


def test_the_smaller_stack_counts() -> None:
    assert spot(**GOOD | {"stack": "9750, 12000"}) == spot(**GOOD) == spot(**GOOD | {"stack": [12000, 9750]})


def test_small_blinds_make_small_minimum_bets() -> None:
    small = spot("Ks 7h 2d 9c", 5, 97.5, big_blind=1)
    assert list(small.tree.choices[0].actions) == ["check", "bet 2.5", "bet 5", "allin"]


def test_only_streets_to_come_need_sizes(tmp_path: Path) -> None:
    river = spot("Ks 7h 2d 9c 4s", 500, 9750, "AA", "KK", bets="river: 50%", raises="river ip: allin; river oop: none")
    assert list(river.tree.choices[0].actions) == ["check", "bet 250"]
    write_spot(river, tmp_path / "river.toml")
    assert read_spot(tmp_path / "river.toml") == river


def test_boards_and_ranges_as_lists_and_arrays() -> None:
    texts, others = spot(**GOOD), spot(**{**GOOD, "board": ["Ks", "7h", "2d", "9c"], "ip": np.ones(1326)})
    assert texts == others
    assert spot(**{**GOOD, "board": np.array(texts.board)}).board == texts.board


def test_numbers_in_the_order_of_another_tool() -> None:
    range_ = Range.parse("AKs:0.5,72o")
    for order in ("pio", "libratus"):
        assert spot(**{**GOOD, "oop": f"{order}: {range_.to_numbers(order)}"}).oop == range_


def test_blocked_hands_count_for_nothing() -> None:
    blocked = spot(**GOOD)
    assert blocked.hands[1] == 1128
    assert (blocked.weights[1] > 0).sum() == find_unblocked_hands(blocked.board).sum()


@pytest.mark.parametrize("name", list_bundled_spots())
def test_spots_that_come_along(name: str, tmp_path: Path) -> None:
    bundled = load_spot(name)
    assert bundled.street == ["flop", "turn", "river"].index(name)
    assert bundled.infoset_actions * 8 < 1.6e9
    for end in ("toml", "json"):
        path = tmp_path / f"copy.{end}"
        write_spot(bundled, path)
        assert read_spot(path) == bundled
        assert load_spot(path) == bundled


weights = st.sampled_from(["", ":0.5", ":0.125"])


@given(
    st.permutations(range(52)),
    st.sampled_from([3, 4, 5]),
    st.floats(1, 1e5),
    st.floats(0.5, 1e6),
    st.sampled_from(["33%; flop: 50%,allin", "2.5x,1000", "none", "50% / 75%,allin"]),
    st.sampled_from(["bets", "actions"]),
    st.none() | st.integers(0, 4),
    st.text(st.characters(codec="utf-8"), max_size=8).filter(str.isprintable),
    weights,
)
@settings(max_examples=50, deadline=None)
def test_files_read_back(
    cards: list[int],
    size: int,
    pot: float,
    stack: float,
    bets: str,
    by: Any,
    cap: int | None,
    name: str,
    weight: str,
) -> None:
    written = spot(
        cards[:size], pot, stack, f"random{weight}", "22+,AsKd:0.3", bets, "100%,allin / allin",
        by=by, cap=cap, name=name, allin_threshold=0.15, minimum=0.5, big_blind=2,
    )  # fmt: skip
    assert spot_from_dict(spot_to_dict(written)) == written
    assert spot_from_dict(json.loads(json.dumps(spot_to_dict(written)))) == written


def test_text_in_toml_reads_back(tmp_path: Path) -> None:
    named = replace(load_spot("river"), name='a "quoted" \\ name, 10♠ é')
    write_spot(named, tmp_path / "x.toml")
    assert read_spot(tmp_path / "x.toml") == named


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("board = ", "not readable as TOML"),
        ("pot = 5\nstack = 5", "the spot needs board"),
        ("board = 5\npot = 5\nstack = 5", "board must be a string"),
        ('board = "KsQsJs"\npot = "5"\nstack = 5', "pot must be a number"),
        ('board = "KsQsJs"\npot = true\nstack = 5', "pot must be a number"),
        ('board = "KsQsJs"\npot = 500\nstack = 5\ncap = 1.5', "whole number"),
        ('board = "KsQsJs"\npot = 5\nstack = 5\nopp = "AA"', "did you mean oop"),
        ('board = "KsQsJs"\npot = 5\nstack = [5]', "stack must be a number"),
        ('board = "KsQsJs"\npot = nan\nstack = 5', "pot is nan"),
        ('board = "KsQsJs"\npot = 500\nstack = 5\nby = "x"', "by must be bets or actions"),
    ],
)
def test_errors_in_files(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(content)
    with pytest.raises(ZerosumError, match=message) as caught:
        load_spot(path)
    assert str(path) in str(caught.value)


def test_errors_about_files(tmp_path: Path) -> None:
    for text, message in [
        ("rivr", "did you mean river"),
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "there is no spot"),
        ("", "there is no spot"),
    ]:
        with pytest.raises(ZerosumError, match=message):
            load_spot(text)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    (tmp_path / "list.json").write_text("[]")
    for name, message in [("binary.json", "not text"), ("list.json", "object of names and values")]:
        with pytest.raises(ZerosumError, match=message):
            load_spot(tmp_path / name)
    with pytest.raises(ZerosumError, match=r"to a .toml or .json"):
        write_spot(load_spot("river"), tmp_path / "x.yaml")
    with pytest.raises(ZerosumError, match="cannot write"):
        write_spot(load_spot("river"), tmp_path / "none" / "x.toml")


# The Libratus endgames.


@needs_libratus
@pytest.mark.parametrize(
    ("number", "board", "pot", "hands", "actions"),
    [
        (1, "7s9h9cTc", 500, (828, 965), 29_279_690),
        (2, "Ts6hAh7c", 4780, (855, 405), 4_780_440),
        (3, "4s8hTc9h2s", 500, (1033, 1059), 96_232),
        (4, "JsKs5cQs7d", 3750, (705, 982), 47_236),
    ],
)
def test_libratus_endgames(
    number: int, board: str, pot: float, hands: tuple[int, int], actions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    endgame = load_spot(f"libratus:{number}", LIBRATUS)
    assert (format_cards(endgame.board), endgame.pot, endgame.stack) == (board, pot, 20_000 - pot / 2)
    assert (endgame.hands, endgame.infoset_actions) == (hands, actions)
    monkeypatch.setenv(libratus.FOLDER_VARIABLE, str(LIBRATUS))
    assert load_spot(f"libratus:{number}") == endgame
    assert Range.parse(endgame.oop.to_text()) == endgame.oop


def written(**changes: str | None) -> str:
    numbers = " ".join("0.5" if hand else "0" for hand in find_unblocked_hands(parse_board("4s8hTc9h2s")))
    fields = {"round": "4", "board": "4s8hTc9h2s", "pot": "500", "reach": f"{numbers} {numbers}"} | changes
    return "\n".join(f"-{key} {value}" for key, value in fields.items() if value is not None)


def test_a_file_in_their_format(tmp_path: Path) -> None:
    (tmp_path / "subgame3.txt").write_text(written())
    endgame = libratus.load_endgame(3, tmp_path)
    assert endgame.hands == (1081, 1081)
    assert np.array_equal(endgame.weights[0], find_unblocked_hands(endgame.board) * 0.5)
    assert endgame.betting == BettingAbstraction.parse()
    assert libratus.load_endgame("3", tmp_path) == endgame


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no -round"),
        ("hello", "starts with 'hello'"),
        (written(round="3"), "-round is 3"),
        (written(board="4s8hTc9h4s"), "twice"),
        (written(board=None), "no -board"),
        (written(pot="x"), "-pot is 'x'"),
        (written(pot="-5"), "-pot is -5"),
        (written(pot="1 2"), "-pot needs one value"),
        (written(pot="50000"), "-pot is 50000"),
        (written(reach="0.5 0.5"), "2 numbers instead of 2,652"),
        (written(reach="x " * 2652), "cannot read 'x'"),
        (written(reach="2 " * 2652), "between 0 and 1"),
        (written(reach="nan " * 2652), "nan"),
        (written(reach="0 " * 2652), "empty"),
        (written() + "\n-pot 5", "-pot appears twice"),
    ],
)
def test_malformed_files(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "subgame3.txt"
    path.write_text(content)
    with pytest.raises(ZerosumError, match=message) as caught:
        libratus.load_endgame(3, tmp_path)
    assert str(path) in str(caught.value)


def test_where_the_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(libratus.FOLDER_VARIABLE, raising=False)
    with pytest.raises(ZerosumError, match="ZEROSUM_LIBRATUS"):
        load_spot("libratus:3")
    with pytest.raises(ZerosumError, match="No such file"):
        load_spot("libratus:3", tmp_path)
    with pytest.raises(ZerosumError, match="no Libratus endgame 7"):
        load_spot("libratus:7", tmp_path)


def test_a_spot_is_a_value() -> None:
    assert {spot(**GOOD), spot(**GOOD)} == {spot(**GOOD)}
    assert isinstance(spot(**GOOD), Spot)
