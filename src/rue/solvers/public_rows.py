"""Where a place keeps its rows of hands: parts of the kernels of the public form."""

from __future__ import annotations

from rue.forms.public_form import (
    BOARD,
    BUNDLE,
    CHOICES_BEGIN,
    CHOICES_END,
    ENTRIES,
    FIRST_DECISION,
    FIRST_HAND,
    START,
    WIDTH,
)
from rue.regret.compiled import woven


@woven
def width_of(form, board, player):
    """How many hands a board leaves to a player."""
    return form.boards[board, WIDTH + 2 * player]


@woven
def first_hand(form, board, player):
    """The first hand of a board among those of all boards."""
    return form.boards[board, FIRST_HAND + 2 * player]


@woven
def stored_from(form, place, player, width):
    """Where row 0 of a place would be in the store: row r is there from r * width on, but for the entering ones."""
    return form.places[place, START + player] - form.bundles[form.places[place, BUNDLE], ENTRIES] * width


@woven
def board_at(form, place):
    """The board of a place."""
    return form.places[place, BOARD]


@woven
def bundle_at(form, place):
    """The bundle of a place."""
    return form.places[place, BUNDLE]


@woven
def choices_of(form, place):
    """The first decision of a place, and the one after its last, among those of the bundles."""
    bundle = form.places[place, BUNDLE]
    return form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]


@woven
def number_of(form, place, decision):
    """The number of a decision among those of all places."""
    return form.places[place, FIRST_DECISION] + decision - form.bundles[form.places[place, BUNDLE], CHOICES_BEGIN]
