"""The figures of the papers: list them, run one, show its curves."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Annotated, Any

from zerosum.algorithms.catalogue import PAPERS
from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.handlers.figure_task import FOLDER, SCALE, FigureTask, PartialLines, load_local_figure
from zerosum.papers import gallery
from zerosum.papers.catalogue import FIGURES, LEFT_OUT
from zerosum.papers.curve import Curve
from zerosum.papers.figure import Figure, FigureLimits, Panel
from zerosum.papers.figure_plot import render_figure
from zerosum.papers.reproduction import FigureResult
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import Option

DIGITS = 6
"""Significant digits of the points of a curve."""
FigureSource = Annotated[str, Option(choices=("gallery", "local"))]
"""Which figure is meant: that of the gallery, or as it was run in this workspace."""


@route("GET", "/api/figures")
def list_figures(explorer: Explorer) -> Any:
    """Return the figures of each paper."""
    papers = [
        {
            "key": key,
            "title": title,
            "figures": [_figure_to_json(figure) for figure in FIGURES.values() if figure.paper == key],
        }
        for key, title in PAPERS.items()
    ]
    return {"papers": papers, "left_out": LEFT_OUT}


def _figure_to_json(figure: Figure) -> dict[str, Any]:
    return {**figure.to_json(), "drawing": figure.drawing, "claims": len(figure.claims)}


@route("GET", "/api/figures/{name}")
def show_figure(explorer: Explorer, name: str) -> Any:
    """Return a figure: that of the gallery, as it was run here, and the task that runs it."""
    figure = _find_figure(name)
    task = _find_latest_task(explorer, figure)
    gallery_figure = gallery.load_figure(figure.key)
    is_running = task is not None and task.is_active
    local = None if is_running else load_local_figure(explorer.workspace, figure.key)
    return {
        **_figure_to_json(figure),
        "notes": figure.notes,
        "lengths": {panel.title: panel.length.at_scale(SCALE) for panel in figure.panels},
        "gallery": None if gallery_figure is None else _result_to_json(figure, gallery_figure),
        "local": None if local is None else _result_to_json(figure, local),
        "task": None if task is None else {**task.to_json(), "panels": _panels_to_json(figure, task.collect_lines())},
    }


def _find_figure(name: str) -> Figure:
    if name not in FIGURES:
        raise ZerosumError(f"there is no figure {name[:40]!r}; {suggest_names(name[:40], FIGURES)}")
    return FIGURES[name]


def _find_latest_task(explorer: Explorer, figure: Figure) -> FigureTask | None:
    task = explorer.figure_queue.latest
    return task if isinstance(task, FigureTask) and task.key == figure.key else None


def _result_to_json(figure: Figure, result: FigureResult) -> dict[str, Any]:
    lines = {
        title: {label: (curve, True) for label, curve in curves.items()} for title, curves in result.curves.items()
    }
    curves = [curve for panel in result.curves.values() for curve in panel.values()]
    return {
        "scale": result.scale,
        "seconds": result.seconds,
        "length": max((curve.length for curve in curves), default=0),
        "repeats": max((curve.repeats for curve in curves), default=1),
        "panels": _panels_to_json(figure, lines),
        "verdicts": [vars(verdict) for verdict in result.verdicts],
        "failures": list(result.failures),
    }


def _panels_to_json(figure: Figure, lines: PartialLines) -> list[dict[str, Any]]:
    """Return the panels that the page draws as curves; other figures are shown as pictures."""
    if figure.drawing not in ("curves", "dots"):
        return []
    return [_panel_to_json(panel, lines.get(panel.title, {})) for panel in figure.panels if panel.is_drawn]


def _panel_to_json(panel: Panel, lines: dict[str, tuple[Curve, bool]]) -> dict[str, Any]:
    across, up = panel.axes.split("-")
    return {
        "title": panel.title,
        "game": panel.game,
        "x": {"title": panel.x_label, "log": across == "log"},
        "y": {"title": panel.y_label, "log": up == "log"},
        "lines": [
            {"label": label, "style": index, **_line_to_json(*lines[label])}
            for index, label in enumerate(panel.lines)
            if label in lines
        ],
    }


def _line_to_json(curve: Curve, is_complete: bool) -> dict[str, Any]:
    has_band = curve.low != curve.high
    return {
        "algorithm": curve.algorithm,
        "is_complete": is_complete,
        "x": _round_numbers(curve.x),
        "y": _round_numbers(curve.y),
        "low": _round_numbers(curve.low) if has_band else None,
        "high": _round_numbers(curve.high) if has_band else None,
    }


def _round_numbers(numbers: Iterable[float]) -> list[float]:
    return [float(f"{number:.{DIGITS}g}") for number in numbers]


@route("GET", "/api/figures/{name}/picture")
def draw_figure(explorer: Explorer, name: str, source: FigureSource = "gallery") -> Any:
    """Return the picture of a figure: the stored one of the gallery, or a new drawing of one that was run here."""
    figure, result = _find_figure(name), _load_result(explorer, name, source)
    image = gallery.load_picture(name) if source == "gallery" else None
    image_type = "svg+xml" if image is None else "png"
    image = render_figure(figure, result.curves, ["svg"])["svg"] if image is None else image
    return {"image": f"data:image/{image_type};base64,{base64.b64encode(image).decode()}"}


@route("GET", "/api/figures/{name}/table")
def export_figure(explorer: Explorer, name: str, source: FigureSource = "gallery") -> Any:
    """Return the points of a figure as CSV."""
    return {"text": _load_result(explorer, name, source).to_csv()}


def _load_result(explorer: Explorer, name: str, source: str) -> FigureResult:
    """Return a figure of the gallery or as it was run here."""
    figure = _find_figure(name)
    if source == "gallery":
        result, reason = gallery.load_figure(figure.key), "is not in the gallery"
    else:
        result, reason = load_local_figure(explorer.workspace, figure.key), "has not been run here"
    if result is None:
        raise ZerosumError(f"{figure.key} {reason}")
    return result


@route("POST", "/api/figures/{name}/run")
def run_figure(explorer: Explorer, name: str, iterations: int = 1000, nodes: int = 1_000_000, repeats: int = 2) -> Any:
    """Run a figure, or continue one that was stopped; the limits of its runs are upper bounds, as is their scale."""
    figure = _find_figure(name)
    limits = FigureLimits(iterations, nodes, repeats)
    if figure.needs_libratus and explorer.libratus_folder is None:
        raise ZerosumError(
            f"{figure.key} needs the files of the Libratus endgames: start zerosum explore --data FOLDER"
        )
    folder = explorer.workspace.get_safe_path(FOLDER)
    explorer.figure_queue.submit_alone(FigureTask(figure, limits, folder, explorer.libratus_folder))
    return show_figure(explorer, name)


@route("POST", "/api/figures/{name}/stop")
def stop_figure(explorer: Explorer, name: str) -> Any:
    """Stop a figure that is running; its progress is saved."""
    figure = _find_figure(name)
    task = _find_latest_task(explorer, figure)
    if task is None or not task.is_active:
        raise ZerosumError(f"{figure.key} is not running")
    task.stop()
    return show_figure(explorer, name)
