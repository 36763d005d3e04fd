"""Dealing two hands and the public cards, with the payoffs that follow from them (kernels)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.columns import NOT_STRONGER, WEAKER
from zerosum.engine.sampling.deal_tables import (
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
    HANDS_ONE,
    HANDS_TWO,
    LEVEL,
    OUTCOMES,
    SHOWDOWN_WINNER,
    START,
    DealTables,
)
from zerosum.engine.sampling.draws import draw_uniform
from zerosum.engine.updates.blocks import Index, Row
from zerosum.native.decorators import exact_inline


class DealState(NamedTuple):
    """Dealt cards; a row is a level, that is, the number of public deals so far."""

    state: Any
    """The state of the random generator: one 64-bit number."""
    hands: Any
    """(levels, 2): the index of each player's hand on the board; of isomorphic hands, the first."""
    cards: Any
    """(levels,): which child of the board was dealt."""
    payoffs: Any
    """What the first player wins for an amount of 1, for each kind of end of each level."""


@exact_inline
def draw_hand(state: Row, chances: Row, aliases: Row, first: Index, count: Index) -> Index:
    """Draw a hand by the alias method: one uniform number gives the index and the coin toss."""
    x = draw_uniform(state) * count
    k = np.int64(x)
    return k if x - k < chances[first + k] else np.int64(aliases[first + k])


@exact_inline
def deal_hands(tables: DealTables, deal: DealState) -> tuple[Index, Index]:
    """Draw two hands with probability w1 w2 / total: each by its weight, both anew while they share a card."""
    count_one, count_two = tables.boards[0, HANDS_ONE], tables.boards[0, HANDS_TWO]
    while True:
        hand_one = draw_hand(deal.state, tables.chances, tables.aliases, 0, count_one)
        hand_two = draw_hand(deal.state, tables.chances, tables.aliases, count_one, count_two)
        if tables.cards[hand_one] & tables.cards[count_one + hand_two] == 0:
            return hand_one, hand_two


@exact_inline
def deal_hands_and_board(tables: DealTables, deal: DealState) -> None:
    """Deal hands and public cards, the same cards for every line of betting.

    A public card is drawn among all that the board leaves, again while a hand holds it. If its board is stored as an
    isomorphic one, the hands are mapped to those of that board.
    """
    hand_one, hand_two = deal_hands(tables, deal)
    board, level = np.int64(0), 0
    while True:
        first = tables.boards[board, HANDS]
        deal.hands[level, 0] = tables.representatives[first + hand_one]
        deal.hands[level, 1] = tables.representatives[first + tables.boards[board, HANDS_ONE] + hand_two]
        count = tables.boards[board, CARDS]
        if count == 0:
            break
        if tables.boards[board, EQUITY] >= 0:
            pair = tables.boards[board, EQUITY] + hand_one * tables.boards[board, HANDS_TWO] + hand_two
            deal.payoffs[level * OUTCOMES + ALLIN_HERE] = tables.equity[pair]
        while True:
            card = tables.boards[board, FIRST_CARD] + np.int64(draw_uniform(deal.state) * count)
            after_one = np.int64(tables.arrival[tables.arrivals[card, 0] + hand_one])
            after_two = np.int64(tables.arrival[tables.arrivals[card, 1] + hand_two])
            if after_one >= 0 and after_two >= 0:
                break
        child = np.int64(tables.children[card])
        deal.cards[level] = child - tables.boards[board, FIRST_CHILD]
        board, level, hand_one, hand_two = child, level + 1, after_one, after_two
    start = first + hand_one
    winner = (hand_two < tables.compare[start, WEAKER]) * 1.0 - (hand_two >= tables.compare[start, NOT_STRONGER]) * 1.0
    for k in range(SHOWDOWN_WINNER, len(deal.payoffs), OUTCOMES):
        deal.payoffs[k] = winner


@exact_inline
def find_hand_offset(tables: DealTables, place: Index, player: Index, hand: Index) -> Index:
    """Return the offset of the numbers of a hand at a place."""
    return tables.places[place, START + player] + hand * tables.places[place, HAND_ROWS + player]


@exact_inline
def write_end_payoffs(deal: DealState, player: Index, values: Row) -> Index:
    """Write the learner's payoffs at the ends, for an amount of 1, into the first slots; return the first free slot."""
    for k in range(len(deal.payoffs)):
        values[k] = deal.payoffs[k] if player == 0 else -deal.payoffs[k]
    return len(deal.payoffs)


@exact_inline
def find_level(tables: DealTables, place: Index) -> Index:
    """Return the number of public cards dealt before a place."""
    return tables.boards[tables.places[place, BOARD], LEVEL]


@exact_inline
def find_next_place(tables: DealTables, deal: DealState, place: Index, end: Index) -> tuple[Index, Index]:
    """Return the place after a deal and its level."""
    level = find_level(tables, place)
    after = tables.places[place, FIRST_PLACE] + deal.cards[level] * tables.ends[end, END_GROUPS]
    return after + tables.ends[end, END_GROUP], level + 1
