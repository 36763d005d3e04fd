"""Kernels of sampled walks over the tree of histories (numba).

A walk is made for the player who learns. It touches a sample of the histories, and what it adds to the regret of an
infoset has the counterfactual regret as its mean (Lanctot et al. 2009, theorem 1). u is what the learning player gets.
"""

from rue.forms.history_tree import CHILD, COUNT, DATA, WHO
from rue.native.compiled import exact_part, exactly
from rue.regret.elementary import exp, log
from rue.regret.vectors import LANES, lanes, read, where, write
from rue.solvers.draws import draw, match, outcome, pick
from rue.solvers.sampled_space import EXTERNAL, OUTCOME

CHANCE = 2
NOBODY = 3

HISTORY, TAKEN = 0, 1
"""Columns of the frame: a history and the action taken there."""
SAMPLED, WEIGHT = 0, 1
"""Columns of the reach in outcome sampling: the chance of the action taken, and the weight before it."""
OWN, OTHER = 0, 1
"""Columns of the reach in chance sampling: the learner's and the opponent's."""
SLOT, ACTIONS = 0, 1
"""Columns of what was met: the first slot of an infoset and how many it has."""
NEVER = 1 << 62
"""A walk that is never made."""


@exact_part
def play(table, space, slot, count, row, since):
    """sigma[a] proportional to R+[a]^exponent; with R as it was before the last walk if that is `since` or later."""
    if len(table.changed) > 0 and table.changed[slot] >= since:
        match(table.before, slot, count, space.sigma, row)
    else:
        match(table.regret, slot, count, space.sigma, row)
    if space.exponent[0] != 1.0:
        temper(space.sigma, row, count, space.exponent[0])


@exact_part
def temper(sigma, row, count, exponent):
    """sigma[a]^exponent, in proportion (trm eq. 10 and 17)."""
    first = row * sigma.shape[1]
    for a in range(0, count, LANES):
        mask = lanes(count - a)
        share = read(sigma, first + a, mask)
        write(sigma, first + a, mask, where(share > 0.0, exp(exponent * log(share)), 0.0))
    total = 0.0
    for a in range(count):
        total += sigma[row, a]
    for a in range(count):
        sigma[row, a] /= total


@exact_part
def keep_before(table, slot, count, walk):
    """Keep the regret of an infoset as it is before a walk, if it is to be known."""
    if len(table.changed) > 0 and table.changed[slot] != walk:
        table.changed[slot] = walk
        for a in range(count):
            table.before[slot + a] = table.regret[slot + a]


@exact_part
def external(tree, table, space, way, player, walk, since):
    """External sampling: u passes unchanged through what is sampled, so only the learner's decisions wait for it.

    At the learner's infosets R[a] += u[a] - sum_b sigma[b] u[b]; at the opponent's the average += sigma. With `since`
    the opponent plays as before that walk, and the average stays. The learner plays as before this one.
    """
    nodes = tree.nodes
    frame, sigma, value = space.frame, space.sigma, space.value
    sign = 1.0 - 2.0 * player
    touched = 0
    depth = 0
    node = 0
    while True:
        while True:
            touched += 1
            who = nodes[node, WHO]
            count = nodes[node, COUNT]
            slot = nodes[node, DATA]
            if who == player:
                play(table, space, slot, count, depth, walk)
                frame[depth, HISTORY] = node
                frame[depth, TAKEN] = 0
                depth += 1
                node = nodes[node, CHILD]
            elif who == NOBODY:
                u = sign * tree.payoff[slot]
                break
            elif who == CHANCE:
                node = nodes[node, CHILD] + outcome(tree.chance, slot, count, draw(space.state))
            else:
                play(table, space, slot, count, depth, since)
                if since == NEVER:
                    for a in range(count):
                        table.average[slot + a] += sigma[depth, a]
                node = nodes[node, CHILD] + pick(sigma, depth, count, draw(space.state))
        while depth > 0:
            at = depth - 1
            action = frame[at, TAKEN]
            node = frame[at, HISTORY]
            value[at, action] = u
            action += 1
            count = nodes[node, COUNT]
            if action < count:
                frame[at, TAKEN] = action
                node = nodes[node, CHILD] + action
                break
            u = 0.0
            for a in range(count):
                u += sigma[at, a] * value[at, a]
            slot = nodes[node, DATA]
            keep_before(table, slot, count, walk)
            for a in range(count):
                learn(table.regret, slot + a, value[at, a] - u, way.floor)
            depth = at
        else:
            return touched


