"""Ctrl-C: never lost, whatever runs when it comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue
from rue.cli.ends import Ending, signals
from rue.interrupt import held_back, interruptible, undisturbed
from rue.solvers.team import Team


def swallow() -> None:
    """What C does with an error of Python that it has called."""
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


def test_what_would_be_swallowed_comes_later() -> None:
    swallow()
    with pytest.raises(KeyboardInterrupt), held_back():
        swallow()
    with held_back():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_exact_solution_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """HiGHS may take an hour, and hears nothing; there is nothing to keep then."""
    working, free = threading.Event(), threading.Event()

    def highs(*_: object) -> None:
        working.set()
        free.wait()

    monkeypatch.setattr("rue.solvers.linear_program.equilibrium", highs)
    threading.Thread(target=lambda: (working.wait(), signal.raise_signal(signal.SIGINT))).start()
    with pytest.raises(KeyboardInterrupt):
        rue.solve("kuhn", "lp", out=tmp_path / "run")
    assert not list(tmp_path.rglob("run.rue"))
    run = rue.start("kuhn", "lp")
    run.prepare()
    threading.Thread(target=lambda: (working.wait(), run.stop())).start()
    working.clear()
    assert not run.advance()
    assert (run.stopped, run.curve) == ("interrupted", ())
    free.set()


def test_a_run_hears_of_it_too() -> None:
    heard: list[bool] = []
    with interruptible(lambda: heard.append(True)), held_back():
        swallow()
        assert not heard
    assert heard == [True]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("deep", [1, 2])
def test_the_end_of_a_script_is_not_lost_where_ctrl_c_is_ignored(sent: signal.Signals, deep: int) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    went_on: list[bool] = []

    def held(deep: int) -> None:
        with held_back():
            if deep > 1:
                held(deep - 1)
            else:
                signal.raise_signal(sent)
                went_on.append(True)

    try:
        with signals():
            with pytest.raises(KeyboardInterrupt):
                held(deep)
            with held_back():
                signal.raise_signal(signal.SIGINT)
            assert Ending.code() == 128 + sent
        assert went_on == [True]
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        Ending.by = signal.SIGINT
        for number, handler in before.items():
            signal.signal(number, handler)


def test_the_second_one_interrupts_while_the_first_is_heard() -> None:
    """What hears of the first may hold a lock, which it would wait for if it was called again."""
    heard: list[bool] = []

    def stop() -> None:
        heard.append(True)
        if len(heard) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), interruptible(stop):
        signal.raise_signal(signal.SIGINT)
    assert heard == [True]


def test_a_rule_of_ones_own_is_compiled_without_losing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    from rue.algorithms import own_rule

    class Module:
        call = None
        callable: dict[str, object] = {}  # noqa: RUF012

    def cfunc(*_: object, **__: object) -> object:
        swallow()
        return lambda function: type("Compiled", (), {"address": 1})

    monkeypatch.setattr(own_rule, "_loaded", lambda custom: Module)
    monkeypatch.setattr(numba, "cfunc", cfunc)
    with pytest.raises(KeyboardInterrupt):
        own_rule._address(None, "float64")  # type: ignore[arg-type]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not tell what a process has started")
def test_while_kernels_are_compiled(tmp_path: Path) -> None:
    """The whole group of processes hears Ctrl-C, as from a terminal: the command says so, and nobody goes on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rue", "solve", "kuhn", "--iterations", "10"],
        env={**os.environ, "RUE_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    compilers: list[int] = []
    until = time.monotonic() + 60
    while not compilers and time.monotonic() < until and process.poll() is None:
        compilers = children(process.pid)
        time.sleep(0.02)
    assert compilers
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.splitlines()[-1]) == (130, "rue: interrupted")
    assert not any(Path(f"/proc/{pid}").exists() for pid in compilers)


def test_a_signal_stays_whose_it_is() -> None:
    """Ray takes SIGTERM while it is joined."""
    before = signal.signal(signal.SIGTERM, own := lambda number, frame: None)
    try:
        with undisturbed(signal.SIGTERM):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)


IN_BETWEEN = """
import signal
from concurrent.futures import ThreadPoolExecutor
import rue

submit = ThreadPoolExecutor.submit

def interrupted(self, *given):
    future = submit(self, *given)
    signal.raise_signal(signal.SIGINT)
    return future

run = rue.start("spot:turn", iterations=2, threads=2)
run.prepare()
ThreadPoolExecutor.submit = interrupted
try:
    run.advance()
except KeyboardInterrupt:
    print("interrupted after", run.iteration)
"""


def test_threads_do_not_wait_for_one_that_ctrl_c_keeps_from_coming() -> None:
    """It came when the others had begun: they met inside the kernel, and the process never ended."""
    done = subprocess.run([sys.executable, "-c", IN_BETWEEN], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "interrupted after 1\n", done.stderr


@pytest.mark.parametrize("game", ["leduc", "spot:river"])
def test_iterations_that_ctrl_c_falls_into_are_counted(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going on would otherwise weigh them twice."""
    whole, run = rue.start(game, iterations=5, threads=1), rue.start(game, iterations=5, threads=1)
    whole.advance()
    run.prepare()
    call = Team.call

    def interrupted(*given: Any) -> None:
        call(*given)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Team, "call", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.advance()
    monkeypatch.undo()
    run.advance()
    for one, other in zip(run.solver.state().values(), whole.solver.state().values(), strict=True):
        assert np.array_equal(one, other)
