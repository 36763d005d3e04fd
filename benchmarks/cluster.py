"""Measure solves on Ray's workers: their cost on this machine, and the expected gain on more machines.

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

import zerosum
from holdem import FLOP, IP, OOP, flop
from machine import describe_machine
from zerosum.engine.limits import Limits
from zerosum.engine.public.deal_worker import partition_deals
from zerosum.holdem.problem.problem import SpotProblem

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
    options = parser.parse_args()
    print(describe_machine())
    if options.jobs:
        many(options.jobs)
    elif options.saving:
        save(options.spot, options.saving)
    else:
        measure(options.spot, options.iterations, options.rounds)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


class Contestant:
    """A solver and the times of its iterations: by the clock, of this process, and of its busiest worker."""

    def __init__(self, solver: Any) -> None:
        self.solver, self.clock, self.local, self.busiest = solver, list[float](), list[float](), list[float]()
        solver.load_kernels()
        solver.run(1)

    def run(self, iterations: int) -> None:
        before, began, used = self._spent(), time.perf_counter(), time.process_time()
        self.solver.run(iterations)
        self.clock.append((time.perf_counter() - began) / iterations)
        self.local.append((time.process_time() - used) / iterations)
        spent = [now - then for now, then in zip(self._spent(), before, strict=True)]
        self.busiest.append(max(spent, default=0.0) / iterations)

    def _spent(self) -> list[float]:
        group = getattr(self.solver, "group", None)
        return [] if group is None else [worker.processor for worker in group.resource_usage()]

    @property
    def seconds(self) -> float:
        """Of the processor, for the parts that follow each other."""
        return statistics.median(local + busiest for local, busiest in zip(self.local, self.busiest, strict=True))


def measure(name: str, iterations: int, rounds: int) -> None:
    from zerosum.cluster.connection import connect
    from zerosum.cluster.placement import share_among_machines

    connect("local", 4)  # three workers, of which one or two work at a time
    problem = zerosum.problem(flop() if name == FLOP else name)
    assert isinstance(problem, SpotProblem)
    algorithm, limits = problem.resolve_algorithm(), Limits(iterations=10**6, threads=1)
    tree = problem.build_form()
    contestants = {"one process": Contestant(problem.build_solver(algorithm, limits))}
    for workers in (1, 2):
        solver = share_among_machines(problem, "local", workers).build_solver(algorithm, limits)
        contestants[f"{workers} worker{'s' * (workers > 1)}"] = Contestant(solver)
    for _ in range(rounds):
        for contestant in contestants.values():
            contestant.run(iterations)
    print(
        f"{name}: {sum(tree.store_sizes):,} infoset-actions, {tree.deal_count} deals; "
        f"{rounds} rounds of {iterations} iterations"
    )
    print("\n| an iteration | clock, best | clock, median | processor here | of the busiest worker |")
    print("| --- | --- | --- | --- | --- |")
    for title, contestant in contestants.items():
        cells = (
            min(contestant.clock),
            *(statistics.median(times) for times in (contestant.clock, contestant.local, contestant.busiest)),
        )
        print(f"| {title} | " + " | ".join(f"{cell:.3f} s" for cell in cells) + " |")
    process, single, pair = contestants.values()
    ratios = [alone / both for alone, both in zip(process.clock, pair.clock, strict=True)]
    print(
        f"\ntwo workers against one process: {min(process.clock) / min(pair.clock):.2f}x by the best times, "
        f"{statistics.median(ratios):.2f}x by the median of the rounds, {process.seconds / pair.seconds:.2f}x of the "
        "processor (the busiest worker and this process)"
    )
    memory = ", ".join(f"{spent.bytes / 1e9:.2f} GB" for spent in pair.solver.group.resource_usage())
    print(f"memory of the two workers, at most: {memory}")
    message = min(_message(single.solver) for _ in range(50))
    more = max(0.0, min(_message(pair.solver) for _ in range(50)) - message)
    print(f"an empty message there and back: {message * 1e3:.2f} ms, with two workers {more * 1e3:.2f} ms more")
    model(tree, process, single, (message, more))


def _message(solver: Any) -> float:
    began = time.perf_counter()
    solver.group.resource_usage()
    return time.perf_counter() - began


def model(tree: Any, process: Contestant, worker: Contestant, messages: tuple[float, float]) -> None:
    """What more machines would gain."""
    down = sum(int(tree.get_shape(0, player)[0] * tree.get_shape(0, player)[1]) * 4 for player in (0, 1))
    after = tree.deal_places
    back = int((tree.entry_counts[after, None] * tree.widths[after]).sum()) * 4
    print(f"an iteration sends {down:,} bytes to each worker, and {back:,} come back in all")
    walk, local = statistics.median(worker.busiest), statistics.median(worker.local)
    print(f"model: {local * 1e3:.1f} ms here, {walk:.3f} s of walks, {CALLS // 2} messages\n")
    print("| machines | " + " | ".join(NETWORKS) + " | largest share |")
    print("| --- |" + " --- |" * (len(NETWORKS) + 1))
    spans = [[tree.slice_deal(deal, player) for player in (0, 1)] for deal in range(tree.deal_count)]
    sizes = [sum(span.stop - span.start for span in both) for both in spans]
    for count in MACHINES:
        share = max(sum(sizes[deal] for deal in deals) for deals in partition_deals(tree, count)) / sum(sizes)
        calls = CALLS / 2 * (messages[0] + messages[1] * (count - 1))
        seconds = [local + walk * share + calls + (down * count + back) / speed for speed in NETWORKS.values()]
        gained = " | ".join(f"{process.seconds / total:.1f}x" for total in seconds)
        print(f"| {count} | {gained} | {share:.1%} |")


def many(count: int) -> None:
    """Solve a turn with many stacks, and print the share of the cores' time spent solving."""
    from zerosum.support.system import available_cores

    spot = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 200, OOP, IP, bets="50%,100%", raises="100%")
    stacks = [f"{100 + stack}" for stack in range(1, count)]
    print(f"\n| {count} solves of a turn | clock | of it solving, on {available_cores()} cores | a solve |")
    print("| --- | --- | --- | --- |")
    for title, on in (("on the cores of this machine", None), ("on a cluster of Ray, here", "local")):
        with tempfile.TemporaryDirectory() as folder:
            began: list[float] = []

            def notice_start(progress: zerosum.TaskProgress, began: list[float] = began) -> None:
                if progress.running:
                    began.append(time.perf_counter())

            vary = {"stack": stacks}
            zerosum.report(spot, vary=vary, iterations=ITERATIONS_A_JOB, out=folder, on=on, progress=notice_start)
            spent = time.perf_counter() - began[0]
            solved = [json.loads(path.read_text())["seconds"] for path in (Path(folder) / "solved").iterdir()]
        share = sum(solved) / spent / available_cores()
        print(f"| {title} | {spent:.1f} s | {share:.1%} | {statistics.mean(solved):.2f} s |")


def save(name: str, seconds: float) -> None:
    """Solve with two workers and save on the way: the share of the time that the saves took."""
    with tempfile.TemporaryDirectory() as folder:
        spot: Any = flop() if name == FLOP else name
        run = zerosum.start(spot, seconds=seconds, threads=1, out=Path(folder) / "run", on="local", machines=2)
        keeper = run.saver
        assert keeper is not None
        run.advance()
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        saves = f"{keeper.saves} saves on the way, {keeper.spent:.2f} s of {run.seconds:.1f} s"
        print(f"{name}: {size / 1e6:.1f} MB, {saves}: {keeper.spent / run.seconds:.2%}")
        run.close()


if __name__ == "__main__":
    main()
