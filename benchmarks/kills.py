"""Workers and whole machines are killed at random while they work: the digits must be those of one machine.

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

import rue
from rue.container import Container

LATEST = 0.3
"""Seconds into the next iterations at which somebody is killed, at most."""
ITERATIONS_A_JOB = 60
SOLVE, REPORT = "ray::Worker", "ray::_perform"
"""The names of the processes that are at work."""


class Killer:
    """Kills workers and, `every` so many times, a machine of a cluster; `nodes` are those that may be killed.

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
        """Have another machine ready for the one that is next."""
        if self.spare and self.whole and len(self.nodes) <= self.count:
            self.nodes.append(self.cluster.add_node(num_cpus=1))

    def strike(self, process: str) -> None:
        """Kill one that is at work, if there is one."""
        raylets = {each.all_processes["raylet"][0].process.pid: each for each in self.cluster.list_all_nodes()}
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        rows = [line.split(maxsplit=2) for line in listed.splitlines()]
        working = [(int(pid), raylets[int(up)]) for pid, up, args in rows if int(up) in raylets and process in args]
        if self.whole:
            working = [each for each in working if each[1] in self.nodes]
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
        """Kill one while a run makes some iterations."""

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
    asked = parser.parse_args()
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # what makes Ray stay on 127.0.0.1
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            in_a_solve(asked.spot, asked.kills, Killer(cluster, nodes), Path(folder))
        in_a_report(asked.kills, Killer(cluster, nodes, seed=1))
    finally:
        ray.shutdown()
        cluster.shutdown()


def in_a_solve(name: str, kills: int, killer: Killer, out: Path) -> None:
    began, iterations = time.perf_counter(), 4 * kills + 4
    rue.solve(name, iterations=iterations, out=out / "alone")
    run = rue.start(name, iterations=iterations, out=out / "shared", on=killer.cluster.address, machines=3)
    while killer.killed.total() < kills and run.advance(iterations=killer.draw.randint(1, 2)):
        killer.strike_during(run, iterations=2)
    run.advance()
    one, two = (Container(out / which / "run.rue").arrays() for which in ("alone", "shared"))
    same = one.keys() == two.keys() and all((one[array] == two[array]).all() for array in one)
    taken = time.perf_counter() - began
    print(f"{name}: {killer} were killed in {iterations} iterations, {taken:.0f} s;")
    print(f"all {sum(array.size for array in one.values()):,} saved numbers are {'equal' if same else 'NOT EQUAL'}")


def in_a_report(kills: int, killer: Killer) -> None:
    """One is killed whenever two more solves are done."""
    from holdem import IP, OOP

    began = time.perf_counter()
    spot = rue.holdem.spot("Ks 7h 2d 9c", 100, 200, OOP, IP, bets="50%,100%", raises="100%")
    asked: Any = {"vary": {"stack": [f"{100 + stack}" for stack in range(2 * kills)]}, "iterations": ITERATIONS_A_JOB}

    def told(at: Any) -> None:
        if killer.killed.total() < min(kills, at.done // 2):
            killer.prepare()
            killer.strike(REPORT)

    there = rue.report(spot, on=killer.cluster.address, progress=told, **asked)
    here = rue.report(spot, **asked)
    numbers = [[(row.name, row.ev_oop, row.ev_ip, row.frequencies) for row in each.rows] for each in (there, here)]
    same, taken = numbers[0] == numbers[1], time.perf_counter() - began
    print(f"a report of {len(numbers[0])} solves: {killer} were killed, {taken:.0f} s;")
    print(f"all rows are {'equal' if same else 'NOT EQUAL'}")


if __name__ == "__main__":
    main()
