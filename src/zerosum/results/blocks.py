"""The blocks by which results, estimates and decisions describe themselves to every surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from zerosum.results.curve import X


@dataclass(frozen=True)
class Note:
    """A line of text; an empty one separates blocks."""

    text: str = ""
    style: Literal["plain", "heading", "hint"] = "plain"


BLANK = Note()
"""An empty line."""


@dataclass(frozen=True)
class Rows:
    """Labels and texts, one pair per row; an empty text is left out with its label."""

    items: Mapping[str, str]


@dataclass(frozen=True)
class Bars:
    """A column of probabilities, drawn as bars; None leaves a cell empty.

    labelled: whether each is also written as a percentage. names, colours: the action of each row, and its colour.
    """

    shares: Sequence[float | None]
    labelled: bool = True
    names: Sequence[str] = ()
    colours: Sequence[str] = ()


@dataclass(frozen=True)
class ActionCells:
    """Columns per action, which a surface may lay out as its width allows.

    cells: for each action and row the texts that stand side by side or below one another: the frequency of the action,
    its EV, and its loss if losses are displayed.
    """

    labels: Sequence[str]
    cells: Sequence[Sequence[tuple[str, ...]]]


@dataclass(frozen=True)
class TableBlock:
    """A table: its columns by heading, the headings of numbers, and columns per action if it has some."""

    columns: Mapping[str, Sequence[str] | Bars]
    numbers: Sequence[str] = ()
    title: str = ""
    actions: ActionCells | None = None


@dataclass(frozen=True)
class CurveBlock:
    """Curves by name: points along an axis and their exploitability."""

    curves: Mapping[str, Sequence[tuple[float, float]]]
    x: X


class ClassTable(Protocol):
    """What a grid shows of a table with a row per class of hold'em hands.

    actions: the actions; group: the place of each class in the grid; name: the classes; start_share: how much of each
    class is left; frequency: how often each class takes each action, shape (actions, classes).
    """

    @property
    def actions(self) -> tuple[str, ...]: ...
    @property
    def group(self) -> NDArray[np.int64]: ...
    @property
    def name(self) -> tuple[str, ...]: ...
    @property
    def start_share(self) -> NDArray[np.float64]: ...
    @property
    def frequency(self) -> NDArray[np.float64] | None: ...


@dataclass(frozen=True)
class GridBlock:
    """What classes of hands do, as a grid of 13 by 13; `labels` are the actions as people read them."""

    classes: ClassTable
    labels: Sequence[str]


Block = Note | Rows | TableBlock | CurveBlock | GridBlock
