"""The public betting tree: who may do what on a street, and where each line ends.

The betting of one street depends only on the pot and the stack it starts with, not on the cards. So a street
is one small tree, made once for each pot and stack: a leaf that deals the next card names the street that
follows, whatever the card. Storage is another matter: every occurrence of a street has strategies of its own.

Chips are counted on the street: a node's `paid` is what each player has bet on this street. Everything before
lies in the street's `pot`, half of it from each player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rue.errors import RueError
from rue.holdem.bets import Betting, Turn, chips
from rue.holdem.cards import STREETS

RIVER = 2
LONGEST = 100
"""Actions in a row on one street; more is a sign of sizes that are too small."""
LARGEST = 50_000
"""Decisions in all different streets together."""
LeafKind = Literal["fold", "showdown", "allin", "deal"]


@dataclass(frozen=True, slots=True)
class Action:
    """One choice: `to` is what the player has bet on this street afterwards.

    >>> str(Action("raise", 750.0)), str(Action("allin", 9750.0)), str(Action("fold", 0.0))
    ('raise 750', 'allin', 'fold')
    """

    kind: Literal["fold", "check", "call", "bet", "raise", "allin"]
    to: float

    def __str__(self) -> str:
        return f"{self.kind} {chips(self.to)}" if self.kind in ("bet", "raise") else self.kind


@dataclass(frozen=True, slots=True)
class Node:
    """A decision: `children[i]` follows `actions[i]` and is a node if 0 or more, else leaf `~children[i]`."""

    player: int
    parent: int
    """The node before, or -1."""
    via: int
    """Which of the parent's actions leads here, or -1."""
    paid: tuple[float, float]
    line: tuple[str, ...]
    """The names of the street's actions so far."""
    actions: tuple[Action, ...]
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a line.

    - `fold`: `folder` gave up; the other wins what `folder` has paid, and half of the pot.
    - `showdown`: the river is over; hands are compared.
    - `allin`: nobody can bet any more but cards are to come; hands are compared on every runout.
    - `deal`: the next card comes and `next` is the street that follows.
    """

    kind: LeafKind
    parent: int
    via: int
    paid: tuple[float, float]
    line: tuple[str, ...]
    amount: float
    """What the loser loses here, half of the street's pot included; where cards decide, what each put in."""
    folder: int = -1
    next: Street | None = None


@dataclass(frozen=True, eq=False)
class Street:
    """The betting of one street: nodes and leaves in the order of a walk, parents first; node 0 is the root.

    `pot` and `stack` are what the street starts with: chips in the middle, chips behind each player.
    """

    street: int
    pot: float
    stack: float
    nodes: tuple[Node, ...]
    leaves: tuple[Leaf, ...]

    @property
    def name(self) -> str:
        """flop, turn or river."""
        return STREETS[self.street]

    def node(self, *line: str) -> Node:
        """The node a line of actions leads to.

        >>> from rue.holdem.bets import Betting, Turn
        >>> [str(action) for action in build(Betting.parse(), 2, 500, 19750).node("bet 250").actions]
        ['fold', 'call', 'raise 1250', 'allin']
        """
        for node in self.nodes:
            if node.line == line:
                return node
        raise RueError(f"no decision follows {', '.join(line)!r} on the {self.name}")


@dataclass(frozen=True)
class Counts:
    """How large a chained tree is, summed over all lines that reach a street, for one runout of the cards.

    Each field has an entry per street: flop, turn, river, zeros where the tree starts later. `nodes` and
    `actions` then have a number per player, `leaves` one per kind of leaf.
    """

    start: int
    streets: tuple[int, ...]
    """How often a street occurs."""
    nodes: tuple[tuple[int, int], ...]
    actions: tuple[tuple[int, int], ...]
    leaves: tuple[dict[str, int], ...]
    distinct: int
    """How many different streets there are: equal pots and stacks counted once."""

    def infoset_actions(self, hands: tuple[int, int]) -> int:
        """Actions summed over all infosets, when so many hands of each player fit the first board.

        A dealt card removes the hands that hold it: a hand sees neither the board's cards nor its own again.
        """
        return self._weighted(self.actions, hands, self._runouts())

    def stored_actions(self, hands: tuple[int, int], boards: tuple[int, ...]) -> int:
        """Actions when a store keeps every hand on every board, with so many boards from the first street on.

        A turn has 1 board and 48 rivers; a flop 1, 49 and 49 * 48, fewer where suits are interchangeable.
        """
        return self._weighted(self.actions, hands, boards)

    def infosets(self, hands: tuple[int, int]) -> int:
        """Infosets of both players, when so many hands of each player fit the first board."""
        return self._weighted(self.nodes, hands, self._runouts())

    def _runouts(self) -> tuple[int, ...]:
        """How many boards a hand sees on each street."""
        runouts = [1]
        for street in range(self.start, RIVER):
            runouts.append(runouts[-1] * (52 - 2 - (3 + street)))
        return tuple(runouts)

    def _weighted(self, table: tuple[tuple[int, int], ...], hands: tuple[int, int], boards: tuple[int, ...]) -> int:
        rows = zip(boards, table[self.start :], strict=True)
        return sum(times * (one * hands[0] + two * hands[1]) for times, (one, two) in rows)


