"""Files that are written completely or not at all, locks to write, and bounded reads of files by others."""

from __future__ import annotations

import json
import math
import os
import re
import stat
import tempfile
import threading
import time
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Never

from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_bytes
from zerosum.support.text import format_bytes, quote

if TYPE_CHECKING:
    from filelock import FileLock

GZIP = b"\x1f\x8b"
"""The first bytes of a gzip file."""
MAX_TEXT_BYTES = 1 << 20
"""The largest file that a person writes, such as a spot: two ranges of 1,326 weights take a twentieth of it."""
JSON_CHARACTER_BYTES = {'"': 32, ",": 40, "[": 80, "{": 200}
"""The most memory that each of these characters of a JSON text stands for once it is parsed."""
DAMAGE_ERRORS = (
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    OverflowError,
    AssertionError,
    RecursionError,
)
"""The errors that reading the content of a damaged file may raise."""
MAYBE_OVERFLOWING = re.compile(r"[eE]\+?\d{3}|\d{200}")
"""Matches every text with a number beyond the largest float, and few others."""
TEMPORARY = ".writing"
"""The suffix of a file that is still being written."""
TEMPORARY_NAME = re.compile(rf"\.(.+)\.\d+-\d+{re.escape(TEMPORARY)}", re.DOTALL)
"""The name of such a file: that of the final file, the process and the thread."""
STALE_SECONDS = 24 * 3600
"""Age from which a file that is still being written counts as left behind by a process that was killed."""


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before the work whose result it is for."""
    try:
        if path.exists() and not path.is_file():
            raise ZerosumError(f"cannot write {path}: it is {'a folder' if path.is_dir() else 'not a regular file'}")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ZerosumError(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def atomic_writer(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces `path` at the end of a `with` block, if nothing went wrong.

    So `path` is always the complete old file or the complete new one: the new one is written beside it, flushed to the
    disk and renamed. If `path` is a link, its target is replaced. The first write to a folder removes half-written
    files of killed processes.
    """
    path = resolve_link(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{TEMPORARY}")
    try:
        if path.parent not in _cleared:
            _cleared.add(path.parent)
            remove_stale_temporaries(path.parent)
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # so that the rename survives a crash
        finally:
            os.close(folder)
    except OSError as error:
        raise ZerosumError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


_cleared: set[Path] = set()
"""Folders from which this process has removed stale temporary files."""


def resolve_link(path: Path) -> Path:
    """Return the file that a path leads to if it is a link, else the path."""
    if not path.is_symlink():
        return path
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError):  # Python before 3.13 raises for a circle, later ones end at a link
        resolved = path
    if resolved.is_symlink():
        raise ZerosumError(f"cannot write {path}: its symbolic links form a loop")
    return resolved


