"""The right to write to a file or a folder, which one process at a time can hold."""

from __future__ import annotations

import os
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from filelock import FileLock


class WriteLock:
    """Holds a lock file until it is released or dropped, or until the process ends.

    A lock file that a killed process has left behind locks nothing.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> lock = WriteLock(Path(folder.name, ".lock"), "runs/turn")
    >>> WriteLock(Path(folder.name, ".lock"), "runs/turn")
    Traceback (most recent call last):
    zerosum.ZerosumError: another process is writing to runs/turn: wait for it, or end it first
    >>> lock.release()
    >>> folder.cleanup()
    """

    def __init__(self, lock_file: Path, place: object) -> None:
        """Take the lock of `place`, as messages name it; raise an OSError if `lock_file` cannot be written."""
        from filelock import FileLock, Timeout  # takes 30 ms, which only those who write should wait

        lock_file.parent.stat()  # FileLock would make the folder
        lock = FileLock(lock_file, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise ZerosumError(f"another process is writing to {place}: wait for it, or end it first") from None
        self.release = weakref.finalize(self, _release, lock)


def _release(lock: FileLock) -> None:
    """Remove a lock file while nobody else can hold it, then release the lock."""
    with suppress(OSError):  # Windows does not remove an open file; filelock does it there
        os.unlink(lock.lock_file)
    lock.release()
