"""What surfaces show of a solved spot, as blocks: its numbers, then a decision with its actions, classes and hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerosum.holdem.betting.sizes import PLAYER_NAMES, format_chips
from zerosum.holdem.solution.decision_table import DecisionChoice, DecisionTable, count_ev_decimals
from zerosum.holdem.solution.hand_groups import group_by_class, group_by_draw, group_by_made_hand
from zerosum.holdem.solution.hand_table import GroupTable
from zerosum.results.blocks import BLANK, ActionCells, Bars, Block, GridBlock, Note, Rows, TableBlock
from zerosum.results.result_blocks import STOP_REASONS, build_lock_rows
from zerosum.support.text import OF_LOCKED_GAME, format_duration, format_percent, format_rate

if TYPE_CHECKING:
    from zerosum.holdem.solution.result import SpotResult
    from zerosum.results.strategy_view import Selection

MAX_ROWS = 30
"""Classes or hands that are listed unless a limit says otherwise."""
UNIT_NAMES = {"chips": "chips", "bb": "big blinds", "pot": "% of the first pot"}
CLASSES, HANDS, MADE_HANDS = "class", "hand", "made"
TEXT_COLUMNS = ("hand", "what it is")
"""The columns of tables of hands that are aligned to the left; all others are numbers."""


def build_summary_blocks(result: SpotResult, selection: Selection) -> list[Block]:
    """Return the blocks shown after a run: the numbers, then the decision that `selection` asks for."""
    has_line = selection.line is not None
    return [Rows(list_numbers(result)), *build_decision_blocks(result.view(selection), selection, details=has_line)]


def build_view_blocks(result: SpotResult, selection: Selection) -> list[Block]:
    """Return the blocks of `zerosum show`: the run, its numbers unless a decision is asked for, the decision."""
    choice = result.view(selection)
    heading = f"{result.game}, {result.algorithm}"
    if selection.is_in_spot:
        reached = f"{result.iterations:,} iterations, exploitability {result.unit.format_short(result.exploitability)}"
        last = result.curve[-1].iteration if result.curve else result.iterations
        at = f" of iteration {last:,}" if last != result.iterations else ""
        heading += f": {reached}{at}" + (f", {STOP_REASONS['running']}" if result.stopped == "running" else "")
    blocks: list[Block] = [Note(heading)]
    if not selection.is_in_spot:
        blocks.append(Rows(list_numbers(result)))
    if choice.table.note:
        blocks += [BLANK, Note(choice.table.note)]
    return [*blocks, *build_decision_blocks(choice, selection)]


def list_numbers(result: SpotResult) -> dict[str, str]:
    """Return the numbers of a solved spot by label."""
    spot, share = result.spot, f"of the pot of {format_chips(result.spot.pot)}"
    nets = [ev - spot.pot / 2 for ev in (result.ev_oop, result.ev_ip)]
    speed = format_rate(result.iterations, result.seconds)
    digits = ".2f" if spot.pot >= 2 else ".4g"
    nodes = "" if result.nodes is None else f"{result.nodes:,}, {format_rate(result.nodes, result.seconds)}/s"
    locked = f"   ({OF_LOCKED_GAME})" if result.locks else ""
    return {
        **build_lock_rows(result, PLAYER_NAMES),
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


def build_decision_blocks(choice: DecisionChoice, selection: Selection, details: bool = True) -> list[Block]:
    """Return the actions, the grid and, if wanted, tables of hands: made hands and draws, classes, or single hands."""
    decision = choice.table
    classes = decision.aggregate(group_by_class())
    line = ", ".join(decision.line)
    equity = f"{decision.range_equity:.1%}" if decision.deals.any() else "unknown"
    heading = (
        f"{decision.board}{f', {line}' if line else ''}: {decision.player_name} to act, "
        f"pot {format_chips(decision.pot)}, equity {equity}"
    )
    blocks = [BLANK, Note(heading, "heading"), *_build_action_table(decision), GridBlock(classes, decision.labels)]
    if choice.chosen is not None:
        blocks += _build_group_table(decision, choice.chosen.name[0], choice.chosen)
    default = CLASSES if selection.limit is not None else MADE_HANDS if details else ""
    by = selection.by or (HANDS if selection.hand is not None else default)
    if by == HANDS:
        blocks += _build_hand_table(decision, choice.hands, selection.limit or MAX_ROWS)
    elif by == CLASSES:
        blocks += _build_class_table(decision, classes, selection.limit or MAX_ROWS)
    elif by:
        made_hands = decision.aggregate(group_by_made_hand(decision.cards))
        draws = decision.aggregate(group_by_draw(decision.cards))
        blocks += _build_group_table(decision, "made hands", made_hands)
        if any(name != "no draw" for name in draws.name):
            blocks += _build_group_table(decision, "draws, which may overlap", draws)
        blocks.append(Note('--hands "top pair" or --hands AKs shows hands one by one, --by class AA, AKs, ...', "hint"))
    return blocks


def _build_action_table(decision: DecisionTable) -> list[Block]:
    """Return a table with a row per action, and what its EVs mean."""
    actions, pot = decision.build_action_table(), decision.pot_in_unit
    assert actions.ev is not None
    assert actions.range_ev is not None
    assert actions.ev_loss is not None
    decimals = count_ev_decimals(actions.range_ev[:, None], pot)
    shares = actions.frequency.tolist()
    columns: dict[str, Sequence[str] | Bars] = {
        "action": actions.label,
        "frequency": [f"{share:.1%}" for share in shares],
        "": Bars(shares, False, actions.name, actions.colour),
        "hands": [f"{combos:.1f}" for combos in actions.combos],
        "EV": ["-" if ev != ev else f"{ev:.{decimals}f}" for ev in actions.ev.tolist()],
        "EV of all": [f"{ev:.{decimals}f}" for ev in actions.range_ev],
        "loses": [format_ev_loss(loss, pot) for loss in actions.ev_loss.tolist()],
    }
    unit, earned = UNIT_NAMES[decision.unit.name], f"{decision.range_ev:.{decimals}f}"
    note = f"EV: {unit} won from here on, where a fold wins 0; the range earns {earned}."
    note = f"{note} EV of all: if every hand took this action."
    return [TableBlock(columns, ("frequency", "hands", "EV", "EV of all", "loses")), Note(note, "hint"), BLANK]


def _build_group_table(decision: DecisionTable, title: str, groups: GroupTable) -> list[Block]:
    columns = {
        "hand": list(groups.name),
        "combos": [f"{combos:.1f}" for combos in groups.combos],
        "range": [format_percent(share) for share in groups.share],
        "equity": _format_equities(groups),
    }
    return _build_table(decision, title, columns, groups)


def _build_class_table(decision: DecisionTable, classes: GroupTable, limit: int) -> list[Block]:
    """Return a table of the largest classes, and a note if some are left out."""
    largest, title = classes.sort_by("combos").select_rows(range(min(limit, len(classes)))), "classes of hands"
    columns = {"hand": list(largest.name), "combos": [f"{combos:.2f}" for combos in largest.combos]}
    return [*_build_table(decision, title, columns, largest), *_note_omitted(title, len(classes), limit)]


def _build_hand_table(decision: DecisionTable, hands: DecisionTable, limit: int) -> list[Block]:
    """Return a table of the first hands, and a note if some are left out."""
    first = hands.select_rows(range(min(limit, len(hands))))
    content = first.to_json()
    made_hands = zip(content["made_hand"], content["draws"], strict=True)
    columns = {
        "hand": content["hand"],
        "what it is": [", ".join((name, *draws)) for name, draws in made_hands],
        "combos": [f"{reach:.2f}" for reach in first.reach],
        "equity": _format_equities(first),
    }
    table = _build_table(decision, "hands", columns, first, with_loss=True)
    return [*table, *_note_omitted("hands", len(hands), limit)]


def _build_table(
    decision: DecisionTable,
    title: str,
    columns: dict[str, list[str]],
    rows: DecisionTable | GroupTable,
    with_loss: bool = False,
) -> list[Block]:
    """Return a table with some columns, the EV of each row, and the frequency, EV and loss of each action."""
    assert rows.frequency is not None
    assert rows.action_ev is not None
    assert rows.ev is not None
    assert rows.ev_loss is not None
    pot = decision.pot_in_unit
    decimals = count_ev_decimals(rows.action_ev, pot)
    cells = []
    for shares, action_evs, losses in zip(rows.frequency, rows.action_ev, rows.ev_loss, strict=True):
        column: list[tuple[str, ...]] = []
        for share, ev, loss in zip(shares.tolist(), action_evs.tolist(), losses.tolist(), strict=True):
            lost = format_ev_loss(loss, pot) if with_loss else ""
            note = "best" if lost == "0" else f"-{lost}" if lost else ""
            column.append((format_percent(share), f"{ev:.{decimals}f}", *([note] if note else [])))
        cells.append(column)
    title = f"{title}: how often each action is taken, its EV{' and what it loses' if with_loss else ''}"
    evs = [f"{ev:.{decimals}f}" for ev in rows.ev.tolist()]
    columns = {**columns, "EV": evs}
    right = tuple(name for name in columns if name not in TEXT_COLUMNS)
    return [BLANK, TableBlock(columns, right, title, ActionCells(decision.labels, cells))]


def _note_omitted(title: str, count: int, limit: int) -> list[Block]:
    """Return a note on the rows beyond the limit, if there are any."""
    return [Note(f"{count - limit} of {count} {title} left out: --limit {count} shows them")] if count > limit else []


def _format_equities(rows: DecisionTable | GroupTable) -> list[str]:
    assert rows.equity is not None
    return ["" if share != share else format_percent(share) for share in rows.equity.tolist()]


def format_ev_loss(amount: float, pot: float) -> str:
    """Format a loss of EV with two digits; as 0 if it is less than a hundred thousandth of the pot.

    >>> format_ev_loss(0.0312, 26), format_ev_loss(45.3, 2600), format_ev_loss(1e-4, 26), format_ev_loss(1234.5, 2600)
    ('0.031', '45', '0', '1234')
    >>> format_ev_loss(1e-11, 26e-9)
    '0.00000000001'
    """
    if amount < 1e-5 * pot:
        return "0"
    return f"{amount:.0f}" if amount >= 10 else format_chips(float(f"{amount:.2g}"))
