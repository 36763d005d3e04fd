"""Export strategies to CSV, JSON, Parquet, OpenSpiel's tabular policies, and formats of single kinds of problems."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeVar

from zerosum.problems.kinds import GAME, describe_kind, find_kind_of_object, list_problem_kinds
from zerosum.results.result import Decision, Result
from zerosum.runs.openspiel_policy import build_openspiel_policy
from zerosum.support.errors import ZerosumError, missing_extra, suggest_names
from zerosum.support.files import atomic_writer
from zerosum.support.options import option_name
from zerosum.support.validation import as_path

BATCH = 100_000
"""Rows that are written to a Parquet file at a time."""
CountCallback = Callable[[int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class ExportRequest:
    """What to write: a result, of a spot up to the last of some streets; `progress` is called with the count so far."""

    result: Any
    streets: str | None = None
    progress: CountCallback | None = None

    def iterate_decisions(self) -> Iterator[Decision]:
        """Yield the decisions and report their number on the way."""
        return self.report_count(self.result.iterate_infosets(self.streets), 1000)

    def report_count(self, pieces: Iterable[T], every: int) -> Iterator[T]:
        """Yield some pieces and report every n-th of them."""
        for number, piece in enumerate(pieces):
            if self.progress is not None and number % every == 0:
                self.progress(number)
            yield piece


@dataclass(frozen=True)
class ExportFormat:
    """A format: `write` yields the pieces of a text, or writes bytes to a file."""

    write: Callable[..., Any]
    problem_kind: str | None = None
    """The only kind of problem whose results it can hold, if it cannot hold all."""
    binary: bool = False


FORMATS: dict[str, ExportFormat] = {}
"""The formats of games by name, entered by `text_format` and `binary_format`; other kinds may have more."""


def text_format(name: str, **more: Any) -> Callable[[T], T]:
    """Enter a function that yields the pieces of a text; `more` are the other fields of its `ExportFormat`."""

    def register(write: T) -> T:
        FORMATS[name] = ExportFormat(write, **more)  # type: ignore[arg-type]
        return write

    return register


binary_format = partial(text_format, binary=True)
"""Enter a function that writes bytes to a file."""


def export(
    result: Result,
    format: str,
    out: str | Path | IO[str],
    streets: str | None = None,
    progress: CountCallback | None = None,
) -> None:
    """Write the strategy of a result to a file, whole or not at all, or to an open text stream.

    streets: of hold'em, the last one to write or a list like `turn,river` that ends with it. progress: called now and
    then with the number of infosets, or of decisions for pio, that are written.

    >>> import zerosum, sys
    >>> export(zerosum.solve("coin-toss", iterations=10), "csv", sys.stdout)  # doctest: +ELLIPSIS
    player,infoset,reach,action,probability
    1,...
    """
    if format not in list_format_names():
        raise ZerosumError(f"there is no format {format!r:.60}: {suggest_names(str(format), list_format_names())}")
    if not isinstance(result, Result):
        raise ZerosumError(f"only a result can be exported, not {result!r:.60}")
    if format not in list_format_names(result):
        names = ", ".join(list_format_names(result))
        raise ZerosumError(
            f"{format} cannot hold the strategy of {result.game}, a {describe_kind(result)}: use one of {names}"
        )
    chosen = _find_format(format)
    request = ExportRequest(result, streets, progress)
    if chosen.binary:
        if not isinstance(out, str | Path):
            raise ZerosumError(f"{format} is not text: name a file like strategy.{format} ({option_name('out')})")
        with atomic_writer(as_path(out)) as file:
            chosen.write(request, file)
        return
    pieces = chosen.write(request)
    if hasattr(out, "write"):
        for piece in pieces:
            out.write(piece)
        return
    with atomic_writer(as_path(out)) as file:
        for piece in pieces:
            file.write(piece.encode())


def list_format_names(result: Result | None = None) -> list[str]:
    """Return the names of all formats, or of those that can hold the strategy of a result."""
    kind = None if result is None else find_kind_of_object(result)
    kind_name = GAME if kind is None else kind.name
    names = [name for name, entry in FORMATS.items() if result is None or entry.problem_kind in (None, kind_name)]
    return names + [
        name for other in list_problem_kinds() if result is None or other == kind for name in other.export_formats
    ]


def _find_format(name: str) -> ExportFormat:
    """Return a format by its name; that of another kind of problem is loaded now."""
    if name in FORMATS:
        return FORMATS[name]
    kind = next(kind for kind in list_problem_kinds() if name in kind.export_formats)
    return ExportFormat(kind.load().find_exporter(name), kind.name)


@text_format("csv")
def format_as_csv(request: ExportRequest) -> Iterator[str]:
    """A row an action."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(request.result.columns)
    for decision in request.iterate_decisions():
        writer.writerows(decision.rows())
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


@text_format("json")
def format_as_json(request: ExportRequest) -> Iterator[str]:
    """One object that `zerosum show` reads if it is of a general game; its decisions are a list at the end."""
    content = {**request.result.describe_format(), **request.result.summary()}
    text = json.dumps(content, allow_nan=False)
    yield text[:-1] + ', "decisions": ['
    for number, decision in enumerate(request.iterate_decisions()):
        yield (", " if number else "") + json.dumps(vars(decision), allow_nan=False)
    yield "]}\n"


@binary_format("parquet")
def write_parquet(request: ExportRequest, file: BinaryIO) -> None:
    """A row an action, in columns."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("Parquet", "parquet") from None
    columns = request.result.columns
    kinds = [_parquet_type(name, pyarrow) for name in columns]
    schema = pyarrow.schema(list(zip(columns, kinds, strict=True)))
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        rows: list[tuple[Any, ...]] = []

        def flush() -> None:
            values = list(zip(*rows, strict=True)) or [()] * len(columns)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(values, kinds, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            rows.clear()

        for decision in request.iterate_decisions():
            rows += decision.rows()
            if len(rows) >= BATCH:
                flush()
        flush()


def _parquet_type(column: str, pyarrow: Any) -> Any:
    """The type of a column."""
    if column == "player":
        return pyarrow.int8()
    return pyarrow.float64() if column in ("reach", "probability", "ev", "equity") else pyarrow.string()


@text_format("openspiel", problem_kind=GAME)
def format_for_openspiel(request: ExportRequest) -> Iterator[str]:
    """A tabular policy of kuhn, leduc and the games of OpenSpiel."""
    yield json.dumps(build_openspiel_policy(request.result), allow_nan=False) + "\n"
