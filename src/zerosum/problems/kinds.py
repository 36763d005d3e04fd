"""The kinds of problems beside general games, and which of them a name, an object or a saved run belongs to.

A kind is entered as data in `zerosum.PROBLEM_KINDS`: its names, its options, its formats, and the module that has its
code. The module is loaded when something of that kind turns up, so that solving a game loads nothing of other kinds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from zerosum import PROBLEM_KINDS
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name

if TYPE_CHECKING:
    from zerosum.problems.problem import Problem
    from zerosum.results.diff import Diff, DiffSettings
    from zerosum.results.strategy import StrategySource

GAME = "game"
"""The kind of every problem that belongs to no other kind: a game with its rules."""


class OfKind(Protocol):
    """An object that states the kind of problem it belongs to: a problem, a result, a strategy, a spot."""

    @property
    def problem_kind(self) -> str:
        """The name of the kind."""


class KindModule(Protocol):
    """The code of a kind."""

    def make_problem(self, value: Any, options: Mapping[str, Any]) -> Problem:
        """Return the problem of a name of this kind, or of an object."""

    def get_problem_class(self) -> type[Problem]:
        """Return the class of its problems, which reads saved runs."""

    def read_strategy(self, text: str, path: str | Path) -> StrategySource:
        """Read a strategy in a text format of this kind."""

    def compare_strategies(
        self,
        problem: Any,
        first: StrategySource,
        second: StrategySource,
        settings: DiffSettings,
        notify: Callable[[str, int], None] | None,
    ) -> Diff:
        """Compare two strategies of such a problem."""

    def explain_name(self, name: str) -> str | None:
        """Return an alternative if an unknown name is close to something of this kind, or None."""

    def find_exporter(self, name: str) -> Callable[..., Any]:
        """Return the function that writes one of its export formats."""


@dataclass(frozen=True)
class ProblemKind:
    """A kind of problem, as described before its code is loaded; see `zerosum.PROBLEM_KINDS`."""

    name: str
    noun: str
    """The noun for such a problem in messages."""
    module: str
    """Where its code is."""
    names: str
    """A pattern of the names that stand for such problems."""
    options: tuple[str, ...]
    """The options that only its problems and results take, beside `parts`: what describes a problem without a name."""
    option_group: str
    """Where the options of a problem without a name are declared: a module and a class."""
    run_formats: tuple[str, ...]
    """The formats of its saved runs."""
    export_formats: tuple[str, ...]
    """Formats in which only its strategies can be written."""
    infoset_columns: tuple[str, ...]
    """The columns of a table that stand for the infoset of a decision, if there is none of that name."""
    text_start: str
    """A pattern of how a text begins that holds one of its strategies."""

    def load(self) -> KindModule:
        """Load its code."""
        return cast(KindModule, import_module(self.module))

    def load_option_group(self) -> type:
        """Load the declarations of what describes a problem without a name."""
        module, _, name = self.option_group.partition(":")
        return cast(type, getattr(import_module(module), name))


@cache
def list_problem_kinds() -> tuple[ProblemKind, ...]:
    """Return every kind beside general games, loaded or not."""
    return tuple(ProblemKind(name, **entry) for name, entry in PROBLEM_KINDS.items())


def find_kind_by_name(name: str) -> ProblemKind | None:
    """Return the kind whose names a text matches; None for a game.

    >>> find_kind_by_name("my.toml").noun, find_kind_by_name("leduc")
    ("hold'em spot", None)
    """
    text = name.strip().lower()
    return next((kind for kind in list_problem_kinds() if re.fullmatch(kind.names, text, re.DOTALL)), None)


def find_kind_of_object(value: object) -> ProblemKind | None:
    """Return the kind that an object says it belongs to; None for a game."""
    name = getattr(type(value), "problem_kind", GAME)
    return next((kind for kind in list_problem_kinds() if kind.name == name), None)


def find_kind_by_text(text: str) -> ProblemKind | None:
    """Return the kind in whose text format a strategy is written."""
    return next((kind for kind in list_problem_kinds() if re.match(kind.text_start, text)), None)


def describe_kind(value: OfKind) -> str:
    """Return what a problem of the kind of an object is called: a game, or a hold'em spot."""
    kind = find_kind_of_object(value)
    return GAME if kind is None else kind.noun


def raise_if_kind_explains_name(name: str) -> None:
    """Raise an error if a name that no game has asks for something close to another kind of problem."""
    for kind in list_problem_kinds():
        explanation = kind.load().explain_name(name)
        if explanation is not None:
            raise ZerosumError(explanation)


def reject_foreign_options(options: Mapping[str, Any], problem_name: str) -> None:
    """Raise an error if a game has options of other kinds."""
    for kind in list_problem_kinds():
        parts = options.get("parts") or {}
        for name, value in {**{name: options.get(name) for name in kind.options}, **parts}.items():
            if value is not None and value is not False:
                option = option_name(name)
                raise ZerosumError(
                    f"{option} is an option of {kind.noun}s and cannot be used with {problem_name}: leave it out"
                )
