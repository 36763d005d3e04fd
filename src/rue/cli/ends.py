"""How the command ends: exit codes, and errors as one sentence. A traceback is shown with --debug only.

0    done
1    it could not be done: no memory, a full disk, a bug
2    what was typed, or a file, means nothing
129  the terminal was closed (SIGHUP); what was reached is kept
130  interrupted by Ctrl-C; what was reached is kept
141  whoever reads the output has gone (`rue games | head -1`)
143  ended by SIGTERM; what was reached is kept
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, TextIO

import typer

import rue.errors as errors
from rue.cli.console import sentence
from rue.errors import RueError
from rue.interrupt import as_ctrl_c

FAILURE, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141
BY_SIGNAL = 128
"""The exit code of a process that a signal has ended is so much more than its number."""
WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "terminated: the terminal is gone"}
"""What is said of a run that a signal has ended."""
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a command line that it cannot read."""


class Ending:
    """Which signal has come: SIGTERM and SIGHUP end a run as Ctrl-C does, but the exit codes are their own."""

    by = signal.SIGINT

    @classmethod
    def terminate(cls, number: int, frame: FrameType | None) -> None:
        """Do what Ctrl-C would do now."""
        cls.by = signal.Signals(number)
        as_ctrl_c(number, frame)

    @classmethod
    def interrupted(cls) -> int:
        """Say that a run was ended by hand, and how."""
        sentence(WORDS[cls.by])
        return cls.code()

    @classmethod
    def code(cls) -> int:
        """The exit code of a run that was ended by hand."""
        return BY_SIGNAL + cls.by


def leave(stopped: str) -> None:
    """Leave with the code of Ctrl-C if that ended a run."""
    if stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def end_of(error: BaseException) -> int:
    """The exit code of an error, which is told in a sentence on the way."""
    if isinstance(error, BrokenPipeError):
        silence()
        return CLOSED_PIPE
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):  # rich's way to say so, where typer prints a help
            return CLOSED_PIPE
        return error.code if isinstance(error.code, int) else FAILURE if error.code else 0
    if isinstance(error, KeyboardInterrupt | typer.Abort) or isinstance(error.__cause__, KeyboardInterrupt):
        return Ending.interrupted()  # the cause: before 3.12 Python wraps it where a class is being made
    if isinstance(error, OSError):
        silence()
    sentence(told(error))
    return BAD_INPUT if isinstance(error, RueError | UsageError) or errors.out_of_memory(error) else FAILURE


def told(error: BaseException) -> str:
    """An error as a sentence.

    >>> told(ZeroDivisionError("division by zero"))
    'rue hit a bug: ZeroDivisionError: division by zero; run again with --debug and report what it shows'
    """
    if isinstance(error, UsageError):
        return str(error.format_message())  # type: ignore[attr-defined]
    return errors.told(error)


def silence() -> None:
    """Send what is still to be printed nowhere: Python would try again when it exits, and complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """Make standard output and error writable whatever they were opened as: closed ones lead nowhere."""
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            nowhere: TextIO = open(os.devnull, "w")  # noqa: SIM115
            setattr(sys, name, nowhere)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


@contextlib.contextmanager
def signals() -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP as the command wants them; once it is over, Ctrl-C ends the process at once.

    What nohup ignores stays ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as `rue.cli.start` left it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, Ending.terminate)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, Ending.terminate)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
