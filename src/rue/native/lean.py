"""numba without what it does again and again, for nothing that a kernel needs: the code stays the same, byte for byte.

Half of the time of a compilation is numba's own Python. Of that, a third went into what is left out or remembered here:

- typing an operation: dozens of templates are tried, at every place where it stands. The signature depends on the types
  and on what may be done with floats, so it is remembered
- lifetimes of variables, and where each ends, which only generators and what counts references need
- modules that are imported again whenever an implementation is not found at once
- sizes of types, for each of which a module is printed and parsed
- events that tell nobody
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

from numba.core import event, postproc, transforms
from numba.core.base import BaseContext
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

OF_PYTHON = ("_operator", "builtins")
"""Modules of functions whose signatures are remembered."""
_whole_call_type, _whole_size = BaseFunction.get_call_type, BaseContext.get_abi_sizeof


def _fastmath() -> Any:
    """What the function that is compiled now may do with floats."""
    flags = ConfigStack.top_or_none()
    return None if flags is None else frozenset(flags.fastmath.flags)


def _call_type(signatures: dict[Any, Any]) -> Any:
    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if getattr(self.typing_key, "__module__", None) not in OF_PYTHON:
            return _whole_call_type(self, context, args, kws)
        key = self, tuple(args), tuple(kws.items()), _fastmath()
        if key not in signatures:
            signatures[key] = _whole_call_type(self, context, args, kws)
        return signatures[key]

    return get_call_type


def _size(sizes: dict[Any, int]) -> Any:
    def get_abi_sizeof(self: Any, kind: Any) -> int:
        key = str(kind)
        if key not in sizes:
            sizes[key] = _whole_size(self, kind)
        return sizes[key]

    return get_abi_sizeof


def _without_lifetimes(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    function = self.func_ir
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)  # found out when somebody asks
    function.generator_info = None


def _registries(known: tuple[Any, ...]) -> Any:
    def load_additional_registries(self: Any) -> None:
        for registry in known:
            self.install_registry(registry)

    return load_additional_registries


def _nothing(*_: Any, **__: Any) -> None:
    """For what is left out."""


def _nobody(*_: Any, **__: Any) -> Any:
    return nullcontext()


@contextmanager
def lean() -> Iterator[None]:
    """Compile without all that."""
    context = cpu_target.target_context
    context.refresh()
    with ExitStack() as stack:
        for owner, name, instead in (
            (BaseFunction, "get_call_type", _call_type({})),
            (BaseContext, "get_abi_sizeof", _size({})),
            (postproc.PostProcessor, "run", _without_lifetimes),
            (type(context), "load_additional_registries", _registries(tuple(context._registries))),
            (event, "start_event", _nothing),
            (event, "end_event", _nothing),
            (event, "trigger_event", _nobody),
        ):
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, instead)
        yield
