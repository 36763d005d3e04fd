"""`zerosum holdem`: the betting trees by name, and the betting tree of a spot as text."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text

from zerosum.cli.common_options import Json, Parts
from zerosum.cli.console import create_console, new_table, print_json
from zerosum.cli.option_parser import ProblemArgument
from zerosum.problems.options import StorageOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Argument

HOLDEM_EXAMPLES = """
zerosum holdem trees
zerosum holdem tree spot:turn --tree simple > tree.txt    # delete lines, then:
zerosum solve spot:turn --tree simple --tree-file tree.txt
"""
TREES, TREE = "trees", "tree"


# fmt: off
class HoldemArguments(StorageOptions, total=False):
    what: Annotated[str, Argument("trees lists the named betting trees; tree prints every line of a spot's tree.",
        "trees|tree", required=True)]
    game: Annotated[str, ProblemArgument("A spot, as for `zerosum solve`.", "SPOT", default="")]
    json: Json
    parts: Parts
# fmt: on


def holdem(arguments: HoldemArguments) -> None:
    """Show betting trees of hold'em: the named ones, or every line of one."""
    what, game, json = arguments["what"], arguments["game"], arguments["json"]
    if what == TREES:
        if game:
            raise ZerosumError(
                "zerosum holdem trees lists the named trees: for the tree of a spot, use zerosum holdem tree"
            )
        _print_trees(json)
    elif what == TREE:
        _print_tree(arguments)
    else:
        raise ZerosumError(f"zerosum holdem shows trees or the tree of a spot, not {what!r}")


def _print_trees(json: bool) -> None:
    from zerosum.holdem.betting.presets import PRESETS

    if json:
        print_json({"trees": {name: preset._asdict() for name, preset in PRESETS.items()}})
        return
    for name, preset in PRESETS.items():
        rows = new_table("key", "value", title=f"{name}: {preset.summary}")
        for key, value in preset.options.items():
            rows.add_row(key, Text(str(value)))
        create_console().print(rows)
    create_console().print("Use one with --tree simple; options like --bets override parts of it.", markup=False)


def _print_tree(arguments: HoldemArguments) -> None:
    from zerosum.holdem.betting.tree_text import format_tree_lines
    from zerosum.holdem.spots.files import resolve_spot

    if not arguments["game"]:
        raise ZerosumError("name a spot, like zerosum holdem tree spot:turn")
    spot = resolve_spot(arguments["game"], arguments["folder"], **arguments.get("parts", {}))
    if arguments["json"]:
        print_json({"spot": str(spot), "lines": list(format_tree_lines(spot.tree))})
        return
    print(f"# the betting of {spot}: delete lines, then zerosum solve ... --tree-file this file")
    for line in format_tree_lines(spot.tree):
        print(line)
