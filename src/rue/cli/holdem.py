"""`rue solve` for hold'em: how large the spot is, the run, its numbers and what to do at the root."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from rue.cli.console import aside, duration, number, output, print_json, rate, table
from rue.cli.point import content, show_point
from rue.cli.stopped import INTERRUPTED, STOPPED
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.cli import options, spots
    from rue.forms.public_tree import PublicTree
    from rue.holdem.estimate import Estimate
    from rue.holdem.solve import HoldemResult
    from rue.holdem.spots import Spot
    from rue.plots import Unit
    from rue.runs.keeper import Kept
    from rue.solvers.iterate import Keeping
    from rue.solvers.limits import Limits
    from rue.solvers.warm import Warm


class Wanted(NamedTuple):
    """What is to become of a solved spot."""

    dry_run: bool
    json: bool
    out: Path | None
    plot: Path | None
    line: str | None
    hand: str | None
    streets: str | None = None
    overwrite: bool = False


def solve_spot(
    spot: Spot,
    algorithm: str,
    limits: Limits,
    given: spots.Given,
    wanted: Wanted,
    drawn: options.Drawn,
    started: options.Started,
) -> None:
    """Check all that was typed, then solve a spot and show it; with many seeds, their mean."""
    from rue.holdem.estimate import supported
    from rue.holdem.solve import check_start
    from rue.solvers.seeds import check_seeds
    from rue.strategies.spots import check_spot, strategy_of, warm_start

    with aside():
        chosen = supported(algorithm)
    limits.horizon(chosen)
    drawn.start.check(chosen)
    before = None
    if started.start_from is not None:
        check_start(chosen, started.weight, given.half)
        before = strategy_of(started.start_from)
        check_spot(spot, before)
    if drawn.numbers is not None:
        check_seeds(chosen, limits)
        if wanted.line is not None or wanted.hand is not None:
            raise RueError("--line and --hand look at one strategy, and --seeds makes many: use --seed")
    check_look(spot, wanted.line, wanted.hand)
    with _kept(spot, chosen, limits, given, wanted, drawn) as kept:
        keeping = None if kept is None else kept.keeper
        start = None if before is None else partial(warm_start, given=before, weight=started.weight)
        _solve(spot, chosen, limits, given, wanted, drawn, start, keeping)


def _solve(
    spot: Spot,
    chosen: Algorithm,
    limits: Limits,
    given: spots.Given,
    wanted: Wanted,
    drawn: options.Drawn,
    start_of: Callable[[Spot, PublicTree], Warm] | None,
    keeping: Keeping | None,
) -> None:
    from rue.cli import seeds
    from rue.cli.progress import Display
    from rue.holdem.estimate import estimate
    from rue.holdem.form import public_tree
    from rue.holdem.seeds import repeat_tree
    from rue.holdem.solve import solve_tree

    isomorphism = not given.no_isomorphism
    size = estimate(spot, chosen, isomorphism=isomorphism, threads=limits.threads, half=given.half)
    if not wanted.json:
        show_size(spot, size)
    elif wanted.dry_run:
        print_json(size_content(spot, size))
    size.check()
    if wanted.dry_run:
        return
    units = partial(exploitability, spot=spot), partial(percent_of_pot, spot=spot)
    with aside(), Display(*units) as display:
        display.building(spot)
        tree = public_tree(spot, isomorphism)
        start = None if start_of is None else start_of(spot, tree)
        display.running(chosen.name)
        if drawn.numbers is None:
            result = solve_tree(spot, tree, chosen, limits, display.run, drawn.seed, given.half, start, keeping)
        else:
            runs = repeat_tree(spot, tree, chosen, drawn.numbers, limits, display.seeds)
    if drawn.numbers is not None:
        seeds.told(runs, wanted.plot, wanted.json, share_of(spot))
        return
    told(result, wanted.plot, wanted.json, wanted.line, wanted.hand)
    if result.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _kept(
    spot: Spot, chosen: Algorithm, limits: Limits, given: spots.Given, wanted: Wanted, drawn: options.Drawn
) -> AbstractContextManager[Kept | None]:
    """Where the run is saved, if it is."""
    if wanted.out is None:
        if wanted.streets is not None:
            raise RueError("--streets says what a saved run keeps: give --out as well")
        return nullcontext()
    if wanted.dry_run:
        return nullcontext()
    from rue.runs.keeper import keeping_spot

    isomorphism = not given.no_isomorphism
    return keeping_spot(
        wanted.out, spot, chosen, limits, drawn.seed, isomorphism, given.half, wanted.streets, wanted.overwrite
    )


def told(result: HoldemResult, plot: Path | None, json: bool, line: str | None = None, hand: str | None = None) -> None:
    """Draw and show a solved spot."""
    spot = result.spot
    if plot is not None:
        from rue.plots import curves

        curves([(result.algorithm, result.curve)], plot, title=result.game, unit=share_of(spot))
    if json:
        numbers = result.summary()
        if line is not None or hand is not None:
            numbers["point"] = content(result.at(line or ""), hand)
        print_json(numbers)
    else:
        show_numbers(result)
        show_point(result.at(line or ""), spot, hand, hands=line is not None)


def check_look(spot: Spot, line: str | None, hand: str | None) -> None:
    """Refuse a line that leads nowhere and hands that are not in the range there, before solving."""
    from rue.holdem.cards import allowed_hands
    from rue.holdem.line import follow
    from rue.holdem.ranges import Range
    from rue.holdem.solution import PLAYERS

    place = follow(spot, line or "")
    if hand is not None:
        wanted = Range.parse(hand).weights > 0
        if not (wanted & (spot.weights[place.node.player] > 0) & allowed_hands(place.board)).any():
            raise RueError(f"no hand of {hand} is in the range {PLAYERS[place.node.player]} there")


def share_of(spot: Spot) -> Unit:
    """Exploitability as a percentage of a spot's pot."""
    from rue.plots import Unit

    return Unit("% of the pot", 100.0 / spot.pot)


