"""CFR and its variants, written for a reader: the plain twin of `zerosum.engine.sequence.walk`.

Nothing is imported from the package. A game is unfolded into its histories, numbers stand in dictionaries keyed by
infoset or by sequence (infoset, action), and every formula is the paper's, with its equation number:

    dcfr   Brown & Sandholm, Solving Imperfect-Information Games via Discounted Regret Minimization
    spcfr  Farina et al., Stable-Predictive Optimistic Counterfactual Regret Minimization
    ecfr   Li et al., Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization
    icfr   Efficient CFR with Instant Updates
    trm    Temperature Regret Matching
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

CHANCE, TERMINAL = 2, 3
"""What a game's `player` returns besides 0 and 1."""
START = None
"""The empty sequence, before a player's first action."""
INFINITE = math.inf
Schedule = float | tuple[float, float] | Callable[[int], float]
"""A number, a straight line from the first value to the last over the run, or a function of t."""
Strategy = dict[Hashable, dict[Any, float]]
"""The probability of each action of each infoset."""
Vectors = dict[Hashable, np.ndarray]
"""A number for each action of each infoset."""


@dataclass(frozen=True)
class Rules:
    """The choices that make an algorithm; the defaults are those of CFR."""

    alpha: Schedule = INFINITE
    beta: Schedule = INFINITE
    floor: bool = False
    immediate: bool = False
    """Discount the regret of the iteration instead of the accumulated one."""
    b: tuple[float, int, int] | None = None
    """ecfr's b = factor * t^power * r^power; with it, the exponential rule replaces discounts and matching."""
    scale: float = 1.0
    """What ecfr multiplies payoffs by."""
    match: str = "regret matching"
    exponent: Schedule = 1.0
    steps: str = ""
    """For softmax and projection: anytime, fixed or theory."""
    eta: float = 0.0
    kappa: float | None = None
    factor: float = 1.0
    chips: bool = False
    """Steps of theory for losses in chips per own hand, instead of losses scaled to at most 1/3."""
    prediction: str = "none"
    prediction_discounted: bool = False
    both_plans: bool = False
    instant: bool = False
    simultaneous: bool = False
    first: int = 1
    gamma: Schedule = 0.0
    skip: float = 0
    weight: Callable[[int], float] | None = None
    """The weight of iteration t in the average, in place of gamma and skip."""
    custom: Callable[..., None] | None = None
    """A user-defined rule, called as it is written with one infoset at a time."""
    memory: int = 0
    """The numbers for each action that a user-defined rule keeps."""


def drawn_exponent(mean: float, seed: int) -> Callable[[int], float]:
    """A number from (0, 2 mean) for each iteration: SplitMix64 (Steele, Lea & Flood 2014) at state t + 2^32 seed."""

    def draw(t: int) -> float:
        z = (t + (seed << 32)) * 0x9E3779B97F4A7C15 % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        z ^= z >> 31
        return 2 * mean * ((z >> 11) + 0.5) / 2**53

    return draw


