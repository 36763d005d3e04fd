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
MOVERS = {CHANCE: ("C", GREY), 0: ("P1", FIRST), 1: ("P2", SECOND)}
"""The name and the colour of the player to move."""
WHITE = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
ARC_HEIGHT = 0.27
"""How far a dotted line rises above the histories that it joins."""


@dataclass
class PlotNode:
    """A node of a tree that is drawn: its text, the style of the text, and its children.

    children: pairs of the label of a line and the node below it. infoset: a dotted line joins the nodes of an infoset.
    """

    text: str
    style: dict[str, Any]
    children: list[tuple[str, PlotNode]] = field(default_factory=list)
    infoset: str = ""
    position: Position = (0.0, 0.0)


def plot_decision_process(game: str) -> Figure:
    """Return the picture of the first player's decision process."""
    form = problem(game).build_form()
    legend = "boxes decide, \N{CIRCLED TIMES} observe, dots end"
    title = f"decisions of the first player of {game}: {legend}"
    return draw_tree(build_process(form.treeplexes[0], form.describe), 0.85, title)


def build_process(treeplex: Treeplex, describe: Callable[[Any], object]) -> PlotNode:
    """Return the tree of decisions, observations (sequences that decisions follow) and ends of a treeplex."""
    infosets_after: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent.tolist()):
        infosets_after.setdefault(int(parent), []).append(infoset)

    def build_sequence(sequence: int) -> PlotNode:
        infosets = infosets_after.get(sequence, [])
        if not infosets:
            return PlotNode("\N{BULLET}", {"color": GREY, "fontsize": 14})
        if len(infosets) == 1 and sequence:
            return build_decision(infosets[0])
        observed = [str(treeplex.infosets[infoset]).strip("('").split("|")[0].split("'")[0] for infoset in infosets]
        children = list(zip(observed, map(build_decision, infosets), strict=True))
        style = {"color": SECOND, "fontsize": 20, "bbox": {**WHITE, "boxstyle": "circle,pad=-0.1"}}
        return PlotNode("\N{CIRCLED TIMES}", style, children)

    def build_decision(infoset: int) -> PlotNode:
        sequences = zip(treeplex.actions[infoset], treeplex.sequences_of(infoset).tolist(), strict=True)
        children = [(str(action), build_sequence(sequence)) for action, sequence in sequences]
        return PlotNode(str(describe(treeplex.infosets[infoset])), _make_outline_style("round", FIRST), children)

    return build_sequence(0)


def plot_game_tree(name: str) -> Figure:
    """Return the picture of a game's tree."""
    game = create_game(name)
    return draw_tree(
        build_game_tree(game, game.root()), 1.1, f"the histories of {name}, with the first player's payoffs"
    )


def build_game_tree(game: Any, state: Any) -> PlotNode:
    """Return the tree below a history: the player to move at each node, or the first player's payoff at an end."""
    player = game.player(state)
    if player == TERMINAL:
        return PlotNode(f"{game.payoff(state):g}", {"bbox": WHITE})
    moves = [move for move, _ in game.chances(state)] if player == CHANCE else game.actions(state)
    children = [(str(move), build_game_tree(game, game.child(state, move))) for move in moves]
    name, colour = MOVERS[player]
    infoset = "" if player == CHANCE else f"{name} {game.infoset(state)}"
    return PlotNode(name, _make_outline_style("circle", colour), children, infoset)


def _make_outline_style(shape: str, colour: str) -> dict[str, Any]:
    return {"bbox": {"boxstyle": f"{shape},pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.4}}


def draw_tree(root: PlotNode, leaf_width: float, title: str) -> Figure:
    """Return the picture of a tree; leaf_width: the distance of its leaves in inches."""
    figure = create_figure(leaf_width * assign_positions(root) + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_title(title, loc="left")
    axes.margins(0.08)
    infosets: dict[str, list[Position]] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        (x, y) = node.position
        for label, child in node.children:
            (child_x, child_y) = child.position
            axes.plot([x, child_x], [y, child_y], color="#999999", linewidth=1.0, zorder=1)
            _write_text(
                axes, label, ((x + child_x) / 2, (y + child_y) / 2), {"fontsize": 8, "zorder": 2, "bbox": WHITE}
            )
            pending.append(child)
        _write_text(axes, node.text, node.position, {"fontsize": 9, "zorder": 3, **node.style})
        if node.infoset:
            infosets.setdefault(node.infoset, []).append(node.position)
    for positions in infosets.values():
        for (x, y), (other_x, other_y) in pairwise(sorted(positions)):
            shares = [step / 20 for step in range(21)]
            arc = [y + s * (other_y - y) + 4 * ARC_HEIGHT * s * (1 - s) for s in shares]
            axes.plot([x + s * (other_x - x) for s in shares], arc, ":", color="#333333", zorder=0)
    return figure


def _write_text(axes: Axes, text: str, position: Position, style: dict[str, Any]) -> None:
    axes.annotate(text, position, ha="center", va="center", **style)


def assign_positions(node: PlotNode, next_x: float = 0.0, depth: int = 0) -> float:
    """Place leaves side by side from `next_x` on, other nodes above the middle of their children; return the next x."""
    if not node.children:
        node.position = (next_x, -depth)
        return next_x + 1.0
    for _, child in node.children:
        next_x = assign_positions(child, next_x, depth + 1)
    node.position = ((node.children[0][1].position[0] + node.children[-1][1].position[0]) / 2, -depth)
    return next_x
