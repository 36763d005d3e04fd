"""`rue report`: one decision on many cards, flops or kinds of a spot."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import options, spots
from rue.cli.console import aside, output, print_json, print_whole, sentence, table
from rue.cli.ends import INTERRUPTED
from rue.cli.solve import Algorithm
from rue.cli.typed import option
from rue.errors import RueError
from rue.records import dataclass
from rue.words import duration

if TYPE_CHECKING:
    from rue.views.report import Report, ReportRow

REPORT_EXAMPLES = """
rue report turn/ --line "check bet50 call"    [dim]a saved run: on every river card[/dim]
rue report flop/ --line "check check * check" --sort equity_ip --plot turns.svg
rue report spot:flop --flops 25 --until 0.5% --out flops/    [dim]solved on 25 flops that stand for all[/dim]
rue report spot:flop --flops 25 --until 0.5% --out flops/ --on auto    [dim]the same on a Ray cluster[/dim]
rue report spot:flop --flops "Ks7h2d, 8c8d3h" --line check --csv flops.csv
rue report spot:flop --vary "flop ip bets = 25% | 50% | 100%" --until 0.2%    [dim]which size loses least?[/dim]
rue report flops/ --sort ev_ip    [dim]a report that was made before[/dim]
"""

ROWS = 30
"""Rows that are listed unless a limit says otherwise."""
DIGITS = 4
"""Decimals in which shares of pots may not differ to count as one."""
ENDS = 3
"""Best and worst rows that are named."""


@dataclass(frozen=True)
class Wanted:
    """What is reported on, as it was typed."""

    line: str = option("LINE", "The decision; on a saved run * stands for any card.", default="")
    flops: str | None = option("FLOPS", "25, 50, 100, 200, all, a file, or flops like Ks7h2d, 8c8d3h:0.5.")
    sort: str = option("COLUMN", "Sort by ev_oop, ev_ip, equity_oop, realised_ip, ..., or an action.", default="name")
    limit: int | None = option("N", f"List so many rows ({ROWS}).")


@dataclass(frozen=True)
class Written:
    """What is written, as it was typed."""

    out: Path | None = option("FOLDER", "Keep every solve and the report; the same command goes on from there.")
    csv: Path | None = option("FILE", "Write a row a card or flop.")
    on: options.On = None
    plot: Path | None = option("FILE", "Draw frequencies, EV and equity to an .svg, .png or .pdf file.")


Given = Annotated[str, typer.Argument(metavar="RUN|SPOT", help="A saved run or report; with --flops or --vary a spot.")]
Vary = Annotated[
    list[str] | None,
    typer.Option("--vary", metavar='"PART = A | B"', help="Solve the spot with other ranges, stacks or bet sizes."),
]


def report(
    given: Given,
    wanted: Wanted,
    written: Written,
    limited: options.Limited,
    parts: spots.SpotParts,
    vary: Vary = None,
    algorithm: Algorithm = None,
    json: options.Json = False,
) -> None:
    """Show a decision on every card that may come, on many flops, or in variants of a spot.

    Frequencies, EV, equity and how much of it is realised, a row each, and their mean over all deals. Ctrl-C ends it
    and shows what is done; with --out the same command goes on from there.
    """
    import rue.studies.report as studies
    from rue.cli.progress import Display
    from rue.disk import check_writable, write_atomically
    from rue.views.report import Report

    if written.plot is not None:
        from rue.views.plots import check_plot

        check_plot(written.plot)
    if written.csv is not None:
        check_writable(written.csv)
    many = wanted.flops is not None or bool(vary)
    if written.on is not None and not many:
        raise RueError("--on goes with --flops or --vary: a saved run is looked at on this machine")
    made = Path(given) / "report.json"
    with aside(), Display() as display:
        display.stage("report", 0)
        if not many and made.is_file():
            found = Report.load(made)
        elif not many:
            display.say(f"reading {given}")
            if not Path(given).exists():
                raise RueError(f"there is no run {given}: with a spot, say --flops or --vary")
            found = studies.report(given, line=wanted.line, progress=display.solves)
        else:
            problem = spots.problem_of(given, parts)
            stored = {name: parts.given[name] for name in ("isomorphism", "half")}
            how: dict[str, Any] = {**asdict(limited), **stored, "on": written.on}
            found = studies.report(
                problem, algorithm, line=wanted.line, flops=wanted.flops, vary=_vary(vary or []), out=written.out,
                progress=display.solves, **how,
            )  # fmt: skip
    rows = found.sorted(wanted.sort)
    if written.plot is not None:
        from rue.views.report_plot import draw

        draw(found, written.plot, wanted.sort)
    if written.csv is not None:
        write_atomically(written.csv, found.csv().encode())
    if json:
        print_json(found.content())
    else:
        show(found, rows, wanted.limit or ROWS)
    if found.missing and many:
        kept = f"; the same command goes on from {written.out}" if written.out is not None else ""
        sentence(f"{found.missing} of {found.missing + len(found.rows)} were not solved{kept}")
        raise typer.Exit(INTERRUPTED)


def _vary(texts: list[str]) -> dict[str, list[str]] | None:
    """What varies, and its values.

    >>> _vary(["flop ip bets = 25% | 50%"])
    {'flop ip bets': ['25%', '50%']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        part, equal, values = text.partition("=")
        chosen = [value.strip() for value in values.split("|") if value.strip()]
        if not equal or not part.strip() or not chosen:
            raise RueError(f'cannot read --vary {text!r}: write it like "flop ip bets = 25% | 50% | 100%"')
        found[" ".join(part.split())] = chosen
    return found or None


def show(found: Report, rows: list[ReportRow], limit: int) -> None:
    """A table of the rows, the mean, and the best and worst."""
    console = output()
    where = f", {found.line}" if found.line else ""
    console.print(Text(f"{found.title}{where}: {found.total.player} to act", style="bold"), soft_wrap=True)
    several = len(found.totals) > 1
    columns = ("weight", "EV\noop", "EV\nip", "equity\noop", "EQR\noop", "EQR\nip")
    actions = found.actions
    listed = [] if several and len(rows) == len(found.totals) else rows[:limit]
    heads = [_head(found, action) for action in actions]
    shown = table("", *columns, *heads, right=(*columns, *heads))
    for row in listed:
        shown.add_row(Text(f"{row.name} {row.variant}" if several else row.name), *_cells(row, actions))
    for total in found.totals:
        lost = ""
        if several:
            lost = _against(found.totals[0], total)
        shown.add_row(Text(f"{total.name}{lost}"), *_cells(total, actions), style="bold")
    shown.columns[0].no_wrap = True
    shown.padding = (0, 1, 0, 0)
    print_whole(shown, console)
    if len(rows) > len(listed) and listed:
        console.print(f"{len(rows) - len(listed)} more rows: --limit {len(rows)}, --csv and --json have them")
    if len(rows) > 2 * ENDS and not several:
        known = sorted((row for row in rows if row.ev_oop is not None), key=lambda row: -(row.ev_oop or 0.0))
        best = ", ".join(row.name for row in known[:ENDS])
        worst = ", ".join(row.name for row in known[: -ENDS - 1 : -1])
        console.print(Text(f"best for the player out of position: {best}; for the player in position: {worst}"))
    console.print(Text("EV: chips won from here on; EQR: EV as a share of equity times the pot", style="dim"))
    if found.total.seconds is not None:
        spent = sum(total.seconds or 0.0 for total in found.totals)
        worst_solve = max((row.exploitability or 0.0) for row in rows)
        console.print(
            Text(f"solved to {worst_solve:.2%} of the pot at worst, {duration(spent)} of all solves", style="dim")
        )
    for note in found.notes:
        console.print(Text(note, style="dim"), soft_wrap=True)


def _head(found: Report, action: str) -> str:
    """An action above its column: a bet with its share of the pot, if that is the same in all rows."""
    from rue.holdem.labels import label

    amount = re.fullmatch(r"bet (\d+(?:\.\d+)?)", action)
    if amount is None:
        return action
    shares = {round(float(amount[1]) / row.pot, DIGITS) for row in found.rows if action in row.frequencies}
    return label(action, shares.pop()).replace(" (", "\n(") if len(shares) == 1 else action


def _against(first: ReportRow, total: ReportRow) -> str:
    """What a variant earns more than the first one, in position."""
    if total is first or first.ev_ip is None or total.ev_ip is None:
        return ""
    return f"\n({total.ev_ip - first.ev_ip:+.4g} for ip)"


def _cells(row: ReportRow, actions: tuple[str, ...]) -> list[str]:
    def share(value: float | None, places: int = 1) -> str:
        return "-" if value is None else f"{value:.{places}%}"

    def earned(value: float | None) -> str:
        return "-" if value is None else f"{value:,.2f}"

    taken = [share(row.frequencies.get(action)) for action in actions]
    realised = [share(row.realised_oop, 0), share(row.realised_ip, 0)]
    return [share(row.weight, 2), earned(row.ev_oop), earned(row.ev_ip), share(row.equity_oop), *realised, *taken]
