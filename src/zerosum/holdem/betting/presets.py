"""Betting abstractions by name: simple, standard, rich."""

from __future__ import annotations

from typing import Any, NamedTuple


class Preset(NamedTuple):
    """A named betting abstraction: its purpose, and the keys of a spot file that it stands for."""

    summary: str
    options: dict[str, Any]


# fmt: off
PRESETS = {
    "simple": Preset("one size a street: a first look, and small enough for many flops", {
        "bets": "50%; turn: 66%; river: 75%", "raises": "60%", "donks": "none",
        "cap": 2, "add_allin": 1.0, "force_allin": "67%",
    }),
    "standard": Preset("a small and a large bet, overbets on the river: everyday study", {
        "bets": "33%,75%; river: 33%,75%,150%", "raises": "60%", "donks": "none; river: 33%",
        "cap": 3, "add_allin": 1.5, "force_allin": "67%", "merge": "10%",
    }),
    "rich": Preset("three to four sizes with overbets, donk bets, two raises: when sizes are the question", {
        "bets": "25%,50%,100%; turn: 33%,66%,125%; river: 25%,50%,100%,175%", "raises": "50%,100%",
        "donks": "33%; river: 33%,75%", "cap": 4, "add_allin": 2.5, "force_allin": "75%", "merge": "10%",
    }),
}
# fmt: on