@exact_part
def learn(regret, slot, r, floor):
    """R += r, or max(0, R + r)."""
    total = regret[slot] + r
    regret[slot] = max(total, 0.0) if floor else total


@exact_part
def one_outcome(tree, table, space, way, player):
    """Outcome sampling: one history, then back along it.

    The learner takes action a with probability s[a] = explore/A + (1 - explore) sigma[a], the others theirs. With xi(h)
    the product of the learner's s before h, the weight of h is w = (reach of the others)/(probability to be sampled) =
    1/xi(h). The average of the opponent, who is on policy, grows by w sigma. On the way back (Schmid et al. 2019, eq. 8
    and 9; without baselines b = 0):

        u[a] = b[a] + (u - b[a])/s[a] for the sampled a, b[a] for the others
        R[a] += w (u[a] - sum_b sigma[b] u[b])  at the learner's,   then  b[a] += step (u - b[a])
    """
    nodes = tree.nodes
    frame, sigma, value, reach = space.frame, space.sigma, space.value, space.reach
    sign = 1.0 - 2.0 * player
    touched = 1
    depth = 0
    node = 0
    weight = 1.0
    while nodes[node, WHO] != NOBODY:
        who = nodes[node, WHO]
        count = nodes[node, COUNT]
        slot = nodes[node, DATA]
        if who == CHANCE:
            action = outcome(tree.chance, slot, count, draw(space.state))
        else:
            play(table, space, slot, count, depth, NEVER)
            reach[depth, WEIGHT] = weight
            if who == player:
                u = draw(space.state)
                if u < way.explore:
                    action = min(int(u / way.explore * count), count - 1)
                else:
                    action = pick(sigma, depth, count, draw(space.state))
                reach[depth, SAMPLED] = way.explore / count + (1.0 - way.explore) * sigma[depth, action]
                weight /= reach[depth, SAMPLED]
            else:
                for a in range(count):
                    table.average[slot + a] += weight * sigma[depth, a]
                action = pick(sigma, depth, count, draw(space.state))
                reach[depth, SAMPLED] = sigma[depth, action]
            frame[depth, HISTORY] = node
            frame[depth, TAKEN] = action
            depth += 1
        node = nodes[node, CHILD] + action
        touched += 1
    u = sign * tree.payoff[nodes[node, DATA]]
    for at in range(depth - 1, -1, -1):
        node = frame[at, HISTORY]
        action = frame[at, TAKEN]
        count = nodes[node, COUNT]
        slot = nodes[node, DATA]
        for a in range(count):
            value[at, a] = sign * table.baseline[slot + a] if way.step > 0.0 else 0.0
        base = value[at, action]
        value[at, action] = base + (u - base) / reach[at, SAMPLED]
        if way.step > 0.0:
            table.baseline[slot + action] += way.step * sign * (u - base)
        u = 0.0
        for a in range(count):
            u += sigma[at, a] * value[at, a]
        if nodes[node, WHO] == player:
            for a in range(count):
                learn(table.regret, slot + a, reach[at, WEIGHT] * (value[at, a] - u), way.floor)
    return touched


