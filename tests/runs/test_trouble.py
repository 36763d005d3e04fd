"""Failures around a run: full disks, missing permissions, numbers that are not finite, Ctrl-C."""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.runs import run_saver
from zerosum.support import array_file


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KB, if mounting is allowed."""
    path = tmp_path / "disk"
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "zerosum-test", str(path)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_disk_that_is_full(small_disk: Path, zerosum: Any) -> None:
    """Nothing that was saved is lost, and the message says why."""
    run = small_disk / "run"
    assert zerosum("solve", "leduc", "--iterations", 50, "--out", run, "--json").code == 0
    before = (run / "run.zs").read_bytes()
    (small_disk / "filler").write_bytes(bytes(256 * 1024 - len(before) - 40 * 1024))
    output = zerosum("resume", run, "--iterations", "+50")
    assert (output.code, output.out) == (2, "")
    assert "are free" in output.err or "No space left on device" in output.err
    assert (run / "run.zs").read_bytes() == before
    assert [path.name for path in run.iterdir()] == ["run.zs"]
    (small_disk / "filler").unlink()
    assert zerosum("resume", run, "--iterations", "+50", "--json").code == 0


def test_a_disk_that_fills_up_on_the_way(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_saver.RunLocation, "check_free_space", lambda self, n_bytes: None)
    run = small_disk / "run"
    zerosum.solve("leduc", iterations=50, out=run)
    before = (run / "run.zs").read_bytes()
    (small_disk / "filler").write_bytes(bytes(256 * 1024 - len(before) - 40 * 1024))
    with pytest.raises(zerosum.ZerosumError, match="cannot write .*: No space left on device"):
        zerosum.resume(run, iterations=100)
    assert (run / "run.zs").read_bytes() == before
    assert [path.name for path in run.iterdir()] == ["run.zs"]


def test_a_run_that_could_not_be_saved_at_its_end_may_be_saved_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = zerosum.start("leduc", "cfr", iterations=50, out=tmp_path / "run")
    run.advance(iterations=20)
    with monkeypatch.context() as patch:
        patch.setattr(array_file, "_write_arrays", _full_disk)
        with pytest.raises(zerosum.ZerosumError, match="No space left on device"):
            run.advance()
    assert run.stopped == "iterations"
    run.save(tmp_path / "run")
    assert zerosum.load(tmp_path / "run") == run.result()
    assert zerosum.resume(tmp_path / "run", iterations="+10").iterations == 60
    with pytest.raises(zerosum.ZerosumError, match="holds a run already"):
        run.save(tmp_path / "run")


def _full_disk(*_: Any) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["run", "run.zs"])
def test_a_run_that_is_dropped_unlocks_its_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    run = zerosum.start("kuhn", "cfr", iterations=50, out=path)
    run.advance(iterations=20)
    run.save(path)
    with pytest.raises(zerosum.ZerosumError, match="another process is writing to"):
        zerosum.resume(path)
    del run
    gc.collect()
    assert zerosum.resume(path).iterations == 50
    assert {file.name for file in tmp_path.rglob("*") if file.is_file()} == {"run.zs"}


def test_a_disk_that_may_only_be_read(small_disk: Path, zerosum: Any) -> None:
    run = small_disk / "run"
    assert zerosum("solve", "leduc", "--iterations", 50, "--out", run, "--json").code == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for words in (("resume", run, "--iterations", "+50"), ("solve", "big-leduc", "--out", small_disk / "other")):
        output = zerosum(*words)
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1)
        assert "Read-only file system" in output.err
    assert zerosum("show", run, "--json").code == 0


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The same without mounting a disk: a limit on the length of files."""
    code = (
        "import resource, signal, sys, zerosum\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))\n"
        "from zerosum.cli.main import run\n"
        f"sys.exit(run(['resume', {str(tmp_path)!r}, '--iterations', '+50']))"
    )
    zerosum.solve("leduc", iterations=50, out=tmp_path)
    before = (tmp_path / "run.zs").read_bytes()
    assert len(before) > 30_000
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert (tmp_path / "run.zs").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.zs"]


