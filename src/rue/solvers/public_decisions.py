"""The decisions of a place: the way down (strategy, reach, average) and the way up (value, regret, learning).

Each way exists twice, for learning and for judging the averages.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rue.forms.public_form import (
    BOARD,
    BUNDLE,
    CHOICES_BEGIN,
    CHOICES_END,
    ENTRIES,
    FIRST_DECISION,
    MOVER,
    ROWS,
    START,
    START_OF_ROWS,
)
from rue.native.compiled import apart, inlined, woven
from rue.regret.blocks import block
from rue.regret.match import regret_matching
from rue.regret.rule import (
    EXPONENTIAL,
    ITERATION,
    NEGATIVE,
    POSITIVE,
    PROJECTION,
    PROPAGATED,
    REGRET_MATCHING,
    SOFTMAX,
)
from rue.regret.update import update
from rue.regret.vectors import LANES, number
from rue.solvers.fused import drawn_backward, drawn_forward, fused_backward, fused_forward
from rue.solvers.learner import GUESS_MEAN, MEAN
from rue.solvers.public_rows import first_hand, width_of
from rue.solvers.public_space import FEWEST, MOST, STEPS, Store
from rue.solvers.walk import add_mean, centre, match_block, play_given


class Learning(NamedTuple):
    """What an update needs: both stores, whose turn it is, the rule and its numbers."""

    opponent: Store
    player: Store
    rule: Any
    now: Any
    """Coefficients of the iteration."""
    player_drawn: Any
    """Coefficients that the player's current strategy was drawn with."""
    opponent_drawn: Any
    keep: Any
    weight: Any
    steps: Any
    """The factors of step sizes: of each decision of each place, and of each hand of each board."""
    opponent_given: Any
    """The strategies that the opponent does not learn (`rue.solvers.given.GivenTables`)."""
    player_given: Any


class Judging(NamedTuple):
    """What an evaluation needs: the averages, and whether the player answers best or plays the average too."""

    opponent: Any
    player: Any
    best: Any
    own: Any
    """Whether the guess follows the player's own average at the same time."""
    opponent_given: Any
    player_given: Any


@apart
def update_block(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work):
    """`update`, compiled once for all its callers."""
    update(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work)


@woven
def step_row(form, place, decision, learning, width, work):
    """The step size of a decision, once for each hand."""
    row = work[STEPS, :width]
    if learning.rule.match == SOFTMAX or learning.rule.match == PROJECTION:
        before = form.places[place, FIRST_DECISION] - form.bundles[form.places[place, BUNDLE], CHOICES_BEGIN]
        step = learning.steps.decision[before + decision]
        start = first_hand(form.boards, form.places[place, BOARD], form.choices[decision, MOVER])
        for w in range(width):
            row[w] = step * learning.steps.hand[start + w]
    return row


@woven
def given_from(first, decision):
    """Where the strategy that is given at a decision begins among all that are given; -1 if there is none."""
    return first[decision] if len(first) > 0 else -1


@apart
def lay_given(given, begin, sigma):
    """Put a strategy that is given in the place of what was learned."""
    A, width = sigma.shape
    play_given(block(given.chance, begin, A, width), sigma)


@apart
def shares_of(sigma, mass, at, work):
    """The strategy that masses stand for, which may be 16-bit floats: regret matching, with a division a hand."""
    A, width = sigma.shape
    kind = work.dtype.type
    zero, one, share = kind(0.0), kind(1.0), kind(1.0 / A)
    factor, uniform = work[0], work[1]
    for w in range(width):
        factor[w] = zero
    for a in range(A):
        for w in range(width):
            own = kind(number(mass, at + a * width + w))
            own = own if own > zero else zero
            sigma[a, w] = own
            factor[w] += own
    for w in range(width):
        some = factor[w] > zero
        factor[w] = one / (factor[w] if some else one)
        uniform[w] = zero if some else share
    for a in range(A):
        for w in range(width):
            sigma[a, w] = sigma[a, w] * factor[w] + uniform[w]


@inlined
def draw(sigma, store, learning, drawn, at, steps, work):
    """Fill the strategy of a decision from its regret, unless it is kept."""
    if len(store.strategy) > 0:
        return
    A, width = sigma.shape
    regret = block(store.regret, at, A, width)
    if learning.rule.match == REGRET_MATCHING:
        regret_matching(sigma, regret, work)
    else:
        match_block(learning.rule, drawn, sigma, regret, regret, steps, work)


