"""Files that are written whole or not at all: beside their place first, flushed to the disk, then renamed."""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rue.errors import RueError

TEMPORARY = ".writing"
"""The end of the name of a file that is not yet whole."""


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before the work whose result it is to hold."""
    try:
        if path.exists() and not path.is_file():
            raise RueError(f"cannot write {path}: it is {'a folder' if path.is_dir() else 'not a regular file'}")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when all went well: there is the old file or the new one.

    It is locked while it is written, so that others can tell it from what a killed process left.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{TEMPORARY}")
    try:
        with temporary.open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, path)
        _flush_folder(path.parent)
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Write bytes to a file."""
    check_writable(path)
    with replacing(path) as file:
        file.write(data)


def _flush_folder(folder: Path) -> None:
    """Make a rename in a folder last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def text_of(path: Path, what: str) -> str:
    """The text of a file, or why there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise RueError(f"cannot read {what} {path}: {reason}") from None
