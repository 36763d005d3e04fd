"""Notebooks, in a real kernel of Jupyter: the tour of the documents, and progress under a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import zerosum
from zerosum.runs.notebook import NotebookLine

TOUR = Path(__file__).parents[2] / "docs" / "tour.ipynb"


def executed(notebook: Any) -> Any:
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    return notebook


def kinds(notebook: Any) -> list[list[str]]:
    """Return the MIME types that each code cell shows: texts, pictures, pages."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown_by_cell = [
        [output for output in cell.outputs if output.get("data", {}).get("text/plain") != ""] for cell in cells
    ]
    return [
        sorted({kind for output in outputs for kind in output.get("data", {"stream": 0})}) for outputs in shown_by_cell
    ]


def test_the_tour_runs_and_shows_its_stored_outputs() -> None:
    stored = nbformat.read(TOUR, as_version=4)
    nbformat.validate(stored)
    assert not any(place in TOUR.read_text() for place in ("/home/", str(TOUR.parents[1])))
    assert all(cell.outputs for cell in stored.cells if cell.cell_type == "code")
    assert sum("image/png" in kind for kind in kinds(stored)) >= 3
    again = nbformat.read(TOUR, as_version=4)
    assert kinds(executed(again)) == kinds(stored)


SETUP = """
import zerosum, zerosum.runs.notebook as notebook
notebook.DELAY_SECONDS = notebook.REFRESH_SECONDS = 0.0
lines = []
show = notebook.NotebookLine._show_text
def heard(self, text):
    lines.append(text)
    show(self, text)
notebook.NotebookLine._show_text = heard
"""
WATCHED = """
lines.clear()
result = {call}
texts = ("kuhn", "seeds", "iterations", "of 3 done", "of 48 done")
print(len(lines) > 2, any(text in line for text in texts for line in lines), lines[-1] == "")
quiet = len(lines)
_ = zerosum.solve("kuhn", iterations=10, progress=lambda at: None)
print(len(lines) == quiet, notebook.is_in_notebook())
"""


def test_progress_is_shown_under_the_cell_and_taken_away() -> None:
    """Test a solve, several seeds, a sweep and a report in one kernel."""
    calls = (
        "zerosum.solve('kuhn', iterations=300)",
        "zerosum.repeat('kuhn', seeds=2, nodes=2000)",
        "zerosum.sweep('kuhn', 'dcfr({alpha}, 0, 2)', {'alpha': [1, 2, 3]}, iterations=300, threads=1)",
        "zerosum.report(zerosum.solve('spot:turn', iterations=1, progress=lambda at: None), line='check check')",
    )
    sources = [SETUP, *(WATCHED.format(call=call) for call in calls)]
    notebook = executed(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources]))
    for cell in notebook.cells[1:]:
        printed = "".join(output["text"] for output in cell.outputs if output.output_type == "stream")
        assert printed == "True True True\nTrue True\n"
        [line] = [output for output in cell.outputs if output.output_type == "display_data"]
        assert line["data"]["text/plain"] == ""


def test_a_new_step_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later counts are shown only now and then."""
    texts: list[str] = []
    monkeypatch.setattr("zerosum.runs.notebook.DELAY_SECONDS", 0.0)
    monkeypatch.setattr("zerosum.runs.notebook.REFRESH_SECONDS", 1000.0)
    monkeypatch.setattr(NotebookLine, "_show_text", lambda self, text: texts.append(text))
    live = NotebookLine()
    zerosum.start("kuhn", "cfr", iterations=50, listener=zerosum.Listener(live.show_run, live.show_stage)).finish()
    assert texts == ["compiling kuhn", "cfr", "reading off the strategies"]
