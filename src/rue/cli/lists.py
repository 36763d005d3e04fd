"""`rue algorithms` and `rue games`: what there is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import options
from rue.cli.console import output, print_json, table

if TYPE_CHECKING:
    from rue.games.catalogue import Entry

ALGORITHMS_EXAMPLES = """
rue algorithms
rue solve leduc --algorithm "nh-dcfr(1.5, 0.5, 2)"
rue solve leduc --algorithm "cfr+(average=1, order=simultaneous)"
"""

GAMES_EXAMPLES = """
rue games
rue solve spot:river --until 0.5%
rue solve "leduc(suits=3, raises=1)"
rue solve openspiel:leduc_poker
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

Sizes = Annotated[
    bool, typer.Option("--sizes", metavar="", help="Compile every game and count; the large ones take some seconds.")
]


def algorithms(json: options.Json = False) -> None:
    """List the algorithms, their parameters and where they come from."""
    from rue.algorithms.catalogue import ALGORITHMS, PAPERS, PREFIXES

    bases: list[dict[str, Any]] = [
        {"name": name, "parameters": parameters(entry.build), "summary": entry.summary, "paper": entry.paper}
        for name, entry in ALGORITHMS.items()
    ]
    bases.append(LP)
    prefixes: list[dict[str, Any]] = [
        {
            "name": f"{name}-",
            "parameters": {key: value for key, value in parameters(prefix.apply).items() if key in prefix.takes},
            "summary": prefix.summary,
            "paper": prefix.paper,
        }
        for name, prefix in PREFIXES.items()
    ]
    if json:
        content = {"algorithms": bases, "prefixes": prefixes, "parameters": COMMON, "papers": PAPERS}
        print_json({**content, "examples": EXAMPLES})
        return
    console = output()
    for title, entries in (("algorithms", bases), ("prefixes, written before a name", prefixes)):
        rows = table("name and parameters", "what it does", "paper", title=title)
        for entry in entries:
            rows.add_row(_typed(entry["name"], entry["parameters"]), Text(entry["summary"]), Text(entry["paper"]))
        console.print(rows)
    rows = table("parameter", "meaning", title="parameters of every name but lp")
    for name, meaning in COMMON.items():
        rows.add_row(name, Text(meaning))
    console.print(rows)
    rows = table("key", "title", title="papers")
    for key, title in PAPERS.items():
        rows.add_row(key, title)
    console.print(rows)
    console.print("A number may change over the run: 1..4 goes from 1 to 4.")
    console.print(f"Examples: {',  '.join(EXAMPLES)}", markup=False)


def games(json: options.Json = False, sizes: Sizes = False) -> None:
    """List the games, their parameters, sizes and values."""
    from rue.games.catalogue import GAMES

    entries = [_game(entry) for entry in GAMES.values()]
    if sizes:
        _count(entries)
    spots = _spots()
    if json:
        print_json({"games": entries, "spots": spots})
        return
    console = output()
    counts = ("infosets", "histories", "sequences", "payoffs") if sizes else ("infosets",)
    headers = ("game and parameters", "rules in a line", *counts, "value")
    rows = table(*headers, "source", title="games", right=(*counts, "value"))
    for entry in entries:
        numbers = ["" if entry[count] is None else f"{entry[count]:,}" for count in counts]
        value = "" if entry["value"] is None else f"{entry['value']:.6g}"
        name = _typed(entry["name"], entry["parameters"])
        rows.add_row(name, Text(entry["summary"]), *numbers, value, Text(entry["source"]))
    console.print(rows)
    console.print("Infosets of both players, and the value for the first one, with the default parameters.")
    console.print("Also: openspiel:NAME for a game of OpenSpiel, path/to/game.py:MyGame for one of your own,")
    console.print("game.efg and game.nfg for files of Gambit.")
    rows = table("hold'em", "what it is", title="spots of two-player no-limit hold'em, solved in the same way")
    for spot in spots:
        rows.add_row(Text(spot["name"], style="bold"), Text(spot["summary"]))
    console.print(rows)


def _spots() -> list[dict[str, str]]:
    """The spots that come along, and how others are named."""
    from rue.holdem.deepstack import KINDS
    from rue.holdem.files import load_spot, names

    along = sorted(((name, load_spot(name)) for name in names()), key=lambda pair: pair[1].street)
    found = {f"spot:{name}": str(spot) for name, spot in along}
    found |= {
        "my.toml, my.json": "a spot in a file, which has the names of the options below",
        "holdem": "a spot by its options: --board, --pot, --stack, --oop, --ip, --bets, --raises; see rue solve --help",
        "libratus:1 to libratus:4": "endgames of the Libratus match, from files in the folder of --data",
        **{f"deepstack:{kind}:7": "a random spot as DeepStack was trained on; 7 is the seed" for kind in KINDS},
    }
    return [{"name": name, "summary": summary} for name, summary in found.items()]


def _game(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "parameters": parameters(entry.constructor),
        **{part: getattr(entry, part) for part in ("example", "summary", "source", "infosets", "value")},
    }


def _count(entries: list[dict[str, Any]]) -> None:
    """Compile the games and fill in their sizes."""
    from rue.cli.progress import Display
    from rue.forms.compile import compile_game
    from rue.games.catalogue import make

    with Display() as display:
        for entry in entries:
            display.stage(f"compiling {entry['name']}", 0)
            form = compile_game(make(entry["example"]), progress=lambda count: display.stage("histories", count))
            entry |= {count: getattr(form, count) for count in ("infosets", "histories", "sequences")}
            entry["payoffs"] = len(form.payoffs.entry)


def parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a name and their defaults, as one types them; None where there is no default.

    >>> from rue.games.leduc_nl import NoLimitLeduc
    >>> parameters(NoLimitLeduc)["stack"]
    '5'
    """
    found = inspect.signature(function).parameters.values()
    return {p.name: None if p.default is p.empty else _default(p.default) for p in found if p.kind != p.VAR_KEYWORD}


def _default(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_default(entry) for entry in value)}]"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _typed(name: str, given: dict[str, str | None]) -> Text:
    """A name with its parameters, the name in bold; a parameter that is left open has no default to show."""
    inside = ", ".join(key if value in (None, "none") else f"{key}={value}" for key, value in given.items())
    return Text.assemble((name, "bold"), f"({inside})" if inside else "")
