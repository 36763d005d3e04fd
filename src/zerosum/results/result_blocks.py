"""Results of games as blocks: their numbers, their curve, their charts and their infosets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerosum.results.blocks import BLANK, Bars, Block, CurveBlock, GridBlock, Note, Rows, TableBlock
from zerosum.support.options import option_name
from zerosum.support.text import (
    OF_LOCKED_GAME,
    format_bytes,
    format_duration,
    format_mix,
    format_number,
    format_percent,
    format_rate,
)

if TYPE_CHECKING:
    from zerosum.results.game_result import GameResult
    from zerosum.results.result import Decision, Numbers, Result, SeedAverage
    from zerosum.results.strategy_view import HandChart, Selection, StrategyView

STOP_REASONS = {
    "iterations": "all iterations done",
    "nodes": "all nodes touched",
    "memory": "memory full",
    "until": "exploitability reached",
    "seconds": "time over",
    "interrupted": "interrupted",
    "exact": "exact solution",
    "running": "not yet: it was killed or is still running; zerosum resume continues it",
}
"""Why a run ended, as text."""
UNKNOWN_EXPLOITABILITY = "not computed: the game is not enumerated"
"""The exploitability of a run that samples the rules."""
MAX_ACTION_COLUMNS = 6
"""Actions that have a column each in a table of infosets."""
SEATS = "player 1", "player 2"


def build_game_summary(result: GameResult, charts: Sequence[HandChart]) -> list[Block]:
    """Return what is shown after a run on a game: its numbers, its curve, and charts of the hands that it deals."""
    exact, sampled = result.stopped == "exact", result.seed is not None
    is_evaluated = not math.isnan(result.exploitability)
    nodes, locked = result.nodes or 0, f", {OF_LOCKED_GAME}" if result.locks else ""
    both = f"of both players{locked}"
    exploitability = f"{format_number(result.exploitability)}   (mean {both})"
    rows = {
        "game": result.game,
        **build_lock_rows(result, SEATS),
        "algorithm": result.algorithm,
        "seed": f"{result.seed}" if sampled else "",
        "infosets": f"{result.infosets:,}{'' if is_evaluated else '   (met so far)'}",
        "sequences": f"{result.sequences:,}",
        "iterations": "none needed" if exact else f"{result.iterations:,}",
        "nodes touched": f"{nodes:,}" if sampled else "",
        "time": format_duration(result.seconds),
        "iterations/s": "" if exact else format_rate(result.iterations, result.seconds),
        "nodes/s": format_rate(nodes, result.seconds) if sampled else "",
        "memory": format_bytes(result.bytes) if result.bytes is not None else "",
        "exploitability": exploitability if is_evaluated else UNKNOWN_EXPLOITABILITY,
        "NashConv": f"{format_number(result.nash_conv)}   (sum {both})" if is_evaluated else "",
        "value": f"{result.value:.6g}   (for the first player{locked})" if is_evaluated else "",
        "stopped": STOP_REASONS.get(result.stopped, result.stopped),
    }
    return [Rows(rows), *build_curve_blocks(result), *build_chart_blocks(charts)]


def build_seed_summary(runs: SeedAverage) -> list[Block]:
    """Return what is shown after many seeds: the means, and the curve of the mean."""
    first, last, band = runs.seeds[0], runs.seeds[-1], runs.curve[-1].band
    rows = {
        "game": runs.game,
        "algorithm": runs.algorithm,
        "seeds": f"{len(runs.seeds)}   ({first} to {last})",
        "infosets": f"{runs.infosets:,}",
        "sequences": f"{runs.sequences:,}",
        "iterations": f"{runs.iterations:,}   (mean)",
        "nodes touched": f"{runs.nodes:,}   (mean)",
        "time": f"{format_duration(runs.seconds)}   (mean)",
        "nodes/s": f"{format_rate(runs.nodes, runs.seconds)}   (of one seed)",
        "exploitability": f"{format_number(runs.exploitability)}   (mean; with 95% confidence {band})",
        "of the seeds": f"{format_number(min(runs.reached))} to {format_number(max(runs.reached))}",
        "value": f"{runs.value:.6g}   (for the first player, mean)",
        "stopped": STOP_REASONS.get(runs.stopped, runs.stopped),
    }
    return [Rows(rows), *build_curve_blocks(runs)]


def build_curve_blocks(result: Numbers) -> list[Block]:
    """Return the curve of a run."""
    points = [(point.get_coordinate(result.default_axis) or 0.0, point.exploitability) for point in result.curve]
    return [CurveBlock({result.algorithm: points}, result.default_axis)]


def build_chart_blocks(charts: Sequence[HandChart]) -> list[Block]:
    """Return the charts of what players do with classes of hands."""
    blocks: list[Block] = []
    for chart in charts:
        shares = ", ".join(f"{action} {share:.1%}" for action, share in chart.frequencies.items())
        line = f" after {chart.line}" if chart.line else ""
        heading = f"player {chart.player}{line}: {shares} of the hands"
        blocks += [BLANK, Note(heading, "heading"), GridBlock(chart, chart.actions)]
    return blocks


def build_lock_rows(result: Result, seats: tuple[str, str]) -> dict[str, str]:
    """Return what was locked and what it costs, by label."""
    rows = {"locked": "\n".join(result.locks)}
    cost, unit = result.price, f" {result.unit.name}".rstrip()
    if cost is None:
        return rows
    for player, loss in cost.loses.items():
        before, after = format_number(cost.unlocked[player - 1]), format_number(cost.locked[player - 1])
        values = f"wins {before} without locks, {after} with them"
        rows[f"{seats[player - 1]} loses"] = f"{format_number(loss)}{unit}   due to the locks: {values}"
    for player, gain in cost.counter_wins.items():
        rows[f"{seats[player - 1]} wins"] = (
            f"{format_number(gain)}{unit}   more if only this player adapts to the locks"
        )
    return rows


def build_strategy_blocks(result: GameResult, view: StrategyView, selection: Selection) -> list[Block]:
    """Return the blocks that `zerosum show` prints: a line about the result, then its infosets, or its charts."""
    status = f"exploitability {format_number(result.exploitability)}, value {result.value:.6g} for the first player"
    if math.isnan(result.exploitability):
        status = f"exploitability {UNKNOWN_EXPLOITABILITY}" if result.iterations else "not begun"
    if result.stopped == "running":
        at = f" (of iteration {result.curve[-1].iteration:,})" if result.curve else ""
        status += f"{at}; {result.iterations:,} iterations, {STOP_REASONS['running']}"
    locks = build_lock_rows(result, SEATS) if result.locks else {}
    blocks: list[Block] = [Note(f"{result.game}, {result.algorithm}: {status}"), Rows(locks)]
    if view.charts and selection.infoset is None:
        return [*blocks, *build_chart_blocks(view.charts)]
    for player in (1, 2):
        decisions = [decision for decision in view.decisions if decision.player == player]
        if decisions:
            blocks += [BLANK, _build_infoset_table(player, decisions)]
    if not view.decisions:
        blocks.append(Note("no infoset is left by these filters"))
    return [*blocks, *_describe_left_out(view)]


def _build_infoset_table(player: int, decisions: Sequence[Decision]) -> TableBlock:
    """Return a table of infosets: with a column per action if there are few, otherwise one column for all of them."""
    actions = list(dict.fromkeys(action for decision in decisions for action in decision.actions))
    reach = [format_percent(decision.reach) for decision in decisions]
    columns: dict[str, Sequence[str] | Bars] = {"infoset": [decision.infoset for decision in decisions], "reach": reach}
    if len(actions) > MAX_ACTION_COLUMNS:
        columns["strategy"] = [format_mix(decision.actions) for decision in decisions]
    else:
        columns |= {action: Bars([decision.actions.get(action) for decision in decisions]) for action in actions}
    return TableBlock(columns, ("reach",), f"player {player}")


def _describe_left_out(view: StrategyView) -> list[Block]:
    count, notes = len(view.decisions), []
    if view.matches > count:
        limit = f"{view.matches - count:,} by the limit of {count:,}"
        notes.append(f"{limit} ({option_name('limit', view.matches)} shows them)")
    if view.infosets > view.matches:
        notes.append(f"{view.infosets - view.matches:,} by the filters")
    if not notes:
        return []
    return [Note(f"{view.infosets - count:,} of {view.infosets:,} infosets left out: {', '.join(notes)}")]
