"""Every figure: its data is sound, it runs, is drawn, judged and written; kept curves are not computed again."""

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

import rue
import rue.holdem
from rue.cli.main import run
from rue.forms.rounds import ALLIN, FOLD
from rue.holdem.cards import HAND_COUNT, allowed_hands, parse_board
from rue.holdem.form import public_tree
from rue.holdem.one_street import POT, flop_equities
from rue.papers import jobs
from rue.papers.catalogue import FIGURES, figures
from rue.papers.draw import Lines, pictures
from rue.papers.figure import Figure, Most, Scale, Size
from rue.papers.jobs import Job, compute
from rue.papers.kept import CurveStore
from rue.papers.make import Made, jobs_of, make, table, write
from rue.papers.one_street import OneStreet
from rue.papers.page import in_folder, page
from rue.papers.traces import Trace
from rue.papers.work import Work
from rue.problems.find import problem
from rue.results.drawing import SETTINGS
from rue.runs.run import StoppedError
from rue.solvers.limits import Limits

KEYS = (
    [f"dcfr-{number}" for number in range(1, 12)]
    + ["dcfr-example", "dcfr-matrix"]
    + [f"spcfr-{number}" for number in range(1, 6)]
    + ["ecfr-1", "ecfr-2", "ecfr-3", "ecfr-4", "icfr-1", "icfr-2", "icfr-table1", "trm-2", "trm-3", "trm-4"]
)
SMALLER = {"big-leduc": "leduc", "royal": "leduc", "stack=6": "stack=4", "turn-5k": "river-5k",
           "preflop-5k": "river-5k", "flop-5k": "river-5k"}  # fmt: skip
"""What stands for what where only the way through is tested."""
TINY = Most(iterations=3, nodes=3000, repeats=2)
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
        allowed = np.flatnonzero(allowed_hands(cards))
        for row in weights:
            row[rng.choice(allowed, 12, replace=False)] = rng.random(12)
        reach = " ".join(f"{weight:.6f}" for weight in weights.ravel())
        text = f"-round {len(cards) - 1}\n-board {board}\n-pot {POTS[number]}\n-reach {reach}\n"
        (folder / f"subgame{number}.txt").write_text(text)
    return folder


def test_every_key_is_there() -> None:
    assert set(KEYS) <= set(FIGURES)


@pytest.mark.parametrize("key", FIGURES)
def test_the_data_of_a_figure_is_sound(key: str) -> None:
    figure = FIGURES[key]
    panels = {panel.title: panel for panel in figure.panels}
    assert len(panels) == len(figure.panels)
    for panel in figure.panels:
        assert len({line.label for line in panel.lines}) == len(panel.lines)
        for line in panel.lines:
            rue.algorithm(line.algorithm)
        for size in (panel.length, panel.repeats, panel.roundings, panel.most_lines or Size(1)):
            assert 1 <= size.at("quick") <= size.at("gallery") <= size.at("full")
    for claim in figure.claims:
        assert set(claim.labels) <= {line.label for line in panels[claim.panel].lines}
        assert claim.text


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_is_one_entry(key: str, endgames: Path) -> None:
    """The entry is enough to list it, to lay out its runs at every scale and to judge it; below it is run and drawn."""
    figure = FIGURES[key]
    assert figures([key]) == [figure]
    assert figure in figures([figure.paper])
    work = Work(str(endgames))
    for scale in get_args(Scale):
        for panel in figure.panels:
            wanted = jobs_of(figure, panel, scale, Most())
            assert list(wanted) == [line.label for line in panel.lines_at(scale)]
            for repeats in wanted.values():
                scales = panel.roundings.at(scale) if panel.rounded else 1
                assert len(set(repeats)) == max(panel.repeats.at(scale), scales if panel.repeats.at(scale) == 1 else 1)
                check_job(work, repeats[-1], panel.unit)
                assert repeats[-1].points[-1] == panel.length.at(scale)
    made_up = {panel.title: {line.label: falling(line.label) for line in panel.lines} for panel in figure.panels}
    assert all(claim.judge(made_up).shown for claim in figure.claims)