@pytest.mark.parametrize("what", ["write", "fsync", "replace"])
def test_nothing_is_lost_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    zerosum.solve("kuhn", iterations=50, out=tmp_path)
    before = (tmp_path / "run.zs").read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(5, "Input/output error")

    if what == "write":
        monkeypatch.setattr(array_file, "_write_arrays", fail)
    else:
        monkeypatch.setattr(array_file.os, what, fail)
    with pytest.raises(zerosum.ZerosumError, match="cannot write .*: Input/output error"):
        zerosum.resume(tmp_path, iterations=100)
    monkeypatch.undo()
    assert (tmp_path / "run.zs").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.zs"]


def test_places_that_cannot_be_written(tmp_path: Path, zerosum: Any) -> None:
    """The message comes before anything is solved: big-leduc would be slow."""
    for place, words in (
        ("/proc/run", "cannot write /proc/run"),
        ("/dev/null", "not a regular file"),
        (tmp_path / "no" / "run", "cannot write"),
        (tmp_path / "no" / "run.zs", "cannot write"),
    ):
        output = zerosum("solve", "big-leduc", "--out", place)
        assert (output.code, output.out, output.err.count("\n")) == (2, "", 1)
        assert words in output.err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(zerosum.ZerosumError, match="cannot write .*: Permission denied"):
        zerosum.solve("kuhn", iterations=50, out=tmp_path / "run")


HUGE = "matrix([[1e308, -1e308], [-1e308, 1e308]])"


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    """The run ends at the next evaluation, says where, and the earlier save remains."""
    with pytest.raises(
        zerosum.ZerosumError, match=r"no longer finite at iteration \d: \w+ at infoset '.*' of player [12]"
    ):
        zerosum.solve(HUGE, "cfr", iterations=100, out=tmp_path, start_seed=1)
    read = zerosum.load(tmp_path)
    assert read.stopped == "running"
    assert read.iterations < 5


@pytest.mark.parametrize("half", [False, True])
def test_where_numbers_of_a_spot_are_not_finite(tmp_path: Path, half: bool) -> None:
    from zerosum.engine.public.solver import PublicSolver
    from zerosum.holdem.engine.public_tree import build_public_tree

    spot = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")
    tree = build_public_tree(spot)
    solver = PublicSolver(tree, zerosum.algorithm("cfr"), 10, dtype=np.float16 if half else np.float32)
    solver.run(3)
    solver.check_finite()
    choice = next(choice for choice in tree.first.choices if choice.line == ("check", "bet 100"))
    width = len(tree.board.hands[0])
    wrong = np.float16(np.nan).view(np.uint16) if half else np.nan
    solver.state()["regret0"][(choice.first - 1) * width] = wrong
    words = "no longer finite at iteration 3: regret at Ks7h2d9c4s, after check bet 100, player 1"
    with pytest.raises(zerosum.ZerosumError, match=words):
        solver.check_finite()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_resumes(tmp_path: Path, number: int, code: int) -> None:
    path = tmp_path / "run"
    words = [sys.executable, "-m", "zerosum", "solve", "leduc", "--seconds", "90", "--out", str(path), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 90
        while not (path / "run.zs").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert '"interrupted"' in out
    read = zerosum.load(path)
    assert read.stopped == "interrupted"
    whole = zerosum.solve("leduc", iterations=read.iterations + 100)
    assert zerosum.resume(path, iterations="+100").decisions == whole.decisions


def test_saving_takes_little_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a slow save the next one waits until all saves are within their share, by a clock that iterations and saves
    advance.
    """
    savers: list[run_saver.RunSaver] = []
    monkeypatch.setattr(run_saver.RunSaver, "__init__", _noting(savers, run_saver.RunSaver.__init__))
    now, took, write = [0.0], [0.01, 0.5, 0.002, 0.1], array_file.write_array_file

    def slowly(*arguments: Any) -> int:
        now[0] += took[savers[0].saves % len(took)]
        return write(*arguments)

    monkeypatch.setattr(array_file, "write_array_file", slowly)
    monkeypatch.setattr(run_saver, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    run = zerosum.start("leduc", iterations=2000, out=tmp_path)
    while run.iteration < 1500:
        run.advance(iterations=1)
        now[0] += 0.05
        last = took[(savers[0].saves - 1) % len(took)]
        assert savers[0].spent - last <= run_saver.SAVING_SHARE * now[0]
    assert savers[0].saves > len(took)
    run.close()


def _noting(savers: list[Any], init: Any) -> Any:
    def note(self: Any, *arguments: Any, **more: Any) -> None:
        savers.append(self)
        init(self, *arguments, **more)

    return note
