"""Locked hold'em spots: lines, hands, cards that come, and what is stored once although suits differ."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rue
import rue.holdem
from holdem_game import Holdem
from rue.holdem.cards import hand_name, parse_board
from rue.holdem.form import suit_symmetries
from rue.holdem.hands_named import hands_named
from rue.problems.find import problem
from rue.runs.opened import Opened

RIVER = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin")
TURN = rue.holdem.spot("Ks7h2d9c", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
ALIKE = rue.holdem.spot("Ks7s2s9h", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
"""Diamonds and clubs are interchangeable."""
FACING = "check bet50"


@cache
def free(found: rue.holdem.Spot = RIVER) -> Any:
    return rue.solve(found, "cfr+", iterations=400, threads=1)


def given(locks: Any, found: rue.holdem.Spot = RIVER, **options: Any) -> Any:
    return rue.solve(found, options.pop("algorithm", "cfr+"), iterations=400, threads=1, locks=locks, **options)


def played(result: Any, line: str) -> dict[str, dict[str, float]]:
    point = result.at(line)
    return {hand_name(int(hand)): point.hand(hand_name(int(hand))) for hand in point.hands}


# what is played


def test_all_hands() -> None:
    found = given(f"{FACING}: fold 40%, call 60%")
    for mix in played(found, FACING).values():
        assert mix == pytest.approx({**dict.fromkeys(mix, 0.0), "fold": 0.4, "call": 0.6})
    assert found.exploitability < 0.5
    assert found.value <= free().value + found.exploitability + free().exploitability
    assert found.game.endswith("locked at check bet50")


@pytest.mark.parametrize("hands", ["99", "sets", "AA, 8h7h", "any", "not sets"])
def test_some_hands_play_it_and_the_others_learn(hands: str) -> None:
    found = given(f"{FACING}: {hands}: fold")
    mask = hands_named(hands, RIVER.board)
    for name, mix in played(found, FACING).items():
        if mask[rue.holdem.Range.parse(name).weights > 0].all():
            assert mix["fold"] == 1.0
    locked = [mix["fold"] for mix in played(found, FACING).values()]
    if hands in ("99", "sets"):
        assert min(locked) < 1.0
    assert found.exploitability < 0.5


def test_the_same_in_every_form() -> None:
    asked = {FACING: {"99": {"allin": 0.5, "call": 0.5}, "AA": "fold 100%"}}
    bets = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin",
                           locks=[f"{FACING}: 99: allin 50%, call 50%; AA: fold"])  # fmt: skip
    one, two = problem(RIVER, locks=asked), problem(bets)
    exported = problem(RIVER, locks="r:0:c:b100: 99: allin 50%, call 50%; AA: fold")
    assert exported.given.keys() == one.given.keys()
    assert {key: block.tolist() for key, block in one.given.items()}.keys() == two.given.keys()
    for key, block in one.given.items():
        np.testing.assert_array_equal(block, two.given[key])
    assert two.name == one.name


def test_spot_files_have_locks(tmp_path: Path) -> None:
    from rue.holdem.files import read_spot, write_spot

    locked = rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99", "KK", "50%", locks=["check: check", "start: AA: check"])
    for name in ("a.toml", "a.json"):
        write_spot(locked, tmp_path / name)
        assert read_spot(tmp_path / name) == locked
    assert problem(str(tmp_path / "a.toml")).locks == ("check: check 100%", "start: AA: check 100%")
    assert len(problem(locked, locks="check bet50: call").locks) == 3
    (tmp_path / "b.toml").write_text('board="Ks7h2d9c4s"\npot=2\nstack=3\nbig_blind=1\nlocks="check"')
    with pytest.raises(rue.RueError, match="locks must be a list of texts"):
        read_spot(tmp_path / "b.toml")


# equal to what others find


def test_equal_to_the_general_form() -> None:
    """The same locks in the game written out, whose linear program is exact."""
    small = rue.holdem.spot("Ks7h2d9c4s", 100, 100, "AA,QJs", "KK,65s", "allin")
    form = rue.compile_game(Holdem(small))
    found = rue.solve(small, "cfr+", iterations=2000, threads=1, locks={"check": "check 30%, allin 70%"})
    point = found.at("check")
    locks = {}
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in treeplex.infosets:
            if player == 1 and infoset[2] == ("check",):
                locks[form.describe(infoset)] = {"check": 0.3, "allin": 0.7}
    assert len(locks) == len(point.hands)
    exact = rue.solve(form, "lp", locks=locks)
    assert abs(found.value - exact.value) <= 2 * found.exploitability + 1e-6


@pytest.mark.parametrize("half", [False, True])
def test_a_player_who_is_locked_completely_meets_a_best_response(half: bool) -> None:
    poor = rue.solve(RIVER, "cfr", iterations=3, threads=1)
    judged = rue.exploit(RIVER, poor)
    lines = ["start", "check bet50", "check allin", "bet50 allin", "check bet50 allin"]
    locks = {}
    for line in lines:
        try:
            point = poor.at("" if line == "start" else line)
        except rue.RueError:
            continue
        if point.player == 0:
            locks[line] = played(poor, "" if line == "start" else line)
    found = given(locks, algorithm="cfr+", half=half)
    best = judged.value - judged.gains[1]
    assert found.value == pytest.approx(best, abs=0.3 if half else 0.05)


def test_a_locked_equilibrium_changes_nothing() -> None:
    solved = rue.solve(RIVER, "cfr+", iterations=3000, threads=1)
    locks = {"check": played(solved, "check")}
    found = rue.solve(RIVER, "cfr+", iterations=1000, threads=1, locks=locks)
    assert found.value == pytest.approx(solved.value, abs=0.1)


@pytest.mark.parametrize("seed", range(6))
def test_the_unlocked_player_never_does_worse(seed: int) -> None:
    draw = np.random.default_rng(seed)
    line = ["start", "check", "bet50", "check bet50", "allin", "check allin"][seed]
    point = free().at("" if line == "start" else line)
    mix = dict(zip(point.actions, draw.dirichlet(np.ones(len(point.actions))).tolist(), strict=True))
    found = given({line: mix})
    sign = 1 if point.player == 0 else -1
    slack = found.exploitability + free().exploitability
    assert sign * found.value <= sign * free().value + 2 * slack


# cards that come


def test_a_line_with_a_card_and_with_any_card() -> None:
    one = rue.solve(TURN, iterations=60, threads=1, locks="check check 4d: check")
    assert one.at("check check 4d").frequencies["check"] == pytest.approx(1.0)
    assert one.at("check check 4c").frequencies["check"] < 0.999
    every = rue.solve(TURN, iterations=60, threads=1, locks="check check *: sets: allin")
    for card in ("4d", "Qs", "Ah"):
        board = parse_board(f"Ks7h2d9c{card}")
        for name, mix in played(every, f"check check {card}").items():
            if hands_named("sets", board)[rue.holdem.Range.parse(name).weights > 0].all():
                assert mix["allin"] == 1.0


@pytest.mark.parametrize(
    ("lock", "kept"),
    [
        ("check: check", True),
        ("check: QQ: check", True),
        ("check: QdQc: check", True),
        ("check: QsQd: check", False),
        ("check check *: overpairs: check", True),
        ("check check 4s: check", True),
        ("check check 4d: check", False),
    ],
)
def test_suits_that_a_lock_tells_apart_are_stored_apart(lock: str, kept: bool) -> None:
    whole = len(suit_symmetries(ALIKE))
    asked = problem(ALIKE, locks=lock)
    assert (len(asked.suits) == whole) == kept
    results = [
        rue.solve(ALIKE, "dcfr", iterations=40, threads=1, locks=lock, isomorphism=isomorphism)
        for isomorphism in (True, False)
    ]
    assert results[0].value == pytest.approx(results[1].value, abs=1e-3)
    assert results[0].exploitability == pytest.approx(results[1].exploitability, rel=1e-2, abs=1e-3)
    for card in ("4c", "4d"):
        one, two = (result.at(f"check check {card}").frequencies for result in results)
        assert one == pytest.approx(two, abs=1e-2)


# kept and told


@pytest.mark.parametrize("options", [{}, {"half": True}, {"threads": 2}, {"isomorphism": False}])
def test_saved_loaded_and_resumed(tmp_path: Path, options: dict[str, Any]) -> None:
    locks = ["check check *: overpairs: check", "check: QsQd: check"]
    settings = {"threads": 1, **options}
    whole = rue.solve(ALIKE, iterations=12, locks=locks, **settings)
    run = rue.start(ALIKE, iterations=12, locks=locks, out=tmp_path / "run", **settings)
    run.advance(iterations=5)
    run.save(tmp_path / "half")
    run.close()
    assert rue.resume(tmp_path / "half", threads=1).value == whole.value
    loaded = rue.load(tmp_path / "half")
    assert (loaded.value, loaded.locks, loaded.game) == (whole.value, whole.locks, whole.game)
    whole.save(tmp_path / "strategy.rue")
    kept = rue.load(tmp_path / "strategy.rue")
    for result in (loaded, kept):
        assert result.locks == whole.locks
        assert result.at("check check 4d").hand("AhAd") == whole.at("check check 4d").hand("AhAd")
        judged = result.solution.solver.evaluate()
        assert judged.exploitability == pytest.approx(whole.exploitability, rel=1e-6)
    with Opened(tmp_path / "half") as opened:
        assert opened.problem().name == whole.game
        assert opened.about["locks"] == list(whole.locks)


def test_judged_in_the_locked_game() -> None:
    lock = f"{FACING}: fold"
    found = given(lock)
    inside, outside = rue.exploit(RIVER, found, locks=lock, worst=1000), rue.exploit(RIVER, found, worst=1000)
    assert inside.exploitability == pytest.approx(found.exploitability, rel=1e-6)
    assert inside.locks == inside.solved_locked == outside.solved_locked == found.locks
    assert outside.gains[0] > inside.gains[0] + 1
    assert outside.locks == ()
    assert "check bet 100" in {loss.line for loss in outside.worst}
    assert "check bet 100" not in {loss.line for loss in inside.worst}


@pytest.mark.parametrize(
    ("locks", "why"),
    [
        ("check bet34: fold", "there is no 'bet34' here"),
        (f"{FACING}: fold 40%", "sum to 40%"),
        (f"{FACING}: jump", "there is no 'jump' here"),
        (f"{FACING}: KK: fold", "no hand of KK is in the range out of position there"),
        (f"{FACING}: sets: fold; 9h9d: call", "9h9d is named twice"),
        (f"{FACING}: fold 50%, fold 50%", "fold is named twice"),
        ([f"{FACING}: sets: fold", f"{FACING}: 9h9d: call"], "9h9d is locked twice at check bet 100"),
        (f"{FACING}: overpear: fold", "no hands called 'overpear'"),
        (f"{FACING}: AA:0.5: fold", "without weights"),
        ("AA: check", "AA are hands: write 'start: AA: check 100%'"),
        ("ip: fold", "comes from a file"),
        (f"{FACING} *: fold", "there is no '\\*' here"),
        ("check check 4d: check", "the hand is over"),
    ],
)
def test_bad_locks_get_a_sentence(locks: Any, why: str) -> None:
    with pytest.raises(rue.RueError, match=why):
        rue.solve(RIVER, locks=locks, iterations=1)


def test_what_does_not_go_with_locks() -> None:
    with pytest.raises(rue.RueError, match="samples, and a locked game"):
        rue.solve(RIVER, "mccfr", nodes=100, locks="check: check")
    with pytest.raises(rue.RueError, match="none of its hands is in the range there"):
        rue.solve(TURN, iterations=1, locks="check check *: 22: check")
