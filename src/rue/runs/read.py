"""Strategies from files. Nothing is ever unpickled, and nothing in a file is run.

    csv     columns player, infoset, action, probability (reach and others are ignored): a row an action;
            of hold'em hand, board and line instead of an infoset
            or a column of infosets and a column for each of OpenSpiel's action numbers: a row an infoset
    json    a result of rue; {infoset: {action: probability}}; what `rue show --json` prints;
            or OpenSpiel's {information state: [[action number, probability], ...]}, also as `rue export` writes it
    parquet the columns of csv
    text    what `serialize()` of OpenSpiel's TabularPolicy returns

Any of them may be compressed by gzip. What a file holds is told by its first bytes, not by its name.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rue.container import is_container
from rue.disk import DAMAGE, from_json, read_at_most
from rue.errors import RueError
from rue.holdem.cards import HAND_COUNT
from rue.machine import available_bytes, largest_text
from rue.results.game import FORMAT, GameResult
from rue.results.result import Result
from rue.results.said import PioText
from rue.results.spot import SpotResult
from rue.results.strategy import Entry, Strategy, entry, from_mapping
from rue.runs.opened import load
from rue.words import quoted, readable

NEEDED = ("infoset", "action", "probability")
OF_HANDS = ("hand", "board", "line")
"""What takes the place of an infoset in tables of hold'em."""
SERIALIZED = "TabularPolicy:"
BETWEEN = "<~>"
"""What OpenSpiel puts between the information states and the policies of a serialized policy."""
PIO = re.compile(r"(?:#[^\n]*\n|\s)*show_(?:node|strategy|children)\s")
"""How a text begins that Pio would answer with."""
PICKLE, PARQUET = b"\x80", b"PAR1"
LARGEST = 10
"""Times the bytes of a file that its strategy takes in memory, at most."""


def read_strategy(path: str | Path) -> Strategy:
    """Read a strategy from a file of one of the formats above; anything else is refused with a sentence.

    >>> import json, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "pennies.json"
    ...     _ = file.write_text(json.dumps({"I choose": {"heads": 0.5, "tails": 0.5}}))
    ...     read_strategy(file).entries
    (Entry(player=None, infoset='I choose', actions={'heads': 0.5, 'tails': 0.5}),)
    """
    found = written(path)
    if isinstance(found, SpotResult | PioText):
        raise RueError(f"{path} is a run on a hold'em spot: it goes with the spot it was solved for")
    return found if isinstance(found, Strategy) else Strategy.of(found, path)  # type: ignore[arg-type]


