"""Every figure: its data is sound, it runs, is drawn, judged and written; stored curves are not computed again."""

from __future__ import annotations

import csv
import io
import json
import math
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import zerosum
import zerosum.holdem
from zerosum.cli.main import run
from zerosum.engine.forms.public.rounds import ALLIN, FOLD
from zerosum.engine.limits import Limits
from zerosum.holdem.cards.cards import HAND_COUNT, find_unblocked_hands, parse_board
from zerosum.holdem.engine.public_tree import build_public_tree
from zerosum.holdem.spots.deepstack import ONE_STREET_POT, compute_flop_equities
from zerosum.jobs.job import JobContext, JobResult
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.workers import Workers
from zerosum.papers import curve_job
from zerosum.papers.catalogue import FIGURES, find_figures
from zerosum.papers.claim import CurvesByPanel
from zerosum.papers.curve import Curve
from zerosum.papers.curve_job import PAYOFF_SCALES, CurveJob, CurveSpec, open_curve_store
from zerosum.papers.figure import ByScale, Figure, FigureLimits, Scale
from zerosum.papers.figure_plot import render_figure
from zerosum.papers.gallery import load_figures, render_page
from zerosum.papers.problems import OneStreetProblem, ProblemCache
from zerosum.papers.reproduction import FigureResult, plan_runs, reproduce, write_files
from zerosum.problems.problem import Problem
from zerosum.problems.registry import problem
from zerosum.results.display.drawing import SETTINGS

KEYS = (
    [f"dcfr-{number}" for number in range(1, 12)]
    + ["dcfr-example", "dcfr-matrix"]
    + [f"spcfr-{number}" for number in range(1, 6)]
    + ["ecfr-1", "ecfr-2", "ecfr-3", "ecfr-4", "icfr-1", "icfr-2", "icfr-table1", "trm-2", "trm-3", "trm-4"]
)
SMALLER = {"big-leduc": "leduc", "royal": "leduc", "stack=6": "stack=4", "turn-5k": "river-5k",
           "preflop-5k": "river-5k", "flop-5k": "river-5k"}  # fmt: skip
"""What stands for what where only the way through is tested."""
TINY = FigureLimits(iterations=3, nodes=3000, repeats=2)
BOARDS = {1: "7s9h9cTc", 2: "Ts6hAh7c", 3: "4s8hTc9h2s", 4: "JsKs5cQs7d"}
POTS = {1: 500, 2: 4780, 3: 500, 4: 3750}


