"""A betting tree as text, a line for each way that the betting can go, whatever the cards.

    check, check / bet 60, call / check, check
    check, check / bet 60, fold

Streets are separated by slashes. Who deletes lines has another tree: an action is left where some line has it. Lines
cannot be added: that is what bet sizes are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rue.errors import RueError
from rue.holdem.tree import Street, count

MOST = 1_000_000
"""Lines that a tree may have to be written."""
Kept = dict[str, Any]
"""The actions that some lines have, and what these lines have after each."""


def lines(first: Street) -> Iterator[str]:
    """Every line of a tree, in order.

    >>> from rue.holdem.betting import Betting
    >>> from rue.holdem.tree import build
    >>> for line in lines(build(Betting.parse("allin", "none"), 2, 100, 300)): print(line)
    check, check
    check, allin, fold
    check, allin, call
    allin, fold
    allin, call
    """
    found = sum(number for kinds in count(first).leaves for kind, number in kinds.items() if kind != "deal")
    if found > MOST:
        raise RueError(f"this betting tree has {found:,} lines, too many to be written: use fewer sizes")
    for done in _lines(first, ()):
        yield " / ".join(", ".join(street) for street in done)


def _lines(street: Street, before: tuple[tuple[str, ...], ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    for end in _in_order(street):
        done = *before, street.ends[end].line
        following = street.ends[end].following
        if following is None:
            yield done
        else:
            yield from _lines(following, done)


def _in_order(street: Street, at: int = 0) -> Iterator[int]:
    """The ends of a street in the order of the actions that lead there."""
    for child in street.choices[at].children:
        if child < 0:
            yield ~child
        else:
            yield from _in_order(street, child)


def removed(first: Street, rows: Iterable[str]) -> list[str]:
    """The shortest lines that a tree has and a text has no longer; `#` begins a remark.

    >>> from rue.holdem.betting import Betting
    >>> from rue.holdem.tree import build
    >>> removed(build(Betting.parse("allin", "none"), 2, 100, 300), ["check, check", "allin, fold", "allin, call"])
    ['check, allin']
    """
    kept: Kept = {}
    for row in rows:
        here = kept
        for action in [part.strip() for part in row.partition("#")[0].replace("/", ",").split(",") if part.strip()]:
            here = here.setdefault(action, {})
    if not kept:
        raise RueError("the betting tree has no line left")
    return [", ".join(line) for line in _gone(first, 0, kept, ())]


def _gone(street: Street, at: int, kept: Kept, line: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if at < 0:
        following = street.ends[~at].following
        if following is not None:
            yield from _gone(following, 0, kept, line)
        elif kept:
            raise RueError(f"the line '{', '.join((*line, next(iter(kept))))}' goes on after the hand is over")
        return
    node = street.choices[at]
    unknown = next((action for action in kept if action not in node.actions), None)
    if unknown is not None:
        raise RueError(
            f"the betting tree has no line '{', '.join((*line, unknown))}': lines can be deleted, not added; "
            f"the actions there are {', '.join(node.actions)}"
        )
    if not kept:
        raise RueError(f"the line '{', '.join(line)}' ends before the hand is over")
    for action, child in zip(node.actions, node.children, strict=True):
        if action in kept:
            yield from _gone(street, child, kept[action], (*line, action))
        else:
            yield *line, action
