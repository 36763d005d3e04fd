"""Reproduce figures: run what they need, judge their claims, and read and write their files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from zerosum.jobs.job import JobResult
from zerosum.jobs.runner import JobRunner
from zerosum.papers.claim import Verdict
from zerosum.papers.curve import Curve, combine_runs
from zerosum.papers.curve_job import PAYOFF_SCALES, CurveSpec, compute_version
from zerosum.papers.figure import Figure, FigureLimits, Scale
from zerosum.papers.figure_plot import render_figure
from zerosum.papers.problems import ProblemCache
from zerosum.support.errors import ZerosumError
from zerosum.support.files import parse_json, read_at_most, write_atomically
from zerosum.support.system import max_text_bytes
from zerosum.support.text import format_csv

FORMAT, FORMAT_VERSION = "zerosum-figure", 3
IMAGE_FORMATS = ("svg", "png")
NUMBERS = re.compile(r"\[\s*([-+.,\de\s]*?)\s*\]")
"""A list of numbers in JSON, over several lines."""

Runs = dict[str, dict[str, list[CurveSpec]]]
"""Panel -> label -> the runs of a line."""
Outcomes = Mapping[CurveSpec, Curve | ZerosumError]
"""The curve of each run that has ended, or the error it failed with."""


@dataclass(frozen=True)
class FigureResult:
    """A figure with its curves and the verdicts on its claims."""

    key: str
    scale: str
    curves: dict[str, dict[str, Curve]]
    """Panel -> label -> curve."""
    verdicts: tuple[Verdict, ...]
    failures: tuple[str, ...] = ()
    """Messages about runs without a curve."""

    @property
    def seconds(self) -> float:
        """The time of all its runs, each on one core; runs that two panels show count once."""
        curves = (curve for panel in self.curves.values() for curve in panel.values())
        return sum({(curve.description, curve.seconds): curve.seconds for curve in curves}.values())

    def to_json(self) -> dict[str, Any]:
        """Return all fields for JSON."""
        curves = {
            panel: {label: curve.to_json() for label, curve in lines.items()} for panel, lines in self.curves.items()
        }
        return {"format": FORMAT, "version": FORMAT_VERSION, "seconds": self.seconds, **asdict(self), "curves": curves}

    def to_csv(self) -> str:
        """Return the numbers as CSV, one row per point."""
        rows = (
            [self.key, panel, label, curve.algorithm, curve.repeats, *(f"{number:.10g}" for number in point)]
            for panel, lines in self.curves.items()
            for label, curve in lines.items()
            for point in zip(curve.x, curve.y, curve.low, curve.high, strict=True)
        )
        return format_csv(["figure", "panel", "line", "algorithm", "repeats", "x", "y", "low", "high"], rows)

    @staticmethod
    def load(path: Path) -> FigureResult:
        """Read a file that `write_files` wrote."""
        try:
            content = parse_json(read_at_most(path, max_text_bytes()), path)
            if content["format"] != FORMAT or content["version"] != FORMAT_VERSION:
                raise ZerosumError(f"{path} does not hold a figure of this version of zerosum")
            content["curves"] = {
                panel: {label: Curve.from_json(curve) for label, curve in lines.items()}
                for panel, lines in content["curves"].items()
            }
            content["verdicts"] = tuple(Verdict(**verdict) for verdict in content["verdicts"])
            content["failures"] = tuple(content["failures"])
            return FigureResult(**{name: content[name] for name in FigureResult.__dataclass_fields__})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise error if isinstance(error, ZerosumError) else ZerosumError(f"{path} does not hold a figure") from None


def plan_runs(figure: Figure, scale: Scale, limits: FigureLimits) -> Runs:
    """Return the runs of each line of each panel: its repeats, or one run with several scales of its payoffs."""
    even_points = any(panel.axes.startswith("linear") for panel in figure.panels)
    runs: Runs = {}
    for panel in figure.panels:
        length = panel.length.at_scale(scale, limits.nodes if panel.length_unit == "nodes" else limits.iterations)
        repeats = panel.repeats.at_scale(scale, limits.repeats)
        has_scales = panel.has_payoff_scales and repeats == 1
        payoff_scales = PAYOFF_SCALES[: panel.payoff_scales.at_scale(scale, limits.repeats) if has_scales else 1]
        runs[panel.title] = {
            label: [
                CurveSpec(
                    panel.game.replace("{}", str(repeat)),
                    algorithm,
                    length,
                    panel.length_unit,
                    seed=repeat if panel.length_unit == "nodes" else 0,
                    start_seed=repeat if panel.random_starts else None,
                    x_axis=panel.x_axis,
                    measure=panel.measure,
                    payoff_scale=payoff_scale,
                    even_points=even_points,
                    only_window=figure.drawing == "pairs",
                )
                for repeat in range(repeats)
                for payoff_scale in payoff_scales
            ]
            for label, algorithm in limits.choose_lines(panel, scale).items()
        }
    return runs


def list_specs(runs: Runs) -> list[CurveSpec]:
    """Return the runs of all lines, each once."""
    return list(dict.fromkeys(spec for lines in runs.values() for specs in lines.values() for spec in specs))


def reproduce(
    figures: Sequence[Figure],
    scale: Scale,
    runner: JobRunner,
    problems: ProblemCache,
    limits: FigureLimits | None = None,
) -> Iterator[FigureResult]:
    """Run what the figures need, and yield each figure as soon as its last run is done.

    After Ctrl-C (`runner.interrupted`), also yield the figures of which some lines are done.
    """
    limits = limits or FigureLimits()
    if limits.only:
        figures = [figure for figure in figures if any(limits.choose_lines(panel, scale) for panel in figure.panels)]
        if not figures:
            raise ZerosumError(f"no line matches {limits.only!r}: give a part of PANEL: LABEL, like 'subgame 1: CFR+'")
    runs = {figure.key: plan_runs(figure, scale, limits) for figure in figures}
    missing = {key: set(list_specs(panels)) for key, panels in runs.items()}
    outcomes: dict[CurveSpec, Curve | ZerosumError] = {}

    def finish_figures() -> Iterator[FigureResult]:
        for figure in figures:
            if missing.get(figure.key) == set():
                del missing[figure.key]
                yield build_result(figure, runs[figure.key], scale, outcomes)

    yield from finish_figures()  # those without runs
    specs = dict.fromkeys(spec for panels in runs.values() for spec in list_specs(panels))
    for job, result in runner.run([problems.build_job(spec) for spec in specs]):
        outcomes[job.spec] = decode_outcome(result)
        for waiting in missing.values():
            waiting.discard(job.spec)
        yield from finish_figures()
    if runner.interrupted:
        begun = (build_result(figure, runs[figure.key], scale, outcomes) for figure in figures if figure.key in missing)
        yield from (result for result in begun if any(result.curves.values()))


def decode_outcome(result: JobResult | ZerosumError) -> Curve | ZerosumError:
    """Return the curve of a result, or the error."""
    return result if isinstance(result, ZerosumError) else Curve.from_json(result.content)


def build_result(figure: Figure, runs: Runs, scale: Scale, outcomes: Outcomes) -> FigureResult:
    """Return the result of a figure: the lines whose runs are all done, and the verdict on each claim."""
    curves: dict[str, dict[str, Curve]] = {title: {} for title in runs}
    for panel in figure.panels:
        for label in panel.lines:
            specs = runs[panel.title].get(label, [])
            done = [curve for curve in map(outcomes.get, specs) if isinstance(curve, Curve)]
            if specs and len(done) == len(specs):
                curve = combine_runs(label, done, scaled=len({spec.payoff_scale for spec in specs}) > 1)
                about: dict[str, Any] = {"description": panel.describe_run(label), "length": specs[0].length}
                curves[panel.title][label] = replace(curve, version=compute_version(), **about)
    ended = {spec: outcomes.get(spec) for spec in list_specs(runs)}
    failures = tuple(f"{spec}: {error}" for spec, error in ended.items() if isinstance(error, ZerosumError))
    return FigureResult(figure.key, scale, curves, _judge_claims(figure, curves), failures)


def _judge_claims(figure: Figure, curves: dict[str, dict[str, Curve]]) -> tuple[Verdict, ...]:
    return tuple(claim.judge(curves) for claim in figure.claims)


def merge_with_saved(figure: Figure, result: FigureResult, folder: Path) -> FigureResult:
    """Return the result with the lines that were not run taken from the figure's file in a folder, if it has them.

    A line is taken if it is the same algorithm on the same game. All lines are judged together.
    """
    path = folder / f"{figure.key}.json"
    if not path.is_file() or all(len(result.curves[panel.title]) == len(panel.lines) for panel in figure.panels):
        return result
    saved = FigureResult.load(path).curves
    curves: dict[str, dict[str, Curve]] = {}
    for panel in figure.panels:
        new, old = result.curves[panel.title], saved.get(panel.title, {})
        lines = [(label, new.get(label) or old.get(label)) for label in panel.lines]
        curves[panel.title] = {
            label: curve for label, curve in lines if curve and curve.description == panel.describe_run(label)
        }
    return replace(result, curves=curves, verdicts=_judge_claims(figure, curves))


def load_saved(figures: Sequence[Figure], folder: Path) -> Iterator[FigureResult]:
    """Yield the figures that a folder holds, without lines: `merge_with_saved` adds them."""
    for figure in figures:
        path = folder / f"{figure.key}.json"
        if path.is_file():
            yield replace(FigureResult.load(path), curves={panel.title: {} for panel in figure.panels})


def write_files(
    figure: Figure, result: FigureResult, folder: Path, image_formats: Sequence[str] = IMAGE_FORMATS
) -> list[Path]:
    """Write the picture, the numbers as CSV and, with the verdicts, as JSON; each file completely or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ZerosumError(f"cannot write to {folder}: {error.strerror or error}") from None
    files = {
        f"{result.key}.json": _format_json(result.to_json()).encode(),
        f"{result.key}.csv": result.to_csv().encode(),
    }
    images = render_figure(figure, result.curves, image_formats) if image_formats else {}
    files |= {f"{result.key}.{image_format}": data for image_format, data in images.items()}
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]


def _format_json(content: dict[str, Any]) -> str:
    """Return the text of a file, with each list of numbers on one line."""
    text = json.dumps(content, indent=1, allow_nan=False)
    return NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text) + "\n"
