"""Results as tables of other programs: curves for pandas, numbers for LaTeX and for the page of a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from zerosum.results.display.curve_plot import draw_curves, list_runs
from zerosum.results.display.drawing import encode_drawing
from zerosum.results.display.html import DPI, image, one_line, page, pairs
from zerosum.support.errors import missing_extra
from zerosum.support.text import format_duration, format_number

if TYPE_CHECKING:
    from zerosum.results.result import Numbers

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
           "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip


def curve_frame(runs: Numbers | Iterable[Numbers]) -> Any:
    """The curves of one or several results as one pandas table, a row a point; needs pandas.

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
    return frame(rows, [*columns, *(["low", "high"] if any("low" in row for row in rows) else [])])


def to_latex(runs: Numbers | Iterable[Numbers]) -> str:
    r"""One or several results as the rows of a LaTeX table, for the package booktabs.

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
    heads = f"game & algorithm & iterations & exploitability{unit} & value"
    rows = [
        f"{_text(run.game)} & {_text(run.algorithm)} & {run.iterations:,} & {_number(run.exploitability)} "
        f"& {_number(run.value)}"
        for run in listing
    ]
    ends = [r"\bottomrule", r"\end{tabular}"]
    lines = [
        r"\begin{tabular}{llrrr}",
        r"\toprule",
        rf"{heads} \\",
        r"\midrule",
        *(rf"{row} \\" for row in rows),
        *ends,
    ]
    return "\n".join(lines)


def _text(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def _number(value: float) -> str:
    """Return a number with four digits, and its power of ten if it has one."""
    if math.isnan(value):
        return "--"
    digits, _, power = format_number(value).partition("e")
    return f"${digits}$" if not power else rf"${digits}\times10^{{{int(power)}}}$"


def summary_rows(run: Numbers) -> dict[str, str]:
    """Return the numbers of a run as text, by name."""
    is_evaluated = not math.isnan(run.exploitability)
    return {
        "game": run.game,
        "algorithm": run.algorithm,
        "infosets": f"{run.infosets:,}",
        "iterations": f"{run.iterations:,} in {format_duration(run.seconds)}",
        "exploitability": run.unit.format(run.exploitability) if is_evaluated else "not known",
        "value": f"{format_number(run.value)} {run.unit.name}".rstrip() if is_evaluated else "not known",
        "stopped": run.stopped,
    }


def html(run: Numbers) -> str:
    """Return the numbers of a run and a picture of its curve, for a notebook."""
    drawn = ""
    if sum(point.exploitability > 0 for point in run.curve) > 1:
        data = encode_drawing(lambda figure: draw_curves(figure.add_subplot(), [run], run.across), "png", DPI)
        drawn = image(data, "the curve of its exploitability")
    return page(pairs(summary_rows(run)), drawn)


def brief(run: Numbers) -> str:
    """Return a run on one line."""
    count = f"{run.iterations:,} iterations"
    quality = f"exploitability {run.unit.format_short(run.exploitability)}, value {format_number(run.value)}"
    reached = "" if math.isnan(run.exploitability) else f", {quality}"
    return one_line(type(run).__name__, f"{run.title}: {count}{reached}, stopped: {run.stopped}")


def frame(rows: Sequence[Any], columns: Sequence[str]) -> Any:
    """Return a pandas table of rows that have their values in the order of the columns, or by their names."""
    try:
        import pandas
    except ImportError:
        raise missing_extra("a frame", "pandas") from None
    return pandas.DataFrame(list(rows), columns=list(columns))
