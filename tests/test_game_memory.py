"""The memory of a general game: what is told before a run against what its process takes, and what does not fit."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rue
from rue.forms.footprint import Found, Names
from rue.problems.game import GameProblem

OWN = """
from rue import CHANCE, NOBODY, ONE, TWO, Game

class Own(Game):
    def root(self): return ()
    def player(self, state): return NOBODY if len(state) == 9 else CHANCE if not state else (ONE, TWO)[len(state) % 2]
    def chances(self, state): return [(card, 0.125) for card in range(8)]
    def actions(self, state): return "fold", "call", "raise"
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return (state[0] % 2, *state[1:]) if len(state) % 2 else state[1:]
    def payoff(self, state): return (state[0] + sum(map(len, state[1:]))) % 7 - 3.0
"""
TAKEN = """
import sys
import rue

def peak():
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))

for name in ("dcfr", "mccfr"):
    rue.solve("kuhn", name, iterations=2)
before = peak()
problem = rue.problem(sys.argv[1])
algorithm = problem.algorithm(sys.argv[2])
rue.solve(problem, algorithm, **({} if algorithm.exact else {"iterations": 2}))
print(peak() - before, problem.estimate(algorithm).bytes)
"""
LIMITED = """
import resource, sys
import rue

rue.solve("kuhn", "dcfr", iterations=2)
limit = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + (int(sys.argv[2]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    rue.solve(sys.argv[1], "dcfr", iterations=2)
except rue.RueError as error:
    print(error)
"""
SLACK = 6 << 20
"""Bytes: what is loaded for a kind of game or an algorithm, once."""
LARGE = 20 << 20
needs_linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no process is told its size")


@needs_linux
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("own.py:Own", "dcfr"), ("dice.efg", "lp"), ("goofspiel(5)", "pcfr+"), ("royal(infosets=rank)", "mccfr")],
)
def test_what_is_told_is_what_a_run_takes(game: str, algorithm: str, tmp_path: Path) -> None:
    if game == "own.py:Own":
        (tmp_path / "own.py").write_text(OWN)
    elif game == "dice.efg":
        rue.write_game("liars-dice(sides=4)", tmp_path / "dice.efg")
    done = subprocess.run(
        [sys.executable, "-c", TAKEN, game, algorithm], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    taken, told = map(int, done.stdout.split())
    assert taken <= told + SLACK
    assert told < 2 * max(taken, LARGE)


@needs_linux
@pytest.mark.parametrize("megabytes", [4, 24, 48])
def test_a_game_that_does_not_fit_is_a_sentence_in_python(megabytes: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "royal", f"{megabytes}"], capture_output=True, text=True, timeout=100
    )
    assert "Traceback" not in done.stderr
    assert re.search(r"not enough memory|needs? .* (is|are) free", done.stdout)


def test_what_was_told_is_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = rue.problem("leduc")
    size = problem.estimate(problem.algorithm("dcfr"))
    assert size is not None
    monkeypatch.setattr("rue.problems.estimate.available_bytes", lambda: size.bytes - size.taken - 1)
    with pytest.raises(rue.RueError, match=r"^leduc needs about .* MB for .* more than it has taken so far"):
        rue.solve(problem, "dcfr", iterations=2)
    monkeypatch.setattr("rue.problems.estimate.available_bytes", lambda: size.bytes)
    rue.solve(problem, "dcfr", iterations=2)


def test_an_estimate_counts_what_an_algorithm_takes() -> None:
    def told(algorithm: str) -> int:
        size = rue.estimate("liars-dice(sides=5)", algorithm)
        assert size is not None
        return size.bytes

    assert told("lp") > 8 * told("dcfr")
    assert told("pcfr+") > told("cfr+")
    assert told("mccfr") > told("dcfr")


def test_histories_that_are_found_again_are_counted() -> None:
    problem = rue.problem("leduc")
    mccfr = problem.algorithm("mccfr")
    once = rue.estimate("leduc", mccfr)
    problem.build()
    again = problem.estimate(mccfr)
    assert once is not None
    assert again is not None
    assert again.bytes > once.bytes


def test_what_is_found_takes_more_the_more_it_is() -> None:
    game: Any = GameProblem("leduc").build().found
    assert game.made < game.making
    assert game._replace(recorded=True).making > game.making
    assert Found(0, 0).making == 0


def test_names_are_measured_once_however_deep_they_are() -> None:
    nested: Any = ()
    for move in range(5000):
        nested = (nested, f"move {move}")
    names = Names()
    names.add(0, nested, ("a", "b"))
    first = names.bytes
    names.add(16, nested, ("a", "b"))
    assert names.bytes - first < 2000 < first
