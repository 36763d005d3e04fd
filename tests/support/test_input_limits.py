"""Files from other people: endless ones are refused, and each kind of file has a limit."""

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

import zerosum as package
from zerosum.engine.forms.sequence import serialization
from zerosum.holdem.spots.files import load_spot
from zerosum.holdem.study.report import Report
from zerosum.papers.reproduction import FigureResult
from zerosum.results import game_result
from zerosum.runs import strategy_reader
from zerosum.support import array_file, files
from zerosum.support.errors import ZerosumError
from zerosum.support.files import estimate_json_memory, parse_json, read_at_most
from zerosum.support.user_modules import load_module

READERS = {
    "a result": package.load,
    "a strategy": package.read_strategy,
    "a spot": lambda path: load_spot(f"{path}"),
}


def refused(reader: Any, path: Path) -> str:
    """Return the message of a reader about a file that it refuses."""
    with pytest.raises(ZerosumError) as error:
        reader(path)
    return str(error.value)


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
    message = refused(READERS[kind], path)
    assert "not a regular file" in message or "folder" in message


def test_a_file_that_has_nothing_to_give_yet_is_refused() -> None:
    """The log of the kernel is such a file, and claims to be a regular one."""
    strategy_reader, write = os.pipe()
    os.set_blocking(strategy_reader, False)
    with (
        files.BufferedReader(files._NonblockingFile(strategy_reader, "rb")) as file,
        pytest.raises(OSError, match="not a regular file"),
    ):
        file.read(10)
    os.close(write)


@pytest.mark.parametrize("reader", [load_module, Report.load, FigureResult.load])
def test_other_files_are_not_waited_for_either(reader: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    message = refused(reader, tmp_path / "pipe")
    assert "not a regular file" in message or "there is no file" in message


def test_a_run_whose_curve_goes_backwards_is_refused(saved: Path) -> None:
    with_header(saved, lambda text: json.dumps({**json.loads(text), "curve": json.loads(text)["curve"][::-1]}).encode())
    assert "the curve has iteration" in refused(package.load, saved)


def test_the_command_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for arguments in (["show"], ["exploit", "leduc"]):
        done = subprocess.run(
            [sys.executable, "-m", "zerosum", *arguments, str(tmp_path / "pipe.json")],
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


def test_the_unpacked_size_of_gzip_counts(tmp_path: Path) -> None:
    path = tmp_path / "large.json.gz"
    path.write_bytes(gzip.compress(b" " * 10_000_000))
    assert path.stat().st_size < 20_000
    assert len(read_at_most(path, 10_000_000)) == 10_000_000
    for most in (9_999_999, 100_000):
        with pytest.raises(ZerosumError, match="it has more than"):
            read_at_most(path, most)
    members = gzip.compress(b"one ") + gzip.compress(b"two")
    path.write_bytes(members)
    assert read_at_most(path, 100) == b"one two"
    path.write_bytes(members[:-9])
    with pytest.raises(ZerosumError, match="cannot be decompressed"):
        read_at_most(path, 100)


def test_a_gzip_that_becomes_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than the limit is unpacked."""
    work = zlib.compressobj(1, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(b"".join([work.compress(zeros) for _ in range(64)] + [work.flush()]))
    for module in (game_result, strategy_reader):
        monkeypatch.setattr(module, "max_text_bytes", lambda: 1 << 20)
    for reader in (package.load, package.read_strategy):
        assert "it has more than 1.0 MB" in refused(reader, path)


def test_files_that_are_too_long_are_not_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with holes may have any length: it would take long to find out by reading."""
    path = tmp_path / "long.json"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(files._NonblockingFile, "readinto", None)
    assert "it has more than 1.0 GB" in refused(lambda file: read_at_most(file, 10**9), path)


def test_spots_are_short(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text("#" * (1 << 20) + "\n")
    assert "it has more than 1.0 MB" in refused(load_spot, path)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    package.solve("kuhn", iterations=10, out=tmp_path / "kuhn.zs")
    return tmp_path / "kuhn.zs"


def with_header(path: Path, change: Any) -> None:
    """Change the text of a run's header, its checksums included."""
    data = path.read_bytes()
    *start, at, length, _ = array_file.PREAMBLE.unpack(data[: array_file.PREAMBLE.size])
    text = change(data[at : at + length])
    first = array_file.PREAMBLE.pack(*start, at, len(text), zlib.crc32(text))
    rest = struct.pack("<I", zlib.crc32(first)) + bytes(array_file.ALIGN - len(first) - 4)
    path.write_bytes(first + rest + data[array_file.ALIGN : at] + text)


def test_headers_are_short(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_file, "MAX_HEADER_BYTES", 1000)
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
            parse_json(text, "a text")


@pytest.mark.parametrize("text", ["1e308", "-1.7e+308", "1e-999", "9" * 300, "0.1" + "0" * 400, '"1e999"'])
def test_numbers_that_floats_hold_are_read_as_ever(text: str) -> None:
    assert parse_json(text, "a text") == json.loads(text)


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
def test_results_with_numbers_that_are_none(zerosum: Any, damage: str, tmp_path: Path) -> None:
    path, name, number = tmp_path / "kuhn.json", *DAMAGED[damage]
    package.solve("kuhn", iterations=10).save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, name: "here"}).replace('"here"', number))
    assert refused(package.load, path)
    commands = [["show", path], ["export", path, "--out", tmp_path / "x.csv"], ["diff", path, path]]
    for command in [*commands, ["exploit", "kuhn", path]]:
        output = zerosum(*command)
        assert (output.code, output.err.count("\n")) == (2, 1), output


