"""Reports by requests: runouts of a run and reports of the folder are those of Python; no other file is read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explorer_page import SPOT, Page

import zerosum
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.holdem.study.report import Report

TURN = {**SPOT, "board": "Ks 7h 2d 9c"}
FLOP = {**SPOT, "board": "Ks 7h 2d", "oop": "KK,A7s", "ip": "AA,99", "bets": "allin", "stack": 100}


def test_runouts_are_the_rows_of_a_report(page: Page) -> None:
    key = page.solved(spot=TURN)
    plain = zerosum.report(zerosum.solve(spot_from_dict(TURN), iterations=50), line="check check * check")
    report = page.ask("GET", f"runs/{key}/runouts?line=check,check,*,check")
    rows = report["rows"]
    assert (rows["name"], report["line"]) == (list(plain.rows.name), "check check * check")
    assert report["actions"] == list(plain.rows.actions)
    assert len(report["colours"]) == len(plain.rows.actions)
    for name in ("ev_oop", "ev_ip", "equity_oop", "equity_ip", "realised_ip", "weight"):
        expected = pytest.approx(getattr(plain.rows, name).tolist(), abs=1e-4)
        assert rows[name] == expected
    for action, shares in zip(report["actions"], rows["frequency"], strict=True):
        assert shares == pytest.approx(plain.rows.frequency[plain.rows.actions.index(action)].tolist(), abs=1e-4)
    assert report["totals"]["ev_oop"] == pytest.approx(plain.totals.ev_oop.tolist(), abs=1e-4)
    assert page.ask("GET", f"runs/{key}/runouts?line=check,check")["line"] == "check check *"
    text = page.ask("GET", f"runs/{key}/runouts?line=check,check,*,check&format=csv")["text"]
    assert text == plain.to_csv()


def test_runouts_that_mean_nothing_are_refused(page: Page) -> None:
    key = page.solved(spot=TURN)
    for line in ("check", "*", "check,*", "check,check,*,*", "bet 51,*", "check,check,*,dance"):
        page.refused("GET", f"runs/{key}/runouts?line={line}")
    assert "format" in page.refused("GET", f"runs/{key}/runouts?line=check,check&format=xls")
    assert "no run" in page.refused("GET", "runs/99/runouts?line=check,check")


def test_a_report_is_started_stopped_resumed_and_shown(opened: Callable[[], Page]) -> None:
    page = opened()
    assert page.ask("GET", "reports") == []
    body = {"spot": FLOP, "flops": "Ks7h2d, 8c8d3h", "line": "check", "iterations": 10, "name": "my flops"}
    begun = page.ask("POST", "reports", body)
    assert (begun["name"], begun["state"], begun["of"]) == ("my flops", "running", 2)
    assert "is still running" in page.refused("POST", "reports", body)
    page.ask("POST", "reports/stop", {})
    _over(page)
    if not (page.folder / "my flops" / "report.json").exists() or _missing(page):  # else it was quicker than the stop
        assert page.ask("POST", "reports/resume", {})["name"] == "my flops"
        _over(page)
    assert "no stopped report" in page.refused("POST", "reports/resume", {})
    plain = Report.load(page.folder / "my flops" / "report.json")
    assert (len(plain.rows), plain.line, set(plain.rows.iterations.tolist())) == (2, "check", {10})
    assert page.ask("GET", "reports") == ["my flops"]
    report = page.ask("GET", "reports/my flops")
    assert report["rows"]["name"] == list(plain.rows.name)
    assert report["rows"]["ev_ip"] == pytest.approx(plain.rows.ev_ip.tolist(), abs=1e-4)
    assert (report["title"], report["line"], report["missing"]) == (plain.title, "check", 0)
    assert page.ask("GET", "reports/my flops?format=csv")["text"] == plain.to_csv()
    (page.folder / "report.json").write_text((page.folder / "my flops" / "report.json").read_text())
    assert page.ask("GET", "reports") == ["report.json", "my flops"]
    assert page.ask("GET", "reports/report.json") == report


def _missing(page: Page) -> int:
    return int(page.ask("GET", "reports/my flops")["missing"])


def _over(page: Page) -> None:
    """Wait until no report is running; the request cannot start one, since it is for a river."""
    while "is still running" in (message := page.refused("POST", "reports", {"spot": SPOT, "flops": "25"})):
        time.sleep(0.05)
    assert "does not start on the flop" in message


def test_reports_that_mean_nothing_are_refused(page: Page, tmp_path: Path) -> None:
    (tmp_path / "flops.txt").write_text("Ks7h2d")
    (page.folder / "something").mkdir()
    (page.folder / "something" / "else.txt").write_text("mine")
    for flops in (str(tmp_path / "flops.txt"), "flops.txt", "", "300", "Ks7h", "Ks7h2d, x", "Ks7h2d" + "  Ks7h2d" * 99):
        assert "there are no flops" in page.refused("POST", "reports", {"spot": FLOP, "flops": flops})
    wrong: list[dict[str, Any]] = [
        {"name": "../x"},
        {"name": "something"},
        {"flops": "Ks7h2d, Ks7h2d"},
        {"spot": {**FLOP, "tree_file": "x"}},
        {"algorithm": "evil.py:rule"},
    ]
    for body in wrong:
        page.refused("POST", "reports", {"spot": FLOP, "flops": "Ks7h2d", **body})
    assert "no report is running" in page.refused("POST", "reports/stop", {})


def test_no_report_outside_the_folder_is_read_and_broken_ones_say_so(page: Page, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "report.json").write_text("{}")
    (page.folder / "linked").symlink_to(outside)
    (page.folder / "inner").mkdir()
    (page.folder / "inner" / "report.json").symlink_to(outside / "report.json")
    assert page.ask("GET", "reports") == []
    for name in ("linked", "inner", "nothing", "..", "%2e%2e", "a%5cb"):
        answer = page.client.get(f"/token/api/reports/{name}")
        assert 400 <= answer.status_code < 500
    row = {
        "name": "Ks7h2d",
        "weight": 1.0,
        "player": "in position",
        "pot": 100,
        "ev_oop": 1,
        "ev_ip": None,
        "equity_oop": 0.5,
        "frequencies": {"check": 1.0},
        "variant": "",
        "exploitability": None,
        "iterations": 5,
        "seconds": 0.1,
    }
    good: dict[str, Any] = {
        "format": "zerosum-report",
        "version": 1,
        "title": "x",
        "line": "",
        "rows": [row],
        "totals": [row],
        "notes": [],
        "missing": 0,
        "zerosum": "1",
    }
    file = page.folder / "written" / "report.json"
    file.parent.mkdir()
    file.write_text(json.dumps(good))
    assert page.ask("GET", "reports/written")["rows"]["name"] == ["Ks7h2d"]
    wrong: list[Any] = [
        [],
        {},
        {**good, "version": 2},
        {**good, "rows": 3},
        {**good, "rows": [{}]},
        {**good, "totals": []},
        {**good, "title": 4},
        {**good, "rows": [{**row, "weight": "1"}]},
        {**good, "rows": [{**row, "pot": 0}]},
        {**good, "rows": [{**row, "ev_oop": float("nan")}]},
        {**good, "rows": [{**row, "frequencies": [1]}]},
        {**good, "rows": [{**row, "frequencies": {"check": None}}]},
        {**good, "rows": [{**row, "name": None}]},
    ]
    for body in wrong:
        file.write_text(json.dumps(body))
        assert "report" in page.refused("GET", "reports/written")
    file.write_bytes(b"\xff\x00")
    assert "report" in page.refused("GET", "reports/written")
