"""The memory of a run: the estimate against the measured peak."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import zerosum
from zerosum.engine.limits import Limits
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.engine.estimate import SpotEstimate

SLACK = 3 << 20
"""Bytes by which a loaded kernel, or pages that are allocated and never touched, may change the measurement."""
RANGES = {"oop": "TT+,AQ+,KQs,QJs,JTs,T9s,98s,87s", "ip": "99+,AJ+,KQs,QJs,T9s,87s,76s"}
SPOTS: dict[str, Any] = {
    "river": "spot:river",
    "turn": "spot:turn",
    "flop": {"board": "Ks 7h 2d", "pot": 100, "stack": 300, **RANGES, "bets": "75%", "raises": "allin"},
    "alike": {"board": "Ks 7s 2s", "pot": 100, "stack": 300, **RANGES, "bets": "75%", "raises": "allin"},
}
TAKEN = """
import json, os, sys
import zerosum
from zerosum.engine.limits import Limits

def memory(kind):
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(kind))

def taken(case, half, threads):
    spot = case if isinstance(case, str) else zerosum.holdem.spot(**case)
    problem = zerosum.problem(spot, half=half)
    algorithm = problem.resolve_algorithm()
    estimated = problem.estimate(algorithm, threads).bytes
    before = memory("VmRSS")
    solver = problem.build_solver(algorithm, Limits(iterations=10, threads=threads))
    solver.run(2)
    solver.evaluate()
    return estimated, memory("VmHWM") - before

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
def problem_of(name: str) -> zerosum.Problem:
    """A spot, built once."""
    case = SPOTS[name]
    return zerosum.problem(case if isinstance(case, str) else zerosum.holdem.spot(**case))


@pytest.mark.parametrize(("threads", "algorithm"), [(1, "dcfr"), (2, "pcfr+"), (2, "ecfr")])
@pytest.mark.parametrize("name", SPOTS)
def test_scratch_arrays_are_estimated_to_the_byte(name: str, threads: int, algorithm: str, monkeypatch: Any) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    problem = problem_of(name)
    chosen = problem.resolve_algorithm(algorithm)
    estimate = problem.estimate(chosen, threads)
    solver = problem.build_solver(chosen, Limits(iterations=10, threads=threads))
    assert isinstance(estimate, SpotEstimate)
    assert isinstance(solver, PublicSolver)
    learning, judging, both = solver.iteration_scratch, solver.evaluation_scratch, solver.evaluation_scratch_both
    arrays = [*learning, *judging, both.prediction, both.parts]
    whole = [solver.allocate_deal_values(space, solver.form.deal_count) for space in (learning, both)]
    integers = sum(array.nbytes for array in arrays if array.dtype == "int64")
    assert 0 <= sum(array.nbytes for array in arrays) - estimate.scratch <= integers
    assert estimate.results == sum(array.nbytes for array in whole)
    assert estimate.store == sum(array.nbytes for store in solver.stores for array in store)
    assert estimate.infoset_actions == sum(solver.form.store_sizes)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports the memory of a process")
def test_estimates_match_the_memory_of_a_process() -> None:
    """The estimate is an upper bound, at most 10% too high. The two flops, slow to build, share the four ways."""
    ways = [(half, threads) for half in (False, True) for threads in (1, 2)]
    cases = [(SPOTS[name], *way) for name in ("river", "turn") for way in ways]
    for name, some in (("flop", ((False, 1), (True, 2))), ("alike", ((False, 2), (True, 1)))):
        cases += [(SPOTS[name], *way) for way in some]
    code = [sys.executable, "-c", TAKEN]
    output = subprocess.run(code, input=json.dumps(cases), capture_output=True, text=True, check=True)
    measured = [json.loads(line) for line in output.stdout.splitlines()]
    assert len(measured) == len(cases)
    for case, (estimated, taken) in measured:
        assert taken <= estimated + SLACK, case
        assert estimated <= 1.1 * taken + SLACK, case
