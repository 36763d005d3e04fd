"""Writing a small game as a Gambit file: its tree (.efg), or the strategies of its reduced strategic form (.nfg)."""

from __future__ import annotations

import math
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
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, name_infosets
from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.games.catalogue import GAMBIT_SUFFIXES, create_game
from zerosum.games.external.gambit_tokens import Heading, make_names_distinct
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game
from zerosum.support.errors import ZerosumError
from zerosum.support.files import atomic_writer, check_writable
from zerosum.support.validation import as_path

MAX_HISTORIES = 2_000_000
MAX_STRATEGIES = 20_000
MAX_PAIRS = 2_000_000
NEAR = 1e-12
"""The largest error of a simple fraction, as a share of a probability or of the largest payoff."""
PLAYERS = ("Player 1", "Player 2")
SIMPLE = 1000
"""The largest denominator of a payoff that is written as a fraction."""
MAX_DIGITS = 2000
REFUSED = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\$")
"""Matches what no label may contain: control characters, halves of surrogate pairs, and a backslash at the end."""


def write_gambit_file(game: str | Game, path: str | Path, progress: Progress | None = None) -> None:
    """Write a game to a Gambit file, completely or not at all; `zerosum.write_game` explains the arguments."""
    file = as_path(path)
    check_suffix(file)
    check_writable(file)
    form = compile_game(create_game(game) if isinstance(game, str) else game, progress=progress)
    pieces = iterate_efg_lines(form) if file.suffix.lower() == ".efg" else iterate_nfg_lines(form)
    with atomic_writer(file) as out:
        for piece in pieces:
            out.write(piece.encode())


def check_suffix(path: Path) -> None:
    """Refuse a file name that does not end in .efg or .nfg."""
    if path.suffix.lower() not in GAMBIT_SUFFIXES:
        raise ZerosumError(f"cannot write a game to {path}: its name must end in .efg or .nfg")


def iterate_efg_lines(form: SequenceForm) -> Iterator[str]:
    """Yield the lines of an .efg file."""
    game = form.rules
    assert game is not None
    if form.histories > MAX_HISTORIES:
        raise ZerosumError(f"{form.name} has {form.histories:,} histories: a file may have {MAX_HISTORIES:,}")
    names: dict[tuple[int, Hashable], tuple[int, str]] = {}
    listed = list(name_infosets(form))
    for player, treeplex in enumerate(form.treeplexes):
        labels = make_names_distinct([make_gambit_label(text) for owner, _, text in listed if owner == player])
        for number, (infoset, label) in enumerate(zip(treeplex.infosets, labels, strict=True)):
            names[player, infoset] = number + 1, label
    total = _find_payoff_sum(form)
    yield f'EFG 2 R {_format_heading(form)}\n""\n\n'
    pending: list[Any] = [game.root()]
    chances = ends = 0
    while pending:
        state = pending.pop()
        player = game.player(state)
        if player == TERMINAL:
            ends += 1
            payoff = game.payoff(state)
            first, second = format_payoffs(payoff[0] if isinstance(payoff, tuple) else payoff, total)
            yield f't "" {ends} "" {{ {first}, {second} }}\n'
            continue
        if player == CHANCE:
            chances += 1
            actions, probabilities = zip(*game.chances(state), strict=True)
            shares = find_exact_fractions(list(probabilities))
            listing = " ".join(f"{label} {share}" for label, share in zip(_quote_labels(actions), shares, strict=True))
            yield f'c "" {chances} "" {{ {listing} }} 0\n'
        else:
            assert player in (ONE, TWO)
            number, name = names[player, game.infoset(state)]
            actions = tuple(game.actions(state))
            yield f'p "" {player + 1} {number} {_quote(name)} {{ {" ".join(_quote_labels(actions))} }} 0\n'
        pending += [game.child(state, action) for action in reversed(actions)]


def iterate_nfg_lines(form: SequenceForm) -> Iterator[str]:
    """Yield the lines of an .nfg file."""
    rows, columns = (list_pure_plans(treeplex, form.name) for treeplex in form.treeplexes)
    if len(rows) * len(columns) > MAX_PAIRS:
        raise ZerosumError(f"{form.name} has more than {MAX_PAIRS:,} pairs of strategies: write it as .efg")
    row_names, column_names = (" ".join(_quote_labels(name for name, _ in plans)) for plans in (rows, columns))
    total = _find_payoff_sum(form)
    yield f'NFG 1 R {_format_heading(form)}\n\n{{ {{ {row_names} }}\n{{ {column_names} }} }}\n""\n\n'
    row_plans = np.array([plan for _, plan in rows])
    for _, plan in columns:
        payoffs = row_plans @ form.operators[0].apply_to_plan(plan, form.treeplexes[0].sequences)
        yield " ".join(" ".join(format_payoffs(form.shift + payoff, total)) for payoff in payoffs.tolist()) + "\n"


