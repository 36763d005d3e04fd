"""Files that are written whole or not at all: beside their place first, flushed to the disk, then renamed.

And files that others may have made: only regular ones are read, and no more of them than they may have.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import re
import stat
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BufferedWriter, BytesIO, FileIO
from pathlib import Path
from typing import Any, BinaryIO, Never

from rue.errors import RueError
from rue.machine import available_bytes
from rue.words import quoted, readable

GZIP = b"\x1f\x8b"
"""How a file begins that gzip made."""
LONGEST = 1 << 20
"""Bytes of a file that a person writes, a spot for example: two ranges of 1,326 weights take a twentieth."""
BYTES_OF_JSON = {'"': 32, ",": 40, "[": 80, "{": 200}
"""What each of these characters in JSON stands for in memory, at most: half a text, a number, a list, a table."""
DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, AssertionError, RecursionError)
"""What a file that says something else than it should makes go wrong."""
PERHAPS_TOO_LARGE = re.compile(r"[eE]\+?\d{3}|\d{200}")
"""What a text has that holds a number beyond the largest float; few others have it."""
TEMPORARY = ".writing"
"""The end of the name of a file that is not yet whole."""
LEFT = re.compile(rf"\..+\.\d+-\d+{re.escape(TEMPORARY)}", re.DOTALL)
"""Its name: that of the file, the process and the thread."""


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

    It is locked while it is written, so that others can tell it from what a killed process left; what such ones left in
    its folder is removed. A link stays one: the file that it leads to is replaced.
    """
    path = target(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{TEMPORARY}")
    try:
        if path.parent not in _cleared:
            _cleared.add(path.parent)
            remove_left(path.parent)
        with _locked(temporary) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, path)
        _flush_folder(path.parent)
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


_cleared: set[Path] = set()
"""Folders from which this process has removed what killed ones left."""


def target(path: Path) -> Path:
    """The file that a path leads to, if it is a link, else the path."""
    if not path.is_symlink():
        return path
    try:
        found = path.resolve()
    except (OSError, RuntimeError):  # what Python before 3.13 says of a circle, where later ones end at a link
        found = path
    if found.is_symlink():
        raise RueError(f"cannot write {path}: its links go in a circle")
    return found


def remove_left(folder: Path) -> None:
    """Remove the files that killed processes left half-written."""
    with suppress(OSError):
        for left in folder.glob(f".*{TEMPORARY}"):
            if LEFT.fullmatch(left.name) is None:
                continue
            with suppress(OSError), open_regular(left) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink(missing_ok=True)


def _locked(path: Path) -> BufferedWriter:
    """A new file to write to that is locked, so that nobody takes it for one that a killed process left."""
    while True:
        file = path.open("wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                    return file
        except BlockingIOError:
            pass  # somebody is about to remove it
        except BaseException:
            file.close()
            raise
        file.close()


def write_atomically(path: Path, data: bytes) -> None:
    """Write bytes to a file."""
    check_writable(path)
    with replacing(path) as file:
        file.write(data)


NOT_REGULAR = "it is not a regular file"


class _Waiting(FileIO):
    """A file that is read without waiting: one that says it is regular and has nothing to give yet is none.

    The kernel's log is such a file.
    """

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer."""
        count = super().readinto(buffer)
        if count is None:
            raise OSError(None, NOT_REGULAR)
        return count


def open_regular(path: Path) -> BufferedReader:
    """A file to read from; an OSError if it is a folder, a device or a pipe, which might never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return BufferedReader(_Waiting(descriptor, "rb"))
    os.close(descriptor)
    raise OSError(None, "it is a folder" if stat.S_ISDIR(kind) else NOT_REGULAR, str(path))


def read_at_most(path: Path, most: int, what: str = "") -> bytes:
    """What a file holds, if that is not too much; gzip is unpacked, and what it unpacks to counts.

    >>> read_at_most(Path(__file__), 100)
    Traceback (most recent call last):
    rue.errors.RueError: cannot read .../disk.py: it has more than 100 bytes
    """
    named = f"{what} {path}".lstrip()
    try:
        with open_regular(path) as file:
            long = os.fstat(file.fileno()).st_size > most  # where the system knows it, nothing need be read
            data = b"" if long else file.read(most + 1)
        if data[:2] == GZIP and len(data) <= most:
            data = _unzipped(data, most + 1)
    except OSError as error:
        raise RueError(f"cannot read {named}: {error.strerror or error}") from None
    except ValueError as error:  # a path with a NUL
        raise RueError(f"cannot read {quoted(path)}: {error}") from None
    except zlib.error:
        raise RueError(f"{path} is damaged: it cannot be decompressed") from None
    if long or len(data) > most:
        raise RueError(f"cannot read {named}: it has more than {readable(most)}")
    return data


def bytes_of_json(text: bytes | str) -> int:
    """What JSON takes once it is read, at most: one that is all brackets takes thirty bytes a character.

    >>> bytes_of_json("[[],[],[]]") // 10
    42
    """
    counts = (
        text.count(character.encode()) if isinstance(text, bytes) else text.count(character)
        for character in BYTES_OF_JSON
    )
    held = sum(count * size for count, size in zip(counts, BYTES_OF_JSON.values(), strict=True))
    return held + len(text) * (2 if text.isascii() else 6)


def from_json(text: bytes | str, named: object, **hooks: Any) -> Any:
    """What a text in JSON says, if the memory holds it and floats hold its numbers; `hooks` are those of `json.loads`.

    >>> from_json('{"K|": [0.5, 0.5]}', "a strategy")
    {'K|': [0.5, 0.5]}
    >>> from_json("[1e999]", "a strategy")
    Traceback (most recent call last):
    rue.errors.RueError: a strategy is damaged: it has a number that is 1e999, not a finite one
    """
    needed, free = bytes_of_json(text), available_bytes()
    if needed > free:
        raise RueError(f"cannot read {named}: it may take {readable(needed)} of memory, and {readable(free)} are free")
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")

    def refused(number: str) -> Never:
        raise RueError(f"{named} is damaged: it has a number that is {number:.20}, not a finite one")

    def finite(number: str) -> float:
        found = float(number)
        return refused(number) if math.isinf(found) else found

    def finite_integer(number: str) -> int:
        finite(number)
        return int(number)

    if PERHAPS_TOO_LARGE.search(text):
        hooks = {"parse_float": finite, "parse_int": finite_integer, **hooks}
    return json.loads(text, parse_constant=refused, **hooks)


def _unzipped(data: bytes, most: int) -> bytes:
    """The first bytes of what gzip made; it may have any number of members, and each is gone through once."""
    import gzip

    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            return file.read(most)
    except (gzip.BadGzipFile, EOFError) as error:
        raise zlib.error(str(error)) from None


def _flush_folder(folder: Path) -> None:
    """Make a rename in a folder last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def text_of(path: Path, what: str) -> str:
    """The text of a short file that a person writes, or why there is none."""
    try:
        return read_at_most(path, LONGEST, what).decode("utf-8")
    except UnicodeDecodeError:
        raise RueError(f"cannot read {what} {path}: it is not text") from None
