"""Sweeps: points equal their solves, are stored and not solved twice, and can be drawn and written."""

from __future__ import annotations

import csv
import io
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import zerosum as package
from zerosum.results.display.drawing import create_figure
from zerosum.results.display.sweep_plot import draw_sweep, save_sweep_plot
from zerosum.results.sweep import Sweep, SweepRow

GRID = {"alpha": [1, 1.5, 2], "beta": [0, 0.5]}
DCFR = "dcfr({alpha}, {beta}, 2)"


@pytest.fixture(scope="module")
def swept() -> Sweep:
    return package.sweep(["kuhn", "coin-toss"], DCFR, GRID, iterations=50)


def test_every_point_is_its_solve(swept: Sweep) -> None:
    assert [(row.game, *row.parameters.values()) for row in swept.rows] == [
        (game, alpha, beta) for game in ("kuhn", "coin-toss") for alpha in ("1", "1.5", "2") for beta in ("0", "0.5")
    ]
    for row in swept.rows[:3]:
        alone = package.solve(row.game, row.algorithm, iterations=50)
        assert row.algorithm == f"dcfr({row.parameters['alpha']}, {row.parameters['beta']}, 2)"
        assert (row.exploitability, row.value, row.iterations) == (alone.exploitability, alone.value, 50)
    assert swept.best("kuhn").exploitability == min(row.exploitability for row in swept.rows if row.game == "kuhn")


def test_overall_is_a_mean_of_ratios() -> None:
    def row(game: str, a: str, exploitability: float) -> SweepRow:
        return SweepRow(game, {"a": a}, "x", 1, None, 1.0, exploitability, 0.0, "iterations")

    rows = (row("one", "1", 2.0), row("one", "2", 1.0), row("two", "1", 0.1), row("two", "2", 0.8))
    sweep = Sweep("x({a})", {"a": ("1", "2")}, ("one", "two"), {"one": "", "two": ""}, "exploitability", rows)
    assert sweep.overall() == [({"a": "1"}, pytest.approx(2**0.5)), ({"a": "2"}, pytest.approx(8**0.5))]


def test_goals_are_compared_by_the_iterations_needed() -> None:
    sweep = package.sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [0.5, 1.5]}, until=1e-3, iterations=150)
    assert sweep.by == "iterations"
    reached = [row for row in sweep.rank_rows("kuhn") if row.reached]
    assert [row.iterations for row in reached] == sorted(row.iterations for row in reached)
    assert all(sweep.score(row) == float("inf") for row in sweep.rows if not row.reached)


def test_stored_points_are_not_solved_again(tmp_path: Path, swept: Sweep) -> None:
    seen: list[Any] = []
    first = package.sweep("kuhn", DCFR, {**GRID, "alpha": [1.5]}, iterations=50, out=tmp_path)
    with ThreadPoolExecutor(1) as executor:
        again = package.sweep("kuhn", DCFR, GRID, iterations=50, out=tmp_path, executor=executor, progress=seen.append)
    assert seen[0].done == len(first.rows)
    numbers = [(row.parameters, row.exploitability) for row in again.rows]
    assert numbers == [(row.parameters, row.exploitability) for row in swept.rows if row.game == "kuhn"]


@pytest.mark.parametrize("damage", ["{}", "null", '{"value": NaN}', '{"iterations": null}', '{"seconds": "1"}'])
def test_damaged_points_are_solved_again(tmp_path: Path, damage: str) -> None:
    grid = {"alpha": [1.5], "beta": [0]}
    first = package.sweep("kuhn", DCFR, grid, iterations=50, out=tmp_path)
    (path,) = (tmp_path / "jobs").glob("*.json")
    content = json.loads(path.read_text())
    damaged = {**content["content"], **json.loads(damage)} if damage not in ("{}", "null") else json.loads(damage)
    path.write_text(json.dumps({**content, "content": damaged}))
    again = package.sweep("kuhn", DCFR, grid, iterations=50, out=tmp_path)
    assert again.rows[0].exploitability == first.rows[0].exploitability
    assert json.loads(path.read_text())["content"].keys() == content["content"].keys()


