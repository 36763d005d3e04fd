"""The contract of every game, checked history by history."""

from __future__ import annotations

from typing import Any

import pytest

from zerosum.games.game import CHANCE, TERMINAL, Game


def check_contract(game: Game) -> None:
    """Check that chances sum to 1, payoffs to 0, and that an infoset has one player, list of actions and past."""
    seen: dict[Any, tuple[int, tuple[Any, ...], Any]] = {}
    described: set[str] = set()
    stack: list[tuple[Any, tuple[Any, Any]]] = [(game.root(), (None, None))]
    while stack:
        state, last = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            payoff = game.payoff(state)
            assert isinstance(payoff, float), "a catalogue game is zero-sum"
        elif player == CHANCE:
            outcomes = game.chances(state)
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            assert len({outcome for outcome, _ in outcomes}) == len(outcomes)
            assert all(str(outcome) and chance > 0 for outcome, chance in outcomes)
            stack += [(game.child(state, outcome), last) for outcome, _ in outcomes]
        else:
            infoset, actions = game.infoset(state), tuple(game.actions(state))
            if infoset not in seen:
                seen[infoset] = player, actions, last[player]
                described.add(game.describe(infoset))
                assert len(set(map(str, actions))) == len(actions) > 0
            assert seen[infoset][0] == player, f"{infoset} belongs to both players"
            assert seen[infoset][1] == actions, f"{infoset} has different actions"
            assert seen[infoset][2] == last[player], f"{infoset} forgets"
            for action in actions:
                move = (infoset, action)
                moves = (move, last[1]) if player == 0 else (last[0], move)
                stack.append((game.child(state, action), moves))
    assert len(described) == len(seen), "two infosets read the same"
    assert all(described)
