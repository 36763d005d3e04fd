"""One entry is enough: whatever is in a catalogue can be saved, loaded, estimated, resumed and exported."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, get_type_hints

import pytest

import zerosum
import zerosum.holdem
from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Average, Weighted
from zerosum.algorithms.choices import Accumulate, CustomRule, Match, NormalHedge, RegularisedLeader, Steps
from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.algorithms.prefixes import PREFIXES
from zerosum.algorithms.sampling import Sampling
from zerosum.algorithms.schedules import Choice
from zerosum.algorithms.serialization import decode_algorithm, encode_algorithm
from zerosum.cli.commands.export import ExportArguments
from zerosum.games.catalogue import GAMES
from zerosum.problems.registry import find_problem_class
from zerosum.runs.export import FORMATS, ExportRequest, export, list_format_names, text_format

NAMES = [*ALGORITHMS, *(f"{name}-{prefix.base}" for name, prefix in PREFIXES.items()), "trm-cfr(random=1)",
         "oftrl(fixed, eta=0.1)", "oftrl(tuned)", "oftrl(theory, losses=chips)", "oftrl(regulariser=euclidean)",
         "dcfr(1..4, 0, 2)", "dcfr(immediate=true)", "lp"]  # fmt: skip
ABSTRACT = (Accumulate, Match, RegularisedLeader, Steps, Average, Sampling, CustomRule, Weighted)
"""Kinds of choices, and those that hold a function, which is never saved."""


@pytest.fixture(scope="module")
def river() -> zerosum.holdem.Spot:
    return zerosum.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")


def parts(part: Any) -> set[type]:
    """Return the types of all choices that an algorithm consists of."""
    if not isinstance(part, Choice):
        return set()
    return {type(part)}.union(*(parts(value) for value in vars(part).values()))


def test_every_choice_is_in_some_algorithm() -> None:
    used = set().union(*(parts(zerosum.algorithm(name)) for name in NAMES))
    ours = {kind for kind in Choice.registry.values() if kind.__module__.startswith("zerosum.")}
    assert ours - used == set(ABSTRACT)


@pytest.mark.parametrize("name", NAMES)
def test_an_algorithm_is_saved_loaded_estimated_and_resumed(
    name: str, river: zerosum.holdem.Spot, tmp_path: Path
) -> None:
    chosen = zerosum.algorithm(name)
    assert decode_algorithm(encode_algorithm(chosen)) == chosen
    limits: dict[str, Any] = {"iterations": 4} if chosen.sampling is None else {"iterations": 4, "nodes": 10**6}
    for number, game in enumerate(("kuhn", river)):
        if chosen.exact and number:
            continue
        size = zerosum.estimate(game, chosen)
        assert size.bytes > 0
        assert size.seconds > 0
        whole = zerosum.solve(game, chosen, threads=1, **limits)
        run = zerosum.start(game, chosen, threads=1, **limits)
        run.advance(iterations=2)
        if chosen.exact:
            continue
        run.save(tmp_path / f"run{number}")
        assert zerosum.load(tmp_path / f"run{number}").iterations == 2
        resumed = zerosum.resume(tmp_path / f"run{number}", threads=1)
        assert (resumed.iterations, resumed.value) == (whole.iterations, whole.value)


@dataclass(frozen=True)
class Doubled(NormalHedge):
    """A rule of the kernels under another name, entered by being defined."""

    cost_ns: ClassVar[float] = 1.0


def test_a_rule_is_registered_once_it_is_defined(river: zerosum.holdem.Spot, tmp_path: Path) -> None:
    mine = Algorithm("mine", match=Doubled())
    assert decode_algorithm(encode_algorithm(mine)) == mine
    assert (
        zerosum.estimate(river, mine).seconds < zerosum.estimate(river, Algorithm("its", match=NormalHedge())).seconds
    )
    zerosum.solve(river, mine, iterations=5, out=tmp_path / "run")
    assert zerosum.resume(tmp_path / "run", iterations=10).iterations == 10


@pytest.mark.parametrize("entry", GAMES.values(), ids=lambda entry: entry.name)
def test_a_game_is_written_down_and_read_back(entry: Any) -> None:
    problem = zerosum.problem(entry.example)
    header = {**problem.codec().to_json(problem), "numbers": {"name": problem.name, "fingerprint": "x"}}
    again = find_problem_class("sequences").codec().from_json(header)
    assert again.name == problem.name
    find_problem_class("sequences").codec().check_json(header)


def test_the_help_of_export_lists_every_format() -> None:
    (option,) = get_type_hints(ExportArguments, include_extras=True)["format"].__metadata__
    assert sorted(option.metavar.split("|")) == sorted(list_format_names()), "see the option `format` of zerosum export"


@pytest.mark.parametrize("name", list_format_names())
def test_a_format_writes_whatever_it_takes(name: str, river: zerosum.holdem.Spot, tmp_path: Path) -> None:
    written = 0
    for result in (zerosum.solve("kuhn", iterations=3), zerosum.solve(river, iterations=3)):
        if name in list_format_names(result):
            export(result, name, tmp_path / "x")
            written += (tmp_path / "x").stat().st_size > 0
        else:
            with pytest.raises(zerosum.ZerosumError, match="use one of csv"):
                export(result, name, tmp_path / "x")
    assert written


def test_a_custom_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerosum.runs.export.FORMATS", dict(FORMATS))

    @text_format("lines")
    def lines(request: ExportRequest) -> Iterator[str]:
        for decision in request.iterate_decisions():
            yield f"{decision.infoset}\n"

    out = io.StringIO()
    export(zerosum.solve("kuhn", iterations=3), "lines", out)
    assert out.getvalue().count("\n") == 12
