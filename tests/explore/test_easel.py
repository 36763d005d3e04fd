"""The figures of the papers on the page: listed, shown as they are kept, run, stopped and gone on with."""

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

from rue.papers.catalogue import FIGURES
from rue.papers.gallery import PLACES, kept

QUICK = "ecfr-4"
"""A figure that is run in a second."""


def run_to(page: Page, key: str, *states: str) -> Any:
    """The figure when it has got there."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = page.ask("GET", f"figures/{key}")
        if found["going"]["state"] in states:
            return found
        assert found["going"]["state"] == "running", found["going"]["error"]
        time.sleep(0.05)
    raise AssertionError(f"{found['going']['state']}, not {states}")


def test_every_figure_is_listed_and_the_gallery_is_shown_as_it_is_kept(page: Page) -> None:
    listed = [figure["key"] for paper in page.ask("GET", "figures")["papers"] for figure in paper["figures"]]
    assert listed == list(FIGURES)
    for key in listed:
        found, made = page.ask("GET", f"figures/{key}"), kept(key)
        assert (found["own"], found["going"]) == (None, None)
        assert (made is None) == (found["kept"] is None)
        if made is None:
            continue
        file = next(place / f"{key}.json" for place in PLACES if place.is_dir())
        plain = json.loads(file.read_text())
        assert [each["word"] for each in found["kept"]["verdicts"]] == [each["word"] for each in plain["verdicts"]]
        for panel in found["kept"]["panels"]:
            lines = plain["traces"][panel["title"]]
            assert {line["label"] for line in panel["lines"]} == set(lines)
            for line in panel["lines"]:
                assert line["y"] == pytest.approx(lines[line["label"]]["y"], rel=1e-5)


def test_a_figure_is_run_drawn_judged_and_found_again(opened: Callable[[], Page]) -> None:
    page = opened()
    begun = page.ask("POST", f"figures/{QUICK}/run", {"iterations": 300})
    assert (begun["going"]["state"], begun["going"]["of"], begun["own"]) == ("running", 4, None)
    assert "is being run" in page.refused("POST", f"figures/{QUICK}/run", {})
    found = run_to(page, QUICK, "done")
    assert found["going"]["done"] == 4
    assert found["own"]["length"] == 300
    assert [line["label"] for line in found["own"]["panels"][0]["lines"]] == [
        line.label for line in FIGURES[QUICK].panels[0].lines
    ]
    assert all(line["x"][-1] == 300 and line["whole"] for panel in found["own"]["panels"] for line in panel["lines"])
    assert len(found["own"]["verdicts"]) == len(FIGURES[QUICK].claims)
    again = opened().ask("GET", f"figures/{QUICK}")
    assert (again["own"], again["going"]) == (found["own"], None)
    text = page.ask("GET", f"figures/{QUICK}/table?of=own")["text"]
    first = found["own"]["panels"][0]["lines"][0]
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["line"] == first["label"]]
    assert [float(row["y"]) for row in rows][: len(first["y"])] == pytest.approx(first["y"], rel=1e-5)


def test_a_figure_that_is_stopped_keeps_its_curves_and_goes_on(opened: Callable[[], Page]) -> None:
    page = opened()
    page.ask("POST", "figures/trm-2/run", {"iterations": 10_000, "repeats": 20})
    while page.ask("GET", "figures/trm-2")["going"]["done"] < 3:
        time.sleep(0.01)
    page.ask("POST", "figures/trm-2/stop", {})
    stopped = run_to(page, "trm-2", "stopped")
    assert 3 <= stopped["going"]["done"] < stopped["going"]["of"]
    assert "not being run" in page.refused("POST", "figures/trm-2/stop", {})
    curves = set((page.folder / "figures").glob("*.json"))
    assert len(curves) >= 3
    page = opened()
    page.ask("POST", "figures/trm-2/run", {"iterations": 10_000, "repeats": 20})
    while page.ask("GET", "figures/trm-2")["going"]["done"] < stopped["going"]["done"]:
        time.sleep(0.01)
    opened()
    assert set((page.folder / "figures").glob("*.json")) >= curves


def test_lines_grow_while_a_figure_is_run(page: Page) -> None:
    from rue.explore.easel import Going
    from rue.papers.figure import Most
    from rue.papers.work import Work

    going = Going(FIGURES["dcfr-5"], Most(iterations=100), Work())
    job = going.every()[0]
    for share, height in ((0.001, float("nan")), (0.02, 4.0), (0.02, 4.0), (0.5, 1.0), (1.0, 0.5)):
        going.going(job, share, height)
    assert going.points[job] == [(1.0, 4.0), (46.0, 1.0), (83.0, 0.5)]
    lines = going.lines()["goofspiel"]
    (known,) = lines.values()
    assert (known[0].x, known[0].y, known[1]) == ((1.0, 46.0, 83.0), (4.0, 1.0, 0.5), False)


def test_figures_that_are_no_curves_are_pictures(page: Page) -> None:
    for key in ("ecfr-1", "spcfr-1"):
        assert page.ask("GET", f"figures/{key}")["kept"]["panels"] == []
        image = page.ask("GET", f"figures/{key}/picture")["image"].removeprefix("data:image/png;base64,")
        assert base64.b64decode(image).startswith(b"\x89PNG")
    page.ask("POST", "figures/ecfr-1/run", {})
    run_to(page, "ecfr-1", "done")
    image = page.ask("GET", "figures/ecfr-1/picture?of=own")["image"].removeprefix("data:image/svg+xml;base64,")
    assert b"<svg" in base64.b64decode(image)


@pytest.mark.parametrize(
    ("verb", "path", "data", "said"),
    [
        ("GET", "figures/dcfr-99", None, "there is no figure 'dcfr-99'"),
        ("GET", "figures/..%2f..%2fsecret", None, None),
        ("GET", "figures/dcfr-5/picture?of=mine", None, "kept or own"),
        ("GET", "figures/dcfr-5/table?of=own", None, "has not been run here"),
        ("POST", "figures/dcfr-5/run", {"iterations": 0}, "at least 1"),
        ("POST", "figures/dcfr-5/run", {"iterations": "many"}, "a whole number"),
        ("POST", "figures/dcfr-5/run", {"data": "/etc"}, "no 'data' here"),
        ("POST", "figures/dcfr-5/run", [], "a JSON object"),
        ("POST", "figures/dcfr-1/run", {}, "needs the files of the Libratus endgames"),
        ("POST", "figures/dcfr-5/stop", {}, "is not being run"),
    ],
)
def test_what_means_nothing_is_refused_in_a_sentence(
    page: Page, verb: str, path: str, data: Any, said: str | None
) -> None:
    if said is None:
        answer = page.client.request(verb, f"/token/api/{path}")
        assert 400 <= answer.status_code < 500
    else:
        assert said in page.refused(verb, path, data)


def test_a_folder_of_figures_that_leads_elsewhere_is_not_used(page: Page, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (page.folder / "figures").symlink_to(outside)
    assert "out of the folder" in page.refused("POST", f"figures/{QUICK}/run", {"iterations": 1})
    assert "out of the folder" in page.refused("GET", f"figures/{QUICK}")
    assert list(outside.iterdir()) == []
