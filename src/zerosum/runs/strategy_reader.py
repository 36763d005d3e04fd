"""Read strategies from files. Nothing is ever unpickled, and nothing in a file is run.

    csv     a row per action, with the columns player, infoset, action and probability (others are ignored), for
            hold'em with hand, board and line in place of infoset;
            or a row per infoset, with a column of infosets and one for each of OpenSpiel's action numbers
    json    a result of zerosum; {infoset: {action: probability}}; what `zerosum show --json` prints;
            or OpenSpiel's {information state: [[action number, probability], ...]}, also as `zerosum export` writes it
    parquet the columns of csv
    text    what `serialize()` of OpenSpiel's TabularPolicy returns

Any of them may be compressed by gzip. The first bytes of a file determine its format, not its name.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from zerosum.problems.kinds import describe_kind, find_kind_by_text, list_problem_kinds
from zerosum.results.game_result import FORMAT, GameResult
from zerosum.results.result import Result
from zerosum.results.strategy import (
    InfosetEntry,
    Strategy,
    StrategySource,
    build_entry,
    parse_mapping,
    parse_probability,
)
from zerosum.runs.saved_run import load
from zerosum.support.array_file import is_array_file
from zerosum.support.errors import ZerosumError, missing_extra_error
from zerosum.support.files import DAMAGE_ERRORS, parse_json, read_at_most
from zerosum.support.system import available_bytes, max_text_bytes
from zerosum.support.text import format_bytes, quote

SERIALIZED = "TabularPolicy:"
SEPARATOR = "<~>"
"""The text that OpenSpiel puts between the information states and the policies of a serialized policy."""
PICKLE, PARQUET = b"\x80", b"PAR1"
MEMORY_FACTOR = 10
"""The memory of a strategy is at most this multiple of the size of its file."""


def read_strategy(path: str | Path) -> Strategy:
    """Read a strategy from a file in one of the formats that docs/strategies.md lists.

    >>> import json, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "pennies.json"
    ...     _ = file.write_text(json.dumps({"I choose": {"heads": 0.5, "tails": 0.5}}))
    ...     read_strategy(file).entries
    (InfosetEntry(player=None, infoset='I choose', actions={'heads': 0.5, 'tails': 0.5}),)
    """
    strategy = read_strategy_source(path)
    if not isinstance(strategy, Strategy):
        raise ZerosumError(
            f"{path} is a strategy of a {describe_kind(strategy)}: use it with the problem it was solved for"
        )
    return strategy


def read_strategy_source(source: Any) -> StrategySource:
    """Return a strategy from a file, a run, a result or a mapping of infosets."""
    if isinstance(source, Result):
        return source
    if not isinstance(source, str | Path):
        return Strategy.from_value(source)
    path = Path(source)
    if _is_saved_run(path):
        result = load(path)
        return Strategy.from_value(result, path) if isinstance(result, GameResult) else result
    data = read_at_most(path, max_text_bytes())
    if data[:1] == PICKLE:
        raise ZerosumError(
            f"{path} is a pickle, which could run anything when it is read: write the strategy as JSON or CSV"
        )
    if len(data) * MEMORY_FACTOR > available_bytes():
        size = format_bytes(len(data))
        raise ZerosumError(
            f"{path} has {size}, too many to be read as a strategy here: export fewer streets, or use the run"
        )
    if data[:4] == PARQUET:
        return _read_parquet(data, path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ZerosumError(f"{path} is not a strategy: it is not text (csv and json are, in UTF-8)") from None
    if text.lstrip()[:1] in ("{", "["):
        return _read_json(text, path)
    kind = find_kind_by_text(text)
    if kind is not None:
        return kind.load().read_strategy(text, path)
    if text.startswith(SERIALIZED):
        return Strategy(str(path), tuple(_read_openspiel_text(text, path)), numbered=True)
    return _read_csv(text, path)


def _is_saved_run(path: Path) -> bool:
    try:
        return path.is_dir() or is_array_file(path)
    except OSError:  # such as a name that is too long: reading it reports the reason
        return False


def _read_json(text: str, path: str | Path) -> Strategy:
    def reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) < len(pairs):
            twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
            raise ZerosumError(f"{path} has {quote(twice)} twice")
        return content

    try:
        content = parse_json(text, path, object_pairs_hook=reject_duplicates)
    except ZerosumError:
        raise
    except DAMAGE_ERRORS:
        raise ZerosumError(f"{path} is not a strategy: it is not readable as JSON") from None
    if not isinstance(content, dict):
        raise ZerosumError(f"{path} is not a strategy: it must be one JSON object")
    if content.get("format") == FORMAT:
        return Strategy.from_value(GameResult.load(path), path)
    if isinstance(content.get("decisions"), list):
        return Strategy(str(path), tuple(_read_decision_list(content["decisions"], path)))
    if isinstance(content.get("policy"), dict) and isinstance(content.get("game"), str):
        return parse_mapping(content["policy"], path)
    return parse_mapping(content, path)


def _read_decision_list(rows: list[Any], path: str | Path) -> Iterator[InfosetEntry]:
    """Yield the entries of a list of {player, infoset, actions}, as `zerosum show --json` prints it."""
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("actions"), dict) or "infoset" not in row:
            raise ZerosumError(f"{path} is not a strategy: its decisions must have an infoset and actions")
        infoset = str(row["infoset"])
        player = _parse_player(row.get("player"), f"{path}: {quote(infoset)}")
        yield build_entry(path, infoset, row["actions"].items(), player)


def _read_openspiel_text(text: str, path: str | Path) -> Iterator[InfosetEntry]:
    """Yield the entries of a policy serialized by OpenSpiel: states and policies in turn, as in 0=0x1p-1,1=0x1p-1."""
    parts = text[len(SERIALIZED) :].rstrip("\n").split(SEPARATOR)
    if len(parts) % 2:
        raise ZerosumError(f"{path} is damaged: an information state of OpenSpiel's policy has no policy")
    for infoset, policy in zip(parts[::2], parts[1::2], strict=True):
        pairs = []
        for pair in policy.split(","):
            action, _, value = pair.partition("=")
            if not action.strip().isdecimal():
                raise ZerosumError(f"{path}: {quote(infoset)} must have a policy like 0=0.5,1=0.5, not {policy[:40]!r}")
            pairs.append((int(action[:18]), parse_probability(value, infoset, path)))
        yield build_entry(path, infoset, pairs)


def _read_csv(text: str, path: str | Path) -> Strategy:
    rows = _iterate_csv_rows(text, path)
    first = next(rows, None)
    if first is None:
        raise ZerosumError(f"{path} is empty: it holds no strategy")
    header = [name.strip().lower() for name in first]
    infoset_columns = _find_infoset_columns(header)
    if infoset_columns is not None:
        return Strategy(str(path), tuple(_read_long_table(header, infoset_columns, rows, path)))
    if len(header) > 1 and all(name.isdecimal() and len(name) < 19 for name in header[1:]):
        return Strategy(str(path), tuple(_read_wide_table(header, rows, path)), numbered=True)
    raise ZerosumError(
        f"{path} is not a strategy: its first line must name the columns player, infoset, action and probability, "
        "of hold'em hand, board and line instead of infoset, or OpenSpiel's action numbers"
    )


def _iterate_csv_rows(text: str, path: str | Path) -> Iterator[list[str]]:
    """Yield the rows that are not empty."""
    try:
        yield from (row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row)
    except csv.Error as error:
        raise ZerosumError(f"{path} is not readable as CSV: {error}") from None


def _read_parquet(data: bytes, path: str | Path) -> Strategy:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra_error("Parquet", "parquet") from None
    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        header = [str(name).strip().lower() for name in file.schema_arrow.names]
        infoset_columns = _find_infoset_columns(header)
        if infoset_columns is None:
            raise ZerosumError(f"{path} is not a strategy: it has the columns {', '.join(header)}")
        batches = (zip(*(column.to_pylist() for column in batch.columns), strict=True) for batch in file.iter_batches())
        rows = (list(row) for batch in batches for row in batch)
        return Strategy(str(path), tuple(_read_long_table(header, infoset_columns, rows, path)))
    except (pyarrow.ArrowException, OSError) as error:
        raise ZerosumError(f"{path} is not readable as Parquet: {str(error).splitlines()[0]}") from None


def _find_infoset_columns(header: list[str]) -> tuple[str, ...] | None:
    """Return the columns that name an infoset in a table with a row for each action; None for any other table.

    There is one column of that name, or those that stand for it in another kind of problem.
    """
    if "action" not in header or "probability" not in header:
        return None
    choices = (("infoset",), *(kind.infoset_columns for kind in list_problem_kinds()))
    return next((names for names in choices if all(name in header for name in names)), None)


def _read_long_table(
    header: list[str], infoset_columns: tuple[str, ...], rows: Iterable[list[Any]], path: str | Path
) -> Iterator[InfosetEntry]:
    """Yield the entries of a table with a row for each action; those of an infoset may be apart."""
    infoset_at = [header.index(name) for name in infoset_columns]
    action_at, probability_at = header.index("action"), header.index("probability")
    player_at = header.index("player") if "player" in header else None
    strategies: dict[tuple[int | None, str], list[tuple[str, float]]] = {}
    for row in rows:
        infoset = "|".join(str(row[at]) if at < len(row) else "" for at in infoset_at)
        if len(row) != len(header):
            raise ZerosumError(
                f"{path}: a row of {quote(infoset)} has {len(row)} columns, the first line {len(header)}"
            )
        player = None if player_at is None else _parse_player(row[player_at], f"{path}: {quote(infoset)}")
        chance = parse_probability(row[probability_at], infoset, path)
        strategies.setdefault((player, infoset), []).append((str(row[action_at]), chance))
    for (player, infoset), pairs in strategies.items():
        yield build_entry(path, infoset, pairs, player)


def _read_wide_table(header: list[str], rows: Iterable[list[str]], path: str | Path) -> Iterator[InfosetEntry]:
    """Yield the entries of a table with a row for each infoset and a column for each action number."""
    for row in rows:
        if len(row) != len(header):
            raise ZerosumError(
                f"{path}: the row of {quote(row[0])} has {len(row)} columns, the first line {len(header)}"
            )
        cells = [(int(name), cell) for name, cell in zip(header[1:], row[1:], strict=True) if cell.strip()]
        yield build_entry(path, row[0], ((name, parse_probability(cell, row[0], path)) for name, cell in cells))


def _parse_player(value: Any, where: str) -> int | None:
    if value is None or value == "":
        return None
    if str(value).strip() not in ("1", "2") or isinstance(value, bool):
        raise ZerosumError(f"{where}: the player must be 1 or 2, not {quote(value)}")
    return int(value)
