"""Build the click command of a function whose options are declared, and read what was typed.

click splits the words; `support.options` reads and checks the values.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_type_hints

import click

from zerosum.problems.kinds import list_problem_kinds
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import FLAG, TEXTS, Argument, Declaration, Source, options_come_from, read_declarations


class ProblemArgument(Argument):
    """An argument that names a problem: its command also takes the options of every kind of problem, as `parts`."""


class DeclaredCommand(click.Command):
    """A command whose parameters are declared."""

    def __init__(self, name: str, function: Callable[[Any], None], examples: str) -> None:
        self.function, self.examples = function, examples
        (group,) = (hint for parameter, hint in get_type_hints(function).items() if parameter != "return")
        self.declared = {key: item for key, item in read_declarations(group).items() if item.option.flags is not None}
        self.declared_parts: dict[str, Declaration] = {}
        super().__init__(
            name,
            params=[*map(_build_parameter, self.declared.values()), create_debug_flag()],
            help=inspect.cleandoc(function.__doc__ or ""),
        )

    def load_problem_options(self) -> bool:
        """Add the options of every kind of problem; return whether there are any to add.

        They are loaded when an unknown option is typed, and for a page of help: `solve leduc` loads nothing of hold'em.
        """
        names_problem = any(isinstance(item.option, ProblemArgument) for item in self.declared.values())
        if self.declared_parts or not names_problem:
            return False
        for kind in list_problem_kinds():
            for key, item in read_declarations(kind.load_option_group()).items():
                if item.option.flags is not None:
                    self.declared_parts[key] = replace(item, option=replace(item.option, panel=kind.noun.capitalize()))
        self.params[-1:-1] = map(_build_parameter, self.declared_parts.values())
        return True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the words; an option that is unknown at first may belong to a kind of problem."""
        try:
            return super().parse_args(ctx, list(args))
        except click.NoSuchOption as error:
            if self.load_problem_options():
                return self.parse_args(ctx, args)
            flags = [flag for parameter in self.params for flag in parameter.opts if flag.startswith("--")]
            raise ZerosumError(
                f"there is no option {error.option_name}; {suggest_names(error.option_name, flags)}"
            ) from None

    def invoke(self, ctx: click.Context) -> None:
        """Read and check the values, then call the function."""
        flags = {key: item.flags[0] for key, item in (self.declared | self.declared_parts).items()}
        with options_come_from(Source.COMMAND_LINE, flags):
            _check_required(self.declared, ctx.params)
            values = {key: _convert_typed_value(item, ctx.params.get(key)) for key, item in self.declared.items()}
            parts = {key: _convert_typed_value(item, ctx.params.get(key)) for key, item in self.declared_parts.items()}
            if self.declared_parts:
                values["parts"] = {key: value for key, value in parts.items() if value is not None}
            self.function(values)

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return create_help_option(self.print_help)

    def print_help(self, ctx: click.Context) -> None:
        """Print the page of help."""
        from zerosum.cli.help_page import print_command_help

        self.load_problem_options()
        declared = [*self.declared_parts.values(), *self.declared.values()]
        print_command_help(ctx.command_path, self.help or "", declared, self.examples)


def create_help_option(print_help: Callable[[click.Context], None]) -> click.Option:
    """Return an option that prints a page of help and ends the command."""

    def print_and_exit(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            print_help(context)
            context.exit()

    return click.Option(["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=print_and_exit)


def create_debug_flag() -> click.Option:
    """Return the option that shows tracebacks; `main` searches the arguments for it."""
    return click.Option(["--debug"], is_flag=True, expose_value=False)


def _build_parameter(declaration: Declaration) -> click.Parameter:
    option, many = declaration.option, declaration.many
    if isinstance(option, Argument):
        return click.Argument(
            [declaration.name], metavar=option.metavar, nargs=-1 if many else 1, required=option.required
        )
    names = [declaration.name, *declaration.flags]
    if declaration.kind is FLAG:
        return click.Option(names, is_flag=True, default=None, flag_value=option.default is not True, type=click.BOOL)
    return click.Option(names, multiple=many, type=click.STRING)


def _check_required(declared: dict[str, Declaration], typed: dict[str, Any]) -> None:
    """Refuse a command without one of its required options; of a problem's options, its file may hold the required."""
    for key, item in declared.items():
        if item.option.required and typed.get(key) in (None, ()):
            names = " or ".join(item.flags) or key
            raise ZerosumError(f"{names} is missing: add {item.flags[0]} {item.option.metavar}")


def _convert_typed_value(declaration: Declaration, typed: Any) -> Any:
    """Return the value of what was typed, or the default."""
    if declaration.kind is FLAG:
        left_out = False if declaration.option.default is None else None
        return left_out if typed is None else typed
    if typed is None or typed == ():
        return declaration.option.default
    if declaration.many:
        return list(typed) if declaration.kind is TEXTS else [declaration.parse(text) for text in typed]
    return declaration.check(declaration.parse(typed))