@pytest.mark.parametrize("grid", [GRID, {"alpha": [1, 2], "beta": [0]}])
def test_a_map_is_drawn(tmp_path: Path, grid: dict[str, Any], swept: Sweep) -> None:
    drawn = swept if grid is GRID else package.sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 2]}, iterations=9)
    for name in ("map.svg", "map.png"):
        save_sweep_plot(drawn, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 3000
    assert "kuhn" in (tmp_path / "map.svg").read_text()


LONG = "matrix([[1, 0.9, 3, 4], [-0.7, 1, 2, 33], [1, 2, 3, 4]])"
SAMPLED = "discounted-os-mccfr({a}, {b}, 2)"


def fake_sweep(algorithm: str, grid: dict[str, tuple[str, ...]], *games: str) -> Sweep:
    """Build a sweep with invented numbers."""
    points = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    rows = [
        SweepRow(game, point, algorithm, 100 * n, None, 1.0, 0.01 * n, 0.0, "until" if n % 5 else "nodes")
        for game in games
        for n, point in enumerate(points, start=1)
    ]
    return Sweep(algorithm, grid, games, dict.fromkeys(games, "chips"), "iterations", tuple(rows))


@pytest.mark.parametrize(
    ("sweep", "scales"),
    [
        (fake_sweep(SAMPLED, {"a": ("1",), "b": ("0",)}, "leduc"), 0),
        (fake_sweep(SAMPLED, {"a": ("1", "2"), "b": ("0",)}, "leduc"), 1),
        (fake_sweep(SAMPLED, {"a": ("1",), "b": ("1", "1..1000000", "3", "4", "5")}, "leduc"), 1),
        (fake_sweep(SAMPLED, {"a": ("1", "2"), "b": ("1", "2")}, LONG, "kuhn"), 2),
        (
            fake_sweep(SAMPLED, {"a": ("1", "2", "3", "4", "5"), "b": ("1", "2", "3", "4", "5", "6", "7")}, "kuhn"),
            1,
        ),
        (fake_sweep("x({a}, {b}, {c})", {"a": ("1", "2"), "b": ("1", "2"), "c": ("1", "2", "3")}, LONG, "kuhn"), 2),
        (fake_sweep("dcfr({alpha})", {"alpha": ("1", "2", "3")}, LONG, "spot:river"), 0),
    ],
)
def test_the_words_of_a_map_are_whole_and_apart(sweep: Sweep, scales: int) -> None:
    figure = create_figure()
    panels = draw_sweep(sweep, figure)
    figure.set_dpi(200)
    figure.canvas.draw()
    assert len(figure.axes) == len(panels) + scales
    words = list(figure.texts)
    for axes in figure.axes:
        marks = [mark for axis in (axes.xaxis, axes.yaxis) for mark in axis.get_ticklabels() if mark.get_text()]
        words += [axes.xaxis.label, axes.yaxis.label, axes._left_title, *axes.texts, *(marks if scales else [])]
    boxes = [(word.get_text(), word.get_window_extent()) for word in words if word.get_text()]
    for (label, first), (other_label, second) in combinations(boxes, 2):
        assert not first.overlaps(second), (label, other_label)
    assert all(figure.bbox.count_contains(box.corners()) == 4 for _, box in boxes)


def test_a_picture_is_as_wide_as_its_words(tmp_path: Path) -> None:
    image = pytest.importorskip("matplotlib.image")
    save_sweep_plot(fake_sweep(SAMPLED, {"a": ("1", "2"), "b": ("0",)}, "leduc"), tmp_path / "map.png")
    pixels = image.imread(tmp_path / "map.png")[..., :3]
    for edge in (pixels[:, :10], pixels[:, -10:], pixels[:10], pixels[-10:]):
        assert edge.min() == 1.0


@pytest.mark.parametrize(
    ("algorithm", "grid", "sentence"),
    [
        ("dcfr", {"alpha": [1]}, "nothing varies"),
        ("dcfr({alpha}, 0, 2)", {"alfa": [1]}, "did you mean alpha"),
        ("dcfr({alpha}, {beta}, 2)", {"alpha": [1]}, "{beta} of .* has no values"),
        ("dcfr({alpha}, 0, 2)", {"alpha": [1, 1.0]}, "has 1 twice"),
        ("dcfr({alpha}, 0, 2)", {"alpha": []}, "no value for alpha"),
        ("dcfr({alpha}, 0, 2)", {"alpha": ["x"]}, "x"),
        ("dfcr({alpha}, 0, 2)", {"alpha": [1]}, "did you mean dcfr"),
    ],
)
def test_invalid_options_are_refused(algorithm: str, grid: dict[str, Any], sentence: str) -> None:
    with pytest.raises(package.ZerosumError, match=sentence):
        package.sweep("kuhn", algorithm, grid, iterations=5)


def test_more_refusals() -> None:
    with pytest.raises(package.ZerosumError, match="kuhn is named twice"):
        package.sweep(["kuhn", "kuhn"], DCFR, GRID)
    with pytest.raises(package.ZerosumError, match="needs an exploitability to reach"):
        package.sweep("kuhn", DCFR, GRID, by="seconds")
    with pytest.raises(package.ZerosumError, match="compared by"):
        package.sweep("kuhn", DCFR, GRID, by="beauty")  # type: ignore[arg-type]


def test_the_command(zerosum: Any, tmp_path: Path) -> None:
    """As the manual writes it, with the grid before and after an option."""
    output = zerosum(
        "sweep", "kuhn", "coin-toss", "--algorithm", DCFR, "--grid", "alpha=1,1.5,2", "beta=0,0.5",
        "--iterations", 20, "--csv", tmp_path / "sweep.csv", "--plot", tmp_path / "sweep.png",
    )  # fmt: skip
    assert output.code == 0, output.err
    assert "kuhn: dcfr({alpha}, {beta}, 2)" in output.out
    assert "on all games" in output.out
    rows = list(csv.DictReader(io.StringIO((tmp_path / "sweep.csv").read_text())))
    assert len(rows) == 12
    assert rows[0]["algorithm"] == "dcfr(1, 0, 2)"
    content = json.loads(zerosum("sweep", "kuhn", "-a", DCFR, "--grid", "alpha=1", "--grid", "beta=0", "--json").out)
    assert content["grid"] == {"alpha": ["1"], "beta": ["0"]}
    assert content["rows"][0]["iterations"] == 1000
    assert zerosum("sweep", "kuhn", "-a", DCFR, "--grid", "alpha").code == 2
    assert "twice" in zerosum("sweep", "kuhn", "-a", DCFR, "--grid", "beta=0", "beta=1").err
