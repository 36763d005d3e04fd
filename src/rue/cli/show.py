"""`rue show`: the strategy of a saved result."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli import options, spots
from rue.cli.console import number, output, print_json, table
from rue.cli.stopped import NOT_KNOWN, STOPPED
from rue.errors import RueError
from rue.result import Result

if TYPE_CHECKING:
    from rue.holdem.solve import HoldemResult
    from rue.result import Decision

EPILOG = """[bold]Examples[/bold]

rue show run/

rue show run/ --player 1 --infoset "^K" --min-reach 0.05

rue show leduc.json.gz --json > strategy.json

rue show turn/ --line "check bet50 call 4d" --hand AKs    [dim]a hold'em result[/dim]"""

LIMIT = 40
MOST_COLUMNS = 6
BAR = 6
TENTHS = " ▏▎▍▌▋▊▉█"

Saved = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run, or a result file, that rue solve --out wrote.", show_default=False)
]
Player = Annotated[int | None, typer.Option(parser=options.whole, metavar="1|2", help="Only this player's infosets.")]
Infoset = Annotated[
    str | None, typer.Option(metavar="REGEX", help="Only infosets in which this regular expression is found.")
]
MinReach = Annotated[
    float, typer.Option(metavar="P", help="Only infosets to which the player's own actions lead at least so often.")
]
Limit = Annotated[
    int | None,
    typer.Option(parser=options.whole, metavar="N", help=f"Show at most so many ({LIMIT}; with --json all)."),
]


def show(
    result: Saved,
    player: Player = None,
    infoset: Infoset = None,
    min_reach: MinReach = 0.0,
    limit: Limit = None,
    line: spots.Line = None,
    hand: spots.Hand = None,
    json: options.Json = False,
    debug: options.Debug = False,
) -> None:
    """Show what a saved strategy does at each infoset, or at any decision of a hold'em spot.

    Also that of a run that is still going on, or was killed: as it was saved last.
    """
    from rue.cli.progress import Display

    if player not in (None, 1, 2):
        raise RueError(f"--player must be 1 or 2, not {player}")
    if not 0 <= min_reach <= 1:
        raise RueError(f"--min-reach must be a probability, not {min_reach:g}")
    if limit is not None and limit < 1:
        raise RueError(f"--limit must be at least 1, not {limit}")
    pattern = _pattern(infoset)
    with Display() as display:
        display.say(f"reading {result}")
        loaded, about = _loaded(result)
    if not isinstance(loaded, Result):
        if player is not None or infoset is not None or min_reach:
            raise RueError("--player, --infoset and --min-reach do not go with hold'em: use --line and --hand")
        from rue.cli.holdem import show_saved

        show_saved(loaded, about, line, hand, limit, json)
        return
    if line is not None or hand is not None:
        raise RueError(f"--line and --hand go with hold'em results, and {result} is none: use --infoset")
    found = [
        decision
        for decision in loaded.decisions
        if player in (None, decision.player)
        and decision.reach >= min_reach
        and (pattern is None or pattern.search(decision.infoset))
    ]
    if limit is None:
        limit = len(found) if json else LIMIT
    shown = found[:limit]
    if json:
        print_json({**_content(loaded, shown), **about})
    else:
        _print(loaded, shown, len(found))


def _loaded(path: Path) -> tuple[Result | HoldemResult, dict[str, Any]]:
    """What a run or a result file holds, and of a run also how it was made."""
    from rue.runs.container import is_container
    from rue.runs.opened import Opened
    from rue.runs.place import file_of
    from rue.runs.resume import load

    if not is_container(file_of(path)):
        return load(path), {}
    with Opened(path) as run:
        return run.result(), {"run": run.about}


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what a later Python may read differently
            return None if text is None else re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise RueError(f"cannot read the regular expression {text!r}: {error}") from None


def _content(result: Result, shown: Sequence[Decision]) -> dict[str, object]:
    summary = {key: value for key, value in result.summary().items() if key != "curve"}
    left_out = len(result.decisions) - len(shown)
    return {**summary, "left_out": left_out, "decisions": [asdict(decision) for decision in shown]}


def _print(result: Result, shown: Sequence[Decision], found: int) -> None:
    console = output()
    known = f"exploitability {number(result.exploitability)}, value {result.value:.6g} for the first player"
    if math.isnan(result.exploitability):
        known = f"exploitability {NOT_KNOWN}" if result.iterations else "not begun"
    if result.stopped == "running":
        at = f" (of iteration {result.curve[-1].iteration:,})" if result.curve else ""
        known += f"{at}; {result.iterations:,} iterations, {STOPPED['running']}"
    console.print(
        f"{result.game}, {result.algorithm}: {known}",
        markup=False,
        soft_wrap=True,
    )
    for player in (1, 2):
        decisions = [decision for decision in shown if decision.player == player]
        if decisions:
            console.print()
            console.print(_table(player, decisions, console.options.ascii_only))
    if not shown:
        console.print("no infoset is left by these filters")
    filtered = len(result.decisions) - found
    notes = []
    if found > len(shown):
        notes.append(f"{found - len(shown):,} by the limit of {len(shown):,} (--limit {found} shows them)")
    if filtered:
        notes.append(f"{filtered:,} by the filters")
    if notes:
        left_out = len(result.decisions) - len(shown)
        console.print(
            f"{left_out:,} of {len(result.decisions):,} infosets left out: {', '.join(notes)}", soft_wrap=True
        )


def _table(player: int, decisions: Sequence[Decision], ascii_only: bool) -> object:
    """A column an action where the actions are few, one column for all of them otherwise."""
    from rich.text import Text

    actions = list(dict.fromkeys(action for decision in decisions for action in decision.actions))
    title = f"player {player}"
    if len(actions) > MOST_COLUMNS:
        rows = table("infoset", "reach", "what it does", title=title, right=("reach",))
        for decision in decisions:
            rows.add_row(Text(decision.infoset), percent(decision.reach), Text(_pieces(decision)))
        return rows
    rows = table("infoset", "reach", title=title, right=("reach",))
    for action in actions:
        rows.add_column(Text(action), no_wrap=True)
    for decision in decisions:
        cells = [
            f"{percent(decision.actions[action]):>5} {bar(decision.actions[action], ascii_only)}"
            if action in decision.actions
            else ""
            for action in actions
        ]
        rows.add_row(Text(decision.infoset), percent(decision.reach), *(Text(cell) for cell in cells))
    return rows


def _pieces(decision: Decision) -> str:
    """The actions that are taken, the likeliest first."""
    likely = sorted(decision.actions.items(), key=lambda pair: -pair[1])
    return "  ".join(f"{action} {percent(chance)}" for action, chance in likely if chance >= 0.005)


def percent(share: float) -> str:
    """A probability as a percentage that is 0% or 100% only if it is nearly so.

    >>> percent(0.634), percent(0.0004), percent(0.9996), percent(1.0), percent(0.0)
    ('63%', '<1%', '>99%', '100%', '0%')
    """
    if 1e-6 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1 - 1e-6:
        return ">99%"
    return f"{share:.0%}"


def bar(share: float, ascii_only: bool = False, width: int = BAR) -> str:
    """A small bar.

    >>> bar(0.5), bar(0.5, True)
    ('███   ', '###   ')
    """
    if ascii_only:
        return ("#" * round(share * width)).ljust(width)
    full, rest = divmod(round(share * width * 8), 8)
    return ("█" * full + (TENTHS[rest] if rest else "")).ljust(width)
