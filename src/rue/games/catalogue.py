"""Every game by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rue.checked import named, shown
from rue.errors import RueError, nearest
from rue.games.battleship import Battleship
from rue.games.coin_toss import CoinToss
from rue.games.decision import Decision
from rue.games.files import load_file, names_file
from rue.games.gambit_text import names_gambit
from rue.games.game import Game
from rue.games.goofspiel import Goofspiel
from rue.games.kuhn import Kuhn
from rue.games.leduc import BigLeduc, Leduc
from rue.games.leduc_nl import NoLimitLeduc
from rue.games.liars_dice import LiarsDice
from rue.games.matrix import Matrix, RockPaperDoubleScissors, RockPaperScissors
from rue.games.openspiel import PREFIX, OpenSpiel
from rue.games.pushfold import PushFold
from rue.games.royal import Royal
from rue.names import Call, bind, parse
from rue.records import dataclass

__all__ = ["GAMES", "Entry", "load_file", "make"]


@dataclass(frozen=True)
class Entry:
    """A game of the catalogue; `example` is its name with parameters where it needs some.

    A `source` in small letters is one of the papers whose figures this package reproduces.
    """

    name: str
    constructor: Callable[..., Game]
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


_BLUFF = "Southey et al., Bayes' bluff, UAI 2005"
_ALL = (
    Entry("kuhn", Kuhn, "one card each from three, one bet", "Kuhn, 1950", value=-1 / 18, infosets=12),
    Entry(
        "leduc", Leduc, "one card each, one board card, two rounds of betting", _BLUFF, -0.085606424078, infosets=936
    ),
    Entry(
        "leduc-nl",
        NoLimitLeduc,
        "Leduc with bets of any size up to the stack",
        "icfr",
        -0.0833270073807,
        infosets=9_984,
    ),
    Entry("big-leduc", BigLeduc, "Leduc with twelve ranks and six raises a round", "trm", infosets=100_800),
    Entry("royal", Royal, "one card each, two board cards, three rounds of betting", "ecfr", infosets=52_128),
    Entry("goofspiel", Goofspiel, "sealed bids for prizes, known or shuffled", "dcfr", value=0.0, infosets=8_052),
    Entry(
        "liars-dice",
        LiarsDice,
        "bids on hidden dice, highest face wild",
        "OpenSpiel",
        -0.0271317829457,
        infosets=24_576,
    ),
    Entry(
        "matrix",
        Matrix,
        "any payoff matrix, rows against columns",
        "von Neumann, 1928",
        example="matrix([[1, 0.9], [-0.7, 1]])",
        infosets=2,
    ),
    Entry("rps", RockPaperScissors, "rock, paper, scissors", "folklore", value=0.0, infosets=2),
    Entry("rps-double-scissors", RockPaperDoubleScissors, "rps, double with scissors", "trm", 0.0, infosets=2),
    Entry("decision", Decision, "a single decision of one agent", "dcfr", value=1.0, infosets=1),
    Entry(
        "pushfold",
        PushFold,
        "hold'em before the flop, heads-up: all-in or fold",
        "Chen, Ankenman, 2006",
        -0.0453707525928,
        infosets=338,
    ),
    Entry("coin-toss", CoinToss, "sell a coin or let the other guess it", "ecfr, figure 1", value=0.0, infosets=3),
    Entry(
        "battleship", Battleship, "hidden ships, shots in turns", "Farina et al., NeurIPS 2019", 0.3125, infosets=3_286
    ),
)

GAMES: dict[str, Entry] = {entry.name: entry for entry in _ALL}


def rules_of(given: Game | str | Path) -> Game:
    """The rules of a game: as they are, or those that a name or a file stands for.

    >>> rules_of("kuhn").name
    'kuhn'
    """
    if isinstance(named(given), str):
        return make(named(given))
    check_rules(given)
    return given  # type: ignore[return-value]


def check_rules(given: object) -> None:
    """Refuse what has no rules, and a class of them, of which no game is made yet."""
    if isinstance(given, type) or not callable(getattr(given, "root", None)):
        hint = "rue.game makes it of a name"
        raise RueError(f"the rules of a game are an object with root(), not {shown(given)}: {hint}")


def make(text: str | Path) -> Game:
    """The game that a person typed: of the catalogue, of OpenSpiel, of a file of Python or of Gambit.

    >>> game = make("leduc( suits=3 )")
    >>> game.name
    'leduc(suits=3)'
    >>> make("leduk")
    Traceback (most recent call last):
    ...
    rue.errors.RueError: there is no game 'leduk'; did you mean leduc or leduc-nl or big-leduc?
    """
    text = named(text)
    if not isinstance(text, str):
        raise RueError(f"a game is named by a text like leduc(suits=3), not by {shown(text)}")
    if text.strip().startswith(PREFIX):
        return OpenSpiel(text.strip().removeprefix(PREFIX))
    if names_file(text):
        return load_file(text)
    if names_gambit(text):
        return _gambit(text.strip())
    call = parse(text)
    if call.name not in GAMES:
        raise RueError(f"there is no game {shown(call.name)}; {nearest(call.name, GAMES)}")
    constructor = GAMES[call.name].constructor
    bound = bind(call, constructor)
    try:
        game = constructor(*bound.args, **bound.kwargs)
    except RueError as error:
        raise RueError(f"{call.name}: {error}") from None
    game.name = canonical(call)
    return game


def _gambit(path: str) -> Game:
    if path.lower().endswith(".nfg"):
        from rue.games.nfg import StrategicForm

        return StrategicForm(path)
    from rue.games.efg import ExtensiveForm

    return ExtensiveForm(path)


def canonical(call: Call) -> str:
    """A parsed name as one would type it, without needless spaces.

    >>> canonical(parse("goofspiel( 5,order = Ascending)"))
    'goofspiel(5, order=ascending)'
    """
    given = [_typed(value) for value in call.args]
    given += [f"{key}={_typed(value)}" for key, value in call.kwargs.items()]
    return f"{call.name}({', '.join(given)})" if given else call.name


def _typed(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_typed(entry) for entry in value)}]"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
