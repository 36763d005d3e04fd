"""Draw the tree of a small game from its rules (ecfr, figure 1)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zerosum.games.catalogue import create_game
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.papers.plots.treeplex_plot import PlotNode, assign_positions
from zerosum.results.display.curve_plot import STYLES, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Position = tuple[float, float]
NAMES = {CHANCE: "C", 0: "P1", 1: "P2"}
COLOURS = {"C": "#555555", "P1": STYLES[0][0], "P2": STYLES[1][0]}
ARC_HEIGHT = 0.27
"""How far a dotted line rises above the histories that it joins."""
WHITE = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}


def build_tree(game: Any, state: Any) -> PlotNode:
    """Return the tree below a history: the player to move and the infoset, or the first player's payoff at an end."""
    player = game.player(state)
    if player == TERMINAL:
        return PlotNode("end", f"{game.payoff(state):g}")
    moves = [move for move, _ in game.chances(state)] if player == CHANCE else game.actions(state)
    children = [(str(move), build_tree(game, game.child(state, move))) for move in moves]
    return PlotNode(NAMES[player], "" if player == CHANCE else str(game.infoset(state)), children)


def _arc(start: Position, end: Position) -> list[Position]:
    """Return the points of a line that passes above what lies between two positions."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    shares = [step / 20 for step in range(21)]
    return [(x + s * dx, y + s * dy + 4 * ARC_HEIGHT * s * (1 - s)) for s in shares]


def game_tree(name: str) -> Figure:
    """Return the picture of a game's tree."""
    game = create_game(name)
    root = build_tree(game, game.root())
    width = assign_positions(root)
    figure = blank(1.1 * width + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()
    infosets: dict[tuple[str, str], list[Position]] = {}

    def draw(node: PlotNode, depth: int) -> None:
        for label, child in node.children:
            axes.plot([node.x, child.x], [-depth, -depth - 1], color="#999999", linewidth=1.0, zorder=1)
            middle = ((node.x + child.x) / 2, -depth - 0.5)
            axes.annotate(label, middle, ha="center", va="center", fontsize=8, zorder=2, bbox=WHITE)
            draw(child, depth + 1)
        position = (node.x, -depth)
        if node.kind == "end":
            axes.annotate(node.text, position, ha="center", va="center", fontsize=9, zorder=3, bbox=WHITE)
            return
        if node.text:
            infosets.setdefault((node.kind, node.text), []).append(position)
        box: dict[str, Any] = {**WHITE, "boxstyle": "circle,pad=0.3", "edgecolor": COLOURS[node.kind], "linewidth": 1.4}
        axes.annotate(node.kind, position, ha="center", va="center", fontsize=9, zorder=3, bbox=box)

    draw(root, 0)
    for positions in infosets.values():
        for first, second in pairwise(positions):
            axes.plot(*zip(*_arc(first, second), strict=True), ":", color="#333333", zorder=0)
    axes.set_title(f"the histories of {name}, with what the first player gets", loc="left")
    axes.margins(0.08)
    return figure
