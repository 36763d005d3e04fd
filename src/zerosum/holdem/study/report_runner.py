"""Make a report from a saved run, over many flops, or over variants of a spot."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from zerosum.holdem.cards.cards import format_cards
from zerosum.holdem.cards.flops import Flop, parse_flops
from zerosum.holdem.solution.result import SpotResult, require_spot_result
from zerosum.holdem.spots.files import spot_from_dict, spot_to_dict
from zerosum.holdem.spots.spot import Spot
from zerosum.holdem.study.report import Report, report_on_cards
from zerosum.holdem.study.report_table import ReportTable, average_rows, build_decision_row, check_row
from zerosum.jobs.job import JobResult
from zerosum.jobs.runner import JobRunner
from zerosum.jobs.solve_job import SolveJob, are_picklable
from zerosum.jobs.store import JobStore
from zerosum.options import BatchOptions, build_limits, build_problem, build_start, build_workers
from zerosum.problems.registry import ProblemLike
from zerosum.results.result import Result
from zerosum.runs.notebook import show_progress_of_many
from zerosum.runs.progress import TaskProgress
from zerosum.runs.run import Run
from zerosum.support.errors import ZerosumError
from zerosum.support.files import write_atomically
from zerosum.support.options import check_options, option_name, parse_number
from zerosum.support.validation import check_list, decode_number, path_as_text, short_repr

MAX_VARIANTS = 10_000
UNCHANGED = "as it is"
"""The variant that changes nothing."""


@dataclass(frozen=True)
class DecisionQuery:
    """A decision of a solved spot, from which a job makes a row of a report."""

    line: str

    def __call__(self, run: Run) -> dict[str, Any]:
        result = require_spot_result(run.result())
        solve = {"exploitability": result.exploitability_pot, "iterations": result.iterations}
        return {**build_decision_row(result, result.at(self.line)), **solve}

    def check_stored_content(self, content: Mapping[str, Any]) -> None:
        """Raise an error for stored content that cannot be a row."""
        decode_number(content["deals"])
        check_row({"name": "", "weight": 0.0, "variant": "", "seconds": None, **content})


class SpotToSolve(NamedTuple):
    """One of the spots of a report: its variant and its flop by name, and the weight of the flop."""

    variant: str
    flop: str
    weight: float
    spot: Spot

    @property
    def label(self) -> str:
        """The name of the solve."""
        return " ".join(filter(None, (self.flop, self.variant)))


def report(
    game: str | Path | ProblemLike | Result,
    algorithm: str | None = None,
    *,
    line: str = "",
    flops: str | Mapping[Flop, float] | None = None,
    vary: Mapping[str, Sequence[str]] | None = None,
    **options: Unpack[BatchOptions],
) -> Report:
    """Report one decision on many cards, flops or variants of a spot: frequencies, EV, equity.

    Without `flops` and `vary`, `game` is a result or a saved run, which is reported on every card that may come. With
    one of them, `game` is a spot that is solved many times, in separate processes. The options are those of `sweep`.

    line: the line that leads to the decision. In a report on cards, it has a `*` for any card, as in
        `check bet50 call * check`, or ends where a card is dealt.
    flops: `"25"`, `"50"`, `"100"` or `"200"` for a list that represents all flops, `"all"` for the 1,755 strategically
        different ones, a file, or flops like `"Ks7h2d, 8c8d3h:0.5"`.
    vary: parts of the spot with the values to try besides the original, as in `{"flop ip bets": ["33%", "75%"]}` or
        `{"stack": ["5000", "10000"]}`.
    out: a folder that stores every solve; the same call continues from there.

    >>> import zerosum
    >>> turn = zerosum.holdem.spot("Ks7h2d4c", 100, 50, "AA,QQ", "KQs,JJ", "allin", "allin", big_blind=1)
    >>> rivers = zerosum.report(zerosum.solve(turn, iterations=50), line="check check")
    >>> len(rivers.rows), rivers.totals.player
    (48, ('out of position',))
    """
    check_options(BatchOptions, options)
    out, progress = options.get("out"), options.get("progress")
    if flops is None and vary is None:
        with show_progress_of_many(progress, "cards", lambda line: line.show_solves) as watched:
            step = None if watched is None else lambda done, count: watched(TaskProgress(done, count))
            return report_on_cards(_load_solved_spot(game), line, step)
    base_problem = build_problem(game, options, BatchOptions)
    base = getattr(base_problem, "spot", None)
    if not isinstance(base, Spot):
        raise ZerosumError(f"{base_problem.name} is not a hold'em spot: flops and variants are those of one")
    spots, notes = _list_spots(base, flops, vary)
    jobs: list[SolveJob] = []
    stored = {name: value for name, value in options.items() if name in ("isomorphism", "half", "locks", "unlocked")}
    for to_solve in spots:
        problem = build_problem(to_solve.spot, stored)
        problem.check_view({"line": line})
        chosen, limits, start = (
            problem.resolve_algorithm(algorithm),
            build_limits(problem, options),
            build_start(options),
        )
        problem.check_run(chosen, limits, start)
        jobs.append(SolveJob(to_solve.label, problem, chosen, limits, DecisionQuery(line), start))
    solved: dict[str, JobResult] = {}
    failed = 0
    with show_progress_of_many(progress, str(base), lambda line: line.show_solves) as watched:
        workers = build_workers({**options, "progress": watched}, are_picklable(jobs[:1]))
        runner = JobRunner(workers, None if out is None else JobStore(out))
        for job, outcome in runner.run(jobs):
            if isinstance(outcome, ZerosumError):
                failed += 1
                notes.append(f"{job.label} was not solved: {outcome}")
            elif outcome.is_complete:
                solved[job.label] = outcome
    if not solved:
        raise ZerosumError(notes[0] if notes else "nothing was solved: there is nothing to report")
    if runner.from_other_code:
        notes.append(f"{runner.from_other_code} of {len(solved)} were solved by another version of zerosum")
    unfinished = len(jobs) - len(solved) - failed
    whole = Report(str(base), line, *_build_tables(spots, solved), tuple(notes), unfinished)
    if out is not None:
        write_atomically(Path(out) / "report.json", json.dumps(whole.content(), indent=1).encode())
        write_atomically(Path(out) / "report.csv", whole.to_csv().encode())
    return whole


def _load_solved_spot(source: Any) -> SpotResult:
    """Return a solved spot; load it if the source is a saved run."""
    from zerosum.runs.saved_run import load

    result = load(source) if isinstance(source, str | Path) and Path(source).exists() else source
    if not isinstance(result, SpotResult):
        name = result.game if isinstance(result, Result) else str(source)
        raise ZerosumError(f"{name} is not a solved hold'em spot: name a saved run, or flops ({option_name('flops')})")
    return result


def _list_spots(
    base: Spot, flops: str | Mapping[Flop, float] | None, vary: Mapping[str, Sequence[str]] | None
) -> tuple[list[SpotToSolve], list[str]]:
    """Return every spot to solve, and notes on flops that are left out."""
    boards = None if flops is None else _parse_flops(flops)
    if boards is not None and base.street != 0:
        raise ZerosumError(f"{base} does not begin on a flop: flops need the bets of all streets")
    notes: list[str] = []
    spots: list[SpotToSolve] = []
    for variant, spot in _vary_spot(base, vary):
        if boards is None:
            spots.append(SpotToSolve(variant, "", 1.0, spot))
            continue
        for flop, weight in boards.items():
            try:
                spots.append(SpotToSolve(variant, format_cards(flop), weight, replace(spot, board=flop)))
            except ZerosumError as error:
                notes.append(f"{format_cards(flop)} is left out: {error}")
    if not spots:
        raise ZerosumError(notes[0])
    return spots, notes


def _parse_flops(flops: Any) -> Mapping[Flop, float]:
    """Return flops with their weights, parsed if they are a string."""
    if isinstance(path_as_text(flops), str):
        return parse_flops(path_as_text(flops))
    if not isinstance(flops, Mapping) or not all(isinstance(flop, tuple) for flop in flops):
        raise ZerosumError(f"{option_name('flops')} must be a string like '25', not {short_repr(flops)}")
    return flops


def _vary_spot(base: Spot, vary: Mapping[str, Sequence[str]] | None) -> list[tuple[str, Spot]]:
    """Return the spot as it is and with every combination of other values, each by the name of its variant."""
    if not vary and (vary is None or isinstance(vary, Mapping)):
        return [("", base)]
    content = spot_to_dict(base)
    variants: list[tuple[str, Spot]] = [(UNCHANGED, base)]
    by_part = _parse_vary(vary)
    if math.prod(map(len, by_part.values())) > MAX_VARIANTS:
        raise ZerosumError(f"a report has at most {MAX_VARIANTS:,} variants: vary less ({option_name('vary')})")
    for values in product(*by_part.values()):
        fields = {**content, "name": ""}
        for key, value in zip(by_part, values, strict=True):
            *place, part = key.split()
            if place and part not in ("bets", "raises"):
                raise ZerosumError(f"cannot vary {key!r}: name a street or a player for bets and raises only")
            text = f"{content.get(part, '')}; {' '.join(place)}: {value}" if place else value
            fields[part] = parse_number(text) if isinstance(content.get(part), int | float) else text
        label = ", ".join(f"{key} {value}" for key, value in zip(by_part, values, strict=True))
        variants.append((label, spot_from_dict(fields)))
    return variants


def _parse_vary(vary: Any) -> dict[str, list[str]]:
    """Return the values of each part that varies, as texts."""
    if not isinstance(vary, Mapping) or not all(isinstance(part, str) and part.strip() for part in vary):
        example = "{'stack': ['5000', '10000']}"
        raise ZerosumError(
            f"{option_name('vary')} takes the parts of a spot with their values, like {example}, not {short_repr(vary)}"
        )
    return {
        part: [values]
        if isinstance(values, str)
        else [str(value) for value in check_list(f"values of {part}", values, MAX_VARIANTS)]
        for part, values in vary.items()
    }


def _build_tables(spots: Sequence[SpotToSolve], solved: Mapping[str, JobResult]) -> tuple[ReportTable, ReportTable]:
    """Return the rows of solved spots and the mean of each variant; a flop counts by its weight times its deals."""
    by_variant: dict[str, list[dict[str, Any]]] = {}
    for label, to_solve in {spot.label: spot for spot in spots}.items():
        if label in solved:
            result = solved[label]
            row = {**result.content, "deals": to_solve.weight * result.content["deals"], "seconds": result.seconds}
            row |= {"name": to_solve.flop or to_solve.variant, "variant": to_solve.variant}
            by_variant.setdefault(to_solve.variant, []).append(row)
    totals = []
    for variant, rows in by_variant.items():
        deals = np.array([row["deals"] for row in rows])
        whole = math.fsum(deals) or 1.0
        for row in rows:
            row["weight"] = row["deals"] / whole
        totals.append(average_rows(ReportTable.from_rows(rows), deals, variant or "all flops"))
    table = ReportTable.from_rows([row for rows in by_variant.values() for row in rows])
    return table, ReportTable.from_rows(totals, table.actions)