def check_job(work: Work, job: Job, unit: str) -> None:
    """A run has a problem, an algorithm that goes with it, and a unit."""
    found = work.problem(job.game)
    algorithm = found.algorithm(job.algorithm)
    assert (job.x == "nodes") == (algorithm.sampling is not None)
    assert job.limits(1).horizon(algorithm) >= job.length
    assert unit == found.unit.published.name


def falling(label: str) -> Trace:
    """A curve that somebody made up."""
    x = tuple(float(10**power) for power in range(10))
    y = tuple(1 / each for each in x)
    return Trace(label, label, x, y, tuple(0.5 * each for each in y), tuple(2.0 * each for each in y), repeats=3)


def test_claims_can_be_judged_at_full_length() -> None:
    """No claim needs more than the paper's own runs."""
    for figure in FIGURES.values():
        lengths = {panel.title: panel.length.full for panel in figure.panels}
        for claim in figure.claims:
            assert claim.needs <= lengths[claim.panel], (figure.key, claim.text)


def test_every_figure_runs_and_writes_its_files(
    endgames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One command for all: one test, so that no game is compiled twice; smaller games stand for large ones. The numbers
    along the axes are left as matplotlib writes them, "10^{-2}": to set them takes a third of the time. Every figure is
    drawn as SVG, whose texts are read; as PNG one of each kind of drawing is."""
    whole = Work.problem
    monkeypatch.setattr(Work, "problem", lambda self, game: whole(self, smaller(game)))
    monkeypatch.setattr("rue.papers.kept.cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setitem(SETTINGS, "text.parse_math", False)
    monkeypatch.setattr("rue.papers.make.pictures", Pencil())
    folder = tmp_path / "figures"
    most = ["--iterations", str(TINY.iterations), "--nodes", str(TINY.nodes), "--repeats", str(TINY.repeats)]
    files = ["--data", str(endgames), "--out", str(folder), "--page", str(tmp_path / "page.md")]
    assert run(["figure", "all", "--quick", *most, *files]) == 0
    for key in FIGURES:
        check_files(folder, key)
    text = (tmp_path / "page.md").read_text()
    assert text == page(in_folder(folder), folder, tmp_path)
    assert all(f"(figures/{key}.png)" in text for key in FIGURES)


class Pencil:
    """Draws SVG, and a PNG for each kind of drawing, which stands for the PNG of the others of that kind."""

    def __init__(self) -> None:
        self.painted: dict[str, bytes] = {}

    def __call__(self, figure: Figure, traces: Lines, kinds: Sequence[str]) -> dict[str, bytes]:
        painted = self.painted.get(figure.drawing)
        if painted is not None:
            return {**pictures(figure, traces, ["svg"]), "png": painted}
        files = pictures(figure, traces, kinds)
        self.painted[figure.drawing] = files["png"]
        return files


def smaller(game: str) -> str:
    """A game that the same runs can be made on."""
    for name, instead in SMALLER.items():
        game = game.replace(name, instead)
    return game


def check_files(folder: Path, key: str) -> None:
    """A figure's files are there and hold every run."""
    found = Made.load(folder / f"{key}.json")
    figure = FIGURES[key]
    assert found.scale == "quick"
    assert not found.failures
    assert [verdict.claim for verdict in found.verdicts] == [claim.text for claim in figure.claims]
    for panel in figure.panels:
        assert list(found.traces[panel.title]) == [line.label for line in panel.lines_at("quick")]
        for line in found.traces[panel.title].values():
            assert panel.along or line.last >= TINY.length(panel, "quick")
            assert all(y >= 0 for y in line.y)
    assert (folder / f"{key}.png").read_bytes().startswith(b"\x89PNG")
    shown = texts((folder / f"{key}.svg").read_bytes())
    for panel in figure.panels:
        if panel.drawn and figure.drawing not in ("tree", "treeplex"):
            assert panel.title in shown
            assert figure.drawing != "curves" or {line.label for line in panel.lines} <= set(shown)
    rows = list(csv.DictReader(io.StringIO((folder / f"{key}.csv").read_text())))
    assert len(rows) == sum(len(line.x) for lines in found.traces.values() for line in lines.values())


def texts(data: bytes) -> list[str]:
    root = ElementTree.fromstring(data)
    return ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_second_drawing_computes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = [FIGURES["ecfr-4"]]
    first = list(make(figure, "quick", Work(store=CurveStore(tmp_path)), TINY))
    monkeypatch.setattr("rue.papers.work.compute", None)
    second = list(make(figure, "quick", Work(store=CurveStore(tmp_path)), TINY))
    assert second == first


@pytest.mark.parametrize(
    "damage",
    [{"x": [10**400]}, {"x": [math.inf]}, {"seconds": "long"}, {"y": ["1"]}, {"notes": {"t": None}}, {"notes": []}],
)
def test_a_curve_with_numbers_that_are_none_is_not_taken_up(damage: dict[str, Any], tmp_path: Path) -> None:
    content = Trace("cfr", "cfr", (1.0,), (0.5,), (0.5,), (0.5,), notes={"t": 1.0}).content()
    store = CurveStore(tmp_path)
    (tmp_path / "whole.json").write_text(json.dumps(content))
    (tmp_path / "damaged.json").write_text(json.dumps({**content, **damage}))
    assert store.load("whole") is not None
    assert store.load("damaged") is None


def test_a_folder_that_cannot_keep_curves_is_told_before_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rue.papers.work.compute", None)
    (tmp_path / "file").touch()
    with pytest.raises(rue.RueError, match=r"cannot keep curves in .*; \$RUE_CACHE_DIR names another"):
        next(make([FIGURES["ecfr-4"]], "quick", Work(store=CurveStore(tmp_path / "file" / "kept")), TINY))


def test_a_damaged_curve_is_computed_again(tmp_path: Path) -> None:
    figure = [FIGURES["ecfr-4"]]
    first = list(make(figure, "quick", Work(store=CurveStore(tmp_path)), TINY))
    for path in tmp_path.iterdir():
        path.write_text(path.read_text()[:50])
    work = Work(store=CurveStore(tmp_path))
    second = list(make(figure, "quick", work, TINY))
    assert work.computed == 4
    assert [one.traces["kuhn"]["with b"].y for one in second] == [one.traces["kuhn"]["with b"].y for one in first]


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    figure = [FIGURES["trm-2"]]
    found = [
        next(make(figure, "quick", Work(threads=threads, store=CurveStore(tmp_path / str(threads))), TINY))
        for threads in (1, 2)
    ]
    assert table(found[0]) == table(found[1])


def test_jobs_run_on_an_executor_of_the_callers(tmp_path: Path) -> None:
    """It is used, it gives the same digits, and it stays open."""
    figure = [FIGURES["ecfr-4"]]
    seen: set[str] = set()

    class Watching:
        def started(self, job: Job) -> None:
            seen.add(threading.current_thread().name)

        def going(self, job: Job, share: float, height: float) -> None: ...

        def done(self, job: Job, left: int) -> None: ...

    with ThreadPoolExecutor(1, "theirs") as theirs:
        work = Work(store=CurveStore(tmp_path / "theirs"), executor=theirs)
        found = next(make(figure, "quick", work, TINY, Watching()))
        assert theirs.submit(int).result() == 0
    assert seen == {"theirs_0"}
    assert table(found) == table(next(make(figure, "quick", Work(store=CurveStore(tmp_path / "ours")), TINY)))


def test_who_stops_listening_stops_the_jobs(tmp_path: Path) -> None:
    """What is not taken up is given up, also on an executor that stays open."""
    jobs = [Job("kuhn", "cfr", 1), *(Job("kuhn", "cfr", 10**9, seed=seed) for seed in range(3))]
    with ThreadPoolExecutor(2) as theirs:
        going = Work(store=CurveStore(tmp_path), executor=theirs).run(jobs)
        assert next(going).job.length == 1
        going.close()  # type: ignore[attr-defined]
        assert theirs.submit(int).result() == 0


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [("leduc", "dcfr"), ("leduc", "ecfr"), ("leduc", "hedge(0.2)"), ("leduc", "oftrl(theory, losses=chips, kappa=1)"),
     ("deepstack:river-5k:0", "cfr+"), ("deepstack:river-5k:0", "oftrl(theory, losses=chips, kappa=1)"),
     ("deepstack:river-5k:0", "oftrl(fixed, eta=0.001)")],
)  # fmt: skip
def test_payoffs_of_another_scale_change_nothing_but_rounding(game: str, algorithm: str) -> None:
    """Whatever depends on the unit is adapted; the digits differ, so that rounding is another one."""
    found = []
    for payoffs in jobs.PAYOFFS:
        job = Job(game, algorithm, 12, payoffs=payoffs)
        found.append(compute(job, problem(game), 1, threading.Event(), lambda share, height: None).y)
    for other in found[1:]:
        assert other == pytest.approx(found[0], rel=1e-3)
    assert len(set(found)) > 1


