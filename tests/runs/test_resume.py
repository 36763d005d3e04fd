"""A run that was stopped and went on gives what a run in one go gives, digit for digit, whatever it solves and how."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue
import rue.holdem
from rue import container
from rue.algorithms.catalogue import ALGORITHMS
from rue.container import Container
from rue.results.game import GameResult
from rue.runs.home import Home

FULL = sorted(name for name in ALGORITHMS if rue.algorithm(name).sampling is None)
SAMPLED = ["mccfr", "os-mccfr", "vr-mccfr", "cs-cfr", "pcs-cfr", "linear-mccfr(2e3)", "discounted-mccfr(period=2e3)"]


def curve(result: Any) -> list[tuple[Any, ...]]:
    return [(p.iteration, p.exploitability, p.nash_conv, p.value, p.nodes) for p in result.curve]


def assert_same(one: Any, two: Any) -> None:
    assert curve(one) == curve(two)
    assert (one.algorithm, one.iterations, one.nodes, one.seed) == (two.algorithm, two.iterations, two.nodes, two.seed)
    if isinstance(one, GameResult):
        assert one.decisions == two.decisions
    else:
        for mine, theirs in zip(one.solution.solver.averages(), two.solution.solver.averages(), strict=True):
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
    """Made longer where the length does not matter; else stopped and taken up."""
    path = tmp_path / "run"
    needs = rue.algorithm(name).needs_horizon
    whole = rue.solve("leduc", name, iterations=60, start_seed=3)
    rue.solve("leduc", name, start_seed=3, out=path, iterations=60 if needs else 23, seconds=0 if needs else None)
    if needs:
        with pytest.raises(rue.RueError, match="laid out over the whole length"):
            rue.resume(path, iterations=61)
    assert_same(rue.resume(path, iterations=60), whole)
    assert_same(rue.load(path), whole)


@pytest.mark.parametrize("name", SAMPLED)
@pytest.mark.parametrize("start_seed", [None, 4])
def test_every_sampled_algorithm(tmp_path: Path, name: str, start_seed: int | None) -> None:
    if start_seed is not None and name == "pcs-cfr":
        return
    whole = rue.solve("leduc", name, nodes=20_000, seed=5, start_seed=start_seed)
    rue.solve("leduc", name, nodes=7_001, seed=5, start_seed=start_seed, out=tmp_path / "run.rue")
    rue.resume(tmp_path / "run.rue", nodes=11_111)
    assert_same(rue.resume(tmp_path / "run.rue", nodes=20_000), whole)
    assert_same(rue.load(tmp_path / "run.rue"), whole)


def test_points_may_be_spaced_by_iterations_and_then_by_nodes(tmp_path: Path) -> None:
    """The curve then has the points of both; the strategies are the same."""
    whole = rue.solve("leduc", "mccfr", nodes=20_000, seed=5)
    rue.solve("leduc", "mccfr", iterations=50, seed=5, out=tmp_path)
    assert rue.resume(tmp_path, nodes=20_000).decisions == whole.decisions


@pytest.mark.parametrize("game", ["leduc", "liars-dice(sides=3)", "goofspiel(3)", "battleship"])
def test_by_rules(tmp_path: Path, game: str) -> None:
    whole = rue.solve(game, "vr-mccfr", nodes=3_000, seed=5, by_rules=True)
    rue.solve(game, "vr-mccfr", nodes=1_000, seed=5, by_rules=True, out=tmp_path)
    longer = rue.resume(tmp_path, nodes=3_000)
    assert longer.decisions == whole.decisions == rue.load(tmp_path).decisions


@pytest.fixture(scope="module")
def turn() -> rue.holdem.Spot:
    return rue.holdem.spot("Ks7h2d9c", 200, 400, "AA,99,87s,KQs:0.3", "KK,QQ,65s,A9s", "50%,allin", big_blind=2)


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
def test_holdem(tmp_path: Path, turn: rue.holdem.Spot, name: str, more: dict[str, Any]) -> None:
    whole = rue.solve(turn, name, iterations=40, **more)
    rue.solve(turn, name, iterations=13, out=tmp_path, **more)
    assert_same(rue.resume(tmp_path, iterations=40), whole)
    read = rue.load(tmp_path)
    assert_same(read, whole)
    assert (read.at("check bet50").evs == whole.at("check bet50").evs).all()


@pytest.mark.parametrize("name", ["mccfr", "vr-mccfr", "linear-mccfr(2e3)", "pcs-cfr"])
def test_sampled_holdem(tmp_path: Path, turn: rue.holdem.Spot, name: str) -> None:
    whole = rue.solve(turn, name, nodes=30_000, seed=2)
    rue.solve(turn, name, nodes=11_000, seed=2, out=tmp_path)
    assert_same(rue.resume(tmp_path, nodes=30_000), whole)
    assert_same(rue.load(tmp_path), whole)


def test_tuned_steps_are_not_tuned_again(tmp_path: Path) -> None:
    whole = rue.solve("kuhn", "oftrl(tuned)", iterations=100)
    rue.solve("kuhn", "oftrl(tuned)", iterations=100, seconds=0, out=tmp_path)
    assert_same(rue.resume(tmp_path, iterations=100), whole)


GAME = """
from enum import Enum
from rue import NOBODY, ONE, TWO, Game
print("the file is run")
class Side(Enum):
    HEADS = 1
    TAILS = 2
