"""Hold'em spots through the public form: exact values, the general form, known endgames."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
from hand_strength import strength
from holdem_game import Holdem
from public_play import Both, instantaneous_regret
from spot_play import assert_same, played, solver, start
from zerosum.engine.forms.public.poker import iterate_stored_decisions
from zerosum.engine.forms.public.rounds import Board
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.cards.cards import CARDS, parse_board, parse_cards
from zerosum.holdem.cards.hand_strength import compute_equity
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.cards.suits import find_suit_symmetries
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots import libratus
from zerosum.holdem.spots.spot import Spot, spot

LIBRATUS = Path(__file__).parents[3] / "shared" / "data" / "libratus"
needs_libratus = pytest.mark.skipif(not LIBRATUS.is_dir(), reason="the Libratus files are not in ../shared")
EITHER = pytest.mark.parametrize("isomorphism", [True, False])


def checked_down(board: str, oop: str | Range, ip: str | Range, isomorphism: bool = True, threads: int = 1) -> float:
    """Return the net winnings of the player out of position in a pot of 200 when nobody can bet."""
    return solver(spot(board, 200, 900, oop, ip, "none", "none"), "cfr", 0, isomorphism, threads).evaluate().value


@cache
def share_of(board: str, oop: str, ip: str) -> float:
    """The share of the pot that the player out of position wins."""
    return compute_equity(parse_board(board), Range.parse(oop), Range.parse(ip))


@cache
def enumerated(board: str, oop: str, ip: str) -> float:
    """Return the same share for a single hand of each player, every runout compared in turn."""
    dealt, hand, opponent = parse_board(board), parse_cards(oop), parse_cards(ip)
    left = [card for card in range(CARDS) if card not in {*dealt, *hand, *opponent}]
    results = []
    for more in combinations(left, 5 - len(dealt)):
        mine, theirs = strength((*hand, *dealt, *more)), strength((*opponent, *dealt, *more))
        results.append((mine > theirs) - (mine < theirs))
    return 100.0 * sum(results) / len(results)


# Exact values.


@EITHER
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("board", "value"), [("Td9d6hQc", 3200 / 44), ("Td9d6d", 65.202020202), ("Td9d6hQc2s", 100.0)])
def test_aces_against_kings(board: str, value: float, isomorphism: bool, threads: int) -> None:
    assert checked_down(board, "AA", "KK", isomorphism, threads) == pytest.approx(value, abs=1e-9)
    assert checked_down(board, "KK", "AA", isomorphism, threads) == pytest.approx(-value, abs=1e-9)


@EITHER
@pytest.mark.parametrize(
    ("board", "oop", "ip"),
    [
        ("Td9d6d", "AsAh", "KsKd"),
        ("Td9d6d", "Ad2c", "8c7c"),
        ("TsJsQs", "AsKs", "2h2d"),
        ("7s7h7d", "AsKs", "QhQc"),
        ("2s7hQdKc", "AsQs", "KhQh"),
        ("2s7h8d9c", "JsTs", "JhTh"),
        ("AsKsQsJsTs", "2h2d", "3h3d"),
        ("2c2d2hAsAh", "KsKh", "AdAc"),
    ],
)
def test_one_hand_against_one(board: str, oop: str, ip: str, isomorphism: bool) -> None:
    assert checked_down(board, oop, ip, isomorphism) == pytest.approx(enumerated(board, oop, ip), abs=1e-9)


def test_values_one_can_count() -> None:
    assert checked_down("AsKsQsJsTs", "random", "random") == pytest.approx(0, abs=1e-9)  # the board plays
    assert checked_down("2s7h8d9c", "JsTs", "JhTh") == 0  # no card of 44 separates two straights
    # Four hands of kings tie with nothing and lose to none; of the aces AsAh is the only one left on AdAc.
    assert checked_down("AdAc2s2h9s", "AA", "KK") == pytest.approx(100)
    # KsKh beats QQ but meets each of the six queens alike; JJ loses to all: half of the hands each way.
    assert checked_down("2s3h5d7c9s", "KsKh,JsJh", "QQ") == pytest.approx(0, abs=1e-9)
    # AsKs meets AhQh only (a shared card with AsQs), AhKh meets AsQs only; kings play: both win.
    assert checked_down("2s3h5d7c9d", "AsKs,AhKh", "AsQs,AhQh") == pytest.approx(100)
    # The first wins once of its pairs with weight 1 and ties once with weight 1/2.
    assert checked_down("2s3h5d7c9d", "AsKs", "AhQh,AhKh:0.5") == pytest.approx(100 / 1.5)


@EITHER
@pytest.mark.parametrize(
    ("board", "oop", "ip"),
    [
        ("Td9d6d", "AA,KQs,87s:0.5", "KK,AJo:0.25,T9s"),
        ("7s7h7d", "AA,K7s,22:0.5", "77,AKo,65s"),
        ("2s3h4d", "A5s,66", "AA:0.75,65o"),
        ("Td9d6dQd", "22+,A2s+,KTs+,QTs+,JTs,ATo+", "random"),
        ("Ks7h2d9c", "25%", "40%"),
        ("KsKhKdKc", "22-55,A2s", "random:0.5"),
        ("4s8hTc9h2s", "AsKs,22+:0.3,T9o", "random"),
    ],
)
def test_ranges_against_exact_equity(board: str, oop: str, ip: str, isomorphism: bool) -> None:
    share = share_of(board, oop, ip)
    assert checked_down(board, oop, ip, isomorphism) == pytest.approx(200 * share - 100, abs=1e-8)


LINES = {
    "the first bets": {(): "allin", ("allin",): "call"},
    "the second bets": {(): "check", ("check",): "allin", ("check", "allin"): "call"},
    "on the next street": {
        (): "check", ("check",): "check", ("check", "check", "/"): "allin", ("check", "check", "/", "allin"): "call",
    },
}  # fmt: skip


@EITHER
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("board", ["Td9d6d", "Td9d6hQc", "7s7h2d"])
@pytest.mark.parametrize("line", LINES)
def test_all_in(line: str, board: str, isomorphism: bool, threads: int) -> None:
    """An all-in with cards to come pays its average over the cards."""
    oop, ip = "AA,KQs,87s:0.5", "KK,AJo:0.25,T9s"
    public_solver = solver(spot(board, 200, 900, oop, ip, "allin", "none"), "cfr", 0, isomorphism, threads)
    for stored, choice, _, before in iterate_stored_decisions(public_solver.form):
        if before in LINES[line]:
            chosen = choice.actions.index(LINES[line][before])
            average = public_solver.stores[choice.player].average[stored].reshape(len(choice.actions), -1)
            average[chosen] = 1.0
    share = share_of(board, oop, ip)
    assert public_solver.evaluate().value == pytest.approx(1000 * (2 * share - 1), abs=1e-3)
    assert public_solver.compute_hand_values(1, best=False).sum() == pytest.approx(
        -public_solver.compute_hand_values(0, best=False).sum(), abs=1e-9
    )


# The general form.

THIN = [
    (
        "4s8hTc9h2s", "AsKs,AhKh,QsJs,QJo:0.25,TsTd,7s6s:0.5", "AdAc,KdQd,JsTs,TdTh,9s9d:0.75,6h5h,AsKs", 500, 2000,
    ),
    ("AsKsQsJs2d", "Ts9s,AhAd,KhKd,2s2h,8c7c,QhQd", "TsTd,9s8s,AhKh,AcQc,5s5h,2c2h:0.5", 100, 350),
    ("2c2d7h7s9c", "AA,9s9h,7c6c,2s3s", "KK,AsAh,9s9d,8h7d,AhKh", 100, 1000),
]  # fmt: skip


def both(spot: Spot) -> Both:
    """A spot in both forms."""

    def infoset(hand: int, board: Board, line: tuple[str, ...]) -> Any:
        return hand, parse_board(board.label), line

    return Both(zerosum.compile_game(Holdem(spot)), build_public_tree(spot, isomorphism=False), infoset)


@pytest.mark.parametrize("number", range(len(THIN)))
def test_rivers_by_linear_program(number: int) -> None:
    board, oop, ip, pot, stack = THIN[number]
    river = spot(board, pot, stack, oop, ip, "50%,100%,allin", "100%,allin")
    form = zerosum.compile_game(Holdem(river))
    exact = form.value(*zerosum.equilibrium(form))
    for algorithm, dtype in (("dcfr", np.float32), ("pcfr+", np.float64)):
        result = solver(river, algorithm, 1000, dtype=dtype).evaluate()
        assert 0 <= result.exploitability < 1e-3 * pot
        assert result.value - result.gains[1] - 1e-9 <= exact <= result.value + result.gains[0] + 1e-9


SMALL = {
    "river": spot(*("AsKsQsJs2d", 100, 350, *THIN[1][1:3]), "50%,allin", "100%,allin"),
    "turn": spot("Ks7h2d9c", 100, 300, "AsAh,KdQd,7s6s:0.5,AsKh", "KhQh,AsAd,8h8s,6c5c:0.25", "75%", "allin", cap=2),
    "turn all-in": spot("Td9d6dQd", 100, 250, "AdAs,KhKs,8s7s", "KdKc,AsTh,JsJh", "allin", "none"),
    "flop": spot("Td9d6d", 100, 80, "AdAs,8s7s", "KdKc,AsTh", "allin; turn: none", "none"),
}


@pytest.mark.parametrize("name", SMALL)
def test_gradients_agree_with_the_general_form(name: str) -> None:
    """Compare regrets and best responses against a random strategy; all-ins are as exact as float32."""
    game = both(SMALL[name])
    near = 1e-12 if name == "river" else 2e-5
    strategies = game.strategies(seed=2)
    plans = [t.plan(s) for t, s in zip(game.form.treeplexes, strategies, strict=True)]
    public_solver = game.solver("cfr(order=simultaneous)")
    stored = [game.public(player, strategies[player]) for player in (0, 1)]
    for player in (0, 1):
        public_solver.stores[player].regret[:] = stored[player]
    public_solver.run(1)
    for player, treeplex in enumerate(game.form.treeplexes):
        gradient = game.form.gradients(plans[0], plans[1])[player]
        expected = instantaneous_regret(treeplex, gradient, strategies[player])[1:]
        regrets = game.general(player, public_solver.stores[player].regret - stored[player])
        np.testing.assert_allclose(regrets, expected, rtol=0, atol=near)
        public_solver.stores[player].average[:] = stored[player]
    result, exact = public_solver.evaluate(), zerosum.evaluate(game.form, *plans)
    assert result.value == pytest.approx(exact.value, abs=near)
    assert result.gains == pytest.approx(exact.gains, abs=near)


@EITHER
def test_turns_agree_with_the_general_form(isomorphism: bool) -> None:
    """A run on a turn whose ranges let suits be interchanged."""
    turn = spot("KsKh7s7h", 100, 200, "AA,76s", "QJs,66", "50%", "none", cap=1)
    assert len(find_suit_symmetries(turn.board, turn.weights)) == 4
    game = both(turn)
    algorithm = "cfr(order=simultaneous)"
    general, first = zerosum.Solver(game.form, zerosum.algorithm(algorithm), 10), game.solver(algorithm)
    start(first)
    for player, public_solver in enumerate(general.states):
        public_solver.regret[1:] = game.general(player, first.stores[player].regret)
    general.begin()
    general.run(10)
    assert_same(played(turn, algorithm, 10, isomorphism=isomorphism).evaluate(), general.evaluate(), 1e-9)


# Known endgames.


@needs_libratus
@pytest.mark.parametrize(("number", "value"), [(3, 42.94), (4, 423.46)])
def test_libratus_rivers(number: int, value: float) -> None:
    """The value to 0.02 chips, when at most 0.03% of the pot can still be gained."""
    endgame = libratus.load_endgame(number, LIBRATUS)
    result = solver(endgame, "hs-dcfr", 4000, threads=1, dtype=np.float32).evaluate()
    assert result.value == pytest.approx(value, abs=0.02)
    assert 0 <= result.exploitability < 3e-4 * endgame.pot


@needs_libratus
def test_libratus_turn() -> None:
    """The values that two algorithms leave possible overlap."""
    tree = build_public_tree(libratus.load_endgame(2, LIBRATUS))
    ranges = []
    for algorithm in ("dcfr", "cfr+"):
        public_solver = PublicSolver(tree, zerosum.algorithm(algorithm), 25)
        public_solver.run(25)
        result = public_solver.evaluate()
        assert 0 <= result.exploitability < 0.1 * 4780
        ranges.append((result.value - result.gains[1], result.value + result.gains[0]))
    (low, high), (other_low, other_high) = ranges
    assert max(low, other_low) <= min(high, other_high)


@pytest.mark.parametrize(("half", "until"), [(False, "1e-7%"), (True, "0.001%")])
def test_less_than_the_digits_of_the_store_is_refused(half: bool, until: str) -> None:
    """A run to an exploitability that its numbers cannot hold would never end."""
    with pytest.raises(zerosum.ZerosumError, match="may never be reached"):
        zerosum.solve("spot:river", until=until, half=half)
    assert zerosum.solve("spot:river", until=until, half=half, iterations=2).stopped == "iterations"