def build(betting: Betting, street: int, pot: float, stack: float) -> Street:
    """The betting from a street on, chained to the river: 0 is the flop, 1 the turn, 2 the river.

    >>> river = build(Betting.parse("50%,100%,allin", "100%,allin"), 2, pot=500, stack=19750)
    >>> [str(action) for action in river.nodes[0].actions]
    ['check', 'bet 250', 'bet 500', 'allin']
    >>> counts = count(river)
    >>> counts.nodes[2], sum(counts.leaves[2].values())
    ((16, 16), 61)
    """
    return _Builder(betting).street(street, pot, stack)


def walk_streets(first: Street) -> Iterator[Street]:
    """Every different street of a chained tree once, earlier streets first."""
    level = [first]
    while level:
        yield from level
        following = [leaf.next for tree in level for leaf in tree.leaves if leaf.next is not None]
        level = list(dict.fromkeys(following))


def count(first: Street) -> Counts:
    """The size of a chained tree."""
    occurrences = {first: 1}
    streets = [0, 0, 0]
    nodes = [[0, 0], [0, 0], [0, 0]]
    actions = [[0, 0], [0, 0], [0, 0]]
    leaves: list[dict[str, int]] = [{}, {}, {}]
    for tree in walk_streets(first):
        times = occurrences[tree]
        streets[tree.street] += times
        for node in tree.nodes:
            nodes[tree.street][node.player] += times
            actions[tree.street][node.player] += times * len(node.actions)
        for leaf in tree.leaves:
            kinds = leaves[tree.street]
            kinds[leaf.kind] = kinds.get(leaf.kind, 0) + times
            if leaf.next is not None:
                occurrences[leaf.next] = occurrences.get(leaf.next, 0) + times
    return Counts(
        first.street,
        tuple(streets),
        tuple((one, two) for one, two in nodes),
        tuple((one, two) for one, two in actions),
        tuple(leaves),
        len(occurrences),
    )


@dataclass
class _Round:
    """What the betting of a street depends on at one point of it."""

    player: int = 0
    paid: tuple[float, float] = (0.0, 0.0)
    last: float = 0.0
    bets: int = 0
    line: tuple[str, ...] = ()


@dataclass
class _Builder:
    betting: Betting
    made: dict[tuple[int, float, float], Street] = field(default_factory=dict)
    decisions: int = 0

    def street(self, street: int, pot: float, stack: float) -> Street:
        key = street, round(pot, 6), round(stack, 6)
        if key not in self.made:
            self.made[key] = _Grower(self, *key).street()
        return self.made[key]


class _Grower:
    """Grows the tree of one street, line by line."""

    def __init__(self, builder: _Builder, street: int, pot: float, stack: float) -> None:
        self.builder, self.number, self.pot, self.stack = builder, street, pot, stack
        self.nodes: list[Node | None] = []
        self.leaves: list[Leaf] = []

    def street(self) -> Street:
        self.decide(_Round(), -1, -1)
        nodes = tuple(node for node in self.nodes if node is not None)
        return Street(self.number, self.pot, self.stack, nodes, tuple(self.leaves))

    def decide(self, at: _Round, parent: int, via: int) -> int:
        place = len(self.nodes)
        self.nodes.append(None)
        self.builder.decisions += 1
        if len(at.line) > LONGEST or self.builder.decisions > LARGEST:
            what = f"{LONGEST} actions in a row" if len(at.line) > LONGEST else f"{LARGEST:,} decisions"
            raise RueError(f"these bets allow more than {what}: use fewer or larger sizes, or a cap on raises")
        actions = self.actions(at)
        children = tuple(self.follow(at, action, place, index) for index, action in enumerate(actions))
        self.nodes[place] = Node(at.player, parent, via, at.paid, at.line, actions, children)
        return place

    def actions(self, at: _Round) -> tuple[Action, ...]:
        own, top = at.paid[at.player], at.paid[1 - at.player]
        passive = [Action("fold", own), Action("call", top)] if top > own else [Action("check", own)]
        pot = self.pot + own + top
        turn = Turn(self.number, at.player, pot, self.stack, own, top, at.last, at.bets, len(at.line))
        targets = self.builder.betting.targets(turn)
        name: Literal["bet", "raise"] = "raise" if top else "bet"
        active = [Action("allin" if to >= self.stack else name, to) for to in targets]
        return (*passive, *active)

    def follow(self, at: _Round, action: Action, parent: int, via: int) -> int:
        line = (*at.line, str(action))
        other = 1 - at.player
        paid = (action.to, at.paid[1]) if at.player == 0 else (at.paid[0], action.to)
        if action.kind == "fold":
            return self.end(Leaf("fold", parent, via, paid, line, self.pot / 2 + action.to, folder=at.player))
        if action.kind == "call" or (action.kind == "check" and at.player == 1):
            return self.finish(parent, via, paid, line)
        if action.kind == "check":
            return self.decide(_Round(other, paid, at.last, at.bets, line), parent, via)
        raised = action.to - at.paid[other]
        return self.decide(_Round(other, paid, raised, at.bets + 1, line), parent, via)

    def finish(self, parent: int, via: int, paid: tuple[float, float], line: tuple[str, ...]) -> int:
        """Both have put in the same: compare hands, or deal the next card."""
        amount, behind = self.pot / 2 + paid[0], self.stack - paid[0]
        if self.number == RIVER:
            return self.end(Leaf("showdown", parent, via, paid, line, amount))
        if behind <= 0:
            return self.end(Leaf("allin", parent, via, paid, line, amount))
        following = self.builder.street(self.number + 1, 2 * amount, behind)
        return self.end(Leaf("deal", parent, via, paid, line, amount, next=following))

    def end(self, leaf: Leaf) -> int:
        self.leaves.append(leaf)
        return ~(len(self.leaves) - 1)
