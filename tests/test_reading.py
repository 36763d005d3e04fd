"""Files that others made: nothing that has no end is read, and no more than each kind of file may have."""

from __future__ import annotations

import gzip
import json
import os
import struct
import subprocess
import sys
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest

import rue as package
from rue import container, disk
from rue.disk import bytes_of_json, from_json, read_at_most
from rue.errors import RueError
from rue.forms import stored
from rue.holdem.files import load_spot
from rue.papers.make import Made
from rue.python_files import load_module
from rue.results import game
from rue.runs import read
from rue.views.report import Report

READERS = {
    "a result": package.load,
    "a strategy": package.read_strategy,
    "a spot": lambda path: load_spot(f"{path}"),
}


def refused(reader: Any, path: Path) -> str:
    """What a reader says of a file that it does not take."""
    with pytest.raises(RueError) as told:
        reader(path)
    return str(told.value)


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("name", ["pipe.toml", "zero.toml", "folder.toml"])
def test_only_regular_files_are_read(kind: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    elif name.startswith("zero"):
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    said = refused(READERS[kind], path)
    assert "not a regular file" in said or "folder" in said


def test_a_file_that_has_nothing_to_give_yet_is_refused() -> None:
    """As the kernel's log, which says that it is a regular file."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    with disk.BufferedReader(disk._Waiting(read, "rb")) as file, pytest.raises(OSError, match="not a regular file"):
        file.read(10)
    os.close(write)


@pytest.mark.parametrize("reader", [load_module, Report.load, Made.load])
def test_other_files_are_not_waited_for_either(reader: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    said = refused(reader, tmp_path / "pipe")
    assert "not a regular file" in said or "there is no file" in said


def test_a_run_whose_curve_goes_backwards_is_refused(saved: Path) -> None:
    with_header(saved, lambda text: json.dumps({**json.loads(text), "curve": json.loads(text)["curve"][::-1]}).encode())
    assert "the curve has iteration" in refused(package.load, saved)


def test_the_command_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for arguments in (["show"], ["exploit", "leduc"]):
        done = subprocess.run(
            [sys.executable, "-m", "rue", *arguments, str(tmp_path / "pipe.json")],
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


def test_what_gzip_unpacks_to_counts(tmp_path: Path) -> None:
    path = tmp_path / "large.json.gz"
    path.write_bytes(gzip.compress(b" " * 10_000_000))
    assert path.stat().st_size < 20_000
    assert len(read_at_most(path, 10_000_000)) == 10_000_000
    for most in (9_999_999, 100_000):
        with pytest.raises(RueError, match="it has more than"):
            read_at_most(path, most)
    two = gzip.compress(b"one ") + gzip.compress(b"two")
    path.write_bytes(two)
    assert read_at_most(path, 100) == b"one two"
    path.write_bytes(two[:-9])
    with pytest.raises(RueError, match="cannot be decompressed"):
        read_at_most(path, 100)


def test_a_gzip_that_becomes_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than the limit is unpacked."""
    work = zlib.compressobj(1, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(b"".join([work.compress(zeros) for _ in range(64)] + [work.flush()]))
    for module in (game, read):
        monkeypatch.setattr(module, "largest_text", lambda: 1 << 20)
    for reader in (package.load, package.read_strategy):
        assert "it has more than 1.0 MB" in refused(reader, path)


def test_what_is_too_long_is_not_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with holes may have any length: it would take long to find out by reading."""
    path = tmp_path / "long.json"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(disk._Waiting, "readinto", None)
    assert "it has more than 1.0 GB" in refused(lambda file: read_at_most(file, 10**9), path)


def test_spots_are_short(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text("#" * (1 << 20) + "\n")
    assert "it has more than 1.0 MB" in refused(load_spot, path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    package.solve("kuhn", iterations=10, out=tmp_path / "kuhn.rue")
    return tmp_path / "kuhn.rue"


def with_header(path: Path, change: Any) -> None:
    """Change the text of a run's header, its checksums included."""
    data = path.read_bytes()
    *start, at, length, _ = container.FIRST.unpack(data[: container.FIRST.size])
    text = change(data[at : at + length])
    first = container.FIRST.pack(*start, at, len(text), zlib.crc32(text))
    rest = struct.pack("<I", zlib.crc32(first)) + bytes(container.ALIGN - len(first) - 4)
    path.write_bytes(first + rest + data[container.ALIGN : at] + text)


def test_headers_are_short(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "LONGEST", 1000)
    assert "and at most 1.0 KB are read" in refused(package.load, saved)


@pytest.mark.parametrize("constant", [b"NaN", b"Infinity", b"-Infinity"])
def test_a_number_that_is_none_is_found_when_a_run_is_opened(saved: Path, constant: bytes) -> None:
    """Not when it is saved again."""
    with_header(saved, lambda text: text.replace(b'"parts": [{', b'"parts": [{"lost": ' + constant + b", "))
    for reader in (package.load, lambda path: package.resume(path, iterations="+10")):
        assert f"a number that is {constant.decode()}" in refused(reader, saved)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400])
