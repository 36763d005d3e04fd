"""Training against a run: a hand is dealt, its decisions are answered and graded, the score is kept."""

from __future__ import annotations

import secrets
import threading
from dataclasses import asdict
from typing import Any

from rue.errors import RueError, nearest
from rue.explore import wire
from rue.explore.asked import AnswerAsked, TrainingAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.walking import spot_result, words_of
from rue.holdem.cards import cards_name
from rue.holdem.line import trace
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult
from rue.views.training import Answer, Tally, Training
from rue.views.walk import paid_at

SEATS: dict[str, int | None] = {"oop": 0, "ip": 1, "both": None}
SEEDS = 1 << 32
POINTS, MISTAKES, ROWS = 300, 100, 60
"""How many points of the course, last mistakes, and rows of a table are told."""
_ONE = threading.Lock()
"""Answers come one after the other, however often a button is pressed."""


def state(explorer: Explorer, request: Request) -> Any:
    """The training of a run; null if there is none."""
    with _ONE:
        if request.parts["run"] not in explorer.trainings:
            return None
        result = spot_result(explorer, request)
        return _told(result, _training(explorer, request, result))


def begin(explorer: Explorer, request: Request) -> Any:
    """Start a training of a run anew."""
    asked = read(TrainingAsked, request.data)
    if asked.seat not in SEATS:
        raise RueError(f"there is no seat {asked.seat[:20]!r}; {nearest(asked.seat[:20], SEATS)}")
    seed = secrets.randbelow(SEEDS) if asked.seed is None else asked.seed
    if not 0 <= seed < SEEDS:
        raise RueError(f"a seed is a number from 0 to {SEEDS - 1}")
    result = spot_result(explorer, request)
    with _ONE:
        found = Training(result, words_of(asked.line), SEATS[asked.seat], seed)
        explorer.trainings.begin(request.parts["run"], found)
        return _told(result, found)


def answer(explorer: Explorer, request: Request) -> Any:
    """Answer the decision that is asked about."""
    asked = read(AnswerAsked, request.data)
    with _ONE:
        result = spot_result(explorer, request)
        found = _training(explorer, request, result)
        if words_of(asked.line) != list(found.hand.line):
            raise RueError("the hand has gone on: this was answered already")
        explorer.trainings.answered(request.parts["run"], found.answer(result, asked.action))
        return _told(result, found, answered=True)


def deal(explorer: Explorer, request: Request) -> Any:
    """Deal the next hand."""
    with _ONE:
        result = spot_result(explorer, request)
        found = _training(explorer, request, result)
        found.deal(result)
        return _told(result, found)


def _training(explorer: Explorer, request: Request, result: SpotResult) -> Training:
    found = explorer.trainings.get(request.parts["run"], result)
    if found is None:
        raise RueError("no training of this run has begun")
    return found


def _told(result: SpotResult, training: Training, answered: bool = False) -> dict[str, Any]:
    """Everything that the page shows; of the opponent's hand and the strategy only what is known by now."""
    seat = next(name for name, number in SEATS.items() if number == training.seat)
    wrong = [each for each in training.answers if each.grade != "right"]
    score = training.score
    step = max(1, -(-len(score.course) // POINTS))
    places = [*range(0, len(score.course), step), len(score.course) - 1] if score.course else []
    return {
        "seat": seat,
        "line": list(training.line),
        "seed": training.seed,
        "hand": _hand(result, training),
        "answer": _answer(training.answers[-1]) if answered else None,
        "score": {
            "answers": score.answers,
            "right": score.right,
            "lost": score.lost,
            "share": score.course[-1] if score.course else None,
            "course": [[at + 1, score.course[at]] for at in dict.fromkeys(places)],
            "lines": [asdict(each) for each in _worst(score.lines)],
            "classes": [asdict(each) for each in _worst(score.classes)],
            "made": [asdict(each) for each in _worst(score.made)],
        },
        "mistakes": [_answer(each) for each in reversed(wrong[-MISTAKES:])],
        "decimals": max(0, wire.digits_of(result.spot.pot) - 2),
    }


def _worst(tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    return tallies[:ROWS]


def _answer(given: Answer) -> dict[str, Any]:
    told = {"best": given.best, "lost": given.lost, "share": given.share, "grade": given.grade, "hands": given.hands}
    return {**asdict(given), **told, **wire.named(given.actions, given.sizes)}


def _hand(result: SpotResult, training: Training) -> dict[str, Any]:
    hand, spot = training.hand, result.spot
    found = trace(spot, hand.line)
    paid = paid_at(found)
    steps = [{"player": _who(result, hand.line[:number]), "word": word} for number, word in enumerate(hand.line)]
    told = {
        "player": PLAYERS[hand.seat],
        "hand": hand.own,
        "line": list(hand.line),
        "steps": steps,
        "board": cards_name(found.board),
        "pot": found.street.pot + sum(paid),
        "behind": [found.street.stack - each for each in paid],
    }
    if hand.outcome is not None:
        return {**told, "over": {**asdict(hand.outcome), "other": hand.other}, "actions": []}
    question = training.question(result)
    return {**told, "over": None, **wire.named(question.actions, question.sizes)}


def _who(result: SpotResult, line: tuple[str, ...]) -> str | None:
    """Who acts after a line; nobody where a card comes."""
    node = trace(result.spot, line).node
    return None if node is None else PLAYERS[node.player]


HANDLERS: Handlers = {
    ("GET", "/api/runs/{run}/training"): state,
    ("POST", "/api/runs/{run}/training"): begin,
    ("POST", "/api/runs/{run}/training/answer"): answer,
    ("POST", "/api/runs/{run}/training/deal"): deal,
}
