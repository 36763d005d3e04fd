"""`zerosum report`: one decision on many cards, flops or variants of a spot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from rich.text import Text

from zerosum.cli.commands.solve import Algorithm
from zerosum.cli.common_options import Cluster, Json, Parts, check_plot, load_problem
from zerosum.cli.console import create_console, new_table, print_json, print_unclipped, redirect_prints
from zerosum.cli.exit_codes import exit_if_unfinished
from zerosum.cli.option_parser import ProblemArgument
from zerosum.engine.limits import LimitOptions
from zerosum.problems.options import StorageOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option, select_options
from zerosum.support.text import format_duration

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.table import Table

    from zerosum.cli.progress import Display
    from zerosum.holdem.study.report import Report
    from zerosum.holdem.study.report_table import ReportTable

REPORT_EXAMPLES = """
zerosum report turn/ --line "check bet50 call"    # a saved run: on every river card
zerosum report flop/ --line "check check * check" --sort equity_ip --plot turns.svg
zerosum report spot:flop --flops 25 --until 0.5% --out flops/    # solved on 25 representative flops
zerosum report spot:flop --flops 25 --until 0.5% --out flops/ --on auto    # the same on a Ray cluster
zerosum report spot:flop --flops "Ks7h2d, 8c8d3h" --line check --csv flops.csv
zerosum report spot:flop --vary "flop ip bets = 25% | 50% | 100%" --until 0.2%    # which size loses least?
zerosum report flops/ --sort ev_ip    # a saved report
"""

MAX_ROWS = 30
"""Rows that are listed unless a limit says otherwise."""
SHARE_DECIMALS = 4
"""Decimals to which shares of pots must agree to count as one size."""
EXTREME_ROWS = 3
"""Best and worst rows that are named."""


# fmt: off
class SelectionOptions(TypedDict, total=False):
    """What is reported on."""

    line: Annotated[str, Option("The decision; in a saved run, * stands for any card.", "LINE", default="",
        default_text="the first")]
    flops: Annotated[str | None, Option("Flops: 25, 50, 100, 200, all, a file, or a list like Ks7h2d, 8c8d3h:0.5.",
        "FLOPS")]
    vary: Annotated[list[str] | None, Option("Solve the spot with other ranges, stacks or bet sizes. May be repeated.",
        '"PART = A | B"')]
    sort: Annotated[str, Option("Sort by ev_oop, ev_ip, equity_oop, realised_ip, ..., or an action.", "COLUMN",
        default="name", default_text="name")]
    limit: Annotated[int | None, Option("List at most N rows.", "N", default_text=f"{MAX_ROWS}")]


class ReportFileOptions(TypedDict, total=False):
    """What is written."""

    out: Annotated[Path | None,
        Option("Save every solve and the report in this folder; run the same command again to continue.", "FOLDER")]
    csv: Annotated[Path | None, Option("Write one row per card or flop.", "FILE")]
    plot: Annotated[Path | None, Option("Draw frequencies, EV and equity to an .svg, .png or .pdf file.", "FILE")]


class ReportArguments(SelectionOptions, ReportFileOptions, LimitOptions, StorageOptions, total=False):
    source: Annotated[str, ProblemArgument("A saved run or report; with --flops or --vary, a spot.", "RUN|SPOT",
        required=True)]
    on: Cluster
    algorithm: Algorithm
    json: Json
    parts: Parts
# fmt: on


def report(arguments: ReportArguments) -> None:
    """Show one decision on many cards, flops or variants of a spot.

    A row has the frequencies of the actions, EV, equity and how much of it is realised; the last rows are means over
    all deals. Ctrl-C ends the report and shows what is finished; with --out, run the same command again to continue.
    """
    from zerosum.cli.progress import Display
    from zerosum.holdem.study import report_runner
    from zerosum.holdem.study.report import Report
    from zerosum.support.files import check_writable, write_atomically

    source, out, csv, plot = arguments["source"], arguments["out"], arguments["csv"], arguments["plot"]
    check_plot(plot)
    if csv is not None:
        check_writable(csv)
    solves = arguments["flops"] is not None or bool(arguments["vary"])
    if arguments["on"] is not None and not solves:
        raise ZerosumError("--on needs --flops or --vary: a saved run is evaluated on this machine")
    saved_report = Path(source) / "report.json"
    with redirect_prints(), Display() as display:
        display.show_stage("report", 0)
        if solves:
            result = _solve_spots(arguments, display)
        elif saved_report.is_file():
            result = Report.load(saved_report)
        else:
            display.show_phase(f"reading {source}")
            if not Path(source).exists():
                raise ZerosumError(f"there is no run {source}: to report on a spot, add --flops or --vary")
            result = report_runner.report(source, line=arguments["line"], progress=display.show_solves)
    sort, wrong_sort = arguments["sort"], None
    try:
        rows = result.sorted(sort)
    except ZerosumError as error:
        if not solves:
            raise
        # The actions are known only now, and the solves took long: show them by name before refusing the column.
        sort, wrong_sort, rows = "name", error, result.rows
    if plot is not None:
        from zerosum.holdem.study.report import plot_report

        plot_report(result, plot, sort)
    if csv is not None:
        write_atomically(csv, result.to_csv().encode())
    if arguments["json"]:
        print_json(result.content())
    else:
        print_report(result, rows, arguments["limit"] or MAX_ROWS)
    if wrong_sort is not None:
        raise wrong_sort
    if solves:
        exit_if_unfinished(result.unfinished, result.unfinished + len(result.rows), out)


def _solve_spots(arguments: ReportArguments, display: Display) -> Report:
    """Solve a spot on many flops, or its variants."""
    from zerosum.holdem.study import report_runner

    problem = load_problem(arguments["source"], arguments)
    options: dict[str, Any] = select_options(LimitOptions, arguments) | select_options(StorageOptions, arguments)
    options.pop("folder", None)
    options |= {"on": arguments["on"], "out": arguments["out"], "progress": display.show_solves}
    line, flops, variants = arguments["line"], arguments["flops"], _parse_variants(arguments["vary"] or [])
    return report_runner.report(problem, arguments["algorithm"], line=line, flops=flops, vary=variants, **options)


def _parse_variants(texts: list[str]) -> dict[str, list[str]] | None:
    """Return what varies, and its values.

    >>> _parse_variants(["flop ip bets = 25% | 50%"])
    {'flop ip bets': ['25%', '50%']}
    """
    variants: dict[str, list[str]] = {}
    for text in texts:
        part, equal, listed = text.partition("=")
        values = [value.strip() for value in listed.split("|") if value.strip()]
        if not equal or not part.strip() or not values:
            raise ZerosumError(f'cannot read --vary {text!r}: write it like "flop ip bets = 25% | 50% | 100%"')
        variants[" ".join(part.split())] = values
    return variants or None


def print_report(report: Report, rows: ReportTable, limit: int) -> None:
    """Print a table of the rows, the mean, and the best and worst."""
    import numpy as np

    console, totals = create_console(), report.totals
    line = f", {report.line}" if report.line else ""
    console.print(Text(f"{report.title}{line}: {totals.player[0]} to act", style="bold"), soft_wrap=True)
    has_variants = len(totals) > 1
    listed = rows.select_rows(range(0 if has_variants and len(rows) == len(totals) else min(limit, len(rows))))
    print_unclipped(_build_table(report, listed, has_variants), console)
    if len(rows) > len(listed) and len(listed):
        console.print(f"{len(rows) - len(listed)} more rows: --limit {len(rows)}, --csv and --json have them")
    if len(rows) > 2 * EXTREME_ROWS and not has_variants:
        by_ev = rows.select_rows(np.flatnonzero(~np.isnan(rows.ev_oop))).sort_by("ev_oop").name
        best, worst = ", ".join(by_ev[:EXTREME_ROWS]), ", ".join(by_ev[: -EXTREME_ROWS - 1 : -1])
        console.print(Text(f"best for the player out of position: {best}; for the player in position: {worst}"))
    console.print(Text("EV: chips won from here on; EQR: EV as a share of equity times the pot", style="dim"))
    if not np.isnan(totals.seconds[0]):
        spent, worst_solve = float(np.nansum(totals.seconds)), float(np.nan_to_num(rows.exploitability).max())
        time = f"{format_duration(spent)} of solving in total"
        console.print(Text(f"worst exploitability {worst_solve:.2%} of the pot; {time}", style="dim"))
    for note in report.notes:
        console.print(Text(note, style="dim"), soft_wrap=True)


def _build_table(report: Report, rows: ReportTable, has_variants: bool) -> Table:
    import numpy as np

    columns = ("weight", "EV\noop", "EV\nip", "equity\noop", "EQR\noop", "EQR\nip")
    headings = [_format_heading(report, action) for action in report.rows.actions]
    printed = new_table("", *columns, *headings, right=(*columns, *headings), narrow=True)
    for name, variant, cells in zip(rows.name, rows.variant, _format_rows(rows), strict=True):
        printed.add_row(Text(f"{name} {variant}" if has_variants else name), *cells)
    gains = report.totals.ev_ip - report.totals.ev_ip[0]
    for number, (name, cells) in enumerate(zip(report.totals.name, _format_rows(report.totals), strict=True)):
        gain = f"\n({gains[number]:+.4g} for ip)" if number and not np.isnan(gains[number]) else ""
        printed.add_row(Text(f"{name}{gain}"), *cells, style="bold")
    return printed


def _format_heading(report: Report, action: str) -> str:
    """Return an action as the head of its column: a bet with its share of the pot, if all rows agree on that."""
    import numpy as np

    from zerosum.holdem.betting.action_names import format_action

    amount = re.fullmatch(r"bet (\d+(?:\.\d+)?)", action)
    if amount is None:
        return action
    present = ~np.isnan(report.rows.frequency[report.rows.actions.index(action)])
    shares = set(np.round(float(amount[1]) / report.rows.pot[present], SHARE_DECIMALS).tolist())
    return format_action(action, shares.pop()).replace(" (", "\n(") if len(shares) == 1 else action


def _format_rows(rows: ReportTable) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row after its name."""

    def format_shares(values: NDArray[Any], decimals: int = 1) -> list[str]:
        return ["-" if value != value else f"{value:.{decimals}%}" for value in values.tolist()]

    evs = [["-" if ev != ev else f"{ev:,.2f}" for ev in column.tolist()] for column in (rows.ev_oop, rows.ev_ip)]
    realised = format_shares(rows.realised_oop, 0), format_shares(rows.realised_ip, 0)
    taken = [format_shares(frequency) for frequency in rows.frequency]
    return zip(format_shares(rows.weight, 2), *evs, format_shares(rows.equity_oop), *realised, *taken, strict=True)