def written(given: Any) -> Strategy | PioText | Result:
    """A strategy, whatever it is given as: a file, a run, a result or a mapping of infosets."""
    if isinstance(given, Result):
        return given
    if not isinstance(given, str | Path):
        return Strategy.of(given)
    path = Path(given)
    if _is_run(path):
        found = load(path)
        return Strategy.of(found, path) if isinstance(found, GameResult) else found
    data = read_at_most(path, largest_text())
    if data[:1] == PICKLE:
        raise RueError(
            f"{path} is a pickle, which could run anything when it is read: write the strategy as JSON or CSV"
        )
    if len(data) * LARGEST > available_bytes():
        size = readable(len(data))
        raise RueError(
            f"{path} has {size}, too many to be read as a strategy here: export fewer streets, or use the run"
        )
    if data[:4] == PARQUET:
        return _from_parquet(data, path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RueError(f"{path} is not a strategy: it is not text (csv and json are, in UTF-8)") from None
    if text.lstrip()[:1] in ("{", "["):
        return _from_json(text, path)
    if PIO.match(text):
        return _from_pio(text, path)
    if text.startswith(SERIALIZED):
        return Strategy(str(path), tuple(_serialized(text, path)), numbered=True)
    return _from_csv(text, path)


def _is_run(path: Path) -> bool:
    try:
        return path.is_dir() or is_container(path)
    except OSError:  # such as a name that is too long: reading it tells
        return False


def _from_json(text: str, path: str | Path) -> Strategy:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            raise RueError(f"{path} has {quoted(twice)} twice")
        return content

    try:
        content = from_json(text, path, object_pairs_hook=unique)
    except RueError:
        raise
    except DAMAGE:
        raise RueError(f"{path} is not a strategy: it is not readable as JSON") from None
    if not isinstance(content, dict):
        raise RueError(f"{path} is not a strategy: it must be one JSON object")
    if content.get("format") == FORMAT:
        return Strategy.of(GameResult.load(path), path)
    if isinstance(content.get("decisions"), list):
        return Strategy(str(path), tuple(_decisions(content["decisions"], path)))
    if isinstance(content.get("policy"), dict) and isinstance(content.get("game"), str):
        return from_mapping(content["policy"], path)
    return from_mapping(content, path)


def _decisions(listed: list[Any], path: str | Path) -> Iterator[Entry]:
    """A list of {player, infoset, actions}, as `rue show --json` prints it."""
    for each in listed:
        if not isinstance(each, dict) or not isinstance(each.get("actions"), dict) or "infoset" not in each:
            raise RueError(f"{path} is not a strategy: its decisions must have an infoset and actions")
        infoset = str(each["infoset"])
        player = _player(each.get("player"), f"{path}: {quoted(infoset)}")
        yield entry(path, infoset, each["actions"].items(), player)


def _from_pio(text: str, path: str | Path) -> PioText:
    """Pio's answers to show_children and show_strategy, for many nodes; as `rue export --format pio` writes them."""
    children: dict[str, list[str]] = {}
    rows: dict[str, list[list[float]]] = {}
    name = ""
    for line in text.splitlines():
        words = line.split()
        if not words:
            name = ""
        elif words[0] == "show_node":
            children[words[1] if len(words) > 1 else ""] = []
        elif words[0] == "show_children" and len(words) > 1:
            parent = words[1].rpartition(":")[0]
            children[parent] = [word.rpartition(":")[2] for word in words[1:]]
        elif words[0] == "show_strategy" and len(words) == 2:
            name = words[1]
            rows[name] = []
        elif name:
            if len(words) != HAND_COUNT:
                raise RueError(f"{path}: a line of {name} has {len(words)} numbers, not {HAND_COUNT:,}")
            rows[name].append([_typed(word, name, path) for word in words])
    nodes = {}
    for name, numbers in rows.items():
        if len(children.get(name, ())) != len(numbers) or not numbers:
            raise RueError(
                f"{path}: {name} has {len(numbers)} lines of numbers, and {len(children.get(name, ()))} children"
            )
        nodes[name] = tuple(children[name]), np.array(numbers)
    return PioText(str(path), nodes)


def _serialized(text: str, path: str | Path) -> Iterator[Entry]:
    """OpenSpiel's own text: state, policy, state, policy, with a policy like 0=0x1p-1,1=0x1p-1."""
    parts = text[len(SERIALIZED) :].rstrip("\n").split(BETWEEN)
    if len(parts) % 2:
        raise RueError(f"{path} is damaged: an information state of OpenSpiel's policy has no policy")
    for infoset, policy in zip(parts[::2], parts[1::2], strict=True):
        pairs = []
        for pair in policy.split(","):
            action, _, value = pair.partition("=")
            if not action.strip().isdecimal():
                raise RueError(f"{path}: {quoted(infoset)} must have a policy like 0=0.5,1=0.5, not {policy[:40]!r}")
            pairs.append((int(action[:18]), _typed(value, infoset, path)))
        yield entry(path, infoset, pairs)


def _from_csv(text: str, path: str | Path) -> Strategy:
    rows = _csv_rows(text, path)
    first = next(rows, None)
    if first is None:
        raise RueError(f"{path} is empty: it holds no strategy")
    header = [name.strip().lower() for name in first]
    if _is_long(header):
        return Strategy(str(path), tuple(_long(header, rows, path)))
    if len(header) > 1 and all(name.isdecimal() and len(name) < 19 for name in header[1:]):
        return Strategy(str(path), tuple(_wide(header, rows, path)), numbered=True)
    raise RueError(
        f"{path} is not a strategy: its first line must name the columns player, infoset, action and probability, "
        "of hold'em hand, board and line instead of infoset, or OpenSpiel's action numbers"
    )


def _csv_rows(text: str, path: str | Path) -> Iterator[list[str]]:
    """The rows that are not empty."""
    try:
        yield from (row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row)
    except csv.Error as error:
        raise RueError(f"{path} is not readable as CSV: {error}") from None


def _from_parquet(data: bytes, path: str | Path) -> Strategy:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RueError('parquet needs pyarrow: pip install "rue[parquet]"') from None
    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        header = [str(name).strip().lower() for name in file.schema_arrow.names]
        if not _is_long(header):
            raise RueError(f"{path} is not a strategy: it has the columns {', '.join(header)}")
        batches = (zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in file.iter_batches())
        return Strategy(str(path), tuple(_long(header, (list(row) for rows in batches for row in rows), path)))
    except (pyarrow.ArrowException, OSError) as error:
        raise RueError(f"{path} is not readable as Parquet: {str(error).splitlines()[0]}") from None


def _is_long(header: list[str]) -> bool:
    """Whether a table has a row an action."""
    named = "infoset" in header or all(name in header for name in OF_HANDS)
    return named and all(name in header for name in NEEDED[1:])


def _long(header: list[str], rows: Iterable[list[Any]], path: str | Path) -> Iterator[Entry]:
    """A row an action; the rows of an infoset need not stand together."""
    named_at = [header.index(name) for name in (("infoset",) if "infoset" in header else OF_HANDS)]
    action_at, probability_at = (header.index(name) for name in NEEDED[1:])
    player_at = header.index("player") if "player" in header else None
    found: dict[tuple[int | None, str], list[tuple[str, float]]] = {}
    for row in rows:
        infoset = "|".join(str(row[at]) if at < len(row) else "" for at in named_at)
        if len(row) != len(header):
            raise RueError(f"{path}: a row of {quoted(infoset)} has {len(row)} columns, the first line {len(header)}")
        player = None if player_at is None else _player(row[player_at], f"{path}: {quoted(infoset)}")
        chance = _typed(row[probability_at], infoset, path)
        found.setdefault((player, infoset), []).append((str(row[action_at]), chance))
    for (player, infoset), pairs in found.items():
        yield entry(path, infoset, pairs, player)


def _wide(header: list[str], rows: Iterable[list[str]], path: str | Path) -> Iterator[Entry]:
    """A row an infoset, a column an action number."""
    for row in rows:
        if len(row) != len(header):
            raise RueError(f"{path}: the row of {quoted(row[0])} has {len(row)} columns, the first line {len(header)}")
        cells = [(int(name), cell) for name, cell in zip(header[1:], row[1:], strict=True) if cell.strip()]
        yield entry(path, row[0], ((name, _typed(cell, row[0], path)) for name, cell in cells))


def _player(given: Any, where: str) -> int | None:
    if given is None or given == "":
        return None
    if str(given).strip() not in ("1", "2") or isinstance(given, bool):
        raise RueError(f"{where}: the player must be 1 or 2, not {quoted(given)}")
    return int(given)


def _typed(text: Any, infoset: Any, source: str | Path) -> float:
    """A number as it is written; OpenSpiel's also in hexadecimal."""
    try:
        return float.fromhex(text) if isinstance(text, str) and "0x" in text.lower() else float(text)
    except (ValueError, OverflowError, TypeError):
        raise RueError(f"{source}: a probability at {quoted(infoset)} is {quoted(text)}, not a number") from None
