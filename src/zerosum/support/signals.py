"""Handling Ctrl-C and other signals. All of it works in the main thread only, and does nothing in others."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stop_on_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` at the first Ctrl-C inside a `with` block; the second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, previous)  # first: the second one may come while `stop` holds a lock
        stop()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Defer Ctrl-C to the end of a `with` block: where C calls Python, its exception may be swallowed.

    A signal that is handled as Ctrl-C (see `handle_as_interrupt`) interrupts even where Ctrl-C itself is ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous, received = signal.getsignal(signal.SIGINT), list[int]()
    signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        others = [number for number in received if number != signal.SIGINT]
        if others:
            handle_as_interrupt(others[0])
        elif received:
            signal.raise_signal(signal.SIGINT)


def handle_as_interrupt(number: int, frame: FrameType | None = None) -> None:
    """Handle another signal like Ctrl-C, also where Ctrl-C is ignored, as in the background of a script."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(number, frame)


@contextmanager
def restore_handler(number: int) -> Iterator[None]:
    """Restore the handler of a signal at the end of a `with` block, if other code has replaced it."""
    previous = signal.getsignal(number)
    try:
        yield
    finally:
        if callable(previous) and threading.current_thread() is threading.main_thread():
            signal.signal(number, previous)
