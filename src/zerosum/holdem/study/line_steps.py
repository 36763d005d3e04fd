"""The steps of a line: every decision with its frequencies, every card, how the hand ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.betting.tree import LEAF_KINDS
from zerosum.holdem.cards.cards import STREETS, format_cards
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.line import follow_line
from zerosum.results.display.action_colours import colour_codes
from zerosum.results.table import json_numbers

FREQUENCY_DIGITS = 4
StepKind = Literal["decision", "card", "end"]


@dataclass(frozen=True)
class Step:
    """One step of a line: a player's decision with how often each action is taken, a card that comes, or the end.

    `chosen` is the action or card that the line goes on with; None at its last step. `stacks` are the chips that each
    player has left, `labels` the actions as people read them. `ending` says how the
    hand ended: fold, showdown or allin; `player` is then the winner by a fold.
    """

    kind: StepKind
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

    def content(self) -> dict[str, Any]:
        """Return the step ready for JSON."""
        frequencies = json_numbers(self.frequencies, FREQUENCY_DIGITS)
        return {**vars(self), "colours": colour_codes(self.actions), "frequencies": frequencies}


@dataclass(frozen=True)
class LineSteps:
    """A line as the tree writes it, and its steps, the last of which is where it leads."""

    line: tuple[str, ...]
    steps: tuple[Step, ...]

    @staticmethod
    def of(solution: Solution, line: str | Sequence[str] = "") -> LineSteps:
        """Return the steps of a line.

        >>> import zerosum
        >>> line = LineSteps.of(zerosum.solve("spot:river", iterations=10).solution, "check bet33 call")
        >>> [(step.kind, step.chosen) for step in line.steps]
        [('decision', 'check'), ('decision', 'bet 858'), ('decision', 'call'), ('end', None)]
        """
        words = follow_line(solution.spot, line).line
        with solution.solver.lock:
            steps = tuple(_step(solution, words[:number], chosen) for number, chosen in enumerate((*words, None)))
        return LineSteps(words, steps)

    def content(self) -> dict[str, Any]:
        """Return the line and its steps, ready for JSON, with labels and colours of the actions."""
        return {"line": list(self.line), "steps": [step.content() for step in self.steps]}


def _step(solution: Solution, line: tuple[str, ...], chosen: str | None) -> Step:
    position = follow_line(solution.spot, line)
    street, pot = STREETS[position.street.street], position.pot
    stacks = position.street.stack - position.bets[0], position.street.stack - position.bets[1]
    if position.node is not None:
        table = solution.read_decision(line, with_ev=False)
        frequencies = tuple(table.frequencies.values())
        actions = table.actions, frequencies, table.labels
        return Step("decision", street, table.board, pot, stacks, table.player_name, *actions, chosen)
    assert position.leaf is not None
    board = format_cards(position.board)
    if position.leaf.next_round is not None:
        return Step("card", street, board, pot, stacks, chosen=chosen)
    winner = PLAYER_NAMES[1 - position.leaf.folder] if position.leaf.folder >= 0 else None
    return Step("end", street, board, pot, stacks, winner, ending=LEAF_KINDS[position.leaf.kind])
