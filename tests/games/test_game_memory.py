"""The memory of a general game: the estimate before a run against the use of its process, and games too large."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zerosum
from zerosum.engine.forms.sequence.memory import GameCounts, NameSizeEstimator
from zerosum.problems.games.game_problem import GameProblem

CUSTOM_GAME = """
from zerosum import CHANCE, TERMINAL, ONE, TWO, Game

class Own(Game):
    def root(self): return ()
    def player(self, state): return TERMINAL if len(state) == 9 else CHANCE if not state else (ONE, TWO)[len(state) % 2]
    def chances(self, state): return [(card, 0.125) for card in range(8)]
    def actions(self, state): return "fold", "call", "raise"
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return (state[0] % 2, *state[1:]) if len(state) % 2 else state[1:]
    def payoff(self, state): return (state[0] + sum(map(len, state[1:]))) % 7 - 3.0
"""
TAKEN = """
import sys
import zerosum

def peak():
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))

for name in ("dcfr", "mccfr"):
    zerosum.solve("kuhn", name, iterations=2)
before = peak()
problem = zerosum.problem(sys.argv[1])
algorithm = problem.resolve_algorithm(sys.argv[2])
zerosum.solve(problem, algorithm, **({} if algorithm.exact else {"iterations": 2}))
print(peak() - before, problem.estimate(algorithm).bytes)
"""
LIMITED = """
import resource, sys
import zerosum

zerosum.solve("kuhn", "dcfr", iterations=2)
limit = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + (int(sys.argv[2]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    zerosum.solve(sys.argv[1], "dcfr", iterations=2)
except zerosum.ZerosumError as error:
    print(error)
"""
SLACK = 6 << 20
"""Bytes loaded once for a kind of game or an algorithm."""
LARGE = 20 << 20
needs_linux = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="this system does not report the size of a process"
)


@needs_linux
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("own.py:Own", "dcfr"), ("dice.efg", "lp"), ("goofspiel(5)", "pcfr+"), ("royal(infosets=rank)", "mccfr")],
)
def test_the_estimate_is_close_to_the_memory_of_a_run(game: str, algorithm: str, tmp_path: Path) -> None:
    if game == "own.py:Own":
        (tmp_path / "own.py").write_text(CUSTOM_GAME)
    elif game == "dice.efg":
        zerosum.write_game("liars-dice(sides=4)", tmp_path / "dice.efg")
    done = subprocess.run(
        [sys.executable, "-c", TAKEN, game, algorithm], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    taken, estimated = map(int, done.stdout.split())
    assert taken <= estimated + SLACK
    assert estimated < 2 * max(taken, LARGE)


@needs_linux
@pytest.mark.parametrize("megabytes", [4, 24, 48])
def test_a_game_that_does_not_fit_is_refused_in_python(megabytes: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "royal", f"{megabytes}"], capture_output=True, text=True, timeout=100
    )
    assert "Traceback" not in done.stderr
    assert re.search(r"not enough memory|needs? .* (is|are) free", done.stdout)


def test_the_estimate_is_the_figure_in_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = zerosum.problem("leduc")
    size = problem.estimate(problem.resolve_algorithm("dcfr"))
    assert size is not None
    monkeypatch.setattr("zerosum.problems.estimate.available_bytes", lambda: size.bytes - size.taken - 1)
    with pytest.raises(zerosum.ZerosumError, match=r"^leduc needs about .* MB for .* more than it has taken so far"):
        zerosum.solve(problem, "dcfr", iterations=2)
    monkeypatch.setattr("zerosum.problems.estimate.available_bytes", lambda: size.bytes)
    zerosum.solve(problem, "dcfr", iterations=2)


def test_an_estimate_counts_the_arrays_of_an_algorithm() -> None:
    def estimated_bytes(algorithm: str) -> int:
        size = zerosum.estimate("liars-dice(sides=5)", algorithm)
        assert size is not None
        return size.bytes

    assert estimated_bytes("lp") > 8 * estimated_bytes("dcfr")
    assert estimated_bytes("pcfr+") > estimated_bytes("cfr+")
    assert estimated_bytes("mccfr") > estimated_bytes("dcfr")


def test_histories_reached_again_are_counted() -> None:
    problem = zerosum.problem("leduc")
    mccfr = problem.resolve_algorithm("mccfr")
    once = zerosum.estimate("leduc", mccfr)
    problem.build_form()
    again = problem.estimate(mccfr)
    assert once is not None
    assert again is not None
    assert again.bytes > once.bytes


def test_more_histories_take_more_memory() -> None:
    game: Any = GameProblem("leduc").build_form().counts
    assert game.form_bytes < game.peak_bytes
    assert game._replace(recorded=True).peak_bytes > game.peak_bytes
    assert GameCounts(0, 0).peak_bytes == 0


def test_names_are_measured_once_however_deep_they_are() -> None:
    nested: Any = ()
    for move in range(5000):
        nested = (nested, f"move {move}")
    names = NameSizeEstimator()
    names.add(0, nested, ("a", "b"))
    first = names.bytes
    names.add(16, nested, ("a", "b"))
    assert names.bytes - first < 2000 < first
