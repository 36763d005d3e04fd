"""The colours of actions, the same wherever a strategy is shown: in the terminal and on a page.

Blue folds, green checks and calls, yellow to red bets and raises from small to large, purple is all-in. They stay apart
for eyes that cannot distinguish red from green or blue from yellow, and in grey the aggressive actions grow darker.
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
"""For actions that are not those of poker, one after the other: after Okabe and Ito, for every eye."""

SIXTEEN = {FOLD: "blue", PASSIVE: "green", SMALL: "yellow", LARGE: "red", ALLIN: "magenta"}
"""The same on a terminal of sixteen colours."""


def colours(actions: Sequence[str]) -> list[Colour]:
    """A colour for each action.

    >>> colours(["fold", "call", "raise 300"])
    [(60, 95, 175), (110, 190, 150), (250, 210, 90)]
    """
    return [
        plain if size is None else mix_colours(SMALL, LARGE, size)
        for plain, size in zip(map(_plain, actions), _sizes(actions), strict=True)
    ]


@lru_cache(maxsize=1024)
def colour_codes(actions: tuple[str, ...]) -> tuple[str, ...]:
    """Return the colour of each action as pages write it.

    >>> colour_codes(("fold", "call"))
    ('#3c5faf', '#6ebe96')
    """
    return tuple(hexadecimal(colour) for colour in colours(actions))


def distinct_colours(actions: Sequence[str]) -> list[Colour]:
    """Return a colour for each action of any game: those of poker if they are all different, else plain ones.

    >>> distinct_colours(["bet", "check"]) == colours(["bet", "check"]), distinct_colours(["rock", "paper"])
    (True, [(0, 114, 178), (230, 159, 0)])
    """
    poker = colours([action or "-" for action in actions])
    return poker if len(set(poker)) == len(poker) else [PLAIN[k % len(PLAIN)] for k in range(len(actions))]


def sixteen(actions: Sequence[str]) -> list[str]:
    """Return one of sixteen colour names for each action; where there are many sizes, some share a colour.

    >>> sixteen(["check", "bet 100", "bet 200", "allin"])
    ['green', 'yellow', 'red', 'magenta']
    """
    return [
        SIXTEEN[plain if size is None else SMALL if size < 0.5 else LARGE]
        for plain, size in zip(map(_plain, actions), _sizes(actions), strict=True)
    ]


def _plain(action: str) -> Colour:
    return {"fold": FOLD, "allin": ALLIN}.get(action, PASSIVE)


def _sizes(actions: Sequence[str]) -> list[float | None]:
    """Return the rank of each bet or raise from the smallest, 0, to the largest, 1; None for other actions."""
    sized = [action for action in actions if action.split()[0] in ("bet", "raise")]
    return [sized.index(action) / max(1, len(sized) - 1) if action in sized else None for action in actions]


def mix_colours(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two: the first at share 0, the second at share 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def hexadecimal(colour: Colour) -> str:
    """Return a colour as pages and terminals write it.

    >>> hexadecimal(FOLD)
    '#3c5faf'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)
