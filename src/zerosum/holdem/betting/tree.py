"""The public betting tree, street by street.

The betting of a street depends only on the pot and the stack at its start, not on the cards. So a street is one small
tree, built once for each pot and stack: a leaf at which the next card is dealt refers to the street that follows,
whatever the card. Strategies are stored separately for every occurrence of a street.

Chips are counted per street: a node's `paid` is what each player has bet on this street. Earlier bets are in the
street's `pot`, half of it from each player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.public.rounds import ALLIN, DEAL, FOLD, SHOWDOWN, BettingDecision, Round, RoundEnd
from zerosum.holdem.betting.abstraction import BettingAbstraction, LineEdit
from zerosum.holdem.betting.action_names import find_action, format_action
from zerosum.holdem.betting.rake import NO_RAKE, Rake
from zerosum.holdem.betting.sizes import BettingState, count_chip_decimals, format_chips, round_chips
from zerosum.holdem.cards.cards import STREETS
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

RIVER = 2
MAX_ACTIONS = 100
"""The most actions in a row on one street; more of them are a sign of sizes that are too small."""
MAX_DECISIONS = 50_000
"""The most decisions in all different streets together."""
LEAF_KINDS = {FOLD: "fold", SHOWDOWN: "showdown", ALLIN: "allin", DEAL: "deal"}
"""How a line ends: a fold, a showdown on the river, a showdown on every runout after an all-in, or the next card."""


@dataclass(frozen=True)
class StreetNode(BettingDecision):
    """A decision; `children[i]` follows `actions[i]`: a node if it is 0 or more, else the leaf `~children[i]`.

    `paid` is each player's bet on this street, `to` the player's bet after each action, `pot` the chips in the middle
    before the player acts.
    """

    paid: tuple[float, float] = (0.0, 0.0)
    to: tuple[float, ...] = ()
    children: tuple[int, ...] = ()
    pot: float = 0.0

    @cached_property
    def pot_shares(self) -> tuple[float | None, ...]:
        """What each action adds to a call, as a share of the pot after it; None for fold, check and call.

        These are the percentages of `zerosum.holdem.betting.sizes`.

        >>> from zerosum.holdem.spots.files import load_spot
        >>> river = load_spot("river").tree
        >>> river.choices[0].pot_shares
        (None, 0.33, 0.75, 1.5, 3.3461538461538463)
        >>> river.nodes_by_line["bet 858",].pot_shares[:3]
        (None, None, 0.75)
        """
        bet_to_match = max(self.paid)
        pot_after_call = self.pot + bet_to_match - self.paid[self.player]
        return tuple(
            (to - bet_to_match) / pot_after_call if to > bet_to_match and action != "call" else None
            for action, to in zip(self.actions, self.to, strict=True)
        )

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The actions as people read them, with their shares of the pot."""
        return tuple(map(format_action, self.actions, self.pot_shares))


@dataclass(frozen=True, eq=False)
class Leaf(RoundEnd):
    """The end of a line.

    `amount` is what the loser pays the winner, half of the street's pot included; at a deal it is what each player has
    put in, and `next_round` is the next street. `rake` is half the rake, which each player pays.
    """

    next_round: Street | None = None
    paid: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Street(Round):
    """The betting of one street: nodes and leaves in depth-first order, parents first; node 0 is the root.

    `pot` and `stack` are the chips in the middle and behind each player at its start. `betting` decides the sizes from
    here on.
    """

    choices: tuple[StreetNode, ...]
    ends: tuple[Leaf, ...]
    street: int
    pot: float
    stack: float
    betting: BettingAbstraction

    @cached_property
    def nodes_by_line(self) -> dict[tuple[str, ...], StreetNode]:
        """The nodes by the lines of actions that lead to them."""
        return {node.line: node for node in self.choices}


@dataclass(frozen=True)
class TreeSize:
    """The size of a tree of streets for one runout of the cards, summed over all lines that reach a street.

    Each field has an entry per street: flop, turn, river, zeros if the tree starts later. `nodes` and `actions` have
    a number per player, `leaves` one per kind of leaf.
    """

    start: int
    nodes: tuple[tuple[int, int], ...]
    actions: tuple[tuple[int, int], ...]
    leaves: tuple[dict[str, int], ...]

    def infoset_actions(self, hands: tuple[int, int]) -> int:
        """Return the actions summed over all infosets, with `hands` hands of each player on the first board.

        No card of the board or of the hand is dealt again.
        """
        boards = [1]
        for street in range(self.start, RIVER):
            boards.append(boards[-1] * (52 - 2 - (3 + street)))
        return self.stored_actions(hands, tuple(boards))

    def stored_actions(self, hands: tuple[int, int], boards: tuple[int, ...]) -> int:
        """Return the actions if every hand is stored on every board, with `boards` boards from the first street on.

        A turn has 1 board and 48 rivers; a flop 1, 49 and 49 * 48, fewer if suits are interchangeable.
        """
        rows = zip(boards, self.actions[self.start :], strict=True)
        return sum(count * (oop * hands[0] + ip * hands[1]) for count, (oop, ip) in rows)


