"""Sampled walks over the rules of a game, in plain Python.

They are the plain twin of the kernels of `zerosum.engine.sampling.history_walk`: the same formulas as recursions, with
the same draws from the same seed (`tests/engine/test_walks_by_rules.py` compares them bit by bit).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from zerosum.engine.sampling.history_walk import EXTERNAL, OUTCOME, SamplingScheme
from zerosum.engine.sampling.rules_table import NO_PARENT, RulesTable
from zerosum.games.game import CHANCE, TERMINAL, Action, Game, State
from zerosum.support.splitmix import GOLDEN, MASK, UNIT, make_mixer

mix = make_mixer(int)
LastSlots = tuple[int, int]
"""The slot of each player's last action."""
WalkGenerator = Generator["WalkGenerator", float, float]
"""The walk below a state: it yields the walks that it depends on, is sent their values, and returns its own value."""
CHECK_INTERVAL = 1 << 12
"""Moves of a history between two checks of its length."""


class UniformDraws:
    """The random generator of `zerosum.engine.sampling.draws`, with the same numbers from the same seed."""

    def __init__(self, state: int) -> None:
        self.state = state

    def __call__(self) -> float:
        self.state = (self.state + GOLDEN) & MASK
        return float(mix(self.state) >> 11) * UNIT