def list_pure_plans(treeplex: Treeplex, name: str) -> list[tuple[str, np.ndarray]]:
    """Return the pure plans of a player, each with the actions that it takes in the order of their infosets.

    >>> import zerosum
    >>> len(list_pure_plans(zerosum.compile_game(zerosum.game("kuhn")).treeplexes[0], "kuhn"))
    27
    """
    following: dict[int, list[int]] = {}
    for infoset, parent in enumerate(treeplex.tree.parent):
        following.setdefault(int(parent), []).append(infoset)
    plans_after: dict[int, list[tuple[int, ...]]] = {}
    for sequence in range(treeplex.sequences - 1, -1, -1):
        choices: list[list[tuple[int, ...]]] = []
        for infoset in following.get(sequence, []):
            sequences = treeplex.sequences_of(infoset).tolist()
            choices.append([(after, *rest) for after in sequences for rest in plans_after[after]])
        count = math.prod(len(plans) for plans in choices)
        if count > MAX_STRATEGIES:
            raise ZerosumError(f"{name} has more than {MAX_STRATEGIES:,} strategies of a player: write it as .efg")
        plans_after[sequence] = [tuple(sorted(sum(parts, ()))) for parts in product(*choices)]
    actions = [""] * treeplex.sequences
    for infoset, names in enumerate(treeplex.actions):
        for sequence, action in zip(treeplex.sequences_of(infoset), names, strict=True):
            actions[sequence] = str(action)
    plans = []
    for taken in plans_after[0]:
        plan = np.zeros(treeplex.sequences)
        plan[[0, *taken]] = 1.0
        ordered = sorted(taken, key=lambda sequence: int(treeplex.owner[sequence]))
        plans.append((" ".join(actions[sequence] for sequence in ordered) or "-", plan))
    return plans


def find_exact_fractions(chances: list[float]) -> list[Fraction]:
    """Return fractions that sum to 1 exactly: simple ones if the probabilities are close to some, else all digits.

    >>> [str(share) for share in find_exact_fractions([1 / 3, 1 / 3, 1 / 3])]
    ['1/3', '1/3', '1/3']
    >>> [str(share) for share in find_exact_fractions([0.25, 0.75])]
    ['1/4', '3/4']
    """
    simple = [Fraction(chance).limit_denominator(1_000_000) for chance in chances]
    near = all(abs(float(share) - chance) <= NEAR * chance for share, chance in zip(simple, chances, strict=True))
    if near and sum(simple) == 1:
        return simple
    exact = [Fraction(chance) for chance in chances]
    return [share / sum(exact) for share in exact]


def _find_payoff_sum(form: SequenceForm) -> Fraction:
    """Return the sum of both payoffs: a simple fraction if it is close to one, else all its digits."""
    total = 2 * form.shift
    simple = Fraction(total).limit_denominator(1_000_000)
    is_near = abs(float(simple) - total) <= NEAR * max(abs(total), form.largest_payoff)
    return simple if is_near else Fraction(repr(total))


@lru_cache(maxsize=100_000)
def format_payoffs(payoff: float, total: Fraction) -> tuple[str, str]:
    """Format both players' payoffs so that, as Gambit reads them, they have exactly the sum `total`.

    >>> format_payoffs(1 / 3, Fraction(7, 2)), format_payoffs(0.1, Fraction(0)), format_payoffs(1e-17, Fraction(1))
    (('1/3', '19/6'), ('0.1', '-0.1'), ('1e-17', '0.99999999999999999'))
    """
    first = Fraction(repr(float(payoff)))
    if first.denominator > SIMPLE:
        simple = Fraction(payoff).limit_denominator(SIMPLE)
        first = simple if float(simple) == payoff else first
    return _format_exactly(first), _format_exactly(total - first)


def _format_exactly(value: Fraction) -> str:
    """Format a number with all its digits: as a decimal if that is exact."""
    text = repr(float(value)).removesuffix(".0")
    if Fraction(text) == value:
        return text
    with localcontext(prec=MAX_DIGITS):
        decimal = Decimal(value.numerator) / value.denominator
    return str(decimal) if Fraction(decimal) == value else str(value)


def _format_heading(form: SequenceForm) -> str:
    """Return the title and the players: those of the Gambit file that the game was read from, if any."""
    title, players = getattr(form.rules, "heading", None) or Heading(form.name, PLAYERS)
    return (
        f"{_quote(make_gambit_label(title))} {{ {' '.join(_quote(make_gambit_label(player)) for player in players)} }}"
    )


def make_gambit_label(text: Any) -> str:
    r"""Return a text that Gambit accepts: with single spaces, and with codes for characters that no label may contain.

    >>> print(make_gambit_label("a\tb \x07 \\"))
    a b \x07 \x5c
    """

    def encode(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"

    return REFUSED.sub(encode, " ".join(str(text).split()))


def _quote_labels(names: Iterable[Any]) -> tuple[str, ...]:
    """Return labels of actions or strategies, all different, in quotes."""
    return _quote_distinct(tuple(map(str, names)))


@lru_cache(maxsize=10_000)
def _quote_distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_quote, make_names_distinct([make_gambit_label(name) for name in names])))


def _quote(text: str) -> str:
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
