"""The games by name, and the game that a name or a file stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from zerosum.games.external_names import OPENSPIEL_PREFIX, is_gambit_file, is_openspiel_game
from zerosum.games.game import Game
from zerosum.support.call_syntax import Call, bind, parse
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import names_python_object
from zerosum.support.validation import path_as_text, short_repr


@dataclass(frozen=True)
class GameEntry:
    """A game of the catalogue; `example` is its name with parameters where it needs some.

    A `source` in small letters is one of the papers whose figures this package reproduces.
    """

    name: str
    place: str
    """Its class: a module of `zerosum.games` and a name, loaded when the game is first created."""
    summary: str
    source: str
    value: float | None = None
    """What the first player gets in equilibrium with the default parameters, where known."""
    example: str = ""
    infosets: int | None = None
    """How many both players have with the default parameters, where known."""

    def __post_init__(self) -> None:
        if not self.example:
            object.__setattr__(self, "example", self.name)

    @property
    def constructor(self) -> Callable[..., Game]:
        """The class that makes the game of its parameters."""
        module, name = self.place.split(":")
        return cast("Callable[..., Game]", getattr(import_module(f"zerosum.games.{module}"), name))


_BLUFF = "Southey et al., Bayes' bluff, UAI 2005"
_ALL = (
    GameEntry("kuhn", "poker.kuhn:Kuhn", "one card each from three, one bet", "Kuhn, 1950", value=-1 / 18, infosets=12),
    GameEntry(
        "leduc",
        "poker.leduc:Leduc",
        "one card each, one board card, two rounds of betting",
        _BLUFF,
        -0.085606424078,
        infosets=936,
    ),
    GameEntry(
        "leduc-nl",
        "poker.no_limit_leduc:NoLimitLeduc",
        "Leduc with bets of any size up to the stack",
        "icfr",
        -0.0833270073807,
        infosets=9_984,
    ),
    GameEntry(
        "big-leduc",
        "poker.leduc:BigLeduc",
        "Leduc with twelve ranks and six raises a round",
        "trm",
        infosets=100_800,
    ),
    GameEntry(
        "royal",
        "poker.royal:Royal",
        "one card each, two board cards, three rounds of betting",
        "ecfr",
        infosets=52_128,
    ),
    GameEntry(
        "goofspiel",
        "goofspiel:Goofspiel",
        "sealed bids for prizes, known or shuffled",
        "dcfr",
        value=0.0,
        infosets=8_052,
    ),
    GameEntry(
        "liars-dice",
        "liars_dice:LiarsDice",
        "bids on hidden dice, highest face wild",
        "OpenSpiel",
        -0.0271317829457,
        infosets=24_576,
    ),
    GameEntry(
        "matrix",
        "matrix:MatrixGame",
        "any payoff matrix, rows against columns",
        "von Neumann, 1928",
        example="matrix([[1, 0.9], [-0.7, 1]])",
        infosets=2,
    ),
    GameEntry("rps", "matrix:RockPaperScissors", "rock, paper, scissors", "folklore", value=0.0, infosets=2),
    GameEntry(
        "rps-double-scissors",
        "matrix:RockPaperDoubleScissors",
        "rps, double with scissors",
        "trm",
        0.0,
        infosets=2,
    ),
    GameEntry(
        "decision",
        "single_decision:SingleDecision",
        "a single decision of one agent",
        "dcfr",
        value=1.0,
        infosets=1,
    ),
    GameEntry(
        "pushfold",
        "poker.pushfold:PushFold",
        "hold'em before the flop, heads-up: all-in or fold",
        "Chen, Ankenman, 2006",
        -0.0453707525928,
        infosets=338,
    ),
    GameEntry(
        "coin-toss",
        "coin_toss:CoinToss",
        "sell a coin or let the other guess it",
        "ecfr, figure 1",
        value=0.0,
        infosets=3,
    ),
    GameEntry(
        "battleship",
        "battleship:Battleship",
        "hidden ships, shots in turns",
        "Farina et al., NeurIPS 2019",
        0.3125,
        infosets=3_286,
    ),
)

GAMES: dict[str, GameEntry] = {entry.name: entry for entry in _ALL}


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
    """Create the game that a text names: of the catalogue, of OpenSpiel, or of a file of Python or Gambit.

    >>> game = create_game("leduc( suits=3 )")
    >>> game.name
    'leduc(suits=3)'
    >>> create_game("leduk")
    Traceback (most recent call last):
    ...
    zerosum.ZerosumError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """
    text = path_as_text(text)
    if not isinstance(text, str):
        raise ZerosumError(f"a game is named by a text like leduc(suits=3), not by {short_repr(text)}")
    if is_openspiel_game(text):
        from zerosum.games.external.openspiel import OpenSpielGame

        return OpenSpielGame(text.strip().removeprefix(OPENSPIEL_PREFIX))
    if names_python_object(text):
        from zerosum.games.external.python_file import load_game_file

        return load_game_file(text)
    if is_gambit_file(text):
        return _gambit(text.strip())
    call = parse(text)
    if call.name not in GAMES:
        raise ZerosumError(f"there is no game {short_repr(call.name)}; {suggest_names(call.name, GAMES)}")
    constructor = GAMES[call.name].constructor
    bound = bind(call, constructor)
    try:
        game = constructor(*bound.args, **bound.kwargs)
    except ZerosumError as error:
        raise ZerosumError(f"{call.name}: {error}") from None
    game.name = canonical_name(call)
    return game


def names_game(text: str) -> bool:
    """Whether a text names a game of the catalogue, of OpenSpiel, or of a file.

    >>> names_game("leduc(suits=3)"), names_game("spot:river")
    (True, False)
    """
    name = text.partition("(")[0].strip().lower()
    return name in GAMES or names_python_object(text) or is_gambit_file(text) or is_openspiel_game(text)


def _gambit(path: str) -> Game:
    if path.lower().endswith(".nfg"):
        from zerosum.games.external.gambit_matrix import GambitMatrixGame

        return GambitMatrixGame(path)
    from zerosum.games.external.gambit_tree import GambitTreeGame

    return GambitTreeGame(path)


def canonical_name(call: Call) -> str:
    """Write a parsed name without needless spaces.

    >>> canonical_name(parse("goofspiel( 5,order = Ascending)"))
    'goofspiel(5, order=ascending)'
    """
    arguments = [_format_value(value) for value in call.args]
    arguments += [f"{key}={_format_value(value)}" for key, value in call.kwargs.items()]
    return f"{call.name}({', '.join(arguments)})" if arguments else call.name


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_format_value(entry) for entry in value)}]"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
