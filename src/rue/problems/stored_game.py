"""A game as saved runs hold it: the strategies at its infosets, and those of its locks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.forms.infoset_names import named_infosets
from rue.forms.payoffs import NO_PAYOFFS
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import plans_of, treeplexes_of
from rue.forms.treeplex import Floats
from rue.problems.fit import FREE, GivenSequences
from rue.problems.problem import Saved
from rue.results.result import Decision
from rue.solvers.given import given_sequences, laid_over, with_given


def saved_decisions(saved: Saved) -> tuple[Decision, ...]:
    """What is done at the infosets that the file names."""
    treeplexes = treeplexes_of(saved.arrays())
    form = SequenceForm(saved.header["numbers"]["name"], treeplexes, NO_PAYOFFS, 0.0)
    given = saved_given(saved)
    for player, (treeplex, own) in enumerate(zip(treeplexes, given, strict=True)):
        given_sequences(treeplex, own, player)
    averages = with_given(treeplexes, saved_averages(saved), given)
    return tuple(decisions_of(form, plans_of(treeplexes, averages), given))


def saved_averages(saved: Saved) -> list[NDArray[Any]]:
    """The accumulated averages of both players, a number for each sequence, whatever kind of run saved them."""
    if saved.kind != "slots":
        return [saved.array(f"{'sums' if saved.kind == 'boards' else 'average'}{player}") for player in (0, 1)]
    slots = saved.array("average")
    found = []
    for player in (0, 1):
        order = saved.array(f"order{player}")
        own, slots = slots[: len(order)], slots[len(order) :]
        if order.ndim != 1 or len(own) != len(order) or order.max(initial=0) >= len(order):
            raise ValueError("its strategies do not fit its infosets")
        found.append(np.zeros(len(order)))
        found[-1][order] = own
    return found


def saved_given(saved: Saved) -> GivenSequences:
    """The strategies of the locks of a saved run."""
    if not saved.header.get("locks"):
        return FREE
    arrays = saved.arrays()
    return arrays.get("given0"), arrays.get("given1")


def decisions_of(form: SequenceForm, plans: tuple[Floats, Floats], given: GivenSequences = FREE) -> list[Decision]:
    """What the plans of both players do at each infoset; what is given also where they never come."""
    reaches = [plan[treeplex.tree.parent] for treeplex, plan in zip(form.treeplexes, plans, strict=True)]
    sides = zip(form.treeplexes, plans, given, strict=True)
    strategies = [laid_over(treeplex.strategy(plan), own) for treeplex, plan, own in sides]
    found = []
    for player, number, text in named_infosets(form):
        treeplex = form.treeplexes[player]
        chances = strategies[player][treeplex.of(number)]
        actions = {str(a): float(p) for a, p in zip(treeplex.actions[number], chances, strict=True)}
        found.append(Decision(player + 1, text, float(reaches[player][number]), actions))
    return found
