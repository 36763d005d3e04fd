"""Many pieces of work at once: on this machine's cores or on an executor of the caller's, no more than fit the memory.

What the pieces are is left open: solves (`rue.runs.jobs`), seeds of a run (`rue.runs.repeat`), curves of a figure.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from rue.checked import check_function, check_whole
from rue.errors import RueError
from rue.interrupt import interruptible
from rue.machine import available_bytes, cores
from rue.records import dataclass

Piece = TypeVar("Piece")
Left = TypeVar("Left")

LOOKING = 0.2
"""Seconds between two looks at what is going on."""
SHARE = 0.9
"""Of the free memory that all pieces together may take."""
PROCESS = 150 << 20
"""Bytes of a worker process before it works."""


class Flag(Protocol):
    """What a piece of work looks at now and then."""

    def is_set(self) -> bool:
        """Whether to stop."""


class Stop:
    """A flag that workers see in other threads and in other processes of this machine: a file that is there or not.

    >>> stop = Stop()
    >>> stop.is_set(), stop.set(), stop.is_set(), stop.clear(), stop.is_set()
    (False, None, True, None, False)
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.gettempdir()) / f"rue-stop-{uuid.uuid4().hex}"

    def set(self) -> None:
        """Ask everybody to stop."""
        self.path.touch()

    def is_set(self) -> bool:
        """Whether to stop."""
        return os.path.exists(self.path)

    def clear(self) -> None:
        """Take the flag down."""
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Going:
    """What a piece of work is given: the threads it may use, and the flag it has to look at."""

    threads: int
    stop: Flag


@dataclass(frozen=True)
class Standing:
    """How far many pieces of work are: what a progress display needs.

    >>> Standing(done=3, count=8).remaining is None
    True
    """

    done: int
    count: int
    running: tuple[str, ...] = ()
    seconds: float = 0.0
    remaining: float | None = None
    """Seconds left, by what those that are done took."""


@dataclass(frozen=True)
class Workers:
    """Where pieces of work run.

    executor: the caller's, of threads, processes or other machines; it is not closed. Our own if there is none, of
    threads, or with `processes` of processes, which start anew and share nothing.
    count: how many work at once; the cores by default, or the executor's, if it has `cores`: a cluster.
    threads: how many each may use; by default the cores are shared out among those that work at once.
    bytes: what all of them may take; by default what is free on this machine. A cluster sees to that itself.
    progress: told a few times a second how far they are.
    stop: a flag that ends it, from any thread, as Ctrl-C does.

    >>> Workers(count=3).slots
    3
    """

    executor: Executor | None = None
    count: int | None = None
    threads: int | None = None
    bytes: float | None = None
    processes: bool = False
    progress: Callable[[Standing], None] | None = None
    stop: Stop | None = None

    def __post_init__(self) -> None:
        if self.executor is not None and not hasattr(self.executor, "submit"):
            raise RueError(
                f"an executor has to have a method submit, as in concurrent.futures; {self.executor!r} has none"
            )
        check_function("progress", self.progress)
        for what in ("count", "threads"):
            check_whole(f"{what} of workers", getattr(self, what), least=1)

    @property
    def slots(self) -> int:
        """How many may work at once: a cluster's executor tells its `cores`."""
        return self.count or getattr(self.executor, "cores", None) or cores()

    @property
    def ahead(self) -> int:
        """How many wait with the executor, so that no core waits for the next: where it starts no more than it can.

        One a worker: those that end together begin the next together, whatever this process is busy with.
        """
        return self.slots if self.executor is None or (self.count is None and hasattr(self.executor, "cores")) else 0

    @property
    def elsewhere(self) -> bool:
        """Whether the pieces leave this process."""
        from concurrent.futures import ThreadPoolExecutor

        return self.processes if self.executor is None else not isinstance(self.executor, ThreadPoolExecutor)

    @property
    def widest(self) -> int:
        """The most threads that one may use: those of the largest machine of a cluster."""
        return getattr(self.executor, "widest", None) or self.slots

    @property
    def room(self) -> float:
        """The bytes that all of them may take."""
        if self.bytes is not None:
            return self.bytes
        return math.inf if hasattr(self.executor, "cores") else SHARE * available_bytes()

    @property
    def own_bytes(self) -> int:
        """What a worker takes before it works."""
        return PROCESS if self.processes and self.executor is None else 0

    def opened(self, most: int) -> AbstractContextManager[Executor]:
        """The executor to use, for so many pieces at once at most."""
        if self.executor is not None:
            return nullcontext(self.executor)
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

        workers = max(1, min(self.slots, most))
        if not self.processes:
            return ThreadPoolExecutor(workers)
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise RueError(f"a script that is run by many processes calls rue {GUARD}")
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)


GUARD = 'under `if __name__ == "__main__":`, or passes an executor of threads'


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that gives the work, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


