"""A stop flag that threads and processes share."""

from __future__ import annotations

import os
import tempfile
import uuid
from pathlib import Path
from typing import Protocol


class SupportsIsSet(Protocol):
    """A flag that work checks now and then, such as a `StopFlag` or a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to stop."""


class StopFlag:
    """A flag that other threads and other processes of this machine see: a file that exists while it is set.

    >>> flag = StopFlag()
    >>> flag.is_set(), flag.set(), flag.is_set(), flag.clear(), flag.is_set()
    (False, None, True, None, False)
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.gettempdir()) / f"zerosum-stop-{uuid.uuid4().hex}"

    def set(self) -> None:
        """Tell all work that sees the flag to stop."""
        self.path.touch()

    def is_set(self) -> bool:
        """Return whether to stop."""
        return os.path.exists(self.path)

    def clear(self) -> None:
        """Remove the flag."""
        self.path.unlink(missing_ok=True)
