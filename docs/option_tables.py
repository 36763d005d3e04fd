"""Write the tables of options into the manual, between the markers that name their groups.

    python docs/option_tables.py

A table stands between `<!-- options: module:Group -->` and `<!-- end -->`; with `keys` after the group it lists the
names that files and Python use. tests/test_option_tables.py compares.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from zerosum.support.options import manual_table

PAGES = [Path(__file__).with_name(name) for name in ("holdem.md", "runs.md")]
TABLE = re.compile(r"(<!-- options: ([\w.]+):(\w+)( keys)? -->\n).*?(<!-- end -->)", re.DOTALL)


def with_tables(page: str) -> str:
    """Return a page with its tables as the declarations have them."""

    def table(match: re.Match[str]) -> str:
        group = getattr(import_module(match[2]), match[3])
        return f"{match[1]}\n{manual_table(group, keys=bool(match[4]))}\n{match[5]}"

    return TABLE.sub(table, page)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_tables(path.read_text()))
