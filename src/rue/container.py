"""The file of a run: arrays as they lie in memory, then a header in JSON that says what they are.

    0    magic, version, place and length of the header, its checksum; the checksum of all this; zeros to 64
    64   the arrays, each at a multiple of 64, zeros between them
    ...  the header: {"arrays": [{"name", "dtype", "shape", "at", "crc"}, ...], ...}, to the end of the file

Numbers are little-endian, checksums are CRC-32. An array of more than a block has "crcs" instead, one for each block,
so that a part of it can be read and checked alone. Every byte is covered by a checksum or must be zero. Nothing in a
file is ever run, and no length in it is believed before it was compared with the length of the file.

An array may go on in other files of the same folder, each of which holds a part of it: the header then has, under
`pieces`, its length and what lies where.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.disk import DAMAGE, from_json, open_regular, replacing
from rue.errors import RueError
from rue.machine import available_bytes
from rue.words import readable


class Piece(NamedTuple):
    """A part of an array in another file, under a name of its own; `first` is the place of its first number."""

    file: str
    name: str
    array: str
    first: int
    length: int


class Pieces(NamedTuple):
    """An array that begins here and goes on in other files."""

    head: NDArray[Any]
    length: int
    pieces: list[Piece]


Arrays = Mapping[str, NDArray[Any] | Pieces]
RUN = "rue-run"
"""The format of a saved run, in its header."""
PART_SUFFIX = ".part"
"""The end of the name of a file that holds parts of arrays."""
MAGIC = b"\x89RUE\r\n\x1a\n"
VERSION = 1
FIRST = struct.Struct("<8sIIQQI")
CHECK = struct.Struct("<I")
ALIGN = 64
CHUNK = 8 << 20
BLOCK = 1 << 20
"""Bytes that share a checksum in a large array; a chunk is a number of blocks."""
LONGEST = 64 << 20
"""Bytes of a header."""
KINDS = {kind: np.dtype(kind) for kind in ("<f8", "<f4", "<u2", "<i8", "<u8", "<u4", "|u1")}
"""What an array may hold."""


def write(path: Path, header: Mapping[str, Any], arrays: Arrays) -> int:
    """Write a file whole or not at all and return its length."""
    with replacing(path) as file:
        return _write(file, header, arrays)


def _write(file: BinaryIO, header: Mapping[str, Any], arrays: Arrays) -> int:
    listed, at = [], ALIGN
    file.write(bytes(ALIGN))
    scattered = {name: array for name, array in arrays.items() if isinstance(array, Pieces)}
    if scattered:
        header = {**header, "pieces": {name: [found.length, found.pieces] for name, found in scattered.items()}}
    for name, whole in arrays.items():
        given = whole.head if isinstance(whole, Pieces) else whole
        array = np.ascontiguousarray(given, dtype=given.dtype.newbyteorder("<"))
        if array.dtype.str not in KINDS:
            raise TypeError(f"{name} holds {array.dtype}, which a run does not keep")
        content = _bytes(array)
        with _Checksum(len(content)) as checksum:
            for start in range(0, len(content), CHUNK):
                piece = content[start : start + CHUNK]
                checksum.add(piece)
                file.write(piece)
        sums = checksum.found if len(content) > BLOCK else checksum.found[0] if content else 0
        kept = {"crcs" if len(content) > BLOCK else "crc": sums}
        listed.append({"name": name, "dtype": array.dtype.str, "shape": list(array.shape), "at": at, **kept})
        gap = -len(content) % ALIGN
        file.write(bytes(gap))
        at += len(content) + gap
    text = json.dumps({**header, "arrays": listed}, allow_nan=False).encode()
    file.write(text)
    first = FIRST.pack(MAGIC, VERSION, 0, at, len(text), zlib.crc32(text))
    file.seek(0)
    file.write(first + CHECK.pack(zlib.crc32(first)))
    return at + len(text)


class _Checksum:
    """The CRC-32 of every block of pieces; that of a large array is computed while the disk works on the next piece."""

    def __init__(self, length: int) -> None:
        self.found: list[int] = []
        self._worker = None
        if length > CHUNK:
            from concurrent.futures import ThreadPoolExecutor

            self._worker = ThreadPoolExecutor(1)

    def __enter__(self) -> _Checksum:
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.shutdown()

    def add(self, piece: memoryview) -> None:
        """One piece more."""
        if self._worker is None:
            self._add(piece)
        else:
            self._worker.submit(self._add, piece)

    def _add(self, piece: memoryview) -> None:
        self.found += [zlib.crc32(piece[at : at + BLOCK]) for at in range(0, len(piece), BLOCK)]


def _bytes(array: Any) -> memoryview:
    """The bytes of an array, in place."""
    return memoryview(array).cast("B") if array.size else memoryview(b"")


def is_container(path: Path) -> bool:
    """Whether a file begins like one of these."""
    try:
        with open_regular(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


class Container:
    """A file of a run, open for reading; what is not one, or is damaged, is refused with a sentence."""

    def __init__(self, path: Path) -> None:
        self.file = path
        try:
            self._file = open_regular(path)
        except OSError as error:
            raise RueError(f"cannot read {path}: {error.strerror or error}") from None
        try:
            self.header = self._header()
            self._listed = self._list()
            self._pieces = self._list_pieces()
        except BaseException as error:
            self._file.close()
            if isinstance(error, OSError):
                raise RueError(f"cannot read {path}: {error.strerror or error}") from None
            if isinstance(error, DAMAGE) and not isinstance(error, RueError):
                raise self._damaged(f"{error}") from None
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _damaged(self, why: str) -> RueError:
        return RueError(f"{self.file} is damaged: {why}")

    def _header(self) -> dict[str, Any]:
        size = os.fstat(self._file.fileno()).st_size
        start = self._file.read(ALIGN)
        if start[: len(MAGIC)] != MAGIC:
            raise RueError(f"{self.file} is not a saved run")
        if len(start) < ALIGN:
            raise self._damaged("it is cut off")
        first, rest = start[: FIRST.size], start[FIRST.size :]
        if CHECK.unpack(rest[: CHECK.size])[0] != zlib.crc32(first) or any(rest[CHECK.size :]):
            raise self._damaged("its first bytes do not have their checksum")
        _, version, _, at, length, crc = FIRST.unpack(first)
        if version != VERSION:
            raise RueError(f"{self.file} has format version {version}, this rue reads {VERSION}")
        if at < ALIGN or at + length != size:
            raise self._damaged(f"it has {size:,} bytes and should have {at + length:,}")
        if length > LONGEST:
            raise RueError(f"{self.file} has a header of {readable(length)}, and at most {readable(LONGEST)} are read")
        self._file.seek(at)
        text = self._file.read(length)
        if zlib.crc32(text) != crc:
            raise self._damaged("its header does not have its checksum")
        header = from_json(text, self.file)
        if not isinstance(header, dict) or not isinstance(header.get("arrays"), list):
            raise self._damaged("its header is none")
        self._end = at
        return header

    def _list(self) -> dict[str, dict[str, Any]]:
        listed: dict[str, dict[str, Any]] = {}
        expected = ALIGN
        for entry in self.header.pop("arrays"):
            kind, shape = KINDS[entry["dtype"]], entry["shape"]
            if not all(type(side) is int and 0 <= side < 2**48 for side in shape) or len(shape) > 4:
                raise self._damaged(f"{entry['name']} has the shape {shape}")
            length = math.prod(shape) * kind.itemsize
            sums = entry["crcs"] if "crcs" in entry else [entry["crc"]]
            if entry["at"] != expected or expected + length > self._end or not all(type(crc) is int for crc in sums):
                raise self._damaged(f"{entry['name']} does not lie where it should")
            if "crcs" in entry and len(sums) != -(-length // BLOCK):
                raise self._damaged(f"{entry['name']} does not have a checksum for each block")
            expected += length + -length % ALIGN
            listed[str(entry["name"])] = {**entry, "length": length}
        if expected != self._end:
            raise self._damaged("it holds more than it lists")
        return listed

    def _list_pieces(self) -> dict[str, tuple[int, list[Piece]]]:
        """The arrays that go on in other files of this folder."""
        found: dict[str, tuple[int, list[Piece]]] = {}
        for name, (length, listed) in self.header.pop("pieces", {}).items():
            pieces = sorted((Piece(*piece) for piece in listed), key=lambda piece: piece.first)
            head = self._listed[name]["shape"]
            expected = head[0]
            for piece in pieces:
                if Path(piece.file).name != piece.file or piece.first != expected or piece.length < 0:
                    raise self._damaged(f"{name} does not lie where it should")
                expected += piece.length
            if len(head) != 1 or expected != length:
                raise self._damaged(f"{name} is not whole")
            found[name] = length, pieces
        return found

    @property
    def part_files(self) -> set[str]:
        """The other files that this one goes on in."""
        return {piece.file for _, pieces in self._pieces.values() for piece in pieces}

    def span(self, name: str, first: int, last: int) -> NDArray[Any]:
        """A part of an array of one dimension; only the files that hold it are read."""
        if name not in self._pieces:
            return self.array(name)[first:last]
        head = self.array(name, whole=False)
        found = np.empty(last - first, head.dtype)
        parts = [(0, head)] if first < len(head) else []
        parts += [
            (piece.first, self._piece(piece))
            for piece in self._pieces[name][1]
            if piece.first < last and first < piece.first + piece.length
        ]
        for start, numbers in parts:
            if numbers.dtype != found.dtype:
                raise self._damaged(f"{name} has parts of different kinds")
            low, high = max(first, start), min(last, start + len(numbers))
            found[low - first : high - first] = numbers[low - start : high - start]
        return found

    def _piece(self, piece: Piece) -> NDArray[Any]:
        with closing(Container(self.file.with_name(piece.file))) as other:
            numbers = other.array(piece.name)
        if numbers.shape != (piece.length,):
            raise self._damaged(f"{piece.file} holds {numbers.shape} numbers of {piece.array}, not {piece.length}")
        return numbers

    def array(self, name: str, whole: bool = True) -> NDArray[Any]:
        """One array, read into memory of its own and compared with its checksum; with `whole`, its parts in other files
        as well."""
        if whole and name in self._pieces:
            return self.span(name, 0, self._pieces[name][0])
        if name not in self._listed:
            raise self._damaged(f"it has no {name}")
        entry = self._listed[name]
        length = entry["length"]
        free = available_bytes()
        if length > free:
            raise RueError(f"{self.file} needs {readable(length)} for {name} alone and {readable(free)} are free")
        array = np.empty(entry["shape"], KINDS[entry["dtype"]])
        content = _bytes(array)
        try:
            self._file.seek(entry["at"])
            with _Checksum(length) as checksum:
                for start in range(0, length, CHUNK):
                    piece = content[start : start + CHUNK]
                    if self._file.readinto(piece) != len(piece):
                        raise self._damaged("it is cut off")
                    checksum.add(piece)
            gap = self._file.read(-length % ALIGN)
        except OSError as error:
            raise RueError(f"cannot read {self.file}: {error.strerror or error}") from None
        if not _same(checksum.found, content, entry) or any(gap):
            raise self._damaged(f"{name} does not have its checksum")
        return array

    def lazy(self, name: str) -> LazyArray:
        """One array, of which a part is read when it is needed."""
        if name not in self._listed:
            raise self._damaged(f"it has no {name}")
        entry = self._listed[name]
        if "crcs" not in entry or name in self._pieces or not hasattr(os, "preadv"):
            return LazyArray(self.array(name), -1, entry, self.file)
        array = np.empty(entry["shape"], KINDS[entry["dtype"]])
        return LazyArray(array, os.dup(self._file.fileno()), entry, self.file)

    def has(self, name: str) -> bool:
        """Whether there is such an array."""
        return name in self._listed

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays."""
        return {name: self.array(name) for name in self._listed}


