"""The way to a point of a solved spot: every decision of a line with all its actions, every card, what comes now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rue.holdem.cards import STREETS, cards_name
from rue.holdem.line import Trace, trace
from rue.holdem.tree import KINDS
from rue.records import dataclass
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult

Kind = Literal["decision", "card", "over"]


@dataclass(frozen=True)
class StepView:
    """One step of a line: a player's decision with how often each action is taken, a card that comes, or the end.

    `taken` is the action or card that the line goes on with; None at its last step. `behind` are the chips that each
    player has left, `sizes` what each bet or raise adds as a share of the pot after a call, `why` tells how the hand
    ended: fold, showdown or allin; `player` is then who wins by a fold.
    """

    kind: Kind
    street: str
    board: str
    pot: float
    behind: tuple[float, float]
    player: str | None = None
    actions: tuple[str, ...] = ()
    frequencies: tuple[float, ...] = ()
    sizes: tuple[float | None, ...] = ()
    taken: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class Walk:
    """A line as the tree writes it, and its steps, the last of which is where it leads."""

    line: tuple[str, ...]
    steps: tuple[StepView, ...]

    @staticmethod
    def of(result: SpotResult, line: str | Sequence[str] = "") -> Walk:
        """The steps of a line.

        >>> import rue
        >>> walk = Walk.of(rue.solve("spot:river", iterations=10), "check bet33 call")
        >>> [(step.kind, step.taken) for step in walk.steps]
        [('decision', 'check'), ('decision', 'bet 858'), ('decision', 'call'), ('over', None)]
        """
        words = trace(result.spot, line).line
        with result.solution.solver.turns:
            steps = tuple(_step(result, words[:number], taken) for number, taken in enumerate((*words, None)))
        return Walk(words, steps)


def _step(result: SpotResult, line: tuple[str, ...], taken: str | None) -> StepView:
    found = trace(result.spot, line)
    street, board = STREETS[found.street.street], cards_name(found.board)
    paid = paid_at(found)
    pot, behind = found.street.pot + sum(paid), (found.street.stack - paid[0], found.street.stack - paid[1])
    if found.node is not None:
        point = result.solution.glance(line)
        who, actions = PLAYERS[found.node.player], found.node.actions
        shown = actions, tuple(point.frequencies.values()), point.sizes
        return StepView("decision", street, board, pot, behind, who, *shown, taken)
    assert found.leaf is not None
    if found.leaf.following is not None:
        return StepView("card", street, board, pot, behind, taken=taken)
    winner = PLAYERS[1 - found.leaf.folder] if found.leaf.folder >= 0 else None
    return StepView("over", street, board, pot, behind, winner, why=KINDS[found.leaf.kind])


def paid_at(found: Trace) -> tuple[float, float]:
    """What both players have put in on the street where a line has led."""
    at = found.node if found.node is not None else found.leaf
    assert at is not None
    return at.paid
