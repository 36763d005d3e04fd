"""kill -9 at any moment: the last save of the run is whole, and it resumes as if nothing had happened."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import zerosum

SCRIPT = Path(__file__).parent / "killing.py"
KILLS = 15


@pytest.mark.parametrize(("game", "algorithm"), [("leduc", "pcfr+"), ("leduc", "linear-mccfr(1e5)")])
def test_a_run_that_is_killed_again_and_again(tmp_path: Path, game: str, algorithm: str) -> None:
    path = tmp_path / "run"
    words = [sys.executable, str(SCRIPT), str(path), game, algorithm, str(KILLS), "7"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert len(report["seen"]) > KILLS / 2
    reached = report["seen"][-1]
    assert len(set(report["seen"])) > 2
    went_on = zerosum.resume(path, iterations=reached + 50, game=game)
    whole = zerosum.solve(game, algorithm, iterations=reached + 50)
    assert went_on.decisions == whole.decisions
    assert [(p.iteration, p.exploitability) for p in went_on.curve] == [
        (p.iteration, p.exploitability) for p in whole.curve
    ]
    assert [entry.name for entry in path.iterdir()] == ["run.zs"]
