"""Games written as Gambit's files: any small game as its tree, or by the strategies of its reduced strategic form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from rue.checked import as_path
from rue.disk import check_writable, replacing
from rue.errors import RueError
from rue.forms.compile import Progress, compile_game
from rue.forms.infoset_names import named_infosets
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Treeplex
from rue.games.catalogue import make
from rue.games.gambit_text import ENDINGS
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.names import names_spot

MOST_HISTORIES = 2_000_000
MOST_STRATEGIES = 20_000
MOST_PAIRS = 2_000_000
NEAR = 1e-12
"""How far a simple fraction may be from a chance that stands for it, as a share of the chance."""
PLAYERS = '{ "Player 1" "Player 2" }'


def write_game(game: str | Game, path: str | Path, progress: Progress | None = None) -> None:
    """Write a game to a file that Gambit reads, whole or not at all: .efg for its tree, .nfg for its strategies.

    The strategies of an .nfg file are those of the reduced strategic form: what a player does at the infosets that the
    own actions do not rule out. game: rules, or a name like `leduc(suits=3)`. progress: called now and then with the
    number of histories found. Chances are written as fractions that sum to 1 exactly, as Gambit wants them.

    >>> import pathlib, rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_game("coin-toss", f"{folder}/coin.efg")
    ...     rue.solve(f"{folder}/coin.efg", "lp").value == rue.solve("coin-toss", "lp").value
    True
    """
    file = as_path(path)
    check_ending(file)
    if isinstance(game, str) and names_spot(game):
        raise RueError(f"{game} is a hold'em spot, whose tree no file of Gambit's can hold")
    check_writable(file)
    form = compile_game(make(game) if isinstance(game, str) else game, progress=progress)
    pieces = tree_text(form) if file.suffix.lower() == ".efg" else strategies_text(form)
    with replacing(file) as out:
        for piece in pieces:
            out.write(piece.encode())


def check_ending(path: Path) -> None:
    """Refuse a name that says neither tree nor strategies."""
    if path.suffix.lower() not in ENDINGS:
        raise RueError(f"cannot write a game to {path}: its name must end in .efg or .nfg")


def tree_text(form: SequenceForm) -> Iterator[str]:
    """The lines of an .efg file."""
    game = form.rules
    assert game is not None
    if form.histories > MOST_HISTORIES:
        raise RueError(f"{form.name} has {form.histories:,} histories: a file may have {MOST_HISTORIES:,}")
    names: dict[tuple[int, Hashable], tuple[int, str]] = {}
    for player, number, text in named_infosets(form):
        names[player, form.treeplexes[player].infosets[number]] = number + 1, text
    yield f'EFG 2 R {_quoted(form.name)} {PLAYERS}\n""\n\n'
    waiting: list[Any] = [game.root()]
    chances = ends = 0
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == NOBODY:
            ends += 1
            one, two = _both(game.payoff(state))
            yield f't "" {ends} "" {{ {_number(one)}, {_number(two)} }}\n'
            continue
        if player == CHANCE:
            chances += 1
            outcomes = list(game.chances(state))
            shares = fractions([chance for _, chance in outcomes])
            told = " ".join(f"{_quoted(each[0])} {share}" for each, share in zip(outcomes, shares, strict=True))
            yield f'c "" {chances} "" {{ {told} }} 0\n'
            actions = [outcome for outcome, _ in outcomes]
        else:
            assert player in (ONE, TWO)
            number, text = names[player, game.infoset(state)]
            actions = list(game.actions(state))
            told = " ".join(_quoted(action) for action in actions)
            yield f'p "" {player + 1} {number} {_quoted(text)} {{ {told} }} 0\n'
        waiting += [game.child(state, action) for action in reversed(actions)]


def strategies_text(form: SequenceForm) -> Iterator[str]:
    """The lines of an .nfg file."""
    both = [pure_plans(treeplex, form.name) for treeplex in form.treeplexes]
    if len(both[0]) * len(both[1]) > MOST_PAIRS:
        raise RueError(f"{form.name} has more than {MOST_PAIRS:,} pairs of strategies: write it as .efg")
    named = [" ".join(_quoted(name) for name, _ in plans) for plans in both]
    yield f'NFG 1 R {_quoted(form.name)} {PLAYERS}\n\n{{ {{ {named[0]} }}\n{{ {named[1]} }} }}\n""\n\n'
    rows = np.array([plan for _, plan in both[0]])
    for _, plan in both[1]:
        worth = rows @ form.operators[0].times(plan, form.treeplexes[0].sequences)
        yield " ".join(f"{_number(form.shift + each)} {_number(form.shift - each)}" for each in worth) + "\n"


def pure_plans(treeplex: Treeplex, name: str) -> list[tuple[str, np.ndarray]]:
    """The pure plans of a player, each with the actions that it takes in the order of their infosets.

    >>> import rue
    >>> len(pure_plans(rue.compile_game(rue.game("kuhn")).treeplexes[0], "kuhn"))
    27
    """
    following: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent):
        following.setdefault(int(parent), []).append(infoset)
    known: dict[int, list[tuple[int, ...]]] = {}
    for sequence in range(treeplex.sequences - 1, -1, -1):
        choices: list[list[tuple[int, ...]]] = []
        for infoset in following.get(sequence, []):
            own = [(int(after), *rest) for after in treeplex.of(infoset) for rest in known[int(after)]]
            choices.append(own)
        count = int(np.prod([float(len(own)) for own in choices]))
        if count > MOST_STRATEGIES:
            raise RueError(f"{name} has more than {MOST_STRATEGIES:,} strategies of a player: write it as .efg")
        known[sequence] = [tuple(sorted(sum(each, ()))) for each in product(*choices)]
    found = []
    for taken in known[0]:
        plan = np.zeros(treeplex.sequences)
        plan[[0, *taken]] = 1.0
        places = [(int(treeplex.owner[sequence]), sequence) for sequence in taken]
        words = [_action(treeplex, infoset, sequence) for infoset, sequence in sorted(places)]
        found.append((" ".join(words) or "-", plan))
    return found


def _action(treeplex: Treeplex, infoset: int, sequence: int) -> str:
    return str(treeplex.actions[infoset][treeplex.of(infoset).tolist().index(sequence)])


def fractions(chances: list[float]) -> list[Fraction]:
    """Chances that sum to 1 exactly: as the simple fractions that they stand for, or else to their last digit.

    >>> [str(share) for share in fractions([1 / 3, 1 / 3, 1 / 3])], [str(share) for share in fractions([0.25, 0.75])]
    (['1/3', '1/3', '1/3'], ['1/4', '3/4'])
    """
    simple = [Fraction(chance).limit_denominator(1_000_000) for chance in chances]
    near = all(abs(float(share) - chance) <= NEAR * chance for share, chance in zip(simple, chances, strict=True))
    if near and sum(simple) == 1:
        return simple
    exact = [Fraction(chance) for chance in chances]
    return [share / sum(exact) for share in exact]


def _both(payoff: float | tuple[float, float]) -> tuple[float, float]:
    return payoff if isinstance(payoff, tuple) else (payoff, -payoff)


def _number(value: float) -> str:
    """A number with all its digits, and without the point of a whole one."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def _quoted(text: Any) -> str:
    told = " ".join(str(text).split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{told}"'
