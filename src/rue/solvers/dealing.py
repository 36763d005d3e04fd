"""Kernels that deal: two hands by their weights, then the public cards, and what the ends pay for them."""

from __future__ import annotations

import numpy as np

from rue.forms.dealt import (
    ALLIN_HERE,
    BOARD,
    CARDS,
    END_GROUP,
    END_GROUPS,
    EQUITY,
    FIRST_CARD,
    FIRST_CHILD,
    FIRST_PLACE,
    HAND_ROWS,
    HANDS,
    LEVEL,
    ONES,
    OUTCOMES,
    SHOWN,
    START,
    TWOS,
)
from rue.forms.public_form import NOT_STRONGER, WEAKER
from rue.native.compiled import exact_part, exactly
from rue.solvers.draws import draw


@exact_part
def draw_hand(state, chances, aliases, first, count):
    """A hand by the alias method: one uniform number gives the place and the coin."""
    x = draw(state) * count
    k = np.int64(x)
    return k if x - k < chances[first + k] else np.int64(aliases[first + k])


@exact_part
def deal_hands(dealt, deal):
    """Two hands with chance w1 w2 / total: each by its own weight, both anew while they share a card."""
    ones, twos = dealt.boards[0, ONES], dealt.boards[0, TWOS]
    while True:
        one = draw_hand(deal.state, dealt.chances, dealt.aliases, 0, ones)
        two = draw_hand(deal.state, dealt.chances, dealt.aliases, ones, twos)
        if dealt.cards[one] & dealt.cards[ones + two] == 0:
            return one, two


@exact_part
def deal_all(dealt, deal):
    """Deal hands and public cards, the same cards for every line of the betting.

    A public card is drawn among all that the board leaves, anew while a hand holds it. A card whose board is stored as
    another one's takes the hands to where that board stores them.
    """
    one, two = deal_hands(dealt, deal)
    board, level = np.int64(0), 0
    while True:
        first = dealt.boards[board, HANDS]
        deal.hands[level, 0] = dealt.alike[first + one]
        deal.hands[level, 1] = dealt.alike[first + dealt.boards[board, ONES] + two]
        count = dealt.boards[board, CARDS]
        if count == 0:
            break
        if dealt.boards[board, EQUITY] >= 0:
            pair = dealt.boards[board, EQUITY] + one * dealt.boards[board, TWOS] + two
            deal.pays[level * OUTCOMES + ALLIN_HERE] = dealt.equity[pair]
        while True:
            card = dealt.boards[board, FIRST_CARD] + np.int64(draw(deal.state) * count)
            after_one = np.int64(dealt.arrival[dealt.arrivals[card, 0] + one])
            after_two = np.int64(dealt.arrival[dealt.arrivals[card, 1] + two])
            if after_one >= 0 and after_two >= 0:
                break
        child = np.int64(dealt.children[card])
        deal.cards[level] = child - dealt.boards[board, FIRST_CHILD]
        board, level, one, two = child, level + 1, after_one, after_two
    start = first + one
    shown = (two < dealt.compare[start, WEAKER]) * 1.0 - (two >= dealt.compare[start, NOT_STRONGER]) * 1.0
    for k in range(SHOWN, len(deal.pays), OUTCOMES):
        deal.pays[k] = shown


@exact_part
def start_of(dealt, place, player, hand):
    """Where the numbers of a hand at a place begin."""
    return dealt.places[place, START + player] + hand * dealt.places[place, HAND_ROWS + player]


@exact_part
def pays_of(deal, player, values):
    """What the ends pay the learner for an amount of 1; returns the first free slot."""
    for k in range(len(deal.pays)):
        values[k] = deal.pays[k] if player == 0 else -deal.pays[k]
    return len(deal.pays)


@exact_part
def level_of(dealt, place):
    """How many public cards were dealt before a place."""
    return dealt.boards[dealt.places[place, BOARD], LEVEL]


@exact_part
def following(dealt, deal, place, end):
    """The place after a deal, and its level."""
    level = level_of(dealt, place)
    after = dealt.places[place, FIRST_PLACE] + deal.cards[level] * dealt.ends[end, END_GROUPS]
    return after + dealt.ends[end, END_GROUP], level + 1


@exactly
def deal_many(dealt, deal, found):
    """Fill rows of `found` with dealt hands and cards: for each level both hands, then the child that came."""
    for k in range(len(found)):
        deal_all(dealt, deal)
        for level in range(len(deal.hands)):
            found[k, level, 0], found[k, level, 1] = deal.hands[level, 0], deal.hands[level, 1]
            found[k, level, 2] = deal.cards[level]
