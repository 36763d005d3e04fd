"""Names of actions: how actions are labelled, and which action a typed name means.

docs/holdem.md#lines lists the names that people may type.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerosum.holdem.betting.sizes import BettingState, Size
from zerosum.holdem.cards.cards import STREETS
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.holdem.betting.tree import StreetNode

SIZE_TOLERANCE = 1e-6
"""Relative tolerance between a typed size and the size of the action that it names."""
ACTION_SYNONYMS = {
    "x": "check", "k": "check", "checks": "check", "calls": "call", "f": "fold", "folds": "fold", "a": "allin",
    "ai": "allin", "all-in": "allin", "jam": "allin", "shove": "allin", "b": "bet", "bets": "bet", "r": "raise",
    "raises": "raise",
}  # fmt: skip
_SIZED = re.compile(r"(bet|bets|raise|raises|b|r|)\s*(\d+\.?\d*|\.\d+)\s*(%|x|c|)")
_BEFORE_A_NUMBER = ("bet", "bets", "raise", "raises", "b", "r")


def format_action(action: str, share: float | None) -> str:
    """Return an action with its share of the pot.

    >>> format_action("bet 858", 0.33), format_action("call", None), format_action("bet 3", 0.004)
    ('bet 858 (33%)', 'call', 'bet 3 (0.4%)')
    """
    if share is None:
        return action
    percent = 100 * share
    return f"{action} ({percent:.0f}%)" if percent >= 1 else f"{action} ({percent:.1g}%)"


def split_line(line: str | Sequence[str]) -> list[str]:
    """Split a line into words; `bet 250` is a single word.

    >>> split_line("check, bet 250 (50%)/call turn 4d")
    ['check', 'bet 250', 'call', '4d']
    """
    if not isinstance(line, str):
        if not isinstance(line, Sequence) or not all(isinstance(word, str) for word in line):
            raise ZerosumError(f"a line is a string like 'check bet50 call 4d', or its words, not {line!r}")
        return list(line)
    words: list[str] = []
    text = re.sub(r"\([^()]*\)", " ", re.sub(r"\ball in\b", "allin", line, flags=re.IGNORECASE))
    for part in re.split(r"[\s,/]+", text.strip()):
        if words and words[-1].lower() in _BEFORE_A_NUMBER and re.match(r"\.?\d", part):
            words[-1] += f" {part}"
        elif part == "%" and words:
            words[-1] += part
        elif part and part.lower() not in STREETS:
            words.append(part)
    return words


def find_action(word: str, node: StreetNode) -> int:
    """Return the index of the action that a word names; sizes mean the same as in `zerosum.holdem.betting.sizes`."""
    plain = " ".join(word.lower().split())
    plain = ACTION_SYNONYMS.get(plain, plain)
    if plain == "c":
        plain = "call" if "call" in node.actions else "check"
    for index, action in enumerate(node.actions):
        if plain.replace(" ", "") == action.replace(" ", ""):
            return index
    matches = list(_find_actions_of_size(plain, node) or _find_actions_of_kind(plain, node))
    if len(matches) == 1:
        return matches[0]
    several = "; it may be any of several" if matches else ""
    raise ZerosumError(f"there is no {word!r} here: the actions are {', '.join(node.actions)}{several}")


def _find_actions_of_kind(plain: str, node: StreetNode) -> list[int]:
    """Return the bets or raises that a word without a size may mean; all-in if there is no other."""
    if plain not in ("bet", "raise") or (plain == "raise") != (max(node.paid) > 0):
        return []
    sized = [index for index, action in enumerate(node.actions) if action.startswith(f"{plain} ")]
    return sized or [index for index, action in enumerate(node.actions) if action == "allin"]


def _find_actions_of_size(plain: str, node: StreetNode) -> list[int]:
    """Return the actions of a size: those in chips, else those with exactly this share, else those rounded to it."""
    sized = _SIZED.fullmatch(plain)
    if sized is None or (not sized[1] and sized[3] not in ("%", "x")):
        return []
    number, unit = float(sized[2]), sized[3]
    if ACTION_SYNONYMS.get(sized[1], sized[1]) == ("bet" if max(node.paid) > 0 else "raise") and sized[1] != "b":
        return []
    bets = [index for index, share in enumerate(node.pot_shares) if share is not None]
    if unit in ("", "c"):
        chips = [index for index in bets if math.isclose(node.to[index], number, rel_tol=SIZE_TOLERANCE)]
        if chips or unit == "c":
            return chips
    amount = 0.0
    if number > 0:
        state = BettingState(0, node.player, node.pot, math.inf, node.paid[node.player], max(node.paid))
        amount = Size.parse(f"{sized[2]}{unit or '%'}").compute_amount(state)
    exact = [index for index in bets if math.isclose(node.to[index], amount, rel_tol=SIZE_TOLERANCE)]
    if exact or unit == "x" or "." in sized[2]:
        return exact
    return [index for index in bets if f"{100 * (node.pot_shares[index] or 0):.0f}" == sized[2]]
