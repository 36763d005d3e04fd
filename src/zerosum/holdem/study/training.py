"""Training: hands of a solved spot, dealt at random by reach, played against the solution, graded by EV lost.

At a decision with EVs e[a] of the hand that is held, an answer a loses max e - e[a]. The solution mixes actions of
equal EV and loses nothing, but for its exploitability.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zerosum.engine.forms.public.rounds import find_disjoint_hands
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.games.poker.hole_cards import map_hands_to_classes
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.betting.tree import LEAF_KINDS
from zerosum.holdem.cards.cards import CARDS, HANDS, card_name, format_cards, hand_name, parse_hand
from zerosum.holdem.cards.hand_strength import compute_strengths
from zerosum.holdem.cards.made_hands import MADE_HANDS
from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.hand_groups import group_by_class
from zerosum.holdem.solution.result import SpotResult
from zerosum.holdem.spots.line import LinePosition, follow_line
from zerosum.support.errors import ZerosumError, suggest_names

GRADES = (("right", 0.005), ("inaccurate", 0.02), ("a mistake", 0.1), ("a blunder", float("inf")))
"""The grades of answers, each with the largest share of the pot that such an answer loses."""
MAX_TRIES = 1000
"""The largest number of hands in a row that end before the trainee has a decision."""
MAX_ANSWERS = 20_000
"""The largest number of answers that are stored."""


@dataclass(frozen=True)
class Answer:
    """An answer at a decision, with the strategy of the solution for the hand and the EVs of the actions in chips."""

    line: tuple[str, ...]
    board: str
    player: str
    pot: float
    hand: str
    made_hand: str
    actions: tuple[str, ...]
    sizes: tuple[float | None, ...]
    strategy: tuple[float, ...]
    evs: tuple[float, ...]
    chosen: str

    @property
    def best(self) -> str:
        return self.actions[self.evs.index(max(self.evs))]

    @property
    def loss(self) -> float:
        """The EV that the answer loses against the best action."""
        return max(self.evs) - self.evs[self.actions.index(self.chosen)]

    @property
    def share(self) -> float:
        """The loss as a share of the pot."""
        return self.loss / self.pot

    @property
    def grade(self) -> str:
        return next(name for name, most in GRADES if self.share <= most)

    @property
    def line_pattern(self) -> str:
        """The line with `*` in place of its cards."""
        return " ".join(word if word[0].islower() else "*" for word in self.line) or "start"

    @property
    def hand_class(self) -> str:
        """The class of the hand: AKs, QQ."""
        return group_by_class().names[int(map_hands_to_classes()[parse_hand(self.hand)])]


@dataclass(frozen=True)
class Tally:
    """Answers with the same line, class or made hand: their number, how many were wrong, and their total loss."""

    name: str
    answers: int
    wrong: int
    loss: float


@dataclass(frozen=True)
class Score:
    """The score of a training: `history` is the mean share of the pot that was lost, after each answer."""

    answers: int
    right: int
    loss: float
    history: tuple[float, ...]
    lines: tuple[Tally, ...]
    classes: tuple[Tally, ...]
    made_hands: tuple[Tally, ...]


def score_answers(answers: Sequence[Answer]) -> Score:
    """Return the score of some answers."""
    shares = np.array([answer.share for answer in answers])
    return Score(
        answers=len(answers),
        right=sum(answer.grade == GRADES[0][0] for answer in answers),
        loss=math.fsum(answer.loss for answer in answers),
        history=tuple((np.cumsum(shares) / np.arange(1, len(shares) + 1)).tolist()),
        lines=_tally_answers(answers, lambda answer: answer.line_pattern),
        classes=_tally_answers(answers, lambda answer: answer.hand_class),
        made_hands=_tally_answers(answers, lambda answer: answer.made_hand),
    )


def _tally_answers(answers: Iterable[Answer], name: Callable[[Answer], str]) -> tuple[Tally, ...]:
    """Return the answers by name, the largest loss first."""
    tallies: dict[str, Tally] = {}
    for answer in answers:
        before = tallies.get(name(answer), Tally(name(answer), 0, 0, 0.0))
        wrong = before.wrong + (answer.grade != GRADES[0][0])
        tallies[before.name] = Tally(before.name, before.answers + 1, wrong, before.loss + answer.loss)
    return tuple(sorted(tallies.values(), key=lambda tally: -tally.loss))


@dataclass(frozen=True)
class Outcome:
    """The end of a hand: its kind, its board, and the chips that the trainee won, net of half the first pot."""

    ending: str
    board: str
    won: float


@dataclass(frozen=True)
class Hand:
    """A hand being played: the trainee's seat, both hands, and the line so far."""

    seat: int
    hands: tuple[int, int]
    line: tuple[str, ...]
    outcome: Outcome | None = None

    @property
    def trainee_hand(self) -> str:
        return hand_name(self.hands[self.seat])

    @property
    def opponent_hand(self) -> str:
        return hand_name(self.hands[1 - self.seat])


def deal_hands(ranges: tuple[Floats, Floats], rng: random.Random) -> tuple[int, int]:
    """Return two random hands that share no card, with probabilities proportional to the product of their reaches."""
    oop_hands, ip_hands = (np.flatnonzero(reach > 0) for reach in ranges)
    disjoint = find_disjoint_hands(HANDS[oop_hands], HANDS[ip_hands])
    weights = ranges[0][oop_hands] * (disjoint @ ranges[1][ip_hands])
    if not weights.any():
        raise ZerosumError("no deal gets there")
    first = rng.choices(range(len(oop_hands)), weights.tolist())[0]
    second = rng.choices(range(len(ip_hands)), (ranges[1][ip_hands] * disjoint[first]).tolist())[0]
    return int(oop_hands[first]), int(ip_hands[second])


