"""Lines in every notation that players type, and as the exports write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
import zerosum.holdem
from zerosum.holdem.betting.action_names import format_action, split_line
from zerosum.holdem.solution.pio import find_pio_node
from zerosum.holdem.spots.line import find_decision
from zerosum.support.errors import ZerosumError

TURN = zerosum.holdem.spot(
    "Ks7h2d9c", 200, 3000, "AA,99,87s", "KQs,QQ,65s", "33%,75%; river: 50%,allin", "75%", big_blind=10
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x b33", "check,bet 66"),
        ("check 33%", "check,bet 66"),
        ("X/B33", "check,bet 66"),
        ("check, bet 66 (33%)", "check,bet 66"),
        ("oop check, ip bet 33%", "check,bet 66"),
        ("k b75%", "check,bet 150"),
        ("check bet 75 %", "check,bet 150"),
        ("b33 r75", "bet 66,raise 315"),
        ("b33 raise", "bet 66,raise 315"),
        ("b33 b75", "bet 66,raise 315"),
        ("33% 75%", "bet 66,raise 315"),
        ("b66 r315", "bet 66,raise 315"),
        ("bet 66c raise 315c", "bet 66,raise 315"),
        ("bets 33% raises 75%", "bet 66,raise 315"),
        ("x x 4d", "check,check,4d"),
        ("check check turn 4♦", "check,check,4d"),
        ("x b33 c river 4d x jam", "check,bet 66,call,4d,check,allin"),
        ("x b33 c 4d x all in", "check,bet 66,call,4d,check,allin"),
        ("x b33 c 4d x a", "check,bet 66,call,4d,check,allin"),
        ("r:0", ""),
        ("r:0:c:b66", "check,bet 66"),
        ("r:0:c:b66:c:4d:c:b232", "check,bet 66,call,4d,check,bet 166"),
        ("r:0:c:b66:c:4d:c:b3000", "check,bet 66,call,4d,check,allin"),
        ("r:0:b66:b315:c:4d:b3000", "bet 66,raise 315,call,4d,allin"),
    ],
)
def test_notations(text: str, line: str) -> None:
    assert ",".join(find_decision(TURN, text).line) == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bet", "it may be any of several"),
        ("raise", "there is no 'raise' here: the actions are check, bet 66, bet 150"),
        ("r33", "there is no 'r33'"),
        ("x c", "nobody has a decision: name the next card"),
        ("ip check", "it is the turn of oop, not of ip"),
        ("b40", "there is no 'b40'"),
        ("33", "there is no '33'"),
        ("33.5%", "there is no '33.5%'"),
        ("b0", "there is no 'b0'"),
        ("b33 bet75", "there is no 'bet75'"),
        ("r:0:b67", "there is no 'b67' here"),
        ("r:0:c:c:4d:c:c:5c", "the hand is over"),
        ("r:1:c", "there is no"),
        ("x x x", "'x' is not a card"),
    ],
)
def test_lines_that_lead_nowhere_are_refused(text: str, message: str) -> None:
    with pytest.raises(ZerosumError, match=message):
        find_decision(TURN, text)


def test_a_third_of_the_pot_is_33_percent() -> None:
    river = zerosum.holdem.spot("Ks7h2d9c4s", 1000, 3000, "AA", "QQ", "33.333333%,33.4%,100%")
    assert find_decision(river, "b100 a").line == ("bet 1000", "allin")
    with pytest.raises(ZerosumError, match="several"):
        find_decision(river, "b33")
    river = zerosum.holdem.spot("Ks7h2d9c4s", 1000, 3000, "AA", "QQ", "33.333333%,100%")
    assert find_decision(river, "b33").line == (river.tree.choices[0].actions[1],)


def every_line(spot: Any, most: int) -> list[tuple[str, ...]]:
    """Return the lines of some decisions of a spot, in the words of the tree."""
    lines: list[tuple[str, ...]] = []
    pending: list[tuple[Any, int, tuple[str, ...]]] = [(spot.tree, 0, ())]
    while pending and len(lines) < most:
        street, at, line = pending.pop(0)
        if at < 0:
            leaf = street.ends[~at]
            if leaf.next_round is not None:
                pending.append((leaf.next_round, 0, (*line, "4d" if "4d" not in line else "5c")))
            continue
        node = street.choices[at]
        lines.append(line)
        pending += [(street, child, (*line, action)) for action, child in zip(node.actions, node.children, strict=True)]
    return lines


LINES = every_line(TURN, 200)


@given(st.sampled_from(LINES), st.sampled_from([" ", ", ", "/"]))
def test_shown_lines_read_back(line: tuple[str, ...], between: str) -> None:
    """A line can be written in the words of the tree, or with the shares of the pot that people read."""
    assert find_decision(TURN, between.join(line)).line == line
    street, at = TURN.tree, 0
    words = []
    for word in line:
        if at < 0:
            street, at = street.ends[~at].next_round, 0
            words.append(word)
            continue
        node = street.choices[at]
        number = node.actions.index(word)
        words.append(format_action(word, node.pot_shares[number]))
        at = node.children[number]
    assert find_decision(TURN, between.join(words)).line == line


def test_lines_of_the_exports_read_back() -> None:
    result = zerosum.solve(TURN, iterations=2)
    seen = 0
    for table in result.iterate_tables("turn"):
        assert find_decision(TURN, find_pio_node(TURN, table.line)[0]).line == table.line
        assert find_decision(TURN, " ".join(table.line)).line == table.line
        seen += 1
    assert seen > 5


def test_words() -> None:
    assert split_line("Bet 50 , check") == ["Bet 50", "check"]
    assert split_line(["bet 50"]) == ["bet 50"]
    assert split_line("") == []
