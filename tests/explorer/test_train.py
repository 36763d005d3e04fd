"""Training by requests: questions reveal nothing, answers are graded as in Python, invalid requests are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from explorer_page import SPOT, Page

import zerosum
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.holdem.study.training import Training


def test_a_training_is_that_of_python_and_keeps_its_secrets(page: Page) -> None:
    key = page.solved()
    result = zerosum.solve(spot_from_dict(SPOT), iterations=50)
    assert isinstance(result, SpotResult)
    plain = Training(result, "check", 1, seed=4)
    assert page.ask("GET", f"runs/{key}/training") is None
    training = page.ask("POST", f"runs/{key}/training", {"line": "check", "seat": "ip", "seed": 4})
    for _ in range(25):
        hand = training["hand"]
        assert (hand["hand"], tuple(hand["line"])) == (plain.hand.trainee_hand, plain.hand.line)
        if hand["outcome"]:
            assert hand["outcome"]["opponent_hand"] == plain.hand.opponent_hand
            assert hand["outcome"]["won"] == plain.hand.outcome.won  # type: ignore[union-attr]
            training = page.ask("POST", f"runs/{key}/training/deal", {})
            plain.deal_hand(result)
            continue
        assert set(hand) == {
            *("player", "hand", "line", "steps", "board", "pot", "stacks", "outcome", "actions", "labels", "colours")
        }
        action = hand["actions"][-1]
        training = page.ask("POST", f"runs/{key}/training/answer", {"line": ",".join(hand["line"]), "action": action})
        graded = plain.answer_question(result, action)
        assert training["answer"]["loss"] == pytest.approx(graded.loss)
        assert training["answer"]["evs"] == pytest.approx(graded.evs)
        assert (training["answer"]["grade"], training["answer"]["hand_class"]) == (graded.grade, graded.hand_class)
    score = plain.score
    assert training["score"]["loss"] == pytest.approx(score.loss)
    assert training["score"]["history"] == [[k + 1, pytest.approx(entry)] for k, entry in enumerate(score.history)]
    assert [entry["name"] for entry in training["score"]["lines"]] == [entry.name for entry in score.lines]
    assert len(training["mistakes"]) == score.answers - score.right > 0
    assert page.ask("GET", f"runs/{key}/training")["score"] == training["score"]


def test_a_training_survives_the_server_and_is_deleted_with_its_run(opened: Callable[[], Page]) -> None:
    page = opened()
    key = page.solved()
    training = page.ask("POST", f"runs/{key}/training", {"seat": "oop", "seed": 3})
    body = {"line": ",".join(training["hand"]["line"]), "action": training["hand"]["actions"][0]}
    training = page.ask("POST", f"runs/{key}/training/answer", body)
    (path,) = (page.folder / "trainings").iterdir()
    with path.open("a") as file:
        file.write('{"line": [], "bo')  # as a server leaves it that is killed while it writes
    page = opened()
    assert [run["id"] for run in page.ask("GET", "runs")] == [key]
    again = page.ask("GET", f"runs/{key}/training")
    assert again["score"] == training["score"]
    assert (again["seat"], again["seed"], again["hand"]["outcome"]) == ("oop", 3, None)
    for damage in ("", "[]\n", '{"line": "x"}\n{}\n', path.read_text().replace('"chosen": "', '"chosen": "x')):
        path.write_text(damage)
        page = opened()
        assert "is not a training" in page.refused("GET", f"runs/{key}/training")
    page.ask("POST", f"runs/{key}/training", {})
    assert page.ask("GET", f"runs/{key}/training")["score"]["answers"] == 0
    page.ask("DELETE", f"runs/{key}")
    assert not path.exists()


def test_a_run_on_its_way_can_be_trained(page: Page) -> None:
    key = page.ask("POST", "runs", {"spot": SPOT, "seconds": 600})["id"]
    page.wait(key, "running")
    while not page.ask("GET", f"runs/{key}")["iteration"]:
        pass
    training = page.ask("POST", f"runs/{key}/training", {})
    for _ in range(10):
        hand = training["hand"]
        if hand["outcome"]:
            training = page.ask("POST", f"runs/{key}/training/deal", {})
        else:
            body = {"line": ",".join(hand["line"]), "action": hand["actions"][0]}
            training = page.ask("POST", f"runs/{key}/training/answer", body)
    assert training["score"]["answers"] > 0


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
    for body in wrong:
        page.refused("POST", f"runs/{key}/training", body)
    assert "no run" in page.refused("POST", "runs/77/training", {})
    training = page.ask("POST", f"runs/{key}/training", {"seat": "oop", "seed": 1})
    assert "no 'dance'" in page.refused("POST", f"runs/{key}/training/answer", {"line": "", "action": "dance"})
    assert "already been answered" in page.refused(
        "POST", f"runs/{key}/training/answer", {"line": "check", "action": "check"}
    )
    assert page.ask("GET", f"runs/{key}/training")["hand"] == training["hand"]
    game = page.ask("POST", "runs", {"game": "kuhn", "iterations": 2})["id"]
    page.wait(game, "done")
    assert "not a hold'em spot" in page.refused("POST", f"runs/{game}/training", {})
