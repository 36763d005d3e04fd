"""Ctrl-C as an event, Ctrl-C that waits, and signals that stay whose they are."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C; the second one interrupts as usual. In the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, previous)  # first: the second one may come while `stop` holds a lock
        stop()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def held_back() -> Iterator[None]:
    """Let Ctrl-C wait until this is over: where C calls Python, the error that it raises may be swallowed.

    Where Ctrl-C is ignored another signal that is heard as Ctrl-C is not: it interrupts.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous, came = signal.getsignal(signal.SIGINT), list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        others = [number for number in came if number != signal.SIGINT]
        if others:
            as_ctrl_c(others[0])
        elif came:
            signal.raise_signal(signal.SIGINT)


def as_ctrl_c(number: int, frame: FrameType | None = None) -> None:
    """Take another signal for Ctrl-C, also where Ctrl-C is ignored, as in the background of a script."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(number, frame)


@contextmanager
def undisturbed(number: int) -> Iterator[None]:
    """Give a signal back to the function that has it, whoever takes it meanwhile. In the main thread only."""
    previous = signal.getsignal(number)
    try:
        yield
    finally:
        if callable(previous) and threading.current_thread() is threading.main_thread():
            signal.signal(number, previous)
