"""Estimate the infosets, the memory and the time of solving a spot before anything is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.sampling import OutcomeSampling, PublicChanceSampling
from zerosum.engine.forms.public.extents import Level, collect_bundles, compute_extents
from zerosum.engine.public.scratch import count_deal_value_bytes, count_scratch_bytes
from zerosum.engine.public.solver import check_half_store
from zerosum.engine.time_costs import SECONDS_PER_NODE
from zerosum.holdem.betting.tree import TreeSize, walk_streets
from zerosum.holdem.cards.cards import STREETS, find_street, find_unblocked_hands
from zerosum.holdem.cards.suits import IDENTITY, SuitPermutation, find_suit_symmetries, iterate_next_cards
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.estimate import Estimate
from zerosum.results.blocks import BLANK, Block, Note, Rows, TableBlock
from zerosum.support.system import available_cores
from zerosum.support.text import format_bytes

BYTES_PER_NUMBER = 4
"""Bytes of a number in the store."""
BYTES_PER_HAND = 96
"""For each hand of each board: its number, cards, strength and group twice, as boards and as tables have them (54), its
weights and its step size (28), and memory that building them does not release (14)."""
BYTES_PER_SOURCE = 12
"""For each hand of each card that a board stands for: its source, twice."""
BYTES_PER_BOARD = 2800
"""For each board: its Python object and a row of a table."""
BYTES_PER_CARD = 700
"""For each card that a board stands for: its Python objects and a row of a table."""
BYTES_PER_PLACE = 400
"""For each place: a row of a table, and memory that building it does not release."""
FIXED_BYTES = 1 << 19
"""Bytes that every run needs."""
BYTES_PER_DEALT_NUMBER = 8
"""Bytes of a number in the store if hands are dealt one by one; the averages are copied for an evaluation."""
BYTES_PER_ARRIVAL = 3
"""For each hand of each card that a board stands for: the position of a dealt hand after the card."""
SECOND_THREAD = 0.6
"""The gain of each further thread, a little less than benchmarks/ measures for two, because they share the memory."""
TO_HALF_A_PERCENT = (40.0, 30.0, 19.5)
"""Iterations of the default algorithm to 0.5% of the pot, from a flop, a turn and a river on, where the stacks are much
smaller than the pot; they grow as the root of 1 + stack / pot. Means of random spots, see `benchmarks/reaching.py`."""
ITERATION_SPREAD = 2.0
"""Nine of ten of those spots took at most this multiple of the mean number of iterations, and at least its inverse."""


@dataclass(frozen=True, kw_only=True)
class SpotEstimate(Estimate):
    """The size of a spot as it would be stored: boards that differ only by interchangeable suits count once."""

    counts: TreeSize
    """The size of the betting tree, for one runout."""
    hands: tuple[int, int]
    boards: tuple[int, ...]
    """The number of boards that are stored on each street, from the first on."""
    tables: int
    """Bytes of the boards, hands, equities and places."""
    store: int
    """Bytes of the regrets and averages."""
    scratch: int
    """Bytes of the scratch arrays."""
    results: int
    """Bytes of the results of the deals of the first board, if other threads or machines walk them."""
    half: bool = False
    depth: float = 1.0
    """Stack divided by pot."""

    @property
    def iterations(self) -> float:
        """The estimated number of iterations after which the default algorithm reaches 0.5% of the pot."""
        return float(TO_HALF_A_PERCENT[-len(self.boards)] * (1.0 + self.depth) ** 0.5)

    @property
    def remedy(self) -> str:
        remedy = "use fewer bet sizes, a cap on raises, tighter ranges or a later street"
        return remedy if self.half else f"{remedy}, or store 16 bits (half) in place of 32"

    def blocks(self) -> list[Block]:
        kinds = ("fold", "showdown", "allin", "deal")
        streets = range(len(STREETS) - len(self.boards), len(STREETS))
        numbers = {"boards": list(self.boards), "decisions": [sum(self.counts.nodes[street]) for street in streets]}
        numbers |= {kind: [self.counts.leaves[street].get(kind, 0) for street in streets] for kind in kinds}
        texts = {name: [f"{number:,}" if number else "" for number in column] for name, column in numbers.items()}
        hands = {"hands": f"{self.hands[0]:,} out of position, {self.hands[1]:,} in position"}
        costs = Rows({**hands, **self.build_cost_rows(self.build_memory_rows())})
        table = TableBlock({"street": [STREETS[street] for street in streets], **texts}, tuple(texts))
        return [Note(self.game, "heading"), table, costs, BLANK]

    def build_memory_rows(self) -> dict[str, str]:
        """Return the memory by label."""
        return {"memory": f"about {format_bytes(self.bytes)}"}

    def content(self) -> dict[str, Any]:
        streets = {
            STREETS[street]: {
                "boards": boards,
                "decisions": list(self.counts.nodes[street]),
                "leaves": self.counts.leaves[street],
            }
            for street, boards in enumerate(self.boards, start=len(STREETS) - len(self.boards))
        }
        few, many = self.iterations / ITERATION_SPREAD, self.iterations * ITERATION_SPREAD
        return {
            **super().content(),
            "iterations_to_half_a_percent": [round(few), round(many)],
            "seconds_to_half_a_percent": self.iterations * self.seconds,
            "streets": streets,
            "hands": list(self.hands),
        }


@dataclass(frozen=True)
class Storage:
    """How a spot is stored: whether interchangeable suits share boards, and whether numbers have 16 bits."""

    isomorphism: bool = True
    half: bool = False

    @property
    def dtype(self) -> Any:
        """The type of the numbers in the store."""
        return np.float16 if self.half else np.float32


def estimate_spot(
    spot: Spot,
    algorithm: Algorithm,
    storage: Storage,
    threads: int | None = None,
    suits: Sequence[SuitPermutation] | None = None,
) -> SpotEstimate:
    """Estimate a spot with an algorithm.

    `suits` are the permutations of suits that count as interchangeable: by default all that leave the spot unchanged.
    """
    if storage.half:
        most_actions = max(len(node.actions) for street in walk_streets(spot.tree) for node in street.choices)
        check_half_store(algorithm, most_actions)
    counts = spot.count_tree()
    symmetries = list(suits or find_suit_symmetries(spot.board, spot.weights)) if storage.isomorphism else [IDENTITY]
    size = _BoardCounter(spot, len(counts.nodes))
    size.count_board(spot.board, symmetries)
    player_actions = (np.array(counts.actions) * size.hands).sum(axis=0)
    actions = int(player_actions.sum())
    number = BYTES_PER_NUMBER // 2 if storage.half else BYTES_PER_NUMBER
    store = number * (2 + algorithm.extra_arrays) * actions
    store += number * (1 + algorithm.extra_arrays) * int(player_actions[0]) if algorithm.order == "simultaneous" else 0
    bundles = collect_bundles(spot.tree, int(size.widths.max()))
    levels = [Level((int(oop), int(ip)), after) for (oop, ip), after in zip(size.widths, size.children, strict=True)]
    extents = compute_extents(bundles, levels[spot.street :])
    tables = BYTES_PER_HAND * int(size.hands.sum()) + BYTES_PER_SOURCE * size.sources
    tables += BYTES_PER_BOARD * sum(size.boards) + BYTES_PER_CARD * size.cards
    tables += 2 * BYTES_PER_NUMBER * _count_equities(counts, size) + BYTES_PER_PLACE * extents.places + FIXED_BYTES
    workers = max(1, min(threads or available_cores(), available_cores(), extents.jobs))
    seconds = 1e-9 * algorithm.cost_ns * actions / (1.0 + SECOND_THREAD * (workers - 1))
    if isinstance(algorithm.sampling, PublicChanceSampling):
        seconds = 1e-9 * algorithm.cost_ns * actions / size.boards[-1]
    elif algorithm.sampling is not None:
        baseline = isinstance(algorithm.sampling, OutcomeSampling) and algorithm.sampling.baseline is not None
        store = (BYTES_PER_DEALT_NUMBER * (2 + baseline) + BYTES_PER_NUMBER) * actions
        tables += BYTES_PER_ARRIVAL * size.sources
        seconds = SECONDS_PER_NODE * 2 * int(np.sum(counts.nodes))
    scratch = count_scratch_bytes(extents, algorithm.kernel_rule, workers, BYTES_PER_NUMBER)
    results = count_deal_value_bytes(extents, algorithm.kernel_rule, BYTES_PER_NUMBER)
    return SpotEstimate(
        game=str(spot),
        infosets=int((np.array(counts.nodes) * size.hands).sum()),
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
        half=storage.half,
        depth=spot.stack / spot.pot,
    )


def _count_equities(counts: TreeSize, size: _BoardCounter) -> int:
    """Return the number of equities that all-ins before the river need: one for each pair of hands on a board."""
    total, has_allin = 0, False
    for street in range(counts.start, 2):
        has_allin |= counts.leaves[street].get("allin", 0) > 0
        total += size.pairs[street] if has_allin else 0
    return total


class _BoardCounter:
    """Counts boards and their hands without building them."""

    def __init__(self, spot: Spot, streets: int) -> None:
        self.held = tuple(weights > 0 for weights in spot.weights)
        self.boards = [0] * streets
        self.hands = np.zeros((streets, 2), dtype=np.int64)
        self.pairs = [0] * streets
        self.cards = self.sources = 0
        self.widths = np.zeros((streets, 2), dtype=np.int64)
        self.children: list[list[int]] = [[] for _ in range(streets)]

    def count_board(self, cards: tuple[int, ...], symmetries: list[SuitPermutation], members: int = 1) -> None:
        """Count a board that stands for `members` cards, and all boards that can follow it."""
        street, free = find_street(cards), find_unblocked_hands(cards)
        oop, ip = (int(np.count_nonzero(held & free)) for held in self.held)
        self.boards[street] += 1
        self.hands[street] += oop, ip
        self.widths[street] = np.maximum(self.widths[street], (oop, ip))
        self.pairs[street] += oop * ip
        self.cards += members
        self.sources += members * (oop + ip)
        children = list(iterate_next_cards(cards, symmetries)) if len(cards) < 5 else []
        self.children[street].append(len(children))
        for card, orbit, remaining_symmetries in children:
            self.count_board((*cards, card), remaining_symmetries, len(orbit))
