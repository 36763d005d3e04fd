"""A line: the actions and cards since the start of a spot, as people write them: `check bet50 call 4d`, `x b50 c`.

docs/holdem.md#lines lists the words. Text in brackets is left out, so that `bet 858 (33%)` reads as it is shown. In
a line that begins with `r:`, which PioSOLVER and `zerosum export` write, `b300` is all that the player has put in since
the start of the spot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from zerosum.holdem.betting.action_names import SIZE_TOLERANCE, find_action, split_line
from zerosum.holdem.betting.sizes import PLAYERS
from zerosum.holdem.betting.tree import Leaf, Street, StreetNode
from zerosum.holdem.cards.cards import card_name, format_cards, parse_cards
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError

_PIO = re.compile(r"r:0(?:$|:)", re.IGNORECASE)


class DecisionPosition(NamedTuple):
    """The decision that a line leads to: the line in the words of the tree, the node and the board."""

    line: tuple[str, ...]
    node: StreetNode
    board: tuple[int, ...]


class LinePosition(NamedTuple):
    """The position that a line leads to: a decision (`node`), or the end of a street's betting (`leaf`)."""

    line: tuple[str, ...]
    street: Street
    board: tuple[int, ...]
    node: StreetNode | None
    leaf: Leaf | None

    @property
    def bets(self) -> tuple[float, float]:
        """The chips that each player has bet on this street."""
        end = self.node if self.node is not None else self.leaf
        assert end is not None
        return end.paid

    @property
    def pot(self) -> float:
        """The chips in the middle, including all bets."""
        return self.street.pot + sum(self.bets)


def follow_line(spot: Spot, line: str | Sequence[str]) -> LinePosition:
    """Return the position that a line leads to: a decision, the next card, or the end of the hand.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> follow_line(load_spot("river"), "check check").leaf.line
    ('check', 'check')
    """
    street, board, done, index = spot.tree, spot.board, list[str](), 0
    is_pio = isinstance(line, str) and _PIO.match(line.strip()) is not None
    is_split = isinstance(line, tuple) and all(isinstance(word, str) for word in line)
    words = line.strip().split(":")[2:] if isinstance(line, str) and is_pio else line if is_split else split_line(line)
    for word in words:
        if index < 0:
            leaf = street.ends[~index]
            if leaf.next_round is None:
                raise ZerosumError(f"after {' '.join(done)} the hand is over: there is no {word!r}")
            board = (*board, _parse_next_card(word, board))
            done.append(card_name(board[-1]))
            street, index = leaf.next_round, 0
            continue
        node = street.choices[index]
        if word.lower() in PLAYERS:
            if word.lower() != PLAYERS[node.player]:
                after = f"after {' '.join(done)}" if done else "at the start"
                raise ZerosumError(f"{after} it is the turn of {PLAYERS[node.player]}, not of {word}")
            continue
        if word in node.actions:
            action = node.actions.index(word)
        else:
            action = find_pio_action(word, node, spot) if is_pio else find_action(word, node)
        index = node.children[action]
        done.append(node.actions[action])
    if index >= 0:
        return LinePosition(tuple(done), street, board, street.choices[index], None)
    return LinePosition(tuple(done), street, board, None, street.ends[~index])


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
    return DecisionPosition(position.line, position.node, position.board)


def find_pio_action(word: str, node: StreetNode, spot: Spot) -> int:
    """Return the index of an action by Pio's name, which counts a player's chips since the start of the spot."""
    bet = re.fullmatch(r"b(\d+\.?\d*|\.\d+)", word, re.IGNORECASE)
    if bet is None:
        return find_action(word, node)
    bet_on_street = float(bet[1]) - (node.pot - sum(node.paid) - spot.pot) / 2
    for index, share in enumerate(node.pot_shares):
        if share is not None and math.isclose(node.to[index], bet_on_street, rel_tol=SIZE_TOLERANCE):
            return index
    raise ZerosumError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}")


def _parse_next_card(word: str, board: tuple[int, ...]) -> int:
    try:
        cards = parse_cards(word)
    except ZerosumError:
        cards = ()
    if len(cards) != 1 or cards[0] in board:
        raise ZerosumError(f"{word!r} is not a card that can come on {format_cards(board)}")
    return cards[0]
