"""The error that users see, and helpers for error messages."""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Value = TypeVar("Value")
NO_MEMORY = "there is not enough memory for this; choose a smaller game or smaller parameters"
MAX_MESSAGE_LENGTH = 800
"""Characters of an error message, which may repeat arbitrary input."""


def shorten(text: str, limit: int = MAX_MESSAGE_LENGTH) -> str:
    """Return a text, or its beginning and its end if it is longer than `limit` characters.

    >>> shorten("short"), shorten("a" * 1000 + "b" * 1000, 20)
    ('short', 'aaaaaaaaaaaa ... bbb')
    """
    if len(text) <= limit:
        return text
    end = limit // 5
    return f"{text[: limit - end - 4]} ... {text[1 - end + len(text) :]}"


class ZerosumError(ValueError):
    """An error in the input or the environment; its message is one sentence, shown without a traceback.

    >>> import zerosum
    >>> zerosum.solve("leduk")
    Traceback (most recent call last):
    zerosum.ZerosumError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """

    __module__ = "zerosum"

    def __init__(self, message: object = "") -> None:
        super().__init__(shorten(str(message)))


def suggest_names(wrong: str, valid: Iterable[str], count: int = 3) -> str:
    """Return the valid names closest to a wrong one, as the end of an error message.

    >>> suggest_names("leduk", ["kuhn", "leduc", "royal"])
    'did you mean leduc?'
    >>> suggest_names("xyz", ["kuhn", "leduc"])
    'valid names are kuhn, leduc'
    """
    names = sorted(valid)
    close = difflib.get_close_matches(wrong, names, n=count, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"valid names are {', '.join(names)}"


def missing_extra_error(feature: str, extra: str) -> ZerosumError:
    """Return the error for a feature whose optional packages are not installed.

    It names the packages and not `zerosum[extra]`, so the command also works where zerosum comes from no index.

    >>> print(missing_extra_error("a frame", "pandas"))
    a frame needs pandas: pip install "pandas>=2"
    """
    from importlib.metadata import PackageNotFoundError, requires

    try:
        required = requires("zerosum") or []
    except PackageNotFoundError:  # run from its source folder without being installed
        return ZerosumError(f"{feature} needs more packages: pip install '.[{extra}]' in the source folder of zerosum")
    marker = re.compile(rf"""(.+?)\s*;\s*extra == ['"]{re.escape(extra)}['"]""")
    packages = [match[1] for match in map(marker.fullmatch, required) if match is not None]
    names = " and ".join(re.split(r"[^\w.-]", package)[0] for package in packages)
    quoted = " ".join(f'"{package}"' for package in packages)
    return ZerosumError(f"{feature} needs {names}: pip install {quoted}")


def format_error(error: BaseException) -> str:
    """Return any error as one sentence.

    >>> format_error(ZeroDivisionError("division by zero"))
    'zerosum hit a bug: ZeroDivisionError: division by zero; run again with --debug and report what it shows'
    """
    if isinstance(error, ZerosumError):
        return str(error)
    if is_out_of_memory(error):
        return NO_MEMORY
    if isinstance(error, OSError):
        file = f"{error.filename}: " if error.filename else ""
        return f"the system refused to read or write: {file}{error.strerror or error}"
    text = shorten(" ".join(str(error).split()), 300)
    return f"zerosum hit a bug: {type(error).__name__}: {text}; run again with --debug and report what it shows"


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that memory is full, also one of a loader or a thread that could not start."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    text = str(error)
    if isinstance(error, ImportError | OSError):
        cause = error.__cause__ or error.__context__
        full = "Cannot allocate memory" in text or "failed to map segment" in text
        return full or (cause is not None and is_out_of_memory(cause))
    return isinstance(error, RuntimeError) and "can't start new thread" in text


def report_out_of_memory(function: Callable[Params, Value]) -> Callable[Params, Value]:
    """Decorate a function to raise a ZerosumError when memory is full.

    It is raised after the original error is gone, and with its traceback whatever filled the memory: Python tries for
    ever to leave a `with` block if no byte is free.

    >>> report_out_of_memory(lambda: bytes(1 << 60))()
    Traceback (most recent call last):
    zerosum.ZerosumError: there is not enough memory for this; choose a smaller game or smaller parameters
    """

    @wraps(function)
    def wrapper(*args: Params.args, **kwargs: Params.kwargs) -> Value:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
        raise ZerosumError(NO_MEMORY)

    return wrapper
