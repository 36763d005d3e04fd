"""What a command leaves behind."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """The exit code and both outputs."""

    code: int
    out: str
    err: str