@pytest.fixture(scope="module")
def endgames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small endgames in the format of Libratus: the boards and pots of the four, a few random hands."""
    folder = tmp_path_factory.mktemp("libratus")
    rng = np.random.default_rng(1)
    for number, board in BOARDS.items():
        cards = parse_board(board)
        weights = np.zeros((2, HAND_COUNT))
        allowed = np.flatnonzero(find_unblocked_hands(cards))
        for row in weights:
            row[rng.choice(allowed, 12, replace=False)] = rng.random(12)
        reach = " ".join(f"{weight:.6f}" for weight in weights.ravel())
        text = f"-round {len(cards) - 1}\n-board {board}\n-pot {POTS[number]}\n-reach {reach}\n"
        (folder / f"subgame{number}.txt").write_text(text)
    return folder


def run_figures(
    figures: list[Figure], folder: Path, limits: FigureLimits = TINY, workers: Workers | None = None
) -> list[FigureResult]:
    return list(reproduce(figures, "quick", JobRunner(workers, open_curve_store(folder)), ProblemCache(), limits))


def record(spec: CurveSpec, game: Problem | None = None) -> Curve:
    """The curve of a run on one thread."""
    job = CurveJob(spec, game or problem(spec.game))
    result = job.run(JobContext(1, threading.Event()))
    assert isinstance(result, JobResult)
    return Curve.from_json(result.content)


def test_every_key_is_there() -> None:
    assert set(KEYS) <= set(FIGURES)


@pytest.mark.parametrize("key", FIGURES)
def test_the_data_of_a_figure_is_sound(key: str) -> None:
    figure = FIGURES[key]
    panels = {panel.title: panel for panel in figure.panels}
    assert len(panels) == len(figure.panels)
    for panel in figure.panels:
        for algorithm in panel.lines.values():
            zerosum.algorithm(algorithm)
        for size in (panel.length, panel.repeats, panel.payoff_scales, panel.most_lines or ByScale(1)):
            assert 1 <= size.at_scale("quick") <= size.at_scale("gallery") <= size.at_scale("full")
    for claim in figure.claims:
        assert set(claim.labels) <= set(panels[claim.panel].lines)
        assert claim.text


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_is_one_entry(key: str, endgames: Path) -> None:
    """The entry is enough to list it, to lay out its runs at every scale and to judge it; below it is run and drawn."""
    figure = FIGURES[key]
    assert find_figures([key]) == [figure]
    assert figure in find_figures([figure.paper])
    problems = ProblemCache(str(endgames))
    for scale in get_args(Scale):
        for panel in figure.panels:
            wanted = plan_runs(figure, scale, FigureLimits())[panel.title]
            assert list(wanted) == list(panel.lines)[: panel.most_lines and panel.most_lines.at_scale(scale)]
            for repeats in wanted.values():
                scales = panel.payoff_scales.at_scale(scale) if panel.has_payoff_scales else 1
                assert len(set(repeats)) == max(
                    panel.repeats.at_scale(scale), scales if panel.repeats.at_scale(scale) == 1 else 1
                )
                check_run(problems, repeats[-1], panel.unit)
                assert repeats[-1].points[-1] == panel.length.at_scale(scale)
    made_up = {panel.title: {label: falling(label) for label in panel.lines} for panel in figure.panels}
    assert all(claim.judge(made_up).evidence for claim in figure.claims)


def check_run(problems: ProblemCache, spec: CurveSpec, unit: str) -> None:
    """A run has a problem, an algorithm that can solve it, and a unit."""
    problem = problems.load_problem(spec.game)
    algorithm = problem.resolve_algorithm(spec.algorithm)
    assert (spec.length_unit == "nodes") == (algorithm.sampling is not None)
    assert spec.build_limits(1).find_horizon(algorithm) >= spec.length
    assert unit == problem.unit.paper_measure.name


def falling(label: str) -> Curve:
    """Return an invented curve."""
    x = tuple(float(10**power) for power in range(10))
    y = tuple(1 / number for number in x)
    return Curve(
        label, label, x, y, tuple(0.5 * number for number in y), tuple(2.0 * number for number in y), repeats=3
    )


def test_claims_can_be_judged_at_full_length() -> None:
    """No claim needs more than the paper's own runs."""
    for figure in FIGURES.values():
        lengths = {panel.title: panel.length.full for panel in figure.panels}
        for claim in figure.claims:
            assert claim.needs <= lengths[claim.panel], (figure.key, claim.text)


