"""The commands by name, loaded on demand, and how one is run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import click

from zerosum import __version__
from zerosum.cli.exit_codes import INTERRUPTED, SignalHandler, handle_signals, repair_streams, report_error
from zerosum.cli.option_parser import DeclaredCommand, create_debug_flag, create_help_option
from zerosum.support.errors import ZerosumError, suggest_names

EXAMPLES = """
zerosum solve leduc --iterations 2000 --out run/
zerosum resume run/ --iterations +1000
zerosum show run/ --player 1
zerosum compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg
"""

COMMANDS = {
    "solve": "commands.solve",
    "compare": "commands.compare",
    "show": "commands.show",
    "resume": "commands.resume",
    "export": "commands.export",
    "convert": "commands.convert",
    "exploit": "commands.exploit",
    "diff": "commands.diff",
    "sweep": "commands.sweep",
    "report": "holdem.report",
    "explore": "commands.explore",
    "algorithms": "commands.catalogue",
    "games": "commands.catalogue",
    "holdem": "holdem.trees",
    "papers": "commands.figure",
    "figure": "commands.figure",
}
"""Every command, in the order of the help, and the module that has it and its examples."""


class Program(click.Group):
    """The commands by name; a command is loaded when it is run, all of them for the page of help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in COMMANDS:
            raise ZerosumError(f"there is no command {cmd_name!r}; {suggest_names(cmd_name, COMMANDS)}")
        module = import_module(f"zerosum.cli.{COMMANDS[cmd_name]}")
        return DeclaredCommand(cmd_name, getattr(module, cmd_name), getattr(module, f"{cmd_name.upper()}_EXAMPLES"))

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return create_help_option(self.print_help)

    def print_help(self, ctx: click.Context) -> None:
        """Print the page of help."""
        from zerosum.cli.help_page import COMMON_OPTIONS, Row, print_page

        descriptions = {name: self.get_command(ctx, name).help or "" for name in COMMANDS}
        commands = [Row(name, "", text.partition("\n")[0]) for name, text in descriptions.items()]
        options = [Row("--version", "", "Show the version and exit."), *COMMON_OPTIONS]
        print_page("zerosum COMMAND [OPTIONS]", self.help or "", {"Commands": commands, "Options": options}, EXAMPLES)


def build_program() -> Program:
    """Return the program with its own options."""

    def show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            print(f"zerosum {__version__}")
            context.exit()

    def help_without_command(context: click.Context) -> None:
        if context.invoked_subcommand is None:
            program.print_help(context)

    version = click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show_version)
    program = Program(
        "zerosum",
        params=[version, create_debug_flag()],
        callback=click.pass_context(help_without_command),
        invoke_without_command=True,
        help="Solve two-player zero-sum imperfect-information games by minimising regret.",
    )
    return program


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code; an error becomes one sentence, a traceback only with --debug."""
    try:
        program = build_program()
        with program.make_context("zerosum", list(arguments)) as context:
            program.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as leaving:
        sys.stdout.flush()
        return SignalHandler.report() if leaving.exit_code == INTERRUPTED else leaving.exit_code
    except Exception as error:
        if "--debug" in arguments and not isinstance(error, BrokenPipeError):
            raise
        return report_error(error)
    except (KeyboardInterrupt, SystemExit) as error:
        return report_error(error)


def main() -> None:
    """Run the command that was typed."""
    repair_streams()
    try:
        with handle_signals():
            code = run(sys.argv[1:])
    except KeyboardInterrupt:  # a second one, while the first is dealt with
        code = SignalHandler.exit_code()
    sys.exit(code)
