"""What Python shows of an object by itself: one line, and tables and pictures on the page of a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zerosum.support.text import mask_control_characters

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
"""A row of a table: the text of each column."""


def one_line(kind: str, text: str) -> str:
    """Return an object on one line: its class and a description.

    >>> one_line("Sweep", "kuhn:\\n12 runs")
    'Sweep(kuhn: 12 runs)'
    """
    line = mask_control_characters(f"{kind}({' '.join(text.split())})")
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 4]}...)"


def pairs(fields: Row) -> str:
    """Return a table of names and values, one pair per row; empty values are left out.

    >>> pairs({"game": "kuhn", "locked": ""}).replace(CELL, "")
    '<table><tr><th>game</th><td>kuhn</td></tr></table>'
    """
    rows = "".join(f"<tr>{_cell('th', name)}{_cell('td', text)}</tr>" for name, text in fields.items() if text)
    return f"<table>{rows}</table>"


def table(title: str, rows: Sequence[Row]) -> str:
    """Return the first rows of a table, and the number of the others."""
    if not rows:
        return ""
    heads = "".join(_cell("th", name) for name in rows[0])
    body = "".join(f"<tr>{''.join(_cell('td', text) for text in row.values())}</tr>" for row in rows[:MOST])
    more = f"<p>{len(rows) - MOST:,} more</p>" if len(rows) > MOST else ""
    return f"<p><b>{_escaped(title)}</b></p><table><tr>{heads}</tr>{body}</table>{more}"


def image(data: bytes, description: str) -> str:
    """Return an image element of a picture in PNG; the description is for those who cannot see it."""
    from base64 import b64encode

    width = int.from_bytes(data[16:20], "big") * INCH // DPI  # its head begins with its size
    return f'<img width="{width}" alt="{_escaped(description)}" src="data:image/png;base64,{b64encode(data).decode()}">'


def page(*parts: str) -> str:
    """Return several of these elements, one below the other."""
    return f"<div>{''.join(parts)}</div>"


def paragraph(text: str) -> str:
    """Return a paragraph of a sentence or two."""
    return f"<p>{_escaped(text)}</p>" if text else ""


def _cell(kind: str, text: str) -> str:
    return f"<{kind}{CELL}>{_escaped(text)}</{kind}>"


def _escaped(text: str) -> str:
    from html import escape  # a command that shows no page does without

    return escape(mask_control_characters(text))
