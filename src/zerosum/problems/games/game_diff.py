"""Compare two strategies of a game, infoset by infoset: their mixes, how often it is reached, and its payoff."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.history_tree import DATA, PLAYER
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.problems.evaluation import EvaluationOptions
from zerosum.problems.games.strategy_profile import (
    InfosetIndex,
    as_game_strategy,
    build_strategy_arrays,
    describe_missing_infoset,
)
from zerosum.problems.problem import Problem, StageCallback
from zerosum.results.diff import Diff, DiffRow, DiffSettings, average_rows, rank_rows
from zerosum.results.strategy import Strategy, StrategySource
from zerosum.support.errors import ZerosumError


def compare_game_strategies(
    problem: Problem,
    first: StrategySource,
    second: StrategySource,
    settings: DiffSettings,
    notify: StageCallback | None,
) -> Diff:
    """Compare two strategies of a game; infosets that one of them lacks are taken from the other."""
    problem.check_view({"line": settings.line or None})
    for strategy in (first, second):
        problem.evaluation.check_can_evaluate(strategy, EvaluationOptions())
    pair = as_game_strategy(first), as_game_strategy(second)
    for strategy, other in (pair, pair[::-1]):
        if strategy.game is not None and other.game not in (None, strategy.game):
            raise ZerosumError(
                f"{strategy.source} is a strategy of {strategy.game} and {other.source} of {other.game}: "
                "compare strategies of one game"
            )
    return compare_on_form(problem.build_form(notify, sampled=True), pair, settings)


def compare_on_form(form: SequenceForm, pair: tuple[Strategy, Strategy], settings: DiffSettings) -> Diff:
    """Compare two strategies of a game in sequence form."""
    names = InfosetIndex(form)
    before, after = (build_strategy_arrays(names, strategy) for strategy in pair)
    notes = [*_fill_gaps(pair[0], before, after), *_fill_gaps(pair[1], after, before)]
    mentioned = [
        ~np.isnan(strategy[treeplex.first]) for strategy, treeplex in zip(before, form.treeplexes, strict=True)
    ]
    missing = int(sum((~infosets).sum() for infosets in mentioned))
    if missing:
        raise ZerosumError(describe_missing_infoset(names, pair[0], mentioned, missing).partition(";")[0])
    played = [compute_reach_and_values(form, strategies) for strategies in (before, after)]
    rows: list[DiffRow] = []
    for player, number, text in names.listed:
        treeplex = form.treeplexes[player]
        reach = float(min(side.reach[player][number] for side in played))
        if reach <= 0.0 or reach < (settings.min_reach or 0.0):
            continue
        sequences, actions = treeplex.sequences_of(number), [str(action) for action in treeplex.actions[number]]
        mixes = [strategies[player][sequences] for strategies in (before, after)]
        evs = [float(side.evs[player][number]) for side in played]
        rows.append(
            DiffRow(
                player=player + 1,
                place={"infoset": text},
                reach=reach,
                moved=float(np.abs(mixes[0] - mixes[1]).sum()) / 2,
                mix_a=dict(zip(actions, mixes[0].tolist(), strict=True)),
                mix_b=dict(zip(actions, mixes[1].tolist(), strict=True)),
                ev_a=evs[0],
                ev_b=evs[1],
                ev_moved=abs(evs[1] - evs[0]),
            )
        )
    if len(rows) < len(names.listed):
        rare = f"less often than {settings.min_reach:g}" if settings.min_reach else "never"
        notes.append(
            f"{len(names.listed) - len(rows):,} infosets are left out: one of the strategies reaches them {rare}"
        )
    return Diff(
        game=form.name,
        strategy_a=pair[0].source,
        strategy_b=pair[1].source,
        seats=("player 1", "player 2"),
        unit="",
        sort=settings.sort,
        values=tuple((side.value, 2 * form.shift - side.value) for side in played),  # type: ignore[arg-type]
        moved=average_rows(rows, "strategy"),
        ev_moved=average_rows(rows, "ev"),
        rows=rank_rows(rows, settings),
        notes=tuple(notes),
    )


def _fill_gaps(strategy: Strategy, arrays: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> list[str]:
    """Copy the infosets that a strategy lacks from the other one; return a note about it, if there are any."""
    gaps = 0
    for mine, theirs in zip(arrays, other, strict=True):
        missing = np.isnan(mine)
        missing[0] = False
        gaps += int(missing.any())
        mine[missing] = theirs[missing]
        mine[0] = 1.0
    return [f"{strategy.source} is incomplete: its gaps are filled from the other strategy"] if gaps else []


class ReachAndValues(NamedTuple):
    """The reach and the expected payoff of each infoset of both players under a pair of strategies."""

    reach: tuple[Floats, Floats]
    evs: tuple[Floats, Floats]
    value: float
    """The value for the first player."""


def compute_reach_and_values(form: SequenceForm, strategies: tuple[Floats, Floats]) -> ReachAndValues:
    """Return the reach and the expected payoff of each infoset.

    With r[h] the chance of a history h and u[h] what the player expects after it: reach[I] is the sum of r[h] over the
    histories of I, and ev[I] the sum of r[h] u[h], divided by it.

    >>> import zerosum
    >>> pennies = zerosum.compile_game(zerosum.game("matrix([[1, -1], [-1, 1]])"))
    >>> compute_reach_and_values(pennies, (np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.75, 0.25]))).evs
    (array([0.5]), array([-0.5]))
    """
    tree, slots = form.history_tree, form.slot_sequences
    nodes = tree.nodes
    assert slots is not None
    sigma = np.concatenate([strategy[number] for strategy, number in zip(strategies, slots, strict=True)])
    levels = tree.list_moves_by_level()
    reach, worth, chance = np.ones(len(nodes)), np.zeros(len(nodes)), np.ones(len(nodes))
    ends = nodes[:, PLAYER] == TERMINAL
    worth[ends] = tree.payoff[nodes[ends, DATA]]
    for parents, moves, children in levels:
        is_chance, data = nodes[parents, PLAYER] == CHANCE, nodes[parents, DATA]
        decided = sigma[np.where(is_chance, 0, data + moves)]
        chance[children] = np.where(is_chance, tree.find_chance_probabilities(parents, moves), decided)
        reach[children] = reach[parents] * chance[children]
    for parents, _, children in reversed(levels):
        np.add.at(worth, parents, chance[children] * worth[children])
    reaches: list[Floats] = []
    evs: list[Floats] = []
    for player, treeplex in enumerate(form.treeplexes):
        histories = np.flatnonzero(nodes[:, PLAYER] == player)
        infoset = treeplex.owner[slots[player][nodes[histories, DATA] - player * tree.n_slots[0]]]
        infoset_reach: Floats = np.bincount(infoset, reach[histories], len(treeplex.infosets)).astype(np.float64)
        earned = (1 - 2 * player) * np.bincount(infoset, reach[histories] * worth[histories], len(infoset_reach))
        reaches.append(infoset_reach)
        evs.append(
            np.divide(earned, infoset_reach, out=np.zeros(len(infoset_reach)), where=infoset_reach > 0) + form.shift
        )
    return ReachAndValues((reaches[0], reaches[1]), (evs[0], evs[1]), float(worth[0]) + form.shift)
