"""Draw the decision process of a game's first player from its treeplex (spcfr, figure 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.problems.registry import problem
from zerosum.results.display.curve_plot import STYLES, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DECISION, OBSERVATION, END = STYLES[0][0], STYLES[1][0], "#555555"


@dataclass
class PlotNode:
    """A node of a tree that is drawn: its kind, its text and its children, each with the label of the line to it."""

    kind: str
    text: str = ""
    children: list[tuple[str, PlotNode]] = field(default_factory=list)
    x: float = 0.0


def build_process(treeplex: Treeplex, describe: Callable[[Any], object] = str) -> PlotNode:
    """Return the tree of decisions, observations (sequences that decisions follow) and ends of a treeplex."""
    infosets_after: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent.tolist()):
        infosets_after.setdefault(int(parent), []).append(infoset)

    def observation(sequence: int) -> PlotNode:
        infosets = infosets_after.get(sequence, [])
        if not infosets:
            return PlotNode("end")
        if len(infosets) == 1 and sequence:
            return decision(infosets[0])
        return PlotNode(
            "observation", "", [(_observation_label(treeplex, infoset), decision(infoset)) for infoset in infosets]
        )

    def decision(infoset: int) -> PlotNode:
        text = str(describe(treeplex.infosets[infoset]))
        children = zip(treeplex.actions[infoset], treeplex.of(infoset).tolist(), strict=True)
        return PlotNode("decision", text, [(str(action), observation(sequence)) for action, sequence in children])

    return observation(0)


def _observation_label(treeplex: Treeplex, infoset: int) -> str:
    """Return what is observed: the first part of an infoset's text."""
    return str(treeplex.infosets[infoset]).strip("('").split("|")[0].split("'")[0]


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


def decision_process(game: str) -> Figure:
    """Return the picture of the first player's decision process."""
    form = problem(game).build()
    root = build_process(form.treeplexes[0], form.describe)
    width = assign_positions(root)
    figure = blank(0.85 * width + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()

    def draw(node: PlotNode, depth: int) -> None:
        for label, child in node.children:
            axes.plot([node.x, child.x], [-depth, -depth - 1], color="#999999", linewidth=1.0, zorder=1)
            middle = ((node.x + child.x) / 2, -depth - 0.5)
            axes.annotate(label, middle, ha="center", va="center", fontsize=8, zorder=2,
                          bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"})  # fmt: skip
            draw(child, depth + 1)
        position = (node.x, -depth)
        if node.kind == "decision":
            box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": DECISION, "linewidth": 1.4}
            axes.annotate(node.text, position, ha="center", va="center", fontsize=9, zorder=3, bbox=box)
        elif node.kind == "observation":
            axes.plot(
                *position, marker="o", markersize=15, markerfacecolor="white", markeredgecolor=OBSERVATION, zorder=3
            )
            axes.plot(*position, marker="x", markersize=8, color=OBSERVATION, markeredgewidth=1.4, zorder=4)
        else:
            axes.plot(*position, marker="o", markersize=3.5, color=END, zorder=3)

    draw(root, 0)
    axes.set_title(
        f"decisions of the first player of {game}: boxes decide, \N{CIRCLED TIMES} observe, dots end", loc="left"
    )
    axes.margins(0.06)
    return figure
