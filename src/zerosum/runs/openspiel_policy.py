"""Strategies for OpenSpiel: an information state -> its actions by number, as a tabular policy has them.

`pyspiel.TabularPolicy({state: [(action, chance), ...]})` takes what is under "policy". The games of OpenSpiel itself
name their information states; of the games here, kuhn and leduc have the same rules under other names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.forms.sequence.sequence_form import name_infosets
from zerosum.games.catalogue import OPENSPIEL_PREFIX, create_game, is_openspiel_game, may_read_file
from zerosum.results.game_result import GameResult
from zerosum.results.result import Decision
from zerosum.support.errors import ZerosumError

CARDS = {"J": 0, "Q": 1, "K": 2}
SUITS = {"c": 0, "d": 1}
ACTIONS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
ANTE, MONEY, BETS = 1, 100, (2, 4)


def build_openspiel_policy(result: GameResult) -> dict[str, Any]:
    """Return the game as OpenSpiel names it, and the policy.

    A result may come from an untrusted file, so a file that it names is never opened.
    """
    if may_read_file(result.game):
        raise ZerosumError(
            f"OpenSpiel would read the file that {result.game} names, and an export does not: use csv or json"
        )
    if is_openspiel_game(result.game):
        return {"game": result.game.removeprefix(OPENSPIEL_PREFIX), "policy": _read_openspiel_policy(result)}
    translations: dict[str, tuple[str, Callable[[Decision], str], Callable[[str], int]]] = {
        "kuhn": ("kuhn_poker", translate_kuhn_infoset, lambda action: int(action in ("bet", "call"))),
        "leduc": ("leduc_poker", translate_leduc_infoset, ACTIONS.__getitem__),
    }
    if result.game not in translations:
        raise ZerosumError(
            f"OpenSpiel does not know the infosets of {result.game}: export kuhn, leduc or a game that was solved as "
            "openspiel:..., such as openspiel:liars_dice"
        )
    name, state, number = translations[result.game]
    actions = {
        state(decision): [[number(action), chance] for action, chance in decision.actions.items()]
        for decision in result.decisions
    }
    return {"game": name, "policy": actions}


def translate_kuhn_infoset(decision: Decision) -> str:
    """Return OpenSpiel's information state of an infoset of Kuhn poker.

    >>> translate_kuhn_infoset(Decision(1, "K|check bet", 1.0, {}))
    '2pb'
    """
    card, line = decision.infoset.split("|")
    return str(CARDS[card]) + "".join("b" if action in ("bet", "call") else "p" for action in line.split())


def translate_leduc_infoset(decision: Decision) -> str:
    """Return OpenSpiel's information state of an infoset of Leduc poker.

    >>> translate_leduc_infoset(Decision(2, "Kc|Jd|bet call / check", 1.0, {}))
    '[Observer: 1][Private: 4][Round 2][Player: 1][Pot: 6][Money: 97 97][Public: 1][Round1: 2 1][Round2: 1]'
    """
    card, *board, line = decision.infoset.split("|")
    rounds = [part.split() for part in line.split("/")] + [[]]
    paid = [ANTE, ANTE]
    for bet, actions in zip(BETS, rounds, strict=False):
        for number, action in enumerate(actions):
            paid[number % 2] = max(paid) + (bet if action in ("bet", "raise") else 0)
    first, second = (" ".join(str(ACTIONS[action]) for action in actions) for actions in rounds[:2])
    player = decision.player - 1
    private, *public_cards = (2 * CARDS[rank] + SUITS[suit] for rank, suit in (card, *board))
    public = "".join(f"[Public: {number}]" for number in public_cards)
    return (
        f"[Observer: {player}][Private: {private}][Round {1 + len(board)}][Player: {player}][Pot: {sum(paid)}]"
        f"[Money: {MONEY - paid[0]} {MONEY - paid[1]}]{public}[Round1: {first}][Round2: {second}]"
    )


def _read_openspiel_policy(result: GameResult) -> dict[str, Any]:
    """Return the policy of a game of OpenSpiel, whose rules name the information states."""
    form = compile_game(create_game(result.game))
    chances = {decision.infoset: decision.actions for decision in result.decisions}
    policy: dict[str, Any] = {}
    for player, number, text in name_infosets(form):
        infoset: Any = form.treeplexes[player].infosets[number]
        actions: Any = form.treeplexes[player].actions[number]
        if text not in chances:
            raise ZerosumError(f"the infosets of this result are not those of {form.name}, such as {infoset}")
        policy[infoset[1]] = [[int(action), chances[text][str(action)]] for action in actions]
    return policy
