"""`zerosum algorithms` and `zerosum games`: list what can be solved, and how."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from rich.text import Text

from zerosum.cli.common_options import Json
from zerosum.cli.console import create_console, new_table, print_json
from zerosum.support.options import Option

ALGORITHMS_EXAMPLES = """
zerosum algorithms
zerosum solve leduc --algorithm "nh-dcfr(1.5, 0.5, 2)"
zerosum solve leduc --algorithm "cfr+(average=1, order=simultaneous)"
"""

GAMES_EXAMPLES = """
zerosum games
zerosum solve spot:river --until 0.5%
zerosum solve "leduc(suits=3, raises=1)"
zerosum solve openspiel:leduc_poker
"""

COMMON = {
    "average": "weight of iteration t in the average: t to this power, as in cfr+(average=1)",
    "skip": "share of the run that the average leaves out, as in idcfr+(skip=0.5); not with sampling",
    "order": "alternating or simultaneous updates, as in cfr(order=simultaneous); not with sampling",
    "first": "the player who updates first where updates alternate, 1 or 2, as in cfr(first=2); not with sampling",
}
EXAMPLES = (
    "dcfr(1.5, 0.5, 2)",
    "cfr+(average=1)",
    "nh-dcfr",
    "optimistic-lcfr",
    "trm-lcfr(1.005, 0.995)",
    "oftrl(fixed, eta=0.1)",
    "dcfr(1..4, -1..-3, 2)",
    "linear-mccfr(1e6)",
    "os-mccfr(explore=0.4)",
    "path/to/rule.py:mine",
)


class AlgorithmsArguments(TypedDict, total=False):
    json: Json


class GamesArguments(TypedDict, total=False):
    json: Json
    sizes: Annotated[
        bool,
        Option("Compile every game and count its histories, sequences and payoffs; large games take some seconds."),
    ]


def algorithms(arguments: AlgorithmsArguments) -> None:
    """List the algorithms, their parameters and where they come from."""
    from zerosum.algorithms.catalogue import PAPERS, describe_algorithms

    described = describe_algorithms()
    if arguments["json"]:
        print_json({**described, "parameters": COMMON, "papers": PAPERS, "examples": EXAMPLES})
        return
    console = create_console()
    titles = {"algorithms": "algorithms", "prefixes": "prefixes, written before a name"}
    for key, title in titles.items():
        rows = new_table("name and parameters", "what it does", "paper", title=title)
        for entry in described[key]:
            rows.add_row(_format_call(entry), Text(entry["summary"]), Text(entry["paper"]))
        console.print(rows)
    tables = (("parameter", "meaning", "parameters of every name but lp", COMMON), ("key", "title", "papers", PAPERS))
    for name, meaning, title, texts in tables:
        rows = new_table(name, meaning, title=title)
        for key, text in texts.items():
            rows.add_row(key, Text(text))
        console.print(rows)
    console.print("A number may change over the run: 1..4 goes from 1 to 4.")
    console.print(f"Examples: {',  '.join(EXAMPLES)}", markup=False)


def games(arguments: GamesArguments) -> None:
    """List the games, their parameters, sizes and values."""
    from zerosum.games.catalogue import GAMES

    sizes = arguments["sizes"]
    entries = [entry.to_json() for entry in GAMES.values()]
    if sizes:
        _add_sizes(entries)
    spots = _list_spots()
    if arguments["json"]:
        print_json({"games": entries, "spots": spots})
        return
    console = create_console()
    counts = ("infosets", "histories", "sequences", "payoffs") if sizes else ("infosets",)
    headers = ("game and parameters", "rules in a line", *counts, "value")
    rows = new_table(*headers, "source", title="games", right=(*counts, "value"))
    for entry in entries:
        numbers = ["" if entry[count] is None else f"{entry[count]:,}" for count in counts]
        value = "" if entry["value"] is None else f"{entry['value']:.6g}"
        rows.add_row(_format_call(entry), Text(entry["summary"]), *numbers, value, Text(entry["source"]))
    console.print(rows)
    console.print("Infosets of both players, and the value for the first one, with the default parameters.")
    console.print("Also: openspiel:NAME for a game of OpenSpiel, path/to/game.py:MyGame for a game of yours,")
    console.print("game.efg and game.nfg for files of Gambit.")
    rows = new_table("hold'em", "what it is", title="spots of two-player no-limit hold'em, solved in the same way")
    for spot in spots:
        rows.add_row(Text(spot["name"], style="bold"), Text(spot["summary"]))
    console.print(rows)


def _list_spots() -> list[dict[str, str]]:
    """Return the bundled spots, and how others are named."""
    from zerosum.holdem.spots.deepstack import SPOT_KINDS
    from zerosum.holdem.spots.files import list_bundled_spots, load_spot

    bundled = sorted(((name, load_spot(name)) for name in list_bundled_spots()), key=lambda pair: pair[1].street)
    spots = {f"spot:{name}": str(spot) for name, spot in bundled}
    spots |= {
        "my.toml, my.json": "a spot in a file, which has the names of the options below",
        "holdem": "a spot by its options: --board, --pot, --stack, --oop, --ip, --bets; see zerosum solve --help",
        "libratus:1 to libratus:4": "endgames of the Libratus match, from files in the folder of --data",
        **{f"deepstack:{kind}:7": "a random spot as DeepStack was trained on; 7 is the seed" for kind in SPOT_KINDS},
    }
    return [{"name": name, "summary": summary} for name, summary in spots.items()]


def _add_sizes(entries: list[dict[str, Any]]) -> None:
    """Compile the games and add their sizes."""
    from zerosum.cli.progress import Display
    from zerosum.engine.forms.sequence.form_compiler import compile_game
    from zerosum.games.catalogue import create_game

    with Display() as display:
        for entry in entries:
            display.show_stage(f"compiling {entry['name']}", 0)
            form = compile_game(
                create_game(entry["example"]), progress=lambda count: display.show_stage("histories", count)
            )
            entry |= {count: getattr(form, count) for count in ("infosets", "histories", "sequences")}
            entry["payoffs"] = len(form.payoffs.entry)


def _format_call(entry: dict[str, Any]) -> Text:
    """Return a name in bold with its parameters and their defaults, as it can be typed."""
    parameters = entry["parameters"].items()
    inside = ", ".join(name if default in (None, "none") else f"{name}={default}" for name, default in parameters)
    return Text.assemble((entry["name"], "bold"), f"({inside})" if inside else "")
