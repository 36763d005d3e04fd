"""Matrix games: both players choose once, at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.games.game import ONE, TERMINAL, TWO, Action, Game
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_number

State = tuple[int, ...]


class MatrixGame(Game):
    """The first player chooses a row, the second a column; the entry is what the first player gets.

    >>> game = MatrixGame([[1, 0.9], [-0.7, 1]])
    >>> game.payoff((1, 0))
    -0.7
    """

    def __init__(self, payoffs: Sequence[Sequence[float]]) -> None:
        self.payoffs = _check_matrix(payoffs)
        self.rows: tuple[Action, ...] = tuple(range(len(self.payoffs)))
        self.columns: tuple[Action, ...] = tuple(range(len(self.payoffs[0])))

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        return (ONE, TWO, TERMINAL)[len(state)]

    def actions(self, state: State) -> Sequence[Action]:
        return self.columns if state else self.rows

    def child(self, state: State, action: Action) -> State:
        return (*state, self.actions(state).index(action))

    def infoset(self, state: State) -> str:
        return "column" if state else "row"

    def payoff(self, state: State) -> float:
        row, column = state
        return self.payoffs[row][column]


class RockPaperScissors(MatrixGame):
    """Rock beats scissors, scissors beat paper, paper beats rock.

    >>> game = RockPaperScissors()
    >>> game.payoff(game.child(game.child(game.root(), "rock"), "scissors"))
    1.0
    """

    scissors = 1.0
    """The stake when either player chooses scissors."""

    def __init__(self) -> None:
        stake = self.scissors
        super().__init__([[0, -1, stake], [1, 0, -stake], [-stake, stake, 0]])
        self.rows = self.columns = ("rock", "paper", "scissors")


class RockPaperDoubleScissors(RockPaperScissors):
    """Twice as much is won and lost when either player chooses scissors; equilibrium 2/5, 2/5, 1/5."""

    scissors = 2.0


def _check_matrix(rows: Any) -> tuple[tuple[float, ...], ...]:
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if not _is_list(rows) or not all(_is_list(row) for row in rows):
        raise ZerosumError("a matrix is a list of rows of numbers, like [[1, 0.9], [-0.7, 1]]")
    if len({len(row) for row in rows}) > 1:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise ZerosumError(f"the rows of a matrix must be equally long, and these have {lengths} entries")
    return tuple(tuple(check_number("every entry of a matrix", entry) for entry in row) for row in rows)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0
