"""The games: published sizes, agreement with OpenSpiel, the contract of every game, errors of bad input."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract import check_contract
from zerosum.games.catalogue import GAMES, create_game
from zerosum.games.game import CHANCE, TERMINAL, Game
from zerosum.games.matrix import MatrixGame
from zerosum.games.poker.leduc import Leduc
from zerosum.support.errors import ZerosumError


class Size(NamedTuple):
    histories: int
    terminals: int
    first: int
    second: int


def size(game: Game, root: Any = None) -> tuple[Size, Counter[float]]:
    """Count the histories of a game, or those below a history, and the payoffs of the first player."""
    infosets: tuple[set[Any], set[Any]] = set(), set()
    payoffs: Counter[float] = Counter()
    histories, stack = 0, [game.root() if root is None else root]
    while stack:
        state = stack.pop()
        histories += 1
        player = game.player(state)
        if player == TERMINAL:
            payoff = game.payoff(state)
            payoffs[payoff if isinstance(payoff, float) else payoff[0]] += 1
        elif player == CHANCE:
            stack += [game.child(state, outcome) for outcome, _ in game.chances(state)]
        else:
            infosets[player].add(game.infoset(state))
            stack += [game.child(state, action) for action in game.actions(state)]
    return Size(histories, payoffs.total(), len(infosets[0]), len(infosets[1])), payoffs


SIZES = {
    "kuhn": Size(58, 30, 6, 6),
    "leduc": Size(9_457, 5_520, 468, 468),
    "leduc(infosets=rank)": Size(9_457, 5_520, 144, 144),
    "leduc-nl(stack=5)": Size(113_557, 71_340, 4_992, 4_992),
    "royal": Size(656_049, 384_944, 26_064, 26_064),
    "royal(infosets=suited)": Size(656_049, 384_944, 13_032, 13_032),
    "royal(infosets=rank)": Size(656_049, 384_944, 4_752, 4_752),
    "goofspiel(5, order=ascending)": Size(26_931, 14_400, 4_026, 4_026),
    "goofspiel(5, order=descending)": Size(26_931, 14_400, 4_026, 4_026),
    "goofspiel(5, order=ascending, seen=winner)": Size(26_931, 14_400, 1_062, 1_062),
    "liars-dice(4)": Size(8_181, 4_080, 512, 512),
    "liars-dice": Size(294_883, 147_420, 12_288, 12_288),
    "matrix([[1, 0.9], [-0.7, 1]])": Size(7, 4, 1, 1),
    "rps": Size(13, 9, 1, 1),
    "rps-double-scissors": Size(13, 9, 1, 1),
    "decision([0, 1, -1000000])": Size(4, 3, 1, 0),
    "coin-toss": Size(11, 6, 2, 1),
    "battleship": Size(10_069, 5_568, 1_413, 1_873),
    "pushfold": Size(86_191, 57_291, 169, 169),
}


@pytest.mark.parametrize("text", SIZES)
def test_sizes(text: str) -> None:
    assert size(create_game(text))[0] == SIZES[text]


@pytest.mark.parametrize("card", [0, 23])
def test_size_of_big_leduc(card: int) -> None:
    """From what follows one of its 24 first cards: they are all alike, and it is dealt and bet as Leduc is, which is
    counted whole. Its infosets, those of both players, are counted whole in `tests/engine/test_public_form.py`."""
    game = create_game("big-leduc")
    first = [game.child(game.root(), outcome) for outcome, _ in game.chances(game.root())]
    counts, _ = size(game, first[card])
    assert len(first) == 24
    assert (1 + 24 * counts.histories, 24 * counts.terminals, 24 * counts.first) == (6_178_561, 3_953_424, 50_400)


def test_no_limit_leduc_has_as_many_decisions_as_stated() -> None:
    counted = SIZES["leduc-nl(stack=5)"]
    deals = 1 + 6 + 6 * 5 * 63  # two private cards, and the board after each of the 63 ways to end a round
    assert counted.histories - counted.terminals - deals == 40_320


OPENSPIEL = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "liars-dice(3)": "liars_dice(dice_sides=3)",
    "liars-dice(sides=4)": "liars_dice(dice_sides=4)",
    "liars-dice(sides=2, dice=2)": "liars_dice(dice_sides=2,numdice=2)",
    "goofspiel(5, seen=winner, payoff=win)": "goofspiel(num_cards=5,points_order=ascending,imp_info=True)",
    "goofspiel(4, order=descending, seen=winner, payoff=win)": (
        "goofspiel(num_cards=4,points_order=descending,imp_info=True)"
    ),
    "goofspiel(4, order=shuffled, seen=winner, payoff=win)": "goofspiel(num_cards=4,imp_info=True)",
    "rps": "matrix_rps",
    "battleship": (
        "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=3,allow_repeated_shots=False)"
    ),
    "battleship(width=3, ships=[2], shots=2, values=[3])": (
        "battleship(board_width=3,board_height=2,ship_sizes=[2],ship_values=[3],num_shots=2,allow_repeated_shots=False)"
    ),
    "battleship(ships=[1, 2], values=[1, 2], shots=2, repeats=true)": (
        "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;2],num_shots=2,"
        "allow_repeated_shots=True)"
    ),
}


@pytest.mark.parametrize("text", OPENSPIEL)
def test_agrees_with_openspiel(text: str) -> None:
    pytest.importorskip("pyspiel")
    assert size(create_game(text)) == size(create_game(f"openspiel:{OPENSPIEL[text]}"))


def test_openspiel_counts_half_the_difference_of_points() -> None:
    pytest.importorskip("pyspiel")
    ours, payoffs = size(create_game("goofspiel(4, seen=winner)"))
    parameters = "num_cards=4,points_order=ascending,imp_info=True,returns_type=point_difference"
    theirs, halves = size(create_game(f"openspiel:goofspiel({parameters})"))
    assert ours == theirs
    assert payoffs == Counter({2 * half: count for half, count in halves.items()})


def test_openspiel_forgets_in_goofspiel() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(AssertionError, match="forgets"):
        check_contract(create_game("openspiel:goofspiel(num_cards=4, points_order=ascending)"))


SMALL = [
    *(entry.example for entry in GAMES.values() if entry.name not in ("big-leduc", "royal", "liars-dice")),
    "kuhn(ranks=5)",
    "leduc(infosets=rank)",
    "leduc(ranks=4, suits=3, raises=1, bets=[1, 3])",
    "leduc(raises=0)",
    "leduc-nl(stack=4, infosets=rank)",
    "royal",
    "royal(infosets=suited)",
    "royal(infosets=rank)",
    "goofspiel(4, order=shuffled)",
    "goofspiel(4, order=descending, seen=winner, payoff=win)",
    "liars-dice(sides=3)",
    "liars-dice(sides=2, dice=2)",
    "battleship(width=1, height=3, ships=[1, 1], shots=2, values=[2, 1], repeats=true)",
    "openspiel:kuhn_poker",
    "openspiel:matrix_rps",
]


@pytest.mark.parametrize("text", SMALL)
def test_contract(text: str) -> None:
    if text.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    game = create_game(text)
    assert game.name == str(game) == text
    check_contract(game)


def test_a_huge_game_can_be_created_and_played() -> None:
    for text in ("goofspiel(13, order=shuffled)", "liars-dice(6, dice=2)", "leduc-nl(stack=200)"):
        game = create_game(text)
        state = game.root()
        while (player := game.player(state)) != TERMINAL:
            choices = [o for o, _ in game.chances(state)] if player == CHANCE else game.actions(state)
            state = game.child(state, choices[len(choices) // 2])
        assert isinstance(game.payoff(state), float)


def test_infosets_read_like_a_hand() -> None:
    game = Leduc()
    state = game.root()
    for action in (*game.cards[4:2:-1], "check", "bet", "raise", "call", game.cards[0], "bet"):
        state = game.child(state, action)
    assert game.describe(game.infoset(state)) == "Qd|Jc|check bet raise call / bet"


def test_rules_refuse_an_impossible_action() -> None:
    game = create_game("kuhn")
    with pytest.raises(ValueError, match="not left in the deck"):
        game.child(game.root(), "Kc")
    first = game.chances(game.root())[0][0]
    dealt = game.child(game.root(), first)
    with pytest.raises(ValueError, match="not left in the deck"):
        game.child(dealt, first)
    ready = game.child(dealt, game.chances(dealt)[0][0])
    with pytest.raises(ValueError, match="not an action"):
        game.child(ready, "fold")


ERRORS = {
    "leduk": "did you mean leduc",
    "xyz": "valid names are battleship, big-leduc",
    "": "cannot read",
    "leduc(": "cannot read",
    "leduc(suits=0)": "leduc: suits must be a whole number from 1",
    "leduc(suits=true)": "suits must be a whole number",
    "leduc(suits=2.0)": "suits must be a whole number",
    "leduc(1..4)": "ranks must be a whole number",
    "leduc(suit=2)": "did you mean suits",
    "leduc(ranks=1, suits=2)": "too few cards",
    "leduc(bets=[2])": "a list of 2 numbers",
    "leduc(bets=[2, -4])": "above zero",
    "leduc(bets=4)": "a list of numbers",
    "leduc(ante=0)": "ante must be above zero",
    "leduc(infosets=suited)": "valid names are card, rank",
    "leduc-nl(stack=-1)": "stack must be a whole number",
    "leduc-nl(stack=inf)": "stack must be a whole number",
    "big-leduc(12)": "infosets cannot be 12",
    "royal(infosets=suits)": "did you mean suited",
    "kuhn(1)": "ranks must be a whole number from 2",
    "goofspiel(99, order=ascending)": "cards must be a whole number from 2 to 52",
    "goofspiel(5, order=upwards)": "order cannot be 'upwards'; valid names are ascending, descending, shuffled",
    "goofspiel(5, order=ascendin)": "did you mean ascending",
    "goofspiel(5, seen=[1])": "seen cannot be",
    "goofspiel(5, payoff=none)": "payoff cannot be",
    "liars-dice(sides=0)": "sides must be a whole number",
    "liars-dice(6, 1, 1)": "too many",
    "matrix": "missing a required argument",
    "matrix(3)": "a list of rows",
    "matrix([])": "a list of rows",
    "matrix([1, 2])": "a list of rows",
    "matrix([[1, 2], [3]])": "equally long",
    "matrix([[1, x]])": "must be a number, not 'x'",
    "matrix([[1, nan]])": "must be a number, not 'nan'",
    "matrix([[1, inf]])": "must be a number, not inf",
    "matrix([[true]])": "must be a number, not True",
    "rps(1)": "takes no parameters",
    "decision([])": "a list of numbers",
    "decision([0, none])": "must be a number",
    "coin-toss(heads=up)": "heads must be a number",
    "battleship(ships=[3])": "the length of a ship",
    "battleship(ships=[1, 2, 2])": "do not fit",
    "battleship(width=3, height=3, ships=[3, 3, 2, 1, 1])": "do not fit",
    "battleship(shots=5)": "at most 4",
    "battleship(repeats=1)": "true or false",
    "battleship(values=[1, 2])": "a list of 1 number",
    "pushfold(stack=0.5)": "nothing left to push",
    "nowhere.py:Game": "there is no file nowhere.py",
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_one_line(text: str) -> None:
    with pytest.raises(ZerosumError, match=re.escape(ERRORS[text])) as caught:
        create_game(text)
    assert "\n" not in str(caught.value)


OPENSPIEL_ERRORS = {
    "openspiel:": "needs the name",
    "openspiel:leduc_pokr": "did you mean leduc_poker",
    "openspiel:zzzzzz": "has no game",
    "openspiel:leduc_poker(players=3)": "has 3 players, and zerosum solves games of two",
    "openspiel:leduc_poker(colour=3)": "Unknown parameter",
    "openspiel:leduc_poker(": "cannot load",
    "openspiel:nfg_game": "cannot load",
    "openspiel:matrix_pd": "not zero-sum",
    "openspiel:battleship(loss_multiplier=2.0)": "not zero-sum",
    "openspiel:phantom_ttt_": "did you mean phantom_ttt",
}


@pytest.mark.parametrize("text", OPENSPIEL_ERRORS)
def test_openspiel_errors(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(ZerosumError, match=re.escape(OPENSPIEL_ERRORS[text])) as caught:
        create_game(text)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_openspiel_parameters_may_have_blanks_inside() -> None:
    """Leduc as ACPC writes it."""
    text = (
        "universal_poker( betting=limit, numPlayers=2,numRounds=2,blind=1 1, firstPlayer=1 1,numSuits=2,numRanks=3,"
        "numHoleCards=1,numBoardCards=0 1,raiseSize = 2 4,maxRaises=2 2,stack=13 13 )"
    )
    game = create_game(f" openspiel: {text}")
    assert "blind=1 1,firstPlayer=1 1,numSuits" in game.name
    assert size(game)[0] == SIZES["leduc"]


def test_openspiel_games_without_infosets_or_with_sampled_chance_are_refused() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    two_players_zero_sum = [
        kind
        for kind in pyspiel.registered_games()
        if kind.default_loadable
        and kind.max_num_players == kind.min_num_players == 2
        and kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    ]
    mute = [kind for kind in two_players_zero_sum if not kind.provides_information_state_string]
    assert mute
    with pytest.raises(ZerosumError, match=r"gives no information states|only samples"):
        create_game(f"openspiel:{mute[0].short_name}")


def test_without_openspiel_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ZerosumError, match=re.escape('pip install "open-spiel>=1.5"')):
        create_game("openspiel:leduc_poker")


def test_the_catalogue_does_not_import_openspiel() -> None:
    code = "import sys, zerosum.games.catalogue; sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_documentation_names_every_game() -> None:
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text()
    assert [name for name in GAMES if f"`{name}" not in page] == []


def test_matrices_of_other_kinds() -> None:
    numpy = pytest.importorskip("numpy")
    assert MatrixGame(numpy.array([[1, 2], [3, 4]])).payoffs == ((1.0, 2.0), (3.0, 4.0))
    with pytest.raises(ZerosumError):
        MatrixGame([[float("nan")]])


def _texts() -> Iterator[st.SearchStrategy[str]]:
    values = st.sampled_from(["0", "1", "-1", "2.5", "true", "none", "inf", "[]", "[1]", "[[1]]", "x"])
    for name, entry in GAMES.items():
        keys = [f"{key}=" for key in inspect.signature(entry.constructor).parameters]
        arguments = st.lists(st.builds(str.__add__, st.sampled_from(["", *keys]), values), max_size=3)
        yield arguments.map(", ".join).map(f"{name}({{}})".format)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=20), *_texts()))
def test_any_text_is_a_game_or_an_error_message(text: str) -> None:
    try:
        game = create_game(text)
    except ZerosumError:
        return
    assert create_game(game.name).name == game.name
