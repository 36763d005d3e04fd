"""Comparing two strategies: no difference from itself, changes come first, both forms of a spot agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum as package
from command import refused
from holdem_game import Holdem
from random_games import RandomGame
from zerosum import holdem
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.holdem.cards.cards import hand_name, parse_board
from zerosum.problems.games.game_diff import compute_reach_and_values
from zerosum.runs.export import export
from zerosum.support.errors import ZerosumError

SPOT = ("Ks7h2d9c", 100, 300, "AsAh,KdQd,7s6s:0.5,AsKh", "KhQh,AsAd,8h8s,6c5c:0.25", "75%", "allin")
FOLDS = "check bet75: fold 100%"


@pytest.fixture(scope="module")
def turn() -> Any:
    return package.solve(holdem.spot(*SPOT, cap=1, big_blind=1), iterations=40)


@pytest.fixture(scope="module")
def folder(turn: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The turn and the same with a lock as runs, its exports, and two results of Leduc."""
    root = tmp_path_factory.mktemp("diff")
    package.solve(turn.spot, iterations=40, out=root / "turn")
    package.solve(turn.spot, iterations=40, locks=FOLDS, out=root / "locked.zs")
    for form in ("csv", "json", "parquet"):
        export(turn, form, root / f"turn.{form}")
    package.solve("leduc", iterations=200, out=root / "good.json")
    package.solve("leduc", iterations=3, out=root / "poor")
    return root


def brute_force(game: Any, form: Any, strategies: Any) -> tuple[dict[Any, float], dict[Any, float], float]:
    """Return the chance and the EV of each infoset, and the value, by recursion over the rules."""
    reach: dict[Any, float] = {}
    earned: dict[Any, float] = {}

    def worth(state: Any, chance: float) -> float:
        player = game.player(state)
        if player == TERMINAL:
            return float(game.payoff(state))
        if player == CHANCE:
            return sum(p * worth(game.child(state, move), chance * p) for move, p in game.chances(state))
        infoset, treeplex = game.infoset(state), form.treeplexes[player]
        sigma = strategies[player][treeplex.sequences_of(treeplex.index[infoset])]
        value = sum(
            p * worth(game.child(state, action), chance * p)
            for action, p in zip(game.actions(state), sigma.tolist(), strict=True)
        )
        key = player, infoset
        reach[key] = reach.get(key, 0.0) + chance
        earned[key] = earned.get(key, 0.0) + chance * value * (1 - 2 * player)
        return value

    value = worth(game.root(), 1.0)
    return reach, {key: earned[key] / reach[key] if reach[key] else 0.0 for key in earned}, value


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_strategies_are_played_out_as_the_rules_say(seed: int, draw: int) -> None:
    game = RandomGame(seed)
    form, chances = package.compile_game(game), np.random.default_rng(draw)
    strategies = tuple(treeplex.strategy(chances.random(treeplex.sequences)) for treeplex in form.treeplexes)
    play = compute_reach_and_values(form, strategies)
    reach, evs, value = brute_force(game, form, strategies)
    assert play.value == pytest.approx(value, abs=1e-12)
    for player, treeplex in enumerate(form.treeplexes):
        for number, infoset in enumerate(treeplex.infosets):
            assert play.reach[player][number] == pytest.approx(reach[player, infoset], abs=1e-12)
            assert play.evs[player][number] == pytest.approx(evs[player, infoset], abs=1e-12)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_diff_turned_round_is_the_same_with_other_signs(seed: int, draw: int) -> None:
    game, chances = RandomGame(seed, depth=4), np.random.default_rng(draw)
    form = package.compile_game(game)
    first, second = (
        {
            form.describe(infoset): dict(
                zip(map(str, treeplex.actions[k]), sigma[treeplex.sequences_of(k)].tolist(), strict=True)
            )
            for treeplex, sigma in zip(form.treeplexes, strategies, strict=True)
            for k, infoset in enumerate(treeplex.infosets)
        }
        for strategies in ([t.strategy(chances.random(t.sequences)) for t in form.treeplexes] for _ in range(2))
    )
    there, back = package.diff(first, second, game=game), package.diff(second, first, game=game)
    assert (there.moved, there.ev_moved) == pytest.approx((back.moved, back.ev_moved))
    other = {(row.player, row.place["infoset"]): row for row in back.rows}
    for row in there.rows:
        same = other[row.player, row.place["infoset"]]
        assert (row.reach, row.moved, row.ev_change) == pytest.approx((same.reach, same.moved, -same.ev_change))
        assert 0.0 < row.reach <= 1 + 1e-12
        assert 0.0 <= row.moved <= 1 + 1e-12
    assert package.diff(first, first, game=game).ev_moved == 0.0
    weights = [row.weight("strategy") for row in there.rows]
    assert weights == sorted(weights, reverse=True)


