"""A line: what happened since the start of a spot, as people write it: `check bet50 call 4d`, `x b50 c`, `r:0:c:b50`.

| word | action |
|---|---|
| `check`, `x`, `call`, `c`, `fold`, `f` | the action; `c` is a call where there is a bet, else a check |
| `bet 250`, `bet250`, `b250`, `raise 750`, `r750` | by its chips, as the tree names it |
| `bet50`, `b50`, `bet 50%`, `50%`, `raise 2.5x` | by its size; a number that is no bet in chips is a percentage |
| `bet`, `raise` | the one there is, where there is one |
| `allin`, `all-in`, `all in`, `jam`, `shove`, `a` | everything |
| `4d`, `turn 4d` | the card that comes |
| `oop`, `ip` | who acts next, if one likes to say so |

Words are separated by spaces, commas or slashes, and what stands in brackets is left out, so that `bet 858 (33%)` reads
as it is shown. A line that begins with `r:` is PioSOLVER's, as `rue export` writes it: `b300` there is all that the
player has put in since the start of the spot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rue.errors import RueError
from rue.holdem.bets import PLAYERS
from rue.holdem.cards import card_name, cards_name, parse_cards
from rue.holdem.labels import shares_of_pot
from rue.holdem.spots import Spot
from rue.holdem.tree import Leaf, Node, Street
from rue.holdem.words import NEAR, matching, words

_PIO = re.compile(r"r:0(?:$|:)", re.IGNORECASE)


class LineEnd(NamedTuple):
    """Where a line leads: its words as the tree has them, the decision, the board and the pot with all bets there."""

    line: tuple[str, ...]
    node: Node
    board: tuple[int, ...]
    pot: float


class Trace(NamedTuple):
    """Where a line leads, whatever is there: a decision (`node`), or the end of a street's betting (`leaf`)."""

    line: tuple[str, ...]
    street: Street
    board: tuple[int, ...]
    node: Node | None
    leaf: Leaf | None


def trace(spot: Spot, line: str | Sequence[str]) -> Trace:
    """What a line leads to: a decision, the next card, or the end of the hand.

    >>> from rue.holdem.files import load_spot
    >>> trace(load_spot("river"), "check check").leaf.line
    ('check', 'check')
    """
    street, board, done = spot.tree, spot.board, list[str]()
    at = 0
    pio = isinstance(line, str) and _PIO.match(line.strip())
    for word in _pio_words(line) if isinstance(line, str) and pio else words(line):
        if at >= 0:
            node = street.choices[at]
            if word.lower() in PLAYERS:
                _check_player(word, node, done)
                continue
            before = street.pot
            taken = pio_action(word, node, before, spot) if pio else matching(word, node, before + sum(node.paid))
            at = node.children[taken]
            done.append(node.actions[taken])
            continue
        leaf = street.ends[~at]
        if leaf.following is None:
            raise RueError(f"after {' '.join(done)} the hand is over: there is no {word!r}")
        board = (*board, _card(word, board))
        done.append(card_name(board[-1]))
        street, at = leaf.following, 0
    if at >= 0:
        return Trace(tuple(done), street, board, street.choices[at], None)
    return Trace(tuple(done), street, board, None, street.ends[~at])


def follow(spot: Spot, line: str | Sequence[str]) -> LineEnd:
    """The decision that a line leads to; a line that leads to none is refused with a sentence.

    >>> from rue.holdem.files import load_spot
    >>> follow(load_spot("river"), "x b33").line, follow(load_spot("river"), "r:0:c:b858").line
    (('check', 'bet 858'), ('check', 'bet 858'))
    >>> follow(load_spot("river"), "bet33 raise75").line
    ('bet 858', 'raise 4095')
    """
    found = trace(spot, line)
    if found.node is None:
        over = found.leaf is None or found.leaf.following is None
        expected = "the hand is over" if over else "name the next card"
        raise RueError(f"after {' '.join(found.line)} nobody has a decision: {expected}")
    return LineEnd(found.line, found.node, found.board, found.street.pot + sum(found.node.paid))


def _check_player(word: str, node: Node, done: list[str]) -> None:
    if word.lower() != PLAYERS[node.player]:
        after = f"after {' '.join(done)}" if done else "at the start"
        raise RueError(f"{after} it is the turn of {PLAYERS[node.player]}, not of {word}")


def _pio_words(line: str) -> Iterator[str]:
    """The words of a line like `r:0:c:b300:4d`."""
    yield from line.strip().split(":")[2:]


def pio_action(word: str, node: Node, before: float, spot: Spot) -> int:
    """The action that Pio calls so: a bet by all that the player has put in since the start of the spot; `before` is
    the pot at the start of the street."""
    bet = re.fullmatch(r"b(\d+\.?\d*|\.\d+)", word, re.IGNORECASE)
    if bet is None:
        return matching(word, node, before + sum(node.paid))
    to = float(bet[1]) - (before - spot.pot) / 2
    shares = shares_of_pot(node, before + sum(node.paid))
    for number, share in enumerate(shares):
        if share is not None and math.isclose(node.to[number], to, rel_tol=NEAR):
            return number
    raise RueError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}")


def _card(word: str, board: tuple[int, ...]) -> int:
    try:
        cards = parse_cards(word)
    except RueError:
        cards = ()
    if len(cards) != 1 or cards[0] in board:
        raise RueError(f"{word!r} is not a card that can come on {cards_name(board)}")
    return int(cards[0])
