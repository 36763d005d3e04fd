"""A line: what happened since the start of a spot, as people write it: `check bet50 call 4d`, `x b50 c`, `r:0:c:b50`.

| word | action |
|---|---|
| `check`, `x`, `call`, `c`, `fold`, `f` | the action; `c` is a call where there is a bet, else a check |
| `bet 250`, `bet250`, `b250`, `raise 750`, `r750` | by its chips, as the tree names it |
| `bet50`, `b50`, `bet 50%`, `50%`, `raise 2.5x` | by its size; a number that is no bet in chips is a percentage |
| `bet`, `raise` | the one there is, where there is one |
| `allin`, `all-in`, `all in`, `jam`, `shove`, `a` | everything |
| `4d`, `turn 4d` | the next card |
| `oop`, `ip` | the player to act, optional |

Words are separated by spaces, commas or slashes, and what stands in brackets is left out, so that `bet 858 (33%)` reads
as it is shown. A line that begins with `r:` is PioSOLVER's, as `zerosum export` writes it: `b300` there is all that the
player has put in since the start of the spot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zerosum.holdem.betting.action_names import SIZE_TOLERANCE, find_action, pot_shares, split_line
from zerosum.holdem.betting.sizes import PLAYERS
from zerosum.holdem.betting.tree import Leaf, Street, StreetNode
from zerosum.holdem.cards.cards import card_name, format_cards, parse_cards
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError

_PIO = re.compile(r"r:0(?:$|:)", re.IGNORECASE)


class DecisionPosition(NamedTuple):
    """The decision that a line leads to: the line in the tree's words, the node, the board, the pot with all bets."""

    line: tuple[str, ...]
    node: StreetNode
    board: tuple[int, ...]
    pot: float


class LinePosition(NamedTuple):
    """Where a line leads: to a decision (`node`), or to the end of a street's betting (`leaf`)."""

    line: tuple[str, ...]
    street: Street
    board: tuple[int, ...]
    node: StreetNode | None
    leaf: Leaf | None

    @property
    def bets(self) -> tuple[float, float]:
        """What both players have put in on this street."""
        end = self.node if self.node is not None else self.leaf
        assert end is not None
        return end.paid

    @property
    def pot(self) -> float:
        """The chips in the middle, with all bets."""
        return self.street.pot + sum(self.bets)


def follow_line(spot: Spot, line: str | Sequence[str]) -> LinePosition:
    """Return where a line leads: to a decision, the next card, or the end of the hand.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> follow_line(load_spot("river"), "check check").leaf.line
    ('check', 'check')
    """
    street, board, done = spot.tree, spot.board, list[str]()
    at = 0
    pio = isinstance(line, str) and _PIO.match(line.strip())
    is_split = isinstance(line, tuple) and all(type(word) is str for word in line)
    for word in _pio_words(line) if isinstance(line, str) and pio else line if is_split else split_line(line):
        if at >= 0:
            node = street.choices[at]
            if word.lower() in PLAYERS:
                _check_player(word, node, done)
                continue
            if word in node.actions:
                taken = node.actions.index(word)
            elif pio:
                taken = find_pio_action(word, node, street.pot, spot)
            else:
                taken = find_action(word, node, street.pot + sum(node.paid))
            at = node.children[taken]
            done.append(node.actions[taken])
            continue
        leaf = street.ends[~at]
        if leaf.next_round is None:
            raise ZerosumError(f"after {' '.join(done)} the hand is over: there is no {word!r}")
        board = (*board, _parse_next_card(word, board))
        done.append(card_name(board[-1]))
        street, at = leaf.next_round, 0
    if at >= 0:
        return LinePosition(tuple(done), street, board, street.choices[at], None)
    return LinePosition(tuple(done), street, board, None, street.ends[~at])


def find_decision(spot: Spot, line: str | Sequence[str]) -> DecisionPosition:
    """Return the decision that a line leads to; raise a ZerosumError if there is none.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> find_decision(load_spot("river"), "x b33").line, find_decision(load_spot("river"), "r:0:c:b858").line
    (('check', 'bet 858'), ('check', 'bet 858'))
    >>> find_decision(load_spot("river"), "bet33 raise75").line
    ('bet 858', 'raise 4095')
    """
    position = follow_line(spot, line)
    if position.node is None:
        is_over = position.leaf is None or position.leaf.next_round is None
        expected = "the hand is over" if is_over else "name the next card"
        raise ZerosumError(f"after {' '.join(position.line)} nobody has a decision: {expected}")
    return DecisionPosition(position.line, position.node, position.board, position.street.pot + sum(position.node.paid))


def _check_player(word: str, node: StreetNode, done: list[str]) -> None:
    if word.lower() != PLAYERS[node.player]:
        after = f"after {' '.join(done)}" if done else "at the start"
        raise ZerosumError(f"{after} it is the turn of {PLAYERS[node.player]}, not of {word}")


def _pio_words(line: str) -> Iterator[str]:
    """Yield the words of a line like `r:0:c:b300:4d`."""
    yield from line.strip().split(":")[2:]


def find_pio_action(word: str, node: StreetNode, before: float, spot: Spot) -> int:
    """Return the index of an action by Pio's name, which counts a player's chips since the start of the spot.

    `before` is the pot at the start of the street.
    """
    bet = re.fullmatch(r"b(\d+\.?\d*|\.\d+)", word, re.IGNORECASE)
    if bet is None:
        return find_action(word, node, before + sum(node.paid))
    to = float(bet[1]) - (before - spot.pot) / 2
    shares = pot_shares(node, before + sum(node.paid))
    for number, share in enumerate(shares):
        if share is not None and math.isclose(node.to[number], to, rel_tol=SIZE_TOLERANCE):
            return number
    raise ZerosumError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}")


def _parse_next_card(word: str, board: tuple[int, ...]) -> int:
    try:
        cards = parse_cards(word)
    except ZerosumError:
        cards = ()
    if len(cards) != 1 or cards[0] in board:
        raise ZerosumError(f"{word!r} is not a card that can come on {format_cards(board)}")
    return int(cards[0])
