"""Which modules of the package a command loads, each command in a separate process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from zerosum.problems.kinds import list_problem_kinds

MAX_LEDUC_MODULES = 120
UNUSED_BY_A_RIVER = (
    "zerosum.algorithms.custom_algorithms",
    "zerosum.cluster.placement",
    "zerosum.engine.exact",
    "zerosum.engine.forms.sequence.enumeration",
    "zerosum.engine.forms.sequence.form_compiler",
    "zerosum.engine.public.deal_worker",
    "zerosum.engine.public.distributed_solver",
    "zerosum.engine.sampling",
    "zerosum.explorer",
    "zerosum.games.catalogue",
    "zerosum.games.external",
    "zerosum.holdem.engine.cluster_estimate",
    "zerosum.holdem.problem.evaluation",
    "zerosum.holdem.problem.frequency_locks",
    "zerosum.holdem.problem.locks",
    "zerosum.holdem.problem.sharing",
    "zerosum.holdem.solution.pio",
    "zerosum.holdem.solution.strategy",
    "zerosum.holdem.spots.deepstack",
    "zerosum.holdem.spots.libratus",
    "zerosum.holdem.study",
    "zerosum.jobs",
    "zerosum.papers",
    "zerosum.problems.games.game_problem",
    "zerosum.results.diff",
    "zerosum.results.exploitability",
    "zerosum.runs.export",
    "zerosum.runs.run_saver",
    "zerosum.runs.saved_run",
)
"""Modules and packages that a plain solve of a river has no use for."""
LIST = """
import json, sys
from zerosum.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, [name for name in sys.modules if name.partition(".")[0] == "zerosum"]]))
"""


def loaded(*words: object) -> set[str]:
    """Run a command and return the modules that it loaded."""
    arguments = [sys.executable, "-c", LIST, *map(str, words)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return set(modules)


def of(modules: set[str], package: str) -> list[str]:
    """Return the modules that are a package, or in it."""
    return sorted(name for name in modules if f"{name}.".startswith(f"{package}."))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loading")


@pytest.fixture(scope="module")
def run(folder: Path) -> Path:
    """A saved run of leduc."""
    loaded("solve", "leduc", "--iterations", 5, "--out", folder / "run")
    return folder / "run"


def test_solving_leduc_loads_little_and_nothing_of_other_kinds() -> None:
    modules = loaded("solve", "leduc", "--iterations", 100)
    assert len(modules) <= MAX_LEDUC_MODULES
    assert of(modules, "zerosum.holdem") == []


@pytest.mark.parametrize(
    "words", ["show RUN", "compare leduc cfr dcfr --iterations 3", "export RUN --format csv", "diff RUN RUN"]
)
def test_commands_on_leduc_load_nothing_of_other_kinds(run: Path, words: str) -> None:
    assert of(loaded(*words.replace("RUN", str(run)).split()), "zerosum.holdem") == []


def test_resuming_and_judging_leduc_load_nothing_of_other_kinds(folder: Path) -> None:
    table = folder / "strategy.csv"
    loaded("solve", "leduc", "--iterations", 5, "--out", folder / "resumed")
    modules = loaded("resume", folder / "resumed", "--iterations", "+5")
    modules |= loaded("export", folder / "resumed", "--format", "csv", "--out", table)
    modules |= loaded("exploit", "leduc", table)
    assert of(modules, "zerosum.holdem") == []


def test_solving_a_river_loads_what_it_uses() -> None:
    modules = loaded("solve", "spot:river", "--iterations", 3)
    assert {name: of(modules, name) for name in UNUSED_BY_A_RIVER if of(modules, name)} == {}


def test_every_kind_has_the_code_that_its_entry_names() -> None:
    for kind in list_problem_kinds():
        module = kind.load()
        assert set(module.get_problem_class().codec().run_formats) == set(kind.run_formats)
        assert all(callable(module.find_exporter(name)) for name in kind.export_formats)
        assert module.get_problem_class().problem_kind == kind.name
