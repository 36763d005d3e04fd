"""A solver with deals held by workers: its numbers equal those of one solver, even if workers are lost."""

from __future__ import annotations

import mmap
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
from local_workers import HORIZON, LocalWorkerGroup, build_shared_solver
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.public import distributed_solver
from zerosum.engine.public.deal_worker import DealWorker, join_slices, partition_sizes
from zerosum.engine.public.distributed_solver import DistributedSolver, WorkerLostError
from zerosum.engine.public.solver import PublicSolver
from zerosum.support.errors import ZerosumError


def alone(algorithm: str, **choices: Any) -> PublicSolver:
    choices = {"threads": 1, "dtype": np.float32, **choices}
    return PublicSolver(build_poker_tree(zerosum.game("leduc")), zerosum.algorithm(algorithm), HORIZON, **choices)


def assert_alike(split: DistributedSolver, whole: PublicSolver, folder: Path) -> None:
    """Both have the same evaluation, strategies and values, and the same state once they are saved."""
    assert split.iteration == whole.iteration
    assert split.evaluate() == whole.evaluate()
    for decision in whole.form.iterate_decisions():
        key = decision.place, decision.player, decision.first, decision.actions
        np.testing.assert_array_equal(split.strategy(*key), whole.strategy(*key))
    file = folder / "run.zs"
    zerosum.support.array_file.write_array_file(file, {}, split.collect_state(file))
    saved = zerosum.support.array_file.ArrayFile(file)
    for name, array in whole.state().items():
        np.testing.assert_array_equal(saved.read_array(name), array)
    saved.close()


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+", "ecfr", "cfr+(order=simultaneous)", "rtrm-cfr"])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_any_number_of_workers(algorithm: str, workers: int, tmp_path: Path) -> None:
    split, whole = build_shared_solver(algorithm, workers), alone(algorithm)
    for solver in (split, whole):
        solver.run(4)
    assert_alike(split, whole, tmp_path)


def test_sixteen_bits(tmp_path: Path) -> None:
    split, whole = build_shared_solver("dcfr", 2, dtype=np.float16), alone("dcfr", dtype=np.float16)
    for solver in (split, whole):
        solver.run(4)
    assert_alike(split, whole, tmp_path)


@pytest.mark.parametrize("lost", [(1,), (5, 6), (3, 9, 10, 14)])
def test_lost_workers(lost: tuple[int, ...], tmp_path: Path) -> None:
    """A lost worker, at any time, costs nothing: it restarts from the beginning or from the last save."""
    split, whole = build_shared_solver("dcfr", 3, lost), alone("dcfr")
    split.run(2)
    file = tmp_path / "saved.zerosum"
    zerosum.support.array_file.write_array_file(file, {}, split.collect_state(file))
    split.mark_saved(file)
    split.run(3)
    whole.run(5)
    assert_alike(split, whole, tmp_path)


def test_workers_that_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replacements that end before they begin lead to an error message."""

    def ended(_: LocalWorkerGroup) -> None:
        raise WorkerLostError

    solver = build_shared_solver("dcfr", 2, lost=(5,))
    monkeypatch.setattr(LocalWorkerGroup, "replace_lost", ended)
    with pytest.raises(ZerosumError, match="workers were lost 8 times in a row: solve leduc"):
        solver.run(4)
    assert solver.group.calls == 5  # type: ignore[attr-defined]


def test_a_saved_run_goes_on_with_another_number_of_workers(tmp_path: Path) -> None:
    first, second, whole = build_shared_solver("pcfr+", 3), build_shared_solver("pcfr+", 2), alone("pcfr+")
    first.run(3)
    file = tmp_path / "saved.zerosum"
    zerosum.support.array_file.write_array_file(file, {}, first.collect_state(file))
    second.load_saved(zerosum.support.array_file.ArrayFile(file), 3)
    second.run(2)
    whole.run(5)
    assert_alike(second, whole, tmp_path)


def large_pages(array: Any) -> set[int]:
    """Return the pages of an array for which large pages were requested, numbered from its first."""
    first, last = array.ctypes.data, array.ctypes.data + array.nbytes
    pages: set[int] = set()
    start = stop = 0
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if re.match("[0-9a-f]+-[0-9a-f]+ ", line):
            start, stop = (int(end, 16) for end in line.split()[0].split("-"))
        elif line.startswith("VmFlags:") and "hg" in line.split() and start < last and stop > first:
            pages |= set(
                range((max(start, first) - first) // mmap.PAGESIZE, (min(stop, last) - first) // mmap.PAGESIZE)
            )
    return pages


@pytest.mark.skipif(not Path("/sys/kernel/mm/transparent_hugepage").exists(), reason="the kernel has no large pages")
@pytest.mark.parametrize("algorithm", ["dcfr", "rtrm-cfr"])
def test_the_arrays_of_a_worker_lie_in_large_pages(algorithm: str) -> None:
    tree = build_poker_tree(zerosum.game("leduc(ranks=26)"))
    solver = DealWorker(tree, zerosum.algorithm(algorithm), HORIZON, [1, 2, 20], threads=1)
    for name, array in solver.state().items():
        size, held = array.itemsize, set[int]()
        for at in join_slices(solver.find_held_slices(name, len(array))):
            held |= set(range(-(-at.start * size // mmap.PAGESIZE), at.stop * size // mmap.PAGESIZE))
        assert held
        assert large_pages(array) == held


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 8, 16, 40])
def test_deals_are_shared_out_evenly(workers: int) -> None:
    """Each deal is held once; no transfer or exchange with the worker that has most makes the largest share smaller."""
    sizes = [5 + deal % 3 + deal // 9 for deal in range(36)]
    shares = partition_sizes(sizes, workers)
    assert sorted(deal for share in shares for deal in share) == list(range(36))
    loads = [sum(sizes[deal] for deal in share) for share in shares]
    most = loads.index(max(loads))
    for other, share in enumerate(shares):
        for mine in shares[most]:
            for less in [sizes[mine], *(sizes[mine] - sizes[theirs] for theirs in share)]:
                assert other == most or max(loads[most] - less, loads[other] + less) >= max(loads)


def test_deals_that_follow_each_other_stay_together() -> None:
    assert partition_sizes([3] * 12, 3) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_workers_have_every_method_that_is_called_by_its_name() -> None:
    """A call goes to another machine, so its method is a string that no type checker sees."""
    names = re.findall(r'"([a-z_]+)"', Path(distributed_solver.__file__).read_text())
    assert "run_update" in names
    assert [name for name in names if not hasattr(DealWorker, name)] == []
