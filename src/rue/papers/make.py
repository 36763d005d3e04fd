"""From figures to files: run what is missing, draw, judge, write."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rue.disk import from_json, read_at_most, write_atomically
from rue.errors import RueError
from rue.machine import largest_text
from rue.papers.claims import Verdict
from rue.papers.draw import pictures
from rue.papers.figure import Figure, Most, Panel, Scale
from rue.papers.jobs import PAYOFFS, Job
from rue.papers.kept import trace, version
from rue.papers.traces import Trace, of_runs
from rue.papers.work import Done, Watch, Work
from rue.records import dataclass

FORMAT, FORMAT_VERSION = "rue-figure", 3
PICTURES = ("svg", "png")
NUMBERS = re.compile(r"\[\s*([-+.,\de\s]*?)\s*\]")
"""A list of numbers as JSON with line ends."""

Jobs = dict[str, dict[str, list[Job]]]
"""Panel -> label -> the repeats of a run."""


@dataclass(frozen=True)
class Made:
    """A figure with its curves and verdicts; `traces` is panel -> label -> curve."""

    key: str
    scale: str
    traces: dict[str, dict[str, Trace]]
    verdicts: tuple[Verdict, ...]
    failures: tuple[str, ...] = ()
    """Sentences about runs that came to nothing."""

    @property
    def seconds(self) -> float:
        """What all its runs took, one core each; those that two panels show count once."""
        lines = (line for panel in self.traces.values() for line in panel.values())
        return sum({(line.run, line.seconds): line.seconds for line in lines}.values())

    def content(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        traces = {
            panel: {label: line.content() for label, line in lines.items()} for panel, lines in self.traces.items()
        }
        return {"format": FORMAT, "version": FORMAT_VERSION, "seconds": self.seconds, **asdict(self), "traces": traces}

    @staticmethod
    def load(path: Path) -> Made:
        """Read what `write` wrote."""
        try:
            content = from_json(read_at_most(path, largest_text()), path)
            if content["format"] != FORMAT or content["version"] != FORMAT_VERSION:
                raise RueError(f"{path} does not hold a figure of this version of rue")
            content["traces"] = {
                panel: {label: trace(line) for label, line in lines.items()}
                for panel, lines in content["traces"].items()
            }
            content["verdicts"] = tuple(Verdict(**verdict) for verdict in content["verdicts"])
            content["failures"] = tuple(content["failures"])
            return Made(**{name: content[name] for name in Made.__dataclass_fields__})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise error if isinstance(error, RueError) else RueError(f"{path} does not hold a figure") from None


def jobs_of(figure: Figure, panel: Panel, scale: Scale, most: Most) -> dict[str, list[Job]]:
    """The runs of a panel: for each line its repeats, or the scales of its payoffs."""
    length, count = most.length(panel, scale), most.count(panel, scale)
    scales = PAYOFFS[: most.scales(panel, scale)]
    even = any(each.axes.startswith("linear") for each in figure.panels)
    return {
        line.label: [
            Job(
                panel.game.replace("{}", str(repeat)),
                line.algorithm,
                length,
                panel.x,
                seed=repeat if panel.x == "nodes" else 0,
                start_seed=repeat if panel.starts else None,
                along=panel.along,
                measure=panel.measure,
                payoffs=payoffs,
                even=even,
                late=figure.drawing == "pairs",
            )
            for repeat in range(count)
            for payoffs in scales
        ]
        for line in most.lines(panel, scale)
    }


def make(
    figures: Sequence[Figure], scale: Scale, work: Work, most: Most | None = None, watch: Watch | None = None
) -> Iterator[Made]:
    """Run what the figures need and give each as soon as its last run is done; at Ctrl-C, which is passed on, with the
    lines that are done."""
    most = most or Most()
    if most.only:
        figures = [figure for figure in figures if any(most.lines(panel, scale) for panel in figure.panels)]
        if not figures:
            raise RueError(f"no line has {most.only!r} in its panel and label, which are told like 'subgame 1: CFR+'")
    wanted = {
        figure.key: {panel.title: jobs_of(figure, panel, scale, most) for panel in figure.panels} for figure in figures
    }
    missing = {key: set(_every(panels)) for key, panels in wanted.items()}
    ended: dict[Job, Done] = {}

    def finished() -> Iterator[Made]:
        for figure in figures:
            if figure.key in missing and not missing[figure.key]:
                del missing[figure.key]
                yield _made(figure, wanted[figure.key], scale, ended)

    yield from finished()  # figures without runs
    try:
        for done in work.run([job for panels in wanted.values() for job in _every(panels)], watch):
            ended[done.job] = done
            for jobs in missing.values():
                jobs.discard(done.job)
            yield from finished()
    except KeyboardInterrupt:
        begun = [_made(figure, wanted[figure.key], scale, ended) for figure in figures if figure.key in missing]
        yield from (made for made in begun if any(made.traces.values()))
        raise


def _every(panels: Jobs) -> Iterator[Job]:
    return (job for lines in panels.values() for jobs in lines.values() for job in jobs)


def _made(figure: Figure, panels: Jobs, scale: Scale, ended: dict[Job, Done]) -> Made:
    traces: dict[str, dict[str, Trace]] = {title: {} for title in panels}
    for panel in figure.panels:
        for line in panel.lines:
            jobs = panels[panel.title].get(line.label, [])
            curves = [trace for trace in (ended[job].trace for job in jobs if job in ended) if trace is not None]
            if jobs and len(curves) == len(jobs):
                found = of_runs(line.label, curves, len({job.payoffs for job in jobs}) > 1)
                found = replace(found, run=panel.run(line), length=jobs[0].length, rue=version())
                traces[panel.title][line.label] = found
    failed = [ended[job] for job in _every(panels) if job in ended and ended[job].error is not None]
    failures = tuple(f"{done.job.algorithm} on {done.job.game}: {done.error}" for done in failed)
    return Made(figure.key, scale, traces, _judged(figure, traces), failures)


def _judged(figure: Figure, traces: dict[str, dict[str, Trace]]) -> tuple[Verdict, ...]:
    return tuple(claim.judge(traces) for claim in figure.claims)


def joined(figure: Figure, made: Made, folder: Path) -> Made:
    """With the lines that were not run as the folder's file of the figure holds them, if it does: the same algorithm on
    the same game. Every line says how long it is and which version computed it; all are judged together."""
    path = folder / f"{figure.key}.json"
    if not path.is_file() or all(len(made.traces[panel.title]) == len(panel.lines) for panel in figure.panels):
        return made
    before = Made.load(path).traces
    traces: dict[str, dict[str, Trace]] = {}
    for panel in figure.panels:
        new, old = made.traces[panel.title], before.get(panel.title, {})
        lines = [(line, new.get(line.label) or old.get(line.label)) for line in panel.lines]
        traces[panel.title] = {
            line.label: trace for line, trace in lines if trace is not None and trace.run == panel.run(line)
        }
    return replace(made, traces=traces, verdicts=_judged(figure, traces))


def redrawn(figures: Sequence[Figure], folder: Path) -> Iterator[Made]:
    """The figures that a folder holds, with nothing run; `joined` gives them their lines."""
    for figure in figures:
        path = folder / f"{figure.key}.json"
        if path.is_file():
            yield replace(Made.load(path), traces={panel.title: {} for panel in figure.panels})


def write(figure: Figure, made: Made, folder: Path, kinds: Sequence[str] = PICTURES) -> list[Path]:
    """The picture as SVG and PNG, the numbers as CSV and, with the verdicts, as JSON; each whole or not at all."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RueError(f"cannot write to {folder}: {error.strerror or error}") from None
    files = {f"{made.key}.json": _json(made.content()).encode()}
    files[f"{made.key}.csv"] = table(made).encode()
    for kind, data in (pictures(figure, made.traces, kinds) if kinds else {}).items():
        files[f"{made.key}.{kind}"] = data
    for name, data in files.items():
        write_atomically(folder / name, data)
    return [folder / name for name in files]


def _json(content: dict[str, Any]) -> str:
    """The text of a file, lists of numbers on a line each."""
    text = json.dumps(content, indent=1, allow_nan=False)
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text) + "\n"


def table(made: Made) -> str:
    """The numbers, a row a point."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["figure", "panel", "line", "algorithm", "repeats", "x", "y", "low", "high"])
    for panel, lines in made.traces.items():
        for label, line in lines.items():
            for point in zip(line.x, line.y, line.low, line.high, strict=True):
                rows.writerow([made.key, panel, label, line.algorithm, line.repeats, *(f"{v:.10g}" for v in point)])
    return text.getvalue()
