"""A decision of a hold'em spot in the terminal: its actions, the grid, and what hands do and earn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.measure import Measurement
from rich.text import Text

from rue.cli.console import WIDEST, output, table
from rue.cli.grid import few_colours, grid
from rue.cli.words import bar
from rue.holdem.bets import chips
from rue.views.colours import sixteen
from rue.views.money import decimals
from rue.words import percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from rue.views.decision import ActionView, ClassView, DecisionView, GroupView, HandView
    from rue.views.look import Look

ROWS = 30
"""Classes or hands that are listed unless a limit says otherwise."""
BAR = 24
ACTIONS_WIDTH = 46
"""Columns of a table of actions beside their names and bars."""
EARNED = {"chips": "chips", "bb": "big blinds", "pot": "% of the first pot"}
CLASSES, HANDS = "class", "hand"


class Row(NamedTuple):
    """A row of a table of hands: its first cells, and what it does, earns and loses by each action."""

    cells: tuple[str, ...]
    ev: float
    strategy: Mapping[str, float]
    evs: Mapping[str, float]
    regrets: Mapping[str, float] | None = None


class Layout(NamedTuple):
    """How a table of hands is laid out: what an action earns beside how often it is taken, or below it."""

    actions: Sequence[ActionView]
    beside: bool
    places: int
    """Decimals of amounts."""


def show_decision(decision: DecisionView, look: Look, details: bool = True) -> None:
    """The actions, the grid and, if wanted, tables of hands: made hands and draws, classes, or hands one by one."""
    console, pot = output(), decision.pot * decision.factor
    console.print()
    console.print(Text(_where(decision), style="bold"), soft_wrap=True)
    _print_actions(decision, console, pot)
    console.print(grid(decision, console))
    if decision.chosen is not None:
        told = decision.chosen.name
        _print_hands(console, decision, told, _groups([decision.chosen]))
    listed = CLASSES if look.limit is not None else "made" if details else ""
    by = look.by or (HANDS if look.hand is not None else listed)
    if by == HANDS:
        _print_some(console, decision, look.limit, "hands", tuple(_single(decision.hands)))
    elif by == CLASSES:
        found = sorted(decision.classes, key=lambda each: -each.weight)
        _print_some(console, decision, look.limit, "classes of hands", tuple(_classes(found)))
    elif by:
        _print_hands(console, decision, "made hands", _groups(decision.made))
        if any(group.name != "no draw" for group in decision.draws):
            _print_hands(console, decision, "draws, which may overlap", _groups(decision.draws))
        more = '--hands "top pair" or --hands AKs shows hands one by one, --by class AA, AKs, ...'
        console.print(Text(more, style="dim"), soft_wrap=True)


def _where(decision: DecisionView) -> str:
    line = ", ".join(decision.line)
    equity = "unknown" if decision.equity is None else f"{decision.equity:.1%}"
    return (
        f"{decision.board}{f', {line}' if line else ''}: {decision.player} to act, "
        f"pot {chips(decision.pot)}, equity {equity}"
    )


def _print_actions(decision: DecisionView, console: Console, pot: float) -> None:
    choices = decision.choices
    places = decimals([[choice.range_ev for choice in choices]], pot)
    names = "frequency", "hands", "EV", "EV of all", "loses"
    rows = table("action", "frequency", "", *names[1:], right=names)
    rows.padding = (0, 1, 0, 0)
    rows.columns[0].no_wrap = True
    width = max(0, min(BAR, console.width - ACTIONS_WIDTH - max(len(choice.label) for choice in choices)))
    shades = sixteen(decision.actions) if few_colours(console) else [choice.colour for choice in choices]
    for choice, shade in zip(choices, shades, strict=True):
        rows.add_row(
            Text(choice.label),
            f"{choice.frequency:.1%}",
            Text(bar(choice.frequency, console.options.ascii_only, width), style=shade),
            f"{choice.combos:.1f}",
            "-" if choice.ev is None else f"{choice.ev:.{places}f}",
            f"{choice.range_ev:.{places}f}",
            lost(choice.regret, pot),
        )
    _print_whole(rows, console)
    told = f"EV: {EARNED[decision.unit]} won from here on, a fold is 0; the range earns {decision.ev:.{places}f}. "
    console.print(Text(told + "EV of all: if every hand did this.", style="dim"))
    console.print()


def _groups(groups: Iterable[GroupView]) -> list[Row]:
    return [
        Row(
            (each.name, f"{each.combos:.1f}", percent(each.share), _equity(each.equity)),
            each.ev,
            each.strategy,
            each.evs,
        )
        for each in groups
    ]


def _classes(classes: Iterable[ClassView]) -> Iterator[Row]:
    for each in classes:
        yield Row((each.name, f"{each.weight:.2f}"), each.ev, each.strategy, each.evs)


def _single(hands: Iterable[HandView]) -> Iterator[Row]:
    for each in hands:
        made = ", ".join((each.made, *each.draws))
        cells = each.hand, made, f"{each.reach:.2f}", _equity(each.equity)
        yield Row(cells, each.ev, each.strategy, each.evs, each.regrets)


def _equity(share: float | None) -> str:
    return "" if share is None else percent(share)


def _print_some(console: Console, decision: DecisionView, limit: int | None, title: str, rows: Sequence[Row]) -> None:
    shown = rows[: limit or ROWS]
    _print_hands(console, decision, title, shown)
    if len(rows) > len(shown):
        told = f"{len(rows) - len(shown)} of {len(rows)} {title} left out: --limit {len(rows)} shows them"
        console.print(told, soft_wrap=True)


HEADERS = {2: ("hand", "combos"), 4: ("hand", "combos", "range", "equity")}


def _print_hands(console: Console, decision: DecisionView, title: str, rows: Sequence[Row]) -> None:
    """A table, or as many below each other as the width of the terminal makes of its actions."""
    pot = decision.pot * decision.factor
    places = decimals([list(row.evs.values()) for row in rows], pot)
    choices = decision.choices
    losing = " and what it loses" if rows[0].regrets is not None else ""
    title = f"{title}: how often each action is taken, its EV{losing}"
    console.print()
    for beside, count in [(True, len(choices)), *((False, count) for count in range(len(choices), 0, -1))]:
        parts = [Layout(some, beside, places) for some in _batches(choices, count)]
        tables = [_table(rows, part, pot, title if not number else "", console) for number, part in enumerate(parts)]
        if count == 1 or all(_width(made, console) <= console.width for made in tables):
            for made in tables:
                _print_whole(made, console)
            return


def _batches(choices: Sequence[ActionView], count: int) -> list[Sequence[ActionView]]:
    return [choices[at : at + count] for at in range(0, len(choices), count)]


def _print_whole(made: Table, console: Console) -> None:
    """Print a table; where it is wider than the terminal its lines are folded by the terminal, not cut."""
    made.width = _width(made, console)
    console.print(made, soft_wrap=made.width > console.width)


def _width(made: Table, console: Console) -> int:
    return Measurement.get(console, console.options.update_width(WIDEST), made).maximum


def _table(rows: Sequence[Row], layout: Layout, pot: float, title: str, console: Console) -> Table:
    single = rows[0].regrets is not None
    headers = ("hand", "what it is", "combos", "equity") if single else HEADERS[len(rows[0].cells)]
    made = table(*headers, "EV", title=title or None, right=("combos", "range", "equity", "EV"))
    made.padding = (0, 1, 0, 0)
    made.columns[0].no_wrap = True
    for choice in layout.actions:
        name = choice.label if layout.beside else choice.label.replace(" (", "\n(")
        made.add_column(Text(name, justify="right"), justify="right", no_wrap=True)
    for row in rows:
        told = [_told(row, choice.name, layout, pot) for choice in layout.actions]
        made.add_row(*(Text(cell) for cell in row.cells), f"{row.ev:.{layout.places}f}", *told)
    return made


def _told(row: Row, action: str, layout: Layout, pot: float) -> str:
    """What a row does with an action, and what that earns and loses."""
    share, earned = percent(row.strategy[action]), f"{row.evs[action]:.{layout.places}f}"
    losing = "" if row.regrets is None else lost(row.regrets[action], pot)
    if not layout.beside:
        return "\n".join([share, earned, *([f"-{losing}" if losing != "0" else "best"] if losing else [])])
    return f"{share} ({earned}{'' if not losing else ', best' if losing == '0' else f', -{losing}'})"


def lost(amount: float, pot: float) -> str:
    """What is lost, to two digits; nothing if it is less than a hundred thousandth of the pot.

    >>> lost(0.0312, 26), lost(45.3, 2600), lost(1e-4, 26), lost(1234.5, 2600), lost(1e-11, 26e-9)
    ('0.031', '45', '0', '1234', '0.00000000001')
    """
    if amount < 1e-5 * pot:
        return "0"
    return f"{amount:.0f}" if amount >= 10 else chips(float(f"{amount:.2g}"))
