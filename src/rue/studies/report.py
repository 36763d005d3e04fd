"""One decision on many cards, flops or kinds of a spot."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Unpack

from rue.checked import members, named, shown
from rue.disk import write_atomically
from rue.errors import RueError
from rue.holdem.cards import cards_name
from rue.holdem.files import from_mapping, to_mapping
from rue.holdem.flops import Flop, flops_named
from rue.holdem.spots import Spot
from rue.options import ManyOptions, check_names, limits_of, problem_of, start_of, workers
from rue.problems.find import ProblemLike
from rue.records import dataclass
from rue.results.points import check_number
from rue.results.result import Result
from rue.results.spot import SpotResult
from rue.runs.jobs import Job, Jobs, Solved, in_processes
from rue.runs.many import Standing
from rue.runs.run import Run
from rue.views.notebook import watching_solves
from rue.views.report import Report, ReportRow, checked_row, numbers_at, on_cards, summed


@dataclass(frozen=True)
class Asked:
    """A decision of a solved spot, as a report tells it."""

    line: str

    def __call__(self, run: Run) -> dict[str, Any]:
        result = run.result()
        assert isinstance(result, SpotResult)
        told = {"exploitability": result.exploitability_pot, "iterations": result.iterations}
        return {**numbers_at(result, self.line), **told}

    def check(self, told: Mapping[str, Any]) -> None:
        """Refuse what no row can be made of."""
        check_number(told["deals"])
        checked_row({"name": "", "weight": 0.0, "variant": "", "seconds": None, **told})


MOST = 10_000
"""Variants of a spot."""
AS_IT_IS = "as it is"
"""The variant that changes nothing."""


def report(
    given: str | Path | ProblemLike | Result,
    algorithm: str | None = None,
    *,
    line: str = "",
    flops: str | Mapping[Flop, float] | None = None,
    vary: Mapping[str, Sequence[str]] | None = None,
    **options: Unpack[ManyOptions],
) -> Report:
    """One decision on many cards, flops or kinds of a spot: what is done, EV, equity and its realisation, by row.

    Of a result, or a saved run: on every card that may come, where `line` has a `*` or ends before a card, as in
    `check bet50 call * check`. With `flops` or `vary`, `given` is a spot that is solved many times, and `line` is a
    decision of it. flops: `"25"`, `"50"`, `"100"`, `"200"` for lists that stand for all flops, `"all"` for the 1,755
    kinds, a file, or flops like `"Ks7h2d, 8c8d3h:0.5"`. vary: parts of the spot and the values to try beside those it
    has, as in `{"flop ip bets": ["33%", "75%"]}` or `{"stack": ["5000", "10000"]}`. out: a folder that keeps every
    solve; the same call goes on from there. The rest is as in `sweep`; the solves run in processes of their own.

    >>> import rue
    >>> turn = rue.holdem.spot("Ks7h2d4c", 100, 50, "AA,QQ", "KQs,JJ", "allin", "allin", big_blind=1)
    >>> found = rue.report(rue.solve(turn, iterations=50), line="check check")
    >>> len(found.rows), found.total.player
    (48, 'out of position')
    """
    check_names(options, ManyOptions)
    out, progress = options.get("out"), options.get("progress")
    if flops is None and vary is None:
        with watching_solves(progress, "cards") as watched:
            told = None if watched is None else lambda done, count: watched(Standing(done, count))
            return on_cards(_result(given), line, told)
    found = problem_of(given, options, ManyOptions)  # type: ignore[arg-type]
    base = getattr(found, "spot", None)
    if not isinstance(base, Spot):
        raise RueError(f"{found.name} is not a hold'em spot: flops and variants are those of one")
    spots, notes = _spots(base, flops, vary)
    jobs: list[Job] = []
    at: dict[str, tuple[str, str, float]] = {}
    made = {name: value for name, value in options.items() if name in ("isomorphism", "half", "locks", "unlocked")}
    for variant, name, weight, spot in spots:
        problem = problem_of(spot, made)
        problem.check_look({"line": line})
        label = " ".join(filter(None, (name, variant)))
        chosen, limits, start = problem.algorithm(algorithm), limits_of(problem, options), start_of(options)
        problem.check_run(chosen, limits, start)
        jobs.append(Job(label, problem, chosen, limits, Asked(line), start))
        at[label] = variant, name, weight
    solved: dict[str, Solved] = {}
    failed = 0
    with watching_solves(progress, str(base)) as watched:
        going = Jobs(jobs, workers({**options, "progress": watched}, in_processes(jobs[:1])), out)
        for job, left in going.run():
            if isinstance(left, RueError):
                failed += 1
                notes.append(f"{job.label} was not solved: {left}")
            elif left.stopped != "interrupted":
                solved[job.label] = left
    if not solved:
        raise RueError(notes[0] if notes else "nothing was solved: there is nothing to report")
    if going.others:
        notes.append(f"{going.others} of {len(solved)} were solved by another version of rue")
    rows, totals = _rows(solved, at)
    whole = Report(str(base), line, rows, totals, tuple(notes), len(jobs) - len(solved) - failed)
    if out is not None:
        write_atomically(Path(out) / "report.json", json.dumps(whole.content(), indent=1).encode())
        write_atomically(Path(out) / "report.csv", whole.csv().encode())
    return whole


def _result(given: Any) -> SpotResult:
    """A solved spot, read if it is a saved run."""
    from rue.runs.opened import load

    found = load(given) if isinstance(given, str | Path) and Path(given).exists() else given
    if not isinstance(found, SpotResult):
        name = found.game if isinstance(found, Result) else str(given)
        raise RueError(f"{name} is not a solved hold'em spot: name a saved run, or say which flops (--flops, flops=)")
    return found


def _spots(
    base: Spot, flops: str | Mapping[Flop, float] | None, vary: Mapping[str, Sequence[str]] | None
) -> tuple[list[tuple[str, str, float, Spot]], list[str]]:
    """Every spot to solve: its variant, its flop, its weight; and what is to be known about them."""
    boards = None if flops is None else _flops(flops)
    if boards is not None and base.street != 0:
        raise RueError(f"{base} does not begin on a flop: flops need the bets of all streets")
    notes: list[str] = []
    found: list[tuple[str, str, float, Spot]] = []
    for variant, spot in _variants(base, vary):
        if boards is None:
            found.append((variant, "", 1.0, spot))
            continue
        for flop, weight in boards.items():
            try:
                found.append((variant, cards_name(flop), weight, replace(spot, board=flop)))
            except RueError as error:
                notes.append(f"{cards_name(flop)} is left out: {error}")
    if not found:
        raise RueError(notes[0])
    return found, notes


def _flops(given: Any) -> Mapping[Flop, float]:
    """Flops with their weights, as a text or as they are."""
    if isinstance(named(given), str):
        return flops_named(named(given))
    if not isinstance(given, Mapping) or not all(isinstance(each, tuple) for each in given):
        raise RueError(f"flops are named by a text like '25' (--flops, flops=), not by {shown(given)}")
    return given


def _values(vary: Any) -> dict[str, list[str]]:
    """The values of each part that varies, as texts."""
    if not isinstance(vary, Mapping) or not all(isinstance(part, str) and part.strip() for part in vary):
        example = "{'stack': ['5000', '10000']}"
        raise RueError(f"what varies is a part with its values, like {example} (--vary, vary=), not {shown(vary)}")
    return {
        part: [values]
        if isinstance(values, str)
        else [str(each) for each in members(f"values of {part}", values, MOST)]
        for part, values in vary.items()
    }


def _variants(base: Spot, vary: Mapping[str, Sequence[str]] | None) -> list[tuple[str, Spot]]:
    if not vary and (vary is None or isinstance(vary, Mapping)):
        return [("", base)]
    content = to_mapping(base)
    made: list[tuple[str, Spot]] = [(AS_IT_IS, base)]
    by_part = _values(vary)
    if math.prod(map(len, by_part.values())) > MOST:
        raise RueError(f"a report has at most {MOST:,} variants: vary less (--vary, vary=)")
    for values in product(*by_part.values()):
        fields = dict(content)
        for key, value in zip(by_part, values, strict=True):
            *place, part = key.split()
            if place and part not in ("bets", "raises"):
                raise RueError(f"cannot vary {key!r}: a street or a player goes with bets and raises")
            text = f"{content.get(part, '')}; {' '.join(place)}: {value}" if place else value
            fields[part] = _number(text) if isinstance(content.get(part), int | float) else text
        fields["name"] = ""
        label = ", ".join(f"{key} {value}" for key, value in zip(by_part, values, strict=True))
        made.append((label, from_mapping(fields)))
    return made


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RueError(f"{text!r} is not a number") from None


def _rows(
    solved: Mapping[str, Solved], at: Mapping[str, tuple[str, str, float]]
) -> tuple[tuple[ReportRow, ...], tuple[ReportRow, ...]]:
    """The rows of what was solved and their means: flops count by their weight times the deals that they leave."""
    by_variant: dict[str, list[tuple[ReportRow, float]]] = {}
    for label, (variant, name, weight) in at.items():
        if label in solved:
            told = dict(solved[label].told)
            deals = weight * told.pop("deals")
            row = ReportRow(name or variant, deals, variant=variant, seconds=solved[label].seconds, **told)
            by_variant.setdefault(variant, []).append((row, deals))
    rows: list[ReportRow] = []
    totals: list[ReportRow] = []
    for variant, own in by_variant.items():
        whole = math.fsum(deals for _, deals in own) or 1.0
        weighed = [(replace(row, weight=deals / whole), deals) for row, deals in own]
        rows += [row for row, _ in weighed]
        totals.append(summed(weighed, variant or "all flops"))
    return tuple(rows), tuple(totals)
