"""Sampled walks over the tree of histories (kernels).

A walk updates one player, the learner. It touches a sample of the histories, and what it adds to the regret of an
infoset has the counterfactual regret as its mean (Lanctot et al. 2009, theorem 1). u is the learner's payoff.

The plain twin is `zerosum.engine.sampling.rules_walk`: the same walks as recursions over the rules of a game, with
the same draws from the same seed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.history_tree import DATA, FIRST_CHILD, N_CHILDREN, PLAYER, HistoryTree
from zerosum.engine.sampling.draws import add_regret, draw_uniform, match_regret, sample_action, sample_outcome
from zerosum.engine.updates.blocks import Index, Row
from zerosum.engine.updates.vector_math import exp, log
from zerosum.engine.updates.vectors import LANES, first_lanes, read, where, write
from zerosum.native.decorators import exact_inline, exact_kernel

EXTERNAL, OUTCOME = 0, 1
"""Kinds of sampling; the other one is chance sampling."""
CHANCE, TERMINAL = 2, 3
"""Players of nodes that are not decisions (`zerosum.games.game`)."""
HISTORY, ACTION = 0, 1
"""Columns of the frame: a history and the action taken there."""
PROBABILITY, WEIGHT = 0, 1
"""Columns of the reach in outcome sampling: the probability of the sampled action, and the weight before it."""
LEARNER_REACH, OPPONENT_REACH = 0, 1
"""Columns of the reach in chance sampling: the learner's and the opponent's."""
SLOT, ACTIONS = 0, 1
"""Columns of the visited infosets: the first slot and the number of slots."""
NEVER = 1 << 62
"""The number of a walk that comes after all others."""


class SampledTable(NamedTuple):
    """The numbers of a sampled run: one for each slot, that is, for each action of each infoset."""

    regret: np.ndarray
    average: np.ndarray
    baseline: np.ndarray
    """A running mean of the first player's payoff after an action; empty without baselines."""
    previous_regret: np.ndarray
    """The regret before the last walk that changed it; empty unless regret is taken against the last two plans."""
    changed_at: np.ndarray
    """In the first slot of an infoset, the number of that walk; empty likewise."""


class WalkScratch(NamedTuple):
    """Scratch arrays, with a row for each decision on the path of a walk."""

    state: np.ndarray
    """The state of the random generator: one 64-bit number."""
    touched: np.ndarray
    """One number: the nodes touched so far."""
    frame: np.ndarray
    """(depth, 2): the histories on the path and the actions taken there."""
    sigma: np.ndarray
    """(depth, actions): the current strategies on the path."""
    value: np.ndarray
    """(depth, actions): u after each action."""
    reach: np.ndarray
    """(depth, 2): two numbers that differ by the kind of sampling."""
    instant: np.ndarray
    """The regret of the walk, for each slot; only for chance sampling."""
    visited_at: np.ndarray
    """The last walk that visited a slot; only for chance sampling."""
    visited_infosets: np.ndarray
    """The infosets that the walk has visited; only for chance sampling."""
    exponent: np.ndarray
    """One number: the exponent of temperature matching in this iteration."""


class SamplingScheme(NamedTuple):
    """How to sample: the choices of an algorithm as numbers."""

    kind: int
    floor: int
    explore: float
    step: float
    """Step size of the baselines; 0 without baselines."""
    both_plans: int = 0
    """Whether a second walk plays against the opponent's plan before the last walk."""
    first_exponent: float = 1.0
    last_exponent: float = 1.0
    """The exponents of temperature matching at the start and when `nodes` nodes have been touched."""
    nodes: float = 1.0


@exact_inline
def fill_strategy(
    table: SampledTable, scratch: WalkScratch, slot: Index, count: Index, row: Index,
    since: Index,
) -> None:  # fmt: skip
    """Set a row of sigma in proportion to R+[a]^exponent.

    R is as it was before the last walk that changed it, if the number of that walk is at least `since`.
    """
    if len(table.changed_at) > 0 and table.changed_at[slot] >= since:
        match_regret(table.previous_regret, slot, count, scratch.sigma, row)
    else:
        match_regret(table.regret, slot, count, scratch.sigma, row)
    if scratch.exponent[0] != 1.0:
        apply_exponent(scratch.sigma, row, count, scratch.exponent[0])


