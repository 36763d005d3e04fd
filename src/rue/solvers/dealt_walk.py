"""Walks with dealt hands: compiled. Two hands and the public cards are drawn, then the betting is walked for them.

A walk is made for the player who learns; what it adds to the regret of an infoset has the counterfactual regret as its
mean (Lanctot et al. 2009, theorem 1), times the number of cards that the board of the infoset stands for. The chance
of the deal is the chance with which it was drawn, so no weight is left of it. u is what the learning player gets.

Decisions are put in a queue as they are met and worked on from the last one up: no walk calls itself.
"""

from __future__ import annotations

import numpy as np

from rue.forms.dealt import AFTER, DECIDED_BY, OPENS
from rue.forms.public_form import ACTIONS, FIRST_ROW, MOVER
from rue.native.compiled import exact_part, exactly
from rue.solvers.dealing import deal_all, following, level_of, pays_of, start_of
from rue.solvers.draws import draw
from rue.solvers.sampled_space import EXTERNAL, OUTCOME
from rue.solvers.sampled_walk import learn

# Columns of the nodes of a queue.
CHOICE, PLACE = 0, 1
NUMBERS = 2
"""Where the decision's own numbers begin in the table, or at least those of its hand."""
THEIRS = 3
"""The same for the opponent's hand, for external sampling."""

# Columns of the reach of a queue.
CHANCE, WEIGHT = 0, 1
"""Of outcome sampling: the chance of the action taken, and the weight before it."""
OWN, OTHER = 0, 1
"""Of chance sampling: the learner's reach and the opponent's."""


@exact_part
def matched(regret, first, A):
    """Regret matching as sigma[a] = (R+[a] + lift) share: returns lift, which is 1 where all are alike, and share."""
    total = 0.0
    for a in range(A):
        total += max(regret[first + a], 0.0)
    lift = 0.0 if total > 0.0 else 1.0
    return lift, 1.0 / (total if total > 0.0 else np.float64(A))


@exact_part
def pick(regret, first, A, lift, share, u):
    """The action that u in [0, 1) falls on; never one of probability zero."""
    chosen, last, upto = 0, 0, 0.0
    for a in range(A):
        sigma = (max(regret[first + a], 0.0) + lift) * share
        upto += sigma
        last = a if sigma > 0.0 else last
        chosen += u >= upto
    return min(chosen, last)


@exact_part
def external(dealt, deal, table, queue, way, player):
    """External sampling: the learner takes every action, the opponent's is drawn. Returns the nodes touched.

    At the learner's infosets R[a] += u[a] - sum_b sigma[b] u[b]; at the opponent's the average += sigma.
    """
    choices, after, ends, amounts, dues = dealt.choices, dealt.after, dealt.ends, dealt.amounts, dealt.dues
    nodes, above, values = queue.nodes, queue.above, queue.values
    regret, average = table.regret, table.average
    slots = pays_of(deal, player, values)
    nodes[0, CHOICE], nodes[0, PLACE] = len(choices) - 1, 0
    nodes[0, NUMBERS] = start_of(dealt, 0, player, deal.hands[0, player])
    nodes[0, THEIRS] = start_of(dealt, 0, 1 - player, deal.hands[0, 1 - player])
    count, k, touched = 1, 0, 1
    while k < count:
        actions, at = np.int64(choices[nodes[k, CHOICE], ACTIONS]), np.int64(choices[nodes[k, CHOICE], AFTER])
        for a in range(actions):
            node = np.int64(after[at + a])
            place, mine, theirs = nodes[k, PLACE], nodes[k, NUMBERS], nodes[k, THEIRS]
            while True:
                touched += 1
                if node < 0:
                    end = -1 - node
                    if ends[end, DECIDED_BY] >= 0:
                        values[slots] = amounts[end] * values[ends[end, DECIDED_BY]] - dues[end]
                        break
                    place, level = following(dealt, deal, place, end)
                    mine = start_of(dealt, place, player, deal.hands[level, player])
                    theirs = start_of(dealt, place, 1 - player, deal.hands[level, 1 - player])
                    node = np.int64(ends[end, OPENS])
                elif choices[node, MOVER] == player:
                    nodes[count, CHOICE], nodes[count, PLACE] = node, place
                    nodes[count, NUMBERS], nodes[count, THEIRS] = mine, theirs
                    above[count] = slots
                    count += 1
                    break
                else:
                    first, A = theirs + choices[node, FIRST_ROW], np.int64(choices[node, ACTIONS])
                    lift, share = matched(regret, first, A)
                    for b in range(A):
                        average[first + b] += (max(regret[first + b], 0.0) + lift) * share
                    node = np.int64(after[choices[node, AFTER] + pick(regret, first, A, lift, share, draw(deal.state))])
            slots += 1
        k += 1
    for k in range(count - 1, 0, -1):
        A = np.int64(choices[nodes[k, CHOICE], ACTIONS])
        slots -= A
        first = nodes[k, NUMBERS] + choices[nodes[k, CHOICE], FIRST_ROW]
        lift, share = matched(regret, first, A)
        u = 0.0
        for a in range(A):
            u += (max(regret[first + a], 0.0) + lift) * values[slots + a]
        u *= share
        for a in range(A):
            learn(regret, first + a, values[slots + a] - u, way.floor)
        values[above[k]] = u
    return touched


