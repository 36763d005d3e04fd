"""Ctrl-C is never lost, whatever code is running."""

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

import zerosum
from zerosum.cli.exit_codes import SignalHandler, handle_signals
from zerosum.engine.threads import KernelThreads
from zerosum.support.system import defer_interrupt, restore_handler, stop_on_interrupt


def swallow() -> None:
    """What C does with an error of Python that it has called."""
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_would_be_swallowed_comes_later() -> None:
    swallow()
    with pytest.raises(KeyboardInterrupt), defer_interrupt():
        swallow()
    with defer_interrupt():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_exact_solution_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """HiGHS may run for an hour without reacting to signals, and has no partial result to save."""
    working, free = threading.Event(), threading.Event()

    def highs(*_: object) -> None:
        working.set()
        free.wait()

    monkeypatch.setattr("zerosum.engine.exact.linear_program.equilibrium", highs)
    threading.Thread(target=lambda: (working.wait(), signal.raise_signal(signal.SIGINT))).start()
    with pytest.raises(KeyboardInterrupt):
        zerosum.solve("kuhn", "lp", out=tmp_path / "run")
    assert not list(tmp_path.rglob("run.zs"))
    run = zerosum.start("kuhn", "lp")
    run.prepare()
    threading.Thread(target=lambda: (working.wait(), run.stop())).start()
    working.clear()
    assert not run.advance()
    assert (run.stopped, run.curve) == ("interrupted", ())
    free.set()


def test_a_run_hears_of_it_too() -> None:
    heard: list[bool] = []
    with stop_on_interrupt(lambda: heard.append(True)), defer_interrupt():
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
        with defer_interrupt():
            if deep > 1:
                held(deep - 1)
            else:
                signal.raise_signal(sent)
                went_on.append(True)

    try:
        with handle_signals():
            with pytest.raises(KeyboardInterrupt):
                held(deep)
            with defer_interrupt():
                signal.raise_signal(signal.SIGINT)
            assert SignalHandler.exit_code() == 128 + sent
        assert went_on == [True]
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        SignalHandler.by = signal.SIGINT
        for number, handler in before.items():
            signal.signal(number, handler)


def test_the_second_one_interrupts_while_the_first_is_heard() -> None:
    """What hears of the first may hold a lock, which it would wait for if it was called again."""
    heard: list[bool] = []

    def stop() -> None:
        heard.append(True)
        if len(heard) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), stop_on_interrupt(stop):
        signal.raise_signal(signal.SIGINT)
    assert heard == [True]


def test_a_custom_rule_is_compiled_without_losing_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    from zerosum.engine.updates import custom_rule

    class Module:
        call = None
        callable: dict[str, object] = {}  # noqa: RUF012

    def cfunc(*_: object, **__: object) -> object:
        swallow()
        return lambda function: type("Compiled", (), {"address": 1})

    monkeypatch.setattr(custom_rule, "_load_rule_module", lambda custom: Module)
    monkeypatch.setattr(numba, "cfunc", cfunc)
    with pytest.raises(KeyboardInterrupt):
        custom_rule._compile_user_rule(None, "float64")  # type: ignore[arg-type]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not list the children of a process")
def test_while_kernels_are_compiled(tmp_path: Path) -> None:
    """Ctrl-C reaches the whole process group, as from a terminal: the command reports it and every process ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zerosum", "solve", "kuhn", "--iterations", "10"],
        env={**os.environ, "ZEROSUM_CACHE_DIR": str(tmp_path)},
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
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message.splitlines()[-1]) == (130, "zerosum: interrupted")
    assert not any(Path(f"/proc/{pid}").exists() for pid in compilers)


def test_a_signal_stays_whose_it_is() -> None:
    """Ray takes SIGTERM while it is joined."""
    before = signal.signal(signal.SIGTERM, handler := lambda number, frame: None)
    try:
        with restore_handler(signal.SIGTERM):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


IN_BETWEEN = """
import signal
from concurrent.futures import ThreadPoolExecutor
import zerosum

submit = ThreadPoolExecutor.submit

def interrupted(self, *given):
    future = submit(self, *given)
    signal.raise_signal(signal.SIGINT)
    return future

run = zerosum.start("spot:turn", iterations=2, threads=2)
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
    whole, run = zerosum.start(game, iterations=5, threads=1), zerosum.start(game, iterations=5, threads=1)
    whole.advance()
    run.prepare()
    run_threads = KernelThreads.run

    def interrupted(*arguments: Any) -> None:
        run_threads(*arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(KernelThreads, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.advance()
    monkeypatch.undo()
    run.advance()
    for stopped, other in zip(run.solver.state().values(), whole.solver.state().values(), strict=True):
        assert np.array_equal(stopped, other)
