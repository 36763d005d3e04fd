"""Training: deals follow reach, answers lose their difference in EV, and playing the solution loses nothing."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.holdem.cards.cards import HANDS, hand_name
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.study.training import Answer, Hand, Training, deal_hands, score_answers
from zerosum.support.errors import ZerosumError

TURN = ("Ks7h2d9c", 100, 120, "KK,QJs,A7s,55:0.5", "AA,99,T8s,65s:0.25", "75%", "allin")
Player = Callable[[random.Random, Training, SpotResult], str]


@pytest.fixture(scope="module")
def turn() -> SpotResult:
    board, *rest = TURN
    solution = zerosum.solve(zerosum.holdem.spot(board, *rest, minimum=1), until="0.01%")  # type: ignore[arg-type]
    assert isinstance(solution, SpotResult)
    return solution


def by_solution(rng: random.Random, training: Training, result: SpotResult) -> str:
    point = training.read_question(result)
    number = training.hand.hands[training.hand.seat]
    chances = point.frequency[:, point.hand.tolist().index(number)]
    return rng.choices(point.actions, chances.tolist())[0]


def worst(rng: random.Random, training: Training, result: SpotResult) -> str:
    point = result.at(training.hand.line)
    number = training.hand.hands[training.hand.seat]
    return point.actions[int(point.action_ev[:, point.hand.tolist().index(number)].argmin())]


def played(result: SpotResult, how: Player, hands: int, seat: int | None = None) -> tuple[Training, list[Hand]]:
    """Play a number of hands; return the training and the finished hands."""
    rng, training, finished = random.Random(5), Training(result, seat=seat, seed=7), list[Hand]()
    for _ in range(hands):
        while training.hand.outcome is None:
            training.answer_question(result, how(rng, training, result))
        finished.append(training.hand)
        training.deal_hand(result)
    return training, finished


def test_playing_the_solution_loses_nothing_beyond_its_error(turn: SpotResult) -> None:
    training = played(turn, by_solution, 300)[0]
    lost = [answer.share for answer in training.answers]
    assert len(lost) > 300
    assert np.mean(lost) < 0.002
    assert {answer.grade for answer in training.answers if answer.chosen == answer.best} == {"right"}


def test_playing_the_worst_loses_exactly_the_difference_in_ev(turn: SpotResult) -> None:
    training = played(turn, worst, 60)[0]
    expected = 0.0
    for answer in training.answers:
        point = turn.at(answer.line)
        evs = point.action_ev[:, [hand_name(int(hand)) for hand in point.hand].index(answer.hand)]
        assert answer.loss == evs.max() - evs.min() == max(answer.evs) - min(answer.evs)
        assert answer.best == point.actions[int(evs.argmax())]
        expected += float(evs.max() - evs.min())
    assert training.score.loss == pytest.approx(expected)
    assert expected > 0


@pytest.mark.parametrize("seat", [0, 1])
def test_the_solution_wins_the_value_of_the_spot(turn: SpotResult, seat: int) -> None:
    """The mean over hands that were dealt and played is the value that the solver has computed."""
    _, hands = played(turn, by_solution, 1500, seat=seat)
    won = [hand.outcome.won for hand in hands if hand.outcome is not None]
    value = turn.value if seat == 0 else -turn.value
    assert abs(np.mean(won) - value) < 4 * np.std(won) / math.sqrt(len(won))


@pytest.mark.parametrize("line", ["", "check", "check bet75%", "check check"])
def test_deals_follow_reach(turn: SpotResult, line: str) -> None:
    ranges = turn.solution.compute_reaches(line)
    rng, count = random.Random(3), 4000
    seen = Counter(deal_hands(ranges, rng) for _ in range(count))
    held = [np.flatnonzero(weights > 0).tolist() for weights in ranges]
    apart = {pair for pair in product(*held) if not set(HANDS[pair[0]].tolist()) & set(HANDS[pair[1]].tolist())}
    likely = {pair: ranges[0][pair[0]] * ranges[1][pair[1]] for pair in apart}
    total = sum(likely.values())
    assert set(seen) <= apart
    classes: Counter[tuple[str, str]] = Counter()
    expected: Counter[tuple[str, str]] = Counter()
    for pair, weight in likely.items():
        name = hand_name(pair[0])[::2], hand_name(pair[1])[::2]
        expected[name] += weight / total
        classes[name] += seen[pair]
    for name, share in expected.items():
        assert abs(classes[name] - count * share) < 5 * math.sqrt(count * share * (1 - share)) + 1


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32), st.sampled_from(["", "check", "check check", "bet75% call"]), st.sampled_from([None, 0, 1])
)
def test_every_hand_can_be_played_to_its_end(turn: SpotResult, seed: int, line: str, seat: int | None) -> None:
    training, rng = Training(turn, line, seat, seed), random.Random(seed)
    again = Training(turn, line, seat, seed)
    assert training.hand == again.hand
    cards = [*training.hand.hands]
    while training.hand.outcome is None:
        point = training.read_question(turn)
        assert point.player == training.hand.seat
        assert seat in (None, training.hand.seat)
        action = rng.choice(point.actions)
        answer = training.answer_question(turn, action)
        assert again.answer_question(turn, action) == answer
        assert answer.loss >= 0
    outcome = training.hand.outcome
    assert len(outcome.board) == 10 or outcome.ending == "fold"
    board = [outcome.board[at : at + 2] for at in range(0, len(outcome.board), 2)]
    held = [hand_name(number)[at : at + 2] for number in cards for at in (0, 2)]
    assert len({*board, *held}) == len(board) + 4
    assert abs(outcome.won) <= 50 + 120
    with pytest.raises(ZerosumError, match="over"):
        training.answer_question(turn, "check")


def test_scores_are_summed_by_line_and_class(turn: SpotResult) -> None:
    training = played(turn, worst, 40)[0]
    score = training.score
    assert score.answers == len(training.answers) == sum(row.answers for row in score.lines)
    assert score.loss == pytest.approx(sum(row.loss for row in score.classes))
    assert score.loss == pytest.approx(sum(row.loss for row in score.made_hands))
    assert score.history[-1] == pytest.approx(np.mean([answer.share for answer in training.answers]))
    assert [row.loss for row in score.lines] == sorted((row.loss for row in score.lines), reverse=True)
    assert score.right == score.answers - sum(row.wrong for row in score.lines)
    assert score_answers([]).history == ()
    names = {(answer.hand, answer.hand_class) for answer in training.answers}
    assert {name for _, name in names} <= {"KK", "QJs", "A7s", "55", "AA", "99", "T8s", "65s"}
    assert any(" * " in row.name for row in score.lines)


def test_training_that_is_impossible_gets_a_message(turn: SpotResult) -> None:
    training = Training(turn, seat=0)
    with pytest.raises(ZerosumError, match="no 'raise'"):
        training.answer_question(turn, "raise")
    with pytest.raises(ZerosumError, match="there is no decision"):
        Training(turn, "bet75% fold", seat=0)


def test_a_class_is_named_by_its_higher_rank() -> None:
    blank = Answer((), "", "", 1.0, "2sAs", "", ("check",), (None,), (1.0,), (0.0,), "check")
    assert (blank.hand_class, blank.line_pattern, blank.best, blank.loss) == ("A2s", "start", "check", 0)