def test_texts_of_a_run_are_bounded(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serialization, "max_text_bytes", lambda: 100)
    assert "its texts claim to have" in refused(package.load, saved)


def test_undamaged_files_are_read(saved: Path, tmp_path: Path) -> None:
    result = package.load(saved)
    for name in ("kuhn.json", "kuhn.json.gz"):
        result.save(tmp_path / name)
        assert package.load(tmp_path / name) == result
        assert len(package.read_strategy(tmp_path / name).entries) == 12
    assert json.loads(read_at_most(tmp_path / "kuhn.json.gz", 1 << 20))["game"] == "kuhn"


@pytest.mark.parametrize("text", ["[],", '{"a":1},', '["ab"],', '"ab",', "999,"])
def test_the_memory_of_parsed_json_is_predicted(text: str) -> None:
    """Brackets take thirty bytes a character: a text that is short enough may still be too much."""
    whole = "[" + (text * (2_000_000 // len(text)))[:-1] + "]"
    tracemalloc.start()
    try:
        content = json.loads(whole)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert content
    assert 0.8 * most < estimate_json_memory(whole) < 3 * most


@pytest.mark.parametrize("name", ["kuhn.zs", "kuhn.json", "kuhn.json.gz"])
def test_json_that_the_memory_does_not_hold_is_refused(
    name: str, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    if path != saved:
        package.load(saved).save(path)
    monkeypatch.setattr(files, "available_bytes", lambda: 1000)
    for reader in (package.load, package.read_strategy):
        assert "of memory, and 1.0 KB are free" in refused(reader, path)


def test_a_gzip_of_many_members_is_gone_through_once(tmp_path: Path) -> None:
    """Copying the rest of the file after each member would take hours."""
    path = tmp_path / "members.json.gz"
    path.write_bytes(gzip.compress(b"") * 20_000 + gzip.compress(b"end"))
    assert read_at_most(path, 1 << 20) == b"end"
    path.write_bytes(gzip.compress(b"one") + b"junk")
    with pytest.raises(ZerosumError, match="cannot be decompressed"):
        read_at_most(path, 100)


def test_the_infoset_that_stands_twice_is_found_at_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    rows = [f'"{number}": {{"a": 1}}' for number in range(100_000)]
    path.write_text("{" + ", ".join([*rows, rows[-1]]) + "}")
    assert "has '99999' twice" in refused(package.read_strategy, path)