class Training:
    """Hands that begin after a line of a solved spot, one after the other, and the trainee's answers.

    Every call takes the result anew, because it may be that of a run in progress.

    seat: 0 out of position, 1 in position, None for one of them at random in each hand.
    seed: the same seed deals the same hands to the same answers.
    answers: those of an earlier training, which is continued with a new hand.

    >>> import zerosum
    >>> river = zerosum.solve("spot:river", iterations=100)
    >>> training = Training(river, seat=0, seed=1)
    >>> training.read_question(river).actions
    ('check', 'bet 858', 'bet 1950', 'bet 3900', 'allin')
    >>> answer = training.answer_question(river, "check")
    >>> answer.loss >= 0, training.score.answers
    (True, 1)
    """

    def __init__(
        self,
        result: SpotResult,
        line: str | Sequence[str] = (),
        seat: int | None = None,
        seed: int = 0,
        answers: Sequence[Answer] = (),
    ) -> None:
        self.line, self.seat, self.seed = follow_line(result.spot, line).line, seat, seed
        self.rng = random.Random(f"{seed} after {len(answers)}" if answers else seed)
        self.answers = list(answers[-MAX_ANSWERS:])
        self.deal_hand(result)

    def deal_hand(self, result: SpotResult) -> Hand:
        """Deal the next hand in which the trainee has a decision."""
        ranges = result.solution.compute_reaches(self.line)
        for _ in range(MAX_TRIES):
            seat = self.rng.randrange(2) if self.seat is None else self.seat
            hand = self._play_on(result, Hand(seat, deal_hands(ranges, self.rng), self.line))
            if hand.outcome is None:
                self.hand = hand
                return hand
        raise ZerosumError(f"after {' '.join(self.line) or 'the start'} there is no decision {PLAYER_NAMES[seat]}")

    def read_question(self, result: SpotResult) -> DecisionTable:
        """Return the decision to be answered, without EVs."""
        if self.hand.outcome is not None:
            raise ZerosumError("the hand is over: deal the next one")
        return result.solution.read_decision(self.hand.line, with_ev=False)

    def answer_question(self, result: SpotResult, action: str) -> Answer:
        """Grade an answer to the question, and play the hand on to the next one or to its end."""
        actions = self.read_question(result).actions
        if action not in actions:
            raise ZerosumError(f"there is no {action[:40]!r} here; {suggest_names(action[:40], actions)}")
        answer = grade_answer(result, self.hand, action)
        self.answers = [*self.answers[-MAX_ANSWERS + 1 :], answer]
        self.hand = self._play_on(result, replace(self.hand, line=(*self.hand.line, action)))
        return answer

    @property
    def score(self) -> Score:
        return score_answers(self.answers)

    def _play_on(self, result: SpotResult, hand: Hand) -> Hand:
        """Deal cards and let the opponent act until the trainee has a decision or the hand is over."""
        while True:
            position = follow_line(result.spot, hand.line)
            if position.node is not None:
                if position.node.player == hand.seat:
                    return hand
                table = result.solution.read_decision(hand.line, with_ev=False)
                frequencies = table.frequency[:, table.find_row(hand.hands[position.node.player])]
                word = self.rng.choices(table.actions, frequencies.tolist())[0]
            elif position.leaf is not None and position.leaf.next_round is not None:
                word = card_name(self._draw_card(position.board, hand))
            else:
                return replace(hand, outcome=self._settle_hand(position, hand))
            hand = replace(hand, line=(*hand.line, word))

    def _draw_card(self, board: Sequence[int], hand: Hand) -> int:
        """Draw a card that nobody holds."""
        taken = {*board, *(int(card) for number in hand.hands for card in HANDS[number])}
        return self.rng.choice([card for card in range(CARDS) if card not in taken])

    def _settle_hand(self, position: LinePosition, hand: Hand) -> Outcome:
        leaf, board = position.leaf, list(position.board)
        assert leaf is not None
        if leaf.folder >= 0:
            won = -1.0 if leaf.folder == hand.seat else 1.0
        else:
            while len(board) < 5:
                board.append(self._draw_card(board, hand))
            oop, ip = compute_strengths([board])[0][list(hand.hands)].tolist()
            won = float(np.sign(oop - ip)) * (1.0 if hand.seat == 0 else -1.0)
        return Outcome(LEAF_KINDS[leaf.kind], format_cards(board), won * leaf.amount - leaf.rake)


def grade_answer(result: SpotResult, hand: Hand, action: str) -> Answer:
    """Return the graded answer at the decision of a hand."""
    table = result.at(hand.line)
    row = table.find_row(hand.hands[hand.seat])
    assert table.action_ev is not None
    return Answer(
        line=table.line,
        board=table.board,
        player=PLAYER_NAMES[table.player],
        pot=table.pot,
        hand=hand.trainee_hand,
        made_hand=MADE_HANDS[int(table.made_hand[row])],
        actions=table.actions,
        sizes=table.pot_shares,
        strategy=tuple(table.frequency[:, row].tolist()),
        evs=tuple(table.action_ev[:, row].tolist()),
        chosen=action,
    )
