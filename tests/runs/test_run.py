"""A run as an object: cut into pieces, paused, stopped, inspected from other threads while it advances."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
import zerosum.holdem
from zerosum.holdem.problem.problem import SpotProblem
from zerosum.runs.run import StoppedError
from zerosum.support.thread_safety import FairLock

TURN = ("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin")


@pytest.fixture(scope="module")
def turn() -> zerosum.holdem.Spot:
    return zerosum.holdem.spot(*TURN)


@cache
def leduc() -> zerosum.Problem:
    """Leduc, enumerated once."""
    return zerosum.problem("leduc")


def numbers(result: Any) -> list[tuple[int, float, float]]:
    return [(point.iteration, point.exploitability, point.value) for point in result.curve]


@settings(max_examples=15)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from(["dcfr", "pcfr+", "mccfr"]))
def test_pieces_change_nothing(pieces: list[int], name: str) -> None:
    game = leduc()
    run = zerosum.start(game, name, iterations=200)
    for piece in pieces:
        run.advance(iterations=piece)
    assert run.iteration == min(200, sum(pieces))
    assert not run.advance()
    whole = zerosum.solve(game, name, iterations=200)
    assert run.stopped == whole.stopped == "iterations"
    assert numbers(run.result()) == numbers(whole)
    assert run.result().strategy == whole.strategy


def test_time_is_a_limit_and_pauses_do_not_count() -> None:
    run = zerosum.start("leduc", "cfr", iterations=10**9)
    assert run.advance(seconds=0.05)
    spent = run.seconds
    assert 0.04 < spent < 5.0
    time.sleep(0.2)
    assert run.seconds == spent
    assert run.progress.remaining > 0


def test_pause_and_stop_from_another_thread() -> None:
    run = zerosum.start("leduc", "dcfr", iterations=10**9)
    run.prepare()
    worker = threading.Thread(target=run.advance)
    worker.start()
    while run.iteration < 10:
        time.sleep(0.001)
    run.pause()
    worker.join(20)
    assert not worker.is_alive()
    assert run.stopped is None
    before = run.iteration
    worker = threading.Thread(target=run.advance)
    worker.start()
    while run.iteration == before:
        time.sleep(0.001)
    run.stop()
    worker.join(20)
    assert run.stopped == "interrupted"
    assert run.result().stopped == "interrupted"
    assert run.curve[-1].iteration == run.iteration


def test_a_result_at_any_moment() -> None:
    run = zerosum.start("leduc", "dcfr", iterations=10**9)
    with pytest.raises(zerosum.ZerosumError, match="has not started"):
        run.result()
    run.prepare()
    assert np.isnan(run.result().exploitability)
    worker = threading.Thread(target=run.advance)
    worker.start()
    try:
        while run.iteration < 100:
            partial = run.result()
            assert partial.stopped == "running"
            assert sum(partial.strategy["Kc|"].values()) == pytest.approx(1.0)
    finally:
        run.stop()
        worker.join(20)


def test_inspection_changes_nothing_while_a_run_advances(turn: zerosum.holdem.Spot) -> None:
    """Inspection used to share arrays with the evaluations of the run, and curves went up instead of down."""
    quiet = zerosum.solve(turn, iterations=60, threads=2)
    run = zerosum.start(turn, iterations=60, threads=2)
    run.prepare()
    solution = run.result().solution
    over = threading.Event()
    seen: list[int] = []

    def look() -> None:
        while not over.is_set():
            point = solution.read_decision(("check bet50 call 4d", "check", "")[len(seen) % 3])
            assert point.frequency.sum(axis=0) == pytest.approx(1.0)
            seen.append(1)

    lookers = [threading.Thread(target=look) for _ in range(2)]
    for looker in lookers:
        looker.start()
    run.advance()
    over.set()
    for looker in lookers:
        looker.join(20)
    assert len(seen) > 5
    assert numbers(run.result()) == numbers(quiet)


@pytest.mark.parametrize("algorithm", ["dcfr", "mccfr", "pcs-cfr"])
def test_inspection_from_many_threads_at_once(turn: zerosum.holdem.Spot, algorithm: str) -> None:
    result = zerosum.solve(turn, algorithm, iterations=40)
    lines = ["", "check", "check bet50", "bet50", "check check 4d", "check check 4h", "bet50 call 2c check"]
    alone = {line: zerosum.solve(turn, algorithm, iterations=40).at(line).action_ev for line in lines}
    wrong: list[str] = []

    def look(start: int) -> None:
        for number in range(30):
            line = lines[(start + number) % len(lines)]
            decision = type(result.solution)(turn, result.solution.solver).read_decision(line)
            if not np.array_equal(decision.action_ev, alone[line]):
                wrong.append(line)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(look, range(4)))  # errors in a thread are raised here
    assert wrong == []


def test_waiting_threads_get_their_turn() -> None:
    turns, over, got = FairLock(), threading.Event(), threading.Event()

    def greedy() -> None:
        while not over.is_set():
            with turns:
                time.sleep(0.001)

    worker = threading.Thread(target=greedy)
    worker.start()

    def wait() -> None:
        for _ in range(20):
            with turns:
                pass
        got.set()

    threading.Thread(target=wait).start()
    assert got.wait(20)
    over.set()
    worker.join(20)


@pytest.mark.parametrize("game", ["leduc(ranks=5)", "spot:turn"])
def test_building_is_reported_and_can_be_interrupted(game: str) -> None:
    stages: list[tuple[str, int]] = []
    run = zerosum.start(game, iterations=10, listener=zerosum.Listener(stage=lambda *stage: stages.append(stage)))
    run.prepare()
    assert stages[0][1] == 0
    assert any(what in ("boards", "cfr", "dcfr") for what, _ in stages) or len(stages) > 1
    again = zerosum.start(game, iterations=10)
    again.listener = zerosum.Listener(stage=lambda what, count: again.stop())
    with pytest.raises(StoppedError):
        again.prepare()
    with pytest.raises(zerosum.ZerosumError, match="has not started"):
        again.result()


def test_compiling_is_reported_and_can_be_interrupted(tmp_path: Path) -> None:
    """Nothing is compiled yet, in a separate process."""
    script = """
