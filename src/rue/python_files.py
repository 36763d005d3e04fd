"""A user's own Python file: `path/to/file.py:Name` names something in it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from rue.disk import LONGEST, read_at_most
from rue.errors import RueError

_FILE = re.compile(r"^\s*(.+\.py):\s*([^:/\\]*?)\s*$")


def names_file(text: str) -> bool:
    """Whether a text names something in a file.

    >>> names_file("games/pennies.py:Pennies"), names_file("openspiel:leduc_poker")
    (True, False)
    """
    return _FILE.match(text) is not None


def split(text: str, kind: str, example: str) -> tuple[Path, str]:
    """The file and the name of a text that names a thing of a kind, as `example` does."""
    match = _FILE.match(text)
    if match is None:
        raise RueError(f"cannot read {text!r}: write a file and {kind}, like {example}")
    return home_path(match[1]), match[2]


def home_path(text: str | Path) -> Path:
    """A path as it was typed, with ~ for the user's folder.

    >>> home_path("games/pennies.py").name
    'pennies.py'
    """
    try:
        if b"\0" in os.fsencode(text):
            raise ValueError
        return Path(text).expanduser()
    except ValueError:
        raise RueError(f"{str(text)!r} is not the name of a file") from None
    except RuntimeError:
        raise RueError(f"cannot find the folder of {str(text)!r}: there is no such user") from None


class _Fresh(SourceFileLoader):
    """Compiles the text as it is now: byte code on the disk is told from it by the second it was changed in."""

    text = b""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.text, self.path)
        return code


def load_module(path: Path) -> ModuleType:
    """Run a file and return what it defines, or say in a sentence why that does not work."""
    try:
        there = path.is_file()
    except OSError as error:  # such as a name that is too long
        raise RueError(f"cannot read {path}: {error.strerror}") from None
    if not there:
        raise RueError(f"there is no file {path}")
    name = f"rue_file_{path.stem}"
    loader = _Fresh(name, str(path))
    loader.text = read_at_most(path, LONGEST)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None or spec.loader is None:
        raise RueError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise RueError(f"{path} has a syntax error in line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise RueError(f"{path} fails when run: {type(error).__name__}: {error}") from None
    return module


def fingerprint_of_named(text: str) -> str | None:
    """A hash of the file that a text names; None for what is no file of Python."""
    if not names_file(text):
        return None
    path, _ = split(text, "a class", "path/to/game.py:MyGame")
    return hashlib.blake2b(read_at_most(path, LONGEST), digest_size=16).hexdigest()
