"""A hold'em run that keeps its first streets only; the later ones are solved again when somebody looks at them.

Of every kept place the average strategies are saved, and what each row is worth when both play on as they did: what
hands earn is known without the streets that were dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError, nearest
from rue.forms.lines import Given
from rue.forms.public_form import BOARD
from rue.forms.public_tree import PublicTree, shares
from rue.forms.treeplex import Floats
from rue.holdem.cards import HAND_COUNT, STREETS, parse_cards
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.results.range_decision import RangeDecision
from rue.results.recent import Recent
from rue.results.solution import Cursor, Looked, Solution
from rue.turns import Turns

if TYPE_CHECKING:
    from rue.results.spot import SpotResult

Solve = Callable[[Spot, float, int], "SpotResult"]
"""Solves a spot down to an exploitability in chips, with so many iterations at most."""

SOLVED_AGAIN = 32
"""How many subgames that were solved again are remembered."""
AGAIN = 0.0005
"""The share of the pot down to which a dropped street is solved again."""
AT_MOST = 2000
"""Iterations of such a solve."""


def named_streets(streets: str | Sequence[str]) -> list[str]:
    """Some streets, which may be written with commas between them."""
    listed = streets.split(",") if isinstance(streets, str) else streets
    if not isinstance(listed, list | tuple) or not listed or not all(isinstance(name, str) for name in listed):
        raise RueError(f"streets are named like 'flop,turn', not by {streets!r:.60}")
    names = [name.strip().lower() for name in listed]
    for name in names:
        if name not in STREETS:
            raise RueError(f"there is no street {name!r}: {nearest(name, STREETS)}")
    return names


def last_street(streets: str | Sequence[str]) -> int:
    """The number of the last of some streets."""
    return STREETS.index(named_streets(streets)[-1])


def kept_streets(streets: str | Sequence[str] | None, spot: Spot) -> list[str] | None:
    """The streets to keep, from the first one of the spot on; None for all of them.

    >>> from rue.holdem.files import load_spot
    >>> kept_streets("turn", load_spot("turn")), kept_streets("turn, river", load_spot("turn"))
    (['turn'], None)
    """
    if streets is None:
        return None
    names = named_streets(streets)
    there = list(STREETS[spot.street :])
    if len(there) == 1 and names != there:
        raise RueError(f"the {there[0]} is the only street of the spot: leave out which to keep (--streets, streets=)")
    if names != there[: len(names)]:
        raise RueError(f"the streets to keep must begin with the first one of the spot, as in {','.join(there[:-1])}")
    return None if names == there else names


def cut(averages: Looked, streets: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a run that keeps some streets: strategies, and what rows are worth."""
    tree = averages.form
    last = last_street(streets)
    strategies: tuple[list[Any], list[Any]] = ([], [])
    values: tuple[list[Any], list[Any]] = ([], [])
    entering, accumulated = _entering(averages, last), averages.averages()
    for place in kept_places(tree, last):
        for player in (0, 1):
            strategies[player].append(accumulated[player][tree.span(place, player)])
            rows = averages.rows(place, entering[place][1 - player], player)
            values[player].append(rows.astype(np.float32).ravel())
    arrays = {f"average{p}": np.concatenate(strategies[p]).astype(np.float32) for p in (0, 1)}
    return arrays | {f"value{p}": np.concatenate(values[p]) for p in (0, 1)}


