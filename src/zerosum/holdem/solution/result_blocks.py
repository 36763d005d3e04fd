"""What a solved spot shows after a run and in `zerosum show`: its numbers, then a decision, as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.holdem.betting.sizes import PLAYER_NAMES, format_chips
from zerosum.holdem.solution.decision_blocks import decision_blocks
from zerosum.results.blocks import BLANK, Block, Note, Rows
from zerosum.results.result_blocks import STOP_REASONS, lock_rows
from zerosum.support.text import OF_LOCKED_GAME, format_duration, format_rate

if TYPE_CHECKING:
    from zerosum.holdem.solution.result import SpotResult
    from zerosum.results.strategy_view import Look


def spot_summary(result: SpotResult, look: Look) -> list[Block]:
    """Return what is shown after a run: the numbers, then the decision that was asked for."""
    return [Rows(spot_rows(result)), *decision_blocks(result.view(look), look, details=look.line is not None)]


def spot_blocks(result: SpotResult, look: Look) -> list[Block]:
    """Return what `zerosum show` prints: about the run, its numbers unless a decision is asked for, the decision."""
    choice = result.view(look)
    heading = f"{result.game}, {result.algorithm}"
    if look.inside:
        reached = f"{result.iterations:,} iterations, exploitability {result.unit.format_short(result.exploitability)}"
        last = result.curve[-1].iteration if result.curve else result.iterations
        at = f" of iteration {last:,}" if last != result.iterations else ""
        heading += f": {reached}{at}" + (f", {STOP_REASONS['running']}" if result.stopped == "running" else "")
    blocks: list[Block] = [Note(heading)]
    if not look.inside:
        blocks.append(Rows(spot_rows(result)))
    if choice.note:
        blocks += [BLANK, Note(choice.note)]
    return [*blocks, *decision_blocks(choice, look)]


def spot_rows(result: SpotResult) -> dict[str, str]:
    """Return the numbers of a solved spot by label."""
    spot, share = result.spot, f"of the pot of {format_chips(result.spot.pot)}"
    nets = [ev - spot.pot / 2 for ev in (result.ev_oop, result.ev_ip)]
    speed = format_rate(result.iterations, result.seconds)
    digits = ".2f" if spot.pot >= 2 else ".4g"
    nodes = "" if result.nodes is None else f"{result.nodes:,}, {format_rate(result.nodes, result.seconds)}/s"
    locked = f"   ({OF_LOCKED_GAME})" if result.locks else ""
    return {
        **lock_rows(result, PLAYER_NAMES),
        "algorithm": result.algorithm,
        "iterations": f"{result.iterations:,} in {format_duration(result.seconds)}, {speed}/s",
        "nodes touched": f"{nodes}, seed {result.seed}" if nodes else "",
        "out of position": f"{nets[0]:+{digits}} chips net of half the pot: {result.ev_oop:{digits}} {share}, "
        f"equity {result.equity:.4%}",
        "in position": f"{nets[1]:+{digits}} chips net of half the pot: {result.ev_ip:{digits}} {share}, "
        f"equity {1 - result.equity:.4%}",
        "rake": f"{result.rake:{digits}} chips on average ({spot.rake})" if spot.rake.rate else "",
        "exploitability": f"{result.unit.format(result.exploitability)}{locked}",
        "stopped": STOP_REASONS.get(result.stopped, result.stopped),
    }
