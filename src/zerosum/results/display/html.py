"""How Python shows an object: one line, or tables and pictures in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zerosum.support.text import mask_control_characters

DPI, SHOWN_DPI = 144, 80
"""Dots per inch of a picture as drawn and as shown: the picture is sharp on a fine screen."""
MAX_ROWS = 10
MAX_CHARACTERS = 200
"""The longest line."""
CELL = ' style="text-align: left; white-space: pre-wrap"'
"""The style of each cell, because Jupyter's own style for cells overrides that of a table."""
Row = Mapping[str, str]
"""A row of a table: the text of each column."""


def format_line(kind: str, text: str) -> str:
    """Return an object on one line: its class and a description.

    >>> format_line("Sweep", "kuhn:\\n12 runs")
    'Sweep(kuhn: 12 runs)'
    """
    line = mask_control_characters(f"{kind}({' '.join(text.split())})")
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 4]}...)"


def build_pairs(fields: Row) -> str:
    """Return a table of names and values, one pair per row; empty values are left out.

    >>> build_pairs({"game": "kuhn", "locked": ""}).replace(CELL, "")
    '<table><tr><th>game</th><td>kuhn</td></tr></table>'
    """
    rows = [_build_cell("th", name) + _build_cell("td", text) for name, text in fields.items() if text]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def build_table(title: str, rows: Sequence[Row]) -> str:
    """Return the first rows of a table, and the number of the others."""
    if not rows:
        return ""
    heads = "".join(_build_cell("th", name) for name in rows[0])
    body = "".join(f"<tr>{''.join(_build_cell('td', text) for text in row.values())}</tr>" for row in rows[:MAX_ROWS])
    more = f"<p>{len(rows) - MAX_ROWS:,} more</p>" if len(rows) > MAX_ROWS else ""
    return f"<p><b>{_escape(title)}</b></p><table><tr>{heads}</tr>{body}</table>{more}"


def build_image(data: bytes, description: str) -> str:
    """Return the image element of a PNG picture; the description is for readers who cannot see it."""
    from base64 import b64encode

    width = int.from_bytes(data[16:20], "big") * SHOWN_DPI // DPI  # the header of a PNG begins with its size
    return f'<img width="{width}" alt="{_escape(description)}" src="data:image/png;base64,{b64encode(data).decode()}">'


def build_page(*parts: str) -> str:
    """Return elements, one below another."""
    return f"<div>{''.join(parts)}</div>"


def build_paragraph(text: str) -> str:
    """Return a paragraph; nothing for an empty text."""
    return f"<p>{_escape(text)}</p>" if text else ""


def _build_cell(kind: str, text: str) -> str:
    return f"<{kind}{CELL}>{_escape(text)}</{kind}>"


def _escape(text: str) -> str:
    from html import escape  # only notebooks load it

    return escape(mask_control_characters(text))
