"""What solving a spot takes, before anything is built: infosets, memory, time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.sampling import OutcomeSampling, PublicChanceSampling
from rue.forms.extents import Level, bundles_of, extents_of
from rue.holdem.cards import CARDS, STREETS, allowed_hands, street_of
from rue.holdem.form import AS_THEY_ARE, Suits, renamed, suit_symmetries
from rue.holdem.spots import Spot
from rue.holdem.tree import Counts, walk_streets
from rue.machine import cores
from rue.problems.estimate import Estimate
from rue.records import dataclass
from rue.solvers.costs import A_NODE
from rue.solvers.public_solver import check_half
from rue.solvers.scratch import results_bytes, scratch_bytes

NUMBER = 4
"""Bytes of a number in the store."""
BYTES_A_HAND = 96
"""For each hand of each board: its number, cards, strength and group twice, as boards and as tables have them (54), its
weights and its step size (28), and what making them leaves behind (14)."""
BYTES_A_SOURCE = 12
"""For each hand of each card that a board stands for: where it comes from, twice."""
BYTES_A_BOARD = 2800
"""For each board: what Python takes for it, and a row of a table."""
BYTES_A_CARD = 700
"""The same for each card that a board stands for."""
BYTES_A_PLACE = 400
"""For each place: a row of a table, and what making it leaves behind."""
BESIDES = 1 << 19
"""Bytes that a run takes whatever it solves."""
DEALT_NUMBER = 8
"""The same where hands are dealt one by one; the averages are copied for an evaluation."""
BYTES_AN_ARRIVAL = 3
"""Where a dealt hand stands after a card, for each hand of each card that a board stands for."""
SECOND_THREAD = 0.6
"""What a further thread adds, a little less than benchmarks/ has for two: the memory is shared."""
TO_HALF_A_PERCENT = (40.0, 30.0, 19.5)
"""Iterations of the default algorithm to 0.5% of the pot, from a flop, a turn and a river on, where the stacks are much
smaller than the pot; they grow as the root of 1 + stack / pot. Means of random spots, see `benchmarks/reaching.py`."""
APART = 2.0
"""Nine of ten of those spots took at most so many times as many iterations, and at least one such part of them."""
WAYS = "use fewer bet sizes, a cap on raises, tighter ranges or a later street"
HALF_WAY = ", or store 16 bits (half) in place of 32"


@dataclass(frozen=True, kw_only=True)
class SpotEstimate(Estimate):
    """The size of a spot as it would be stored: boards that only differ by interchangeable suits count once."""

    counts: Counts
    """Of the betting tree, for one runout."""
    hands: tuple[int, int]
    boards: tuple[int, ...]
    """How many boards are stored on each street, from the first on."""
    tables: int
    """Of the bytes those of boards, hands, equities and places."""
    store: int
    """Of the bytes those of what is learned."""
    scratch: int
    """Of the bytes those of arrays to work with."""
    results: int
    """What the deals of the first board leave for whoever goes on, if others walk them."""
    half: bool = False
    depth: float = 1.0
    """Stack by pot."""

    @property
    def iterations(self) -> float:
        """About how many the default algorithm takes to 0.5% of the pot."""
        return float(TO_HALF_A_PERCENT[-len(self.boards)] * (1.0 + self.depth) ** 0.5)

    @property
    def ways_out(self) -> str:
        return WAYS + ("" if self.half else HALF_WAY)

    def content(self) -> dict[str, Any]:
        start = 3 - len(self.boards)
        streets = {
            STREETS[street]: {
                "boards": self.boards[street - start],
                "decisions": list(self.counts.nodes[street]),
                "leaves": self.counts.leaves[street],
            }
            for street in range(start, 3)
        }
        few, many = self.iterations / APART, self.iterations * APART
        until = {
            "iterations_to_half_a_percent": [round(few), round(many)],
            "seconds_to_half_a_percent": self.iterations * self.seconds,
        }
        return {**super().content(), **until, "streets": streets, "hands": list(self.hands)}


@dataclass(frozen=True)
class Storage:
    """How a spot is stored: boards that only differ by interchangeable suits once, 16-bit floats or 32."""

    isomorphism: bool = True
    half: bool = False

    @property
    def dtype(self) -> Any:
        """The kind of the numbers in the store."""
        return np.float16 if self.half else np.float32


def estimate_spot(
    spot: Spot,
    algorithm: Algorithm,
    storage: Storage,
    threads: int | None = None,
    suits: Sequence[Suits] | None = None,
) -> SpotEstimate:
    """What a spot would take with an algorithm; `suits` are the interchangeable ones, if not all that may be."""
    chosen, half = algorithm, storage.half
    if half:
        check_half(chosen, max(len(node.actions) for street in walk_streets(spot.tree) for node in street.choices))
    counts = spot.counts()
    symmetries = list(suits or suit_symmetries(spot)) if storage.isomorphism else [AS_THEY_ARE]
    size = _Boards(spot, len(counts.nodes))
    size.add(spot.board, symmetries)
    infosets = int((np.array(counts.nodes) * size.hands).sum())
    own = (np.array(counts.actions) * size.hands).sum(axis=0)
    actions = int(own.sum())
    number = NUMBER // 2 if half else NUMBER
    store = number * (2 + chosen.stored) * actions
    store += number * (1 + chosen.stored) * int(own[0]) if chosen.order == "simultaneous" else 0
    bundles = bundles_of(spot.tree, int(size.widths.max()))
    extents = extents_of(bundles, size.levels[spot.street :])
    tables = BYTES_A_HAND * int(size.hands.sum()) + BYTES_A_SOURCE * size.sources
    tables += BYTES_A_BOARD * sum(size.boards) + BYTES_A_CARD * size.cards
    tables += 2 * NUMBER * _equities(counts, size) + BYTES_A_PLACE * extents.places + BESIDES
    workers = max(1, min(threads or cores(), cores(), extents.jobs))
    seconds = 1e-9 * chosen.nanoseconds * actions / (1.0 + SECOND_THREAD * (workers - 1))
    if isinstance(chosen.sampling, PublicChanceSampling):
        seconds = 1e-9 * chosen.nanoseconds * actions / size.boards[-1]
    elif chosen.sampling is not None:
        baseline = isinstance(chosen.sampling, OutcomeSampling) and chosen.sampling.baseline is not None
        store = (DEALT_NUMBER * (2 + baseline) + NUMBER) * actions
        tables += BYTES_AN_ARRIVAL * size.sources
        seconds = A_NODE * 2 * int(np.sum(counts.nodes))
    scratch = scratch_bytes(extents, chosen.rule, workers, NUMBER)
    results = results_bytes(extents, chosen.rule, NUMBER)
    return SpotEstimate(
        game=str(spot),
        infosets=infosets,
        infoset_actions=actions,
        bytes=store + tables + scratch + (results if workers > 1 else 0),
        seconds=seconds,
        counts=counts,
        hands=spot.hands,
        boards=tuple(size.boards[spot.street :]),
        tables=tables,
        store=store,
        scratch=scratch,
        results=results,
        half=half,
        depth=spot.stack / spot.pot,
    )


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
        self.cards = self.sources = 0
        self.widths = np.zeros((streets, 2), dtype=np.int64)
        self._children: list[list[int]] = [[] for _ in range(streets)]

    @property
    def levels(self) -> list[Level]:
        """What the boards of each street leave."""
        return [
            Level((int(one), int(two)), children)
            for (one, two), children in zip(self.widths, self._children, strict=True)
        ]

    def add(self, cards: tuple[int, ...], symmetries: list[Suits], members: int = 1) -> None:
        """Count a board that stands for so many cards, and all that may follow it."""
        street, free = street_of(cards), allowed_hands(cards)
        one, two = (int(np.count_nonzero(kept & free)) for kept in self.kept)
        self.boards[street] += 1
        self.hands[street] += one, two
        self.widths[street] = np.maximum(self.widths[street], (one, two))
        self.pairs[street] += one * two
        self.cards += members
        self.sources += members * (one + two)
        following = list(_following(cards, symmetries)) if len(cards) < 5 else []
        self._children[street].append(len(following))
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
