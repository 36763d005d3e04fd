"""Race zerosum against postflop-solver, a native solver in Rust that is built locally: an iteration, and a whole run.

    cd benchmarks/postflop && RUSTFLAGS="-C target-cpu=native" cargo build --release && cd ../..
    python benchmarks/race.py --data FOLDER              # the folder with subgame1.txt .. subgame4.txt
    python benchmarks/race.py --spots turn --threads 2   # only spots whose name contains a word

The two take turns. An iteration updates both players; its nanoseconds are per infoset-action of zerosum's count for
both, with one thread by the processor's time, which other work on the machine disturbs less, with several by the
wall's. A whole run is a process from its start to its end, with what it takes to read the spot, build the tree, solve
it to so much of the pot and, for zerosum, print a table.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import zerosum
from holdem import IP, OOP, SIZES, solver_of, spots
from machine import describe_machine, ratio, table
from zerosum.holdem.cards.cards import HANDS, format_cards
from zerosum.holdem.spots.spot import Spot

BINARY = Path(__file__).parent / "postflop" / "target" / "release" / "postflop"
GOALS = (0.5, 0.1)
"""How near a run comes to equilibrium, in % of the pot."""


def words_of(spot: Spot) -> str:
    """A spot as the driver reads it; weights are at most 1 there."""
    options = spot.betting.to_options()
    bets, raises = (options[key].replace("allin", "a").replace(" ", "") for key in ("bets", "raises"))
    lines = [f"board {format_cards(spot.board)}", f"pot {spot.pot:.0f}", f"stack {spot.stack:.0f}"]
    lines += [f"bets {bets}", f"raises {raises}"]
    for name, weights in zip(("oop", "ip"), spot.weights, strict=True):
        hands = zip(HANDS, weights / weights.max(), strict=True)
        parts = (f"{format_cards(hand[::-1])}:{weight:.9f}" for hand, weight in hands if weight > 0)
        lines.append(f"{name} " + ",".join(parts))
    return "\n".join(lines) + "\n"


class Rival:
    """A process of the driver, which iterates on request."""

    def __init__(self, binary: Path, spot: Spot, threads: int) -> None:
        self.process, self.threads = start(binary, threads), threads
        self._say(words_of(spot))

    def run(self, iterations: int) -> float:
        """Run more iterations and return their seconds."""
        began = processor_time(self.process.pid)
        self._say(f"run {iterations}\n")
        assert self.process.stdout is not None
        wall = float(self.process.stdout.readline())
        return processor_time(self.process.pid) - began if self.threads == 1 else wall

    def close(self) -> None:
        """End the process."""
        self.process.communicate()

    def _say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()


def processor_time(process: int) -> float:
    """Seconds that a process has had of all processors, as Linux numbers its clocks."""
    return time.clock_gettime(~process << 3 | 2)


def start(binary: Path, threads: int) -> subprocess.Popen[str]:
    """Start the driver with a number of threads."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    return subprocess.Popen([str(binary)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def iterations(spot: Spot, binary: Path, threads: int, seconds: float) -> tuple[int, list[float], list[float]]:
    """Infoset-actions, and seconds an iteration of zerosum and of the rival, a sample a round."""
    problem = zerosum.problem(spot)
    actions = sum(problem.build_form().store)
    solver, rival = solver_of(problem, "dcfr", threads), Rival(binary, spot, threads)
    solver.run(2)
    rival.run(2)
    counts = max(1, int(0.2 / (actions * 3e-9))), max(1, int(0.2 / (actions * 12e-9)))
    ours: list[float] = []
    theirs: list[float] = []
    now = time.process_time if threads == 1 else time.perf_counter
    began = time.perf_counter()
    while len(ours) < 3 or (time.perf_counter() - began < 2 * seconds and len(ours) < 60):
        clock = now()
        solver.run(counts[0])
        ours.append((now() - clock) / counts[0])
        theirs.append(rival.run(counts[1]) / counts[1])
    rival.close()
    return actions, ours, theirs


def command(name: str, spot: Spot, data: str | None) -> list[str]:
    """Return the command that solves a spot."""
    if name.startswith("subgame"):
        return [f"libratus:{name[-1]}", *(["--data", data] if data else [])]
    options = spot.betting.to_options()
    bets, raises = options["bets"], options["raises"]
    where = ["--board", format_cards(spot.board), "--pot", f"{spot.pot:g}", "--stack", f"{spot.stack:g}"]
    sizes = ["--bets", bets, "--raises", raises, "--minimum", f"{SIZES['minimum']:g}"]
    return ["holdem", *where, "--oop", OOP, "--ip", IP, *sizes]


def whole_runs(spot: Spot, binary: Path, typed: list[str], threads: int, goal: float, rounds: int) -> list[list[float]]:
    """Seconds of whole processes that solve a spot to a goal, of zerosum and of the rival."""
    samples: list[list[float]] = [[], []]
    ours = [sys.executable, "-m", "zerosum", "solve", *typed, "--until", f"{goal}%", "--threads", str(threads)]
    text = words_of(spot) + f"until {spot.pot * goal / 100}\n"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        clock = time.perf_counter()
        subprocess.run(ours, check=True, capture_output=True, env=environment)
        samples[0].append(time.perf_counter() - clock)
        clock = time.perf_counter()
        start(binary, threads).communicate(text)
        samples[1].append(time.perf_counter() - clock)
    return samples


def main() -> None:
    """Race and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="folder with the Libratus endgames (default: $ZEROSUM_LIBRATUS)")
    parser.add_argument("--binary", type=Path, default=BINARY, help="the driver (default: %(default)s)")
    parser.add_argument("--spots", default="", help="only spots whose name contains this")
    parser.add_argument("--threads", type=int, default=1, help="threads of both")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds a spot and contestant")
    parser.add_argument("--rounds", type=int, default=3, help="whole runs of each; 0 for none")
    options = parser.parse_args()
    print(json.dumps(describe_machine(), indent=1))
    head = ["spot", "infoset-actions", "zerosum ns", "postflop-solver ns", "times"]
    for goal in GOALS if options.rounds else ():
        head += [f"zerosum s to {goal}%", "postflop-solver s"]
    rows = []
    for name, spot in spots(options.data):
        if options.spots not in name:
            continue
        actions, ours, theirs = iterations(spot, options.binary, options.threads, options.seconds)
        nanoseconds = [statistics.median(times) / actions * 1e9 for times in (ours, theirs)]
        row = [name, f"{actions:,}", f"{nanoseconds[0]:.2f}", f"{nanoseconds[1]:.2f}", f"{ratio(theirs, ours):.1f}"]
        for goal in GOALS if options.rounds else ():
            typed = command(name, spot, options.data)
            pair = whole_runs(spot, options.binary, typed, options.threads, goal, options.rounds)
            row += [f"{statistics.median(times):.2f}" for times in pair]
        rows.append(row)
        print(table(head, [row]), flush=True)
    print(table(head, rows))


if __name__ == "__main__":
    main()
