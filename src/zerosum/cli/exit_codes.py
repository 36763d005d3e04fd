"""Exit codes, signals, and errors as one sentence; only --debug shows a traceback.

0    success
1    failure: a full disk, a bug
2    bad input, in words or in a file; not enough memory
129  the terminal was closed (SIGHUP); the run so far is saved
130  interrupted by Ctrl-C; the run so far is saved
141  the reader of the output is gone (`zerosum games | head -1`)
143  terminated by SIGTERM; the run so far is saved
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import click

from zerosum.cli.console import print_message
from zerosum.support.errors import ZerosumError, format_error, is_out_of_memory
from zerosum.support.system import handle_as_interrupt

FAILURE, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141
BY_SIGNAL = 128
"""Added to the number of the signal that ended the process."""
SIGNAL_MESSAGES = {
    signal.SIGINT: "interrupted",
    signal.SIGTERM: "terminated",
    signal.SIGHUP: "terminated: the terminal is gone",
}


class SignalHandler:
    """The signal that ended the command: SIGTERM and SIGHUP end a run as Ctrl-C does, with other exit codes."""

    received = signal.SIGINT

    @classmethod
    def handle(cls, number: int, frame: FrameType | None) -> None:
        """Handle a signal as if it were Ctrl-C."""
        cls.received = signal.Signals(number)
        handle_as_interrupt(number, frame)

    @classmethod
    def exit_code(cls) -> int:
        """Return the exit code of the signal."""
        return BY_SIGNAL + cls.received

    @classmethod
    def report(cls) -> int:
        """Print which signal ended the run, and return the exit code."""
        print_message(SIGNAL_MESSAGES[cls.received])
        return cls.exit_code()


def exit_if_interrupted(stopped: str) -> None:
    """Exit with the code of Ctrl-C if that ended the run."""
    if stopped == "interrupted":
        raise click.exceptions.Exit(INTERRUPTED)


def exit_if_unfinished(missing: int, total: int, out: Path | None) -> None:
    """Exit with the code of Ctrl-C if some of many runs did not finish, and say how to continue."""
    if missing:
        remedy = f"; run the same command again to continue from {out}" if out is not None else ""
        print_message(f"{missing} of {total} runs did not finish{remedy}")
        raise click.exceptions.Exit(INTERRUPTED)


def report_error(error: BaseException) -> int:
    """Print an error as one sentence and return its exit code."""
    if isinstance(error, BrokenPipeError):
        discard_output()
        return CLOSED_PIPE
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):  # how rich reports it
            return CLOSED_PIPE
        return error.code if isinstance(error.code, int) else FAILURE if error.code else 0
    if isinstance(error, KeyboardInterrupt | click.Abort) or isinstance(error.__cause__, KeyboardInterrupt):
        return SignalHandler.report()  # the cause: before 3.12 Python wraps it while a class is created
    if isinstance(error, OSError):
        discard_output()
    print_message(error.format_message() if isinstance(error, click.UsageError) else format_error(error))
    is_bad_input = isinstance(error, ZerosumError | click.UsageError) or is_out_of_memory(error)
    return BAD_INPUT if is_bad_input else FAILURE


def discard_output() -> None:
    """Discard what is still buffered: Python would try to write it again at exit, and complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def repair_streams() -> None:
    """Make standard output and error writable; output to a closed stream is discarded."""
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


@contextlib.contextmanager
def handle_signals() -> Iterator[None]:
    """Handle Ctrl-C, SIGTERM and SIGHUP during the command; afterwards, Ctrl-C ends the process at once.

    A signal that nohup ignores stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as `zerosum.cli.entry_point` left it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, SignalHandler.handle)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, SignalHandler.handle)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
