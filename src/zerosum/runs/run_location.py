"""Where a run is saved: a folder with one file in it, or a file alone; and the lock that keeps others from writing."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from zerosum.support.array_file import PART_SUFFIX, ArrayFile, is_array_file
from zerosum.support.errors import ZerosumError
from zerosum.support.files import TEMPORARY, WriteLock, remove_stale_temporaries, resolve_link
from zerosum.support.options import option_name
from zerosum.support.text import format_bytes
from zerosum.support.validation import as_path

RUN_FILE = "run.zs"
"""The file of a run in its folder."""
RUN_SUFFIX = ".zs"
"""The suffix of a run that is a file alone."""
LOCK_SUFFIX = ".lock"
"""The suffix of the file that is locked while a run is written."""
RESULT_SUFFIXES = (".json", ".json.gz")
"""The suffixes of results, which hold the strategy and not the state of the run."""
FILE_SUFFIXES = (
    ".zs", ".csv", ".tsv", ".txt", ".md", ".html", ".tex", ".json", ".parquet", ".npz", ".npy", ".pkl", ".pickle",
    ".h5", ".xlsx", ".png", ".svg", ".pdf", ".jpg", ".gz", ".zip", ".efg", ".nfg", ".toml", ".py",
)  # fmt: skip
"""Suffixes that a folder must not have, because people take it for a file."""


def is_result_file(path: Path) -> bool:
    """Return whether a name asks for a result in JSON rather than for a run.

    >>> is_result_file(Path("kuhn.json.gz")), is_result_file(Path("kuhn/")), is_result_file(Path("turn.zs"))
    (True, False, False)
    """
    return path.name.lower().endswith(RESULT_SUFFIXES)


def check_folder(path: Path) -> None:
    """Refuse to make a folder whose name looks like that of a file."""
    if path.suffix.lower() in FILE_SUFFIXES and not path.is_dir():
        reason = f"it would be a folder, and {path.suffix} is the suffix of a file"
        raise ZerosumError(f"cannot write {path}: {reason}: leave it out ({option_name('out')})")


def locate_run_file(path: Path) -> Path:
    """Return the file of a run that is named by its folder or by the file itself.

    >>> locate_run_file(Path("no/such/run")).name, locate_run_file(Path("turn.zs")).name
    ('run.zs', 'turn.zs')
    """
    try:
        is_file = path.is_file() or (path.suffix.lower() == RUN_SUFFIX and not path.is_dir())
    except OSError as error:  # such as a name that is too long
        raise ZerosumError(f"cannot read {path}: {error.strerror or error}") from None
    return path if is_file else path / RUN_FILE


def locate_existing_run(path: Path) -> Path:
    """Return the file of an existing run; raise an error that says what is there instead."""
    file = locate_run_file(path)
    if not file.exists():
        if path.is_dir():
            raise ZerosumError(f"{path} is a folder without a run: to save one there, solve with --out or out=")
        raise ZerosumError(f"there is no run {path}")
    return resolve_link(file)


class RunLocation:
    """The folder or file of a run, locked against other writers until it is closed or dropped.

    What a process that was killed has left half-written there is removed.
    """

    def __init__(self, path: str | Path, new: bool, overwrite: bool = False) -> None:
        self.path = as_path(path)
        self.file = locate_run_file(self.path)
        self.is_single_file = self.file == self.path
        self.file = resolve_link(self.file)
        self._lock: WriteLock | None = None
        self._removes_folder = False
        try:
            if new:
                self._check_free(overwrite)
            if not self.is_single_file:
                self._removes_folder = not self.file.parent.exists()
                self.file.parent.mkdir(exist_ok=True)
            self._lock = WriteLock(self.file.with_name(f".{self.file.name}{LOCK_SUFFIX}"), self.path)
            with tempfile.TemporaryFile(dir=self.file.parent):
                pass
            remove_stale_temporaries(self.file.parent, owned=self.file.name)
        except OSError as error:
            self.close()
            raise ZerosumError(f"cannot write {self.path}: {error.strerror or error}") from None

    def _check_free(self, overwrite: bool) -> None:
        """Refuse a location that is not free for a new run."""
        if self.path.exists() and not self.path.is_file() and not self.path.is_dir():
            raise ZerosumError(f"cannot write {self.path}: it is not a regular file")
        if not self.is_single_file:
            check_folder(self.path)
        if self.path.is_dir() and not self.file.exists():
            names = (entry.name for entry in self.path.iterdir())
            others = [name for name in names if not name.endswith(TEMPORARY) and name != f".{RUN_FILE}{LOCK_SUFFIX}"]
            if others:
                raise ZerosumError(f"cannot write {self.path}: it is a folder with other files, such as {others[0]}")
        if self.is_single_file and self.path.suffix.lower() != RUN_SUFFIX:
            raise ZerosumError(
                f"cannot write {self.path}: it is a file, and a run is a folder, a name that ends in {RUN_SUFFIX}, "
                "or a result in .json or .json.gz"
            )
        if self.file.exists() and not overwrite:
            kind = "a run" if is_array_file(self.file) else "a file"
            raise ZerosumError(
                f"{self.path} holds {kind} already: continue it (zerosum resume {self.path}, zerosum.resume), choose "
                f"another name, or overwrite it ({option_name('overwrite', True)})"
            )

    def remove_unused_parts(self) -> None:
        """Remove the part files of earlier saves that the run's file does not refer to any more."""
        part_files = list(self.file.parent.glob(f"{self.file.name}.*{PART_SUFFIX}"))
        if part_files:
            with closing(ArrayFile(self.file)) as run:
                used = run.part_files
            for part_file in part_files:
                if part_file.name not in used:
                    part_file.unlink(missing_ok=True)

    def check_free_space(self, n_bytes: int) -> None:
        """Refuse a run of `n_bytes` that does not fit on the disk, before it starts."""
        free = shutil.disk_usage(self.file.parent).free
        if n_bytes > free:
            raise ZerosumError(
                f"cannot write {self.path}: it takes about {format_bytes(n_bytes)}, and {format_bytes(free)} are free"
            )

    def remove(self) -> None:
        """Delete the run and its part files; its folder goes when this is closed, if nothing else is in it."""
        for file in (self.file, *self.file.parent.glob(f"{self.file.name}.*{PART_SUFFIX}")):
            file.unlink(missing_ok=True)
        self._removes_folder = not self.is_single_file

    def close(self) -> None:
        """Release the lock, and remove a new folder if no run was saved there."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._removes_folder:
            with contextlib.suppress(OSError):
                self.file.parent.rmdir()
