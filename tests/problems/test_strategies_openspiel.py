"""Strategies and OpenSpiel: its values, its policies and its names."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from strategy_text import as_csv
from zerosum.support.errors import ZerosumError


def spiel_policy(name: str) -> tuple[Any, Any, Any]:
    """A game of OpenSpiel, and a policy that is neither uniform nor good."""
    pyspiel = pytest.importorskip("pyspiel")
    policy = pytest.importorskip("open_spiel.python.policy")
    game = pyspiel.load_game(name)
    table = policy.TabularPolicy(game)
    random = np.random.default_rng(3)
    table.action_probability_array *= random.random(table.action_probability_array.shape)
    table.action_probability_array /= table.action_probability_array.sum(axis=1, keepdims=True)
    return pyspiel, game, table


def wide(table: Any, keys: list[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["", *range(table.action_probability_array.shape[1])])
    for key, row in zip(keys, table.action_probability_array, strict=True):
        writer.writerow([key, *row])
    return text.getvalue()


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_openspiel_agrees(tmp_path: Path, name: str) -> None:
    pyspiel, game, table = spiel_policy(name)
    from open_spiel.python.algorithms import expected_game_score, exploitability

    states = {index: key for key, index in table.state_lookup.items()}
    plain = {key: [[int(a), float(p)] for a, p in pairs] for key, pairs in table.to_dict().items()}
    files = {
        "policy.json": json.dumps(plain),
        "policy.csv": wide(table, [states[index] for index in range(len(states))]),
        "history.csv": wide(table, [state.history_str() for state in table.states]),
        "policy.txt": pyspiel.TabularPolicy({k: [(a, p) for a, p in v] for k, v in plain.items()}).serialize(),
    }
    score = expected_game_score.policy_value(game.new_initial_state(), [table, table])
    conv = exploitability.nash_conv(game, table)
    for file, text in files.items():
        path = tmp_path / file
        path.write_text(text, newline="")
        judged = zerosum.exploit(f"openspiel:{name}", path)
        assert judged.value == pytest.approx(score[0], abs=1e-12), file
        assert judged.nash_conv == pytest.approx(conv, abs=1e-12), file


def test_openspiel_agrees_head_to_head(tmp_path: Path) -> None:
    _, game, table = spiel_policy("leduc_poker")
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score

    uniform = policies.TabularPolicy(game)
    root = game.new_initial_state()
    first = expected_game_score.policy_value(root, [table, uniform])[0]
    second = expected_game_score.policy_value(root, [uniform, table])[1]
    path = tmp_path / "policy.json"
    path.write_text(json.dumps({key: [[int(a), float(p)] for a, p in v] for key, v in table.to_dict().items()}))
    other = tmp_path / "nothing.json"
    other.write_text("{}")
    met = zerosum.head_to_head("openspiel:leduc_poker", path, other, fill="uniform")
    assert (met.first, met.second) == pytest.approx((first, second), abs=1e-12)


def test_zerosum_names_its_openspiel_results(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    result = zerosum.solve("openspiel:kuhn_poker", iterations=20)
    path = tmp_path / "kuhn.csv"
    path.write_text(as_csv(result), newline="")
    assert zerosum.exploit("openspiel:kuhn_poker", path).value == pytest.approx(result.value, abs=1e-12)


def test_openspiel_numbers_need_a_game_of_openspiel(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text('{"K|": [[0, 1.0]]}')
    with pytest.raises(ZerosumError, match="kuhn is not a game of OpenSpiel: name one like openspiel:leduc_poker"):
        zerosum.exploit("kuhn", path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"0": [[0, 0.5], [7, 0.5]]}', "has no action '7'"),
        ('{"5": [[0, 1.0]]}', "has no infoset '5'"),
        ('{"0, 1, 0, 0, 0": [[0, 1.0]]}', "has no infoset"),
        ('{"0, 1": [[0, 1.0]], "0": [[0, 1.0]]}', "'0' twice"),
        ('{"0": [[0, 1.0], [7, 0.0]]}', "says nothing about"),
    ],
)
def test_misfits_of_openspiel(tmp_path: Path, text: str, sentence: str) -> None:
    pytest.importorskip("pyspiel")
    path = tmp_path / "policy.json"
    path.write_text(text)
    with pytest.raises(ZerosumError, match=sentence):
        zerosum.exploit("openspiel:kuhn_poker", path)
