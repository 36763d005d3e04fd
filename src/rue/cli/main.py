"""The command `rue`: its parts, and what becomes of errors."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from rue.cli import compare, export, lists, options, resume, show, solve
from rue.cli.console import sentence
from rue.cli.stopped import INTERRUPTED
from rue.errors import RueError

BAD_INPUT = 2
FAILURE = 1
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What typer raises for a command line that it cannot read."""

EPILOG = """[bold]Examples[/bold]

rue solve leduc --iterations 2000 --out run/

rue resume run/ --iterations +1000

rue show run/ --player 1

rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg"""

app = typer.Typer(
    name="rue",
    rich_markup_mode="rich",
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog=solve.EPILOG)(options.ungrouped(solve.solve))
app.command(epilog=compare.EPILOG)(options.ungrouped(compare.compare))
app.command(epilog=show.EPILOG)(show.show)
app.command(epilog=resume.EPILOG)(resume.resume)
app.command(epilog=export.EPILOG)(export.export)
app.command(epilog=lists.ALGORITHMS_EPILOG)(lists.algorithms)
app.command(epilog=lists.GAMES_EPILOG)(lists.games)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"rue {version('rue')}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Show the version and stop.")
]


@app.callback(invoke_without_command=True, epilog=EPILOG)
def root(context: typer.Context, version: Version = False, debug: options.Debug = False) -> None:
    """Solve two-player zero-sum imperfect-information games by minimising regret."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code; bad input becomes one sentence, a traceback only with --debug."""
    try:
        code = app(args=list(arguments), prog_name="rue", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            sentence("interrupted")
        return code if isinstance(code, int) else 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else FAILURE
    except (KeyboardInterrupt, typer.Abort):
        sentence("interrupted")
        return INTERRUPTED
    except (Exception, MemoryError) as error:
        if "--debug" in arguments:
            raise
        sentence(_told(error))
        return BAD_INPUT if isinstance(error, RueError | UsageError) else FAILURE


def _told(error: BaseException) -> str:
    """An error as a sentence."""
    if isinstance(error, UsageError):
        return str(error.format_message())  # type: ignore[attr-defined]
    if isinstance(error, RueError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this game; choose smaller parameters"
    return f"something went wrong that should not ({type(error).__name__}: {error}); --debug shows where"


def main() -> None:
    """The entry point; a polite kill is a Ctrl-C, so that what was reached is kept."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    sys.exit(run(sys.argv[1:]))
