"""The traces of files in CONTRIBUTING match the calls that Python really makes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zerosum
import zerosum.holdem
from call_traces import check_trace, read_traces
from local_workers import build_shared_solver
from zerosum.cli.main import run


@pytest.mark.parametrize(
    ("title", "arguments"),
    [
        ("`zerosum solve leduc`", ["solve", "leduc", "--iterations", "5"]),
        ("`zerosum solve spot:river`", ["solve", "spot:river", "--iterations", "2"]),
    ],
)
def test_a_command_takes_the_way_that_is_shown(title: str, arguments: list[str]) -> None:
    check_trace(read_traces()[title], lambda: run(arguments))


def test_a_report_takes_the_way_that_is_shown() -> None:
    bets = "flop: allin; turn: none; river: none"
    spot = zerosum.holdem.spot("Ks7h2d", 100, 60, "AA", "KQs", bets, "none", big_blind=1)

    def report() -> None:
        with ThreadPoolExecutor(1) as executor:  # a new thread, because only threads that start later are followed
            zerosum.report(spot, flops="Ks7h2d", iterations=2, executor=executor)

    check_trace(read_traces()["a report over flops"], report)


def test_a_saved_run_takes_the_way_that_is_shown(tmp_path: Path) -> None:
    path = str(tmp_path / "run")
    assert run(["solve", "leduc", "--iterations", "5", "--out", path]) == 0
    check_trace(read_traces()["`zerosum resume run/`"], lambda: run(["resume", path, "--iterations", "+5"]))


def test_workers_take_the_way_that_is_shown() -> None:
    check_trace(read_traces()["one solve on several workers"], lambda: build_shared_solver("cfr", 2).run(2))
