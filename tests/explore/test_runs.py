"""Runs of the page: queue, pause, go on, stop, more accurate; on the disk as `rue solve --out` leaves them."""

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

import rue
from command import COMMAND
from rue.disk import TEMPORARY
from rue.explore.app import events
from rue.explore.asked import NewRun, read
from rue.explore.explorer import Explorer
from rue.explore.folder import Folder
from rue.explore.session import Session
from rue.explore.workshop import Workshop
from rue.holdem.files import from_mapping
from rue.runs.home import INSIDE, Home


def test_a_run_is_solved_saved_and_the_same_as_that_of_the_command(page: Page) -> None:
    key = page.solved()
    run = page.ask("GET", f"runs/{key}")
    plain = rue.solve(from_mapping(SPOT), iterations=50)
    assert (run["iteration"], run["measure"]) == (50, "% of the pot")
    assert run["curve"][-1][2] == 100 * plain.exploitability / 100
    kept = rue.load(page.folder / "small river")
    assert kept.exploitability == plain.exploitability
    walk = page.ask("GET", f"runs/{key}/walk?line=check&evs=1")
    shown = {choice["name"]: choice["frequency"] for choice in walk["decision"]["choices"]}
    assert shown == plain.at("check").frequencies


def test_the_result_of_a_run_has_the_numbers_of_its_last_evaluation(tmp_path: Path) -> None:
    run = rue.start(from_mapping(SPOT), iterations=50)
    session = Session.new("key", tmp_path / "run", lambda listener: run)
    run.advance(iterations=2)
    early = session.result()
    assert session.result() is early
    run.advance()
    assert session.result().exploitability == run.curve[-1].exploitability < early.exploitability
    assert session.result().stopped == "iterations"


def test_runs_wait_for_each_other_pause_go_on_and_stop(page: Page) -> None:
    first = page.ask("POST", "runs", {"spot": SPOT, "until": 0, "iterations": 10**9})["id"]
    second = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20})["id"]
    page.wait(first, "running")
    assert page.ask("GET", f"runs/{second}")["state"] == "queued"
    page.ask("POST", f"runs/{first}/pause", {})
    paused = page.wait(first, "paused")
    page.wait(second, "done")
    assert page.ask("GET", f"runs/{first}")["iteration"] == paused["iteration"] > 0
    page.ask("POST", f"runs/{first}/go", {})
    page.wait(first, "running")
    page.ask("POST", f"runs/{first}/stop", {})
    stopped = page.wait(first, "stopped")
    assert stopped["iteration"] > paused["iteration"]
    assert rue.load(page.folder / stopped["name"]).stopped == "interrupted"
    page.ask("POST", f"runs/{first}/go", {})
    page.wait(first, "running")
    page.ask("POST", f"runs/{first}/pause", {})
    page.wait(first, "paused")
    page.ask("POST", f"runs/{first}/stop", {})
    page.wait(first, "stopped")


def test_runs_that_wait_are_stopped_while_another_is_solved_and_go_on(page: Page) -> None:
    endless = {"spot": SPOT, "until": 0, "iterations": 10**9}
    paused, first = (page.ask("POST", "runs", endless)["id"] for _ in range(2))
    page.wait(paused, "running")
    page.ask("POST", f"runs/{paused}/pause", {})
    page.wait(first, "running")
    later = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20, "name": "later"})["id"]
    for key in (paused, later):
        assert page.ask("POST", f"runs/{key}/stop", {})["state"] == "stopped"
    assert page.ask("GET", f"runs/{first}")["state"] == "running"
    assert rue.load(page.folder / "small river").stopped == "interrupted"
    assert not (page.folder / "later" / INSIDE).exists()
    waiting = page.folder / "waiting.json"
    assert "later" not in waiting.read_text()
    assert page.ask("POST", f"runs/{later}/go", {"iterations": 30})["state"] == "queued"
    assert "later" in waiting.read_text()
    page.ask("POST", f"runs/{first}/stop", {})
    assert page.wait(later, "done")["iteration"] == 30
    page.ask("POST", f"runs/{later}/go", {"iterations": 5})
    assert page.wait(later, "done")["iteration"] == 35


