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
from zerosum.papers.claims.claim import Verdict
from zerosum.papers.curve import Curve, combine_runs
from zerosum.papers.curve_job import version
from zerosum.papers.curve_spec import PAYOFF_SCALES, CurveSpec
from zerosum.papers.figure import Figure, FigureLimits, Panel, Scale
from zerosum.papers.plots.figure_plot import render
from zerosum.papers.problem_cache import ProblemCache
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
    """A figure with its curves (panel -> label -> curve) and the verdicts on its claims."""

    key: str
    scale: str
    curves: dict[str, dict[str, Curve]]
    verdicts: tuple[Verdict, ...]
    failures: tuple[str, ...] = ()
    """Messages about runs without a curve."""

    @property
    def seconds(self) -> float:
        """What all its runs took, each on one core; runs that two panels show count once."""
        curves = (curve for panel in self.curves.values() for curve in panel.values())
        return sum({(curve.description, curve.seconds): curve.seconds for curve in curves}.values())

    def to_json(self) -> dict[str, Any]:
        """Return all fields for JSON."""
        curves = {
            panel: {label: curve.to_json() for label, curve in lines.items()} for panel, lines in self.curves.items()
        }
        return {"format": FORMAT, "version": FORMAT_VERSION, "seconds": self.seconds, **asdict(self), "curves": curves}

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


def runs_for_figure(figure: Figure, scale: Scale, limits: FigureLimits) -> Runs:
    """Return the runs of each line of each panel."""
    return {panel.title: runs_for_panel(figure, panel, scale, limits) for panel in figure.panels}


def runs_for_panel(figure: Figure, panel: Panel, scale: Scale, limits: FigureLimits) -> dict[str, list[CurveSpec]]:
    """Return the runs of each line: its repeats, or one run with several scales of its payoffs."""
    length, repeats = limits.length(panel, scale), limits.repeats_of(panel, scale)
    payoff_scales = PAYOFF_SCALES[: limits.payoff_scales_of(panel, scale)]
    even_points = any(other.axes.startswith("linear") for other in figure.panels)
    return {
        line.label: [
            CurveSpec(
                panel.game.replace("{}", str(repeat)),
                line.algorithm,
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
        for line in limits.lines(panel, scale)
    }


def all_runs(runs: Runs) -> list[CurveSpec]:
    """Return the runs of all lines, each once."""
    return list(dict.fromkeys(spec for lines in runs.values() for specs in lines.values() for spec in specs))


def reproduce(
    figures: Sequence[Figure],
    scale: Scale,
    runner: JobRunner,
    problems: ProblemCache,
    limits: FigureLimits | None = None,
) -> Iterator[FigureResult]:
    """Run what the figures need, and yield each as soon as its last run is done; after Ctrl-C (`runner.interrupted`)
    also those of which some lines are done."""
    limits = limits or FigureLimits()
    if limits.only:
        figures = [figure for figure in figures if any(limits.lines(panel, scale) for panel in figure.panels)]
        if not figures:
            raise ZerosumError(f"no line matches {limits.only!r}: give a part of PANEL: LABEL, like 'subgame 1: CFR+'")
    runs = {figure.key: runs_for_figure(figure, scale, limits) for figure in figures}
    missing = {key: set(all_runs(panels)) for key, panels in runs.items()}
    outcomes: dict[CurveSpec, Curve | ZerosumError] = {}

    def finished() -> Iterator[FigureResult]:
        for figure in figures:
            if figure.key in missing and not missing[figure.key]:
                del missing[figure.key]
                yield build_result(figure, runs[figure.key], scale, outcomes)

    yield from finished()  # figures without runs
    specs = dict.fromkeys(spec for panels in runs.values() for spec in all_runs(panels))
    for job, result in runner.run([problems.job(spec) for spec in specs]):
        outcomes[job.spec] = outcome_of(result)
        for waiting in missing.values():
            waiting.discard(job.spec)
        yield from finished()
    if runner.interrupted:
        begun = [build_result(figure, runs[figure.key], scale, outcomes) for figure in figures if figure.key in missing]
        yield from (result for result in begun if any(result.curves.values()))


def outcome_of(result: JobResult | ZerosumError) -> Curve | ZerosumError:
    """Return the curve of a result, or the error."""
    return result if isinstance(result, ZerosumError) else Curve.from_json(result.content)


def build_result(figure: Figure, runs: Runs, scale: Scale, outcomes: Outcomes) -> FigureResult:
    """Return the figure with the lines whose runs are all done, judged."""
    curves: dict[str, dict[str, Curve]] = {title: {} for title in runs}
    for panel in figure.panels:
        for line in panel.lines:
            specs = runs[panel.title].get(line.label, [])
            done = [curve for curve in map(outcomes.get, specs) if isinstance(curve, Curve)]
            if specs and len(done) == len(specs):
                curve = combine_runs(line.label, done, scaled=len({spec.payoff_scale for spec in specs}) > 1)
                curves[panel.title][line.label] = replace(
                    curve, description=panel.run_text(line), length=specs[0].length, version=version()
                )
    errors = {spec: outcomes.get(spec) for spec in all_runs(runs)}
    failures = tuple(f"{spec}: {error}" for spec, error in errors.items() if isinstance(error, ZerosumError))
    return FigureResult(figure.key, scale, curves, _judge(figure, curves), failures)


def _judge(figure: Figure, curves: dict[str, dict[str, Curve]]) -> tuple[Verdict, ...]:
    return tuple(claim.judge(curves) for claim in figure.claims)


def merge_with_saved(figure: Figure, result: FigureResult, folder: Path) -> FigureResult:
    """Return the result with the lines that were not run taken from the figure's file in a folder, if it has them.

    A line is taken if it is the same algorithm on the same game. Every line says how long it is and which version
    computed it; all are judged together.
    """
    path = folder / f"{figure.key}.json"
    if not path.is_file() or all(len(result.curves[panel.title]) == len(panel.lines) for panel in figure.panels):
        return result
    saved = FigureResult.load(path).curves
    curves: dict[str, dict[str, Curve]] = {}
    for panel in figure.panels:
        new, old = result.curves[panel.title], saved.get(panel.title, {})
        lines = [(line, new.get(line.label) or old.get(line.label)) for line in panel.lines]
        curves[panel.title] = {
            line.label: curve
            for line, curve in lines
            if curve is not None and curve.description == panel.run_text(line)
        }
    return replace(result, curves=curves, verdicts=_judge(figure, curves))


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
        f"{result.key}.json": _json_text(result.to_json()).encode(),
        f"{result.key}.csv": csv_text(result).encode(),
    }
    images = render(figure, result.curves, image_formats) if image_formats else {}
    files |= {f"{result.key}.{image_format}": data for image_format, data in images.items()}
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]


def _json_text(content: dict[str, Any]) -> str:
    """Return the text of a file, with each list of numbers on one line."""
    text = json.dumps(content, indent=1, allow_nan=False)
    return NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text) + "\n"


def csv_text(result: FigureResult) -> str:
    """Return the numbers as CSV, one row per point."""
    rows = (
        [result.key, panel, label, curve.algorithm, curve.repeats, *(f"{number:.10g}" for number in point)]
        for panel, lines in result.curves.items()
        for label, curve in lines.items()
        for point in zip(curve.x, curve.y, curve.low, curve.high, strict=True)
    )
    return format_csv(["figure", "panel", "line", "algorithm", "repeats", "x", "y", "low", "high"], rows)
