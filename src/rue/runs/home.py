"""Where a run lies: a folder with one file in it, or that file alone; and who else writes there."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from rue.checked import as_path
from rue.container import PART_SUFFIX, Container, is_container
from rue.disk import TEMPORARY, remove_left, target
from rue.errors import RueError
from rue.words import readable

INSIDE = "run.rue"
"""The file of a run in its folder."""
SUFFIX = ".rue"
"""The end of the name of a run that is a file alone."""
LOCK = ".lock"
"""The end of the name of the file that is locked while a run is written to a file alone."""
RESULTS = (".json", ".json.gz")
"""The ends of the names of results, which hold the strategy and not the run."""


FILES = (".rue", ".csv", ".tsv", ".txt", ".md", ".html", ".tex", ".json", ".parquet", ".npz", ".npy", ".pkl", ".pickle",
         ".h5", ".xlsx", ".png", ".svg", ".pdf", ".jpg", ".gz", ".zip", ".efg", ".nfg", ".toml", ".py")  # fmt: skip
"""Ends of names that a folder does not have."""


def is_result(path: Path) -> bool:
    """Whether a name asks for a result in JSON rather than for a run.

    >>> is_result(Path("kuhn.json.gz")), is_result(Path("kuhn/")), is_result(Path("turn.rue"))
    (True, False, False)
    """
    return path.name.lower().endswith(RESULTS)


def check_folder(path: Path) -> None:
    """Refuse to make a folder that is called like a file."""
    if path.suffix.lower() in FILES and not path.is_dir():
        why = f"a folder is made there, and {path.suffix} is the end of a file's name"
        raise RueError(f"cannot write {path}: {why}: leave it out (--out, out=)")


def file_of(path: Path) -> Path:
    """The file of a run that is named by its folder or by the file itself.

    >>> file_of(Path("no/such/run")).name, file_of(Path("turn.rue")).name
    ('run.rue', 'turn.rue')
    """
    try:
        alone = path.is_file() or (path.suffix.lower() == SUFFIX and not path.is_dir())
    except OSError as error:  # such as a name that is too long
        raise RueError(f"cannot read {path}: {error.strerror or error}") from None
    return path if alone else path / INSIDE


def existing(path: Path) -> Path:
    """The file of a run that is there; a sentence otherwise."""
    file = file_of(path)
    if not file.exists():
        if path.is_dir():
            raise RueError(f"{path} is a folder without a run: a solve that is saved there makes one (--out, out=)")
        raise RueError(f"there is no run {path}")
    return target(file)


class Home:
    """A place that is ours to write to until it is closed.

    A folder is locked, so that a second process cannot go on with the same run; for a file alone, one beside it is, and
    is there as long as the place is ours. What a process that was killed left half-written is removed.
    """

    def __init__(self, path: str | Path, new: bool, overwrite: bool = False) -> None:
        self.path = as_path(path)
        self.file = file_of(self.path)
        self.alone = self.file == self.path
        self.file = target(self.file)
        self._lock, self._made, self._ours = -1, False, True
        try:
            if new:
                self._check_new(overwrite)
            if not self.alone:
                self._made = not self.file.parent.exists()
                self.file.parent.mkdir(exist_ok=True)
                self._lock = os.open(self.file.parent, os.O_RDONLY)
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            else:
                self._lock_beside()
            with tempfile.TemporaryFile(dir=self.file.parent):
                pass
            remove_left(self.file.parent)
        except BlockingIOError:
            self._ours = False
            self.close()
            raise RueError(f"another process is writing to {self.path}: wait for it, or end it first") from None
        except OSError as error:
            self.close()
            raise RueError(f"cannot write {self.path}: {error.strerror or error}") from None

    def _lock_beside(self) -> None:
        """Lock a file beside the run, which itself is replaced with every save."""
        while True:
            self._lock = os.open(self._beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._lock), os.stat(self._beside)):
                    return
            os.close(self._lock)  # its last owner has removed it meanwhile

    @property
    def _beside(self) -> Path:
        return self.file.with_name(f".{self.file.name}{LOCK}")

    def _check_new(self, overwrite: bool) -> None:
        if self.path.exists() and not self.path.is_file() and not self.path.is_dir():
            raise RueError(f"cannot write {self.path}: it is not a regular file")
        if not self.alone:
            check_folder(self.path)
        if self.path.is_dir() and not self.file.exists():
            others = [entry.name for entry in self.path.iterdir() if not entry.name.endswith(TEMPORARY)]
            if others:
                raise RueError(f"cannot write {self.path}: it is a folder that holds other things, such as {others[0]}")
        if self.alone and self.path.suffix.lower() != SUFFIX:
            raise RueError(
                f"cannot write {self.path}: it is a file, and a run is a folder, a name that ends in {SUFFIX}, or a "
                "result in .json or .json.gz"
            )
        if self.file.exists() and not overwrite:
            what = "a run" if is_container(self.file) else "a file"
            raise RueError(
                f"{self.path} holds {what} already: go on with it (rue resume {self.path}, rue.resume), choose another "
                "name, or overwrite it (--overwrite, overwrite=True)"
            )

    def clear_parts(self) -> None:
        """Remove the parts of earlier saves, which the run's file no longer goes on in."""
        left = list(self.file.parent.glob(f"{self.file.name}.*{PART_SUFFIX}"))
        if left:
            with closing(Container(self.file)) as run:
                needed = run.part_files
            for part in left:
                if part.name not in needed:
                    part.unlink(missing_ok=True)

    def check_room(self, length: int) -> None:
        """Refuse a run that the disk has no room for, before it starts."""
        free = shutil.disk_usage(self.file.parent).free
        if length > free:
            raise RueError(
                f"cannot write {self.path}: it takes about {readable(length)}, and {readable(free)} are free"
            )

    def remove(self) -> None:
        """Delete the run, with the parts it goes on in; its folder goes when it is closed, if nothing else is in it."""
        for each in (self.file, *self.file.parent.glob(f"{self.file.name}.*{PART_SUFFIX}")):
            each.unlink(missing_ok=True)
        self._made = not self.alone

    def close(self) -> None:
        """Give the place up; a folder that was made for a run that never came to be is removed."""
        if self._made:
            with contextlib.suppress(OSError):
                self.file.parent.rmdir()
        if self._lock >= 0:
            if self._ours and self.alone:
                self._beside.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1
