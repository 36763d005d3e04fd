"""What strategies are worth: against a best response, and against each other."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np

from rue.checked import check_whole
from rue.forms.infoset_names import named_infosets
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Integers, Treeplex
from rue.problems.fit import FREE, Fill, GivenSequences, Profile, check_fill, fit
from rue.records import dataclass
from rue.results.page import one_line, page, pairs, paragraph, table
from rue.results.strategy import Strategy, StrategyLike
from rue.results.unit import Unit
from rue.solvers.evaluate import Judged, evaluate
from rue.solvers.limits import Limits
from rue.words import OF_IT, percent, pieces, short

WORST = 10
"""Infosets that are listed unless another number is asked for."""


@dataclass(frozen=True, kw_only=True)
class Loss(ABC):
    """What a player gives away at one place against the other player's strategy; see `losses`."""

    player: int
    reach: float
    """How likely the player's own actions lead there; a hand's weight in its range included."""
    loss: float
    """In the unit of the game, a deal."""
    best: str
    """The action of a best response."""
    actions: dict[str, float]
    """What the strategy does instead."""

    @property
    @abstractmethod
    def place(self) -> dict[str, str]:
        """Whose it is and where, column by column, for a table."""


@dataclass(frozen=True, kw_only=True)
class InfosetLoss(Loss):
    """What is given away at an infoset."""

    infoset: str

    @property
    def place(self) -> dict[str, str]:
        return {"player": str(self.player), "infoset": self.infoset}


