"""Locked hold'em spots: lines, hands, cards that come, and suits that stay interchangeable."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from holdem_game import Holdem
from zerosum.holdem.cards.cards import hand_name, parse_board
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.suits import find_suit_symmetries
from zerosum.problems.registry import problem
from zerosum.runs.saved_run import SavedRun

RIVER = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin")
TURN = zerosum.holdem.spot("Ks7h2d9c", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
ALIKE = zerosum.holdem.spot("Ks7s2s9h", 200, 200, "AA,99,87s", "KK,QQ,65s", "50%,allin", "allin")
"""Diamonds and clubs are interchangeable."""
FACING = "check bet50"


@cache
def free(spot: zerosum.holdem.Spot = RIVER) -> Any:
    return zerosum.solve(spot, "cfr+", iterations=400, threads=1)


def solve_locked(locks: Any, spot: zerosum.holdem.Spot = RIVER, **options: Any) -> Any:
    return zerosum.solve(spot, options.pop("algorithm", "cfr+"), iterations=400, threads=1, locks=locks, **options)


def played(result: Any, line: str) -> dict[str, dict[str, float]]:
    point = result.at(line)
    return {hand_name(int(hand)): point.frequencies_of(hand_name(int(hand))) for hand in point.hand}


# what is played


def test_all_hands() -> None:
    locked = solve_locked(f"{FACING}: fold 40%, call 60%")
    for mix in played(locked, FACING).values():
        assert mix == pytest.approx({**dict.fromkeys(mix, 0.0), "fold": 0.4, "call": 0.6})
    assert locked.exploitability < 0.5
    assert locked.value <= free().value + locked.exploitability + free().exploitability
    assert locked.game.endswith("locked at check bet50")


@pytest.mark.parametrize("hands", ["99", "sets", "AA, 8h7h", "any", "not sets"])
def test_some_hands_play_it_and_the_others_learn(hands: str) -> None:
    solution = solve_locked(f"{FACING}: {hands}: fold")
    mask = select_hands(hands, RIVER.board)
    for name, mix in played(solution, FACING).items():
        if mask[zerosum.holdem.Range.parse(name).weights > 0].all():
            assert mix["fold"] == 1.0
    locked = [mix["fold"] for mix in played(solution, FACING).values()]
    if hands in ("99", "sets"):
        assert min(locked) < 1.0
    assert solution.exploitability < 0.5


def test_the_same_in_every_form() -> None:
    locks = {FACING: {"99": {"allin": 0.5, "call": 0.5}, "AA": "fold 100%"}}
    bets = zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s,QJs", "KK,QQ,65s,A5s", "50%,allin",
                           locks=[f"{FACING}: 99: allin 50%, call 50%; AA: fold"])  # fmt: skip
    by_line, of_spot = problem(RIVER, locks=locks), problem(bets)
    exported = problem(RIVER, locks="r:0:c:b100: 99: allin 50%, call 50%; AA: fold")
    assert exported.fixed.keys() == by_line.fixed.keys()
    assert {key: block.tolist() for key, block in by_line.fixed.items()}.keys() == of_spot.fixed.keys()
    for key, block in by_line.fixed.items():
        np.testing.assert_array_equal(block, of_spot.fixed[key])
    assert of_spot.name == by_line.name


def test_spot_files_have_locks(tmp_path: Path) -> None:
    from zerosum.holdem.spots.files import read_spot, write_spot

    locked = zerosum.holdem.spot(
        "Ks7h2d9c4s", 200, 300, "AA,99", "KK", "50%", locks=["check: check", "start: AA: check"]
    )
    for name in ("a.toml", "a.json"):
        write_spot(locked, tmp_path / name)
        assert read_spot(tmp_path / name) == locked
    assert problem(str(tmp_path / "a.toml")).locks.texts == ("check: check 100%", "start: AA: check 100%")
    assert len(problem(locked, locks="check bet50: call").locks.texts) == 3
    (tmp_path / "b.toml").write_text('board="Ks7h2d9c4s"\npot=2\nstack=3\nbig_blind=1\nlocks="check"')
    with pytest.raises(zerosum.ZerosumError, match="locks must be a list of strings"):
        read_spot(tmp_path / "b.toml")


# equal to what others find


def test_equal_to_the_general_form() -> None:
    """The same locks in the game written out, whose linear program is exact."""
    small = zerosum.holdem.spot("Ks7h2d9c4s", 100, 100, "AA,QJs", "KK,65s", "allin")
    form = zerosum.compile_game(Holdem(small))
    locked = zerosum.solve(small, "cfr+", iterations=2000, threads=1, locks={"check": "check 30%, allin 70%"})
    point = locked.at("check")
    locks = {}
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in treeplex.infosets:
            if player == 1 and infoset[2] == ("check",):
                locks[form.describe(infoset)] = {"check": 0.3, "allin": 0.7}
    assert len(locks) == len(point.hand)
    exact = zerosum.solve(form, "lp", locks=locks)
    assert abs(locked.value - exact.value) <= 2 * locked.exploitability + 1e-6


@pytest.mark.parametrize("half", [False, True])
def test_a_player_who_is_locked_completely_meets_a_best_response(half: bool) -> None:
    poor = zerosum.solve(RIVER, "cfr", iterations=3, threads=1)
    judged = zerosum.exploit(RIVER, poor)
    lines = ["start", "check bet50", "check allin", "bet50 allin", "check bet50 allin"]
    locks = {}
    for line in lines:
        try:
            point = poor.at("" if line == "start" else line)
        except zerosum.ZerosumError:
            continue
        if point.player == 0:
            locks[line] = played(poor, "" if line == "start" else line)
    locked = solve_locked(locks, algorithm="cfr+", half=half)
    best = judged.value - judged.gains[1]
    assert locked.value == pytest.approx(best, abs=0.3 if half else 0.05)


def test_a_locked_equilibrium_changes_nothing() -> None:
    solved = zerosum.solve(RIVER, "cfr+", iterations=3000, threads=1)
    locks = {"check": played(solved, "check")}
    locked = zerosum.solve(RIVER, "cfr+", iterations=1000, threads=1, locks=locks)
    assert locked.value == pytest.approx(solved.value, abs=0.1)


@pytest.mark.parametrize("seed", range(6))
def test_the_unlocked_player_never_does_worse(seed: int) -> None:
    draw = np.random.default_rng(seed)
    line = ["start", "check", "bet50", "check bet50", "allin", "check allin"][seed]
    point = free().at("" if line == "start" else line)
    mix = dict(zip(point.actions, draw.dirichlet(np.ones(len(point.actions))).tolist(), strict=True))
    locked = solve_locked({line: mix})
    sign = 1 if point.player == 0 else -1
    slack = locked.exploitability + free().exploitability
    assert sign * locked.value <= sign * free().value + 2 * slack


# cards that come


def test_a_line_with_a_card_and_with_any_card() -> None:
    locked = zerosum.solve(TURN, iterations=60, threads=1, locks="check check 4d: check")
    assert locked.at("check check 4d").frequencies["check"] == pytest.approx(1.0)
    assert locked.at("check check 4c").frequencies["check"] < 0.999
    every = zerosum.solve(TURN, iterations=60, threads=1, locks="check check *: sets: allin")
    for card in ("4d", "Qs", "Ah"):
        board = parse_board(f"Ks7h2d9c{card}")
        for name, mix in played(every, f"check check {card}").items():
            if select_hands("sets", board)[zerosum.holdem.Range.parse(name).weights > 0].all():
                assert mix["allin"] == 1.0


@pytest.mark.parametrize(
    ("lock", "is_shared"),
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
def test_suits_that_a_lock_distinguishes_are_stored_apart(lock: str, is_shared: bool) -> None:
    whole = len(find_suit_symmetries(ALIKE.board, ALIKE.weights))
    locked = problem(ALIKE, locks=lock)
    assert (len(locked.locks.suits) == whole) == is_shared
    results = [
        zerosum.solve(ALIKE, "dcfr", iterations=40, threads=1, locks=lock, isomorphism=isomorphism)
        for isomorphism in (True, False)
    ]
    assert results[0].value == pytest.approx(results[1].value, abs=1e-3)
    assert results[0].exploitability == pytest.approx(results[1].exploitability, rel=1e-2, abs=1e-3)
    for card in ("4c", "4d"):
        first, second = (result.at(f"check check {card}").frequencies for result in results)
        assert first == pytest.approx(second, abs=1e-2)


# saved and shown


@pytest.mark.parametrize("options", [{}, {"half": True}, {"threads": 2}, {"isomorphism": False}])
def test_saved_loaded_and_resumed(tmp_path: Path, options: dict[str, Any]) -> None:
    locks = ["check check *: overpairs: check", "check: QsQd: check"]
    settings = {"threads": 1, **options}
    whole = zerosum.solve(ALIKE, iterations=12, locks=locks, **settings)
    run = zerosum.start(ALIKE, iterations=12, locks=locks, out=tmp_path / "run", **settings)
    run.advance(iterations=5)
    run.save(tmp_path / "half")
    run.close()
    assert zerosum.resume(tmp_path / "half", threads=1).value == whole.value
    loaded = zerosum.load(tmp_path / "half")
    assert (loaded.value, loaded.locks, loaded.game) == (whole.value, whole.locks, whole.game)
    whole.save(tmp_path / "strategy.zs")
    strategy = zerosum.load(tmp_path / "strategy.zs")
    for result in (loaded, strategy):
        assert result.locks == whole.locks
        assert result.at("check check 4d").frequencies_of("AhAd") == whole.at("check check 4d").frequencies_of("AhAd")
        judged = result.solution.solver.evaluate()
        assert judged.exploitability == pytest.approx(whole.exploitability, rel=1e-6)
    with SavedRun(tmp_path / "half") as opened:
        assert opened.problem().name == whole.game
        assert opened.about["locks"] == list(whole.locks)


def test_judged_in_the_locked_game() -> None:
    lock = f"{FACING}: fold"
    locked = solve_locked(lock)
    inside, outside = zerosum.exploit(RIVER, locked, locks=lock, worst=1000), zerosum.exploit(RIVER, locked, worst=1000)
    assert inside.exploitability == pytest.approx(locked.exploitability, rel=1e-6)
    assert inside.locks == inside.solved_locked == outside.solved_locked == locked.locks
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
        ("ip: fold", "takes its strategy from a file"),
        (f"{FACING} *: fold", "there is no '\\*' here"),
        ("check check 4d: check", "the hand is over"),
    ],
)
def test_bad_locks_get_a_message(locks: Any, why: str) -> None:
    with pytest.raises(zerosum.ZerosumError, match=why):
        zerosum.solve(RIVER, locks=locks, iterations=1)


def test_options_that_locks_exclude() -> None:
    with pytest.raises(zerosum.ZerosumError, match="samples, and a locked game"):
        zerosum.solve(RIVER, "mccfr", nodes=100, locks="check: check")
    with pytest.raises(zerosum.ZerosumError, match="none of its hands is in the range there"):
        zerosum.solve(TURN, iterations=1, locks="check check *: 22: check")