def test_every_figure_runs_and_writes_its_files(
    endgames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All figures share a single command and test, so that no game is compiled twice; smaller games replace large ones.

    The numbers along the axes stay as matplotlib writes them, "10^{-2}", because typesetting them takes a third of the
    time. Every figure is drawn as SVG, whose texts are read; a PNG is drawn for each kind of drawing.
    """
    load_problem = ProblemCache.load_problem
    monkeypatch.setattr(ProblemCache, "load_problem", lambda self, game: load_problem(self, smaller(game)))
    monkeypatch.setattr("zerosum.papers.curve_job.cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setitem(SETTINGS, "text.parse_math", False)
    monkeypatch.setattr("zerosum.papers.reproduction.render_figure", Pencil())
    folder = tmp_path / "figures"
    most = ["--iterations", str(TINY.iterations), "--nodes", str(TINY.nodes), "--repeats", str(TINY.repeats)]
    files = ["--data", str(endgames), "--out", str(folder), "--page", str(tmp_path / "page.md")]
    assert run(["figure", "all", "--quick", *most, *files]) == 0
    for key in FIGURES:
        check_files(folder, key)
    text = (tmp_path / "page.md").read_text()
    assert text == render_page(load_figures(folder), folder, tmp_path)
    assert all(f"(figures/{key}.png)" in text for key in FIGURES)


class Pencil:
    """Draws SVG, and a PNG for each kind of drawing, which stands for the PNG of the others of that kind."""

    def __init__(self) -> None:
        self.painted: dict[str, bytes] = {}

    def __call__(self, figure: Figure, curves: CurvesByPanel, kinds: Sequence[str]) -> dict[str, bytes]:
        painted = self.painted.get(figure.drawing)
        if painted is not None:
            return {**render_figure(figure, curves, ["svg"]), "png": painted}
        files = render_figure(figure, curves, kinds)
        self.painted[figure.drawing] = files["png"]
        return files


def smaller(game: str) -> str:
    """Return a smaller game on which the same runs work."""
    for name, instead in SMALLER.items():
        game = game.replace(name, instead)
    return game


def check_files(folder: Path, key: str) -> None:
    """A figure's files are there and hold every run."""
    result = FigureResult.load(folder / f"{key}.json")
    figure = FIGURES[key]
    assert result.scale == "quick"
    assert not result.failures
    assert [verdict.claim for verdict in result.verdicts] == [claim.text for claim in figure.claims]
    for panel in figure.panels:
        assert (
            list(result.curves[panel.title])
            == list(panel.lines)[: panel.most_lines and panel.most_lines.at_scale("quick")]
        )
        for line in result.curves[panel.title].values():
            limit = TINY.nodes if panel.length_unit == "nodes" else TINY.iterations
            assert panel.x_axis or line.last_x >= panel.length.at_scale("quick", limit)
            assert all(y >= 0 for y in line.y)
    assert (folder / f"{key}.png").read_bytes().startswith(b"\x89PNG")
    labels = texts((folder / f"{key}.svg").read_bytes())
    for panel in figure.panels:
        if panel.is_drawn and figure.drawing not in ("tree", "treeplex"):
            assert panel.title in labels
            assert figure.drawing != "curves" or set(panel.lines) <= set(labels)
    rows = list(csv.DictReader(io.StringIO((folder / f"{key}.csv").read_text())))
    assert len(rows) == sum(len(line.x) for lines in result.curves.values() for line in lines.values())


def texts(data: bytes) -> list[str]:
    root = ElementTree.fromstring(data)
    return ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_second_drawing_computes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = [FIGURES["ecfr-4"]]
    first = run_figures(figure, tmp_path)
    monkeypatch.setattr(CurveJob, "run", None)
    assert run_figures(figure, tmp_path) == first


@pytest.mark.parametrize(
    "damage",
    [{"x": [10**400]}, {"x": [math.inf]}, {"seconds": "long"}, {"y": ["1"]}, {"notes": {"t": None}}, {"notes": []}],
)
def test_a_curve_with_numbers_that_are_none_is_not_taken_up(damage: dict[str, Any], tmp_path: Path) -> None:
    content = Curve("cfr", "cfr", (1.0,), (0.5,), (0.5,), (0.5,), notes={"t": 1.0}).to_json()
    job, store = CurveJob(CurveSpec("kuhn", "cfr", 1), problem("kuhn")), open_curve_store(tmp_path)
    store.check_writable()
    store.save(job, JobResult(content, "iterations", 1.0, "", {}))
    assert store.load(job) is not None
    data = json.loads(store.job_path(job).read_text())
    store.job_path(job).write_text(json.dumps({**data, "content": {**content, **damage}}))
    assert store.load(job) is None


def test_a_folder_that_cannot_store_curves_is_refused_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CurveJob, "run", None)
    (tmp_path / "file").touch()
    with pytest.raises(zerosum.ZerosumError, match="cannot write to .*file"):
        run_figures([FIGURES["ecfr-4"]], tmp_path / "file" / "kept")
    monkeypatch.setattr("zerosum.papers.curve_job.cache_folder", lambda: tmp_path / "file")
    with pytest.raises(zerosum.ZerosumError, match=r"cannot write to .*; \$ZEROSUM_CACHE_DIR names another"):
        next(reproduce([FIGURES["ecfr-4"]], "quick", JobRunner(store=open_curve_store()), ProblemCache(), TINY))


