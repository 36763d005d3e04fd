"""Custom rules: the complete example of the documentation, and the rules that are refused."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import reference
import zerosum
import zerosum.holdem
from random_games import RandomGame
from zerosum.cli.main import run
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.updates import custom_rule
from zerosum.engine.updates.custom_rule import write_module_source
from zerosum.games.poker.card_game import PokerGame

PAGE = Path(__file__).parents[2] / "docs" / "algorithms.md"


def plain_cfr(t, instant, regret, strategy, memory):
    A, W = regret.shape
    for w in range(W):
        total = 0.0
        for a in range(A):
            regret[a, w] += instant[a, w]
            total += max(regret[a, w], 0.0)
        for a in range(A):
            strategy[a, w] = max(regret[a, w], 0.0) / total if total > 0.0 else 1.0 / A


def test_a_rule_that_is_cfr_is_cfr() -> None:
    form = zerosum.compile_game(zerosum.game("leduc"))
    custom, ours = (
        zerosum.Solver(form, algorithm, 50) for algorithm in (zerosum.rule(plain_cfr), zerosum.algorithm("cfr"))
    )
    custom.run(50)
    ours.run(50)
    for x, y in zip(custom.average, ours.average, strict=True):
        np.testing.assert_allclose(x, y, atol=1e-12)
    assert zerosum.rule(plain_cfr).name == "plain_cfr"


def plain_dcfr(t, instant, regret, strategy, memory):
    """DCFR(1.5, 0, 2), its discount of iteration t - 1 applied in iteration t; it counts iterations in its memory."""
    A, W = regret.shape
    positive = (t - 1.0) ** 1.5 / ((t - 1.0) ** 1.5 + 1.0)
    for w in range(W):
        memory[0, w] += 1.0
        total = 0.0
        for a in range(A):
            factor = positive if regret[a, w] > 0.0 else 0.5
            regret[a, w] = factor * regret[a, w] + instant[a, w]
            total += max(regret[a, w], 0.0)
        for a in range(A):
            strategy[a, w] = max(regret[a, w], 0.0) / total if total > 0.0 else 1.0 / A


@pytest.mark.parametrize("order", ["alternating", "simultaneous"])
def test_a_rule_in_both_forms(order: str) -> None:
    """The general and the public form of Leduc learn the same from it, and as DCFR does."""
    game = zerosum.game("leduc")
    assert isinstance(game, PokerGame)
    mine = zerosum.rule(plain_dcfr, memory=1, average=zerosum.Power(2), order=order)
    public, ours = (
        PublicSolver(build_poker_tree(game), chosen, 20, dtype=np.float64)
        for chosen in (mine, zerosum.algorithm(f"dcfr(order={order})"))
    )
    general = zerosum.Solver(zerosum.compile_game(game), mine, 20)
    for solver in (public, ours, general):
        solver.run(20)
    assert public.evaluate().exploitability == pytest.approx(ours.evaluate().exploitability, rel=1e-9)
    if order == "simultaneous":  # with the other order the first player's average is one iteration ahead
        assert public.evaluate().exploitability == pytest.approx(general.evaluate().exploitability, rel=1e-9)
    for player, store in enumerate(public.stores):
        np.testing.assert_allclose(store.regret, ours.stores[player].regret, rtol=0, atol=1e-10)
        np.testing.assert_allclose(np.sort(store.regret), np.sort(general.regrets[player][1:]), rtol=0, atol=1e-10)
        assert set(store.memory.tolist()) == {0.0, 20.0}


def test_a_rule_equals_the_same_function_uncompiled() -> None:
    """The plain twin calls the uncompiled function, one infoset at a time."""
    game = RandomGame(5)
    form = zerosum.compile_game(game)
    solver = zerosum.Solver(form, zerosum.rule(plain_dcfr, memory=1, average=zerosum.Power(2)), 12)
    solver.run(12)
    rules = reference.Rules(custom=plain_dcfr, memory=1, gamma=2)
    strategies = reference.run(reference.unfold(game, game.root()), rules, 12, 12)
    for treeplex, average, strategy in zip(form.treeplexes, solver.average, strategies, strict=True):
        np.testing.assert_allclose(average, reference.sequence_plan(treeplex, strategy), atol=1e-9)


def test_a_rule_on_a_spot(tmp_path: Path) -> None:
    """The catalogue's exploitability, to float32; also through the command, saved and read without the rule's file."""
    river = zerosum.holdem.load_spot("river")
    mine = zerosum.rule(plain_dcfr, memory=1, average=zerosum.Power(2))
    custom, ours = (zerosum.solve(river, algorithm, iterations=20) for algorithm in (mine, "dcfr"))
    assert custom.exploitability == pytest.approx(ours.exploitability, rel=1e-4)
    assert custom.value == pytest.approx(ours.value, abs=0.01)
    text = Path(__file__).read_text()
    body = text[text.index("def plain_dcfr") : text.index('@pytest.mark.parametrize("order"')]
    path, saved = tmp_path / "my_rule.py", tmp_path / "river.zs"
    path.write_text(f"import zerosum\n\n{body}mine = zerosum.rule(plain_dcfr, memory=1, average=zerosum.Power(2))\n")
    command = f"solve spot:river --algorithm {path}:mine --iterations 20 --json --out {saved}"
    assert run(command.split()) == 0
    path.unlink()
    assert zerosum.load(saved).exploitability == custom.exploitability


SCALE = 2.0
"""Also the name of a constant of the kernels, which must not take its place."""


def squared(t, instant, regret, strategy, memory):
    A, W = regret.shape
    for w in range(W):
        total = 0.0
        for a in range(A):
            regret[a, w] += instant[a, w]
            total += max(regret[a, w], 0.0) ** SCALE
        for a in range(A):
            strategy[a, w] = max(regret[a, w], 0.0) ** SCALE / total if total > 0.0 else 1.0 / A


def test_the_numbers_that_a_rule_refers_to_are_part_of_it() -> None:
    custom, ours = (
        zerosum.solve("kuhn", algorithm, iterations=50) for algorithm in (zerosum.rule(squared), "trm-cfr(2)")
    )
    assert custom.exploitability == pytest.approx(ours.exploitability, rel=1e-9)
    before = write_module_source(squared)
    squared.__globals__["SCALE"] = 3.0
    try:
        assert write_module_source(squared) != before
    finally:
        squared.__globals__["SCALE"] = 2.0


def too_much(t, instant, regret, strategy, memory):
    strategy[:] = 0.7


def not_a_number(t, instant, regret, strategy, memory):
    strategy[:] = np.nan


def unknown_name(t, instant, regret, strategy, memory):
    strategy[:] = pytest.approx(1.0)


def outside(t, instant, regret, strategy, memory):
    strategy[0, 0] = memory[0, 0]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (too_much, "not probabilities that sum to 1"),
        (not_a_number, "not probabilities that sum to 1"),
        (unknown_name, "cannot be compiled: .*pytest"),
        (outside, "fails in iteration 1: IndexError"),
    ],
)
def test_a_rule_with_a_mistake_is_refused_at_once(function, words: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.solve("kuhn", zerosum.rule(function), iterations=1)


def too_late(t, instant, regret, strategy, memory):
    if t > 20.0:
        raise ValueError("too late")


def test_an_error_in_a_rule_ends_the_run() -> None:
    assert zerosum.solve("kuhn", zerosum.rule(too_late), iterations=20).iterations == 20
    for game in ("kuhn", "spot:river"):
        with pytest.raises(zerosum.ZerosumError, match="too_late on .* is no longer finite at iteration 2"):
            zerosum.solve(game, zerosum.rule(too_late), iterations=40)


def test_the_example_of_the_documentation_runs(tmp_path: Path) -> None:
    """Saved to a file and run, it prints the output that the page shows."""
    code, output = re.search(r"```python\n(# my_rule\.py.*?)```.*?```\n(.*?)```", PAGE.read_text(), re.DOTALL).groups()
    (tmp_path / "my_rule.py").write_text(code)
    ran = subprocess.run([sys.executable, tmp_path / "my_rule.py"], capture_output=True, text=True, check=True)
    assert ran.stdout == output


def test_refused() -> None:
    with pytest.raises(zerosum.ZerosumError, match="a rule takes .t, instant, regret, strategy, memory."):
        zerosum.rule(lambda t: None)
    with pytest.raises(zerosum.ZerosumError, match="memory must be a whole number"):
        zerosum.rule(plain_cfr, memory=-1)
    number = 2.0

    def closure(t, instant, regret, strategy, memory):
        regret[0, 0] = number

    with pytest.raises(zerosum.ZerosumError, match="refers to enclosing variables"):
        zerosum.solve("kuhn", zerosum.rule(closure), iterations=1)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache of rules, and forget modules loaded from another one."""
    monkeypatch.setattr(custom_rule, "cache_folder", lambda: tmp_path)
    for name in [name for name in sys.modules if name.startswith("zerosum_rule_")]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_a_rule_of_a_cache_that_may_only_be_read_is_compiled_for_the_process(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core import caching

    first = zerosum.solve("kuhn", zerosum.rule(plain_cfr, memory=1), iterations=10)
    for name in [name for name in sys.modules if name.startswith("zerosum_rule_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    assert zerosum.solve("kuhn", zerosum.rule(plain_cfr, memory=1), iterations=10).decisions == first.decisions


@pytest.mark.parametrize("where", ["mkdir", "write"])
def test_an_unwritable_cache_is_reported_with_a_remedy(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    if where == "mkdir":
        (own_cache / "rules").write_text("a file")
    else:
        (own_cache / "rules").mkdir()
        monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        zerosum.ZerosumError, match=r"cannot write .*; \$ZEROSUM_CACHE_DIR names another folder"
    ) as error:
        zerosum.solve("kuhn", zerosum.rule(plain_cfr, memory=1), iterations=10)
    assert "\n" not in str(error.value)


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
