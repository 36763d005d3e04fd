"""Published points that differ from ours: the same iterates as OpenSpiel's until rounding breaks ties, then chaos."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import zerosum
from zerosum.api import write_game
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.sequence.solver import Solver

SCALES = (1.0, 1.1, 3.0, 7.3)
GOOFSPIEL = "goofspiel(4, order=descending, seen=winner, payoff=win)"
BATTLESHIP = "battleship(width=2, height=2, ships=[2], values=[2])"


def scaled(form: SequenceForm, factor: float) -> SequenceForm:
    """The same game with other rounding."""
    payoffs = form.payoffs._replace(entry=form.payoffs.entry * factor)
    return replace(form, payoffs=payoffs, largest_payoff=form.largest_payoff * factor)


def reached(name: str, algorithm: str, iterations: int) -> list[float]:
    """Return the exploitability after `iterations` iterations, for payoffs in several units."""
    form = zerosum.compile_game(zerosum.game(name))
    exploitabilities = []
    for factor in SCALES:
        solver = Solver(scaled(form, factor), zerosum.algorithm(algorithm), iterations)
        solver.run(iterations)
        exploitabilities.append(solver.evaluate().exploitability / factor)
    return exploitabilities


def test_goofspiel_is_openspiels_until_ties_are_broken() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    text = "goofspiel(num_cards=4,imp_info=True,points_order=descending,returns_type=win_loss)"
    theirs = pyspiel.convert_to_turn_based(pyspiel.load_game(text))
    solver = pyspiel.CFRSolver(theirs)
    ours = Solver(zerosum.compile_game(zerosum.game(GOOFSPIEL)), zerosum.algorithm("cfr"), 1000)
    for iteration in range(1, 101):
        solver.evaluate_and_update_policy()
        ours.run(1)
        if iteration in (1, 10, 50, 100):
            expected = pyspiel.nash_conv(theirs, solver.average_policy()) / 2
            assert ours.evaluate().exploitability == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("game", "algorithm", "published", "ours"),
    [(GOOFSPIEL, "cfr", 5.40e-3, 3.68e-3), (BATTLESHIP, "cfr+(average=1)", 2.58e-3, 1.62e-3)],
    ids=["goofspiel", "battleship"],
)
def test_published_points_lie_where_another_rounding_leads(
    game: str, algorithm: str, published: float, ours: float
) -> None:
    exploitabilities = reached(game, algorithm, 1000)
    assert exploitabilities[0] == pytest.approx(ours, rel=0.01)
    assert min(exploitabilities) < published < max(exploitabilities)


def test_without_ties_rounding_leads_nowhere_else() -> None:
    """On the same game, DCFR agrees with the published digits in any unit."""
    exploitabilities = reached(GOOFSPIEL, "dcfr", 1000)
    assert exploitabilities == pytest.approx([4.09643e-4] * len(SCALES), rel=1e-5)


@pytest.mark.parametrize(
    ("game", "algorithm", "theirs"),
    [(BATTLESHIP, "cfr+(average=1)", "CFRPlusSolver"), (GOOFSPIEL, "cfr", "CFRSolver")],
    ids=["battleship", "goofspiel"],
)
def test_where_every_end_pays_something_else_it_is_openspiels_to_the_end(
    game: str, algorithm: str, theirs: str, tmp_path: Path
) -> None:
    """Both read the same file, so that nothing but the algorithm can differ."""
    pyspiel = pytest.importorskip("pyspiel")
    path, draw, ends = tmp_path / "game.efg", random.Random(1), 0

    def moved(end: re.Match[str]) -> str:
        nonlocal ends
        ends += 1
        payoff = float(end["payoff"]) + draw.uniform(-0.1, 0.1)
        return f't "" {ends} "" {{ {payoff!r}, {-payoff!r} }}'

    write_game(game, path)
    path.write_text(re.sub(r"^t .*\{ (?P<payoff>\S+), \S+ \}$", moved, path.read_text(), flags=re.MULTILINE))
    assert ends > 100
    spiel_game = pyspiel.load_game(f"efg_game(filename={path})")
    solver = getattr(pyspiel, theirs)(spiel_game)
    ours = Solver(zerosum.compile_game(zerosum.game(str(path))), zerosum.algorithm(algorithm), 100)
    for iteration in range(1, 101):
        solver.evaluate_and_update_policy()
        ours.run(1)
        if iteration in (1, 2, 3, 5, 10, 50, 100):
            expected = pyspiel.nash_conv(spiel_game, solver.average_policy()) / 2
            assert ours.evaluate().exploitability == pytest.approx(expected, rel=1e-9)
