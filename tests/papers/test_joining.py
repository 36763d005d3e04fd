"""A figure in pieces: lines that were not run stay as the folder's file holds them, and say how and by what."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from command import COMMAND
from rue.cli.main import run
from rue.papers import kept
from rue.papers.catalogue import FIGURES
from rue.papers.figure import Most
from rue.papers.jobs import Job
from rue.papers.kept import CurveStore
from rue.papers.make import Made, joined, make, redrawn, write
from rue.papers.page import in_folder, page
from rue.papers.work import Done, Watch, Work
from rue.sources import cache_folder

FIGURE = FIGURES["ecfr-4"]
"""Two panels of two lines each, on Kuhn and on Leduc."""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the figure as an earlier version wrote it, with short runs, and the curves."""
    folder = tmp_path_factory.mktemp("earlier")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rue.papers.make.version", lambda: "0.0.1+earlier")
        made = next(make([FIGURE], "quick", Work(store=CurveStore(folder / "kept")), Most(iterations=3)))
    write(FIGURE, made, folder)
    return folder


@pytest.fixture
def whole(earlier: Path, tmp_path: Path) -> Made:
    """The same in a folder of one's own."""
    shutil.copytree(earlier, tmp_path, dirs_exist_ok=True)
    return Made.load(tmp_path / "ecfr-4.json")


class Stopped(Work):
    """Ctrl-C comes when the first line is done."""

    def run(self, jobs: Sequence[Job], watch: Watch | None = None) -> Iterator[Done]:
        yield next(super().run(jobs[:1], watch))
        raise KeyboardInterrupt


def test_what_ctrl_c_leaves_is_joined_with_what_was_there(whole: Made, tmp_path: Path) -> None:
    going = make([FIGURE], "quick", Stopped(store=CurveStore(tmp_path / "kept")), Most(iterations=5))
    made = next(going)
    with pytest.raises(KeyboardInterrupt):
        next(going)
    assert {title: list(lines) for title, lines in made.traces.items()} == {"kuhn": ["with b"], "leduc": []}
    assert [verdict.word for verdict in made.verdicts] == ["not judged", "not judged"]
    both = joined(FIGURE, made, tmp_path)
    told = {(line.length, line.rue) for lines in both.traces.values() for line in lines.values()}
    assert told == {(5, kept.version()), (3, "0.0.1+earlier")}
    assert both.traces["leduc"] == whole.traces["leduc"]
    assert list(both.traces["kuhn"]) == ["with b", "without b"]
    assert both.verdicts == tuple(claim.judge(both.traces) for claim in FIGURE.claims)
    assert Made.load(write(FIGURE, both, tmp_path)[0]) == both
    text = page(in_folder(tmp_path), tmp_path, tmp_path)
    assert f"- 5 iterations [{kept.version()}]: kuhn: with b\n" in text
    assert "- 3 iterations [0.0.1+earlier]: kuhn: without b; leduc\n" in text
    assert f"There are 3 of 0.0.1+earlier, 1 of {kept.version()}." in text


def test_a_whole_run_replaces_what_was_there(whole: Made, tmp_path: Path) -> None:
    made = next(make([FIGURE], "quick", Work(store=CurveStore(tmp_path / "kept")), Most(iterations=2)))
    assert joined(FIGURE, made, tmp_path) == made


@pytest.mark.parametrize("changed", ["cfr on kuhn", "ecfr(order=simultaneous) on leduc"])
def test_another_run_of_the_same_name_is_not_joined(whole: Made, tmp_path: Path, changed: str) -> None:
    other = replace(whole.traces["kuhn"]["with b"], run=changed)
    write(FIGURE, replace(whole, traces=whole.traces | {"kuhn": {"with b": other}}), tmp_path)
    again = joined(FIGURE, next(redrawn([FIGURE], tmp_path)), tmp_path)
    assert {title: list(lines) for title, lines in again.traces.items()} == {
        "kuhn": [],
        "leduc": ["with b", "without b"],
    }


def test_some_lines_are_run_and_others_stay(
    whole: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rue.papers.kept.cache_folder", lambda: tmp_path / "cache")
    where = ["--quick", "--iterations", "4", "--out", str(tmp_path)]
    assert run(["figure", "ecfr-4", "spcfr-1", "--only", "LEDUC: without", *where]) == 0
    found = Made.load(tmp_path / "ecfr-4.json")
    assert {title: [line.length for line in lines.values()] for title, lines in found.traces.items()} == {
        "kuhn": [3, 3],
        "leduc": [3, 4],
    }
    assert not (tmp_path / "spcfr-1.json").exists()
    assert run(["figure", "ecfr", "--only", "no such line", *where]) == 2
    assert "no line has 'no such line'" in capsys.readouterr().err


def test_drawing_again_runs_nothing(
    whole: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rue.papers.work.compute", None)
    before = {name: (tmp_path / name).read_bytes() for name in ("ecfr-4.json", "ecfr-4.png")}
    (tmp_path / "ecfr-4.png").unlink()
    assert run(["figure", "all", "--redraw", "--out", str(tmp_path)]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert run(["figure", "ecfr-4", "--redraw", "--quick", "--out", str(tmp_path)]) == 2
    assert "runs nothing" in capsys.readouterr().err
    (tmp_path / "ecfr-4.json").write_text('{"format": "rue-figure", "version": 2}')
    assert run(["figure", "ecfr-4", "--redraw", "--out", str(tmp_path)]) == 2
    assert "figure of this version" in capsys.readouterr().err


def started(home: Path) -> subprocess.Popen[bytes]:
    """A figure, with curves of its own; machine code is that of all."""
    home.mkdir(exist_ok=True)
    for path in cache_folder().glob("kernels-*"):
        if not (home / path.name).exists():
            (home / path.name).symlink_to(path)
    return subprocess.Popen(
        [*COMMAND, "figure", "ecfr-4", "--quick", "--iterations", "20", "--threads", "1", "--out", str(home / "out")],
        env={**os.environ, "RUE_CACHE_DIR": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a run that nobody disturbed."""
    home = tmp_path_factory.mktemp("undisturbed")
    assert started(home).wait() == 0
    return home / "out"


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_the_same_command_goes_on(sent: signal.Signals, undisturbed: Path, tmp_path: Path) -> None:
    """What was kept is whole, and the files are those of a run that nobody disturbed."""
    killed, curves, out = started(tmp_path), tmp_path / "figures", tmp_path / "out"
    while killed.poll() is None and not any(curves.glob("*.json")):
        time.sleep(0.001)
    killed.send_signal(sent)
    killed.wait()
    for path in curves.glob("*.json"):
        assert kept.trace(json.loads(path.read_text())).last == 20
    for path in out.glob("*.json"):
        Made.load(path)
    assert started(tmp_path).wait() == 0
    for name in ("ecfr-4.csv", "ecfr-4.svg", "ecfr-4.png"):
        assert (out / name).read_bytes() == (undisturbed / name).read_bytes()
