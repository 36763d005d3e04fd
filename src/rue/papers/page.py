"""A page of figures: pictures, claims and what each took, as Markdown."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rue.algorithms.catalogue import PAPERS
from rue.machine import processor
from rue.papers.catalogue import FIGURES, LEFT_OUT
from rue.papers.figure import Figure, Panel
from rue.papers.make import Made
from rue.papers.spans import ONCE
from rue.papers.traces import Trace


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
    versions = Counter(line.rue for _, made in figures for panel in made.traces.values() for line in panel.values())
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
            "- Made by `rue figure`. The command below a picture is the last that wrote it, perhaps for some of its "
            "lines (`--only`, `--iterations`); `--scale full`, the default, is as long as in the papers.",
            f"- Machine of the last run: {processor()}, {os.cpu_count()} cores, {platform.system()}, Python "
            f"{platform.python_version()}. All runs together: "
            f"{_time(total)} of one core. Times are those of the iterations alone, "
            "on a machine that was busy with other work.",
            "- Curves jump from point to point: a run is judged by its geometric mean over the last third of log t (of "
            "10,000 iterations: from 464 on), unless a claim names a span.",
            "- Rounding alone moves a curve: *scales of the payoffs* are the same run with payoffs times 1, 1.1, 3, "
            "7.3 and so on, and the range in brackets goes from the lowest to the highest. Of *repeats* it is the 95% "
            "interval of the mean; ratios are taken run by run, so that they need not be the quotient of the means.",
            f"- *No difference*: the range contains 1, or lines that were run once are less than {ONCE:.0%} apart, as "
            "rounding makes on rivers. A number in brackets behind a claim, as in (within 2 times), is ours where the "
            "paper has none.",
            "- In brackets stands the version that computed the lines, with a hash of its sources: lines that were not "
            "run again are as an earlier one left them. There are "
            f"{', '.join(f'{count:,} of {version}' for version, count in versions.most_common())}.",
        ]
    )


def _figure(figure: Figure, made: Made, pictures: Path, folder: Path) -> str:
    place = os.path.relpath(pictures / f"{figure.key}.png", folder)
    runs = _runs(figure, made) if made.seconds else {}
    took = [*(runs if len(runs) == 1 else []), *([f"{_time(made.seconds)} of one core"] if runs else [])]
    rows = [
        f"### {figure.key}: {figure.title}",
        "",
        f"![{figure.key}]({Path(place).as_posix()})",
        "",
        f"`rue figure {figure.key} --scale {made.scale}{' --data FOLDER' if figure.needs_libratus else ''}` "
        f"({'; '.join([figure.place, *took])})",
    ]
    if len(runs) > 1:
        rows += ["", *(f"- {text}: {'; '.join(where)}" for text, where in runs.items())]
    if made.verdicts:
        rows += ["", "| claim | verdict | figures |", "| --- | --- | --- |"]
        rows += [f"| {verdict.claim} | {_mark(verdict.word)} | {verdict.shown} |" for verdict in made.verdicts]
    if figure.notes:
        rows += ["", figure.notes]
    if made.failures:
        rows += ["", f"Without a curve: {'; '.join(made.failures)}."]
    return "\n".join(rows)


def _told(panel: Panel, line: Trace) -> str:
    """How long a line is, how often it was run, and which version computed it."""
    text = f"{line.length if panel.x == 'nodes' else round(line.last):,} {panel.x}"
    if line.repeats > 1:
        text += f", {line.repeats} repeats{'' if line.runs else ' of which the mean was kept'}"
    elif line.runs:
        text += f", {len(line.runs)} scales of the payoffs"
    return f"{text} [{line.rue}]"


def _runs(figure: Figure, made: Made) -> dict[str, list[str]]:
    """What is told of the lines -> the panels, or the lines of panels, that it is true of."""
    alike: dict[str, list[str]] = {}
    for panel in (each for each in figure.panels if each.drawn):
        found: dict[str, list[str]] = {}
        for label, line in made.traces[panel.title].items():
            found.setdefault(_told(panel, line), []).append(label)
        for text, labels in (found or {"not run": []}).items():
            whose = [panel.title] if len(figure.panels) > 1 else []
            alike.setdefault(text, []).append(": ".join(whose + [", ".join(labels)] * (len(found) > 1)))
    return alike


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
