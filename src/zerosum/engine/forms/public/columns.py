"""The tables of a public form, as the compiled kernels see them: what each holds, and the names of its columns.

Where there is a column for each player, the name is that of the first player's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.native.decorators import inline_source

# Columns of `choices`.
MOVER = 0
FIRST_ROW = 1
"""The row of its first action."""
ACTIONS = 2
PARENT_ROW = 3
CHOICE_COLUMNS = 4

# Columns of `ends`.
KIND = 0
END_ROW = 1
"""The row that leads there: of one, of two."""
END_COLUMNS = 3

# Columns of `bundles`.
ROWS = 0
"""How many rows there are: of one, of two."""
CHOICES_BEGIN = 2
CHOICES_END = 3
ALLINS_BEGIN = 4
ALLINS_END = 5
GROUPS = 6
"""How many groups of deals there are, each of which leads to a different place."""
FIRST_GROUP = 7
"""The first of them in `followers`."""
ENTRIES = 8
"""The rows that come from the place before; they are not stored."""
BUNDLE_COLUMNS = 9

# Columns of `lanes`.
FIRST_LANE = 0
"""In `lane_rows`."""
LANES_IN_ALL = 1
LANES_SHOWN = 2
"""The first lanes, which come to a showdown."""
FIRST_FOLDED = 3
"""From this lane on they come to a fold."""
HAS_RAKE = 4
"""Whether any of them pays rake at a showdown or all-in."""
LANE_COLUMNS = 5

# Columns of `lane_rows` and `lane_amounts`.
SWEPT_ROW = 0
"""The opponent's row."""
PAID_ROW = 1
"""The player's row that is paid: at a showdown, at a fold, for the rake at a showdown or all-in."""
LANE_ROW_COLUMNS = 4
AT_SHOWDOWN, AT_FOLD, RAKE_PAYMENT, WAYS_TO_PAY = 0, 1, 2, 3

# Columns of `boards`.
FIRST_HAND = 0
"""Among the hands of all boards and players; of two it stands two columns on, like the width."""
WIDTH = 1
"""How many hands there are."""
FIRST_CHILD = 4
CHILDREN = 5
FIRST_SOURCE = 6
SOURCES = 7
EQUITY = 8
"""Where its equities begin; -1 if there are none."""
HAND_GROUP = 9
"""The first group of hands that compare alike: of one, of two."""
BOARD_COLUMNS = 11

# Columns of `compare`; the first two also of `groups`.
WEAKER = 0
"""How many of the opponent's hands are weaker."""
NOT_STRONGER = 1
"""How many are weaker or equal."""
SAME_HAND = 2
"""Where the opponent holds the same hand; -1 if nowhere."""
COMPARE_COLUMNS = 3
GROUP_END = 2
"""The hand after the last one of a group."""
GROUP_COLUMNS = 3

# Columns of `places`.
BUNDLE = 0
BOARD = 1
START = 2
"""Where its numbers begin in the store: of one, of two."""
FIRST_PLACE = 4
"""The first place that follows: card by card, group by group."""
FIRST_DECISION = 5
"""Among the decisions of all places."""
START_OF_ROWS = 6
"""Where its rows begin if the entering ones are counted too: of one, of two."""


class PublicTables(NamedTuple):
    """The tables of a public form, as arrays."""

    choices: Integers
    """The decisions of every bundle."""
    ends: Integers
    amounts: Floats
    """What the loser pays the winner at each end."""
    rake: Floats
    """The rake that each player pays there."""
    bundles: Integers
    followers: Integers
    """For each group of deals: first and last entry in `deals`."""
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
    """Card and second card of each hand of each board of each player."""
    compare: NDArray[np.int16]
    """For each of these, how it compares with the opponent's hands."""
    groups: NDArray[np.int16]
    """For each group of hands that compare alike: how, and the hand after its last."""
    sources: Integers
    """For each source and player its start in `source`."""
    source: NDArray[np.int32]
    """The place of each hand among those of the board before."""
    equity: NDArray[np.float32]
    """For the boards with all-ins, a number for each pair of hands."""
    places: Integers


@inline_source
def width_of(boards: Integers, board: int, player: int) -> int:
    """Return the number of hands that a board leaves to a player."""
    return boards[board, WIDTH + 2 * player]


@inline_source
def first_hand(boards: Integers, board: int, player: int) -> int:
    """Return the number of the first hand of a board among the hands of all boards."""
    return boards[board, FIRST_HAND + 2 * player]
