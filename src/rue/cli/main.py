"""The command `rue`: its parts, and how it is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from rue.cli import compare, exploit, export, lists, options, papers, resume, show, solve
from rue.cli.ends import Ending, end_of, open_streams, signals
from rue.cli.stopped import INTERRUPTED
from rue.cli.typed import readable

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
COMMANDS: dict[Callable[..., None], str] = {
    solve.solve: solve.EPILOG,
    compare.compare: compare.EPILOG,
    show.show: show.EPILOG,
    resume.resume: resume.EPILOG,
    export.export: export.EPILOG,
    exploit.exploit: exploit.EPILOG,
    lists.algorithms: lists.ALGORITHMS_EPILOG,
    lists.games: lists.GAMES_EPILOG,
    papers.papers: papers.PAPERS_EPILOG,
    papers.figure: papers.FIGURE_EPILOG,
}
"""Every command, in the order of the help, and the examples below its help."""
for command, epilog in COMMANDS.items():
    app.command(epilog=epilog)(readable(command))


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
    """Run the command and return its exit code; an error becomes one sentence, a traceback only with --debug."""
    try:
        code = app(args=list(arguments), prog_name="rue", standalone_mode=False)
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
