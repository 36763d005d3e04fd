"""The figures of the papers: what a page asks about them, and running one."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from rue.algorithms.catalogue import PAPERS
from rue.errors import RueError, nearest
from rue.explore.asked import read
from rue.explore.easel import SCALE, Easel
from rue.explore.explorer import Explorer, Handlers, Request
from rue.papers import gallery
from rue.papers.catalogue import FIGURES, LEFT_OUT
from rue.papers.draw import clock, pictures, quantity
from rue.papers.figure import Figure, Most, Panel
from rue.papers.make import Made, table
from rue.papers.traces import Trace
from rue.records import dataclass

LONGEST = {"iterations": 1000, "nodes": 1_000_000, "repeats": 2}
"""Of what a page runs if it says nothing else; the scale has its own limits."""


@dataclass(frozen=True)
class FigureAsked:
    """How long the runs of a figure are at most."""

    iterations: int | None = None
    nodes: int | None = None
    repeats: int | None = None

    def most(self) -> Most:
        """The limits."""
        given = {name: LONGEST[name] if value is None else value for name, value in vars(self).items()}
        return Most(given["iterations"], given["nodes"], given["repeats"])


@dataclass(frozen=True)
class DrawnAsked:
    """A figure of the gallery (`kept`), or as it was run here (`own`)."""

    of: str = "kept"


def figures(explorer: Explorer, request: Request) -> Any:
    """The figures of the papers."""
    papers = [
        {"key": key, "title": title, "figures": [_about(each) for each in FIGURES.values() if each.paper == key]}
        for key, title in PAPERS.items()
    ]
    return {"papers": papers, "left_out": LEFT_OUT}


def _about(figure: Figure) -> dict[str, Any]:
    return {**figure.about, "drawing": figure.drawing, "claims": len(figure.claims)}


def figure(explorer: Explorer, request: Request) -> Any:
    """A figure: as it stands in the gallery, as it was run here, and as far as it is."""
    found, easel = _figure(request), explorer.easel
    going = easel.now if easel.now is not None and easel.now.figure.key == found.key else None
    before, own = gallery.kept(found.key), _own(easel, found)
    return {
        **_about(found),
        "notes": found.notes,
        "lengths": {panel.title: panel.length.at(SCALE) for panel in found.panels},
        "kept": None if before is None else _shown(found, before),
        "own": None if own is None else _shown(found, own),
        "going": None if going is None else {**going.told(), "panels": _panels(found, going.lines())},
    }


def _figure(request: Request) -> Figure:
    key = request.parts["name"]
    if key not in FIGURES:
        raise RueError(f"there is no figure {key[:40]!r}; {nearest(key[:40], FIGURES)}")
    return FIGURES[key]


def _own(easel: Easel, figure: Figure) -> Made | None:
    """What was finished here; nothing while it is run anew."""
    going = easel.now is not None and easel.now.figure.key == figure.key and easel.now.state == "running"
    return None if going else easel.made(figure.key)


def _shown(figure: Figure, made: Made) -> dict[str, Any]:
    lines = {title: {label: (trace, True) for label, trace in own.items()} for title, own in made.traces.items()}
    verdicts = [{"claim": each.claim, "word": each.word, "shown": each.shown} for each in made.verdicts]
    every = [trace for own in made.traces.values() for trace in own.values()]
    about = {
        "scale": made.scale,
        "seconds": made.seconds,
        "length": max((trace.length for trace in every), default=0),
        "repeats": max((trace.repeats for trace in every), default=1),
    }
    return {**about, "panels": _panels(figure, lines), "verdicts": verdicts, "failures": list(made.failures)}


def _panels(figure: Figure, lines: dict[str, dict[str, tuple[Trace, bool]]]) -> list[dict[str, Any]]:
    """The panels that are drawn as curves; other figures are pictures."""
    if figure.drawing not in ("curves", "dots"):
        return []
    drawn = [panel for panel in figure.panels if panel.drawn]
    return [_panel(panel, lines.get(panel.title, {})) for panel in drawn]


def _panel(panel: Panel, lines: dict[str, tuple[Trace, bool]]) -> dict[str, Any]:
    across, _, up = panel.axes.partition("-")
    return {
        "title": panel.title,
        "game": panel.game,
        "x": {"title": clock(panel), "log": across == "log"},
        "y": {"title": quantity(panel), "log": (up or across) == "log"},
        "lines": [
            {"label": label, "place": place, **_line(*lines[label])}
            for place, label in enumerate(line.label for line in panel.lines)
            if label in lines
        ],
    }


def _line(trace: Trace, whole: bool) -> dict[str, Any]:
    band = trace.low != trace.high
    return {
        "algorithm": trace.algorithm,
        "whole": whole,
        "x": _digits(trace.x),
        "y": _digits(trace.y),
        "low": _digits(trace.low) if band else None,
        "high": _digits(trace.high) if band else None,
    }


def _digits(numbers: Iterable[float]) -> list[float]:
    return [float(f"{number:.6g}") for number in numbers]


def _drawn(explorer: Explorer, request: Request) -> tuple[Figure, Made]:
    """The figure of a request, of the gallery or of one's own."""
    found, of = _figure(request), read(DrawnAsked, request.data).of
    if of not in ("kept", "own"):
        raise RueError(f"a figure is kept or own, not {of[:20]!r}")
    made = gallery.kept(found.key) if of == "kept" else explorer.easel.made(found.key)
    if made is None:
        raise RueError(f"{found.key} has not been run here" if of == "own" else f"{found.key} is not in the gallery")
    return found, made


def picture(explorer: Explorer, request: Request) -> Any:
    """The picture of a figure: that of the gallery as it is kept, one's own as it is drawn now."""
    found, made = _drawn(explorer, request)
    image = gallery.picture(found.key) if made is gallery.kept(found.key) else None
    kind = "svg+xml" if image is None else "png"
    image = pictures(found, made.traces, ["svg"])["svg"] if image is None else image
    return {"image": f"data:image/{kind};base64,{base64.b64encode(image).decode()}"}


def numbers(explorer: Explorer, request: Request) -> Any:
    """The numbers of a figure as CSV."""
    return {"text": table(_drawn(explorer, request)[1])}


def run_figure(explorer: Explorer, request: Request) -> Any:
    """Run a figure, or go on with it."""
    found, asked = _figure(request), read(FigureAsked, request.data)
    explorer.easel.start(found, asked.most())
    return figure(explorer, request)


def stop_figure(explorer: Explorer, request: Request) -> Any:
    """Stop a figure that is run; what was reached is kept."""
    found, now = _figure(request), explorer.easel.now
    if now is None or now.figure.key != found.key or now.state != "running":
        raise RueError(f"{found.key} is not being run")
    explorer.easel.stop()
    return figure(explorer, request)


HANDLERS: Handlers = {
    ("GET", "/api/figures"): figures,
    ("GET", "/api/figures/{name}"): figure,
    ("GET", "/api/figures/{name}/picture"): picture,
    ("GET", "/api/figures/{name}/table"): numbers,
    ("POST", "/api/figures/{name}/run"): run_figure,
    ("POST", "/api/figures/{name}/stop"): stop_figure,
}
