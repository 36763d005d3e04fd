"""How hold'em presents itself to the rest of the package: the code behind its entry in `zerosum.PROBLEM_KINDS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.holdem.problem.problem import SpotProblem

if TYPE_CHECKING:
    from zerosum.holdem.solution.strategy import PioText
    from zerosum.problems.problem import StageCallback
    from zerosum.results.diff import Diff, DiffSettings
    from zerosum.results.strategy import StrategySource


def make_problem(value: Any, options: Mapping[str, Any]) -> SpotProblem:
    """Return the problem of a spot, or of a name like `spot:river` with the parts that it leaves open."""
    from zerosum.holdem.spots.files import resolve_spot

    spot = resolve_spot(value, options.get("folder"), **options.get("parts", {})) if isinstance(value, str) else value
    storage = options.get("isomorphism") is not False, options.get("half") or False
    return SpotProblem(spot, *storage, options.get("streets"), options["locks"], options["unlocked"])


def get_problem_class() -> type[SpotProblem]:
    """Return the class of the problems of spots, which reads their saved runs."""
    return SpotProblem


def read_strategy(text: str, path: str | Path) -> PioText:
    """Read a strategy in PioSOLVER's text format."""
    from zerosum.holdem.solution.pio import read_pio

    return read_pio(text, path)


def compare_strategies(
    problem: Any, first: StrategySource, second: StrategySource, settings: DiffSettings, notify: StageCallback | None
) -> Diff:
    """Compare two strategies of a spot; one of them may be an export."""
    from zerosum.holdem.study import diff

    progress = None if notify is None else lambda count: notify("decisions", count)
    return diff.compare_strategies(problem.spot, first, second, settings, progress)


def explain_name(name: str) -> str | None:
    """Return a hint for poker under another name, or of a kind that is not solved."""
    from zerosum.holdem.problem.name_hints import explain_other_poker

    return explain_other_poker(name)


def find_exporter(name: str) -> Callable[..., Any]:
    """Return the function that writes a strategy in a format that only hold'em has."""
    from zerosum.holdem.solution.pio import write_pio

    return {"pio": write_pio}[name]
