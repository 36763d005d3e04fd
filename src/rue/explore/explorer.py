"""What every handler gets: the explorer it works on, and the request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from rue.explore.easel import Easel
from rue.explore.folder import Folder
from rue.explore.press import Press
from rue.explore.trainings import Trainings
from rue.explore.workshop import Workshop
from rue.records import dataclass


@dataclass(frozen=True)
class Request:
    """A request: what was in the address, and the JSON or the query that came with it."""

    parts: Mapping[str, str]
    data: Any

    @property
    def query(self) -> dict[str, Any]:
        """The query as data: 1 and 0 are flags."""
        return {key: {"1": True, "0": False}.get(value, value) for key, value in self.data.items()}


@dataclass(frozen=True)
class Explorer:
    """What the handlers work on: the runs, the folder, and what was named on the command line."""

    workshop: Workshop
    start: Mapping[str, Any]
    data: str | None = None
    """The folder of the Libratus endgames."""
    press: Press = field(init=False)
    """Where reports are made."""
    trainings: Trainings = field(init=False)
    easel: Easel = field(init=False)
    """Where figures of the papers are drawn."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "easel", Easel(self.folder, self.data))
        object.__setattr__(self, "press", Press(self.folder))
        object.__setattr__(self, "trainings", Trainings(self.folder))

    def close(self) -> None:
        """End all runs and figures; what they have reached is on the disk when this returns."""
        self.easel.stop()
        self.press.stop()
        self.workshop.close()
        self.easel.close()
        self.press.close()

    @property
    def folder(self) -> Folder:
        """Where runs, spots and ranges lie."""
        return self.workshop.folder


Handler = Callable[[Explorer, Request], Any]
"""Takes a request as data and returns data, or raises a sentence. It is called from any thread."""
Handlers = dict[tuple[str, str], Handler]
"""Handlers by verb and address."""
