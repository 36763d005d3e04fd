"""The games by name, and the game that a name or a file stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from zerosum.games.game import Game
from zerosum.support.call_syntax import bind_arguments, list_default_arguments, parse_call
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import names_python_object
from zerosum.support.validation import path_as_text, short_repr

OPENSPIEL_PREFIX = "openspiel:"
"""The beginning of the name of an OpenSpiel game."""
GAMBIT_SUFFIXES = (".efg", ".nfg")
_PATH_PARAMETER = re.compile(r"(?:file|root)\w*\s*=|[/\\~]", re.IGNORECASE)


@dataclass(frozen=True)
class GameEntry:
    """A game of the catalogue; a `source` in small letters is one of the five papers that `papers` reproduces."""

    name: str
    class_path: str
    """Its class, loaded when the game is first created: a module of `zerosum.games` and a name."""
    summary: str
    source: str
    value: float | None = None
    """The first player's payoff in equilibrium with the default parameters, where known."""
    infosets: int | None = None
    """The number of infosets of both players with the default parameters, where known."""
    example: str = ""
    """The name with parameters, if the game needs some; otherwise the name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "example", self.example or self.name)

    @property
    def constructor(self) -> Callable[..., Game]:
        """The class, which is called with the parameters of the game."""
        module, name = self.class_path.split(":")
        return cast("Callable[..., Game]", getattr(import_module(f"zerosum.games.{module}"), name))

    def to_json(self) -> dict[str, Any]:
        """Return the entry with the defaults of its parameters, None where there is none."""
        parts = ("example", "summary", "source", "infosets", "value")
        about = {part: getattr(self, part) for part in parts}
        return {"name": self.name, "parameters": list_default_arguments(self.constructor), **about}


# fmt: off
_ENTRIES = (
    GameEntry("kuhn", "poker.kuhn:Kuhn", "one card each from three, one bet", "Kuhn, 1950", -1 / 18, 12),
    GameEntry("leduc", "poker.leduc:Leduc", "one card each, one board card, two rounds of betting",
              "Southey et al., Bayes' bluff, UAI 2005", -0.085606424078, 936),
    GameEntry("leduc-nl", "poker.leduc:NoLimitLeduc", "Leduc with bets of any size up to the stack",
              "icfr", -0.0833270073807, 9_984),
    GameEntry("big-leduc", "poker.leduc:BigLeduc", "Leduc with twelve ranks and six raises a round",
              "trm", infosets=100_800),
    GameEntry("royal", "poker.royal:Royal", "one card each, two board cards, three rounds of betting",
              "ecfr", infosets=52_128),
    GameEntry("goofspiel", "goofspiel:Goofspiel", "sealed bids for prizes, known or shuffled", "dcfr", 0.0, 8_052),
    GameEntry("liars-dice", "liars_dice:LiarsDice", "bids on hidden dice, highest face wild",
              "OpenSpiel", -0.0271317829457, 24_576),
    GameEntry("matrix", "matrix:MatrixGame", "any payoff matrix, rows against columns",
              "von Neumann, 1928", infosets=2, example="matrix([[1, 0.9], [-0.7, 1]])"),
    GameEntry("rps", "matrix:RockPaperScissors", "rock, paper, scissors", "folklore", 0.0, 2),
    GameEntry("rps-double-scissors", "matrix:RockPaperDoubleScissors", "rps, double with scissors", "trm", 0.0, 2),
    GameEntry("decision", "single_decision:SingleDecision", "a single decision of one agent", "dcfr", 1.0, 1),
    GameEntry("pushfold", "poker.pushfold:PushFold", "hold'em before the flop, heads-up: all-in or fold",
              "Chen, Ankenman, 2006", -0.0453707525928, 338),
    GameEntry("coin-toss", "coin_toss:CoinToss", "sell a coin or let the other guess it", "ecfr, figure 1", 0.0, 3),
    GameEntry("battleship", "battleship:Battleship", "hidden ships, shots in turns",
              "Farina et al., NeurIPS 2019", 0.3125, 3_286),
)
# fmt: on
GAMES: dict[str, GameEntry] = {entry.name: entry for entry in _ENTRIES}


def as_game(game: Game | str | Path) -> Game:
    """Return the rules of a game, which may be named or in a file.

    >>> as_game("kuhn").name
    'kuhn'
    """
    if isinstance(path_as_text(game), str):
        return create_game(path_as_text(game))
    check_is_game(game)
    return game  # type: ignore[return-value]


def check_is_game(value: object) -> None:
    """Refuse a value that is not a game, such as a class of games that is not called yet."""
    if isinstance(value, type) or not callable(getattr(value, "root", None)):
        hint = "zerosum.game makes it of a name"
        raise ZerosumError(f"the rules of a game are an object with root(), not {short_repr(value)}: {hint}")


def create_game(text: str | Path) -> Game:
    """Create a game from its name: a game of the catalogue, of OpenSpiel, or of a Python or Gambit file.

    >>> game = create_game("leduc( suits=3 )")
    >>> game.name
    'leduc(suits=3)'
    >>> create_game("leduk")
    Traceback (most recent call last):
    zerosum.ZerosumError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """
    text = path_as_text(text)
    if not isinstance(text, str):
        raise ZerosumError(f"a game is named by a string like leduc(suits=3), not by {short_repr(text)}")
    if is_openspiel_game(text):
        from zerosum.games.external.openspiel import OpenSpielGame

        return OpenSpielGame(text)
    if names_python_object(text):
        from zerosum.games.external.python_file import load_game_file

        return load_game_file(text)
    if is_gambit_file(text):
        return _load_gambit_file(text.strip())
    call = parse_call(text)
    if call.name not in GAMES:
        raise ZerosumError(f"there is no game {short_repr(call.name)}; {suggest_names(call.name, GAMES)}")
    constructor = GAMES[call.name].constructor
    bound = bind_arguments(call, constructor)
    try:
        game = constructor(*bound.args, **bound.kwargs)
    except ZerosumError as error:
        raise ZerosumError(f"{call.name}: {error}") from None
    game.name = str(call)
    return game


def names_game(text: str) -> bool:
    """Return whether a text names a game of the catalogue, of OpenSpiel, or of a file.

    >>> names_game("leduc(suits=3)"), names_game("spot:river")
    (True, False)
    """
    name = text.partition("(")[0].strip().lower()
    return name in GAMES or names_python_object(text) or is_gambit_file(text) or is_openspiel_game(text)


def is_openspiel_game(text: str) -> bool:
    return text.strip().startswith(OPENSPIEL_PREFIX)


def may_read_file(text: str) -> bool:
    """Return whether a text names an OpenSpiel game that may read a file.

    >>> may_read_file("openspiel:efg_game(filename=my.efg)")
    True
    >>> may_read_file("openspiel:leduc_poker(players=2)")
    False
    """
    return is_openspiel_game(text) and _PATH_PARAMETER.search(text) is not None


def is_gambit_file(text: str) -> bool:
    """Return whether a text names a Gambit file.

    >>> is_gambit_file("games/poker.efg"), is_gambit_file("leduc")
    (True, False)
    """
    return text.strip().lower().endswith(GAMBIT_SUFFIXES)


def _load_gambit_file(path: str) -> Game:
    if path.lower().endswith(".nfg"):
        from zerosum.games.external.gambit_matrix import GambitMatrixGame

        return GambitMatrixGame(path)
    from zerosum.games.external.gambit_tree import GambitTreeGame

    return GambitTreeGame(path)
