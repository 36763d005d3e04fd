"""`rue export`: the strategy of a saved run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rue.cli import options, spots
from rue.cli.console import aside, data_output, sentence
from rue.errors import RueError

EXPORT_EXAMPLES = """
rue export run/ --format csv > strategy.csv
rue export run/ --format parquet --out strategy.parquet    [dim]needs pyarrow[/dim]
rue export run/ --format openspiel --out policy.json    [dim]for pyspiel.TabularPolicy[/dim]
rue export turn/ --format pio --streets turn --out turn.txt    [dim]hold'em, in PioSOLVER's order of hands[/dim]
"""

Format = Annotated[
    str,
    typer.Option("--format", metavar="csv|json|parquet|pio|openspiel", help="What to write."),
]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; standard output by default.")]


def export(
    run: options.Saved,
    format: Format,
    out: Out = None,
    streets: spots.Streets = None,
) -> None:
    """Write the strategy of a saved run: a row an action in csv and parquet, the whole result in json.

    pio is hold'em's: 1,326 numbers for each action of each decision. openspiel is a tabular policy of kuhn, leduc and
    games that were solved as openspiel:...
    """
    from rue.cli.progress import Display

    if out is not None:
        from rue.disk import check_writable

        check_writable(out)
    with Display() as display:
        with aside():
            display.say(f"reading {run}")
            from rue.runs.export import FORMATS, export
            from rue.runs.opened import load

            if format not in FORMATS:
                raise RueError(f"--format must be one of {', '.join(FORMATS)}, not {format!r}")
            result = load(run)
        if result.locks:
            sentence(f"the strategy is that of a locked game: {'; '.join(result.locks)}")
        display.say(f"writing {format}")
        told = (lambda count: display.say(f"writing {format}", f"{count:,} done")) if out is not None else None
        export(result, format, data_output() if out is None else out, streets, told)
