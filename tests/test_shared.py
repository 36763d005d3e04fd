"""A solver whose deals are held by workers: its numbers are those of one solver, whatever happens to the workers."""

from __future__ import annotations

import mmap
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.public_tree import PublicTree
from rue.solvers.deals_solver import DealsSolver, joined
from rue.solvers.dealt_out import dealt_out, shared_out
from rue.solvers.public_solver import PublicSolver
from rue.solvers.shared_solver import Crew, LostError, SharedSolver

HORIZON = 20


class Here(Crew):
    """Workers of this process; the calls of `lost` find one of them gone."""

    def __init__(
        self, tree: PublicTree, algorithm: str, workers: int, lost: tuple[int, ...] = (), **choices: Any
    ) -> None:
        self.deals = dealt_out(tree, workers)
        self._make = lambda deals: DealsSolver(tree, rue.algorithm(algorithm), HORIZON, deals, **choices)
        self.lost, self.calls = set(lost), 0
        self.anew()

    def ask_each(self, calls: Any) -> list[Any]:
        self.calls += 1
        answers = []
        for worker, (method, *arguments) in calls.items():
            if self.calls in self.lost and worker == self.calls % len(self.deals):
                self.workers[worker] = None
            if self.workers[worker] is None:
                raise LostError
            answers.append(getattr(self.workers[worker], method)(*arguments))
        return answers

    def mend(self) -> None:
        for number, worker in enumerate(self.workers):
            if worker is None:
                self.workers[number] = self._make(self.deals[number])

    def anew(self) -> None:
        self.workers: list[Any] = [self._make(deals) for deals in self.deals]


def shared(algorithm: str, workers: int, lost: tuple[int, ...] = (), **choices: Any) -> SharedSolver:
    tree = poker_tree(rue.game("leduc"))
    choices = {"threads": 1, "dtype": np.float32, **choices}
    crew = Here(tree, algorithm, workers, lost, **choices)
    return SharedSolver(tree, rue.algorithm(algorithm), HORIZON, crew, **choices)


def alone(algorithm: str, **choices: Any) -> PublicSolver:
    choices = {"threads": 1, "dtype": np.float32, **choices}
    return PublicSolver(poker_tree(rue.game("leduc")), rue.algorithm(algorithm), HORIZON, **choices)


def assert_alike(one: SharedSolver, two: PublicSolver, folder: Path) -> None:
    """Both have the same evaluation, strategies and values, and the same state once they are saved."""
    assert one.iteration == two.iteration
    assert one.evaluate() == two.evaluate()
    for decision in two.form.decisions():
        asked = decision.place, decision.player, decision.first, decision.actions
        np.testing.assert_array_equal(one.strategy(*asked), two.strategy(*asked))
    file = folder / "run.rue"
    rue.container.write(file, {}, one.kept(file))
    saved = rue.container.Container(file)
    for name, array in two.state().items():
        np.testing.assert_array_equal(saved.array(name), array)
    saved.close()


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+", "ecfr", "cfr+(order=simultaneous)", "rtrm-cfr"])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers(algorithm: str, workers: int, tmp_path: Path) -> None:
    one, two = shared(algorithm, workers), alone(algorithm)
    for solver in (one, two):
        solver.run(4)
    assert_alike(one, two, tmp_path)


def test_sixteen_bits(tmp_path: Path) -> None:
    one, two = shared("dcfr", 2, dtype=np.float16), alone("dcfr", dtype=np.float16)
    for solver in (one, two):
        solver.run(4)
    assert_alike(one, two, tmp_path)


@pytest.mark.parametrize("lost", [(1,), (5, 6), (3, 9, 10, 14)])
def test_lost_workers(lost: tuple[int, ...], tmp_path: Path) -> None:
    """Whoever is lost, and whenever: from the beginning again, or from the last save."""
    one, two = shared("dcfr", 3, lost), alone("dcfr")
    one.run(2)
    file = tmp_path / "saved.rue"
    rue.container.write(file, {}, one.kept(file))
    one.remember(file)
    one.run(3)
    two.run(5)
    assert_alike(one, two, tmp_path)


def test_workers_that_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are hired end before they begin: it is given up in a sentence."""

    def ended(_: Here) -> None:
        raise LostError

    solver = shared("dcfr", 2, lost=(5,))
    monkeypatch.setattr(Here, "mend", ended)
    with pytest.raises(RueError, match="workers were lost 8 times in a row: leduc"):
        solver.run(4)
    assert solver.crew.calls == 5  # type: ignore[attr-defined]


def test_a_saved_run_goes_on_with_another_number_of_workers(tmp_path: Path) -> None:
    first, second, two = shared("pcfr+", 3), shared("pcfr+", 2), alone("pcfr+")
    first.run(3)
    file = tmp_path / "saved.rue"
    rue.container.write(file, {}, first.kept(file))
    second.take_up(rue.container.Container(file), 3)
    second.run(2)
    two.run(5)
    assert_alike(second, two, tmp_path)


def large_pages(array: Any) -> set[int]:
    """The pages of an array for which the kernel is asked for large ones, numbered from its first."""
    first, last = array.ctypes.data, array.ctypes.data + array.nbytes
    found: set[int] = set()
    start = stop = 0
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if re.match("[0-9a-f]+-[0-9a-f]+ ", line):
            start, stop = (int(end, 16) for end in line.split()[0].split("-"))
        elif line.startswith("VmFlags:") and "hg" in line.split() and start < last and stop > first:
            found |= set(
                range((max(start, first) - first) // mmap.PAGESIZE, (min(stop, last) - first) // mmap.PAGESIZE)
            )
    return found


@pytest.mark.skipif(not Path("/sys/kernel/mm/transparent_hugepage").exists(), reason="the kernel has no large pages")
@pytest.mark.parametrize("algorithm", ["dcfr", "rtrm-cfr"])
def test_what_a_worker_holds_lies_in_large_pages(algorithm: str) -> None:
    tree = poker_tree(rue.game("leduc(ranks=26)"))
    one = DealsSolver(tree, rue.algorithm(algorithm), HORIZON, [1, 2, 20], threads=1)
    for name, array in one.state().items():
        size, held = array.itemsize, set[int]()
        for at in joined(one.held(name, len(array))):
            held |= set(range(-(-at.start * size // mmap.PAGESIZE), at.stop * size // mmap.PAGESIZE))
        assert held
        assert large_pages(array) == held


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 8, 16, 40])
def test_deals_are_shared_out_evenly(workers: int) -> None:
    """Each once; whoever has most has nothing to give away or exchange that would make the largest share smaller."""
    sizes = [5 + each % 3 + each // 9 for each in range(36)]
    shares = shared_out(sizes, workers)
    assert sorted(each for share in shares for each in share) == list(range(36))
    loads = [sum(sizes[each] for each in share) for share in shares]
    most = loads.index(max(loads))
    for other, share in enumerate(shares):
        for mine in shares[most]:
            for less in [sizes[mine], *(sizes[mine] - sizes[theirs] for theirs in share)]:
                assert other == most or max(loads[most] - less, loads[other] + less) >= max(loads)


def test_deals_that_follow_each_other_stay_together() -> None:
    assert shared_out([3] * 12, 3) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
