"""Train against a run: deal hands, grade answers, show the score."""

from __future__ import annotations

import secrets
import threading
from dataclasses import asdict
from typing import Any

from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem.walk import split_line, spot_result
from zerosum.explorer.requests import AnswerRequest, TrainingRequest, read
from zerosum.holdem.betting.action_names import action_label
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import format_cards
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.study.training import Answer, Tally, Training
from zerosum.results.display.action_colours import colour_codes
from zerosum.results.table import page_digits
from zerosum.support.errors import ZerosumError, suggest_names

SEATS: dict[str, int | None] = {"oop": 0, "ip": 1, "both": None}
SEEDS = 1 << 32
MAX_POINTS, MAX_MISTAKES, MAX_ROWS = 300, 100, 60
"""Points of the score's history, latest mistakes and rows of a table that are sent."""
_LOCK = threading.Lock()
"""Answers are graded one after the other, even if a button is pressed twice."""


def state(explorer: Explorer, request: Request) -> Any:
    """Return the training of a run, or None if there is none."""
    with _LOCK:
        if request.path["run"] not in explorer.trainings:
            return None
        result = spot_result(explorer, request)
        return _training_json(result, _training(explorer, request, result))


def start_training(explorer: Explorer, request: Request) -> Any:
    """Start a new training against a run."""
    body = read(TrainingRequest, request.body)
    if body.seat not in SEATS:
        raise ZerosumError(f"there is no seat {body.seat[:20]!r}; {suggest_names(body.seat[:20], SEATS)}")
    seed = secrets.randbelow(SEEDS) if body.seed is None else body.seed
    if not 0 <= seed < SEEDS:
        raise ZerosumError(f"a seed is a number from 0 to {SEEDS - 1}")
    result = spot_result(explorer, request)
    with _LOCK:
        training = Training(result, split_line(body.line), SEATS[body.seat], seed)
        explorer.trainings.start(request.path["run"], training)
        return _training_json(result, training)


def answer(explorer: Explorer, request: Request) -> Any:
    """Grade an answer to the present decision."""
    body = read(AnswerRequest, request.body)
    with _LOCK:
        result = spot_result(explorer, request)
        training = _training(explorer, request, result)
        if split_line(body.line) != training.hand.line:
            raise ZerosumError("this decision has already been answered")
        explorer.trainings.append_answer(request.path["run"], training.answer(result, body.action))
        return _training_json(result, training, answered=True)


def deal(explorer: Explorer, request: Request) -> Any:
    """Deal the next hand."""
    with _LOCK:
        result = spot_result(explorer, request)
        training = _training(explorer, request, result)
        training.deal(result)
        return _training_json(result, training)


def _training(explorer: Explorer, request: Request, result: SpotResult) -> Training:
    training = explorer.trainings.find(request.path["run"], result)
    if training is None:
        raise ZerosumError("there is no training against this run: start one")
    return training


def _training_json(result: SpotResult, training: Training, answered: bool = False) -> dict[str, Any]:
    """Return everything that the page shows; of the opponent's hand and the strategy only what is revealed by now."""
    seat = next(name for name, number in SEATS.items() if number == training.seat)
    wrong = [answer for answer in training.answers if answer.grade != "right"]
    score = training.score
    step = max(1, -(-len(score.history) // MAX_POINTS))
    indices = [*range(0, len(score.history), step), len(score.history) - 1] if score.history else []
    return {
        "seat": seat,
        "line": list(training.line),
        "seed": training.seed,
        "hand": _hand_json(result, training),
        "answer": _answer_json(training.answers[-1]) if answered else None,
        "score": {
            "answers": score.answers,
            "right": score.right,
            "loss": score.loss,
            "share": score.history[-1] if score.history else None,
            "history": [[index + 1, score.history[index]] for index in dict.fromkeys(indices)],
            "lines": [asdict(tally) for tally in _worst(score.lines)],
            "classes": [asdict(tally) for tally in _worst(score.classes)],
            "made_hands": [asdict(tally) for tally in _worst(score.made_hands)],
        },
        "mistakes": [_answer_json(answer) for answer in reversed(wrong[-MAX_MISTAKES:])],
        "decimals": max(0, page_digits(result.spot.pot)["chips"] - 2),
    }


def _worst(tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    return tallies[:MAX_ROWS]


def _answer_json(answer: Answer) -> dict[str, Any]:
    graded = {name: getattr(answer, name) for name in ("best", "loss", "share", "grade", "hands")}
    return {**asdict(answer), **graded, **_actions_json(answer.actions, answer.sizes)}


def _actions_json(actions: tuple[str, ...], pot_shares: tuple[float | None, ...]) -> dict[str, Any]:
    """Return actions with labels and colours."""
    labels = list(map(action_label, actions, pot_shares))
    return {"actions": actions, "labels": labels, "colours": colour_codes(actions)}


def _hand_json(result: SpotResult, training: Training) -> dict[str, Any]:
    hand, spot = training.hand, result.spot
    position = follow_line(spot, hand.line)
    steps = [
        {"player": _acting_player(result, hand.line[:number]), "word": word} for number, word in enumerate(hand.line)
    ]
    content = {
        "player": PLAYER_NAMES[hand.seat],
        "hand": hand.trainee_hand,
        "line": list(hand.line),
        "steps": steps,
        "board": format_cards(position.board),
        "pot": position.pot,
        "stacks": [position.street.stack - bet for bet in position.bets],
    }
    if hand.outcome is not None:
        return {**content, "outcome": {**asdict(hand.outcome), "opponent_hand": hand.opponent_hand}, "actions": []}
    question = training.question(result)
    return {**content, "outcome": None, **_actions_json(question.actions, question.pot_shares)}


def _acting_player(result: SpotResult, line: tuple[str, ...]) -> str | None:
    """Return the player to act after a line, or None if a card is dealt."""
    node = follow_line(result.spot, line).node
    return None if node is None else PLAYER_NAMES[node.player]


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/training"): state,
    ("POST", "/api/runs/{run}/training"): start_training,
    ("POST", "/api/runs/{run}/training/answer"): answer,
    ("POST", "/api/runs/{run}/training/deal"): deal,
}