def test_nothing_differs_from_itself(turn: Any, folder: Path) -> None:
    leduc = package.load(folder / "good.json")
    for difference in (
        package.diff(turn, turn),
        package.diff(folder / "turn", folder / "turn", min_reach=0.05),
        package.diff(folder / "good.json", leduc),
    ):
        assert (difference.moved, difference.ev_moved) == (0.0, 0.0)
        assert all((row.moved, row.ev_change) == (0.0, 0.0) for row in (*difference.rows, *difference.decisions))
    assert package.diff(leduc, leduc).values[0] == pytest.approx((leduc.value, -leduc.value))
    assert package.diff(turn, turn).values[0] == pytest.approx((turn.ev_oop, turn.ev_ip), abs=1e-4)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_export_is_the_run_that_it_came_from(form: str, folder: Path) -> None:
    difference = package.diff(folder / "turn", folder / f"turn.{form}", min_reach=0.05)
    assert difference.moved < 1e-5
    assert difference.ev_moved < 1e-3
    assert not any("is incomplete" in note for note in difference.notes)


def test_memory_is_refused_before_it_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = package.load(folder / "turn")
    monkeypatch.setattr("zerosum.problems.estimate.available_bytes", lambda: 1000)
    with pytest.raises(ZerosumError, match="are free"):
        package.diff(run, folder / "turn.csv")


def test_the_first_decision_is_reported_as_it_is_viewed(turn: Any) -> None:
    difference = package.diff(turn, package.solve(turn.spot, iterations=5))
    start = next(row for row in difference.decisions if not row.place["after"])
    assert start.reach == pytest.approx(1.0)
    assert start.mix_a == pytest.approx(turn.at().frequencies)
    assert start.ev_a == pytest.approx(turn.ev_oop, abs=1e-4)
    first_rows = [row for row in difference.rows if not row.place["after"]]
    assert sum(row.reach for row in first_rows) == pytest.approx(1.0)
    assert sum(row.reach * row.moved for row in first_rows) == pytest.approx(start.moved)


def test_a_change_in_an_export_is_found_first(turn: Any, folder: Path, tmp_path: Path) -> None:
    content = json.loads((folder / "turn.json").read_text())
    where = next(decision for decision in content["decisions"] if decision["infoset"] == "AsAh|Ks7h2d9c|")
    before, turned = (
        dict(where["actions"]),
        dict(zip(where["actions"], reversed(where["actions"].values()), strict=True)),
    )
    where["actions"] = turned
    (tmp_path / "changed.json").write_text(json.dumps(content))
    difference = package.diff(turn, tmp_path / "changed.json", by="hand")
    first, *others = difference.rows
    assert first.place == {"after": "", "hand": "AsAh"}
    assert first.mix_a == pytest.approx(before, abs=1e-6)
    assert first.mix_b == pytest.approx(turned, abs=1e-6)
    assert max(row.moved for row in others) < 1e-5


