"""The tree of a small game, drawn from its rules (ecfr, figure 1)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rue.games.catalogue import make
from rue.games.game import CHANCE, NOBODY
from rue.papers.treeplex import Process, spread
from rue.results.drawing import STYLES, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Place = tuple[float, float]
NAMES = {CHANCE: "C", 0: "P1", 1: "P2"}
COLOURS = {"C": "#555555", "P1": STYLES[0][0], "P2": STYLES[1][0]}
HIGH = 0.27
"""How far a dotted line rises above the histories that it joins."""
WHITE = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}


def histories(game: Any, state: Any) -> Process:
    """The tree from a history on: who moves and at which infoset, or what the first player gets at an end."""
    player = game.player(state)
    if player == NOBODY:
        return Process("end", f"{game.payoff(state):g}")
    moves = [move for move, _ in game.chances(state)] if player == CHANCE else game.actions(state)
    below = [(str(move), histories(game, game.child(state, move))) for move in moves]
    return Process(NAMES[player], "" if player == CHANCE else str(game.infoset(state)), below)


def _bow(one: Place, two: Place) -> list[Place]:
    """A line that passes above what lies between two places."""
    shares = [step / 20 for step in range(21)]
    return [(one[0] + s * (two[0] - one[0]), one[1] + s * (two[1] - one[1]) + 4 * HIGH * s * (1 - s)) for s in shares]


def game_tree(name: str) -> Figure:
    """The picture."""
    game = make(name)
    root = histories(game, game.root())
    width = spread(root)
    figure = blank(1.1 * width + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()
    alike: dict[tuple[str, str], list[Place]] = {}

    def draw(node: Process, depth: int) -> None:
        for label, part in node.below:
            axes.plot([node.across, part.across], [-depth, -depth - 1], color="#999999", linewidth=1.0, zorder=1)
            middle = ((node.across + part.across) / 2, -depth - 0.5)
            axes.annotate(label, middle, ha="center", va="center", fontsize=8, zorder=2, bbox=WHITE)
            draw(part, depth + 1)
        place = (node.across, -depth)
        if node.kind == "end":
            axes.annotate(node.name, place, ha="center", va="center", fontsize=9, zorder=3, bbox=WHITE)
            return
        if node.name:
            alike.setdefault((node.kind, node.name), []).append(place)
        box: dict[str, Any] = {**WHITE, "boxstyle": "circle,pad=0.3", "edgecolor": COLOURS[node.kind], "linewidth": 1.4}
        axes.annotate(node.kind, place, ha="center", va="center", fontsize=9, zorder=3, bbox=box)

    draw(root, 0)
    for places in alike.values():
        for one, two in pairwise(places):
            axes.plot(*zip(*_bow(one, two), strict=True), ":", color="#333333", zorder=0)
    axes.set_title(f"the histories of {name}, with what the first player gets", loc="left")
    axes.margins(0.08)
    return figure
