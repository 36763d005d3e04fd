"""`zerosum algorithms` and `zerosum games`: list what can be solved, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from rich.text import Text

from zerosum.cli.common_options import Json
from zerosum.cli.console import new_table, output, print_json
from zerosum.support.call_syntax import default_arguments
from zerosum.support.options import Option

if TYPE_CHECKING:
    from zerosum.games.catalogue import GameEntry

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
    "first": "who updates first where updates alternate, 1 or 2, as in cfr(first=2); not with sampling",
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

LP = {
    "name": "lp",
    "parameters": {},
    "summary": "the exact solution, by linear programming",
    "paper": "Koller et al. 1994",
}


class AlgorithmsArguments(TypedDict, total=False):
    """The arguments and options of `zerosum algorithms`."""

    json: Json


class GamesArguments(TypedDict, total=False):
    """The arguments and options of `zerosum games`."""

    json: Json
    sizes: Annotated[bool, Option("Compile every game and count; the large ones take some seconds.")]


def algorithms(arguments: AlgorithmsArguments) -> None:
    """List the algorithms, their parameters and where they come from."""
    from zerosum.algorithms.catalogue import PAPERS
    from zerosum.algorithms.named_algorithms import ALGORITHMS
    from zerosum.algorithms.prefixes import PREFIXES

    bases: list[dict[str, Any]] = [
        {"name": name, "parameters": default_arguments(entry.build), "summary": entry.summary, "paper": entry.paper}
        for name, entry in ALGORITHMS.items()
    ]
    bases.append(LP)
    prefixes: list[dict[str, Any]] = [
        {
            "name": f"{name}-",
            "parameters": {
                key: value for key, value in default_arguments(prefix.apply).items() if key in prefix.parameters
            },
            "summary": prefix.summary,
            "paper": prefix.paper,
        }
        for name, prefix in PREFIXES.items()
    ]
    if arguments["json"]:
        content = {"algorithms": bases, "prefixes": prefixes, "parameters": COMMON, "papers": PAPERS}
        print_json({**content, "examples": EXAMPLES})
        return
    console = output()
    for title, entries in (("algorithms", bases), ("prefixes, written before a name", prefixes)):
        rows = new_table("name and parameters", "what it does", "paper", title=title)
        for entry in entries:
            rows.add_row(_typed(entry["name"], entry["parameters"]), Text(entry["summary"]), Text(entry["paper"]))
        console.print(rows)
    rows = new_table("parameter", "meaning", title="parameters of every name but lp")
    for name, meaning in COMMON.items():
        rows.add_row(name, Text(meaning))
    console.print(rows)
    rows = new_table("key", "title", title="papers")
    for key, title in PAPERS.items():
        rows.add_row(key, title)
    console.print(rows)
    console.print("A number may change over the run: 1..4 goes from 1 to 4.")
    console.print(f"Examples: {',  '.join(EXAMPLES)}", markup=False)


def games(arguments: GamesArguments) -> None:
    """List the games, their parameters, sizes and values."""
    from zerosum.games.catalogue import GAMES

    sizes = arguments["sizes"]
    entries = [_game(entry) for entry in GAMES.values()]
    if sizes:
        _count(entries)
    spots = _spots()
    if arguments["json"]:
        print_json({"games": entries, "spots": spots})
        return
    console = output()
    counts = ("infosets", "histories", "sequences", "payoffs") if sizes else ("infosets",)
    headers = ("game and parameters", "rules in a line", *counts, "value")
    rows = new_table(*headers, "source", title="games", right=(*counts, "value"))
    for entry in entries:
        numbers = ["" if entry[count] is None else f"{entry[count]:,}" for count in counts]
        value = "" if entry["value"] is None else f"{entry['value']:.6g}"
        name = _typed(entry["name"], entry["parameters"])
        rows.add_row(name, Text(entry["summary"]), *numbers, value, Text(entry["source"]))
    console.print(rows)
    console.print("Infosets of both players, and the value for the first one, with the default parameters.")
    console.print("Also: openspiel:NAME for a game of OpenSpiel, path/to/game.py:MyGame for a game of yours,")
    console.print("game.efg and game.nfg for files of Gambit.")
    rows = new_table("hold'em", "what it is", title="spots of two-player no-limit hold'em, solved in the same way")
    for spot in spots:
        rows.add_row(Text(spot["name"], style="bold"), Text(spot["summary"]))
    console.print(rows)


def _spots() -> list[dict[str, str]]:
    """Return the bundled spots, and how others are named."""
    from zerosum.holdem.spots.deepstack import SPOT_KINDS
    from zerosum.holdem.spots.files import bundled_spot_names, load_spot

    bundled = sorted(((name, load_spot(name)) for name in bundled_spot_names()), key=lambda pair: pair[1].street)
    spots = {f"spot:{name}": str(spot) for name, spot in bundled}
    spots |= {
        "my.toml, my.json": "a spot in a file, which has the names of the options below",
        "holdem": "a spot by its options: --board, --pot, --stack, --oop, --ip, --bets; see zerosum solve --help",
        "libratus:1 to libratus:4": "endgames of the Libratus match, from files in the folder of --data",
        **{f"deepstack:{kind}:7": "a random spot as DeepStack was trained on; 7 is the seed" for kind in SPOT_KINDS},
    }
    return [{"name": name, "summary": summary} for name, summary in spots.items()]


def _game(entry: GameEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "parameters": default_arguments(entry.constructor),
        **{part: getattr(entry, part) for part in ("example", "summary", "source", "infosets", "value")},
    }


def _count(entries: list[dict[str, Any]]) -> None:
    """Compile the games and fill in their sizes."""
    from zerosum.cli.progress import Display
    from zerosum.engine.forms.sequence.form_compiler import compile_game
    from zerosum.games.catalogue import create_game

    with Display() as display:
        for entry in entries:
            display.stage(f"compiling {entry['name']}", 0)
            form = compile_game(create_game(entry["example"]), progress=lambda count: display.stage("histories", count))
            entry |= {count: getattr(form, count) for count in ("infosets", "histories", "sequences")}
            entry["payoffs"] = len(form.payoffs.entry)


def _typed(name: str, arguments: dict[str, str | None]) -> Text:
    """A name with its parameters, the name in bold; a parameter that is left open has no default to show."""
    inside = ", ".join(key if value in (None, "none") else f"{key}={value}" for key, value in arguments.items())
    return Text.assemble((name, "bold"), f"({inside})" if inside else "")
