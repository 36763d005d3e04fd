"""One entry is enough: whatever is in a catalogue can be saved, loaded, estimated, resumed and exported."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import rue
import rue.holdem
from rue.algorithms.algorithm import Algorithm
from rue.algorithms.averages import Average, Weighted
from rue.algorithms.catalogue import ALGORITHMS, PREFIXES
from rue.algorithms.choice import Choice
from rue.algorithms.choices import Accumulate, Custom, Match, NormalHedge, Steps
from rue.algorithms.recipe import algorithm_of, to_data
from rue.algorithms.sampling import Periods
from rue.games.catalogue import GAMES
from rue.problems.find import kind_of
from rue.regret import rule as kernel
from rue.runs.export import FORMATS, export, text_format

NAMES = [*ALGORITHMS, *(f"{name}-{prefix.base}" for name, prefix in PREFIXES.items()), "trm-cfr(random=1)",
         "oftrl(fixed, eta=0.1)", "oftrl(tuned)", "oftrl(theory, losses=chips)", "oftrl(regulariser=euclidean)",
         "dcfr(1..4, 0, 2)", "dcfr(immediate=true)", "lp"]  # fmt: skip
ABSTRACT = (Accumulate, Match, Steps, Average, Periods, Custom, Weighted)
"""Kinds of choices, and those that hold a function, which is never saved."""


@pytest.fixture(scope="module")
def river() -> rue.holdem.Spot:
    return rue.holdem.spot("Ks7h2d9c4s", 200, 300, "AA,99,87s", "KK,QQ,65s", "50%,allin")


def parts(part: Any) -> set[type]:
    """All choices that an algorithm is made of."""
    if not isinstance(part, Choice):
        return set()
    return {type(part)}.union(*(parts(value) for value in vars(part).values()))


def test_every_choice_is_in_some_algorithm() -> None:
    used = set().union(*(parts(rue.algorithm(name)) for name in NAMES))
    ours = {kind for kind in Choice.known.values() if kind.__module__.startswith("rue.")}
    assert ours - used == set(ABSTRACT)


@pytest.mark.parametrize("name", NAMES)
def test_an_algorithm_is_saved_loaded_estimated_and_resumed(name: str, river: rue.holdem.Spot, tmp_path: Path) -> None:
    chosen = rue.algorithm(name)
    assert algorithm_of(to_data(chosen)) == chosen
    limits: dict[str, Any] = {"iterations": 4} if chosen.sampling is None else {"iterations": 4, "nodes": 10**6}
    for number, game in enumerate(("kuhn", river)):
        if chosen.exact and number:
            continue
        size = rue.estimate(game, chosen)
        assert size.bytes > 0
        assert size.seconds > 0
        whole = rue.solve(game, chosen, threads=1, **limits)
        run = rue.start(game, chosen, threads=1, **limits)
        run.advance(iterations=2)
        if chosen.exact:
            continue
        run.save(tmp_path / f"run{number}")
        assert rue.load(tmp_path / f"run{number}").iterations == 2
        resumed = rue.resume(tmp_path / f"run{number}", threads=1)
        assert (resumed.iterations, resumed.value) == (whole.iterations, whole.value)


@dataclass(frozen=True)
class Doubled(NormalHedge):
    """A rule of the kernels under another name, entered by being defined."""

    code: ClassVar[int] = kernel.NORMAL_HEDGE
    nanoseconds: ClassVar[float] = 1.0


def test_a_rule_is_known_once_it_is_defined(river: rue.holdem.Spot, tmp_path: Path) -> None:
    mine = Algorithm("mine", match=Doubled())
    assert algorithm_of(to_data(mine)) == mine
    assert rue.estimate(river, mine).seconds < rue.estimate(river, Algorithm("its", match=NormalHedge())).seconds
    rue.solve(river, mine, iterations=5, out=tmp_path / "run")
    assert rue.resume(tmp_path / "run", iterations=10).iterations == 10


@pytest.mark.parametrize("entry", GAMES.values(), ids=lambda entry: entry.name)
def test_a_game_is_written_down_and_read_back(entry: Any) -> None:
    problem = rue.problem(entry.example)
    header = {**problem.data(), "numbers": {"name": problem.name, "fingerprint": "x"}}
    again = kind_of("sequences").from_data(header)
    assert again.name == problem.name
    kind_of("sequences").check_data(header)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_writes_whatever_it_takes(name: str, river: rue.holdem.Spot, tmp_path: Path) -> None:
    written = 0
    for result in (rue.solve("kuhn", iterations=3), rue.solve(river, iterations=3)):
        if isinstance(result, FORMATS[name].of):
            export(result, name, tmp_path / "x")
            written += (tmp_path / "x").stat().st_size > 0
        else:
            with pytest.raises(rue.RueError, match="use csv"):
                export(result, name, tmp_path / "x")
    assert written


def test_a_format_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rue.runs.export.FORMATS", dict(FORMATS))

    @text_format("lines")
    def lines(wanted: Any) -> Any:
        for decision in wanted.decisions():
            yield f"{decision.infoset}\n"

    out = io.StringIO()
    export(rue.solve("kuhn", iterations=3), "lines", out)
    assert out.getvalue().count("\n") == 12