@exact_inline
def apply_exponent(sigma: Row, row: Index, count: Index, exponent: float) -> None:
    """Raise the probabilities of a row to a power and normalize them (trm eq. 10 and 17)."""
    first = row * sigma.shape[1]
    for a in range(0, count, LANES):
        mask = first_lanes(count - a)
        share = read(sigma, first + a, mask)
        write(sigma, first + a, mask, where(share > 0.0, exp(exponent * log(share)), 0.0))
    total = 0.0
    for a in range(count):
        total += sigma[row, a]
    for a in range(count):
        sigma[row, a] /= total


@exact_inline
def store_previous_regret(table: SampledTable, slot: Index, count: Index, walk: Index) -> None:
    """Store the regret of an infoset as it was before a walk, for walks against the last two plans."""
    if len(table.changed_at) > 0 and table.changed_at[slot] != walk:
        table.changed_at[slot] = walk
        for a in range(count):
            table.previous_regret[slot + a] = table.regret[slot + a]


@exact_inline
def walk_external(
    tree: HistoryTree, table: SampledTable, scratch: WalkScratch, scheme: SamplingScheme, player: Index,
    walk: Index, since: Index,
) -> Index:  # fmt: skip
    """External sampling: the learner takes every action, all others are sampled. Return the number of nodes touched.

    At the learner's infosets R[a] += u[a] - sum_b sigma[b] u[b]; at the opponent's the average += sigma. With `since`
    the opponent plays as before that walk, and the average is unchanged. The learner plays as before this walk.
    """
    nodes = tree.nodes
    frame, sigma, value = scratch.frame, scratch.sigma, scratch.value
    sign = 1.0 - 2.0 * player
    touched = 0
    depth = 0
    node = 0
    while True:
        while True:
            touched += 1
            who = nodes[node, PLAYER]
            count = nodes[node, N_CHILDREN]
            slot = nodes[node, DATA]
            if who == player:
                fill_strategy(table, scratch, slot, count, depth, walk)
                frame[depth, HISTORY] = node
                frame[depth, ACTION] = 0
                depth += 1
                node = nodes[node, FIRST_CHILD]
            elif who == TERMINAL:
                u = sign * tree.payoff[slot]
                break
            elif who == CHANCE:
                node = nodes[node, FIRST_CHILD] + sample_outcome(tree.chance, slot, count, draw_uniform(scratch.state))
            else:
                fill_strategy(table, scratch, slot, count, depth, since)
                if since == NEVER:
                    for a in range(count):
                        table.average[slot + a] += sigma[depth, a]
                node = nodes[node, FIRST_CHILD] + sample_action(sigma, depth, count, draw_uniform(scratch.state))
        while depth > 0:
            at = depth - 1
            action = frame[at, ACTION]
            node = frame[at, HISTORY]
            value[at, action] = u
            action += 1
            count = nodes[node, N_CHILDREN]
            if action < count:
                frame[at, ACTION] = action
                node = nodes[node, FIRST_CHILD] + action
                break
            u = 0.0
            for a in range(count):
                u += sigma[at, a] * value[at, a]
            slot = nodes[node, DATA]
            store_previous_regret(table, slot, count, walk)
            for a in range(count):
                add_regret(table.regret, slot + a, value[at, a] - u, scheme.floor)
            depth = at
        else:
            return touched


