"""The file of a run: it is read as it was written; any damaged file is refused with an error message."""

from __future__ import annotations

import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.runs.saved_run import SavedRun
from zerosum.support import array_file
from zerosum.support.array_file import ALIGN, CHECKSUM, MAGIC, PREAMBLE, ArrayFile


def rewritten(raw: bytes, change: Any) -> bytes:
    """Return the content of a file with a changed header and correct checksums."""
    _, version, _, at, length, _ = PREAMBLE.unpack(raw[: PREAMBLE.size])
    text = json.loads(raw[at : at + length])
    text = json.dumps(change(text) or text).encode()
    first = PREAMBLE.pack(MAGIC, version, 0, at, len(text), zlib.crc32(text))
    return (
        first + CHECKSUM.pack(zlib.crc32(first)) + bytes(ALIGN - PREAMBLE.size - CHECKSUM.size) + raw[ALIGN:at] + text
    )


def test_round_trip(tmp_path: Path) -> None:
    arrays = {
        "one": np.arange(5.0),
        "two": np.arange(6, dtype=np.float32).reshape(2, 3),
        "none": np.zeros(0),
        "half": np.array([1.5, 2.0], dtype=np.float16).view(np.uint16),
        "bytes": np.frombuffer(b"text", np.uint8),
        "turned": np.arange(6.0).reshape(2, 3).T,
    }
    length = array_file.write_array_file(tmp_path / "x.zs", {"name": "ü"}, arrays)
    assert (tmp_path / "x.zs").stat().st_size == length
    file = ArrayFile(tmp_path / "x.zs")
    assert file.header == {"name": "ü"}
    for name, array in arrays.items():
        assert (file.read_array(name) == array).all()
        assert file.read_array(name).dtype == array.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["x.zs"]


def test_false_headers_are_refused(tmp_path: Path) -> None:
    """A header with the right checksum that claims too much takes no memory."""
    path = tmp_path / "x.zs"
    array_file.write_array_file(path, {}, {"one": np.arange(5.0), "two": np.arange(5.0)})
    raw = path.read_bytes()
    for change in (
        lambda c: c["arrays"][0].update(shape=[2**40]),
        lambda c: c["arrays"][0].update(shape=[2**40, 2**40, 0]),
        lambda c: c["arrays"][0].update(shape=[-1]),
        lambda c: c["arrays"][0].update(shape=5),
        lambda c: c["arrays"][0].update(dtype="|O"),
        lambda c: c["arrays"][0].update(at=10**15),
        lambda c: c["arrays"][0].pop("crc"),
        lambda c: c["arrays"].pop(),
        lambda c: c.update(arrays={"a": 1}),
        lambda c: c.update(arrays=[1]),
        lambda c: [c],
    ):
        path.write_bytes(rewritten(raw, change))
        with pytest.raises(zerosum.ZerosumError, match=r"is damaged"):
            ArrayFile(path).read_arrays()
    path.write_bytes(rewritten(raw, lambda c: None))
    assert (ArrayFile(path).read_array("two") == np.arange(5.0)).all()