CFR = Rules()
CFR_PLUS = Rules(floor=True, gamma=2)
LCFR = Rules(alpha=1, beta=1, gamma=1)
DCFR = Rules(alpha=1.5, beta=0, gamma=2)
DCFR_PLUS = Rules(alpha=1.5, beta=-INFINITE, floor=True, gamma=2)
ECFR = Rules(b=(-1.0, 0, 2))
FTRL = Rules(match="softmax", steps="theory")
OFTRL = replace(FTRL, prediction="propagated")
PCFR_PLUS = replace(CFR_PLUS, prediction="propagated", prediction_discounted=True)
PDCFR_PLUS = replace(PCFR_PLUS, alpha=2.3, beta=-INFINITE, gamma=5)
TEMPERATURE = (1.005, 0.995)
ALGORITHMS = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "lcfr": LCFR,
    "lcfr+": replace(LCFR, floor=True),
    "dcfr": DCFR,
    "icfr": replace(CFR, instant=True),
    "icfr+": replace(CFR_PLUS, gamma=1, instant=True),
    "idcfr": replace(DCFR, instant=True),
    "dcfr+": DCFR_PLUS,
    "idcfr+": replace(DCFR_PLUS, instant=True),
    "hybrid-cfr+": Rules(floor=True, simultaneous=True, skip=0.5),
    "ecfr": ECFR,
    "hedge": Rules(match="softmax", steps="anytime"),
    "ftrl": FTRL,
    "oftrl": OFTRL,
    "pcfr+": PCFR_PLUS,
    "pdcfr+": PDCFR_PLUS,
    "hs-dcfr": Rules(alpha=(1, 4), beta=(-1, -3), gamma=(30, 25)),
    "hs-pcfr+": replace(PCFR_PLUS, gamma=(30, 25)),
    "dcfr(1.5, 0.5, 2)": replace(DCFR, beta=0.5),
    "dcfr(1.5, -inf, 2)": replace(DCFR, beta=-INFINITE),
    "dcfr(immediate=true)": replace(DCFR, immediate=True),
    "cfr+(average=1)": replace(CFR_PLUS, gamma=1),
    "cfr(order=simultaneous)": replace(CFR, simultaneous=True),
    "dcfr(order=simultaneous)": replace(DCFR, simultaneous=True),
    "cfr(first=2)": replace(CFR, first=2),
    "pdcfr+(first=2)": replace(PDCFR_PLUS, first=2),
    "rtrm-lcfr(first=2)": replace(LCFR, exponent=TEMPERATURE, both_plans=True, first=2),
    "ecfr(first=2)": replace(ECFR, first=2),
    "nh-cfr": replace(CFR, match="normal hedge"),
    "nh-dcfr": replace(DCFR, match="normal hedge"),
    "nh-lcfr": replace(LCFR, match="normal hedge"),
    "optimistic-cfr": replace(CFR, prediction="last"),
    "optimistic-lcfr": replace(LCFR, prediction="last"),
    "optimistic-dcfr": replace(DCFR, prediction="last"),
    "optimistic-nh-dcfr": replace(DCFR, match="normal hedge", prediction="last"),
    "trm-cfr(0.5)": replace(CFR, exponent=0.5),
    "trm-cfr+(2)": replace(CFR_PLUS, exponent=2),
    "trm-lcfr(1.005, 0.995)": replace(LCFR, exponent=TEMPERATURE),
    "trm-cfr(random=1, seed=3)": replace(CFR, exponent=drawn_exponent(1, seed=3)),
    "rtrm-cfr": replace(CFR, exponent=TEMPERATURE, both_plans=True),
    "rtrm-cfr+": replace(CFR_PLUS, exponent=TEMPERATURE, both_plans=True),
    "rtrm-lcfr": replace(LCFR, exponent=TEMPERATURE, both_plans=True),
    "ecfr(-0.0001)": replace(ECFR, b=(-0.0001, 0, 0)),
    "ecfr(b=r^3)": replace(ECFR, b=(1, 0, 3)),
    "ecfr(b=1/t, scale=0.5)": replace(ECFR, b=(1, -1, 0), scale=0.5),
    "hedge(0.5)": Rules(match="softmax", steps="fixed", eta=0.5),
    "oftrl(tuned, factor=100)": replace(OFTRL, factor=100),
    "oftrl(theory, regulariser=euclidean)": replace(OFTRL, match="projection"),
    "oftrl(fixed, eta=0.3)": replace(OFTRL, steps="fixed", eta=0.3),
    "oftrl(fixed, eta=0.3, regulariser=euclidean, prediction=last)": replace(
        OFTRL, match="projection", steps="fixed", eta=0.3, prediction="last"
    ),
    "oftrl(theory, order=simultaneous)": replace(OFTRL, simultaneous=True),
    "oftrl(theory, losses=chips, kappa=1)": replace(OFTRL, chips=True, kappa=1),
    "ftrl(fixed, eta=0.3)": replace(FTRL, steps="fixed", eta=0.3),
    "idcfr+(skip=0.5)": replace(DCFR_PLUS, instant=True, skip=0.5),
    "icfr+(skip=7)": replace(CFR_PLUS, gamma=1, instant=True, skip=7),
    "pcfr+(prediction=last)": replace(PCFR_PLUS, prediction="last"),
    "pdcfr+(prediction=last)": replace(PDCFR_PLUS, prediction="last"),
    "pcfr+(order=simultaneous)": replace(PCFR_PLUS, simultaneous=True),
}
"""The choices behind names of the catalogue, as the papers define them."""