@exact_part
def outcome(dealt, deal, table, queue, way, player):
    """Outcome sampling: one line, then back along it. Returns the nodes touched.

    The learner takes action a with probability s[a] = explore/A + (1 - explore) sigma[a], the opponent acts as sigma.
    With xi(h) the product of the learner's s before h, the weight of h is w = (reach of the opponent)/(probability to
    be sampled) = 1/xi(h). The opponent's average grows by w sigma. On the way back (Schmid et al. 2019, eq. 8 and 9;
    without baselines b = 0):

        u[a] = b[a] + (u - b[a])/s[a] for the sampled a, b[a] for the others
        R[a] += w (u[a] - sum_b sigma[b] u[b])  at the learner's,   then  b[a] += step (u - b[a])
    """
    choices, nodes, reach, above = dealt.choices, queue.nodes, queue.reach, queue.above
    regret, average, baseline = table.regret, table.average, table.baseline
    sign = 1.0 - 2.0 * player
    node, place, level, count, touched, weight = np.int64(dealt.after[-1]), np.int64(0), np.int64(0), 0, 2, 1.0
    while True:
        if node < 0:
            end = -1 - node
            if dealt.ends[end, DECIDED_BY] >= 0:
                u = sign * dealt.amounts[end] * deal.pays[dealt.ends[end, DECIDED_BY]] - dealt.dues[end]
                break
            place, level = following(dealt, deal, place, end)
            node = np.int64(dealt.ends[end, OPENS])
        else:
            mover, A = np.int64(choices[node, MOVER]), np.int64(choices[node, ACTIONS])
            first = start_of(dealt, place, mover, deal.hands[level, mover]) + choices[node, FIRST_ROW]
            lift, share = matched(regret, first, A)
            x = draw(deal.state)
            reach[count, WEIGHT] = weight
            if mover == player and x < way.explore:
                action = min(np.int64(x / way.explore * A), A - 1)
            else:
                x = draw(deal.state) if mover == player else x
                action = pick(regret, first, A, lift, share, x)
            chance = (max(regret[first + action], 0.0) + lift) * share
            if mover == player:
                chance = way.explore / A + (1.0 - way.explore) * chance
                weight /= chance
            else:
                for a in range(A):
                    average[first + a] += weight * (max(regret[first + a], 0.0) + lift) * share
            reach[count, CHANCE] = chance
            nodes[count, CHOICE], nodes[count, NUMBERS] = node, first
            above[count] = action
            count += 1
            node = np.int64(dealt.after[choices[node, AFTER] + action])
        touched += 1
    for k in range(count - 1, -1, -1):
        number, first, action = nodes[k, CHOICE], nodes[k, NUMBERS], above[k]
        mover, A = choices[number, MOVER], np.int64(choices[number, ACTIONS])
        lift, share = matched(regret, first, A)
        base = sign * baseline[first + action] if way.step > 0.0 else 0.0
        found = base + (u - base) / reach[k, CHANCE]
        mean = 0.0
        for a in range(A):
            other = sign * baseline[first + a] if way.step > 0.0 else 0.0
            queue.values[a] = found if a == action else other
            mean += (max(regret[first + a], 0.0) + lift) * share * queue.values[a]
        if mover == player:
            for a in range(A):
                learn(regret, first + a, reach[k, WEIGHT] * (queue.values[a] - mean), way.floor)
        if way.step > 0.0:
            baseline[first + action] += way.step * sign * (u - base)
        u = mean
    return touched


