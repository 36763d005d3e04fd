"""A user's own game from a file: `path/to/game.py:MyGame`."""

from __future__ import annotations

import contextlib
from pathlib import Path

from rue.errors import RueError, nearest
from rue.games.game import Game
from rue.python_files import load_module, names_file, split

__all__ = ["load_file", "names_file"]


def load_file(text: str) -> Game:
    """The game of the class, or the game itself, that `path/to/game.py:Name` names."""
    path, name = split(text, "a class", "path/to/game.py:MyGame")
    module = load_module(path)
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
        game.name = " ".join(text.split())
    return game


def sole_game(path: Path) -> str:
    """The name of the one game of a file, `path/to/game.py:MyGame`; one with several has to be told which."""
    module = load_module(path)
    found = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and _is_game(value) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        which = f"it has {', '.join(found)}" if found else "it has no class that extends rue.games.game.Game"
        raise RueError(f"say which game of {path} is meant, like {path}:{(found or ['MyGame'])[0]}; {which}")
    return f"{path}:{found[0]}"


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


def _is_game(found: type) -> bool:
    return issubclass(found, Game) and found is not Game
