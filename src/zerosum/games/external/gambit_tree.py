"""Games in Gambit's extensive form: `game.efg`. Nothing in a file is run, and every error message names its line.

    EFG 2 R "title" { "one" "two" } "comment"
    c "node" infoset "name" { "action" 1/2 "action" 1/2 } outcome "name" { payoffs }     a move of chance
    p "node" player infoset "name" { "action" "action" } outcome "name" { payoffs }      of a player
    t "node" outcome "name" { payoffs }                                                  an end

Nodes come in the order of a walk that goes down first. An infoset or an outcome is described where it occurs first;
later its description may be left out. Payoffs of outcomes on the way to an end are added up, as Gambit does it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from zerosum.games.external.gambit_tokens import CHANCE_TOLERANCE, END, TEXT, TokenStream, make_names_distinct
from zerosum.games.game import CHANCE, TERMINAL, Action, Game

NOTHING = (Fraction(0), Fraction(0))
BYTES_PER_NODE = 450
NO_OUTCOME = 0
"""The number of an outcome that pays nothing."""
Payoffs = tuple[Fraction, Fraction]


class TreeRow(NamedTuple):
    """A node of the tree."""

    player: int
    infoset: int
    """The number of the infoset among those of the player, as the file has it; -1 at an end."""
    children: list[int]
    payoff: tuple[float, float] | None
    """Of both players, at an end."""


@dataclass(frozen=True)
class Infoset:
    """The description of an infoset, or of a move of chance."""

    name: str
    actions: tuple[str, ...]
    chances: tuple[float, ...]


class GambitTreeGame(Game):
    """The rules that a file in Gambit's extensive form describes. A state is the number of a node."""

    def __init__(self, path: str | Path) -> None:
        tokens = TokenStream(path)
        self.name, self.fingerprint = str(path), tokens.fingerprint
        parser = _TreeParser(tokens)
        parser.read_tree()
        self.heading, self.nodes, self.infosets = parser.heading, parser.nodes, parser.infosets
        self.memory_bytes = BYTES_PER_NODE * len(self.nodes)

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return self.nodes[state].player

    def chances(self, state: int) -> Sequence[tuple[Action, float]]:
        move = self._infoset(state)
        return list(zip(move.actions, move.chances, strict=True))

    def actions(self, state: int) -> Sequence[Action]:
        return self._infoset(state).actions

    def child(self, state: int, action: Action) -> int:
        return self.nodes[state].children[self._infoset(state).actions.index(str(action))]

    def infoset(self, state: int) -> Hashable:
        return self.nodes[state][:2]

    def payoff(self, state: int) -> tuple[float, float]:
        payoffs = self.nodes[state].payoff
        assert payoffs is not None
        return payoffs

    def describe(self, infoset: Hashable) -> str:
        return self.infosets[infoset].name or f"infoset {infoset[1]}"  # type: ignore[index]

    def _infoset(self, state: int) -> Infoset:
        return self.infosets[self.nodes[state][:2]]


class _TreeParser:
    """Reads a file node by node, with a stack of the open nodes, so that deep trees need no deep recursion."""

    def __init__(self, tokens: TokenStream) -> None:
        self.tokens = tokens
        self.heading = tokens.take_heading("EFG", 2, "format")
        self.nodes: list[TreeRow] = []
        self.infosets: dict[Hashable, Infoset] = {}
        self.outcomes: dict[int, Payoffs] = {NO_OUTCOME: NOTHING}

    def read_tree(self) -> None:
        """Read the nodes, beginning with the root, and the descriptions of their infosets."""
        tokens = self.tokens
        tokens.skip_text()
        open_nodes: list[tuple[int, int, Payoffs]] = []
        while not self.nodes or open_nodes:
            if open_nodes:
                parent, missing, paid = open_nodes.pop()
                self.nodes[parent].children.append(len(self.nodes))
                if missing > 1:
                    open_nodes.append((parent, missing - 1, paid))
            else:
                paid = NOTHING
            number = len(self.nodes)
            actions, total = self._read_node(paid)
            if actions:
                open_nodes.append((number, actions, total))
        if tokens.peek().kind != END:
            tokens.fail_expecting("nothing more")

    def _read_node(self, paid: Payoffs) -> tuple[int, Payoffs]:
        """Read a node; `paid` was paid on the way. Return its number of actions and what is paid after it."""
        tokens = self.tokens
        position = tokens.peek().position
        kind = tokens.take_word("c", "p", "t")
        tokens.take_text("the name of a node")
        if kind == "t":
            first, second = self._read_outcome(paid)
            self.nodes.append(TreeRow(TERMINAL, -1, [], tokens.check_zero_sum(first, second, position)))
            return 0, NOTHING
        player = CHANCE
        if kind == "p":
            player = tokens.take_integer("the player", 1) - 1
            if player > 1:
                tokens.fail(f"the game has no player {player + 1}", position)
        number = tokens.take_integer("the number of the infoset", 1)
        infoset = self._read_infoset(player, number, position)
        self.nodes.append(TreeRow(player, number, [], None))
        return len(infoset.actions), self._read_outcome(paid)

    def _read_infoset(self, player: int, number: int, position: int) -> Infoset:
        """Read the description of an infoset, or return the earlier one, which must be the same."""
        tokens = self.tokens
        existing = self.infosets.get((player, number))
        name = tokens.take_text("the name of an infoset") if tokens.peek().kind == TEXT else None
        if not tokens.next_is_sign("{"):
            if existing is None:
                tokens.fail_expecting("the list of actions of an infoset that comes first here")
            return existing
        actions, chances = self._read_actions(player == CHANCE)
        if existing is None:
            existing = self.infosets[player, number] = Infoset(name or "", actions, chances)
        elif (actions, chances) != (existing.actions, existing.chances):
            mover = "chance" if player == CHANCE else f"player {player + 1}"
            tokens.fail(f"infoset {number} of {mover} has other actions here than before", position)
        return existing

    def _read_actions(self, is_chance: bool) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """Read the actions in brackets, those of chance with their probabilities."""
        tokens = self.tokens
        position = tokens.peek().position
        tokens.take_sign("{")
        names: list[str] = []
        chances: list[Fraction] = []
        while not tokens.skip_sign("}"):
            names.append(tokens.take_text("an action"))
            if is_chance:
                chances.append(tokens.take_number("its probability"))
            tokens.skip_sign(",")
        if not names:
            tokens.fail("there must be an action", position)
        total = sum(chances, Fraction(0))
        if is_chance and (min(chances) < 0 or abs(total - 1) > CHANCE_TOLERANCE):
            tokens.fail(f"these are not probabilities: they sum to {float(total):g}", position)
        return make_names_distinct(names), tuple(float(chance / total) for chance in chances)

    def _read_outcome(self, paid: Payoffs) -> Payoffs:
        """Return what was paid on the way plus what an outcome pays, which must always be the same."""
        tokens = self.tokens
        position = tokens.peek().position
        number = tokens.take_integer("the number of an outcome", 0)
        tokens.skip_text()
        if tokens.skip_sign("{"):
            pair = tokens.take_payoffs(position)
            if self.outcomes.setdefault(number, pair) != pair:
                tokens.fail(f"outcome {number} pays something else here than before", position)
        if number not in self.outcomes:
            tokens.fail(f"the payoffs of outcome {number} are missing", position)
        first, second = self.outcomes[number]
        return paid[0] + first, paid[1] + second
