"""The file of a run: what was put in comes out; anything else is refused with a sentence, whatever was done to it."""

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

import rue
from rue import container
from rue.container import ALIGN, CHECK, FIRST, MAGIC, Container
from rue.runs.opened import Opened


def rewritten(raw: bytes, change: Any) -> bytes:
    """The file with a header that says something else, its checksums right."""
    _, version, _, at, length, _ = FIRST.unpack(raw[: FIRST.size])
    text = json.loads(raw[at : at + length])
    text = json.dumps(change(text) or text).encode()
    first = FIRST.pack(MAGIC, version, 0, at, len(text), zlib.crc32(text))
    return first + CHECK.pack(zlib.crc32(first)) + bytes(ALIGN - FIRST.size - CHECK.size) + raw[ALIGN:at] + text


def test_round_trip(tmp_path: Path) -> None:
    arrays = {
        "one": np.arange(5.0),
        "two": np.arange(6, dtype=np.float32).reshape(2, 3),
        "none": np.zeros(0),
        "half": np.array([1.5, 2.0], dtype=np.float16).view(np.uint16),
        "bytes": np.frombuffer(b"text", np.uint8),
        "turned": np.arange(6.0).reshape(2, 3).T,
    }
    length = container.write(tmp_path / "x.rue", {"name": "ü"}, arrays)
    assert (tmp_path / "x.rue").stat().st_size == length
    found = Container(tmp_path / "x.rue")
    assert found.header == {"name": "ü"}
    for name, array in arrays.items():
        assert (found.array(name) == array).all()
        assert found.array(name).dtype == array.dtype
    assert [path.name for path in tmp_path.iterdir()] == ["x.rue"]


def test_what_a_file_may_not_say(tmp_path: Path) -> None:
    """A header with the right checksum that claims too much takes no memory."""
    path = tmp_path / "x.rue"
    container.write(path, {}, {"one": np.arange(5.0), "two": np.arange(5.0)})
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
        with pytest.raises(rue.RueError, match=r"is damaged"):
            Container(path).arrays()
    path.write_bytes(rewritten(raw, lambda c: None))
    assert (Container(path).array("two") == np.arange(5.0)).all()


def test_versions_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "x.rue"
    container.write(path, {}, {})
    raw = path.read_bytes()
    first = FIRST.pack(MAGIC, 7, *FIRST.unpack(raw[: FIRST.size])[2:])
    path.write_bytes(first + CHECK.pack(zlib.crc32(first)) + raw[FIRST.size + CHECK.size :])
    with pytest.raises(rue.RueError, match="format version 7, this rue reads 1"):
        Container(path)
    for content in (b"", b"PK\x03\x04", b"\x80\x04\x95", MAGIC, b"\x89PNG\r\n\x1a\n" + bytes(100), b"{}"):
        path.write_bytes(content)
        with pytest.raises(rue.RueError, match="not a saved run|cut off"):
            Container(path)


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("fuzz") / "kuhn.rue"
    rue.solve("kuhn", "cfr+", iterations=20, out=path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> Any:
    path = tmp_path_factory.mktemp("right") / "kuhn.rue"
    path.write_bytes(raw)
    return rue.load(path)


@pytest.fixture(scope="module")
def solver() -> rue.Solver:
    return rue.Solver(rue.compile_game(rue.game("kuhn")), rue.algorithm("cfr+"), 20)


def mutation(raw: bytes, draw: random.Random) -> bytes:
    """Cut, longer, bits flipped, bytes moved."""
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


def test_every_mutation_is_refused(tmp_path: Path, raw: bytes, right: rue.Result, solver: rue.Solver) -> None:
    """Of 3,000, nothing but the file itself is taken up.

    Looking at it reads the strategy only, so that it may succeed where something else is damaged, and is right then.
    """
    path = tmp_path / "mutated.rue"
    for seed in range(3000):
        content = mutation(raw, random.Random(seed))
        path.write_bytes(content)
        if content == raw:
            continue
        with pytest.raises(rue.RueError, match=r"mutated.rue"), Opened(path) as run:
            run.restore(solver)
        try:
            assert rue.load(path) == right, seed
        except rue.RueError as error:
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
    """The checksums are right, and what the header says is not: a sentence or a result, never another error."""

    def change(header: dict[str, Any]) -> None:
        for _ in range(data.draw(st.integers(1, 2))):
            *way, last = data.draw(st.sampled_from([leaf for leaf in leaves(header) if leaf]))
            here: Any = header
            for key in way:
                here = here[key]
            wrong = [None, -1, 0, 2**70, 1e300, "x", "", [], {}, [1], {"kind": "float"}, True, "../../etc/passwd"]
            if data.draw(st.booleans()) and isinstance(here, dict):
                here.pop(last, None)
            else:
                here[last] = data.draw(st.sampled_from(wrong))

    path = tmp_path_factory.getbasetemp() / "stranger.rue"
    try:
        path.write_bytes(rewritten(raw, change))
    except (KeyError, IndexError, TypeError):
        return
    for use in (rue.load, lambda path: rue.resume(path, iterations=30)):
        try:
            use(path)
        except rue.RueError as error:
            assert str(error)


def test_numbers_of_a_stranger_are_checked(tmp_path: Path, raw: bytes) -> None:
    """Arrays with the right checksums that are no strategy, or not of this game."""
    path = tmp_path / "kuhn.rue"
    path.write_bytes(raw)
    opened = Container(path)
    arrays, header = opened.arrays(), opened.header
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
        container.write(path, header, {**arrays, name: wrong})
        with pytest.raises(rue.RueError):
            rue.load(path)