def test_a_run_that_is_not_repeated_is_made_with_other_scales_of_the_payoffs(tmp_path: Path) -> None:
    figure = FIGURES["ecfr-4"]
    made = next(make([figure], "gallery", Work(store=CurveStore(tmp_path)), Most(iterations=40)))
    line = made.traces["leduc"]["with b"]
    assert (line.repeats, len(line.runs)) == (1, len(jobs.PAYOFFS))
    assert all(low <= y <= high for low, y, high in zip(line.low, line.y, line.high, strict=True))
    assert Made.load(write(figure, made, tmp_path)[0]) == made


def test_one_street_is_solved_to_what_its_leaves_say() -> None:
    """Whoever is all-in or checks down gets the equities, and the average comes near an equilibrium."""
    game = OneStreet("deepstack:preflop-5k:1")
    tree = game.build()
    assert game.sizes[0] == 12 * HAND_COUNT
    assert {end.kind for end in tree.first.ends} == {FOLD, ALLIN}
    assert np.array_equal(tree.board.equity, -tree.board.equity.T)
    solver = game.solver(game.algorithm("dcfr"), Limits(iterations=30, threads=1))
    passive = [np.zeros(size) for size in tree.store]
    for decision in tree.decisions():
        width = len(tree.board.hands[decision.player])
        choice = tree.first.choices[decision.number]
        row = 0 if "check" in choice.actions else 1
        passive[decision.player][decision.at][row * width : (row + 1) * width] = 1.0
    solver.set_averages(*passive)
    one, two = tree.weights
    checked = POT / 2 * float(one @ tree.board.equity.astype(float) @ two) / tree.total
    assert solver.evaluate().value == pytest.approx(checked, rel=1e-4)
    solver = game.solver(game.algorithm("dcfr"), Limits(iterations=30, threads=1))
    solver.run(30)
    assert solver.evaluate().exploitability < 0.01 * POT