def test_a_lock_is_found_first(folder: Path) -> None:
    difference = package.diff(folder / "turn", folder / "locked.zs", line="check bet75")
    assert difference.decisions[0].place["after"] == "check bet 75"
    assert difference.decisions[0].mix_b["fold"] == pytest.approx(1.0)
    assert difference.strategy_b.endswith("locked: check bet75: fold 100%")
    assert package.diff(folder / "turn", folder / "locked.zs", sort="ev", top=3).rows[2:]


def test_decisions_missing_in_an_export_are_taken_from_the_other(turn: Any, tmp_path: Path) -> None:
    poor = package.solve(turn.spot, iterations=2)
    export(poor, "pio", tmp_path / "turn.txt", "turn")
    whole, part = package.diff(turn, poor, min_reach=0.0), package.diff(turn, tmp_path / "turn.txt", min_reach=0.0)
    assert any("is incomplete" in note for note in part.notes)
    rivers = [row for row in part.decisions if len(row.place["after"].split()) > 3 and row.place["after"][-1] in "shdc"]
    assert rivers
    assert max(row.moved for row in rivers) < 1e-5
    turns = [
        {row.place["after"]: row.moved for row in difference.decisions if "check check" not in row.place["after"]}
        for difference in (whole, part)
    ]
    assert turns[0][""] == pytest.approx(turns[1][""], abs=1e-5)
    bluff = {"K|": {"bet": 1.0}}
    lp = package.solve("kuhn", "lp")
    difference = package.diff(lp, bluff)
    assert [row.place["infoset"] for row in difference.rows if row.moved > 1e-9] == ["K|"]
    assert difference.notes[0].startswith("the strategy is incomplete")


def test_rarely_reached_decisions_can_be_left_out(turn: Any) -> None:
    poor = package.solve(turn.spot, iterations=10)
    difference = package.diff(turn, poor, line="check", min_reach=1.0)
    assert (difference.rows, difference.decisions, difference.moved, difference.ev_moved) == ((), (), 0.0, 0.0)
    assert "fewer than 100.00% of the deals" in difference.notes[0]
    assert package.diff(package.solve("kuhn", "lp"), {"K|": {"bet": 1.0}}, min_reach=1).rows == ()


def test_suits_that_are_stored_once_or_apart_make_no_difference() -> None:
    spot = holdem.spot("KsKh7s7h", 100, 200, "AA,76s", "QJs,66", "50%", "none", cap=1)
    merged, apart = (package.solve(spot, "cfr", iterations=5, isomorphism=flag) for flag in (True, False))
    difference = package.diff(merged, apart, min_reach=0.0)
    assert difference.moved < 1e-4
    assert difference.ev_moved < 1e-2


def test_both_forms_of_a_spot_agree() -> None:
    """Compare the same two strategies in a general game, whose histories have every card dealt by chance."""
    spot = holdem.spot(*SPOT[:3], "AsAh,7s6s:0.5", "KhQh,AsAd:0.25", *SPOT[5:], cap=1, big_blind=1)
    turn, poor = (package.solve(spot, iterations=iterations) for iterations in (40, 3))
    game = Holdem(turn.spot)
    form = package.compile_game(game)

    def infoset(node: Any, hand: int) -> str:
        line = tuple("/" if word[0].isupper() or word[0].isdigit() else word for word in node.line)
        return form.describe((hand, parse_board(node.board), line))

    met = {form.describe(number) for treeplex in form.treeplexes for number in treeplex.infosets}

    def mapping(result: Any) -> dict[str, dict[str, float]]:
        return {
            infoset(node, int(hand)): dict(zip(node.actions, chances.tolist(), strict=True))
            for node in result.iterate_tables()
            for hand, chances in zip(node.hand, node.frequency.T, strict=True)
            if infoset(node, int(hand)) in met
        }

    names = {
        (" ".join(node.line), hand_name(int(hand))): infoset(node, int(hand))
        for node in turn.iterate_tables()
        for hand in node.hand
    }
    general = package.diff(mapping(turn), mapping(poor), game=game)
    rows = {row.place["infoset"]: row for row in general.rows}
    difference = package.diff(turn, poor, by="hand", min_reach=0.0)
    assert len(difference.rows) == len(rows) > 200
    for row in difference.rows:
        other = rows[names[row.place["after"], row.place["hand"]]]
        assert row.reach == pytest.approx(other.reach, rel=1e-4, abs=1e-9)
        assert row.moved == pytest.approx(other.moved, abs=1e-5)
        assert row.ev_change == pytest.approx(other.ev_change, abs=0.05), row
    assert difference.values[0][0] - 50 == pytest.approx(general.values[0][0], abs=1e-3)


