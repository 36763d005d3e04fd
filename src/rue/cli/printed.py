"""Results and views for people, in the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from rich.text import Text

from rue.cli.chart import UNITS, chart
from rue.cli.console import output, print_rows, print_whole, table
from rue.cli.decision import show_decision
from rue.cli.grid import grid
from rue.cli.locked import lock_rows
from rue.cli.words import bar
from rue.holdem.bets import chips
from rue.problems.estimate import Estimate, RoughEstimate
from rue.problems.shared_estimate import SharedEstimate
from rue.problems.spot_estimate import SpotEstimate
from rue.results.range_decision import PLAYERS
from rue.results.repeated import Repeated
from rue.results.result import Decision, Numbers
from rue.results.spot import SpotResult
from rue.views.charts import ChartView
from rue.views.decision import DecisionView
from rue.views.look import Look, StrategyView, view
from rue.words import OF_IT, duration, percent, pieces, rate, readable, short

STOPPED = {
    "iterations": "all iterations done",
    "nodes": "all nodes touched",
    "memory": "memory full",
    "until": "exploitability reached",
    "seconds": "time over",
    "interrupted": "interrupted",
    "exact": "exact solution",
    "running": "not yet: it was killed or still goes on; rue resume takes it up",
}
"""Why a run ended, in words."""
NOT_KNOWN = "not computed: the game is not enumerated"
"""The exploitability of a run by rules alone."""
MOST_COLUMNS = 6
YEAR = 3.2e7
"""Seconds of a year."""


@singledispatch
def solved(result: Any, look: Look) -> None:
    """What is shown after a run: its numbers, then its curve or the decision that was asked for."""
    exact, sampled = result.stopped == "exact", result.seed is not None
    known = not math.isnan(result.exploitability)
    nodes, which = result.nodes or 0, f", {OF_IT}" if result.locks else ""
    print_rows({
        "game": result.game,
        **lock_rows(result, ("player 1", "player 2")),
        "algorithm": result.algorithm,
        "seed": f"{result.seed}" if sampled else "",
        "infosets": f"{result.infosets:,}{'' if known else '   (met so far)'}",
        "sequences": f"{result.sequences:,}",
        "iterations": "none needed" if exact else f"{result.iterations:,}",
        "nodes touched": f"{nodes:,}" if sampled else "",
        "time": duration(result.seconds),
        "iterations/s": "" if exact else rate(result.iterations, result.seconds),
        "nodes/s": rate(nodes, result.seconds) if sampled else "",
        "memory": readable(result.bytes) if result.bytes is not None else "",
        "exploitability": f"{short(result.exploitability)}   (mean of both players{which})" if known else NOT_KNOWN,
        "NashConv": f"{short(result.nash_conv)}   (sum of both players{which})" if known else "",
        "value": f"{result.value:.6g}   (for the first player{which})" if known else "",
        "stopped": STOPPED.get(result.stopped, result.stopped),
    })  # fmt: skip
    show_curve(result)
    show_charts(view(result).charts)


@solved.register
def _solved_spot(result: SpotResult, look: Look) -> None:
    show_numbers(result)
    show_decision(view(result, look), look, details=look.line is not None)


def show_curve(result: Numbers) -> None:
    """A small chart of a curve."""
    console, x = output(), result.across
    points = {result.algorithm: [(point.along(x) or 0.0, point.exploitability) for point in result.curve]}
    lines = chart(points, UNITS[x], width=min(64, console.width - 24), ascii_only=console.options.ascii_only)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)


def show_charts(charts: Sequence[ChartView]) -> None:
    """What players do with classes of hands."""
    console = output()
    for each in charts:
        shares = ", ".join(f"{action} {share:.1%}" for action, share in each.frequencies.items())
        line = f" after {each.line}" if each.line else ""
        console.print()
        console.print(Text(f"player {each.player}{line}: {shares} of the hands", style="bold"), soft_wrap=True)
        console.print(grid(each, console))


def show_numbers(result: SpotResult) -> None:
    """The numbers of a solved spot."""
    spot, share = result.spot, f"of the pot of {chips(result.spot.pot)}"
    net = [ev - spot.pot / 2 for ev in (result.ev_oop, result.ev_ip)]
    speed = rate(result.iterations, result.seconds)
    kind = ".2f" if spot.pot >= 2 else ".4g"
    touched = "" if result.nodes is None else f"{result.nodes:,}, {rate(result.nodes, result.seconds)}/s"
    print_rows({
        **lock_rows(result, PLAYERS),
        "algorithm": result.algorithm,
        "iterations": f"{result.iterations:,} in {duration(result.seconds)}, {speed}/s",
        "nodes touched": f"{touched}, seed {result.seed}" if touched else "",
        "out of position": f"{net[0]:+{kind}} chips net of half the pot: {result.ev_oop:{kind}} {share}, "
        f"equity {result.equity:.4%}",
        "in position": f"{net[1]:+{kind}} chips net of half the pot: {result.ev_ip:{kind}} {share}, "
        f"equity {1 - result.equity:.4%}",
        "rake": f"{result.rake:{kind}} chips on average ({spot.rake})" if spot.rake.rate else "",
        "exploitability": result.unit.told(result.exploitability) + (f"   ({OF_IT})" if result.locks else ""),
        "stopped": STOPPED.get(result.stopped, result.stopped),
    })  # fmt: skip


@singledispatch
def looked_at(result: Any, look: Look) -> None:
    """What `rue show` prints of a saved result."""
    shown: StrategyView = view(result, look)
    console = output()
    known = f"exploitability {short(result.exploitability)}, value {result.value:.6g} for the first player"
    if math.isnan(result.exploitability):
        known = f"exploitability {NOT_KNOWN}" if result.iterations else "not begun"
    if result.stopped == "running":
        at = f" (of iteration {result.curve[-1].iteration:,})" if result.curve else ""
        known += f"{at}; {result.iterations:,} iterations, {STOPPED['running']}"
    console.print(f"{result.game}, {result.algorithm}: {known}", markup=False, soft_wrap=True)
    print_rows(lock_rows(result, ("player 1", "player 2")) if result.locks else {})
    if shown.charts and look.infoset is None:
        show_charts(shown.charts)
        return
    for player in (1, 2):
        decisions = [decision for decision in shown.decisions if decision.player == player]
        if decisions:
            console.print()
            console.print(_infosets(player, decisions, console.options.ascii_only))
    if not shown.decisions:
        console.print("no infoset is left by these filters")
    notes = []
    if shown.found > len(shown.decisions):
        limit = f"{shown.found - len(shown.decisions):,} by the limit of {len(shown.decisions):,}"
        notes.append(f"{limit} (--limit {shown.found} shows them)")
    if shown.infosets > shown.found:
        notes.append(f"{shown.infosets - shown.found:,} by the filters")
    if notes:
        left_out = shown.infosets - len(shown.decisions)
        console.print(f"{left_out:,} of {shown.infosets:,} infosets left out: {', '.join(notes)}", soft_wrap=True)


@looked_at.register
def _look_at_spot(result: SpotResult, look: Look) -> None:
    shown: DecisionView = view(result, look)
    console = output()
    told = f"{result.game}, {result.algorithm}"
    if look.inside:
        reached = f"{result.iterations:,} iterations, exploitability {result.unit.briefly(result.exploitability)}"
        last = result.curve[-1].iteration if result.curve else result.iterations
        at = f" of iteration {last:,}" if last != result.iterations else ""
        told += f": {reached}{at}" + (f", {STOPPED['running']}" if result.stopped == "running" else "")
    console.print(told, markup=False, soft_wrap=True)
    if not look.inside:
        show_numbers(result)
    if shown.note:
        console.print(f"\n{shown.note}", markup=False, soft_wrap=True)
    show_decision(shown, look)


def _infosets(player: int, decisions: Sequence[Decision], ascii_only: bool) -> object:
    """A column an action where the actions are few, one column for all of them otherwise."""
    actions = list(dict.fromkeys(action for decision in decisions for action in decision.actions))
    title = f"player {player}"
    if len(actions) > MOST_COLUMNS:
        rows = table("infoset", "reach", "what it does", title=title, right=("reach",))
        for decision in decisions:
            rows.add_row(Text(decision.infoset), percent(decision.reach), Text(pieces(decision.actions)))
        return rows
    rows = table("infoset", "reach", title=title, right=("reach",))
    for action in actions:
        rows.add_column(Text(action), no_wrap=True)
    for decision in decisions:
        cells = [
            f"{percent(decision.actions[action]):>5} {bar(decision.actions[action], ascii_only)}"
            if action in decision.actions
            else ""
            for action in actions
        ]
        rows.add_row(Text(decision.infoset), percent(decision.reach), *(Text(cell) for cell in cells))
    return rows


@singledispatch
def sized(size: Estimate) -> None:
    """What solving takes, before it is done."""
    output().print(Text(size.game, style="bold"), soft_wrap=True)
    _cost(size, {}, {"memory": f"about {readable(size.bytes)} at the peak, beside what rue takes itself"})


@sized.register
def _sized_spot(size: SpotEstimate) -> None:
    from rue.holdem.cards import STREETS

    console = output()
    console.print(Text(size.game, style="bold"), soft_wrap=True)
    kinds = ("fold", "showdown", "allin", "deal")
    rows = table("street", "boards", "decisions", *kinds, right=("boards", "decisions", *kinds))
    start = len(STREETS) - len(size.boards)
    for street in range(start, len(STREETS)):
        leaves = size.counts.leaves[street]
        numbers = [size.boards[street - start], sum(size.counts.nodes[street]), *(leaves.get(k, 0) for k in kinds)]
        rows.add_row(STREETS[street], *(f"{n:,}" if n else "" for n in numbers))
    print_whole(rows, console)
    shared = _shared_cost(size) if isinstance(size, SharedEstimate) else {}
    _cost(size, {"hands": f"{size.hands[0]:,} out of position, {size.hands[1]:,} in position"}, shared)


def _shared_cost(size: SharedEstimate) -> dict[str, str]:
    return {
        "memory": f"about {readable(size.machine_bytes)} for each of {size.machines} workers",
        "messages": f"about {readable(size.wire_bytes)} an iteration",
    }


@sized.register
def _sized_roughly(size: RoughEstimate) -> None:
    output().print(Text(size.game, style="bold"), soft_wrap=True)
    print_rows({
        "histories": f"about {size.histories:.2g}, by a few walks: too many to count them now",
        "infosets": f"at most {size.infosets:.2g}",
        "memory": f"at least {readable(size.bytes)}, to find the histories",
        "enumeration": f"about {duration(size.enumeration)}" if size.enumeration < YEAR else "years",
    })  # fmt: skip
    output().print()


def _cost(size: Estimate, more: dict[str, str], shared: dict[str, str]) -> None:
    time = duration(size.seconds) if size.seconds >= 1e-3 else f"{size.seconds * 1e6:.0f} µs"
    node = "" if size.node_seconds is None else f"about {1e9 * size.node_seconds:.0f} ns"
    print_rows({
        **more,
        "histories": "" if size.histories is None else f"{size.histories:,}",
        "infosets": f"{size.infosets:,}, with {size.infoset_actions:,} actions",
        **(shared or {"memory": f"about {readable(size.bytes)}"}),
        "iteration": f"about {time}" if size.iterates else "",
        "node touched": node,
    })  # fmt: skip
    output().print()


@solved.register
def _solved_seeds(runs: Repeated, look: Look) -> None:
    first, last, band = runs.seeds[0], runs.seeds[-1], runs.curve[-1].band
    print_rows({
        "game": runs.game,
        "algorithm": runs.algorithm,
        "seeds": f"{len(runs.seeds)}   ({first} to {last})",
        "infosets": f"{runs.infosets:,}",
        "sequences": f"{runs.sequences:,}",
        "iterations": f"{runs.iterations:,}   (mean)",
        "nodes touched": f"{runs.nodes:,}   (mean)",
        "time": f"{duration(runs.seconds)}   (mean)",
        "nodes/s": f"{rate(runs.nodes, runs.seconds)}   (of one seed)",
        "exploitability": f"{short(runs.exploitability)}   (mean; with 95% confidence {band})",
        "of the seeds": f"{short(min(runs.reached))} to {short(max(runs.reached))}",
        "value": f"{runs.value:.6g}   (for the first player, mean)",
        "stopped": STOPPED.get(runs.stopped, runs.stopped),
    })  # fmt: skip
    show_curve(runs)
