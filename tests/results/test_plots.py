"""Pictures: drawn from stored numbers, valid files, every label in them, whole or not at all."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from zerosum.results.curve import Point
from zerosum.results.display.curve_plot import save_curves
from zerosum.results.game_result import GameResult
from zerosum.results.result import Decision
from zerosum.support.errors import ZerosumError


def curve(power: float) -> tuple[Point, ...]:
    return tuple(Point(t, t / 1000, t**-power, 2 * t**-power, 0.0) for t in (1, 3, 10, 30, 100, 300, 1000))


def result(algorithm: str, power: float) -> GameResult:
    points = curve(power)
    last = points[-1]
    decision = Decision(1, "K|", 1.0, {"bet": 0.25, "check": 0.75})
    reached = {"exploitability": last.exploitability, "nash_conv": last.nash_conv, "value": 0.0}
    size = {"infosets": 12, "sequences": 26, "iterations": 1000, "seconds": 1.0}
    return GameResult(
        game="kuhn", algorithm=algorithm, curve=points, decisions=(decision,), zerosum="0", **reached, **size
    )


RUNS = [result("cfr", 0.5), result("cfr+", 1.0), result("dcfr(1.5, 0, 2)", 1.001), result("pcfr+", 1.5)]


def texts(path: Path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_svg_names_everything(tmp_path: Path) -> None:
    save_curves(RUNS, tmp_path / "x.svg")
    labels = texts(tmp_path / "x.svg")
    for label in ("kuhn", "iterations", "exploitability (units of payoff)", *(run.algorithm for run in RUNS)):
        assert label in labels


def test_seconds_title_and_series(tmp_path: Path) -> None:
    save_curves([("first", curve(1)), ("second", curve(2))], tmp_path / "x.svg", x="seconds", title="a title")
    assert {"time (s)", "a title", "first", "second"} <= set(texts(tmp_path / "x.svg"))


def test_one_run_is_named_in_the_title(tmp_path: Path) -> None:
    save_curves(RUNS[:1], tmp_path / "x.svg")
    assert "kuhn, cfr" in texts(tmp_path / "x.svg")


@pytest.mark.parametrize(("name", "start"), [("x.png", b"\x89PNG\r\n\x1a\n"), ("x.PDF", b"%PDF-")])
def test_other_formats(tmp_path: Path, name: str, start: bytes) -> None:
    save_curves(RUNS, tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(start)
    assert len(data) > 5000


def test_the_same_numbers_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        save_curves(RUNS, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_zero_has_no_logarithm(tmp_path: Path) -> None:
    points = (*curve(1), Point(2000, 2.0, 0.0, 0.0, 0.0))
    save_curves([("with zero", points), ("without", curve(1))], tmp_path / "x.svg")
    assert "with zero" in texts(tmp_path / "x.svg")


def test_an_early_end_is_labelled_where_it_is(tmp_path: Path) -> None:
    save_curves([("short", curve(1)[:3]), ("long", curve(1))], tmp_path / "x.svg")
    assert {"short", "long"} <= set(texts(tmp_path / "x.svg"))


@pytest.mark.parametrize("name", ["x.gif", "x", "missing/x.svg"])
def test_bad_paths(tmp_path: Path, name: str) -> None:
    with pytest.raises(ZerosumError, match=r"cannot (draw|write)"):
        save_curves(RUNS, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(ZerosumError, match="nothing to draw"):
        save_curves([("lp", [Point(0, 0.1, 1e-17, 2e-17, 0.0)])], tmp_path / "x.svg")
    assert list(tmp_path.iterdir()) == []