def test_a_run_gets_more_accurate_on_its_way_and_when_it_is_over(page: Page) -> None:
    key = page.ask("POST", "runs", {"spot": SPOT, "until": "20%"})["id"]
    reached = page.wait(key, "done")
    assert reached["exploitability"] <= 20
    page.ask("POST", f"runs/{key}/go", {"until": f"{reached['exploitability'] / 4}%"})
    better = page.wait(key, "done")
    assert better["exploitability"] <= reached["exploitability"] / 4
    assert better["curve"][: len(reached["curve"]) - 1] == reached["curve"][:-1]
    endless = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(endless, "running")
    page.ask("POST", f"runs/{endless}/go", {"until": "0.5%"})
    assert page.wait(endless, "done")["until"] == 0.5


def test_a_run_that_cannot_go_on_as_asked_stays_what_it_was(page: Page) -> None:
    key = page.solved()
    for further, said in (
        ({"until": -1}, "at least 0"),
        ({"until": "x%"}, "'x%'"),
        ({"iterations": -5}, "whole number"),
    ):
        page.ask("POST", f"runs/{key}/go", further)
        run = page.wait(key, "done")
        assert said in run["error"]
        assert page.ask("GET", f"runs/{key}/walk")["decision"]
    page.ask("POST", f"runs/{key}/go", {"iterations": 5})
    run = page.wait(key, "done")
    assert (run["iteration"], run["error"]) == (55, "")


def test_closing_loses_nothing_and_the_next_page_shows_every_run(opened: Callable[[], Page]) -> None:
    page = opened()
    done = page.ask("GET", f"runs/{page.solved()}")
    endless = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(endless, "running")
    again = opened()
    shown = {run["name"]: run for run in again.ask("GET", "state")["runs"]}
    assert {name: run["state"] for name, run in shown.items()} == {"small river": "done", "small river 2": "stopped"}
    assert shown["small river"]["curve"] == done["curve"]
    key = shown["small river 2"]["id"]
    assert again.ask("GET", f"runs/{key}/walk")["decision"]["player"] == "out of position"
    again.ask("POST", f"runs/{key}/go", {"iterations": 10})
    assert again.wait(key, "done")["iteration"] == shown["small river 2"]["iteration"] + 10


def test_runs_that_wait_outlive_the_server(opened: Callable[[], Page]) -> None:
    page = opened()
    page.wait(page.ask("POST", "runs", {"spot": SPOT, "seconds": 600, "name": "first"})["id"], "running")
    for asked in (
        {"spot": SPOT, "iterations": 20, "name": "later"},
        {"game": "kuhn", "algorithm": "cfr+", "iterations": 30, "name": "other"},
        {"spot": SPOT, "iterations": 20, "name": "unwanted"},
    ):
        last = page.ask("POST", "runs", asked)["id"]
    page.ask("POST", f"runs/{last}/stop", {})
    again = opened()
    shown = {run["name"]: run for run in again.ask("GET", "runs")}
    states = {name: (run["state"], run["iteration"]) for name, run in shown.items() if name != "first"}
    assert states == {"later": ("paused", 0), "other": ("paused", 0)}
    assert shown["first"]["state"] == "stopped"
    again.ask("POST", f"runs/{shown['later']['id']}/go", {})
    assert again.wait(shown["later"]["id"], "done")["iteration"] == 20
    third = opened()
    assert {run["name"]: run["state"] for run in third.ask("GET", "runs")} == {
        "first": "stopped",
        "later": "done",
        "other": "paused",
    }
    third.ask("DELETE", f"runs/{shown['other']['id']}")
    assert {run["name"] for run in opened().ask("GET", "runs")} == {"first", "later"}


def test_runs_that_wait_stay_with_their_server_when_a_second_one_starts(page: Page) -> None:
    first = page.ask("POST", "runs", {"spot": SPOT, "until": 0, "iterations": 10**9, "name": "first"})["id"]
    later = page.ask("POST", "runs", {"spot": SPOT, "iterations": 20, "name": "later"})["id"]
    page.wait(first, "running")
    second = Workshop(Folder(page.folder))
    assert "later" not in {session.path.name for session in second.sessions.values()}
    second.close()
    page.ask("POST", f"runs/{first}/stop", {})
    assert page.wait(later, "done")["iteration"] == 20
    assert rue.load(page.folder / "later").iterations == 20