def test_the_command_shows_tables_and_json(zerosum: Callable[..., Any], folder: Path) -> None:
    code, out, err = zerosum("diff", folder / "turn", folder / "locked.zs", "--top", 3)
    assert (code, err) == (0, "")
    assert "ranges, by actions" in out
    assert "hands, by actions" in out
    output = zerosum("diff", folder / "good.json", folder / "poor", "--json", "--sort", "ev")
    content = json.loads(output.out)
    assert content["sort"] == "ev"
    assert {"reach", "moved", "mix_a", "mix_b", "ev_a", "ev_b", "ev_change", "place"} <= content["rows"][0].keys()
    assert len(content["rows"]) > 300
    assert "infosets, by actions" in zerosum("diff", folder / "good.json", folder / "poor").out


@pytest.mark.parametrize(
    ("spot", "message"),
    [
        (("Ks7h2d9h", *SPOT[1:]), "the board differs"),
        ((*SPOT[:2], 400, *SPOT[3:]), "the stack differs"),
        ((*SPOT[:3], "AsAh,KdQd,7s6s,AsKh", *SPOT[4:]), "the range out of position differs"),
        ((*SPOT[:5], "50%", *SPOT[6:]), "the betting tree differs"),
    ],
)
def test_other_spots_are_refused(turn: Any, spot: tuple[Any, ...], message: str) -> None:
    other = package.solve(holdem.spot(*spot, cap=1, big_blind=1), iterations=1)
    with pytest.raises(ZerosumError, match=f"cannot be compared: {message}"):
        package.diff(turn, other)


def test_strategies_that_cannot_be_compared_are_refused_with_a_message(
    zerosum: Callable[..., Any], folder: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"K|": {"bet": 1.0}}))
    (tmp_path / "evil.json").write_text((folder / "good.json").read_text().replace('"leduc"', '"evil.py:Game"'))
    package.solve("kuhn", iterations=5, out=tmp_path / "kuhn.json")
    run, leduc = folder / "turn", folder / "good.json"
    for words, message in (
        ((run, leduc), "is no infoset of a spot"),
        ((leduc, run), "hold'em spot"),
        ((leduc, tmp_path / "kuhn.json"), "of leduc and .* of kuhn: compare strategies of one game"),
        ((run, tmp_path / "nothing"), "nothing"),
        ((mine, mine), "neither strategy names its game"),
        ((mine, mine, "--game", "leduc"), "no infoset 'K|'"),
        ((mine, mine, "--game", "kuhn"), "says nothing about"),
        ((folder / "turn.csv", folder / "turn.json"), "neither strategy names its game"),
        ((folder / "turn.csv", folder / "turn.json", "--game", "spot:turn"), "one of the two must be a run"),
        ((run, run, "--line", "bet1000"), "there is no 'bet1000' here"),
        ((run, folder / "locked.zs", "--line", "check bet75 call 3s"), "nobody gets to"),
        ((leduc, leduc, "--line", "check"), "--line is an option of hold'em spots"),
        ((run, run, "--sort", "luck"), "sorted by strategy or by ev"),
        ((run, run, "--by", "suit"), "listed by class or by hand"),
        ((run, run, "--top", 0), "top must be a whole number"),
        ((run, run, "--min-reach", 2), "min_reach must be a probability"),
        ((tmp_path / "evil.json", leduc), "run only if you name it"),
    ):
        refused(zerosum("diff", *words), message)
    refused(zerosum("show", folder / "turn.json"), "but an export of another kind: load the run")
