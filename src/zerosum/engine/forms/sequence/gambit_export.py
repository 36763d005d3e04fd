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

from zerosum.engine.forms.sequence.form_compiler import Progress, compile_game
from zerosum.engine.forms.sequence.infoset_names import name_infosets
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.games.catalogue import create_game
from zerosum.games.external.gambit_tokens import Heading, make_distinct
from zerosum.games.external_names import GAMBIT_SUFFIXES
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game
from zerosum.support.errors import ZerosumError
from zerosum.support.files import atomic_writer, check_writable
from zerosum.support.validation import as_path

MAX_HISTORIES = 2_000_000
MAX_STRATEGIES = 20_000
MAX_PAIRS = 2_000_000
NEAR = 1e-12
"""How far a simple fraction may be from what stands for it: as a share of a chance, or of the largest payoff."""
PLAYERS = ("Player 1", "Player 2")
SIMPLE = 1000
"""The largest denominator of a payoff that is written as a fraction."""
MAX_DIGITS = 2000
REFUSED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\$")
"""What Gambit takes in no label: control characters, halves of characters, and a backslash at the end."""


def write_gambit_file(game: str | Game, path: str | Path, progress: Progress | None = None) -> None:
    """Write a game to a Gambit file, completely or not at all; `zerosum.write_game` explains the arguments."""
    file = as_path(path)
    check_ending(file)
    check_writable(file)
    form = compile_game(create_game(game) if isinstance(game, str) else game, progress=progress)
    pieces = efg_lines(form) if file.suffix.lower() == ".efg" else nfg_lines(form)
    with atomic_writer(file) as out:
        for piece in pieces:
            out.write(piece.encode())


def check_ending(path: Path) -> None:
    """Refuse a name that says neither tree nor strategies."""
    if path.suffix.lower() not in GAMBIT_SUFFIXES:
        raise ZerosumError(f"cannot write a game to {path}: its name must end in .efg or .nfg")


def efg_lines(form: SequenceForm) -> Iterator[str]:
    """The lines of an .efg file."""
    game = form.rules
    assert game is not None
    if form.histories > MAX_HISTORIES:
        raise ZerosumError(f"{form.name} has {form.histories:,} histories: a file may have {MAX_HISTORIES:,}")
    names: dict[tuple[int, Hashable], tuple[int, str]] = {}
    listed = list(name_infosets(form))
    for player, treeplex in enumerate(form.treeplexes):
        names_of_player = make_distinct([gambit_label(text) for whose, _, text in listed if whose == player])
        for number, (infoset, text) in enumerate(zip(treeplex.infosets, names_of_player, strict=True)):
            names[player, infoset] = number + 1, text
    total = _sum(form)
    yield f'EFG 2 R {_heading(form)}\n""\n\n'
    waiting: list[Any] = [game.root()]
    chances = ends = 0
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == TERMINAL:
            ends += 1
            payoff = game.payoff(state)
            first, second = format_payoffs(payoff[0] if isinstance(payoff, tuple) else payoff, total)
            yield f't "" {ends} "" {{ {first}, {second} }}\n'
            continue
        if player == CHANCE:
            chances += 1
            outcomes = list(game.chances(state))
            shares = exact_fractions([chance for _, chance in outcomes])
            actions = [outcome for outcome, _ in outcomes]
            listing = " ".join(f"{_quoted(name)} {share}" for name, share in zip(_labels(actions), shares, strict=True))
            yield f'c "" {chances} "" {{ {listing} }} 0\n'
        else:
            assert player in (ONE, TWO)
            number, text = names[player, game.infoset(state)]
            actions = list(game.actions(state))
            listing = " ".join(map(_quoted, _labels(actions)))
            yield f'p "" {player + 1} {number} {_quoted(text)} {{ {listing} }} 0\n'
        waiting += [game.child(state, action) for action in reversed(actions)]


def nfg_lines(form: SequenceForm) -> Iterator[str]:
    """The lines of an .nfg file."""
    both = [pure_plans(treeplex, form.name) for treeplex in form.treeplexes]
    if len(both[0]) * len(both[1]) > MAX_PAIRS:
        raise ZerosumError(f"{form.name} has more than {MAX_PAIRS:,} pairs of strategies: write it as .efg")
    named = [" ".join(map(_quoted, _labels(name for name, _ in plans))) for plans in both]
    total = _sum(form)
    yield f'NFG 1 R {_heading(form)}\n\n{{ {{ {named[0]} }}\n{{ {named[1]} }} }}\n""\n\n'
    rows = np.array([plan for _, plan in both[0]])
    for _, plan in both[1]:
        worth = rows @ form.operators[0].times(plan, form.treeplexes[0].sequences)
        yield " ".join(" ".join(format_payoffs(form.shift + payoff, total)) for payoff in worth.tolist()) + "\n"


