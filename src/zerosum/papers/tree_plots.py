"""Draw trees: the decision process of a player (spcfr, figure 1) and the histories of a small game (ecfr, figure 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.games.catalogue import create_game
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.problems.registry import problem
from zerosum.results.display.drawing import STYLES, create_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Position = tuple[float, float]
FIRST, SECOND, GREY = STYLES[0][0], STYLES[1][0], "#555555"
"""Colours of the first player and of decisions, of the second player and of observations, of chance and of ends."""
COLOURS = {"C": GREY, "P1": FIRST, "P2": SECOND}
NAMES = {CHANCE: "C", 0: "P1", 1: "P2"}
WHITE = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
ARC_HEIGHT = 0.27
"""How far a dotted line rises above the histories that it joins."""


@dataclass
class PlotNode:
    """A node of a tree that is drawn: its kind, its text and its children, each with the label of the line to it."""

    kind: str
    text: str = ""
    children: list[tuple[str, PlotNode]] = field(default_factory=list)
    x: float = 0.0


NodeDrawer = Callable[["Axes", PlotNode, Position], None]
"""Draws a node at its position."""


def plot_decision_process(game: str) -> Figure:
    """Return the picture of the first player's decision process."""
    form = problem(game).build()

    def draw_node(axes: Axes, node: PlotNode, position: Position) -> None:
        if node.kind == "decision":
            box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": FIRST, "linewidth": 1.4}
            _write(axes, node.text, position, fontsize=9, zorder=3, bbox=box)
        elif node.kind == "observation":
            circle: dict[str, Any] = {"markerfacecolor": "white", "markeredgecolor": SECOND, "zorder": 3}
            axes.plot(*position, marker="o", markersize=15, **circle)
            axes.plot(*position, marker="x", markersize=8, color=SECOND, markeredgewidth=1.4, zorder=4)
        else:
            axes.plot(*position, marker="o", markersize=3.5, color=GREY, zorder=3)

    root = build_process(form.treeplexes[0], form.describe)
    figure, axes = _draw_tree(root, 0.85, draw_node)
    legend = "boxes decide, \N{CIRCLED TIMES} observe, dots end"
    axes.set_title(f"decisions of the first player of {game}: {legend}", loc="left")
    axes.margins(0.06)
    return figure


def build_process(treeplex: Treeplex, describe: Callable[[Any], object]) -> PlotNode:
    """Return the tree of decisions, observations (sequences that decisions follow) and ends of a treeplex."""
    infosets_after: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent.tolist()):
        infosets_after.setdefault(int(parent), []).append(infoset)

    def build_sequence(sequence: int) -> PlotNode:
        infosets = infosets_after.get(sequence, [])
        if not infosets:
            return PlotNode("end")
        if len(infosets) == 1 and sequence:
            return build_decision(infosets[0])
        children = [(_describe_observation(treeplex, infoset), build_decision(infoset)) for infoset in infosets]
        return PlotNode("observation", children=children)

    def build_decision(infoset: int) -> PlotNode:
        text = str(describe(treeplex.infosets[infoset]))
        children = zip(treeplex.actions[infoset], treeplex.sequences_of(infoset).tolist(), strict=True)
        return PlotNode("decision", text, [(str(action), build_sequence(sequence)) for action, sequence in children])

    return build_sequence(0)


def _describe_observation(treeplex: Treeplex, infoset: int) -> str:
    """Return what is observed: the first part of an infoset's text."""
    return str(treeplex.infosets[infoset]).strip("('").split("|")[0].split("'")[0]


def plot_game_tree(name: str) -> Figure:
    """Return the picture of a game's tree; a dotted line joins the histories of an infoset."""
    game = create_game(name)
    infosets: dict[tuple[str, str], list[Position]] = {}

    def draw_node(axes: Axes, node: PlotNode, position: Position) -> None:
        if node.kind == "end":
            _write(axes, node.text, position, fontsize=9, zorder=3, bbox=WHITE)
            return
        if node.text:
            infosets.setdefault((node.kind, node.text), []).append(position)
        box = {**WHITE, "boxstyle": "circle,pad=0.3", "edgecolor": COLOURS[node.kind], "linewidth": 1.4}
        _write(axes, node.kind, position, fontsize=9, zorder=3, bbox=box)

    figure, axes = _draw_tree(build_game_tree(game, game.root()), 1.1, draw_node)
    for positions in infosets.values():
        for first, second in pairwise(positions):
            axes.plot(*zip(*_compute_arc(first, second), strict=True), ":", color="#333333", zorder=0)
    axes.set_title(f"the histories of {name}, with what the first player gets", loc="left")
    axes.margins(0.08)
    return figure


def build_game_tree(game: Any, state: Any) -> PlotNode:
    """Return the tree below a history: the player to move and the infoset, or the first player's payoff at an end."""
    player = game.player(state)
    if player == TERMINAL:
        return PlotNode("end", f"{game.payoff(state):g}")
    moves = [move for move, _ in game.chances(state)] if player == CHANCE else game.actions(state)
    children = [(str(move), build_game_tree(game, game.child(state, move))) for move in moves]
    return PlotNode(NAMES[player], "" if player == CHANCE else str(game.infoset(state)), children)


def _compute_arc(start: Position, end: Position) -> list[Position]:
    """Return the points of a line that passes above what lies between two positions."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    shares = [step / 20 for step in range(21)]
    return [(x + s * dx, y + s * dy + 4 * ARC_HEIGHT * s * (1 - s)) for s in shares]


def _draw_tree(root: PlotNode, leaf_width: float, draw_node: NodeDrawer) -> tuple[Figure, Axes]:
    """Draw the labelled lines of a tree on a new figure, and each node by `draw_node`; leaf_width: in inches."""
    figure = create_figure(leaf_width * assign_positions(root) + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()

    def draw_below(node: PlotNode, depth: int) -> None:
        for label, child in node.children:
            axes.plot([node.x, child.x], [-depth, -depth - 1], color="#999999", linewidth=1.0, zorder=1)
            middle = ((node.x + child.x) / 2, -depth - 0.5)
            _write(axes, label, middle, fontsize=8, zorder=2, bbox=WHITE)
            draw_below(child, depth + 1)
        draw_node(axes, node, (node.x, -depth))

    draw_below(root, 0)
    return figure, axes


def _write(axes: Axes, text: str, position: Position, **style: Any) -> None:
    axes.annotate(text, position, ha="center", va="center", **style)


def assign_positions(node: PlotNode, next_x: float = 0.0) -> float:
    """Place leaves side by side from `next_x` on, and other nodes above the middle of their children; return the next
    free position."""
    if not node.children:
        node.x = next_x
        return next_x + 1.0
    for _, child in node.children:
        next_x = assign_positions(child, next_x)
    node.x = (node.children[0][1].x + node.children[-1][1].x) / 2
    return next_x
