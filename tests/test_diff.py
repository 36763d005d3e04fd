"""Two strategies compared: nothing differs from itself, a change is found first, both forms of a spot agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rue as package
from command import refused
from holdem_game import Holdem
from random_games import RandomGame
from rue import holdem
from rue.errors import RueError
from rue.games.game import CHANCE, NOBODY
from rue.holdem.cards import hand_name, parse_board
from rue.problems.played import played
from rue.runs.export import export

SPOT = ("Ks7h2d9c", 100, 300, "AsAh,KdQd,7s6s:0.5,AsKh", "KhQh,AsAd,8h8s,6c5c:0.25", "75%", "allin")
FOLDS = "check bet75: fold 100%"


@pytest.fixture(scope="module")
def turn() -> Any:
    return package.solve(holdem.spot(*SPOT, cap=1, big_blind=1), iterations=40)


@pytest.fixture(scope="module")
def folder(turn: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The turn and the same with a lock as runs, its exports, and two results of Leduc."""
    made = tmp_path_factory.mktemp("diff")
    package.solve(turn.spot, iterations=40, out=made / "turn")
    package.solve(turn.spot, iterations=40, locks=FOLDS, out=made / "locked.rue")
    for form in ("csv", "json", "parquet"):
        export(turn, form, made / f"turn.{form}")
    package.solve("leduc", iterations=200, out=made / "good.json")
    package.solve("leduc", iterations=3, out=made / "poor")
    return made


def brute_force(game: Any, form: Any, strategies: Any) -> tuple[dict[Any, float], dict[Any, float], float]:
    """The chance of each infoset and what its player then earns, by recursion over the rules."""
    reach: dict[Any, float] = {}
    earned: dict[Any, float] = {}

    def worth(state: Any, chance: float) -> float:
        player = game.player(state)
        if player == NOBODY:
            return float(game.payoff(state))
        if player == CHANCE:
            return sum(p * worth(game.child(state, move), chance * p) for move, p in game.chances(state))
        infoset, treeplex = game.infoset(state), form.treeplexes[player]
        sigma = strategies[player][treeplex.of(treeplex.index[infoset])]
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
    found = played(form, strategies)
    reach, evs, value = brute_force(game, form, strategies)
    assert found.value == pytest.approx(value, abs=1e-12)
    for player, treeplex in enumerate(form.treeplexes):
        for number, infoset in enumerate(treeplex.infosets):
            assert found.reach[player][number] == pytest.approx(reach[player, infoset], abs=1e-12)
            assert found.evs[player][number] == pytest.approx(evs[player, infoset], abs=1e-12)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_diff_turned_round_is_the_same_with_other_signs(seed: int, draw: int) -> None:
    game, chances = RandomGame(seed, depth=4), np.random.default_rng(draw)
    form = package.compile_game(game)
    one, two = (
        {
            form.describe(infoset): dict(
                zip(map(str, treeplex.actions[k]), sigma[treeplex.of(k)].tolist(), strict=True)
            )
            for treeplex, sigma in zip(form.treeplexes, strategies, strict=True)
            for k, infoset in enumerate(treeplex.infosets)
        }
        for strategies in ([t.strategy(chances.random(t.sequences)) for t in form.treeplexes] for _ in range(2))
    )
    there, back = package.diff(one, two, game=game), package.diff(two, one, game=game)
    assert (there.moved, there.ev_moved) == pytest.approx((back.moved, back.ev_moved))
    other = {(row.player, row.place["infoset"]): row for row in back.rows}
    for row in there.rows:
        same = other[row.player, row.place["infoset"]]
        assert (row.reach, row.moved, row.ev_change) == pytest.approx((same.reach, same.moved, -same.ev_change))
        assert 0.0 < row.reach <= 1 + 1e-12
        assert 0.0 <= row.moved <= 1 + 1e-12
    assert package.diff(one, one, game=game).ev_moved == 0.0
    weights = [row.weight("strategy") for row in there.rows]
    assert weights == sorted(weights, reverse=True)


def test_nothing_differs_from_itself(turn: Any, folder: Path) -> None:
    leduc = package.load(folder / "good.json")
    for found in (
        package.diff(turn, turn),
        package.diff(folder / "turn", folder / "turn", min_reach=0.05),
        package.diff(folder / "good.json", leduc),
    ):
        assert (found.moved, found.ev_moved) == (0.0, 0.0)
        assert all((row.moved, row.ev_change) == (0.0, 0.0) for row in (*found.rows, *found.decisions))
    assert package.diff(leduc, leduc).values[0] == pytest.approx((leduc.value, -leduc.value))
    assert package.diff(turn, turn).values[0] == pytest.approx((turn.ev_oop, turn.ev_ip), abs=1e-4)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_export_is_the_run_that_it_came_from(form: str, folder: Path) -> None:
    found = package.diff(folder / "turn", folder / f"turn.{form}", min_reach=0.05)
    assert found.moved < 1e-5
    assert found.ev_moved < 1e-3
    assert not any("does not say everything" in note for note in found.notes)


