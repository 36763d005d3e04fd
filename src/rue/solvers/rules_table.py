"""What a sampled run on rules alone has learnt: numbers for the infosets that it met, and for no others."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.forms.enumeration import RulesError
from rue.forms.treeplex import Floats
from rue.solvers.base import State
from rue.solvers.rules_keys import from_bytes, to_bytes

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

    def state(self) -> dict[str, NDArray[Any]]:
        """All that was learnt, as arrays: an infoset's numbers, its player, its parent, itself and its actions."""
        second = set(self.slots[1].values())
        keys: dict[int, Hashable] = {slot: key for known in self.slots for key, slot in known.items()}
        texts = ["\n".join(str(action).replace("\n", " ") for action in actions) for actions in self.actions.values()]
        kinds = list(dict.fromkeys(texts))
        number = {text: index for index, text in enumerate(kinds)}
        return {
            "regret": np.array(self.regret),
            "average": np.array(self.average),
            "baseline": np.array(self.baseline),
            "players": np.array([int(slot in second) for slot in self.actions], np.uint8),
            "parents": np.array(list(self.parents.values()), np.int64),
            "kind": np.array([number[text] for text in texts], np.uint32),
            "kinds": to_bytes(kinds),
            "keys": to_bytes(keys[slot] for slot in self.actions),
        }

    def restore(self, state: State) -> None:
        """Take up such arrays; they are those of a stranger, so nothing about them is taken for granted."""
        kinds = [tuple(str(kind).split("\n")) for kind in from_bytes(state["kinds"])]
        keys = from_bytes(state["keys"])
        columns = (state["players"].tolist(), state["parents"].tolist(), state["kind"].tolist(), keys)
        self.__init__(self._baselines)  # type: ignore[misc]
        for player, parent, kind, key in zip(*columns, strict=True):
            if player not in (0, 1) or not NOTHING_YET <= parent < len(self.regret) or key in self.slots[player]:
                raise ValueError("an infoset of a run by rules is out of place")
            self.slot(player, key, kinds[kind], parent)
        for name in ("regret", "average", "baseline"):
            saved, own = state[name], getattr(self, name)
            if saved.shape != (len(own),) or saved.dtype != np.float64:
                raise ValueError(f"the saved {name} does not fit")
            own[:] = array("d", saved.tobytes())

    def where(self, index: int) -> str:
        """The infoset of a number."""
        slot = max(slot for slot in self.actions if slot <= index)
        player, key = next((p, key) for p, known in enumerate(self.slots) for key, at in known.items() if at == slot)
        return f"infoset {key!r} of player {player + 1}"

    def discount(self, positive: float, negative: float, average: float) -> None:
        """Multiply what was learnt: positive regret, negative regret, the average."""
        regret: Floats = np.frombuffer(self.regret)
        regret *= np.where(regret > 0.0, positive, negative)
        sums: Floats = np.frombuffer(self.average)
        sums *= average

    def match(self, slot: int, count: int) -> list[float]:
        """sigma[a] = R+[a] / sum of R+, uniform where no regret is positive."""
        return _shares([number if number > 0.0 else 0.0 for number in self.regret[slot : slot + count]])

    def strategy(self, slot: int) -> list[float]:
        """The average strategy of an infoset; uniform if the opponent's walks have not met it."""
        return _shares(self.average[slot : slot + len(self.actions[slot])])

    def averages(self, player: int) -> Floats:
        """The averages of a player's infosets, one after the other."""
        own = np.zeros(len(self.average), dtype=bool)
        for slot in self.slots[player].values():
            own[slot : slot + len(self.actions[slot])] = True
        found: Floats = np.array(self.average)[own]
        return found

    def reaches(self) -> dict[int, float]:
        """How likely the player's own average strategy leads to each infoset, by its first slot."""
        reach: dict[int, float] = {}
        after = {NOTHING_YET: 1.0}
        for slot in self.actions:
            reach[slot] = after[self.parents[slot]]
            for action, probability in enumerate(self.strategy(slot)):
                after[slot + action] = reach[slot] * probability
        return reach


def _shares(numbers: Sequence[float]) -> list[float]:
    """Each number's share of their sum, equal shares if it is 0.

    They are added one by one, as kernels do: from Python 3.12 on sum() has other last digits.
    """
    total = 0.0
    for number in numbers:
        total += number
    return [number / total for number in numbers] if total > 0.0 else [1.0 / len(numbers)] * len(numbers)


def _bytes(key: Hashable) -> int:
    """The memory of a key and of what it holds."""
    inner = sum(_bytes(part) for part in key) if isinstance(key, tuple) else 0
    return sys.getsizeof(key) + inner