def pure_plans(treeplex: Treeplex, name: str) -> list[tuple[str, np.ndarray]]:
    """The pure plans of a player, each with the actions that it takes in the order of their infosets.

    >>> import zerosum
    >>> len(pure_plans(zerosum.compile_game(zerosum.game("kuhn")).treeplexes[0], "kuhn"))
    27
    """
    following: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent):
        following.setdefault(int(parent), []).append(infoset)
    plans_after: dict[int, list[tuple[int, ...]]] = {}
    for sequence in range(treeplex.sequences - 1, -1, -1):
        choices: list[list[tuple[int, ...]]] = []
        for infoset in following.get(sequence, []):
            choices.append([(int(after), *rest) for after in treeplex.of(infoset) for rest in plans_after[int(after)]])
        count = int(np.prod([float(len(plans)) for plans in choices]))
        if count > MAX_STRATEGIES:
            raise ZerosumError(f"{name} has more than {MAX_STRATEGIES:,} strategies of a player: write it as .efg")
        plans_after[sequence] = [tuple(sorted(sum(parts, ()))) for parts in product(*choices)]
    plans = []
    for taken in plans_after[0]:
        plan = np.zeros(treeplex.sequences)
        plan[[0, *taken]] = 1.0
        places = [(int(treeplex.owner[sequence]), sequence) for sequence in taken]
        words = [_action(treeplex, infoset, sequence) for infoset, sequence in sorted(places)]
        plans.append((" ".join(words) or "-", plan))
    return plans


def _action(treeplex: Treeplex, infoset: int, sequence: int) -> str:
    return str(treeplex.actions[infoset][treeplex.of(infoset).tolist().index(sequence)])


def exact_fractions(chances: list[float]) -> list[Fraction]:
    """Chances that sum to 1 exactly: as the simple fractions that they stand for, or else to their last digit.

    >>> [str(share) for share in exact_fractions([1 / 3, 1 / 3, 1 / 3])]
    ['1/3', '1/3', '1/3']
    >>> [str(share) for share in exact_fractions([0.25, 0.75])]
    ['1/4', '3/4']
    """
    simple = [Fraction(chance).limit_denominator(1_000_000) for chance in chances]
    near = all(abs(float(share) - chance) <= NEAR * chance for share, chance in zip(simple, chances, strict=True))
    if near and sum(simple) == 1:
        return simple
    exact = [Fraction(chance) for chance in chances]
    return [share / sum(exact) for share in exact]


def _sum(form: SequenceForm) -> Fraction:
    """What both payoffs are together: the simple fraction that it stands for, or else all digits of it."""
    total = 2 * form.shift
    simple = Fraction(total).limit_denominator(1_000_000)
    return (
        simple if abs(float(simple) - total) <= NEAR * max(abs(total), form.largest_payoff) else Fraction(repr(total))
    )


@lru_cache(maxsize=100_000)
def format_payoffs(payoff: float, total: Fraction) -> tuple[str, str]:
    """The first player's payoff and what it leaves of the sum: as Gambit reads them, they make it exactly.

    >>> format_payoffs(1 / 3, Fraction(7, 2)), format_payoffs(0.1, Fraction(0)), format_payoffs(1e-17, Fraction(1))
    (('1/3', '19/6'), ('0.1', '-0.1'), ('1e-17', '0.99999999999999999'))
    """
    first = Fraction(repr(float(payoff)))
    if first.denominator > SIMPLE:
        simple = Fraction(payoff).limit_denominator(SIMPLE)
        first = simple if float(simple) == payoff else first
    return _number(first), _number(total - first)


def _number(value: Fraction) -> str:
    """A number with all its digits: a decimal if there is one."""
    text = repr(float(value)).removesuffix(".0")
    if Fraction(text) == value:
        return text
    with localcontext(prec=MAX_DIGITS):
        decimal = Decimal(value.numerator) / value.denominator
    return str(decimal) if Fraction(decimal) == value else str(value)


def _heading(form: SequenceForm) -> str:
    """The title and the players: those of the file that it is from, if it is from one."""
    title, players = getattr(form.rules, "heading", None) or Heading(form.name, PLAYERS)
    return f"{_quoted(gambit_label(title))} {{ {' '.join(_quoted(gambit_label(player)) for player in players)} }}"


def gambit_label(text: Any) -> str:
    r"""A text without what Gambit refuses: white space is a single space, and codes stand for what no label may have.

    >>> print(gambit_label("a\tb \x07 \\"))
    a b \x07 \x5c
    """
    return REFUSED.sub(_code, " ".join(str(text).split()))


def _code(match: re.Match[str]) -> str:
    letter = ord(match[0])
    return f"\\u{letter:04x}" if letter > 0xFF else f"\\x{letter:02x}"


def _labels(names: Iterable[Any]) -> tuple[str, ...]:
    """The labels of actions or strategies; no two are the same."""
    return _distinct_labels(tuple(map(str, names)))


@lru_cache(maxsize=10_000)
def _distinct_labels(names: tuple[str, ...]) -> tuple[str, ...]:
    return make_distinct([gambit_label(name) for name in names])


def _quoted(text: str) -> str:
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