class Many(Generic[Piece, Left]):
    """Pieces of work on their way: `work` does one, with what `Going` gives it.

    A piece starts when a worker and the memory that `bytes_of` tells are free, in the order of the pieces; when fewer
    are left than there are cores, or fewer fit, each has several threads. Ctrl-C starts no more pieces, asks those that
    run to stop and gives what they leave; `interrupted` tells of it.

    >>> many = Many(lambda piece, going: piece * piece, name=str)
    >>> sorted(many.run([1, 2, 3]))
    [(1, 1), (2, 4), (3, 9)]
    """

    def __init__(
        self,
        work: Callable[[Piece, Going], Left],
        where: Workers | None = None,
        bytes_of: Callable[[Piece], int | None] | None = None,
        name: Callable[[Piece], str] = str,
    ) -> None:
        self.work, self.where, self.name = work, where or Workers(), name
        self.bytes_of = bytes_of or (lambda piece: None)
        self.interrupted = False
        self._stop = self.where.stop or Stop()
        self._pool: AbstractContextManager[Executor] | None = None

    def start(self, piece: Piece, most: int) -> None:
        """Let processes for so many pieces like one start while this one does what comes first; then `run`, or
        `close`."""
        self._pool = pool = self.where.opened(most)
        if isinstance(pool, Executor):
            fitting = int(self.where.room // max(1, self._size(piece)))
            for _ in range(max(1, min(self.where.slots, most, fitting))):
                pool.submit(id, piece)  # nothing but reading it, which loads most of rue

    def close(self) -> None:
        """End workers that were started and not used."""
        if self._pool is not None:
            with self._pool:
                self._pool = None

    def stop(self) -> None:
        """Start nothing more, and ask what runs to stop; from any thread."""
        self.interrupted = True
        self._stop.set()

    def run(self, pieces: Iterable[Piece], before: int = 0) -> Iterator[tuple[Piece, Left | RueError]]:
        """Each piece with what it left, or with the sentence it failed with, as they end; in the order of the pieces
        those that are seen to have ended at once.

        `before` is how many were done before these, for the progress.
        """
        waiting = deque(pieces)
        running: dict[Future[Left], tuple[Piece, int]] = {}
        over: deque[tuple[Piece, Future[Left]]] = deque()
        clock = _Clock(before, len(waiting))
        room, slots = self.where.room, self.where.slots
        self._tell(clock, running)
        try:
            with interruptible(self.stop), self._opened(waiting) as pool:
                try:
                    while waiting or running or over:
                        self.interrupted = self.interrupted or self._stop.is_set()
                        while waiting and not self.interrupted and len(running) < slots + self.where.ahead:
                            size = self._size(waiting[0])
                            if running and size + sum(taken for _, taken in running.values()) > room:
                                break
                            piece = waiting.popleft()
                            fitting = slots if room == math.inf else max(1, int(room // max(1, size)))
                            together = min(slots, len(waiting) + len(running) + 1, fitting)
                            threads = self.where.threads or min(self.where.widest, max(1, slots // together))
                            going = Going(threads, self._stop)
                            running[pool.submit(self.work, piece, going)] = piece, size
                        self._tell(clock, running)
                        while over:  # the next ones have begun: whoever keeps these holds nobody up
                            yield over[0][0], self._left(*over.popleft())
                        ended, _ = wait(running, timeout=LOOKING, return_when=FIRST_COMPLETED)
                        if self.interrupted:
                            waiting.clear()
                            for future in running:
                                future.cancel()
                        for future in [each for each in running if each in ended]:  # a set has no order
                            piece, _ = running.pop(future)
                            clock.done += 1
                            if not future.cancelled():
                                over.append((piece, future))
                finally:
                    if running:
                        self._stop.set()
                        wait([future for future in running if not future.cancel()])
        except BrokenExecutor:
            raise RueError(
                "a worker process ended before its work: it was killed, or had no memory, or a script has to call rue "
                f"{GUARD}; what was finished is kept"
            ) from None
        finally:
            self._stop.clear()

    def _opened(self, waiting: deque[Piece]) -> AbstractContextManager[Executor]:
        started, self._pool = self._pool, None
        return started or self.where.opened(len(waiting))

    def _size(self, piece: Piece) -> int:
        """The bytes that a piece takes, with its worker."""
        return (self.bytes_of(piece) or 0) + self.where.own_bytes

    def _left(self, piece: Piece, future: Future[Left]) -> Left | RueError:
        """What a piece left; a sentence if it failed with one, or could not be sent."""
        error = future.exception()
        if error is not None and self.where.elsewhere and str(_unsendable((self.work, piece))) == str(error):
            raise RueError(
                f"this cannot be sent to another process ({error}): name games and algorithms, or use threads"
            )
        return error if isinstance(error, RueError) else future.result()

    def _tell(self, clock: _Clock, running: dict[Future[Left], tuple[Piece, int]]) -> None:
        if self.where.progress is not None:
            names = (_placed(self.name(piece), future) for future, (piece, _) in running.items())
            self.where.progress(clock.standing(tuple(filter(None, names))))


def _placed(name: str, future: Future[Any]) -> str:
    """What runs, and where if its executor tells the `place`; nothing if it has not begun."""
    place: str | None = getattr(future, "place", "" if future.running() or future.done() else None)
    return "" if place is None else f"{name} on {place}" if place else name


def _unsendable(what: Any) -> Exception | None:
    """Why something cannot be sent to another process: which error it is depends on the version of Python."""
    try:
        pickle.dumps(what)
    except Exception as error:
        return error
    return None


class _Clock:
    """How long the pieces take."""

    def __init__(self, before: int, count: int) -> None:
        self.before, self.count, self.done = before, count, 0
        self._began = time.perf_counter()

    def standing(self, running: tuple[str, ...]) -> Standing:
        """How far they are."""
        spent = time.perf_counter() - self._began
        left = math.nan if not self.done else spent * (self.count - self.done) / self.done
        remaining = None if math.isnan(left) else left
        return Standing(self.before + self.done, self.before + self.count, running, spent, remaining)
