"""Tables: named columns of equal length, which the terminal, JSON, CSV, pandas and the page all read."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.text import format_csv

SHARE_DIGITS = 4
"""Decimals of a share on a page."""
AMOUNT_DIGITS = 6
"""Significant digits of the largest amount on a page."""
Unit = Literal["text", "code", "combos", "share", "chips", "ev", "count", "seconds", "flag"]
"""The meaning of a column's numbers, by which a surface chooses their format."""


class Column(NamedTuple):
    """A column of a table, declared once for every surface.

    A column with `per_action` has one value for each action and row, as an array of shape (actions, rows); `per_action`
    is then the heading of one action's values. `decode` turns a code into what people read.

    >>> Column("action_ev", "EV", "ev", per_action="EV {action}").heading("call")
    'EV call'
    """

    name: str
    title: str
    unit: Unit
    help: str = ""
    per_action: str = ""
    decode: Callable[[int], Any] | None = None

    def heading(self, action: str = "") -> str:
        """Return the heading of the column in a file; of a column per action, the heading of one action."""
        return self.per_action.format(action=action) if self.per_action else self.name

    def to_json(self) -> dict[str, Any]:
        """Return the declaration, ready for JSON."""
        fields = {"name": self.name, "title": self.title, "unit": self.unit, "help": self.help}
        return {**fields, "per_action": bool(self.per_action)}


class Table(ABC):
    """Named columns of equal length, declared by a schema. A column that is None is absent from every surface.

    Subclasses are dataclasses: their fields and properties hold the columns, as arrays or as tuples of texts.
    """

    table_name: ClassVar[str]
    schema: ClassVar[tuple[Column, ...]]
    actions: tuple[str, ...]
    """The actions of columns per action; a table without such columns has none."""

    def __len__(self) -> int:
        return len(getattr(self, self.schema[0].name))

    def columns(self) -> dict[Column, Any]:
        """Return the columns that are present, in the order of the schema."""
        values = {column: getattr(self, column.name) for column in self.schema}
        return {column: value for column, value in values.items() if value is not None}

    def select_rows(self, rows: Sequence[int] | NDArray[Any]) -> Self:
        """Return the table with these rows, in this order."""
        stored = {field.name for field in fields(self)}  # type: ignore[arg-type]
        changes = {
            column.name: value[..., rows] if isinstance(value, np.ndarray) else tuple(value[row] for row in rows)
            for column, value in self.columns().items()
            if column.name in stored
        }
        return replace(self, **changes)  # type: ignore[type-var]

    def sort_by(self, name: str, action: str = "") -> Self:
        """Return the table sorted by a column or by one action of it, largest first; rows without a value come last."""
        names = [column.name for column in self.schema]
        if name not in names:
            raise ZerosumError(f"there is no column {name!r}; {suggest_names(name, names)}")
        values = getattr(self, name)
        keys = -np.asarray(values[self.actions.index(action)] if action else values, dtype=float)
        return self.select_rows(np.argsort(np.where(np.isnan(keys), math.inf, keys), kind="stable"))

    def cells(self, column: Column, digits: int | None = None) -> list[Any]:
        """Return a column as Python values: codes are decoded, and a missing number is None.

        A column per action becomes a list for each action. digits: the decimals that numbers are rounded to.
        """
        value = getattr(self, column.name)
        if not isinstance(value, np.ndarray):
            return list(value)
        if column.decode is not None:
            return [column.decode(code) for code in value.tolist()]
        if column.per_action:
            return [format_json_numbers(row, digits) for row in value]
        numbers = format_json_numbers(value, digits)
        return [None if number is None else int(number) for number in numbers] if column.unit == "count" else numbers

    def to_json(self, digits: Mapping[str, int] | None = None) -> dict[str, Any]:
        """Return the columns by name, ready for JSON; an absent column is null.

        digits: decimals by unit, to round numbers.
        """
        decimals = digits or {}
        return {
            column.name: None if getattr(self, column.name) is None else self.cells(column, decimals.get(column.unit))
            for column in self.schema
        }

    def rows_to_json(self) -> list[dict[str, Any]]:
        """Return the rows as objects, ready for JSON; an absent column is null."""
        columns = self.to_json()
        return [
            {name: None if cells is None else cells[row] for name, cells in columns.items()} for row in range(len(self))
        ]

    def iterate_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows by the names of the columns that are present; a column per action is a dict by action."""
        columns = {column: self.cells(column) for column in self.columns()}
        for row in range(len(self)):
            yield {
                column.name: {action: values[row] for action, values in zip(self.actions, cells, strict=True)}
                if column.per_action
                else cells[row]
                for column, cells in columns.items()
            }

    def iterate_records(self) -> Iterator[tuple[Any, ...]]:
        """Yield the values of each row; a column per action has a value for each action."""
        columns: list[list[Any]] = []
        for column in self.columns():
            columns += self.cells(column) if column.per_action else [self.cells(column)]
        return zip(*columns, strict=True)

    def headings(self) -> list[str]:
        """Return the headings of the columns in a file, in the order of the values of a record."""
        return [
            column.heading(action)
            for column in self.columns()
            for action in (self.actions if column.per_action else ("",))
        ]

    def to_csv(self, precision: str = "") -> str:
        """Return the table as CSV. precision: a format of numbers such as `.6g`; by default all digits."""
        rows = ([_format_csv_cell(value, precision) for value in record] for record in self.iterate_records())
        return format_csv(self.headings(), rows)

    def to_frame(self) -> Any:
        """Return the table as a pandas table; needs pandas."""
        from zerosum.results.display.tables import create_frame

        return create_frame(list(self.iterate_records()), self.headings())


def choose_page_digits(whole: float) -> dict[str, int]:
    """Return the decimals of each unit on a page. whole: the largest amount, such as a pot.

    >>> choose_page_digits(2600)
    {'share': 4, 'combos': 4, 'ev': 2, 'chips': 2}
    """
    amount = max(1, AMOUNT_DIGITS - math.ceil(math.log10(max(whole, 1e-9))))
    return {"share": SHARE_DIGITS, "combos": SHARE_DIGITS, "ev": amount, "chips": amount}


def format_json_numbers(numbers: Sequence[float | None] | NDArray[Any], digits: int | None = None) -> list[Any]:
    """Return numbers for JSON, rounded to `digits` decimals if given; nan and None become None.

    >>> format_json_numbers([0.123456, None, float("nan")], 4)
    [0.1235, None, None]
    """
    values = numbers if isinstance(numbers, np.ndarray) else np.array(numbers, dtype=float)
    if values.dtype.kind != "f":
        return list(values.tolist())
    rounded = (values if digits is None else np.round(values, digits)).tolist()
    return [None if number != number else number for number in rounded]


def _format_csv_cell(value: Any, precision: str) -> Any:
    if isinstance(value, float):
        return format(value, precision)
    if isinstance(value, tuple):
        return " ".join(value)
    return value
