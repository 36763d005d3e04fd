"""The one kind of error a person causes: a sentence that says what was wrong and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RueError(ValueError):
    """Input that means nothing: its text is one sentence, shown without a traceback.

    >>> import rue
    >>> rue.solve("leduk")
    Traceback (most recent call last):
    ...
    rue.errors.RueError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """


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
