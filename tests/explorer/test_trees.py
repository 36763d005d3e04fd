"""The tree of a game: every history with its infoset, strategy and reach, checked against the solver's own numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from explorer_page import SPOT, Page

import zerosum
from zerosum.problems.games.game_tree import GameTree
from zerosum.problems.registry import problem


def solved(page: Page, game: str, algorithm: str = "cfr+") -> str:
    """The key of a run that is done."""
    key = page.ask("POST", "games/runs", {"game": game, "algorithms": [algorithm], "iterations": 100})[0]["id"]
    page.wait(key, "done")
    return str(key)


@pytest.mark.parametrize("game", ["kuhn", "coin-toss", "rps-double-scissors", "kuhn(ranks=4)", "openspiel:kuhn_poker"])
def test_a_small_game_is_sent_whole_and_its_value_is_the_solvers(page: Page, game: str) -> None:
    if game.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    key = solved(page, game)
    tree = page.ask("POST", "tree", {"game": game, "run": key})
    nodes: list[Any] = tree["nodes"]
    assert tree["is_complete"] is True
    assert nodes[0]["value"] == pytest.approx(page.ask("GET", f"runs/{key}")["value"], abs=1e-12)
    assert len({tuple(node["path"]) for node in nodes}) == len(nodes) == zerosum.estimate(game).histories  # type: ignore[union-attr]
    ends = [node for node in nodes if node["kind"] == "end"]
    assert math.fsum(node["reach"] for node in ends) == pytest.approx(1)
    strategy = zerosum.load(page.folder / page.ask("GET", f"runs/{key}")["name"]).strategy
    assert {node["infoset"] for node in nodes if node["kind"] == "decision"} == set(strategy)
    for node in nodes:
        assert node["reach"] == pytest.approx(math.prod(node["reaches"]))
        if node["kind"] == "decision":
            assert dict(zip(node["actions"], node["strategy"], strict=True)) == pytest.approx(
                strategy[node["infoset"]], abs=1e-8
            )
            assert len(set(node["colours"])) == len(node["actions"])


def test_the_exact_solution_has_a_tree(page: Page) -> None:
    tree = page.ask("POST", "tree", {"game": "kuhn", "run": solved(page, "kuhn", "lp")})
    assert tree["nodes"][0]["value"] == pytest.approx(-1 / 18)


def test_a_larger_game_is_opened_history_by_history(page: Page) -> None:
    key = solved(page, "leduc")
    root = page.ask("POST", "tree", {"game": "leduc", "run": key})
    assert (root["is_complete"], root["more"], len(root["nodes"])) == (False, 0, 7)
    reach, path = 0.0, list[int]()
    infosets = {decision.infoset: decision for decision in zerosum.load(page.folder / "leduc cfr+").decisions}  # type: ignore[union-attr]
    while root["nodes"][0]["kind"] != "end":
        node, below = root["nodes"][0], root["nodes"][1:]
        assert [node["move"] for node in below] == node["actions"]
        assert math.fsum(node["reach"] for node in below) == pytest.approx(node["reach"])
        if node["kind"] == "decision":
            decision = infosets[node["infoset"]]
            assert (decision.player, decision.reach) == (
                node["player"],
                pytest.approx(node["reaches"][node["player"] - 1]),
            )
        path.append(len(below) - 1)
        reach = below[-1]["reach"]
        root = page.ask("POST", "tree", {"game": "leduc", "run": key, "path": path})
        assert root["nodes"][0]["reach"] == pytest.approx(reach)
    deals = [page.ask("POST", "tree", {"game": "leduc", "run": key, "path": [card]})["nodes"] for card in range(6)]
    values = [node["value"] for nodes in deals for node in nodes[1:]]
    assert len(values) == 30
    assert math.fsum(values) / 30 == pytest.approx(page.ask("GET", f"runs/{key}")["value"], abs=1e-9)
    assert page.ask("POST", "tree", {"game": "leduc", "path": [0, 0]})["nodes"][0]["strategy"] is None


def test_subtrees_are_sent_in_pieces_without_a_strategy(page: Page) -> None:
    first = page.ask("POST", "tree", {"game": "pushfold"})
    rest = page.ask("POST", "tree", {"game": "pushfold", "first": 100})
    assert (len(first["nodes"]), len(rest["nodes"])) == (101, 70)
    assert (first["more"], rest["more"]) == (69, 0)
    assert first["nodes"][0]["reach"] is None
    huge = page.ask("POST", "tree", {"game": "liars-dice(dice=2)", "path": [3, 2, 1]})
    assert [node["path"] for node in huge["nodes"][:2]] == [[3, 2, 1], [3, 2, 1, 0]]


def test_infosets_are_found_by_text(page: Page) -> None:
    key = solved(page, "leduc")
    every = page.ask("GET", f"runs/{key}/infosets")
    assert (every["count"], every["total"], len(every["rows"])) == (936, 936, 200)
    matches = page.ask("GET", f"runs/{key}/infosets?text=Kc|Qd raise")
    assert matches["count"] == len(matches["rows"]) > 0
    assert all("Kc|Qd" in row["infoset"] and "raise" in row["infoset"] for row in matches["rows"])
    assert page.ask("GET", f"runs/{key}/infosets?text=nothing") == {"count": 0, "total": 936, "rows": []}


def test_invalid_requests_are_refused_with_a_message(page: Page) -> None:
    key = solved(page, "kuhn")
    for body, message in (
        ({}, "needs 'game'"),
        ({"game": "kuhn", "path": [9]}, "there is no move 9 after the start"),
        ({"game": "kuhn", "path": [0, -1]}, "there is no move -1 after 0"),
        ({"game": "kuhn", "path": ["x"]}, "a list of the numbers"),
        ({"game": "kuhn", "path": [True]}, "a list of the numbers"),
        ({"game": "kuhn", "path": "0"}, "must be a list"),
        ({"game": "kuhn", "first": -1}, "at least 0"),
        ({"game": "kuhn", "run": "99"}, "no run"),
        ({"game": "rps", "run": key}, "the run solves kuhn"),
        ({"game": "evil.py:Game"}, "command line only"),
        ({"game": "spot:turn"}, "the parts of a spot"),
    ):
        assert message in page.refused("POST", "tree", body)
    spot = page.ask("POST", "runs", {"spot": SPOT, "iterations": 5})["id"]
    page.wait(spot, "done")
    assert "has no game tree" in page.refused("GET", f"runs/{spot}/infosets")
    assert "no run" in page.refused("GET", "runs/99/infosets")


def test_infosets_that_are_called_the_same_are_not_mistaken() -> None:
    class Alike(zerosum.Game):
        def root(self) -> Any:
            return ()

        def player(self, state: Any) -> int:
            return (zerosum.ONE, zerosum.TWO, zerosum.TERMINAL)[len(state)]

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
    nodes = GameTree(game, zerosum.solve(game, "cfr+", iterations=50)).list_nodes(50)  # type: ignore[arg-type]
    assert nodes is not None
    assert len({node.infoset for node in nodes if node.kind == "decision"}) == 3
    answers = [node for node in nodes if node.player == 2]
    assert [max(zip(node.strategy or (), node.actions, strict=True))[1] for node in answers] == ["b", "a"]


def test_a_run_of_a_game_too_large_for_the_page_is_shown(
    page: Page, opened: Callable[[], Page], tmp_path: Path
) -> None:
    game = "liars-dice(2, 6)"
    cost = page.ask("POST", "game", {"game": game, "algorithms": ["mccfr"]})
    assert "does not fit" in cost["problem"]
    assert cost["suggestion"].startswith(f'zerosum solve "{game}" --by-rules --algorithm mccfr')
    assert page.ask("POST", "game", {"game": "kuhn", "algorithms": ["cfr"]})["suggestion"] == ""
    zerosum.solve(game, "mccfr", by_rules=True, iterations=2, out=tmp_path / "runs" / "large")
    later = opened()
    (run,) = later.ask("GET", "runs")
    assert (run["has_exploitability"], run["curve"], run["exploitability"]) == (False, [], None)
    tree = later.ask("POST", "tree", {"game": game, "run": run["id"]})
    assert tree["nodes"][0]["kind"] == "chance"
    infosets = later.ask("GET", f"runs/{run['id']}/infosets")
    assert infosets["count"] > 0
    assert sum(infosets["rows"][0]["strategy"]) == pytest.approx(1, abs=1e-3)
