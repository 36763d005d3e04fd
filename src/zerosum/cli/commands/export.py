"""`zerosum export`: the strategy of a saved run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypedDict

from zerosum.cli.common_options import RunArgument
from zerosum.cli.console import get_data_stream, print_message, redirect_prints
from zerosum.problems.options import HOLDEM_PANEL
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option

EXPORT_EXAMPLES = """
zerosum export run/ --format csv > strategy.csv
zerosum export run/ --format parquet --out strategy.parquet    # needs pyarrow
zerosum export run/ --format openspiel --out policy.json    # for pyspiel.TabularPolicy
zerosum export turn/ --format pio --streets turn --out turn.txt    # hold'em, in PioSOLVER's order of hands
"""


class ExportArguments(TypedDict, total=False):
    run: RunArgument
    format: Annotated[str, Option("The format to write.", "csv|json|parquet|pio|openspiel", required=True)]
    out: Annotated[Path | None, Option("The file to write.", "FILE", default_text="standard output")]
    streets: Annotated[
        str | None,
        Option("Write the decisions up to this street: flop, turn or river.", "STREET", panel=HOLDEM_PANEL),
    ]


def export(arguments: ExportArguments) -> None:
    """Write the strategy of a saved run for other programs.

    csv and parquet have one row per action; json is the whole result. pio is for hold'em, with 1,326 numbers for each
    action of each decision. openspiel is a tabular policy, for kuhn, leduc and games named openspiel:...
    """
    run, format, out = arguments["run"], arguments["format"], arguments["out"]
    from zerosum.cli.progress import Display

    if out is not None:
        from zerosum.support.files import check_writable

        check_writable(out)
    with Display() as display:
        with redirect_prints():
            display.show_phase(f"reading {run}")
            from zerosum.runs.export import export as write
            from zerosum.runs.export import list_format_names
            from zerosum.runs.saved_run import load

            if format not in list_format_names():
                raise ZerosumError(f"--format must be one of {', '.join(list_format_names())}, not {format!r}")
            result = load(run)
        if result.locks:
            print_message(f"the strategy is that of a locked game: {'; '.join(result.locks)}")
        display.show_phase(f"writing {format}")
        report = (lambda count: display.show_phase(f"writing {format}", f"{count:,} done")) if out is not None else None
        write(result, format, get_data_stream() if out is None else out, arguments["streets"], report)