@exact_part
def over_chance(dealt, deal, table, queue, way, player):
    """Chance sampling: every action of both players for one deal. Returns the nodes touched.

    With x and y the learner's and the opponent's reach, R[a] += y (u[a] - sum_b sigma[b] u[b]), the average += x sigma.
    """
    choices, after, ends = dealt.choices, dealt.after, dealt.ends
    nodes, above, values, reach = queue.nodes, queue.above, queue.values, queue.reach
    regret, average = table.regret, table.average
    slots = pays_of(deal, player, values)
    base = slots
    nodes[0, CHOICE], nodes[0, PLACE] = len(choices) - 1, 0
    above[0] = base
    reach[base, OWN], reach[base, OTHER] = 1.0, 1.0
    count, k, touched = 1, 0, 1
    slots += 1
    while k < count:
        number, place = nodes[k, CHOICE], nodes[k, PLACE]
        mover, A = np.int64(choices[number, MOVER]), np.int64(choices[number, ACTIONS])
        at = np.int64(choices[number, AFTER])
        own, other = reach[above[k], OWN], reach[above[k], OTHER]
        first, lift, share = np.int64(0), 0.0, 1.0
        if k > 0:
            level = level_of(dealt, place)
            first = start_of(dealt, place, mover, deal.hands[level, mover]) + choices[number, FIRST_ROW]
            lift, share = matched(regret, first, A)
            nodes[k, NUMBERS] = first
        for a in range(A):
            slot = slots + a
            reach[slot, OWN], reach[slot, OTHER] = own, other
            if k > 0:
                sigma = (max(regret[first + a], 0.0) + lift) * share
                if mover == player:
                    average[first + a] += own * sigma
                    reach[slot, OWN] *= sigma
                else:
                    reach[slot, OTHER] *= sigma
            node, there = np.int64(after[at + a]), place
            touched += 1
            while node < 0 and ends[-1 - node, DECIDED_BY] < 0:
                there, _ = following(dealt, deal, there, -1 - node)
                node = np.int64(ends[-1 - node, OPENS])
                touched += 1
            if node < 0:
                end = -1 - node
                won = reach[slot, OTHER] * dealt.amounts[end] * values[ends[end, DECIDED_BY]]
                values[slot] = won - reach[slot, OTHER] * dealt.dues[end]
            else:
                nodes[count, CHOICE], nodes[count, PLACE] = node, there
                above[count] = slot
                count += 1
        slots += A
        k += 1
    for k in range(count - 1, 0, -1):
        number, first = nodes[k, CHOICE], nodes[k, NUMBERS]
        mover, A = np.int64(choices[number, MOVER]), np.int64(choices[number, ACTIONS])
        slots -= A
        u = 0.0
        if mover == player:
            lift, share = matched(regret, first, A)
            for a in range(A):
                u += (max(regret[first + a], 0.0) + lift) * share * values[slots + a]
            for a in range(A):
                learn(regret, first + a, values[slots + a] - u, way.floor)
        else:
            for a in range(A):
                u += values[slots + a]
        values[above[k]] = u
    return touched


@exactly
def sample_deals(dealt, deal, table, queue, way, touched, first, walks, limit):
    """Walks number first, first + 1, ..., for the players in turn, a deal each.

    `touched` counts nodes; the walks stop when both players have had theirs and it has reached `limit`. Returns how
    many were made.
    """
    count = touched[0]
    done = 0
    while done < walks:
        player = (first + done) % 2
        deal_all(dealt, deal)
        if way.kind == EXTERNAL:
            count += external(dealt, deal, table, queue, way, player)
        elif way.kind == OUTCOME:
            count += outcome(dealt, deal, table, queue, way, player)
        else:
            count += over_chance(dealt, deal, table, queue, way, player)
        done += 1
        if player == 1 and count >= limit:
            break
    touched[0] = count
    return done
