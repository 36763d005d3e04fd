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

from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.forms.sequence.sequence_form import name_infosets
from zerosum.games.catalogue import OPENSPIEL_PREFIX, create_game, is_openspiel_game, may_read_file
from zerosum.problems.kinds import GAME, describe_kind, find_kind_of_object, list_problem_kinds
from zerosum.results.game_result import GameResult
from zerosum.results.result import Decision, Result
from zerosum.support.errors import ZerosumError, missing_extra_error, suggest_names
from zerosum.support.files import atomic_writer
from zerosum.support.options import option_name
from zerosum.support.validation import as_path

BATCH = 100_000
"""Rows that are written to a Parquet file at a time."""
CARDS = {"J": 0, "Q": 1, "K": 2}
SUITS = {"c": 0, "d": 1}
ACTIONS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
ANTE, MONEY, BETS = 1, 100, (2, 4)
"""OpenSpiel's numbers of the cards and actions of Kuhn and Leduc poker, and Leduc's ante, stacks and bets by round."""
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
        return self.report_progress_every(self.result.iterate_infosets(self.streets), 1000)

    def report_progress_every(self, pieces: Iterable[T], every: int) -> Iterator[T]:
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
"""The formats of games by name, registered by `text_format` and `binary_format`; other kinds may have more."""


def text_format(name: str, **more: Any) -> Callable[[T], T]:
    """Register a function that yields the pieces of a text; `more` are the other fields of its `ExportFormat`."""

    def register(write: T) -> T:
        FORMATS[name] = ExportFormat(write, **more)  # type: ignore[arg-type]
        return write

    return register


binary_format = partial(text_format, binary=True)
"""Register a function that writes bytes to a file."""


def export(
    result: Result,
    format: str,
    out: str | Path | IO[str],
    streets: str | None = None,
    progress: CountCallback | None = None,
) -> None:
    """Write the strategy of a result to a file, completely or not at all, or to an open text stream.

    Parameters
    ----------
    result : Result
        The result of a run.
    format : str
        A format such as `"csv"`; see docs/runs.md.
    out : str, Path or text stream
        The file or stream to write to.
    streets : str, optional
        For hold'em, the last street to write, or a list such as `"turn,river"` that ends with it.
    progress : callable, optional
        Called at intervals with the number of infosets, or of decisions for pio, that have been written.

    Examples
    --------

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
    """Yield a header and one row per action."""
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
    """Yield one JSON object that ends with the list of decisions; `zerosum show` reads it for every game but a spot."""
    content = {**request.result.build_format_header(), **request.result.summary()}
    text = json.dumps(content, allow_nan=False)
    yield text[:-1] + ', "decisions": ['
    for number, decision in enumerate(request.iterate_decisions()):
        yield (", " if number else "") + json.dumps(vars(decision), allow_nan=False)
    yield "]}\n"


@binary_format("parquet")
def write_parquet(request: ExportRequest, file: BinaryIO) -> None:
    """Write one row per action, in columns."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra_error("Parquet", "parquet") from None
    columns = request.result.columns
    kinds = [_choose_parquet_type(name, pyarrow) for name in columns]
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


def _choose_parquet_type(column: str, pyarrow: Any) -> Any:
    """Return the Parquet type of a column."""
    if column == "player":
        return pyarrow.int8()
    return pyarrow.float64() if column in ("reach", "probability", "ev", "equity") else pyarrow.string()


@text_format("openspiel", problem_kind=GAME)
def format_for_openspiel(request: ExportRequest) -> Iterator[str]:
    """Yield a tabular policy, as JSON, for kuhn, leduc and the games of OpenSpiel."""
    yield json.dumps(build_openspiel_policy(request.result), allow_nan=False) + "\n"


def build_openspiel_policy(result: GameResult) -> dict[str, Any]:
    """Return the game and the strategy as OpenSpiel names them: {state: [[action number, probability], ...]}.

    `pyspiel.TabularPolicy` takes what is under "policy". The games of OpenSpiel itself name their information states;
    of the games here, kuhn and leduc have the same rules under other names. A result may come from an untrusted file,
    so a file that it names is never opened.
    """
    if may_read_file(result.game):
        raise ZerosumError(
            f"OpenSpiel would read the file that {result.game} names, and an export does not: use csv or json"
        )
    if is_openspiel_game(result.game):
        return {"game": result.game.removeprefix(OPENSPIEL_PREFIX), "policy": _read_openspiel_policy(result)}
    translations: dict[str, tuple[str, Callable[[Decision], str], Callable[[str], int]]] = {
        "kuhn": ("kuhn_poker", translate_kuhn_infoset, lambda action: int(action in ("bet", "call"))),
        "leduc": ("leduc_poker", translate_leduc_infoset, ACTIONS.__getitem__),
    }
    if result.game not in translations:
        raise ZerosumError(
            f"OpenSpiel does not know the infosets of {result.game}: export kuhn, leduc or a game that was solved as "
            "openspiel:..., such as openspiel:liars_dice"
        )
    name, state, number = translations[result.game]
    actions = {
        state(decision): [[number(action), chance] for action, chance in decision.actions.items()]
        for decision in result.decisions
    }
    return {"game": name, "policy": actions}


def translate_kuhn_infoset(decision: Decision) -> str:
    """Return OpenSpiel's information state of an infoset of Kuhn poker.

    >>> translate_kuhn_infoset(Decision(1, "K|check bet", 1.0, {}))
    '2pb'
    """
    card, line = decision.infoset.split("|")
    return str(CARDS[card]) + "".join("b" if action in ("bet", "call") else "p" for action in line.split())


def translate_leduc_infoset(decision: Decision) -> str:
    """Return OpenSpiel's information state of an infoset of Leduc poker.

    >>> translate_leduc_infoset(Decision(2, "Kc|Jd|bet call / check", 1.0, {}))
    '[Observer: 1][Private: 4][Round 2][Player: 1][Pot: 6][Money: 97 97][Public: 1][Round1: 2 1][Round2: 1]'
    """
    card, *board, line = decision.infoset.split("|")
    rounds = [part.split() for part in line.split("/")] + [[]]
    paid = [ANTE, ANTE]
    for bet, actions in zip(BETS, rounds, strict=False):
        for number, action in enumerate(actions):
            paid[number % 2] = max(paid) + (bet if action in ("bet", "raise") else 0)
    first, second = (" ".join(str(ACTIONS[action]) for action in actions) for actions in rounds[:2])
    player = decision.player - 1
    private, *public_cards = (2 * CARDS[text[0]] + SUITS[text[1]] for text in (card, *board))
    public = "".join(f"[Public: {number}]" for number in public_cards)
    return (
        f"[Observer: {player}][Private: {private}][Round {1 + len(board)}][Player: {player}][Pot: {sum(paid)}]"
        f"[Money: {MONEY - paid[0]} {MONEY - paid[1]}]{public}[Round1: {first}][Round2: {second}]"
    )


def _read_openspiel_policy(result: GameResult) -> dict[str, Any]:
    """Return the policy of a game of OpenSpiel, whose rules name the information states."""
    form = compile_game(create_game(result.game))
    chances = {decision.infoset: decision.actions for decision in result.decisions}
    policy: dict[str, Any] = {}
    for player, number, text in name_infosets(form):
        infoset: Any = form.treeplexes[player].infosets[number]
        actions: Any = form.treeplexes[player].actions[number]
        if text not in chances:
            raise ZerosumError(f"the infosets of this result are not those of {form.name}, such as {infoset}")
        policy[infoset[1]] = [[int(action), chances[text][str(action)]] for action in actions]
    return policy