@exact_part
def over_chance(tree, table, space, way, player, walk):
    """Chance sampling: every action of both players below one outcome of each chance move.

    With x(h) and y(h) the learner's and the opponent's reach, R[a] += y (u[a] - sum_b sigma[b] u[b]) and the average
    += x sigma, summed over the histories of an infoset that the walk meets; the strategies stay as they were before.
    """
    nodes = tree.nodes
    frame, sigma, value, reach = space.frame, space.sigma, space.value, space.reach
    sign = 1.0 - 2.0 * player
    touched = 0
    infosets = 0
    depth = 0
    node = 0
    own = 1.0
    other = 1.0
    while True:
        while True:
            touched += 1
            who = nodes[node, WHO]
            count = nodes[node, COUNT]
            slot = nodes[node, DATA]
            if who == NOBODY:
                u = sign * tree.payoff[slot]
                break
            if who == CHANCE:
                node = nodes[node, CHILD] + outcome(tree.chance, slot, count, draw(space.state))
                continue
            play(table, space, slot, count, depth, NEVER)
            frame[depth, HISTORY] = node
            frame[depth, TAKEN] = 0
            reach[depth, OWN] = own
            reach[depth, OTHER] = other
            if who == player:
                if space.seen[slot] != walk:
                    space.seen[slot] = walk
                    space.met[infosets, SLOT] = slot
                    space.met[infosets, ACTIONS] = count
                    infosets += 1
                    for a in range(count):
                        space.instant[slot + a] = 0.0
                for a in range(count):
                    table.average[slot + a] += own * sigma[depth, a]
                own *= sigma[depth, 0]
            else:
                other *= sigma[depth, 0]
            depth += 1
            node = nodes[node, CHILD]
        while depth > 0:
            at = depth - 1
            node = frame[at, HISTORY]
            action = frame[at, TAKEN]
            mine = nodes[node, WHO] == player
            value[at, action] = u
            action += 1
            count = nodes[node, COUNT]
            if action < count:
                frame[at, TAKEN] = action
                own = reach[at, OWN] * sigma[at, action] if mine else reach[at, OWN]
                other = reach[at, OTHER] if mine else reach[at, OTHER] * sigma[at, action]
                node = nodes[node, CHILD] + action
                break
            u = 0.0
            for a in range(count):
                u += sigma[at, a] * value[at, a]
            if mine:
                slot = nodes[node, DATA]
                for a in range(count):
                    space.instant[slot + a] += reach[at, OTHER] * (value[at, a] - u)
            depth = at
        else:
            break
    for k in range(infosets):
        slot = space.met[k, SLOT]
        for a in range(space.met[k, ACTIONS]):
            learn(table.regret, slot + a, space.instant[slot + a], way.floor)
    return touched


@exact_part
def walked(tree, table, space, way, player, walk):
    """One walk for a player; returns the nodes touched. The number of the walk differs from that of the last one."""
    if way.kind == EXTERNAL:
        return external(tree, table, space, way, player, walk, NEVER)
    if way.kind == OUTCOME:
        return one_outcome(tree, table, space, way, player)
    return over_chance(tree, table, space, way, player, walk)


@exactly
def sample_many(tree, table, space, way, first, iterations, limit):
    """Iterations, a walk for each player, until so many nodes are touched; returns how many were made.

    `first` is the number of the first iteration, from 1. Regret against the last two plans takes a second walk.
    """
    for k in range(iterations):
        share = min(1.0, space.touched[0] / way.nodes)
        space.exponent[0] = way.first_exponent + (way.last_exponent - way.first_exponent) * share
        for player in range(2):
            walk = 2 * (first + k) + player
            if way.both_plans and first + k > 1:
                space.touched[0] += external(tree, table, space, way, player, walk, walk - 1)
            space.touched[0] += walked(tree, table, space, way, player, walk)
        if space.touched[0] >= limit:
            return k + 1
    return iterations


@exactly
def discount(table, positive, negative, average):
    """Multiply what was learnt: positive regret, negative regret, the average."""
    for slot in range(len(table.regret)):
        table.regret[slot] *= positive if table.regret[slot] > 0.0 else negative
        table.average[slot] *= average
