"""A run that anybody can hold: cut into pieces, paused, stopped, looked at from other threads while it goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rue
import rue.holdem
from rue.problems.spot import SpotProblem
from rue.runs.run import StoppedError
from rue.turns import Turns

TURN = ("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin")


@pytest.fixture(scope="module")
def turn() -> rue.holdem.Spot:
    return rue.holdem.spot(*TURN)


@cache
def leduc() -> rue.Problem:
    """Leduc, enumerated once."""
    return rue.problem("leduc")


def numbers(result: Any) -> list[tuple[int, float, float]]:
    return [(point.iteration, point.exploitability, point.value) for point in result.curve]


@settings(max_examples=15)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from(["dcfr", "pcfr+", "mccfr"]))
def test_pieces_change_nothing(pieces: list[int], name: str) -> None:
    game = leduc()
    run = rue.start(game, name, iterations=200)
    for piece in pieces:
        run.advance(iterations=piece)
    assert run.iteration == min(200, sum(pieces))
    assert not run.advance()
    whole = rue.solve(game, name, iterations=200)
    assert run.stopped == whole.stopped == "iterations"
    assert numbers(run.result()) == numbers(whole)
    assert run.result().strategy == whole.strategy


def test_time_is_a_limit_and_pauses_do_not_count() -> None:
    run = rue.start("leduc", "cfr", iterations=10**9)
    assert run.advance(seconds=0.05)
    spent = run.seconds
    assert 0.04 < spent < 5.0
    time.sleep(0.2)
    assert run.seconds == spent
    assert run.progress.remaining > 0


def test_pause_and_stop_from_another_thread() -> None:
    run = rue.start("leduc", "dcfr", iterations=10**9)
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
    run = rue.start("leduc", "dcfr", iterations=10**9)
    with pytest.raises(rue.RueError, match="has not begun"):
        run.result()
    run.prepare()
    assert np.isnan(run.result().exploitability)
    worker = threading.Thread(target=run.advance)
    worker.start()
    try:
        while run.iteration < 100:
            found = run.result()
            assert found.stopped == "running"
            assert sum(found.strategy["Kc|"].values()) == pytest.approx(1.0)
    finally:
        run.stop()
        worker.join(20)


def test_looking_changes_nothing_while_a_run_goes_on(turn: rue.holdem.Spot) -> None:
    """Looking used to share arrays with the run's own evaluations, and curves went up instead of down."""
    quiet = rue.solve(turn, iterations=60, threads=2)
    run = rue.start(turn, iterations=60, threads=2)
    run.prepare()
    solution = run.result().solution
    over = threading.Event()
    seen: list[int] = []

    def look() -> None:
        while not over.is_set():
            point = solution.at(("check bet50 call 4d", "check", "")[len(seen) % 3])
            assert point.strategy.sum(axis=0) == pytest.approx(1.0)
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
def test_looking_from_many_threads_at_once(turn: rue.holdem.Spot, algorithm: str) -> None:
    result = rue.solve(turn, algorithm, iterations=40)
    lines = ["", "check", "check bet50", "bet50", "check check 4d", "check check 4h", "bet50 call 2c check"]
    alone = {line: rue.solve(turn, algorithm, iterations=40).at(line).evs for line in lines}
    wrong: list[str] = []

    def look(start: int) -> None:
        for number in range(30):
            line = lines[(start + number) % len(lines)]
            if not np.array_equal(type(result.solution)(turn, result.solution.solver).at(line).evs, alone[line]):
                wrong.append(line)

    threads = [threading.Thread(target=look, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_waiting_threads_get_their_turn() -> None:
    turns, over, got = Turns(), threading.Event(), threading.Event()

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
def test_building_is_told_and_can_be_ended(game: str) -> None:
    stages: list[tuple[str, int]] = []
    run = rue.start(game, iterations=10, listener=rue.Listener(stage=lambda *told: stages.append(told)))
    run.prepare()
    assert stages[0][1] == 0
    assert any(what in ("boards", "cfr", "dcfr") for what, _ in stages) or len(stages) > 1
    again = rue.start(game, iterations=10)
    again.listener = rue.Listener(stage=lambda what, count: again.stop())
    with pytest.raises(StoppedError):
        again.prepare()
    with pytest.raises(rue.RueError, match="has not begun"):
        again.result()


def test_compiling_is_told_and_can_be_ended(tmp_path: Path) -> None:
    """With nothing compiled yet, in a process of its own."""
    script = """
import rue
def stop(what, count):
    seen.append(what)
    if what == "compiling":
        run.stop()
seen = []
run = rue.start("kuhn", iterations=10, listener=rue.Listener(stage=stop))
try:
    run.prepare()
except rue.runs.run.StoppedError:
    print(seen[-1])
"""
    env = {**os.environ, "RUE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == "compiling\n", done.stderr
    assert not list(tmp_path.rglob("*.o"))


def test_a_run_is_saved_by_hand_and_goes_on(tmp_path: Path) -> None:
    run = rue.start("leduc", "dcfr", iterations=300)
    run.advance(iterations=120)
    run.save(tmp_path / "run")
    assert rue.load(tmp_path / "run").iterations == 120
    further = rue.open_run(tmp_path / "run")
    assert further.iteration == 120
    further.advance()
    assert further.result().strategy == rue.solve("leduc", "dcfr", iterations=300).strategy
    assert run.iteration == 120


def test_one_function_for_games_and_spots(turn: rue.holdem.Spot) -> None:
    named = rue.solve("spot:river", iterations=20)
    given = rue.solve(rue.holdem.load_spot("river"), iterations=20)
    made = rue.solve(SpotProblem(rue.holdem.load_spot("river")), iterations=20)
    assert numbers(named) == numbers(given) == numbers(made)
    assert [result.algorithm for result in rue.compare(turn, ["cfr", "dcfr"], iterations=5)] == ["cfr", "dcfr"]
    with pytest.raises(rue.RueError, match="there is no option 'iteration'; did you mean iterations"):
        rue.solve("kuhn", iteration=5)
    with pytest.raises(rue.RueError, match="is an option of hold'em"):
        rue.solve("kuhn", half=True)
    with pytest.raises(rue.RueError, match="does not go with hold'em"):
        rue.solve(turn, refine=True)


def test_a_stop_and_a_pause_that_come_early(tmp_path: Path) -> None:
    run = rue.start("leduc", iterations=50)
    assert run.progress.iteration == 0
    run.pause()
    assert run.advance()
    assert run.iteration == 0
    assert not run.advance()
    stopped = rue.start("leduc", iterations=50)
    stopped.stop()
    assert not stopped.advance()
    assert stopped.stopped == "interrupted"
    with pytest.raises(rue.RueError, match="has not begun"):
        stopped.result()


def test_what_means_nothing_to_a_run(tmp_path: Path) -> None:
    run = rue.start("kuhn", iterations=50, out=tmp_path / "run")
    for wrong in ({"iterations": 1.5}, {"iterations": "x"}, {"iterations": -1}, {"seconds": float("nan")}):
        with pytest.raises(rue.RueError, match="must be a"):
            run.advance(**wrong)
    run.advance(iterations=5)
    run.close()
    run.advance()
    assert rue.load(tmp_path / "run").iterations < 50
    run.save(tmp_path / "x.json")
    assert rue.load(tmp_path / "x.json") == run.result()
    inside = rue.start("kuhn", iterations=50)
    inside.listener = rue.Listener(progress=lambda at: inside.advance(iterations=1))
    with pytest.raises(rue.RueError, match="who is told"):
        inside.advance()
    for call in (lambda: rue.solve(None), lambda: rue.solve("kuhn", iterations="x"), lambda: rue.resume("x", foo=1)):
        with pytest.raises(rue.RueError):
            call()
    with pytest.raises(rue.RueError, match="nothing to take the mean of"):
        rue.repeat("kuhn", "mccfr", seeds=2, nodes=1000, by_rules=True)