class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, NOBODY)[len(state)]
    def actions(self, state): return tuple(Side)
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return ("mine", "yours")[len(state)]
    def payoff(self, state): return 2.0 if state[0] == state[1] else -1.0
"""
RULE = """
import rue
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
mine = rue.rule(lazy, memory=1, average=rue.Power(1))
"""


def test_files_of_ones_own_are_run_only_when_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pennies.py").write_text(GAME)
    Path("rule.py").write_text(RULE)
    given = {"game": "pennies.py:Pennies", "algorithm": "rule.py:mine"}
    whole = rue.solve(*given.values(), iterations=30)
    rue.solve(*given.values(), iterations=10, out="run")
    capsys.readouterr()
    rue.load("run")
    with pytest.raises(rue.RueError, match=r"--algorithm my_rule.py:mine"):
        rue.resume("run", iterations=30)
    with pytest.raises(rue.RueError, match=r"\(--game pennies.py:Pennies, game=\)"):
        rue.resume("run", iterations=30, algorithm=given["algorithm"])
    assert capsys.readouterr().out == ""
    assert_same(rue.resume("run", iterations=30, **given), whole)
    Path("rule.py").write_text(RULE.replace("+= 1.0", "+= 2.0"))
    with pytest.raises(rue.RueError, match="its code has changed"):
        rue.resume("run", iterations=40, **given)
    Path("rule.py").write_text(RULE)
    Path("pennies.py").write_text(GAME.replace("2.0", "3.0"))
    with pytest.raises(rue.RueError, match="its rules have changed"):
        rue.resume("run", iterations=40, **given)


def test_objects_of_ones_own_are_given_again(tmp_path: Path) -> None:
    game = rue.game("kuhn")
    rue.solve(game, "cfr", iterations=10, out=tmp_path)
    with pytest.raises(rue.RueError, match=r"given as an object: give it again \(game=\)"):
        rue.resume(tmp_path, iterations=20)
    with pytest.raises(rue.RueError, match="is not the game of this run"):
        rue.resume(tmp_path, iterations=20, game="kuhn(4)")
    assert_same(rue.resume(tmp_path, iterations=20, game=game), rue.solve("kuhn", "cfr", iterations=20))


def test_keys_that_cannot_be_saved(tmp_path: Path) -> None:
    class Pair(tuple):
        pass

    class Odd(type(rue.game("rps"))):
        def infoset(self, state: Any) -> Any:
            return Pair((super().infoset(state),))

    with pytest.raises(rue.RueError, match="made of texts, numbers, tuples"):
        rue.solve(Odd(), "mccfr", iterations=10, by_rules=True, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_limits(tmp_path: Path) -> None:
    path = tmp_path / "run"
    rue.solve("kuhn", iterations=100, out=path)
    for given, words in (
        ({}, "complete after 100 iterations"),
        ({"iterations": 50}, "has 100 iterations already"),
        ({"iterations": "+0"}, "whole number"),
        ({"iterations": "many"}, "whole number"),
        ({"until": 10}, "already"),
        ({"until": "x"}, "until must be"),
        ({"nodes": 5}, "nodes already"),
        ({"algorithm": "cfr", "iterations": 200}, "leave out the algorithm"),
    ):
        with pytest.raises(rue.RueError, match=words):
            rue.resume(path, **given)
    assert rue.resume(path, iterations="+1e2").iterations == 200
    assert rue.resume(path, until=1e-5).stopped == "until"
    assert rue.resume(path, seconds=0.01).stopped == "seconds"
    with pytest.raises(rue.RueError, match="there is no run"):
        rue.resume(tmp_path / "nothing")
    with pytest.raises(rue.RueError, match="a folder without a run"):
        rue.resume(tmp_path)


def test_the_exact_solution_is_kept(tmp_path: Path) -> None:
    result = rue.solve("kuhn", "lp", out=tmp_path)
    assert rue.load(tmp_path) == result
    with pytest.raises(rue.RueError, match="nothing to go on with"):
        rue.resume(tmp_path, iterations=10)


def test_a_place_that_is_taken(tmp_path: Path) -> None:
    from rue.runs.home import Home

    rue.solve("kuhn", iterations=10, out=tmp_path / "run")
    with pytest.raises(rue.RueError, match="holds a run already: go on with it"):
        rue.solve("kuhn", iterations=20, out=tmp_path / "run")
    assert rue.solve("kuhn", iterations=20, out=tmp_path / "run", overwrite=True).iterations == 20
    assert rue.load(tmp_path / "run").iterations == 20
    held = Home(tmp_path / "run", new=False)
    with pytest.raises(rue.RueError, match="another process is writing"):
        rue.resume(tmp_path / "run", iterations=30)
    held.close()
    assert rue.resume(tmp_path / "run", iterations=30).iterations == 30
    with pytest.raises(rue.RueError, match="a folder that holds other things, such as run"):
        rue.solve("kuhn", iterations=10, out=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(rue.RueError, match="it is a file"):
        rue.solve("kuhn", iterations=10, out=tmp_path / "file")


def test_a_run_says_where_it_comes_from(tmp_path: Path) -> None:
    from rue.runs.opened import Opened

    rue.solve("leduc", "mccfr", nodes=2_000, seed=7, out=tmp_path)
    rue.resume(tmp_path, nodes=4_000)
    with Opened(tmp_path) as run:
        assert (run.about["game"], run.about["seed"], run.about["limits"]["nodes"]) == ("leduc", 7, 4_000)
        first, second = run.about["parts"]
        assert first["to"] == second["from"] > 0
        assert {"rue", "code", "processor", "cores", "python", "numpy", "numba", "started"} <= set(second)


def test_a_file_alone_is_locked_too(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.rue"
    first = rue.start("kuhn", iterations=100, out=path)
    first.advance(iterations=10)
    with pytest.raises(rue.RueError, match="another process is writing"):
        rue.start("kuhn", iterations=100, out=path, overwrite=True)
    first.advance()
    again = rue.open_run(path, iterations="+10")
    for wanted in (lambda: rue.open_run(path, iterations="+10"), lambda: rue.resume(path, iterations="+10")):
        with pytest.raises(rue.RueError, match="another process is writing"):
            wanted()
    assert rue.load(path).iterations == 100
    again.advance()
    again.close()
    assert rue.resume(path, iterations="+10").iterations == 120
    assert [entry.name for entry in tmp_path.iterdir()] == ["kuhn.rue"]
    (tmp_path / ".kuhn.rue.lock").touch()
    assert rue.resume(path, iterations="+10").iterations == 130, "what a process that was killed left does not count"


@pytest.mark.parametrize(
    "text", ["openspiel:efg_game(filename=/etc/passwd)", "openspiel:nfg_game(FileName = x)", "openspiel:a(b=../c)"]
)
def test_a_saved_run_opens_no_file_by_itself(text: str, tmp_path: Path) -> None:
    """Of whatever kind: who wants it read names it again."""
    import rue.container as container

    run = rue.solve("kuhn", iterations=10, out=tmp_path / "kuhn.rue")
    with closing(container.Container(tmp_path / "kuhn.rue")) as saved:
        header, arrays = saved.header, saved.arrays()
    container.write(tmp_path / "kuhn.rue", {**header, "game": text}, arrays)
    with pytest.raises(rue.RueError, match="which is read only if you name it .--game"):
        rue.resume(tmp_path / "kuhn.rue", iterations="+10")
    assert rue.load(tmp_path / "kuhn.rue").value == run.value
    assert rue.resume(tmp_path / "kuhn.rue", game="kuhn", iterations="+10").iterations == 20


def test_a_link_to_a_run_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    run, link = tmp_path / "there" / "run.rue", tmp_path / "link.rue"
    rue.solve("kuhn", iterations=10, out=run)
    link.symlink_to(run)
    held = Home(run, new=False)
    with pytest.raises(rue.RueError, match="another process is writing"):
        rue.resume(link, iterations="+10")
    held.close()
    result = rue.resume(link, iterations="+10")
    assert link.is_symlink()
    assert rue.load(run) == result
    assert result.iterations == 20
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["link.rue", "run.rue", "there"]


@pytest.mark.parametrize("name", ["run.rue", "result.json"])
def test_links_in_a_circle_get_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to(tmp_path / name)
    with pytest.raises(rue.RueError, match="cannot write"):
        rue.solve("kuhn", iterations=10, out=tmp_path / name)


def test_a_link_that_leads_nowhere_yet_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.rue").symlink_to(tmp_path / "run.rue")
    rue.solve("kuhn", iterations=10, out=tmp_path / "link.rue")
    assert (tmp_path / "link.rue").is_symlink()
    assert rue.load(tmp_path / "run.rue").iterations == 10


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["strategy0", "average0"])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_strategy_that_is_not_finite_gets_a_sentence_alone(name: str, number: float, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.rue"
    rue.solve("kuhn", iterations=10, out=path)
    with closing(Container(path)) as run:
        header, arrays = run.header, run.arrays()
    arrays[name][1] = number
    container.write(path, header, arrays)
    with pytest.raises(rue.RueError, match="."):
        rue.resume(path, iterations="+10")
