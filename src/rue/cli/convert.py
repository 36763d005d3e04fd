"""`rue convert`: a game as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rue.cli import options
from rue.cli.console import aside, output

CONVERT_EXAMPLES = """
rue convert kuhn kuhn.efg    [dim]the tree of the game, for Gambit[/dim]
rue convert "matrix([[1, 0.9], [-0.7, 1]])" game.nfg    [dim]its strategies[/dim]
rue convert my_game.py:MyGame my_game.efg
rue convert game.efg game.nfg
"""

Rules = Annotated[str, typer.Argument(metavar="GAME", help=options.GAME, show_default=False)]
Out = Annotated[Path, typer.Argument(metavar="FILE", help="Where to: a name in .efg or .nfg.", show_default=False)]


def convert(game: Rules, file: Out) -> None:
    """Write a small game as a file that Gambit reads: .efg is its tree, .nfg its reduced strategic form.

    Both are read again wherever a game is named, as in [bold]rue solve game.efg[/bold].
    """
    from rue.cli.progress import Display
    from rue.forms.gambit import check_ending, write_game

    check_ending(file)
    with aside(), Display() as display:
        display.say(f"compiling {game}")
        write_game(game, file, lambda count: display.say(f"compiling {game}", f"{count:,} histories"))
    output().print(f"{file} holds {game}", markup=False, soft_wrap=True)
