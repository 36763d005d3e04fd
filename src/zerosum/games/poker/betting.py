"""The public betting tree of the small poker games: players, actions, and the chips that each has paid.

Betting is public, so it is the same tree for all cards. A node is built when it is first reached.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO

DEAL, FOLD, CHECK, CALL = "deal", "fold", "check", "call"

T = TypeVar("T")


class LazyChildren(dict[Hashable, T], Generic[T]):
    """The children of a node by action, each built when it is first looked up."""

    def __init__(self, build: Callable[[Hashable], T]) -> None:
        super().__init__()
        self.build = build

    def __missing__(self, action: Hashable) -> T:
        child = self[action] = self.build(action)
        return child


@dataclass(slots=True, eq=False)
class BettingNode:
    """A node of the public betting tree.

    `line` has all actions so far, `paid` the chips of each player. `payoffs` are the first player's at the end: for a
    tie, a win and a loss, in this order, so that `payoffs[1]` is a win and `payoffs[-1]` a loss.
    """

    player: int
    line: str
    round: int
    paid: tuple[float, float]
    actions: tuple[str, ...] = ()
    payoffs: tuple[float, float, float] = (0.0, 0.0, 0.0)
    children: dict[Hashable, BettingNode] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Betting:
    """Both players pay the ante; each round deals cards, then the first player opens.

    - `deals`: how many cards are dealt before each round.
    - `bets`: the size of a bet or raise in each round; none in a no-limit game, where it is any whole number.
    - `raises`: how many bets and raises a round allows; none for any number.
    - `stack`: what each player has behind after the ante; none for enough.

    >>> betting = Betting(deals=(2,), bets=(1,), raises=1)
    >>> node = betting.root().children[DEAL].children[DEAL]
    >>> node.actions, node.children["bet"].actions
    (('check', 'bet'), ('fold', 'call'))
    >>> node.children["bet"].children["call"].payoffs
    (0.0, 2.0, -2.0)
    """

    deals: tuple[int, ...]
    ante: float = 1
    bets: tuple[float, ...] | None = None
    raises: int | None = None
    stack: int | None = None

    def root(self) -> BettingNode:
        """Return the node where both antes are paid and no card is dealt."""
        return self._build_deal("", 0, (self.ante, self.ante), self.deals[0])

    def _build_deal(self, line: str, round: int, paid: tuple[float, float], cards: int) -> BettingNode:
        """Deal a number of cards, then let the first player open the round."""
        if cards:
            node = BettingNode(CHANCE, line, round, paid)
            node.children = LazyChildren(partial(self._build_node_after_deal, node, cards))
            return node
        if not self._count_remaining_chips(paid):
            return self._close_round(line, round, paid)
        return self._build_decision(ONE, line, round, paid, raised=0, opened=False)

    def _build_node_after_deal(self, node: BettingNode, cards: int, _: Hashable) -> BettingNode:
        return self._build_deal(node.line, node.round, node.paid, cards - 1)

    def _build_decision(
        self, player: int, line: str, round: int, paid: tuple[float, float], raised: int, opened: bool
    ) -> BettingNode:
        """Return a node where `player` acts; `opened` says whether the opponent already has in this round."""
        sizes = self._list_raise_sizes(round, paid, raised)
        actions = ((CHECK,) if paid[ONE] == paid[TWO] else (FOLD, CALL)) + tuple(sizes)
        node = BettingNode(player, line, round, paid, actions)
        node.children = LazyChildren(partial(self._build_node_after_action, node, sizes, raised, opened))
        return node

    def _list_raise_sizes(self, round: int, paid: tuple[float, float], raised: int) -> dict[str, float]:
        """Return the possible bets or raises, each with the chips that it adds to a call."""
        if raised == self.raises:
            return {}
        verb, room = "raise" if raised else "bet", self._count_remaining_chips(paid)
        if self.bets is None:
            return {f"{verb} {size}": size for size in range(1, int(room) + 1)}
        return {verb: self.bets[round]} if self.bets[round] <= room else {}

    def _build_node_after_action(
        self, node: BettingNode, sizes: dict[str, float], raised: int, opened: bool, action: Hashable
    ) -> BettingNode:
        player, round, paid = node.player, node.round, node.paid
        line = f"{node.line} {action}".lstrip()
        if action not in node.actions:
            raise ValueError(f"{action!r} is not an action after {node.line!r}")
        if action == FOLD:
            payoff = -float(paid[ONE]) if player == ONE else float(paid[TWO])
            return BettingNode(TERMINAL, line, round, paid, payoffs=(payoff, payoff, payoff))
        if action == CHECK and not opened:
            return self._build_decision(1 - player, line, round, paid, raised, opened=True)
        level = max(paid)
        if action in (CHECK, CALL):
            return self._close_round(line, round, (level, level))
        level += sizes[str(action)]
        paid = (level, paid[TWO]) if player == ONE else (paid[ONE], level)
        return self._build_decision(1 - player, line, round, paid, raised + 1, opened=True)

    def _close_round(self, line: str, round: int, paid: tuple[float, float]) -> BettingNode:
        """End the round: deal for the next one, or show the cards."""
        if round + 1 < len(self.deals):
            return self._build_deal(f"{line} /", round + 1, paid, self.deals[round + 1])
        return BettingNode(TERMINAL, line, round, paid, payoffs=(0.0, float(paid[TWO]), -float(paid[ONE])))

    def _count_remaining_chips(self, paid: tuple[float, float]) -> float:
        """Return the chips that the player with the larger bet can still add."""
        return float("inf") if self.stack is None else self.ante + self.stack - max(paid)
