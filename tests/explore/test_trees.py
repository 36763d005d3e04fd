"""The tree of a game: every history with its infoset, strategy and reach, checked against the solver's own numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explorer_page import SPOT, Page

import rue
from rue.problems.find import problem
from rue.views.game_tree import GameTree


def solved(page: Page, game: str, algorithm: str = "cfr+") -> str:
    """The key of a run that is done."""
    key = page.ask("POST", "games/runs", {"game": game, "algorithms": [algorithm], "iterations": 100})[0]["id"]
    page.wait(key, "done")
    return str(key)


@pytest.mark.parametrize("game", ["kuhn", "coin-toss", "rps-double-scissors", "kuhn(ranks=4)", "openspiel:kuhn_poker"])
def test_a_small_game_is_told_whole_and_its_value_is_the_solvers(page: Page, game: str) -> None:
    if game.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    key = solved(page, game)
    found = page.ask("POST", "tree", {"game": game, "run": key})
    nodes: list[Any] = found["nodes"]
    assert found["whole"] is True
    assert nodes[0]["value"] == pytest.approx(page.ask("GET", f"runs/{key}")["value"], abs=1e-12)
    assert len({tuple(node["path"]) for node in nodes}) == len(nodes) == rue.estimate(game).histories  # type: ignore[union-attr]
    ends = [node for node in nodes if node["kind"] == "end"]
    assert math.fsum(node["reach"] for node in ends) == pytest.approx(1)
    strategy = rue.load(page.folder / page.ask("GET", f"runs/{key}")["name"]).strategy
    assert {node["infoset"] for node in nodes if node["kind"] == "decision"} == set(strategy)
    for node in nodes:
        assert node["reach"] == pytest.approx(math.prod(node["reaches"]))
        if node["kind"] == "decision":
            assert dict(zip(node["actions"], node["strategy"], strict=True)) == pytest.approx(
                strategy[node["infoset"]], abs=1e-8
            )
            assert len(set(node["colours"])) == len(node["actions"])


def test_the_exact_solution_has_a_tree(page: Page) -> None:
    found = page.ask("POST", "tree", {"game": "kuhn", "run": solved(page, "kuhn", "lp")})
    assert found["nodes"][0]["value"] == pytest.approx(-1 / 18)


def test_a_larger_game_is_opened_history_by_history(page: Page) -> None:
    key = solved(page, "leduc")
    root = page.ask("POST", "tree", {"game": "leduc", "run": key})
    assert (root["whole"], root["more"], len(root["nodes"])) == (False, 0, 7)
    reach, path = 0.0, list[int]()
    infosets = {each.infoset: each for each in rue.load(page.folder / "leduc cfr+").decisions}  # type: ignore[union-attr]
    while root["nodes"][0]["kind"] != "end":
        here, below = root["nodes"][0], root["nodes"][1:]
        assert [node["move"] for node in below] == here["actions"]
        assert math.fsum(node["reach"] for node in below) == pytest.approx(here["reach"])
        if here["kind"] == "decision":
            own = infosets[here["infoset"]]
            assert (own.player, own.reach) == (here["player"], pytest.approx(here["reaches"][here["player"] - 1]))
        path.append(len(below) - 1)
        reach = below[-1]["reach"]
        root = page.ask("POST", "tree", {"game": "leduc", "run": key, "at": path})
        assert root["nodes"][0]["reach"] == pytest.approx(reach)
    deals = [page.ask("POST", "tree", {"game": "leduc", "run": key, "at": [card]})["nodes"] for card in range(6)]
    values = [node["value"] for nodes in deals for node in nodes[1:]]
    assert len(values) == 30
    assert math.fsum(values) / 30 == pytest.approx(page.ask("GET", f"runs/{key}")["value"], abs=1e-9)
    assert page.ask("POST", "tree", {"game": "leduc", "at": [0, 0]})["nodes"][0]["strategy"] is None


def test_what_follows_is_told_in_pieces_and_no_strategy_is_needed(page: Page) -> None:
    first = page.ask("POST", "tree", {"game": "pushfold"})
    rest = page.ask("POST", "tree", {"game": "pushfold", "first": 100})
    assert (len(first["nodes"]), len(rest["nodes"])) == (101, 70)
    assert (first["more"], rest["more"]) == (69, 0)
    assert first["nodes"][0]["reach"] is None
    huge = page.ask("POST", "tree", {"game": "liars-dice(dice=2)", "at": [3, 2, 1]})
    assert [node["path"] for node in huge["nodes"][:2]] == [[3, 2, 1], [3, 2, 1, 0]]


def test_infosets_are_found_by_text(page: Page) -> None:
    key = solved(page, "leduc")
    every = page.ask("GET", f"runs/{key}/infosets")
    assert (every["count"], every["of"], len(every["rows"])) == (936, 936, 200)
    found = page.ask("GET", f"runs/{key}/infosets?text=Kc|Qd raise")
    assert found["count"] == len(found["rows"]) > 0
    assert all("Kc|Qd" in row["infoset"] and "raise" in row["infoset"] for row in found["rows"])
    assert page.ask("GET", f"runs/{key}/infosets?text=nothing") == {"count": 0, "of": 936, "rows": []}


def test_what_means_nothing_is_refused_in_a_sentence(page: Page) -> None:
    key = solved(page, "kuhn")
    for asked, said in (
        ({}, "no 'game'"),
        ({"game": "kuhn", "at": [9]}, "there is no move 9 after the start"),
        ({"game": "kuhn", "at": [0, -1]}, "there is no move -1 after 0"),
        ({"game": "kuhn", "at": ["x"]}, "a list of whole numbers"),
        ({"game": "kuhn", "at": [True]}, "a list of whole numbers"),
        ({"game": "kuhn", "at": "0"}, "must be a list"),
        ({"game": "kuhn", "first": -1}, "at least 0"),
        ({"game": "kuhn", "run": "99"}, "no run"),
        ({"game": "rps", "run": key}, "the run is one of kuhn"),
        ({"game": "evil.py:Game"}, "command line only"),
        ({"game": "spot:turn"}, "by its parts"),
    ):
        assert said in page.refused("POST", "tree", asked)
    spot = page.ask("POST", "runs", {"spot": SPOT, "iterations": 5})["id"]
    page.wait(spot, "done")
    assert "hold'em spot" in page.refused("GET", f"runs/{spot}/infosets")
    assert "no run" in page.refused("GET", "runs/99/infosets")


def test_infosets_that_are_called_the_same_are_not_mistaken() -> None:
    class Alike(rue.Game):
        def root(self) -> Any:
            return ()

        def player(self, state: Any) -> int:
            return (rue.ONE, rue.TWO, rue.NOBODY)[len(state)]

        def actions(self, state: Any) -> Any:
            return ("a", "b")

        def child(self, state: Any, action: Any) -> Any:
            return (*state, action)

        def infoset(self, state: Any) -> Any:
            return len(state), state[:1]

        def payoff(self, state: Any) -> float:
            return {("a", "a"): 1.0, ("b", "b"): 2.0}.get(state, -1.0)

        def describe(self, infoset: Any) -> str:
            return "here"

    game = problem(Alike())
    nodes = GameTree(game, rue.solve(game, "cfr+", iterations=50)).whole(50)  # type: ignore[arg-type]
    assert nodes is not None
    assert len({node.infoset for node in nodes if node.kind == "decision"}) == 3
    answers = [node for node in nodes if node.player == 2]
    assert [max(zip(node.strategy or (), node.actions, strict=True))[1] for node in answers] == ["b", "a"]


def test_a_game_that_is_too_large_is_sampled_elsewhere_and_looked_at_here(
    page: Page, opened: Callable[[], Page], tmp_path: Path
) -> None:
    game = "liars-dice(2, 6)"
    told = page.ask("POST", "game", {"game": game, "algorithms": ["mccfr"]})
    assert "does not fit" in told["sentence"]
    assert told["instead"].startswith(f'rue solve "{game}" --by-rules --algorithm mccfr')
    assert page.ask("POST", "game", {"game": "kuhn", "algorithms": ["cfr"]})["instead"] == ""
    rue.solve(game, "mccfr", by_rules=True, iterations=2, out=tmp_path / "runs" / "large")
    later = opened()
    (run,) = later.ask("GET", "runs")
    assert (run["judged"], run["curve"], run["exploitability"]) == (False, [], None)
    found = later.ask("POST", "tree", {"game": game, "run": run["id"]})
    assert found["nodes"][0]["kind"] == "chance"
    infosets = later.ask("GET", f"runs/{run['id']}/infosets")
    assert infosets["count"] > 0
    assert sum(infosets["rows"][0]["strategy"]) == pytest.approx(1, abs=1e-3)
