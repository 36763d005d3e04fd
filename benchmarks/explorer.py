"""Measure the explorer in Chromium: the first page, a walk through a solved flop, memory, and the cost to a run.

    python benchmarks/explorer.py                        # the flop Td9d6h, 163 million infoset-actions: 3 GB of memory
    python benchmarks/explorer.py --spot turn --steps 200

A step is timed in the page: from the key that is pressed to the second frame after the decision was drawn. EVs come
later, and are timed from the same start. Steps are timed twice: as a person walks, who views a decision for
`--pause` seconds before the next step, while the page asks for what may come next; and as fast as it goes, the next
step when EVs are painted, which also shows whether memory grows. The run beside the page is one of the server, as the
page starts it, with the page open on it; it takes turns with the same run without a server in a separate
process, which saves to a folder as the page's run does (`zerosum solve --out`). Turns are short, so that both runs are
always about as far: later iterations take longer. The figures are iterations a second, processor time for an iteration
(threads that wait for each other work, too), and the processor time of Chromium meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

import zerosum
from holdem import spots
from machine import describe_machine, table
from zerosum.holdem.cards.cards import card_name
from zerosum.holdem.spots.files import spot_to_dict
from zerosum.holdem.spots.line import follow_line
from zerosum.holdem.spots.spot import Spot

CHROMIUM = "/usr/bin/chromium"
FIRST, STEP, COST = 2.0, 0.150, 0.05
"""What must hold: seconds to the first page, seconds of a step at the 95th percentile, share of a run's speed."""
SETTLED = 0.5
"""Seconds after which a page has drawn the last of a run that was paused."""
WALKING = """async ([lines, pause]) => {
  const { walk } = await import(`${location.pathname}static/js/walk/walk_state.js`);
  const frame = () => new Promise(requestAnimationFrame);
  const until = (ready) => new Promise((done) => {
    const stop = walk.subscribe("view", (view) => ready(view) && setTimeout(() => { stop(); done(); }));
  });
  const times = [];
  for (const line of lines) {
    const there = (view) => view && view.line.join() === line.join();
    const start = performance.now();
    walk.to(line);
    await until(there);
    await frame();
    await frame();
    const shown = performance.now() - start;
    await until((view) => there(view) && (!view.decision || view.decision.has_ev));
    times.push([shown, performance.now() - start]);
    await frame();
    await frame();
    if (pause) await new Promise((done) => setTimeout(done, pause));
  }
  return times;
}"""
OPENED = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return paint ? paint.startTime : null;
}"""
ALONE = """
import json, sys, tempfile, time
import zerosum
from zerosum.holdem.spots.files import spot_from_dict
with tempfile.TemporaryDirectory() as folder:
    run = zerosum.start(spot_from_dict(json.loads(sys.argv[1])), iterations=10**6, out=folder + "/run")
    run.prepare()
    for seconds in sys.stdin:
        began, spent, before = time.perf_counter(), time.process_time(), run.iteration
        run.advance(seconds=float(seconds))
        figures = run.iteration - before, time.perf_counter() - began, time.process_time() - spent
        print(json.dumps(figures), flush=True)
    run.close()
