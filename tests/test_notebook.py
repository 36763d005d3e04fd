"""Notebooks, in a real kernel of Jupyter: the tour of the documents, and progress under a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parents[1] / "docs" / "tour.ipynb"


def executed(notebook: Any) -> Any:
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return notebook


def kinds(notebook: Any) -> list[list[str]]:
    """What each cell of code shows: texts, pictures, pages."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [[output for output in cell.outputs if output.get("data", {}).get("text/plain") != ""] for cell in cells]
    return [sorted({kind for output in each for kind in output.get("data", {"stream": 0})}) for each in shown]


def test_the_tour_runs_and_shows_what_it_has_kept() -> None:
    kept = nbformat.read(TOUR, as_version=4)
    nbformat.validate(kept)
    assert not any(place in TOUR.read_text() for place in ("/home/", str(TOUR.parents[1])))
    assert all(cell.outputs for cell in kept.cells if cell.cell_type == "code")
    assert sum("image/png" in kind for kind in kinds(kept)) >= 3
    again = nbformat.read(TOUR, as_version=4)
    assert kinds(executed(again)) == kinds(kept)


SETUP = """
import rue, rue.views.notebook as notebook
notebook.DELAY = notebook.EVERY = 0.0
lines = []
show = notebook.Live._show
def heard(self, text):
    lines.append(text)
    show(self, text)
notebook.Live._show = heard
"""
WATCHED = """
lines.clear()
result = {call}
print(len(lines) > 2, any("kuhn" in line or "seeds" in line or "iterations" in line for line in lines), lines[-1] == "")
quiet = len(lines)
_ = rue.solve("kuhn", iterations=10, progress=lambda at: None)
print(len(lines) == quiet, notebook.in_notebook())
"""


def test_progress_is_shown_under_the_cell_and_taken_away() -> None:
    """Of a solve and of many seeds, in one kernel."""
    calls = ("rue.solve('kuhn', iterations=300)", "rue.repeat('kuhn', seeds=2, nodes=2000)")
    sources = [SETUP, *(WATCHED.format(call=call) for call in calls)]
    notebook = executed(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources]))
    for cell in notebook.cells[1:]:
        told = "".join(each["text"] for each in cell.outputs if each.output_type == "stream")
        assert told == "True True True\nTrue True\n"
        [line] = [each for each in cell.outputs if each.output_type == "display_data"]
        assert line["data"]["text/plain"] == ""
