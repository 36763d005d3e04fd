"""Workers that hold deals, inside this process."""

from __future__ import annotations

from typing import Any

import numpy as np

import zerosum
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.public.deal_worker import DealWorker, partition_deals
from zerosum.engine.public.distributed_solver import DistributedSolver, WorkerGroup, WorkerLostError

HORIZON = 20


class LocalWorkerGroup(WorkerGroup):
    """Workers inside this process; one of them is missing in each call numbered in `lost`."""

    def __init__(
        self, tree: PublicTree, algorithm: str, workers: int, lost: tuple[int, ...] = (), **choices: Any
    ) -> None:
        self.deals = partition_deals(tree, workers)
        self._make = lambda deals: DealWorker(tree, zerosum.algorithm(algorithm), HORIZON, deals, **choices)
        self.lost, self.calls = set(lost), 0
        self.restart()

    def call_each(self, calls: Any) -> list[Any]:
        self.calls += 1
        answers = []
        for worker, (method, *arguments) in calls.items():
            if self.calls in self.lost and worker == self.calls % len(self.deals):
                self.workers[worker] = None
            if self.workers[worker] is None:
                raise WorkerLostError
            answers.append(getattr(self.workers[worker], method)(*arguments))
        return answers

    def replace_lost(self) -> None:
        for number, worker in enumerate(self.workers):
            if worker is None:
                self.workers[number] = self._make(self.deals[number])

    def restart(self) -> None:
        self.workers: list[Any] = [self._make(deals) for deals in self.deals]


def build_shared_solver(algorithm: str, workers: int, lost: tuple[int, ...] = (), **choices: Any) -> DistributedSolver:
    """Return a solver of Leduc whose deals are held by a number of workers."""
    tree = build_poker_tree(zerosum.game("leduc"))
    choices = {"threads": 1, "dtype": np.float32, **choices}
    group = LocalWorkerGroup(tree, algorithm, workers, lost, **choices)
    return DistributedSolver(tree, zerosum.algorithm(algorithm), HORIZON, group, **choices)
