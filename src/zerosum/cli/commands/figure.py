"""`zerosum papers` and `zerosum figure`: the figures of five papers, listed, run, drawn and judged."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

import click
from rich.text import Text

from zerosum.cli.common_options import Cluster, Json
from zerosum.cli.console import create_console, new_table, print_json, print_message
from zerosum.cli.exit_codes import INTERRUPTED
from zerosum.cli.progress import BAR_WIDTH, LINE_INTERVAL
from zerosum.engine.limits import Threads
from zerosum.runs.progress import ProgressText
from zerosum.support.errors import ZerosumError
from zerosum.support.options import TEXT, Argument, Option
from zerosum.support.text import format_duration, format_number

if TYPE_CHECKING:
    from zerosum.jobs.job import Job
    from zerosum.papers.figure import Figure, Scale
    from zerosum.papers.reproduction import FigureResult
    from zerosum.runs.progress import TaskProgress

PAPERS_EXAMPLES = """
zerosum papers
zerosum figure dcfr-5
"""

FIGURE_EXAMPLES = """
zerosum figure dcfr-5
zerosum figure dcfr-3 dcfr-4 --data libratus --quick
zerosum figure icfr --out pictures
zerosum figure dcfr-5 --on auto    # on a Ray cluster
zerosum figure trm-3 --only "Leduc, CFR+"
zerosum figure all --quick --page pictures/page.md
"""


class PapersArguments(TypedDict, total=False):
    json: Json


# fmt: off
class FigureLengthOptions(TypedDict, total=False):
    """How long the runs of a figure are, and which of its lines are run."""

    quick: Annotated[bool, Option("Short runs: all figures in about ten minutes.")]
    scale: Annotated[Scale | None,
        Option("Length of the runs: as in the papers (full), hours for all figures (gallery), or minutes (quick).",
        "full|gallery|quick", TEXT, choices=("full", "gallery", "quick"), default_text="full")]
    iterations: Annotated[int | None, Option("Maximum number of iterations.", "N")]
    nodes: Annotated[int | None, Option("Maximum number of touched nodes.", "N")]
    repeats: Annotated[int | None, Option("Maximum number of repeats.", "N")]
    only: Annotated[str, Option("Run only the lines whose PANEL: LABEL contains this text.", "TEXT", default="")]


class FigureArguments(FigureLengthOptions, total=False):
    keys: Annotated[list[str], Argument("Keys as `zerosum papers` lists them, a paper like dcfr, or all.", "KEY...",
        required=True)]
    out: Annotated[Path, Option("Folder for the files.", "FOLDER", default=Path("figures"), default_text="figures")]
    page: Annotated[Path | None, Option("Also write a page (Markdown) of all figures in the folder.", "FILE")]
    redraw: Annotated[bool, Option("Redraw and re-check the saved figures without running anything.")]
    data: Annotated[Path | None, Option("Folder with subgame1.txt to subgame4.txt of Libratus.", "FOLDER")]
    threads: Threads
    on: Cluster
    json: Json
# fmt: on


def find_libratus_folder(data: Path | None) -> str | None:
    """Return the folder of the Libratus endgames, if one is named; raise if it is not there."""
    from zerosum.holdem.spots.libratus import FOLDER_VARIABLE
    from zerosum.support.user_modules import expand_home

    named = str(data) if data is not None else os.environ.get(FOLDER_VARIABLE)
    try:
        if named and not expand_home(named).is_dir():
            raise ZerosumError(f"there is no folder {named}; {_describe_libratus_files()}")
    except OSError as error:
        raise ZerosumError(f"cannot read the folder {named[:40] if named else ''}: {error.strerror or error}") from None
    return named or None


def papers(arguments: PapersArguments) -> None:
    """List the figures and tables of the five papers."""
    from zerosum.algorithms.catalogue import PAPERS
    from zerosum.papers.catalogue import FIGURES, LEFT_OUT

    figures = FIGURES.values()
    if arguments["json"]:
        rows = [{**figure.to_json(), "paper": PAPERS[figure.paper]} for figure in figures]
        print_json({"figures": rows, "left_out": LEFT_OUT})
        return
    console = create_console()
    for key, title in PAPERS.items():
        headings = ("key", "place", "what it shows", "claims", "data")
        listed = new_table(*headings, title=f"{key}: {title}", right=("claims",))
        for figure in figures:
            if figure.paper == key:
                data = "Libratus" if figure.needs_libratus else ""
                listed.add_row(figure.key, figure.reference, figure.title, str(len(figure.claims)), data)
        console.print(listed)
    for key, why in LEFT_OUT.items():
        console.print(f"Left out: {key}, {why}.")
    count = sum(figure.needs_libratus for figure in figures)
    console.print(f"{count} of them need the Libratus endgames: {_describe_libratus_files()}.")
    console.print("zerosum figure KEY runs one, draws it and checks its claims; --quick makes the runs short.")


def _describe_libratus_files() -> str:
    """Return where the files of the endgames are, and how to name their folder."""
    from zerosum.holdem.spots.libratus import FOLDER_VARIABLE, SOURCE_URLS

    return f"the files are at {' and at '.join(SOURCE_URLS)}; name their folder by --data or {FOLDER_VARIABLE}"


def figure(arguments: FigureArguments) -> None:
    """Run the experiment of a figure, draw it, and check the claims of its paper.

    Every computed curve is saved: a second drawing is instant, and after Ctrl-C the same command continues. Lines that
    are not run are taken from the file in the folder, each with its length and the version that computed it.
    """
    from zerosum.jobs.runner import JobRunner
    from zerosum.options import build_workers
    from zerosum.papers.catalogue import FIGURES, find_figures
    from zerosum.papers.curve_job import open_curve_store
    from zerosum.papers.figure import FigureLimits
    from zerosum.papers.problems import ProblemCache
    from zerosum.papers.reproduction import load_saved, merge_with_saved, reproduce, write_files

    chosen = find_figures(arguments["keys"])
    limits = FigureLimits(arguments["iterations"], arguments["nodes"], arguments["repeats"], arguments["only"])
    quick, scale = arguments["quick"], arguments["scale"]
    if quick and scale not in (None, "quick"):
        raise ZerosumError(f"--quick and --scale {scale} contradict each other: give one of them")
    scale = "quick" if quick else scale or "full"
    folder = find_libratus_folder(arguments["data"])
    out, page, redraw, json = arguments["out"], arguments["page"], arguments["redraw"], arguments["json"]
    if redraw and any(arguments.get(name) for name in FigureLengthOptions.__annotations__):
        raise ZerosumError("--redraw runs nothing, so it cannot be combined with --only or with a length")
    skipped = [figure for figure in chosen if figure.needs_libratus and folder is None and not redraw]
    for figure in skipped:
        print_message(f"{figure.key} is skipped: it needs the Libratus endgames; {_describe_libratus_files()}")
    chosen = [figure for figure in chosen if figure not in skipped]
    results: list[FigureResult] = []
    with FigureDisplay() as display:
        options = {"on": arguments["on"], "threads": arguments["threads"], "progress": display.show_progress}
        runner = JobRunner(build_workers(options), open_curve_store(), display.show_job)
        problems = ProblemCache(folder)
        for new in load_saved(chosen, out) if redraw else reproduce(chosen, scale, runner, problems, limits):
            result = merge_with_saved(FIGURES[new.key], new, out)
            paths = write_files(FIGURES[result.key], result, out)
            results.append(result)
            if not json:
                display.print_without_bars(partial(_print_figure, FIGURES[result.key], result, paths))
    if redraw and not results:
        raise ZerosumError(f"{out} holds none of these figures: run them first, without --redraw")
    if results and page is not None:
        from zerosum.papers.gallery import load_figures, render_page
        from zerosum.support.files import write_atomically

        write_atomically(page, render_page(load_figures(out), out, page.parent).encode())
    if json:
        figures = [result.to_json() for result in results]
        print_json({"figures": figures, "skipped": [figure.key for figure in skipped]})
    if runner.interrupted:
        print_message(
            f"{runner.computed} new curves and the unfinished ones are saved; run the same command again to continue"
        )
        raise click.exceptions.Exit(INTERRUPTED)
    if any(result.failures for result in results):
        raise ZerosumError("; ".join(failure for result in results for failure in result.failures))


def _print_figure(figure: Figure, result: FigureResult, files: list[Path]) -> None:
    """Print the title of a figure, the verdicts on its claims, and its files."""
    console = create_console()
    console.print(Text.assemble((f"{figure.key}: {figure.title}", "bold"), f"  ({figure.paper}, {figure.reference})"))
    colours = {"holds": "green", "does not hold": "red"}
    for verdict in result.verdicts:
        word = f"  {verdict.word:14}", colours.get(verdict.word, "yellow")
        console.print(Text.assemble(word, f"{verdict.claim}: {verdict.evidence}"))
    if figure.notes:
        console.print(Text(f"  {figure.notes}", style="dim"))
    console.print(Text(f"  {files[0].parent}: {', '.join(path.name for path in files)}"))


class FigureDisplay:
    """Progress on standard error: a bar for each run in this process, and how many of all are done."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        self._is_interactive = console.is_interactive
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=BAR_WIDTH),
            TextColumn("{task.fields[detail]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._jobs: dict[Job, Any] = {}
        self._lock = threading.Lock()
        self._all: Any = None
        self._due = time.monotonic() + LINE_INTERVAL

    def __enter__(self) -> FigureDisplay:
        if self._is_interactive:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_interactive:
            self._bars.stop()

    def print_without_bars(self, print_result: Callable[[], None]) -> None:
        """Call a function that prints, while no bar is on the screen."""
        if self._is_interactive:
            self._bars.stop()
        print_result()
        if self._is_interactive:
            self._bars.start()

    def show_job(self, job: Job, share: float, height: float) -> None:
        """Show the share of a run that is done and the last height of its curve; called from any thread."""
        with self._lock:
            if share >= 1:
                if job in self._jobs:
                    self._bars.remove_task(self._jobs.pop(job))
                return
            if job not in self._jobs:
                self._jobs[job] = self._bars.add_task(job.label, total=1.0, detail="")
        task = self._bars.tasks[self._bars.task_ids.index(self._jobs[job])]
        left = (task.elapsed or 0.0) * (1 - share) / max(share, 1e-9)
        height_text = "" if math.isnan(height) else f"{format_number(height)}  "
        self._bars.update(self._jobs[job], completed=share, detail=f"{height_text}{format_duration(left)} left")

    def show_progress(self, progress: TaskProgress) -> None:
        """Show how many runs are done."""
        text = ProgressText()
        text.show_solves(replace(progress, running=()) if self._jobs else progress)
        if self._all is None:
            self._all = self._bars.add_task("curves", total=progress.total, detail="")
        self._bars.update(self._all, completed=progress.done, detail=text.detail)
        if not self._is_interactive and time.monotonic() > self._due:
            self._due = time.monotonic() + LINE_INTERVAL
            print(f"curves  {text.detail}", file=sys.stderr)
