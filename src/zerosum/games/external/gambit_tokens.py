"""Tokens of Gambit files: quoted texts, numbers, brackets; with the line and column of each for error messages."""

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

from zerosum.support.errors import ZerosumError
from zerosum.support.files import open_regular
from zerosum.support.text import quote
from zerosum.support.user_modules import home_path

MAX_BYTES = 100_000_000
"""Size of a file."""
MAX_DIGITS = 1000
"""Characters of a number: a chance of 1e-300 beside another is a fraction of 600 digits."""
MAX_EXPONENT = 400
MAX_NUMBER = int(sys.float_info.max)
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


class Token(NamedTuple):
    """A token: its kind, its text, and its position in the file."""

    kind: str
    text: str
    position: int


class Heading(NamedTuple):
    """The names of a game and its players."""

    title: str
    players: tuple[str, str]


class TokenStream:
    """The tokens of a file, one after the other; every error message names the line and the column."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.position = 0
        self._next: Token | None = None

    @staticmethod
    def from_file(path: str | Path) -> TokenStream:
        """The tokens of a file, which must not be too large."""
        source = home_path(path)
        try:
            with open_regular(source) as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise ZerosumError(f"there is no file {source}") from None
        except OSError as error:
            raise ZerosumError(f"cannot read {source}: {error.strerror or error}") from None
        if len(data) > MAX_BYTES:
            raise ZerosumError(f"{source} is too large: a game in a file may have {MAX_BYTES // 1_000_000} MB")
        try:
            return TokenStream(data.decode("utf-8-sig"), str(source))
        except UnicodeDecodeError as error:
            raise ZerosumError(f"{source} is not a Gambit game: it is not text at byte {error.start}") from None

    @property
    def fingerprint(self) -> str:
        """A hash of the file."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    def error(self, message: str, position: int | None = None) -> NoReturn:
        """Raise an error with the line and column of a position, by default the current one."""
        place = self.position if position is None else position
        before = self.text.rfind("\n", 0, place)
        line, column = self.text.count("\n", 0, place) + 1, place - before
        raise ZerosumError(f"{self.source}, line {line}, column {column}: {message}")

    def peek(self) -> Token:
        """Return the next token without taking it."""
        if self._next is None:
            match = _TOKEN.match(self.text, self.position)
            if match is None or match.lastgroup is None:
                rest = len(self.text) - len(self.text[self.position :].lstrip())
                if rest < len(self.text):
                    self.error(f"cannot read {quote(self.text[rest : rest + 20])}", rest)
                self._next = Token(END, "", len(self.text.rstrip()))
            else:
                self._next = Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
                self.position = match.end()
        return self._next

    def next(self) -> Token:
        """Take the next token."""
        token = self.peek()
        self._next = None
        return token

    def unexpected(self, expected: str) -> NoReturn:
        """Raise an error about the next token, which is not what is expected."""
        token = self.peek()
        actual = "the file ends" if token.kind == END else f"there is {quote(token.text)}"
        self.error(f"{expected} should be here, and {actual}", token.position)

    def next_is(self, sign: str) -> bool:
        """Whether the next token is a sign."""
        return self.peek().kind == SIGN and self.peek().text == sign

    def skip(self, sign: str) -> bool:
        """Take a sign if it is there, and return whether it is."""
        exists = self.next_is(sign)
        if exists:
            self.next()
        return exists

    def sign(self, sign: str) -> None:
        """Take a sign that must be there."""
        if not self.skip(sign):
            self.unexpected(f"a {sign}")

    def name(self, what: str) -> str:
        """Take a text."""
        if self.peek().kind != TEXT:
            self.unexpected(f"{what} in quotes")
        return " ".join(self.next().text[1:-1].replace('\\"', '"').split())

    def whole(self, what: str, least: int) -> int:
        """Take a whole number."""
        token = self.peek()
        if token.kind != NUMBER or not token.text.isdecimal() or len(token.text) > 12 or int(token.text) < least:
            self.unexpected(f"{what}, a whole number from {least} on,")
        return int(self.next().text)

    def number(self, what: str) -> Fraction:
        """Take a number, with all its digits."""
        token = self.peek()
        if token.kind != NUMBER:
            self.unexpected(f"{what}, a number,")
        self.next()
        value, _, divisor = token.text.partition("/")
        exponent = re.search(r"[eE]([+-]?\d+)$", value)
        if len(token.text) > MAX_DIGITS or (exponent and abs(int(exponent[1])) > MAX_EXPONENT):
            self.error(f"the number {quote(token.text)} is too long or too large", token.position)
        if divisor and not int(divisor):
            self.error(f"the number {token.text} divides by zero", token.position)
        number = Fraction(value) / (int(divisor) if divisor else 1)
        if abs(number) > MAX_NUMBER:
            self.error(f"the number {quote(token.text)} is too large", token.position)
        return number

    def numbers(self, what: str) -> list[Fraction]:
        """Take numbers in brackets, with commas between them or not."""
        self.sign("{")
        numbers = []
        while not self.skip("}"):
            numbers.append(self.number(what))
            self.skip(",")
        return numbers

    def word(self, *words: str) -> str:
        """Take one of several words."""
        if self.peek().kind != WORD or self.peek().text not in words:
            self.unexpected(" or ".join(words))
        return self.next().text

    def heading(self, kind: str, version: int, description: str) -> Heading:
        """Take the beginning of a file: its kind, its version, its title, the players."""
        self.word(kind)
        if self.whole("the version of the format", 0) != version:
            self.error(f"only version {version} of Gambit's {description} is supported")
        self.word("R", "D")
        return Heading(self.name("the title"), self.players())

    def players(self) -> tuple[str, str]:
        """Take the names of two players; other numbers of them are refused."""
        self.sign("{")
        position = self.peek().position
        names: list[str] = []
        while not self.skip("}"):
            names.append(self.name("the name of a player"))
        if len(names) != 2:
            players = f"{len(names)} player{'s' * (len(names) != 1)}"
            self.error(f"the game has {players}, and zerosum solves games of two", position)
        return names[0], names[1]


class ZeroSumCheck:
    """Checks that the payoffs of both players have the same sum at all ends."""

    def __init__(self, tokens: TokenStream) -> None:
        self.tokens = tokens
        self.first: tuple[Fraction, int] | None = None

    def check(self, first: Fraction, second: Fraction, position: int) -> tuple[float, float]:
        """Return the payoffs of an end as floats; raise an error if their sum differs from that of the first end."""
        both = first + second
        if self.first is None:
            self.first = both, position
        elif abs(both - self.first[0]) > SUM_TOLERANCE * max(Fraction(1), abs(self.first[0])):
            line = self.tokens.text.count("\n", 0, self.first[1]) + 1
            sums = f"the payoffs sum to {float(both):g} here and to {float(self.first[0]):g} in line {line}"
            self.tokens.error(f"the game is not zero-sum: {sums}", position)
        if not (math.isfinite(float(first)) and math.isfinite(float(second))):
            self.tokens.error("a payoff is too large", position)
        return float(first), float(second)


def make_distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Make names distinct: an empty name becomes its number, and equal names get their numbers added.

    >>> make_distinct(["fold", "", "call", "call"])
    ('fold', '2', 'call (3)', 'call (4)')
    """
    counts = Counter(names)
    distinct = [
        name if name and counts[name] == 1 else f"{name} ({k})" if name else str(k)
        for k, name in enumerate(names, start=1)
    ]
    return tuple(distinct) if len(set(distinct)) == len(distinct) else tuple(str(k) for k in range(1, len(names) + 1))
