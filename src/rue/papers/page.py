"""A page of figures: pictures, claims and what each took, as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from rue.algorithms.catalogue import PAPERS
from rue.machine import processor
from rue.papers.catalogue import FIGURES
from rue.papers.figure import Figure
from rue.papers.make import Made

MARKS = {True: "**holds**", False: "**does not hold**", None: "*not judged*"}


def in_folder(folder: Path) -> list[tuple[Figure, Made]]:
    """The figures that a folder holds, in the order of the papers."""
    files = {key: folder / f"{key}.json" for key in FIGURES}
    return [(FIGURES[key], Made.load(path)) for key, path in files.items() if path.is_file()]


def page(figures: Sequence[tuple[Figure, Made]], pictures: Path, folder: Path) -> str:
    """The page; `pictures` is where the pictures lie, `folder` where the page will be."""
    parts = [_head(figures)]
    for paper in dict.fromkeys(figure.paper for figure, _ in figures):
        parts.append(f"## {paper}: {PAPERS[paper]}")
        parts += [_figure(figure, made, pictures, folder) for figure, made in figures if figure.paper == paper]
    return "\n\n".join(parts) + "\n"


def _head(figures: Sequence[tuple[Figure, Made]]) -> str:
    verdicts = [verdict.holds for _, made in figures for verdict in made.verdicts]
    total = sum(made.seconds for _, made in figures)
    scales = sorted({made.scale for _, made in figures})
    return "\n".join(
        [
            "# Gallery",
            "",
            "Every figure of the five papers, run by this program, with the claims its paper makes and what the "
            "numbers say of them.",
            "",
            f"- Of {len(verdicts)} claims {verdicts.count(True)} hold, {verdicts.count(False)} do not, "
            f"{verdicts.count(None)} could not be judged at this length.",
            f"- Made by `rue figure all --scale {scales[0]} --data FOLDER`; without `--scale` the runs are as "
            "long as in the papers.",
            f"- Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}, Python "
            f"{platform.python_version()}; rue {figures[0][1].rue}. All runs together: "
            f"{_time(total)} of one core. Times are those of the iterations alone, "
            "on a machine that was busy with other work.",
            "- Bands are 95% intervals of the mean of repeated runs.",
        ]
    )


def _figure(figure: Figure, made: Made, pictures: Path, folder: Path) -> str:
    place = os.path.relpath(pictures / f"{figure.key}.png", folder)
    lengths = sorted({f"{length:,}" for length in made.lengths.values()}, key=lambda text: -int(text.replace(",", "")))
    unit = "nodes" if any(panel.x == "nodes" for panel in figure.panels) else "iterations"
    took = f"{' and '.join(lengths)} {unit}, {_time(made.seconds)} of one core" if made.seconds else ""
    repeats = max(made.repeats.values(), default=1)
    if repeats > 1:
        took += f", up to {repeats} repeats"
    rows = [
        f"### {figure.key}: {figure.title}",
        "",
        f"![{figure.key}]({Path(place).as_posix()})",
        "",
        f"`rue figure {figure.key} --scale {made.scale}{' --data FOLDER' if figure.needs_libratus else ''}` "
        f"({figure.place}{'; ' + took if took else ''})",
    ]
    if made.verdicts:
        rows += ["", "| claim | verdict | figures |", "| --- | --- | --- |"]
        rows += [f"| {verdict.claim} | {MARKS[verdict.holds]} | {verdict.shown} |" for verdict in made.verdicts]
    if figure.notes:
        rows += ["", figure.notes]
    if made.failures:
        rows += ["", f"Without a curve: {'; '.join(made.failures)}."]
    return "\n".join(rows)


def _time(seconds: float) -> str:
    """A time in words.

    >>> _time(12.3), _time(754), _time(7384)
    ('12 s', '13 min', '2.1 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
