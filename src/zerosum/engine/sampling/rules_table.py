"""Regrets and averages of the infosets visited so far, for runs that do not enumerate the game."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.enumeration import RulesError
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.sampling.infoset_keys import pack_infosets, unpack_infosets
from zerosum.engine.solver import State

BYTES_PER_ENTRY = 300
"""Memory of an infoset in the dictionaries and of its tuple of actions, without the infoset itself."""
NO_PARENT = -1
"""The parent of an infoset before which the player has not acted."""


class RulesTable:
    """The infosets of both players, keyed by the game's infosets; the numbers of an infoset are adjacent.

    >>> table = RulesTable(baselines=False)
    >>> table.slot_of(0, "K|", ("check", "bet"), NO_PARENT), table.slot_of(1, "Q|bet", ("fold", "call"), NO_PARENT)
    (0, 2)
    >>> table.slot_of(0, "K|", ("check", "bet"), NO_PARENT), table.infosets, table.sequences
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

    def slot_of(self, player: int, infoset: Hashable, actions: Sequence[Hashable], parent: int) -> int:
        """Return the first slot of an infoset, allocated at the first visit; `parent` is the player's last slot."""
        slots = self.slots[player]
        slot = slots.get(infoset)
        if slot is None:
            slot = slots[infoset] = len(self.regret)
            zeros = (0.0,) * len(actions)
            self.regret.extend(zeros)
            self.average.extend(zeros)
            if self._baselines:
                self.baseline.extend(zeros)
            self.actions[slot] = tuple(actions)
            self.parents[slot] = parent
            self._keys += BYTES_PER_ENTRY + _key_bytes(infoset)
        elif self.parents[slot] != parent:
            raise RulesError(f"imperfect recall: infoset {infoset} is reached by different own actions")
        elif len(self.actions[slot]) != len(actions):
            others = len(self.actions[slot])
            raise RulesError(f"infoset {infoset} offers {len(actions)} actions here and {others} elsewhere")
        return slot

    @property
    def infosets(self) -> int:
        """The number of infosets of both players that were visited."""
        return len(self.actions)

    @property
    def sequences(self) -> int:
        """The number of their actions."""
        return len(self.regret)

    @property
    def bytes(self) -> int:
        """Approximate memory; parts that infosets share are counted for each of them."""
        return 8 * (len(self.regret) + len(self.average) + len(self.baseline)) + self._keys

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the numbers as arrays, with the player, the parent, the key and the actions of each infoset."""
        second = set(self.slots[1].values())
        keys: dict[int, Hashable] = {slot: key for slots in self.slots for key, slot in slots.items()}
        texts = ["\n".join(str(action).replace("\n", " ") for action in actions) for actions in self.actions.values()]
        action_lists = list(dict.fromkeys(texts))
        number = {text: index for index, text in enumerate(action_lists)}
        return {
            "regret": np.array(self.regret),
            "average": np.array(self.average),
            "baseline": np.array(self.baseline),
            "players": np.array([int(slot in second) for slot in self.actions], np.uint8),
            "parents": np.array(list(self.parents.values()), np.int64),
            "kind": np.array([number[text] for text in texts], np.uint32),
            "kinds": pack_infosets(action_lists),
            "keys": pack_infosets(keys[slot] for slot in self.actions),
        }

    def restore(self, state: State) -> None:
        """Load such arrays; they come from a file, so they are checked."""
        action_lists = [tuple(str(action_list).split("\n")) for action_list in unpack_infosets(state["kinds"])]
        keys = unpack_infosets(state["keys"])
        columns = (state["players"].tolist(), state["parents"].tolist(), state["kind"].tolist(), keys)
        self.__init__(self._baselines)  # type: ignore[misc]
        for player, parent, action_list, key in zip(*columns, strict=True):
            if player not in (0, 1) or not NO_PARENT <= parent < len(self.regret) or key in self.slots[player]:
                raise ValueError("an infoset of the saved table is out of place")
            self.slot_of(player, key, action_lists[action_list], parent)
        for name in ("regret", "average", "baseline"):
            saved, numbers = state[name], getattr(self, name)
            if saved.shape != (len(numbers),) or saved.dtype != np.float64:
                raise ValueError(f"the saved {name} does not fit")
            numbers[:] = array("d", saved.tobytes())

    def where(self, index: int) -> str:
        """Describe the infoset of a number."""
        slot = max(slot for slot in self.actions if slot <= index)
        keys = ((player, key, first) for player, slots in enumerate(self.slots) for key, first in slots.items())
        player, key = next((player, key) for player, key, first in keys if first == slot)
        return f"infoset {key!r} of player {player + 1}"

    def arrays(self) -> tuple[Floats, Floats]:
        """Regrets and averages as writable views; the table cannot grow while they exist."""
        return np.frombuffer(self.regret), np.frombuffer(self.average)

    def match(self, slot: int, count: int) -> list[float]:
        """sigma[a] = R+[a] / sum of R+, uniform where no regret is positive."""
        return _normalize([number if number > 0.0 else 0.0 for number in self.regret[slot : slot + count]])

    def strategy(self, slot: int) -> list[float]:
        """Return the average strategy of an infoset; uniform if no walk has added to it."""
        return _normalize(self.average[slot : slot + len(self.actions[slot])])

    def averages(self, player: int) -> Floats:
        """Return the averages of a player's infosets, one after the other."""
        belongs = np.zeros(len(self.average), dtype=bool)
        for slot in self.slots[player].values():
            belongs[slot : slot + len(self.actions[slot])] = True
        averages: Floats = np.array(self.average)[belongs]
        return averages

    def reaches(self) -> dict[int, float]:
        """Return the probability that a player's average strategy leads to each infoset, by its first slot."""
        reach: dict[int, float] = {}
        after = {NO_PARENT: 1.0}
        for slot in self.actions:
            reach[slot] = after[self.parents[slot]]
            for action, probability in enumerate(self.strategy(slot)):
                after[slot + action] = reach[slot] * probability
        return reach


def _normalize(numbers: Sequence[float]) -> list[float]:
    """Divide numbers by their sum, or return equal shares if it is 0.

    They are added one by one, as kernels do it: from Python 3.12 on, sum() yields other last digits.
    """
    total = 0.0
    for number in numbers:
        total += number
    return [number / total for number in numbers] if total > 0.0 else [1.0 / len(numbers)] * len(numbers)


def _key_bytes(key: Hashable) -> int:
    """Return the memory of a key and of its parts."""
    inner = sum(_key_bytes(part) for part in key) if isinstance(key, tuple) else 0
    return sys.getsizeof(key) + inner
