"""A solved hold'em spot: its numbers in chips and the solution to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import rue.container as container
from rue.container import RUN
from rue.disk import check_writable
from rue.errors import RueError
from rue.forms.lines import given_arrays
from rue.holdem.files import to_mapping
from rue.holdem.kept_boards import board_arrays
from rue.holdem.spots import Spot
from rue.provenance import provenance
from rue.records import dataclass
from rue.results.game import HOLDEM_EXPORT
from rue.results.nodes import HAND_COLUMNS, HandDecision, RangeStrategy, decisions, nodes
from rue.results.range_decision import RangeDecision
from rue.results.result import Result
from rue.results.solution import Solution
from rue.results.streets import last_street
from rue.results.unit import Measure, Unit

FORMAT, FORMAT_VERSION = HOLDEM_EXPORT, 1
STRATEGY = "strategy"
"""The kind of a file that holds no run, only what it reached."""


def chips(pot: float, big_blind: float) -> Unit:
    """Chips, also told as a share of the pot and in thousandths of a big blind a game."""
    return Unit("chips", (Measure("% of the pot", 100.0 / pot), Measure("mbb/g", 1000.0 / big_blind)))


@dataclass(frozen=True, kw_only=True, repr=False)
class SpotResult(Result):
    """A solved spot: its numbers in chips, the curve, and the solution to look at.

    `value` is what the player out of position wins, net of half the pot.

    >>> import rue
    >>> result = rue.solve("spot:river", iterations=100)
    >>> result.exploitability_pot < 0.01, result.at("check bet33").actions
    (True, ('fold', 'call', 'raise 4095', 'allin'))
    """

    columns: ClassVar[tuple[str, ...]] = HAND_COLUMNS
    rake: float = 0.0
    """What the house takes on average."""
    equity: float
    """The share of the pot that the player out of position wins if nobody bets any more."""
    solution: Solution = field(repr=False, compare=False)

    @property
    def spot(self) -> Spot:
        """What was solved."""
        return self.solution.spot

    @property
    def ev_oop(self) -> float:
        """What the player out of position wins from here on; both together win the pot less the rake."""
        return self.spot.pot / 2 + self.value

    @property
    def ev_ip(self) -> float:
        """What the player in position wins from here on."""
        return self.spot.pot / 2 - self.value - self.rake

    @property
    def exploitability_pot(self) -> float:
        """As a fraction of the pot."""
        return self.exploitability / self.spot.pot

    @property
    def exploitability_mbb(self) -> float:
        """In thousandths of a big blind a game."""
        return self.exploitability / self.spot.big_blind * 1000

    def at(self, line: str | Sequence[str] = "") -> RangeDecision:
        """Any decision: strategy, what each hand earns and both ranges after a line like `check bet50 call 4d`."""
        return self.solution.at(line)

    def each_decision(self, streets: str | Sequence[str] | None = None) -> Iterator[HandDecision]:
        """What each hand does at each decision, on all boards, or up to the last of some streets."""
        return decisions(self.solution, None if streets is None else last_street(streets))

    def nodes_of(self, streets: str | Sequence[str] | None = None) -> Iterator[RangeStrategy]:
        """The same, range by range."""
        return nodes(self.solution, None if streets is None else last_street(streets))

    def heading(self) -> dict[str, Any]:
        """How a file of the result begins."""
        return {"format": FORMAT, "version": FORMAT_VERSION, "spot": to_mapping(self.spot)}

    def summary(self) -> dict[str, Any]:
        """The numbers, the curve and what the first player does at the root, ready for JSON."""
        shares = {"exploitability_pot": self.exploitability_pot, "exploitability_mbb": self.exploitability_mbb}
        evs = {"ev_oop": self.ev_oop, "ev_ip": self.ev_ip}
        return {**super().summary(), **shares, **evs, "equity": self.equity, "root": self.at().frequencies}

    def save(self, path: str | Path) -> None:
        """Write the strategies to a file that `rue show` and `rue.load` read; `solve(..., out=)` saves a whole run."""
        path = Path(path)
        if path.name.lower().endswith((".json", ".json.gz")):
            raise RueError(f"a hold'em result is saved as a file in .rue, not as {path.name}")
        check_writable(path)
        averages = self.solution.solver.averages()
        half = averages[0].dtype == np.float16
        tree = self.solution.tree
        numbers = {"name": self.game, "infosets": self.infosets, "sequences": self.sequences, "bytes": self.bytes}
        priced = {} if self.price is None else {"price": self.price.before()}
        header = {
            "format": RUN,
            "kind": STRATEGY,
            "was": "public" if self.seed is None else "dealt",
            "spot": to_mapping(self.spot),
            "isomorphism": tree.isomorphic,
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
            "parts": [{**provenance(), "rue": self.rue, "from": 0, "to": self.iterations}],
        }
        stored = {f"average{p}": own.view(np.uint16) if half else own for p, own in enumerate(averages)}
        stored |= board_arrays(tree) | (given_arrays(self.solution.solver.given) if self.locks else {})
        container.write(path, {**header, "equity": self.equity}, stored)
