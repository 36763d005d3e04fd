"""`rue.records` against `dataclasses`: the same classes, made by both, behave alike."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import rue.records as records


def classes(dataclass: Any) -> SimpleNamespace:
    """Some classes."""

    @dataclass(frozen=True)
    class Plain:
        """Two fields, one with a default."""

        made: int
        put: float = 0.5

    @dataclass(frozen=True)
    class Derived(Plain):
        """One more, which is made anew each time, and one that is not given."""

        count: ClassVar[int] = 3
        kept: list[int] = dataclasses.field(default_factory=list, repr=False, compare=False)
        length: int = dataclasses.field(init=False, default=7)

        def __post_init__(self) -> None:
            object.__setattr__(self, "length", len(self.kept))

    @dataclass(frozen=True, kw_only=True)
    class Named:
        """By name alone, with a text of its own."""

        a: int
        b: tuple[int, ...] = ()

        def __repr__(self) -> str:
            return "named"

    @dataclass(frozen=True, eq=False)
    class Same:
        """Equal to nothing but itself."""

        a: int

    @dataclass(frozen=True)
    class OwnEquality:
        """Equal by a rule of its own."""

        a: int

        def __eq__(self, other: object) -> bool:
            return True

    class Further(Plain):
        """Not a dataclass itself."""

    @dataclass(frozen=True)
    class Empty:
        """Nothing."""

    return SimpleNamespace(**locals())


def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call returns, or its error."""
    try:
        return call(*arguments)
    except Exception as error:
        return type(error), str(error)


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "text": lambda k: [
        repr(each) for each in (k.Plain(1), k.Derived(1, 2, [3]), k.Named(a=1), k.Empty(), k.Further(2))
    ],
    "recursive text": lambda k: (lambda loop: (loop.append(k.Plain(loop)), repr(loop[0]))[1])([]),
    "equal": lambda k: [k.Plain(1) == k.Plain(1.0), k.Plain(1) == k.Plain(2), k.Plain(1) == k.Further(1)],
    "equal to others": lambda k: [
        k.Derived(1, 2, [3]) == k.Derived(1, 2, [4]),
        k.Plain(1) == 1,
        k.Empty() == k.Empty(),
    ],
    "equal as they say": lambda k: [k.Same(1) == k.Same(1), k.OwnEquality(1) == k.OwnEquality(2)],
    "hash": lambda k: [hash(k.Plain(1)), hash(k.Derived(1, 2, [3])), hash(k.OwnEquality(4)), hash(k.Empty())],
    "no hash": lambda k: outcome(lambda: hash(k.Plain([]))),
    "fields": lambda k: [[(f.name, f.type, f.kw_only) for f in dataclasses.fields(c)] for c in (k.Derived, k.Named)],
    "as data": lambda k: [dataclasses.asdict(k.Derived(1, 2, [3])), dataclasses.replace(k.Derived(1), made=5).made],
    "signatures": lambda k: [str(inspect.signature(c)) for c in (k.Plain, k.Derived, k.Named, k.Further, k.Empty)],
    "signature again": lambda k: (k.Plain(1), str(inspect.signature(k.Plain)))[1],
    "set": lambda k: [outcome(setattr, k.Plain(1), name, 1) for name in ("made", "other")],
    "set of derived": lambda k: [outcome(setattr, k.Further(1), name, 1) for name in ("made", "other")],
    "delete": lambda k: [outcome(delattr, k.Plain(1), name) for name in ("made", "other")],
    "too few": lambda k: outcome(k.Plain),
    "too many": lambda k: outcome(lambda: k.Plain(1, 2, 3)),
    "by place": lambda k: outcome(lambda: k.Named(1)),
    "unknown": lambda k: outcome(lambda: k.Plain(1, other=2)),
    "made anew": lambda k: k.Derived(1).kept is k.Derived(1).kept,
    "not given": lambda k: [k.Derived(1, 2, [3]).length, k.Derived.length],
    "annotations": lambda k: k.Named.__init__.__annotations__ if k.Named(a=1) else None,
    "words": lambda k: [
        k.Plain.__doc__,
        k.Plain.__match_args__,
        k.Named.__match_args__,
        k.Plain(1).__init__.__qualname__,
    ],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_as_dataclasses_has_it(question: str) -> None:
    ours, theirs = (classes(each) for each in (records.dataclass, dataclasses.dataclass))
    assert QUESTIONS[question](ours) == QUESTIONS[question](theirs)


def test_pickled_before_any_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = []
    for _ in range(2):
        known = classes(records.dataclass)
        known.Plain.__qualname__ = "Plain"
        monkeypatch.setattr(sys.modules[__name__], "Plain", known.Plain, raising=False)
        stored.append(pickle.dumps(known.Plain(1)) if not stored else pickle.loads(stored[0]))
    assert "Plain(made=1, put=0.5)" in repr(stored[1])
    assert copy.copy(stored[1]) == stored[1]
    assert hash(stored[1]) == hash((1, 0.5))


def test_written_when_called() -> None:
    plain = classes(records.dataclass).Plain
    before = dict(vars(plain))
    plain(1)
    changed_ones = {name for name, value in vars(plain).items() if before[name] is not value}
    assert changed_ones == {"__init__"}


def test_made_by_many_threads_at_once() -> None:
    plain = classes(records.dataclass).Plain
    found: list[Any] = []
    ready = threading.Barrier(8)

    def make() -> None:
        ready.wait()
        found.append(plain(1) == plain(1))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


@pytest.mark.parametrize("first", [records.dataclass, dataclasses.dataclass])
@pytest.mark.parametrize("second", [records.dataclass, dataclasses.dataclass])
def test_derived_from_each_other(first: Any, second: Any) -> None:
    @second(frozen=True)
    class Both(classes(first).Plain):  # type: ignore[misc]
        """One more."""

        more: int = 2

    assert repr(Both(1)).endswith("Both(made=1, put=0.5, more=2)")
    assert (Both(1) == Both(1, 0.5, 2), Both(1) == Both(1, 0.5, 3)) == (True, False)
    for name in ("made", "more", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(Both(1), name, 3)
