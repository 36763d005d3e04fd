"""Results as tables of other programs: curves for pandas, numbers for LaTeX and for the page of a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rue.errors import RueError
from rue.results.drawing import listed, picture
from rue.results.page import DPI, image, one_line, page, pairs
from rue.words import duration, short

if TYPE_CHECKING:
    from rue.results.result import Numbers

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
           "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}  # fmt: skip


def curve_frame(runs: Numbers | Iterable[Numbers]) -> Any:
    """The curves of one or several results as one pandas table, a row a point; needs `pip install "rue[pandas]"`.

    >>> import rue
    >>> curve_frame(rue.compare("kuhn", ["cfr", "dcfr"], iterations=3))[["algorithm", "iteration"]].values.tolist()
    [['cfr', 1], ['cfr', 2], ['cfr', 3], ['dcfr', 1], ['dcfr', 2], ['dcfr', 3]]
    """
    rows = [
        {"game": run.game, "algorithm": run.algorithm, **asdict(point)} for run in listed(runs) for point in run.curve
    ]
    columns = ["game", "algorithm", "iteration", "seconds", "exploitability", "nash_conv", "value", "nodes"]
    return frame(rows, [*columns, *(["low", "high"] if any("low" in row for row in rows) else [])])


def to_latex(runs: Numbers | Iterable[Numbers]) -> str:
    r"""One or several results as the rows of a LaTeX table, for the package booktabs.

    >>> import rue
    >>> print(to_latex(rue.solve("matrix([[1, -1], [-1, 1]])", "cfr", iterations=4)))
    \begin{tabular}{llrrr}
    \toprule
    game & algorithm & iterations & exploitability & value \\
    \midrule
    matrix([[1, -1], [-1, 1]]) & cfr & 4 & $0$ & $0$ \\
    \bottomrule
    \end{tabular}
    """
    shown = listed(runs)
    units = {run.unit.name for run in shown if run.unit.name}
    unit = f" ({units.pop()})" if len(units) == 1 and all(run.unit.name for run in shown) else ""
    heads = f"game & algorithm & iterations & exploitability{unit} & value"
    rows = [
        f"{_text(run.game)} & {_text(run.algorithm)} & {run.iterations:,} & {_number(run.exploitability)} "
        f"& {_number(run.value)}"
        for run in shown
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
    """Four digits, with a power of ten where it has one."""
    if math.isnan(value):
        return "--"
    digits, _, power = short(value).partition("e")
    return f"${digits}$" if not power else rf"${digits}\times10^{{{int(power)}}}$"


def told(run: Numbers) -> dict[str, str]:
    """The numbers of a run in words, by what they are."""
    known = not math.isnan(run.exploitability)
    return {
        "game": run.game,
        "algorithm": run.algorithm,
        "infosets": f"{run.infosets:,}",
        "iterations": f"{run.iterations:,} in {duration(run.seconds)}",
        "exploitability": run.unit.told(run.exploitability) if known else "not known",
        "value": f"{short(run.value)} {run.unit.name}".rstrip() if known else "not known",
        "stopped": run.stopped,
    }


def html(run: Numbers) -> str:
    """The numbers of a run and a picture of its curve, for a notebook."""
    drawn = ""
    if sum(point.exploitability > 0 for point in run.curve) > 1:
        drawn = image(picture([run], run.across, "png", DPI), "the curve of its exploitability")
    return page(pairs(told(run)), drawn)


def brief(run: Numbers) -> str:
    """A run on one line."""
    count = f"{run.iterations:,} iterations"
    known = f"exploitability {run.unit.briefly(run.exploitability)}, value {short(run.value)}"
    reached = "" if math.isnan(run.exploitability) else f", {known}"
    return one_line(type(run).__name__, f"{run.title}: {count}{reached}, stopped: {run.stopped}")


def frame(rows: Sequence[Any], columns: Sequence[str]) -> Any:
    """A table of pandas, of rows that have their values in the order of the columns, or by their names."""
    try:
        import pandas
    except ImportError:
        raise RueError('a frame needs pandas: pip install "rue[pandas]"') from None
    return pandas.DataFrame(list(rows), columns=list(columns))
