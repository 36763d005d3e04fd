"""The figures of the papers on the page: listed, shown from stored files, run, stopped and resumed."""

from __future__ import annotations

import base64
import csv
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explorer_page import Page

from zerosum.papers.catalogue import FIGURES
from zerosum.papers.gallery import FOLDERS, load_figure

QUICK = "ecfr-4"
"""A figure that is run in a second."""


def run_to(page: Page, key: str, *states: str) -> Any:
    """Wait for a state of the figure and return it."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        figure = page.ask("GET", f"figures/{key}")
        if figure["task"]["state"] in states:
            return figure
        assert figure["task"]["state"] == "running", figure["task"]["error"]
        time.sleep(0.05)
    raise AssertionError(f"{figure['task']['state']}, not {states}")


def test_every_figure_is_listed_and_the_gallery_is_shown_as_it_is_kept(page: Page) -> None:
    listed = [figure["key"] for paper in page.ask("GET", "figures")["papers"] for figure in paper["figures"]]
    assert listed == list(FIGURES)
    for key in listed:
        figure, stored = page.ask("GET", f"figures/{key}"), load_figure(key)
        assert (figure["local"], figure["task"]) == (None, None)
        assert (stored is None) == (figure["gallery"] is None)
        if stored is None:
            continue
        file = next(place / f"{key}.json" for place in FOLDERS if place.is_dir())
        plain = json.loads(file.read_text())
        assert [verdict["word"] for verdict in figure["gallery"]["verdicts"]] == [
            verdict["word"] for verdict in plain["verdicts"]
        ]
        for panel in figure["gallery"]["panels"]:
            lines = plain["curves"][panel["title"]]
            assert {line["label"] for line in panel["lines"]} == set(lines)
            for line in panel["lines"]:
                assert line["y"] == pytest.approx(lines[line["label"]]["y"], rel=1e-5)


def test_a_figure_is_run_drawn_judged_and_found_again(opened: Callable[[], Page]) -> None:
    page = opened()
    begun = page.ask("POST", f"figures/{QUICK}/run", {"iterations": 300})
    assert (begun["task"]["state"], begun["task"]["of"], begun["local"]) == ("running", 4, None)
    assert "is still running" in page.refused("POST", f"figures/{QUICK}/run", {})
    figure = run_to(page, QUICK, "done")
    assert figure["task"]["done"] == 4
    assert figure["local"]["length"] == 300
    assert [line["label"] for line in figure["local"]["panels"][0]["lines"]] == [*FIGURES[QUICK].panels[0].lines]
    assert all(
        line["x"][-1] == 300 and line["is_complete"] for panel in figure["local"]["panels"] for line in panel["lines"]
    )
    assert len(figure["local"]["verdicts"]) == len(FIGURES[QUICK].claims)
    again = opened().ask("GET", f"figures/{QUICK}")
    assert (again["local"], again["task"]) == (figure["local"], None)
    text = page.ask("GET", f"figures/{QUICK}/table?source=local")["text"]
    first = figure["local"]["panels"][0]["lines"][0]
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["line"] == first["label"]]
    assert [float(row["y"]) for row in rows][: len(first["y"])] == pytest.approx(first["y"], rel=1e-5)


def test_a_stopped_figure_keeps_its_curves_and_resumes(opened: Callable[[], Page]) -> None:
    page = opened()
    page.ask("POST", "figures/trm-2/run", {"iterations": 10_000, "repeats": 20})
    while page.ask("GET", "figures/trm-2")["task"]["done"] < 3:
        time.sleep(0.01)
    page.ask("POST", "figures/trm-2/stop", {})
    stopped = run_to(page, "trm-2", "stopped")
    assert 3 <= stopped["task"]["done"] < stopped["task"]["of"]
    assert "is not running" in page.refused("POST", "figures/trm-2/stop", {})
    curves = set((page.folder / "figures" / "jobs").glob("*.json"))
    assert len(curves) >= 3
    page = opened()
    page.ask("POST", "figures/trm-2/run", {"iterations": 10_000, "repeats": 20})
    while page.ask("GET", "figures/trm-2")["task"]["done"] < stopped["task"]["done"]:
        time.sleep(0.01)
    opened()
    assert set((page.folder / "figures" / "jobs").glob("*.json")) >= curves


def test_lines_grow_while_a_figure_is_run(page: Page) -> None:
    from zerosum.explorer.handlers.figure_task import FigureTask
    from zerosum.papers.figure import FigureLimits

    task = FigureTask(FIGURES["dcfr-5"], FigureLimits(iterations=100), page.folder / "figures")
    spec = task.specs[0]
    job = task.problems.build_job(spec)
    for share, height in ((0.001, float("nan")), (0.02, 4.0), (0.02, 4.0), (0.5, 1.0), (1.0, 0.5)):
        task.add_point(job, share, height)
    assert task.points[spec] == [(1.0, 4.0), (46.0, 1.0), (83.0, 0.5)]
    lines = task.collect_lines()["goofspiel"]
    (line,) = lines.values()
    assert (line[0].x, line[0].y, line[1]) == ((1.0, 46.0, 83.0), (4.0, 1.0, 0.5), False)


def test_figures_that_are_no_curves_are_pictures(page: Page) -> None:
    for key in ("ecfr-1", "spcfr-1"):
        assert page.ask("GET", f"figures/{key}")["gallery"]["panels"] == []
        image = page.ask("GET", f"figures/{key}/picture")["image"].removeprefix("data:image/png;base64,")
        assert base64.b64decode(image).startswith(b"\x89PNG")
    page.ask("POST", "figures/ecfr-1/run", {})
    run_to(page, "ecfr-1", "done")
    image = page.ask("GET", "figures/ecfr-1/picture?source=local")["image"].removeprefix("data:image/svg+xml;base64,")
    assert b"<svg" in base64.b64decode(image)


@pytest.mark.parametrize(
    ("verb", "path", "data", "message"),
    [
        ("GET", "figures/dcfr-99", None, "there is no figure 'dcfr-99'"),
        ("GET", "figures/..%2f..%2fsecret", None, None),
        ("GET", "figures/dcfr-5/picture?source=mine", None, "gallery or local"),
        ("GET", "figures/dcfr-5/table?source=local", None, "has not been run here"),
        ("POST", "figures/dcfr-5/run", {"iterations": 0}, "at least 1"),
        ("POST", "figures/dcfr-5/run", {"iterations": "many"}, "a whole number"),
        ("POST", "figures/dcfr-5/run", {"data": "/etc"}, "no 'data'"),
        ("POST", "figures/dcfr-5/run", [], "must be an object"),
        ("POST", "figures/dcfr-1/run", {}, "needs the files of the Libratus endgames"),
        ("POST", "figures/dcfr-5/stop", {}, "is not running"),
    ],
)
def test_invalid_requests_are_refused_with_a_message(
    page: Page, verb: str, path: str, data: Any, message: str | None
) -> None:
    if message is None:
        answer = page.client.request(verb, f"/token/api/{path}")
        assert 400 <= answer.status_code < 500
    else:
        assert message in page.refused(verb, path, data)


def test_a_folder_of_figures_that_leads_elsewhere_is_not_used(page: Page, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (page.folder / "figures").symlink_to(outside)
    assert "out of the folder" in page.refused("POST", f"figures/{QUICK}/run", {"iterations": 1})
    assert "out of the folder" in page.refused("GET", f"figures/{QUICK}")
    assert list(outside.iterdir()) == []
