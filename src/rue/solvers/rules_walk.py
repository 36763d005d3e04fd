"""Sampled walks over the rules of a game, without an enumeration: the formulas of `sampled_walk`, draw by draw."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from rue.algorithms.splitmix import GOLDEN, MASK, UNIT, mixer
from rue.games.game import CHANCE, NOBODY, Action, Game, State
from rue.solvers.rules_table import NOTHING_YET, RulesTable
from rue.solvers.sampled_space import EXTERNAL, OUTCOME, Way

mix = mixer(int)
Before = tuple[int, int]
"""The slot of each player's last action."""
Below = Generator["Below", float, float]
"""A walk below a state: it gives the walks that it needs first, is sent what each brings, and returns its own."""
LOOK_EVERY = 1 << 12
"""Moves of a history between two looks at how long it is."""


class Draws:
    """The generator of `rue.solvers.draws`, in Python: the same seed draws the same numbers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def __call__(self) -> float:
        self.state = (self.state + GOLDEN) & MASK
        return float(mix(self.state) >> 11) * UNIT


class RulesWalk:
    """Walks for one player at a time; `touched` counts the nodes. `check_moves` is told how long a long history is."""

    def __init__(
        self, game: Game, table: RulesTable, way: Way, draws: Draws, check_moves: Callable[[int], None]
    ) -> None:
        self.game, self.table, self.way, self.draws = game, table, way, draws
        self.check_moves = check_moves
        self.touched = 0
        self.player = 0
        self.instant: dict[int, list[float]] = {}

    def walk(self, player: int) -> None:
        """One walk for a player."""
        self.player = player
        before = (NOTHING_YET, NOTHING_YET)
        if self.way.kind == EXTERNAL:
            self.follow(self.external(self.game.root(), before))
        elif self.way.kind == OUTCOME:
            self.follow(self.outcome(self.game.root(), before, 1.0))
        else:
            self.instant.clear()
            self.follow(self.over_chance(self.game.root(), before, 1.0, 1.0))
            for slot, regret in self.instant.items():
                self.learn(slot, regret)

    def follow(self, walk: Below) -> None:
        """Walk without calls inside calls, however long a history is."""
        above = [walk]
        value: float | None = None
        while above:
            try:
                above.append(above[-1].send(value))  # type: ignore[arg-type]
                value = None
            except StopIteration as end:
                above.pop()
                value = end.value
            if not len(above) % LOOK_EVERY:
                self.check_moves(len(above))

    def external(self, state: State, before: Before) -> Below:
        """Below a state, with one action of the others sampled: what the learner gets."""
        game, table = self.game, self.table
        self.touched += 1
        who = game.player(state)
        if who == NOBODY:
            return self.paid(state)
        if who == CHANCE:
            return (yield self.external(game.child(state, self.dealt(state)), before))
        actions = game.actions(state)
        count = len(actions)
        slot = table.slot(who, game.infoset(state), actions, before[who])
        sigma = table.match(slot, count)
        if who == self.player:
            values = []
            for k, a in enumerate(actions):
                values.append((yield self.external(game.child(state, a), after(before, who, slot + k))))
            mean = dot(sigma, values)
            self.learn(slot, [value - mean for value in values])
            return mean
        self.add(slot, sigma, 1.0)
        taken = pick(sigma, self.draws())
        return (yield self.external(game.child(state, actions[taken]), after(before, who, slot + taken)))

    def outcome(self, state: State, before: Before, weight: float) -> Below:
        """Below a state, along one history; `weight` is 1/xi."""
        game, table, way = self.game, self.table, self.way
        self.touched += 1
        who = game.player(state)
        if who == NOBODY:
            return self.paid(state)
        if who == CHANCE:
            return (yield self.outcome(game.child(state, self.dealt(state)), before, weight))
        actions = game.actions(state)
        count = len(actions)
        slot = table.slot(who, game.infoset(state), actions, before[who])
        sigma = table.match(slot, count)
        own = who == self.player
        if own:
            u = self.draws()
            exploring = u < way.explore
            taken = min(int(u / way.explore * count), count - 1) if exploring else pick(sigma, self.draws())
            sampled = way.explore / count + (1.0 - way.explore) * sigma[taken]
        else:
            self.add(slot, sigma, weight)
            taken = pick(sigma, self.draws())
            sampled = sigma[taken]
        below = after(before, who, slot + taken)
        value = yield self.outcome(game.child(state, actions[taken]), below, weight / sampled if own else weight)
        sign = 1.0 - 2.0 * self.player
        values = [sign * number for number in table.baseline[slot : slot + count]] if way.step > 0 else [0.0] * count
        base = values[taken]
        values[taken] = base + (value - base) / sampled
        if way.step > 0:
            table.baseline[slot + taken] += way.step * sign * (value - base)
        mean = dot(sigma, values)
        if own:
            self.learn(slot, [weight * (value - mean) for value in values])
        return mean

    def over_chance(self, state: State, before: Before, own: float, other: float) -> Below:
        """Below a state, every action of both players, reached by the learner with `own` and the opponent `other`."""
        game, table = self.game, self.table
        self.touched += 1
        who = game.player(state)
        if who == NOBODY:
            return self.paid(state)
        if who == CHANCE:
            return (yield self.over_chance(game.child(state, self.dealt(state)), before, own, other))
        actions = game.actions(state)
        slot = table.slot(who, game.infoset(state), actions, before[who])
        sigma = table.match(slot, len(actions))
        children = [(game.child(state, a), after(before, who, slot + k), sigma[k]) for k, a in enumerate(actions)]
        if who != self.player:
            values = []
            for child, below, s in children:
                values.append((yield self.over_chance(child, below, own, other * s)))
            return dot(sigma, values)
        instant = self.instant.setdefault(slot, [0.0] * len(actions))
        self.add(slot, sigma, own)
        values = []
        for child, below, s in children:
            values.append((yield self.over_chance(child, below, own * s, other)))
        mean = dot(sigma, values)
        for action, value in enumerate(values):
            instant[action] += other * (value - mean)
        return mean

    def paid(self, state: State) -> float:
        """What the learner gets at an end, less half of what the players get together."""
        payoff = self.game.payoff(state)
        if isinstance(payoff, tuple):
            payoff = payoff[0] - (payoff[0] + payoff[1]) / 2
        return -payoff if self.player else payoff

    def dealt(self, state: State) -> Action:
        """A sampled outcome of chance."""
        chances = [(outcome, probability) for outcome, probability in self.game.chances(state) if probability > 0.0]
        u, total = self.draws(), 0.0
        if all(probability == chances[0][1] for _, probability in chances):
            return chances[min(int(u * len(chances)), len(chances) - 1)][0]
        for outcome, probability in chances:
            total += probability
            if u < total:
                return outcome
        return chances[-1][0]

    def learn(self, slot: int, regret: list[float]) -> None:
        """R += r, or max(0, R + r)."""
        table = self.table.regret
        for place, r in enumerate(regret, start=slot):
            total = table[place] + r
            table[place] = 0.0 if self.way.floor and total < 0.0 else total

    def add(self, slot: int, sigma: list[float], weight: float) -> None:
        """The average += weight * sigma."""
        table = self.table.average
        for place, probability in enumerate(sigma, start=slot):
            table[place] += weight * probability


def after(before: Before, player: int, slot: int) -> Before:
    """The last actions after one more."""
    return (before[0], slot) if player else (slot, before[1])


def dot(sigma: Sequence[float], values: Sequence[float]) -> float:
    """sum_a sigma[a] u[a], from the first action to the last."""
    total = 0.0
    for probability, value in zip(sigma, values, strict=True):
        total += probability * value
    return total


def pick(sigma: Sequence[float], u: float) -> int:
    """The action that u in [0, 1) falls on; never one of probability zero."""
    total, last = 0.0, 0
    for action, probability in enumerate(sigma):
        if probability > 0.0:
            total += probability
            last = action
            if u < total:
                break
    return last
