"""The words of Gambit's files: texts in quotes, numbers, brackets; where each one stands, for sentences about it."""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, NoReturn

from rue.disk import open_regular
from rue.errors import RueError
from rue.python_files import home_path
from rue.words import quoted

ENDINGS = (".efg", ".nfg")
MOST_BYTES = 100_000_000
"""A file may have."""
LONGEST = 1000
"""Characters of a number: a chance of 1e-300 beside another is a fraction of 600 digits."""
LARGEST_EXPONENT = 400
LARGEST = int(sys.float_info.max)
TEXT, NUMBER, SIGN, WORD, END = "text", "number", "sign", "word", "end"
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\"|\\(?!"))*")'
    r"|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:/\d+)?(?![\w.\"/]))"
    r"|(?P<sign>[{},])|(?P<word>[A-Za-z]+))",
    re.DOTALL,
)
CHANCE_TOLERANCE = Fraction(1, 100_000)
"""How far chances may be from 1 in sum, as 0.333333 three times is; they are then divided by their sum."""
SUM_TOLERANCE = Fraction(1, 10**9)


def names_gambit(text: str) -> bool:
    """Whether a text names a file of Gambit's.

    >>> names_gambit("games/poker.efg"), names_gambit("leduc")
    (True, False)
    """
    return text.strip().lower().endswith(ENDINGS)


class Token(NamedTuple):
    """A word: its kind, what it says, where it begins."""

    kind: str
    said: str
    at: int


class Heading(NamedTuple):
    """What a file calls its game and the players."""

    title: str
    players: tuple[str, str]


