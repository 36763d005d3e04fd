"""The gallery: the figures that ship with the package, and the Markdown page of figures that shows a folder of them."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from zerosum.algorithms.catalogue import PAPERS
from zerosum.papers.catalogue import FIGURES, LEFT_OUT
from zerosum.papers.claim import SINGLE_RUN_MARGIN
from zerosum.papers.curve import Curve
from zerosum.papers.figure import Figure, Panel
from zerosum.papers.reproduction import FigureResult
from zerosum.support.system import processor_name

PACKAGE = Path(__file__).parent
FOLDERS = (PACKAGE / "pictures", PACKAGE.parents[2] / "docs" / "gallery")
"""In an installed package, and beside the source."""


@cache
def load_figure(key: str) -> FigureResult | None:
    """Return a figure of the gallery, or None if it is not there.

    >>> load_figure("dcfr-5").scale
    'gallery'
    """
    path = _find_file(f"{key}.json")
    return None if path is None else FigureResult.load(path)


def load_picture(key: str) -> bytes | None:
    """Return the picture of a figure as PNG, or None if it is not there."""
    path = _find_file(f"{key}.png")
    return None if path is None else path.read_bytes()


def _find_file(name: str) -> Path | None:
    return next((folder / name for folder in FOLDERS if (folder / name).is_file()), None)


def load_figures(folder: Path) -> list[tuple[Figure, FigureResult]]:
    """Return the figures that a folder holds, in the order of the papers."""
    paths = {key: folder / f"{key}.json" for key in FIGURES}
    return [(FIGURES[key], FigureResult.load(path)) for key, path in paths.items() if path.is_file()]


def render_page(figures: Sequence[tuple[Figure, FigureResult]], pictures: Path, folder: Path) -> str:
    """Return the page; `pictures` is the folder of the pictures, `folder` that of the page."""
    parts = [_render_head(figures)]
    for paper in dict.fromkeys(figure.paper for figure, _ in figures):
        parts.append(f"## {paper}: {PAPERS[paper]}")
        parts += [
            _render_section(figure, result, pictures, folder) for figure, result in figures if figure.paper == paper
        ]
    return "\n\n".join(parts) + "\n"


def _render_head(figures: Sequence[tuple[Figure, FigureResult]]) -> str:
    verdicts = [verdict.word for _, result in figures for verdict in result.verdicts]
    total = _format_time(sum(result.seconds for _, result in figures))
    versions = Counter(
        curve.version for _, result in figures for panel in result.curves.values() for curve in panel.values()
    )
    return "\n".join(
        [
            "# Gallery",
            "",
            "Every figure of the five papers, reproduced by this program, with the claims of its paper and what the "
            f"numbers say about them. Left out: {'; '.join(f'{key}, {why}' for key, why in LEFT_OUT.items())}.",
            "",
            f"- Of {len(verdicts)} claims, {verdicts.count('holds')} hold and {verdicts.count('does not hold')} do "
            f"not; for {verdicts.count('no difference')} there is no difference, and {verdicts.count('not judged')} "
            "could not be judged at this length.",
            "- Made by `zerosum figure`. The command below a picture is the last one that wrote it, perhaps for some "
            "of its lines only (`--only`, `--iterations`); `--scale full`, the default, is as long as in the papers.",
            f"- Machine of the last run: {processor_name()}, {os.cpu_count()} cores, {platform.system()}, Python "
            f"{platform.python_version()}. All runs together took {total} on one core. Times are those of the "
            "iterations alone, on a machine that was busy with other work.",
            "- Curves jump from point to point, so a run is judged by its geometric mean over the last third of log t "
            "(of 10,000 iterations: from 464 on), unless a claim names a span.",
            "- Rounding alone moves a curve: *scales of the payoffs* are the same run with payoffs times 1, 1.1, 3, "
            "7.3 and so on, and the range in brackets goes from the lowest to the highest. For *repeats* it is the 95% "
            "interval of the mean; ratios are taken run by run, so they need not equal the quotient of the means.",
            f"- *No difference*: the range contains 1, or lines that were run once differ by less than "
            f"{SINGLE_RUN_MARGIN:.0%}, which rounding alone can cause on rivers. A number in brackets after a claim, "
            "as in (within 2 times), is ours because the paper has none.",
            "- The version in brackets computed the lines; it contains a hash of its sources. Lines that were not run "
            "again are those of an earlier version. There are "
            f"{', '.join(f'{count:,} of {version}' for version, count in versions.most_common())}.",
        ]
    )


def _render_section(figure: Figure, result: FigureResult, pictures: Path, folder: Path) -> str:
    path = os.path.relpath(pictures / f"{figure.key}.png", folder)
    lines_by_text = _group_lines(figure, result) if result.seconds else {}
    details = list(lines_by_text) if len(lines_by_text) == 1 else []
    if lines_by_text:
        details.append(f"{_format_time(result.seconds)} on one core")
    rows = [
        f"### {figure.key}: {figure.title}",
        "",
        f"![{figure.key}]({Path(path).as_posix()})",
        "",
        f"`zerosum figure {figure.key} --scale {result.scale}{' --data FOLDER' if figure.needs_libratus else ''}` "
        f"({'; '.join([figure.reference, *details])})",
    ]
    if len(lines_by_text) > 1:
        rows += ["", *(f"- {text}: {'; '.join(lines)}" for text, lines in lines_by_text.items())]
    if result.verdicts:
        rows += ["", "| claim | verdict | figures |", "| --- | --- | --- |"]
        rows += [
            f"| {verdict.claim} | {_emphasize(verdict.word)} | {verdict.evidence} |" for verdict in result.verdicts
        ]
    if figure.notes:
        rows += ["", figure.notes]
    if result.failures:
        rows += ["", f"Without a curve: {'; '.join(result.failures)}."]
    return "\n".join(rows)


def _describe_run(panel: Panel, curve: Curve) -> str:
    """Return how long a line is, how often it was run, and which version computed it."""
    unit = panel.length_unit
    text = f"{curve.length if unit == 'nodes' else round(curve.last_x):,} {unit}"
    if curve.repeats > 1:
        text += f", {curve.repeats} repeats{'' if curve.runs else ' of which only the mean was saved'}"
    elif curve.runs:
        text += f", {len(curve.runs)} scales of the payoffs"
    return f"{text} [{curve.version}]"


def _group_lines(figure: Figure, result: FigureResult) -> dict[str, list[str]]:
    """Return how lines were run -> the panels, or the lines of panels, that were run so."""
    panels_by_text: dict[str, list[str]] = {}
    for panel in (panel for panel in figure.panels if panel.is_drawn):
        labels_by_text: dict[str, list[str]] = {}
        for label, curve in result.curves[panel.title].items():
            labels_by_text.setdefault(_describe_run(panel, curve), []).append(label)
        for text, labels in (labels_by_text or {"not run": []}).items():
            title = [panel.title] if len(figure.panels) > 1 else []
            names = [", ".join(labels)] if len(labels_by_text) > 1 else []
            panels_by_text.setdefault(text, []).append(": ".join(title + names))
    return panels_by_text


def _emphasize(word: str) -> str:
    return f"**{word}**" if word in ("holds", "does not hold") else f"*{word}*"


def _format_time(seconds: float) -> str:
    """Return a time as text.

    >>> _format_time(12.3), _format_time(754), _format_time(7384)
    ('12 s', '13 min', '2.1 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
