"""`zerosum convert`: a game as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypedDict

from zerosum.cli.common_options import GAME
from zerosum.cli.console import create_console, redirect_prints
from zerosum.support.options import Argument

CONVERT_EXAMPLES = """
zerosum convert kuhn kuhn.efg    # the tree of the game, for Gambit
zerosum convert "matrix([[1, 0.9], [-0.7, 1]])" game.nfg    # its strategies
zerosum convert my_game.py:MyGame my_game.efg
zerosum convert game.efg game.nfg
"""


class ConvertArguments(TypedDict, total=False):
    game: Annotated[str, Argument(GAME, "GAME", required=True)]
    file: Annotated[Path, Argument("The file to write, which ends in .efg or .nfg.", "FILE", required=True)]


def convert(arguments: ConvertArguments) -> None:
    """Write a small game as a file for Gambit.

    A .efg file contains the tree of the game, a .nfg file its reduced strategic form. Both can be used wherever a game
    is expected, as in `zerosum solve game.efg`.
    """
    from zerosum.api import write_game
    from zerosum.cli.progress import Display
    from zerosum.engine.forms.sequence.gambit_export import check_suffix

    game, file = arguments["game"], arguments["file"]
    check_suffix(file)
    with redirect_prints(), Display() as display:
        display.show_phase(f"compiling {game}")
        write_game(game, file, lambda count: display.show_phase(f"compiling {game}", f"{count:,} histories"))
    create_console().print(f"{file} holds {game}", markup=False, soft_wrap=True)
