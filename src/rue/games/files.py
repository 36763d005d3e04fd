"""A user's own game from a file: `path/to/game.py:MyGame`."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

from rue.errors import RueError, nearest
from rue.games.game import Game

_FILE = re.compile(r"^\s*(.+\.py):\s*([^:/\\]*?)\s*$")


def names_file(text: str) -> bool:
    """Whether a text names a class in a file.

    >>> names_file("games/pennies.py:Pennies"), names_file("openspiel:leduc_poker")
    (True, False)
    """
    return _FILE.match(text) is not None


def load_file(text: str) -> Game:
    """The game of the class, or the game itself, that `path/to/game.py:Name` names."""
    match = _FILE.match(text)
    if match is None:
        raise RueError(f"cannot read {text!r}: write a file and a class, like path/to/game.py:MyGame")
    path, name = Path(match[1]).expanduser(), match[2]
    module = _module(path)
    games = [key for key, value in vars(module).items() if isinstance(value, type) and _is_game(value)]
    games += [key for key, value in vars(module).items() if isinstance(value, Game)]
    if not name:
        raise RueError(f"say which class of {path} is the game, like {path}:{(games or ['MyGame'])[0]}")
    if name not in vars(module):
        hint = nearest(name, games) if games else "it has no class that extends rue.games.game.Game"
        raise RueError(f"{path} has no class {name}; {hint}")
    found = vars(module)[name]
    game = found if isinstance(found, Game) else _construct(path, name, found)
    with contextlib.suppress(AttributeError):  # a class may fix its own name
        game.name = f"{match[1]}:{name}"
    return game


def _construct(path: Path, name: str, found: object) -> Game:
    if not isinstance(found, type) or not issubclass(found, Game):
        raise RueError(f"{name} in {path} is not a game: it does not extend rue.games.game.Game")
    missing = sorted(found.__abstractmethods__)
    if missing:
        raise RueError(f"{name} in {path} lacks {', '.join(missing)}")
    try:
        return found()
    except RueError:
        raise
    except TypeError as error:
        raise RueError(
            f"{name} in {path} cannot be made without arguments ({error}); "
            f"give them defaults, or name a finished game of the file"
        ) from None
    except Exception as error:
        raise RueError(f"{name} in {path} fails when made: {type(error).__name__}: {error}") from None


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise RueError(f"there is no file {path}")
    name = f"rue_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RueError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise RueError(f"{path} has a syntax error in line {error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise RueError(f"{path} fails when run: {type(error).__name__}: {error}") from None
    return module


def _is_game(found: type) -> bool:
    return issubclass(found, Game) and found is not Game
