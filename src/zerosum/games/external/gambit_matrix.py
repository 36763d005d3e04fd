"""Games in Gambit's strategic form: `game.nfg`, two players who choose once at the same time.

    NFG 1 R "title" { "one" "two" } { 2 3 } "comment"                     how many strategies each has
    NFG 1 R "title" { "one" "two" } { { "a" "b" } { "x" "y" "z" } }       or their names

then the payoffs of both players for every pair of strategies, the first player's changing first; or, in brackets, a
list of outcomes { "name" payoffs }, and then the number of an outcome for every pair.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from zerosum.games.external.gambit_tokens import END, NUMBER, TokenStream, make_names_distinct
from zerosum.games.matrix import MatrixGame, State

MAX_PAIRS = 5_000_000
"""Most pairs of strategies."""


class GambitMatrixGame(MatrixGame):
    """The rules that a file in Gambit's strategic form describes."""

    def __init__(self, path: str | Path) -> None:
        tokens = TokenStream(path)
        self.heading = tokens.take_heading("NFG", 1, "strategic form")
        rows, columns = _read_strategies(tokens)
        if len(rows) * len(columns) > MAX_PAIRS:
            tokens.fail(f"the game has more than {MAX_PAIRS:,} pairs of strategies")
        pairs = _read_payoffs(tokens, len(rows) * len(columns))
        if tokens.peek().kind != END:
            tokens.fail_expecting("nothing more")
        count = len(rows)
        super().__init__([[pairs[column * count + row][0] for column in range(len(columns))] for row in range(count)])
        self.rows, self.columns = rows, columns
        self._other = [[pairs[column * count + row][1] for column in range(len(columns))] for row in range(count)]
        self.name, self.fingerprint = str(path), tokens.fingerprint

    def payoff(self, state: State) -> tuple[float, float]:  # type: ignore[override]
        row, column = state
        return self.payoffs[row][column], self._other[row][column]


def _read_strategies(tokens: TokenStream) -> tuple[tuple[str, ...], tuple[str, ...]]:
    position = tokens.peek().position
    tokens.take_sign("{")
    strategies: list[tuple[str, ...]] = []
    while not tokens.skip_sign("}"):
        if tokens.peek().kind == NUMBER:
            count = min(tokens.take_integer("a number of strategies", 1), MAX_PAIRS + 1)
            strategies.append(tuple(str(k) for k in range(1, count + 1)))
            continue
        strategies.append(make_names_distinct(tokens.take_texts("a strategy")))
    if len(strategies) != 2 or not all(strategies):
        tokens.fail("there must be strategies of two players", position)
    tokens.skip_text()
    return strategies[0], strategies[1]


def _read_payoffs(tokens: TokenStream, count: int) -> list[tuple[float, float]]:
    payoffs: list[tuple[float, float]] = []
    if not tokens.next_is_sign("{"):
        for _ in range(count):
            position = tokens.peek().position
            first = tokens.take_number("a payoff")
            tokens.skip_sign(",")
            payoffs.append(tokens.check_zero_sum(first, tokens.take_number("a payoff"), position))
            tokens.skip_sign(",")
        return payoffs
    outcomes = _read_outcomes(tokens)
    for _ in range(count):
        position = tokens.peek().position
        number = tokens.take_integer("the number of an outcome", 0)
        if number > len(outcomes):
            tokens.fail(f"there is no outcome {number}", position)
        first, second = outcomes[number - 1] if number else (Fraction(0), Fraction(0))
        payoffs.append(tokens.check_zero_sum(first, second, position))
    return payoffs


def _read_outcomes(tokens: TokenStream) -> list[tuple[Fraction, Fraction]]:
    tokens.take_sign("{")
    outcomes = []
    while not tokens.skip_sign("}"):
        position = tokens.peek().position
        tokens.take_sign("{")
        tokens.skip_text()
        outcomes.append(tokens.take_payoffs(position))
    return outcomes
