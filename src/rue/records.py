"""Dataclasses whose methods are written when one is first called.

`dataclasses` writes six methods of a frozen class as text and compiles them when the class is made: half a millisecond
or more. A command loads a hundred such classes and makes objects of less than half of them. Here a class has its fields
at once, and of its methods those that are used. All else is as `dataclasses` has it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        kind: type | None = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True, **more: Any
    ) -> Any:
        """As in `dataclasses`, to which is left what is not frozen."""
        if kind is None:
            return lambda kind: dataclass(kind, frozen=frozen, eq=eq, repr=repr, **more)
        if not frozen:
            return dataclasses.dataclass(kind, eq=eq, repr=repr, **more)
        own = {name for name, value in vars(kind).items() if name != "__hash__" or value is not None}
        _give_fields(kind, more)
        for name, wanted in {"__init__": True, "__repr__": repr, "__eq__": eq, "__hash__": eq}.items():
            if wanted and name not in own:
                setattr(kind, name, _later(kind, name))
        kind.__setattr__, kind.__delattr__ = _refusing(kind)
        kind.__signature__ = _Signature()
        return kind


@dataclasses.dataclass(frozen=True)
class _Frozen:
    """For what `dataclasses` notes of frozen classes."""


def _give_fields(kind: Any, more: dict[str, Any]) -> None:
    """Let a class have its fields, those of the classes that it is made from before its own.

    `dataclasses` finds its own ones in a class without anything else, which it need not freeze.
    """
    annotations = vars(kind).get("__annotations__", {})
    parts = {"__annotations__": annotations, "__module__": kind.__module__, "__doc__": ""}
    given = {name: getattr(kind, name) for name in annotations if hasattr(kind, name)}
    twin: Any = dataclasses.dataclass(type("", (), parts | given), init=False, repr=False, eq=False, **more)
    found: dict[str, Any] = {}
    for base in kind.__mro__[:0:-1]:
        found |= vars(base).get("__dataclass_fields__", {})
    kind.__dataclass_fields__ = found | twin.__dataclass_fields__
    kind.__dataclass_params__ = _Frozen.__dataclass_params__  # type: ignore[attr-defined]
    by_place = tuple(each.name for each in dataclasses.fields(kind) if each.init and not each.kw_only)
    type.__setattr__(kind, "__match_args__", by_place)
    for name, value in given.items():
        if isinstance(value, dataclasses.Field):
            if name in vars(twin):
                setattr(kind, name, vars(twin)[name])
            else:
                delattr(kind, name)


def _later(kind: type, name: str) -> Callable[..., Any]:
    """A method that is written, and takes its own place, when it is first called."""

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return _written(kind, name)(self, *arguments, **named)

    method.kind = kind  # type: ignore[attr-defined]
    return method


def _written(kind: type, name: str) -> Any:
    """A method of a class, which has it from now on; threads that write it at once write the same."""
    method = METHODS[name](kind)
    method.__name__, method.__qualname__, method.__module__ = name, f"{kind.__qualname__}.{name}", kind.__module__
    setattr(kind, name, method)
    return method


def _fields(kind: type, *of: str) -> list[Any]:
    """The fields of a class that have a part in what is asked for."""
    return [each for each in dataclasses.fields(kind) if all(getattr(each, name) for name in of)]


def _function(parameters: Iterable[str], lines: Iterable[str], **known: Any) -> Any:
    """A function from its text, of `self` and more."""
    text = f"def method({', '.join(['self', *parameters])}):\n " + "\n ".join(lines)
    exec(text, known)
    return known["method"]


class _Unset:
    """Stands for what is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


UNSET = _Unset()


def _init(kind: type) -> Any:
    """Fills the fields, then calls `__post_init__` if there is one."""
    known: dict[str, Any] = {"_put": object.__setattr__, "_unset": UNSET}
    by_place: list[str] = []
    by_name: list[str] = []
    lines, annotations = [], {}
    for each in _fields(kind):
        name, value, default = each.name, each.name, each.default
        if each.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"], default = each.default_factory, UNSET
            value = f"_make_{name}() if {name} is _unset else {name}" if each.init else f"_make_{name}()"
        elif not each.init:
            continue
        if each.init:
            given = name if default is dataclasses.MISSING else f"{name}=_default_{name}"
            known[f"_default_{name}"] = default
            (by_name if each.kw_only else by_place).append(given)
            annotations[name] = each.type
        lines.append(f"_put(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    method = _function([*by_place, *(["*", *by_name] if by_name else [])], lines or ["pass"], **known)
    method.__annotations__ = {**annotations, "return": None}
    return method


def _repr(kind: type) -> Any:
    shown = ", ".join(f"{each.name}={{self.{each.name}!r}}" for each in _fields(kind, "repr"))
    return recursive_repr()(_function([], [f"return self.__class__.__qualname__ + f'({shown})'"]))


def _compared(whose: str, fields: list[Any]) -> str:
    return f"({''.join(f'{whose}.{each.name}, ' for each in fields)})"


def _eq(kind: type) -> Any:
    fields = _fields(kind, "compare")
    lines = [f"return {_compared('self', fields)} == {_compared('other', fields)}"]
    return _function(["other"], ["if other.__class__ is not self.__class__:", "  return NotImplemented", *lines])


def _hash(kind: type) -> Any:
    fields = [each for each in _fields(kind) if (each.compare if each.hash is None else each.hash)]
    return _function([], [f"return hash({_compared('self', fields)})"])


METHODS: dict[str, Callable[[type], Any]] = {"__init__": _init, "__repr__": _repr, "__eq__": _eq, "__hash__": _hash}
"""How each method is written."""


def _refusing(kind: Any) -> tuple[Any, Any]:
    """How a frozen class sets and deletes attributes: not at all."""
    names = frozenset(each.name for each in dataclasses.fields(kind))

    def refuse_to_set(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def refuse_to_delete(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return refuse_to_set, refuse_to_delete


class _Signature:
    """Asked for by `inspect`, which then finds the signature of `__init__`, once that is written."""

    def __get__(self, made: Any, kind: Any) -> Any:
        of = getattr(kind.__init__, "kind", None)
        if of is not None:
            _written(of, "__init__")
        raise AttributeError("__signature__")
