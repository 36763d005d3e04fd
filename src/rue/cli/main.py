"""The command `rue`: its parts, and how it is run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from rue import __version__
from rue.cli.ends import INTERRUPTED, Ending, end_of, open_streams, signals
from rue.cli.typed import Debug, readable

EXAMPLES = """
rue solve leduc --iterations 2000 --out run/
rue resume run/ --iterations +1000
rue show run/ --player 1
rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg
"""

COMMANDS = {
    "solve": "solve",
    "compare": "compare",
    "show": "show",
    "resume": "resume",
    "export": "export",
    "convert": "convert",
    "exploit": "exploit",
    "diff": "diff",
    "sweep": "sweep",
    "report": "report",
    "explore": "explore",
    "algorithms": "lists",
    "games": "lists",
    "holdem": "holdem",
    "papers": "papers",
    "figure": "papers",
}
"""Every command, in the order of the help, and the module that has it and its examples."""


def app(arguments: Sequence[str]) -> typer.Typer:
    """The command that is named, or all of them: what is not named need not be loaded."""
    made = typer.Typer(
        name="rue",
        rich_markup_mode="rich",
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(invoke_without_command=True, epilog=_below(EXAMPLES))(root)
    named = next((word for word in arguments if not word.startswith("-")), "")
    for name in [named] if named in COMMANDS else COMMANDS:
        module = import_module(f"rue.cli.{COMMANDS[name]}")
        examples = getattr(module, f"{name.upper()}_EXAMPLES")
        made.command(epilog=_below(examples))(readable(getattr(module, name)))
    return made


def _below(examples: str) -> str:
    """The examples, a line each, as they stand below a help."""
    return "\n\n".join(["[bold]Examples[/bold]", *examples.strip().splitlines()])


def _version(wanted: bool) -> None:
    if wanted:
        print(f"rue {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Show the version and stop.")
]


def root(context: typer.Context, version: Version = False, debug: Debug = False) -> None:
    """Solve two-player zero-sum imperfect-information games by minimising regret."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code; an error becomes one sentence, a traceback only with --debug."""
    try:
        code = app(arguments)(args=list(arguments), prog_name="rue", standalone_mode=False)
        sys.stdout.flush()
        return Ending.interrupted() if code == INTERRUPTED else code if isinstance(code, int) else 0
    except Exception as error:
        if "--debug" in arguments and not isinstance(error, BrokenPipeError | typer.Abort):
            raise
        return end_of(error)
    except (KeyboardInterrupt, SystemExit) as error:
        return end_of(error)


def main() -> None:
    """The entry point."""
    open_streams()
    try:
        with signals():
            code = run(sys.argv[1:])
    except KeyboardInterrupt:  # a second one, while the first is dealt with
        code = Ending.code()
    sys.exit(code)
