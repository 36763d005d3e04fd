"""A file of named arrays with checksums and a JSON header.

    0    magic, version, offset, length and checksum of the header; the checksum of all this; zeros up to 64
    64   the arrays as they are in memory, each at a multiple of 64, with zeros between them
    ...  the header: {"arrays": [{"name", "dtype", "shape", "at", "crc"}, ...], ...}, to the end of the file

Numbers are little-endian, checksums are CRC-32. An array of more than a block has "crcs" instead of "crc", one for each
block, so that a part of it can be read and checked on its own. Every byte is covered by a checksum or must be zero.
Nothing in a file is ever executed, and every length in it is compared with the length of the file before it is used.

An array may continue in other files of the same folder: the header then lists, under `pieces`, the length of the array
and its parts.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, atomic_writer, open_regular, parse_json
from zerosum.support.system import available_bytes
from zerosum.support.text import format_bytes


class ArrayPart(NamedTuple):
    """A part of an array in another file, where it is called `name`; `first` is the index of its first number."""

    file: str
    name: str
    array: str
    first: int
    length: int


class SplitArray(NamedTuple):
    """An array that begins in this file and continues in others."""

    head: NDArray[Any]
    length: int
    pieces: list[ArrayPart]


Arrays = Mapping[str, NDArray[Any] | SplitArray]
RUN_FORMAT = "zerosum-run"
"""The format of a saved run, in its header."""
PART_SUFFIX = ".part"
"""The suffix of a file with parts of arrays."""
MAGIC = b"\x89ZSM\r\n\x1a\n"
VERSION = 1
PREAMBLE = struct.Struct("<8sIIQQI")
CHECKSUM = struct.Struct("<I")
ALIGN = 64
CHUNK = 8 << 20
BLOCK = 1 << 20
"""Bytes with a common checksum in a large array; a chunk is a number of blocks."""
MAX_HEADER_BYTES = 64 << 20
"""The largest length of a header."""
DTYPES = {kind: np.dtype(kind) for kind in ("<f8", "<f4", "<u2", "<i8", "<u8", "<u4", "|u1")}
"""The types of numbers that an array may have."""


def write_array_file(path: Path, header: Mapping[str, Any], arrays: Arrays) -> int:
    """Write a file completely or not at all, and return its length."""
    with atomic_writer(path) as file:
        return _write_arrays(file, header, arrays)


def _write_arrays(file: BinaryIO, header: Mapping[str, Any], arrays: Arrays) -> int:
    listed, at = [], ALIGN
    file.write(bytes(ALIGN))
    scattered = {name: array for name, array in arrays.items() if isinstance(array, SplitArray)}
    if scattered:
        header = {**header, "pieces": {name: [split.length, split.pieces] for name, split in scattered.items()}}
    for name, value in arrays.items():
        stored = value.head if isinstance(value, SplitArray) else value
        array = np.ascontiguousarray(stored, dtype=stored.dtype.newbyteorder("<"))
        if array.dtype.str not in DTYPES:
            raise TypeError(f"{name} has the type {array.dtype}, which cannot be saved")
        content = _view_bytes(array)
        checksums = _move_and_checksum(content, file.write)
        entry = {"crcs": checksums} if len(content) > BLOCK else {"crc": checksums[0] if content else 0}
        listed.append({"name": name, "dtype": array.dtype.str, "shape": list(array.shape), "at": at, **entry})
        gap = -len(content) % ALIGN
        file.write(bytes(gap))
        at += len(content) + gap
    text = json.dumps({**header, "arrays": listed}, allow_nan=False).encode()
    file.write(text)
    first = PREAMBLE.pack(MAGIC, VERSION, 0, at, len(text), zlib.crc32(text))
    file.seek(0)
    file.write(first + CHECKSUM.pack(zlib.crc32(first)))
    return at + len(text)


def _move_and_checksum(content: memoryview, move: Callable[[memoryview], object]) -> list[int]:
    """Read or write content in chunks by `move`, and return the CRC-32 of each block.

    While the disk works on the next chunk of a large array, a thread computes the checksums of the last one.
    """
    if len(content) <= CHUNK:
        if content:
            move(content)
        return _compute_block_checksums(content)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as worker:
        pending = []
        for start in range(0, len(content), CHUNK):
            chunk = content[start : start + CHUNK]
            move(chunk)
            pending.append(worker.submit(_compute_block_checksums, chunk))
        return [checksum for checksums in pending for checksum in checksums.result()]


def _compute_block_checksums(content: memoryview) -> list[int]:
    return [zlib.crc32(content[start : start + BLOCK]) for start in range(0, len(content), BLOCK)]


def _view_bytes(array: Any) -> memoryview:
    return memoryview(array).cast("B") if array.size else memoryview(b"")


def is_array_file(path: Path) -> bool:
    """Return whether a file begins like a file of arrays."""
    try:
        with open_regular(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


class ArrayFile:
    """A file of arrays, open for reading; opening a damaged file, or one of another kind, raises a ZerosumError."""

    def __init__(self, path: Path) -> None:
        self.file = path
        try:
            self._file = open_regular(path)
        except OSError as error:
            raise ZerosumError(f"cannot read {path}: {error.strerror or error}") from None
        try:
            self.header = self._read_header()
            self._entries = self._read_index()
            self._pieces = self._read_pieces()
        except BaseException as error:
            self._file.close()
            if isinstance(error, OSError):
                raise ZerosumError(f"cannot read {path}: {error.strerror or error}") from None
            if isinstance(error, DAMAGE_ERRORS) and not isinstance(error, ZerosumError):
                raise self._damage_error(f"{error}") from None
            raise

    def close(self) -> None:
        self._file.close()

    def _damage_error(self, reason: str) -> ZerosumError:
        return ZerosumError(f"{self.file} is damaged: {reason}")

    def _read_header(self) -> dict[str, Any]:
        size = os.fstat(self._file.fileno()).st_size
        start = self._file.read(ALIGN)
        if start[: len(MAGIC)] != MAGIC:
            raise ZerosumError(f"{self.file} is not a saved run")
        if len(start) < ALIGN:
            raise self._damage_error("it is cut off")
        first, rest = start[: PREAMBLE.size], start[PREAMBLE.size :]
        if CHECKSUM.unpack(rest[: CHECKSUM.size])[0] != zlib.crc32(first) or any(rest[CHECKSUM.size :]):
            raise self._damage_error("its first bytes do not have their checksum")
        _, version, _, at, length, crc = PREAMBLE.unpack(first)
        if version != VERSION:
            raise ZerosumError(f"{self.file} has format version {version}, this zerosum reads {VERSION}")
        if at < ALIGN or at + length != size:
            raise self._damage_error(f"it has {size:,} bytes and should have {at + length:,}")
        if length > MAX_HEADER_BYTES:
            raise ZerosumError(
                f"{self.file} has a header of {format_bytes(length)}, "
                f"and at most {format_bytes(MAX_HEADER_BYTES)} are read"
            )
        self._file.seek(at)
        text = self._file.read(length)
        if zlib.crc32(text) != crc:
            raise self._damage_error("its header does not have its checksum")
        header = parse_json(text, self.file)
        if not isinstance(header, dict) or not isinstance(header.get("arrays"), list):
            raise self._damage_error("its header lists no arrays")
        self._end = at
        return header

    def _read_index(self) -> dict[str, dict[str, Any]]:
        listed: dict[str, dict[str, Any]] = {}
        expected = ALIGN
        for entry in self.header.pop("arrays"):
            kind, shape = DTYPES[entry["dtype"]], entry["shape"]
            if not all(type(side) is int and 0 <= side < 2**48 for side in shape) or len(shape) > 4:
                raise self._damage_error(f"{entry['name']} has the shape {shape}")
            length = math.prod(shape) * kind.itemsize
            sums = entry["crcs"] if "crcs" in entry else [entry["crc"]]
            if entry["at"] != expected or expected + length > self._end or not all(type(crc) is int for crc in sums):
                raise self._damage_error(f"{entry['name']} is not where it should be")
            if "crcs" in entry and len(sums) != -(-length // BLOCK):
                raise self._damage_error(f"{entry['name']} does not have a checksum for each block")
            expected += length + -length % ALIGN
            listed[str(entry["name"])] = {**entry, "length": length}
        if expected != self._end:
            raise self._damage_error("it holds more than it lists")
        return listed

    def _read_pieces(self) -> dict[str, tuple[int, list[ArrayPart]]]:
        """Return length and parts of the arrays that continue in other files of this folder."""
        split: dict[str, tuple[int, list[ArrayPart]]] = {}
        for name, (length, listed) in self.header.pop("pieces", {}).items():
            pieces = sorted((ArrayPart(*piece) for piece in listed), key=lambda piece: piece.first)
            head = self._entries[name]["shape"]
            expected = head[0]
            for piece in pieces:
                if Path(piece.file).name != piece.file or piece.first != expected or piece.length < 0:
                    raise self._damage_error(f"{name} is not where it should be")
                expected += piece.length
            if len(head) != 1 or expected != length:
                raise self._damage_error(f"{name} is not complete")
            split[name] = length, pieces
        return split

    @property
    def part_files(self) -> set[str]:
        """The names of the other files in which arrays of this one continue."""
        return {piece.file for _, pieces in self._pieces.values() for piece in pieces}

    def read_range(self, name: str, first: int, last: int) -> NDArray[Any]:
        """Read a range of a one-dimensional array; only the files that hold it are opened."""
        if name not in self._pieces:
            return self.read_array(name)[first:last]
        head = self.read_array(name, with_parts=False)
        values = np.empty(last - first, head.dtype)
        parts = [(0, head)] if first < len(head) else []
        parts += [
            (piece.first, self._read_piece(piece))
            for piece in self._pieces[name][1]
            if piece.first < last and first < piece.first + piece.length
        ]
        for start, numbers in parts:
            if numbers.dtype != values.dtype:
                raise self._damage_error(f"{name} has parts of different types")
            low, high = max(first, start), min(last, start + len(numbers))
            values[low - first : high - first] = numbers[low - start : high - start]
        return values

    def _read_piece(self, piece: ArrayPart) -> NDArray[Any]:
        with closing(ArrayFile(self.file.with_name(piece.file))) as other:
            numbers = other.read_array(piece.name)
        if numbers.shape != (piece.length,):
            raise self._damage_error(f"{piece.file} holds {numbers.shape} numbers of {piece.array}, not {piece.length}")
        return numbers

    def read_array(self, name: str, with_parts: bool = True) -> NDArray[Any]:
        """Read an array into memory and check it; with `with_parts`, its parts in other files as well."""
        if with_parts and name in self._pieces:
            return self.read_range(name, 0, self._pieces[name][0])
        if name not in self._entries:
            raise self._damage_error(f"it has no {name}")
        entry = self._entries[name]
        length = entry["length"]
        free = available_bytes()
        if length > free:
            raise ZerosumError(
                f"{self.file} needs {format_bytes(length)} for {name} alone and {format_bytes(free)} are free"
            )
        array = np.empty(entry["shape"], DTYPES[entry["dtype"]])
        content = _view_bytes(array)

        def read_chunk(chunk: memoryview) -> None:
            if self._file.readinto(chunk) != len(chunk):
                raise self._damage_error("it is cut off")

        try:
            self._file.seek(entry["at"])
            checksums = _move_and_checksum(content, read_chunk)
            gap = self._file.read(-length % ALIGN)
        except OSError as error:
            raise ZerosumError(f"cannot read {self.file}: {error.strerror or error}") from None
        # A file may have one checksum for a large array.
        expected = entry.get("crcs", [entry.get("crc")])
        if len(checksums) != len(expected):
            checksums = [zlib.crc32(content)]
        if checksums != expected or any(gap):
            raise self._damage_error(f"{name} does not have its checksum")
        return array

    def open_lazily(self, name: str) -> LazyArray:
        """Open an array whose parts are read when they are needed."""
        if name not in self._entries:
            raise self._damage_error(f"it has no {name}")
        entry = self._entries[name]
        if "crcs" not in entry or name in self._pieces or not hasattr(os, "preadv"):
            return LazyArray(self.read_array(name), -1, entry, self.file)
        array = np.empty(entry["shape"], DTYPES[entry["dtype"]])
        return LazyArray(array, os.dup(self._file.fileno()), entry, self.file)

    def has_array(self, name: str) -> bool:
        return name in self._entries

    def read_arrays(self) -> dict[str, NDArray[Any]]:
        return {name: self.read_array(name) for name in self._entries}


class LazyArray:
    """An array whose blocks are read and checked when they are first needed, also after its file was closed."""

    def __init__(self, array: NDArray[Any], descriptor: int, entry: Mapping[str, Any], file: Path) -> None:
        self.array = array
        self._descriptor, self._entry, self._file = descriptor, entry, file
        self._waiting = np.ones(len(self._entry["crcs"]) if descriptor >= 0 else 1, dtype=bool)

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    @property
    def is_loaded(self) -> bool:
        """Whether it was read at once, because it is small."""
        return self._descriptor < 0

    def load_range(self, start: int, stop: int) -> list[NDArray[Any]]:
        """Load the missing blocks of a range of the flat array, and return what was read."""
        size, flat = self.array.itemsize, self.array.reshape(-1)
        if self.is_loaded:
            first, self._waiting[0] = bool(self._waiting[0]), False
            return [flat] if first else []
        begin, end = start * size // BLOCK, -(-stop * size // BLOCK)
        blocks = (begin + np.flatnonzero(self._waiting[begin:end])).tolist()
        for block in blocks:
            self._read_block(block)
        self._waiting[blocks] = False
        return [flat[block * BLOCK // size : (block + 1) * BLOCK // size] for block in blocks]

    def _read_block(self, block: int) -> None:
        piece = _view_bytes(self.array)[block * BLOCK : (block + 1) * BLOCK]
        try:
            complete = os.preadv(self._descriptor, [piece], self._entry["at"] + block * BLOCK) == len(piece)
        except OSError as error:
            raise ZerosumError(f"cannot read {self._file}: {error.strerror or error}") from None
        if not complete or zlib.crc32(piece) != self._entry["crcs"][block]:
            raise self.damage_error("it does not have its checksum")

    def damage_error(self, reason: str) -> ZerosumError:
        """Return the error for a damaged array, which names the file."""
        return ZerosumError(f"{self._file} is damaged: {self._entry['name']}: {reason}")