def test_memory_is_refused_before_it_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = package.load(folder / "turn")
    monkeypatch.setattr("rue.problems.estimate.available_bytes", lambda: 1000)
    with pytest.raises(RueError, match="are free"):
        package.diff(run, folder / "turn.csv")


def test_the_first_decision_is_told_as_it_is_looked_at(turn: Any) -> None:
    found = package.diff(turn, package.solve(turn.spot, iterations=5))
    start = next(row for row in found.decisions if not row.place["after"])
    assert start.reach == pytest.approx(1.0)
    assert start.one == pytest.approx(turn.at().frequencies)
    assert start.ev_one == pytest.approx(turn.ev_oop, abs=1e-4)
    here = [row for row in found.rows if not row.place["after"]]
    assert sum(row.reach for row in here) == pytest.approx(1.0)
    assert sum(row.reach * row.moved for row in here) == pytest.approx(start.moved)


def test_a_change_in_an_export_is_found_first(turn: Any, folder: Path, tmp_path: Path) -> None:
    content = json.loads((folder / "turn.json").read_text())
    where = next(each for each in content["decisions"] if each["infoset"] == "AsAh|Ks7h2d9c|")
    before, turned = (
        dict(where["actions"]),
        dict(zip(where["actions"], reversed(where["actions"].values()), strict=True)),
    )
    where["actions"] = turned
    (tmp_path / "changed.json").write_text(json.dumps(content))
    found = package.diff(turn, tmp_path / "changed.json", by="hand")
    first, *others = found.rows
    assert first.place == {"after": "", "hand": "AsAh"}
    assert first.one == pytest.approx(before, abs=1e-6)
    assert first.two == pytest.approx(turned, abs=1e-6)
    assert max(row.moved for row in others) < 1e-5


def test_a_lock_is_found_first(folder: Path) -> None:
    found = package.diff(folder / "turn", folder / "locked.rue", line="check bet75")
    assert found.decisions[0].place["after"] == "check bet 75"
    assert found.decisions[0].two["fold"] == pytest.approx(1.0)
    assert found.two.endswith("locked: check bet75: fold 100%")
    assert package.diff(folder / "turn", folder / "locked.rue", sort="ev", top=3).rows[2:]


def test_what_an_export_does_not_say_is_taken_from_the_other(turn: Any, tmp_path: Path) -> None:
    poor = package.solve(turn.spot, iterations=2)
    export(poor, "pio", tmp_path / "turn.txt", "turn")
    whole, part = package.diff(turn, poor, min_reach=0.0), package.diff(turn, tmp_path / "turn.txt", min_reach=0.0)
    assert any("does not say everything" in note for note in part.notes)
    rivers = [row for row in part.decisions if len(row.place["after"].split()) > 3 and row.place["after"][-1] in "shdc"]
    assert rivers
    assert max(row.moved for row in rivers) < 1e-5
    turns = [
        {row.place["after"]: row.moved for row in each.decisions if "check check" not in row.place["after"]}
        for each in (whole, part)
    ]
    assert turns[0][""] == pytest.approx(turns[1][""], abs=1e-5)
    said = {"K|": {"bet": 1.0}}
    lp = package.solve("kuhn", "lp")
    found = package.diff(lp, said)
    assert [row.place["infoset"] for row in found.rows if row.moved > 1e-9] == ["K|"]
    assert found.notes[0].startswith("the strategy does not say everything")


def test_nothing_is_left_of_what_everybody_rarely_gets_to(turn: Any) -> None:
    poor = package.solve(turn.spot, iterations=10)
    found = package.diff(turn, poor, line="check", min_reach=1.0)
    assert (found.rows, found.decisions, found.moved, found.ev_moved) == ((), (), 0.0, 0.0)
    assert "fewer than 100.00% of the deals" in found.notes[0]
    assert package.diff(package.solve("kuhn", "lp"), {"K|": {"bet": 1.0}}, min_reach=1).rows == ()


def test_suits_that_are_stored_once_or_apart_make_no_difference() -> None:
    spot = holdem.spot("KsKh7s7h", 100, 200, "AA,76s", "QJs,66", "50%", "none", cap=1)
    one, two = (package.solve(spot, "cfr", iterations=5, isomorphism=flag) for flag in (True, False))
    found = package.diff(one, two, min_reach=0.0)
    assert found.moved < 1e-4
    assert found.ev_moved < 1e-2