def value_at(schedule: Schedule, t: int, n: int) -> float:
    """The value of a schedule at iteration t of a run of n."""
    if isinstance(schedule, tuple):
        first, last = schedule
        return first + (last - first) * t / n
    return schedule(t) if callable(schedule) else float(schedule)


def average_weights(rules: Rules, last: int, n: int) -> list[float]:
    """The weights of iterations 1 to `last` in the average.

    After iteration s the accumulated average is multiplied by (s/(s+1))^gamma (dcfr, Regret Discounting), so that a
    constant gamma gives iteration t the weight t^gamma. Until the skipped iterations are over (icfr, section 4.1), and
    where every weight is zero, all iterations count.
    """
    iterations = range(1, last + 1)
    if rules.weight is not None:
        weights = [float(rules.weight(t)) for t in iterations]
        return weights if any(weights) else [1.0] * last
    weights = [math.prod((s / (s + 1)) ** value_at(rules.gamma, s, n) for s in range(t, last)) for t in iterations]
    skipped = min(round(rules.skip * n), n - 1) if rules.skip < 1 else int(rules.skip)
    return weights if last <= skipped else [0.0] * skipped + weights[skipped:]


@dataclass
class Node:
    """One history of a game, with everything below it."""

    player: int
    infoset: Hashable = None
    actions: tuple[Any, ...] = ()
    probabilities: list[float] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    payoff: float = 0.0


def unfold(game: Any, state: Any) -> Node:
    """The tree of histories from a state on."""
    node = Node(game.player(state))
    if node.player == TERMINAL:
        node.payoff = float(game.payoff(state))
    elif node.player == CHANCE:
        node.actions, node.probabilities = map(list, zip(*game.chances(state), strict=True))
    else:
        node.infoset, node.actions = game.infoset(state), tuple(game.actions(state))
    node.children = [unfold(game, game.child(state, action)) for action in node.actions]
    return node


def largest_payoff(node: Node) -> float:
    """The largest absolute payoff at an end below a history."""
    return max(map(largest_payoff, node.children)) if node.children else abs(node.payoff)


def gradient(node: Node, player: int, opponent_plan: dict[Any, float]) -> dict[Any, float]:
    """g of a player: for each own sequence, the sum of chance * opponent's reach * payoff over the ends it leads to."""
    g: dict[Any, float] = {}

    def visit(node: Node, reach: float, own_sequence: Any, opponent: Any) -> None:
        if node.player == TERMINAL:
            payoff = node.payoff if player == 0 else -node.payoff
            g[own_sequence] = g.get(own_sequence, 0.0) + reach * opponent_plan[opponent] * payoff
        for k, child in enumerate(node.children):
            sequence = (node.infoset, node.actions[k])
            if node.player == CHANCE:
                visit(child, reach * node.probabilities[k], own_sequence, opponent)
            elif node.player == player:
                visit(child, reach, sequence, opponent)
            else:
                visit(child, reach, own_sequence, sequence)

    visit(node, 1.0, START, START)
    return g


