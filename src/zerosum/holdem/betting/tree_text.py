"""A betting tree as text: a row for each line of actions, whatever the cards.

    check, check / bet 60, call / check, check
    check, check / bet 60, fold

Streets are separated by slashes. Deleting lines changes the tree: an action stays while any line has it. Lines cannot
be added; use bet sizes for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from zerosum.holdem.betting.tree import Street, count_tree
from zerosum.support.errors import ZerosumError

MAX_LINES = 1_000_000
"""The most lines of a tree that is written."""


def format_tree_lines(first: Street) -> Iterator[str]:
    """Yield the text of every line of a tree, in order.

    >>> from zerosum.holdem.betting.abstraction import BettingAbstraction
    >>> from zerosum.holdem.betting.tree import build_betting_tree
    >>> river = build_betting_tree(BettingAbstraction.parse("allin", "none"), 2, 100, 300)
    >>> for line in format_tree_lines(river): print(line)
    check, check
    check, allin, fold
    check, allin, call
    allin, fold
    allin, call
    """
    n_lines = sum(number for kinds in count_tree(first).leaves for kind, number in kinds.items() if kind != "deal")
    if n_lines > MAX_LINES:
        raise ZerosumError(f"this betting tree has {n_lines:,} lines, too many to be written: use fewer sizes")
    for line in _walk_lines(first, 0, ()):
        yield " / ".join(", ".join(street) for street in line)


def _walk_lines(
    street: Street, index: int, before: tuple[tuple[str, ...], ...]
) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Yield the lines from a node on: for each street the actions on it."""
    for child in street.choices[index].children:
        if child >= 0:
            yield from _walk_lines(street, child, before)
            continue
        leaf = street.ends[~child]
        line = *before, leaf.line
        if leaf.next_round is None:
            yield line
        else:
            yield from _walk_lines(leaf.next_round, 0, line)


def find_removed_lines(first: Street, rows: Iterable[str]) -> list[str]:
    """Return the shortest lines of a tree that its edited text no longer has; `#` starts a comment.

    >>> from zerosum.holdem.betting.abstraction import BettingAbstraction
    >>> from zerosum.holdem.betting.tree import build_betting_tree
    >>> river = build_betting_tree(BettingAbstraction.parse("allin", "none"), 2, 100, 300)
    >>> find_removed_lines(river, ["check, check", "allin, fold", "allin, call"])
    ['check, allin']
    """
    remaining: dict[str, Any] = {}  # the actions at the start that any row has, each with the actions after it
    for row in rows:
        branch = remaining
        for action in [part.strip() for part in row.partition("#")[0].replace("/", ",").split(",") if part.strip()]:
            branch = branch.setdefault(action, {})
    if not remaining:
        raise ZerosumError("the betting tree has no line left")
    return [", ".join(line) for line in _walk_removed(first, 0, remaining, ())]


def _walk_removed(
    street: Street, index: int, remaining: dict[str, Any], line: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    if index < 0:
        following = street.ends[~index].next_round
        if following is not None:
            yield from _walk_removed(following, 0, remaining, line)
        elif remaining:
            raise ZerosumError(f"the line '{', '.join((*line, next(iter(remaining))))}' continues after its end")
        return
    node = street.choices[index]
    unknown = next((action for action in remaining if action not in node.actions), None)
    if unknown is not None:
        raise ZerosumError(
            f"the betting tree has no line '{', '.join((*line, unknown))}': lines can be deleted, not added; "
            f"the actions there are {', '.join(node.actions)}"
        )
    if not remaining:
        raise ZerosumError(f"the line '{', '.join(line)}' ends before the hand is over")
    for action, child in zip(node.actions, node.children, strict=True):
        if action in remaining:
            yield from _walk_removed(street, child, remaining[action], (*line, action))
        else:
            yield *line, action