def _same(found: list[int], content: memoryview, entry: Mapping[str, Any]) -> bool:
    """Whether checksums are those that were written; files of earlier versions have one for any length."""
    if "crcs" in entry:
        return bool(found == entry["crcs"])
    crc = found[0] if len(found) == 1 else zlib.crc32(content)
    return bool(crc == entry["crc"])


class LazyArray:
    """An array of a file whose blocks are read and checked when they are first needed, even if the file is closed."""

    def __init__(self, array: NDArray[Any], descriptor: int, entry: Mapping[str, Any], file: Path) -> None:
        self.array = array
        self._descriptor, self._entry, self._file = descriptor, entry, file
        self._waiting = np.ones(len(self._entry["crcs"]) if descriptor >= 0 else 1, dtype=bool)

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    @property
    def there(self) -> bool:
        """Whether it has been read at once, because it is small."""
        return self._descriptor < 0

    def need(self, start: int, stop: int) -> list[NDArray[Any]]:
        """Read what is still missing between two places of the flat array; returns what was read."""
        size, flat = self.array.itemsize, self.array.reshape(-1)
        if self.there:
            first, self._waiting[0] = bool(self._waiting[0]), False
            return [flat] if first else []
        begin, end = start * size // BLOCK, -(-stop * size // BLOCK)
        blocks = (begin + np.flatnonzero(self._waiting[begin:end])).tolist()
        for block in blocks:
            self._read(block)
        self._waiting[blocks] = False
        return [flat[block * BLOCK // size : (block + 1) * BLOCK // size] for block in blocks]

    def _read(self, block: int) -> None:
        piece = _bytes(self.array)[block * BLOCK : (block + 1) * BLOCK]
        try:
            whole = os.preadv(self._descriptor, [piece], self._entry["at"] + block * BLOCK) == len(piece)
        except OSError as error:
            raise RueError(f"cannot read {self._file}: {error.strerror or error}") from None
        if not whole or zlib.crc32(piece) != self._entry["crcs"][block]:
            raise self.damaged("it does not have its checksum")

    def damaged(self, why: str) -> RueError:
        """What is wrong with it, as a sentence that names the file."""
        return RueError(f"{self._file} is damaged: {self._entry['name']}: {why}")
