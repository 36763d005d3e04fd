"""The step sizes of Hedge and FTRL on a card game in public form: one number for each decision of each place.

The same formulas as in `rue.solve.steps`. They do not depend on the hand: whatever a player holds, as many cards may
come and as many decisions follow.
"""

from __future__ import annotations

import math

import numpy as np

from rue.algorithms.choices import Algorithm, Anytime, Projection, Theory
from rue.forms.public_tree import DEAL, NO_CARD, Board, Floats, PublicTree, Round


def public_steps(algorithm: Algorithm, tree: PublicTree, n: int) -> Floats:
    """A factor for each decision of each place, in the order of the form's tables; ones where there are no steps."""
    form = tree.form
    spans = form.bundles[form.places[:, 0], 2:4]
    steps = algorithm.steps
    if not isinstance(steps, Anytime | Theory):
        return np.ones(int((spans[:, 1] - spans[:, 0]).sum()))
    actions = np.concatenate([form.choices[first:last, 2] for first, last in spans]).astype(np.float64)
    if isinstance(steps, Anytime):
        return np.asarray(np.sqrt(8.0 * np.log(actions)) / (2.0 * tree.largest_payoff))
    kappa = n**-0.25 if steps.kappa is None else steps.kappa
    factor = 1.0 if steps.factor is None else steps.factor
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    return np.asarray(factor * _stability(tree, kappa) / (3.0 * norm * tree.largest_payoff))


def _cards(board: Board) -> int:
    """How many cards may come, as a player sees it."""
    own = 1 if len(board.cards[0]) and board.cards[0][0, 1] == NO_CARD else 2
    return sum(len(child.sources) for child in board.children) - own


class _Norms:
    """B^2 of spcfr eq. 16: how far plans of what follows a row reach."""

    def __init__(self) -> None:
        self.known: dict[tuple[Round, int, int], float] = {}

    def row(self, betting: Round, board: Board, player: int, row: int) -> float:
        """The sum over the decisions that follow a row."""
        key = betting, player, row
        if key not in self.known:
            here = sum(
                1.0 + max(self.row(betting, board, player, c.first + a) for a in range(len(c.actions)))
                for c in betting.choices
                if c.player == player and c.parent == row
            )
            for end in betting.ends:
                if end.kind == DEAL and end.rows[player] == row and end.following is not None:
                    here += _cards(board) * self.row(end.following, board.children[0], player, 0)
            self.known[key] = here
        return self.known[key]


def _following(betting: Round, board: Board, player: int, row: int) -> int:
    """How many decisions of the player come next after a row."""
    here = sum(c.player == player and c.parent == row for c in betting.choices)
    for end in betting.ends:
        if end.kind == DEAL and end.rows[player] == row and end.following is not None:
            here += _cards(board) * _following(end.following, board.children[0], player, 0)
    return here


def _stability(tree: PublicTree, kappa: float) -> Floats:
    """kappa_j = gamma_j / (2 sqrt(n_j) B_j) for each decision of each place."""
    form, bundles, boards = tree.form, tree.bundles, tree.boards
    norms = _Norms()
    result: list[float] = []
    entering: dict[int, list[list[tuple[float, int]]]] = {
        0: [
            [(kappa, len(tree.board.hands[player]) * _following(tree.first, tree.board, player, 0))]
            for player in (0, 1)
        ]
    }
    for place, (number, board_number, _, _, children) in enumerate(form.places[:, :5]):
        bundle, board = bundles[number], boards[board_number]
        into = entering.pop(place)
        rows: list[dict[int, tuple[float, int]]] = [dict(enumerate(into[player])) for player in (0, 1)]
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                player, count = choice.player, len(choice.actions)
                above, beside = rows[player][bundle.row(member, player, choice.parent)]
                gamma = above / math.sqrt(beside)
                reach = 1.0
                for action in range(count):
                    row = choice.first + action
                    after = _following(betting, board, player, row)
                    rows[player][bundle.row(member, player, row)] = gamma / (2.0 * math.sqrt(count)), after
                    reach = max(reach, 1.0 + norms.row(betting, board, player, row))
                result.append(gamma / (2.0 * math.sqrt(count) * math.sqrt(reach)))
        ends, groups = bundle.ends(), bundle.following()
        for card in range(len(board.children)):
            for group, (numbers, _) in enumerate(groups):
                entering[int(children) + card * len(groups) + group] = [
                    [rows[player][ends[end][1][player]] for end in numbers] for player in (0, 1)
                ]
    return np.array(result)
