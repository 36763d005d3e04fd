"""Parse the locks of a game: which infosets they fix, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from zerosum.engine.fixed_strategies import GivenSequences
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.sequence.best_response import evaluate
from zerosum.problems.games.strategy_profile import InfosetIndex, build_strategy_arrays, match_strategy
from zerosum.problems.kinds import GAME, describe_kind
from zerosum.problems.locks import EVERYWHERE, FILE_PREFIX, Lock, LocksLike, parse_locks, split_lock
from zerosum.results.lock_cost import LockPrice
from zerosum.results.strategy import InfosetEntry, Strategy, StrategyLike
from zerosum.support.errors import ZerosumError
from zerosum.support.text import quote

_PLAYER = re.compile(r"player\s*([12])$", re.IGNORECASE)


def parse_game_locks(source: LocksLike | None, form: SequenceForm | None = None) -> tuple[Lock, ...]:
    """Parse the locks of a game; with its form, texts are split where the names of its infosets end.

    >>> import zerosum
    >>> form = zerosum.compile_game(zerosum.game("kuhn"))
    >>> [lock.where for lock in parse_game_locks(["K|bet: call", "Q|: check 50%, bet 50%"], form)]
    ['K|bet', 'Q|']
    """
    infosets = set() if form is None else set(InfosetIndex(form).places)

    def split_at_infoset(text: str) -> tuple[str, str]:
        colons = [index for index, letter in enumerate(text) if letter == ":"]
        for index in reversed(colons):
            if text[:index].strip() in infosets:
                return text[:index].strip(), text[index + 1 :].strip()
        where, what = split_lock(text)
        if what.startswith(FILE_PREFIX):
            return where, what
        return text[: colons[-1]].strip(), text[colons[-1] + 1 :].strip()

    locks = parse_locks(source, split_at_infoset)
    for lock in locks:
        for part in lock.parts:
            if part.hands:
                raise lock.make_error(
                    f"hands like {quote(part.hands)} cannot be locked in a game: name the whole infoset"
                )
    return locks


def compute_fixed_sequences(form: SequenceForm, locks: tuple[Lock, ...]) -> GivenSequences:
    """Return the probabilities that the locks fix for each player.

    >>> import zerosum
    >>> form = zerosum.compile_game(zerosum.game("rps"))
    >>> compute_fixed_sequences(form, parse_game_locks({"row": {"rock": 1.0}}))
    (array([nan,  1.,  0.,  0.]), None)
    """
    names = InfosetIndex(form)
    fixed = [np.full(treeplex.sequences, np.nan) for treeplex in form.treeplexes]
    for lock in locks:
        strategy = _read_lock_strategy(lock, names)
        for player, (target, values) in enumerate(zip(fixed, build_strategy_arrays(names, strategy), strict=True)):
            twice = np.flatnonzero(~np.isnan(target) & ~np.isnan(values))
            if twice.size:
                raise ZerosumError(
                    f"{form.describe_sequence(player, int(twice[0]))} is locked twice: drop one of the locks"
                )
            np.copyto(target, values, where=~np.isnan(values))
    first, second = (None if np.isnan(values).all() else values for values in fixed)
    return first, second


def _read_lock_strategy(lock: Lock, names: InfosetIndex) -> Strategy:
    """Return the strategy of a lock, infoset by infoset."""
    source = f"the lock {quote(lock.text)}"
    if lock.source is None:
        return Strategy(source, tuple(InfosetEntry(None, lock.where, part.mix) for part in lock.parts))
    if isinstance(lock.source, Path):
        raise ZerosumError(f"{source}: its file was not read")
    if lock.source.problem_kind != GAME:
        raise ZerosumError(f"{source}: it is the strategy of a {describe_kind(lock.source)}")
    strategy = replace(Strategy.from_value(lock.source), source=source)  # type: ignore[arg-type]
    entries = tuple(_iterate_locked_entries(lock, strategy, names))
    if not entries:
        raise ZerosumError(f"{source}: it says nothing about {quote(lock.where)}")
    return replace(strategy, entries=entries)


def _iterate_locked_entries(lock: Lock, strategy: Strategy, names: InfosetIndex) -> Iterator[InfosetEntry]:
    """Yield the entries of a strategy that the lock fixes: all, those of a player, or those of an infoset."""
    player = _PLAYER.match(lock.where)
    if lock.where == EVERYWHERE:
        yield from strategy.entries
    elif player is not None and lock.where not in names.places:
        yield from (entry for entry in strategy.entries if names.find(entry, strategy)[0] == int(player[1]) - 1)
    else:
        place = names.find(InfosetEntry(None, lock.where, {}), strategy)
        yield from (entry for entry in strategy.entries if names.find(entry, strategy) == place)


def compute_lock_cost(form: SequenceForm, unlocked: StrategyLike, fixed: GivenSequences) -> LockPrice:
    """Return the cost of locks, from the solution without them; the value of the locked game is still missing."""
    before = match_strategy(form, unlocked)
    locked = before.with_fixed(fixed)
    evaluation = evaluate(form, *locked.plans, fixed=fixed)
    value = form.value(*before.plans)
    counters = evaluation.value + evaluation.gains[0], evaluation.gains[1] - evaluation.value
    players = tuple(player + 1 for player, strategy in enumerate(fixed) if strategy is not None)
    return LockPrice(players, (value, -value), (evaluation.value, -evaluation.value), counters)
