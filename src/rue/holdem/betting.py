"""The betting abstraction: what each player may bet or raise at each decision.

It has sizes by street and player (`rue.holdem.bets`), rules that change them, and what is different after some lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypedDict, Unpack

from rue.errors import RueError, nearest
from rue.holdem.bets import PAPER_BETS, PAPER_RAISES, PLAYERS, By, Sizes, at_places, check_sizes, decimals, joined
from rue.holdem.cards import STREETS
from rue.holdem.shares import parse_share
from rue.holdem.words import words
from rue.records import dataclass


class Turn(NamedTuple):
    """Whose turn it is on a street, and the chips: `pot` holds everything bet so far, `own` and `top` what the two have
    bet on this street, `last` is the last raise, `bets` and `actions` how many of them the round has seen."""

    street: int
    player: int
    pot: float
    stack: float
    own: float = 0.0
    top: float = 0.0
    last: float = 0.0
    bets: int = 0
    actions: int = 0

    @property
    def called(self) -> float:
        """The pot after a call."""
        return self.pot + self.top - self.own


@dataclass(frozen=True)
class Rules:
    """What holds for all sizes.

    - `minimum`: the smallest bet, and the least by which a raise exceeds the bet before; a raise must also
      exceed it by at least the last raise. Smaller sizes are made as large as that.
    - `caps`: how many bets and raises a round allows on the flop, turn and river; none for any number.
    - `allin_threshold`: a bet becomes all-in if what it leaves behind is at most this share of the pot after
      it is called; at 0 only a bet of the whole stack or more does.
    - `force_allin`: a bet becomes all-in if it takes at least this share of what the player has left.
    - `add_allin`: where there are sizes, all-in is one more if at most this many pots are left behind a call.
    - `merge`: of two sizes the smaller one goes if the pot after the larger bet is less than 1 + this times the pot
      after the smaller one.
    """

    minimum: float = 100.0
    caps: tuple[int | None, ...] = (None, None, None)
    allin_threshold: float = 0.0
    force_allin: float = 1.0
    add_allin: float = 0.0
    merge: float = 0.0

    def __post_init__(self) -> None:
        for cap in self.caps:
            if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 0):
                raise RueError(f"the cap on raises is {cap}; it must be a whole number, 0 or more, or none")
        if not 0 < self.minimum < math.inf:
            raise RueError(f"the minimum bet is {self.minimum}; it must be above zero")
        if not 0 < self.force_allin <= 1:
            raise RueError(f"the share that forces all-in is {self.force_allin:g}; it must be more than 0%, up to 100%")
        for name, value in (
            ("all-in threshold", self.allin_threshold), ("stack-to-pot ratio that adds all-in", self.add_allin),
            ("share by which sizes merge", self.merge),
        ):  # fmt: skip
            if not 0 <= value < math.inf:
                raise RueError(f"the {name} is {value}; it must be 0 or more")

    def targets(self, sizes: Sequence[float], at: Turn) -> list[float]:
        """What these sizes, in chips on this street, become, ascending."""
        found = {at.stack if self._is_allin(to, at) else to for to in sizes}
        if found and at.stack - at.top <= self.add_allin * at.called:
            found.add(at.stack)
        kept: list[float] = []
        for to in sorted(found, reverse=True):
            after = at.pot - at.own + to
            if not kept or at.pot - at.own + kept[-1] >= (1 + self.merge) * after:
                kept.append(to)
        return kept[::-1]

    def _is_allin(self, to: float, at: Turn) -> bool:
        called = at.pot - at.own - at.top + 2 * to
        left = at.stack - to
        forced = to - at.own >= self.force_allin * (at.stack - at.own)
        return left <= 0 or left <= self.allin_threshold * called or forced


class Edit(NamedTuple):
    """What is different after a line: the sizes there or, without them, that the line is not there at all."""

    line: tuple[str, ...]
    sizes: Sizes | None
    text: str

    def after(self) -> Edit:
        """The same one action on."""
        return self._replace(line=self.line[1:])


class BettingOptions(TypedDict, total=False):
    """What may be said of a betting besides bets and raises; see docs/holdem.md."""

    by: By
    donks: str | None
    aggressor: str | None
    cap: int | str | None
    minimum: float
    allin_threshold: float
    force_allin: float | str
    add_allin: float
    merge: float | str
    at: str | Sequence[str]
    without: str | Sequence[str]


@dataclass(frozen=True)
class Betting:
    """What may be bet: sizes by street and player, and the rules that bound them.

    - `sizes[street][player]`: streets flop, turn, river; players out of position, in position.
    - `donks[street]`: the first bets out of position when the other player was the last to bet on the street before;
      None where they are like other bets.
    - `aggressor`: who was the last to bet before this betting begins, if anybody: 0 out of position, 1 in position.
    - `edits`: what is different after single lines.

    >>> betting = Betting.parse("50%,100%; river: 75%,allin", "100%,allin", donks="33%; flop: none", cap="3; river: 2")
    >>> betting.options()["bets"], betting.options()["donks"], betting.options()["cap"]
    ('50%,100%; river: 75%,allin', '33%; flop: none', '3; river: 2')
    """

    sizes: tuple[tuple[Sizes, Sizes], ...]
    rules: Rules = Rules()
    donks: tuple[Sizes | None, ...] = (None, None, None)
    aggressor: int | None = None
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        if len(self.sizes) != len(STREETS) or any(len(pair) != len(PLAYERS) for pair in self.sizes):
            raise RueError("a betting needs sizes for the flop, the turn and the river, for both players")

    @classmethod
    def parse(
        cls,
        bets: str = PAPER_BETS,
        raises: str | None = PAPER_RAISES,
        start: int = 0,
        **options: Unpack[BettingOptions],
    ) -> Betting:
        """Read the texts of bets and raises; with `by="actions"` the bets name every step.

        Streets before `start` need not be spoken of.
        """
        by = options.get("by", "bets")
        if by not in ("bets", "actions"):
            raise RueError(f"steps are counted by bets or by actions, not by {by!r}")
        first = at_places(bets, start)
        later = {} if raises is None or by == "actions" else at_places(raises, start)
        sizes = tuple(
            tuple(Sizes.parse(first[street, who], later.get((street, who)), by) for who in PLAYERS)
            for street in STREETS
        )
        edits = (*_each(options.get("at", ()), _sizes_after), *_each(options.get("without", ()), _nothing_after))
        donks = _donks(options.get("donks"), start)
        return cls(sizes, _rules(options), donks, _player(options.get("aggressor")), edits)  # type: ignore[arg-type]

    @property
    def by(self) -> By:
        """What the steps count: bets or actions."""
        return self.sizes[0][0].by

    def texts(self) -> tuple[str, str]:
        """The texts of bets and raises that `parse` reads back; no raises where steps count actions."""
        written = [[sizes.texts() for sizes in pair] for pair in self.sizes]
        bets = joined([[texts[0] for texts in pair] for pair in written])
        return bets, "" if self.by == "actions" else joined([[texts[1] for texts in pair] for pair in written])

    def options(self) -> dict[str, Any]:
        """What `parse` reads back to this betting, the start aside; what is as ever is left out."""
        bets, raises = self.texts()
        rules, usual = self.rules, Rules()
        found = {"bets": bets, "raises": raises, "by": self.by, "minimum": rules.minimum}
        if self.by == "actions":
            del found["raises"]
        if any(donks is not None for donks in self.donks):
            found["donks"] = _by_street([None if donks is None else donks.texts()[0] for donks in self.donks], "bets")
        if self.aggressor is not None:
            found["aggressor"] = PLAYERS[self.aggressor]
        if rules.caps != usual.caps:
            found["cap"] = rules.caps[0] if len(set(rules.caps)) == 1 else _by_street(list(rules.caps), "none")
        for name in ("allin_threshold", "force_allin", "add_allin", "merge"):
            if getattr(rules, name) != getattr(usual, name):
                found[name] = getattr(rules, name)
        lines = [edit.text for edit in self.edits if edit.sizes is not None]
        without = [edit.text for edit in self.edits if edit.sizes is None]
        return found | ({"at": lines} if lines else {}) | ({"without": without} if without else {})

    def targets(self, at: Turn, sizes: Sizes | None = None) -> list[float]:
        """What a player may bet or raise to, in chips on this street, ascending; `at.stack` means all-in.

        `sizes` take the place of those of the street.

        >>> Betting.parse().targets(Turn(street=2, player=0, pot=500, stack=19750))
        [250.0, 500.0, 19750]
        """
        cap = self.rules.caps[at.street]
        if at.top >= at.stack or (cap is not None and at.bets >= cap):
            return []
        least = at.top + max(self.rules.minimum, at.last)
        chosen = sizes.steps[0] if sizes is not None else self._sizes(at).at(at.bets, at.actions)
        streets, digits = len(STREETS) - at.street, decimals(at.pot - at.own - at.top, at.stack)
        found: list[float] = []
        for size in chosen:
            to = round(max(size.amount(at.pot, at.own, at.top, at.stack, streets), least), digits)
            if to <= at.top:
                raise RueError(f"the bet size {size} and the minimum bet are too small beside the chips in play")
            found.append(to)
        return self.rules.targets(found, at)

    def _sizes(self, at: Turn) -> Sizes:
        donks = self.donks[at.street]
        led = at.player == 0 and at.actions == 0 and self.aggressor == 1
        return donks if led and donks is not None else self.sizes[at.street][at.player]

    def after(self, aggressor: int | None, edits: tuple[Edit, ...]) -> Betting:
        """The betting of the streets that follow one; who was the last to bet there matters if there are donks."""
        known = aggressor if any(donks is not None for donks in self.donks) else None
        return replace(self, aggressor=known, edits=edits)


def _rules(options: BettingOptions) -> Rules:
    usual = Rules()
    return Rules(
        minimum=options.get("minimum", usual.minimum),
        caps=_caps(options.get("cap")),
        allin_threshold=options.get("allin_threshold", usual.allin_threshold),
        force_allin=parse_share(options.get("force_allin", usual.force_allin), "share that forces all-in"),
        add_allin=options.get("add_allin", usual.add_allin),
        merge=parse_share(options.get("merge", usual.merge), "share by which sizes merge"),
    )


def _caps(given: Any) -> tuple[int | None, ...]:
    """A number for all streets, or a text like `3; river: 2`."""
    if not isinstance(given, str):
        return given, given, given
    found: dict[str, int | None] = dict.fromkeys(STREETS)
    for street, text in _streets(given, "cap on raises"):
        if text != "none" and not text.isdecimal():
            raise RueError(f"the cap on raises is {text!r}; it must be a whole number, 0 or more, or none")
        found[street] = None if text == "none" else int(text)
    return tuple(found.values())


def _donks(given: str | None, start: int) -> tuple[Sizes | None, ...]:
    """Sizes of all streets, or a text like `33%; river: none`; `bets` where they are like other bets."""
    found: dict[str, Sizes | None] = dict.fromkeys(STREETS)
    if given is not None:
        check_sizes(given)
        for street, text in _streets(given, "donk sizes"):
            found[street] = None if text == "bets" else Sizes.parse(text)
    return tuple(found.values())


def _streets(text: str, what: str) -> Iterator[tuple[str, str]]:
    """The parts of a text and the streets that they are about."""
    for part in text.split(";"):
        where, colon, told = part.rpartition(":")
        street = where.strip().lower()
        if colon and street not in STREETS:
            raise RueError(f"the {what} speak of {street!r}, which is no street; {nearest(street, STREETS)}")
        yield from ((each, told.strip().lower()) for each in ([street] if colon else STREETS))


def _by_street(values: list[Any], otherwise: str) -> str:
    """One text for all streets: the most frequent value, then what differs."""
    texts = [otherwise if value is None else str(value) for value in values]
    common = max(texts, key=texts.count)
    different = [f"{street}: {text}" for street, text in zip(STREETS, texts, strict=True) if text != common]
    return "; ".join([common, *different])


def _player(given: str | None) -> int | None:
    if given is None or given in PLAYERS:
        return None if given is None else PLAYERS.index(given)
    raise RueError(f"the aggressor is {given!r}; it must be oop or ip")


def _each(given: str | Sequence[str], read: Any) -> Iterator[Edit]:
    for text in [given] if isinstance(given, str) else given:
        if not isinstance(text, str):
            raise RueError(f"lines of a betting tree are texts, not {text!r}")
        yield read(text)


def _sizes_after(text: str) -> Edit:
    line, colon, sizes = text.rpartition(":")
    if not colon:
        raise RueError(f"{text!r} names no sizes: write a line, a colon and sizes, like 'check bet33: 60%,allin'")
    check_sizes(sizes)
    return Edit(tuple(words(line)), Sizes.parse(sizes), text)


def _nothing_after(text: str) -> Edit:
    line = tuple(words(text))
    if not line:
        raise RueError("a line that is taken out of a betting tree needs at least one action")
    return Edit(line, None, text)
