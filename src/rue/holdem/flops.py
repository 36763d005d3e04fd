"""Flops: the 1,755 that differ by more than names of suits, and small weighted lists that stand for all 22,100.

How the lists were chosen, and how far each is from all flops: docs/reports.md; `benchmarks/flops.py` makes them.
"""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

from rue.disk import text_of
from rue.errors import RueError
from rue.holdem.cards import CARDS, cards_name, parse_cards
from rue.python_files import home_path

FOLDER = Path(__file__).parent / "flop_lists"
ALL = "all"
Flop = tuple[int, int, int]
"""Three cards, the highest first."""
Flops = dict[Flop, float]
"""Flops and how much each counts."""

_CARD = r"(?:10|[2-9TJQKA])[shdc♠♥♦♣]"
_LINE = re.compile(rf"((?:{_CARD}[\s]*){{3}})\s*[:=]?\s*([0-9.eE+-]+)?", re.IGNORECASE)


@cache
def classes() -> Flops:
    """One flop of each of the 1,755 kinds, and how many of the 22,100 flops are of its kind.

    Of a kind, the flop is taken whose cards, highest first, have the first suits: spades, then hearts.

    >>> len(classes()), sum(classes().values()), cards_name(next(iter(classes())))
    (1755, 22100.0, 'AsAhAd')
    """
    cards = np.array(list(combinations(range(CARDS), 3)))[:, ::-1]
    ranks, suits = cards // 4, cards % 4
    best = np.full(len(cards), 1 << 30)
    for names in permutations(range(4)):
        renamed = np.array(names)[suits]
        order = np.lexsort((renamed, -ranks), axis=1)
        code = np.take_along_axis(renamed, order, axis=1) @ np.array([16, 4, 1])
        best = np.minimum(best, code)
    found, counts = np.unique(np.column_stack([-ranks, best]), axis=0, return_counts=True)
    made: Flops = {}
    for (*negative, code), count in zip(found.tolist(), counts.tolist(), strict=True):
        one, two, three = (
            -4 * rank + suit for rank, suit in zip(negative, (code // 16, code // 4 % 4, code % 4), strict=True)
        )
        made[one, two, three] = float(count)
    return made


def kind_of(flop: tuple[int, ...]) -> Flop:
    """The flop of `classes` that differs from a flop by names of suits alone.

    >>> cards_name(kind_of(parse_cards("2d Kh 7d")))
    'Ks7h2h'
    """
    ranked = [sorted((-(card // 4), names[card % 4]) for card in flop) for names in permutations(range(4))]
    one, two, three = (
        -4 * negative + suit for negative, suit in min(ranked, key=lambda cards: [suit for _, suit in cards])
    )
    return one, two, three


def names() -> list[str]:
    """The lists that come along, the shortest first.

    >>> names()
    ['25', '50', '100', '200', 'all']
    """
    return [*sorted((path.stem for path in FOLDER.glob("*.txt")), key=int), ALL]


def flops_named(text: str) -> Flops:
    """Flops by name, as `25` or `all`, in a file, or in the text itself; their weights sum to 1.

    A file or text has a flop in each line, or between commas, with a weight behind it or without, which is 1, as in a
    range: `Ks7h2d 0.5`.

    >>> {cards_name(flop): round(weight, 4) for flop, weight in flops_named("Ks7h2d:3, AsAh2c").items()}
    {'Ks7h2d': 0.75, 'AsAh2c': 0.25}
    >>> len(flops_named("25")), round(sum(flops_named("25").values()), 9)
    (25, 1.0)
    """
    name = text.strip()
    if name.lower() == ALL:
        return _scaled(classes())
    if name in names():
        return _read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)
    if re.match(_CARD, name, re.IGNORECASE) and not name.lower().endswith((".txt", ".csv")):
        return _read(name, "the flops")
    path = home_path(name)
    try:
        there = path.is_file()
    except OSError:
        there = False
    if not there:
        raise RueError(
            f"there are no flops {name!r}: name a list ({', '.join(names())}), a file, or flops like 'Ks7h2d, 8c8d3h'"
        )
    return _read(text_of(path, "the flops"), str(path))


def _read(text: str, source: str) -> Flops:
    found: Flops = {}
    for part in re.split(r"[\n,;]", re.sub(r"#.*", "", text)):
        written = part.strip()
        if not written:
            continue
        match = _LINE.fullmatch(written)
        if match is None:
            raise RueError(
                f"cannot read {written[:40]!r} in {source}: write flops like Ks7h2d, with weights like Ks7h2d 0.5"
            )
        one, two, three = sorted(parse_cards(match[1]), key=lambda card: (-(card // 4), card % 4))
        if (one, two, three) in found:
            raise RueError(f"{source} has {cards_name((one, two, three))} twice")
        found[one, two, three] = _weight(match[2], written, source)
    if not found:
        raise RueError(f"{source} has no flops: write them like Ks7h2d, 8c8d3h")
    return _scaled(found)


def _weight(text: str | None, written: str, source: str) -> float:
    try:
        weight = 1.0 if text is None else float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 < weight < math.inf:
        raise RueError(f"the weight in {written[:40]!r} of {source} must be a number above zero")
    return weight


def _scaled(flops: Flops) -> Flops:
    total = math.fsum(flops.values())
    return {flop: weight / total for flop, weight in flops.items()}
