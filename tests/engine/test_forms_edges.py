"""Extreme games: outcomes without a chance, and histories deeper than the recursion limit of Python."""

from __future__ import annotations

import gc
import weakref

import pytest

import zerosum
from zerosum.engine.forms.sequence.enumeration import Enumeration
from zerosum.engine.forms.sequence.form_compiler import HistoryRecorder
from zerosum.engine.sampling.rules_solver import RulesSampler
from zerosum.games.game import CHANCE, ONE, TERMINAL, Game
from zerosum.support.errors import ZerosumError


class Never(Game):
    """Chance deals one of four cards, two with probability 0; the first player sees it and names heads or tails."""

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        return (CHANCE, ONE, TERMINAL)[len(state)]

    def actions(self, state: tuple[str, ...]) -> tuple[str, str]:
        return "heads", "tails"

    def child(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def chances(self, state: tuple[str, ...]) -> list[tuple[str, float]]:
        return [("a", 0.5), ("b", 0.0), ("c", 0.5), ("d", 0.0)]

    def infoset(self, state: tuple[str, ...]) -> str:
        return f"I hold {state[0]}"

    def payoff(self, state: tuple[str, ...]) -> float:
        return {"a": 1.0, "b": 100.0, "c": -1.0, "d": -100.0}[state[0]] * (1 if state[1] == "heads" else -1)


@pytest.mark.parametrize("algorithm", ["cfr+", "lp", "hedge", "mccfr", "os-mccfr", "cs-cfr"])
def test_infosets_that_chance_never_leads_to_have_a_strategy(algorithm: str) -> None:
    result = zerosum.solve(Never(), algorithm, **({"nodes": 3000} if "mc" in algorithm or "cs" in algorithm else {}))
    assert set(result.strategy) == {f"I hold {card}" for card in "abcd"}
    for card in "bd" if algorithm != "lp" else "":
        assert result.strategy[f"I hold {card}"] == {"heads": 0.5, "tails": 0.5}
    assert result.value == pytest.approx(1.0, abs=0.05)
    form = zerosum.compile_game(Never(), sampled=True)
    assert (form.histories, form.largest_payoff) == (13, 1.0)


class Long(Game):
    """The players take turns to go on or to stop, `moves` times; the payoff depends on the move that stops."""

    def __init__(self, moves: int) -> None:
        self.moves = moves

    def root(self) -> tuple[int, bool]:
        return 0, False

    def player(self, state: tuple[int, bool]) -> int:
        return TERMINAL if state[1] or state[0] >= self.moves else state[0] % 2

    def actions(self, state: tuple[int, bool]) -> tuple[str, str]:
        return "go", "stop"

    def child(self, state: tuple[int, bool], action: str) -> tuple[int, bool]:
        return state[0] + 1, action == "stop"

    def infoset(self, state: tuple[int, bool]) -> int:
        return state[0]

    def payoff(self, state: tuple[int, bool]) -> float:
        return (7 * state[0] % 11) / 11 - 0.5


def backwards(game: Long) -> float:
    """The value of the game, by backward induction."""
    value = game.payoff((game.moves, False))
    for move in reversed(range(game.moves)):
        stopped = game.payoff((move + 1, True))
        value = min(value, stopped) if move % 2 else max(value, stopped)
    return value


@pytest.mark.parametrize("moves", [10, 496, 600, 3000, 20_000])
def test_games_deeper_than_python_calls_itself(moves: int) -> None:
    form = zerosum.compile_game(Long(moves), sampled=True)
    assert (form.histories, form.infosets) == (2 * moves + 1, moves)
    assert len(form.history_tree.nodes) == form.histories
    for name, limits in (("lp", {}), ("dcfr", {"iterations": 100}), ("mccfr", {"nodes": 1_000_000})):
        assert zerosum.solve(form, name, **limits).value == pytest.approx(backwards(Long(moves)), abs=1e-4)


@pytest.mark.parametrize("algorithm", ["mccfr", "os-mccfr", "cs-cfr"])
def test_long_games_are_walked_without_enumeration(algorithm: str) -> None:
    one_history = {"cs-cfr": 40_001}.get(algorithm, 1)
    assert zerosum.solve(Long(20_000), algorithm, by_rules=True, nodes=5000).nodes >= one_history


def test_rules_that_never_end_are_refused_by_their_memory() -> None:
    words = r"Long: the game does not seem to end: one history takes .* MB so far, .* free"
    with pytest.raises(ZerosumError, match=rf"{words}.*\(after [\d,]+ moves\)$"):
        zerosum.compile_game(Long(10**9), memory=300_000_000)
    solver = RulesSampler(Long(10**9), "cs-cfr", memory=300_000_000)
    with pytest.raises(ZerosumError, match=words):
        solver.run(1)


def test_a_walk_that_puts_off_sees_the_same() -> None:
    for game in (zerosum.game("leduc"), zerosum.game("goofspiel(3)"), Never()):
        once, later = (HistoryRecorder(game, False, None, 1 << 30) for _ in range(2))
        once.visit(game.root(), 0, 0, 1.0)
        later.visit_with_stack()
        assert [list(decision.index) for decision in once.decisions] == [
            list(decision.index) for decision in later.decisions
        ]
        assert (once.nodes, once.entries, once.rows, once.chances) == (
            later.nodes, later.entries, later.rows, later.chances
        )  # fmt: skip


def test_errors_far_down_are_reported_with_a_short_path() -> None:
    class Troubled(Long):
        def infoset(self, state: tuple[int, bool]) -> int:
            return state[0] if state[0] != self.moves - 1 else 1 // 0

    with pytest.raises(
        ZerosumError, match=r"ZeroDivisionError: .* \(after go, .*, \.\.\. 379 moves \.\.\., .*go\)$"
    ) as error:
        zerosum.compile_game(Troubled(400))
    assert len(str(error.value)) < 300
    with pytest.raises(ZerosumError, match=r"ZeroDivisionError: .* \(after 1,999 moves\)$"):
        zerosum.compile_game(Troubled(2000))


def test_a_walk_that_fills_the_memory_is_let_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when Python looks for garbage: from 3.12 on it does so too late if no byte is free."""
    walks: list[weakref.ref[Enumeration]] = []

    class Watched(Enumeration):
        def add_end(self, *_: object) -> None:
            walks.append(weakref.ref(self))
            raise MemoryError

    monkeypatch.setattr("zerosum.engine.forms.sequence.form_compiler.Enumeration", Watched)
    gc.disable()
    try:
        with pytest.raises(ZerosumError):
            zerosum.compile_game(zerosum.game("kuhn"))
        assert [walk() for walk in walks] == [None]
    finally:
        gc.enable()