@apart
def forward(form, place, opponent, learning, reach, strategy, work):
    """The opponent's rows at a place, from row 0; the average grows by them."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width = width_of(form.boards, board, opponent)
    base = form.places[place, START + opponent] - form.bundles[bundle, ENTRIES] * width
    first_choice, last_choice = form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]
    before = form.places[place, FIRST_DECISION] - first_choice
    store, keep, weight = learning.opponent, learning.keep, learning.weight
    plain = learning.rule.match == REGRET_MATCHING and len(store.strategy) == 0
    salt = np.int32(2 * learning.now[ITERATION])
    for k in range(first_choice, last_choice):
        player, first, A, parent = form.choices[k]
        if player != opponent:
            continue
        at = base + first * width
        fixed = given_from(learning.opponent_given.first, before + k)
        if plain and FEWEST <= A <= MOST and fixed < 0 and width >= LANES:
            rows = at, reach, parent * width, first * width, width
            fused_forward(A, store.regret, store.average, *rows, keep, weight, salt)
            continue
        steps = step_row(form, place, k, learning, width, work)
        sigma = block(store.strategy, at, A, width) if len(store.strategy) > 0 else block(strategy, 0, A, width)
        draw(sigma, store, learning, learning.opponent_drawn, at, steps, work)
        if plain and (fixed >= 0 or width < LANES):
            shares_of(sigma, store.regret, at, work)
        if fixed >= 0:
            lay_given(learning.opponent_given, fixed, sigma)
        if learning.rule.accumulate == EXPONENTIAL:
            multiply(block(reach, first * width, A, width), block(reach, parent * width, 1, width)[0], sigma)
            continue
        rows = at, reach, parent * width, first * width
        if len(store.strategy) > 0:
            drawn_forward(sigma, store.strategy, store.average, *rows, keep, weight, salt)
        else:
            drawn_forward(sigma, store.regret, store.average, *rows, keep, weight, salt)


@woven
def multiply(rows, before, sigma):
    """rows = before * sigma."""
    A, width = rows.shape
    for a in range(A):
        for w in range(width):
            rows[a, w] = before[w] * sigma[a, w]


@apart
def prepare(form, place, player, learning, value, mine):
    """Add the last iteration's gradient if the rule wants it; follow the player's own reach if its average does."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width = width_of(form.boards, board, player)
    store = learning.player
    if learning.rule.both_plans:
        start = form.places[place, START_OF_ROWS + player]
        for k in range(form.bundles[bundle, ROWS + player] * width):
            now = value[k]
            value[k] += store.previous[start + k]
            store.previous[start + k] = now
    if learning.rule.accumulate == EXPONENTIAL:
        base = form.places[place, START + player] - form.bundles[bundle, ENTRIES] * width
        first_choice, last_choice = form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]
        before = form.places[place, FIRST_DECISION] - first_choice
        for k in range(first_choice, last_choice):
            mover, first, A, parent = form.choices[k]
            if mover == player:
                sigma = block(store.strategy, base + first * width, A, width)
                fixed = given_from(learning.player_given.first, before + k)
                if fixed >= 0:
                    lay_given(learning.player_given, fixed, sigma)
                multiply(block(mine, first * width, A, width), block(mine, parent * width, 1, width)[0], sigma)


@apart
def judge_prepare(form, place, player, judging, value, mine):
    """Nothing to add."""