def build_betting_tree(
    betting: BettingAbstraction, street: int, pot: float, stack: float, rake: Rake = NO_RAKE
) -> Street:
    """Build the betting from a street (0 is the flop, 1 the turn, 2 the river) up to the river.

    >>> river = build_betting_tree(BettingAbstraction.parse("50%,100%,allin", "100%,allin"), 2, pot=500, stack=19750)
    >>> river.choices[0].actions
    ('check', 'bet 250', 'bet 500', 'allin')
    >>> counts = count_tree(river)
    >>> counts.nodes[2], sum(counts.leaves[2].values())
    ((16, 16), 61)
    """
    return _TreeBuilder(rake).build_street(street, pot, stack, betting)


def walk_streets(first: Street) -> Iterator[Street]:
    """Yield every different street of a tree once, earlier streets first."""
    level = [first]
    while level:
        yield from level
        next_streets = [leaf.next_round for tree in level for leaf in tree.ends if leaf.next_round is not None]
        level = list(dict.fromkeys(next_streets))


def count_tree(first: Street) -> TreeSize:
    """Return the size of a tree of streets."""
    occurrences = Counter({first: 1})
    nodes, actions = np.zeros((3, 2), dtype=np.int64), np.zeros((3, 2), dtype=np.int64)
    leaves: list[Counter[str]] = [Counter() for _ in STREETS]
    for tree in walk_streets(first):
        times = occurrences[tree]
        for node in tree.choices:
            nodes[tree.street, node.player] += times
            actions[tree.street, node.player] += times * len(node.actions)
        for leaf in tree.ends:
            leaves[tree.street][LEAF_KINDS[leaf.kind]] += times
            if leaf.next_round is not None:
                occurrences[leaf.next_round] += times
    node_counts, action_counts = (tuple((oop, ip) for oop, ip in counts.tolist()) for counts in (nodes, actions))
    return TreeSize(first.street, node_counts, action_counts, tuple(map(dict, leaves)))


class _TreeBuilder:
    """Builds the streets of a betting abstraction, each once."""

    def __init__(self, rake: Rake) -> None:
        self.rake = rake
        self.streets: dict[tuple[int, float, float, int | None, tuple[LineEdit, ...]], Street] = {}
        self.n_decisions = 0

    def build_street(self, street: int, pot: float, stack: float, betting: BettingAbstraction) -> Street:
        digits = count_chip_decimals(pot, stack)
        start = street, round(pot, digits), round(stack, digits)
        key = *start, betting.aggressor, betting.edits
        if key not in self.streets:
            self.streets[key] = _StreetBuilder(self, *start, betting).build()
        return self.streets[key]


class _LineState(NamedTuple):
    """The betting after a line of actions; `rows` are those of the players' last actions, 0 before the first."""

    player: int = 0
    paid: tuple[float, float] = (0.0, 0.0)
    last: float = 0.0
    bets: int = 0
    line: tuple[str, ...] = ()
    rows: tuple[int, int] = (0, 0)
    aggressor: int | None = None
    edits: tuple[LineEdit, ...] = ()


