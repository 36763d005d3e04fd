"""A hold'em run that saves its first streets only; the later ones are solved again when they are viewed.

For every saved place the file has the average strategies and the value of each row if both play on as they did, so
that EVs are available without the streets that were dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.columns import BOARD
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicTree, normalize_columns
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.cards.cards import HAND_COUNT, STREETS, parse_cards
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.solution import AverageStrategy, Cursor, Slot, Solution
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import option_name
from zerosum.support.thread_safety import FairLock

if TYPE_CHECKING:
    from zerosum.holdem.solution.result import SpotResult

Solve = Callable[[Spot, float, int], "SpotResult"]
"""Solves a spot down to an exploitability in chips, with at most a given number of iterations."""

CACHED_SUBGAMES = 32
"""Solved subgames that are kept in memory."""
RESOLVE_TARGET = 0.0005
"""The share of the pot down to which a dropped street is solved again."""
RESOLVE_ITERATIONS = 2000
"""Iterations of such a solve."""


def parse_streets(streets: str | Sequence[str]) -> list[str]:
    """Return the names of streets, which may be written with commas between them."""
    listed = streets.split(",") if isinstance(streets, str) else streets
    if not isinstance(listed, list | tuple) or not listed or not all(isinstance(name, str) for name in listed):
        raise ZerosumError(f"streets are named like 'flop,turn', not by {streets!r:.60}")
    names = [name.strip().lower() for name in listed]
    for name in names:
        if name not in STREETS:
            raise ZerosumError(f"there is no street {name!r}: {suggest_names(name, STREETS)}")
    return names


def last_street(streets: str | Sequence[str]) -> int:
    """Return the number of the last of some streets."""
    return STREETS.index(parse_streets(streets)[-1])


def kept_streets(streets: str | Sequence[str] | None, spot: Spot) -> list[str] | None:
    """Return the streets to save, from the first one of the spot on; None for all of them.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> kept_streets("turn", load_spot("turn")), kept_streets("turn, river", load_spot("turn"))
    (['turn'], None)
    """
    if streets is None:
        return None
    names = parse_streets(streets)
    streets_played = list(STREETS[spot.street :])
    if len(streets_played) == 1 and names != streets_played:
        raise ZerosumError(f"the {streets_played[0]} is the only street of the spot: drop {option_name('streets')}")
    if names != streets_played[: len(names)]:
        raise ZerosumError(
            f"the streets to save must begin with the first one of the spot: write {','.join(streets_played[:-1])}"
        )
    return None if names == streets_played else names


def extract_streets(averages: AverageStrategy, streets: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a run that saves some streets: strategies and the values of rows."""
    tree = averages.form
    last = last_street(streets)
    strategies: tuple[list[Any], list[Any]] = ([], [])
    values: tuple[list[Any], list[Any]] = ([], [])
    entering, accumulated = _entering(averages, last), averages.averages()
    for place in saved_places(tree, last):
        for player in (0, 1):
            strategies[player].append(accumulated[player][tree.span(place, player)])
            rows = averages.rows(place, entering[place][1 - player], player)
            values[player].append(rows.astype(np.float32).ravel())
    arrays = {f"average{p}": np.concatenate(strategies[p]).astype(np.float32) for p in (0, 1)}
    return arrays | {f"value{p}": np.concatenate(values[p]) for p in (0, 1)}


