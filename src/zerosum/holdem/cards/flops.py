"""Flops: the 1,755 strategically different ones, and small weighted lists that stand for all 22,100.

docs/reports.md explains how the lists were chosen, and how far each is from all flops; `benchmarks/flops.py` builds
them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

from zerosum.holdem.cards.cards import CARDS, format_cards, parse_cards
from zerosum.holdem.cards.suits import permute_card
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
def list_canonical_flops() -> Flops:
    """Return the 1,755 strategically different flops, each with the number of the 22,100 flops that it stands for.

    >>> flops = list_canonical_flops()
    >>> len(flops), sum(flops.values()), format_cards(next(iter(flops)))
    (1755, 22100.0, 'AsAhAd')
    """
    counts = Counter(map(find_canonical_flop, combinations(range(CARDS), 3)))
    in_order = sorted(counts, key=lambda flop: ([-(card // 4) for card in flop], [card % 4 for card in flop]))
    return {flop: float(counts[flop]) for flop in in_order}


def find_canonical_flop(flop: tuple[int, ...]) -> Flop:
    """Return the flop with the first suits, spades before hearts, that a flop becomes if its suits are renamed.

    >>> format_cards(find_canonical_flop(parse_cards("2d Kh 7d")))
    'Ks7h2h'
    """
    ranks = sorted({card // 4 for card in flop})
    dense = tuple(4 * ranks.index(card // 4) + card % 4 for card in flop)
    high, middle, low = (4 * ranks[card // 4] + card % 4 for card in _rename_to_first_suits(dense))
    return high, middle, low


@cache
def _rename_to_first_suits(cards: tuple[int, ...]) -> list[int]:
    """Return cards, the highest first, with the first suits that they can have; there are few sets of dense ranks."""
    renamed = (sort_cards(permute_card(card, suits) for card in cards) for suits in permutations(range(4)))
    return min(renamed, key=lambda flop: [card % 4 for card in flop])


def sort_cards(cards: Iterable[int]) -> list[int]:
    """Sort cards by rank, the highest first, then by suit."""
    return sorted(cards, key=lambda card: (-(card // 4), card % 4))


def list_flop_lists() -> list[str]:
    """Return the names of the bundled lists, the shortest first.

    >>> list_flop_lists()
    ['25', '50', '100', '200', 'all']
    """
    return [*sorted((path.stem for path in FOLDER.glob("*.txt")), key=int), ALL]


def parse_flops(text: str) -> Flops:
    """Return flops by name, as `25` or `all`, from a file, or from the text itself; their weights sum to 1.

    A file or text has a flop in each line, or between commas, with a weight after it, as in `Ks7h2d 0.5`; the default
    is 1.

    >>> {format_cards(flop): round(weight, 4) for flop, weight in parse_flops("Ks7h2d:3, AsAh2c").items()}
    {'Ks7h2d': 0.75, 'AsAh2c': 0.25}
    >>> len(parse_flops("25")), round(sum(parse_flops("25").values()), 9)
    (25, 1.0)
    """
    flops = _load_flops(text.strip())
    total = math.fsum(flops.values())
    return {flop: weight / total for flop, weight in flops.items()}


def _load_flops(name: str) -> Flops:
    if name.lower() == ALL:
        return list_canonical_flops()
    if name in list_flop_lists():
        return _parse_lines((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)
    if re.match(_CARD, name, re.IGNORECASE) and not name.lower().endswith((".txt", ".csv")):
        return _parse_lines(name, "the flops")
    path = expand_home(name)
    try:
        is_file = path.is_file()
    except OSError:
        is_file = False
    if not is_file:
        raise ZerosumError(
            f"there are no flops {name!r}: name a list ({', '.join(list_flop_lists())}), a file, "
            "or flops like 'Ks7h2d, 8c8d3h'"
        )
    return _parse_lines(read_text_file(path, "the flops"), str(path))


def _parse_lines(content: str, source: str) -> Flops:
    flops: Flops = {}
    for line in filter(None, map(str.strip, re.split(r"[\n,;]", re.sub(r"#.*", "", content)))):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ZerosumError(
                f"cannot read {line[:40]!r} in {source}: write flops like Ks7h2d, with weights like Ks7h2d 0.5"
            )
        high, middle, low = sort_cards(parse_cards(match[1]))
        if (high, middle, low) in flops:
            raise ZerosumError(f"{source} has {format_cards((high, middle, low))} twice")
        try:
            weight = float(match[2] or "1")
        except ValueError:
            weight = math.nan
        if not 0.0 < weight < math.inf:
            raise ZerosumError(f"the weight in {line[:40]!r} of {source} must be a number above zero")
        flops[high, middle, low] = weight
    if not flops:
        raise ZerosumError(f"{source} has no flops: write them like Ks7h2d, 8c8d3h")
    return flops
