"""Walks with dealt hands: compiled. Two hands and the public cards are drawn, then the betting is walked for them.

External sampling (Lanctot et al. 2009, algorithm 1): the player who learns takes every action, the opponent's actions
are drawn. What a decision is worth comes back from the last one up:

    v[I] = sum over a of sigma[a] v[I, a]          R[I, a] += v[I, a] - v[I]

The chance of the deal and of the opponent's actions is the chance with which they are drawn, so no weight is left.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rue.forms.dealt import ALLIN_HERE, OUTCOMES, SHOWN
from rue.regret.compiled import compiled, inlined, part, woven

GOLDEN, FIRST_MIX, SECOND_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
UNIT = 2.0**-53


class Scratch(NamedTuple):
    """What a walk writes on."""

    random: Any
    """The state of the generator."""
    queue: Any
    """The learner's decisions as they are met: choice, place, the learner's and the opponent's start, slot above."""
    values: Any
    outcomes: Any
    """What each kind of end pays for the deal, for an amount of 1."""
    hands: Any
    """The place of both hands on each level."""
    steps: Any
    """Which child of the board came on each level."""


@woven
def uniform(random):
    """A number of [0, 1) with 53 bits (splitmix64)."""
    random[0] += GOLDEN
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * FIRST_MIX
    z = (z ^ (z >> np.uint64(27))) * SECOND_MIX
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * UNIT


@woven
def draw_hand(random, chance, alias, first, count):
    """A hand by the alias method: one uniform number gives the place and the coin."""
    x = uniform(random) * count
    k = np.int64(x)
    return k if x - k < chance[first + k] else np.int64(alias[first + k])


@woven
def start_of(places, place, player, hand):
    """Where the rows of a hand begin in the store."""
    return places[place, 2 + 2 * player] + hand * places[place, 3 + 2 * player]


@compiled
def walk_external(dealt, regret, average, floor, scratch, iterations):
    """One traversal of external sampling for a player; returns the nodes touched."""
    choices, after, ends, amounts = dealt.choices, dealt.after, dealt.ends, dealt.amounts
    boards, children, arrivals, arrival = dealt.boards, dealt.children, dealt.arrivals, dealt.arrival
    compare, equity, places = dealt.compare, dealt.equity, dealt.places
    chances, aliases, cards = dealt.chances, dealt.aliases, dealt.cards
    random, queue, values, hands = scratch.random, scratch.queue, scratch.values, scratch.hands
    outcomes, steps = scratch.outcomes, scratch.steps
    base = len(outcomes)
    nothing = regret.dtype.type(0.0)
    nodes = 0
    for traversal in range(2 * iterations):
        player = traversal % 2
        while True:
            one = draw_hand(random, chances, aliases, 0, boards[0, 1])
            two = draw_hand(random, chances, aliases, boards[0, 1], boards[0, 2])
            if cards[one] & cards[boards[0, 1] + two] == 0:
                break
        hands[0, 0], hands[0, 1] = one, two
        board, level = np.int64(0), 0
        while boards[board, 6] > 0:
            while True:
                card = boards[board, 5] + np.int64(uniform(random) * boards[board, 6])
                after_one = arrival[arrivals[card, 0] + one]
                after_two = arrival[arrivals[card, 1] + two]
                if after_one >= 0 and after_two >= 0:
                    break
            if boards[board, 7] >= 0:
                pair = boards[board, 7] + one * boards[board, 2] + two
                outcomes[level * OUTCOMES + ALLIN_HERE] = equity[pair]
            child = np.int64(children[card])
            steps[level] = child - boards[board, 4]
            board, level, one, two = child, level + 1, np.int64(after_one), np.int64(after_two)
            hands[level, 0], hands[level, 1] = one, two
        start = boards[board, 0] + one
        shown = np.float64((two < compare[start, 0]) * 1 - (two >= compare[start, 1]) * 1)
        for k in range(0, base, OUTCOMES):
            outcomes[k + SHOWN] = shown
        for k in range(base):
            values[k] = outcomes[k] if player == 0 else -outcomes[k]
        queue[0, 0], queue[0, 1] = len(choices) - 1, 0
        queue[0, 2] = start_of(places, 0, player, hands[0, player])
        queue[0, 3] = start_of(places, 0, 1 - player, hands[0, 1 - player])
        count, k = 1, 0
        nodes += 1
        slots = base
        while k < count:
            actions, at = np.int64(choices[queue[k, 0], 2]), np.int64(choices[queue[k, 0], 3])
            for a in range(actions):
                node = np.int64(after[at + a])
                place, mine, theirs = queue[k, 1], queue[k, 2], queue[k, 3]
                while True:
                    nodes += 1
                    if node < 0:
                        end = -1 - node
                        kind = ends[end, 0]
                        if kind >= 0:
                            values[slots] = amounts[end] * values[kind]
                            break
                        level = boards[places[place, 0], 3]
                        place = places[place, 1] + steps[level] * ends[end, 1] + ends[end, 2]
                        mine = start_of(places, place, player, hands[level + 1, player])
                        theirs = start_of(places, place, 1 - player, hands[level + 1, 1 - player])
                        node = np.int64(ends[end, 3])
                    elif choices[node, 0] == player:
                        queue[count, 0], queue[count, 1], queue[count, 2], queue[count, 3] = node, place, mine, theirs
                        queue[count, 4] = slots
                        count += 1
                        break
                    else:
                        A = np.int64(choices[node, 2])
                        first = theirs + choices[node, 1]
                        total = nothing
                        for b in range(A):
                            total += max(regret[first + b], nothing)
                        lift = regret.dtype.type(0.0 if total > 0.0 else 1.0)
                        total = total if total > 0.0 else regret.dtype.type(A)
                        x = regret.dtype.type(uniform(random)) * total
                        share = regret.dtype.type(1.0) / total
                        chosen = 0
                        cumulative = nothing
                        for b in range(A):
                            p = max(regret[first + b], nothing) + lift
                            average[first + b] += p * share
                            cumulative += p
                            chosen += x >= cumulative
                        node = np.int64(after[choices[node, 3] + min(chosen, A - 1)])
                slots += 1
            k += 1
        # backwards
        slot = slots
        for k in range(count - 1, 0, -1):
            node = queue[k, 0]
            A = np.int64(choices[node, 2])
            slot -= A
            first = queue[k, 2] + choices[node, 1]
            total, value = 0.0, 0.0
            plain = 0.0
            for a in range(A):
                p = max(np.float64(regret[first + a]), 0.0)
                total += p
                value += p * values[slot + a]
                plain += values[slot + a]
            value = value / total if total > 0.0 else plain / A
            for a in range(A):
                new = regret[first + a] + regret.dtype.type(values[slot + a] - value)
                regret[first + a] = max(new, nothing) if floor else new
            values[queue[k, 4]] = value
    return nodes
