"""The words of a line: how people name actions, and which action a name means; see `rue.holdem.line`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rue.errors import RueError
from rue.holdem.bets import Size
from rue.holdem.cards import STREETS
from rue.holdem.labels import Decides, shares_of_pot

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


def matching(word: str, node: Decides, pot: float) -> int:
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


def _unsized(plain: str, node: Decides) -> list[int]:
    """The bets or raises of a tree that has a word for them without a size; all-in if there is no other."""
    if plain not in ("bet", "raise") or (plain == "raise") != (max(node.paid) > 0):
        return []
    sized = [number for number, action in enumerate(node.actions) if action.startswith(f"{plain} ")]
    return sized or [number for number, action in enumerate(node.actions) if action == "allin"]


def _sized(plain: str, node: Decides, pot: float) -> list[int]:
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
