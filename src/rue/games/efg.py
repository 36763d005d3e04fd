"""Games of Gambit's extensive form: `game.efg`. Nothing in a file is run, and every refusal names its line.

    EFG 2 R "title" { "one" "two" } "comment"
    c "node" infoset "name" { "action" 1/2 "action" 1/2 } outcome "name" { payoffs }     a move of chance
    p "node" player infoset "name" { "action" "action" } outcome "name" { payoffs }      of a player
    t "node" outcome "name" { payoffs }                                                  an end

Nodes come in the order of a walk that goes down first. What an infoset or an outcome is stands where it comes first and
may be left out later. Payoffs of outcomes on the way to an end are added up, as Gambit does it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from rue.games.gambit_text import CHANCE_TOLERANCE, END, TEXT, Sums, Words, distinct
from rue.games.game import CHANCE, NOBODY, Action, Game
from rue.records import dataclass

NOTHING = (Fraction(0), Fraction(0))
BYTES_A_NODE = 450
NO_OUTCOME = 0
"""The number of an outcome that pays nothing."""
Pair = tuple[Fraction, Fraction]


class Node(NamedTuple):
    """A node of the tree."""

    player: int
    infoset: int
    """The number of the infoset among those of the player, as the file has it; -1 at an end."""
    children: list[int]
    payoff: tuple[float, float] | None
    """Of both players, at an end."""


@dataclass(frozen=True)
class Infoset:
    """What a file says of an infoset, or of a move of chance."""

    name: str
    actions: tuple[str, ...]
    chances: tuple[float, ...]
    said: tuple[str, ...]
    """The actions in the words of the file."""


class ExtensiveForm(Game):
    """The rules that a file in Gambit's extensive form describes. A state is the number of a node."""

    def __init__(self, path: str | Path) -> None:
        words = Words.of(path)
        self.name, self.fingerprint = str(path), words.fingerprint
        reader = _Reader(words)
        self.nodes, self.infosets = reader.read()
        self.heading = reader.heading
        self.held_bytes = BYTES_A_NODE * len(self.nodes)

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
        found = self.nodes[state].payoff
        assert found is not None
        return found

    def describe(self, infoset: Hashable) -> str:
        return self.infosets[infoset].name or f"infoset {infoset[1]}"  # type: ignore[index]

    def _infoset(self, state: int) -> Infoset:
        return self.infosets[self.nodes[state][:2]]


class _Reader:
    """Reads a file node by node; what is still open is a stack, so that a deep tree needs no deep calls."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.nodes: list[Node] = []
        self.infosets: dict[Hashable, Infoset] = {}
        self.outcomes: dict[int, Pair] = {NO_OUTCOME: NOTHING}
        self.sums = Sums(words)

    def read(self) -> tuple[list[Node], dict[Hashable, Infoset]]:
        """The nodes, the first one the root, and what is said of their infosets."""
        words = self.words
        self.heading = words.heading("EFG", 2, "format")
        if words.peek().kind == TEXT:
            words.take()
        open_nodes: list[tuple[int, int, Pair]] = []
        while not self.nodes or open_nodes:
            if open_nodes:
                parent, missing, paid = open_nodes.pop()
                self.nodes[parent].children.append(len(self.nodes))
                if missing > 1:
                    open_nodes.append((parent, missing - 1, paid))
            else:
                paid = NOTHING
            number = len(self.nodes)
            actions, total = self._node(paid)
            if actions:
                open_nodes.append((number, actions, total))
        if words.peek().kind != END:
            words.expected("nothing more")
        return self.nodes, self.infosets

    def _node(self, paid: Pair) -> tuple[int, Pair]:
        """Read a node after what was paid on the way; returns how many actions it has and what is paid now."""
        words = self.words
        at = words.peek().at
        kind = words.word("c", "p", "t")
        words.name("the name of a node")
        if kind == "t":
            one, two = self._outcome(paid)
            self.nodes.append(Node(NOBODY, -1, [], self.sums.check(one, two, at)))
            return 0, NOTHING
        player = CHANCE
        if kind == "p":
            player = words.whole("the player", 1) - 1
            if player > 1:
                words.refuse(f"the game has no player {player + 1}", at)
        number = words.whole("the number of the infoset", 1)
        infoset = self._infoset(player, number, at)
        self.nodes.append(Node(player, number, [], None))
        return len(infoset.actions), self._outcome(paid)

    def _infoset(self, player: int, number: int, at: int) -> Infoset:
        """What is said of an infoset, here or before; it must be the same."""
        words = self.words
        known = self.infosets.get((player, number))
        name = words.name("the name of an infoset") if words.peek().kind == TEXT else None
        if not words.sees("{"):
            if known is None:
                words.expected("the list of actions of an infoset that comes first here")
            return known
        said, chances = self._actions(player == CHANCE)
        if known is None:
            found = Infoset(name or "", distinct(said), chances, said)
            self.infosets[player, number] = found
            return found
        if (said, chances) != (known.said, known.chances):
            who = "chance" if player == CHANCE else f"player {player + 1}"
            words.refuse(f"infoset {number} of {who} has other actions here than before", at)
        return known

    def _actions(self, chance: bool) -> tuple[tuple[str, ...], tuple[float, ...]]:
        """The actions in brackets, of chance with how likely each is."""
        words = self.words
        at = words.peek().at
        words.sign("{")
        names: list[str] = []
        chances: list[Fraction] = []
        while not words.skip("}"):
            names.append(words.name("an action"))
            if chance:
                chances.append(words.number("its probability"))
            words.skip(",")
        if not names:
            words.refuse("there must be an action", at)
        total = sum(chances, Fraction(0))
        if chance and (min(chances) < 0 or abs(total - 1) > CHANCE_TOLERANCE):
            words.refuse(f"these are no probabilities: they sum to {float(total):g}", at)
        return tuple(names), tuple(float(each / total) for each in chances)

    def _outcome(self, paid: Pair) -> Pair:
        """What was paid on the way and what an outcome pays, together; each outcome is told once or always alike."""
        words = self.words
        at = words.peek().at
        number = words.whole("the number of an outcome", 0)
        if words.peek().kind == TEXT:
            words.take()
        if words.sees("{"):
            found = words.numbers("a payoff")
            if len(found) != 2:
                words.refuse(f"an outcome pays {len(found)} players, and the game has two", at)
            pair = found[0], found[1]
            if self.outcomes.setdefault(number, pair) != pair:
                words.refuse(f"outcome {number} pays something else here than before", at)
        if number not in self.outcomes:
            words.refuse(f"what outcome {number} pays is not said", at)
        one, two = self.outcomes[number]
        return paid[0] + one, paid[1] + two
