"""Battleship (Farina, Ling, Fang, Sandholm, 2019), with the rules of OpenSpiel's `battleship`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from zerosum.games.game import ONE, TERMINAL, TWO, Action, Game
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_bool, check_integer, check_numbers, check_positive

T = TypeVar("T")
Names = tuple[str, ...]
Cells = int
"""A set of cells, one bit each."""


class State(NamedTuple):
    """The player to move, each player's ships, shots with their answers (`a1 hit`) and cells shot at, and the first
    player's gain so far."""

    player: int = ONE
    fleets: tuple[Names, Names] = ((), ())
    shots: tuple[Names, Names] = ((), ())
    hit: tuple[Cells, Cells] = (0, 0)
    gain: float = 0.0


class Battleship(Game):
    """Each player hides `ships` (their lengths) on a board of `width` x `height`; then they shoot in turns.

    Ships are placed one by one in turns, first player first, in rows or columns and never overlapping. Every
    shot is answered `water`, `hit`, or `sunk` when its ship has no cell left. After `shots` shots each, or
    when a fleet is sunk, the first player gets the `values` of the ships it sank less those it lost. A cell
    may be shot at twice only with `repeats`.

    >>> game = Battleship(width=2, height=2, ships=[2], shots=1)
    >>> game.actions(game.root())
    ['a1-b1', 'a2-b2', 'a1-a2', 'b1-b2']
    >>> state = game.root()
    >>> for action in ("a1-b1", "a1-a2", "a2", "b2"):
    ...     state = game.child(state, action)
    >>> state.shots
    (('a2 hit',), ('b2 water',))
    """

    def __init__(
        self,
        width: int = 2,
        height: int = 2,
        ships: Sequence[int] = (2,),
        shots: int = 3,
        values: Sequence[float] | None = None,
        repeats: bool = False,
    ) -> None:
        self.width = check_integer("width", width, least=1, most=26)
        self.height = check_integer("height", height, least=1, most=26)
        check_integer("the number of ships", len(check_numbers("ships", ships)), least=1, most=20)
        self.ships = tuple(check_integer("the length of a ship", ship, 1, max(width, height)) for ship in ships)
        worth = check_numbers("values", [1] * len(self.ships) if values is None else values, len(self.ships))
        self.values = tuple(check_positive("every one of values", value) for value in worth)
        check_bool("repeats", repeats)
        self.repeats = repeats
        self.shots = check_integer("shots", shots, least=1, most=10_000)
        if not repeats and shots > width * height:
            raise ZerosumError(f"shots must be at most {width * height}, the cells of the board, without repeats")
        self._cells = {_cell_name(x, y): 1 << (y * width + x) for y in range(height) for x in range(width)}
        self._placements_by_ship = [self._find_placements(length) for length in self.ships]
        self._cells_by_placement = {name: ship for places in self._placements_by_ship for name, ship in places.items()}
        self._room_cache: dict[tuple[int, Cells], bool] = {}
        if sum(self.ships) > width * height or not self._has_room(0, 0):
            lengths = ", ".join(map(str, self.ships))
            raise ZerosumError(f"ships of lengths {lengths} do not fit on a board of {width} x {height}")

    def root(self) -> State:
        return State()

    def player(self, state: State) -> int:
        return state[0]

    def actions(self, state: State) -> Sequence[str]:
        player, fleets, _, hit, _ = state
        fleet = fleets[player]
        if len(fleet) < len(self.ships):
            taken = self._list_occupied_cells(fleet)
            free = [(name, ship) for name, ship in self._placements_by_ship[len(fleet)].items() if not ship & taken]
            return [name for name, ship in free if self._has_room(len(fleet) + 1, taken | ship)]
        shot = 0 if self.repeats else hit[player]
        return [name for name, cell in self._cells.items() if not cell & shot]

    def child(self, state: State, action: Action) -> State:
        player, fleets, shots, hit, gain = state
        name = str(action)
        if len(fleets[player]) < len(self.ships):
            return State(1 - player, _replace_for_player(fleets, player, (*fleets[player], name)), shots, hit, gain)
        before, after = hit[player], hit[player] | self._cells[name]
        answer = "water"
        for ship, value in zip(fleets[1 - player], self.values, strict=True):
            ship_cells = self._cells_by_placement[ship]
            if ship_cells & self._cells[name]:
                answer = "hit" if ship_cells & ~after else "sunk"
                if answer == "sunk" and before != after:
                    gain += value if player == ONE else -value
        shots = _replace_for_player(shots, player, (*shots[player], f"{name} {answer}"))
        sunk = answer == "sunk" and not self._list_occupied_cells(fleets[1 - player]) & ~after
        over = sunk or len(shots[TWO]) == self.shots
        return State(TERMINAL if over else 1 - player, fleets, shots, _replace_for_player(hit, player, after), gain)

    def infoset(self, state: State) -> Hashable:
        player, fleets, shots, _, _ = state
        return ("one", "two")[player], fleets[player], *shots

    def payoff(self, state: State) -> float:
        return state[4]

    def describe(self, infoset: Hashable) -> str:
        """
        >>> Battleship().describe(("two", ("a1-a2",), ("b1 water",), ()))
        'two|a1-a2|b1 water|'
        """
        assert isinstance(infoset, tuple)
        player, *parts = infoset
        return "|".join([player, " ".join(parts[0]), ", ".join(parts[1]), ", ".join(parts[2])])

    def _find_placements(self, length: int) -> dict[str, Cells]:
        """Return the cells of each place for a ship, along the rows, then down the columns."""
        corners = [(x, y) for y in range(self.height) for x in range(self.width)]
        lines = [[(x + i, y) for i in range(length)] for x, y in corners]
        if length > 1:
            lines += [[(x, y + i) for i in range(length)] for x, y in corners]
        places = {}
        for line in lines:
            names = [_cell_name(x, y) for x, y in line]
            if all(name in self._cells for name in names):
                places["-".join((names[0], names[-1])[:length])] = sum(self._cells[name] for name in names)
        return places

    def _has_room(self, first: int, taken: Cells) -> bool:
        """Return whether there is room for all ships from number `first` on beside the cells taken."""
        if first == len(self.ships):
            return True
        if (first, taken) not in self._room_cache:
            free = (ship for ship in self._placements_by_ship[first].values() if not ship & taken)
            self._room_cache[first, taken] = any(self._has_room(first + 1, taken | ship) for ship in free)
        return self._room_cache[first, taken]

    def _list_occupied_cells(self, fleet: Names) -> Cells:
        return sum(self._cells_by_placement[ship] for ship in fleet)


def _replace_for_player(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    return (value, pair[TWO]) if player == ONE else (pair[ONE], value)


def _cell_name(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"
