"""Kernels that deal: two hands by their weights, then the public cards, and what the ends pay for them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rue.forms.dealt import ALLIN_HERE, OUTCOMES, SHOWN, Dealt
from rue.regret.borrowed import borrowed
from rue.regret.compiled import compiled, inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)
UNIT = 2.0**-53


class Deal(NamedTuple):
    """What was dealt: rows are levels of deals."""

    state: Any
    """Of the random generator."""
    hands: Any
    """The places of both hands among those of the board."""
    cards: Any
    """Which child of the board came."""
    pays: Any
    """What the first player wins at each kind of end of a level, for an amount of 1."""


@inlined
def lend(d):
    """The tables without owners: nothing counts references to them."""
    return Dealt(
        borrowed(d.choices), borrowed(d.after), borrowed(d.ends), borrowed(d.amounts), borrowed(d.boards),
        borrowed(d.children), borrowed(d.arrivals), borrowed(d.arrival), borrowed(d.compare), borrowed(d.equity),
        borrowed(d.places), borrowed(d.chances), borrowed(d.aliases), borrowed(d.cards),
    )  # fmt: skip


@inlined
def lend_deal(deal):
    """The same for the arrays of a deal."""
    return Deal(borrowed(deal.state), borrowed(deal.hands), borrowed(deal.cards), borrowed(deal.pays))


@inlined
def draw(state):
    """A number from [0, 1) of 53 bits (SplitMix64, Steele, Lea & Flood 2014)."""
    z = state[0] + GOLDEN
    state[0] = z
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    z = z ^ (z >> S31)
    return np.float64(np.int64(z >> S11)) * UNIT


@inlined
def draw_hand(state, chances, aliases, first, count):
    """A hand by the alias method: one uniform number gives the place and the coin."""
    x = draw(state) * count
    k = np.int64(x)
    return k if x - k < chances[first + k] else np.int64(aliases[first + k])


@inlined
def deal_hands(dealt, deal):
    """Two hands with chance w1 w2 / total: each by its own weight, both anew while they share a card."""
    ones, twos = dealt.boards[0, 1], dealt.boards[0, 2]
    while True:
        one = draw_hand(deal.state, dealt.chances, dealt.aliases, 0, ones)
        two = draw_hand(deal.state, dealt.chances, dealt.aliases, ones, twos)
        if dealt.cards[one] & dealt.cards[ones + two] == 0:
            return one, two


@inlined
def deal_all(dealt, deal):
    """Deal hands and public cards, the same cards for every line of the betting.

    A public card is drawn among all that the board leaves, anew while a hand holds it. A card whose board is stored as
    another one's takes the hands to where that board stores them.
    """
    one, two = deal_hands(dealt, deal)
    board, level = np.int64(0), 0
    while True:
        deal.hands[level, 0], deal.hands[level, 1] = one, two
        count = dealt.boards[board, 6]
        if count == 0:
            break
        if dealt.boards[board, 7] >= 0:
            pair = dealt.boards[board, 7] + one * dealt.boards[board, 2] + two
            deal.pays[level * OUTCOMES + ALLIN_HERE] = dealt.equity[pair]
        while True:
            card = dealt.boards[board, 5] + np.int64(draw(deal.state) * count)
            after_one = np.int64(dealt.arrival[dealt.arrivals[card, 0] + one])
            after_two = np.int64(dealt.arrival[dealt.arrivals[card, 1] + two])
            if after_one >= 0 and after_two >= 0:
                break
        child = np.int64(dealt.children[card])
        deal.cards[level] = child - dealt.boards[board, 4]
        board, level, one, two = child, level + 1, after_one, after_two
    start = dealt.boards[board, 0] + one
    shown = (two < dealt.compare[start, 0]) * 1.0 - (two >= dealt.compare[start, 1]) * 1.0
    for k in range(SHOWN, len(deal.pays), OUTCOMES):
        deal.pays[k] = shown


@compiled
def deal_many(dealt, deal, found):
    """Fill rows of `found` with dealt hands and cards: for each level both hands, then the child that came."""
    lent, space = lend(dealt), lend_deal(deal)
    for k in range(len(found)):
        deal_all(lent, space)
        for level in range(len(space.hands)):
            found[k, level, 0], found[k, level, 1] = space.hands[level, 0], space.hands[level, 1]
            found[k, level, 2] = space.cards[level]
