"""Training by requests: questions tell nothing, answers are graded as Python does, what means nothing is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from explorer_page import SPOT, Page

import rue
from rue.holdem.files import from_mapping
from rue.results.spot import SpotResult
from rue.views.training import Training


def test_a_training_is_that_of_python_and_keeps_its_secrets(page: Page) -> None:
    key = page.solved()
    result = rue.solve(from_mapping(SPOT), iterations=50)
    assert isinstance(result, SpotResult)
    plain = Training(result, "check", 1, seed=4)
    assert page.ask("GET", f"runs/{key}/training") is None
    told = page.ask("POST", f"runs/{key}/training", {"line": "check", "seat": "ip", "seed": 4})
    for _ in range(25):
        hand = told["hand"]
        assert (hand["hand"], tuple(hand["line"])) == (plain.hand.own, plain.hand.line)
        if hand["over"]:
            assert hand["over"]["other"] == plain.hand.other
            assert hand["over"]["won"] == plain.hand.outcome.won  # type: ignore[union-attr]
            told = page.ask("POST", f"runs/{key}/training/deal", {})
            plain.deal(result)
            continue
        assert set(hand) == {
            *("player", "hand", "line", "steps", "board", "pot", "behind", "over", "actions", "labels", "colours")
        }
        action = hand["actions"][-1]
        told = page.ask("POST", f"runs/{key}/training/answer", {"line": ",".join(hand["line"]), "action": action})
        graded = plain.answer(result, action)
        assert told["answer"]["lost"] == pytest.approx(graded.lost)
        assert told["answer"]["evs"] == pytest.approx(graded.evs)
        assert (told["answer"]["grade"], told["answer"]["hands"]) == (graded.grade, graded.hands)
    score = plain.score
    assert told["score"]["lost"] == pytest.approx(score.lost)
    assert told["score"]["course"] == [[k + 1, pytest.approx(each)] for k, each in enumerate(score.course)]
    assert [each["name"] for each in told["score"]["lines"]] == [each.name for each in score.lines]
    assert len(told["mistakes"]) == score.answers - score.right > 0
    assert page.ask("GET", f"runs/{key}/training")["score"] == told["score"]


def test_a_training_goes_on_when_the_server_has_ended_and_goes_with_its_run(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    told = page.ask("POST", f"runs/{key}/training", {"seat": "oop", "seed": 3})
    asked = {"line": ",".join(told["hand"]["line"]), "action": told["hand"]["actions"][0]}
    told = page.ask("POST", f"runs/{key}/training/answer", asked)
    (kept,) = (page.folder / "trainings").iterdir()
    with kept.open("a") as file:
        file.write('{"line": [], "bo')  # as a server leaves it that is killed while it writes
    page = opened()
    assert [run["id"] for run in page.ask("GET", "runs")] == [key]
    again = page.ask("GET", f"runs/{key}/training")
    assert again["score"] == told["score"]
    assert (again["seat"], again["seed"], again["hand"]["over"]) == ("oop", 3, None)
    for damage in ("", "[]\n", '{"line": "x"}\n{}\n', kept.read_text().replace('"chosen": "', '"chosen": "x')):
        kept.write_text(damage)
        page = opened()
        assert "is not a training" in page.refused("GET", f"runs/{key}/training")
    page.ask("POST", f"runs/{key}/training", {})
    assert page.ask("GET", f"runs/{key}/training")["score"]["answers"] == 0
    page.ask("DELETE", f"runs/{key}")
    assert not kept.exists()


def test_a_run_on_its_way_can_be_trained(page: Page) -> None:
    key = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(key, "running")
    while not page.ask("GET", f"runs/{key}")["iteration"]:
        pass
    told = page.ask("POST", f"runs/{key}/training", {})
    for _ in range(10):
        hand = told["hand"]
        if hand["over"]:
            told = page.ask("POST", f"runs/{key}/training/deal", {})
        else:
            asked = {"line": ",".join(hand["line"]), "action": hand["actions"][0]}
            told = page.ask("POST", f"runs/{key}/training/answer", asked)
    assert told["score"]["answers"] > 0


def test_trainings_that_mean_nothing_are_refused(page: Page) -> None:
    key = page.solved()
    assert "no training" in page.refused("POST", f"runs/{key}/training/deal", {})
    assert "no training" in page.refused("POST", f"runs/{key}/training/answer", {"line": "", "action": "check"})
    wrong: list[Any] = [
        [],
        {"seat": "button"},
        {"seat": 1},
        {"seed": -1},
        {"seed": 2**40},
        {"seed": "x"},
        {"line": "bet51"},
        {"line": "check,check"},
        {"line": 5},
        {"name": "x"},
    ]
    for each in wrong:
        page.refused("POST", f"runs/{key}/training", each)
    assert "no run" in page.refused("POST", "runs/77/training", {})
    told = page.ask("POST", f"runs/{key}/training", {"seat": "oop", "seed": 1})
    assert "no 'dance'" in page.refused("POST", f"runs/{key}/training/answer", {"line": "", "action": "dance"})
    assert "gone on" in page.refused("POST", f"runs/{key}/training/answer", {"line": "check", "action": "check"})
    assert page.ask("GET", f"runs/{key}/training")["hand"] == told["hand"]
    game = page.ask("POST", "runs", {"game": "kuhn", "iterations": 2})["id"]
    page.wait(game, "done")
    assert "not a hold'em spot" in page.refused("POST", f"runs/{game}/training", {})
