"""Random games of perfect recall, for property tests."""

from __future__ import annotations

import random

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game


class RandomGame(Game):
    """A random tree: a player misses an action of the other with some probability, and remembers everything else.

    A state is the tuple of steps so far, each (who, step, seen by one, seen by two).
    """

    def __init__(self, seed: int, depth: int = 5, widest: int = 3) -> None:
        self.seed, self.depth, self.widest = seed, depth, widest
        self.name = f"random({seed})"

    def _draw(self, *key: object) -> random.Random:
        return random.Random(f"{self.seed}/{key}")

    def root(self):
        return ()

    def player(self, state):
        if len(state) >= self.depth:
            return TERMINAL
        return self._draw("player", len(state)).choice([ONE, TWO, CHANCE, ONE, TWO])

    def chances(self, state):
        draw = self._draw("chance", len(state))
        weights = [draw.random() + 0.1 for _ in range(draw.randint(2, self.widest))]
        return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

    def actions(self, state):
        return tuple("abcdef"[: self._draw("actions", self.infoset(state)).randint(1, self.widest)])

    def child(self, state, action):
        who = self.player(state)
        seen = tuple(
            action if who == player or self._draw("seen", len(state), player).random() < 0.4 else "?"
            for player in (ONE, TWO)
        )
        return (*state, (who, action, *seen))

    def infoset(self, state):
        player = self.player(state)
        return (player, len(state), *(step[2 + player] for step in state))

    def payoff(self, state):
        return round(self._draw("payoff", state).uniform(-2, 2), 3)


class Mirrored(Game):
    """A game with its players exchanged."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = f"mirrored {game.name}"

    def root(self):
        return self.game.root()

    def chances(self, state):
        return self.game.chances(state)

    def actions(self, state):
        return self.game.actions(state)

    def child(self, state, action):
        return self.game.child(state, action)

    def infoset(self, state):
        return self.game.infoset(state)

    def player(self, state):
        return {ONE: TWO, TWO: ONE}.get(self.game.player(state), self.game.player(state))

    def payoff(self, state):
        return -self.game.payoff(state)
