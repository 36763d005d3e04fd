"""Runs of the page: queue, pause, continue, stop, refine; on the disk as `zerosum solve --out` leaves them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from explorer_page import SPOT, Page

import zerosum
from command import COMMAND
from zerosum.explorer.events import event_stream
from zerosum.explorer.handler import Explorer
from zerosum.explorer.requests import NewRun, decode_request
from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.run_task import RunTask
from zerosum.explorer.workspace import Workspace
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.runs.run_location import RUN_FILE, RunLocation
from zerosum.support.files import TEMPORARY


def test_a_run_is_solved_saved_and_the_same_as_that_of_the_command(page: Page) -> None:
    key = page.solved()
    run = page.ask("GET", f"runs/{key}")
    plain = zerosum.solve(spot_from_dict(SPOT), iterations=50)
    assert (run["iteration"], run["measure"]) == (50, "% of the pot")
    assert run["curve"][-1][2] == 100 * plain.exploitability / 100
    saved = zerosum.load(page.folder / "small river")
    assert saved.exploitability == plain.exploitability
    walk = page.ask("GET", f"runs/{key}/walk?line=check&evs=1")
    frequencies = {action["name"]: action["frequency"] for action in walk["decision"]["actions"]}
    assert frequencies == plain.at("check").frequencies


def test_the_result_of_a_run_has_the_numbers_of_its_last_evaluation(tmp_path: Path) -> None:
    run = zerosum.start(spot_from_dict(SPOT), iterations=50)
    task = RunTask.create("key", tmp_path / "run", lambda listener: run)
    run.advance(iterations=2)
    early = task.read_result()
    assert task.read_result() is early
    run.advance()
    assert task.read_result().exploitability == run.curve[-1].exploitability < early.exploitability
    assert task.read_result().stopped == "iterations"


def test_runs_wait_for_each_other_pause_continue_and_stop(page: Page) -> None:
    first = page.ask("POST", "runs", {"spot": SPOT, "until": 0, "iterations": 10**9})["id"]
    second = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20})["id"]
    page.wait(first, "running")
    assert page.ask("GET", f"runs/{second}")["state"] == "queued"
    page.ask("POST", f"runs/{first}/pause", {})
    paused = page.wait(first, "paused")
    page.wait(second, "done")
    assert page.ask("GET", f"runs/{first}")["iteration"] == paused["iteration"] > 0
    page.ask("POST", f"runs/{first}/resume", {})
    page.wait(first, "running")
    page.ask("POST", f"runs/{first}/stop", {})
    stopped = page.wait(first, "stopped")
    assert stopped["iteration"] > paused["iteration"]
    assert zerosum.load(page.folder / stopped["name"]).stopped == "interrupted"
    page.ask("POST", f"runs/{first}/resume", {})
    page.wait(first, "running")
    page.ask("POST", f"runs/{first}/pause", {})
    page.wait(first, "paused")
    page.ask("POST", f"runs/{first}/stop", {})
    page.wait(first, "stopped")


def test_waiting_runs_are_stopped_while_another_is_solved_and_continue(page: Page) -> None:
    endless = {"spot": SPOT, "until": 0, "iterations": 10**9}
    paused, first = (page.ask("POST", "runs", endless)["id"] for _ in range(2))
    page.wait(paused, "running")
    page.ask("POST", f"runs/{paused}/pause", {})
    page.wait(first, "running")
    later = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20, "name": "later"})["id"]
    for key in (paused, later):
        assert page.ask("POST", f"runs/{key}/stop", {})["state"] == "stopped"
    assert page.ask("GET", f"runs/{first}")["state"] == "running"
    assert zerosum.load(page.folder / "small river").stopped == "interrupted"
    assert not (page.folder / "later" / RUN_FILE).exists()
    waiting = page.folder / "pending.json"
    assert "later" not in waiting.read_text()
    assert page.ask("POST", f"runs/{later}/resume", {"iterations": 30})["state"] == "queued"
    assert "later" in waiting.read_text()
    page.ask("POST", f"runs/{first}/stop", {})
    assert page.wait(later, "done")["iteration"] == 30
    page.ask("POST", f"runs/{later}/resume", {"iterations": 5})
    assert page.wait(later, "done")["iteration"] == 35


def test_a_run_gets_more_accurate_on_its_way_and_when_it_is_over(page: Page) -> None:
    key = page.ask("POST", "runs", {"spot": SPOT, "until": "20%"})["id"]
    reached = page.wait(key, "done")
    assert reached["exploitability"] <= 20
    page.ask("POST", f"runs/{key}/resume", {"until": f"{reached['exploitability'] / 4}%"})
    better = page.wait(key, "done")
    assert better["exploitability"] <= reached["exploitability"] / 4
    assert better["curve"][: len(reached["curve"]) - 1] == reached["curve"][:-1]
    endless = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(endless, "running")
    page.ask("POST", f"runs/{endless}/resume", {"until": "0.5%"})
    assert page.wait(endless, "done")["until"] == 0.5


def test_a_run_that_cannot_continue_stays_unchanged(page: Page) -> None:
    key = page.solved()
    assert "at least 0" in page.refused("POST", f"runs/{key}/resume", {"until": -1})
    assert "whole number" in page.refused("POST", f"runs/{key}/resume", {"iterations": -5})
    page.ask("POST", f"runs/{key}/resume", {"until": "x%"})
    assert "'x%'" in page.wait(key, "done")["error"]
    assert page.ask("GET", f"runs/{key}/walk")["decision"]
    page.ask("POST", f"runs/{key}/resume", {"iterations": 5})
    run = page.wait(key, "done")
    assert (run["iteration"], run["error"]) == (55, "")


def test_closing_loses_nothing_and_the_next_page_shows_every_run(opened: Callable[[], Page]) -> None:
    page = opened()
    done = page.ask("GET", f"runs/{page.solved()}")
    endless = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(endless, "running")
    again = opened()
    runs_by_name = {run["name"]: run for run in again.ask("GET", "state")["runs"]}
    assert {name: run["state"] for name, run in runs_by_name.items()} == {
        "small river": "done",
        "small river 2": "stopped",
    }
    assert runs_by_name["small river"]["curve"] == done["curve"]
    key = runs_by_name["small river 2"]["id"]
    assert again.ask("GET", f"runs/{key}/walk")["decision"]["player"] == "out of position"
    again.ask("POST", f"runs/{key}/resume", {"iterations": 10})
    assert again.wait(key, "done")["iteration"] == runs_by_name["small river 2"]["iteration"] + 10


def test_runs_that_wait_outlive_the_server(opened: Callable[[], Page]) -> None:
    page = opened()
    page.wait(page.ask("POST", "runs", {"spot": SPOT, "seconds": 600, "name": "first"})["id"], "running")
    for body in (
        {"spot": SPOT, "iterations": 20, "name": "later"},
        {"game": "kuhn", "algorithm": "cfr+", "iterations": 30, "name": "other"},
        {"spot": SPOT, "iterations": 20, "name": "unwanted"},
    ):
        last = page.ask("POST", "runs", body)["id"]
    page.ask("POST", f"runs/{last}/stop", {})
    again = opened()
    runs_by_name = {run["name"]: run for run in again.ask("GET", "runs")}
    states = {name: (run["state"], run["iteration"]) for name, run in runs_by_name.items() if name != "first"}
    assert states == {"later": ("paused", 0), "other": ("paused", 0)}
    assert runs_by_name["first"]["state"] == "stopped"
    again.ask("POST", f"runs/{runs_by_name['later']['id']}/resume", {})
    assert again.wait(runs_by_name["later"]["id"], "done")["iteration"] == 20
    third = opened()
    assert {run["name"]: run["state"] for run in third.ask("GET", "runs")} == {
        "first": "stopped",
        "later": "done",
        "other": "paused",
    }
    third.ask("DELETE", f"runs/{runs_by_name['other']['id']}")
    assert {run["name"] for run in opened().ask("GET", "runs")} == {"first", "later"}


def test_runs_that_wait_stay_with_their_server_when_a_second_one_starts(page: Page) -> None:
    first = page.ask("POST", "runs", {"spot": SPOT, "until": 0, "iterations": 10**9, "name": "first"})["id"]
    later = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20, "name": "later"})["id"]
    page.wait(first, "running")
    second = RunManager(Workspace(page.folder))
    assert "later" not in {run.path.name for run in second.runs.values()}
    second.close()
    page.ask("POST", f"runs/{first}/stop", {})
    assert page.wait(later, "done")["iteration"] == 20
    assert zerosum.load(page.folder / "later").iterations == 20


def test_a_killed_server_leaves_a_run_that_resumes(tmp_path: Path, opened: Callable[[], Page]) -> None:
    command = [*COMMAND, "explore", "--folder", str(tmp_path / "runs"), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]
            body = json.dumps({"spot": SPOT, "seconds": 600}).encode()
            with urllib.request.urlopen(f"{address}api/runs", body) as answer:
                assert json.load(answer)["name"] == "small river"
            while not (tmp_path / "runs" / "small river" / "run.zs").exists():
                time.sleep(0.01)
        finally:
            process.kill()
    page = opened()
    (run,) = page.ask("GET", "runs")
    assert (run["state"], run["error"]) == ("stopped", "")
    page.ask("POST", f"runs/{run['id']}/resume", {"iterations": 10})
    assert page.wait(run["id"], "done")["iteration"] == run["iteration"] + 10


def test_a_deleted_run_leaves_nothing_and_one_that_is_written_elsewhere_stays(page: Page) -> None:
    key = page.solved()
    place = page.folder / "small river"
    (place / f"{RUN_FILE}.1.part").write_bytes(b"of a cluster")
    with contextlib.closing(RunLocation(place, new=False)):
        (place / f".{RUN_FILE}.99999-1{TEMPORARY}").write_bytes(b"of a server that was killed")
        assert "another process is writing" in page.refused("DELETE", f"runs/{key}")
    assert page.ask("GET", f"runs/{key}/walk")["decision"]
    page.ask("DELETE", f"runs/{key}")
    assert page.ask("GET", "runs") == []
    assert not place.exists()


def test_a_broken_run_says_so_and_can_be_removed(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    file = page.folder / "small river" / "run.zs"
    file.write_bytes(file.read_bytes()[:-7])
    (page.folder / "nothing").mkdir()
    page = opened()
    (run,) = page.ask("GET", "runs")
    assert run["state"] == "failed"
    assert "damaged" in run["error"]
    assert "damaged" in page.refused("GET", f"runs/{run['id']}/walk")
    page.ask("DELETE", f"runs/{run['id']}")
    assert page.ask("GET", "runs") == []
    assert not file.exists()
    assert page.refused("GET", f"runs/{key}") == f"there is no run '{key}'"


def test_a_run_that_does_not_fit_is_reported_and_does_not_stop_the_queue(page: Page) -> None:
    huge = {"board": "Ks 7h 2d", "pot": 100, "stack": 9000, "bets": "30%,60%,100%", "raises": "50%,100%", "minimum": 1}
    assert page.ask("POST", "spot", {"spot": huge})["too_large"]
    key = page.ask("POST", "runs", {"spot": huge, "until": "1%"})["id"]
    for _ in range(3000):
        run = page.ask("GET", f"runs/{key}")
        if run["state"] == "failed":
            break
    assert "are free" in run["error"]
    page.solved()


def test_events_list_all_runs_and_then_changes(tmp_path: Path) -> None:
    runs = RunManager(Workspace(tmp_path / "runs"))

    async def heard() -> list[str]:
        stream = event_stream(Explorer(runs, {}), threading.Event())
        events = [await anext(stream)]
        run = runs.start(decode_request(NewRun, {"spot": SPOT, "iterations": 20}))
        while run.state != "done" or '"done"' not in events[-1]:
            events.append(await anext(stream))
        return events

    events = asyncio.run(heard())
    runs.close()
    parts = [part.split("\n")[:2] for event in events for part in event.split("\n\n") if part]
    assert parts[0] == ["event: runs", "data: []"]
    assert parts[1][0] == "event: runs"
    assert {event for event, _ in parts[2:]} <= {"event: run"}
    last = json.loads(parts[-1][1][6:])
    assert (last[0] if isinstance(last, list) else last)["iteration"] == 20


def test_a_pause_just_as_its_turn_comes_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, there = RunManager(Workspace(tmp_path / "runs")), threading.Event()

    def taken(run: RunTask) -> None:
        """Pause the run when it has left the queue and nothing is built yet."""
        runs.pause(run.key)
        there.set()

    monkeypatch.setattr(runs._queue, "_on_start", taken)
    run = runs.start(decode_request(NewRun, {"spot": SPOT, "iterations": 20}))
    assert there.wait(60)
    while run.state == "preparing":
        time.sleep(0.01)
    assert run.state == "paused"
    runs.close()