def kept_places(tree: PublicTree, last: int) -> list[int]:
    """The places up to a street, in order."""
    streets = np.array([len(board.label) // 2 - 3 for board in tree.boards])
    return [int(place) for place in np.flatnonzero(streets[tree.form.places[:, BOARD]] <= last)]


def _entering(solver: Looked, last: int) -> dict[int, tuple[Floats, Floats]]:
    """The reaches with which both players come into each kept place, a row for each round of its bundle."""
    tree = solver.form
    one, two = tree.weights
    found = {0: (one[None], two[None])}
    for place in kept_places(tree, last - 1):
        bundle, board = tree.bundle_at(place), tree.board_at(place)
        reach = [np.zeros((bundle.rows[p], len(board.hands[p]))) for p in (0, 1)]
        for player in (0, 1):
            reach[player][: bundle.entries] = found[place][player]
        for player, first, actions, parent in bundle.choices():
            sigma = solver.strategy(place, player, first, actions)
            reach[player][first : first + actions] = reach[player][parent] * sigma
        ends, groups = bundle.ends(), bundle.following()
        for number, child in enumerate(board.children):
            for group, (deals, _) in enumerate(groups):
                sides = []
                for player in (0, 1):
                    rows = [ends[deal][1][player] for deal in deals]
                    sides.append(reach[player][rows][:, child.sources[0][player]])
                found[tree.following(place, number, group)] = sides[0], sides[1]
    return found


class KeptStreets:
    """What a solution is read from when only some streets were kept: strategies and what rows are worth."""

    def __init__(self, tree: PublicTree, streets: Sequence[str], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.form = tree
        self.iteration = 0
        self.turns = Turns()
        self.given: Given = {}
        self.last = last_street(streets)
        self._average, self._value = {}, {}
        for player in (0, 1):
            averages, values = arrays[f"average{player}"].ravel(), arrays[f"value{player}"].ravel()
            at = worth = 0
            for place in kept_places(tree, self.last):
                stored, (rows, width) = int(tree.stored[place, player]), tree.shape(place, player)
                self._average[place, player] = averages[at : at + stored]
                self._value[place, player] = values[worth : worth + rows * width].reshape(rows, width)
                at, worth = at + stored, worth + rows * width
            if (at, worth) != (averages.size, values.size) or not np.isfinite(values).all():
                raise ValueError("its strategies do not fit the spot")
            if not np.isfinite(averages).all() or (averages < 0).any():
                raise ValueError("its strategies are not made of chances")

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """The average strategy of a decision of a kept place."""
        own, at = self.form.span(place, player), self.form.block(place, player, first, actions)
        return shares(self._average[place, player][at.start - own.start : at.stop - own.start].reshape(actions, -1))

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """What the rows of a player are worth at a kept place, as saved."""
        return np.asarray(self._value[place, player], dtype=np.float64)

    def own(self, place: int, player: int) -> Floats:
        """The weight of each of a player's hands at a place."""
        weights = np.zeros(HAND_COUNT)
        weights[self.form.board.hands[player]] = self.form.weights[player]
        return weights[self.form.board_at(place).hands[player]]

    def averages(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The averages of the whole tree, which were not kept."""
        raise RueError("this run kept some streets only: the strategy of the whole tree is not there")


class Resolving(Solution):
    """A solution whose dropped streets are solved again, from the ranges that get there, when they are looked at."""

    def __init__(self, spot: Spot, kept: KeptStreets, solve: Solve) -> None:
        super().__init__(spot, kept)
        self._last, self._solve = kept.last, solve
        self._again: Recent[tuple[SpotResult, list[float]]] = Recent(SOLVED_AGAIN)

    @property
    def last(self) -> int:
        return self._last

    def _look(self, words: tuple[str, ...], evs: bool) -> RangeDecision:
        """The decision that a line leads to; its note tells if it had to be solved again."""
        with self.solver.turns:
            cursor = self.start()
            for number, word in enumerate(words):
                if self.choice(cursor) is None and cursor.number == self.last:
                    return self._solved(cursor, words, number, evs)
                self.step(cursor, word)
            return super()._look(words, evs)

    def _solved(self, cursor: Cursor, words: tuple[str, ...], number: int, evs: bool) -> RangeDecision:
        """The decision in a subgame that begins with the card `words[number]`."""
        known = words[: number + 1]

        def solved() -> tuple[SpotResult, list[float]]:
            following = next(end.following for end in cursor.tree.ends if end.line == cursor.street and end.following)
            scales = [float(own.max()) for own in cursor.ranges]
            if min(scales) <= 0:
                raise RueError(f"nobody gets to {' '.join(known)}: there is nothing to solve there")
            one, two = (Range(own / scale) for own, scale in zip(cursor.ranges, scales, strict=True))
            board = parse_cards(cursor.cards + known[-1])
            below = replace(self.spot, board=board, pot=following.pot, stack=following.stack, oop=one, ip=two)
            below = replace(below, betting=following.betting)
            return self._solve(below, AGAIN * below.pot, AT_MOST), scales

        result, scales = self._again.found(known, solved)
        note = (
            f"the {STREETS[self.last + 1]} was not saved: solved again from the ranges that get there, "
            f"{result.iterations} iterations to {100 * result.exploitability_pot:.2g}% of its pot"
        )
        rest = words[number + 1 :]
        point = result.solution.at(rest) if evs else result.solution.glance(rest)
        ranges = point.ranges[0] * scales[0], point.ranges[1] * scales[1]
        against = point.against * scales[1 - point.player]
        return replace(point, line=words, ranges=ranges, against=against, note=note)