"""
"""A run without a server: each input line is a turn in seconds, answered with iterations, clock and processor time."""


def random_lines(spot: Spot, count: int, seed: int = 1) -> list[list[str]]:
    """Return lines of decisions, each one step after the last or a new beginning."""
    rng = random.Random(seed)
    lines: list[list[str]] = []
    line: list[str] = []
    while len(lines) < count:
        position = follow_line(spot, line)
        if position.node is not None:
            lines.append(list(position.line))
            passive = [action for action in position.node.actions if action not in ("fold", "allin")]
            line = [*line, rng.choice(passive or ["fold"])]
        elif position.leaf is not None and position.leaf.next_round is not None:
            left = [card_name(card) for card in range(52) if card not in position.board]
            line = [*line, rng.choice(left)]
        else:
            line = []
    return lines


class Served(NamedTuple):
    """A server in a separate process: its address, its process id, and the seconds until it printed the address."""

    address: str
    process: int
    up: float


@contextmanager
def serving(folder: str) -> Iterator[Served]:
    """A server while it is needed."""
    command = [sys.executable, "-m", "zerosum", "explore", "--folder", folder, "--no-open", "--port", "0"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            printed = re.search(r"http://\S+", process.stdout.readline())
            assert printed is not None
            yield Served(printed[0], process.pid, time.perf_counter() - began)
        finally:
            process.terminate()


def ask(address: str, path: str, data: Any = None) -> Any:
    """A request to the server."""
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(f"{address}api/{path}", body) as answer:
        return json.load(answer)


def wait(address: str, key: str, *states: str) -> Any:
    """Wait until a run is in one of some states."""
    while True:
        run = ask(address, f"runs/{key}")
        if run["state"] in states:
            return run
        if run["state"] == "failed":
            raise SystemExit(run["error"])
        time.sleep(0.2)


def percentile(numbers: list[float], share: float) -> float:
    """Return the number below which a share of the numbers lies."""
    return sorted(numbers)[min(len(numbers) - 1, int(share * len(numbers)))]


def first_page(page: Page, address: str) -> dict[str, float]:
    """From the request to the first paint, and to a page that can be used."""
    began = time.perf_counter()
    page.goto(address)
    page.wait_for_selector("page-home")
    usable = time.perf_counter() - began
    return {"first paint": page.evaluate(OPENED) / 1000, "usable": usable}


class Pace(NamedTuple):
    """The number of steps: as a person walks, with a pause in seconds after each, and as fast as possible."""

    walked: int
    pause: float
    fast: int


def steps(page: Page, address: str, key: str, spot: Spot, pace: Pace) -> dict[str, Any]:
    """Walk through a solved spot."""
    session = page.context.new_cdp_session(page)
    page.goto(f"{address}#/run/{key}")
    page.wait_for_selector("range-grid .cell.there", timeout=600_000)

    def heap() -> float:
        session.send("HeapProfiler.collectGarbage")
        return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6

    def nodes() -> int:
        return int(session.send("Memory.getDOMCounters")["nodes"])

    walked = times(page.evaluate(WALKING, [random_lines(spot, pace.walked, seed=2), 1000 * pace.pause]))
    before = {"heap MB before": heap(), "DOM nodes before": nodes()}
    fast = times(page.evaluate(WALKING, [random_lines(spot, pace.fast), 0]))
    return {**pace._asdict(), "walk": walked, "rush": fast, **before, "after": heap(), "DOM nodes after": nodes()}


def times(samples: list[list[float]]) -> dict[str, float]:
    """Summarize steps by percentiles, in seconds."""
    drawn, judged = ([sample[k] / 1000 for sample in samples] for k in (0, 1))
    return {
        "p50": percentile(drawn, 0.5),
        "p95": percentile(drawn, 0.95),
        "worst": max(drawn),
        "EVs p50": percentile(judged, 0.5),
        "EVs p95": percentile(judged, 0.95),
    }


def processor_time(*processes: int) -> float:
    """Seconds that processes have worked so far."""
    stats = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf("SC_CLK_TCK")


def below(process: int) -> list[int]:
    """The processes that a process started, and those that these did."""
    processes = [process]
    for parent in processes:
        for task in Path(f"/proc/{parent}/task").iterdir():
            processes += map(int, (task / "children").read_text().split())
    return processes[1:]


class Turn(NamedTuple):
    """What a run did in a turn: iterations, seconds by the clock, seconds of the processor."""

    done: int
    took: float
    spent: float


@contextmanager
def alone(spot: Spot) -> Iterator[Callable[[float], Turn]]:
    """The same run without a server, turn by turn."""
    command = [sys.executable, "-c", ALONE, json.dumps(spot_to_dict(spot))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout

        def turn(seconds: float) -> Turn:
            print(seconds, file=to, flush=True)
            return Turn(*json.loads(back.readline()))

        yield turn
        to.close()


def speed_beside(page: Page, served: Served, spot: Spot, seconds: float, rounds: int) -> dict[str, Any]:
    """A run with the page open, and the same run without a server, taking turns."""
    address, turns, drawn = served.address, list[tuple[Turn, Turn]](), 0.0
    key = ask(address, "runs", {"spot": spot_to_dict(spot), "iterations": 10**6})["id"]
    page.goto(f"{address}#/run/{key}")
    page.wait_for_selector("range-grid .cell.there", timeout=600_000)
    browser = [process for process in below(os.getpid()) if process not in (served.process, *below(served.process))]
    with alone(spot) as other:
        other(1.0)
        for _ in range(rounds):
            wait(address, key, "running")
            before, spent = processor_time(*browser), processor_time(served.process)
            start, began = ask(address, f"runs/{key}")["iteration"], time.perf_counter()
            time.sleep(seconds)
            done, took = ask(address, f"runs/{key}")["iteration"] - start, time.perf_counter() - began
            with_page = Turn(done, took, processor_time(served.process) - spent)
            drawn += processor_time(*browser) - before
            ask(address, f"runs/{key}/pause", {})
            wait(address, key, "paused")
            time.sleep(SETTLED)
            turns.append((with_page, other(seconds)))
            ask(address, f"runs/{key}/resume", {})
    ask(address, f"runs/{key}/stop", {})
    wait(address, key, "stopped")
    return {
        "turns": turns,
        "speed": statistics.median(
            (page_turn.done / page_turn.took) / (lone_turn.done / lone_turn.took) for page_turn, lone_turn in turns
        ),
        "cost": statistics.median(
            (page_turn.spent / page_turn.done) / (lone_turn.spent / lone_turn.done) for page_turn, lone_turn in turns
        ),
        "drawn": drawn / sum(page_turn.took for page_turn, _ in turns),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spot", default="flop", help="flop or turn: Td9d6h, Td9d6hQc")
    parser.add_argument("--iterations", type=int, default=20, help="of the run that is walked through")
    parser.add_argument("--steps", type=int, default=1000, help="as fast as it goes")
    parser.add_argument("--walked", type=int, default=200, help="steps with a pause")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two steps with a pause")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each turn of the run beside the page")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--running", default="turn", help="flop or turn: the spot solved beside the page")
    parser.add_argument("--beside", action="store_true", help="measure nothing but the run beside the page")
    parser.add_argument("--json", type=Path, help="write the figures to a file")
    options = parser.parse_args()
    name, spot = next((n, s) for n, s in spots("/") if n.startswith(options.spot))
    beside = next(s for n, s in spots("/") if n.startswith(options.running))
    machine = describe_machine()
    print(json.dumps(machine, indent=1))
    size = zerosum.estimate(spot)
    assert size is not None
    report: dict[str, Any] = {"machine": machine, "spot": name, "infoset_actions": size.infoset_actions}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(folder) as served,
        sync_playwright() as started,
        started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        address = served.address
        report["server up"] = served.up
        if not options.beside:
            report["page"] = first_page(page, address)
            key = ask(address, "runs", {"spot": spot_to_dict(spot), "iterations": options.iterations})["id"]
            wait(address, key, "done")
            report["walk"] = steps(page, address, key, spot, Pace(options.walked, options.pause, options.steps))
        report["run"] = speed_beside(page, served, beside, options.seconds, options.rounds)
    rows = [] if options.beside else page_rows(report, f"{name}, {size.infoset_actions:,} infoset-actions")
    print(table(["what", "measured", ""], rows + run_rows(report["run"])))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))


def page_rows(report: dict[str, Any], title: str) -> list[list[str]]:
    """Return the table rows of the first page and of the steps."""
    page, walk = report["page"], report["walk"]
    return [
        ["server up", f"{report['server up']:.2f} s", ""],
        ["first paint", f"{page['first paint']:.2f} s", verdict(page["first paint"] <= FIRST)],
        ["page can be used", f"{page['usable']:.2f} s", verdict(page["usable"] <= FIRST)],
        [title, "", ""],
        *step_rows(f"{walk['walked']:,} steps, {walk['pause']:g} s between them", walk["walk"]),
        *step_rows(f"{walk['fast']:,} steps as fast as it goes", walk["rush"]),
        ["JS heap before / after", f"{walk['heap MB before']:.1f} / {walk['after']:.1f} MB", ""],
        ["DOM nodes before / after", f"{walk['DOM nodes before']:,} / {walk['DOM nodes after']:,}", ""],
    ]


def run_rows(run: dict[str, Any]) -> list[list[str]]:
    """Return the table rows of the run beside the page."""
    speed, cost = run["speed"], run["cost"]
    return [
        ["a run beside the page: iterations a second, of those alone", f"{speed:.3f}", verdict(speed >= 1 - COST)],
        ["processor time of an iteration, of that alone", f"{cost:.3f}", verdict(cost <= 1 + COST)],
        ["processor time of Chromium meanwhile, of a core", f"{run['drawn']:.1%}", ""],
    ]


def step_rows(title: str, step_times: dict[str, float]) -> list[list[str]]:
    """Return the table rows of a series of steps."""
    return [
        [f"{title}, p50", ms(step_times["p50"]), ""],
        ["p95", ms(step_times["p95"]), verdict(step_times["p95"] <= STEP)],
        ["worst", ms(step_times["worst"]), ""],
        ["with EVs, p50 / p95", f"{ms(step_times['EVs p50'])} / {ms(step_times['EVs p95'])}", ""],
    ]


def ms(seconds: float) -> str:
    """Milliseconds."""
    return f"{1000 * seconds:.0f} ms"


def verdict(holds: bool) -> str:
    """Whether a bound holds."""
    return "PASS" if holds else "SHORT"


if __name__ == "__main__":
    main()
