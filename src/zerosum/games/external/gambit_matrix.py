"""Games in Gambit's strategic form: `game.nfg`, two players who choose once at the same time.

    NFG 1 R "title" { "one" "two" } { 2 3 } "comment"                     how many strategies each has
    NFG 1 R "title" { "one" "two" } { { "a" "b" } { "x" "y" "z" } }       or their names

then the payoffs of both players for every pair of strategies, the first player's changing first; or, in brackets, a
list of outcomes { "name" payoffs }, and then the number of an outcome for every pair.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from zerosum.games.external.gambit_tokens import END, NUMBER, TEXT, TokenStream, ZeroSumCheck, make_distinct
from zerosum.games.matrix import MatrixGame, State

MAX_PAIRS = 5_000_000
"""Pairs of strategies."""


class GambitMatrixGame(MatrixGame):
    """The rules that a file in Gambit's strategic form describes."""

    def __init__(self, path: str | Path) -> None:
        tokens = TokenStream.from_file(path)
        self.heading = tokens.heading("NFG", 1, "strategic form")
        rows, columns = _strategies(tokens)
        if len(rows) * len(columns) > MAX_PAIRS:
            tokens.error(f"the game has more than {MAX_PAIRS:,} pairs of strategies")
        pairs = _payoffs(tokens, len(rows) * len(columns))
        if tokens.peek().kind != END:
            tokens.unexpected("nothing more")
        count = len(rows)
        super().__init__([[pairs[column * count + row][0] for column in range(len(columns))] for row in range(count)])
        self.rows, self.columns = rows, columns
        self._other = [[pairs[column * count + row][1] for column in range(len(columns))] for row in range(count)]
        self.name, self.fingerprint = str(path), tokens.fingerprint

    def payoff(self, state: State) -> tuple[float, float]:  # type: ignore[override]
        row, column = state
        return self.payoffs[row][column], self._other[row][column]


def _strategies(tokens: TokenStream) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The strategies of both players."""
    position = tokens.peek().position
    tokens.sign("{")
    strategies: list[tuple[str, ...]] = []
    while not tokens.skip("}"):
        if tokens.peek().kind == NUMBER:
            count = min(tokens.whole("a number of strategies", 1), MAX_PAIRS + 1)
            strategies.append(tuple(str(k) for k in range(1, count + 1)))
            continue
        tokens.sign("{")
        names: list[str] = []
        while not tokens.skip("}"):
            names.append(tokens.name("a strategy"))
        strategies.append(make_distinct(names))
    if len(strategies) != 2 or not all(strategies):
        tokens.error("there must be strategies of two players", position)
    if tokens.peek().kind == TEXT:
        tokens.next()
    return strategies[0], strategies[1]


def _payoffs(tokens: TokenStream, count: int) -> list[tuple[float, float]]:
    """The payoffs of both players for every pair of strategies."""
    sums = ZeroSumCheck(tokens)
    payoffs: list[tuple[float, float]] = []
    if not tokens.next_is("{"):
        for _ in range(count):
            position = tokens.peek().position
            first = tokens.number("a payoff")
            tokens.skip(",")
            payoffs.append(sums.check(first, tokens.number("a payoff"), position))
            tokens.skip(",")
        return payoffs
    outcomes = _outcomes(tokens)
    for _ in range(count):
        position = tokens.peek().position
        number = tokens.whole("the number of an outcome", 0)
        if number > len(outcomes):
            tokens.error(f"there is no outcome {number}", position)
        first, second = outcomes[number - 1] if number else (Fraction(0), Fraction(0))
        payoffs.append(sums.check(first, second, position))
    return payoffs


def _outcomes(tokens: TokenStream) -> list[tuple[Fraction, Fraction]]:
    tokens.sign("{")
    outcomes = []
    while not tokens.skip("}"):
        position = tokens.peek().position
        tokens.sign("{")
        if tokens.peek().kind == TEXT:
            tokens.next()
        payoffs = []
        while not tokens.skip("}"):
            payoffs.append(tokens.number("a payoff"))
            tokens.skip(",")
        if len(payoffs) != 2:
            tokens.error(f"an outcome pays {len(payoffs)} players, and the game has two", position)
        outcomes.append((payoffs[0], payoffs[1]))
    return outcomes
