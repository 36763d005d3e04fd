"""Games written as Gambit's files: any small game as its tree, or by the strategies of its reduced strategic form."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
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
from rue.games.gambit_text import ENDINGS, Heading, distinct
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.names import names_spot

MOST_HISTORIES = 2_000_000
MOST_STRATEGIES = 20_000
MOST_PAIRS = 2_000_000
NEAR = 1e-12
"""How far a simple fraction may be from what stands for it: as a share of a chance, or of the largest payoff."""
PLAYERS = ("Player 1", "Player 2")
SIMPLE = 1000
"""The largest denominator of a payoff that is written as a fraction."""
MOST_DIGITS = 2000
REFUSED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\$")
"""What Gambit takes in no label: control characters, halves of characters, and a backslash at the end."""


def write_game(game: str | Game, path: str | Path, progress: Progress | None = None) -> None:
    """Write a game to a file that Gambit reads, whole or not at all: .efg for its tree, .nfg for its strategies.

    The strategies of an .nfg file are those of the reduced strategic form: what a player does at the infosets that the
    own actions do not rule out. game: rules, or a name like `leduc(suits=3)`. progress: called now and then with the
    number of histories found. Chances are written as fractions that sum to 1 exactly, as Gambit wants them, and the
    payoffs of both players so that their sum is the same everywhere.

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
    listed = list(named_infosets(form))
    for player, treeplex in enumerate(form.treeplexes):
        own = distinct([label(text) for whose, _, text in listed if whose == player])
        for number, (infoset, text) in enumerate(zip(treeplex.infosets, own, strict=True)):
            names[player, infoset] = number + 1, text
    total = _sum(form)
    yield f'EFG 2 R {_heading(form)}\n""\n\n'
    waiting: list[Any] = [game.root()]
    chances = ends = 0
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == NOBODY:
            ends += 1
            payoff = game.payoff(state)
            one, two = payoffs_told(payoff[0] if isinstance(payoff, tuple) else payoff, total)
            yield f't "" {ends} "" {{ {one}, {two} }}\n'
            continue
        if player == CHANCE:
            chances += 1
            outcomes = list(game.chances(state))
            shares = fractions([chance for _, chance in outcomes])
            actions = [outcome for outcome, _ in outcomes]
            told = " ".join(f"{_quoted(name)} {share}" for name, share in zip(_labels(actions), shares, strict=True))
            yield f'c "" {chances} "" {{ {told} }} 0\n'
        else:
            assert player in (ONE, TWO)
            number, text = names[player, game.infoset(state)]
            actions = list(game.actions(state))
            told = " ".join(map(_quoted, _labels(actions)))
            yield f'p "" {player + 1} {number} {_quoted(text)} {{ {told} }} 0\n'
        waiting += [game.child(state, action) for action in reversed(actions)]


def strategies_text(form: SequenceForm) -> Iterator[str]:
    """The lines of an .nfg file."""
    both = [pure_plans(treeplex, form.name) for treeplex in form.treeplexes]
    if len(both[0]) * len(both[1]) > MOST_PAIRS:
        raise RueError(f"{form.name} has more than {MOST_PAIRS:,} pairs of strategies: write it as .efg")
    named = [" ".join(map(_quoted, _labels(name for name, _ in plans))) for plans in both]
    total = _sum(form)
    yield f'NFG 1 R {_heading(form)}\n\n{{ {{ {named[0]} }}\n{{ {named[1]} }} }}\n""\n\n'
    rows = np.array([plan for _, plan in both[0]])
    for _, plan in both[1]:
        worth = rows @ form.operators[0].times(plan, form.treeplexes[0].sequences)
        yield " ".join(" ".join(payoffs_told(form.shift + each, total)) for each in worth.tolist()) + "\n"


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


def _sum(form: SequenceForm) -> Fraction:
    """What both payoffs are together: the simple fraction that it stands for, or else all digits of it."""
    told = 2 * form.shift
    simple = Fraction(told).limit_denominator(1_000_000)
    return simple if abs(float(simple) - told) <= NEAR * max(abs(told), form.largest_payoff) else Fraction(repr(told))


@lru_cache(maxsize=100_000)
def payoffs_told(payoff: float, total: Fraction) -> tuple[str, str]:
    """The first player's payoff and what it leaves of the sum: as Gambit reads them, they make it exactly.

    >>> payoffs_told(1 / 3, Fraction(7, 2)), payoffs_told(0.1, Fraction(0)), payoffs_told(1e-17, Fraction(1))
    (('1/3', '19/6'), ('0.1', '-0.1'), ('1e-17', '0.99999999999999999'))
    """
    one = Fraction(repr(float(payoff)))
    if one.denominator > SIMPLE:
        simple = Fraction(payoff).limit_denominator(SIMPLE)
        one = simple if float(simple) == payoff else one
    return _number(one), _number(total - one)


def _number(value: Fraction) -> str:
    """A number with all its digits: a decimal if there is one."""
    text = repr(float(value)).removesuffix(".0")
    if Fraction(text) == value:
        return text
    with localcontext(prec=MOST_DIGITS):
        decimal = Decimal(value.numerator) / value.denominator
    return str(decimal) if Fraction(decimal) == value else str(value)


def _heading(form: SequenceForm) -> str:
    """The title and the players: those of the file that it is from, if it is from one."""
    title, players = getattr(form.rules, "heading", None) or Heading(form.name, PLAYERS)
    return f"{_quoted(label(title))} {{ {' '.join(_quoted(label(player)) for player in players)} }}"


def label(text: Any) -> str:
    r"""A text without what Gambit refuses: white space is a single space, and codes stand for what no label may have.

    >>> print(label("a\tb \x07 \\"))
    a b \x07 \x5c
    """
    return REFUSED.sub(_code, " ".join(str(text).split()))


def _code(found: re.Match[str]) -> str:
    letter = ord(found[0])
    return f"\\u{letter:04x}" if letter > 0xFF else f"\\x{letter:02x}"


def _labels(names: Iterable[Any]) -> tuple[str, ...]:
    """The labels of actions or strategies; no two are the same."""
    return _distinct_labels(tuple(map(str, names)))


@lru_cache(maxsize=10_000)
def _distinct_labels(names: tuple[str, ...]) -> tuple[str, ...]:
    return distinct([label(name) for name in names])


def _quoted(text: str) -> str:
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
