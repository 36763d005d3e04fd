"""Regrets and averages of the infosets visited so far, for runs that do not enumerate the game, and as saved arrays."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.enumeration import RulesError
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.solver import Arrays, State
from zerosum.support.errors import ZerosumError
from zerosum.support.files import parse_json

BYTES_PER_ENTRY = 300
"""Memory of an infoset in the dictionaries and of its tuple of actions, without the infoset itself."""
NO_PARENT = -1
"""The parent of an infoset before which the player has not acted."""


class VisitedInfoset(NamedTuple):
    """An infoset of a table."""

    player: int
    key: Hashable
    """The infoset in the rules."""
    actions: tuple[Hashable, ...]
    parent: int
    """The slot of the player's action before."""


class RulesTable:
    """The infosets of both players, keyed by the game's infosets; the numbers of an infoset are adjacent.

    >>> table = RulesTable(baselines=False)
    >>> table.find_or_add_infoset(0, "K|", ("check", "bet"), NO_PARENT)
    0
    >>> table.find_or_add_infoset(1, "Q|bet", ("fold", "call"), NO_PARENT)
    2
    >>> table.find_or_add_infoset(0, "K|", ("check", "bet"), NO_PARENT), table.infosets, table.sequences
    (0, 2, 4)
    """

    def __init__(self, baselines: bool) -> None:
        self.regret, self.average, self.baseline = array("d"), array("d"), array("d")
        self.slots: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        """The first slot of each infoset, for each player."""
        self.visited: dict[int, VisitedInfoset] = {}
        """The infosets by their first slot, in the order of their first visits."""
        self._baselines = baselines
        self._key_bytes = 0

    def find_or_add_infoset(self, player: int, infoset: Hashable, actions: Sequence[Hashable], parent: int) -> int:
        """Return the first slot of an infoset, added at its first visit; `parent` is the player's last slot."""
        slots = self.slots[player]
        slot = slots.get(infoset)
        if slot is None:
            slot = slots[infoset] = len(self.regret)
            zeros = (0.0,) * len(actions)
            self.regret.extend(zeros)
            self.average.extend(zeros)
            if self._baselines:
                self.baseline.extend(zeros)
            self.visited[slot] = VisitedInfoset(player, infoset, tuple(actions), parent)
            self._key_bytes += BYTES_PER_ENTRY + _measure_key(infoset)
            return slot
        _, _, expected, expected_parent = self.visited[slot]
        if expected_parent != parent:
            raise RulesError(f"imperfect recall: infoset {infoset} is reached by different own actions")
        if len(expected) != len(actions):
            raise RulesError(f"infoset {infoset} offers {len(actions)} actions here and {len(expected)} elsewhere")
        return slot

    @property
    def infosets(self) -> int:
        """The number of infosets of both players that were visited."""
        return len(self.visited)

    @property
    def sequences(self) -> int:
        """The number of actions at these infosets."""
        return len(self.regret)

    @property
    def bytes(self) -> int:
        """The approximate memory; objects that infosets share are counted for each of them."""
        return 8 * (len(self.regret) + len(self.average) + len(self.baseline)) + self._key_bytes

    def state(self) -> Arrays:
        """Return the numbers as arrays, with the player, the parent, the key and the actions of each infoset."""
        visited = self.visited.values()
        texts = ["\n".join(str(action).replace("\n", " ") for action in infoset.actions) for infoset in visited]
        kinds = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        return {
            "regret": np.array(self.regret),
            "average": np.array(self.average),
            "baseline": np.array(self.baseline),
            "players": np.array([infoset.player for infoset in visited], np.uint8),
            "parents": np.array([infoset.parent for infoset in visited], np.int64),
            "kind": np.array([kinds[text] for text in texts], np.uint32),
            "kinds": pack_infosets(kinds),
            "keys": pack_infosets(infoset.key for infoset in visited),
        }

    def restore(self, state: State) -> None:
        """Load the arrays of a saved state, which are checked."""
        action_lists = [tuple(str(actions).split("\n")) for actions in unpack_infosets(state["kinds"])]
        keys = unpack_infosets(state["keys"])
        columns = (state["players"].tolist(), state["parents"].tolist(), state["kind"].tolist(), keys)
        self.__init__(self._baselines)  # type: ignore[misc]
        for player, parent, kind, key in zip(*columns, strict=True):
            if player not in (0, 1) or not NO_PARENT <= parent < len(self.regret) or key in self.slots[player]:
                raise ValueError("an infoset of the saved table is out of place")
            self.find_or_add_infoset(player, key, action_lists[kind], parent)
        for name in ("regret", "average", "baseline"):
            saved, numbers = state[name], getattr(self, name)
            if saved.shape != (len(numbers),) or saved.dtype != np.float64:
                raise ValueError(f"the saved {name} does not fit")
            numbers[:] = array("d", saved.tobytes())

    def describe_slot(self, index: int) -> str:
        """Describe the infoset that a slot belongs to."""
        infoset = self.visited[max(slot for slot in self.visited if slot <= index)]
        return f"infoset {infoset.key!r} of player {infoset.player + 1}"

    def get_regrets_and_averages(self) -> tuple[Floats, Floats]:
        """Return regrets and averages as writable views; the table cannot grow while they exist."""
        return np.frombuffer(self.regret), np.frombuffer(self.average)

    def match_regret(self, slot: int, count: int) -> list[float]:
        """Return sigma[a] = R+[a] / sum of R+, uniform if no regret is positive."""
        return _normalize_numbers([number if number > 0.0 else 0.0 for number in self.regret[slot : slot + count]])

    def compute_average_strategy(self, slot: int) -> list[float]:
        """Return the average strategy of an infoset; uniform if no walk has added to it."""
        return _normalize_numbers(self.average[slot : slot + len(self.visited[slot].actions)])

    def compute_reaches(self) -> dict[int, float]:
        """Return the probability that a player's average strategy leads to each infoset, by its first slot."""
        reach: dict[int, float] = {}
        after = {NO_PARENT: 1.0}
        for slot, infoset in self.visited.items():
            reach[slot] = after[infoset.parent]
            for action, probability in enumerate(self.compute_average_strategy(slot)):
                after[slot + action] = reach[slot] * probability
        return reach


