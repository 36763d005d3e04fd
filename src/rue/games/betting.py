"""The betting of the small poker games: who may do what, and who has paid how much.

Betting is public, so it is a tree of its own, the same for all cards. Each position is made once, when it is
first reached, and knows its player, its actions and what follows; a game then only moves along it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from functools import partial
from typing import Generic, TypeVar

from rue.games.game import CHANCE, NOBODY, ONE, TWO
from rue.records import dataclass

DEAL, FOLD, CHECK, CALL = "deal", "fold", "check", "call"

T = TypeVar("T")


class Branches(dict[Hashable, T], Generic[T]):
    """What follows a position, by action: made when first asked for, then kept."""

    def __init__(self, make: Callable[[Hashable], T]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, action: Hashable) -> T:
        following = self[action] = self.make(action)
        return following


@dataclass(slots=True, eq=False)
class Position:
    """A public position of the betting.

    `line` is all that was done, `paid` what each player has put in. `pays` is what the first player gets at
    the end: on a tie, when ahead, when behind, in this order, so `pays[1]` is a win and `pays[-1]` a loss.
    """

    player: int
    line: str
    round: int
    paid: tuple[float, float]
    actions: tuple[str, ...] = ()
    pays: tuple[float, float, float] = (0.0, 0.0, 0.0)
    children: dict[Hashable, Position] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Betting:
    """Both players pay the ante; each round deals cards, then the first player opens.

    - `deals`: how many cards are dealt before each round.
    - `bets`: the size of a bet or raise in each round; none in a no-limit game, where it is any whole number.
    - `raises`: how many bets and raises a round allows; none for any number.
    - `stack`: what each player has behind after the ante; none for enough.

    >>> betting = Betting(deals=(2,), bets=(1,), raises=1)
    >>> position = betting.root().children[DEAL].children[DEAL]
    >>> position.actions, position.children["bet"].actions
    (('check', 'bet'), ('fold', 'call'))
    >>> position.children["bet"].children["call"].pays
    (0.0, 2.0, -2.0)
    """

    deals: tuple[int, ...]
    ante: float = 1
    bets: tuple[float, ...] | None = None
    raises: int | None = None
    stack: int | None = None

    def root(self) -> Position:
        """Both antes are paid and no card is dealt."""
        return self._deal("", 0, (self.ante, self.ante), self.deals[0])

    def _deal(self, line: str, round: int, paid: tuple[float, float], cards: int) -> Position:
        """Deal so many more cards, then let the first player open the round."""
        if cards:
            position = Position(CHANCE, line, round, paid)
            position.children = Branches(partial(self._dealt, position, cards))
            return position
        if not self._room(paid):
            return self._close(line, round, paid)
        return self._decide(ONE, line, round, paid, raised=0, opened=False)

    def _dealt(self, position: Position, cards: int, _: Hashable) -> Position:
        return self._deal(position.line, position.round, position.paid, cards - 1)

    def _decide(
        self, player: int, line: str, round: int, paid: tuple[float, float], raised: int, opened: bool
    ) -> Position:
        """`player` acts; `opened` says that the opponent already did in this round."""
        sizes = self._sizes(round, paid, raised)
        actions = ((CHECK,) if paid[ONE] == paid[TWO] else (FOLD, CALL)) + tuple(sizes)
        position = Position(player, line, round, paid, actions)
        position.children = Branches(partial(self._acted, position, sizes, raised, opened))
        return position

    def _sizes(self, round: int, paid: tuple[float, float], raised: int) -> dict[str, float]:
        """The bets or raises on offer and what each adds to a call."""
        if raised == self.raises:
            return {}
        verb, room = "raise" if raised else "bet", self._room(paid)
        if self.bets is None:
            return {f"{verb} {size}": size for size in range(1, int(room) + 1)}
        return {verb: self.bets[round]} if self.bets[round] <= room else {}

    def _acted(
        self, position: Position, sizes: dict[str, float], raised: int, opened: bool, action: Hashable
    ) -> Position:
        player, round, paid = position.player, position.round, position.paid
        line = f"{position.line} {action}".lstrip()
        if action not in position.actions:
            raise ValueError(f"{action!r} is not an action after {position.line!r}")
        if action == FOLD:
            gets = -float(paid[ONE]) if player == ONE else float(paid[TWO])
            return Position(NOBODY, line, round, paid, pays=(gets, gets, gets))
        if action == CHECK and not opened:
            return self._decide(1 - player, line, round, paid, raised, opened=True)
        level = max(paid)
        if action in (CHECK, CALL):
            return self._close(line, round, (level, level))
        level += sizes[str(action)]
        paid = (level, paid[TWO]) if player == ONE else (paid[ONE], level)
        return self._decide(1 - player, line, round, paid, raised + 1, opened=True)

    def _close(self, line: str, round: int, paid: tuple[float, float]) -> Position:
        """The round is over: deal for the next one, or show the cards."""
        if round + 1 < len(self.deals):
            return self._deal(f"{line} /", round + 1, paid, self.deals[round + 1])
        return Position(NOBODY, line, round, paid, pays=(0.0, float(paid[TWO]), -float(paid[ONE])))

    def _room(self, paid: tuple[float, float]) -> float:
        """How far the higher of the two may still go."""
        return float("inf") if self.stack is None else self.ante + self.stack - max(paid)