def test_a_damaged_curve_is_computed_again(tmp_path: Path) -> None:
    figure = [FIGURES["ecfr-4"]]
    first = run_figures(figure, tmp_path)
    for path in (tmp_path / "jobs").iterdir():
        path.write_text(path.read_text()[:50])
    runner = JobRunner(store=open_curve_store(tmp_path))
    second = list(reproduce(figure, "quick", runner, ProblemCache(), TINY))
    assert runner.computed == 4
    assert [result.curves["kuhn"]["with b"].y for result in second] == [
        result.curves["kuhn"]["with b"].y for result in first
    ]


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    figure = [FIGURES["trm-2"]]
    results = [run_figures(figure, tmp_path / str(count), workers=Workers(count=count))[0] for count in (1, 2)]
    assert results[0].to_csv() == results[1].to_csv()


def test_jobs_run_on_an_executor_of_the_callers(tmp_path: Path) -> None:
    """The executor is used, gives the same digits, and stays open."""
    figure = [FIGURES["ecfr-4"]]
    seen: set[str] = set()

    def report(job: Any, share: float, height: float) -> None:
        seen.add(threading.current_thread().name)

    with ThreadPoolExecutor(1, "theirs") as theirs:
        runner = JobRunner(Workers(theirs), open_curve_store(tmp_path / "theirs"), report)
        result = next(reproduce(figure, "quick", runner, ProblemCache(), TINY))
        assert theirs.submit(int).result() == 0
    assert seen == {"theirs_0"}
    assert result.to_csv() == run_figures(figure, tmp_path / "ours")[0].to_csv()


def test_jobs_stop_with_the_loop_over_their_results(tmp_path: Path) -> None:
    """Jobs whose results nobody waits for are cancelled, even on an executor that stays open."""
    specs = [CurveSpec("kuhn", "cfr", 1), *(CurveSpec("kuhn", "cfr", 10**9, seed=seed) for seed in range(3))]
    with ThreadPoolExecutor(2) as theirs:
        results = JobRunner(Workers(theirs), open_curve_store(tmp_path)).run(
            [ProblemCache().build_job(spec) for spec in specs]
        )
        assert next(results)[0].spec.length == 1
        results.close()  # type: ignore[attr-defined]
        assert theirs.submit(int).result() == 0


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("leduc", "dcfr"), ("leduc", "ecfr"), ("leduc", "hedge(0.2)"), ("leduc", "oftrl(theory, losses=chips, kappa=1)"),
     ("deepstack:river-5k:0", "cfr+"), ("deepstack:river-5k:0", "oftrl(theory, losses=chips, kappa=1)"),
     ("deepstack:river-5k:0", "oftrl(fixed, eta=0.001)")],
)  # fmt: skip
def test_payoffs_of_another_scale_change_nothing_but_rounding(game: str, algorithm: str) -> None:
    """Whatever depends on the unit is adapted; the digits differ, because rounding does."""
    heights = []
    for payoff_scale in PAYOFF_SCALES:
        heights.append(record(CurveSpec(game, algorithm, 12, payoff_scale=payoff_scale)).y)
    for other in heights[1:]:
        assert other == pytest.approx(heights[0], rel=1e-3)
    assert len(set(heights)) > 1


def test_a_run_that_is_not_repeated_uses_other_scales_of_the_payoffs(tmp_path: Path) -> None:
    figure = FIGURES["ecfr-4"]
    runner = JobRunner(store=open_curve_store(tmp_path))
    result = next(reproduce([figure], "gallery", runner, ProblemCache(), FigureLimits(iterations=40)))
    line = result.curves["leduc"]["with b"]
    assert (line.repeats, len(line.runs)) == (1, len(PAYOFF_SCALES))
    assert all(low <= y <= high for low, y, high in zip(line.low, line.y, line.high, strict=True))
    assert FigureResult.load(write_files(figure, result, tmp_path)[0]) == result


