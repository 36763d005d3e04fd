"""The colours of actions, the same wherever a strategy is shown."""

from __future__ import annotations

from collections.abc import Sequence

Colour = tuple[int, int, int]
FOLD: Colour = (77, 116, 176)
PASSIVE: Colour = (96, 168, 104)
SMALL: Colour = (240, 170, 96)
LARGE: Colour = (190, 44, 44)
ALLIN: Colour = (122, 28, 92)


def colours(actions: Sequence[str]) -> list[Colour]:
    """A colour for each action: blue folds, green checks and calls, orange to red bets, purple all-in.

    >>> colours(["fold", "call", "raise 300"])
    [(77, 116, 176), (96, 168, 104), (240, 170, 96)]
    """
    sized = [action for action in actions if action.split()[0] in ("bet", "raise")]
    found: list[Colour] = []
    for action in actions:
        if action in sized:
            found.append(mixed(SMALL, LARGE, sized.index(action) / max(1, len(sized) - 1)))
        else:
            found.append({"fold": FOLD, "allin": ALLIN}.get(action, PASSIVE))
    return found


def mixed(one: Colour, two: Colour, share: float) -> Colour:
    """A colour between two."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return red, green, blue
