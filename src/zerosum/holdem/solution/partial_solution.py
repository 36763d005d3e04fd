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
from zerosum.holdem.solution.solution import Cursor, Slot, Solution
from zerosum.holdem.spots.line import find_decision
from zerosum.holdem.spots.spot import Spot
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import option_name
from zerosum.support.thread_safety import FairLock

if TYPE_CHECKING:
    from zerosum.engine.public.solver import PublicSolver
    from zerosum.holdem.solution.result import SpotResult

Solve = Callable[[Spot, float, int], "SpotResult"]
"""Solves a spot down to an exploitability in chips, with at most a given number of iterations."""

CACHED_SUBGAMES = 32
"""Solved subgames that are kept in memory."""
RESOLVE_TARGET, RESOLVE_ITERATIONS = 0.0005, 2000
"""A dropped street is solved again down to this share of its pot, with at most this number of iterations."""


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


def find_last_street(streets: str | Sequence[str]) -> int:
    """Return the number of the last of some streets."""
    return STREETS.index(parse_streets(streets)[-1])


def parse_saved_streets(streets: str | Sequence[str] | None, spot: Spot) -> list[str] | None:
    """Return the streets to save, from the first one of the spot on; None for all of them.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> parse_saved_streets("turn", load_spot("turn")), parse_saved_streets("turn, river", load_spot("turn"))
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


def extract_streets(solver: PublicSolver, streets: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a run that saves some streets: strategies and the values of rows."""
    tree, last = solver.form, find_last_street(streets)
    entering, averages = _compute_entering_reaches(solver, last), solver.averages()
    places, arrays = list_saved_places(tree, last), {}
    for player in (0, 1):
        strategies = [averages[player][tree.slice_place(place, player)] for place in places]
        values = [solver.compute_row_values(place, entering[place][1 - player], player) for place in places]
        arrays[f"average{player}"] = np.concatenate(strategies).astype(np.float32)
        arrays[f"value{player}"] = np.concatenate([rows.astype(np.float32).ravel() for rows in values])
    return arrays


