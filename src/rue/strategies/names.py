"""What the infosets of a game are called wherever a strategy is written down."""

from __future__ import annotations

from collections.abc import Iterator

from rue.forms.sequence_form import SequenceForm
from rue.result import told_apart


def named_infosets(form: SequenceForm) -> Iterator[tuple[int, int, str]]:
    """Player (0 or 1), number and name of every infoset of a form; no two are called the same.

    >>> import rue
    >>> list(named_infosets(rue.compile_game(rue.game("coin-toss"))))
    [(0, 0, 'heads'), (0, 1, 'tails'), (1, 0, 'guess')]
    """
    taken: set[str] = set()
    for player, treeplex in enumerate(form.treeplexes):
        for number, infoset in enumerate(treeplex.infosets):
            yield player, number, told_apart(form.describe(infoset), player + 1, number, taken)
