"""`rue holdem`: the betting trees by name, and the betting tree of a spot as text."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rue.cli import options, spots
from rue.cli.console import output, print_json, table
from rue.errors import RueError

HOLDEM_EXAMPLES = """
rue holdem trees
rue holdem tree spot:turn --tree simple > tree.txt    [dim]delete lines, then:[/dim]
rue solve spot:turn --tree simple --tree-file tree.txt
"""
TREES, TREE = "trees", "tree"

What = Annotated[
    str,
    typer.Argument(
        metavar="trees|tree",
        help="The betting trees by name, or every line of a spot's own tree.",
        show_default=False,
    ),
]
Of = Annotated[
    str, typer.Argument(metavar="SPOT", help="A spot, as [bold]rue solve[/bold] takes it.", show_default=False)
]


def holdem(what: What, parts: spots.SpotParts, game: Of = "", json: options.Json = False) -> None:
    """Show betting trees of hold'em: those that have names, or all lines of one."""
    if what == TREES:
        if game:
            raise RueError("rue holdem trees lists the trees that have names: for that of a spot write rue holdem tree")
        _trees(json)
    elif what == TREE:
        _tree(game, parts, json)
    else:
        raise RueError(f"rue holdem shows trees or the tree of a spot, not {what!r}")


def _trees(json: bool) -> None:
    from rue.holdem.presets import PRESETS

    if json:
        print_json({"trees": {name: preset._asdict() for name, preset in PRESETS.items()}})
        return
    for name, preset in PRESETS.items():
        rows = table("key", "value", title=f"{name}: {preset.summary}")
        for key, value in preset.options.items():
            rows.add_row(key, Text(str(value)))
        output().print(rows)
    output().print("rue solve spot:turn --tree simple takes one; options like --bets change it.", markup=False)


def _tree(game: str, parts: spots.SpotParts, json: bool) -> None:
    from rue.holdem.files import spot_named
    from rue.holdem.tree_text import lines

    if not game:
        raise RueError("name a spot, like rue holdem tree spot:turn")
    given = parts.given
    found = spot_named(game, given["folder"], **given["parts"])
    if json:
        print_json({"spot": str(found), "lines": list(lines(found.tree))})
        return
    print(f"# the betting of {found}: delete lines, then rue solve ... --tree-file this file")
    for line in lines(found.tree):
        print(line)