@exact_inline
def walk_outcome(
    tree: HistoryTree, table: SampledTable, scratch: WalkScratch, scheme: SamplingScheme, player: Index
) -> Index:
    """Outcome sampling: one history, then back along it. Return the number of nodes touched.

    The learner takes action a with probability s[a] = explore/A + (1 - explore) sigma[a], the others act by sigma. With
    xi(h) the product of the learner's s before h, the weight of h is w = (reach of the others)/(probability to be
    sampled) = 1/xi(h). The average of the opponent (on policy) grows by w sigma. On the way back (Schmid et al.
    2019, eq. 8 and 9; without baselines b = 0):

        u[a] = b[a] + (u - b[a])/s[a] for the sampled a, b[a] for the others
        R[a] += w (u[a] - sum_b sigma[b] u[b])  at the learner's,   then  b[a] += step (u - b[a])
    """
    nodes = tree.nodes
    frame, sigma, value, reach = scratch.frame, scratch.sigma, scratch.value, scratch.reach
    sign = 1.0 - 2.0 * player
    touched = 1
    depth = 0
    node = 0
    weight = 1.0
    while nodes[node, PLAYER] != TERMINAL:
        who = nodes[node, PLAYER]
        count = nodes[node, N_CHILDREN]
        slot = nodes[node, DATA]
        if who == CHANCE:
            action = sample_outcome(tree.chance, slot, count, draw_uniform(scratch.state))
        else:
            fill_strategy(table, scratch, slot, count, depth, NEVER)
            reach[depth, WEIGHT] = weight
            if who == player:
                u = draw_uniform(scratch.state)
                if u < scheme.explore:
                    action = min(int(u / scheme.explore * count), count - 1)
                else:
                    action = sample_action(sigma, depth, count, draw_uniform(scratch.state))
                reach[depth, PROBABILITY] = scheme.explore / count + (1.0 - scheme.explore) * sigma[depth, action]
                weight /= reach[depth, PROBABILITY]
            else:
                for a in range(count):
                    table.average[slot + a] += weight * sigma[depth, a]
                action = sample_action(sigma, depth, count, draw_uniform(scratch.state))
                reach[depth, PROBABILITY] = sigma[depth, action]
            frame[depth, HISTORY] = node
            frame[depth, ACTION] = action
            depth += 1
        node = nodes[node, FIRST_CHILD] + action
        touched += 1
    u = sign * tree.payoff[nodes[node, DATA]]
    for at in range(depth - 1, -1, -1):
        node = frame[at, HISTORY]
        action = frame[at, ACTION]
        count = nodes[node, N_CHILDREN]
        slot = nodes[node, DATA]
        for a in range(count):
            value[at, a] = sign * table.baseline[slot + a] if scheme.step > 0.0 else 0.0
        base = value[at, action]
        value[at, action] = base + (u - base) / reach[at, PROBABILITY]
        if scheme.step > 0.0:
            table.baseline[slot + action] += scheme.step * sign * (u - base)
        u = 0.0
        for a in range(count):
            u += sigma[at, a] * value[at, a]
        if nodes[node, PLAYER] == player:
            for a in range(count):
                add_regret(table.regret, slot + a, reach[at, WEIGHT] * (value[at, a] - u), scheme.floor)
    return touched


