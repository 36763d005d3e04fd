"""What Python shows of an object by itself: one line, and tables and pictures on the page of a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rue.words import visible

DPI = 144
"""Dots of a picture an inch."""
INCH = 80
"""How wide a page shows an inch of it."""
MOST = 10
"""Rows of a table on a page."""
LONGEST = 200
"""Characters of a line."""

CELL = ' style="text-align: left; white-space: pre-wrap"'
"""Of each cell: the pages of Jupyter say otherwise for cells, whatever their table says."""

Row = Mapping[str, str]
"""A row of a table: what stands in each column."""


def one_line(kind: str, told: str) -> str:
    """An object on one line: what it is, and what is to be known of it.

    >>> one_line("Sweep", "kuhn:\\n12 runs")
    'Sweep(kuhn: 12 runs)'
    """
    text = visible(f"{kind}({' '.join(told.split())})")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]}...)"


def pairs(told: Row) -> str:
    """Names and what they stand for, below each other; what is empty is left out.

    >>> pairs({"game": "kuhn", "locked": ""}).replace(CELL, "")
    '<table><tr><th>game</th><td>kuhn</td></tr></table>'
    """
    rows = "".join(f"<tr>{_cell('th', name)}{_cell('td', text)}</tr>" for name, text in told.items() if text)
    return f"<table>{rows}</table>"


def table(title: str, rows: Sequence[Row]) -> str:
    """The first rows of a table, and how many more there are."""
    if not rows:
        return ""
    heads = "".join(_cell("th", name) for name in rows[0])
    body = "".join(f"<tr>{''.join(_cell('td', text) for text in row.values())}</tr>" for row in rows[:MOST])
    more = f"<p>{len(rows) - MOST:,} more</p>" if len(rows) > MOST else ""
    return f"<p><b>{_escaped(title)}</b></p><table><tr>{heads}</tr>{body}</table>{more}"


def image(data: bytes, told: str) -> str:
    """A picture in PNG; `told` is for who cannot see it."""
    from base64 import b64encode

    width = int.from_bytes(data[16:20], "big") * INCH // DPI  # its head begins with its size
    return f'<img width="{width}" alt="{_escaped(told)}" src="data:image/png;base64,{b64encode(data).decode()}">'


def page(*parts: str) -> str:
    """Several of these below each other."""
    return f"<div>{''.join(parts)}</div>"


def paragraph(text: str) -> str:
    """A sentence or two."""
    return f"<p>{_escaped(text)}</p>" if text else ""


def _cell(kind: str, text: str) -> str:
    return f"<{kind}{CELL}>{_escaped(text)}</{kind}>"


def _escaped(text: str) -> str:
    from html import escape  # a command that shows no page does without

    return escape(visible(text))