@pytest.mark.parametrize("part", ["cores", "from"])
def test_a_number_beyond_floats_is_found_when_a_run_is_opened(saved: Path, part: str, number: str) -> None:
    with_header(saved, lambda text: text.replace(b'"parts": [{', f'"parts": [{{"{part}": {number}, '.encode(), 1))
    for reader in (package.load, lambda path: package.resume(path, iterations="+10")):
        assert f"it has a number that is {number:.20}, not a finite one" in refused(reader, saved)


@pytest.mark.parametrize(
    "number", ["1" + "0" * 400, "9" * 5000, "1e999", "-1e0400", "9" * 250 + "e99", "NaN", "-Infinity"]
)
def test_a_number_beyond_floats_is_no_json(number: str) -> None:
    for text in (f'{{"a": [{number}]}}', f"[{number}]".encode(), f"[{number}]".encode("utf-16")):
        with pytest.raises(ValueError, match="."):
            from_json(text, "a text")


@pytest.mark.parametrize("text", ["1e308", "-1.7e+308", "1e-999", "9" * 300, "0.1" + "0" * 400, '"1e999"'])
def test_numbers_that_floats_hold_are_read_as_ever(text: str) -> None:
    assert from_json(text, "a text") == json.loads(text)


DAMAGED: dict[str, tuple[str, str]] = {
    "value of 401 digits": ("value", "1" + "0" * 400),
    "value beyond floats": ("value", "1e999"),
    "infosets missing": ("infosets", "null"),
    "infosets a list": ("infosets", "[]"),
    "sequences a text": ("sequences", '"4"'),
    "seed a list": ("seed", "[]"),
    "bytes no number": ("bytes", "false"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_results_with_numbers_that_are_none(rue: Any, damage: str, tmp_path: Path) -> None:
    path, name, number = tmp_path / "kuhn.json", *DAMAGED[damage]
    package.solve("kuhn", iterations=10).save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, name: "here"}).replace('"here"', number))
    assert refused(package.load, path)
    commands = [["show", path], ["export", path, "--out", tmp_path / "x.csv"], ["diff", path, path]]
    for command in [*commands, ["exploit", "kuhn", path]]:
        said = rue(*command)
        assert (said.code, said.err.count("\n")) == (2, 1), said


def test_texts_of_a_run_are_bounded(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "largest_text", lambda: 100)
    assert "its texts claim to have" in refused(package.load, saved)


def test_what_is_whole_is_read(saved: Path, tmp_path: Path) -> None:
    result = package.load(saved)
    for name in ("kuhn.json", "kuhn.json.gz"):
        result.save(tmp_path / name)
        assert package.load(tmp_path / name) == result
        assert len(package.read_strategy(tmp_path / name).entries) == 12
    assert json.loads(read_at_most(tmp_path / "kuhn.json.gz", 1 << 20))["game"] == "kuhn"


@pytest.mark.parametrize("text", ["[],", '{"a":1},', '["ab"],', '"ab",', "999,"])
def test_what_json_takes_in_memory_is_foreseen(text: str) -> None:
    """Brackets take thirty bytes a character: a text that is short enough may still be too much."""
    whole = "[" + (text * (2_000_000 // len(text)))[:-1] + "]"
    tracemalloc.start()
    try:
        found = json.loads(whole)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found
    assert 0.8 * most < bytes_of_json(whole) < 3 * most


@pytest.mark.parametrize("name", ["kuhn.rue", "kuhn.json", "kuhn.json.gz"])
def test_json_that_the_memory_does_not_hold_is_refused(
    name: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    if path != saved:
        package.load(saved).save(path)
    monkeypatch.setattr(disk, "available_bytes", lambda: 1000)
    for reader in (package.load, package.read_strategy):
        assert "of memory, and 1.0 KB are free" in refused(reader, path)


def test_a_gzip_of_many_members_is_gone_through_once(tmp_path: Path) -> None:
    """Copying what is left after each of them would take hours."""
    path = tmp_path / "members.json.gz"
    path.write_bytes(gzip.compress(b"") * 20_000 + gzip.compress(b"end"))
    assert read_at_most(path, 1 << 20) == b"end"
    path.write_bytes(gzip.compress(b"one") + b"junk")
    with pytest.raises(RueError, match="cannot be decompressed"):
        read_at_most(path, 100)


def test_the_infoset_that_stands_twice_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    rows = [f'"{number}": {{"a": 1}}' for number in range(100_000)]
    path.write_text("{" + ", ".join([*rows, rows[-1]]) + "}")
    assert "has '99999' twice" in refused(package.read_strategy, path)
