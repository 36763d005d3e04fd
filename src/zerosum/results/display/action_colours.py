"""The colours of actions, the same wherever a strategy is shown: in the terminal and on a page.

Folds are blue, checks and calls green, bets and raises yellow to red from small to large, all-ins purple. The colours
differ for readers who cannot distinguish red from green or blue from yellow, and in grey larger bets are darker.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Colour = tuple[int, int, int]
FOLD: Colour = (60, 95, 175)
PASSIVE: Colour = (110, 190, 150)
SMALL: Colour = (250, 210, 90)
LARGE: Colour = (200, 70, 20)
ALLIN: Colour = (100, 20, 80)
NAMED = {"fold": FOLD, "allin": ALLIN}
"""Other actions have the colour of their size, or the passive one."""

LOW: Colour = (224, 146, 96)
MIDDLE: Colour = (241, 237, 226)
HIGH: Colour = (112, 163, 214)
"""Low, middle and high EV or equity in cells with dark text."""

PLAIN: tuple[Colour, ...] = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (150, 140, 30),
    (130, 130, 130),
)
"""For the actions of other games, in turn: the palette of Okabe and Ito, distinct for colour-blind readers too."""

SIXTEEN = {FOLD: "blue", PASSIVE: "green", SMALL: "yellow", LARGE: "red", ALLIN: "magenta"}
"""The same on a terminal of sixteen colours."""


def choose_colours(actions: Sequence[str]) -> list[Colour]:
    """Return a colour for each action.

    >>> choose_colours(["fold", "call", "raise 300"])
    [(60, 95, 175), (110, 190, 150), (250, 210, 90)]
    """
    return [
        NAMED.get(action, PASSIVE) if size is None else mix_colours(SMALL, LARGE, size)
        for action, size in zip(actions, _rank_sizes(actions), strict=True)
    ]


@lru_cache(maxsize=1024)
def list_colour_codes(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the colour of each action as pages write it.

    >>> list_colour_codes(("fold", "call"))
    ('#3c5faf', '#6ebe96')
    """
    return tuple(map(format_colour, choose_colours(actions)))


def choose_distinct_colours(actions: Sequence[str]) -> list[Colour]:
    """Return a colour for each action of any game: those of poker if they are all different, else plain ones.

    There are eight plain colours; further actions repeat them.

    >>> choose_distinct_colours(["fold", "call"]), choose_distinct_colours(["rock", "paper"])
    ([(60, 95, 175), (110, 190, 150)], [(0, 114, 178), (230, 159, 0)])
    """
    poker = choose_colours([action or "-" for action in actions])
    return poker if len(set(poker)) == len(poker) else [PLAIN[k % len(PLAIN)] for k in range(len(actions))]


def choose_terminal_colours(actions: Sequence[str]) -> list[str]:
    """Return one of sixteen colour names for each action; where there are many sizes, some share a colour.

    >>> choose_terminal_colours(["check", "bet 100", "bet 200", "allin"])
    ['green', 'yellow', 'red', 'magenta']
    """
    return [
        SIXTEEN[NAMED.get(action, PASSIVE) if size is None else SMALL if size < 0.5 else LARGE]
        for action, size in zip(actions, _rank_sizes(actions), strict=True)
    ]


def _rank_sizes(actions: Sequence[str]) -> list[float | None]:
    """Return the rank of each bet or raise from the smallest, 0, to the largest, 1; None for other actions."""
    sized = [action for action in actions if action.split()[0] in ("bet", "raise")]
    return [sized.index(action) / max(1, len(sized) - 1) if action in sized else None for action in actions]


def mix_colours(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two: the first at share 0, the second at share 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def format_colour(colour: Colour) -> str:
    """Return a colour as pages and terminals write it.

    >>> format_colour(FOLD)
    '#3c5faf'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
