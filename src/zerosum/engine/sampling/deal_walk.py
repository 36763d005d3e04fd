"""Sampled walks with dealt hands: two hands and the public cards are drawn, then the betting is walked (kernels).

A walk updates one player, the learner; the mean of its additions to the regret of an infoset is the counterfactual
regret (Lanctot et al. 2009, theorem 1), times the number of cards that the board of the infoset stands for. The deal is
drawn with its own probability, so it needs no weight. u is the learner's payoff.

Decisions are put in a queue as they are met, breadth first, and processed from the last one up. The walks are written
apart from those of `zerosum.engine.sampling.history_walk`, for three reasons:

- With a stack instead of the queue, as over histories, external sampling touches 3.5% fewer nodes per second on the
  bundled river and 2.8% fewer on the bundled turn (medians, see `benchmarks/experiments.md`), and it draws in another
  order, so that every seed would give another run.
- One table belongs to both players of a deal, so an infoset is met once in a walk: chance sampling needs no second
  pass, and strategies are recomputed from the regrets as (R+ + lift) share, without a division for each action.
- Only the last pass of outcome sampling could be shared, some 15 lines.

The plain twin is `DealWalk` in `tests/twins/deal_walk.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.columns import ACTIONS, FIRST_ROW, MOVER
from zerosum.engine.sampling.deal_tables import AFTER, DECIDED_BY, NEXT_NODE, DealTables
from zerosum.engine.sampling.deals import (
    DealState,
    deal_hands_and_board,
    find_hand_offset,
    find_level,
    find_next_place,
    write_end_payoffs,
)
from zerosum.engine.sampling.draws import add_regret, draw_uniform
from zerosum.engine.sampling.history_walk import (
    EXTERNAL,
    LEARNER_REACH,
    OPPONENT_REACH,
    OUTCOME,
    PROBABILITY,
    WEIGHT,
    SampledTable,
    SamplingScheme,
)
from zerosum.engine.updates.blocks import Index, Integers, Row
from zerosum.native.decorators import exact_inline, exact_kernel

CHOICE, PLACE, OFFSET, OPPONENT = range(4)
"""Columns of the nodes of a queue: the decision, its place, and the offset of its numbers in the table; in external
sampling, the offsets of the numbers of the learner's hand and of the opponent's."""


class WalkQueue(NamedTuple):
    """The decisions of a walk in the order in which they are met."""

    nodes: Any
    """A row for each decision."""
    parent_slot: Any
    """The slot that receives the value of each decision; for outcome sampling, the sampled action."""
    values: Any
    """A slot for each action of each decision, after the payoffs at the ends."""
    reach: Any
    """Two numbers for each slot, which differ by the kind of sampling."""


@exact_inline
def compute_lift_and_share(regret: Row, first: Index, A: Index) -> tuple[float, float]:
    """Return lift and share of regret matching, sigma[a] = (R+[a] + lift) share; lift is 1 if no regret is positive."""
    total = 0.0
    for a in range(A):
        total += max(regret[first + a], 0.0)
    lift = 0.0 if total > 0.0 else 1.0
    return lift, 1.0 / (total if total > 0.0 else np.float64(A))


@exact_inline
def sample_action(regret: Row, first: Index, A: Index, lift: float, share: float, u: float) -> Index:
    """Return the action that u in [0, 1) falls on; never one of probability zero."""
    chosen, last, cumulated = 0, 0, 0.0
    for a in range(A):
        sigma = (max(regret[first + a], 0.0) + lift) * share
        cumulated += sigma
        last = a if sigma > 0.0 else last
        chosen += u >= cumulated
    return min(chosen, last)


@exact_inline
def walk_external(
    tables: DealTables, deal: DealState, table: SampledTable, queue: WalkQueue, scheme: SamplingScheme,
    player: Index,
) -> Index:  # fmt: skip
    """External sampling: the learner takes every action, the opponent's is sampled. Return the nodes touched.

    At the learner's infosets R[a] += u[a] - sum_b sigma[b] u[b]; at the opponent's the average += sigma.
    """
    choices, after, ends, amounts, rake = tables.choices, tables.after, tables.ends, tables.amounts, tables.rake
    nodes, parent_slot, values = queue.nodes, queue.parent_slot, queue.values
    regret, average = table.regret, table.average
    slots = write_end_payoffs(deal, player, values)
    nodes[0, CHOICE], nodes[0, PLACE] = len(choices) - 1, 0
    nodes[0, OFFSET] = find_hand_offset(tables, 0, player, deal.hands[0, player])
    nodes[0, OPPONENT] = find_hand_offset(tables, 0, 1 - player, deal.hands[0, 1 - player])
    count, k, touched = 1, 0, 1
    while k < count:
        actions, at = np.int64(choices[nodes[k, CHOICE], ACTIONS]), np.int64(choices[nodes[k, CHOICE], AFTER])
        for a in range(actions):
            node = np.int64(after[at + a])
            place, learner_offset, opponent_offset = nodes[k, PLACE], nodes[k, OFFSET], nodes[k, OPPONENT]
            while True:
                touched += 1
                if node < 0:
                    end = -1 - node
                    if ends[end, DECIDED_BY] >= 0:
                        values[slots] = amounts[end] * values[ends[end, DECIDED_BY]] - rake[end]
                        break
                    place, level = find_next_place(tables, deal, place, end)
                    learner_offset = find_hand_offset(tables, place, player, deal.hands[level, player])
                    opponent_offset = find_hand_offset(tables, place, 1 - player, deal.hands[level, 1 - player])
                    node = np.int64(ends[end, NEXT_NODE])
                elif choices[node, MOVER] == player:
                    nodes[count, CHOICE], nodes[count, PLACE] = node, place
                    nodes[count, OFFSET], nodes[count, OPPONENT] = learner_offset, opponent_offset
                    parent_slot[count] = slots
                    count += 1
                    break
                else:
                    first, A = opponent_offset + choices[node, FIRST_ROW], np.int64(choices[node, ACTIONS])
                    lift, share = compute_lift_and_share(regret, first, A)
                    for b in range(A):
                        average[first + b] += (max(regret[first + b], 0.0) + lift) * share
                    action = sample_action(regret, first, A, lift, share, draw_uniform(deal.state))
                    node = np.int64(after[choices[node, AFTER] + action])
            slots += 1
        k += 1
    for k in range(count - 1, 0, -1):
        A = np.int64(choices[nodes[k, CHOICE], ACTIONS])
        slots -= A
        first = nodes[k, OFFSET] + choices[nodes[k, CHOICE], FIRST_ROW]
        lift, share = compute_lift_and_share(regret, first, A)
        u = 0.0
        for a in range(A):
            u += (max(regret[first + a], 0.0) + lift) * values[slots + a]
        u *= share
        for a in range(A):
            add_regret(regret, first + a, values[slots + a] - u, scheme.floor)
        values[parent_slot[k]] = u
    return touched


@exact_inline
def walk_outcome(
    tables: DealTables, deal: DealState, table: SampledTable, queue: WalkQueue, scheme: SamplingScheme,
    player: Index,
) -> Index:  # fmt: skip
    """Outcome sampling: one line, then back along it. Return the nodes touched.

    The learner takes action a with probability s[a] = explore/A + (1 - explore) sigma[a], the opponent acts as sigma.
    With xi(h) the product of the learner's s before h, the weight of h is w = (reach of the opponent)/(probability to
    be sampled) = 1/xi(h). The opponent's average grows by w sigma. On the way back (Schmid et al. 2019, eq. 8 and 9;
    without baselines b = 0):

        u[a] = b[a] + (u - b[a])/s[a] for the sampled a, b[a] for the others
        R[a] += w (u[a] - sum_b sigma[b] u[b])  at the learner's,   then  b[a] += step (u - b[a])
    """
    choices, nodes, reach, parent_slot = tables.choices, queue.nodes, queue.reach, queue.parent_slot
    regret, average, baseline = table.regret, table.average, table.baseline
    sign = 1.0 - 2.0 * player
    node, place, level, count, touched, weight = np.int64(tables.after[-1]), np.int64(0), np.int64(0), 0, 2, 1.0
    while True:
        if node < 0:
            end = -1 - node
            if tables.ends[end, DECIDED_BY] >= 0:
                u = sign * tables.amounts[end] * deal.payoffs[tables.ends[end, DECIDED_BY]] - tables.rake[end]
                break
            place, level = find_next_place(tables, deal, place, end)
            node = np.int64(tables.ends[end, NEXT_NODE])
        else:
            mover, A = np.int64(choices[node, MOVER]), np.int64(choices[node, ACTIONS])
            first = find_hand_offset(tables, place, mover, deal.hands[level, mover]) + choices[node, FIRST_ROW]
            lift, share = compute_lift_and_share(regret, first, A)
            x = draw_uniform(deal.state)
            reach[count, WEIGHT] = weight
            if mover == player and x < scheme.explore:
                action = min(np.int64(x / scheme.explore * A), A - 1)
            else:
                x = draw_uniform(deal.state) if mover == player else x
                action = sample_action(regret, first, A, lift, share, x)
            probability = (max(regret[first + action], 0.0) + lift) * share
            if mover == player:
                probability = scheme.explore / A + (1.0 - scheme.explore) * probability
                weight /= probability
            else:
                for a in range(A):
                    average[first + a] += weight * (max(regret[first + a], 0.0) + lift) * share
            reach[count, PROBABILITY] = probability
            nodes[count, CHOICE], nodes[count, OFFSET] = node, first
            parent_slot[count] = action
            count += 1
            node = np.int64(tables.after[choices[node, AFTER] + action])
        touched += 1
    for k in range(count - 1, -1, -1):
        number, first, action = nodes[k, CHOICE], nodes[k, OFFSET], parent_slot[k]
        mover, A = choices[number, MOVER], np.int64(choices[number, ACTIONS])
        lift, share = compute_lift_and_share(regret, first, A)
        base = sign * baseline[first + action] if scheme.step > 0.0 else 0.0
        sampled_value = base + (u - base) / reach[k, PROBABILITY]
        mean = 0.0
        for a in range(A):
            other = sign * baseline[first + a] if scheme.step > 0.0 else 0.0
            queue.values[a] = sampled_value if a == action else other
            mean += (max(regret[first + a], 0.0) + lift) * share * queue.values[a]
        if mover == player:
            for a in range(A):
                add_regret(regret, first + a, reach[k, WEIGHT] * (queue.values[a] - mean), scheme.floor)
        if scheme.step > 0.0:
            baseline[first + action] += scheme.step * sign * (u - base)
        u = mean
    return touched


@exact_inline
def walk_chance(
    tables: DealTables, deal: DealState, table: SampledTable, queue: WalkQueue, scheme: SamplingScheme,
    player: Index,
) -> Index:  # fmt: skip
    """Chance sampling: every action of both players for one deal. Return the nodes touched.

    With x and y the learner's and the opponent's reach, R[a] += y (u[a] - sum_b sigma[b] u[b]), the average += x sigma.
    """
    choices, after, ends = tables.choices, tables.after, tables.ends
    nodes, parent_slot, values, reach = queue.nodes, queue.parent_slot, queue.values, queue.reach
    regret, average = table.regret, table.average
    slots = write_end_payoffs(deal, player, values)
    base = slots
    nodes[0, CHOICE], nodes[0, PLACE] = len(choices) - 1, 0
    parent_slot[0] = base
    reach[base, LEARNER_REACH], reach[base, OPPONENT_REACH] = 1.0, 1.0
    count, k, touched = 1, 0, 1
    slots += 1
    while k < count:
        number, place = nodes[k, CHOICE], nodes[k, PLACE]
        mover, A = np.int64(choices[number, MOVER]), np.int64(choices[number, ACTIONS])
        at = np.int64(choices[number, AFTER])
        own_reach, other_reach = reach[parent_slot[k], LEARNER_REACH], reach[parent_slot[k], OPPONENT_REACH]
        first, lift, share = np.int64(0), 0.0, 1.0
        if k > 0:
            level = find_level(tables, place)
            first = find_hand_offset(tables, place, mover, deal.hands[level, mover]) + choices[number, FIRST_ROW]
            lift, share = compute_lift_and_share(regret, first, A)
            nodes[k, OFFSET] = first
        for a in range(A):
            slot = slots + a
            reach[slot, LEARNER_REACH], reach[slot, OPPONENT_REACH] = own_reach, other_reach
            if k > 0:
                sigma = (max(regret[first + a], 0.0) + lift) * share
                if mover == player:
                    average[first + a] += own_reach * sigma
                    reach[slot, LEARNER_REACH] *= sigma
                else:
                    reach[slot, OPPONENT_REACH] *= sigma
            node, end_place = np.int64(after[at + a]), place
            touched += 1
            while node < 0 and ends[-1 - node, DECIDED_BY] < 0:
                end_place, _ = find_next_place(tables, deal, end_place, -1 - node)
                node = np.int64(ends[-1 - node, NEXT_NODE])
                touched += 1
            if node < 0:
                end = -1 - node
                won = reach[slot, OPPONENT_REACH] * tables.amounts[end] * values[ends[end, DECIDED_BY]]
                values[slot] = won - reach[slot, OPPONENT_REACH] * tables.rake[end]
            else:
                nodes[count, CHOICE], nodes[count, PLACE] = node, end_place
                parent_slot[count] = slot
                count += 1
        slots += A
        k += 1
    for k in range(count - 1, 0, -1):
        number, first = nodes[k, CHOICE], nodes[k, OFFSET]
        mover, A = np.int64(choices[number, MOVER]), np.int64(choices[number, ACTIONS])
        slots -= A
        u = 0.0
        if mover == player:
            lift, share = compute_lift_and_share(regret, first, A)
            for a in range(A):
                u += (max(regret[first + a], 0.0) + lift) * share * values[slots + a]
            for a in range(A):
                add_regret(regret, first + a, values[slots + a] - u, scheme.floor)
        else:
            for a in range(A):
                u += values[slots + a]
        values[parent_slot[k]] = u
    return touched


@exact_kernel
def run_deal_walks(
    tables: DealTables, deal: DealState, table: SampledTable, queue: WalkQueue, scheme: SamplingScheme,
    touched: Integers, first: Index, walks: Index, limit: Index,
) -> Index:  # fmt: skip
    """Run walks first, first + 1, ..., one deal each, for the players in turn; return how many were run.

    Arguments: the tables of the public form, the dealt cards, the table of regrets and averages, the queue, the scheme,
    an array of one number that counts the nodes touched, the number of the first walk, the number of walks, and a limit
    of nodes, after which the walks end with player 2. The plain twin is `DealWalk.walk` in `tests/twins/deal_walk.py`.
    """
    count = touched[0]
    done = 0
    while done < walks:
        player = (first + done) % 2
        deal_hands_and_board(tables, deal)
        if scheme.kind == EXTERNAL:
            count += walk_external(tables, deal, table, queue, scheme, player)
        elif scheme.kind == OUTCOME:
            count += walk_outcome(tables, deal, table, queue, scheme, player)
        else:
            count += walk_chance(tables, deal, table, queue, scheme, player)
        done += 1
        if player == 1 and count >= limit:
            break
    touched[0] = count
    return done
