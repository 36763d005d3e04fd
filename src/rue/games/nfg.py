"""Games of Gambit's strategic form: `game.nfg`, two players who choose once at the same time.

    NFG 1 R "title" { "one" "two" } { 2 3 } "comment"                     how many strategies each has
    NFG 1 R "title" { "one" "two" } { { "a" "b" } { "x" "y" "z" } }       or their names

then the payoffs of both players for every pair of strategies, the first player's changing first; or, in brackets, a
list of outcomes { "name" payoffs }, and then the number of an outcome for every pair.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from rue.games.gambit_text import END, NUMBER, TEXT, Sums, Words, distinct
from rue.games.matrix import Matrix, State

MOST = 5_000_000
"""Pairs of strategies."""


class StrategicForm(Matrix):
    """The rules that a file in Gambit's strategic form describes."""

    def __init__(self, path: str | Path) -> None:
        words = Words.of(path)
        self.heading = words.heading("NFG", 1, "strategic form")
        rows, columns = _strategies(words)
        if len(rows) * len(columns) > MOST:
            words.refuse(f"the game has more than {MOST:,} pairs of strategies")
        pairs = _payoffs(words, len(rows) * len(columns))
        if words.peek().kind != END:
            words.expected("nothing more")
        count = len(rows)
        super().__init__([[pairs[column * count + row][0] for column in range(len(columns))] for row in range(count)])
        self.rows, self.columns = rows, columns
        self._other = [[pairs[column * count + row][1] for column in range(len(columns))] for row in range(count)]
        self.name, self.fingerprint = str(path), words.fingerprint

    def payoff(self, state: State) -> tuple[float, float]:  # type: ignore[override]
        row, column = state
        return self.payoffs[row][column], self._other[row][column]


def _strategies(words: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The strategies of both players."""
    at = words.peek().at
    words.sign("{")
    found: list[tuple[str, ...]] = []
    while not words.skip("}"):
        if words.peek().kind == NUMBER:
            found.append(tuple(str(k) for k in range(1, min(words.whole("a number of strategies", 1), MOST + 1) + 1)))
            continue
        words.sign("{")
        names: list[str] = []
        while not words.skip("}"):
            names.append(words.name("a strategy"))
        found.append(distinct(names))
    if len(found) != 2 or not all(found):
        words.refuse("there must be strategies of two players", at)
    if words.peek().kind == TEXT:
        words.take()
    return found[0], found[1]


def _payoffs(words: Words, count: int) -> list[tuple[float, float]]:
    """The payoffs of both players for every pair of strategies."""
    sums = Sums(words)
    found: list[tuple[float, float]] = []
    if not words.sees("{"):
        for _ in range(count):
            at = words.peek().at
            one = words.number("a payoff")
            words.skip(",")
            found.append(sums.check(one, words.number("a payoff"), at))
            words.skip(",")
        return found
    outcomes = _outcomes(words)
    for _ in range(count):
        at = words.peek().at
        number = words.whole("the number of an outcome", 0)
        if number > len(outcomes):
            words.refuse(f"there is no outcome {number}", at)
        one, two = outcomes[number - 1] if number else (Fraction(0), Fraction(0))
        found.append(sums.check(one, two, at))
    return found


def _outcomes(words: Words) -> list[tuple[Fraction, Fraction]]:
    words.sign("{")
    found = []
    while not words.skip("}"):
        at = words.peek().at
        words.sign("{")
        if words.peek().kind == TEXT:
            words.take()
        pays = []
        while not words.skip("}"):
            pays.append(words.number("a payoff"))
            words.skip(",")
        if len(pays) != 2:
            words.refuse(f"an outcome pays {len(pays)} players, and the game has two", at)
        found.append((pays[0], pays[1]))
    return found
