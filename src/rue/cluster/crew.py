"""A crew of Ray's processes: hired, asked, and hired again where one is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rue.cluster.connect import nodes
from rue.cluster.library import ray_module
from rue.cluster.versions import Versions, told
from rue.cluster.worker import Spent, Worker
from rue.errors import RueError
from rue.problems.shared_estimate import Order
from rue.solvers.passes import Walked
from rue.solvers.shared_solver import Crew, LostError
from rue.words import readable

PATIENCE = 120
"""Seconds in which a worker must have found a machine."""
NOTICED = 5
"""Seconds after which it is seen again how many machines are left, while a worker has found none."""
TRIES = 3
"""How often a worker is hired that ends before it begins: Ray may place it on a machine of which it does not know yet
that it is lost."""
MACHINE = re.compile(r"\bip: (\S+)")
"""The address of a machine in what Ray says of a worker that is gone."""
SHARED_FROM = 1 << 16
"""Bytes of an argument from which on it is put where all workers of a machine can read it."""


INLINE = 96 << 10
"""Bytes of an answer that come back with Ray's message. What is larger than 100 KiB is put into the memory that
processes share and fetched from there, which takes longer."""
MOST_PIECES = 16
"""Of an answer; a larger one comes in one."""


def pieces_of(deals: int, size: int) -> int:
    """In how many pieces an answer of so many deals comes, of so many bytes each.

    >>> pieces_of(18, 9396), pieces_of(9, 9396), pieces_of(4, INLINE + 1), pieces_of(400, 9396)
    (2, 1, 1, 1)
    """
    together = INLINE // size if size else deals
    pieces = -(-deals // together) if together else 1
    return pieces if 0 < pieces <= MOST_PIECES else 1


class RayCrew(Crew):
    """Workers on the machines of a cluster."""

    def __init__(self, order: Order, deals: Sequence[Sequence[int]], folder: str | None = None) -> None:
        """`folder` is where the run is saved: a place that all machines must see."""
        self.deals = deals
        self._ray = ray_module()
        self._order, self._folder = order, folder
        self._threads = order.limits.threads or 1
        self.workers: list[Any] = [None] * len(deals)
        self._begun = False
        try:
            self.mend()
        except LostError as error:
            where = MACHINE.search(str(error))
            raise RueError(
                f"a worker{f' on {where[1]}' if where else ''} ended before it began: it may lack memory, or "
                "room on the disk of /tmp/ray; the files in /tmp/ray/session_latest/logs there tell more"
            ) from None
        self._begun = True

    @property
    def _cores(self) -> int:
        """What a worker asks for; none if machines were lost and those that are left have no core for each worker."""
        crowded = sum(node.cores // self._threads for node in nodes(self._ray)) < len(self.deals)
        return 0 if crowded else self._threads

    def _hire(self, number: int, cores: int) -> Any:
        """Hire a worker; what is returned is there once it has begun."""
        made = self._ray.remote(Worker).options(
            num_cpus=cores,
            memory=self._order.bytes,
            scheduling_strategy="SPREAD",
            max_restarts=0,
        )
        self.workers[number] = made.remote(self._order, self.deals[number], self._folder)
        return self.workers[number].check.remote(Versions())

    def mend(self) -> None:
        cores = self._cores
        missing = [number for number, worker in enumerate(self.workers) if not self._lives(worker)]
        tries = dict.fromkeys(missing, TRIES)
        awaited = {number: self._hire(number, cores) for number in missing}
        idle = 0
        try:
            while awaited:
                ready = self._ray.wait(list(awaited.values()), timeout=NOTICED)[0]
                for number in [number for number, each in awaited.items() if each in ready]:
                    self._begin(number, awaited, tries)
                idle = 0 if ready else idle + 1
                if idle == PATIENCE // NOTICED:
                    self._answers(list(awaited.values()), 0)
                elif idle and cores > self._cores:  # too few machines are left: they share the cores of others
                    cores = 0
                    for number in awaited:
                        self._ray.kill(self.workers[number])
                        awaited[number] = self._hire(number, cores)
        finally:
            for number in awaited:  # they may wait for a machine still
                self._ray.kill(self.workers[number])
                self.workers[number] = None

    def _begin(self, number: int, awaited: dict[int, Any], tries: dict[int, int]) -> None:
        """A worker has begun; one that ended instead is hired again, while the others go on beginning."""
        try:
            self._answers([awaited[number]], 0)
            del awaited[number]
        except LostError:
            tries[number] -= 1
            if not tries[number]:
                raise
            awaited[number] = self._hire(number, self._cores)

    def _lives(self, worker: Any) -> bool:
        if worker is None:
            return False
        try:
            self._ray.get(worker.spent.remote())
        except self._ray.exceptions.RayActorError:
            return False
        return True

    def anew(self) -> None:
        self._answers([worker.begin.remote() for worker in self.workers])

    def ask_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        put: dict[int, Any] = {}
        asked = []
        for number, (method, *arguments) in calls.items():
            given = [self._given(argument, put) for argument in arguments]
            asked.append(self.workers[number].call.remote(method, *given))
        return self._answers(asked)

    def walk(self, size: int, *call: Any) -> list[Walked]:
        put: dict[int, Any] = {}
        given = [self._given(argument, put) for argument in call]
        asked: list[Any] = []
        for worker, deals in zip(self.workers, self.deals, strict=True):
            pieces = pieces_of(len(deals), size)
            answer = worker.walk.options(num_returns=pieces).remote(pieces, *given)
            asked += [answer] if pieces == 1 else answer
        return self._answers(asked)

    def spent(self) -> list[Spent]:
        """What each worker took for its answers so far."""
        return self._answers([worker.spent.remote() for worker in self.workers])

    def _given(self, argument: Any, put: dict[int, Any]) -> Any:
        """An argument as it is sent: a large one once for all workers."""
        size = sum(getattr(part, "nbytes", 0) for part in argument) if isinstance(argument, tuple) else 0
        if size < SHARED_FROM:
            return argument
        if id(argument) not in put:
            put[id(argument)] = self._ray.put(argument)
        return put[id(argument)]

    def _answers(self, asked: list[Any], patience: float | None = None) -> list[Any]:
        errors = self._ray.exceptions
        try:
            return list(self._ray.get(asked, timeout=patience))
        except errors.GetTimeoutError:
            size = readable(self._order.bytes)
            if self._begun:
                raise RueError(
                    f"no machine that is left had {size} free for a worker that was lost within {PATIENCE} seconds: "
                    "add machines; a run that is saved goes on (rue resume, rue.resume)"
                ) from None
            raise RueError(
                f"no machine of the cluster had {self._threads} free cores and {size} for a worker within {PATIENCE} "
                "seconds: ask for fewer machines or threads, or add machines"
            ) from None
        except (errors.RayActorError, errors.OutOfMemoryError, errors.ObjectLostError, errors.NodeDiedError) as error:
            if "No module named 'rue" in str(error):
                raise told(self._ray, error) from None
            raise LostError(str(error)) from None
        except errors.RayError as error:
            raise told(self._ray, error) from None
