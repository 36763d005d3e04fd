"""What the infosets of a game are called wherever a strategy is written down."""

from __future__ import annotations

from collections.abc import Iterator

from rue.forms.sequence_form import SequenceForm


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


def told_apart(infoset: str, player: int, number: int, taken: set[str]) -> str:
    """What an infoset is called where no two may be called the same; `taken` are the names so far.

    >>> taken = {"guess"}
    >>> told_apart("guess", 2, 7, taken), told_apart("guess", 2, 8, taken)
    ('player 2: guess', 'player 2: guess #8')
    """
    text = infoset
    if text in taken:
        text = f"player {player}: {infoset}"
    if text in taken:
        text = f"{text} #{number}"
    taken.add(text)
    return text
