"""What strategies are worth: against a best response, and against each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Integers, Treeplex
from rue.games.game import Game
from rue.solvers.evaluate import Judged, evaluate
from rue.solvers.run import compiled
from rue.strategies.fit import Fill, Profile, check_fill, fit
from rue.strategies.names import named_infosets
from rue.strategies.strategy import Given, Strategy

WORST = 10
"""Infosets that are listed unless another number is asked for."""


@dataclass(frozen=True)
class Loss:
    """What a player gives away at one infoset against the other player's strategy; see `losses`."""

    player: int
    infoset: str
    reach: float
    """How likely the player's own actions lead there."""
    loss: float
    best: str
    """The action of a best response."""
    actions: dict[str, float]
    """What the strategy does instead."""


@dataclass(frozen=True)
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
    filled: int
    worst: tuple[Loss, ...] = ()

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

    @property
    def mean(self) -> float:
        """The mean over both seats."""
        return (self.first + self.second) / 2

    def summary(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {**asdict(self), "mean": self.mean}


def exploit(
    game: str | Game | SequenceForm,
    strategy: Given,
    *,
    fill: Fill | None = None,
    refine: bool = False,
    worst: int = WORST,
) -> Exploited:
    """The value of a strategy, what best responses win against it, and the infosets at which most is given away.

    strategy: a file, a result or a mapping; see `rue.read_strategy`. fill: `"uniform"` completes a strategy that says
    nothing about some infosets, which is refused otherwise. refine: as in `rue.solve`. worst: how many infosets.

    >>> import rue
    >>> pure = {"row": {"rock": 1.0}, "column": {"rock": 0.5, "paper": 0.5}}
    >>> found = rue.exploit("rps", pure)
    >>> found.value, found.gains, found.exploitability
    (-0.5, (1.0, 0.5), 0.75)
    >>> found.worst[0].infoset, found.worst[0].best, found.worst[0].loss
    ('row', 'paper', 1.0)
    """
    check_fill(fill)
    written = Strategy.of(strategy)
    return exploit_form(compiled(game, refine), written, fill, worst)


def exploit_form(form: SequenceForm, strategy: Given, fill: Fill | None = None, worst: int = WORST) -> Exploited:
    """`exploit` on a game that is compiled."""
    check_worst(worst)
    profile = fit(form, strategy, fill)
    found = evaluate(form, *profile.plans)
    listed = _worst(profile, worst) if worst else ()
    return Exploited(found.value, found.gains, form.name, profile.source, form.infosets, profile.filled, listed)


def check_worst(worst: int) -> None:
    """Refuse a number of infosets that is none."""
    if isinstance(worst, bool) or not isinstance(worst, int) or worst < 0:
        raise RueError(f"worst must be a whole number of at least 0, not {worst}")


def head_to_head(
    game: str | Game | SequenceForm, strategy: Given, against: Given, *, fill: Fill | None = None, refine: bool = False
) -> HeadToHead:
    """What a strategy wins against another in each seat.

    >>> import rue
    >>> good, poor = rue.solve("leduc", iterations=1000), rue.solve("leduc", iterations=5)
    >>> rue.head_to_head("leduc", good, poor).mean > 0
    True
    """
    check_fill(fill)
    written = Strategy.of(strategy), Strategy.of(against)
    return head_to_head_form(compiled(game, refine), *written, fill)


def head_to_head_form(form: SequenceForm, strategy: Given, against: Given, fill: Fill | None = None) -> HeadToHead:
    """`head_to_head` on a game that is compiled."""
    one, two = fit(form, strategy, fill), fit(form, against, fill)
    first = form.value(one.plans[0], two.plans[1])
    second = 2.0 * form.shift - form.value(two.plans[0], one.plans[1])
    return HeadToHead(form.name, one.source, two.source, first, second)


def losses(treeplex: Treeplex, strategy: Floats, gradient: Floats) -> tuple[Floats, Integers]:
    """What a strategy gives away at each infoset against a gradient, and the number of a best action.

    With Q[I, a] = g[I, a] + the sum of V[J] over the infosets J that follow (I, a), V[I] = max over a of Q[I, a], and x
    the strategy's own plan:

        loss[I] = x[parent of I] (V[I] - sum over a of sigma[I, a] Q[I, a])

    None is negative and their sum is what a best response wins more: at every infoset that the strategy comes to, it
    compares playing on by the strategy with playing best from there.
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
        lost[here] = plan[tree.parent[here]] * (sigma * (top - values)).sum(axis=0)
        best_action[here] = best
        np.add.at(total, tree.parent[here], top)
    return lost, best_action


def _worst(profile: Profile, count: int) -> tuple[Loss, ...]:
    """The infosets of both players at which most is given away, the worst first; none where nothing is."""
    form = profile.form
    gradients = form.gradients(*profile.plans)
    names = {(player, number): text for player, number, text in named_infosets(form)}
    found: list[tuple[float, int, int, int]] = []
    for player, (treeplex, sigma) in enumerate(zip(form.treeplexes, profile.strategies, strict=True)):
        lost, best = losses(treeplex, sigma, gradients[player])
        for number in np.argsort(-lost, kind="stable")[:count]:
            if lost[number] > 0.0:
                found.append((float(lost[number]), player, int(number), int(best[number])))
    found.sort(key=lambda each: -each[0])
    return tuple(
        _loss(profile, names[player, number], *each) for each in found[:count] for _, player, number, _ in [each]
    )


def _loss(profile: Profile, name: str, lost: float, player: int, number: int, best: int) -> Loss:
    treeplex = profile.form.treeplexes[player]
    chances = profile.strategies[player][treeplex.of(number)].tolist()
    actions = [str(action) for action in treeplex.actions[number]]
    reach = float(profile.plans[player][treeplex.tree.parent[number]])
    return Loss(player + 1, name, reach, lost, actions[best], dict(zip(actions, chances, strict=True)))
