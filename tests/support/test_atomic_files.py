"""Files are written whole or not at all, and half-written files of killed processes are removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zerosum.support import files
from zerosum.support.files import atomic_writer, write_atomically

KILLED = """
import os, signal, sys
from pathlib import Path
from zerosum.support.files import atomic_writer

with atomic_writer(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_of_killed_processes_are_removed_a_day_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one.json", "two"):
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / name)], check=False, timeout=60)
    (tmp_path / ".mine.writing").write_bytes(b"nobody wrote this by halves")
    (tmp_path / ".three.1-1.writing").write_bytes(b"this may still be written")
    assert [name.split(".")[1] for name in names(tmp_path)] == ["mine", "one", "three", "two"]
    for path in tmp_path.iterdir():
        if "three" not in path.name:
            os.utime(path, times=(0, 0))
    monkeypatch.setattr(files, "_cleared", set())
    write_atomically(tmp_path / "other", b"whole")
    assert names(tmp_path) == [".mine.writing", ".three.1-1.writing", "other"]


def test_an_exclusive_writer_removes_leftovers_at_once(tmp_path: Path) -> None:
    for name in ("run.zs", "run.zs.3.part", "run.zst", "other.zs"):
        (tmp_path / f".{name}.1-1.writing").touch()
    files.remove_stale_temporaries(tmp_path, owned="run.zs")
    assert names(tmp_path) == [".other.zs.1-1.writing", ".run.zst.1-1.writing"]


def test_a_file_that_is_being_written_is_not_removed(tmp_path: Path) -> None:
    with atomic_writer(tmp_path / "one") as file:
        file.write(b"all")
        files.remove_stale_temporaries(tmp_path)
        assert len(names(tmp_path)) == 1
    assert (tmp_path / "one").read_bytes() == b"all"
    assert names(tmp_path) == ["one"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    for content in (b"new", b"newer"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there" / "file").read_bytes() == content
    assert names(tmp_path / "there") == ["file"]