def test_a_killed_server_leaves_a_run_that_goes_on(tmp_path: Path, opened: Callable[[], Page]) -> None:
    command = [*COMMAND, "explore", "--folder", str(tmp_path / "runs"), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[2]
            body = json.dumps({"spot": SPOT, "seconds": 600}).encode()
            with urllib.request.urlopen(f"{address}api/runs", body) as answer:
                assert json.load(answer)["name"] == "small river"
            while not (tmp_path / "runs" / "small river" / "run.rue").exists():
                time.sleep(0.01)
        finally:
            process.kill()
    page = opened()
    (run,) = page.ask("GET", "runs")
    assert (run["state"], run["error"]) == ("stopped", "")
    page.ask("POST", f"runs/{run['id']}/go", {"iterations": 10})
    assert page.wait(run["id"], "done")["iteration"] == run["iteration"] + 10


def test_a_deleted_run_leaves_nothing_and_one_that_is_written_elsewhere_stays(page: Page) -> None:
    key = page.solved()
    place = page.folder / "small river"
    (place / f"{INSIDE}.1.part").write_bytes(b"of a cluster")
    with contextlib.closing(Home(place, new=False)):
        (place / f".{INSIDE}.99999-1{TEMPORARY}").write_bytes(b"of a server that was killed")
        assert "another process is writing" in page.refused("DELETE", f"runs/{key}")
    assert page.ask("GET", f"runs/{key}/walk")["decision"]
    page.ask("DELETE", f"runs/{key}")
    assert page.ask("GET", "runs") == []
    assert not place.exists()


def test_a_broken_run_says_so_and_can_be_removed(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    file = page.folder / "small river" / "run.rue"
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


def test_a_run_that_does_not_fit_is_told_and_does_not_stop_the_queue(page: Page) -> None:
    huge = {"board": "Ks 7h 2d", "pot": 100, "stack": 9000, "bets": "30%,60%,100%", "raises": "50%,100%", "minimum": 1}
    assert page.ask("POST", "spot", {"spot": huge})["too_large"]
    key = page.ask("POST", "runs", {"spot": huge, "until": "1%"})["id"]
    for _ in range(3000):
        run = page.ask("GET", f"runs/{key}")
        if run["state"] == "failed":
            break
    assert "are free" in run["error"]
    page.solved()


def test_events_tell_all_runs_and_then_what_changes(tmp_path: Path) -> None:
    workshop = Workshop(Folder(tmp_path / "runs"))

    async def heard() -> list[str]:
        stream = events(Explorer(workshop, {}), threading.Event())
        found = [await anext(stream)]
        session = workshop.start(read(NewRun, {"spot": SPOT, "iterations": 20}))
        while session.state != "done" or '"done"' not in found[-1]:
            found.append(await anext(stream))
        return found

    found = asyncio.run(heard())
    workshop.close()
    told = [part.split("\n")[:2] for each in found for part in each.split("\n\n") if part]
    assert told[0] == ["event: runs", "data: []"]
    assert told[1][0] == "event: runs"
    assert {event for event, _ in told[2:]} <= {"event: run"}
    last = json.loads(told[-1][1][6:])
    assert (last[0] if isinstance(last, list) else last)["iteration"] == 20


def test_a_pause_just_as_its_turn_comes_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, there = Workshop(Folder(tmp_path / "runs")), threading.Event()

    def taken(session: Session) -> None:
        """It has left the queue, and nothing is made yet."""
        workshop.pause(session.key)
        there.set()

    monkeypatch.setattr(workshop, "_make_room", taken)
    session = workshop.start(read(NewRun, {"spot": SPOT, "iterations": 20}))
    assert there.wait(60)
    while session.state == "preparing":
        time.sleep(0.01)
    assert session.state == "paused"
    workshop.close()
