"""The strategy of a run for other programs: CSV, JSON, Parquet, PioSOLVER's text, OpenSpiel's tabular policies."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeVar

import numpy as np

from rue.checked import as_path
from rue.disk import replacing
from rue.errors import RueError, nearest
from rue.holdem.bets import chips, rounded
from rue.holdem.cards import HAND_COUNT
from rue.holdem.hand_classes import hand_order
from rue.records import dataclass
from rue.results.game import GameResult
from rue.results.nodes import RangeStrategy
from rue.results.result import Decision, Result
from rue.results.spot import SpotResult
from rue.runs.openspiel import policy

BATCH = 100_000
"""Rows that are written to a Parquet file at a time."""
Told = Callable[[int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Wanted:
    """What is to be written: a result, of hold'em up to the last of some streets; `progress` hears how far it is."""

    result: Any
    streets: str | None = None
    progress: Told | None = None

    def decisions(self) -> Iterator[Decision]:
        """The decisions, counted on the way."""
        return self.counted(self.result.each_decision(self.streets), 1000)

    def counted(self, pieces: Iterable[T], every: int) -> Iterator[T]:
        """Some pieces, of which every so many are told of."""
        for number, piece in enumerate(pieces):
            if self.progress is not None and number % every == 0:
                self.progress(number)
            yield piece


@dataclass(frozen=True)
class Format:
    """A format: `write` gives the pieces of a text, or writes bytes to a file; `of` is the kind of result it takes."""

    write: Callable[..., Any]
    of: type[Any] = Result
    otherwise: str = ""
    """Why another kind is refused."""
    binary: bool = False


FORMATS: dict[str, Format] = {}
"""Every format by its name; `text_format` and `binary_format` enter what they stand before."""


def text_format(name: str, **more: Any) -> Callable[[T], T]:
    """Enter a function that gives the pieces of a text; more are the other fields of its `Format`."""

    def enter(write: T) -> T:
        FORMATS[name] = Format(write, **more)  # type: ignore[arg-type]
        return write

    return enter


binary_format = partial(text_format, binary=True)
"""Enter a function that writes bytes to a file."""


def export(
    result: Result,
    format: str,
    out: str | Path | IO[str],
    streets: str | None = None,
    progress: Told | None = None,
) -> None:
    """Write the strategy of a result to a file, whole or not at all, or to an open text stream.

    streets: of hold'em, the last one to write or a list like `turn,river` that ends with it. progress: called now and
    then with the number of infosets, or of decisions for pio, that are written.

    >>> import rue, sys
    >>> export(rue.solve("coin-toss", iterations=10), "csv", sys.stdout)  # doctest: +ELLIPSIS
    player,infoset,reach,action,probability
    1,...
    """
    if format not in tuple(FORMATS):
        raise RueError(f"there is no format {format!r:.60}: {nearest(str(format), FORMATS)}")
    chosen = FORMATS[format]
    if not isinstance(result, Result):
        raise RueError(f"what is exported is a result, not {result!r:.60}")
    if not isinstance(result, chosen.of):
        raise RueError(chosen.otherwise.format(game=result.game))
    wanted = Wanted(result, streets, progress)
    if chosen.binary:
        if not isinstance(out, str | Path):
            raise RueError(f"{format} is not text: name a file like strategy.{format} (--out, out=)")
        with replacing(as_path(out)) as file:
            chosen.write(wanted, file)
        return
    pieces = chosen.write(wanted)
    if hasattr(out, "write"):
        for piece in pieces:
            out.write(piece)
        return
    with replacing(as_path(out)) as file:
        for piece in pieces:
            file.write(piece.encode())


@text_format("csv")
def csv_text(wanted: Wanted) -> Iterator[str]:
    """A row an action."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(wanted.result.columns)
    for decision in wanted.decisions():
        writer.writerows(decision.rows())
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


@text_format("json")
def json_text(wanted: Wanted) -> Iterator[str]:
    """One object that `rue show` reads if it is of a general game; its decisions are a list at the end."""
    content = {**wanted.result.heading(), **wanted.result.summary()}
    text = json.dumps(content, allow_nan=False)
    yield text[:-1] + ', "decisions": ['
    for number, decision in enumerate(wanted.decisions()):
        yield (", " if number else "") + json.dumps(vars(decision), allow_nan=False)
    yield "]}\n"


@binary_format("parquet")
def parquet(wanted: Wanted, file: BinaryIO) -> None:
    """A row an action, in columns."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RueError('parquet needs pyarrow: pip install "rue[parquet]"') from None
    columns = wanted.result.columns
    kinds = [_kind(name, pyarrow) for name in columns]
    schema = pyarrow.schema(list(zip(columns, kinds, strict=True)))
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        rows: list[tuple[Any, ...]] = []

        def flush() -> None:
            values = list(zip(*rows, strict=True)) or [()] * len(columns)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(values, kinds, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            rows.clear()

        for decision in wanted.decisions():
            rows += decision.rows()
            if len(rows) >= BATCH:
                flush()
        flush()


def _kind(column: str, pyarrow: Any) -> Any:
    """The type of a column."""
    if column == "player":
        return pyarrow.int8()
    return pyarrow.float64() if column in ("reach", "probability", "ev", "equity") else pyarrow.string()


@text_format("pio", of=SpotResult, otherwise="pio is a format of hold'em, and {game} is another game: use csv or json")
def pio(wanted: Wanted) -> Iterator[str]:
    """What Pio answers to show_node and show_strategy, for every decision; numbers are in Pio's order of hands."""
    order, result = hand_order("pio"), wanted.result
    yield f"# {result.game}, {result.algorithm}, rue {result.rue}\n\n"
    for node in wanted.counted(result.nodes_of(wanted.streets), 20):
        yield pio_node(node, order)


def pio_node(node: RangeStrategy, order: Any) -> str:
    """One decision as Pio tells it; `order` are our hands in its order."""
    name = ":".join(node.ids)
    cards = " ".join(node.board[at : at + 2] for at in range(0, len(node.board), 2))
    start = rounded(node.pot - sum(node.invested))
    lines = [
        f"show_node {name}",
        name,
        f"{('OOP', 'IP')[node.player]}_DEC",
        cards,
        f"{chips(node.invested[0])} {chips(node.invested[1])} {chips(start)}",
        f"{len(node.children)} children",
        f"show_children {' '.join(f'{name}:{child}' for child in node.children)}",
        f"show_strategy {name}",
    ]
    for row in node.strategy:
        numbers = np.zeros(HAND_COUNT)
        numbers[node.hands] = row
        lines.append(" ".join(f"{number:.6g}" for number in numbers[order].tolist()))
    return "\n".join(lines) + "\n\n"


@text_format(
    "openspiel", of=GameResult, otherwise="OpenSpiel has no game that is a hold'em spot: use csv, json, parquet or pio"
)
def openspiel(wanted: Wanted) -> Iterator[str]:
    """A tabular policy of kuhn, leduc and the games of OpenSpiel."""
    yield json.dumps(policy(wanted.result), allow_nan=False) + "\n"
