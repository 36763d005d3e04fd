"""Kill workers and whole machines at random while they work: the digits must be those of one machine.

    python benchmarks/kills.py                      20 kills in one shared solve, and 20 in a report
    python benchmarks/kills.py --kills 3 --spot spot:turn

Three machines, all of them this one, on the loopback interface. Every fourth time it is a machine, with all its
processes, that is killed, and another one takes its place; otherwise it is a worker (SIGKILL). It is always one that is
at work.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import zerosum
from zerosum.support.array_file import ArrayFile

LATEST = 0.3
"""Seconds into the next iterations at which somebody is killed, at most."""
ITERATIONS_A_JOB = 60
SOLVE, REPORT = "ray::Worker", "ray::_perform"
"""The names of the worker processes."""


class Killer:
    """Kills workers and, every `every`-th time, a machine of a cluster; `nodes` are those that may be killed.

    Another machine takes the place of one that is killed, if there is one to `spare`.
    """

    def __init__(self, cluster: Any, nodes: list[Any], every: int = 4, seed: int = 0, spare: bool = True) -> None:
        self.cluster, self.nodes, self.every, self.draw = cluster, nodes, every, random.Random(seed)
        self.spare = spare
        self.count, self.killed = len(nodes), Counter[str]()

    @property
    def whole(self) -> bool:
        """Whether a machine is next."""
        return self.killed.total() % self.every == self.every - 1

    def prepare(self) -> None:
        """Start a replacement for the machine to be killed next."""
        if self.spare and self.whole and len(self.nodes) <= self.count:
            self.nodes.append(self.cluster.add_node(num_cpus=1))

    def strike(self, process: str) -> None:
        """Kill a working process, if there is one."""
        raylets = {machine.all_processes["raylet"][0].process.pid: machine for machine in self.cluster.list_all_nodes()}
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        rows = [line.split(maxsplit=2) for line in listed.splitlines()]
        working = [(int(pid), raylets[int(up)]) for pid, up, args in rows if int(up) in raylets and process in args]
        if self.whole:
            working = [row for row in working if row[1] in self.nodes]
        if not working:
            return
        pid, node = self.draw.choice(working)
        if not self.whole:
            os.kill(pid, signal.SIGKILL)
            self.killed["workers"] += 1
            return
        self.nodes.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)
        self.killed["machines"] += 1

    def strike_during(self, run: Any, iterations: int) -> None:
        """Kill a process while a run performs some iterations."""

        def soon() -> None:
            time.sleep(self.draw.uniform(0, LATEST))
            self.strike(SOLVE)

        self.prepare()
        other = threading.Thread(target=soon)
        other.start()
        run.advance(iterations=iterations)
        other.join()

    def __str__(self) -> str:
        return " and ".join(f"{count} {kind}" for kind, count in sorted(self.killed.items(), reverse=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--spot", default="spot:turn")
    options = parser.parse_args()
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes Ray stay on 127.0.0.1
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            in_a_solve(options.spot, options.kills, Killer(cluster, nodes), Path(folder))
        in_a_report(options.kills, Killer(cluster, nodes, seed=1))
    finally:
        ray.shutdown()
        cluster.shutdown()


def in_a_solve(name: str, kills: int, killer: Killer, out: Path) -> None:
    began, iterations = time.perf_counter(), 4 * kills + 4
    zerosum.solve(name, iterations=iterations, out=out / "alone")
    run = zerosum.start(name, iterations=iterations, out=out / "shared", on=killer.cluster.address, machines=3)
    while killer.killed.total() < kills and run.advance(iterations=killer.draw.randint(1, 2)):
        killer.strike_during(run, iterations=2)
    run.advance()
    alone, shared = (ArrayFile(out / which / "run.zs").read_arrays() for which in ("alone", "shared"))
    same = alone.keys() == shared.keys() and all((alone[array] == shared[array]).all() for array in alone)
    taken = time.perf_counter() - began
    print(f"{name}: {killer} were killed in {iterations} iterations, {taken:.0f} s;")
    print(f"all {sum(array.size for array in alone.values()):,} saved numbers are {'equal' if same else 'NOT EQUAL'}")


def in_a_report(kills: int, killer: Killer) -> None:
    """One is killed whenever two more solves are done."""
    from holdem import IP, OOP

    began = time.perf_counter()
    spot = zerosum.holdem.spot("Ks 7h 2d 9c", 100, 200, OOP, IP, bets="50%,100%", raises="100%")
    choices: Any = {"vary": {"stack": [f"{100 + stack}" for stack in range(2 * kills)]}, "iterations": ITERATIONS_A_JOB}

    def on_progress(at: Any) -> None:
        if killer.killed.total() < min(kills, at.done // 2):
            killer.prepare()
            killer.strike(REPORT)

    there = zerosum.report(spot, on=killer.cluster.address, progress=on_progress, **choices)
    local = zerosum.report(spot, **choices)
    columns = [
        [rows.name, *map(np.ndarray.tolist, (rows.ev_oop, rows.ev_ip, rows.frequency))]
        for rows in (there.rows, local.rows)
    ]
    same, taken = columns[0] == columns[1], time.perf_counter() - began
    print(f"a report of {len(local.rows)} solves: {killer} were killed, {taken:.0f} s;")
    print(f"all rows are {'equal' if same else 'NOT EQUAL'}")


if __name__ == "__main__":
    main()
