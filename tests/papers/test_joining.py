"""A figure in pieces: lines that were not run keep their stored curves, with the settings and version of their run."""

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
from typing import Any

import pytest

from command import COMMAND
from zerosum.cli.main import run
from zerosum.jobs.runner import JobRunner
from zerosum.papers.catalogue import FIGURES
from zerosum.papers.curve import Curve
from zerosum.papers.curve_job import compute_version, open_curve_store
from zerosum.papers.figure import FigureLimits
from zerosum.papers.gallery import load_figures, render_page
from zerosum.papers.problems import ProblemCache
from zerosum.papers.reproduction import FigureResult, load_saved, merge_with_saved, reproduce, write_files
from zerosum.support.source_hash import cache_folder

FIGURE = FIGURES["ecfr-4"]
"""Two panels of two lines each, on Kuhn and on Leduc."""


def run_figure(folder: Path, limits: FigureLimits) -> FigureResult:
    return next(reproduce([FIGURE], "quick", JobRunner(store=open_curve_store(folder)), ProblemCache(), limits))


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the figure and its curves as an earlier version wrote them, with short runs."""
    folder = tmp_path_factory.mktemp("earlier")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("zerosum.papers.reproduction.compute_version", lambda: "0.0.1+earlier")
        result = run_figure(folder / "kept", FigureLimits(iterations=3))
    write_files(FIGURE, result, folder)
    return folder


@pytest.fixture
def whole(earlier: Path, tmp_path: Path) -> FigureResult:
    """The same in a private folder."""
    shutil.copytree(earlier, tmp_path, dirs_exist_ok=True)
    return FigureResult.load(tmp_path / "ecfr-4.json")


class InterruptedRunner(JobRunner):
    """Ctrl-C comes when the first run is done."""

    def run(self, jobs: Sequence[Any]) -> Iterator[Any]:
        yield next(super().run(jobs[:1]))
        self.stop()


def test_an_interrupted_run_is_joined_with_earlier_curves(whole: FigureResult, tmp_path: Path) -> None:
    runner = InterruptedRunner(store=open_curve_store(tmp_path / "kept"))
    (result,) = reproduce([FIGURE], "quick", runner, ProblemCache(), FigureLimits(iterations=5))
    assert runner.interrupted
    assert {title: list(lines) for title, lines in result.curves.items()} == {"kuhn": ["with b"], "leduc": []}
    assert [verdict.word for verdict in result.verdicts] == ["not judged", "not judged"]
    both = merge_with_saved(FIGURE, result, tmp_path)
    lengths_and_versions = {(line.length, line.version) for lines in both.curves.values() for line in lines.values()}
    assert lengths_and_versions == {(5, compute_version()), (3, "0.0.1+earlier")}
    assert both.curves["leduc"] == whole.curves["leduc"]
    assert list(both.curves["kuhn"]) == ["with b", "without b"]
    assert both.verdicts == tuple(claim.judge(both.curves) for claim in FIGURE.claims)
    assert FigureResult.load(write_files(FIGURE, both, tmp_path)[0]) == both
    text = render_page(load_figures(tmp_path), tmp_path, tmp_path)
    assert f"- 5 iterations [{compute_version()}]: kuhn: with b\n" in text
    assert "- 3 iterations [0.0.1+earlier]: kuhn: without b; leduc\n" in text
    assert f"There are 3 of 0.0.1+earlier, 1 of {compute_version()}." in text


def test_a_whole_run_replaces_earlier_curves(whole: FigureResult, tmp_path: Path) -> None:
    result = run_figure(tmp_path / "kept", FigureLimits(iterations=2))
    assert merge_with_saved(FIGURE, result, tmp_path) == result


@pytest.mark.parametrize("changed", ["cfr on kuhn", "ecfr(order=simultaneous) on leduc"])
def test_another_run_of_the_same_name_is_not_joined(whole: FigureResult, tmp_path: Path, changed: str) -> None:
    other = replace(whole.curves["kuhn"]["with b"], description=changed)
    write_files(FIGURE, replace(whole, curves=whole.curves | {"kuhn": {"with b": other}}), tmp_path)
    again = merge_with_saved(FIGURE, next(load_saved([FIGURE], tmp_path)), tmp_path)
    assert {title: list(lines) for title, lines in again.curves.items()} == {
        "kuhn": [],
        "leduc": ["with b", "without b"],
    }


def test_some_lines_are_run_and_others_stay(
    whole: FigureResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("zerosum.papers.curve_job.cache_folder", lambda: tmp_path / "cache")
    where = ["--quick", "--iterations", "4", "--out", str(tmp_path)]
    assert run(["figure", "ecfr-4", "spcfr-1", "--only", "LEDUC: without", *where]) == 0
    result = FigureResult.load(tmp_path / "ecfr-4.json")
    assert {title: [line.length for line in lines.values()] for title, lines in result.curves.items()} == {
        "kuhn": [3, 3],
        "leduc": [3, 4],
    }
    assert not (tmp_path / "spcfr-1.json").exists()
    assert run(["figure", "ecfr", "--only", "no such line", *where]) == 2
    assert "no line matches 'no such line'" in capsys.readouterr().err


def test_drawing_again_runs_nothing(
    whole: FigureResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("zerosum.papers.curve_job.CurveJob.run", None)
    before = {name: (tmp_path / name).read_bytes() for name in ("ecfr-4.json", "ecfr-4.png")}
    (tmp_path / "ecfr-4.png").unlink()
    assert run(["figure", "all", "--redraw", "--out", str(tmp_path)]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert run(["figure", "ecfr-4", "--redraw", "--quick", "--out", str(tmp_path)]) == 2
    assert "runs nothing" in capsys.readouterr().err
    (tmp_path / "ecfr-4.json").write_text('{"format": "zerosum-figure", "version": 2}')
    assert run(["figure", "ecfr-4", "--redraw", "--out", str(tmp_path)]) == 2
    assert "figure of this version" in capsys.readouterr().err


def started(home: Path) -> subprocess.Popen[bytes]:
    """Start a figure with a private store of curves; machine code is shared."""
    home.mkdir(exist_ok=True)
    for path in cache_folder().glob("kernels-*"):
        if not (home / path.name).exists():
            (home / path.name).symlink_to(path)
    return subprocess.Popen(
        [*COMMAND, "figure", "ecfr-4", "--quick", "--iterations", "20", "--threads", "1", "--out", str(home / "out")],
        env={**os.environ, "ZEROSUM_CACHE_DIR": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of an undisturbed run."""
    home = tmp_path_factory.mktemp("undisturbed")
    assert started(home).wait() == 0
    return home / "out"


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_after_a_kill_the_same_command_resumes(sent: signal.Signals, undisturbed: Path, tmp_path: Path) -> None:
    """The stored curves are whole, and the files are those of an undisturbed run."""
    killed, curves, out = started(tmp_path), tmp_path / "figures" / "jobs", tmp_path / "out"
    while killed.poll() is None and not any(curves.glob("*.json")):
        time.sleep(0.001)
    killed.send_signal(sent)
    killed.wait()
    for path in curves.glob("*.json"):
        assert Curve.from_json(json.loads(path.read_text())["content"]).last_x == 20
    for path in out.glob("*.json"):
        FigureResult.load(path)
    assert started(tmp_path).wait() == 0
    for name in ("ecfr-4.csv", "ecfr-4.svg", "ecfr-4.png"):
        assert (out / name).read_bytes() == (undisturbed / name).read_bytes()