def test_versions_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "x.zs"
    array_file.write_array_file(path, {}, {})
    raw = path.read_bytes()
    first = PREAMBLE.pack(MAGIC, 7, *PREAMBLE.unpack(raw[: PREAMBLE.size])[2:])
    path.write_bytes(first + CHECKSUM.pack(zlib.crc32(first)) + raw[PREAMBLE.size + CHECKSUM.size :])
    with pytest.raises(zerosum.ZerosumError, match="format version 7, this zerosum reads 1"):
        ArrayFile(path)
    for content in (b"", b"PK\x03\x04", b"\x80\x04\x95", MAGIC, b"\x89PNG\r\n\x1a\n" + bytes(100), b"{}"):
        path.write_bytes(content)
        with pytest.raises(zerosum.ZerosumError, match="not a saved run|cut off"):
            ArrayFile(path)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("fuzz") / "kuhn.zs"
    zerosum.solve("kuhn", "cfr+", iterations=20, out=path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> Any:
    path = tmp_path_factory.mktemp("right") / "kuhn.zs"
    path.write_bytes(raw)
    return zerosum.load(path)


@pytest.fixture(scope="module")
def solver() -> zerosum.Solver:
    return zerosum.Solver(zerosum.compile_game(zerosum.game("kuhn")), zerosum.algorithm("cfr+"), 20)


def mutation(raw: bytes, draw: random.Random) -> bytes:
    """Draw a change: cut, lengthened, bits flipped, bytes moved."""
    content, at = bytearray(raw), draw.randrange(len(raw))
    kind = draw.choice(["flip", "cut", "longer", "zero", "swap", "bytes"])
    if kind == "flip":
        content[at] ^= 1 << draw.randrange(8)
    elif kind == "cut":
        del content[at:]
    elif kind == "longer":
        content += draw.randbytes(draw.randint(1, 100))
    elif kind == "zero":
        content[at : at + 64] = bytes(len(content[at : at + 64]))
    elif kind == "swap":
        content = content[at:] + content[:at]
    else:
        content[at : at + 8] = draw.randbytes(draw.randint(0, 20))
    return bytes(content)


def test_every_mutation_is_refused(tmp_path: Path, raw: bytes, right: zerosum.Result, solver: zerosum.Solver) -> None:
    """Of 3,000 mutations, none is resumed. Inspection reads the strategy only, so it may succeed if something else is
    damaged; its numbers are right then.
    """
    path = tmp_path / "mutated.zs"
    for seed in range(3000):
        content = mutation(raw, random.Random(seed))
        path.write_bytes(content)
        if content == raw:
            continue
        with pytest.raises(zerosum.ZerosumError, match=r"mutated.zs"), SavedRun(path) as run:
            run.restore(solver)
        try:
            assert zerosum.load(path) == right, seed
        except zerosum.ZerosumError as error:
            assert "\n" not in str(error), seed


def leaves(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(content, dict):
        return [path, *(leaf for key, value in content.items() for leaf in leaves(value, (*path, key)))]
    if isinstance(content, list):
        return [path, *(leaf for key, value in enumerate(content[:3]) for leaf in leaves(value, (*path, key)))]
    return [path]


@settings(max_examples=600)
@given(data=st.data())
def test_a_header_of_a_stranger_is_refused_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, data: Any
) -> None:
    """The checksums are right and the header is wrong: this gives an error message or a result, never another error."""

    def change(header: dict[str, Any]) -> None:
        for _ in range(data.draw(st.integers(1, 2))):
            *way, last = data.draw(st.sampled_from([leaf for leaf in leaves(header) if leaf]))
            part: Any = header
            for key in way:
                part = part[key]
            wrong = [None, -1, 0, 2**70, 1e300, "x", "", [], {}, [1], {"kind": "float"}, True, "../../etc/passwd"]
            if data.draw(st.booleans()) and isinstance(part, dict):
                part.pop(last, None)
            else:
                part[last] = data.draw(st.sampled_from(wrong))

    path = tmp_path_factory.getbasetemp() / "stranger.zs"
    try:
        path.write_bytes(rewritten(raw, change))
    except (KeyError, IndexError, TypeError):
        return
    for use in (zerosum.load, lambda path: zerosum.resume(path, iterations=30)):
        try:
            use(path)
        except zerosum.ZerosumError as error:
            assert str(error)


def test_numbers_of_a_stranger_are_checked(tmp_path: Path, raw: bytes) -> None:
    """Arrays with the right checksums that are no strategy, or not of this game."""
    path = tmp_path / "kuhn.zs"
    path.write_bytes(raw)
    opened = ArrayFile(path)
    arrays, header = opened.read_arrays(), opened.header
    for name, wrong in (
        ("average0", -arrays["average0"]),
        ("average0", arrays["average0"] * np.nan),
        ("average0", arrays["average0"][:-1]),
        ("parent0", arrays["parent0"] + np.uint32(2**31)),
        ("blocks0", arrays["blocks0"] * 2**40),
        ("blocks0", arrays["blocks0"].astype(np.float64)),
        ("names", np.frombuffer(struct.pack("<Q", 2**62) + b"x", np.uint8)),
        ("names", np.frombuffer(struct.pack("<Q", 5) + zlib.compress(bytes(10**6)), np.uint8)),
    ):
        array_file.write_array_file(path, header, {**arrays, name: wrong})
        with pytest.raises(zerosum.ZerosumError):
            zerosum.load(path)
