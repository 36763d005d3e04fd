"""The tables of a public form, as the compiled kernels see them: what each holds, and the names of its columns.

Where a table has a column for each player, the name is that of the first player's; the second player's comes next,
except in `boards`, where it stands two columns on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.native.decorators import inline_source

# Columns of `choices`: the player who moves, the row of the first action, the number of actions, the row before them.
MOVER, FIRST_ROW, ACTIONS, PARENT_ROW, CHOICE_COLUMNS = range(5)

# Columns of `ends`: the kind of the end, and for each player the row that leads there.
END_ROW, END_COLUMNS = 1, 3

# Columns of `bundles`: for each player the number of rows; ranges of decisions and of all-ins (first, end); the number
# of groups of deals, each of which leads to a different place, and the first of them in `followers`; the number of rows
# that come from the place before, which are not stored.
ROWS = 0
CHOICES_BEGIN, CHOICES_END, ALLINS_BEGIN, ALLINS_END, GROUPS, FIRST_GROUP, ENTRIES, BUNDLE_COLUMNS = range(2, 10)

# Columns of `lanes`: the first lane in `lane_rows`, the number of lanes, the number of those that come to a showdown
# (they are the first), the lane from which on all come to a fold, and whether any pays rake at a showdown or all-in.
LANE_COLUMNS = 5

# Columns of `lane_rows`: the opponent's row, then the player's row that is paid, for each way to pay.
SWEPT_ROW, PAID_ROW, LANE_ROW_COLUMNS = 0, 1, 4
# Columns of `lane_amounts`, the ways to pay: at a showdown, at a fold, the rake at a showdown or all-in.
AT_SHOWDOWN, AT_FOLD, RAKE_PAYMENT, WAYS_TO_PAY = range(4)

# Columns of `boards`: for each player the first hand, among the hands of all boards and players, and the number of
# hands; ranges of the boards that follow and of the sources (first, count); the first equity, -1 if there is none; and
# for each player the first group of hands that compare alike.
FIRST_HAND, WIDTH = 0, 1
FIRST_CHILD, CHILDREN, FIRST_SOURCE, SOURCES, EQUITY, HAND_GROUP = range(4, 10)
BOARD_COLUMNS = 11

# Columns of `compare`: the number of the opponent's hands that are weaker, and that are weaker or equal; the index of
# the same hand among the opponent's, -1 if there is none.
WEAKER, NOT_STRONGER, SAME_HAND, COMPARE_COLUMNS = range(4)
# Columns of `groups`: the first two are those of `compare`; then the hand after the last one of the group.
GROUP_END, GROUP_COLUMNS = 2, 3

# Columns of `places`: the bundle and the board; for each player the start of its numbers in the store; the first place
# that follows, card by card and group by group; the first decision among those of all places; and for each player the
# start of its rows if the entering ones are counted too.
BUNDLE, BOARD, START, FIRST_PLACE, FIRST_DECISION, START_OF_ROWS = 0, 1, 2, 4, 5, 6


class PublicTables(NamedTuple):
    """The tables of a public form, as arrays."""

    choices: Integers
    """The decisions of every bundle."""
    ends: Integers
    """The ends of every bundle."""
    amounts: Floats
    """What the loser pays the winner at each end."""
    rake: Floats
    """The rake that each player pays at each end."""
    bundles: Integers
    followers: Integers
    """For each group of deals, the range of its ends in `deals`."""
    deals: Integers
    """The ends whose rows enter the bundle that follows, in the order of its entries."""
    allins: Integers
    """The ends with all-ins before the last card."""
    lanes: Integers
    """For each bundle and player."""
    lane_rows: Integers
    lane_amounts: Floats
    boards: Integers
    chance: Floats
    """The chance of each card that may come on a board, given two hands."""
    cards: NDArray[np.uint8]
    """The two cards of each hand of each board of each player."""
    compare: NDArray[np.int16]
    """For each of these hands, how it compares with the opponent's hands."""
    groups: NDArray[np.int16]
    """The groups of hands that compare alike."""
    sources: Integers
    """For each source and player its start in `source`."""
    source: NDArray[np.int32]
    """The index of each hand among those of the board before."""
    equity: NDArray[np.float32]
    """For the boards with all-ins, a number for each pair of hands."""
    places: Integers


@inline_source
def count_hands(boards: Integers, board: int, player: int) -> int:
    """Return the number of hands that a board leaves to a player."""
    return boards[board, WIDTH + 2 * player]


@inline_source
def find_first_hand(boards: Integers, board: int, player: int) -> int:
    """Return the number of the first hand of a board among the hands of all boards."""
    return boards[board, FIRST_HAND + 2 * player]
