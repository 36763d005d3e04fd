"""The loop of all algorithms once more, written without blocks, kernels or numba: the yardstick of the fast one.

Dictionaries keyed by infoset, recursion over the decisions, every formula as it stands in the papers.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Discount, Exponential, NormalHedge, Projection, RegretMatching, Softmax
from rue.algorithms.schedules import Parameter
from rue.forms.sequence_form import SequenceForm
from rue.solvers.steps import step_sizes

ANY = Parameter("any", infinite=True)


class Player:
    def __init__(self, form: SequenceForm, player: int, algorithm: Algorithm, n: int) -> None:
        self.tree = form.treeplexes[player]
        self.algorithm, self.n = algorithm, n
        self.children: dict[int, list[int]] = {}
        for infoset, parent in enumerate(self.tree.tree.parent):
            self.children.setdefault(int(parent), []).append(infoset)
        self.sequences = [self.tree.of(i) for i in range(len(self.tree.infosets))]
        self.regret = {i: np.zeros(len(s)) for i, s in enumerate(self.sequences)}
        self.sigma = {i: np.full(len(s), 1 / len(s)) for i, s in enumerate(self.sequences)}
        self.sum = {i: np.zeros(len(s)) for i, s in enumerate(self.sequences)}
        self.steps = step_sizes(algorithm, form, player, n)
        self.last_gradient: np.ndarray | None = None

    def plan(self, sigma: dict[int, np.ndarray]) -> np.ndarray:
        plan = np.zeros(self.tree.sequences)
        plan[0] = 1.0

        def go(sequence: int) -> None:
            for infoset in self.children.get(sequence, []):
                for action, child in enumerate(self.sequences[infoset]):
                    plan[child] = plan[sequence] * sigma[infoset][action]
                    go(int(child))

        go(0)
        return plan

    def learn(self, gradient: np.ndarray, t: int) -> None:
        if self.algorithm.both_plans:
            previous, self.last_gradient = self.last_gradient, gradient
            gradient = gradient if previous is None else gradient + previous
        old_plan = self.plan(self.sigma)
        new = dict(self.sigma)
        weights = {i: np.ones(len(s)) for i, s in enumerate(self.sequences)}

        def go(sequence: int) -> tuple[float, float]:
            """The value of what follows a sequence: with the strategies to pass up, and with the new ones."""
            value = guess = 0.0
            for infoset in self.children.get(sequence, []):
                below = [go(int(s)) for s in self.sequences[infoset]]
                q = gradient[self.sequences[infoset]] + [b[0] for b in below]
                m = gradient[self.sequences[infoset]] + [b[1] for b in below]
                old = self.sigma[infoset]
                r = q - old @ q
                predicted = {"none": None, "last": r, "propagated": m - old @ m}[self.algorithm.prediction]
                new[infoset], weights[infoset] = self.update(infoset, r, predicted, t)
                value += (new[infoset] if self.algorithm.instant else old) @ q
                guess += new[infoset] @ m
            return value, guess

        go(0)
        keep, weight = (float(each[0]) for each in self.algorithm.average.factors(np.array([float(t)]), self.n))
        for infoset, sequences in enumerate(self.sequences):
            self.sum[infoset] = keep * self.sum[infoset] + weight * weights[infoset] * old_plan[sequences]
        self.sigma = new

    def update(
        self, infoset: int, r: np.ndarray, predicted: np.ndarray | None, t: int
    ) -> tuple[np.ndarray, np.ndarray]:
        rule, R = self.algorithm.accumulate, self.regret[infoset]
        weight = np.ones(len(r))
        if isinstance(rule, Exponential):
            weight = np.exp(rule.scale * (r - r.mean()))
            b = rule.factor * t**rule.t_power * (rule.scale * r) ** rule.power
            R = R + weight * np.where(r > 0, rule.scale * r, b)
        else:
            assert isinstance(rule, Discount)
            R = R + self.discount(r, t) if rule.immediate else self.discount(R, t - 1) + r
            if rule.floor:
                R = np.maximum(R, 0)
        self.regret[infoset] = R
        score = R
        if predicted is not None:
            score = (self.discount(R, t) if self.algorithm.prediction_discounted else R) + predicted
        return self.match(infoset, score, weight, t), weight

    def discount(self, R: np.ndarray, t: int) -> np.ndarray:
        rule = self.algorithm.accumulate
        assert isinstance(rule, Discount)
        if t == 0:
            return R
        alpha, beta = (float(ANY.at(s, np.array([float(t)]), self.n)[0]) for s in (rule.alpha, rule.beta))

        def factor(exponent: float) -> float:
            if math.isinf(exponent):
                return 1.0 if exponent > 0 else 0.0
            return t**exponent / (t**exponent + 1)

        return np.where(R > 0, factor(alpha) * R, factor(beta) * R)

    def match(self, infoset: int, score: np.ndarray, weight: np.ndarray, t: int) -> np.ndarray:
        match = self.algorithm.match
        uniform = np.full(len(score), 1 / len(score))
        positive = np.maximum(score, 0)
        if isinstance(match, Softmax | Projection):
            c = self.algorithm.coefficients(t, t, self.n)[0]
            eta = self.steps[infoset] * c[7]
            if isinstance(match, Softmax):
                power = np.exp(eta * (score - score.max()))
                return power / power.sum()
            return simplex(eta * score)
        if positive.sum() <= 0:
            return uniform
        if isinstance(match, RegretMatching):
            exponent = float(ANY.at(match.exponent, np.array([float(t)]), self.n)[0])
            part = (positive / positive.max()) ** exponent
        elif isinstance(match, NormalHedge):
            z = positive / positive.max()
            c = brentq(lambda c: np.log(np.mean(np.exp(z**2 / (2 * c)))) - 1, 1e-3, 10.0, xtol=1e-15)
            part = z / c * np.exp(z**2 / (2 * c))
        else:
            part = weight * positive
        return part / part.sum()

    def average(self) -> np.ndarray:
        sigma = {
            i: total / total.sum() if total.sum() > 0 else np.full(len(total), 1 / len(total))
            for i, total in self.sum.items()
        }
        return self.plan(sigma)


def simplex(point: np.ndarray) -> np.ndarray:
    """The projection on the simplex by sorting."""
    ordered = np.sort(point)[::-1]
    sums = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    threshold = sums[np.flatnonzero(ordered > sums)[-1]]
    return np.maximum(point - threshold, 0)


def run(form: SequenceForm, algorithm: Algorithm, iterations: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The average plans after some iterations."""
    one, two = Player(form, 0, algorithm, n), Player(form, 1, algorithm, n)
    for t in range(1, iterations + 1):
        if algorithm.order == "simultaneous":
            x, y = one.plan(one.sigma), two.plan(two.sigma)
            one.learn(form.payoff @ y, t)
            two.learn(-(form.payoff.T @ x), t)
        else:
            for player in (algorithm.first, 3 - algorithm.first):
                if player == 1:
                    one.learn(form.payoff @ two.plan(two.sigma), t)
                else:
                    two.learn(-(form.payoff.T @ one.plan(one.sigma)), t)
    return one.average(), two.average()
