"""Maximal sizes of a public form, known before it is built: they decide the shapes of the scratch arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.engine.forms.public.rounds import Bundle, Round
from zerosum.engine.updates.vector_memory import LANES

MAX_PLACE_SIZE = 1 << 16
"""The numbers that the rows of one player may have at a place, about, so that a place stays in the cache."""


class Level(NamedTuple):
    """The boards that come a given number of cards after the first one."""

    widths: tuple[int, int]
    """The most hands of each player."""
    children: Sequence[int]
    """The number of boards that follow each board."""


@dataclass(frozen=True)
class Extents:
    """Counts of a public form. On every board of a level, every bundle of the level is played."""

    levels: int
    widest: int
    """The most hands of a board."""
    actions: int
    """The most actions of a decision."""
    largest: int
    """The most numbers in a player's rows of a place."""
    places: int
    deals: int
    """The number of places that follow the first one."""
    entering: int
    """The most numbers that enter one of these."""
    pieces: int
    """The most places that follow one of these."""
    entering_pieces: int
    """The most numbers that enter a place further down."""
    jobs: int
    """The work that threads can share: the deals after each deal of the first place, or that deal if none follows."""


def collect_bundles(first: Round, widest: int) -> list[Bundle]:
    """Return every bundle once, earlier ones first; `widest` is the largest number of hands of a player."""
    largest = max(4 * LANES, MAX_PLACE_SIZE // max(1, widest))
    by_rounds: dict[tuple[Round, ...], Bundle] = {(first,): Bundle((first,), largest)}
    bundles = list(by_rounds.values())
    for bundle in bundles:
        for _, rounds in bundle.deal_groups:
            if rounds not in by_rounds:
                by_rounds[rounds] = Bundle(rounds, largest)
                bundles.append(by_rounds[rounds])
    return bundles


def compute_extents(bundles: Sequence[Bundle], levels: Sequence[Level]) -> Extents:
    """Return the extents of a form with these bundles and boards."""
    by_rounds = {bundle.rounds: bundle for bundle in bundles}
    following = {bundle: [by_rounds[rounds] for _, rounds in bundle.deal_groups] for bundle in bundles}
    played = [Counter([bundles[0]])]
    """For each level, how often each bundle is played on a board."""
    for _ in levels[1:]:
        after: Counter[Bundle] = Counter()
        for bundle, times in played[-1].items():
            for next_bundle in following[bundle]:
                after[next_bundle] += times
        played.append(after)
    entering = [
        max((bundle.entries for bundle in there), default=0) * max(level.widths)
        for level, there in zip(levels, played, strict=True)
    ]
    followed = [
        (children * len(following[bundle]), times)
        for level, there in zip(levels[1:2], played[1:2], strict=True)
        for children in level.children
        for bundle, times in there.items()
    ]
    return Extents(
        levels=len(levels),
        widest=max(max(level.widths) for level in levels),
        actions=max(actions for bundle in bundles for _, _, actions, _ in bundle.decisions),
        largest=max(
            rows * width
            for level, there in zip(levels, played, strict=True)
            for bundle in there
            for rows, width in zip(bundle.rows, level.widths, strict=True)
        ),
        places=sum(len(level.children) * there.total() for level, there in zip(levels, played, strict=True)),
        deals=levels[0].children[0] * len(following[bundles[0]]),
        entering=max(entering[1:2], default=0),
        pieces=max((count for count, _ in followed), default=0),
        entering_pieces=max(entering[2:], default=0),
        jobs=sum(max(count, 1) * times for count, times in followed),
    )
