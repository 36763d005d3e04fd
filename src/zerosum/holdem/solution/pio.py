"""PioSOLVER's text format: what Pio answers to show_node, show_children and show_strategy, written and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from zerosum.holdem.betting.sizes import format_chips, round_chips
from zerosum.holdem.betting.tree import StreetNode
from zerosum.holdem.cards.cards import HAND_COUNT, find_hand_order
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.strategy import PioText
from zerosum.holdem.spots.spot import Spot
from zerosum.results.strategy import parse_probability
from zerosum.runs.export import ExportRequest
from zerosum.support.errors import ZerosumError


def write_pio(request: ExportRequest) -> Iterator[str]:
    """Yield every decision of a solved spot as text, with numbers in Pio's order of hands."""
    result = request.result
    yield f"# {result.game}, {result.algorithm}, zerosum {result.zerosum}\n\n"
    for table in request.report_progress_every(result.iterate_tables(request.streets), 20):
        yield format_pio_decision(table, result.spot)


def find_pio_node(spot: Spot, line: Sequence[str]) -> tuple[str, tuple[str, ...], tuple[float, float]]:
    """Return Pio's name of the decision that the words of a line lead to, such as `r:0:c:b858`, those of its actions,
    and the chips that each player has put in since the spot began."""
    street, number, before, name = spot.tree, 0, 0.0, "r:0"
    for word in line:
        if number < 0:
            leaf = street.ends[~number]
            assert leaf.next_round is not None
            street, number, before, name = leaf.next_round, 0, before + leaf.paid[0], f"{name}:{word}"
            continue
        node = street.choices[number]
        action = node.actions.index(word)
        number, name = node.children[action], f"{name}:{_name_action(node, action, before)}"
    node = street.choices[number]
    children = tuple(_name_action(node, action, before) for action in range(len(node.actions)))
    return name, children, (round_chips(before + node.paid[0]), round_chips(before + node.paid[1]))


def _name_action(node: StreetNode, action: int, before: float) -> str:
    """Return Pio's name of an action; `before` is what the player has put in on earlier streets."""
    passive = {"fold": "f", "check": "c", "call": "c"}.get(node.actions[action])
    return passive or f"b{format_chips(round_chips(before + node.to[action]))}"


def format_pio_decision(table: DecisionTable, spot: Spot) -> str:
    """Return one decision as text."""
    name, children, invested = find_pio_node(spot, table.line)
    order = find_hand_order("pio")
    cards = " ".join(table.board[start : start + 2] for start in range(0, len(table.board), 2))
    start = round_chips(table.pot - sum(invested))
    lines = [
        f"show_node {name}",
        name,
        f"{('OOP', 'IP')[table.player]}_DEC",
        cards,
        f"{format_chips(invested[0])} {format_chips(invested[1])} {format_chips(start)}",
        f"{len(children)} children",
        f"show_children {' '.join(f'{name}:{child}' for child in children)}",
        f"show_strategy {name}",
    ]
    for row in table.frequency:
        numbers = np.zeros(HAND_COUNT)
        numbers[table.hand] = row
        lines.append(" ".join(f"{number:.6g}" for number in numbers[order].tolist()))
    return "\n".join(lines) + "\n\n"


def read_pio(text: str, path: str | Path) -> PioText:
    """Read Pio's answers to show_children and show_strategy for many nodes, as `write_pio` writes them."""
    children: dict[str, list[str]] = {}
    rows: dict[str, list[list[float]]] = {}
    name = ""
    for line in text.splitlines():
        words = line.split()
        if not words:
            name = ""
        elif words[0] == "show_node":
            children[words[1] if len(words) > 1 else ""] = []
        elif words[0] == "show_children" and len(words) > 1:
            parent = words[1].rpartition(":")[0]
            children[parent] = [word.rpartition(":")[2] for word in words[1:]]
        elif words[0] == "show_strategy" and len(words) == 2:
            name = words[1]
            rows[name] = []
        elif name:
            if len(words) != HAND_COUNT:
                raise ZerosumError(f"{path}: a line of {name} has {len(words)} numbers, not {HAND_COUNT:,}")
            rows[name].append([parse_probability(word, name, path) for word in words])
    nodes = {}
    for name, numbers in rows.items():
        if len(children.get(name, ())) != len(numbers) or not numbers:
            raise ZerosumError(
                f"{path}: {name} has {len(numbers)} lines of numbers, and {len(children.get(name, ()))} children"
            )
        nodes[name] = tuple(children[name]), np.array(numbers)
    return PioText(str(path), nodes)