class Decision:
    """One infoset: how its strategy follows from its regrets. `step` is its step size, but for what changes with t."""

    def __init__(self, rules: Rules, n: int, actions: int, step: float = 1.0) -> None:
        self.rules, self.n, self.step = rules, n, step
        self.regret = np.zeros(actions)
        self.sigma = uniform(actions)
        self.memory = np.zeros((rules.memory * actions, 1))

    def update(self, r: np.ndarray, predicted: np.ndarray | None, t: int) -> np.ndarray:
        """Learn from the instantaneous regret r of iteration t; return the weights of the actions in the average."""
        rules, R, weight = self.rules, self.regret, np.ones(len(r))
        if rules.custom is not None:
            rules.custom(float(t), r[:, None], self.regret[:, None], self.sigma[:, None], self.memory)
            return weight
        if rules.b is not None:
            factor, t_power, r_power = rules.b
            r = rules.scale * r
            weight = np.exp(r - r.mean())  # e^L1, ecfr eq. 7
            R = R + weight * np.where(r > 0, r, factor * float(t) ** t_power * r**r_power)  # ecfr eq. 8
        elif rules.immediate:
            R = R + self.discount(r, t)  # ecfr section 3.4, its reading of DCFR
        else:
            R = self.discount(R, t - 1) + r  # the papers discount after iteration t - 1
        self.regret = R = np.maximum(R, 0) if rules.floor else R
        score = R
        if predicted is not None:
            score = (self.discount(R, t) if rules.prediction_discounted else R) + predicted
        self.sigma = self.match(score, weight, t)
        return weight

    def discount(self, R: np.ndarray, t: int) -> np.ndarray:
        """t^alpha / (t^alpha + 1) R where R > 0, with beta elsewhere (dcfr, Regret Discounting)."""
        if t == 0:
            return R

        def factor(schedule: Schedule) -> float:
            exponent = value_at(schedule, t, self.n)
            if math.isinf(exponent):
                return 1.0 if exponent > 0 else 0.0
            return t**exponent / (t**exponent + 1)

        return np.where(R > 0, factor(self.rules.alpha) * R, factor(self.rules.beta) * R)

    def match(self, score: np.ndarray, weight: np.ndarray, t: int) -> np.ndarray:
        """Return the strategy of a score: accumulated regret, with a prediction if there is one."""
        rules = self.rules
        if rules.match in ("softmax", "projection"):
            over_time = {"anytime": 1 / math.sqrt(t), "fixed": rules.eta, "theory": 1.0}[rules.steps]
            eta = self.step * over_time
            if rules.match == "projection":
                return project_on_simplex(eta * score)
            power = np.exp(eta * (score - score.max()))
            return power / power.sum()
        positive = np.maximum(score, 0)
        if positive.sum() <= 0:
            return uniform(len(score))
        z = positive / positive.max()
        if rules.match == "normal hedge":  # dcfr: the mean of exp(R+^2 / 2c) is e
            c = brentq(lambda c: np.log(np.mean(np.exp(z**2 / (2 * c)))) - 1, 1e-3, 10.0, xtol=1e-15)
            share = z / c * np.exp(z**2 / (2 * c))
        elif rules.b is not None:
            share = weight * positive  # ecfr eq. 9
        else:
            share = z ** value_at(rules.exponent, t, self.n)  # trm eq. 10; exponent 1: regret matching
        return share / share.sum()


