"""A page of figures: pictures, claims and what each took, as Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from rue.algorithms.catalogue import PAPERS
from rue.machine import processor
from rue.papers.catalogue import FIGURES, LEFT_OUT
from rue.papers.figure import Figure
from rue.papers.make import Made


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
    words = [verdict.word for _, made in figures for verdict in made.verdicts]
    total = sum(made.seconds for _, made in figures)
    scales = sorted({made.scale for _, made in figures})
    return "\n".join(
        [
            "# Gallery",
            "",
            "Every figure of the five papers, run by this program, with the claims its paper makes and what the "
            f"numbers say of them. Left out: {'; '.join(f'{key}, {why}' for key, why in LEFT_OUT.items())}.",
            "",
            f"- Of {len(words)} claims {words.count('holds')} hold, {words.count('does not hold')} do not; in "
            f"{words.count('no difference')} there is no difference, and {words.count('not judged')} could not be "
            "judged at this length.",
            f"- Made by `rue figure all --scale {scales[0]} --data FOLDER`; without `--scale` the runs are as "
            "long as in the papers.",
            f"- Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}, Python "
            f"{platform.python_version()}; rue {figures[0][1].rue}. All runs together: "
            f"{_time(total)} of one core. Times are those of the iterations alone, "
            "on a machine that was busy with other work.",
            "- Where a run stands is the geometric mean of its last third in log t: single points of long runs are "
            "chaos. *No difference*: less than rounding makes (the same run with payoffs times 1.1, 3 and 7.3, whose "
            "lowest and highest are the band of a single run), or than repeats can tell (run by run; the band of "
            "repeated runs is the 95% interval of their mean). A run that was made once has no band.",
            CARRIED,
        ]
    )


CARRIED = (
    "- Not all curves are of this version: those of dcfr-3, dcfr-4, dcfr-8, dcfr-9, trm-3, trm-4, icfr-1 and icfr-2, "
    "the Big Leduc panels of trm-choices, CFR and DCFR in spcfr-2 to spcfr-5, and Leduc, the rivers and the turn of "
    "icfr-table1 were computed by an earlier one, without the runs that show what rounding makes; they were drawn and "
    "judged again."
)
"""What was not run again when the page was made."""


def _figure(figure: Figure, made: Made, pictures: Path, folder: Path) -> str:
    place = os.path.relpath(pictures / f"{figure.key}.png", folder)
    took = f"{_lengths(figure, made)}; {_time(made.seconds)} of one core" if made.seconds else ""
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
        rows += [f"| {verdict.claim} | {_mark(verdict.word)} | {verdict.shown} |" for verdict in made.verdicts]
    if figure.notes:
        rows += ["", figure.notes]
    if made.failures:
        rows += ["", f"Without a curve: {'; '.join(made.failures)}."]
    return "\n".join(rows)


def _lengths(figure: Figure, made: Made) -> str:
    """How long the runs are and how often they were made, panel by panel where these differ."""
    alike: dict[str, list[str]] = {}
    for panel in figure.panels:
        length, repeats = made.lengths[panel.title], made.repeats[panel.title]
        lines = made.traces[panel.title].values()
        ends = {round(line.last) for line in lines} if panel.x == "iterations" else {length}
        text = f"{' to '.join(f'{end:,}' for end in sorted({min(ends), max(ends)}))} {panel.x}" if ends else "nothing"
        scales = max((len(line.runs) for line in lines), default=0)
        if repeats > 1:
            text += f", {repeats} repeats{'' if scales else ' of which the mean was kept'}"
        elif scales > 1:
            text += f", {scales} scales of the payoffs"
        alike.setdefault(text, []).append(panel.title)
    if len(alike) == 1:
        return next(iter(alike))
    return "; ".join(f"{', '.join(panels)}: {text}" for text, panels in alike.items())


def _mark(word: str) -> str:
    return f"**{word}**" if word in ("holds", "does not hold") else f"*{word}*"


def _time(seconds: float) -> str:
    """A time in words.

    >>> _time(12.3), _time(754), _time(7384)
    ('12 s', '13 min', '2.1 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
