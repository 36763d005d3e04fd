"""Columns of the boards that there are for each player: parts of the kernels of the public form."""

from __future__ import annotations

from rue.forms.public_form import FIRST_HAND, WIDTH
from rue.native.compiled import woven


@woven
def width_of(boards, board, player):
    """How many hands a board leaves to a player."""
    return boards[board, WIDTH + 2 * player]


@woven
def first_hand(boards, board, player):
    """The first hand of a board among those of all boards."""
    return boards[board, FIRST_HAND + 2 * player]
