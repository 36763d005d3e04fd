"""What goes wrong around a run: no room, no right to write, numbers that are not finite, Ctrl-C."""

from __future__ import annotations

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

import rue
import rue.holdem
from rue import container
from rue.runs import keeper


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KB, where one may mount one."""
    path = tmp_path / "disk"
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "rue-test", str(path)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_disk_that_is_full(small_disk: Path, rue: Any) -> None:
    """Nothing that was saved is lost, and the sentence tells why."""
    run = small_disk / "run"
    assert rue("solve", "leduc", "--iterations", 50, "--out", run, "--json").code == 0
    before = (run / "run.rue").read_bytes()
    (small_disk / "filler").write_bytes(bytes(256 * 1024 - len(before) - 40 * 1024))
    said = rue("resume", run, "--iterations", "+50")
    assert (said.code, said.out) == (2, "")
    assert "are free" in said.err or "No space left on device" in said.err
    assert (run / "run.rue").read_bytes() == before
    assert [path.name for path in run.iterdir()] == ["run.rue"]
    (small_disk / "filler").unlink()
    assert rue("resume", run, "--iterations", "+50", "--json").code == 0


def test_a_disk_that_fills_up_on_the_way(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper.Home, "check_room", lambda self, length: None)
    run = small_disk / "run"
    rue.solve("leduc", iterations=50, out=run)
    before = (run / "run.rue").read_bytes()
    (small_disk / "filler").write_bytes(bytes(256 * 1024 - len(before) - 40 * 1024))
    with pytest.raises(rue.RueError, match="cannot write .*: No space left on device"):
        rue.resume(run, iterations=100)
    assert (run / "run.rue").read_bytes() == before
    assert [path.name for path in run.iterdir()] == ["run.rue"]


def test_a_disk_that_may_only_be_read(small_disk: Path, rue: Any) -> None:
    run = small_disk / "run"
    assert rue("solve", "leduc", "--iterations", 50, "--out", run, "--json").code == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for words in (("resume", run, "--iterations", "+50"), ("solve", "big-leduc", "--out", small_disk / "other")):
        said = rue(*words)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert "Read-only file system" in said.err
    assert rue("show", run, "--json").code == 0


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The same where nothing can be mounted: a limit on the length of files."""
    code = (
        "import resource, signal, sys, rue\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))\n"
        "from rue.cli.main import run\n"
        f"sys.exit(run(['resume', {str(tmp_path)!r}, '--iterations', '+50']))"
    )
    rue.solve("leduc", iterations=50, out=tmp_path)
    before = (tmp_path / "run.rue").read_bytes()
    assert len(before) > 30_000
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert (tmp_path / "run.rue").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.rue"]


@pytest.mark.parametrize("what", ["write", "fsync", "replace"])
def test_nothing_is_lost_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    rue.solve("kuhn", iterations=50, out=tmp_path)
    before = (tmp_path / "run.rue").read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(5, "Input/output error")

    if what == "write":
        monkeypatch.setattr(container, "_write", fail)
    else:
        monkeypatch.setattr(container.os, what, fail)
    with pytest.raises(rue.RueError, match="cannot write .*: Input/output error"):
        rue.resume(tmp_path, iterations=100)
    monkeypatch.undo()
    assert (tmp_path / "run.rue").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.rue"]


def test_places_that_cannot_be_written(tmp_path: Path, rue: Any) -> None:
    """Said before anything is solved: big-leduc would take long."""
    for place, words in (
        ("/proc/run", "cannot write /proc/run"),
        ("/dev/null", "not a regular file"),
        (tmp_path / "no" / "run", "cannot write"),
        (tmp_path / "no" / "run.rue", "cannot write"),
    ):
        said = rue("solve", "big-leduc", "--out", place)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert words in said.err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(rue.RueError, match="cannot write .*: Permission denied"):
        rue.solve("kuhn", iterations=50, out=tmp_path / "run")


HUGE = "matrix([[1e308, -1e308], [-1e308, 1e308]])"


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    """The run ends at the next evaluation, says where, and the save of before is kept."""
    with pytest.raises(rue.RueError, match=r"no longer finite at iteration \d: \w+ at infoset '.*' of player [12]"):
        rue.solve(HUGE, "cfr", iterations=100, out=tmp_path, start_seed=1)
    read = rue.load(tmp_path)
    assert read.stopped == "running"
    assert read.iterations < 5


@pytest.mark.parametrize("half", [False, True])
def test_where_numbers_of_a_spot_are_not_finite(tmp_path: Path, half: bool) -> None:
    from rue.holdem.form import public_tree
    from rue.solvers.public_solver import PublicSolver

    spot = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")
    tree = public_tree(spot)
    solver = PublicSolver(tree, rue.algorithm("cfr"), 10, dtype=np.float16 if half else np.float32)
    solver.run(3)
    solver.check_finite()
    choice = next(choice for choice in tree.first.choices if choice.line == ("check", "bet 100"))
    width = len(tree.board.hands[0])
    wrong = np.float16(np.nan).view(np.uint16) if half else np.nan
    solver.state()["regret0"][(choice.first - 1) * width] = wrong
    words = "no longer finite at iteration 3: regret at Ks7h2d9c4s, after check bet 100, player 1"
    with pytest.raises(rue.RueError, match=words):
        solver.check_finite()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_interrupted_goes_on(tmp_path: Path, number: int, code: int) -> None:
    path = tmp_path / "run"
    words = [sys.executable, "-m", "rue", "solve", "leduc", "--seconds", "90", "--out", str(path), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 90
        while not (path / "run.rue").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert '"interrupted"' in out
    read = rue.load(path)
    assert read.stopped == "interrupted"
    whole = rue.solve("leduc", iterations=read.iterations + 100)
    assert rue.resume(path, iterations="+100").decisions == whole.decisions


def test_saving_takes_little_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long one save takes, the next waits so long that all before it stay within their share; by a clock that
    an iteration and a save move on."""
    kept: list[keeper.Keeper] = []
    monkeypatch.setattr(keeper.Keeper, "__init__", _noting(kept, keeper.Keeper.__init__))
    now, took, write = [0.0], [0.01, 0.5, 0.002, 0.1], container.write

    def slowly(*given: Any) -> int:
        now[0] += took[kept[0].saves % len(took)]
        return write(*given)

    monkeypatch.setattr(container, "write", slowly)
    monkeypatch.setattr(keeper, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    run = rue.start("leduc", iterations=2000, out=tmp_path)
    while run.iteration < 1500:
        run.advance(iterations=1)
        now[0] += 0.05
        last = took[(kept[0].saves - 1) % len(took)]
        assert kept[0].spent - last <= keeper.SHARE * now[0]
    assert kept[0].saves > len(took)
    run.close()


def _noting(kept: list[Any], init: Any) -> Any:
    def note(self: Any, *given: Any, **more: Any) -> None:
        kept.append(self)
        init(self, *given, **more)

    return note
