"""Games from a user's Python file: `path/to/game.py:MyGame`."""

from __future__ import annotations

import contextlib
from pathlib import Path

from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import load_module, names_python_object, split_file_and_name

__all__ = ["load_game_file", "names_python_object"]


def load_game_file(text: str) -> Game:
    """The game of the class, or the game itself, that `path/to/game.py:Name` names."""
    path, name = split_file_and_name(text, "a class", "path/to/game.py:MyGame")
    module = load_module(path)
    games = [key for key, value in vars(module).items() if isinstance(value, type) and _is_game(value)]
    games += [key for key, value in vars(module).items() if isinstance(value, Game)]
    if not name:
        raise ZerosumError(f"say which class of {path} is the game, like {path}:{(games or ['MyGame'])[0]}")
    if name not in vars(module):
        hint = suggest_names(name, games) if games else "it has no class that extends zerosum.games.game.Game"
        raise ZerosumError(f"{path} has no class {name}; {hint}")
    value = vars(module)[name]
    game = value if isinstance(value, Game) else _construct(path, name, value)
    with contextlib.suppress(AttributeError):  # a class may fix its own name
        game.name = " ".join(text.split())
    return game


def only_game_in_file(path: Path) -> str:
    """Return the name of the only game of a file, `path/to/game.py:MyGame`; raise an error if there are several."""
    module = load_module(path)
    names = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and _is_game(value) and value.__module__ == module.__name__
    ]
    if len(names) != 1:
        which = f"it has {', '.join(names)}" if names else "it has no class that extends zerosum.games.game.Game"
        raise ZerosumError(f"say which game of {path} is meant, like {path}:{(names or ['MyGame'])[0]}; {which}")
    return f"{path}:{names[0]}"


def _construct(path: Path, name: str, value: object) -> Game:
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


def _is_game(value: type) -> bool:
    return issubclass(value, Game) and value is not Game
