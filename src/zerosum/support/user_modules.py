"""Load a user's Python file; `path/to/file.py:Name` names an object in it."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from types import ModuleType

from zerosum.support.errors import ZerosumError
from zerosum.support.files import MAX_TEXT_BYTES, read_at_most

_FILE = re.compile(r"^\s*(.+\.py):\s*([^:/\\]*?)\s*$")


def names_python_object(text: str) -> bool:
    """Return whether a text names an object in a Python file.

    >>> names_python_object("games/pennies.py:Pennies"), names_python_object("openspiel:leduc_poker")
    (True, False)
    """
    return _FILE.match(text) is not None


def split_file_and_name(text: str, kind: str, example: str) -> tuple[Path, str]:
    """Split a text into a file and the name of an object in it; messages show `kind` and `example`."""
    match = _FILE.match(text)
    if match is None:
        raise ZerosumError(f"cannot read {text!r}: write a file and {kind}, like {example}")
    return expand_home(match[1]), match[2]


def expand_home(text: str | Path) -> Path:
    """Return a path as it was typed, with ~ replaced by the user's folder.

    >>> expand_home("games/pennies.py").name
    'pennies.py'
    """
    try:
        if b"\0" in os.fsencode(text):
            raise ValueError
        return Path(text).expanduser()
    except ValueError:
        raise ZerosumError(f"{str(text)!r} is not the name of a file") from None
    except RuntimeError:
        raise ZerosumError(f"cannot find the folder of {str(text)!r}: there is no such user") from None


def load_module(path: Path) -> ModuleType:
    """Run a Python file and return the module; any error in it becomes a ZerosumError.

    Its text is always compiled: cached byte code is dated by the second, so it may be older.
    """
    try:
        exists = path.is_file()
    except OSError as error:  # such as a name that is too long
        raise ZerosumError(f"cannot read {path}: {error.strerror}") from None
    if not exists:
        raise ZerosumError(f"there is no file {path}")
    text = read_at_most(path, MAX_TEXT_BYTES)
    module = ModuleType(f"zerosum_file_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))
    except SyntaxError as error:
        raise ZerosumError(f"{path} has a syntax error in line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise ZerosumError(f"{path} fails when run: {type(error).__name__}: {error}") from None
    return module


def fingerprint_named_file(text: str) -> str | None:
    """Return a hash of the Python file that a text names; None if it names no such file."""
    if not names_python_object(text):
        return None
    path, _ = split_file_and_name(text, "a class", "path/to/game.py:MyGame")
    return hashlib.blake2b(read_at_most(path, MAX_TEXT_BYTES), digest_size=16).hexdigest()
