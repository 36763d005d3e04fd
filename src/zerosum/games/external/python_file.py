"""Games from a user's Python file: `path/to/game.py:MyGame`."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import load_module, split_file_and_name

NO_GAME = "it has no class that extends zerosum.games.game.Game"


def load_game_file(text: str) -> Game:
    """Return the game, or the game of the class, that `path/to/game.py:Name` names."""
    path, name = split_file_and_name(text, "a class", "path/to/game.py:MyGame")
    values = vars(load_module(path))
    games = [*_list_game_classes(values), *(key for key, value in values.items() if isinstance(value, Game))]
    if not name:
        raise ZerosumError(f"say which class of {path} is the game, like {path}:{(games or ['MyGame'])[0]}")
    if name not in values:
        raise ZerosumError(f"{path} has no class {name}; {suggest_names(name, games) if games else NO_GAME}")
    value = values[name]
    game = value if isinstance(value, Game) else _construct_game(path, name, value)
    with contextlib.suppress(AttributeError):  # a class may fix its own name
        game.name = " ".join(text.split())
    return game


def find_only_game(path: Path) -> str:
    """Return the name of the only game of a file, `path/to/game.py:MyGame`; raise an error if there are several."""
    module = load_module(path)
    names = [name for name in _list_game_classes(vars(module)) if vars(module)[name].__module__ == module.__name__]
    if len(names) != 1:
        which = f"it has {', '.join(names)}" if names else NO_GAME
        raise ZerosumError(f"say which game of {path} is meant, like {path}:{(names or ['MyGame'])[0]}; {which}")
    return f"{path}:{names[0]}"


def _list_game_classes(values: dict[str, Any]) -> list[str]:
    """Return the names of the classes of games among the names of a module."""
    return [
        name
        for name, value in values.items()
        if isinstance(value, type) and issubclass(value, Game) and value is not Game
    ]


def _construct_game(path: Path, name: str, value: object) -> Game:
    if not isinstance(value, type) or not issubclass(value, Game):
        raise ZerosumError(f"{name} in {path} is not a game: it does not extend zerosum.games.game.Game")
    missing = sorted(value.__abstractmethods__)
    if missing:
        raise ZerosumError(f"{name} in {path} lacks {', '.join(missing)}")
    try:
        return value()
    except ZerosumError:
        raise
    except TypeError as error:
        raise ZerosumError(
            f"{name} in {path} cannot be created without arguments ({error}); "
            f"give them defaults, or name a finished game of the file"
        ) from None
    except Exception as error:
        raise ZerosumError(f"{name} in {path} fails when it is created: {type(error).__name__}: {error}") from None
