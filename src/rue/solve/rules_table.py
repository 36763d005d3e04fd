"""What a sampled run on rules alone has learnt: numbers for the infosets that it met, and for no others."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Hashable, Sequence

import numpy as np

from rue.forms.enumeration import RulesError
from rue.forms.treeplex import Floats

BYTES_AN_ENTRY = 300
"""Of an infoset's places in the dictionaries and of its tuple of actions, without the infoset itself."""
NOTHING_YET = -1
"""The parent of an infoset where the player has not acted before."""


class RulesTable:
    """The infosets of both players, keyed by what the player knows; an infoset's numbers stand side by side.

    >>> table = RulesTable(baselines=False)
    >>> table.slot(0, "K|", ("check", "bet"), NOTHING_YET), table.slot(1, "Q|bet", ("fold", "call"), NOTHING_YET)
    (0, 2)
    >>> table.slot(0, "K|", ("check", "bet"), NOTHING_YET), table.infosets, table.sequences
    (0, 2, 4)
    """

    def __init__(self, baselines: bool) -> None:
        self.regret, self.average, self.baseline = array("d"), array("d"), array("d")
        self.slots: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        self.actions: dict[int, tuple[Hashable, ...]] = {}
        self.parents: dict[int, int] = {}
        """The slot of the player's action before, for the first slot of each infoset."""
        self._baselines = baselines
        self._keys = 0

    def slot(self, player: int, infoset: Hashable, actions: Sequence[Hashable], parent: int) -> int:
        """The first slot of an infoset, made room for when it is met first; `parent` is the slot one came from."""
        known = self.slots[player]
        slot = known.get(infoset)
        if slot is None:
            slot = known[infoset] = len(self.regret)
            zeros = (0.0,) * len(actions)
            self.regret.extend(zeros)
            self.average.extend(zeros)
            if self._baselines:
                self.baseline.extend(zeros)
            self.actions[slot] = tuple(actions)
            self.parents[slot] = parent
            self._keys += BYTES_AN_ENTRY + _bytes(infoset)
        elif self.parents[slot] != parent:
            raise RulesError(f"imperfect recall: infoset {infoset} is reached by different own actions")
        elif len(self.actions[slot]) != len(actions):
            known_actions = len(self.actions[slot])
            raise RulesError(f"infoset {infoset} offers {len(actions)} actions here and {known_actions} elsewhere")
        return slot

    @property
    def infosets(self) -> int:
        """How many infosets of both players were met."""
        return len(self.actions)

    @property
    def sequences(self) -> int:
        """How many actions they have together."""
        return len(self.regret)

    @property
    def bytes(self) -> int:
        """About how much memory it takes; what infosets share with each other is counted once for each."""
        return 8 * (len(self.regret) + len(self.average) + len(self.baseline)) + self._keys

    def discount(self, positive: float, negative: float, average: float) -> None:
        """Multiply what was learnt: positive regret, negative regret, the average."""
        regret: Floats = np.frombuffer(self.regret)
        regret *= np.where(regret > 0.0, positive, negative)
        sums: Floats = np.frombuffer(self.average)
        sums *= average

    def match(self, slot: int, count: int) -> list[float]:
        """sigma[a] = R+[a] / sum of R+, uniform where no regret is positive."""
        positive = [number if number > 0.0 else 0.0 for number in self.regret[slot : slot + count]]
        total = 0.0
        for number in positive:
            total += number
        return [number / total for number in positive] if total > 0.0 else [1.0 / count] * count

    def strategy(self, slot: int) -> list[float]:
        """The average strategy of an infoset; uniform if the opponent's walks have not met it."""
        count = len(self.actions[slot])
        sums = self.average[slot : slot + count]
        total = sum(sums)
        return [number / total for number in sums] if total > 0.0 else [1.0 / count] * count

    def reaches(self) -> dict[int, float]:
        """How likely the player's own average strategy leads to each infoset, by its first slot."""
        reach: dict[int, float] = {}
        after = {NOTHING_YET: 1.0}
        for slot in self.actions:
            reach[slot] = after[self.parents[slot]]
            for action, probability in enumerate(self.strategy(slot)):
                after[slot + action] = reach[slot] * probability
        return reach


def _bytes(key: Hashable) -> int:
    """The memory of a key and of what it holds."""
    inner = sum(_bytes(part) for part in key) if isinstance(key, tuple) else 0
    return sys.getsizeof(key) + inner
