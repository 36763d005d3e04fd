"""The strategy of a run for other programs: CSV, JSON, Parquet, PioSOLVER's text, OpenSpiel's tabular policies."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from rue.disk import replacing
from rue.errors import RueError, nearest
from rue.holdem.cards import HAND_COUNT, STREETS
from rue.holdem.ranges import hand_order
from rue.holdem.solve import HoldemResult
from rue.result import FORMAT, FORMAT_VERSION, Decision, Result
from rue.runs.nodes import Node, decisions, nodes
from rue.runs.openspiel import policy

COLUMNS = ("player", "infoset", "reach", "action", "probability")
FORMATS = ("csv", "json", "parquet", "pio", "openspiel")
BATCH = 100_000
"""Rows that are written to a Parquet file at a time."""
Told = Callable[[int], None]


def export(
    result: Result | HoldemResult,
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
    if format not in FORMATS:
        raise RueError(f"there is no format {format!r}: {nearest(format, FORMATS)}")
    last = _last(result, streets)
    if format == "parquet":
        if not isinstance(out, str | Path):
            raise RueError("parquet is not text: name a file (--out strategy.parquet)")
        _parquet(_decisions(result, last), Path(out), progress)
        return
    pieces = _text(result, format, last, progress)
    if not isinstance(out, str | Path):
        for piece in pieces:
            out.write(piece)
        return
    with replacing(Path(out)) as file:
        for piece in pieces:
            file.write(piece.encode())


def _last(result: Result | HoldemResult, streets: str | None) -> int | None:
    if streets is None:
        return None
    if not isinstance(result, HoldemResult):
        raise RueError(f"streets are those of hold'em, and {result.game} is another game")
    name = streets.split(",")[-1].strip().lower()
    if name not in STREETS:
        raise RueError(f"there is no street {name!r}: {nearest(name, STREETS)}")
    return STREETS.index(name)


def _decisions(result: Result | HoldemResult, last: int | None) -> Iterable[Decision]:
    return decisions(result.solution, last) if isinstance(result, HoldemResult) else result.decisions


def _text(result: Result | HoldemResult, format: str, last: int | None, progress: Told | None) -> Iterator[str]:
    """The pieces of a format that is text."""
    if format == "pio":
        if not isinstance(result, HoldemResult):
            raise RueError(f"pio is a format of hold'em, and {result.game} is another game: use csv or json")
        return _pio(result, last, progress)
    if format == "openspiel":
        if isinstance(result, HoldemResult):
            raise RueError("OpenSpiel has no game that is a hold'em spot: use csv, json, parquet or pio")
        return iter([json.dumps(policy(result), allow_nan=False) + "\n"])
    if format == "csv":
        return _csv(_counted(_decisions(result, last), progress))
    return _json(result, _counted(_decisions(result, last), progress))


def _counted(found: Iterable[Decision], progress: Told | None) -> Iterator[Decision]:
    for number, decision in enumerate(found):
        if progress is not None and number % 1000 == 0:
            progress(number)
        yield decision


def _csv(found: Iterable[Decision]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for decision in found:
        for action, probability in decision.actions.items():
            writer.writerow((decision.player, decision.infoset, decision.reach, action, probability))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _json(result: Result | HoldemResult, found: Iterable[Decision]) -> Iterator[str]:
    """One object that `rue show` reads if it is of a general game; its decisions are a list at the end."""
    content = result.summary()
    if isinstance(result, HoldemResult):
        from rue.holdem.files import to_mapping

        content = {"format": "rue-holdem-result", "version": 1, "spot": to_mapping(result.spot), **content}
    else:
        content = {"format": FORMAT, "version": FORMAT_VERSION, **content}
    text = json.dumps(content, allow_nan=False)
    yield text[:-1] + ', "decisions": ['
    for number, decision in enumerate(found):
        yield (", " if number else "") + json.dumps(
            {
                "player": decision.player,
                "infoset": decision.infoset,
                "reach": decision.reach,
                "actions": dict(decision.actions),
            },
            allow_nan=False,
        )
    yield "]}\n"


def _parquet(found: Iterable[Decision], path: Path, progress: Told | None) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RueError('parquet needs pyarrow: pip install "rue[parquet]"') from None
    kinds = (pyarrow.int8(), pyarrow.string(), pyarrow.float64(), pyarrow.string(), pyarrow.float64())
    schema = pyarrow.schema(list(zip(COLUMNS, kinds, strict=True)))
    with replacing(path) as file, pyarrow.parquet.ParquetWriter(file, schema) as writer:
        rows: list[tuple[Any, ...]] = []

        def flush() -> None:
            columns = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            rows.clear()

        for decision in _counted(found, progress):
            rows += [
                (decision.player, decision.infoset, decision.reach, action, probability)
                for action, probability in decision.actions.items()
            ]
            if len(rows) >= BATCH:
                flush()
        flush()


def _pio(result: HoldemResult, last: int | None, progress: Told | None) -> Iterator[str]:
    """What Pio answers to show_node and show_strategy, for every decision; numbers are in Pio's order of hands."""
    order = hand_order("pio")
    yield f"# {result.game}, {result.algorithm}, rue {result.rue}\n\n"
    for number, node in enumerate(nodes(result.solution, last)):
        if progress is not None and number % 20 == 0:
            progress(number)
        yield _pio_node(node, order)


def _pio_node(node: Node, order: Any) -> str:
    from rue.holdem.bets import chips

    name = ":".join(node.ids)
    cards = " ".join(node.board[at : at + 2] for at in range(0, len(node.board), 2))
    start = node.pot - sum(node.invested)
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
