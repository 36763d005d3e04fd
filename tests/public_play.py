"""A card game in both forms, infoset by infoset: what the tests of the public form share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

import rue
from rue.forms.public_tree import Board, Choice, PublicTree
from rue.forms.sequence_form import SequenceForm
from rue.solve.public_solver import PublicSolver

Line = tuple[str, ...]


class Place(NamedTuple):
    """Where a decision is stored: its first action begins at `first`, and each action has `width` hands."""

    first: int
    width: int

    def row(self, action: int) -> slice:
        """The hands of an action."""
        return slice(self.first + action * self.width, self.first + (action + 1) * self.width)


def decisions(tree: PublicTree) -> Iterator[tuple[Place, Choice, Board, Line]]:
    """Every decision on every board, with the betting up to it as the games write it."""
    form = tree.form

    def visit(place: int, before: list[Line]) -> Iterator[Any]:
        bundle, board = tree.bundles[form.places[place, 0]], tree.boards[form.places[place, 1]]
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                width = len(board.hands[choice.player])
                row = bundle.row(member, choice.player, choice.first) - bundle.entries
                first = int(form.places[place, 2 + choice.player]) + row * width
                yield Place(first, width), choice, board, (*before[member], *choice.line)
        following, ends = int(form.places[place, 4]), bundle.ends()
        for _ in board.children:
            for numbers, _ in bundle.following():
                lines = [(*before[bundle.member(number)], *ends[number][0].line, "/") for number in numbers]
                yield from visit(following, lines)
                following += 1

    return visit(0, [()])


class Both:
    """A game in both forms and the place of each sequence of the general form in the store of the public one."""

    def __init__(self, form: SequenceForm, tree: PublicTree, name: Callable[[int, Board, Line], Hashable]) -> None:
        """`name` is the general form's infoset of a hand, a board and the betting so far."""
        self.form, self.tree = form, tree
        self.stored = tuple(np.full(treeplex.sequences, -1) for treeplex in form.treeplexes)
        for place, choice, board, line in decisions(tree):
            player, treeplex = choice.player, form.treeplexes[choice.player]
            for w, hand in enumerate(board.hands[player]):
                infoset = treeplex.index.get(name(int(hand), board, line))
                if infoset is None:  # a hand that can meet none of the other player's
                    continue
                assert treeplex.actions[infoset] == choice.actions
                self.stored[player][treeplex.of(infoset)] = (
                    place.first + w + place.width * np.arange(len(choice.actions))
                )

    def strategies(self, seed: int) -> tuple[Any, Any]:
        """Random play."""
        generator = np.random.default_rng(seed)
        one, two = (t.strategy(generator.exponential(size=t.sequences)) for t in self.form.treeplexes)
        return one, two

    def solver(self, algorithm: str, horizon: int = 50, threads: int = 1) -> PublicSolver:
        return PublicSolver(self.tree, rue.algorithm(algorithm), horizon, threads, np.float64)

    def public(self, player: int, values: Any) -> Any:
        """Values of the general form as the public form stores them."""
        stored = np.zeros(self.tree.store[player])
        stored[self.stored[player][1:]] = values[1:]
        return stored

    def general(self, player: int, values: Any) -> Any:
        """Values of the public form's store as the general form has them, without the empty sequence."""
        return values[self.stored[player][1:]]


def counterfactual_values(treeplex: Any, gradient: Any, strategy: Any) -> Any:
    """q of every action, bottom-up."""
    value = gradient.copy()
    for start, actions, width, infoset in treeplex.tree.blocks[::-1]:
        block = slice(start, start + actions * width)
        mean = (value[block] * strategy[block]).reshape(actions, width).sum(axis=0)
        np.add.at(value, treeplex.tree.parent[infoset : infoset + width], mean)
    return value


def instantaneous_regret(treeplex: Any, gradient: Any, strategy: Any) -> Any:
    """q - v of every action."""
    value = counterfactual_values(treeplex, gradient, strategy)
    for start, actions, width, _ in treeplex.tree.blocks:
        block = slice(start, start + actions * width)
        mean = (value[block] * strategy[block]).reshape(actions, width).sum(axis=0)
        value[block] -= np.tile(mean, actions)
    return value
