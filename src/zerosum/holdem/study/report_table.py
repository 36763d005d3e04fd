"""The table of a report: one row per card, flop or variant, with the weighted mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.result import SpotResult
from zerosum.results.table import Column, Table
from zerosum.support.validation import decode_number

TEXTS = ("name", "player", "variant")
NUMBERS = ("weight", "pot", "ev_oop", "ev_ip", "equity_oop", "exploitability", "iterations", "seconds")
REALIZATION = "EV as a share of what equity alone would win: above 1, the betting helps"


@dataclass(frozen=True, eq=False)
class ReportTable(Table):
    """One decision on many cards, flops or variants of a spot, a row each; numbers are nan where no deal reaches it.

    `weight` is the share of a row among all deals. EVs are chips won from the decision on, `pot` is the pot there.
    `exploitability` of the row's solve is a share of the first pot. A row may lack some of the actions.

    >>> row = {"name": "4d", "weight": 1, "player": "out of position", "pot": 100, "frequencies": {"check": 1}}
    >>> table = ReportTable.from_rows([{**row, "ev_oop": 60, "ev_ip": 40, "equity_oop": 0.5}])
    >>> table.equity_ip.tolist(), table.realised_oop.tolist()
    ([0.5], [1.2])
    """

    table_name: ClassVar[str] = "report"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("name", "Row", "text"),
        Column("weight", "Share", "share", "of all deals that get there"),
        Column("player", "Player", "text", "who acts"),
        Column("pot", "Pot", "chips"),
        Column("ev_oop", "EV OOP", "ev", "chips from here on"),
        Column("ev_ip", "EV IP", "ev", "chips from here on"),
        Column("equity_oop", "Equity OOP", "share", "the share of the pot if nobody bets any more"),
        Column("variant", "Variant", "text"),
        Column("exploitability", "Exploitable", "share", "of its solve, as a share of the pot"),
        Column("iterations", "Iterations", "count"),
        Column("seconds", "Seconds", "seconds"),
        Column("equity_ip", "Equity IP", "share", "the share of the pot if nobody bets any more"),
        Column("realised_oop", "Realised OOP", "share", REALIZATION),
        Column("realised_ip", "Realised IP", "share", REALIZATION),
        Column("frequency", "Plays", "share", "how often the action is taken", per_action="{action}"),
    )

    name: tuple[str, ...]
    weight: Floats
    player: tuple[str, ...]
    pot: Floats
    ev_oop: Floats
    ev_ip: Floats
    equity_oop: Floats
    variant: tuple[str, ...]
    exploitability: Floats
    iterations: Floats
    seconds: Floats
    actions: tuple[str, ...]
    frequency: Floats

    @staticmethod
    def from_rows(rows: Sequence[Mapping[str, Any]], actions: tuple[str, ...] = ()) -> ReportTable:
        """Build the table from rows by name, in which a number may be None or missing and `frequencies` is by action.

        actions: the first actions of the table, also if no row has them.
        """
        actions = tuple(dict.fromkeys((*actions, *(action for row in rows for action in row["frequencies"]))))
        columns: dict[str, Any] = {name: tuple(row.get(name, "") for row in rows) for name in TEXTS}
        columns |= {name: _to_floats([row.get(name) for row in rows]) for name in NUMBERS}
        frequency = [_to_floats([row["frequencies"].get(action) for row in rows]) for action in actions]
        return ReportTable(**columns, actions=actions, frequency=np.array(frequency).reshape(len(actions), len(rows)))

    @property
    def equity_ip(self) -> Floats:
        """The share of the pot that the range in position wins if nobody bets any more."""
        return 1.0 - self.equity_oop

    @property
    def realised_oop(self) -> Floats:
        """The EV as a share of what equity alone would win: above 1, the betting helps."""
        return _divide_or_nan(self.ev_oop, self.equity_oop * self.pot)

    @property
    def realised_ip(self) -> Floats:
        return _divide_or_nan(self.ev_ip, self.equity_ip * self.pot)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the rows by name, ready for JSON and for `from_rows`."""
        rows = []
        for row in self.iterate_rows():
            frequencies = row.pop("frequency")
            row["frequencies"] = {action: share for action, share in frequencies.items() if share is not None}
            rows.append(row)
        return rows


def _to_floats(values: Sequence[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def _divide_or_nan(values: Floats, whole: Floats) -> Floats:
    return np.asarray(np.divide(values, whole, out=np.full(len(values), np.nan), where=whole != 0))


def check_row(content: Any) -> None:
    """Raise an error unless a row of a file has the texts and numbers of a row."""
    required = [content["weight"], content["pot"], *content["frequencies"].values()]
    optional = [content[name] for name in NUMBERS if name not in ("weight", "pot")]
    for number in (*required, *(number for number in optional if number is not None)):
        decode_number(number)
    if not content["pot"] > 0 or not all(isinstance(content[name], str) for name in TEXTS):
        raise ValueError("its rows are not named")


def build_decision_row(result: SpotResult, table: DecisionTable) -> dict[str, Any]:
    """Return a row of a decision of a solved spot, ready for JSON, and how many deals get there (`deals`)."""
    ev_oop, ev_ip = result.solution.compute_range_evs(table.line)
    equity = table.range_equity if table.player == 0 else 1.0 - table.range_equity
    numbers = {"ev_oop": ev_oop, "ev_ip": ev_ip, "equity_oop": equity}
    return {
        "player": table.player_name,
        "pot": table.pot,
        "frequencies": table.frequencies,
        "deals": float(table.deals.sum()),
        **{name: None if math.isnan(number) else float(number) for name, number in numbers.items()},
    }


def average_rows(table: ReportTable, deals: Floats, name: str) -> dict[str, Any]:
    """Return a row with the mean of all rows, weighted by deals; of EVs and equities over the rows that have them.

    >>> row = {"name": "4d", "weight": 0.5, "player": "in position", "pot": 100, "ev_ip": 40, "equity_oop": 0.5}
    >>> check, bet = {**row, "frequencies": {"check": 1}}, {**row, "frequencies": {"check": 0, "bet 50": 1}}
    >>> table = ReportTable.from_rows([{**check, "ev_oop": 60}, {**bet, "ev_oop": 40}])
    >>> mean = average_rows(table, np.array([1, 3]), "all")
    >>> mean["ev_oop"], mean["frequencies"]
    (45.0, {'check': 0.25, 'bet 50': 0.75})
    """

    def mean(values: Floats) -> float:
        present = ~np.isnan(values)
        total = math.fsum(deals[present])
        return math.fsum(values[present] * deals[present]) / total if total > 0 else math.nan

    pot = mean(table.pot)
    present = zip(table.actions, table.frequency, strict=True)
    frequencies = {action: mean(np.nan_to_num(shares)) for action, shares in present if not np.isnan(shares).all()}
    return {
        "name": name,
        "variant": table.variant[0],
        "player": table.player[0],
        "weight": math.fsum(table.weight),
        "pot": float(table.pot[0]) if math.isnan(pot) else pot,
        **{name: mean(getattr(table, name)) for name in ("ev_oop", "ev_ip", "equity_oop", "exploitability")},
        "seconds": None if math.isnan(table.seconds[0]) else math.fsum(np.nan_to_num(table.seconds)),
        "frequencies": {action: 0.0 if math.isnan(share) else share for action, share in frequencies.items()},
    }
