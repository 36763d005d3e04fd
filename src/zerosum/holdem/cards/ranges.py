"""Ranges: a weight for each of the 1,326 hands, read and written in the notation that poker tools share.

docs/holdem.md#ranges lists the notation. The rules for `+` are those of postflop-solver and the tools that share its
notation; hands that are named twice get the last weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zerosum.games.poker.hole_cards import map_hands_to_classes
from zerosum.holdem.cards.cards import (
    CLASS_ORDER,
    HAND_COUNT,
    HAND_ORDERS,
    RANKS,
    SUITS,
    find_hand_order,
    find_unblocked_hands,
    hand_name,
    list_class_hands,
    parse_hand,
)
from zerosum.support.errors import ZerosumError

HandClass = tuple[int, int, str]
"""Two ranks, the higher first, and `s`, `o` or nothing for both."""

_RANK, _NUMBER = f"[{RANKS}]", r"(?:\d+\.?\d*|\.\d+)"
_CLASS = re.compile(rf"({_RANK})({_RANK})([so]?)", re.IGNORECASE | re.ASCII)
_HAND = re.compile(rf"{_RANK}[{SUITS}]{_RANK}[{SUITS}]", re.IGNORECASE | re.ASCII)
_PERCENT = re.compile(rf"({_NUMBER})%")
_HAND_BESIDE_PERCENT = re.compile(
    rf"(?<![\w.:@%])({_NUMBER}%[ \t]+{_RANK}[^\s,%]*|{_RANK}[^\s,:@%]*[ \t]+{_NUMBER}%)(?![\w.%])", re.IGNORECASE
)
_DASH_BEFORE_SPACE = re.compile(rf"(?<=[^\s,])-\s+(?={_RANK})", re.IGNORECASE)
_OPENING, _CLOSING = re.compile(rf"\[\s*({_NUMBER})\s*%?\s*\]"), re.compile(rf"\[\s*/\s*({_NUMBER})?\s*%?\s*\]")
_HELP = "write hands like AA, AKs, QQ-99, A2s+, AsKd, 25% or random, with weights like AKs:0.5 or AKs:50%"


class Range:
    """A weight between 0 and 1 for each of the 1,326 hands, at least one of them positive.

    >>> aces = Range.parse("AA:0.5, AKs")
    >>> aces.count, aces.combos
    (10, 7.0)
    >>> str(aces)
    'AA:0.5,AKs'
    """

    __slots__ = ("weights",)

    weights: NDArray[np.float64]
    """In the order of `zerosum.holdem.cards.cards.HANDS`; not writeable."""

    def __init__(self, weights: ArrayLike) -> None:
        array = np.array(weights, dtype=np.float64)
        if array.shape != (HAND_COUNT,):
            raise ZerosumError(f"a range needs {HAND_COUNT:,} weights, not an array of shape {array.shape}")
        wrong = np.flatnonzero(~((array >= 0) & (array <= 1)))
        if wrong.size:
            value = array[wrong[0]]
            raise ZerosumError(f"the weight of {hand_name(int(wrong[0]))} is {value:g}; weights lie between 0 and 1")
        if not array.any():
            raise ZerosumError("the range is empty: no hand has a positive weight")
        array.flags.writeable = False
        self.weights = array

    @classmethod
    def parse(cls, text: str) -> Range:
        """Parse range notation, or 1,326 numbers, which a prefix `pio:` puts into PioSOLVER's order.

        >>> Range.parse("QQ-99").to_text(), Range.parse("T9s+").to_text()
        ('QQ-99', 'AKs,KQs,QJs,JTs,T9s')
        >>> Range.parse("AKx")
        Traceback (most recent call last):
        zerosum.ZerosumError: cannot read 'AKx' in the range: write hands like AA, AKs, QQ-99, A2s+, AsKd, \