def test_equities_of_a_flop_are_those_of_its_runouts() -> None:
    """Against the form of a spot, which adds them up from the river."""
    spot = rue.holdem.spot("Ks7h2d", 200, 300, "AA,99,87s", "KK,65s,A5", "allin")
    tree = public_tree(spot, isomorphism=False)
    hands = np.union1d(*tree.board.hands)
    places = [np.searchsorted(hands, own) for own in tree.board.hands]
    found = flop_equities(spot.board, hands)
    assert found[np.ix_(*places)] == pytest.approx(tree.board.equity, abs=1e-6)


def test_a_curve_is_what_solving_gives() -> None:
    job = Job("leduc", "dcfr", 50)
    found = compute(job, problem("leduc"), 1, threading.Event(), lambda share, height: None)
    expected = rue.solve("leduc", "dcfr", iterations=50)
    assert found.x == tuple(point.iteration for point in expected.curve)
    assert found.y == tuple(point.exploitability for point in expected.curve)


def test_the_single_decision_notes_when_it_is_perfect() -> None:
    job = Job("decision([0, 1, -1000000])", "lcfr", 1200, measure="mistake")
    found = compute(job, problem(job.game), 1, threading.Event(), lambda share, height: None)
    assert found.notes["first perfect"] == 972


def test_stopping_stops() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError):
        compute(Job("kuhn", "cfr", 100), problem("kuhn"), 1, stop, lambda share, height: None)