import zerosum
def stop(what, count):
    seen.append(what)
    if what == "compiling":
        run.stop()
seen = []
run = zerosum.start("kuhn", iterations=10, listener=zerosum.Listener(stage=stop))
try:
    run.prepare()
except zerosum.runs.run.StoppedError:
    print(seen[-1])
"""
    env = {**os.environ, "ZEROSUM_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == "compiling\n", done.stderr
    assert not list(tmp_path.rglob("*.o"))


def test_a_run_is_saved_by_hand_and_continues(tmp_path: Path) -> None:
    run = zerosum.start("leduc", "dcfr", iterations=300)
    run.advance(iterations=120)
    run.save(tmp_path / "run")
    assert zerosum.load(tmp_path / "run").iterations == 120
    further = zerosum.open_run(tmp_path / "run")
    assert further.iteration == 120
    further.advance()
    assert further.result().strategy == zerosum.solve("leduc", "dcfr", iterations=300).strategy
    assert run.iteration == 120


def test_one_function_for_games_and_spots(turn: zerosum.holdem.Spot) -> None:
    named = zerosum.solve("spot:river", iterations=20)
    of_spot = zerosum.solve(zerosum.holdem.load_spot("river"), iterations=20)
    of_problem = zerosum.solve(SpotProblem(zerosum.holdem.load_spot("river")), iterations=20)
    assert numbers(named) == numbers(of_spot) == numbers(of_problem)
    assert [result.algorithm for result in zerosum.compare(turn, ["cfr", "dcfr"], iterations=5)] == ["cfr", "dcfr"]
    with pytest.raises(zerosum.ZerosumError, match="there is no option 'iteration'; did you mean iterations"):
        zerosum.solve("kuhn", iteration=5)
    with pytest.raises(zerosum.ZerosumError, match="is an option of hold'em"):
        zerosum.solve("kuhn", half=True)
    with pytest.raises(zerosum.ZerosumError, match="is an option of games and cannot be used with a hold'em spot"):
        zerosum.solve(turn, refine=True)


def test_a_stop_and_a_pause_that_come_early(tmp_path: Path) -> None:
    run = zerosum.start("leduc", iterations=50)
    assert run.progress.iteration == 0
    run.pause()
    assert run.advance()
    assert run.iteration == 0
    assert not run.advance()
    stopped = zerosum.start("leduc", iterations=50)
    stopped.stop()
    assert not stopped.advance()
    assert stopped.stopped == "interrupted"
    with pytest.raises(zerosum.ZerosumError, match="has not started"):
        stopped.result()


def test_invalid_arguments_of_a_run(tmp_path: Path) -> None:
    run = zerosum.start("kuhn", iterations=50, out=tmp_path / "run")
    for wrong in ({"iterations": 1.5}, {"iterations": "x"}, {"iterations": -1}, {"seconds": float("nan")}):
        with pytest.raises(zerosum.ZerosumError, match="must be a"):
            run.advance(**wrong)
    run.advance(iterations=5)
    run.close()
    run.advance()
    assert zerosum.load(tmp_path / "run").iterations < 50
    run.save(tmp_path / "x.json")
    assert zerosum.load(tmp_path / "x.json") == run.result()
    inside = zerosum.start("kuhn", iterations=50)
    inside.listener = zerosum.Listener(progress=lambda at: inside.advance(iterations=1))
    with pytest.raises(zerosum.ZerosumError, match="must not advance its own run"):
        inside.advance()
    for call in (
        lambda: zerosum.solve(None),
        lambda: zerosum.solve("kuhn", iterations="x"),
        lambda: zerosum.resume("x", foo=1),
    ):
        with pytest.raises(zerosum.ZerosumError):
            call()
    with pytest.raises(zerosum.ZerosumError, match="nothing to average over"):
        zerosum.repeat("kuhn", "mccfr", seeds=2, nodes=1000, by_rules=True)