def test_a_single_street_is_solved_for_the_values_of_its_leaves() -> None:
    """Hands that are all-in or checked down get their equities, and the average comes near an equilibrium."""
    game = OneStreetProblem("deepstack:preflop-5k:1")
    tree = game.build_form()
    assert game.sizes[0] == 12 * HAND_COUNT
    assert {end.kind for end in tree.first.ends} == {FOLD, ALLIN}
    assert np.array_equal(tree.board.equity, -tree.board.equity.T)
    solver = game.build_solver(game.resolve_algorithm("dcfr"), Limits(iterations=30, threads=1))
    passive = [np.zeros(size) for size in tree.store_sizes]
    for decision in tree.iterate_decisions():
        width = len(tree.board.hands[decision.player])
        choice = tree.first.choices[decision.number]
        row = 0 if "check" in choice.actions else 1
        passive[decision.player][decision.at][row * width : (row + 1) * width] = 1.0
    solver.set_averages(*passive)
    first_reach, second_reach = tree.weights
    checked = (
        ONE_STREET_POT / 2 * float(first_reach @ tree.board.equity.astype(float) @ second_reach) / tree.total_weight
    )
    assert solver.evaluate().value == pytest.approx(checked, rel=1e-4)
    solver = game.build_solver(game.resolve_algorithm("dcfr"), Limits(iterations=30, threads=1))
    solver.run(30)
    assert solver.evaluate().exploitability < 0.01 * ONE_STREET_POT


def test_equities_of_a_flop_are_those_of_its_runouts() -> None:
    """Compare with the form of a spot, which adds equities up from the river."""
    spot = zerosum.holdem.spot("Ks7h2d", 200, 300, "AA,99,87s", "KK,65s,A5", "allin")
    tree = build_public_tree(spot, isomorphism=False)
    hands = np.union1d(*tree.board.hands)
    places = [np.searchsorted(hands, player_hands) for player_hands in tree.board.hands]
    equities = compute_flop_equities(spot.board, hands)
    assert equities[np.ix_(*places)] == pytest.approx(tree.board.equity, abs=1e-6)


def test_a_curve_equals_that_of_a_solve() -> None:
    curve = record(CurveSpec("leduc", "dcfr", 50))
    expected = zerosum.solve("leduc", "dcfr", iterations=50)
    assert curve.x == tuple(point.iteration for point in expected.curve)
    assert curve.y == tuple(point.exploitability for point in expected.curve)


def test_the_single_decision_notes_when_it_is_perfect() -> None:
    curve = record(CurveSpec("decision([0, 1, -1000000])", "lcfr", 1200, measure="mistake"))
    assert curve.notes["first perfect"] == 972


def test_stopping_stops() -> None:
    stop = threading.Event()
    stop.set()
    assert ProblemCache().build_job(CurveSpec("kuhn", "cfr", 100)).run(JobContext(1, stop)) is None