class Player:
    """One player: which infosets follow each own sequence, how each of them learns, and what was played so far."""

    def __init__(self, root: Node, player: int, rules: Rules, n: int) -> None:
        self.player, self.rules, self.n = player, rules, n
        self.actions: dict[Hashable, tuple[Any, ...]] = {}
        self.following: dict[Any, list[Hashable]] = {}
        self.reach_bound: dict[Hashable, float] = {}
        self.payoff_bound: dict[Hashable, float] = {}
        self._collect(root, 1.0, START)
        self._bound_reach(START, 1.0)
        steps = self.step_sizes()
        self.decisions = {
            infoset: Decision(rules, n, len(actions), steps[infoset]) for infoset, actions in self.actions.items()
        }
        self.played: list[Vectors] = []
        """What each iteration adds to the average, but for its weight."""
        self.last_gradient: dict[Any, float] | None = None

    def _collect(self, node: Node, chance: float, own_sequence: Any) -> None:
        """Enter the infosets below a history, the chance to be dealt each, and the largest payoff below it."""
        if node.player == self.player:
            infoset = node.infoset
            if infoset not in self.actions:
                self.actions[infoset] = node.actions
                self.following.setdefault(own_sequence, []).append(infoset)
            self.reach_bound[infoset] = self.reach_bound.get(infoset, 0.0) + chance
            self.payoff_bound[infoset] = max(self.payoff_bound.get(infoset, 0.0), largest_payoff(node))
        for k, child in enumerate(node.children):
            probability = node.probabilities[k] if node.player == CHANCE else 1.0
            sequence = (node.infoset, node.actions[k]) if node.player == self.player else own_sequence
            self._collect(child, chance * probability, sequence)

    def _bound_reach(self, sequence: Any, bound: float) -> None:
        """Bound C[I] by the chance of its histories, and by C of the player's infoset before it."""
        for infoset in self.following.get(sequence, []):
            self.reach_bound[infoset] = min(self.reach_bound[infoset], bound)
            for action in self.actions[infoset]:
                self._bound_reach((infoset, action), self.reach_bound[infoset])

    def step_sizes(self) -> dict[Hashable, float]:
        """Return the step size of every infoset, without the factor that changes with t.

        spcfr (section 5.1) takes eta = kappa_j for losses of a dual norm of at most 1/3. A counterfactual value is at
        most C[I] M[I], with M[I] the largest payoff below; in the dual of the Euclidean norm, sqrt(A) times that.
        Hedge without a horizon: sqrt(8 log A / t) for losses between 0 and 1, here between -C M and C M.
        """
        rules, steps = self.rules, dict.fromkeys(self.actions, 1.0)
        if rules.steps == "theory":
            steps = self.stability(self.n**-0.25 if rules.kappa is None else rules.kappa)
        for infoset, actions in self.actions.items():
            chance, bound = self.reach_bound[infoset], self.reach_bound[infoset] * self.payoff_bound[infoset]
            if rules.steps == "anytime":
                steps[infoset] = math.sqrt(8 * math.log(len(actions))) / (2 * (bound or 1.0))
            elif rules.steps == "theory" and rules.chips:
                steps[infoset] *= rules.factor / (chance or 1.0)
            elif rules.steps == "theory":
                norm = math.sqrt(len(actions)) if rules.match == "projection" else 1.0
                steps[infoset] *= rules.factor / (3 * norm * (bound or 1.0))
        return steps

    def stability(self, kappa: float) -> dict[Hashable, float]:
        """kappa_j of every infoset j (spcfr eq. 14 to 16); a sequence is an observation node."""
        squared_norms: dict[Any, float] = {}
        stabilities: dict[Hashable, float] = {}

        def observation_norm(sequence: Any) -> float:
            """B_k^2 = the sum of B_j^2 over the decisions that follow (eq. 16)."""
            return sum(decision_norm(infoset) for infoset in self.following.get(sequence, []))

        def decision_norm(infoset: Hashable) -> float:
            """B_j^2 = 1 + the largest B_k^2 below (eq. 16)."""
            if infoset not in squared_norms:
                below = [observation_norm((infoset, action)) for action in self.actions[infoset]]
                squared_norms[infoset] = 1 + max(below)
            return squared_norms[infoset]

        def descend(sequence: Any, gamma: float) -> None:
            following = self.following.get(sequence, [])
            for infoset in following:
                gamma_j = gamma / math.sqrt(len(following))  # eq. 14, below an observation node
                n_j = len(self.actions[infoset])
                stabilities[infoset] = gamma_j / (2 * math.sqrt(n_j) * math.sqrt(decision_norm(infoset)))  # eq. 15
                for action in self.actions[infoset]:
                    descend((infoset, action), gamma_j / (2 * math.sqrt(n_j)))  # eq. 14, below a decision node

        descend(START, kappa)
        return stabilities

    def plan(self) -> dict[Any, float]:
        """x[I, a] = x[parent sequence of I] * sigma[I, a]."""
        plan = {START: 1.0}

        def descend(sequence: Any) -> None:
            for infoset in self.following.get(sequence, []):
                for probability, action in zip(self.decisions[infoset].sigma, self.actions[infoset], strict=True):
                    plan[infoset, action] = plan[sequence] * probability
                    descend((infoset, action))

        descend(START)
        return plan

    def update(self, g: dict[Any, float], t: int) -> None:
        """This player's share of iteration t, against the gradient g."""
        rules = self.rules
        if rules.both_plans:
            previous, self.last_gradient = self.last_gradient, g
            g = g if previous is None else {s: g[s] + previous[s] for s in g}  # trm eq. 20
        plan = self.plan()
        weights: Vectors = {}

        def ascend(sequence: Any) -> tuple[float, float]:
            """The sum of the values that follow a sequence: those to pass up, and those of the new strategies."""
            value = prediction = 0.0
            for infoset in self.following.get(sequence, []):
                sequences = [(infoset, action) for action in self.actions[infoset]]
                gains = np.array([g.get(s, 0.0) for s in sequences])
                below = np.array([ascend(s) for s in sequences])
                q, m = gains + below[:, 0], gains + below[:, 1]  # m: spcfr eq. 17
                decision = self.decisions[infoset]
                sigma = decision.sigma.copy()
                r = q - sigma @ q
                predicted = {"none": None, "last": r, "propagated": m - sigma @ m}[rules.prediction]
                weights[infoset] = decision.update(r, predicted, t)
                value += (decision.sigma if rules.instant else sigma) @ q  # icfr eq. 5
                prediction += decision.sigma @ m
            return value, prediction

        ascend(START)
        self.played.append(
            {
                infoset: weights[infoset] * np.array([plan[infoset, action] for action in actions])
                for infoset, actions in self.actions.items()
            }
        )

    def average(self) -> Strategy[Hashable, dict[Any, float]]:
        """The average strategy: weighted sums of plans, normalized at each infoset; uniform where they are zero."""
        weights = average_weights(self.rules, len(self.played), self.n)
        sigma = {}
        for infoset, actions in self.actions.items():
            mass = sum(w * played[infoset] for w, played in zip(weights, self.played, strict=True))
            share = mass / mass.sum() if mass.sum() > 0 else uniform(len(actions))
            sigma[infoset] = dict(zip(actions, share.tolist(), strict=True))
        return sigma