def saved_places(tree: PublicTree, last: int) -> list[int]:
    """Return the places up to a street, in order."""
    streets = np.array([len(board.label) // 2 - 3 for board in tree.boards])
    return [int(place) for place in np.flatnonzero(streets[tree.tables.places[:, BOARD]] <= last)]


def _entering(solver: AverageStrategy, last: int) -> dict[int, tuple[Floats, Floats]]:
    """Return the reaches of both players entering each saved place, a row for each round of its bundle."""
    tree = solver.form
    first, second = tree.weights
    entering = {0: (first[None], second[None])}
    for place in saved_places(tree, last - 1):
        bundle, board = tree.bundle_at(place), tree.board_at(place)
        reach = [np.zeros((bundle.rows[p], len(board.hands[p]))) for p in (0, 1)]
        for player in (0, 1):
            reach[player][: bundle.entries] = entering[place][player]
        for player, row, actions, parent in bundle.choices():
            sigma = solver.strategy(place, player, row, actions)
            reach[player][row : row + actions] = reach[player][parent] * sigma
        ends, groups = bundle.ends(), bundle.next_rounds()
        for number, child in enumerate(board.children):
            for group, (deals, _) in enumerate(groups):
                sides = []
                for player in (0, 1):
                    rows = [ends[deal][1][player] for deal in deals]
                    sides.append(reach[player][rows][:, child.sources[0][player]])
                entering[tree.next_place(place, number, group)] = sides[0], sides[1]
    return entering


class SavedStreets:
    """The strategies and row values of the saved streets, from which a solution is read."""

    def __init__(self, tree: PublicTree, streets: Sequence[str], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.form = tree
        self.iteration = 0
        self.lock = FairLock()
        self.fixed: FixedDecisions = {}
        self.last = last_street(streets)
        self._average, self._value = {}, {}
        for player in (0, 1):
            averages, values = arrays[f"average{player}"].ravel(), arrays[f"value{player}"].ravel()
            at = worth = 0
            for place in saved_places(tree, self.last):
                stored, (rows, width) = int(tree.stored[place, player]), tree.shape(place, player)
                self._average[place, player] = averages[at : at + stored]
                self._value[place, player] = values[worth : worth + rows * width].reshape(rows, width)
                at, worth = at + stored, worth + rows * width
            if (at, worth) != (averages.size, values.size) or not np.isfinite(values).all():
                raise ValueError("its strategies do not fit the spot")
            if not np.isfinite(averages).all() or (averages < 0).any():
                raise ValueError("its strategies contain numbers that are not probabilities")

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """Return the average strategy of a decision of a saved place."""
        start = self.form.span(place, player).start
        block = self.form.block(place, player, first, actions)
        mass = self._average[place, player][block.start - start : block.stop - start]
        return normalize_columns(mass.reshape(actions, -1))

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """Return the values of the rows of a player at a saved place."""
        return np.asarray(self._value[place, player], dtype=np.float64)

    def weights_at(self, place: int, player: int) -> Floats:
        """Return the weight of each of a player's hands at a place."""
        weights = np.zeros(HAND_COUNT)
        weights[self.form.board.hands[player]] = self.form.weights[player]
        return weights[self.form.board_at(place).hands[player]]

    def averages(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Refuse to return the averages of the whole tree, which were not saved."""
        raise ZerosumError(f"only some streets of this run were saved: solve again without {option_name('streets')}")


class ResolvingSolution(Solution):
    """A solution whose dropped streets are solved again, from the ranges that get there, when they are viewed."""

    def __init__(self, spot: Spot, saved: SavedStreets, solve: Solve) -> None:
        super().__init__(spot, saved)
        self._last, self._solve = saved.last, solve
        self._subgames = lru_cache(maxsize=CACHED_SUBGAMES)(Slot)

    @property
    def last(self) -> int:
        return self._last

    def _decision_at(self, words: tuple[str, ...], with_ev: bool) -> DecisionTable:
        """Return the decision that a line leads to; its note says if it had to be solved again."""
        with self.solver.lock:
            dropped = self._to_dropped_street(words)
            if dropped is None:
                return super()._decision_at(words, with_ev)
            result, scales, number = dropped
            table = result.solution.at(words[number:], with_ev)
        note = (
            f"the {STREETS[self.last + 1]} was not saved: solved again from the ranges that get there, "
            f"{result.iterations} iterations to {100 * result.exploitability_pot:.2g}% of its pot"
        )
        ranges = table.ranges[0] * scales[0], table.ranges[1] * scales[1]
        opposing = table.opposing_reach * scales[1 - table.player]
        start = self.spot.weights[table.player]
        return replace(table, line=words, ranges=ranges, start=start, opposing_reach=opposing, note=note)

    def range_evs(self, line: str | Sequence[str] = ()) -> tuple[float, float]:
        words = find_decision(self.spot, line).line
        with self.solver.lock:
            dropped = self._to_dropped_street(words)
            if dropped is None:
                return super().range_evs(words)
            result, _, number = dropped
            return result.solution.range_evs(words[number:])

    def _to_dropped_street(self, words: tuple[str, ...]) -> tuple[SpotResult, list[float], int] | None:
        """Return the solved subgame that a line leads to, the largest reaches there and the first word in the subgame.

        None if the line stays on the streets that were saved.
        """
        cursor = self.start()
        for number, word in enumerate(words):
            if self.choice(cursor) is None and cursor.number == self.last:
                start = words[: number + 1]
                slot = self._subgames(start)
                if slot.value is None:
                    slot.value = self._solved(cursor, start)
                result, scales = slot.value
                return result, scales, number + 1
            self.step(cursor, word)
        return None

    def _solved(self, cursor: Cursor, words: tuple[str, ...]) -> tuple[SpotResult, list[float]]:
        """Solve the subgame that begins with a card, the last of the words; `cursor` stands before it."""
        following = next(end.next_round for end in cursor.tree.ends if end.line == cursor.street and end.next_round)
        scales = [float(reach.max()) for reach in cursor.ranges]
        if min(scales) <= 0:
            raise ZerosumError(f"nobody gets to {' '.join(words)}: there is nothing to solve there")
        oop, ip = (Range(reach / scale) for reach, scale in zip(cursor.ranges, scales, strict=True))
        board = parse_cards(cursor.cards + words[-1])
        below = replace(self.spot, board=board, pot=following.pot, stack=following.stack, oop=oop, ip=ip)
        below = replace(below, betting=following.betting)
        return self._solve(below, RESOLVE_TARGET * below.pot, RESOLVE_ITERATIONS), scales
