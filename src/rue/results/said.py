"""What is said about decisions of hold'em spots, before or after it is known which spot it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rue.forms.lines import Line
from rue.forms.treeplex import Floats, Integers
from rue.once import cached_property
from rue.records import dataclass


class NodeStrategy(NamedTuple):
    """What hands do at a decision: a row of `chances` an action, a column a hand."""

    actions: tuple[str, ...]
    hands: Integers
    chances: Floats


@dataclass(frozen=True, eq=False)
class SpotStrategy:
    """What is done at some decisions of a spot, by the lines that lead there."""

    source: str
    nodes: Mapping[Line, NodeStrategy]

    @cached_property
    def beginnings(self) -> frozenset[Line]:
        """The beginnings of all its lines."""
        return frozenset(line[:length] for line in self.nodes for length in range(len(line) + 1))


@dataclass(frozen=True, eq=False)
class PioText:
    """What Pio's text says: by the name of a node, as in r:0:c:b858, its children and 1,326 numbers for each."""

    source: str
    nodes: Mapping[str, tuple[tuple[str, ...], Floats]]