@dataclass(frozen=True, repr=False)
class Exploited(Judged):
    """What a pair of strategies is worth, and where it could be better.

    `value` is the first player's; `gains` is what each player would win more by a best response to the other, and
    `worst` the infosets at which most of it is given away.

    >>> import rue
    >>> found = rue.exploit("kuhn", rue.solve("kuhn", "lp"))
    >>> round(found.value, 6), max(found.gains) < 1e-9
    (-0.055556, True)
    """

    game: str
    strategy: str
    infosets: int
    worst: tuple[Loss, ...] = ()
    filled: int = 0
    """The infosets about which the strategy said nothing."""
    locks: tuple[str, ...] = ()
    """What is locked in the game, in words: best responses play that, too."""
    solved_locked: tuple[str, ...] = ()
    """What was locked in the game that the strategy was solved for."""

    @property
    def unit(self) -> Unit:
        """What its numbers are measured in."""
        return Unit()

    @property
    def seats(self) -> tuple[str, str]:
        """How the players are called."""
        return "player 1", "player 2"

    reach_told: ClassVar[bool] = True
    """Whether the reach of a loss is worth a column."""

    @property
    def value_told(self) -> str:
        """The value in words."""
        return f"{self.value:.6g}   (for the first player)"

    @property
    def worst_told(self) -> str:
        """What the listed losses are together, in words."""
        told = [math.fsum(loss.loss for loss in self.worst if loss.player == player) for player in (1, 2)]
        shares = [
            f"{short(part)} of the {short(gain)} that player {player} could gain"
            for player, part, gain in zip((1, 2), told, self.gains, strict=True)
            if part > 0.0
        ]
        return f"together {' and '.join(shares)}"

    @property
    def told(self) -> dict[str, str]:
        """Its numbers in words, by what they are; empty where there is nothing to tell."""
        unit, locked = self.unit, "\n".join(self.solved_locked)
        gains = {
            f"{seat} gains": f"{short(gain)} {unit.name}".rstrip() + "   by a best response"
            for seat, gain in zip(self.seats, self.gains, strict=True)
        }
        plain = not unit.measures
        both = "mean of both players" + (f", {OF_IT}" if self.locks else "")
        filled = f"   ({self.filled:,} of them filled: uniform play)" if self.filled else ""
        return {
            "game": self.game,
            "locked": "\n".join(self.locks),
            "strategy": self.strategy,
            "solved with": f"{locked}   locked" if locked else "",
            "infosets": f"{self.infosets:,}{filled}",
            "value": self.value_told,
            **gains,
            "exploitability": unit.told(self.exploitability) + (f"   ({both})" if plain or self.locks else ""),
            "NashConv": f"{short(self.nash_conv)}   (sum of both players)" if plain else "",
        }

    @property
    def worst_rows(self) -> list[dict[str, str]]:
        """The listed losses in words, column by column."""
        return [
            {
                **loss.place,
                **({"reach": percent(loss.reach)} if self.reach_told else {}),
                "given away": short(loss.loss),
                "best": loss.best,
                "what it does": pieces(loss.actions),
            }
            for loss in self.worst
        ]

    def __repr__(self) -> str:
        """On one line."""
        found = f"exploitability {self.unit.briefly(self.exploitability)}, value {short(self.value)}"
        told = f"{self.game}: {found}, {len(self.worst)} losses listed; {self.strategy}"
        return one_line(type(self).__name__, told)

    def _repr_html_(self) -> str:
        worst = table("where most is given away", self.worst_rows)
        return page(pairs(self.told), worst, paragraph(self.worst_told if self.worst else ""))

    def summary(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {**asdict(self), "nash_conv": self.nash_conv, "exploitability": self.exploitability}


@dataclass(frozen=True)
class HeadToHead:
    """What one strategy wins against another: in the first seat, in the second seat, and on average.

    >>> import rue
    >>> always = {"row": {"rock": 1}, "column": {"rock": 1}}
    >>> met = rue.head_to_head("rps", always, {"row": {"paper": 1}, "column": {"paper": 1}})
    >>> met.first, met.second, met.mean
    (-1.0, -1.0, -1.0)
    """

    game: str
    strategy: str
    against: str
    first: float
    """What the strategy wins as the first player against the other's second."""
    second: float
    """What it wins as the second player against the other's first."""
    seats: ClassVar[tuple[str, str]] = ("in seat 1", "in seat 2")
    unit: ClassVar[str] = ""

    @property
    def mean(self) -> float:
        """The mean over both seats."""
        return (self.first + self.second) / 2

    def summary(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {**asdict(self), "mean": self.mean}


@dataclass(frozen=True)
class Judging:
    """How a strategy is judged: what completes it, how many of its worst infosets are listed, by how many threads."""

    fill: Fill | None = None
    worst: int = WORST
    threads: int | None = None

    def __post_init__(self) -> None:
        check_fill(self.fill)
        Limits(threads=self.threads)
        check_whole("worst", self.worst, least=0)


def exploit_form(form: SequenceForm, strategy: StrategyLike, how: Judging, given: GivenSequences = FREE) -> Exploited:
    """What a strategy is worth on a game in sequence form; what is given is played in its place."""
    profile = fit(form, strategy, how.fill).with_given(given)
    found = evaluate(form, *profile.plans, given=given)
    listed = _worst(profile, how.worst, given) if how.worst else ()
    return Exploited(
        found.value,
        found.gains,
        form.name,
        profile.source,
        form.infosets,
        listed,
        profile.filled,
        solved_locked=Strategy.of(strategy).locks,
    )


def meet_on(
    form: SequenceForm, strategy: StrategyLike, against: StrategyLike, fill: Fill | None, given: GivenSequences = FREE
) -> HeadToHead:
    """What a strategy wins against another on a game in sequence form; what is given is played in their place."""
    one, two = (fit(form, each, fill).with_given(given) for each in (strategy, against))
    first = form.value(one.plans[0], two.plans[1])
    second = 2.0 * form.shift - form.value(two.plans[0], one.plans[1])
    return HeadToHead(form.name, one.source, two.source, first, second)


def losses(
    treeplex: Treeplex, strategy: Floats, gradient: Floats, given: Floats | None = None
) -> tuple[Floats, Integers]:
    """What a strategy gives away at each infoset against a gradient, and the number of a best action.

    With Q[I, a] = g[I, a] + the sum of V[J] over the infosets J that follow (I, a), V[I] = max over a of Q[I, a], and x
    the strategy's own plan:

        loss[I] = x[parent of I] (V[I] - sum over a of sigma[I, a] Q[I, a])

    None is negative and their sum is what a best response wins more: at every infoset that the strategy comes to, it
    compares playing on by the strategy with playing best from there. Where a strategy is given, V[I] is what it wins.
    """
    tree, plan = treeplex.tree, treeplex.plan(strategy)
    total = gradient.copy()
    lost = np.zeros(len(treeplex.infosets))
    best_action = np.zeros(len(treeplex.infosets), dtype=np.int64)
    for start, actions, width, infoset in tree.blocks[::-1]:
        here, columns = slice(infoset, infoset + width), np.arange(width)
        values = total[start : start + actions * width].reshape(actions, width)
        sigma = strategy[start : start + actions * width].reshape(actions, width)
        best = values.argmax(axis=0)
        top = values[best, columns]
        given_away = (sigma * (top - values)).sum(axis=0)
        if given is not None:
            learns = np.isnan(given[start : start + width])
            top, given_away = np.where(learns, top, top - given_away), np.where(learns, given_away, 0.0)
        lost[here] = plan[tree.parent[here]] * given_away
        best_action[here] = best
        np.add.at(total, tree.parent[here], top)
    return lost, best_action


def _worst(profile: Profile, count: int, given: GivenSequences) -> tuple[Loss, ...]:
    """The infosets of both players at which most is given away, the worst first; none where nothing is."""
    form = profile.form
    gradients = form.gradients(*profile.plans)
    names = {(player, number): text for player, number, text in named_infosets(form)}
    found: list[Loss] = []
    for player, (treeplex, sigma) in enumerate(zip(form.treeplexes, profile.strategies, strict=True)):
        lost, best = losses(treeplex, sigma, gradients[player], given[player])
        for number in np.argsort(-lost, kind="stable")[:count]:
            if lost[number] > 0.0:
                actions = [str(action) for action in treeplex.actions[number]]
                chances = dict(zip(actions, sigma[treeplex.of(number)].tolist(), strict=True))
                reach = float(profile.plans[player][treeplex.tree.parent[number]])
                told: Any = {"player": player + 1, "reach": reach, "loss": float(lost[number])}
                told |= {"best": actions[best[number]], "actions": chances}
                found.append(InfosetLoss(infoset=names[player, int(number)], **told))
    return tuple(sorted(found, key=lambda loss: -loss.loss)[:count])
