"""Write the tables of options into the manual, between the markers that name their groups.

    python docs/option_tables.py

A table stands between `<!-- options: module:Group -->` and `<!-- end -->`; with `keys` after the group it lists the
names that files and Python use. tests/conventions/test_option_tables.py compares.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from zerosum.support.options import Argument, read_declarations

PAGES = [Path(__file__).with_name(name) for name in ("holdem.md", "runs.md")]
TABLE = re.compile(r"(<!-- options: ([\w.]+):(\w+)( keys)? -->\n).*?(<!-- end -->)", re.DOTALL)


def format_options(group: type, keys: bool) -> str:
    """Return the options of a group as a Markdown table: by flag or, with `keys`, by the name in files and Python."""
    heads = ("key", "type", "default", "meaning") if keys else ("option", "default", "meaning")
    rows = [heads, ("---",) * len(heads)]
    for declaration in read_declarations(group).values():
        option, negated = declaration.option, declaration.option.default is True
        default = "required" if option.required else option.default_text or ("true" if negated else "none")
        if keys:
            meaning = option.manual if negated else f"{option.help} {option.manual}"
            rows.append((f"`{declaration.name}`", declaration.noun, default, meaning.strip()))
        elif option.flags is not None and not isinstance(option, Argument):
            flags = ", ".join(f"`{flag}`" for flag in declaration.flags)
            value = f" `{option.metavar}`" if option.metavar else ""
            rows.append((f"{flags}{value}", option.default_text, f"{option.help} {option.manual}".strip()))
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def with_tables(page: str) -> str:
    """Return a page with its tables as the declarations have them."""

    def table(match: re.Match[str]) -> str:
        group = getattr(import_module(match[2]), match[3])
        return f"{match[1]}\n{format_options(group, keys=bool(match[4]))}\n{match[5]}"

    return TABLE.sub(table, page)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_tables(path.read_text()))
