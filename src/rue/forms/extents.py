"""How large the places of a public form are at most: what scratch arrays are made by, and what is known of them before
the form is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rue.forms.rounds import LANES, NUMBERS_A_PLACE, Bundle, Round


class Level(NamedTuple):
    """The boards that lie so many cards after the first one."""

    widths: tuple[int, int]
    """The most hands of each player."""
    children: Sequence[int]
    """For each board how many follow it."""


@dataclass(frozen=True)
class Extents:
    """Counts of a public form. On every board of a level, every bundle of the level is played."""

    levels: int
    widest: int
    """The most hands of a board."""
    actions: int
    """The most of a decision."""
    largest: int
    """The most numbers in a player's rows of a place."""
    places: int
    deals: int
    """The places that follow the first one."""
    entering: int
    """The most numbers that enter one of them."""
    pieces: int
    """The most places that follow one of them."""
    entering_pieces: int
    """The most numbers that enter a place that lies further down."""
    jobs: int
    """What threads have to share: the deals after the first deals, or these where no other follows."""


def bundles_of(first: Round, widest: int) -> list[Bundle]:
    """Every bundle once, earlier ones first, where a player has so many hands."""
    largest = max(4 * LANES, NUMBERS_A_PLACE // max(1, widest))
    known: dict[tuple[Round, ...], Bundle] = {(first,): Bundle((first,), largest)}
    found = list(known.values())
    for bundle in found:
        for _, rounds in bundle.following():
            if rounds not in known:
                known[rounds] = Bundle(rounds, largest)
                found.append(known[rounds])
    return found


def extents_of(bundles: Sequence[Bundle], levels: Sequence[Level]) -> Extents:
    """The extents of a form with these bundles and boards."""
    known = {bundle.rounds: bundle for bundle in bundles}
    groups = {bundle: len(bundle.following()) for bundle in bundles}
    played = [Counter([bundles[0]])]
    """For each level how often each bundle is played on a board."""
    for _ in levels[1:]:
        after: Counter[Bundle] = Counter()
        for bundle, times in played[-1].items():
            for _, rounds in bundle.following():
                after[known[rounds]] += times
        played.append(after)
    entering = [
        max(bundle.entries for bundle in there) * max(level.widths) if there else 0
        for level, there in zip(levels, played, strict=True)
    ]
    followed = [
        (children * groups[bundle], times)
        for level, there in zip(levels[1:2], played[1:2], strict=True)
        for children in level.children
        for bundle, times in there.items()
    ]
    return Extents(
        levels=len(levels),
        widest=max(max(level.widths) for level in levels),
        actions=max(actions for bundle in bundles for _, _, actions, _ in bundle.choices()),
        largest=max(
            rows * width
            for level, there in zip(levels, played, strict=True)
            for bundle in there
            for rows, width in zip(bundle.rows, level.widths, strict=True)
        ),
        places=sum(len(level.children) * there.total() for level, there in zip(levels, played, strict=True)),
        deals=levels[0].children[0] * groups[bundles[0]],
        entering=max(entering[1:2], default=0),
        pieces=max((count for count, _ in followed), default=0),
        entering_pieces=max(entering[2:], default=0),
        jobs=sum(max(count, 1) * times for count, times in followed),
    )
