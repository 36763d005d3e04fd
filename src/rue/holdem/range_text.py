"""The notation of ranges that poker tools share, read and written.

A range is a list, separated by commas or spaces, of

| text | hands |
|---|---|
| `AA`, `AKs`, `AKo`, `AK` | a pair; suited; offsuit; both |
| `AsKd` | one hand |
| `QQ-99`, `A5s-A2s`, `87s-54s` | from one to the other: pairs, one kicker to another, or equal gaps |
| `22+` | this pair and higher ones |
| `ATs+` | the kicker rises up to the top card: ATs, AJs, AQs, AKs |
| `T9s+` | neighbouring ranks rise together: T9s, JTs, QJs, KQs, AKs |
| `JJ-`, `A5s-`, `65s-` | downwards: JJ to 22; A5s to A2s; 65s, 54s, 43s, 32s |
| `25%` | the best classes of hands, at most this share of the 1,326 hands (see `CLASS_ORDER`) |
| `random` | every hand |

Each may carry a weight between 0 and 1, as in `AKs:0.5`, `AKs@0.5`, `AKs:50%` or, as GTO+ writes it for one or more,
`[50]AKs,AQs[/50]`; without one it is 1. What is named twice has the weight given last. `50% AA` is refused: it could be
a share of all hands or a weight. The rules for `+` are those of postflop-solver and the tools that share its texts.

A list of 1,326 numbers is read too, in our own order of hands (`libratus`) or, with `pio:` before them, in PioSOLVER's
(cards 2c, 2d, 2h, 2s, 3c, ..., hands by their higher card, then by their lower card: 2d2c, 2h2c, 2h2d, 2s2c, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.errors import RueError
from rue.holdem.cards import HAND_COUNT, HAND_INDEX, RANKS, SUITS, hand_name
from rue.holdem.hand_classes import CLASS_ORDER, ORDERS, Class, class_hands, hand_order

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


def read_weights(text: str, order: str) -> Floats:
    """The weights of the 1,326 hands that a text tells."""
    for known in ORDERS:
        if text.lstrip().lower().startswith(f"{known}:"):
            return weights_of(text.partition(":")[2].replace(",", " ").split(), known)
    tokens = list(_weighted(text))
    if not tokens:
        raise RueError(f"the range is empty: {_HELP}")
    if len(tokens) == HAND_COUNT:
        return weights_of([token for token, _ in tokens], order)
    weights = np.zeros(HAND_COUNT)
    for token, weight in tokens:
        hands, colon, written = token.replace("@", ":", 1).partition(":")
        if colon and weight is not None:
            raise RueError(f"{token!r} in the range has a weight of its own inside brackets: leave out one of the two")
        weights[_hands(hands, token)] = _weight(written, token) if colon else 1.0 if weight is None else weight
    return weights


def weights_of(numbers: Sequence[Any] | NDArray[Any], order: str) -> Floats:
    """The weights that 1,326 numbers, or their texts, tell in one of `ORDERS`."""
    permutation = hand_order(order)
    if len(numbers) != HAND_COUNT:
        raise RueError(f"a range needs {HAND_COUNT:,} numbers, not {len(numbers):,}")
    weights = np.empty(HAND_COUNT)
    for place, number in enumerate(numbers):
        weights[permutation[place]] = _number(number)
    return weights


def written_numbers(weights: Floats, order: str) -> str:
    """The 1,326 weights as text, in one of `ORDERS`."""
    return " ".join(_written(weight) for weight in weights[hand_order(order)])


def written_text(weights: Floats) -> str:
    """The shortest usual notation of weights."""
    first = weights[0]
    if (weights == first).all():
        return "random" + _suffix(first)
    return ",".join(_tokens(weights))


def _tokens(weights: Floats) -> Iterator[str]:
    """The parts of the text: runs of pairs, then runs of kickers, then single hands."""
    single: list[int] = []

    def common(high: int, low: int, kind: str) -> float | None:
        """The positive weight that all hands of a class share; else none, and they are kept as single hands."""
        hands = class_hands(high, low, kind)
        own = weights[hands]
        if (own == own[0]).all():
            return float(own[0]) or None
        single.extend(int(hand) for hand in hands[own > 0])
        return None

    yield from _runs([common(rank, rank, "") for rank in range(13)], lambda rank: RANKS[rank] * 2, "")
    for high in range(12, 0, -1):
        suited, offsuit = ([common(high, low, kind) for low in range(high)] for kind in "so")
        both = [one if one == other else None for one, other in zip(suited, offsuit, strict=True)]
        for kind, found in (("", both), ("s", suited), ("o", offsuit)):
            left = [w if not kind or both[low] is None else None for low, w in enumerate(found)]
            yield from _runs(left, lambda low, high=high: RANKS[high] + RANKS[low], kind)
    for hand in sorted(single, reverse=True):
        yield hand_name(hand) + _suffix(weights[hand])


def _weighted(text: str) -> Iterator[tuple[str, float | None]]:
    """The items of a range, and the weight that brackets around them say."""
    at, weight, name = 0, None, ""
    for bracket in re.finditer(r"\[[^\]]*\]", text):
        opening, closing = _OPENING.fullmatch(bracket[0]), _CLOSING.fullmatch(bracket[0])
        if opening is None and closing is None:
            raise RueError(f"cannot read {bracket[0]!r} in the range: write [25]AA,KK[/25] for a weight of 25%")
        if (weight is None) != (closing is None) or (closing and closing[1] and closing[1] != name):
            raise RueError(f"the brackets of the range do not match at {bracket[0]!r}: write [25]AA,KK[/25]")
        yield from ((token, weight) for token in _items(text[at : bracket.start()]))
        at = bracket.end()
        name = opening[1] if opening else ""
        weight = _weight(f"{name}%", bracket[0]) if opening else None
    if weight is not None:
        raise RueError(f"the brackets of the range do not match: [{name}] is never closed by [/{name}]")
    yield from ((token, None) for token in _items(text[at:]))


def _items(text: str) -> list[str]:
    """The items of a part of a range without brackets."""
    if dashed := _DASHED.search(text):
        item = text[: dashed.end() - 1].split()[-1].split(",")[-1]
        raise RueError(f"{item!r} in the range ends or goes on: write {item}, with a comma, or no space after the dash")
    plain = re.sub(r"\s*([:@-])\s*", r"\1", text)
    beside = _BESIDE.search(plain)
    if beside:
        one, two = beside[1].split()[:2]
        share, hand = (one, two) if one.endswith("%") else (two, one)
        raise RueError(
            f"{beside[1]!r} in the range could be the best {share} of all hands and {hand}, or {hand} with the weight "
            f"{share}: write {share},{hand} or {hand}:{share}"
        )
    return plain.replace(",", " ").split()


def _hands(text: str, token: str) -> NDArray[np.int64]:
    """The hands of one part of a range, without its weight."""
    if text.lower() == "random":
        return np.arange(HAND_COUNT)
    if percent := _PERCENT.fullmatch(text):
        return _best(float(percent[1]), token)
    if hand := _HAND.fullmatch(text):
        cards = [RANKS.index(hand[i].upper()) * 4 + SUITS.index(hand[i + 1].lower()) for i in (1, 3)]
        if cards[0] == cards[1]:
            raise RueError(f"cannot read {token!r} in the range: a hand has two different cards")
        return HAND_INDEX[cards[:1], cards[1:]]
    first, dash, last = text.partition("-")
    if dash and not last:
        classes = _falling(_class(first, token))
    elif dash:
        classes = _between(_class(first, token), _class(last, token), token)
    elif text.endswith("+"):
        classes = _rising(_class(text[:-1], token))
    else:
        classes = [_class(text, token)]
    return np.concatenate([class_hands(*found) for found in classes])


def _class(text: str, token: str) -> Class:
    match = _CLASS.fullmatch(text)
    if match is None:
        raise RueError(f"cannot read {token!r} in the range: {_HELP}")
    low, high = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())))
    kind = match[3].lower()
    if high == low and kind:
        raise RueError(f"cannot read {token!r} in the range: a pair is neither suited nor offsuit")
    return high, low, kind


def _rising(lowest: Class) -> list[Class]:
    high, low, kind = lowest
    if high - low <= 1:
        return [(top, top - (high - low), kind) for top in range(high, 13)]
    return [(high, kicker, kind) for kicker in range(low, high)]


def _falling(highest: Class) -> list[Class]:
    high, low, kind = highest
    if high - low <= 1:
        return [(top, top - (high - low), kind) for top in range(high - low, high + 1)]
    return [(high, kicker, kind) for kicker in range(low + 1)]


def _between(one: Class, other: Class, token: str) -> list[Class]:
    if one[2] != other[2]:
        raise RueError(f"cannot read {token!r} in the range: its ends must both be suited, offsuit or neither")
    (low_end, high_end), kind = sorted((one, other)), one[2]
    gap = low_end[0] - low_end[1]
    if gap == high_end[0] - high_end[1]:
        return [(top, top - gap, kind) for top in range(low_end[0], high_end[0] + 1)]
    if low_end[0] == high_end[0] and low_end[0] != high_end[1] and gap:
        return [(low_end[0], kicker, kind) for kicker in range(low_end[1], high_end[1] + 1)]
    raise RueError(f"cannot read {token!r} in the range: its ends must be pairs, share the higher card or the gap")


def _best(percent: float, token: str) -> NDArray[np.int64]:
    if not 0 < percent <= 100:
        raise RueError(f"cannot read {token!r} in the range: a share lies above 0% and at most at 100%")
    room = percent / 100 * HAND_COUNT * (1 + 1e-12)
    taken: list[NDArray[np.int64]] = []
    for name in CLASS_ORDER:
        hands = class_hands(*_class(name, name))
        room -= len(hands)
        if room < 0:
            break
        taken.append(hands)
    if not taken:
        raise RueError(f"cannot read {token!r} in the range: even the pair of aces is 0.46% of the hands")
    return np.concatenate(taken)


def _weight(text: str, token: str) -> float:
    try:
        weight = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise RueError(f"cannot read the weight of {token!r} in the range: write AKs:0.5 or AKs:50%") from None
    if not 0 <= weight <= 1:
        raise RueError(f"the weight of {token!r} in the range is {text}; weights lie between 0 and 1, or 0% and 100%")
    return weight


def _number(text: Any) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        raise RueError(f"cannot read {text!r} among the {HAND_COUNT:,} numbers of a range") from None


def _written(weight: float) -> str:
    whole = int(weight)
    return str(whole) if whole == weight else repr(float(weight))


def _suffix(weight: float) -> str:
    return "" if weight == 1 else f":{_written(weight)}"


def _runs(weights: Sequence[float | None], name: Any, kind: str) -> Iterator[str]:
    """Neighbours of equal weight as one part each, the highest first."""
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
