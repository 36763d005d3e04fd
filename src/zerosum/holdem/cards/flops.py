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

from zerosum.holdem.cards.cards import CARDS, format_cards, parse_cards
from zerosum.support.errors import ZerosumError
from zerosum.support.files import read_text_file
from zerosum.support.user_modules import expand_home

FOLDER = Path(__file__).parent / "flop_lists"
ALL = "all"
Flop = tuple[int, int, int]
"""Three cards, the highest first."""
Flops = dict[Flop, float]
"""Flops and how much each counts."""

_CARD = r"(?:10|[2-9TJQKA])[shdc♠♥♦♣]"
_LINE = re.compile(rf"((?:{_CARD}[\s]*){{3}})\s*[:=]?\s*([0-9.eE+-]+)?", re.IGNORECASE)


@cache
def canonical_flops() -> Flops:
    """Return the 1,755 strategically different flops, each with the number of the 22,100 flops that it stands for.

    It is the one whose cards, highest first, have the first suits: spades, then hearts.

    >>> len(canonical_flops()), sum(canonical_flops().values()), format_cards(next(iter(canonical_flops())))
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
    flops, counts = np.unique(np.column_stack([-ranks, best]), axis=0, return_counts=True)
    weights: Flops = {}
    for (*negative, code), count in zip(flops.tolist(), counts.tolist(), strict=True):
        high, middle, low = (
            -4 * rank + suit for rank, suit in zip(negative, (code // 16, code // 4 % 4, code % 4), strict=True)
        )
        weights[high, middle, low] = float(count)
    return weights


def canonical_flop(flop: tuple[int, ...]) -> Flop:
    """Return the flop of `canonical_flops` that differs from a flop only by the names of the suits.

    >>> format_cards(canonical_flop(parse_cards("2d Kh 7d")))
    'Ks7h2h'
    """
    ranked = [sorted((-(card // 4), names[card % 4]) for card in flop) for names in permutations(range(4))]
    high, middle, low = (
        -4 * negative + suit for negative, suit in min(ranked, key=lambda cards: [suit for _, suit in cards])
    )
    return high, middle, low


def flop_list_names() -> list[str]:
    """Return the names of the bundled lists, the shortest first.

    >>> flop_list_names()
    ['25', '50', '100', '200', 'all']
    """
    return [*sorted((path.stem for path in FOLDER.glob("*.txt")), key=int), ALL]


def parse_flops(text: str) -> Flops:
    """Flops by name, as `25` or `all`, in a file, or in the text itself; their weights sum to 1.

    A file or text has a flop in each line, or between commas, with a weight behind it or without, which is 1, as in a
    range: `Ks7h2d 0.5`.

    >>> {format_cards(flop): round(weight, 4) for flop, weight in parse_flops("Ks7h2d:3, AsAh2c").items()}
    {'Ks7h2d': 0.75, 'AsAh2c': 0.25}
    >>> len(parse_flops("25")), round(sum(parse_flops("25").values()), 9)
    (25, 1.0)
    """
    name = text.strip()
    if name.lower() == ALL:
        return _normalize(canonical_flops())
    if name in flop_list_names():
        return _read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)
    if re.match(_CARD, name, re.IGNORECASE) and not name.lower().endswith((".txt", ".csv")):
        return _read(name, "the flops")
    path = expand_home(name)
    try:
        there = path.is_file()
    except OSError:
        there = False
    if not there:
        raise ZerosumError(
            f"there are no flops {name!r}: name a list ({', '.join(flop_list_names())}), a file, "
            "or flops like 'Ks7h2d, 8c8d3h'"
        )
    return _read(read_text_file(path, "the flops"), str(path))


def _read(content: str, source: str) -> Flops:
    flops: Flops = {}
    for part in re.split(r"[\n,;]", re.sub(r"#.*", "", content)):
        text = part.strip()
        if not text:
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            raise ZerosumError(
                f"cannot read {text[:40]!r} in {source}: write flops like Ks7h2d, with weights like Ks7h2d 0.5"
            )
        high, middle, low = sorted(parse_cards(match[1]), key=lambda card: (-(card // 4), card % 4))
        if (high, middle, low) in flops:
            raise ZerosumError(f"{source} has {format_cards((high, middle, low))} twice")
        flops[high, middle, low] = _weight(match[2], text, source)
    if not flops:
        raise ZerosumError(f"{source} has no flops: write them like Ks7h2d, 8c8d3h")
    return _normalize(flops)


def _weight(text: str | None, written: str, source: str) -> float:
    try:
        weight = 1.0 if text is None else float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 < weight < math.inf:
        raise ZerosumError(f"the weight in {written[:40]!r} of {source} must be a number above zero")
    return weight


def _normalize(flops: Flops) -> Flops:
    total = math.fsum(flops.values())
    return {flop: weight / total for flop, weight in flops.items()}
