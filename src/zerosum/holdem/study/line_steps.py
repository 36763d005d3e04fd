"""The steps of a line: decisions with their frequencies, cards, the end; and the cards that can come after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.betting.tree import LEAF_KINDS
from zerosum.holdem.cards.cards import CARDS, STREETS, card_name, format_cards
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.study.report_table import ReportTable
from zerosum.results.display.action_colours import list_colour_codes
from zerosum.results.table import format_json_numbers
from zerosum.support.errors import ZerosumError

FREQUENCY_DIGITS = 4


@dataclass(frozen=True)
class Step:
    """One step of a line: a player's decision with how often each action is taken, a card that comes, or the end.

    `chosen` is the action or card that follows in the line; None at its last step. `stacks` are the chips that each
    player has left, `labels` the actions as people read them. `ending` says how the hand ended: fold, showdown or
    allin; `player` is then the winner by a fold.
    """

    kind: Literal["decision", "card", "end"]
    street: str
    board: str
    pot: float
    stacks: tuple[float, float]
    player: str | None = None
    actions: tuple[str, ...] = ()
    frequencies: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    chosen: str | None = None
    ending: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the step ready for JSON, with the colours of its actions."""
        frequencies = format_json_numbers(self.frequencies, FREQUENCY_DIGITS)
        return {**vars(self), "colours": list_colour_codes(self.actions), "frequencies": frequencies}


def list_steps(solution: Solution, line: str | Sequence[str] = "") -> tuple[tuple[str, ...], list[Step]]:
    """Return a line in the tree's words, and its steps, the last of which is where it leads.

    >>> import zerosum
    >>> line, steps = list_steps(zerosum.solve("spot:river", iterations=10).solution, "check bet33 call")
    >>> line, [(step.kind, step.chosen) for step in steps[1:]]
    (('check', 'bet 858', 'call'), [('decision', 'bet 858'), ('decision', 'call'), ('end', None)])
    """
    words = follow_line(solution.spot, line).line
    with solution.solver.lock:
        return words, [_build_step(solution, words[:number], word) for number, word in enumerate((*words, None))]


def _build_step(solution: Solution, line: tuple[str, ...], chosen: str | None) -> Step:
    position = follow_line(solution.spot, line)
    street, pot = STREETS[position.street.street], position.pot
    stacks = position.street.stack - position.bets[0], position.street.stack - position.bets[1]
    if position.node is not None:
        table = solution.read_decision(line, with_ev=False)
        actions = table.actions, tuple(table.frequencies.values()), table.labels
        return Step("decision", street, table.board, pot, stacks, table.player_name, *actions, chosen)
    assert position.leaf is not None
    board = format_cards(position.board)
    if position.leaf.next_round is not None:
        return Step("card", street, board, pot, stacks, chosen=chosen)
    winner = PLAYER_NAMES[1 - position.leaf.folder] if position.leaf.folder >= 0 else None
    return Step("end", street, board, pot, stacks, winner, ending=LEAF_KINDS[position.leaf.kind])


@dataclass(frozen=True, eq=False)
class Runouts:
    """The cards that may come after a line, and the first decision that follows each of them.

    The rows are named after their cards. The player out of position acts first, so EV and equity are those of that
    player; they are nan where no deal gets there, or where they were not computed, and so are the frequencies.
    """

    line: tuple[str, ...]
    board: str
    pot: float
    player: str
    labels: tuple[str, ...]
    """The actions as people read them."""
    rows: ReportTable
    note: str = ""


def list_runouts(result: SpotResult, line: str | Sequence[str], with_ev: bool = True) -> Runouts:
    """Return every card after a line. with_ev: whether to compute EVs and equities too, which takes long.

    >>> import zerosum
    >>> runouts = list_runouts(zerosum.solve("spot:turn", iterations=2), "check check", with_ev=False)
    >>> len(runouts.rows), runouts.rows.actions
    (48, ('check', 'bet 450', 'bet 900', 'allin'))
    """
    position = follow_line(result.spot, line)
    following = None if position.leaf is None else position.leaf.next_round
    if following is None:
        raise ZerosumError(f"no card comes after {' '.join(position.line) or 'the start'}")
    node = following.choices[0]
    is_saved = following.street <= result.solution.last_street
    rows: list[dict[str, Any]] = []
    for card in range(CARDS):
        if card not in position.board:
            name = card_name(card)
            row = {"name": name, "player": PLAYER_NAMES[node.player], "pot": following.pot, "frequencies": {}}
            rows.append({**row, **(_describe_decision(result, (*position.line, name), with_ev) if is_saved else {})})
    return Runouts(
        line=position.line,
        board=format_cards(position.board),
        pot=following.pot,
        player=PLAYER_NAMES[node.player],
        labels=node.labels,
        rows=ReportTable.from_rows(rows, node.actions),
        note=""
        if is_saved
        else f"the {STREETS[following.street]} was not saved: a card is solved again when it is opened",
    )


def _describe_decision(result: SpotResult, line: tuple[str, ...], with_ev: bool) -> dict[str, Any]:
    """Return the cells of a row about the first decision after a card; none if no deal gets there."""
    table = result.solution.read_decision(line, with_ev)
    deals = float(table.deals.sum())
    if not deals > 0:
        return {}
    row = {"weight": deals, "frequencies": table.frequencies}
    return {**row, "ev_oop": table.range_ev, "equity_oop": table.range_equity} if with_ev else row
