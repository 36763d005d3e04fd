"""Ranges: a weight for each of the 1,326 hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zerosum.holdem.cards.cards import HAND_COUNT, hand_name, unblocked_hands
from zerosum.holdem.cards.hand_classes import hands_of_class
from zerosum.holdem.cards.range_notation import format_numbers, format_range, parse_range, weights_from_numbers
from zerosum.support.errors import ZerosumError


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
    def parse(cls, text: str, order: str = "libratus") -> Range:
        """Parse range notation, or 1,326 numbers in an order that a prefix `pio:` or `libratus:` may replace.

        >>> Range.parse("QQ-99").to_text(), Range.parse("T9s+").to_text()
        ('QQ-99', 'AKs,KQs,QJs,JTs,T9s')
        >>> Range.parse("AKx")
        Traceback (most recent call last):
        zerosum.ZerosumError: cannot read 'AKx' in the range: write hands like AA, AKs, QQ-99, A2s+, AsKd, \
25% or random, with weights like AKs:0.5 or AKs:50%
        """
        return cls(parse_range(text, order))

    @classmethod
    def from_numbers(cls, numbers: Sequence[Any] | NDArray[Any], order: str = "libratus") -> Range:
        """Return the range of 1,326 numbers, or of their texts, in one of `HAND_ORDERS`."""
        return cls(weights_from_numbers(numbers, order))

    def to_numbers(self, order: str = "libratus") -> str:
        """Return the 1,326 weights as text, in one of `HAND_ORDERS`; it parses to the same range."""
        return format_numbers(self.weights, order)

    def to_text(self) -> str:
        """Return the shortest usual notation; it parses to the same range.

        >>> Range.parse("AsAh AsAd AsAc AhAd AhAc AdAc A5s-A3s:0.25 KK-22 AKo AKs").to_text()
        '22+,AK,A5s-A3s:0.25'
        >>> Range.parse("100%").to_text()
        'random'
        """
        return format_range(self.weights)

    def remove_cards(self, cards: Iterable[int]) -> Range:
        """Return the range without the hands that hold one of these cards."""
        return Range(np.where(unblocked_hands(tuple(cards)), self.weights, 0.0))

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
        table = np.empty((13, 13))
        for row in range(13):
            for column in range(13):
                ranks = 12 - min(row, column), 12 - max(row, column)
                kind = "" if row == column else "s" if row < column else "o"
                table[row, column] = self.weights[hands_of_class(*ranks, kind)].mean()
        return table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        return hash((self.weights + 0.0).tobytes())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        text = self.to_text()
        return f"Range.parse({text!r})" if len(text) < 90 else f"<Range of {self.count} hands>"
