"""What every part of an algorithm is: known by its name, so that saving and loading find it by themselves."""

from __future__ import annotations

from typing import ClassVar


class Choice:
    """A part of an algorithm. Its class is known from the moment it is defined; nothing else has to list it."""

    known: ClassVar[dict[str, type[Choice]]] = {}

    def __init_subclass__(cls) -> None:
        Choice.known[cls.__name__] = cls
