"""The figures of the papers: list them, run one, show its curves."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zerosum.algorithms.catalogue import PAPERS
from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.handlers.figure_task import FOLDER, SCALE, FigureTask, PartialLines, local_figure
from zerosum.explorer.requests import read
from zerosum.papers import gallery
from zerosum.papers.catalogue import FIGURES, LEFT_OUT
from zerosum.papers.curve import Curve
from zerosum.papers.figure import Figure, FigureLimits, Panel
from zerosum.papers.plots.figure_plot import render, x_label, y_label
from zerosum.papers.reproduction import FigureResult, csv_text
from zerosum.support.errors import ZerosumError, suggest_names

DEFAULT_LIMITS = {"iterations": 1000, "nodes": 1_000_000, "repeats": 2}
"""Limits of the runs of a page that sets no others, in addition to those of the scale."""
DIGITS = 6
"""Significant digits of the points of a curve."""


@dataclass(frozen=True)
class FigureRequest:
    """Upper limits on the runs of a figure."""

    iterations: int | None = None
    nodes: int | None = None
    repeats: int | None = None

    def limits(self) -> FigureLimits:
        """Return the limits, with defaults for those that are not set."""
        limits = {name: DEFAULT_LIMITS[name] if value is None else value for name, value in vars(self).items()}
        return FigureLimits(limits["iterations"], limits["nodes"], limits["repeats"])


@dataclass(frozen=True)
class FigureSource:
    """Which figure is meant: that of the gallery (`gallery`), or as it was run in this workspace (`local`)."""

    source: str = "gallery"


def list_figures(explorer: Explorer, request: Request) -> Any:
    """Return the figures of each paper."""
    papers = [
        {"key": key, "title": title, "figures": [_about(figure) for figure in FIGURES.values() if figure.paper == key]}
        for key, title in PAPERS.items()
    ]
    return {"papers": papers, "left_out": LEFT_OUT}


def _about(figure: Figure) -> dict[str, Any]:
    return {**figure.to_json(), "drawing": figure.drawing, "claims": len(figure.claims)}


def show_figure(explorer: Explorer, request: Request) -> Any:
    """Return a figure: that of the gallery, as it was run here, and the task that runs it."""
    figure = _find_figure(request)
    task = _latest_task(explorer, figure)
    gallery_figure = gallery.load_figure(figure.key)
    is_running = task is not None and task.is_active
    local = None if is_running else local_figure(explorer.workspace, figure.key)
    return {
        **_about(figure),
        "notes": figure.notes,
        "lengths": {panel.title: panel.length.at(SCALE) for panel in figure.panels},
        "gallery": None if gallery_figure is None else _figure_json(figure, gallery_figure),
        "local": None if local is None else _figure_json(figure, local),
        "task": None if task is None else {**task.to_json(), "panels": _panels(figure, task.lines())},
    }


def _find_figure(request: Request) -> Figure:
    key = request.path["name"]
    if key not in FIGURES:
        raise ZerosumError(f"there is no figure {key[:40]!r}; {suggest_names(key[:40], FIGURES)}")
    return FIGURES[key]


def _latest_task(explorer: Explorer, figure: Figure) -> FigureTask | None:
    task = explorer.figure_queue.latest
    return task if isinstance(task, FigureTask) and task.key == figure.key else None


def _figure_json(figure: Figure, result: FigureResult) -> dict[str, Any]:
    lines = {
        title: {label: (curve, True) for label, curve in curves.items()} for title, curves in result.curves.items()
    }
    curves = [curve for panel in result.curves.values() for curve in panel.values()]
    return {
        "scale": result.scale,
        "seconds": result.seconds,
        "length": max((curve.length for curve in curves), default=0),
        "repeats": max((curve.repeats for curve in curves), default=1),
        "panels": _panels(figure, lines),
        "verdicts": [
            {"claim": verdict.claim, "word": verdict.word, "evidence": verdict.evidence} for verdict in result.verdicts
        ],
        "failures": list(result.failures),
    }


def _panels(figure: Figure, lines: PartialLines) -> list[dict[str, Any]]:
    """Return the panels that the page draws as curves; other figures are shown as pictures."""
    if figure.drawing not in ("curves", "dots"):
        return []
    return [_panel(panel, lines.get(panel.title, {})) for panel in figure.panels if panel.drawn]


def _panel(panel: Panel, lines: dict[str, tuple[Curve, bool]]) -> dict[str, Any]:
    across, _, up = panel.axes.partition("-")
    return {
        "title": panel.title,
        "game": panel.game,
        "x": {"title": x_label(panel), "log": across == "log"},
        "y": {"title": y_label(panel), "log": (up or across) == "log"},
        "lines": [
            {"label": line.label, "style": index, **_line(*lines[line.label])}
            for index, line in enumerate(panel.lines)
            if line.label in lines
        ],
    }


def _line(curve: Curve, is_complete: bool) -> dict[str, Any]:
    has_band = curve.low != curve.high
    return {
        "algorithm": curve.algorithm,
        "is_complete": is_complete,
        "x": _rounded(curve.x),
        "y": _rounded(curve.y),
        "low": _rounded(curve.low) if has_band else None,
        "high": _rounded(curve.high) if has_band else None,
    }


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [float(f"{number:.{DIGITS}g}") for number in numbers]


def _find_result(explorer: Explorer, request: Request) -> tuple[Figure, FigureResult]:
    """Return the figure of a request, of the gallery or as it was run here."""
    figure, source = _find_figure(request), read(FigureSource, request.body).source
    if source not in ("gallery", "local"):
        raise ZerosumError(f"a figure's source is gallery or local, not {source[:20]!r}")
    if source == "gallery":
        result = gallery.load_figure(figure.key)
        problem = f"{figure.key} is not in the gallery"
    else:
        result = local_figure(explorer.workspace, figure.key)
        problem = f"{figure.key} has not been run here"
    if result is None:
        raise ZerosumError(problem)
    return figure, result


def picture(explorer: Explorer, request: Request) -> Any:
    """Return the picture of a figure: the stored one of the gallery, or a new drawing of one that was run here."""
    figure, result = _find_result(explorer, request)
    image = gallery.load_picture(figure.key) if result is gallery.load_figure(figure.key) else None
    image_type = "svg+xml" if image is None else "png"
    image = render(figure, result.curves, ["svg"])["svg"] if image is None else image
    return {"image": f"data:image/{image_type};base64,{base64.b64encode(image).decode()}"}


def numbers(explorer: Explorer, request: Request) -> Any:
    """Return the numbers of a figure as CSV."""
    return {"text": csv_text(_find_result(explorer, request)[1])}


def run_figure(explorer: Explorer, request: Request) -> Any:
    """Run a figure, or continue one that was stopped."""
    figure, limits = _find_figure(request), read(FigureRequest, request.body).limits()
    if figure.needs_libratus and explorer.libratus_folder is None:
        raise ZerosumError(
            f"{figure.key} needs the files of the Libratus endgames: start zerosum explore --data FOLDER"
        )
    folder = explorer.workspace.path_of(FOLDER)
    explorer.figure_queue.submit_alone(FigureTask(figure, limits, folder, explorer.libratus_folder))
    return show_figure(explorer, request)


def stop_figure(explorer: Explorer, request: Request) -> Any:
    """Stop a figure that is running; its progress is saved."""
    figure = _find_figure(request)
    task = _latest_task(explorer, figure)
    if task is None or not task.is_active:
        raise ZerosumError(f"{figure.key} is not running")
    task.stop()
    return show_figure(explorer, request)


HANDLERS: Handlers = {
    ("GET", "/api/figures"): list_figures,
    ("GET", "/api/figures/{name}"): show_figure,
    ("GET", "/api/figures/{name}/picture"): picture,
    ("GET", "/api/figures/{name}/table"): numbers,
    ("POST", "/api/figures/{name}/run"): run_figure,
    ("POST", "/api/figures/{name}/stop"): stop_figure,
}
