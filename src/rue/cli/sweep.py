"""`rue sweep`: an algorithm over a grid of its parameters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import dry, options, spots
from rue.cli.console import aside, output, print_json, sentence, table
from rue.cli.ends import INTERRUPTED
from rue.cli.typed import option
from rue.errors import RueError
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.runs.jobs import Job
    from rue.views.sweep import Sweep

SWEEP_EXAMPLES = """
rue sweep leduc kuhn --algorithm "dcfr({alpha}, {beta}, 2)" --grid alpha=1,1.5,2 beta=0,0.5 --plot sweep.svg
rue sweep leduc -a "dcfr({alpha}, 0, {gamma})" --grid alpha=1,1.5,2 --grid gamma=1,2,4 --until 1e-3 --out sweep/
rue sweep leduc -a "dcfr({alpha})" --grid alpha=1,1.5,2 --out sweep/ --on auto    [dim]on a Ray cluster[/dim]
rue sweep spot:river spot:turn -a "dcfr({alpha}, 0.5, 4)" --grid alpha=1,1.25,1.5 --until 0.2% --csv sweep.csv
"""

ROWS = 12
"""Points of the grid that are listed for each game."""
GRID = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)

Games = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME... [NAME=VALUES...]",
        help="Games or spots as rue solve takes them; also more of the grid.",
        show_default=False,
    ),
]
Template = Annotated[
    str, typer.Option("--algorithm", "-a", metavar="NAME", help="An algorithm with parameters in braces.")
]
Grid = Annotated[
    list[str],
    typer.Option("--grid", metavar="NAME=VALUES", help="The values of a parameter, with commas between them."),
]


@dataclass(frozen=True)
class Kept:
    """What is written, as it was typed."""

    out: Path | None = option("FOLDER", "Keep every run that is done; the same command goes on from there.")
    plot: Path | None = option("FILE", "Draw a map of the grid to an .svg, .png or .pdf file.")
    csv: Path | None = option("FILE", "Write a row a run.")
    on: options.On = None
    by: str | None = option(
        "exploitability|iterations|seconds|nodes", "What is best (iterations with --until, else exploitability)."
    )


def sweep(
    games: Games,
    algorithm: Template,
    grid: Grid,
    limited: options.Limited,
    given: spots.SpotParts,
    kept: Kept,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The seed of an algorithm that samples (0).")] = None,
    json: options.Json = False,
    dry_run: Annotated[bool, dry.Flag] = False,
) -> None:
    """Run an algorithm at every point of a grid of its parameters, on all cores, and show where it is best.

    Ctrl-C ends it and shows what is done; with --out the same command goes on from there.
    """
    import rue.studies.sweep as studies
    from rue.cli.progress import Display
    from rue.disk import check_writable, write_atomically

    named = [game for game in games if not GRID.fullmatch(game)]
    values = _grid([*grid, *(game for game in games if GRID.fullmatch(game))])
    if kept.plot is not None:
        from rue.views.plots import check_plot

        check_plot(kept.plot)
    if kept.csv is not None:
        check_writable(kept.csv)
    problems = [spots.problem_of(game, given) for game in named]
    run_options: dict[str, Any] = {**asdict(limited), "seed": seed}
    by: Any = kept.by
    if dry_run:
        dry.tell(_kinds(studies.jobs_of(problems, algorithm, values, run_options)), json)
        return
    with aside(), Display() as display:
        display.stage(algorithm, 0)
        where: dict[str, Any] = {"out": kept.out, "on": kept.on}
        found = studies.sweep(problems, algorithm, values, by=by, progress=display.solves, **where, **run_options)
    if kept.plot is not None and found.rows:
        from rue.views.heat import heat_map

        heat_map(found, kept.plot)
    if kept.csv is not None:
        write_atomically(kept.csv, found.csv().encode())
    if json:
        print_json(found.content())
    else:
        show(found)
    if found.missing:
        kept_told = f"; the same command goes on from {kept.out}" if kept.out is not None else ""
        sentence(f"{found.missing} of {found.missing + len(found.rows)} runs were not done{kept_told}")
        raise typer.Exit(INTERRUPTED)
    if found.failures:
        raise RueError("; ".join(found.failures))


def _kinds(jobs: Sequence[Job]) -> list[dry.Runs]:
    """The runs of each game: all points of the grid take what the first one takes."""
    count = Counter(job.problem.name for job in jobs)
    firsts = {job.problem.name: job for job in reversed(jobs)}
    return [
        dry.Runs(job.problem, job.algorithm, job.limits, count[name], name) for name, job in reversed(firsts.items())
    ]


def _grid(texts: list[str]) -> dict[str, list[str]]:
    """The values of each parameter.

    >>> _grid(["alpha=1,1.5,2", "beta=0"])
    {'alpha': ['1', '1.5', '2'], 'beta': ['0']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        match = GRID.fullmatch(text)
        if match is None:
            raise RueError(f"cannot read --grid {text!r}: write a name and values, like alpha=1,1.5,2")
        if match[1] in found:
            raise RueError(f"--grid has {match[1]} twice")
        found[match[1]] = [value.strip() for value in re.split(r",(?![^\[(]*[\])])", match[2]) if value.strip()]
    return found


def show(found: Sweep) -> None:
    """The best points of each game, and over all games."""
    from rue.views.sweep import ON_ALL

    for game in found.games:
        rows = found.table(game)
        _print(f"{game}: {found.algorithm}", rows)
        if len(rows) > ROWS:
            told = f"{len(rows) - ROWS} more points are worse (--json and --csv have them)\n"
            output().print(told, soft_wrap=True)
    if len(found.games) > 1:
        _print(ON_ALL, found.overall_table())


def _print(title: str, rows: list[dict[str, str]]) -> None:
    if not rows:
        return
    shown = table(*rows[0], title=title, right=tuple(rows[0]))
    for number, row in enumerate(rows[:ROWS]):
        shown.add_row(*map(Text, row.values()), style="bold" if number == 0 else "")
    output().print(shown)