class Words:
    """The words of a file, one after the other; every refusal names the line and the column."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.position = 0
        self._next: Token | None = None

    @staticmethod
    def of(path: str | Path) -> Words:
        """Those of a file, if it is one and not too large."""
        found = home_path(path)
        try:
            with open_regular(found) as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            raise RueError(f"there is no file {found}") from None
        except OSError as error:
            raise RueError(f"cannot read {found}: {error.strerror or error}") from None
        if len(data) > MOST_BYTES:
            raise RueError(f"{found} is too large: a game in a file may have {MOST_BYTES // 1_000_000} MB")
        try:
            return Words(data.decode("utf-8-sig"), str(found))
        except UnicodeDecodeError as error:
            raise RueError(f"{found} is not a game of Gambit's: it is not text at byte {error.start}") from None

    @property
    def fingerprint(self) -> str:
        """A hash of the file."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    def refuse(self, why: str, at: int | None = None) -> NoReturn:
        """Say what is wrong, and where."""
        place = self.position if at is None else at
        before = self.text.rfind("\n", 0, place)
        line, column = self.text.count("\n", 0, place) + 1, place - before
        raise RueError(f"{self.source}, line {line}, column {column}: {why}")

    def peek(self) -> Token:
        """The next word, which stays the next one."""
        if self._next is None:
            match = _TOKEN.match(self.text, self.position)
            if match is None or match.lastgroup is None:
                rest = len(self.text) - len(self.text[self.position :].lstrip())
                if rest < len(self.text):
                    self.refuse(f"cannot read {quoted(self.text[rest : rest + 20])}", rest)
                self._next = Token(END, "", len(self.text.rstrip()))
            else:
                self._next = Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
                self.position = match.end()
        return self._next

    def take(self) -> Token:
        """The next word."""
        token = self.peek()
        self._next = None
        return token

    def expected(self, what: str) -> NoReturn:
        """Refuse the next word, which should be something else."""
        token = self.peek()
        found = "the file ends" if token.kind == END else f"there is {quoted(token.said)}"
        self.refuse(f"{what} should be here, and {found}", token.at)

    def sees(self, said: str) -> bool:
        """Whether the next word is a sign."""
        return self.peek().kind == SIGN and self.peek().said == said

    def skip(self, said: str) -> bool:
        """Take a sign if it is there."""
        there = self.sees(said)
        if there:
            self.take()
        return there

    def sign(self, said: str) -> None:
        """Take a sign that must be there."""
        if not self.skip(said):
            self.expected(f"a {said}")

    def name(self, what: str) -> str:
        """Take a text."""
        if self.peek().kind != TEXT:
            self.expected(f"{what} in quotes")
        return " ".join(self.take().said[1:-1].replace('\\"', '"').split())

    def whole(self, what: str, least: int) -> int:
        """Take a whole number."""
        token = self.peek()
        if token.kind != NUMBER or not token.said.isdecimal() or len(token.said) > 12 or int(token.said) < least:
            self.expected(f"{what}, a whole number from {least} on,")
        return int(self.take().said)

    def number(self, what: str) -> Fraction:
        """Take a number, with all its digits."""
        token = self.peek()
        if token.kind != NUMBER:
            self.expected(f"{what}, a number,")
        self.take()
        value, _, below = token.said.partition("/")
        exponent = re.search(r"[eE]([+-]?\d+)$", value)
        if len(token.said) > LONGEST or (exponent and abs(int(exponent[1])) > LARGEST_EXPONENT):
            self.refuse(f"the number {quoted(token.said)} is too long or too large", token.at)
        if below and not int(below):
            self.refuse(f"the number {token.said} divides by zero", token.at)
        found = Fraction(value) / (int(below) if below else 1)
        if abs(found) > LARGEST:
            self.refuse(f"the number {quoted(token.said)} is too large", token.at)
        return found

    def numbers(self, what: str) -> list[Fraction]:
        """Take numbers in brackets, with commas between them or not."""
        self.sign("{")
        found = []
        while not self.skip("}"):
            found.append(self.number(what))
            self.skip(",")
        return found

    def word(self, *known: str) -> str:
        """Take one of some words."""
        if self.peek().kind != WORD or self.peek().said not in known:
            self.expected(" or ".join(known))
        return self.take().said

    def heading(self, kind: str, version: int, told: str) -> Heading:
        """The words that a file of a kind begins with: its version, its title, the players."""
        self.word(kind)
        if self.whole("the version of the format", 0) != version:
            self.refuse(f"only version {version} of Gambit's {told} is read")
        self.word("R", "D")
        return Heading(self.name("the title"), self.players())

    def players(self) -> tuple[str, str]:
        """Take the names of two players; other numbers of them are refused."""
        self.sign("{")
        at = self.peek().at
        names: list[str] = []
        while not self.skip("}"):
            names.append(self.name("the name of a player"))
        if len(names) != 2:
            players = f"{len(names)} player{'s' * (len(names) != 1)}"
            self.refuse(f"the game has {players}, and rue solves games of two", at)
        return names[0], names[1]


class Sums:
    """The sum of both players' payoffs, which must be the same at all ends."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.first: tuple[Fraction, int] | None = None

    def check(self, one: Fraction, two: Fraction, at: int) -> tuple[float, float]:
        """The payoffs of an end as floats; refused if they sum to something else than those before."""
        both = one + two
        if self.first is None:
            self.first = both, at
        elif abs(both - self.first[0]) > SUM_TOLERANCE * max(Fraction(1), abs(self.first[0])):
            before = self.words.text.count("\n", 0, self.first[1]) + 1
            told = f"the payoffs sum to {float(both):g} here and to {float(self.first[0]):g} in line {before}"
            self.words.refuse(f"the game is not zero-sum: {told}", at)
        if not (math.isfinite(float(one)) and math.isfinite(float(two))):
            self.words.refuse("a payoff is too large", at)
        return float(one), float(two)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Names that tell things apart: those without one are counted, those with the same one are told by their place.

    >>> distinct(["fold", "", "call", "call"])
    ('fold', '2', 'call (3)', 'call (4)')
    """
    often = Counter(names)
    found = [
        name if name and often[name] == 1 else f"{name} ({k})" if name else str(k)
        for k, name in enumerate(names, start=1)
    ]
    return tuple(found) if len(set(found)) == len(found) else tuple(str(k) for k in range(1, len(names) + 1))
