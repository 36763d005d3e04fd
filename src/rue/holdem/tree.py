"""The public betting tree: who may do what on a street, and where each line ends.

The betting of one street depends only on the pot and the stack it starts with, not on the cards. So a street
is one small tree, made once for each pot and stack: a leaf that deals the next card names the street that
follows, whatever the card. Storage is another matter: every occurrence of a street has strategies of its own.

Chips are counted on the street: a node's `paid` is what each player has bet on this street. Everything before
lies in the street's `pot`, half of it from each player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from rue.errors import RueError
from rue.forms.rounds import ALLIN, DEAL, FOLD, SHOWDOWN, Choice, End, Round
from rue.holdem.bets import chips, decimals
from rue.holdem.betting import Betting, Edit, Turn
from rue.holdem.cards import STREETS
from rue.holdem.rake import NO_RAKE, Rake
from rue.holdem.words import matching
from rue.records import dataclass

RIVER = 2
LONGEST = 100
"""Actions in a row on one street; more is a sign of sizes that are too small."""
LARGEST = 50_000
"""Decisions in all different streets together."""
KINDS = {FOLD: "fold", SHOWDOWN: "showdown", ALLIN: "allin", DEAL: "deal"}
"""How a line ends: somebody folds; hands are compared on the river, or on every runout because nobody can bet any more;
the next card comes."""


@dataclass(frozen=True)
class Node(Choice):
    """A decision: `children[i]` follows `actions[i]` and is a node if 0 or more, else leaf `~children[i]`."""

    paid: tuple[float, float] = (0.0, 0.0)
    to: tuple[float, ...] = ()
    """What the player has bet on this street after each action."""
    children: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Leaf(End):
    """The end of a line. `amount` is what the loser pays the winner here, half of the street's pot included; at a deal,
    what each put in, and `following` is the next street. Of a rake each player pays half, which is `due`."""

    following: Street | None = None
    paid: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Street(Round):
    """The betting of one street: nodes and leaves in the order of a walk, parents first; node 0 is the root.

    `pot` and `stack` are what the street starts with: chips in the middle, chips behind each player. `betting` is what
    the sizes are made by from here on.
    """

    choices: tuple[Node, ...]
    ends: tuple[Leaf, ...]
    street: int
    pot: float
    stack: float
    betting: Betting

    @property
    def name(self) -> str:
        """flop, turn or river."""
        return STREETS[self.street]

    def node(self, *line: str) -> Node:
        """The node a line of actions leads to.

        >>> from rue.holdem.betting import Betting
        >>> build(Betting.parse(), 2, 500, 19750).node("bet 250").actions
        ('fold', 'call', 'raise 1250', 'allin')
        """
        for node in self.choices:
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
    nodes: tuple[tuple[int, int], ...]
    actions: tuple[tuple[int, int], ...]
    leaves: tuple[dict[str, int], ...]

    def infoset_actions(self, hands: tuple[int, int]) -> int:
        """Actions summed over all infosets, when so many hands of each player fit the first board.

        A dealt card removes the hands that hold it: a hand sees neither the board's cards nor its own again.
        """
        boards = [1]
        for street in range(self.start, RIVER):
            boards.append(boards[-1] * (52 - 2 - (3 + street)))
        return self.stored_actions(hands, tuple(boards))

    def stored_actions(self, hands: tuple[int, int], boards: tuple[int, ...]) -> int:
        """Actions when a store keeps every hand on every board, with so many boards from the first street on.

        A turn has 1 board and 48 rivers; a flop 1, 49 and 49 * 48, fewer where suits are interchangeable.
        """
        rows = zip(boards, self.actions[self.start :], strict=True)
        return sum(times * (one * hands[0] + two * hands[1]) for times, (one, two) in rows)


def build(betting: Betting, street: int, pot: float, stack: float, rake: Rake = NO_RAKE) -> Street:
    """The betting from a street on, chained to the river: 0 is the flop, 1 the turn, 2 the river.

    >>> river = build(Betting.parse("50%,100%,allin", "100%,allin"), 2, pot=500, stack=19750)
    >>> river.choices[0].actions
    ('check', 'bet 250', 'bet 500', 'allin')
    >>> counts = count(river)
    >>> counts.nodes[2], sum(counts.leaves[2].values())
    ((16, 16), 61)
    """
    return _Streets(rake).street(street, pot, stack, betting)


def walk_streets(first: Street) -> Iterator[Street]:
    """Every different street of a chained tree once, earlier streets first."""
    level = [first]
    while level:
        yield from level
        following = [leaf.following for tree in level for leaf in tree.ends if leaf.following is not None]
        level = list(dict.fromkeys(following))


def count(first: Street) -> Counts:
    """The size of a chained tree."""
    occurrences = Counter({first: 1})
    nodes = [[0, 0], [0, 0], [0, 0]]
    actions = [[0, 0], [0, 0], [0, 0]]
    leaves: list[dict[str, int]] = [{}, {}, {}]
    for tree in walk_streets(first):
        times = occurrences[tree]
        for node in tree.choices:
            nodes[tree.street][node.player] += times
            actions[tree.street][node.player] += times * len(node.actions)
        kinds = leaves[tree.street]
        for leaf in tree.ends:
            kinds[KINDS[leaf.kind]] = kinds.get(KINDS[leaf.kind], 0) + times
            if leaf.following is not None:
                occurrences[leaf.following] += times
    return Counts(
        first.street,
        tuple((one, two) for one, two in nodes),
        tuple((one, two) for one, two in actions),
        tuple(leaves),
    )


class _Streets:
    """Makes the streets of a betting, each once."""

    def __init__(self, rake: Rake) -> None:
        self.rake = rake
        self.made: dict[tuple[int, float, float, int | None, tuple[Edit, ...]], Street] = {}
        self.decisions = 0

    def street(self, street: int, pot: float, stack: float, betting: Betting) -> Street:
        digits = decimals(pot, stack)
        start = street, round(pot, digits), round(stack, digits)
        key = *start, betting.aggressor, betting.edits
        if key not in self.made:
            self.made[key] = _Grower(self, *start, betting).street()
        return self.made[key]


@dataclass
class _Point:
    """What the betting of a street depends on at one point of it, and the rows that lead there."""

    player: int = 0
    paid: tuple[float, float] = (0.0, 0.0)
    last: float = 0.0
    bets: int = 0
    line: tuple[str, ...] = ()
    rows: tuple[int, int] = (0, 0)
    aggressor: int | None = None
    edits: tuple[Edit, ...] = ()


class _Here(NamedTuple):
    """A decision that is not made yet."""

    player: int
    paid: tuple[float, float]
    actions: tuple[str, ...]
    to: tuple[float, ...]


class _Grower:
    """Grows the tree of one street, line by line."""

    def __init__(self, streets: _Streets, street: int, pot: float, stack: float, betting: Betting) -> None:
        self.streets, self.number, self.pot, self.stack, self.betting = streets, street, pot, stack, betting
        self.nodes: list[Node | None] = []
        self.leaves: list[Leaf] = []
        self.rows = [1, 1]

    def street(self) -> Street:
        self.decide(_Point(edits=self.betting.edits))
        nodes = tuple(node for node in self.nodes if node is not None)
        one, two = self.rows
        return Street(nodes, tuple(self.leaves), (one, two), self.number, self.pot, self.stack, self.betting)

    def decide(self, at: _Point) -> int:
        place = len(self.nodes)
        self.nodes.append(None)
        self.streets.decisions += 1
        if len(at.line) > LONGEST or self.streets.decisions > LARGEST:
            what = f"{LONGEST} actions in a row" if len(at.line) > LONGEST else f"{LARGEST:,} decisions"
            raise RueError(f"these bets allow more than {what}: use fewer or larger sizes, or a cap on raises")
        actions, edits = self.edited(at, self.actions(at))
        first = self.rows[at.player]
        self.rows[at.player] += len(actions)
        children = tuple(
            self.follow(replace(at, edits=edits.get(name, ())), name, to, row)
            for row, (name, to) in enumerate(actions.items(), start=first)
        )
        parent = at.rows[at.player]
        self.nodes[place] = Node(
            at.player, tuple(actions), first, parent, at.line, at.paid, tuple(actions.values()), children
        )
        return place

    def actions(self, at: _Point) -> dict[str, float]:
        """What the player may do, and what is then bet on this street."""
        own, top = at.paid[at.player], at.paid[1 - at.player]
        passive = {"fold": own, "call": top} if top > own else {"check": own}
        pot = self.pot + own + top
        turn = Turn(self.number, at.player, pot, self.stack, own, top, at.last, at.bets, len(at.line))
        name = "raise" if top else "bet"
        given = [edit.sizes for edit in at.edits if not edit.line]
        targets = self.betting.targets(turn, given[-1] if given else None)
        return passive | {"allin" if to >= self.stack else f"{name} {chips(to)}": to for to in targets}

    def edited(self, at: _Point, actions: dict[str, float]) -> tuple[dict[str, float], dict[str, tuple[Edit, ...]]]:
        """The actions that lines leave, and what is different after each of them."""
        pot = self.pot + sum(at.paid)
        here = _Here(at.player, at.paid, tuple(actions), tuple(actions.values()))
        gone: set[str] = set()
        after: dict[str, tuple[Edit, ...]] = {}
        for edit in at.edits:
            if edit.line:
                try:
                    name = here.actions[matching(edit.line[0], here, pot)]
                except RueError as error:
                    raise RueError(f"the line {edit.text!r} of the betting tree leads nowhere: {error}") from None
                if edit.sizes is None and len(edit.line) == 1:
                    gone.add(name)
                after[name] = (*after.get(name, ()), edit.after())
        if len(gone) == len(actions):
            where = f"on the {STREETS[self.number]} after {' '.join(at.line) or 'the start'}"
            raise RueError(f"{where} the betting tree leaves nothing to do: one action must stay")
        return {name: to for name, to in actions.items() if name not in gone}, after

    def follow(self, at: _Point, name: str, to: float, row: int) -> int:
        other = 1 - at.player
        paid, rows = (to, at.paid[1]), (row, at.rows[1])
        if at.player == 1:
            paid, rows = (at.paid[0], to), (at.rows[0], row)
        after = _Point(other, paid, at.last, at.bets, (*at.line, name), rows, at.aggressor, at.edits)
        if name == "fold":
            return self.end(FOLD, after, self.pot / 2 + to, folder=at.player)
        if name == "call" or (name == "check" and at.player == 1):
            return self.finish(after)
        if name != "check":
            after.last, after.bets, after.aggressor = to - at.paid[other], at.bets + 1, at.player
        return self.decide(after)

    def finish(self, at: _Point) -> int:
        """Both have put in the same: compare hands, or deal the next card."""
        amount, behind = self.pot / 2 + at.paid[0], self.stack - at.paid[0]
        if self.number == RIVER or behind <= 0:
            return self.end(SHOWDOWN if self.number == RIVER else ALLIN, at, amount)
        betting = self.betting.after(at.aggressor, at.edits)
        return self.end(DEAL, at, amount, following=self.streets.street(self.number + 1, 2 * amount, behind, betting))

    def end(self, kind: int, at: _Point, amount: float, folder: int = -1, following: Street | None = None) -> int:
        if at.edits and following is None:
            raise RueError(f"the line {at.edits[0].text!r} of the betting tree leads nowhere: the hand is over before")
        due = 0.0 if kind == DEAL else self.streets.rake.taken(2 * amount, folder >= 0) / 2
        self.leaves.append(Leaf(kind, at.rows, amount - due, folder, following, at.line, due, at.paid))
        return ~(len(self.leaves) - 1)
