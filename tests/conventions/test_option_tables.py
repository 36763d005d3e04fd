"""The tables of options in the manual are those of the declarations."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "option_tables.py"))


@pytest.mark.parametrize("path", SCRIPT["PAGES"], ids=lambda path: path.name)
def test_the_tables_of_options_are_current(path: Path) -> None:
    page = path.read_text()
    assert SCRIPT["TABLE"].search(page), "the page has no table of options"
    assert SCRIPT["with_tables"](page) == page, "run python docs/option_tables.py"