def show_saved(
    result: HoldemResult, about: dict[str, Any], line: str | None, hand: str | None, limit: int | None, json: bool
) -> None:
    """A decision of a saved result."""
    with aside():
        point = result.at(line or "")
    found = content(point, hand)
    note = result.solution.note
    if json:
        numbers = {key: value for key, value in result.summary().items() if key != "curve"}
        print_json({**numbers, **about, **({"note": note} if note else {}), "point": found})
        return
    output().print(f"{result.game}, {result.algorithm}", markup=False, soft_wrap=True)
    show_numbers(result)
    if note:
        output().print(f"\n{note}", markup=False, soft_wrap=True)
    show_point(point, result.spot, hand, limit)


def exploitability(chips: float, spot: Spot) -> str:
    """An exploitability in three units.

    >>> from rue.holdem.files import load_spot
    >>> exploitability(13, load_spot("river"))
    '13 chips, 0.5% of the pot, 130 mbb/g'
    """
    return f"{number(chips)} chips, {percent_of_pot(chips, spot)}, {_mbb(chips, spot)} mbb/g"


def percent_of_pot(chips: float, spot: Spot) -> str:
    """An exploitability in one short unit, for a line that has little room."""
    return f"{number(100 * chips / spot.pot)}% of the pot"


def _mbb(chips: float, spot: Spot) -> str:
    return number(chips / spot.big_blind * 1000)


def size_content(spot: Spot, size: Estimate) -> dict[str, Any]:
    """What a spot takes, ready for JSON."""
    from rue.holdem.cards import STREETS

    counts = asdict(size.counts)
    streets = {
        STREETS[street]: {
            "boards": size.boards[street - spot.street],
            "decisions": list(counts["nodes"][street]),
            "leaves": counts["leaves"][street],
        }
        for street in range(spot.street, 3)
    }
    return {
        "game": str(spot),
        "streets": streets,
        "hands": list(size.hands),
        "infosets": size.infosets,
        "infoset_actions": size.infoset_actions,
        "bytes": size.bytes,
        "seconds_per_iteration": size.seconds,
    }


def show_size(spot: Spot, size: Estimate) -> None:
    """The betting tree and what solving it takes."""
    from rich.text import Text

    from rue.holdem.cards import STREETS
    from rue.memory import readable

    console = output()
    console.print(Text(str(spot), style="bold"), soft_wrap=True)
    kinds = ("fold", "showdown", "allin", "deal")
    rows = table("street", "boards", "decisions", *kinds, right=("boards", "decisions", *kinds))
    for street in range(spot.street, 3):
        leaves = size.counts.leaves[street]
        numbers = [
            size.boards[street - spot.street],
            sum(size.counts.nodes[street]),
            *(leaves.get(k, 0) for k in kinds),
        ]
        rows.add_row(STREETS[street], *(f"{n:,}" if n else "" for n in numbers))
    console.print(rows)
    told = {
        "hands": f"{size.hands[0]:,} out of position, {size.hands[1]:,} in position",
        "infosets": f"{size.infosets:,}, with {size.infoset_actions:,} actions",
        "memory": f"about {readable(size.bytes)}",
        "iteration": f"about {duration(size.seconds) if size.seconds >= 1e-3 else f'{size.seconds * 1e6:.0f} µs'}",
    }
    _pairs(told)
    console.print()


def show_numbers(result: HoldemResult) -> None:
    """The numbers of a run, for people."""
    from rue.holdem.bets import chips

    spot = result.spot
    half = spot.pot / 2
    share = f"of the pot of {chips(spot.pot)}"
    _pairs(
        {
            "algorithm": result.algorithm,
            "iterations": f"{result.iterations:,} in {duration(result.seconds)}, "
            f"{rate(result.iterations, result.seconds)}/s",
            **_touched(result),
            "out of position": f"{result.value:+.2f} chips net of half the pot: {half + result.value:.2f} {share}, "
            f"equity {result.equity:.4%}",
            "in position": f"{-result.value:+.2f} chips net of half the pot: {half - result.value:.2f} {share}, "
            f"equity {1 - result.equity:.4%}",
            "exploitability": exploitability(result.exploitability, spot),
            "stopped": STOPPED.get(result.stopped, result.stopped),
        }
    )


def _touched(result: HoldemResult) -> dict[str, str]:
    """The nodes and the seed of a sampled run."""
    if result.nodes is None:
        return {}
    return {"nodes touched": f"{result.nodes:,}, {rate(result.nodes, result.seconds)}/s, seed {result.seed}"}


def _pairs(rows: dict[str, str]) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for name, value in rows.items():
        grid.add_row(Text(name, style="bold"), Text(value))
    output().print(grid)
