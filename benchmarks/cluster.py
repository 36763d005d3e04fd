"""Solves on Ray's workers: what they cost here, and what they would gain on more machines.

    python benchmarks/cluster.py                     one solve shared: the flop of 163 million infoset-actions
    python benchmarks/cluster.py --spot spot:turn --iterations 50
    python benchmarks/cluster.py --jobs 200          many solves: how much of both cores' time they get
    python benchmarks/cluster.py --saving 60         what saving a shared run costs: at most 3% is the goal

Measured: an iteration of one process with one thread, of one worker and of two workers of one core each, in turns, by
the clock and of the processor; the bytes that are sent and come back; an empty message. What this process computes is
the first street, and its part in the messages.

The model for N machines of one core each, T(1) being one process:

    T(N) = first street + largest share(N) * walk + messages + (N - 1) * a worker more + bytes / network

Its assumptions: machines as fast as this one, a walk that is split as `dealt_out` does, messages as measured here, all
workers on one machine, and a network that nobody else uses, over which the reaches are sent N times.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import rue
from holdem import FLOP, IP, OOP, flop
from machine import describe_machine
from rue.problems.spot import SpotProblem
from rue.solvers.dealt_out import dealt_out
from rue.solvers.limits import Limits

NETWORKS = {"1 Gbit/s": 1e9 / 8, "10 Gbit/s": 1e10 / 8, "25 Gbit/s": 25e9 / 8}
MACHINES = (1, 2, 4, 8, 16, 32, 64)
CALLS = 4
"""Messages of an iteration to a worker: a pass of each player, asked and answered."""
ITERATIONS_A_JOB = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spot", default=FLOP)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--saving", type=float, default=0)
    asked = parser.parse_args()
    print(describe_machine())
    if asked.jobs:
        many(asked.jobs)
    elif asked.saving:
        save(asked.spot, asked.saving)
    else:
        measure(asked.spot, asked.iterations, asked.rounds)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


class Contestant:
    """A solver, and what its iterations took: by the clock, of this processor, and of its busiest worker."""

    def __init__(self, solver: Any) -> None:
        self.solver, self.clock, self.here, self.busiest = solver, list[float](), list[float](), list[float]()
        solver.load()
        solver.run(1)

    def run(self, iterations: int) -> None:
        before, began, used = self._spent(), time.perf_counter(), time.process_time()
        self.solver.run(iterations)
        self.clock.append((time.perf_counter() - began) / iterations)
        self.here.append((time.process_time() - used) / iterations)
        spent = [now - then for now, then in zip(self._spent(), before, strict=True)]
        self.busiest.append(max(spent, default=0.0) / iterations)

    def _spent(self) -> list[float]:
        crew = getattr(self.solver, "crew", None)
        return [] if crew is None else [each.processor for each in crew.spent()]

    @property
    def seconds(self) -> float:
        """Of the processor, for the parts that follow each other."""
        return statistics.median(here + busiest for here, busiest in zip(self.here, self.busiest, strict=True))


def measure(name: str, iterations: int, rounds: int) -> None:
    from rue.cluster.connect import connect
    from rue.cluster.place import shared

    connect("local", 4)  # three workers, of which one or two work at a time
    problem = rue.problem(flop() if name == FLOP else name)
    assert isinstance(problem, SpotProblem)
    algorithm, limits = problem.algorithm(), Limits(iterations=10**6, threads=1)
    tree = problem.build()
    found = {"one process": Contestant(problem.solver(algorithm, limits))}
    for workers in (1, 2):
        solver = shared(problem, "local", workers).solver(algorithm, limits)
        found[f"{workers} worker{'s' * (workers > 1)}"] = Contestant(solver)
    for _ in range(rounds):
        for each in found.values():
            each.run(iterations)
    print(
        f"{name}: {sum(tree.store):,} infoset-actions, {tree.deals} deals; {rounds} rounds of {iterations} iterations"
    )
    print("\n| an iteration | clock, best | clock, median | processor here | of the busiest worker |")
    print("| --- | --- | --- | --- | --- |")
    for told, each in found.items():
        cells = (min(each.clock), *(statistics.median(times) for times in (each.clock, each.here, each.busiest)))
        print(f"| {told} | " + " | ".join(f"{cell:.3f} s" for cell in cells) + " |")
    process, one, two = found.values()
    ratios = [alone / both for alone, both in zip(process.clock, two.clock, strict=True)]
    print(
        f"\ntwo workers against one process: {min(process.clock) / min(two.clock):.2f}x by the best times, "
        f"{statistics.median(ratios):.2f}x by the median of the rounds, {process.seconds / two.seconds:.2f}x of the "
        "processor (the busiest worker and this process)"
    )
    told = ", ".join(f"{spent.bytes / 1e9:.2f} GB" for spent in two.solver.crew.spent())
    print(f"memory of the two workers, at most: {told}")
    message = min(_message(one.solver) for _ in range(50))
    more = max(0.0, min(_message(two.solver) for _ in range(50)) - message)
    print(f"an empty message there and back: {message * 1e3:.2f} ms, with two workers {more * 1e3:.2f} ms more")
    model(tree, process, one, (message, more))


def _message(solver: Any) -> float:
    began = time.perf_counter()
    solver.crew.spent()
    return time.perf_counter() - began


def model(tree: Any, process: Contestant, one: Contestant, messages: tuple[float, float]) -> None:
    """What more machines would gain."""
    down = sum(int(tree.shape(0, player)[0] * tree.shape(0, player)[1]) * 4 for player in (0, 1))
    after = tree.after_first
    back = int((tree.entries[after, None] * tree.widths[after]).sum()) * 4
    print(f"an iteration sends {down:,} bytes to each worker, and {back:,} come back in all")
    walk, here = statistics.median(one.busiest), statistics.median(one.here)
    print(f"model: {here * 1e3:.1f} ms here, {walk:.3f} s of walks, {CALLS // 2} messages\n")
    print("| machines | " + " | ".join(NETWORKS) + " | largest share |")
    print("| --- |" + " --- |" * (len(NETWORKS) + 1))
    spans = [[tree.deal_span(deal, player) for player in (0, 1)] for deal in range(tree.deals)]
    sizes = [sum(span.stop - span.start for span in both) for both in spans]
    for count in MACHINES:
        share = max(sum(sizes[deal] for deal in deals) for deals in dealt_out(tree, count)) / sum(sizes)
        asked = CALLS / 2 * (messages[0] + messages[1] * (count - 1))
        seconds = [here + walk * share + asked + (down * count + back) / speed for speed in NETWORKS.values()]
        gained = " | ".join(f"{process.seconds / each:.1f}x" for each in seconds)
        print(f"| {count} | {gained} | {share:.1%} |")


def many(count: int) -> None:
    """Small solves of a turn with other stacks: the share of the cores' time in which one of them goes on."""
    from rue.machine import cores

    spot = rue.holdem.spot("Ks 7h 2d 9c", 100, 200, OOP, IP, bets="50%,100%", raises="100%")
    stacks = [f"{100 + stack}" for stack in range(1, count)]
    print(f"\n| {count} solves of a turn | clock | of it solving, on {cores()} cores | a solve |")
    print("| --- | --- | --- | --- |")
    for told, on in (("on the cores of this machine", None), ("on a cluster of Ray, here", "local")):
        with tempfile.TemporaryDirectory() as folder:
            began: list[float] = []
            rue.report(
                spot, vary={"stack": stacks}, iterations=ITERATIONS_A_JOB, out=folder, on=on,
                progress=lambda at, began=began: began.append(time.perf_counter()) if at.running else None,
            )  # fmt: skip
            spent = time.perf_counter() - began[0]
            solved = [json.loads(path.read_text())["seconds"] for path in (Path(folder) / "solved").iterdir()]
        share = sum(solved) / spent / cores()
        print(f"| {told} | {spent:.1f} s | {share:.1%} | {statistics.mean(solved):.2f} s |")


def save(name: str, seconds: float) -> None:
    """Solve with two workers and save on the way: the share of the time that the saves took."""
    with tempfile.TemporaryDirectory() as folder:
        spot: Any = flop() if name == FLOP else name
        run = rue.start(spot, seconds=seconds, threads=1, out=Path(folder) / "run", on="local", machines=2)
        keeper = run.keeper
        assert keeper is not None
        run.advance()
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        told = f"{keeper.saves} saves on the way, {keeper.spent:.2f} s of {run.seconds:.1f} s"
        print(f"{name}: {size / 1e6:.1f} MB, {told}: {keeper.spent / run.seconds:.2%}")
        run.close()


if __name__ == "__main__":
    main()