def uniform(actions: int) -> np.ndarray:
    """The same probability for each of a number of actions."""
    return np.full(actions, 1 / actions)


def project_on_simplex(point: np.ndarray) -> np.ndarray:
    """The nearest point of the simplex, by sorting."""
    ordered = np.sort(point)[::-1]
    sums = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    threshold = sums[np.flatnonzero(ordered > sums)[-1]]
    return np.maximum(point - threshold, 0)


def run(root: Node, rules: Rules, iterations: int, n: int) -> list[Strategy]:
    """The average strategies of both players after some iterations of a run of n."""
    players = [Player(root, player, rules, n) for player in (0, 1)]

    def gradient_of(player: int) -> dict[Any, float]:
        opponent = players[1 - player]
        return gradient(root, player, opponent.plan())

    for t in range(1, iterations + 1):
        if rules.simultaneous:
            gradients = [gradient_of(player) for player in (0, 1)]
            for player in (0, 1):
                players[player].update(gradients[player], t)
        else:
            for player in (rules.first - 1, 2 - rules.first):
                players[player].update(gradient_of(player), t)
    return [player.average() for player in players]


def sequence_plan(treeplex: Any, strategy: Strategy) -> np.ndarray:
    """A strategy as the plan of a compiled game: an array over the sequences of its treeplex."""
    probabilities = np.ones(treeplex.sequences)
    for number, infoset in enumerate(treeplex.infosets):
        probabilities[treeplex.sequences_of(number)] = [
            strategy[infoset][action] for action in treeplex.actions[number]
        ]
    return np.asarray(treeplex.plan(probabilities))