def remove_stale_temporaries(folder: Path, owned: str | None = None) -> None:
    """Remove files that killed processes left half-written: those that nobody has written to for a day.

    Those of the file called `owned`, which only the caller may write, are removed whatever their age.
    """
    with suppress(OSError):
        for path in folder.glob(f".*{TEMPORARY}"):
            match = TEMPORARY_NAME.fullmatch(path.name)
            with suppress(OSError):
                if match is not None and (
                    (owned is not None and f"{match[1]}.".startswith(f"{owned}."))
                    or path.lstat().st_mtime < time.time() - STALE_SECONDS
                ):
                    path.unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all."""
    check_writable(path)
    with atomic_writer(path) as file:
        file.write(data)


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
        self.release = weakref.finalize(self, _release_lock, lock)


def _release_lock(lock: FileLock) -> None:
    """Remove a lock file while nobody else can hold it, then release the lock."""
    with suppress(OSError):
        os.unlink(lock.lock_file)
    lock.release()


NOT_REGULAR = "it is not a regular file"


class _NonblockingFile(FileIO):
    """A file whose reads raise an OSError where they would block.

    The kernel's log, for example, claims to be a regular file and then blocks.
    """

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer)
        if count is None:
            raise OSError(None, NOT_REGULAR)
        return count


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading; raise an OSError if it is a folder, or a device or a pipe, which might never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return BufferedReader(_NonblockingFile(descriptor, "rb"))
    os.close(descriptor)
    raise OSError(None, "it is a folder" if stat.S_ISDIR(kind) else NOT_REGULAR, str(path))


def read_at_most(path: Path, limit: int, kind: str = "") -> bytes:
    """Read a file of at most `limit` bytes, unpacked if it is a gzip file; messages show `kind`.

    >>> read_at_most(Path(__file__), 100)
    Traceback (most recent call last):
    zerosum.ZerosumError: cannot read .../files.py: it has more than 100 bytes
    """
    name = f"{kind} {path}".lstrip()
    try:
        with open_regular(path) as file:
            too_long = os.fstat(file.fileno()).st_size > limit  # nothing need be read to know
            data = b"" if too_long else file.read(limit + 1)
        if data[:2] == GZIP and len(data) <= limit:
            data = _decompress_gzip(data, limit + 1)
    except OSError as error:
        raise ZerosumError(f"cannot read {name}: {error.strerror or error}") from None
    except ValueError as error:  # a path with a NUL
        raise ZerosumError(f"cannot read {quote(path)}: {error}") from None
    except zlib.error:
        raise ZerosumError(f"{path} is damaged: it cannot be decompressed") from None
    if too_long or len(data) > limit:
        raise ZerosumError(f"cannot read {name}: it has more than {format_bytes(limit)}")
    return data


def estimate_json_memory(text: bytes | str) -> int:
    """Return an upper bound of the memory of a JSON text once it is parsed: up to thirty times its length.

    >>> estimate_json_memory("[[],[],[]]") // 10
    42
    """
    counts = (
        text.count(character.encode()) if isinstance(text, bytes) else text.count(character)
        for character in JSON_CHARACTER_BYTES
    )
    values = sum(count * size for count, size in zip(counts, JSON_CHARACTER_BYTES.values(), strict=True))
    return values + len(text) * (2 if text.isascii() else 6)


def parse_json(text: bytes | str, name: object, **hooks: Any) -> Any:
    """Parse JSON if memory suffices and all its numbers are finite; `hooks` are those of `json.loads`.

    >>> parse_json('{"K|": [0.5, 0.5]}', "a strategy")
    {'K|': [0.5, 0.5]}
    >>> parse_json("[1e999]", "a strategy")
    Traceback (most recent call last):
    zerosum.ZerosumError: a strategy is damaged: it has a number that is 1e999, not a finite one
    """
    needed, free = estimate_json_memory(text), available_bytes()
    if needed > free:
        raise ZerosumError(
            f"cannot read {name}: it may take {format_bytes(needed)} of memory, and {format_bytes(free)} are free"
        )
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")

    def refuse(number: str) -> Never:
        raise ZerosumError(f"{name} is damaged: it has a number that is {number:.20}, not a finite one")

    def finite(number: str) -> float:
        value = float(number)
        return refuse(number) if math.isinf(value) else value

    def finite_integer(number: str) -> int:
        finite(number)
        return int(number)

    if MAYBE_OVERFLOWING.search(text):
        hooks = {"parse_float": finite, "parse_int": finite_integer, **hooks}
    return json.loads(text, parse_constant=refuse, **hooks)


def _decompress_gzip(data: bytes, limit: int) -> bytes:
    """Return the first bytes of a gzip file, which may have any number of members."""
    import gzip

    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            return file.read(limit)
    except (gzip.BadGzipFile, EOFError) as error:
        raise zlib.error(str(error)) from None


def read_text_file(path: Path, kind: str) -> str:
    """Return the text of a short file that a person wrote; `kind` is for messages."""
    try:
        return read_at_most(path, MAX_TEXT_BYTES, kind).decode("utf-8")
    except UnicodeDecodeError:
        raise ZerosumError(f"cannot read {kind} {path}: it is not text") from None