class RulesWalk:
    """Walks for one player at a time. `touched` counts the nodes; `check_history_length` refuses endless histories."""

    def __init__(
        self,
        game: Game,
        table: RulesTable,
        scheme: SamplingScheme,
        draws: UniformDraws,
        check_history_length: Callable[[int], None],
    ) -> None:
        self.game, self.table, self.scheme, self.draws = game, table, scheme, draws
        self.check_history_length = check_history_length
        self.touched = 0
        self.player = 0
        self.instant: dict[int, list[float]] = {}

    def run_walk(self, player: int) -> None:
        """Run one walk for a player."""
        self.player = player
        last_slots = (NO_PARENT, NO_PARENT)
        if self.scheme.kind == EXTERNAL:
            self.run_generators(self.walk_external(self.game.root(), last_slots))
        elif self.scheme.kind == OUTCOME:
            self.run_generators(self.walk_outcome(self.game.root(), last_slots, 1.0))
        else:
            self.instant.clear()
            self.run_generators(self.walk_chance(self.game.root(), last_slots, 1.0, 1.0))
            for slot, regret in self.instant.items():
                self.add_regret(slot, regret)

    def run_generators(self, walk: WalkGenerator) -> None:
        """Run a walk with a stack instead of nested calls, so that histories may have any length."""
        above = [walk]
        value: float | None = None
        while above:
            try:
                above.append(above[-1].send(value))  # type: ignore[arg-type]
                value = None
            except StopIteration as end:
                above.pop()
                value = end.value
            if not len(above) % CHECK_INTERVAL:
                self.check_history_length(len(above))

    def walk_external(self, state: State, last_slots: LastSlots) -> WalkGenerator:
        """External sampling: return the learner's value of a state, with one sampled action of all others."""
        game, table = self.game, self.table
        self.touched += 1
        who = game.player(state)
        if who == TERMINAL:
            return self.get_learner_payoff(state)
        if who == CHANCE:
            return (yield self.walk_external(game.child(state, self.sample_outcome(state)), last_slots))
        actions = game.actions(state)
        count = len(actions)
        slot = table.find_or_add_infoset(who, game.infoset(state), actions, last_slots[who])
        sigma = table.match_regret(slot, count)
        if who == self.player:
            values = []
            for k, a in enumerate(actions):
                values.append(
                    (yield self.walk_external(game.child(state, a), replace_last_slot(last_slots, who, slot + k)))
                )
            mean = compute_expected_value(sigma, values)
            self.add_regret(slot, [value - mean for value in values])
            return mean
        self.add_to_average(slot, sigma, 1.0)
        taken = sample_action(sigma, self.draws())
        return (
            yield self.walk_external(
                game.child(state, actions[taken]), replace_last_slot(last_slots, who, slot + taken)
            )
        )

    def walk_outcome(self, state: State, last_slots: LastSlots, weight: float) -> WalkGenerator:
        """Outcome sampling: return the learner's value of a state along one history; `weight` is 1/xi."""
        game, table, scheme = self.game, self.table, self.scheme
        self.touched += 1
        who = game.player(state)
        if who == TERMINAL:
            return self.get_learner_payoff(state)
        if who == CHANCE:
            return (yield self.walk_outcome(game.child(state, self.sample_outcome(state)), last_slots, weight))
        actions = game.actions(state)
        count = len(actions)
        slot = table.find_or_add_infoset(who, game.infoset(state), actions, last_slots[who])
        sigma = table.match_regret(slot, count)
        is_learner = who == self.player
        if is_learner:
            u = self.draws()
            exploring = u < scheme.explore
            taken = min(int(u / scheme.explore * count), count - 1) if exploring else sample_action(sigma, self.draws())
            sampled = scheme.explore / count + (1.0 - scheme.explore) * sigma[taken]
        else:
            self.add_to_average(slot, sigma, weight)
            taken = sample_action(sigma, self.draws())
            sampled = sigma[taken]
        slots = replace_last_slot(last_slots, who, slot + taken)
        value = yield self.walk_outcome(
            game.child(state, actions[taken]), slots, weight / sampled if is_learner else weight
        )
        sign = 1.0 - 2.0 * self.player
        values = [sign * number for number in table.baseline[slot : slot + count]] if scheme.step > 0 else [0.0] * count
        base = values[taken]
        values[taken] = base + (value - base) / sampled
        if scheme.step > 0:
            table.baseline[slot + taken] += scheme.step * sign * (value - base)
        mean = compute_expected_value(sigma, values)
        if is_learner:
            self.add_regret(slot, [weight * (value - mean) for value in values])
        return mean

    def walk_chance(self, state: State, last_slots: LastSlots, own_reach: float, other_reach: float) -> WalkGenerator:
        """Chance sampling: return the learner's value of a state, reached with these probabilities of the players."""
        game, table = self.game, self.table
        self.touched += 1
        who = game.player(state)
        if who == TERMINAL:
            return self.get_learner_payoff(state)
        if who == CHANCE:
            child = game.child(state, self.sample_outcome(state))
            return (yield self.walk_chance(child, last_slots, own_reach, other_reach))
        actions = game.actions(state)
        slot = table.find_or_add_infoset(who, game.infoset(state), actions, last_slots[who])
        sigma = table.match_regret(slot, len(actions))
        children = [
            (game.child(state, action), replace_last_slot(last_slots, who, slot + k), sigma[k])
            for k, action in enumerate(actions)
        ]
        if who != self.player:
            values = []
            for child, slots, s in children:
                values.append((yield self.walk_chance(child, slots, own_reach, other_reach * s)))
            return compute_expected_value(sigma, values)
        instant = self.instant.setdefault(slot, [0.0] * len(actions))
        self.add_to_average(slot, sigma, own_reach)
        values = []
        for child, slots, s in children:
            values.append((yield self.walk_chance(child, slots, own_reach * s, other_reach)))
        mean = compute_expected_value(sigma, values)
        for action, value in enumerate(values):
            instant[action] += other_reach * (value - mean)
        return mean

    def get_learner_payoff(self, state: State) -> float:
        """Return the learner's payoff at an end, less half of the sum of both payoffs."""
        payoff = self.game.payoff(state)
        if isinstance(payoff, tuple):
            payoff = payoff[0] - (payoff[0] + payoff[1]) / 2
        return -payoff if self.player else payoff

    def sample_outcome(self, state: State) -> Action:
        """Sample an outcome of chance."""
        chances = [(outcome, probability) for outcome, probability in self.game.chances(state) if probability > 0.0]
        u, total = self.draws(), 0.0
        if all(probability == chances[0][1] for _, probability in chances):
            return chances[min(int(u * len(chances)), len(chances) - 1)][0]
        for outcome, probability in chances:
            total += probability
            if u < total:
                return outcome
        return chances[-1][0]

    def add_regret(self, slot: int, regret: list[float]) -> None:
        """Add to the regret of an infoset: R += r, or max(0, R + r) with a floor."""
        table = self.table.regret
        for index, r in enumerate(regret, start=slot):
            total = table[index] + r
            table[index] = 0.0 if self.scheme.floor and total < 0.0 else total

    def add_to_average(self, slot: int, sigma: list[float], weight: float) -> None:
        """Add weight * sigma to the average."""
        table = self.table.average
        for index, probability in enumerate(sigma, start=slot):
            table[index] += weight * probability


def replace_last_slot(last_slots: LastSlots, player: int, slot: int) -> LastSlots:
    """Return the last slots after one more action."""
    return (last_slots[0], slot) if player else (slot, last_slots[1])


def compute_expected_value(sigma: Sequence[float], values: Sequence[float]) -> float:
    """Return sum_a sigma[a] u[a], added from the first action to the last."""
    total = 0.0
    for probability, value in zip(sigma, values, strict=True):
        total += probability * value
    return total


def sample_action(sigma: Sequence[float], u: float) -> int:
    """Return the action that u in [0, 1) falls on; never one of probability zero."""
    total, last = 0.0, 0
    for action, probability in enumerate(sigma):
        if probability > 0.0:
            total += probability
            last = action
            if u < total:
                break
    return last