@exact_inline
def walk_chance(
    tree: HistoryTree, table: SampledTable, scratch: WalkScratch, scheme: SamplingScheme, player: Index,
    walk: Index,
) -> Index:  # fmt: skip
    """Chance sampling: every action of both players below one outcome of each chance move. Return the nodes touched.

    With x(h) and y(h) the learner's and the opponent's reach, R[a] += y (u[a] - sum_b sigma[b] u[b]) and the average
    += x sigma, summed over the visited histories of an infoset; the strategies stay as they were before.
    """
    nodes = tree.nodes
    frame, sigma, value, reach = scratch.frame, scratch.sigma, scratch.value, scratch.reach
    sign = 1.0 - 2.0 * player
    touched = 0
    infosets = 0
    depth = 0
    node = 0
    own_reach = 1.0
    other_reach = 1.0
    while True:
        while True:
            touched += 1
            who = nodes[node, PLAYER]
            count = nodes[node, N_CHILDREN]
            slot = nodes[node, DATA]
            if who == TERMINAL:
                u = sign * tree.payoff[slot]
                break
            if who == CHANCE:
                node = nodes[node, FIRST_CHILD] + sample_outcome(tree.chance, slot, count, draw_uniform(scratch.state))
                continue
            fill_strategy(table, scratch, slot, count, depth, NEVER)
            frame[depth, HISTORY] = node
            frame[depth, ACTION] = 0
            reach[depth, LEARNER_REACH] = own_reach
            reach[depth, OPPONENT_REACH] = other_reach
            if who == player:
                if scratch.visited_at[slot] != walk:
                    scratch.visited_at[slot] = walk
                    scratch.visited_infosets[infosets, SLOT] = slot
                    scratch.visited_infosets[infosets, ACTIONS] = count
                    infosets += 1
                    for a in range(count):
                        scratch.instant[slot + a] = 0.0
                for a in range(count):
                    table.average[slot + a] += own_reach * sigma[depth, a]
                own_reach *= sigma[depth, 0]
            else:
                other_reach *= sigma[depth, 0]
            depth += 1
            node = nodes[node, FIRST_CHILD]
        while depth > 0:
            at = depth - 1
            node = frame[at, HISTORY]
            action = frame[at, ACTION]
            mine = nodes[node, PLAYER] == player
            value[at, action] = u
            action += 1
            count = nodes[node, N_CHILDREN]
            if action < count:
                frame[at, ACTION] = action
                own_reach = reach[at, LEARNER_REACH] * sigma[at, action] if mine else reach[at, LEARNER_REACH]
                other_reach = reach[at, OPPONENT_REACH] if mine else reach[at, OPPONENT_REACH] * sigma[at, action]
                node = nodes[node, FIRST_CHILD] + action
                break
            u = 0.0
            for a in range(count):
                u += sigma[at, a] * value[at, a]
            if mine:
                slot = nodes[node, DATA]
                for a in range(count):
                    scratch.instant[slot + a] += reach[at, OPPONENT_REACH] * (value[at, a] - u)
            depth = at
        else:
            break
    for k in range(infosets):
        slot = scratch.visited_infosets[k, SLOT]
        for a in range(scratch.visited_infosets[k, ACTIONS]):
            add_regret(table.regret, slot + a, scratch.instant[slot + a], scheme.floor)
    return touched


@exact_inline
def walk_once(
    tree: HistoryTree, table: SampledTable, scratch: WalkScratch, scheme: SamplingScheme, player: Index,
    walk: Index,
) -> Index:  # fmt: skip
    """Run walk number `walk` for a player; return the number of nodes touched."""
    if scheme.kind == EXTERNAL:
        return walk_external(tree, table, scratch, scheme, player, walk, NEVER)
    if scheme.kind == OUTCOME:
        return walk_outcome(tree, table, scratch, scheme, player)
    return walk_chance(tree, table, scratch, scheme, player, walk)


@exact_kernel
def run_walks(
    tree: HistoryTree, table: SampledTable, scratch: WalkScratch, scheme: SamplingScheme, first: Index,
    iterations: Index, limit: Index,
) -> Index:  # fmt: skip
    """Run iterations, a walk for each player, until `limit` nodes have been touched; return their number.

    Arguments: the histories, the table, scratch arrays, the scheme, the number of the first iteration (from 1), the
    number of iterations, and the limit. Regret against the last two plans takes a second walk. The plain twin is
    `zerosum.engine.sampling.rules_walk.RulesWalk`.
    """
    for k in range(iterations):
        share = min(1.0, scratch.touched[0] / scheme.nodes)
        scratch.exponent[0] = scheme.first_exponent + (scheme.last_exponent - scheme.first_exponent) * share
        for player in range(2):
            walk = 2 * (first + k) + player
            if scheme.both_plans and first + k > 1:
                scratch.touched[0] += walk_external(tree, table, scratch, scheme, player, walk, walk - 1)
            scratch.touched[0] += walk_once(tree, table, scratch, scheme, player, walk)
        if scratch.touched[0] >= limit:
            return k + 1
    return iterations
