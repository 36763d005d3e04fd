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
from rue.holdem.bets import PLAYERS, Size
from rue.holdem.cards import STREETS, card_name, cards_name, parse_cards
from rue.holdem.labels import shares_of_pot
from rue.holdem.spots import Spot
from rue.holdem.tree import Leaf, Node, Street

NEAR = 1e-6
"""How far a size may be from the action that it names, as a share of it."""
SPELLINGS = {
    "x": "check",
    "k": "check",
    "checks": "check",
    "calls": "call",
    "f": "fold",
    "folds": "fold",
    "a": "allin",
    "ai": "allin",
    "all-in": "allin",
    "jam": "allin",
    "shove": "allin",
    "b": "bet",
    "bets": "bet",
    "r": "raise",
    "raises": "raise",
}
_SIZED = re.compile(r"(bet|bets|raise|raises|b|r|)\s*(\d+\.?\d*|\.\d+)\s*(%|x|c|)")
_BEFORE_A_NUMBER = ("bet", "bets", "raise", "raises", "b", "r")
_PIO = re.compile(r"r:0(?:$|:)", re.IGNORECASE)


def words(line: str | Sequence[str]) -> list[str]:
    """A line as words: `bet 250` and `raise 750` are one.

    >>> words("check, bet 250 (50%)/call turn 4d")
    ['check', 'bet 250', 'call', '4d']
    """
    if not isinstance(line, str):
        if not isinstance(line, Sequence) or not all(isinstance(word, str) for word in line):
            raise RueError(f"a line is a text like 'check bet50 call 4d', or its words, not {line!r}")
        return list(line)
    found: list[str] = []
    text = re.sub(r"\([^()]*\)", " ", re.sub(r"\ball in\b", "allin", line, flags=re.IGNORECASE))
    for part in re.split(r"[\s,/]+", text.strip()):
        if found and found[-1].lower() in _BEFORE_A_NUMBER and re.match(r"\.?\d", part):
            found[-1] += f" {part}"
        elif part == "%" and found:
            found[-1] += part
        elif part and part.lower() not in STREETS:
            found.append(part)
    return found


def matching(word: str, node: Node, pot: float) -> int:
    """Which action a word names; `pot` holds all bets so far, sizes mean what they mean in `rue.holdem.bets`."""
    plain = " ".join(word.lower().split())
    plain = SPELLINGS.get(plain, plain)
    if plain == "c":
        plain = "call" if "call" in node.actions else "check"
    for number, action in enumerate(node.actions):
        if plain.replace(" ", "") == action.replace(" ", ""):
            return number
    found = list(_sized(plain, node, pot) or _unsized(plain, node))
    if len(found) == 1:
        return found[0]
    several = "; it may be any of several" if found else ""
    raise RueError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}{several}")


def _unsized(plain: str, node: Node) -> list[int]:
    """The bets or raises of a tree that has a word for them without a size; all-in if there is no other."""
    if plain not in ("bet", "raise") or (plain == "raise") != (max(node.paid) > 0):
        return []
    sized = [number for number, action in enumerate(node.actions) if action.startswith(f"{plain} ")]
    return sized or [number for number, action in enumerate(node.actions) if action == "allin"]


def _sized(plain: str, node: Node, pot: float) -> list[int]:
    """The actions of a size: first those in chips, then those that it is exactly, then those it is rounded."""
    sized = _SIZED.fullmatch(plain)
    if sized is None or (not sized[1] and sized[3] not in ("%", "x")):
        return []
    number, unit = float(sized[2]), sized[3]
    if SPELLINGS.get(sized[1], sized[1]) == ("bet" if max(node.paid) > 0 else "raise") and sized[1] != "b":
        return []
    shares = shares_of_pot(node, pot)
    options = [at for at, share in enumerate(shares) if share is not None]
    if unit in ("", "c"):
        chips = [at for at in options if math.isclose(node.to[at], number, rel_tol=NEAR)]
        if chips or unit == "c":
            return chips
    own, top = node.paid[node.player], max(node.paid)
    wanted = Size.parse(f"{sized[2]}{unit or '%'}").amount(pot, own, top, math.inf) if number > 0 else 0.0
    exact = [at for at in options if math.isclose(node.to[at], wanted, rel_tol=NEAR)]
    if exact or unit == "x" or "." in sized[2]:
        return exact
    return [at for at in options if f"{100 * (shares[at] or 0):.0f}" == sized[2]]


class LineEnd(NamedTuple):
    """Where a line leads: its words as the tree has them, the decision and the board there."""

    line: tuple[str, ...]
    node: Node
    board: tuple[int, ...]


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
            taken = _pio(word, node, street, spot) if pio else matching(word, node, street.pot + sum(node.paid))
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
    return LineEnd(found.line, found.node, found.board)


def _check_player(word: str, node: Node, done: list[str]) -> None:
    if word.lower() != PLAYERS[node.player]:
        after = f"after {' '.join(done)}" if done else "at the start"
        raise RueError(f"{after} it is the turn of {PLAYERS[node.player]}, not of {word}")


def _pio_words(line: str) -> Iterator[str]:
    """The words of a line like `r:0:c:b300:4d`."""
    yield from line.strip().split(":")[2:]


def _pio(word: str, node: Node, street: Street, spot: Spot) -> int:
    """The action that Pio calls so: a bet by all that the player has put in since the start of the spot."""
    bet = re.fullmatch(r"b(\d+\.?\d*|\.\d+)", word, re.IGNORECASE)
    if bet is None:
        return matching(word, node, street.pot + sum(node.paid))
    to = float(bet[1]) - (street.pot - spot.pot) / 2
    shares = shares_of_pot(node, street.pot + sum(node.paid))
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
