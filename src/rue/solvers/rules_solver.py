"""A sampled run on the rules of a game alone, for games too large to enumerate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.splitmix import first_state
from rue.checked import check_whole
from rue.errors import RueError
from rue.forms.enumeration import RulesError, check_moves, described, trouble_of
from rue.forms.footprint import Found
from rue.forms.infoset_names import told_apart
from rue.forms.stored import packed
from rue.games.catalogue import rules_of
from rue.games.game import Game
from rue.machine import available_bytes
from rue.results.result import Decision
from rue.solvers.base import Arrays, State
from rue.solvers.limits import Limits
from rue.solvers.periods import Periodic
from rue.solvers.rules_table import RulesTable
from rue.solvers.rules_walk import Draws, RulesWalk
from rue.solvers.sampled_solver import way_of


class RulesSolver(Periodic):
    """Samples an algorithm's walks by asking the rules; keeps regret and average for the infosets it meets only.

    The same seed draws the same histories as `SampledSolver`, so the two agree on a game that both can play. Nothing
    here knows the whole game, so nothing can say how exploitable the strategy is. `memory` is the number of bytes that
    may be used (default: what is free); a run that needs more stops there.

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.games.catalogue import make
    >>> solver = RulesSolver(make("liars-dice(dice=2)"), algorithm("mccfr"), seed=1)
    >>> solver.run(1)
    >>> solver.table.infosets > 20, solver.evaluate() is None
    (True, True)
    """

    kind = "rules"
    grows = True
    form: Game

    def __init__(
        self,
        game: Game | str | Path,
        algorithm: str | Algorithm,
        seed: int = 0,
        limits: Limits | None = None,
        memory: int | None = None,
    ) -> None:
        algorithm = named_algorithm(algorithm)
        check_whole("memory", memory, least=0)
        game = rules_of(game)
        super().__init__(game, algorithm, seed, limits)
        self.memory = available_bytes() if memory is None else memory
        way = way_of(algorithm)
        self.table = RulesTable(baselines=way.step > 0)
        self._walk = RulesWalk(game, self.table, way, Draws(int(first_state(seed)[0])), self._check_moves)

    def _check_moves(self, moves: int) -> None:
        check_moves(moves, Found(0, 0, self.table.infosets, named=self.table.bytes), self.memory)

    @property
    def nodes(self) -> int:
        return self._walk.touched

    @property
    def bytes(self) -> int:
        """Memory of what was learnt."""
        return self.table.bytes

    @property
    def full(self) -> bool:
        return self.bytes > self.memory

    def _sample(self, iterations: int, limit: int) -> int:
        for done in range(1, iterations + 1):
            for player in (0, 1):
                try:
                    self._walk.walk(player)
                except (RueError, MemoryError):
                    raise
                except Exception as error:
                    raise RulesError(f"{self.form}: {trouble_of(error)}") from error
            if self.nodes >= limit or self.full:
                return done
        return iterations

    def _discount(self, positive: float, negative: float, average: float) -> None:
        self.table.discount(positive, negative, average)

    def state(self) -> Arrays:
        draws, touched = np.array([self._walk.draws.state], np.uint64), np.array([self.nodes])
        return {**self.table.state(), "generator": draws, "touched": touched}

    def shown(self) -> Arrays:
        """How the infosets met so far read."""
        keys = {slot: key for known in self.table.slots for key, slot in known.items()}
        return {"names": packed([self.describe(keys[slot]) for slot in self.table.actions])}

    def numbers(self) -> dict[str, Any]:
        """The part of the game that was met."""
        table = self.table
        sizes = {"infosets": table.infosets, "sequences": table.sequences, "bytes": self.bytes}
        return {"name": self.form.name, **sizes}

    def averages(self) -> tuple[Any, Any]:
        """The accumulated averages of the infosets that each player has met, in the order of their slots."""
        return self.table.averages(0), self.table.averages(1)

    def restore(self, state: State, iteration: int) -> None:
        self.table.restore(state)
        self._walk.draws.state = int(state["generator"][0])
        self._walk.touched = int(state["touched"][0])
        self._resumed(iteration)

    def where(self, name: str, index: int) -> str:
        return self.table.where(index)

    def evaluate(self) -> None:
        """Nothing: the game is not enumerated."""
        return

    def decisions(self) -> Iterator[Decision]:
        """The average strategy at the infosets met."""
        return decisions_of(self.table, self.describe)

    def describe(self, infoset: Hashable) -> str:
        """An infoset as a person reads it."""
        return described(self.form, infoset)


def decisions_of(table: RulesTable, describe: Callable[[Hashable], str]) -> Iterator[Decision]:
    """The average strategy of a table at its infosets."""
    reach = table.reaches()
    taken: set[str] = set()
    for player, slots in enumerate(table.slots, start=1):
        for infoset, slot in slots.items():
            text = told_apart(describe(infoset), player, slot, taken)
            chances = zip(table.actions[slot], table.strategy(slot), strict=True)
            yield Decision(player, text, reach[slot], {str(a): p for a, p in chances})
