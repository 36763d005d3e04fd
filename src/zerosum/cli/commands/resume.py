"""`zerosum resume`: continue a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypedDict

from zerosum.cli.common_options import OutputOptions, check_plot, print_result, warn_about_unit
from zerosum.cli.console import print_message, redirect_prints
from zerosum.engine.limits import ResumeLimitOptions
from zerosum.problems.options import ClusterOptions
from zerosum.support.options import Argument, Option, select_options

RESUME_EXAMPLES = """
zerosum resume run/    # a run that was stopped or killed continues to its original end
zerosum resume run/ --iterations +1000    # a thousand more; without the plus, the total
zerosum resume run/ --until 1e-4 --seconds 600    # for hold'em also --until 0.1%
zerosum resume run/ --on auto --machines 3    # on a Ray cluster, wherever it ran before
zerosum resume run/ --game my_game.py:MyGame --algorithm my_rule.py:mine --iterations +1000
"""


# fmt: off
class CustomCode(TypedDict, total=False):
    """Code that a saved run needs and does not contain."""

    game: Annotated[str | None, Option("The game, if it is a Python file: a saved run never runs code.",
        "FILE.py:NAME")]
    algorithm: Annotated[str | None, Option("The algorithm, if it is a Python file.", "FILE.py:NAME",
        flags=("--algorithm", "-a"))]
# fmt: on


class ResumeArguments(ResumeLimitOptions, OutputOptions, CustomCode, ClusterOptions, total=False):
    run: Annotated[Path, Argument("A folder or file that `zerosum solve --out` wrote.", "RUN", required=True)]


def resume(arguments: ResumeArguments) -> None:
    """Continue a saved run and save it again.

    The result equals that of an uninterrupted run, digit for digit. Ctrl-C ends the run and keeps the result so far.
    """
    import zerosum.api as api
    from zerosum.cli.progress import Display
    from zerosum.results.strategy_view import Selection
    from zerosum.runs.saved_run import SavedRun

    path = arguments["run"]
    check_plot(arguments["plot"])
    with redirect_prints(), Display() as display:
        display.show_phase(f"reading {path}")
        with SavedRun(path) as opened:
            last_part = opened.segments[-1]
        options = (
            select_options(ResumeLimitOptions, arguments)
            | select_options(CustomCode, arguments)
            | select_options(ClusterOptions, arguments)
        )
        run = api.open_run(path, listener=display.listener, **options)
        display.set_unit(run.problem.unit)
        warn_about_unit(run.problem.unit, arguments["until"])
        result = run.finish()
    _warn_about_code_version(last_part)
    print_result(result, Selection(), arguments)


def _warn_about_code_version(part: dict[str, object]) -> None:
    """Say so if an earlier part of a run was computed by other code."""
    from zerosum.support.source_hash import code_version

    if part.get("code") != code_version():
        print_message(
            f"this run was started by another version ({part.get('zerosum')}), so its last digits may differ from "
            "those of an uninterrupted run"
        )
