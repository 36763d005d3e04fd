"""Monte Carlo CFR without enumerating the game, for games that are too large."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm as named_algorithm
from zerosum.engine.forms.sequence.enumeration import (
    RulesError,
    as_invalid_rules,
    check_history_memory,
    describe_infoset,
)
from zerosum.engine.forms.sequence.memory import GameCounts
from zerosum.engine.forms.sequence.serialization import pack_texts
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.rules_table import RulesTable
from zerosum.engine.sampling.rules_walk import RulesWalk, UniformDraws
from zerosum.engine.sampling.sampled_solver import SampledSolver, make_sampling_scheme
from zerosum.engine.solver import Arrays, State
from zerosum.games.catalogue import as_game
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError
from zerosum.support.splitmix import initial_state
from zerosum.support.system import available_bytes
from zerosum.support.validation import check_whole_number


class RulesSampler(SampledSolver):
    """Monte Carlo CFR on a game that is not enumerated; only the infosets that it visits take memory.

    The same seed draws the same histories as `HistorySampler`, so the two agree on a game that both can play. The whole
    game is never enumerated, so the exploitability of the strategy is unknown. `memory` is the number of bytes that may
    be used, by default all that is free; a run that needs more stops.

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.games.catalogue import create_game
    >>> solver = RulesSampler(create_game("liars-dice(dice=2)"), algorithm("mccfr"), seed=1)
    >>> solver.run(1)
    >>> solver.table.infosets > 20, solver.evaluate() is None
    (True, True)
    """

    kind = "rules"
    discovers_game = True
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
        check_whole_number("memory", memory, least=0)
        game = as_game(game)
        super().__init__(game, algorithm, seed, limits)
        self.memory = available_bytes() if memory is None else memory
        scheme = make_sampling_scheme(algorithm)
        self.table = RulesTable(baselines=scheme.step > 0)
        self._walk = RulesWalk(
            game, self.table, scheme, UniformDraws(int(initial_state(seed)[0])), self._check_history_length
        )

    def _check_history_length(self, moves: int) -> None:
        check_history_memory(moves, GameCounts(0, 0, self.table.infosets, named=self.table.bytes), self.memory)

    @property
    def nodes(self) -> int:
        return self._walk.touched

    @property
    def bytes(self) -> int:
        return self.table.bytes

    @property
    def is_full(self) -> bool:
        return self.bytes > self.memory

    def _run_walks(self, iterations: int, limit: int) -> int:
        for done in range(1, iterations + 1):
            for player in (0, 1):
                try:
                    self._walk.run_walk(player)
                except (ZerosumError, MemoryError):
                    raise
                except Exception as error:
                    raise RulesError(f"{self.form}: {as_invalid_rules(error)}") from error
            if self.nodes >= limit or self.is_full:
                return done
        return iterations

    def get_regrets_and_averages(self) -> Iterable[tuple[Floats, Floats]]:
        return [self.table.get_regrets_and_averages()]

    def state(self) -> Arrays:
        draws, touched = np.array([self._walk.draws.state], np.uint64), np.array([self.nodes])
        return {**self.table.state(), "generator": draws, "touched": touched}

    def display_arrays(self) -> Arrays:
        """Return the names of the infosets visited so far."""
        return {"names": pack_texts([self.describe(infoset.key) for infoset in self.table.visited.values()])}

    def describe_game(self) -> dict[str, Any]:
        """Return the sizes of the visited part of the game."""
        table = self.table
        sizes = {"infosets": table.infosets, "sequences": table.sequences, "bytes": self.bytes}
        return {"name": self.form.name, **sizes}

    def averages(self) -> tuple[Any, Any]:
        """Return the accumulated averages of the visited infosets of each player, in the order of their slots."""
        owners = np.array([infoset.player for infoset in self.table.visited.values() for _ in infoset.actions])
        averages = np.array(self.table.average)
        return averages[owners == 0], averages[owners == 1]

    def _copy_state(self, state: State) -> None:
        self.table.restore(state)
        self._walk.draws.state = int(state["generator"][0])
        self._walk.touched = int(state["touched"][0])

    def describe_decision_at(self, name: str, index: int) -> str:
        return self.table.describe_slot(index)

    def evaluate(self) -> None:
        """Return None, because the game is not enumerated."""

    def describe(self, infoset: Hashable) -> str:
        """Describe an infoset on one line."""
        return describe_infoset(self.form, infoset)
