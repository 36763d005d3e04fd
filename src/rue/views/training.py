"""Training: hands of a solved spot, dealt at random by reach, played against the solution, graded by EV lost.

At a decision with EVs e[a] of the hand that is held, an answer a loses max e - e[a]. Whoever plays the solution mixes
actions of equal EV and loses nothing, but for what the solution itself is not exact by.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from rue.errors import RueError, nearest
from rue.forms.rounds import disjoint
from rue.forms.treeplex import Floats
from rue.holdem.cards import CARDS, HANDS, card_name, cards_name, hand_name
from rue.holdem.categories import MADE, categories
from rue.holdem.evaluator import strengths_of_boards
from rue.holdem.line import Trace, trace
from rue.holdem.tree import KINDS
from rue.records import dataclass
from rue.results.range_decision import PLAYERS, RangeDecision
from rue.results.spot import SpotResult
from rue.views.versus import ranges_after

GRADES = (("right", 0.005), ("inaccurate", 0.02), ("a mistake", 0.1), ("a blunder", float("inf")))
"""How an answer is called that loses at most so much of the pot."""
TRIES = 1000
"""Hands that may end before the trainee has a decision."""
MOST = 20_000
"""Answers that are remembered."""
RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Answer:
    """What was answered at a decision, what the solution does there with the hand, and what that lost in chips."""

    line: tuple[str, ...]
    board: str
    player: str
    pot: float
    hand: str
    made: str
    actions: tuple[str, ...]
    sizes: tuple[float | None, ...]
    strategy: tuple[float, ...]
    evs: tuple[float, ...]
    chosen: str

    @property
    def best(self) -> str:
        """The action that earns most."""
        return self.actions[self.evs.index(max(self.evs))]

    @property
    def lost(self) -> float:
        """What the answer earns less than the best action."""
        return max(self.evs) - self.evs[self.actions.index(self.chosen)]

    @property
    def share(self) -> float:
        """The same as a share of the pot."""
        return self.lost / self.pot

    @property
    def grade(self) -> str:
        """The same in a word."""
        return next(name for name, most in GRADES if self.share <= most)

    @property
    def where(self) -> str:
        """The line without its cards, for which `*` stands."""
        return " ".join(word if word[0].islower() else "*" for word in self.line) or "start"

    @property
    def hands(self) -> str:
        """The class of the hand: AKs, QQ."""
        (one, two), suited = (self.hand[0], self.hand[2]), self.hand[1] == self.hand[3]
        high, low = sorted((one, two), key=RANKS.index, reverse=True)
        return high + low + ("" if one == two else "s" if suited else "o")


@dataclass(frozen=True)
class Tally:
    """Answers of one kind: how many, how many of them not right, and what they lost in all, in chips."""

    name: str
    answers: int
    wrong: int
    lost: float


@dataclass(frozen=True)
class Score:
    """How a training goes: `course` is the mean share of the pot that was lost, after each answer."""

    answers: int
    right: int
    lost: float
    course: tuple[float, ...]
    lines: tuple[Tally, ...]
    classes: tuple[Tally, ...]
    made: tuple[Tally, ...]

    @staticmethod
    def of(answers: Sequence[Answer]) -> Score:
        """The score of some answers."""
        shares = np.array([answer.share for answer in answers])
        return Score(
            answers=len(answers),
            right=sum(answer.grade == GRADES[0][0] for answer in answers),
            lost=math.fsum(answer.lost for answer in answers),
            course=tuple((np.cumsum(shares) / np.arange(1, len(shares) + 1)).tolist()),
            lines=_tallies(answers, lambda answer: answer.where),
            classes=_tallies(answers, lambda answer: answer.hands),
            made=_tallies(answers, lambda answer: answer.made),
        )


def _tallies(answers: Iterable[Answer], name: Callable[[Answer], str]) -> tuple[Tally, ...]:
    found: dict[str, Tally] = {}
    for answer in answers:
        before = found.get(name(answer), Tally(name(answer), 0, 0, 0.0))
        wrong = before.wrong + (answer.grade != GRADES[0][0])
        found[before.name] = Tally(before.name, before.answers + 1, wrong, before.lost + answer.lost)
    return tuple(sorted(found.values(), key=lambda tally: -tally.lost))


@dataclass(frozen=True)
class Outcome:
    """How a hand ended: by what, on which board, and what the trainee won, net of half the first pot."""

    why: str
    board: str
    won: float


@dataclass(frozen=True)
class Hand:
    """A hand that is played: whose seat the trainee has, both hands, and what has happened."""

    seat: int
    hands: tuple[int, int]
    line: tuple[str, ...]
    outcome: Outcome | None = None

    @property
    def own(self) -> str:
        """What the trainee holds."""
        return hand_name(self.hands[self.seat])

    @property
    def other(self) -> str:
        """What the opponent holds."""
        return hand_name(self.hands[1 - self.seat])


def dealt(ranges: tuple[Floats, Floats], rng: random.Random) -> tuple[int, int]:
    """Two hands that share no card, as likely as the product of their reaches."""
    held = [np.flatnonzero(own > 0) for own in ranges]
    apart = disjoint(HANDS[held[0]], HANDS[held[1]])
    likely = ranges[0][held[0]] * (apart @ ranges[1][held[1]])
    if not likely.any():
        raise RueError("no deal gets there")
    first = rng.choices(range(len(likely)), likely.tolist())[0]
    second = rng.choices(range(len(held[1])), (ranges[1][held[1]] * apart[first]).tolist())[0]
    return int(held[0][first]), int(held[1][second])


class Training:
    """Hands that begin after a line of a solved spot, one after the other, and the answers given in them.

    seat: 0 out of position, 1 in position, None for one of them at random. Every call is given the result, which may
    be that of a run on its way. The same seed deals the same hands to the same answers. With the answers of an earlier
    training it goes on, with a new hand.

    >>> import rue
    >>> river = rue.solve("spot:river", iterations=100)
    >>> training = Training(river, seat=0, seed=1)
    >>> training.question(river).actions
    ('check', 'bet 858', 'bet 1950', 'bet 3900', 'allin')
    >>> answer = training.answer(river, "check")
    >>> answer.lost >= 0, training.score.answers
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
        self.line, self.seat, self.seed = trace(result.spot, line).line, seat, seed
        self.rng = random.Random(f"{seed} after {len(answers)}" if answers else seed)
        self.answers = list(answers[-MOST:])
        self.hand = self._next(result)

    def deal(self, result: SpotResult) -> Hand:
        """The next hand."""
        self.hand = self._next(result)
        return self.hand

    def question(self, result: SpotResult) -> RangeDecision:
        """The decision that is to be answered, without what it earns."""
        if self.hand.outcome is not None:
            raise RueError("the hand is over: deal the next one")
        return result.solution.glance(self.hand.line)

    def answer(self, result: SpotResult, action: str) -> Answer:
        """Answer the question; the hand goes on to the next one, or to its end."""
        actions = self.question(result).actions
        if action not in actions:
            raise RueError(f"there is no {action[:40]!r} here; {nearest(action[:40], actions)}")
        given = graded(result, self.hand, action)
        self.answers = [*self.answers[-MOST + 1 :], given]
        self.hand = self._on(result, replace(self.hand, line=(*self.hand.line, action)))
        return given

    @property
    def score(self) -> Score:
        """How it goes."""
        return Score.of(self.answers)

    def _next(self, result: SpotResult) -> Hand:
        ranges = ranges_after(result, self.line)
        for _ in range(TRIES):
            seat = self.rng.randrange(2) if self.seat is None else self.seat
            hand = self._on(result, Hand(seat, dealt(ranges, self.rng), self.line))
            if hand.outcome is None:
                return hand
        raise RueError(f"after {' '.join(self.line) or 'the start'} there is no decision {PLAYERS[seat]}")

    def _on(self, result: SpotResult, hand: Hand) -> Hand:
        """Let cards come and the opponent act until the trainee has a decision or the hand is over."""
        while True:
            found = trace(result.spot, hand.line)
            if found.node is not None:
                if found.node.player == hand.seat:
                    return hand
                point = result.solution.glance(hand.line)
                chances = point.strategy[:, _column(point, hand.hands[found.node.player])]
                word = self.rng.choices(point.actions, chances.tolist())[0]
            elif found.leaf is not None and found.leaf.following is not None:
                word = card_name(self._card(found.board, hand))
            else:
                return replace(hand, outcome=self._ended(found, hand))
            hand = replace(hand, line=(*hand.line, word))

    def _card(self, board: Sequence[int], hand: Hand) -> int:
        """A card that nobody has."""
        taken = {*board, *(int(card) for number in hand.hands for card in HANDS[number])}
        return self.rng.choice([card for card in range(CARDS) if card not in taken])

    def _ended(self, found: Trace, hand: Hand) -> Outcome:
        leaf, board = found.leaf, list(found.board)
        assert leaf is not None
        if leaf.folder >= 0:
            won = -1.0 if leaf.folder == hand.seat else 1.0
        else:
            while len(board) < 5:
                board.append(self._card(board, hand))
            one, two = strengths_of_boards([board])[0][list(hand.hands)].tolist()
            won = float(np.sign(one - two)) * (1.0 if hand.seat == 0 else -1.0)
        return Outcome(KINDS[leaf.kind], cards_name(board), won * leaf.amount - leaf.due)


def graded(result: SpotResult, hand: Hand, action: str) -> Answer:
    """An answer at the decision of a hand."""
    point = result.at(hand.line)
    number = hand.hands[hand.seat]
    column = _column(point, number)
    board = trace(result.spot, hand.line).board
    return Answer(
        line=point.line,
        board=point.board,
        player=PLAYERS[point.player],
        pot=point.pot,
        hand=hand.own,
        made=MADE[categories(board).made[number]],
        actions=point.actions,
        sizes=point.sizes,
        strategy=tuple(point.strategy[:, column].tolist()),
        evs=tuple(point.evs[:, column].tolist()),
        chosen=action,
    )


def _column(point: RangeDecision, hand: int) -> int:
    return int(np.flatnonzero(point.hands == hand)[0])
