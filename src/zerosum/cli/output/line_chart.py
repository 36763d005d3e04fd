"""A log-log chart of characters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

Curve = Sequence[tuple[float, float]]
AXIS_LABELS = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes touched"}
"""The titles of the axes."""
NARROWEST = 8
"""Columns that a chart needs."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


PRETTY, PLAIN = tuple("•│┤└─┬"), tuple("*|++-+")
"""The characters of a chart: mark, side, tick, corner, line, and what is under a number."""


def draw_line_chart(
    curves: Mapping[str, Curve], unit: str = "iterations", width: int = 64, height: int = 10, ascii_only: bool = False
) -> list[str]:
    """Return the lines of a chart of positive points, curves marked by letters; none without a curve or room.

    >>> print("\\n".join(draw_line_chart({"cfr": [(1, 1.0), (100, 0.01)]}, width=22, height=5, ascii_only=True)))
        1 +***
          |   *****
      0.1 +        ******
          |              *****
     0.01 +                   ***
          ++---------+----------+
           1        10         100  iterations
    """
    drawn = {
        name: [(math.log10(x), math.log10(y)) for x, y in curve if x > 0 and y > 0] for name, curve in curves.items()
    }
    drawn = {name: points for name, points in drawn.items() if len(points) > 1 and points[-1][0] > points[0][0]}
    if not drawn or width < NARROWEST:
        return []
    glyphs = PLAIN if ascii_only else PRETTY
    mark, side, tick, *_ = glyphs
    marks = mark if len(curves) == 1 else LETTERS
    left, right = _find_range([x for points in drawn.values() for x, _ in points])
    bottom, top = _find_range([y for points in drawn.values() for _, y in points])
    cells = [[" "] * width for _ in range(height)]
    for letter, points in zip(marks, drawn.values(), strict=False):
        for column, y in _interpolate(points, left, right, width):
            cells[round((top - y) / (top - bottom) * (height - 1))][column] = letter
    labels = _label_rows(bottom, top, height)
    margin = max(len(text) for text in labels.values()) + 1
    lines = [
        f"{labels.get(row, ''):>{margin}} {tick if row in labels else side}{''.join(line).rstrip()}"
        for row, line in enumerate(cells)
    ]
    lines += _draw_x_axis(left, right, width, margin, glyphs, unit)
    if len(curves) > 1:
        named = zip(marks, drawn, strict=False)
        lines.append(" " * (margin + 2) + "   ".join(f"{letter} {name}" for letter, name in named))
    return lines


def _find_range(logs: list[float]) -> tuple[float, float]:
    low, high = min(logs), max(logs)
    return (low, high) if high - low > 1e-6 else (low - 0.5, high + 0.5)


def _interpolate(points: Curve, left: float, right: float, width: int) -> Iterator[tuple[int, float]]:
    """Yield the columns of a curve and its height in each."""
    scale = (width - 1) / (right - left)
    for (x0, y0), (x1, y1) in pairwise(points):
        first, last = round((x0 - left) * scale), round((x1 - left) * scale)
        for column in range(first, last + 1):
            share = (column - first) / (last - first) if last > first else 1.0
            yield column, y0 + (y1 - y0) * share


def _label_rows(bottom: float, top: float, height: int) -> dict[int, str]:
    """Return the labels of the y axis by row: the powers of ten, or the two ends if these are few."""
    powers = range(math.ceil(bottom - 1e-9), math.floor(top + 1e-9) + 1)
    if len(powers) < 2:
        return {0: f"{10**top:.2g}", height - 1: f"{10**bottom:.2g}"}
    step = -(-len(powers) // ((height + 1) // 2))
    return {round((top - power) / (top - bottom) * (height - 1)): _format_power(power) for power in powers[::-step]}


def _draw_x_axis(left: float, right: float, width: int, margin: int, glyphs: tuple[str, ...], unit: str) -> list[str]:
    """Return the line of the x axis and the line of its labels."""
    *_, corner, line, under = glyphs
    axis = [line] * width
    numbers = [" "] * (width + 12)
    free = 0
    powers = range(math.ceil(left - 1e-9), math.floor(right + 1e-9) + 1)
    ticks: list[float] = list(powers) if len(powers) > 1 else [left, right]
    for tick in ticks:
        column = round((tick - left) / (right - left) * (width - 1))
        text = _format_power(tick) if tick in powers else f"{10**tick:.2g}"
        start = max(0, column - len(text) // 2)
        if start < free:
            continue
        axis[column] = under
        numbers[start : start + len(text)] = text
        free = start + len(text) + 1
    indent = " " * (margin + 1)
    return [f"{indent}{corner}{''.join(axis)}", f"{indent} {''.join(numbers).rstrip()}  {unit}"]


def _format_power(power: float) -> str:
    """Return a power of ten, written out if it is short.

    >>> _format_power(3), _format_power(-2), _format_power(6)
    ('1,000', '0.01', '1e6')
    """
    if 0 <= power <= 4:
        return f"{10**power:,.0f}"
    return f"{10.0**power:.{-int(power)}f}" if -3 <= power < 0 else f"1e{power:.0f}"
