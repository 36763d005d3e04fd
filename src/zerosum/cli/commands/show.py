"""`zerosum show`: the strategy of a saved result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from zerosum.cli.common_options import DecisionOptions, Json, RunArgument
from zerosum.cli.console import print_json
from zerosum.support.options import Option, select_options

if TYPE_CHECKING:
    from zerosum.results.result import Result

SHOW_EXAMPLES = """
zerosum show run/
zerosum show run/ --player 1 --infoset "^K" --min-reach 0.05
zerosum show leduc.json.gz --json > strategy.json
zerosum show turn/ --line "check bet50 call 4d" --hand AKs    # a hold'em result
"""

LIMIT = 40


# fmt: off
class InfosetOptions(TypedDict, total=False):
    """Which information sets are shown."""

    player: Annotated[int | None, Option("Only this player's information sets.", "1|2")]
    infoset: Annotated[str | None, Option("Only information sets that match this regular expression.", "REGEX")]
    min_reach: Annotated[float,
        Option("Only information sets that the player's own actions reach with at least this probability.", "P",
        default=0.0)]
    limit: Annotated[int | None, Option("Show at most N.", "N", default_text=f"{LIMIT}; all with `--json`")]
# fmt: on


class ShowArguments(InfosetOptions, DecisionOptions, total=False):
    run: RunArgument
    json: Json


def show(arguments: ShowArguments) -> None:
    """Show a saved strategy: its information sets, or a decision of a hold'em spot.

    A run that is still in progress, or was killed, is shown as it was last saved.
    """
    from zerosum.cli.console import redirect_prints
    from zerosum.cli.output.blocks import print_blocks
    from zerosum.cli.progress import Display
    from zerosum.results.strategy_view import Selection

    selection = Selection(**select_options(InfosetOptions, arguments), **select_options(DecisionOptions, arguments))
    with Display() as display:
        display.show_phase(f"reading {arguments['run']}")
        result, about = _load_with_header(arguments["run"])
    if arguments["json"]:
        with redirect_prints():
            content = result.view(selection).to_json()
        numbers = {key: value for key, value in result.summary().items() if key != "curve"}
        print_json({**numbers, **about, **content})
        return
    if selection.limit is None and not selection.is_in_spot:
        selection = replace(selection, limit=LIMIT)
    print_blocks(result.view_blocks(selection))


def _load_with_header(path: Path) -> tuple[Result, dict[str, Any]]:
    """Return the result in a file, and the header of a run."""
    from zerosum.runs.run_location import locate_run_file
    from zerosum.runs.saved_run import SavedRun, load
    from zerosum.support.array_file import is_array_file

    if not is_array_file(locate_run_file(path)):
        return load(path), {}
    with SavedRun(path) as run:
        return run.result(), {"run": run.about}
