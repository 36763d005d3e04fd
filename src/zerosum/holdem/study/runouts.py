"""One decision on every card that can come next: how often the player to act bets on it, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import CARDS, card_name, format_cards
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.study.report_table import ReportTable
from zerosum.support.errors import ZerosumError


@dataclass(frozen=True, eq=False)
class Runouts:
    """The cards that may come after a line, and the first decision that follows each of them.

    The rows are named after their cards. The player out of position acts first, so EV and equity are those of that
    player; they are nan where no deal gets there, or where they were not asked for, and so are the frequencies.
    """

    line: tuple[str, ...]
    board: str
    pot: float
    player: str
    labels: tuple[str, ...]
    """The actions as people read them."""
    rows: ReportTable
    note: str = ""

    @staticmethod
    def of(result: SpotResult, line: str | Sequence[str], with_ev: bool = True) -> Runouts:
        """Return every card after a line. with_ev: whether to compute EVs and equities too, which takes long.

        >>> import zerosum
        >>> runouts = Runouts.of(zerosum.solve("spot:turn", iterations=2), "check check", with_ev=False)
        >>> len(runouts.rows), runouts.rows.actions
        (48, ('check', 'bet 450', 'bet 900', 'allin'))
        """
        position = follow_line(result.spot, line)
        following = None if position.leaf is None else position.leaf.next_round
        if following is None:
            raise ZerosumError(f"no card comes after {' '.join(position.line) or 'the start'}")
        node = following.choices[0]
        cards = [card_name(card) for card in range(CARDS) if card not in position.board]
        saved = following.street <= result.solution.last_street
        row: dict[str, Any] = {"player": PLAYER_NAMES[node.player], "pot": following.pot, "frequencies": {}}
        rows = [{"name": card, **row} for card in cards]
        if saved:
            rows = [{**row, **_decision(result, (*position.line, row["name"]), with_ev)} for row in rows]
        return Runouts(
            line=position.line,
            board=format_cards(position.board),
            pot=following.pot,
            player=PLAYER_NAMES[node.player],
            labels=node.labels,
            rows=ReportTable.of(rows, node.actions),
            note="" if saved else f"the {following.name} was not saved: a card is solved again when it is opened",
        )


def _decision(result: SpotResult, line: tuple[str, ...], with_ev: bool) -> dict[str, Any]:
    """Return what a row says of the first decision after a card."""
    table = result.solution.read_decision(line, with_ev)
    deals = float(table.deals.sum())
    if not deals > 0:
        return {}
    row = {"weight": deals, "frequencies": table.frequencies}
    return {**row, "ev_oop": table.range_ev, "equity_oop": table.range_equity} if with_ev else row