def list_saved_places(tree: PublicTree, last: int) -> list[int]:
    """Return the places up to a street, in order."""
    streets = np.array([len(board.label) // 2 - 3 for board in tree.boards])
    return [int(place) for place in np.flatnonzero(streets[tree.tables.places[:, BOARD]] <= last)]


def _compute_entering_reaches(solver: PublicSolver, last: int) -> dict[int, tuple[Floats, Floats]]:
    """Return the reaches of both players entering each saved place, a row for each round of its bundle."""
    tree = solver.form
    first, second = tree.weights
    entering = {0: (first[None], second[None])}
    for place in list_saved_places(tree, last - 1):
        bundle, board = tree.get_bundle(place), tree.get_board(place)
        reach = [np.zeros((bundle.rows[player], len(board.hands[player]))) for player in (0, 1)]
        for player in (0, 1):
            reach[player][: bundle.entries] = entering[place][player]
        for player, row, actions, parent in bundle.decisions:
            sigma = solver.strategy(place, player, row, actions)
            reach[player][row : row + actions] = reach[player][parent] * sigma
        ends, groups = bundle.ends_with_rows, bundle.deal_groups
        for number, child in enumerate(board.children):
            for group, (deals, _) in enumerate(groups):
                oop, ip = (
                    reach[player][[ends[deal][1][player] for deal in deals]][:, child.sources[0][player]]
                    for player in (0, 1)
                )
                entering[tree.find_next_place(place, number, group)] = oop, ip
    return entering


class SavedStreets:
    """The strategies and row values of the saved streets; a `Solution` reads them as it reads a solver."""

    def __init__(self, tree: PublicTree, streets: Sequence[str], arrays: Mapping[str, NDArray[Any]]) -> None:
        self.form = tree
        self.iteration = 0
        self.lock = FairLock()
        self.fixed: FixedDecisions = {}
        self.last_street = find_last_street(streets)
        self._average, self._value = {}, {}
        for player in (0, 1):
            averages, values = arrays[f"average{player}"].ravel(), arrays[f"value{player}"].ravel()
            average_offset = value_offset = 0
            for place in list_saved_places(tree, self.last_street):
                stored, (rows, width) = int(tree.place_store_sizes[place, player]), tree.get_shape(place, player)
                self._average[place, player] = averages[average_offset : average_offset + stored]
                self._value[place, player] = values[value_offset : value_offset + rows * width].reshape(rows, width)
                average_offset, value_offset = average_offset + stored, value_offset + rows * width
            is_complete = (average_offset, value_offset) == (averages.size, values.size)
            if not is_complete or not np.isfinite(values).all():
                raise ValueError("its strategies do not fit the spot")
            if not np.isfinite(averages).all() or (averages < 0).any():
                raise ValueError("its strategies contain numbers that are not probabilities")

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        start = self.form.slice_place(place, player).start
        block = self.form.slice_decision(place, player, first, actions)
        mass = self._average[place, player][block.start - start : block.stop - start]
        return normalize_columns(mass.reshape(actions, -1))

    def compute_row_values(self, place: int, entering: Floats, player: int) -> Floats:
        return np.asarray(self._value[place, player], dtype=np.float64)

    def weights_at(self, place: int, player: int) -> Floats:
        weights = np.zeros(HAND_COUNT)
        weights[self.form.board.hands[player]] = self.form.weights[player]
        return weights[self.form.get_board(place).hands[player]]

    def averages(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Refuse to return the averages of the whole tree, which were not saved."""
        raise ZerosumError(f"only some streets of this run were saved: solve again without {option_name('streets')}")


class ResolvingSolution(Solution):
    """A solution whose dropped streets are solved again, from the ranges that get there, when they are viewed."""

    def __init__(self, spot: Spot, saved: SavedStreets, solve: Solve) -> None:
        super().__init__(spot, saved)
        self.last_street, self._solve = saved.last_street, solve
        self._subgames = lru_cache(maxsize=CACHED_SUBGAMES)(Slot)

    def read_decision(self, line: str | Sequence[str] = (), with_ev: bool = True) -> DecisionTable:
        """Return the decision that a line leads to; its note says if it had to be solved again."""
        words = find_decision(self.spot, line).line
        with self.solver.lock:
            subgame = self._find_subgame(words)
            if subgame is None:
                return super().read_decision(words, with_ev)
            result, scales, start = subgame
            table = result.solution.read_decision(words[start:], with_ev)
        note = (
            f"the {STREETS[self.last_street + 1]} was not saved: solved again from the ranges that get there, "
            f"{result.iterations} iterations to {100 * result.exploitability_pot:.2g}% of its pot"
        )
        ranges = table.ranges[0] * scales[0], table.ranges[1] * scales[1]
        opposing = table.opposing_reach * scales[1 - table.player]
        weights = self.spot.weights[table.player]
        return replace(table, line=words, ranges=ranges, start=weights, opposing_reach=opposing, note=note)

    def compute_range_evs(self, line: str | Sequence[str] = ()) -> tuple[float, float]:
        words = find_decision(self.spot, line).line
        with self.solver.lock:
            subgame = self._find_subgame(words)
            if subgame is None:
                return super().compute_range_evs(words)
            result, _, start = subgame
            return result.solution.compute_range_evs(words[start:])

    def _find_subgame(self, words: tuple[str, ...]) -> tuple[SpotResult, list[float], int] | None:
        """Return the solved subgame that a line leads to, the largest reaches there and where its words begin.

        None if the line stays on the streets that were saved.
        """
        cursor = self.follow_line(())
        for number, word in enumerate(words):
            if cursor.choice is None and cursor.street_number == self.last_street:
                slot = self._subgames(words[: number + 1])
                if slot.value is None:
                    slot.value = self._solve_subgame(cursor, word)
                result, scales = slot.value
                return result, scales, number + 1
            cursor = self.advance_cursor(cursor, word)
        return None

    def _solve_subgame(self, cursor: Cursor, card: str) -> tuple[SpotResult, list[float]]:
        """Solve the subgame that begins with a card after a cursor; return the largest reaches there, too."""
        street = cursor.next_street
        scales = [float(reach.max()) for reach in cursor.ranges]
        if min(scales) <= 0:
            raise ZerosumError(f"nobody gets to {' '.join((*cursor.line, card))}: there is nothing to solve there")
        oop, ip = (Range(reach / scale) for reach, scale in zip(cursor.ranges, scales, strict=True))
        board = parse_cards(cursor.board + card)
        subgame = replace(self.spot, board=board, pot=street.pot, stack=street.stack, oop=oop, ip=ip)
        subgame = replace(subgame, betting=street.betting)
        return self._solve(subgame, RESOLVE_TARGET * subgame.pot, RESOLVE_ITERATIONS), scales
