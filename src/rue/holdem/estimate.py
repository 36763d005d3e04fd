"""What solving a spot takes, before anything is built: infosets, memory, time; and which algorithms can do it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import (
    Custom,
    Exponential,
    ExponentialMatching,
    NormalHedge,
    Projection,
    RegretMatching,
    Softmax,
)
from rue.algorithms.defaults import HOLDEM
from rue.algorithms.sampling import OutcomeSampling, PublicChanceSampling
from rue.errors import RueError
from rue.holdem.cards import CARDS, allowed_hands, street_of
from rue.holdem.form import Suits, renamed, suit_symmetries
from rue.holdem.spots import Spot
from rue.holdem.tree import Counts, walk_streets
from rue.memory import available_bytes, readable
from rue.solvers.public_solver import check_half

NUMBER = 4
"""Bytes of a number in the store."""
BYTES_A_HAND = 64
"""Tables for each hand of each board: cards, comparisons, weights."""
BYTES_A_SOURCE = 12
"""Tables for each hand of each card that a board stands for."""
DEALT_NUMBER = 8
"""The same where hands are dealt one by one; the averages are copied for an evaluation."""
BYTES_AN_ARRIVAL = 3
"""Where a dealt hand stands after a card, for each hand of each card that a board stands for."""
SECONDS_A_NODE = 2e-8
"""For each node that a walk with dealt hands touches."""
NANOSECONDS = {RegretMatching: 3.0, NormalHedge: 12.0, Softmax: 7.5, Projection: 20.0, ExponentialMatching: 8.0}
"""Of one thread, for each infoset-action and iteration: what `benchmarks/pick.py` saw on subgame 2; the projection's is
a rough guess."""
STORED, POWERS = 6.5, 9.0
"""The same with a stored strategy, and with powers of regret in place of regret matching."""
SECOND_THREAD = 0.6
"""What a further thread adds, a little less than benchmarks/ has for two: the memory is shared."""
WAYS = "use fewer bet sizes, a cap on raises, tighter ranges or a later street"
HALF_WAY = ", or store 16 bits (half) in place of 32"


@dataclass(frozen=True)
class Estimate:
    """The size of a spot as it would be stored: boards that only differ by interchangeable suits count once."""

    counts: Counts
    """Of the betting tree, for one runout."""
    hands: tuple[int, int]
    boards: tuple[int, ...]
    """How many boards are stored on each street, from the first on."""
    infosets: int
    infoset_actions: int
    bytes: int
    seconds: float
    """A rough time for an iteration."""
    half: bool = False

    def check(self) -> None:
        """Refuse what does not fit the memory."""
        free = available_bytes()
        if self.bytes > free:
            raise RueError(
                f"this tree needs about {readable(self.bytes)} for {self.infoset_actions:,} infoset-actions "
                f"and {readable(free)} are free: {WAYS}{'' if self.half else HALF_WAY}"
            )


def estimate(
    spot: Spot,
    algorithm: str | Algorithm = HOLDEM,
    *,
    isomorphism: bool = True,
    threads: int | None = None,
    half: bool = False,
) -> Estimate:
    """What a spot would take with an algorithm, and with a store of 16-bit floats.

    >>> from rue.holdem.files import load_spot
    >>> found = estimate(load_spot("river"))
    >>> found.infosets, found.infoset_actions, found.boards
    (6420, 18190, (1,))
    """
    chosen = supported(algorithm)
    if half:
        check_half(chosen, max(len(node.actions) for street in walk_streets(spot.tree) for node in street.nodes))
    counts = spot.counts()
    symmetries: list[Suits] = suit_symmetries(spot) if isomorphism else [(0, 1, 2, 3)]
    size = _Boards(spot, len(counts.nodes))
    size.add(spot.board, symmetries)
    infosets = int((np.array(counts.nodes) * size.hands).sum())
    own = (np.array(counts.actions) * size.hands).sum(axis=0)
    actions = int(own.sum())
    number = NUMBER // 2 if half else NUMBER
    store = number * (2 + _stored(chosen)) * actions
    store += number * (1 + _stored(chosen)) * int(own[0]) if chosen.order == "simultaneous" else 0
    tables = BYTES_A_HAND * int(size.hands.sum()) + BYTES_A_SOURCE * size.sources
    tables += 2 * NUMBER * _equities(counts, size)
    workers = _workers(threads, size.children)
    seconds = 1e-9 * _nanoseconds(chosen) * actions / (1.0 + SECOND_THREAD * (workers - 1))
    if isinstance(chosen.sampling, PublicChanceSampling):
        seconds = 1e-9 * _nanoseconds(chosen) * actions / size.boards[-1]
    elif chosen.sampling is not None:
        baseline = isinstance(chosen.sampling, OutcomeSampling) and chosen.sampling.baseline is not None
        store = (DEALT_NUMBER * (2 + baseline) + NUMBER) * actions
        tables += BYTES_AN_ARRIVAL * size.sources
        seconds = SECONDS_A_NODE * 2 * int(np.sum(counts.nodes))
    return Estimate(
        counts,
        spot.hands,
        tuple(size.boards[spot.street :]),
        infosets,
        actions,
        store + tables,
        seconds,
        half,
    )


def supported(algorithm: str | Algorithm) -> Algorithm:
    """The algorithm of a name, if the public form runs it as it is defined; a sentence says so where it does not."""
    if isinstance(algorithm, str) and algorithm.strip().lower() == "lp":
        raise RueError("lp needs the whole payoff written out, which hold'em has not: choose another algorithm")
    return named_algorithm(algorithm)


def _stored(algorithm: Algorithm) -> int:
    """How many numbers more than regret and average an infoset-action has.

    One where the strategy is stored, two more for the exponential rule's, one for the gradient of the last iteration;
    a rule of one's own has the strategy and its memory.
    """
    rule = algorithm.accumulate
    own = 1 + rule.memory if isinstance(rule, Custom) else 0
    return own + int(algorithm.prediction != "none") + 2 * isinstance(rule, Exponential) + int(algorithm.both_plans)


def _nanoseconds(algorithm: Algorithm) -> float:
    """The time of an infoset-action in an iteration."""
    match = algorithm.match
    if isinstance(match, RegretMatching) and match.exponent != 1.0:
        return POWERS
    least = STORED if _stored(algorithm) else 0.0
    return max(least, NANOSECONDS[type(match)])


def _workers(threads: int | None, children: int) -> int:
    import numba

    cores = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    return max(1, min(cores if threads is None else threads, cores, children))


def _equities(counts: Counts, size: _Boards) -> int:
    """The numbers of the tables of all-ins before the river: a pair of hands each, on every board that may see one."""
    found, seen = 0, False
    for street in range(counts.start, 2):
        seen |= counts.leaves[street].get("allin", 0) > 0
        found += size.pairs[street] if seen else 0
    return found


class _Boards:
    """Counts boards and their hands without building them."""

    def __init__(self, spot: Spot, streets: int) -> None:
        self.kept = tuple(weights > 0 for weights in spot.weights)
        self.boards = [0] * streets
        self.hands = np.zeros((streets, 2), dtype=np.int64)
        self.pairs = [0] * streets
        self.sources = 0
        self.children = 0

    def add(self, cards: tuple[int, ...], symmetries: list[Suits], members: int = 1) -> None:
        """Count a board that stands for so many cards, and all that may follow it."""
        street, free = street_of(cards), allowed_hands(cards)
        one, two = (int(np.count_nonzero(kept & free)) for kept in self.kept)
        self.boards[street] += 1
        self.hands[street] += one, two
        self.pairs[street] += one * two
        self.sources += members * (one + two)
        following = list(_following(cards, symmetries)) if len(cards) < 5 else []
        self.children = self.children or len(following)
        for card, orbit in following:
            kept = [suits for suits in symmetries if renamed(card, suits) == card]
            self.add((*cards, card), kept, orbit)


def _following(cards: tuple[int, ...], symmetries: list[Suits]) -> Iterator[tuple[int, int]]:
    """The cards that may come, one of each kind, and how many are of its kind."""
    left = [card for card in range(CARDS) if card not in cards]
    while left:
        orbit = {renamed(left[0], suits) for suits in symmetries}
        yield left[0], len(orbit)
        left = [card for card in left if card not in orbit]
