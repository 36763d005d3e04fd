"""What a decision of a spot shows: its actions, the grid of classes, and what hands do and earn, as blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zerosum.holdem.betting.sizes import format_chips
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.ev_units import ev_decimals
from zerosum.holdem.solution.hand_groups import by_class, by_draw, by_made_hand
from zerosum.holdem.solution.range_table import GroupTable
from zerosum.results.blocks import BLANK, ActionCells, Bars, Block, GridBlock, Note, TableBlock
from zerosum.support.text import format_percent

if TYPE_CHECKING:
    from zerosum.holdem.solution.views import DecisionChoice
    from zerosum.results.strategy_view import Look

MAX_ROWS = 30
"""Classes or hands that are listed unless a limit says otherwise."""
UNIT_NAMES = {"chips": "chips", "bb": "big blinds", "pot": "% of the first pot"}
CLASSES, HANDS, MADE_HANDS = "class", "hand", "made"


def decision_blocks(choice: DecisionChoice, look: Look, details: bool = True) -> list[Block]:
    """Return the actions, the grid and, if wanted, tables of hands: made hands and draws, classes, or single hands."""
    decision = choice.table
    actions = decision.action_table()
    classes = decision.aggregate(by_class())
    tables = _HandTables(decision)
    blocks = [BLANK, Note(_heading(decision), "heading"), *_action_blocks(decision), GridBlock(classes, actions.label)]
    chosen = choice.chosen()
    if chosen is not None:
        blocks += tables.groups(chosen.names[0], decision.aggregate(chosen))
    default = CLASSES if look.limit is not None else MADE_HANDS if details else ""
    by = look.by or (HANDS if look.hand is not None else default)
    if by == HANDS:
        blocks += tables.hands(choice.hands, look.limit)
    elif by == CLASSES:
        blocks += tables.classes(classes.sort_by("combos"), look.limit)
    elif by:
        blocks += tables.groups("made hands", decision.aggregate(by_made_hand(decision.cards)))
        draws = decision.aggregate(by_draw(decision.cards))
        if any(name != "no draw" for name in draws.name):
            blocks += tables.groups("draws, which may overlap", draws)
        blocks.append(Note('--hands "top pair" or --hands AKs shows hands one by one, --by class AA, AKs, ...', "hint"))
    return blocks


def _heading(decision: DecisionTable) -> str:
    line = ", ".join(decision.line)
    equity = f"{decision.range_equity:.1%}" if decision.deals.any() else "unknown"
    return (
        f"{decision.board}{f', {line}' if line else ''}: {decision.player_name} to act, "
        f"pot {format_chips(decision.pot)}, equity {equity}"
    )


def _pot(decision: DecisionTable) -> float:
    """Return the pot in the unit of the EVs."""
    return decision.pot * decision.unit.per_chip


def _action_blocks(decision: DecisionTable) -> list[Block]:
    """Return a table with a row per action, and what its EVs mean."""
    actions, pot = decision.action_table(), _pot(decision)
    assert actions.ev is not None
    assert actions.range_ev is not None
    assert actions.ev_loss is not None
    decimals = ev_decimals(actions.range_ev[:, None], pot)
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
    note = f"EV: {unit} won from here on, a fold is 0; the range earns {earned}. EV of all: if every hand did this."
    return [TableBlock(columns, ("frequency", "hands", "EV", "EV of all", "loses")), Note(note, "hint"), BLANK]


class _HandTables:
    """Makes the tables of the hands of one decision."""

    def __init__(self, decision: DecisionTable) -> None:
        self.labels = decision.action_table().label
        self.pot = _pot(decision)

    def groups(self, title: str, groups: GroupTable) -> list[Block]:
        """Return a table of groups such as made hands."""
        columns = {
            "hand": list(groups.name),
            "combos": [f"{combos:.1f}" for combos in groups.combos],
            "range": [format_percent(share) for share in groups.share],
            "equity": _equities(groups),
        }
        return self._table(title, columns, groups)

    def classes(self, classes: GroupTable, limit: int | None) -> list[Block]:
        """Return a table of the first classes, and a note if some are left out."""
        head = classes.take(range(min(limit or MAX_ROWS, len(classes))))
        columns = {"hand": list(head.name), "combos": [f"{combos:.2f}" for combos in head.combos]}
        return [*self._table("classes of hands", columns, head), *_left_out("classes of hands", len(classes), limit)]

    def hands(self, hands: DecisionTable, limit: int | None) -> list[Block]:
        """Return a table of the first hands, and a note if some are left out."""
        head = hands.take(range(min(limit or MAX_ROWS, len(hands))))
        content = head.to_json()
        made_hands = zip(content["made_hand"], content["draws"], strict=True)
        columns = {
            "hand": content["hand"],
            "what it is": [", ".join((name, *draws)) for name, draws in made_hands],
            "combos": [f"{reach:.2f}" for reach in head.reach],
            "equity": _equities(head),
        }
        return [*self._table("hands", columns, head, with_loss=True), *_left_out("hands", len(hands), limit)]

    def _table(
        self, title: str, columns: dict[str, list[str]], rows: DecisionTable | GroupTable, with_loss: bool = False
    ) -> list[Block]:
        assert rows.action_ev is not None
        assert rows.ev is not None
        decimals = ev_decimals(rows.action_ev, self.pot)
        losing = " and what it loses" if with_loss else ""
        title = f"{title}: how often each action is taken, its EV{losing}"
        evs = [f"{ev:.{decimals}f}" for ev in rows.ev.tolist()]
        cells = ActionCells(self.labels, self._cells(rows, decimals, with_loss))
        return [BLANK, TableBlock({**columns, "EV": evs}, ("combos", "range", "equity", "EV"), title, cells)]

    def _cells(self, rows: DecisionTable | GroupTable, decimals: int, with_loss: bool) -> list[list[tuple[str, ...]]]:
        """Return the frequency, the EV and the loss of each action in each row, as texts."""
        assert rows.frequency is not None
        assert rows.action_ev is not None
        assert rows.ev_loss is not None
        cells = []
        for shares, evs, losses in zip(rows.frequency, rows.action_ev, rows.ev_loss, strict=True):
            column: list[tuple[str, ...]] = []
            for share, ev, loss in zip(shares.tolist(), evs.tolist(), losses.tolist(), strict=True):
                lost = format_ev_loss(loss, self.pot) if with_loss else ""
                note = "best" if lost == "0" else f"-{lost}" if lost else ""
                column.append((format_percent(share), f"{ev:.{decimals}f}", *([note] if note else [])))
            cells.append(column)
        return cells


def _left_out(title: str, count: int, limit: int | None) -> list[Block]:
    n_rows = limit or MAX_ROWS
    if count <= n_rows:
        return []
    return [Note(f"{count - n_rows} of {count} {title} left out: --limit {count} shows them")]


def _equities(rows: DecisionTable | GroupTable) -> list[str]:
    assert rows.equity is not None
    return ["" if share != share else format_percent(share) for share in rows.equity.tolist()]


def format_ev_loss(amount: float, pot: float) -> str:
    """Format an EV that is lost with two digits; as 0 if it is less than a hundred thousandth of the pot.

    >>> format_ev_loss(0.0312, 26), format_ev_loss(45.3, 2600), format_ev_loss(1e-4, 26), format_ev_loss(1234.5, 2600)
    ('0.031', '45', '0', '1234')
    >>> format_ev_loss(1e-11, 26e-9)
    '0.00000000001'
    """
    if amount < 1e-5 * pot:
        return "0"
    return f"{amount:.0f}" if amount >= 10 else format_chips(float(f"{amount:.2g}"))
