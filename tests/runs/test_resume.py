"""A run that is stopped and resumed equals an uninterrupted run, digit for digit, for every game and algorithm."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.results.game_result import GameResult
from zerosum.runs.run_location import RunLocation
from zerosum.support import array_file
from zerosum.support.array_file import ArrayFile

FULL = sorted(name for name in ALGORITHMS if zerosum.algorithm(name).sampling is None)
SAMPLED = ["mccfr", "os-mccfr", "vr-mccfr", "cs-cfr", "pcs-cfr", "linear-mccfr(2e3)", "discounted-mccfr(period=2e3)"]


def curve(result: Any) -> list[tuple[Any, ...]]:
    return [(p.iteration, p.exploitability, p.nash_conv, p.value, p.nodes) for p in result.curve]


def assert_same(result: Any, expected: Any) -> None:
    assert curve(result) == curve(expected)
    assert (result.algorithm, result.iterations, result.nodes, result.seed) == (
        expected.algorithm,
        expected.iterations,
        expected.nodes,
        expected.seed,
    )
    if isinstance(result, GameResult):
        assert result.decisions == expected.decisions
    else:
        for mine, theirs in zip(result.solution.solver.averages(), expected.solution.solver.averages(), strict=True):
            assert np.array_equal(mine, theirs)


@pytest.mark.parametrize(
    "name",
    [
        *FULL,
        "nh-dcfr",
        "trm-lcfr(1.005, 0.995)",
        "hs-dcfr",
        "rtrm-cfr(random=1)",
        "cfr(order=simultaneous)",
        "idcfr+(skip=10)",
    ],
)
def test_every_algorithm(tmp_path: Path, name: str) -> None:
    """A finished run is extended if its length does not matter; otherwise a stopped run is resumed."""
    path = tmp_path / "run"
    needs = zerosum.algorithm(name).needs_horizon
    whole = zerosum.solve("leduc", name, iterations=60, start_seed=3)
    zerosum.solve("leduc", name, start_seed=3, out=path, iterations=60 if needs else 23, seconds=0 if needs else None)
    if needs:
        with pytest.raises(zerosum.ZerosumError, match="depends on the length of a run"):
            zerosum.resume(path, iterations=61)
    assert_same(zerosum.resume(path, iterations=60), whole)
    assert_same(zerosum.load(path), whole)


@pytest.mark.parametrize("name", SAMPLED)
@pytest.mark.parametrize("start_seed", [None, 4])
def test_every_sampled_algorithm(tmp_path: Path, name: str, start_seed: int | None) -> None:
    if start_seed is not None and name == "pcs-cfr":
        return
    whole = zerosum.solve("leduc", name, nodes=20_000, seed=5, start_seed=start_seed)
    zerosum.solve("leduc", name, nodes=7_001, seed=5, start_seed=start_seed, out=tmp_path / "run.zs")
    zerosum.resume(tmp_path / "run.zs", nodes=11_111)
    assert_same(zerosum.resume(tmp_path / "run.zs", nodes=20_000), whole)
    assert_same(zerosum.load(tmp_path / "run.zs"), whole)


def test_points_may_be_spaced_by_iterations_and_then_by_nodes(tmp_path: Path) -> None:
    """The curve then has the points of both; the strategies are the same."""
    whole = zerosum.solve("leduc", "mccfr", nodes=20_000, seed=5)
    zerosum.solve("leduc", "mccfr", iterations=50, seed=5, out=tmp_path)
    assert zerosum.resume(tmp_path, nodes=20_000).decisions == whole.decisions


@pytest.mark.parametrize("game", ["leduc", "liars-dice(sides=3)", "goofspiel(3)", "battleship"])
def test_by_rules(tmp_path: Path, game: str) -> None:
    whole = zerosum.solve(game, "vr-mccfr", nodes=3_000, seed=5, by_rules=True)
    zerosum.solve(game, "vr-mccfr", nodes=1_000, seed=5, by_rules=True, out=tmp_path)
    longer = zerosum.resume(tmp_path, nodes=3_000)
    assert longer.decisions == whole.decisions == zerosum.load(tmp_path).decisions


@pytest.fixture(scope="module")
def turn() -> zerosum.holdem.Spot:
    return zerosum.holdem.spot("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin", big_blind=2)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("dcfr", {}),
        ("dcfr", {"half": True}),
        ("cfr+", {"half": True, "isomorphism": False}),
        ("pcfr+", {}),
        ("ecfr", {}),
        ("rtrm-cfr(random=1)", {}),
        ("cfr(order=simultaneous)", {}),
        ("hedge", {"threads": 1}),
    ],
)
def test_holdem(tmp_path: Path, turn: zerosum.holdem.Spot, name: str, more: dict[str, Any]) -> None:
    whole = zerosum.solve(turn, name, iterations=40, **more)
    zerosum.solve(turn, name, iterations=13, out=tmp_path, **more)
    assert_same(zerosum.resume(tmp_path, iterations=40), whole)
    read = zerosum.load(tmp_path)
    assert_same(read, whole)
    assert (read.at("check bet50").action_ev == whole.at("check bet50").action_ev).all()


@pytest.mark.parametrize("name", ["mccfr", "vr-mccfr", "linear-mccfr(2e3)", "pcs-cfr"])
def test_sampled_holdem(tmp_path: Path, turn: zerosum.holdem.Spot, name: str) -> None:
    whole = zerosum.solve(turn, name, nodes=30_000, seed=2)
    zerosum.solve(turn, name, nodes=11_000, seed=2, out=tmp_path)
    assert_same(zerosum.resume(tmp_path, nodes=30_000), whole)
    assert_same(zerosum.load(tmp_path), whole)


def test_tuned_steps_are_not_tuned_again(tmp_path: Path) -> None:
    whole = zerosum.solve("kuhn", "oftrl(tuned)", iterations=100)
    zerosum.solve("kuhn", "oftrl(tuned)", iterations=100, seconds=0, out=tmp_path)
    assert_same(zerosum.resume(tmp_path, iterations=100), whole)


GAME = """
from enum import Enum
from zerosum import TERMINAL, ONE, TWO, Game
print("the file is run")
class Side(Enum):
    HEADS = 1
    TAILS = 2