25% or random, with weights like AKs:0.5 or AKs:50%
        """
        prefix, colon, numbers = text.lstrip().lower().partition(":")
        if colon and prefix in HAND_ORDERS:
            return cls.from_numbers(numbers.replace(",", " ").split(), prefix)
        items = list(_split_brackets(text))
        if not items:
            raise ZerosumError(f"the range is empty: {_HELP}")
        if len(items) == HAND_COUNT:
            return cls.from_numbers([item for item, _ in items])
        weights = np.zeros(HAND_COUNT)
        for item, bracket_weight in items:
            hands, colon, weight = item.replace("@", ":", 1).partition(":")
            if colon and bracket_weight is not None:
                raise ZerosumError(
                    f"{item!r} in the range has a weight inside brackets with a weight: drop one of them"
                )
            default = 1.0 if bracket_weight is None else bracket_weight
            weights[_parse_hands(hands, item)] = _parse_weight(weight, item) if colon else default
        return cls(weights)

    @classmethod
    def from_numbers(cls, numbers: Sequence[Any] | NDArray[Any], order: str = "libratus") -> Range:
        """Return the range of 1,326 numbers, or of their texts, in one of `HAND_ORDERS`."""
        hands = find_hand_order(order)
        if len(numbers) != HAND_COUNT:
            raise ZerosumError(f"a range needs {HAND_COUNT:,} numbers, not {len(numbers):,}")
        weights = np.empty(HAND_COUNT)
        for hand, number in zip(hands, numbers, strict=True):
            try:
                weights[hand] = float(number)
            except (TypeError, ValueError):
                raise ZerosumError(f"cannot read {number!r} among the {HAND_COUNT:,} numbers of a range") from None
        return cls(weights)

    def to_numbers(self, order: str = "libratus") -> str:
        """Return the 1,326 weights as text, in one of `HAND_ORDERS`; after `pio:` it parses to the same range."""
        return " ".join(_format_weight(weight) for weight in self.weights[find_hand_order(order)])

    def to_text(self) -> str:
        """Return the shortest usual notation; it parses to the same range.

        >>> Range.parse("AsAh AsAd AsAc AhAd AhAc AdAc A5s-A3s:0.25 KK-22 AKo AKs").to_text()
        '22+,AK,A5s-A3s:0.25'
        >>> Range.parse("100%").to_text()
        'random'
        """
        if (self.weights == self.weights[0]).all():
            return "random" + _format_suffix(self.weights[0])
        return ",".join(_format_items(self.weights))

    def remove_cards(self, cards: Iterable[int]) -> Range:
        """Return the range without the hands that hold one of these cards."""
        return Range(np.where(find_unblocked_hands(tuple(cards)), self.weights, 0.0))

    @property
    def count(self) -> int:
        """The number of hands with a positive weight."""
        return int(np.count_nonzero(self.weights))

    @property
    def combos(self) -> float:
        """The weighted number of hands: the sum of the weights."""
        return float(self.weights.sum())

    def class_weights(self) -> NDArray[np.float64]:
        """Return the mean weight of each class, 13 by 13 from ace to two: suited above the diagonal."""
        sums = np.bincount(map_hands_to_classes(), weights=self.weights)
        return np.asarray(sums / np.bincount(map_hands_to_classes())).reshape(13, 13)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        return hash((self.weights + 0.0).tobytes())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = self.to_text()
        return f"Range.parse({text!r})" if len(text) < 90 else f"<Range of {self.count} hands>"


def _split_brackets(text: str) -> Iterator[tuple[str, float | None]]:
    """Yield the items of a range, each with the weight of the brackets around it, as in `[50]AKs,AQs[/50]`."""
    position, weight, name = 0, None, ""
    for bracket in re.finditer(r"\[[^\]]*\]", text):
        opening, closing = _OPENING.fullmatch(bracket[0]), _CLOSING.fullmatch(bracket[0])
        if opening is None and closing is None:
            raise ZerosumError(f"cannot read {bracket[0]!r} in the range: write [25]AA,KK[/25] for a weight of 25%")
        if (weight is None) != (closing is None) or (closing and closing[1] and closing[1] != name):
            raise ZerosumError(f"the brackets of the range do not match at {bracket[0]!r}: write [25]AA,KK[/25]")
        yield from ((item, weight) for item in _split_items(text[position : bracket.start()]))
        position = bracket.end()
        name = opening[1] if opening else ""
        weight = _parse_weight(f"{name}%", bracket[0]) if opening else None
    if weight is not None:
        raise ZerosumError(f"the brackets of the range do not match: [{name}] is never closed by [/{name}]")
    yield from ((item, None) for item in _split_items(text[position:]))


def _split_items(text: str) -> list[str]:
    """Split a part of a range without brackets; refuse what can be read in two ways, like `50% AA`."""
    if dash := _DASH_BEFORE_SPACE.search(text):
        item = text[: dash.end() - 1].split()[-1].split(",")[-1]
        raise ZerosumError(
            f"{item!r} in the range is followed by a space: write {item}, with a comma, or no space after the dash"
        )
    plain = re.sub(r"\s*([:@-])\s*", r"\1", text)
    if pair := _HAND_BESIDE_PERCENT.search(plain):
        share, hand = sorted(pair[1].split()[:2], key=lambda word: not word.endswith("%"))
        raise ZerosumError(
            f"{pair[1]!r} in the range could be the best {share} of all hands and {hand}, or {hand} with the weight "
            f"{share}: write {share},{hand} or {hand}:{share}"
        )
    return plain.replace(",", " ").split()


def _parse_hands(text: str, item: str) -> NDArray[np.int64]:
    """Return the hands of one item of a range, without its weight."""
    if text.lower() == "random":
        return np.arange(HAND_COUNT)
    if percent := _PERCENT.fullmatch(text):
        return _select_best_hands(float(percent[1]), item)
    if _HAND.fullmatch(text):
        return np.array([parse_hand(text)])
    first, dash, last = text.partition("-")
    if dash and last:
        classes = _list_classes_between(_parse_class(first, item), _parse_class(last, item), item)
    elif dash or text.endswith("+"):
        classes = _list_classes_from(_parse_class(text[:-1], item), upwards=not dash)
    else:
        classes = [_parse_class(text, item)]
    return np.concatenate([list_class_hands(RANKS[high] + RANKS[low] + kind) for high, low, kind in classes])


def _parse_class(text: str, item: str) -> HandClass:
    match = _CLASS.fullmatch(text)
    if match is None:
        raise ZerosumError(f"cannot read {item!r} in the range: {_HELP}")
    low, high = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())))
    if high == low and match[3]:
        raise ZerosumError(f"cannot read {item!r} in the range: a pair is neither suited nor offsuit")
    return high, low, match[3].lower()


def _list_classes_from(start: HandClass, upwards: bool) -> list[HandClass]:
    """Return a class and those above or below it: pairs and adjacent ranks move together, else the kicker moves."""
    high, low, kind = start
    if high - low <= 1:
        tops = range(high, 13) if upwards else range(high - low, high + 1)
        return [(top, top - (high - low), kind) for top in tops]
    return [(high, kicker, kind) for kicker in (range(low, high) if upwards else range(low + 1))]


def _list_classes_between(first: HandClass, last: HandClass, item: str) -> list[HandClass]:
    if first[2] != last[2]:
        raise ZerosumError(f"cannot read {item!r} in the range: its ends must both be suited, offsuit or neither")
    (low_end, high_end), kind = sorted((first, last)), first[2]
    gap = low_end[0] - low_end[1]
    if gap == high_end[0] - high_end[1]:
        return [(top, top - gap, kind) for top in range(low_end[0], high_end[0] + 1)]
    if low_end[0] == high_end[0] and low_end[0] != high_end[1] and gap:
        return [(low_end[0], kicker, kind) for kicker in range(low_end[1], high_end[1] + 1)]
    raise ZerosumError(f"cannot read {item!r} in the range: its ends must be pairs, share the higher card or the gap")


def _select_best_hands(percent: float, item: str) -> NDArray[np.int64]:
    """Return the best classes of hands that together are at most this share of all hands."""
    if not 0 < percent <= 100:
        raise ZerosumError(f"cannot read {item!r} in the range: a share lies above 0% and at most at 100%")
    classes = [list_class_hands(name) for name in CLASS_ORDER]
    fitting = np.cumsum([len(hands) for hands in classes]) <= percent / 100 * HAND_COUNT * (1 + 1e-12)
    if not fitting[0]:
        raise ZerosumError(f"cannot read {item!r} in the range: even the pair of aces is 0.46% of the hands")
    return np.concatenate(classes[: int(fitting.sum())])


def _parse_weight(text: str, item: str) -> float:
    try:
        weight = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise ZerosumError(f"cannot read the weight of {item!r} in the range: write AKs:0.5 or AKs:50%") from None
    if not 0 <= weight <= 1:
        raise ZerosumError(
            f"the weight of {item!r} in the range is {text}; weights lie between 0 and 1, or 0% and 100%"
        )
    return weight


def _format_items(weights: NDArray[np.float64]) -> Iterator[str]:
    """Yield the items of a text: sequences of pairs, then sequences of kickers, then single hands."""
    single: list[int] = []

    def common_weight(name: str) -> float | None:
        """Return the positive weight of all hands of a class; None if they differ, which makes them single hands."""
        hands = list_class_hands(name)
        class_weights = weights[hands]
        if (class_weights == class_weights[0]).all():
            return float(class_weights[0]) or None
        single.extend(int(hand) for hand in hands[class_weights > 0])
        return None

    pairs = [rank * 2 for rank in RANKS]
    yield from _format_sequences(pairs, map(common_weight, pairs))
    for high in range(12, 0, -1):
        names = [RANKS[high] + rank for rank in RANKS[:high]]
        suited, offsuit = ([common_weight(name + kind) for name in names] for kind in "so")
        both = [weight if weight == other else None for weight, other in zip(suited, offsuit, strict=True)]
        yield from _format_sequences(names, both)
        for kind, kind_weights in (("s", suited), ("o", offsuit)):
            rest = [w if shared is None else None for w, shared in zip(kind_weights, both, strict=True)]
            yield from _format_sequences([name + kind for name in names], rest)
    for hand in sorted(single, reverse=True):
        yield hand_name(hand) + _format_suffix(weights[hand])


def _format_sequences(names: Sequence[str], weights: Iterable[float | None]) -> Iterator[str]:
    """Yield adjacent classes of equal weight as one item each, the highest first, without those of weight None."""
    for weight, group in groupby(list(zip(names, weights, strict=True))[::-1], key=itemgetter(1)):
        members = [name for name, _ in group]
        if weight is not None:
            text = members[-1]
            if len(members) > 1:
                text = f"{text}+" if members[0] == names[-1] else f"{members[0]}-{text}"
            yield text + _format_suffix(weight)


def _format_weight(weight: float) -> str:
    integer = int(weight)
    return str(integer) if integer == weight else repr(float(weight))


def _format_suffix(weight: float) -> str:
    return "" if weight == 1 else f":{_format_weight(weight)}"
