"""The locks of a game in sequence form, by its infosets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.problems.fit import GivenSequences, Names, fit, lay
from rue.problems.locks import EVERYWHERE, FROM, Lock, LocksLike, locks_of, split
from rue.results.game import GameResult
from rue.results.price import LockPrice
from rue.results.strategy import Entry, Strategy, StrategyLike
from rue.solvers.evaluate import evaluate
from rue.words import quoted

_PLAYER = re.compile(r"player\s*([12])$", re.IGNORECASE)


def game_locks(given: LocksLike | None, form: SequenceForm | None = None) -> tuple[Lock, ...]:
    """The locks of a game; with its form, their texts are taken apart where its infosets end.

    >>> import rue
    >>> form = rue.compile_game(rue.game("kuhn"))
    >>> [lock.where for lock in game_locks(["K|bet: call", "Q|: check 50%, bet 50%"], form)]
    ['K|bet', 'Q|']
    """
    known = set() if form is None else set(Names(form).known)

    def where_it_ends(text: str) -> tuple[str, str]:
        ends = [at for at, letter in enumerate(text) if letter == ":"]
        for at in reversed(ends):
            if text[:at].strip() in known:
                return text[:at].strip(), text[at + 1 :].strip()
        where, what = split(text)
        if what.startswith(FROM):
            return where, what
        return text[: ends[-1]].strip(), text[ends[-1] + 1 :].strip()

    locks = locks_of(given, where_it_ends)
    for lock in locks:
        for part in lock.parts:
            if part.hands:
                raise lock.wrong(f"hands like {quoted(part.hands)} are those of hold'em: name the whole infoset")
    return locks


def given_on(form: SequenceForm, locks: tuple[Lock, ...]) -> GivenSequences:
    """What the locks give each player, checked.

    >>> import rue
    >>> form = rue.compile_game(rue.game("rps"))
    >>> given_on(form, game_locks({"row": {"rock": 1.0}}))
    (array([nan,  1.,  0.,  0.]), None)
    """
    names = Names(form)
    one, two = (np.full(treeplex.sequences, np.nan) for treeplex in form.treeplexes)
    for lock in locks:
        strategy = _strategy(lock, names)
        for player, (own, said) in enumerate(zip((one, two), lay(names, strategy), strict=True)):
            twice = np.flatnonzero(~np.isnan(own) & ~np.isnan(said))
            if twice.size:
                raise RueError(f"{form.where(player, int(twice[0]))} is locked twice: leave out one of the locks")
            np.copyto(own, said, where=~np.isnan(said))
    first, second = (None if np.isnan(own).all() else own for own in (one, two))
    return first, second


def _strategy(lock: Lock, names: Names) -> Strategy:
    """What a lock says, infoset by infoset."""
    source = f"the lock {quoted(lock.told)}"
    if lock.source is None:
        return Strategy(source, tuple(Entry(None, lock.where, part.mix) for part in lock.parts))
    if isinstance(lock.source, Path):
        raise RueError(f"{source}: its file was not read")
    if not isinstance(lock.source, GameResult | Strategy):
        raise RueError(f"{source}: it is the strategy of a hold'em spot")
    found = replace(Strategy.of(lock.source), source=source)
    entries = tuple(_chosen(lock, found, names))
    if not entries:
        raise RueError(f"{source}: it says nothing about {quoted(lock.where)}")
    return replace(found, entries=entries)


def _chosen(lock: Lock, found: Strategy, names: Names) -> Iterator[Entry]:
    """Of a whole strategy what the lock is about: everything, a player's infosets, or one."""
    player = _PLAYER.match(lock.where)
    if lock.where == EVERYWHERE:
        yield from found.entries
    elif player is not None and lock.where not in names.known:
        yield from (each for each in found.entries if names.find(each, found)[0] == int(player[1]) - 1)
    else:
        place = names.find(Entry(None, lock.where, {}), found)
        yield from (each for each in found.entries if names.find(each, found) == place)


def price_on(form: SequenceForm, unlocked: StrategyLike, given: GivenSequences) -> LockPrice:
    """What locks cost, by the solution without them; the value of the locked game is still missing."""
    before = fit(form, unlocked)
    laid = before.with_given(given)
    found = evaluate(form, *laid.plans, given=given)
    value = form.value(*before.plans)
    counters = found.value + found.gains[0], found.gains[1] - found.value
    players = tuple(player + 1 for player, own in enumerate(given) if own is not None)
    return LockPrice(players, (value, -value), (found.value, -found.value), counters)