class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, TERMINAL)[len(state)]
    def actions(self, state): return tuple(Side)
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return ("mine", "yours")[len(state)]
    def payoff(self, state): return 2.0 if state[0] == state[1] else -1.0
"""
RULE = """
import zerosum
def lazy(t, instant, regret, strategy, memory):
    A, W = regret.shape
    for w in range(W):
        total = 0.0
        for a in range(A):
            memory[a, w] += 1.0
            regret[a, w] = max(regret[a, w] + instant[a, w] * memory[a, w], 0.0)
            total += regret[a, w]
        for a in range(A):
            strategy[a, w] = regret[a, w] / total if total > 0.0 else 1.0 / A
mine = zerosum.rule(lazy, memory=1, average=zerosum.Power(1))
"""


def test_custom_files_are_run_only_when_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pennies.py").write_text(GAME)
    Path("rule.py").write_text(RULE)
    files = {"game": "pennies.py:Pennies", "algorithm": "rule.py:mine"}
    whole = zerosum.solve(*files.values(), iterations=30)
    zerosum.solve(*files.values(), iterations=10, out="run")
    capsys.readouterr()
    zerosum.load("run")
    with pytest.raises(zerosum.ZerosumError, match="algorithm='my_rule.py:mine'"):
        zerosum.resume("run", iterations=30)
    with pytest.raises(zerosum.ZerosumError, match=r"\(game='pennies.py:Pennies'\)"):
        zerosum.resume("run", iterations=30, algorithm=files["algorithm"])
    assert capsys.readouterr().out == ""
    assert_same(zerosum.resume("run", iterations=30, **files), whole)
    Path("rule.py").write_text(RULE.replace("+= 1.0", "+= 2.0"))
    with pytest.raises(zerosum.ZerosumError, match="its code, or data that it reads, has changed"):
        zerosum.resume("run", iterations=40, **files)
    Path("rule.py").write_text(RULE)
    Path("pennies.py").write_text(GAME.replace("2.0", "3.0"))
    with pytest.raises(zerosum.ZerosumError, match="its rules have changed"):
        zerosum.resume("run", iterations=40, **files)


def test_custom_objects_must_be_passed_again(tmp_path: Path) -> None:
    game = zerosum.game("kuhn")
    zerosum.solve(game, "cfr", iterations=10, out=tmp_path)
    with pytest.raises(zerosum.ZerosumError, match=r"passed as an object: pass it again \(game=\)"):
        zerosum.resume(tmp_path, iterations=20)
    with pytest.raises(zerosum.ZerosumError, match="is not the game of this run"):
        zerosum.resume(tmp_path, iterations=20, game="kuhn(4)")
    assert_same(zerosum.resume(tmp_path, iterations=20, game=game), zerosum.solve("kuhn", "cfr", iterations=20))


def test_keys_that_cannot_be_saved(tmp_path: Path) -> None:
    class Pair(tuple):
        pass

    class Odd(type(zerosum.game("rps"))):
        def infoset(self, state: Any) -> Any:
            return Pair((super().infoset(state),))

    with pytest.raises(zerosum.ZerosumError, match="strings, numbers, tuples"):
        zerosum.solve(Odd(), "mccfr", iterations=10, by_rules=True, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_limits(tmp_path: Path) -> None:
    path = tmp_path / "run"
    zerosum.solve("kuhn", iterations=100, out=path)
    for limits, words in (
        ({}, "complete after 100 iterations"),
        ({"iterations": 50}, "has 100 iterations already"),
        ({"iterations": "+0"}, "whole number"),
        ({"iterations": "many"}, "whole number"),
        ({"until": 10}, "already"),
        ({"until": "x"}, "until must be"),
        ({"nodes": 5}, "nodes already"),
        ({"algorithm": "cfr", "iterations": 200}, "leave out the algorithm"),
    ):
        with pytest.raises(zerosum.ZerosumError, match=words):
            zerosum.resume(path, **limits)
    assert zerosum.resume(path, iterations="+1e2").iterations == 200
    assert zerosum.resume(path, until=1e-5).stopped == "until"
    assert zerosum.resume(path, seconds=0.01).stopped == "seconds"
    with pytest.raises(zerosum.ZerosumError, match="there is no run"):
        zerosum.resume(tmp_path / "nothing")
    with pytest.raises(zerosum.ZerosumError, match="a folder without a run"):
        zerosum.resume(tmp_path)


def test_the_exact_solution_is_kept(tmp_path: Path) -> None:
    result = zerosum.solve("kuhn", "lp", out=tmp_path)
    assert zerosum.load(tmp_path) == result
    with pytest.raises(zerosum.ZerosumError, match="nothing to continue"):
        zerosum.resume(tmp_path, iterations=10)


def test_a_place_that_is_taken(tmp_path: Path) -> None:
    from zerosum.runs.run_location import RunLocation

    zerosum.solve("kuhn", iterations=10, out=tmp_path / "run")
    with pytest.raises(zerosum.ZerosumError, match="holds a run already: continue it"):
        zerosum.solve("kuhn", iterations=20, out=tmp_path / "run")
    assert zerosum.solve("kuhn", iterations=20, out=tmp_path / "run", overwrite=True).iterations == 20
    assert zerosum.load(tmp_path / "run").iterations == 20
    held = RunLocation(tmp_path / "run", new=False)
    with pytest.raises(zerosum.ZerosumError, match="another process is writing"):
        zerosum.resume(tmp_path / "run", iterations=30)
    held.close()
    assert zerosum.resume(tmp_path / "run", iterations=30).iterations == 30
    with pytest.raises(zerosum.ZerosumError, match="a folder with other files, such as run"):
        zerosum.solve("kuhn", iterations=10, out=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(zerosum.ZerosumError, match="it is a file"):
        zerosum.solve("kuhn", iterations=10, out=tmp_path / "file")


def test_a_run_says_where_it_comes_from(tmp_path: Path) -> None:
    from zerosum.runs.saved_run import SavedRun

    zerosum.solve("leduc", "mccfr", nodes=2_000, seed=7, out=tmp_path)
    zerosum.resume(tmp_path, nodes=4_000)
    with SavedRun(tmp_path) as run:
        assert (run.about["game"], run.about["seed"], run.about["limits"]["nodes"]) == ("leduc", 7, 4_000)
        first, second = run.about["parts"]
        assert first["to"] == second["from"] > 0
        assert {"zerosum", "code", "processor", "cores", "python", "numpy", "numba", "started"} <= set(second)


def test_a_file_alone_is_locked_too(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.zs"
    first = zerosum.start("kuhn", iterations=100, out=path)
    first.advance(iterations=10)
    with pytest.raises(zerosum.ZerosumError, match="another process is writing"):
        zerosum.start("kuhn", iterations=100, out=path, overwrite=True)
    first.advance()
    again = zerosum.open_run(path, iterations="+10")
    for wanted in (lambda: zerosum.open_run(path, iterations="+10"), lambda: zerosum.resume(path, iterations="+10")):
        with pytest.raises(zerosum.ZerosumError, match="another process is writing"):
            wanted()
    assert zerosum.load(path).iterations == 100
    again.advance()
    again.close()
    assert zerosum.resume(path, iterations="+10").iterations == 120
    assert [entry.name for entry in tmp_path.iterdir()] == ["kuhn.zs"]
    (tmp_path / ".kuhn.zs.lock").touch()
    assert zerosum.resume(path, iterations="+10").iterations == 130, (
        "what a process that was killed left does not count"
    )


@pytest.mark.parametrize(
    "text", ["openspiel:efg_game(filename=/etc/passwd)", "openspiel:nfg_game(FileName = x)", "openspiel:a(b=../c)"]
)
def test_a_saved_run_opens_no_file_by_itself(text: str, tmp_path: Path) -> None:
    """This holds for files of any kind: the caller has to name them again."""

    run = zerosum.solve("kuhn", iterations=10, out=tmp_path / "kuhn.zs")
    with closing(array_file.ArrayFile(tmp_path / "kuhn.zs")) as saved:
        header, arrays = saved.header, saved.read_arrays()
    array_file.write_array_file(tmp_path / "kuhn.zs", {**header, "game": text}, arrays)
    with pytest.raises(zerosum.ZerosumError, match="which is read only if you name it .game="):
        zerosum.resume(tmp_path / "kuhn.zs", iterations="+10")
    assert zerosum.load(tmp_path / "kuhn.zs").value == run.value
    assert zerosum.resume(tmp_path / "kuhn.zs", game="kuhn", iterations="+10").iterations == 20


def test_a_link_to_a_run_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    run, link = tmp_path / "there" / "run.zs", tmp_path / "link.zs"
    zerosum.solve("kuhn", iterations=10, out=run)
    link.symlink_to(run)
    held = RunLocation(run, new=False)
    with pytest.raises(zerosum.ZerosumError, match="another process is writing"):
        zerosum.resume(link, iterations="+10")
    held.close()
    result = zerosum.resume(link, iterations="+10")
    assert link.is_symlink()
    assert zerosum.load(run) == result
    assert result.iterations == 20
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link.zs", "run.zs", "there"]


@pytest.mark.parametrize("name", ["run.zs", "result.json"])
def test_links_in_a_circle_get_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to(tmp_path / name)
    with pytest.raises(zerosum.ZerosumError, match="cannot write"):
        zerosum.solve("kuhn", iterations=10, out=tmp_path / name)


def test_a_link_that_leads_nowhere_yet_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.zs").symlink_to(tmp_path / "run.zs")
    zerosum.solve("kuhn", iterations=10, out=tmp_path / "link.zs")
    assert (tmp_path / "link.zs").is_symlink()
    assert zerosum.load(tmp_path / "run.zs").iterations == 10


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["strategy0", "average0"])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_strategy_that_is_not_finite_gets_a_sentence_alone(name: str, number: float, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.zs"
    zerosum.solve("kuhn", iterations=10, out=path)
    with closing(ArrayFile(path)) as run:
        header, arrays = run.header, run.read_arrays()
    arrays[name][1] = number
    array_file.write_array_file(path, header, arrays)
    with pytest.raises(zerosum.ZerosumError, match="."):
        zerosum.resume(path, iterations="+10")
