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
from zerosum.support.user_modules import expand_home

MAX_BYTES = 100_000_000
"""Largest size of a file."""
MAX_DIGITS = 1000
"""Most characters of a number: a chance of 1e-300 beside another is a fraction of 600 digits."""
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
"""How far the sum of chances may be from 1, as for 0.333333 three times; they are then divided by their sum."""
SUM_TOLERANCE = Fraction(1, 10**9)


class Token(NamedTuple):
    kind: str
    text: str
    position: int


class Heading(NamedTuple):
    """The names of a game and its players."""

    title: str
    players: tuple[str, str]


class TokenStream:
    """The tokens of a file, one after the other; every error message names the line and the column.

    Methods that begin with `take_` raise an error if the next token is of another kind.
    """

    def __init__(self, path: str | Path) -> None:
        """Read a file; refuse one that is too large or no text."""
        self.source = expand_home(path)
        try:
            with open_regular(self.source) as file:
                data = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise ZerosumError(f"there is no file {self.source}") from None
        except OSError as error:
            raise ZerosumError(f"cannot read {self.source}: {error.strerror or error}") from None
        if len(data) > MAX_BYTES:
            raise ZerosumError(
                f"{self.source} is too large: a game in a file may have at most {MAX_BYTES // 1_000_000} MB"
            )
        try:
            self.text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ZerosumError(f"{self.source} is not a Gambit game: it is not text at byte {error.start}") from None
        self.position = 0
        self._next: Token | None = None
        self._first_sum: tuple[Fraction, int] | None = None
        """The sum of the payoffs at the first end, and its position."""

    @property
    def fingerprint(self) -> str:
        """A hash of the file."""
        return hashlib.blake2b(self.text.encode(), digest_size=16).hexdigest()

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        """Raise an error with the line and column of a position, by default the current one."""
        place = self.position if position is None else position
        before = self.text.rfind("\n", 0, place)
        line, column = self.text.count("\n", 0, place) + 1, place - before
        raise ZerosumError(f"{self.source}, line {line}, column {column}: {message}")

    def peek(self) -> Token:
        if self._next is None:
            match = _TOKEN.match(self.text, self.position)
            if match is None or match.lastgroup is None:
                rest = len(self.text) - len(self.text[self.position :].lstrip())
                if rest < len(self.text):
                    self.fail(f"cannot read {quote(self.text[rest : rest + 20])}", rest)
                self._next = Token(END, "", len(self.text.rstrip()))
            else:
                self._next = Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
                self.position = match.end()
        return self._next

    def take_token(self) -> Token:
        token = self.peek()
        self._next = None
        return token

    def fail_expecting(self, expected: str) -> NoReturn:
        token = self.peek()
        actual = "the file ends" if token.kind == END else f"there is {quote(token.text)}"
        self.fail(f"{expected} should be here, and {actual}", token.position)

    def next_is_sign(self, sign: str) -> bool:
        return self.peek().kind == SIGN and self.peek().text == sign

    def skip_sign(self, sign: str) -> bool:
        """Take a sign if it is there, and return whether it is."""
        if not self.next_is_sign(sign):
            return False
        self.take_token()
        return True

    def skip_text(self) -> None:
        """Take a text if it is there."""
        if self.peek().kind == TEXT:
            self.take_token()

    def take_sign(self, sign: str) -> None:
        if not self.skip_sign(sign):
            self.fail_expecting(f"a {sign}")

    def take_text(self, what: str) -> str:
        """Take a text and return it without quotes and needless spaces."""
        if self.peek().kind != TEXT:
            self.fail_expecting(f"{what} in quotes")
        return " ".join(self.take_token().text[1:-1].replace('\\"', '"').split())

    def take_texts(self, what: str) -> list[str]:
        """Take texts in brackets."""
        self.take_sign("{")
        texts = []
        while not self.skip_sign("}"):
            texts.append(self.take_text(what))
        return texts

    def take_integer(self, what: str, least: int) -> int:
        token = self.peek()
        if token.kind != NUMBER or not token.text.isdecimal() or len(token.text) > 12 or int(token.text) < least:
            self.fail_expecting(f"{what}, a whole number from {least} on,")
        return int(self.take_token().text)

    def take_number(self, what: str) -> Fraction:
        """Take a number, with all its digits."""
        token = self.peek()
        if token.kind != NUMBER:
            self.fail_expecting(f"{what}, a number,")
        self.take_token()
        value, _, divisor = token.text.partition("/")
        exponent = re.search(r"[eE]([+-]?\d+)$", value)
        if len(token.text) > MAX_DIGITS or (exponent and abs(int(exponent[1])) > MAX_EXPONENT):
            self.fail(f"the number {quote(token.text)} is too long or too large", token.position)
        if divisor and not int(divisor):
            self.fail(f"the number {token.text} divides by zero", token.position)
        number = Fraction(value) / (int(divisor) if divisor else 1)
        if abs(number) > MAX_NUMBER:
            self.fail(f"the number {quote(token.text)} is too large", token.position)
        return number

    def take_payoffs(self, position: int) -> tuple[Fraction, Fraction]:
        """Take the payoffs of an outcome up to the closing bracket, with commas between them or not."""
        payoffs = []
        while not self.skip_sign("}"):
            payoffs.append(self.take_number("a payoff"))
            self.skip_sign(",")
        if len(payoffs) != 2:
            self.fail(f"an outcome pays {len(payoffs)} players, and the game has two", position)
        return payoffs[0], payoffs[1]

    def take_word(self, *words: str) -> str:
        """Take one of several words."""
        if self.peek().kind != WORD or self.peek().text not in words:
            self.fail_expecting(" or ".join(words))
        return self.take_token().text

    def take_heading(self, kind: str, version: int, description: str) -> Heading:
        """Take the beginning of a file: its kind, its version, its title, the players."""
        self.take_word(kind)
        if self.take_integer("the version of the format", 0) != version:
            self.fail(f"only version {version} of Gambit's {description} is supported")
        self.take_word("R", "D")
        title, position = self.take_text("the title"), self.peek().position
        players = self.take_texts("the name of a player")
        if len(players) != 2:
            count = f"{len(players)} player{'s' * (len(players) != 1)}"
            self.fail(f"the game has {count}, and zerosum solves games of two", position)
        return Heading(title, (players[0], players[1]))

    def check_zero_sum(self, first: Fraction, second: Fraction, position: int) -> tuple[float, float]:
        """Return the payoffs of an end as floats; raise an error if their sum differs from that of the first end."""
        total = first + second
        expected, earlier = self._first_sum = self._first_sum or (total, position)
        if abs(total - expected) > SUM_TOLERANCE * max(Fraction(1), abs(expected)):
            line = self.text.count("\n", 0, earlier) + 1
            sums = f"the payoffs sum to {float(total):g} here and to {float(expected):g} in line {line}"
            self.fail(f"the game is not zero-sum: {sums}", position)
        if not (math.isfinite(float(first)) and math.isfinite(float(second))):
            self.fail("a payoff is too large", position)
        return float(first), float(second)


def make_names_distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Make names distinct: an empty name becomes its number, and equal names get their numbers added.

    >>> make_names_distinct(["fold", "", "call", "call"])
    ('fold', '2', 'call (3)', 'call (4)')
    """
    counts = Counter(names)
    distinct = [
        name if name and counts[name] == 1 else f"{name} ({k})" if name else str(k)
        for k, name in enumerate(names, start=1)
    ]
    return tuple(distinct) if len(set(distinct)) == len(distinct) else tuple(str(k) for k in range(1, len(names) + 1))
