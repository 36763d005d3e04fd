"""`zerosum explore`: start the local web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from zerosum.support.errors import ZerosumError, missing_extra_error
from zerosum.support.options import Argument, Option

if TYPE_CHECKING:
    from zerosum.explorer.server import StartPage

EXPLORE_EXAMPLES = """
zerosum explore    # build a spot, solve it, walk through it; runs are saved in zerosum-explorer/
zerosum explore run/    # show a saved run
zerosum explore spot:turn --folder study/
zerosum explore my_spot.toml --no-open --port 9000
zerosum explore leduc    # a game: several algorithms side by side, its tree
zerosum explore mygame.py:MyGame
"""
FOLDER = Path("zerosum-explorer")
GAME_FILES = (".py", ".efg", ".nfg")
"""Suffixes of files with games."""


class ExploreArguments(TypedDict, total=False):
    what: Annotated[
        str | None,
        Argument(
            "What to open: a saved run, a folder of runs, a spot (spot:turn, my_spot.toml or a link to one) or a "
            "game (leduc, mygame.py:MyGame).",
            "WHAT",
        ),
    ]
    folder: Annotated[Path | None, Option("Folder of runs, spots and ranges.", "FOLDER", default_text=f"{FOLDER}")]
    port: Annotated[int | None, Option("Port of the server.", "N", least=0, default_text="9376, or any free port")]
    data: Annotated[Path | None, Option("Folder of the Libratus endgames, for the figures that need them.", "FOLDER")]
    no_open: Annotated[bool, Option("Print the address without opening a browser.")]


def explore(arguments: ExploreArguments) -> None:
    """Open the explorer in the browser: spots and games to build, solve and study.

    The server accepts connections from this machine only, at an address with a random token, which is printed. Ctrl-C
    stops it; unfinished runs are saved and can be resumed.
    """
    try:
        from zerosum.explorer.server import serve
    except ModuleNotFoundError:
        raise missing_extra_error("zerosum explore", "explore") from None
    from zerosum.cli.commands.figure import find_libratus_folder

    folder, start = resolve_start_page(arguments["what"], arguments["folder"])
    libratus_folder = find_libratus_folder(arguments["data"])
    port, opens_browser = arguments["port"], not arguments["no_open"]
    try:
        serve(folder, start, port, opens_browser, libratus_folder, _print_address)
    except KeyboardInterrupt:
        print("stopped; all runs are saved", flush=True)


def _print_address(address: str) -> None:
    print(f"zerosum explore: {address}   (Ctrl-C stops it)", flush=True)


def resolve_start_page(what: str | None, folder: Path | None) -> tuple[Path, StartPage]:
    """Return the folder of the explorer, and a function of its runs that returns the page to open first."""
    from zerosum.explorer.holdem.spots import decode_spot, extract_link_data
    from zerosum.holdem.spots.files import resolve_spot, spot_from_dict, spot_to_dict
    from zerosum.problems.kinds import find_kind_by_name
    from zerosum.runs.run_location import locate_run_file
    from zerosum.support.user_modules import expand_home

    if what is None:
        return folder or FOLDER, lambda runs: {"page": "home"}
    link = extract_link_data(what)
    if find_kind_by_name(what) is not None or link is not None:
        spot = spot_to_dict(resolve_spot(what) if link is None else spot_from_dict(decode_spot(link)))
        return folder or FOLDER, lambda runs: {"page": "build", "spot": spot}
    path = expand_home(what)
    if path.suffix.lower() not in GAME_FILES and locate_run_file(path).is_file():
        return folder or FOLDER, lambda runs: {"page": "walk", "run": runs.open(path).key}
    if path.is_dir():
        if folder is not None:
            raise ZerosumError(f"{path} is a folder without a run: name it as --folder alone to see the runs in it")
        return path, lambda runs: {"page": "home"}
    game = resolve_game(what, path)
    return folder or FOLDER, lambda runs: {"page": "games", "game": runs.games.allow_game(game)}


def resolve_game(what: str, path: Path) -> str:
    """Return the name of a game: as it was typed, or of the only game in a Python file."""
    from zerosum.games.catalogue import names_game
    from zerosum.games.external.python_file import find_only_game

    if path.suffix == ".py":
        return find_only_game(path)
    if names_game(what):
        return what
    raise ZerosumError(
        f"there is no run {what}, and no spot or game of that name: name a run, a folder of runs, spot:turn or leduc"
    )
