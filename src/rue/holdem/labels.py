"""Actions as people read them: `bet 858 (33%)`, with the share of the pot that a bet or raise is."""

from __future__ import annotations

from typing import Protocol


class Decides(Protocol):
    """Where a player may act: the actions, what both have bet on this street, and what the player has after each."""

    @property
    def player(self) -> int: ...

    @property
    def actions(self) -> tuple[str, ...]: ...

    @property
    def paid(self) -> tuple[float, float]: ...

    @property
    def to(self) -> tuple[float, ...]: ...


def shares_of_pot(node: Decides, pot: float) -> tuple[float | None, ...]:
    """What each action puts in beyond a call, as a share of the pot after a call; None for fold, check and call.

    `pot` holds all bets so far. These are the percentages of `rue.holdem.bets`.

    >>> from rue.holdem.files import load_spot
    >>> river = load_spot("river").tree
    >>> shares_of_pot(river.choices[0], river.pot)
    (None, 0.33, 0.75, 1.5, 3.3461538461538463)
    >>> facing = river.node("bet 858")
    >>> [share and round(share, 2) for share in shares_of_pot(facing, river.pot + sum(facing.paid))]
    [None, None, 0.75, 1.82]
    """
    top = max(node.paid)
    whole = pot + top - node.paid[node.player]
    return tuple(
        (to - top) / whole if to > top and action != "call" else None
        for action, to in zip(node.actions, node.to, strict=True)
    )


def label(action: str, share: float | None) -> str:
    """An action with its share of the pot.

    >>> label("bet 858", 0.33), label("allin", 3.346), label("call", None), label("bet 3", 0.004)
    ('bet 858 (33%)', 'allin (335%)', 'call', 'bet 3 (0.4%)')
    """
    if share is None:
        return action
    percent = 100 * share
    return f"{action} ({percent:.0f}%)" if percent >= 1 else f"{action} ({percent:.1g}%)"
