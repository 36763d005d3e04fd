"""The memory of a run: what is told before against what is taken."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import rue
from rue.problems.spot_estimate import SpotEstimate
from rue.solvers.limits import Limits
from rue.solvers.public_solver import PublicSolver

SLACK = 3 << 20
"""Bytes: what loading a kernel, or pages that are taken and never touched, make of it."""
RANGES = {"oop": "TT+,AQ+,KQs,QJs,JTs,T9s,98s,87s", "ip": "99+,AJ+,KQs,QJs,T9s,87s,76s"}
SPOTS: dict[str, Any] = {
    "river": "spot:river",
    "turn": "spot:turn",
    "flop": {"board": "Ks 7h 2d", "pot": 100, "stack": 300, **RANGES, "bets": "75%", "raises": "allin"},
    "alike": {"board": "Ks 7s 2s", "pot": 100, "stack": 300, **RANGES, "bets": "75%", "raises": "allin"},
}
TAKEN = """
import json, os, sys
import rue
from rue.solvers.limits import Limits

def memory(kind):
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(kind))

def taken(asked, half, threads):
    spot = asked if isinstance(asked, str) else rue.holdem.spot(**asked)
    problem = rue.problem(spot, half=half)
    algorithm = problem.algorithm()
    told = problem.estimate(algorithm, threads).bytes
    before = memory("VmRSS")
    solver = problem.solver(algorithm, Limits(iterations=10, threads=threads))
    solver.run(2)
    solver.evaluate()
    return told, memory("VmHWM") - before

tiny = {"board": "Ks 7h 2d 9c", "pot": 100, "stack": 100, "oop": "AA", "ip": "QQ", "bets": "allin"}
for case in json.load(sys.stdin):
    child = os.fork()
    if not child:
        taken(tiny, *case[1:])  # the kernels
        print(json.dumps([case, taken(*case)]), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@cache
def problem_of(name: str) -> rue.Problem:
    """A spot, built once."""
    asked = SPOTS[name]
    return rue.problem(asked if isinstance(asked, str) else rue.holdem.spot(**asked))


@pytest.mark.parametrize(("threads", "algorithm"), [(1, "dcfr"), (2, "pcfr+"), (2, "ecfr")])
@pytest.mark.parametrize("name", SPOTS)
def test_scratch_arrays_are_told_to_the_byte(name: str, threads: int, algorithm: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    problem = problem_of(name)
    chosen = problem.algorithm(algorithm)
    told = problem.estimate(chosen, threads)
    solver = problem.solver(chosen, Limits(iterations=10, threads=threads))
    assert isinstance(told, SpotEstimate)
    assert isinstance(solver, PublicSolver)
    learning, judging, both = solver.learning_space, solver.judging_space, solver.judging_both
    arrays = [*learning, *judging, both.guess, both.parts]
    whole = [solver.new_results(space, solver.form.deals) for space in (learning, both)]
    integers = sum(array.nbytes for array in arrays if array.dtype == "int64")
    assert 0 <= sum(array.nbytes for array in arrays) - told.scratch <= integers
    assert told.results == sum(array.nbytes for array in whole)
    assert told.store == sum(array.nbytes for store in solver.stores for array in store)
    assert told.infoset_actions == sum(solver.form.store)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_what_is_told_is_what_a_process_takes() -> None:
    """An upper bound that is at most a tenth too high. The two flops, which take long to build, share the four ways."""
    ways = [(half, threads) for half in (False, True) for threads in (1, 2)]
    cases = [(SPOTS[name], *way) for name in ("river", "turn") for way in ways]
    for name, some in (("flop", ((False, 1), (True, 2))), ("alike", ((False, 2), (True, 1)))):
        cases += [(SPOTS[name], *way) for way in some]
    code = [sys.executable, "-c", TAKEN]
    said = subprocess.run(code, input=json.dumps(cases), capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(found) == len(cases)
    for case, (told, taken) in found:
        assert taken <= told + SLACK, case
        assert told <= 1.1 * taken + SLACK, case