@apart
def backward(form, place, player, learning, value, guess, mine, strategy, score, work):
    """The player's decisions at a place, last first: regret, learning, value passed up to the row before."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width = width_of(form.boards, board, player)
    base = form.places[place, START + player] - form.bundles[bundle, ENTRIES] * width
    first_choice, last_choice = form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]
    before = form.places[place, FIRST_DECISION] - first_choice
    store, rule, c = learning.player, learning.rule, learning.now
    stored = len(store.strategy) > 0
    plain = rule.match == REGRET_MATCHING and not stored and not rule.instant
    salt = np.int32(2 * c[ITERATION] + 1)
    extra = len(store.memory) // max(1, len(store.regret))
    mean, guess_mean = work[MEAN], work[GUESS_MEAN]
    for k in range(last_choice - 1, first_choice - 1, -1):
        mover, first, A, parent = form.choices[k]
        if mover != player:
            continue
        at = base + first * width
        fixed = given_from(learning.player_given.first, before + k)
        if plain and FEWEST <= A <= MOST and fixed < 0 and width >= LANES:
            factors = c[POSITIVE], c[NEGATIVE], rule.floor, salt
            fused_backward(A, store.regret, at, value, parent * width, first * width, width, *factors)
            continue
        steps = step_row(form, place, k, learning, width, work)
        sigma = block(store.strategy, at, A, width) if len(store.strategy) > 0 else block(strategy, 0, A, width)
        draw(sigma, store, learning, learning.player_drawn, at, steps, work)
        if plain and (fixed >= 0 or width < LANES):
            shares_of(sigma, store.regret, at, work)
        if fixed >= 0:
            lay_given(learning.player_given, fixed, sigma)
        if not stored and not rule.instant:
            factors = c[POSITIVE], c[NEGATIVE], rule.floor, salt
            drawn_backward(sigma, store.regret, at, value, parent * width, first * width, *factors)
            continue
        instant = block(value, first * width, A, width)
        regret = block(store.regret, at, A, width)
        centre(instant, sigma, mean)
        expected = block(guess, first * width, A, width)
        if rule.predict == PROPAGATED:
            centre(expected, sigma, guess_mean)
        weights = block(store.weight if rule.accumulate == EXPONENTIAL else store.regret, at, A, width)
        memory = block(store.memory, at * extra, extra * A, width)
        scores = block(score, 0, A, width)
        update_block(rule, c, instant, expected, regret, sigma, weights, steps, memory, scores, work)
        if fixed >= 0:
            lay_given(learning.player_given, fixed, sigma)
        if rule.accumulate == EXPONENTIAL:
            average = block(store.average, at, A, width)
            rows = block(mine, first * width, A, width)
            for a in range(A):
                for w in range(width):
                    part = learning.weight * weights[a, w] * rows[a, w]
                    average[a, w] = learning.keep * average[a, w] + part
        if rule.instant:
            add_mean(instant, sigma, mean)
        add_row(value, parent, width, mean)
        if rule.predict == PROPAGATED:
            add_mean(expected, sigma, guess_mean)
            add_row(guess, parent, width, guess_mean)


@inlined
def add_row(rows, row, width, values):
    """Add values to a row of hands."""
    target = block(rows, row * width, 1, width)[0]
    for w in range(width):
        target[w] += values[w]


@apart
def judge_forward(form, place, opponent, judging, reach, strategy, work):
    """The opponent's rows under its average strategy."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width = width_of(form.boards, board, opponent)
    base = form.places[place, START + opponent] - form.bundles[bundle, ENTRIES] * width
    first_choice, last_choice = form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]
    before = form.places[place, FIRST_DECISION] - first_choice
    for k in range(first_choice, last_choice):
        player, first, A, parent = form.choices[k]
        if player == opponent:
            sigma = block(strategy, 0, A, width)
            shares_of(sigma, judging.opponent, base + first * width, work)
            fixed = given_from(judging.opponent_given.first, before + k)
            if fixed >= 0:
                lay_given(judging.opponent_given, fixed, sigma)
            for a in range(A):
                for w in range(width):
                    reach[(first + a) * width + w] = reach[parent * width + w] * sigma[a, w]


@apart
def best_actions(rows, sigma):
    """The strategy that takes the best action."""
    A, width = rows.shape
    for w in range(width):
        best = 0
        for a in range(1, A):
            best = a if rows[a, w] > rows[best, w] else best
        for a in range(A):
            sigma[a, w] = 1.0 if a == best else 0.0


@apart
def judge_backward(form, place, player, judging, value, guess, mine, strategy, score, work):
    """The value of a best response, or of the player's own average strategy; or both, the latter in the guess."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width = width_of(form.boards, board, player)
    base = form.places[place, START + player] - form.bundles[bundle, ENTRIES] * width
    first_choice, last_choice = form.bundles[bundle, CHOICES_BEGIN], form.bundles[bundle, CHOICES_END]
    before = form.places[place, FIRST_DECISION] - first_choice
    for k in range(last_choice - 1, first_choice - 1, -1):
        mover, first, A, parent = form.choices[k]
        if mover != player:
            continue
        rows = block(value, first * width, A, width)
        fixed = given_from(judging.player_given.first, before + k)
        sigma = block(strategy, 0, A, width)
        if judging.own or not judging.best:
            shares_of(sigma, judging.player, base + first * width, work)
            if fixed >= 0:
                lay_given(judging.player_given, fixed, sigma)
            add_played(block(guess, first * width, A, width), sigma, block(guess, parent * width, 1, width)[0])
        if judging.best and fixed < 0:
            add_best(rows, block(value, parent * width, 1, width)[0])
        elif judging.best:
            best_actions(rows, sigma)
            lay_given(judging.player_given, fixed, sigma)
            add_played(rows, sigma, block(value, parent * width, 1, width)[0])


@inlined
def add_played(rows, sigma, target):
    """Add what a strategy earns to the row before."""
    A, width = rows.shape
    for a in range(A):
        for w in range(width):
            target[w] += sigma[a, w] * rows[a, w]


@inlined
def add_best(rows, target):
    """Add what the best action earns to the row before."""
    A, width = rows.shape
    for w in range(width):
        best = rows[0, w]
        for a in range(1, A):
            best = max(best, rows[a, w])
        target[w] += best