@pytest.mark.parametrize(
    "spec",
    [
        CurveSpec("leduc", "dcfr", 60),
        CurveSpec("leduc", "ecfr", 60),
        CurveSpec("leduc", "oftrl(tuned)", 60),
        CurveSpec("rps", "trm-cfr(random=1)", 60, start_seed=3, measure="distance"),
        CurveSpec("deepstack:river-5k:0", "nh-dcfr", 30),
        CurveSpec("deepstack:river-5k:0", "linear-mccfr(1e4)", 25_000, length_unit="nodes", seed=2),
    ],
    ids=lambda spec: spec.algorithm,
)
def test_a_stopped_run_continues_where_it_was(spec: CurveSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped and continued at every batch, a run gives the same digits."""
    monkeypatch.setattr(curve_job, "MIN_SAVED_SECONDS", 0.0)
    monkeypatch.setattr(curve_job, "BATCH_SECONDS", 0.0)
    game = problem(spec.game)
    whole = record(spec, game)
    checkpoint = tmp_path / "x.part"
    for _ in range(1000):
        stop = threading.Event()
        steps = iter((False, False, True))

        def report(share: float, height: float, stop: threading.Event = stop, steps: Iterator[bool] = steps) -> None:
            if next(steps, True):
                stop.set()

        result = CurveJob(spec, game).run(JobContext(1, stop, checkpoint, report))
        if result is not None:
            break
        assert checkpoint.exists()
    assert result is not None
    curve = Curve.from_json(result.content)
    assert (curve.algorithm, curve.x, curve.y) == (whole.algorithm, whole.x, whole.y)


def test_a_damaged_state_is_not_used(tmp_path: Path) -> None:
    checkpoint = tmp_path / "x.part"
    checkpoint.write_bytes(b"nothing of use")
    result = ProblemCache().build_job(CurveSpec("kuhn", "cfr", 20)).run(JobContext(1, threading.Event(), checkpoint))
    assert result is not None
    assert Curve.from_json(result.content).last_x == 20


def test_numbers_that_are_not_finite_end_a_curve() -> None:
    try:
        curve = record(CurveSpec("leduc", "ecfr(scale=1e6)", 100))
        assert all(np.isfinite(curve.y))
    except zerosum.ZerosumError as error:
        assert "not finite" in str(error)


def test_kept_curves_depend_on_the_data_and_the_run(endgames: Path) -> None:
    problems = ProblemCache(str(endgames))
    specs = [CurveSpec(f"libratus:{number}", "dcfr", length) for number in (3, 4) for length in (10, 20)]
    specs += [CurveSpec("kuhn", "cfr", 10), CurveSpec("kuhn", "cfr", 10, start_seed=1)]
    assert len({problems.build_job(spec).key for spec in specs}) == 6


def test_repeats_are_games_or_seeds_of_their_own() -> None:
    river = FIGURES["icfr-1"]
    games = {job.game for job in plan_runs(river, "full", FigureLimits())[river.panels[1].title]["CFR"]}
    assert len(games) == 30
    sampled = FIGURES["dcfr-10"]
    assert {job.seed for job in plan_runs(sampled, "full", FigureLimits())[sampled.panels[0].title]["MCCFR"]} == set(
        range(100)
    )


def test_sizes() -> None:
    assert [ByScale(100, 10, 1).at_scale(scale) for scale in ("full", "gallery", "quick")] == [100, 10, 1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dcfr-12"], "there is no figure"),
        (["all", "--scale", "huge"], "--scale must be"),
        (["all", "--scale", "full", "--quick"], "contradict"),
        (["dcfr-5", "--data", "/nowhere/at/all"], "Sandholm-Lab/LibratusEndgames"),
        (["dcfr-5", "--iterations", "0"], "at least 1"),
        (["dcfr-5", "--threads", "0"], "at least 1"),
        (["ecfr-4", "--quick", "--iterations", "2", "--out", "/dev/null/x"], "cannot write"),
    ],
)
def test_bad_input(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["figure", *arguments]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors
    assert "Traceback" not in errors


def test_without_the_endgames_their_figures_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZEROSUM_LIBRATUS", raising=False)
    assert run(["figure", "dcfr-3", "--quick", "--out", str(tmp_path), "--json"]) == 0
    printed = capsys.readouterr()
    assert "dcfr-3 is skipped" in printed.err
    for place in ("CMU-EM/LibratusEndgames", "Sandholm-Lab/LibratusEndgames"):
        assert place in printed.err
    assert json.loads(printed.out) == {"figures": [], "skipped": ["dcfr-3"]}


def test_papers_lists_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", "--json"]) == 0
    assert [row["key"] for row in json.loads(capsys.readouterr().out)["figures"]] == list(FIGURES)
    assert run(["papers"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for text in ("dcfr-example", "Left out: trm-1", "CMU-EM/LibratusEndgames", "Sandholm-Lab/LibratusEndgames"):
        assert text in printed


def test_a_file_that_is_no_figure_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in (
        "",
        "{}",
        "[]",
        '{"format": "zerosum-figure", "version": 1}',
        '{"format": "zerosum-figure", "version": 9}',
    ):
        path.write_text(text)
        with pytest.raises(zerosum.ZerosumError):
            FigureResult.load(path)


def test_files_are_the_same_for_the_same_numbers(tmp_path: Path) -> None:
    figure = find_figures(["ecfr-4"])[0]
    (result,) = run_figures([figure], tmp_path / "kept")
    for name in ("a", "b"):
        write_files(figure, result, tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_distance_is_zero_at_the_equilibrium() -> None:
    form = zerosum.compile_game(zerosum.game("rps"))
    plans = zerosum.equilibrium(form)
    assert curve_job.compute_distance(plans, plans) == 0.0
