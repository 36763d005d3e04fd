"""Unique names of the infosets of a game."""

from __future__ import annotations

from collections.abc import Iterator

from zerosum.engine.forms.sequence.sequence_form import SequenceForm


def name_infosets(form: SequenceForm) -> Iterator[tuple[int, int, str]]:
    """Player (0 or 1), number and name of every infoset of a form; all names are different.

    >>> import zerosum
    >>> list(name_infosets(zerosum.compile_game(zerosum.game("coin-toss"))))
    [(0, 0, 'heads'), (0, 1, 'tails'), (1, 0, 'guess')]
    """
    taken: set[str] = set()
    for player, treeplex in enumerate(form.treeplexes):
        for number, infoset in enumerate(treeplex.infosets):
            yield player, number, unique_name(form.describe(infoset), player + 1, number, taken)


def unique_name(infoset: str, player: int, number: int, taken: set[str]) -> str:
    """Return a unique name of an infoset and add it to the names `taken` so far.

    >>> taken = {"guess"}
    >>> unique_name("guess", 2, 7, taken), unique_name("guess", 2, 8, taken)
    ('player 2: guess', 'player 2: guess #8')
    """
    text = infoset
    if text in taken:
        text = f"player {player}: {infoset}"
    if text in taken:
        text = f"{text} #{number}"
    taken.add(text)
    return text
