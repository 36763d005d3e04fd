"""Strategies from other programs: formats, misfits and exploitability."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from strategy_text import as_csv
from zerosum.engine.sequence.best_response import evaluate
from zerosum.problems.games.game_evaluation import compute_infoset_losses
from zerosum.problems.games.strategy_profile import match_strategy
from zerosum.results.game_result import GameResult
from zerosum.results.strategy import Strategy
from zerosum.runs.export import export
from zerosum.runs.strategy_reader import read_strategy
from zerosum.support.errors import ZerosumError

UNIFORM_KUHN = 0.916667
"""NashConv of uniform play."""


@pytest.fixture(scope="module")
def kuhn() -> GameResult:
    return zerosum.solve("kuhn", "cfr+", iterations=20)


def as_shown(result: GameResult) -> str:
    return json.dumps({"decisions": [{"player": d.player, "infoset": d.infoset, "actions": dict(d.actions)}
                                     for d in result.decisions]})  # fmt: skip


# formats


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("result.json", None),
        ("result.json.gz", None),
        ("long.csv", as_csv),
        ("no_reach.csv", lambda result: as_csv(result, ("probability", "action", "infoset"))),
        ("mapping.json", lambda result: json.dumps(result.strategy)),
        ("show.json", as_shown),
        ("bom.csv", lambda result: "\ufeff" + as_csv(result).replace("\r\n", "\n")),
    ],
)
def test_every_format_gives_the_numbers_of_the_run(tmp_path: Path, kuhn: GameResult, name: str, text: Any) -> None:
    path = tmp_path / name
    if text is None:
        kuhn.save(path)
    else:
        path.write_text(text(kuhn), encoding="utf-8", newline="")
    judged = zerosum.exploit("kuhn", path)
    assert judged.value == pytest.approx(kuhn.value, abs=1e-12)
    assert judged.exploitability == pytest.approx(kuhn.exploitability, abs=1e-12)
    packed = tmp_path / "packed"
    packed.write_bytes(path.read_bytes() if name.endswith(".gz") else gzip.compress(path.read_bytes()))
    assert zerosum.exploit("kuhn", packed).value == judged.value


def test_results_and_mappings_are_strategies_too(kuhn: GameResult) -> None:
    values = {zerosum.exploit("kuhn", strategy).value for strategy in (kuhn, kuhn.strategy, Strategy.from_value(kuhn))}
    assert len(values) == 1
    with pytest.raises(ZerosumError, match="not int"):
        zerosum.exploit("kuhn", 3)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04\xff", "is not text"),
        (b"\x80\x04\x95", "is a pickle"),
        (b"\x1f\x8b\x08\x00", "cannot be decompressed"),
        (b"\xff\xfe{", "not text"),
        (b"{", "not readable as JSON"),
        (b"[" * 100_000, "not readable as JSON"),
        (b"[1]", "one JSON object"),
        (b'{"a": 1}', "no {action: probability}"),
        (b'{"a": {"x": "1"}}', "'1', not a number"),
        (b'{"a": {"x": true}}', "not a number"),
        (b'{"a": {"x": 1}, "a": {"x": 1}}', "'a' twice"),
        (b'{"a": {"x": 1}, "b": [[0, 1]]}', "mixes"),
        (b'{"a": [[0, 1], [0, 0]]}', "'0' twice"),
        (b'{"a": [[0.5, 1]]}', "pairs"),
        (b'{"a": [["0", 1]]}', "pairs"),
        (b'{"decisions": [3]}', "an infoset and actions"),
        (b'{"decisions": [{"infoset": "a", "actions": {}, "player": 3}]}', "1 or 2"),
        (b'{"format": "zerosum-result", "version": 99}', "version 99"),
        (b"a,b\n1,2\n", "must name the columns"),
        (b"infoset,action,probability\nK,bet\n", "2 columns"),
        (b"infoset,action,probability\nK,bet,many\n", "'many', not a number"),
        (b"infoset,action,probability\nK,bet,1\nK,bet,0\n", "'bet' twice"),
        (b"player,infoset,action,probability\n3,K,bet,1\n", "1 or 2, not '3'"),
        (b'infoset,action,probability\n"K,bet,1\n', "not readable as CSV"),
        (b",0,1\nK,0.5\n", "2 columns"),
        (b",0,1\nK,0.5,x\n", "'x', not a number"),
        (b"TabularPolicy:a", "has no policy"),
        (b"TabularPolicy:a<~>x=1", "a policy like"),
    ],
)  # fmt: skip
def test_files_that_are_no_strategies(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ZerosumError) as error:
        read_strategy(path)
    assert sentence in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match="cannot read .*missing.json: No such file"):
        read_strategy(tmp_path / "missing.json")


@pytest.mark.parametrize("name", ["run", "run.zs", "run.json.gz"])
def test_saved_runs_are_strategies(tmp_path: Path, kuhn: GameResult, name: str) -> None:
    zerosum.solve("kuhn", "cfr+", iterations=20, out=tmp_path / name)
    assert zerosum.exploit("kuhn", tmp_path / name).gains == pytest.approx(zerosum.exploit("kuhn", kuhn).gains)


@pytest.mark.parametrize("format", ["csv", "json", "openspiel"])
def test_exports_are_strategies(tmp_path: Path, kuhn: GameResult, format: str) -> None:
    if format == "openspiel":
        pytest.importorskip("pyspiel")
    export(kuhn, format, tmp_path / "exported")
    game = "openspiel:kuhn_poker" if format == "openspiel" else "kuhn"
    assert zerosum.exploit(game, tmp_path / "exported").gains == pytest.approx(zerosum.exploit("kuhn", kuhn).gains)


def test_a_run_on_a_spot_is_none_of_another_game(tmp_path: Path) -> None:
    river = zerosum.holdem.spot("Ks 7h 2d 9c 4s", 500, 1000, "AA", "KK", "allin")
    result = zerosum.solve(river, iterations=2, out=tmp_path / "run")
    assert zerosum.exploit(river, tmp_path / "run").value == pytest.approx(result.value)
    with pytest.raises(
        ZerosumError, match="is a strategy of a hold'em spot: use it with the problem it was solved for"
    ):
        zerosum.exploit("kuhn", tmp_path / "run")


def test_an_empty_folder_is_no_strategy(tmp_path: Path) -> None:
    with pytest.raises(ZerosumError):
        read_strategy(tmp_path)
    with pytest.raises(ZerosumError, match="File name too long"):
        read_strategy("x" * 300)


# misfits


def changed(result: GameResult, infoset: str, actions: dict[str, float] | None) -> dict[str, dict[str, float]]:
    strategy = result.strategy
    strategy.pop(infoset)
    return strategy if actions is None else {**strategy, infoset: actions}


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (None, "says nothing about 'K|bet' of player 2; play uniformly there"),
        ({"fold": 0.5, "call": 0.4}, "the infoset 'K|bet' has probabilities that sum to 0.9, not to 1"),
        ({"fold": 0.5}, "sum to 0.5"),
        ({"fold": 1.0, "cal": 0.0}, "has no action 'cal'; its actions are fold, call"),
        ({"fold": -0.1, "call": 1.1}, "-0.1 for 'fold', which is not a probability"),
        ({"fold": float("nan"), "call": 1.0}, "nan for 'fold'"),
        ({"fold": float("inf"), "call": 1.0}, "inf for 'fold'"),
        ({}, "sum to 0"),
    ],
)
def test_a_misfit_is_named(kuhn: GameResult, actions: dict[str, float] | None, sentence: str) -> None:
    with pytest.raises(ZerosumError) as error:
        zerosum.exploit("kuhn", changed(kuhn, "K|bet", actions))
    assert sentence in str(error.value)


def test_unknown_infosets_and_players(tmp_path: Path, kuhn: GameResult) -> None:
    with pytest.raises(ZerosumError, match=r"kuhn has no infoset 'K\|bte'; did you mean K\|bet\?"):
        zerosum.exploit("kuhn", {**kuhn.strategy, "K|bte": {"fold": 1.0}})
    with pytest.raises(ZerosumError, match="leduc has no infoset"):
        zerosum.exploit("leduc", kuhn)
    path = tmp_path / "x.csv"
    path.write_text(as_csv(kuhn).replace("2,K|bet", "1,K|bet"))
    with pytest.raises(ZerosumError, match=r"'K\|bet' is player 2's, not player 1's"):
        zerosum.exploit("kuhn", path)
    path.write_text(json.dumps({"decisions": [{"infoset": "K|bet", "actions": {"fold": 1}}] * 2}))
    with pytest.raises(ZerosumError, match=r"'K\|bet' twice"):
        zerosum.exploit("kuhn", path)


def test_an_action_left_out_is_not_played(kuhn: GameResult) -> None:
    whole = zerosum.exploit("kuhn", changed(kuhn, "K|bet", {"fold": 0.0, "call": 1.0}))
    assert zerosum.exploit("kuhn", changed(kuhn, "K|bet", {"call": 1.0})).gains == whole.gains


def test_fill(kuhn: GameResult) -> None:
    judged = zerosum.exploit("kuhn", {}, fill="uniform")
    assert (judged.filled, round(judged.nash_conv, 6)) == (12, UNIFORM_KUHN)
    with pytest.raises(ZerosumError, match="and 11 more of 12 infosets"):
        zerosum.exploit("kuhn", {})
    with pytest.raises(ZerosumError, match="fill must be uniform"):
        zerosum.exploit("kuhn", kuhn, fill="best")  # type: ignore[arg-type]
    by_rules = zerosum.solve("leduc", "mccfr", by_rules=True, iterations=50)
    with pytest.raises(ZerosumError, match="says nothing"):
        zerosum.exploit("leduc", by_rules)
    assert 0 < zerosum.exploit("leduc", by_rules, fill="uniform").filled < 936


# worth


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel(4)", "coin-toss"])
def test_losses_sum_to_the_gain_of_a_best_response(game: str) -> None:
    form = zerosum.compile_game(zerosum.game(game))
    random = np.random.default_rng(1)
    sigmas = [treeplex.strategy(random.random(treeplex.sequences)) for treeplex in form.treeplexes]
    plans = [treeplex.plan(sigma) for treeplex, sigma in zip(form.treeplexes, sigmas, strict=True)]
    gains = evaluate(form, *plans).gains
    gradients = form.gradients(*plans)
    for player in (0, 1):
        lost, _ = compute_infoset_losses(form.treeplexes[player], sigmas[player], gradients[player])
        assert lost.min() >= 0.0
        assert lost.sum() == pytest.approx(gains[player], abs=1e-12)


def test_the_worst_infosets_come_first(kuhn: GameResult) -> None:
    fold_kings = changed(kuhn, "K|bet", {"fold": 1.0})
    judged = zerosum.exploit("kuhn", fold_kings, worst=3)
    assert len(judged.worst) == 3
    assert {(loss.player, loss.infoset, loss.best) for loss in judged.worst} == {
        (1, "Q|", "bet"),
        (1, "J|", "bet"),
        (2, "K|bet", "call"),
    }
    assert [loss.loss for loss in judged.worst] == sorted((loss.loss for loss in judged.worst), reverse=True)
    assert zerosum.exploit("kuhn", fold_kings, worst=0).worst == ()
    with pytest.raises(ZerosumError, match="worst must be"):
        zerosum.exploit("kuhn", fold_kings, worst=-1)


def test_head_to_head_counts_both_seats(kuhn: GameResult) -> None:
    poor = zerosum.solve("kuhn", "cfr", iterations=1)
    met, back = zerosum.head_to_head("kuhn", kuhn, poor), zerosum.head_to_head("kuhn", poor, kuhn)
    assert met.mean == pytest.approx(-back.mean)
    assert (met.first, met.second) == pytest.approx((-back.second, -back.first))
    assert zerosum.head_to_head("kuhn", kuhn, kuhn).mean == pytest.approx(0.0)
    assert zerosum.head_to_head("kuhn", kuhn, kuhn).first == pytest.approx(kuhn.value)


class Shared(zerosum.Game):
    """Ten to share: the first player asks for 3 or 7, which the second cannot refuse; the second gets the rest."""

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        return zerosum.TERMINAL if state else zerosum.ONE

    def actions(self, state: tuple[str, ...]) -> tuple[str, ...]:
        return ("3", "7")

    def child(self, state: tuple[str, ...], action: Any) -> tuple[str, ...]:
        return (action,)

    def infoset(self, state: tuple[str, ...]) -> str:
        return "ask"

    def payoff(self, state: tuple[str, ...]) -> tuple[float, float]:
        return float(state[0]), 10.0 - float(state[0])


def test_constant_sum_games_pay_both_seats() -> None:
    modest, greedy = {"ask": {"3": 1.0}}, {"ask": {"7": 1.0}}
    judged = zerosum.exploit(Shared(), modest)
    assert (judged.value, judged.gains) == (3.0, (4.0, 0.0))
    met = zerosum.head_to_head(Shared(), modest, greedy)
    assert (met.first, met.second, met.mean) == (3.0, 3.0, 3.0)


# two players who see the same


def test_infosets_of_the_same_name_are_distinguished() -> None:
    form = zerosum.compile_game(Twins())
    result = zerosum.solve(form, iterations=50)
    assert {decision.infoset for decision in result.decisions} == {"choose", "player 2: choose"}
    assert zerosum.exploit(form, result).value == pytest.approx(result.value)
    assert match_strategy(form, result).filled == 0


class Twins(zerosum.Game):
    """Matching pennies in which both players have infosets of the same name."""

    def root(self) -> tuple[str, ...]:
        return ()

    def player(self, state: tuple[str, ...]) -> int:
        return (zerosum.ONE, zerosum.TWO, zerosum.TERMINAL)[len(state)]

    def actions(self, state: tuple[str, ...]) -> tuple[str, ...]:
        return ("heads", "tails")

    def child(self, state: tuple[str, ...], action: Any) -> tuple[str, ...]:
        return (*state, action)

    def infoset(self, state: tuple[str, ...]) -> tuple[str, int]:
        return "choose", len(state)

    def payoff(self, state: tuple[str, ...]) -> float:
        return 1.0 if state[0] == state[1] else -0.5

    def describe(self, infoset: Any) -> str:
        return "choose"
