"""Reading and writing ranges in the notation that poker tools share.

A range is a list, separated by commas or spaces, of

| text | hands |
|---|---|
| `AA`, `AKs`, `AKo`, `AK` | a pair; suited; offsuit; both |
| `AsKd` | one hand |
| `QQ-99`, `A5s-A2s`, `87s-54s` | from one to the other: pairs, one kicker to another, or equal gaps |
| `22+` | this pair and higher ones |
| `ATs+` | the kicker rises up to the top card: ATs, AJs, AQs, AKs |
| `T9s+` | adjacent ranks rise together: T9s, JTs, QJs, KQs, AKs |
| `JJ-`, `A5s-`, `65s-` | downwards: JJ to 22; A5s to A2s; 65s, 54s, 43s, 32s |
| `25%` | the best classes of hands, at most this share of the 1,326 hands (see `CLASS_ORDER`) |
| `random` | every hand |

Each may have a weight between 0 and 1, as in `AKs:0.5`, `AKs@0.5`, `AKs:50%` or, in the syntax of GTO+ for one or
more, `[50]AKs,AQs[/50]`; the default is 1. Hands that are named twice get the last weight. `50% AA` is refused: it
could be a share of all hands or a weight. The rules for `+` are those of postflop-solver and the tools that share its
notation.

A list of 1,326 numbers is also accepted, in the order of `HANDS` (`libratus`) or, after `pio:`, in that of PioSOLVER
(cards 2c, 2d, 2h, 2s, 3c, ..., hands by their higher card, then by their lower card: 2d2c, 2h2c, 2h2d, 2s2c, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.holdem.cards.cards import HAND_COUNT, HAND_INDEX, RANKS, SUITS, hand_name
from zerosum.holdem.cards.hand_classes import CLASS_ORDER, HAND_ORDERS, HandClass, hand_order, hands_of_class
from zerosum.support.errors import ZerosumError

Floats = NDArray[np.float64]

_RANK = f"[{RANKS}]"
_CLASS = re.compile(rf"({_RANK})({_RANK})([so]?)", re.IGNORECASE)
_HAND = re.compile(rf"({_RANK})([{SUITS}])({_RANK})([{SUITS}])", re.IGNORECASE)
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_PERCENT = re.compile(rf"({_NUMBER})%")
_BESIDE = re.compile(
    rf"(?<![\w.:@%])({_NUMBER}%[ \t]+{_RANK}[^\s,%]*|{_RANK}[^\s,:@%]*[ \t]+{_NUMBER}%)(?![\w.%])", re.IGNORECASE
)
_DASHED = re.compile(rf"(?<=[^\s,])-\s+(?={_RANK})", re.IGNORECASE)
_OPENING, _CLOSING = re.compile(rf"\[\s*({_NUMBER})\s*%?\s*\]"), re.compile(rf"\[\s*/\s*({_NUMBER})?\s*%?\s*\]")
_HELP = "write hands like AA, AKs, QQ-99, A2s+, AsKd, 25% or random, with weights like AKs:0.5 or AKs:50%"


def parse_range(text: str, order: str) -> Floats:
    """Return the weights of the 1,326 hands in a text, which may be a list of numbers in an order."""
    for prefix in HAND_ORDERS:
        if text.lstrip().lower().startswith(f"{prefix}:"):
            return weights_from_numbers(text.partition(":")[2].replace(",", " ").split(), prefix)
    tokens = list(_split_weights(text))
    if not tokens:
        raise ZerosumError(f"the range is empty: {_HELP}")
    if len(tokens) == HAND_COUNT:
        return weights_from_numbers([token for token, _ in tokens], order)
    weights = np.zeros(HAND_COUNT)
    for token, weight in tokens:
        hands, colon, written = token.replace("@", ":", 1).partition(":")
        if colon and weight is not None:
            raise ZerosumError(f"{token!r} in the range has a weight inside brackets with a weight: drop one of them")
        weights[_hands(hands, token)] = _weight(written, token) if colon else 1.0 if weight is None else weight
    return weights


def weights_from_numbers(numbers: Sequence[Any] | NDArray[Any], order: str) -> Floats:
    """Return the weights given by 1,326 numbers, or by their texts, in one of `HAND_ORDERS`."""
    permutation = hand_order(order)
    if len(numbers) != HAND_COUNT:
        raise ZerosumError(f"a range needs {HAND_COUNT:,} numbers, not {len(numbers):,}")
    weights = np.empty(HAND_COUNT)
    for index, number in enumerate(numbers):
        weights[permutation[index]] = _number(number)
    return weights


def format_numbers(weights: Floats, order: str) -> str:
    """Return the 1,326 weights as text, in one of `HAND_ORDERS`."""
    return " ".join(_written(weight) for weight in weights[hand_order(order)])


def format_range(weights: Floats) -> str:
    """Return the shortest usual notation of weights."""
    first = weights[0]
    if (weights == first).all():
        return "random" + _suffix(first)
    return ",".join(_tokens(weights))


def _tokens(weights: Floats) -> Iterator[str]:
    """Yield the parts of the text: sequences of pairs, then sequences of kickers, then single hands."""
    single: list[int] = []

    def common(high: int, low: int, kind: str) -> float | None:
        """Return the positive weight of all hands of a class; None if they differ, which makes them single hands."""
        hands = hands_of_class(high, low, kind)
        class_weights = weights[hands]
        if (class_weights == class_weights[0]).all():
            return float(class_weights[0]) or None
        single.extend(int(hand) for hand in hands[class_weights > 0])
        return None

    yield from _runs([common(rank, rank, "") for rank in range(13)], lambda rank: RANKS[rank] * 2, "")
    for high in range(12, 0, -1):
        suited, offsuit = ([common(high, low, kind) for low in range(high)] for kind in "so")
        both = [weight if weight == other else None for weight, other in zip(suited, offsuit, strict=True)]
        for kind, class_weights in (("", both), ("s", suited), ("o", offsuit)):
            remaining = [w if not kind or both[low] is None else None for low, w in enumerate(class_weights)]
            yield from _runs(remaining, lambda low, high=high: RANKS[high] + RANKS[low], kind)
    for hand in sorted(single, reverse=True):
        yield hand_name(hand) + _suffix(weights[hand])


def _split_weights(text: str) -> Iterator[tuple[str, float | None]]:
    """Yield the items of a range, each with the weight of the brackets around it."""
    position, weight, name = 0, None, ""
    for bracket in re.finditer(r"\[[^\]]*\]", text):
        opening, closing = _OPENING.fullmatch(bracket[0]), _CLOSING.fullmatch(bracket[0])
        if opening is None and closing is None:
            raise ZerosumError(f"cannot read {bracket[0]!r} in the range: write [25]AA,KK[/25] for a weight of 25%")
        if (weight is None) != (closing is None) or (closing and closing[1] and closing[1] != name):
            raise ZerosumError(f"the brackets of the range do not match at {bracket[0]!r}: write [25]AA,KK[/25]")
        yield from ((token, weight) for token in _split_items(text[position : bracket.start()]))
        position = bracket.end()
        name = opening[1] if opening else ""
        weight = _weight(f"{name}%", bracket[0]) if opening else None
    if weight is not None:
        raise ZerosumError(f"the brackets of the range do not match: [{name}] is never closed by [/{name}]")
    yield from ((token, None) for token in _split_items(text[position:]))


def _split_items(text: str) -> list[str]:
    """Split a part of a range without brackets into its items."""
    if dashed := _DASHED.search(text):
        item = text[: dashed.end() - 1].split()[-1].split(",")[-1]
        raise ZerosumError(
            f"{item!r} in the range is followed by a space: write {item}, with a comma, or no space after the dash"
        )
    plain = re.sub(r"\s*([:@-])\s*", r"\1", text)
    beside = _BESIDE.search(plain)
    if beside:
        first, second = beside[1].split()[:2]
        share, hand = (first, second) if first.endswith("%") else (second, first)
        raise ZerosumError(
            f"{beside[1]!r} in the range could be the best {share} of all hands and {hand}, or {hand} with the weight "
            f"{share}: write {share},{hand} or {hand}:{share}"
        )
    return plain.replace(",", " ").split()


def _hands(text: str, token: str) -> NDArray[np.int64]:
    """Return the hands of one item of a range, without its weight."""
    if text.lower() == "random":
        return np.arange(HAND_COUNT)
    if percent := _PERCENT.fullmatch(text):
        return _best(float(percent[1]), token)
    if hand := _HAND.fullmatch(text):
        cards = [RANKS.index(hand[i].upper()) * 4 + SUITS.index(hand[i + 1].lower()) for i in (1, 3)]
        if cards[0] == cards[1]:
            raise ZerosumError(f"cannot read {token!r} in the range: a hand has two different cards")
        return HAND_INDEX[cards[:1], cards[1:]]
    first, dash, last = text.partition("-")
    if dash and not last:
        classes = _classes_below(_class(first, token))
    elif dash:
        classes = _between(_class(first, token), _class(last, token), token)
    elif text.endswith("+"):
        classes = _classes_above(_class(text[:-1], token))
    else:
        classes = [_class(text, token)]
    return np.concatenate([hands_of_class(*hand_class) for hand_class in classes])


def _class(text: str, token: str) -> HandClass:
    match = _CLASS.fullmatch(text)
    if match is None:
        raise ZerosumError(f"cannot read {token!r} in the range: {_HELP}")
    low, high = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())))
    kind = match[3].lower()
    if high == low and kind:
        raise ZerosumError(f"cannot read {token!r} in the range: a pair is neither suited nor offsuit")
    return high, low, kind


def _classes_above(lowest: HandClass) -> list[HandClass]:
    high, low, kind = lowest
    if high - low <= 1:
        return [(top, top - (high - low), kind) for top in range(high, 13)]
    return [(high, kicker, kind) for kicker in range(low, high)]


def _classes_below(highest: HandClass) -> list[HandClass]:
    high, low, kind = highest
    if high - low <= 1:
        return [(top, top - (high - low), kind) for top in range(high - low, high + 1)]
    return [(high, kicker, kind) for kicker in range(low + 1)]


def _between(first: HandClass, last: HandClass, token: str) -> list[HandClass]:
    if first[2] != last[2]:
        raise ZerosumError(f"cannot read {token!r} in the range: its ends must both be suited, offsuit or neither")
    (low_end, high_end), kind = sorted((first, last)), first[2]
    gap = low_end[0] - low_end[1]
    if gap == high_end[0] - high_end[1]:
        return [(top, top - gap, kind) for top in range(low_end[0], high_end[0] + 1)]
    if low_end[0] == high_end[0] and low_end[0] != high_end[1] and gap:
        return [(low_end[0], kicker, kind) for kicker in range(low_end[1], high_end[1] + 1)]
    raise ZerosumError(f"cannot read {token!r} in the range: its ends must be pairs, share the higher card or the gap")


def _best(percent: float, token: str) -> NDArray[np.int64]:
    if not 0 < percent <= 100:
        raise ZerosumError(f"cannot read {token!r} in the range: a share lies above 0% and at most at 100%")
    remaining = percent / 100 * HAND_COUNT * (1 + 1e-12)
    selected: list[NDArray[np.int64]] = []
    for name in CLASS_ORDER:
        hands = hands_of_class(*_class(name, name))
        remaining -= len(hands)
        if remaining < 0:
            break
        selected.append(hands)
    if not selected:
        raise ZerosumError(f"cannot read {token!r} in the range: even the pair of aces is 0.46% of the hands")
    return np.concatenate(selected)


def _weight(text: str, token: str) -> float:
    try:
        weight = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise ZerosumError(f"cannot read the weight of {token!r} in the range: write AKs:0.5 or AKs:50%") from None
    if not 0 <= weight <= 1:
        raise ZerosumError(
            f"the weight of {token!r} in the range is {text}; weights lie between 0 and 1, or 0% and 100%"
        )
    return weight


def _number(text: Any) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        raise ZerosumError(f"cannot read {text!r} among the {HAND_COUNT:,} numbers of a range") from None


def _written(weight: float) -> str:
    integer = int(weight)
    return str(integer) if integer == weight else repr(float(weight))


def _suffix(weight: float) -> str:
    return "" if weight == 1 else f":{_written(weight)}"


def _runs(weights: Sequence[float | None], name: Any, kind: str) -> Iterator[str]:
    """Yield adjacent classes of equal weight as one part each, the highest first."""
    top = len(weights) - 1
    while top >= 0:
        bottom = top
        while bottom > 0 and weights[bottom - 1] == weights[top]:
            bottom -= 1
        weight = weights[top]
        if weight is not None:
            text = name(bottom) + kind
            if bottom < top:
                text = text + "+" if top == len(weights) - 1 else f"{name(top)}{kind}-{text}"
            yield text + _suffix(weight)
        top = bottom - 1
