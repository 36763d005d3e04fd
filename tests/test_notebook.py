"""Notebooks, in a real kernel of Jupyter: the tour of the documents, and progress under a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import rue
from rue.api import finish
from rue.views.notebook import Live

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
told = ("kuhn", "seeds", "iterations", "of 3 done", "of 48 done")
print(len(lines) > 2, any(word in line for word in told for line in lines), lines[-1] == "")
quiet = len(lines)
_ = rue.solve("kuhn", iterations=10, progress=lambda at: None)
print(len(lines) == quiet, notebook.in_notebook())
"""


def test_progress_is_shown_under_the_cell_and_taken_away() -> None:
    """Of a solve, of many seeds, of a sweep and of a report, in one kernel."""
    calls = (
        "rue.solve('kuhn', iterations=300)",
        "rue.repeat('kuhn', seeds=2, nodes=2000)",
        "rue.sweep('kuhn', 'dcfr({alpha}, 0, 2)', {'alpha': [1, 2, 3]}, iterations=300, threads=1)",
        "rue.report(rue.solve('spot:turn', iterations=1, progress=lambda at: None), line='check check')",
    )
    sources = [SETUP, *(WATCHED.format(call=call) for call in calls)]
    notebook = executed(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources]))
    for cell in notebook.cells[1:]:
        told = "".join(each["text"] for each in cell.outputs if each.output_type == "stream")
        assert told == "True True True\nTrue True\n"
        [line] = [each for each in cell.outputs if each.output_type == "display_data"]
        assert line["data"]["text/plain"] == ""


def test_what_begins_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And counts of what goes on only now and then."""
    shown: list[str] = []
    monkeypatch.setattr("rue.views.notebook.DELAY", 0.0)
    monkeypatch.setattr("rue.views.notebook.EVERY", 1000.0)
    monkeypatch.setattr(Live, "_show", lambda self, text: shown.append(text))
    live = Live()
    finish(rue.start("kuhn", "cfr", iterations=50, listener=rue.Listener(live.run, live.stage)))
    assert shown == ["compiling kuhn", "cfr", "reading off the strategies"]