def _normalize_numbers(numbers: Sequence[float]) -> list[float]:
    """Divide numbers by their sum, or return equal shares if it is 0.

    They are added one by one, as kernels do, because sum() rounds differently from Python 3.12 on.
    """
    total = 0.0
    for number in numbers:
        total += number
    return [number / total for number in numbers] if total > 0.0 else [1.0 / len(numbers)] * len(numbers)


def _measure_key(key: Hashable) -> int:
    parts = sum(map(_measure_key, key)) if isinstance(key, tuple) else 0
    return sys.getsizeof(key) + parts


def pack_infosets(keys: Iterable[Hashable]) -> NDArray[np.uint8]:
    """Pack infosets into an array of bytes.

    >>> unpack_infosets(pack_infosets(["K|", ("bet", 2, None, frozenset({1.5}))]))
    ['K|', ('bet', 2, None, frozenset({1.5}))]
    """
    text = json.dumps([_encode_infoset(key) for key in keys], separators=(",", ":"))
    return np.frombuffer(text.encode(), np.uint8)


def unpack_infosets(data: NDArray[np.uint8]) -> list[Hashable]:
    """Return the infosets of an array of bytes."""
    return [_decode_infoset(value) for value in parse_json(data.tobytes(), "its infosets")]


def _encode_infoset(key: Hashable) -> Any:
    kind = type(key)
    if key is None or kind in (bool, int, float, str):
        return key
    if kind is bytes:
        return {"b": key.hex()}  # type: ignore[attr-defined]
    if kind is tuple:
        return [_encode_infoset(part) for part in key]  # type: ignore[attr-defined]
    if kind is frozenset:
        return {"s": sorted((_encode_infoset(part) for part in key), key=repr)}  # type: ignore[attr-defined]
    raise ZerosumError(
        f"--by-rules stores infosets of strings, numbers, tuples and frozensets only, and {key!r} is a {kind.__name__}"
    )


def _decode_infoset(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(_decode_infoset(part) for part in value)
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "b":
            return bytes.fromhex(content)
        if kind == "s":
            return frozenset(_decode_infoset(part) for part in content)
        raise ValueError(f"unknown infoset of kind {kind!r}")
    return value  # type: ignore[no-any-return]
