"""One solve shared by workers of a Ray cluster: what it costs here, and what it would gain on more machines.

    python benchmarks/cluster.py                     the flop that comes along, 3 iterations
    python benchmarks/cluster.py --kills 20          workers and machines are killed; the digits must not change
    python benchmarks/cluster.py --spot spot:turn --iterations 50

Measured: seconds an iteration of one process with one thread, of one worker and of two workers of one core each, in
turns; the seconds that the workers compute; the bytes that are sent and come back. The rest is messages.

The model for N machines of one core each: T(N) = first street + largest share(N) * walk + N messages + bytes / network.
Its assumptions: machines as fast as this one, a walk that is split as `dealt_out` does, a message of so many
microseconds more for each worker as measured here between two and one, and a network that nobody else uses.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import rue
from machine import describe_machine
from rue.container import Container
from rue.problems.spot import SpotProblem
from rue.solvers.limits import Limits
from rue.solvers.shared_solver import dealt_out

NETWORKS = {"1 Gbit/s": 1e9 / 8, "10 Gbit/s": 1e10 / 8, "25 Gbit/s": 25e9 / 8}
MACHINES = (1, 2, 4, 8, 16, 32, 64)


def timed(solver: Any, iterations: int) -> float:
    began = time.perf_counter()
    solver.run(iterations)
    return (time.perf_counter() - began) / iterations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spot", default="spot:flop")
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kills", type=int, default=0)
    asked = parser.parse_args()
    print(describe_machine())
    if asked.kills:
        kill(asked.spot, asked.kills)
    else:
        measure(asked.spot, asked.iterations, asked.rounds)


def measure(name: str, iterations: int, rounds: int) -> None:
    from rue.cluster.connect import connect
    from rue.cluster.place import shared

    connect("local", 4)  # three workers, of which one or two work at a time

    problem = rue.problem(name)
    assert isinstance(problem, SpotProblem)
    algorithm, limits = problem.algorithm(), Limits(iterations=10**6, threads=1)
    tree = problem.build()
    solvers: dict[str, Any] = {"one process": problem.solver(algorithm, limits)}
    for workers in (1, 2):
        placed = shared(problem, "local", workers)
        solvers[f"{workers} worker{'s' * (workers > 1)}"] = placed.solver(algorithm, limits)
    for solver in solvers.values():
        solver.load()
        solver.run(1)
    times: dict[str, list[float]] = {name: [] for name in solvers}
    for _ in range(rounds):
        for told, solver in solvers.items():
            times[told].append(timed(solver, iterations))
    best = {told: min(found) for told, found in times.items()}
    print(f"{name}: {sum(tree.store):,} infoset-actions, {tree.deals} deals")
    for told, found in times.items():
        print(f"  {told:12} {best[told]:8.3f} s an iteration (median {statistics.median(found):.3f})")
    one, two = solvers["1 worker"], solvers["2 workers"]
    before = [spent for spent, _ in two.crew.spent()], one.crew.spent()[0][0]
    alone, together = timed(one, iterations), timed(two, iterations)
    walk = (one.crew.spent()[0][0] - before[1]) / iterations
    busiest = max(spent - then for (spent, _), then in zip(two.crew.spent(), before[0], strict=True)) / iterations
    print(f"  two workers against one process: {best['one process'] / best['2 workers']:.2f}x")
    print(
        f"  one worker: {alone:.3f} s, of which it computes {walk:.3f}; two: {together:.3f}, the busier {busiest:.3f}"
    )
    print(f"  memory of the two workers: {', '.join(f'{most / 1e9:.2f} GB' for _, most in two.crew.spent())}")
    down = sum(int(tree.shape(0, player)[0] * tree.shape(0, player)[1]) * 4 for player in (0, 1))
    after = tree.after_first
    back = int((tree.entries[after, None] * tree.widths[after]).sum()) * 4
    print(f"  an iteration sends {down:,} bytes to each worker, and {back:,} come back in all")
    extra = max(0.0, together - busiest - (alone - walk))
    first = max(0.0, alone - walk)
    print(f"  outside the walks: {first * 1e3:.1f} ms with one worker, {extra * 1e3:.1f} ms more with two\n")
    print("machines   " + "".join(f"{told:>14}" for told in NETWORKS) + "   largest share")
    sizes = [
        sum(tree.deal_span(deal, p).stop - tree.deal_span(deal, p).start for p in (0, 1)) for deal in range(tree.deals)
    ]
    for count in MACHINES:
        share = max(sum(sizes[deal] for deal in deals) for deals in dealt_out(tree, count)) / sum(sizes)
        seconds = [
            first + walk * share + extra * (count - 1) + (down * count + back) / speed for speed in NETWORKS.values()
        ]
        print(f"{count:8}   " + "".join(f"{(first + walk) / each:13.1f}x" for each in seconds) + f"   {share:.1%}")


def kill(name: str, kills: int) -> None:
    """Kill workers and whole machines at random while a spot is solved; the run must be that of one machine."""
    import os

    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    draw = random.Random(0)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
    iterations, lost = 3 * kills, {"worker": 0, "machine": 0}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        rue.solve(name, iterations=iterations, out=out / "alone")
        run = rue.start(name, iterations=iterations, out=out / "shared", on=cluster.address, machines=3)
        for number in range(kills):
            run.advance(iterations=draw.randint(1, 2))
            if number % 4 == 3:
                cluster.remove_node(nodes.pop(draw.randrange(len(nodes))))
                nodes.append(cluster.add_node(num_cpus=1))
                lost["machine"] += 1
            else:
                ray.kill(draw.choice(run.solver.crew.workers))  # type: ignore[attr-defined]
                lost["worker"] += 1
        run.advance()
        one, two = (Container(out / which / "run.rue").arrays() for which in ("alone", "shared"))
        same = all((one[array] == two[array]).all() for array in one)
        print(
            f"{name}: {lost['worker']} workers and {lost['machine']} machines were killed in {iterations} iterations;"
        )
        print(f"all {sum(array.size for array in one.values()):,} saved numbers are {'equal' if same else 'NOT EQUAL'}")
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()
