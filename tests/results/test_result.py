"""Results: saving, loading, and refusing damaged files."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zerosum
from zerosum.support.files import write_atomically


@pytest.fixture(scope="module")
def result() -> zerosum.Result:
    return zerosum.solve("kuhn", "cfr+", iterations=20)


@pytest.mark.parametrize("name", ["kuhn.json", "kuhn.json.gz"])
def test_round_trip(result: zerosum.Result, tmp_path: Path, name: str) -> None:
    result.save(tmp_path / name)
    assert zerosum.load(tmp_path / name) == result
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_frame_and_strategy(result: zerosum.Result) -> None:
    frame = result.to_frame()
    assert len(frame) == 24
    assert frame.groupby("infoset")["probability"].sum().to_numpy() == pytest.approx(1.0)
    assert set(result.strategy) == set(frame["infoset"])
    assert json.loads(json.dumps(result.summary()))["game"] == "kuhn"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.update(format="other"), "is not the result of a game"),
        (lambda c: c.update(version=99), "format version 99"),
        (lambda c: c.pop("curve"), "damaged: it lacks curve"),
        (lambda c: c.update(iterations="x"), "damaged"),
        (lambda c: c["decisions"][0].update(actions={"bet": 2.0, "check": -1.0}), "not between 0 and 1"),
        (lambda c: c["decisions"][0].update(reach=7), "not between 0 and 1"),
        (lambda c: c.update(curve=3), "damaged"),
        (lambda c: c.update(value="x"), "damaged"),
        (lambda c: c["decisions"][0].update(player=3), "damaged"),
        (lambda c: c["decisions"][0].update(actions={"bet": 0.7}), "do not sum to 1"),
        (lambda c: c["decisions"][0].update(actions=[1]), "damaged"),
        (lambda c: c["decisions"][0].update(more=1), "damaged"),
        (lambda c: c.update(nash_conv=3 * c["exploitability"]), "not twice the exploitability"),
        (lambda c: c["curve"][0].update(nash_conv=0.0), "not twice the exploitability"),
        (lambda c: c["curve"].reverse(), "the curve has iteration"),
        (lambda c: c.update(value=c["value"] + 1), "not those of the last point"),
        (lambda c: c.update(iterations=1), "not those of the last point"),
    ],
)
def test_a_changed_file_is_refused(result: zerosum.Result, tmp_path: Path, change, words: str) -> None:
    path = tmp_path / "kuhn.json"
    result.save(path)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(zerosum.ZerosumError, match=words):
        zerosum.load(path)


@settings(max_examples=300)
@given(st.data())
def test_damaged_bytes_are_refused_or_harmless(tmp_path_factory, data) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.json.gz"
    curve = (zerosum.Point(2, 0.1, 0.5, 1.0, 0.0),)
    decisions = (zerosum.Decision(1, "I choose", 1.0, {"rock": 0.25, "paper": 0.75}),)
    numbers = {"iterations": 2, "seconds": 0.1, "exploitability": 0.5, "nash_conv": 1.0, "value": 0.0}
    sizes = {"infosets": 2, "sequences": 8}
    zerosum.GameResult(game="rps", algorithm="cfr", curve=curve, decisions=decisions, **numbers, **sizes).save(path)
    raw = path.read_bytes()
    content = bytearray(raw if data.draw(st.booleans()) else gzip.decompress(raw))
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content)))]
    for _ in range(data.draw(st.integers(0, 4))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    try:
        zerosum.load(path)
    except zerosum.ZerosumError as error:
        assert str(error)


def test_missing_and_unwritable(result: zerosum.Result, tmp_path: Path) -> None:
    with pytest.raises(zerosum.ZerosumError, match="cannot read"):
        zerosum.load(tmp_path / "nothing.json")
    with pytest.raises(zerosum.ZerosumError, match="cannot write"):
        result.save(tmp_path / "no" / "folder.json")
    with pytest.raises(zerosum.ZerosumError, match="cannot write"):
        write_atomically(tmp_path, b"a folder is in the way")


@pytest.mark.parametrize(
    "change",
    [
        {"exploitability": -0.5},
        {"nash_conv": -1.0},
        {"nodes": math.nan},
        {"nodes": -3},
        {"iterations": 1.5},
        {"infosets": -1},
        {"seconds": -1.0},
        {"curve": [{"iteration": 1, "seconds": 0.1, "exploitability": -0.5, "nash_conv": 1.0, "value": 0.0}]},
        {"curve": [{"iteration": 1, "seconds": 0.1, "exploitability": 0.5, "nash_conv": 1, "value": 0, "nodes": 0.5}]},
    ],
    ids=str,
)
def test_numbers_that_mean_nothing_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    zerosum.solve("kuhn", iterations=10).save(path)
    assert zerosum.load(path).iterations == 10
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(zerosum.ZerosumError, match="is damaged"):
        zerosum.load(path)
