"""The decision process of a game's first player, drawn from the program's own treeplex (spcfr, figure 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rue.forms.treeplex import Treeplex
from rue.problems.find import problem
from rue.results.drawing import STYLES, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DECISION, OBSERVATION, END = STYLES[0][0], STYLES[1][0], "#555555"


@dataclass
class Process:
    """A decision, an observation (a sequence that decisions follow) or an end, and what leads to each part below."""

    kind: str
    name: str = ""
    below: list[tuple[str, Process]] = field(default_factory=list)
    across: float = 0.0


def process(treeplex: Treeplex, describe: Callable[[Any], object] = str) -> Process:
    """The tree of decisions and observations of a treeplex."""
    follow: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent.tolist()):
        follow.setdefault(int(parent), []).append(infoset)

    def observation(sequence: int) -> Process:
        infosets = follow.get(sequence, [])
        if not infosets:
            return Process("end")
        if len(infosets) == 1 and sequence:
            return decision(infosets[0])
        return Process("observation", "", [(_card(treeplex, infoset), decision(infoset)) for infoset in infosets])

    def decision(infoset: int) -> Process:
        name = str(describe(treeplex.infosets[infoset]))
        parts = zip(treeplex.actions[infoset], treeplex.of(infoset).tolist(), strict=True)
        return Process("decision", name, [(str(action), observation(sequence)) for action, sequence in parts])

    return observation(0)


def _card(treeplex: Treeplex, infoset: int) -> str:
    """What is observed: the first part of an infoset's text."""
    return str(treeplex.infosets[infoset]).strip("('").split("|")[0].split("'")[0]


def spread(node: Process, next_place: float = 0.0) -> float:
    """Give every node its place across: leaves side by side, others in the middle of what is below."""
    if not node.below:
        node.across = next_place
        return next_place + 1.0
    for _, part in node.below:
        next_place = spread(part, next_place)
    node.across = (node.below[0][1].across + node.below[-1][1].across) / 2
    return next_place


def decision_process(game: str) -> Figure:
    """The picture."""
    form = problem(game).build()
    root = process(form.treeplexes[0], form.describe)
    width = spread(root)
    figure = blank(0.85 * width + 0.5, 4.2)
    axes = figure.add_subplot()
    axes.set_axis_off()

    def draw(node: Process, depth: int) -> None:
        for label, part in node.below:
            axes.plot([node.across, part.across], [-depth, -depth - 1], color="#999999", linewidth=1.0, zorder=1)
            middle = ((node.across + part.across) / 2, -depth - 0.5)
            axes.annotate(label, middle, ha="center", va="center", fontsize=8, zorder=2,
                          bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"})  # fmt: skip
            draw(part, depth + 1)
        place = (node.across, -depth)
        if node.kind == "decision":
            box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": DECISION, "linewidth": 1.4}
            axes.annotate(node.name, place, ha="center", va="center", fontsize=9, zorder=3, bbox=box)
        elif node.kind == "observation":
            axes.plot(*place, marker="o", markersize=15, markerfacecolor="white", markeredgecolor=OBSERVATION, zorder=3)
            axes.plot(*place, marker="x", markersize=8, color=OBSERVATION, markeredgewidth=1.4, zorder=4)
        else:
            axes.plot(*place, marker="o", markersize=3.5, color=END, zorder=3)

    draw(root, 0)
    axes.set_title(
        f"decisions of the first player of {game}: boxes decide, \N{CIRCLED TIMES} observe, dots end", loc="left"
    )
    axes.margins(0.06)
    return figure
