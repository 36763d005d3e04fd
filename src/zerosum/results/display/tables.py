"""Results as tables of other programs: curves for pandas, numbers for LaTeX."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from zerosum.results.display.curve_plot import list_runs
from zerosum.support.errors import missing_extra_error
from zerosum.support.text import format_number

if TYPE_CHECKING:
    from zerosum.results.result import Numbers

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
           "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip


def curve_frame(runs: Numbers | Iterable[Numbers]) -> Any:
    """Return the curves of one or several results as one pandas table, one row per point; needs pandas.

    >>> import zerosum
    >>> curve_frame(zerosum.compare("kuhn", ["cfr", "dcfr"], iterations=3))[["algorithm", "iteration"]].values.tolist()
    [['cfr', 1], ['cfr', 2], ['cfr', 3], ['dcfr', 1], ['dcfr', 2], ['dcfr', 3]]
    """
    rows = [
        {"game": run.game, "algorithm": run.algorithm, **asdict(point)}
        for run in list_runs(runs)
        for point in run.curve
    ]
    columns = ["game", "algorithm", "iteration", "seconds", "exploitability", "nash_conv", "value", "nodes"]
    return create_frame(rows, [*columns, *(["low", "high"] if any("low" in row for row in rows) else [])])


def to_latex(runs: Numbers | Iterable[Numbers]) -> str:
    r"""Return one or several results as a LaTeX table, one row per result, for the package booktabs.

    >>> import zerosum
    >>> print(to_latex(zerosum.solve("matrix([[1, -1], [-1, 1]])", "cfr", iterations=4)))
    \begin{tabular}{llrrr}
    \toprule
    game & algorithm & iterations & exploitability & value \\
    \midrule
    matrix([[1, -1], [-1, 1]]) & cfr & 4 & $0$ & $0$ \\
    \bottomrule
    \end{tabular}
    """
    listing = list_runs(runs)
    units = {run.unit.name for run in listing if run.unit.name}
    unit = f" ({units.pop()})" if len(units) == 1 and all(run.unit.name for run in listing) else ""
    lines = [
        r"\begin{tabular}{llrrr}",
        r"\toprule",
        rf"game & algorithm & iterations & exploitability{unit} & value \\",
        r"\midrule",
    ]
    for run in listing:
        numbers = f"{run.iterations:,} & {_format_latex(run.exploitability)} & {_format_latex(run.value)}"
        lines.append(rf"{_escape(run.game)} & {_escape(run.algorithm)} & {numbers} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _escape(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def _format_latex(value: float) -> str:
    """Return a number with four digits, and its power of ten if it has one."""
    if math.isnan(value):
        return "--"
    digits, _, power = format_number(value).partition("e")
    return f"${digits}$" if not power else rf"${digits}\times10^{{{int(power)}}}$"


def create_frame(rows: Sequence[Any], columns: Sequence[str]) -> Any:
    """Return a pandas table of rows that have their values in the order of the columns, or by their names."""
    try:
        import pandas
    except ImportError:
        raise missing_extra_error("a frame", "pandas") from None
    return pandas.DataFrame(list(rows), columns=list(columns))
