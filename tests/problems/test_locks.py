"""Locked games: locks are played, and everything else is an equilibrium of the remaining game."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from random_games import RandomGame
from zerosum.cli.main import run as command
from zerosum.games.game import CHANCE, TERMINAL, Game
from zerosum.problems.locks import parse_frequencies
from zerosum.problems.registry import problem

LEDUC = ["Kc|bet: fold 20%, call 80%", "Qc|: check 30%, bet 70%", "Jd|Qc|check check / bet: call 100%"]
Locks = dict[str, dict[str, float]]


class Reduced(Game):
    """A game in which chance plays the locked infosets, so that a linear program needs to know nothing of locks."""

    def __init__(self, game: Game, locks: Locks) -> None:
        self.game, self.locks, self.name = game, locks, f"{game.name}, reduced"

    def _mix(self, state: Any) -> dict[str, float] | None:
        if self.game.player(state) in (CHANCE, TERMINAL):
            return None
        return self.locks.get(self.game.describe(self.game.infoset(state)))

    def root(self) -> Any:
        return self.game.root()

    def player(self, state: Any) -> int:
        return self.game.player(state) if self._mix(state) is None else CHANCE

    def chances(self, state: Any) -> Any:
        mix = self._mix(state)
        if mix is None:
            return self.game.chances(state)
        return [(action, mix[str(action)]) for action in self.game.actions(state) if mix.get(str(action), 0.0) > 0.0]

    def actions(self, state: Any) -> Any:
        return self.game.actions(state)

    def child(self, state: Any, action: Any) -> Any:
        return self.game.child(state, action)

    def infoset(self, state: Any) -> Any:
        return self.game.infoset(state)

    def payoff(self, state: Any) -> Any:
        return self.game.payoff(state)

    def describe(self, infoset: Any) -> str:
        return self.game.describe(infoset)


def some_locks(game: Game, seed: int, share: float, players: tuple[int, ...] = (1, 2)) -> Locks:
    """Random play at a share of the infosets of some players."""
    draw = np.random.default_rng(seed)
    locks: Locks = {}
    for decision in uniform(game):
        if decision.player in players and draw.random() < share:
            chances = draw.dirichlet(np.full(len(decision.actions), 0.7))
            locks[decision.infoset] = dict(zip(decision.actions, chances.tolist(), strict=True))
    return locks


def uniform(game: Game) -> Any:
    return zerosum.solve(game, "cfr", iterations=1).decisions


@cache
def leduc() -> Any:
    return zerosum.solve("leduc", "lp")


def mapping(texts: list[str]) -> Locks:
    """The same locks for `Reduced`."""
    return {text.rpartition(": ")[0]: parse_frequencies(text.rpartition(": ")[2]) for text in texts}


# equal to what others find


def test_leduc_equals_the_linear_program_of_the_reduced_game() -> None:
    expected = zerosum.solve(Reduced(zerosum.game("leduc"), mapping(LEDUC)), "lp")
    exact = zerosum.solve("leduc", "lp", locks=LEDUC)
    assert exact.value == pytest.approx(expected.value, abs=1e-9)
    assert exact.exploitability < 1e-9
    for algorithm in ("dcfr", "pcfr+", "cfr+(order=simultaneous)"):
        solution = zerosum.solve("leduc", algorithm, locks=LEDUC, iterations=1500)
        assert solution.exploitability < 1e-2
        assert abs(solution.value - expected.value) <= 2 * solution.exploitability
        assert solution.strategy["Kc|bet"] == pytest.approx({"fold": 0.2, "call": 0.8, "raise": 0.0})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.1, 0.5, 0.9]))
def test_random_games_equal_the_linear_program_of_the_reduced_game(seed: int, share: float) -> None:
    game = RandomGame(seed % 1000)
    locks = some_locks(game, seed, share)
    expected = zerosum.solve(Reduced(game, locks), "lp").value
    solution = zerosum.solve(game, "lp", locks=locks)
    assert solution.value == pytest.approx(expected, abs=1e-7)
    assert solution.exploitability < 1e-7
    iterated = zerosum.solve(game, "dcfr", locks=locks, iterations=300)
    assert abs(iterated.value - expected) <= 2 * iterated.exploitability + 1e-9


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), player=st.sampled_from([1, 2]))
def test_the_unlocked_player_never_does_worse(seed: int, player: int) -> None:
    game = RandomGame(seed % 1000)
    locks = some_locks(game, seed, 0.5, (player,))
    free, locked = zerosum.solve(game, "lp").value, zerosum.solve(game, "lp", locks=locks, unlocked=True)
    sign = 1 if player == 1 else -1
    assert sign * locked.value <= sign * free + 1e-7
    if not locks:
        return
    price = locked.price
    assert price.players == (player,)
    assert price.unlocked[0] == pytest.approx(free, abs=1e-7)
    lost, won = price.loses[player], price.counter_wins[3 - player]
    assert -1e-7 <= lost <= won + 1e-7  # the locked player may adapt elsewhere
    assert price.nobody_adapts[player - 1] <= sign * free + 1e-7  # the other plays an equilibrium


def test_a_player_who_is_locked_completely_meets_a_best_response(tmp_path: Path) -> None:
    zerosum.solve("leduc", "cfr", iterations=5).save(tmp_path / "poor.json")
    for player, sign in ((1, -1), (2, 1)):
        judged = zerosum.exploit("leduc", tmp_path / "poor.json")
        best = judged.value + sign * judged.gains[2 - player]
        locks = f"player {player}: @{tmp_path / 'poor.json'}"
        for algorithm, near in (("lp", 1e-9), ("dcfr", 1e-3)):
            solution = zerosum.solve("leduc", algorithm, locks=locks, iterations=None if algorithm == "lp" else 500)
            assert solution.value == pytest.approx(best, abs=near)
            locked = [decision.actions for decision in solution.decisions if decision.player == player]
            poor = [
                decision.actions
                for decision in zerosum.load(tmp_path / "poor.json").decisions
                if decision.player == player
            ]
            assert all(actual == pytest.approx(expected) for actual, expected in zip(locked, poor, strict=True))


@pytest.mark.parametrize("players", [(1,), (2,), (1, 2)])
def test_a_locked_equilibrium_changes_nothing(players: tuple[int, ...]) -> None:
    locks = {decision.infoset: dict(decision.actions) for decision in leduc().decisions if decision.player in players}
    solution = zerosum.solve("leduc", "dcfr", locks=locks, iterations=500, unlocked=leduc())
    assert solution.value == pytest.approx(leduc().value, abs=2e-4)
    assert all(abs(lost) < 2e-4 for lost in solution.price.loses.values())
    assert max(solution.price.counter_wins.values()) < 1e-7
    if players == (1, 2):
        assert solution.nash_conv == pytest.approx(0.0, abs=1e-12)


# how locks are requested, saved and reported


def test_every_way_to_ask_for_a_lock(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    file.write_text("infoset,action,probability\nKc|bet,fold,0.2\nKc|bet,call,0.8\n")
    result = zerosum.solve("leduc", "lp", locks="Kc|bet: fold 20%, call 80%")
    ways = [
        ["Kc|bet: fold 20%, call 80%"],
        {"Kc|bet": "fold 20%, call 80%"},
        {"Kc|bet": {"fold": 0.2, "call": 0.8}},
        [{"Kc|bet": {"fold": 0.2, "call": 0.8, "raise": 0.0}}],
        f"@{file}",
        f"Kc|bet: @{file}",
        {"player 2": file},
        {"Kc|bet": result},
    ]
    for locks in ways:
        locked = problem("leduc", locks=locks)
        locked.locks.read_lock_files(lambda path: path if not isinstance(path, Path) else zerosum.read_strategy(path))
        assert locked.fixed[0] is None
        named = zerosum.solve("leduc", "cfr", iterations=3, locks=locks)
        assert named.strategy["Kc|bet"] == pytest.approx({"fold": 0.2, "call": 0.8, "raise": 0.0})
        assert "locked at" in named.game
    assert json.loads(json.dumps(result.summary()))["locks"] == ["Kc|bet: fold 20%, call 80%"]


@pytest.mark.parametrize(
    ("locks", "why"),
    [
        ("Kc|bet: fold 20%, call 70%", "sum to 90%, not to 100%"),
        ({"Kc|bet": {"fold": 0.2}}, "sum to 20%, not to 100%"),
        ("Kx|bet: fold 100%", "no infoset 'Kx|bet'; did you mean"),
        ("Kc|bet: jump 100%", "no action 'jump'; its actions are fold, call, raise"),
        ("Kc|bet: fold 50%, fold 50%", "fold is named twice"),
        (["Kc|bet: fold", "Kc|bet: call"], "'Kc|bet' of player 2 is locked twice"),
        ("Kc|bet", "write a place, a colon and a strategy"),
        ("Kc|bet: ", "it has no strategy"),
        ("Kc|bet: fold 20, call 80", "cannot read 'fold 20, call 80'"),
        ("Kc|bet: sets: fold", "cannot be locked in a game"),
        ({"Kc|bet": {"fold": -1, "call": 2}}, "lies between 0 and 1"),
        ({"Kc|bet": {"fold": float("nan")}}, "not a number"),
        ({"Kc|bet": 3}, "a strategy is a string like"),
        ({3: "fold"}, "the place of a lock is a string"),
        (3, "locks are strings"),
        ([3], "a lock is a string"),
        ("player 1: @nowhere.json", "cannot read nowhere.json"),
    ],
)
def test_bad_locks_get_a_message(locks: Any, why: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=why.replace("|", r"\|")):
        zerosum.solve("leduc", "cfr", locks=locks, iterations=1)


def test_a_file_that_says_nothing_there(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"Kc|bet": {"call": 1.0}}))
    with pytest.raises(zerosum.ZerosumError, match="says nothing about 'player 1'"):
        zerosum.solve("leduc", "cfr", locks=f"player 1: @{path}", iterations=1)


@pytest.mark.parametrize("name", ["mccfr", "pcs-cfr", "cs-cfr"])
def test_algorithms_that_sample_say_so(name: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match="samples, and a locked game is solved by walking all of it"):
        zerosum.solve("leduc", name, locks=LEDUC, nodes=1000)
    with pytest.raises(zerosum.ZerosumError, match="locks need the information sets"):
        zerosum.solve("leduc", name, locks=LEDUC, by_rules=True, nodes=1000)


def test_names_include_the_locks() -> None:
    assert problem("kuhn", locks="K|: check").name == "kuhn, locked at K|"
    assert problem("kuhn", locks={"K|": "check", "Q|": "check"}).name == "kuhn, locked at 2 places"
    prints = {problem("kuhn", locks=locks).fingerprint for locks in (None, "K|: check", "K|: bet", "Q|: bet")}
    assert len(prints) == 4


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+", "hedge(0.5)", "ecfr", "lp"])
def test_saved_loaded_and_resumed(tmp_path: Path, algorithm: str) -> None:
    limits: dict[str, Any] = {} if algorithm == "lp" else {"iterations": 40}
    locks = [*LEDUC, "Kd|bet: fold 100%"]
    whole = zerosum.solve("leduc", algorithm, locks=locks, unlocked=leduc(), **limits)
    run = zerosum.start("leduc", algorithm, locks=locks, unlocked=leduc(), out=tmp_path / "run", **limits)
    run.advance(iterations=13)
    if algorithm != "lp":
        run.save(tmp_path / "half")
        run.close()
        resumed = zerosum.resume(tmp_path / "half", iterations=40)
        assert (resumed.decisions, resumed.locks, resumed.price) == (whole.decisions, whole.locks, whole.price)
        assert resumed.game == "leduc, locked at 4 places"
        loaded = zerosum.load(tmp_path / "half")
    else:
        loaded = zerosum.load(tmp_path / "run")
    assert loaded.decisions == whole.decisions
    assert (loaded.game, loaded.locks, loaded.price) == (whole.game, whole.locks, whole.price)
    whole.save(tmp_path / "result.json")
    assert zerosum.load(tmp_path / "result.json") == whole


def test_locks_are_shown_at_unreached_infosets() -> None:
    locks = {"K|": {"bet": 1.0}, "K|check bet": {"fold": 0.25, "call": 0.75}}
    for algorithm in ("lp", "cfr"):
        assert zerosum.solve("kuhn", algorithm, iterations=5 if algorithm == "cfr" else None, locks=locks).strategy[
            "K|check bet"
        ] == pytest.approx({"fold": 0.25, "call": 0.75})


def test_judged_in_the_locked_game(tmp_path: Path) -> None:
    solved = zerosum.solve("leduc", "lp", locks=LEDUC)
    inside, outside = zerosum.exploit("leduc", solved, locks=LEDUC), zerosum.exploit("leduc", solved)
    assert inside.exploitability < 1e-9
    assert (inside.locks, inside.solved_locked) == (solved.locks, solved.locks)
    assert outside.exploitability > 1e-3
    assert outside.locks == ()
    assert sum(loss.loss for loss in outside.worst) > 1e-3
    uniform = zerosum.solve("leduc", "cfr", iterations=1)
    judged = zerosum.exploit("leduc", uniform, locks=LEDUC, worst=2000)
    assert sum(loss.loss for loss in judged.worst) == pytest.approx(judged.nash_conv, rel=1e-9)
    assert not {loss.infoset for loss in judged.worst} & set(mapping(LEDUC))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = "Kc|bet: fold 20%, call 80%"
    run = str(tmp_path / "run")
    assert command(["solve", "leduc", "--iterations", "20", "--lock", lock, "--price", "--out", run]) == 0
    output = capsys.readouterr().out
    for words in ("leduc, locked at Kc|bet", lock, "player 2 loses", "player 1 wins", "of the locked game"):
        assert words in output
    assert command(["show", run, "--infoset", "^Kc.bet$"]) == 0
    output = capsys.readouterr().out
    assert "leduc, locked at Kc|bet" in output
    assert lock in output
    assert command(["show", run, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["locks"] == [lock]
    assert command(["export", run, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "leduc, locked at Kc|bet"
    assert command(["exploit", "leduc", run]) == 0
    assert lock in capsys.readouterr().out
    for wrong, why in (
        (["solve", "leduc", "--price"], "--price needs locks"),
        (["solve", "leduc", "--lock", "Kc|bet: fold 20%"], "sum to 20%"),
        (["solve", "leduc", "--lock", "nothing"], "cannot read the lock"),
    ):
        assert command(wrong) == 2
        assert why in capsys.readouterr().err