@pytest.mark.parametrize(
    "job",
    [
        Job("leduc", "dcfr", 60),
        Job("leduc", "ecfr", 60),
        Job("leduc", "oftrl(tuned)", 60),
        Job("rps", "trm-cfr(random=1)", 60, start_seed=3, measure="distance"),
        Job("deepstack:river-5k:0", "nh-dcfr", 30),
        Job("deepstack:river-5k:0", "linear-mccfr(1e4)", 25_000, x="nodes", seed=2),
    ],
    ids=lambda job: job.algorithm,
)
def test_a_stopped_run_goes_on_where_it_was(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped and taken up at every batch, a run gives the same digits."""
    monkeypatch.setattr(jobs, "WORTH_KEEPING", 0.0)
    monkeypatch.setattr(jobs, "BATCH_SECONDS", 0.0)
    game = problem(job.game)
    whole = compute(job, game, 1, threading.Event(), lambda share, height: None)
    waiting = tmp_path / "x.part"
    for _ in range(1000):
        stop = threading.Event()
        steps = iter((False, False, True))

        def tell(share: float, height: float, stop: threading.Event = stop, steps: Iterator[bool] = steps) -> None:
            if next(steps, True):
                stop.set()

        try:
            found = compute(job, game, 1, stop, tell, waiting)
            break
        except StoppedError:
            assert waiting.exists()
    assert (found.algorithm, found.x, found.y) == (whole.algorithm, whole.x, whole.y)


def test_a_damaged_state_is_not_used(tmp_path: Path) -> None:
    waiting = tmp_path / "x.part"
    waiting.write_bytes(b"nothing of use")
    found = compute(Job("kuhn", "cfr", 20), problem("kuhn"), 1, threading.Event(), lambda s, h: None, waiting)
    assert found.last == 20


def test_numbers_that_are_not_finite_end_a_curve() -> None:
    job = Job("leduc", "ecfr(scale=1e6)", 100)
    try:
        found = compute(job, problem("leduc"), 1, threading.Event(), lambda share, height: None)
        assert all(np.isfinite(found.y))
    except rue.RueError as error:
        assert "not finite" in str(error)


def test_kept_curves_depend_on_the_data_and_the_run(endgames: Path) -> None:
    work = Work(str(endgames))
    keys = {work.key(Job(f"libratus:{number}", "dcfr", length)) for number in (3, 4) for length in (10, 20)}
    assert len(keys) == 4
    assert work.key(Job("kuhn", "cfr", 10)) != work.key(Job("kuhn", "cfr", 10, start_seed=1))


def test_repeats_are_games_or_seeds_of_their_own() -> None:
    river = FIGURES["icfr-1"]
    games = {job.game for job in jobs_of(river, river.panels[1], "full", Most())["CFR"]}
    assert len(games) == 30
    sampled = FIGURES["dcfr-10"]
    assert {job.seed for job in jobs_of(sampled, sampled.panels[0], "full", Most())["MCCFR"]} == set(range(100))


def test_sizes() -> None:
    assert [Size(100, 10, 1).at(scale) for scale in ("full", "gallery", "quick")] == [100, 10, 1]


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
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_without_the_endgames_their_figures_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUE_LIBRATUS", raising=False)
    assert run(["figure", "dcfr-3", "--quick", "--out", str(tmp_path), "--json"]) == 0
    said = capsys.readouterr()
    assert "dcfr-3 is skipped" in said.err
    for place in ("CMU-EM/LibratusEndgames", "Sandholm-Lab/LibratusEndgames"):
        assert place in said.err
    assert json.loads(said.out) == {"figures": [], "skipped": ["dcfr-3"]}


def test_papers_lists_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", "--json"]) == 0
    assert [row["key"] for row in json.loads(capsys.readouterr().out)["figures"]] == list(FIGURES)
    assert run(["papers"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for text in ("dcfr-example", "Left out: trm-1", "CMU-EM/LibratusEndgames", "Sandholm-Lab/LibratusEndgames"):
        assert text in said


def test_a_file_that_is_no_figure_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in ("", "{}", "[]", '{"format": "rue-figure", "version": 1}', '{"format": "rue-figure", "version": 9}'):
        path.write_text(text)
        with pytest.raises(rue.RueError):
            Made.load(path)


def test_files_are_the_same_for_the_same_numbers(tmp_path: Path) -> None:
    figure = figures(["ecfr-4"])[0]
    made = next(make([figure], "quick", Work(store=CurveStore(tmp_path / "kept")), TINY))
    for name in ("a", "b"):
        write(figure, made, tmp_path / name)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_distance_is_zero_at_the_equilibrium() -> None:
    form = rue.compile_game(rue.game("rps"))
    plans = rue.equilibrium(form)
    assert jobs.distance(plans, plans) == 0.0
