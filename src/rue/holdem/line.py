"""A line: what happened since the start of a spot, as people write it: `check bet50 call 4d`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from rue.errors import RueError
from rue.holdem.bets import Size
from rue.holdem.cards import card_name, cards_name, parse_cards
from rue.holdem.spots import Spot
from rue.holdem.tree import Node

_SIZED = re.compile(r"(bet|raise)\s*(\d+(?:\.\d+)?)(%|x|)$")


def words(line: str | Sequence[str]) -> list[str]:
    """A line as words: `bet 250` and `raise 750` are one.

    >>> words("check, bet 250/call 4d")
    ['check', 'bet 250', 'call', '4d']
    """
    if not isinstance(line, str):
        if not isinstance(line, Sequence) or not all(isinstance(word, str) for word in line):
            raise RueError(f"a line is a text like 'check bet50 call 4d', or its words, not {line!r}")
        return list(line)
    found: list[str] = []
    for part in re.split(r"[\s,/]+", line.strip()):
        if found and found[-1] in ("bet", "raise") and re.match(r"\d", part):
            found[-1] += f" {part}"
        elif part:
            found.append(part)
    return found


def matching(word: str, node: Node, pot: float) -> int:
    """Which action a word names: `bet 250`, `bet250` in chips, or by its size: `bet50`, `bet 50%`, `raise 2.5x`.

    `pot` holds all bets so far; sizes mean what they mean in `rue.holdem.bets`.
    """
    plain = word.lower().replace("all-in", "allin")
    for number, action in enumerate(node.actions):
        if plain.replace(" ", "") == action.replace(" ", ""):
            return number
    sized = _SIZED.match(plain)
    if sized:
        own, top = node.paid[node.player], max(node.paid)
        wanted = Size.parse(sized[2] + (sized[3] or "%")).amount(pot, own, top, math.inf)
        for number, action in enumerate(node.actions):
            other = _SIZED.match(action)
            if other and other[1] == sized[1] and abs(float(other[2]) - wanted) < 1e-6 * max(1.0, wanted):
                return number
    raise RueError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}")


class LineEnd(NamedTuple):
    """Where a line leads: its words as the tree has them, the decision and the board there."""

    line: tuple[str, ...]
    node: Node
    board: tuple[int, ...]


def follow(spot: Spot, line: str | Sequence[str]) -> LineEnd:
    """The decision that a line leads to; a line that leads to none is refused with a sentence.

    >>> from rue.holdem.files import load_spot
    >>> follow(load_spot("river"), "check bet33").line
    ('check', 'bet 858')
    >>> follow(load_spot("river"), "bet33 raise75").line
    ('bet 858', 'raise 4095')
    """
    street, board, done = spot.tree, spot.board, list[str]()
    at = 0
    for word in words(line):
        if at >= 0:
            node = street.choices[at]
            taken = matching(word, node, street.pot + sum(node.paid))
            at = node.children[taken]
            done.append(node.actions[taken])
            continue
        leaf = street.ends[~at]
        if leaf.following is None:
            raise RueError(f"after {' '.join(done)} the hand is over: there is no {word!r}")
        board = (*board, _card(word, board))
        done.append(card_name(board[-1]))
        street, at = leaf.following, 0
    if at < 0:
        expected = "the hand is over" if street.ends[~at].following is None else "name the next card"
        raise RueError(f"after {' '.join(done)} nobody has a decision: {expected}")
    return LineEnd(tuple(done), street.choices[at], board)


def _card(word: str, board: tuple[int, ...]) -> int:
    try:
        cards = parse_cards(word)
    except RueError:
        cards = ()
    if len(cards) != 1 or cards[0] in board:
        raise RueError(f"{word!r} is not a card that can come on {cards_name(board)}")
    return int(cards[0])
