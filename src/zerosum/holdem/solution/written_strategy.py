"""Strategies of hold'em spots as they were written, before or after they are fitted to a spot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zerosum.engine.forms.public.lines import Line
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.support.thread_safety import cached_property


class NodeStrategy(NamedTuple):
    """The strategy of a decision: `chances` has a row for each action and a column for each hand."""

    actions: tuple[str, ...]
    hands: Integers
    chances: Floats


@dataclass(frozen=True, eq=False)
class SpotStrategy:
    """The strategies of some decisions of a spot, by the lines that lead there."""

    problem_kind: ClassVar[str] = "holdem"
    source: str
    nodes: Mapping[Line, NodeStrategy]

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""
        return self.source, _contents(self.nodes)

    @cached_property
    def beginnings(self) -> frozenset[Line]:
        """The first steps of all its lines."""
        return frozenset(line[:length] for line in self.nodes for length in range(len(line) + 1))


@dataclass(frozen=True, eq=False)
class PioText:
    """A strategy in Pio's text: by the name of a node, as in r:0:c:b858, its children and 1,326 numbers for each."""

    problem_kind: ClassVar[str] = "holdem"
    source: str
    nodes: Mapping[str, tuple[tuple[str, ...], Floats]]

    def identity(self) -> object:
        """Return a key that is equal for equal strategies only."""
        return self.source, _contents(self.nodes)


def _contents(nodes: Mapping[Any, tuple[Any, ...]]) -> object:
    """Return the content of nodes as values whose text is exact."""
    return [(name, *(np.asarray(part).tobytes() for part in node)) for name, node in nodes.items()]
