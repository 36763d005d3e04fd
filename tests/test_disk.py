"""Files are whole or not there, and what killed processes left half-written does not stay."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from rue import disk
from rue.disk import replacing, write_atomically

KILLED = """
import os, signal, sys
from pathlib import Path
from rue.disk import replacing

with replacing(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_the_next_process_that_writes_there_removes_what_killed_ones_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.json", "two"):
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / name)], check=False, timeout=60)
    (tmp_path / ".mine.writing").write_bytes(b"nobody wrote this by halves")
    live = tmp_path / ".three.1-1.writing"
    assert [name.split(".")[1] for name in names(tmp_path)] == ["mine", "two"]
    with live.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr(disk, "_cleared", set())
        write_atomically(tmp_path / "other", b"whole")
        assert names(tmp_path) == [".mine.writing", ".three.1-1.writing", "other"]


def test_a_file_that_is_being_written_is_not_removed(tmp_path: Path) -> None:
    with replacing(tmp_path / "one") as file:
        file.write(b"all")
        disk.remove_left(tmp_path)
        assert len(names(tmp_path)) == 1
    assert (tmp_path / "one").read_bytes() == b"all"
    assert names(tmp_path) == ["one"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    for content in (b"new", b"newer"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there" / "file").read_bytes() == content
    assert names(tmp_path / "there") == ["file"]
