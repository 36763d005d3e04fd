"""`rue explore`: the page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli.typed import flag, natural, option
from rue.errors import RueError
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.explore.workshop import Workshop

EXPLORE_EXAMPLES = """
rue explore    [dim]build a spot, solve it, walk through it; runs are kept in rue-explorer/[/dim]
rue explore run/    [dim]look at a saved run[/dim]
rue explore spot:turn --folder study/
rue explore my_spot.toml --no-open --port 9000
rue explore leduc    [dim]a game: several algorithms side by side, its tree[/dim]
rue explore mygame.py:MyGame
"""
FOLDER = Path("rue-explorer")
GAME_FILES = (".py", ".efg", ".nfg")
"""What files of games end in."""
What = Annotated[
    str | None,
    typer.Argument(
        metavar="WHAT",
        help="What to open: a saved run, a folder of runs, a spot (spot:turn, my_spot.toml or a link with one) or a "
        "game (leduc, mygame.py:MyGame).",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class Served:
    """How the page is served, as it was typed."""

    folder: Path | None = option("FOLDER", f"Where runs, spots and ranges are kept ({FOLDER}).")
    port: int | None = option("N", "The port, instead of 7837 or any free one.", parser=natural)
    data: Path | None = option("FOLDER", "Where the Libratus endgames are, for the figures that need them.")
    no_open: bool = flag("--no-open", "Do not open a browser: print the address only.")


def explore(served: Served, what: What = None) -> None:
    """Open the explorer in the browser: build, solve and study spots, train, compare algorithms on games.

    It answers this machine alone, at an address with a random token, which is printed. Ctrl-C ends it; runs that were
    on their way are saved and can go on.
    """
    try:
        from rue.explore.serve import Serving, serve
    except ModuleNotFoundError as error:
        raise RueError(f'rue explore needs {error.name}: pip install "rue[explore]"') from None
    from rue.cli.papers import endgames

    folder, start = _opening(what, served.folder)

    def say(address: str) -> None:
        print(f"rue explore: {address}   (Ctrl-C ends it)", flush=True)

    try:
        serve(Serving(folder, start, served.port, not served.no_open, endgames(served.data)), say)
    except KeyboardInterrupt:
        print("ended; runs are kept", flush=True)


def _opening(what: str | None, folder: Path | None) -> tuple[Path, Any]:
    """The folder, and what the page opens with."""
    from rue.explore.links import from_link, link_in
    from rue.holdem.files import from_mapping, spot_named, to_mapping
    from rue.names import names_spot
    from rue.python_files import home_path
    from rue.runs.home import file_of

    def home(workshop: Workshop) -> Mapping[str, Any]:
        return {"page": "home"}

    if what is None:
        return folder or FOLDER, home
    link = link_in(what)
    if names_spot(what) or link is not None:
        spot = to_mapping(spot_named(what) if link is None else from_mapping(from_link(link)))
        return folder or FOLDER, lambda workshop: {"page": "build", "spot": spot}
    path = home_path(what)
    if path.suffix.lower() not in GAME_FILES and file_of(path).is_file():
        return folder or FOLDER, lambda workshop: {"page": "walk", "run": workshop.open(path).key}
    if path.is_dir():
        if folder is not None:
            raise RueError(f"{path} is a folder without a run: name it as --folder alone to see the runs in it")
        return path, home
    game = _game_named(what, path)
    return folder or FOLDER, lambda workshop: {"page": "games", "game": workshop.shelf.admitted(game)}


def _game_named(what: str, path: Path) -> str:
    """The game that was meant: a name, or a file of one's own."""
    from rue.games.catalogue import GAMES
    from rue.games.files import names_file, sole_game
    from rue.games.gambit_text import names_gambit
    from rue.games.openspiel import PREFIX

    if path.suffix == ".py":
        return sole_game(path)
    if names_file(what) or names_gambit(what) or what.startswith(PREFIX) or what.partition("(")[0].lower() in GAMES:
        return what
    raise RueError(
        f"there is no run {what}, and no spot or game of that name: name a run, a folder of runs, spot:turn or leduc"
    )
