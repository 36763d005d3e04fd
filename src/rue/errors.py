"""The one kind of error a person causes: a sentence that says what was wrong and what would be right."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Left = TypeVar("Left")
NO_MEMORY = "there is not enough memory for this; choose a smaller game or smaller parameters"


LONGEST = 800
"""Characters of a sentence: it may repeat what was given, which may be anything."""


def shortened(text: str, most: int = LONGEST) -> str:
    """A text, or its beginning and its end.

    >>> shortened("short"), shortened("a" * 1000 + "b" * 1000, 20)
    ('short', 'aaaaaaaaaaaa ... bbb')
    """
    if len(text) <= most:
        return text
    end = most // 5
    return f"{text[: most - end - 4]} ... {text[1 - end + len(text) :]}"


class RueError(ValueError):
    """Input that means nothing: its text is one sentence, shown without a traceback.

    >>> import rue
    >>> rue.solve("leduk")
    Traceback (most recent call last):
    ...
    rue.errors.RueError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """

    def __init__(self, sentence: object = "") -> None:
        super().__init__(shortened(str(sentence)))


def nearest(wrong: str, valid: Iterable[str], count: int = 3) -> str:
    """The valid names closest to a wrong one, as the end of a sentence.

    >>> nearest("leduk", ["kuhn", "leduc", "royal"])
    'did you mean leduc?'
    >>> nearest("xyz", ["kuhn", "leduc"])
    'valid names are kuhn, leduc'
    """
    names = sorted(valid)
    close = difflib.get_close_matches(wrong, names, n=count, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"valid names are {', '.join(names)}"


def told(error: BaseException) -> str:
    """An error as a sentence.

    >>> told(ZeroDivisionError("division by zero"))
    'rue hit a bug: ZeroDivisionError: division by zero; run again with --debug and report what it shows'
    """
    if isinstance(error, RueError):
        return str(error)
    if out_of_memory(error):
        return NO_MEMORY
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"the system refused to read or write: {where}{error.strerror or error}"
    text = " ".join(str(error).split())
    shown = text if len(text) <= 300 else f"{text[:297]}..."
    return f"rue hit a bug: {type(error).__name__}: {shown}; run again with --debug and report what it shows"


def out_of_memory(error: BaseException) -> bool:
    """Whether an error means that memory is full: Python's and numpy's, and what loaders and threads make of it."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    text = str(error)
    if isinstance(error, ImportError | OSError):
        before = error.__cause__ or error.__context__
        full = "Cannot allocate memory" in text or "failed to map segment" in text
        return full or (before is not None and out_of_memory(before))
    return isinstance(error, RuntimeError) and "can't start new thread" in text


def tells_lack_of_memory(work: Callable[Given, Left]) -> Callable[Given, Left]:
    """What ends in a sentence where memory is full.

    It is raised when the error is gone, and with its traceback whatever filled the memory: Python tries for ever to
    leave a `with` if no byte is free.

    >>> tells_lack_of_memory(lambda: bytes(1 << 60))()
    Traceback (most recent call last):
    ...
    rue.errors.RueError: there is not enough memory for this; choose a smaller game or smaller parameters
    """

    @wraps(work)
    def told_work(*given: Given.args, **named: Given.kwargs) -> Left:
        try:
            return work(*given, **named)
        except Exception as error:
            if not out_of_memory(error):
                raise
        raise RueError(NO_MEMORY)

    return told_work
