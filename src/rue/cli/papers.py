"""`rue papers` and `rue figure`: the figures of five papers, listed, run, drawn and judged."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import options
from rue.cli.console import output, print_json, sentence, table
from rue.cli.ends import INTERRUPTED
from rue.cli.progress import LINES
from rue.cli.typed import flag, option
from rue.errors import RueError
from rue.records import dataclass
from rue.views.telling import Telling
from rue.words import duration, short

if TYPE_CHECKING:
    from rue.papers.figure import Figure, Scale
    from rue.papers.jobs import Job
    from rue.papers.make import Made
    from rue.runs.many import Standing

PAPERS_EXAMPLES = """
rue papers
rue figure dcfr-5
"""

FIGURE_EXAMPLES = """
rue figure dcfr-5
rue figure dcfr-3 dcfr-4 --data libratus --quick
rue figure icfr --out pictures
rue figure dcfr-5 --on auto    [dim]on a Ray cluster[/dim]
rue figure trm-3 --only "Leduc, CFR+"
rue figure all --quick --page pictures/page.md
"""

SCALES = ("full", "gallery", "quick")

Keys = Annotated[
    list[str],
    typer.Argument(
        metavar="KEY...",
        help="Keys as [bold]rue papers[/bold] lists them, a paper like dcfr, or all.",
        show_default=False,
    ),
]


def endgames(data: Path | None) -> str | None:
    """The folder of the Libratus endgames, if one is named; a name that is no folder is refused."""
    from rue.holdem.libratus import VARIABLE
    from rue.python_files import home_path

    named = str(data) if data is not None else os.environ.get(VARIABLE)
    try:
        if named and not home_path(named).is_dir():
            raise RueError(f"there is no folder {named}; {_where()}")
    except OSError as error:
        raise RueError(f"cannot read the folder {named[:40] if named else ''}: {error.strerror or error}") from None
    return named or None


@dataclass(frozen=True)
class Files:
    """What is read and written, as it was typed."""

    out: Path = option("FOLDER", "Where the files go.", default=Path("figures"))
    page: Path | None = option("FILE", "Also write a page (Markdown) of all figures in the folder.")
    redraw: bool = flag("--redraw", "Run nothing: draw and judge again what the folder holds.")
    data: Path | None = option("FOLDER", "Where subgame1.txt to subgame4.txt of Libratus are.")

    @property
    def folder(self) -> str | None:
        """The folder of the Libratus endgames."""
        return endgames(self.data)

    def write_page(self) -> None:
        """Write the page of all figures in the folder, if it is wanted."""
        from rue.disk import write_atomically
        from rue.papers.page import in_folder
        from rue.papers.page import page as written

        if self.page is not None:
            write_atomically(self.page, written(in_folder(self.out), self.out, self.page.parent).encode())


@dataclass(frozen=True)
class Sized:
    """How long the runs are, as it was typed."""

    quick: bool = flag("--quick", "Short runs: all figures in about ten minutes.")
    scale: str | None = option("full|gallery|quick", "As long as in the papers (the default), or some hours for all.")
    iterations: int | None = option("N", "At most so many iterations.")
    nodes: int | None = option("N", "At most so many nodes touched.")
    repeats: int | None = option("N", "At most so many repeats.")
    only: str = option("TEXT", "Only lines with this in PANEL: LABEL.", default="")

    @property
    def chosen(self) -> Scale:
        """The scale."""
        given = self.scale
        if given is not None and given not in SCALES:
            raise RueError(f"--scale must be {', '.join(SCALES[:-1])} or {SCALES[-1]}, not {given!r}")
        if self.quick and given not in (None, "quick"):
            raise RueError(f"--quick and --scale {given} contradict each other: give one of them")
        names: dict[str, Scale] = {"full": "full", "gallery": "gallery", "quick": "quick"}
        return names["quick" if self.quick else given or "full"]


def papers(json: options.Json = False) -> None:
    """List the figures and tables of the five papers."""
    from rue.algorithms.catalogue import PAPERS
    from rue.papers.catalogue import FIGURES, LEFT_OUT

    figures = FIGURES.values()
    if json:
        rows = [{**figure.about, "paper": PAPERS[figure.paper]} for figure in figures]
        print_json({"figures": rows, "left_out": LEFT_OUT})
        return
    console = output()
    for key, title in PAPERS.items():
        shown = table("key", "place", "what it shows", "claims", "data", title=f"{key}: {title}", right=("claims",))
        for figure in figures:
            if figure.paper == key:
                data = "Libratus" if figure.needs_libratus else ""
                shown.add_row(figure.key, figure.place, figure.title, str(len(figure.claims)), data)
        console.print(shown)
    for key, why in LEFT_OUT.items():
        console.print(f"Left out: {key}, {why}.")
    console.print(f"{sum(figure.needs_libratus for figure in figures)} of them need the Libratus endgames: {_where()}.")
    console.print("rue figure KEY runs one, draws it and checks its claims; --quick makes the runs short.")


def _where() -> str:
    """Where the files of the endgames are found, and how rue finds them."""
    from rue.holdem.libratus import PLACES, VARIABLE

    return f"the files are at {' and at '.join(PLACES)}; name their folder by --data or {VARIABLE}"


def figure(
    keys: Keys,
    sized: Sized,
    files: Files,
    threads: options.Threads = None,
    on: options.On = None,
    json: options.Json = False,
) -> None:
    """Run the experiment of a figure, draw it, and check what its paper claims.

    Every curve that was computed is kept: a second drawing is instant, and after Ctrl-C the same command goes on.
    Lines that were not run stay as the folder's file holds them; it says how long each is and what computed it.
    """
    from rue.options import workers
    from rue.papers.catalogue import FIGURES, figures
    from rue.papers.figure import Most
    from rue.papers.make import joined, make, redrawn, write
    from rue.papers.work import Work
    from rue.solvers.limits import Limits

    chosen = figures(keys)
    most = Most(sized.iterations, sized.nodes, sized.repeats, sized.only)
    scale, folder = sized.chosen, files.folder
    Limits(threads=threads)
    if files.redraw and sized != Sized():
        raise RueError("--redraw runs nothing: give it without --only and without a length")
    skipped = [figure for figure in chosen if figure.needs_libratus and folder is None and not files.redraw]
    for figure in skipped:
        sentence(f"{figure.key} is skipped: it needs the Libratus endgames; {_where()}")
    wanted = [figure for figure in chosen if figure not in skipped]
    work = Work(folder, threads, executor=workers({"on": on}).executor)
    made: list[Made] = []
    interrupted = False
    with Watching() as watch:
        try:
            for found in redrawn(wanted, files.out) if files.redraw else make(wanted, scale, work, most, watch):
                one = joined(FIGURES[found.key], found, files.out)
                paths = write(FIGURES[one.key], one, files.out)
                made.append(one)
                if not json:
                    watch.aside(lambda one=one, paths=paths: _show(FIGURES[one.key], one, paths))  # type: ignore[misc]
        except KeyboardInterrupt:
            interrupted = True
    if made:
        files.write_page()
    if json:
        print_json({"figures": [one.content() for one in made], "skipped": [figure.key for figure in skipped]})
    if interrupted:
        sentence(f"{work.computed} new curves and those on their way are kept; the same command goes on from there")
        raise typer.Exit(INTERRUPTED)
    if any(one.failures for one in made):
        raise RueError("; ".join(failure for one in made for failure in one.failures))


def _show(figure: Figure, made: Made, files: list[Path]) -> None:
    """What a person reads of a figure."""
    console = output()
    console.print(Text.assemble((f"{figure.key}: {figure.title}", "bold"), f"  ({figure.paper}, {figure.place})"))
    colours = {"holds": "green", "does not hold": "red"}
    for verdict in made.verdicts:
        console.print(
            Text.assemble(
                "  ", (f"{verdict.word:14}", colours.get(verdict.word, "yellow")), f"{verdict.claim}: {verdict.shown}"
            )
        )
    if figure.notes:
        console.print(Text(f"  {figure.notes}", style="dim"))
    console.print(Text(f"  {files[0].parent}: {', '.join(path.name for path in files)}"))


class Watching:
    """Progress on standard error: a line for each run that goes on, and how many are left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        self._shown = console.is_interactive
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=12),
            TextColumn("{task.fields[detail]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._tasks: dict[Any, Any] = {}
        self._lock = threading.Lock()
        self._all: Any = None
        self._due = time.monotonic() + LINES

    def __enter__(self) -> Watching:
        if self._shown:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bars.stop()

    def aside(self, show: Callable[[], None]) -> None:
        """Let something be printed while no bar is on the screen."""
        if self._shown:
            self._bars.stop()
        show()
        if self._shown:
            self._bars.start()

    def started(self, job: Job) -> None:
        """A run starts."""
        with self._lock:
            self._tasks[job] = self._bars.add_task(f"{job.algorithm} on {job.game}", total=1.0, detail="")

    def going(self, job: Job, share: float, height: float) -> None:
        """A run has done a share of its way."""
        task = self._bars.tasks[self._bars.task_ids.index(self._tasks[job])]
        left = (task.elapsed or 0.0) * (1 - share) / max(share, 1e-9)
        told = "" if math.isnan(height) else f"{short(height)}  "
        self._bars.update(self._tasks[job], completed=share, detail=f"{told}{duration(left)} left")

    def done(self, job: Job, left: int) -> None:
        """A run is over."""
        with self._lock:
            self._bars.remove_task(self._tasks.pop(job))
            if self._all is None:
                self._all = self._bars.add_task("curves left", total=left + 1, detail="")
            total = self._bars.tasks[self._bars.task_ids.index(self._all)].total or 0
            self._bars.update(self._all, completed=total - left, detail=f"{left} of all")

    def standing(self, at: Standing) -> None:
        """How far the runs on other machines are."""
        telling = Telling()
        telling.solves(at)
        if self._all is None:
            self._all = self._bars.add_task("curves", total=at.count, detail="")
        self._bars.update(self._all, completed=at.done, detail=telling.detail)
        if not self._shown and time.monotonic() > self._due:
            self._due = time.monotonic() + LINES
            print(f"curves  {telling.detail}", file=sys.stderr)