class _StreetBuilder:
    """Builds the tree of one street, line by line; its methods return the index of a node, or ~index of a leaf."""

    def __init__(self, tree: _TreeBuilder, street: int, pot: float, stack: float, betting: BettingAbstraction) -> None:
        self.tree, self.street, self.pot, self.stack, self.betting = tree, street, pot, stack, betting
        self.nodes: list[StreetNode | None] = []
        self.leaves: list[Leaf] = []
        self.rows = [1, 1]

    def build(self) -> Street:
        self.add_decision(_LineState(edits=self.betting.edits))
        nodes = tuple(node for node in self.nodes if node is not None)
        oop, ip = self.rows
        return Street(nodes, tuple(self.leaves), (oop, ip), self.street, self.pot, self.stack, self.betting)

    def add_decision(self, state: _LineState) -> int:
        index = len(self.nodes)
        self.nodes.append(None)
        self.tree.n_decisions += 1
        if len(state.line) > MAX_ACTIONS or self.tree.n_decisions > MAX_DECISIONS:
            is_long = len(state.line) > MAX_ACTIONS
            limit = f"{MAX_ACTIONS} actions in a row" if is_long else f"{MAX_DECISIONS:,} decisions"
            raise ZerosumError(f"these bets allow more than {limit}: use fewer or larger sizes, or a cap on raises")
        actions, edits = self.apply_edits(state, self.list_actions(state))
        first = self.rows[state.player]
        self.rows[state.player] += len(actions)
        children = tuple(
            self.add_child(state._replace(edits=edits.get(name, ())), name, to, row)
            for row, (name, to) in enumerate(actions.items(), start=first)
        )
        parent, pot = state.rows[state.player], round_chips(self.pot + sum(state.paid))
        self.nodes[index] = StreetNode(
            state.player, tuple(actions), first, parent, state.line, state.paid, tuple(actions.values()), children, pot
        )
        return index

    def list_actions(self, state: _LineState) -> dict[str, float]:
        """Return the player's actions, each with the player's bet on this street after it."""
        bet, bet_to_match = state.paid[state.player], state.paid[1 - state.player]
        passive = {"fold": bet, "call": bet_to_match} if bet_to_match > bet else {"check": bet}
        pot = self.pot + bet + bet_to_match
        round_state = state.last, state.bets, len(state.line)
        betting_state = BettingState(self.street, state.player, pot, self.stack, bet, bet_to_match, *round_state)
        name = "raise" if bet_to_match else "bet"
        edited_sizes = [edit.sizes for edit in state.edits if not edit.line]
        amounts = self.betting.compute_bet_amounts(betting_state, edited_sizes[-1] if edited_sizes else None)
        return passive | {"allin" if to >= self.stack else f"{name} {format_chips(to)}": to for to in amounts}

    def apply_edits(
        self, state: _LineState, actions: dict[str, float]
    ) -> tuple[dict[str, float], dict[str, tuple[LineEdit, ...]]]:
        """Return the actions that the edits leave, and the edits that apply after each of them."""
        pot = self.pot + sum(state.paid)
        # Finding an action needs names and chips only: the rows of the decision are not known before it is built.
        node = StreetNode(state.player, tuple(actions), 0, 0, paid=state.paid, to=tuple(actions.values()), pot=pot)
        removed: set[str] = set()
        later_edits: dict[str, tuple[LineEdit, ...]] = {}
        for edit in state.edits:
            if edit.line:
                try:
                    name = node.actions[find_action(edit.line[0], node)]
                except ZerosumError as error:
                    raise ZerosumError(f"the line {edit.text!r} of the betting tree leads nowhere: {error}") from None
                if edit.sizes is None and len(edit.line) == 1:
                    removed.add(name)
                later_edits[name] = (*later_edits.get(name, ()), edit._replace(line=edit.line[1:]))
        if len(removed) == len(actions):
            where = f"on the {STREETS[self.street]} after {' '.join(state.line) or 'the start'}"
            raise ZerosumError(f"{where} the betting tree has no action left: one must stay")
        return {name: to for name, to in actions.items() if name not in removed}, later_edits

    def add_child(self, state: _LineState, name: str, to: float, row: int) -> int:
        """Add what follows an action: `to` is the player's bet on this street after it, `row` the action's row."""
        player, other = state.player, 1 - state.player
        paid = (to, state.paid[1]) if player == 0 else (state.paid[0], to)
        rows = (row, state.rows[1]) if player == 0 else (state.rows[0], row)
        after = state._replace(player=other, paid=paid, line=(*state.line, name), rows=rows)
        if name == "fold":
            return self.add_leaf(FOLD, after, self.pot / 2 + to, folder=player)
        if name == "call" or (name == "check" and player == 1):
            return self.end_betting(after)
        if name != "check":
            after = after._replace(last=to - state.paid[other], bets=state.bets + 1, aggressor=player)
        return self.add_decision(after)

    def end_betting(self, state: _LineState) -> int:
        """Add a showdown or the deal of the next card, after both players have put in the same amount."""
        amount, remaining = self.pot / 2 + state.paid[0], self.stack - state.paid[0]
        if self.street == RIVER or remaining <= 0:
            return self.add_leaf(SHOWDOWN if self.street == RIVER else ALLIN, state, amount)
        betting = self.betting.for_next_street(state.aggressor, state.edits)
        next_round = self.tree.build_street(self.street + 1, 2 * amount, remaining, betting)
        return self.add_leaf(DEAL, state, amount, next_round=next_round)

    def add_leaf(
        self, kind: int, state: _LineState, amount: float, folder: int = -1, next_round: Street | None = None
    ) -> int:
        if state.edits and next_round is None:
            raise ZerosumError(
                f"the line {state.edits[0].text!r} of the betting tree leads nowhere: the hand ends before"
            )
        rake = 0.0 if kind == DEAL else self.tree.rake.compute_amount(2 * amount, folder >= 0) / 2
        self.leaves.append(Leaf(kind, state.rows, amount - rake, folder, next_round, state.line, rake, state.paid))
        return ~(len(self.leaves) - 1)