def test_both_forms_of_a_spot_agree() -> None:
    """The same two strategies as those of a general game, whose histories have every card dealt by chance."""
    spot = holdem.spot(*SPOT[:3], "AsAh,7s6s:0.5", "KhQh,AsAd:0.25", *SPOT[5:], cap=1, big_blind=1)
    turn, poor = (package.solve(spot, iterations=iterations) for iterations in (40, 3))
    game = Holdem(turn.spot)
    form = package.compile_game(game)

    def infoset(node: Any, hand: int) -> str:
        line = tuple("/" if word[0].isupper() or word[0].isdigit() else word for word in node.line)
        return form.describe((hand, parse_board(node.board), line))

    met = {form.describe(own) for treeplex in form.treeplexes for own in treeplex.infosets}

    def mapping(result: Any) -> dict[str, dict[str, float]]:
        return {
            infoset(node, int(hand)): dict(zip(node.actions, chances.tolist(), strict=True))
            for node in result.nodes_of()
            for hand, chances in zip(node.hands, node.strategy.T, strict=True)
            if infoset(node, int(hand)) in met
        }

    names = {
        (" ".join(node.line), hand_name(int(hand))): infoset(node, int(hand))
        for node in turn.nodes_of()
        for hand in node.hands
    }
    general = package.diff(mapping(turn), mapping(poor), game=game)
    own = {row.place["infoset"]: row for row in general.rows}
    found = package.diff(turn, poor, by="hand", min_reach=0.0)
    assert len(found.rows) == len(own) > 200
    for row in found.rows:
        other = own[names[row.place["after"], row.place["hand"]]]
        assert row.reach == pytest.approx(other.reach, rel=1e-4, abs=1e-9)
        assert row.moved == pytest.approx(other.moved, abs=1e-5)
        assert row.ev_change == pytest.approx(other.ev_change, abs=0.05), row
    assert found.values[0][0] - 50 == pytest.approx(general.values[0][0], abs=1e-3)


def test_the_command_shows_tables_and_json(rue: Callable[..., Any], folder: Path) -> None:
    code, out, err = rue("diff", folder / "turn", folder / "locked.rue", "--top", 3)
    assert (code, err) == (0, "")
    assert "ranges, by what they do" in out
    assert "hands, by what they do" in out
    said = rue("diff", folder / "good.json", folder / "poor", "--json", "--sort", "ev")
    content = json.loads(said.out)
    assert content["sort"] == "ev"
    assert {"reach", "moved", "one", "two", "ev_one", "ev_two", "ev_change", "place"} <= content["rows"][0].keys()
    assert len(content["rows"]) > 300
    assert "infosets, by what they do" in rue("diff", folder / "good.json", folder / "poor").out


@pytest.mark.parametrize(
    ("spot", "told"),
    [
        (("Ks7h2d9h", *SPOT[1:]), "the board differs"),
        ((*SPOT[:2], 400, *SPOT[3:]), "the stack differs"),
        ((*SPOT[:3], "AsAh,KdQd,7s6s,AsKh", *SPOT[4:]), "the range out of position differs"),
        ((*SPOT[:5], "50%", *SPOT[6:]), "the betting tree differs"),
    ],
)
def test_other_spots_are_refused(turn: Any, spot: tuple[Any, ...], told: str) -> None:
    other = package.solve(holdem.spot(*spot, cap=1, big_blind=1), iterations=1)
    with pytest.raises(RueError, match=f"cannot be compared: {told}"):
        package.diff(turn, other)


def test_what_cannot_be_compared_is_refused_in_a_sentence(
    rue: Callable[..., Any], folder: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps({"K|": {"bet": 1.0}}))
    (tmp_path / "evil.json").write_text((folder / "good.json").read_text().replace('"leduc"', '"evil.py:Game"'))
    package.solve("kuhn", iterations=5, out=tmp_path / "kuhn.json")
    run, leduc = folder / "turn", folder / "good.json"
    for words, told in (
        ((run, leduc), "is no infoset of a spot"),
        ((leduc, run), "hold'em spot"),
        ((leduc, tmp_path / "kuhn.json"), "of leduc and .* of kuhn: compare one game"),
        ((run, tmp_path / "nothing"), "nothing"),
        ((mine, mine), "neither of the two says what was played"),
        ((mine, mine, "--game", "leduc"), "no infoset 'K|'"),
        ((mine, mine, "--game", "kuhn"), "says nothing about"),
        ((folder / "turn.csv", folder / "turn.json"), "neither of the two says what was played"),
        ((folder / "turn.csv", folder / "turn.json", "--game", "spot:turn"), "one of the two must be a run"),
        ((run, run, "--line", "bet1000"), "there is no 'bet1000' here"),
        ((run, folder / "locked.rue", "--line", "check bet75 call 3s"), "nobody gets to"),
        ((leduc, leduc, "--line", "check"), "line .--line. is an option of hold'em"),
        ((run, run, "--sort", "luck"), "sorted by strategy or by ev"),
        ((run, run, "--by", "suit"), "listed by class or by hand"),
        ((run, run, "--top", 0), "top must be a whole number"),
        ((run, run, "--min-reach", 2), "min_reach must be a probability"),
        ((tmp_path / "evil.json", leduc), "run only if you name it"),
    ):
        refused(rue("diff", *words), told)
    refused(rue("show", folder / "turn.json"), "an export of hold'em: look at the run")
