"""Train against a run: deal hands, grade answers, show the score."""

from __future__ import annotations

import secrets
import threading
from dataclasses import asdict
from typing import Annotated, Any

from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.holdem.walk import find_spot_result, split_line
from zerosum.holdem.betting.action_names import format_action
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import format_cards
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.study.training import Answer, Training
from zerosum.results.display.action_colours import list_colour_codes
from zerosum.results.table import choose_page_digits
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option

SEATS: dict[str, int | None] = {"oop": 0, "ip": 1, "both": None}
SEEDS = 1 << 32
MAX_POINTS, MAX_MISTAKES, MAX_ROWS = 300, 100, 60
"""Points of the score's history, latest mistakes and rows of a table that are sent."""
_LOCK = threading.Lock()
"""Answers are graded one after the other, even if a button is pressed twice."""


@route("GET", "/api/runs/{run}/training")
def show_training(explorer: Explorer, run: str) -> Any:
    """Return the training of a run, or None if there is none."""
    with _LOCK:
        if run not in explorer.trainings:
            return None
        result = find_spot_result(explorer, run)
        return _training_to_json(result, _find_training(explorer, run, result))


@route("POST", "/api/runs/{run}/training")
def start_training(
    explorer: Explorer,
    run: str,
    line: str = "",
    seat: Annotated[str, Option(choices=tuple(SEATS))] = "both",
    seed: int | None = None,
) -> Any:
    """Start a new training against a run: from which line on, in which seat, and the seed of its deals."""
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    if not 0 <= seed < SEEDS:
        raise ZerosumError(f"a seed is a number from 0 to {SEEDS - 1}")
    result = find_spot_result(explorer, run)
    with _LOCK:
        training = Training(result, split_line(line), SEATS[seat], seed)
        explorer.trainings.start(run, training)
        return _training_to_json(result, training)


@route("POST", "/api/runs/{run}/training/answer")
def grade_answer(explorer: Explorer, run: str, line: str, action: str) -> Any:
    """Grade an answer to the present decision, to which a line has led."""
    with _LOCK:
        result = find_spot_result(explorer, run)
        training = _find_training(explorer, run, result)
        if split_line(line) != training.hand.line:
            raise ZerosumError("this decision has already been answered")
        explorer.trainings.append_answer(run, training.answer_question(result, action))
        return _training_to_json(result, training, answered=True)


@route("POST", "/api/runs/{run}/training/deal")
def deal_hand(explorer: Explorer, run: str) -> Any:
    """Deal the next hand."""
    with _LOCK:
        result = find_spot_result(explorer, run)
        training = _find_training(explorer, run, result)
        training.deal_hand(result)
        return _training_to_json(result, training)


def _find_training(explorer: Explorer, run: str, result: SpotResult) -> Training:
    training = explorer.trainings.open_training(run, result)
    if training is None:
        raise ZerosumError("there is no training against this run: start one")
    return training


def _training_to_json(result: SpotResult, training: Training, answered: bool = False) -> dict[str, Any]:
    """Return everything that the page shows; of the opponent's hand and the strategy only what is revealed by now."""
    wrong = [answer for answer in training.answers if answer.grade != "right"]
    score = training.score
    step = max(1, -(-len(score.history) // MAX_POINTS))
    indices = [*range(0, len(score.history), step), len(score.history) - 1] if score.history else []
    return {
        "seat": next(name for name, seat in SEATS.items() if seat == training.seat),
        "line": list(training.line),
        "seed": training.seed,
        "hand": _hand_to_json(result, training),
        "answer": _answer_to_json(training.answers[-1]) if answered else None,
        "score": {
            "answers": score.answers,
            "right": score.right,
            "loss": score.loss,
            "share": score.history[-1] if score.history else None,
            "history": [[index + 1, score.history[index]] for index in dict.fromkeys(indices)],
            "lines": [asdict(tally) for tally in score.lines[:MAX_ROWS]],
            "classes": [asdict(tally) for tally in score.classes[:MAX_ROWS]],
            "made_hands": [asdict(tally) for tally in score.made_hands[:MAX_ROWS]],
        },
        "mistakes": [_answer_to_json(answer) for answer in reversed(wrong[-MAX_MISTAKES:])],
        "decimals": max(0, choose_page_digits(result.spot.pot)["chips"] - 2),
    }


def _answer_to_json(answer: Answer) -> dict[str, Any]:
    graded = {name: getattr(answer, name) for name in ("best", "loss", "share", "grade", "hand_class")}
    return {**asdict(answer), **graded, **_actions_to_json(answer.actions, answer.sizes)}


def _actions_to_json(actions: tuple[str, ...], pot_shares: tuple[float | None, ...]) -> dict[str, Any]:
    """Return actions with labels and colours."""
    labels = list(map(format_action, actions, pot_shares))
    return {"actions": actions, "labels": labels, "colours": list_colour_codes(actions)}


def _hand_to_json(result: SpotResult, training: Training) -> dict[str, Any]:
    hand, spot = training.hand, result.spot
    position = follow_line(spot, hand.line)
    nodes = [follow_line(spot, hand.line[:number]).node for number in range(len(hand.line))]
    content = {
        "player": PLAYER_NAMES[hand.seat],
        "hand": hand.trainee_hand,
        "line": list(hand.line),
        "steps": [
            {"player": None if node is None else PLAYER_NAMES[node.player], "word": word}  # nobody acts before a card
            for node, word in zip(nodes, hand.line, strict=True)
        ],
        "board": format_cards(position.board),
        "pot": position.pot,
        "stacks": [position.street.stack - bet for bet in position.bets],
    }
    if hand.outcome is not None:
        return {**content, "outcome": {**asdict(hand.outcome), "opponent_hand": hand.opponent_hand}, "actions": []}
    question = training.read_question(result)
    return {**content, "outcome": None, **_actions_to_json(question.actions, question.pot_shares)}
