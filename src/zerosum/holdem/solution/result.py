"""A solved hold'em spot: its numbers in chips and its solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zerosum.engine.forms.public.lines import pack_fixed_decisions
from zerosum.holdem.cards.cards import HAND_COUNT, hand_name
from zerosum.holdem.solution.decision_table import CHIPS, DecisionChoice, DecisionTable, choose_hands
from zerosum.holdem.solution.partial_solution import find_last_street
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.files import spot_to_dict
from zerosum.holdem.spots.spot import Spot
from zerosum.results.payoff_unit import Measure, Unit
from zerosum.results.result import Decision, Result
from zerosum.support import array_file
from zerosum.support.array_file import RUN_FORMAT
from zerosum.support.errors import ZerosumError
from zerosum.support.files import check_writable
from zerosum.support.options import option_name

if TYPE_CHECKING:
    from zerosum.results.blocks import Block
    from zerosum.results.strategy_view import Selection

FORMAT, FORMAT_VERSION = "zerosum-holdem-result", 1
STRATEGY = "strategy"
"""The kind of a file that holds the strategy of a run, but not its state."""
STRATEGY_COLUMNS = ("player", "hand", "board", "line", "reach", "action", "probability", "ev", "equity")
"""The columns of an exported strategy of a spot, with a row per hand and action."""
STRATEGY_DIGITS = 6
"""Decimals of EVs and equities in an export."""


@dataclass(frozen=True)
class HandDecision(Decision):
    """What a hand does at a decision of a spot, what each action earns it from here on, and its equity."""

    evs: Mapping[str, float]
    equity: float | None

    def rows(self) -> Iterator[tuple[Any, ...]]:
        hand, board, line = self.infoset.split("|")
        for action, probability in self.actions.items():
            ev = self.evs[action]
            yield self.player, hand, board, line, self.reach, action, probability, ev, self.equity


def build_chip_unit(pot: float, big_blind: float) -> Unit:
    """Return chips as a unit, with the share of the pot and thousandths of a big blind a game as measures."""
    return Unit("chips", (Measure("% of the pot", 100.0 / pot), Measure("mbb/g", 1000.0 / big_blind)))


@dataclass(frozen=True, kw_only=True, repr=False)
class SpotResult(Result):
    """A solved spot: its numbers in chips, the curve and the solution.

    `value` is what the player out of position wins, net of half the pot.

    >>> import zerosum
    >>> result = zerosum.solve("spot:river", iterations=100)
    >>> result.exploitability_pot < 0.01, result.at("check bet33").actions
    (True, ('fold', 'call', 'raise 4095', 'allin'))
    """

    problem_kind: ClassVar[str] = "holdem"
    columns: ClassVar[tuple[str, ...]] = STRATEGY_COLUMNS
    rake: float = 0.0
    """The average rake."""
    equity: float
    """The share of the pot that the player out of position wins if nobody bets any more."""
    solution: Solution = field(repr=False, compare=False)

    @property
    def spot(self) -> Spot:
        return self.solution.spot

    @property
    def problem_source(self) -> Spot:
        return self.spot

    @property
    def ev_oop(self) -> float:
        """The chips that the player out of position wins from here on; both together win the pot less the rake."""
        return self.spot.pot / 2 + self.value

    @property
    def ev_ip(self) -> float:
        """The chips that the player in position wins from here on."""
        return self.spot.pot / 2 - self.value - self.rake

    @property
    def exploitability_pot(self) -> float:
        """The exploitability as a fraction of the pot."""
        return self.exploitability / self.spot.pot

    @property
    def exploitability_mbb(self) -> float:
        """The exploitability in thousandths of a big blind a game."""
        return self.exploitability / self.spot.big_blind * 1000

    def summary_blocks(self, selection: Selection) -> list[Block]:
        from zerosum.holdem.solution.spot_blocks import build_summary_blocks

        return build_summary_blocks(self, selection)

    def view(self, selection: Selection | None = None) -> DecisionChoice:
        """Return the decision that a selection asks for, the first one without it, and the hands that it chooses.

        >>> import zerosum
        >>> from zerosum.results.strategy_view import Selection
        >>> river = zerosum.solve("spot:river", iterations=10)
        >>> river.view(Selection(line="check bet33", hand="KQs")).table.player_name
        'out of position'
        """
        from zerosum.results.strategy_view import Selection

        selection = selection or Selection()
        if selection.player is not None or selection.infoset is not None or selection.min_reach:
            raise ZerosumError(
                f"player, infoset and min_reach are options of games: use {option_name('line')} and "
                f"{option_name('hand')} with a spot"
            )
        return choose_hands(self, selection.line or "", selection.hand, selection.unit or CHIPS.name)

    def view_blocks(self, selection: Selection) -> list[Block]:
        from zerosum.holdem.solution.spot_blocks import build_view_blocks

        return build_view_blocks(self, selection)

    def at(self, line: str | Sequence[str] = "") -> DecisionTable:
        """Return a decision, with its strategy, EVs and ranges, after a line like `check bet50 call 4d`."""
        return self.solution.read_decision(line)

    def iterate_infosets(self, streets: str | Sequence[str] | None = None) -> Iterator[HandDecision]:
        """Yield the strategy of each hand at each decision, on all boards, or up to the last of some streets.

        An infoset reads like `AsKd|Ks7h2d9c4s|check bet 858`.
        """
        names = [hand_name(hand) for hand in range(HAND_COUNT)]
        for table in self.iterate_tables(streets, with_ev=True):
            assert table.action_ev is not None
            assert table.equity is not None
            place = f"{table.board}|{' '.join(table.line)}"
            equities = [None if share != share else round(share, STRATEGY_DIGITS) for share in table.equity.tolist()]
            all_evs = np.round(table.action_ev.T, STRATEGY_DIGITS).tolist()
            rows = zip(table.hand.tolist(), table.reach.tolist(), table.frequency.T.tolist(), strict=True)
            for (hand, reach, frequencies), evs, equity in zip(rows, all_evs, equities, strict=True):
                yield HandDecision(
                    player=table.player + 1,
                    infoset=f"{names[hand]}|{place}",
                    reach=reach,
                    actions=dict(zip(table.actions, frequencies, strict=True)),
                    evs=dict(zip(table.actions, evs, strict=True)),
                    equity=equity,
                )

    def iterate_tables(
        self, streets: str | Sequence[str] | None = None, with_ev: bool = False
    ) -> Iterator[DecisionTable]:
        """Yield every decision that was saved, parents first, on all boards, or up to the last of some streets."""
        solution, last_street = self.solution, self.solution.last_street
        if streets is not None:
            last_street = min(find_last_street(streets), last_street)
        pending = [solution.follow_line(())]
        while pending:
            cursor = pending.pop()
            if cursor.choice is not None:
                yield solution.build_decision(cursor, with_ev)
            words = cursor.list_next_words(last_street)
            pending += [solution.advance_cursor(cursor, word) for word in reversed(words)]

    def build_format_header(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": FORMAT_VERSION, "spot": spot_to_dict(self.spot)}

    def summary(self) -> dict[str, Any]:
        shares = {"exploitability_pot": self.exploitability_pot, "exploitability_mbb": self.exploitability_mbb}
        evs = {"ev_oop": self.ev_oop, "ev_ip": self.ev_ip}
        return {**super().summary(), **shares, **evs, "equity": self.equity, "root": self.at().frequencies}

    def save(self, path: str | Path) -> None:
        """Write the strategies to a file that `zerosum.load` reads; `solve(..., out=)` saves a whole run."""
        from zerosum.holdem.engine.board_arrays import boards_to_arrays
        from zerosum.runs.provenance import collect_provenance

        path = Path(path)
        if path.name.lower().endswith((".json", ".json.gz")):
            raise ZerosumError(f"a hold'em result is saved as a file in .zs, not as {path.name}")
        check_writable(path)
        averages = self.solution.solver.averages()
        half = averages[0].dtype == np.float16
        tree = self.solution.tree
        numbers = {"name": self.game, "infosets": self.infosets, "sequences": self.sequences, "bytes": self.bytes}
        priced = {} if self.price is None else {"price": self.price.unsolved_to_json()}
        header = {
            "format": RUN_FORMAT,
            "kind": STRATEGY,
            "was": "public" if self.seed is None else "dealt",
            "spot": spot_to_dict(self.spot),
            "isomorphism": tree.has_shared_boards,
            "half": half,
            "streets": None,
            **({"locks": list(self.locks), "suits": [list(suits) for suits in tree.suits]} if self.locks else {}),
            "algorithm": {"name": self.algorithm},
            "limits": {},
            "seed": self.seed,
            "iteration": self.iterations,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "settled": True,
            "clock": "iterations",
            "curve": [list(asdict(point).values()) for point in self.curve],
            "numbers": {**numbers, "fingerprint": tree.fingerprint, **priced},
            "parts": [{**collect_provenance(), "zerosum": self.zerosum, "from": 0, "to": self.iterations}],
        }
        stored = {f"average{p}": average.view(np.uint16) if half else average for p, average in enumerate(averages)}
        stored |= boards_to_arrays(tree) | (pack_fixed_decisions(self.solution.solver.fixed) if self.locks else {})
        array_file.write_array_file(path, {**header, "equity": self.equity}, stored)


def require_spot_result(value: Any) -> SpotResult:
    """Return the result of a spot; raise a `ZerosumError` for anything else."""
    if not isinstance(value, SpotResult):
        name = value.game if isinstance(value, Result) else type(value).__name__
        raise ZerosumError(f"{name} is not a hold'em spot: use the result of a spot, or load its saved run")
    return value
