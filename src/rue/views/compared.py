"""Two solutions of a spot side by side at a decision, such as without locks and with them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rue.holdem.line import follow
from rue.problems.spot_judge import check_spot
from rue.records import dataclass
from rue.results.spot import SpotResult
from rue.views.decision import ClassView, DecisionView


@dataclass(frozen=True)
class SideView:
    """A solution: what both players win in all, and the decision; None if no hand gets there.

    EVs are chips from the first decision on, `here` those of both players from the decision that is looked at.
    """

    ev_oop: float
    ev_ip: float
    exploitability: float
    """As a share of the pot."""
    decision: DecisionView | None
    here: tuple[float, float] | None


@dataclass(frozen=True)
class ClassMoved:
    """How much of a class of hands plays otherwise: the probability that moves between actions."""

    name: str
    row: int
    column: int
    moved: float


@dataclass(frozen=True)
class Compared:
    """A decision before and after."""

    line: tuple[str, ...]
    before: SideView
    after: SideView
    moved: tuple[ClassMoved, ...]
    """The classes that both have there."""

    @staticmethod
    def of(before: SpotResult, after: SpotResult, line: str | Sequence[str] = "") -> Compared:
        """Two results of the same spot at a decision.

        >>> import rue
        >>> before = rue.solve("spot:river", iterations=50)
        >>> after = rue.solve("spot:river", iterations=50, locks="check: check 100%")
        >>> found = Compared.of(before, after, "check")
        >>> round(found.after.decision.frequencies["check"], 9), found.after.ev_ip < found.before.ev_ip
        (1.0, True)
        """
        check_spot(before.spot, after)
        words = follow(before.spot, line).line
        one, two = _side(before, words), _side(after, words)
        classes = {each.name: each for each in one.decision.classes} if one.decision else {}
        both = two.decision.classes if two.decision else ()
        return Compared(words, one, two, tuple(_moved(classes[new.name], new) for new in both if new.name in classes))


def _side(result: SpotResult, line: tuple[str, ...]) -> SideView:
    with result.solution.solver.turns:
        point = result.at(line)
        seen = bool(point.reach.any())
        deals = seen and float(point.likelihood.sum()) > 0
        return SideView(
            ev_oop=result.ev_oop,
            ev_ip=result.ev_ip,
            exploitability=result.exploitability_pot,
            decision=DecisionView.shows(point, result.spot) if seen else None,
            here=result.solution.earned(line) if deals else None,
        )


def _moved(one: ClassView, two: ClassView) -> ClassMoved:
    apart = math.fsum(abs(two.strategy[action] - share) for action, share in one.strategy.items()) / 2
    return ClassMoved(one.name, one.row, one.column, apart)
