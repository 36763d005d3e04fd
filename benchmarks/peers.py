"""An iteration of zerosum against an iteration of LiteEFG and of OpenSpiel's C++ solvers, one thread each."""

from __future__ import annotations

import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import zerosum
from machine import Contestant, interleave, ratio, silent, table, verdict

HORIZON = 1_000_000
CHECKED_ITERATIONS = 10
TOLERANCE = 1e-6
LONGEST_BUILD = 120.0
"""Seconds LiteEFG may take to build a game before it is left out."""
WARM_UP = 3.0
"""Seconds OpenSpiel's solvers run before their later iterations are timed."""


@dataclass(frozen=True)
class Match:
    """A game under its names, and how many times faster than each peer zerosum has to be."""

    title: str
    zerosum: str
    openspiel: str
    turn_based: bool = False
    unit: float = 1.0
    """One point of zerosum's payoff in OpenSpiel's."""
    smaller: Match | None = None
    """The game to compare iterations on, where exact ties of this one are broken by rounding."""
    target_liteefg: float = 40.0
    target_openspiel: float = 40.0

    def load(self) -> Any:
        """The game of OpenSpiel, which LiteEFG reads too."""
        import pyspiel

        return (pyspiel.load_game_as_turn_based if self.turn_based else pyspiel.load_game)(self.openspiel)


def goofspiel(cards: int, smaller: Match | None = None) -> Match:
    """Goofspiel; OpenSpiel pays half the difference of the points."""
    return Match(
        f"goofspiel {cards}",
        f"goofspiel({cards}, order=ascending, seen=winner)",
        f"goofspiel(num_cards={cards},imp_info=True,points_order=ascending,returns_type=point_difference)",
        turn_based=True,
        unit=0.5,
        smaller=smaller,
    )


MATCHES = (
    Match("Kuhn", "kuhn", "kuhn_poker", target_liteefg=8.0, target_openspiel=8.0),
    Match("Leduc", "leduc", "leduc_poker"),
    goofspiel(5, smaller=goofspiel(4)),
    Match("liar's dice 4", "liars-dice(sides=4)", "liars_dice(dice_sides=4)"),
    Match("liar's dice 6", "liars-dice(sides=6)", "liars_dice(dice_sides=6)"),
)


def algorithms() -> dict[str, tuple[Any, Callable[..., Any] | None]]:
    """zerosum's name -> LiteEFG's module and OpenSpiel's solver; OpenSpiel has no DCFR in C++."""
    import pyspiel
    from LiteEFG.baselines import CFR, DCFR, CFRplus

    return {
        "cfr": (CFR, pyspiel.CFRSolver),
        "cfr+": (CFRplus, pyspiel.CFRPlusSolver),
        "dcfr": (DCFR, None),
    }


@contextmanager
def elsewhere() -> Iterator[None]:
    """In a temporary home and folder, because LiteEFG writes a file for every game into its user's home."""
    home, working_folder = os.environ.get("HOME"), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(working_folder)
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after `seconds`."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def zerosum_contestant(form: zerosum.SequenceForm, name: str) -> Contestant:
    """zerosum on one thread; every iteration enters the average."""
    solver = zerosum.Solver(form, zerosum.algorithm(name), horizon=HORIZON, threads=1)
    solver.load_kernels()
    return Contestant(f"zerosum {name}", solver.run)


class LiteEFG:
    """One algorithm of LiteEFG on one game."""

    def __init__(self, game: Any, module: ModuleType) -> None:
        import LiteEFG

        LiteEFG.set_threads(1)
        begin = time.perf_counter()
        with silent(), at_most(LONGEST_BUILD):
            self.environment = LiteEFG.OpenSpielEnv(game, traverse_type="Enumerate")
            self.graph = module.graph()
            self.environment.set_graph(self.graph)
        self.built = time.perf_counter() - begin
        self.averages_itself = hasattr(self.graph, "avg_strategy")

    def run(self, iterations: int) -> None:
        """Iterate, and add to the average as zerosum does; its DCFR does that in the update already."""
        update, remember = self.graph.update_graph, self.environment.update_strategy
        if self.averages_itself:
            for _ in range(iterations):
                update(self.environment)
        else:
            strategy = self.graph.current_strategy()
            for _ in range(iterations):
                update(self.environment)
                remember(strategy)

    def uniform_nash_conv(self) -> float:
        """What the players could gain against the strategies before the first iteration."""
        return float(sum(self.environment.exploitability(self.graph.current_strategy(), "default")))


class OpenSpiel:
    """One C++ solver of OpenSpiel on one game."""

    def __init__(self, game: Any, solver: Callable[..., Any]) -> None:
        self.game, self.make = game, solver
        self.renew()

    def renew(self) -> None:
        """Start afresh."""
        self.solver = self.make(self.game)

    def run(self, iterations: int) -> None:
        """Iterate; every iteration enters the average."""
        for _ in range(iterations):
            self.solver.evaluate_and_update_policy()

    def warm_up(self, seconds: float) -> None:
        """Iterate until strategies are far from uniform, because it skips unreached histories."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.run(1)


def check(match: Match, form: zerosum.SequenceForm, game: Any) -> dict[str, object]:
    """The same game and the same numbers: sizes, uniform play, and CFR+ after a few iterations."""
    import pyspiel

    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) / match.unit
    agree(match, "uniform play loses", uniform_nash_conv(form), uniform)
    other = match.smaller
    if other is None:
        ours, theirs = few_iterations(match, form, game)
    else:
        ours, theirs = few_iterations(other, zerosum.compile_game(zerosum.game(other.zerosum)), other.load())
    agree(other or match, "the exploitability of CFR+ is", ours, theirs)
    policy = pyspiel.CFRPlusSolver(game).tabular_average_policy()
    actions = [len(choices) for choices in policy.policy_table().values()]
    agree(match, "the number of infosets is", form.infosets, len(actions))
    agree(match, "the number of sequences is", form.sequences, sum(actions) + 2)
    return {
        "infosets": form.infosets,
        "sequences": form.sequences,
        "compared_on": (other or match).title,
        "exploitability": ours,
        "exploitability_openspiel": theirs,
    }


def few_iterations(match: Match, form: zerosum.SequenceForm, game: Any) -> tuple[float, float]:
    """The exploitability after a few iterations of CFR+ here and in OpenSpiel."""
    import pyspiel

    peer = OpenSpiel(game, pyspiel.CFRPlusSolver)
    peer.run(CHECKED_ITERATIONS)
    solver = zerosum.Solver(form, zerosum.algorithm("cfr+(average=1)"), horizon=HORIZON, threads=1)
    solver.run(CHECKED_ITERATIONS)
    theirs = pyspiel.nash_conv(game, peer.solver.tabular_average_policy()) / 2
    return solver.evaluate().exploitability, theirs / match.unit


def uniform_nash_conv(form: zerosum.SequenceForm) -> float:
    """What the players could gain against uniform play."""
    return zerosum.evaluate(form, form.treeplexes[0].uniform_plan(), form.treeplexes[1].uniform_plan()).nash_conv


def agree(match: Match, what: str, ours: float, theirs: float) -> None:
    """Stop if zerosum and a peer do not speak of the same game."""
    if abs(ours - theirs) > TOLERANCE * abs(theirs):
        raise SystemExit(f"{match.title}: {what} {ours} here and {theirs} elsewhere")


def contestants(
    match: Match, form: zerosum.SequenceForm, game: Any, warm_up: float
) -> tuple[list[Contestant], dict[str, str]]:
    """Return the contestants on a game, and the build time of LiteEFG (or why it is missing)."""
    racers: list[Contestant] = []
    built: dict[str, str] = {}
    for name, (module, solver) in algorithms().items():
        racers.append(zerosum_contestant(form, name))
        try:
            lite = LiteEFG(game, module)
        except TimeoutError as late:
            built[name] = f"left out: {late}"
        else:
            built[name] = f"{lite.built:.1f} s"
            agree(match, "uniform play loses", uniform_nash_conv(form), lite.uniform_nash_conv() / match.unit)
            racers.append(Contestant(f"LiteEFG {name}", lite.run))
        if solver is not None:
            early, late_on = OpenSpiel(game, solver), OpenSpiel(game, solver)
            late_on.warm_up(warm_up)
            racers.append(Contestant(f"OpenSpiel first {name}", early.run, early.renew))
            racers.append(Contestant(f"OpenSpiel later {name}", late_on.run))
    return racers, built


def race(match: Match, seconds: float, warm_up: float) -> list[dict[str, Any]]:
    """Return a row for each algorithm on a game."""
    form = zerosum.compile_game(zerosum.game(match.zerosum))
    game = match.load()
    checked = check(match, form, game)
    with elsewhere():
        racers, built = contestants(match, form, game, warm_up)
        samples = interleave(racers, seconds)
    return [_row(match, name, samples, built[name], checked) for name in built]


def _row(
    match: Match, name: str, samples: dict[str, list[float]], built: str, checked: dict[str, object]
) -> dict[str, Any]:
    median = {key: statistics.median(values) for key, values in samples.items() if key.endswith(f" {name}")}
    ours = samples[f"zerosum {name}"]
    row: dict[str, Any] = {
        "game": match.title,
        "algorithm": name,
        "seconds": median,
        "samples": {key: samples[key] for key in median},
        "liteefg_build": built,
        "check": checked,
        "targets": {"LiteEFG": match.target_liteefg, "OpenSpiel": match.target_openspiel},
        "ratio": {},
    }
    if f"LiteEFG {name}" in median:
        row["ratio"]["LiteEFG"] = ratio(samples[f"LiteEFG {name}"], ours)
    spiel = [key for key in median if key.startswith("OpenSpiel")]
    if spiel:
        row["openspiel_used"] = min(spiel, key=median.__getitem__)
        row["ratio"]["OpenSpiel"] = ratio(samples[row["openspiel_used"]], ours)
    row["passed"] = {peer: row["ratio"][peer] >= row["targets"][peer] for peer in row["ratio"]}
    return row


def show(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as a table: microseconds an iteration, and how many times faster zerosum is."""
    head = ["game", "algorithm", "zerosum us", "LiteEFG us", "OpenSpiel us first", "later", "x LiteEFG",
            "x OpenSpiel", ""]  # fmt: skip
    return table(head, [_cells(row) for row in rows])


def _cells(row: dict[str, Any]) -> list[str]:
    def micro(who: str) -> str:
        seconds = row["seconds"].get(f"{who} {row['algorithm']}")
        return "-" if seconds is None else f"{seconds * 1e6:,.{1 if seconds < 1e-4 else 0}f}"

    def times(peer: str) -> str:
        return f"{row['ratio'][peer]:,.0f}" if peer in row["ratio"] else "-"

    return [
        row["game"],
        row["algorithm"],
        *(micro(who) for who in ("zerosum", "LiteEFG", "OpenSpiel first", "OpenSpiel later")),
        times("LiteEFG"),
        times("OpenSpiel"),
        verdict(all(row["passed"].values())),
    ]


def show_check(checked: dict[str, Any]) -> str:
    """What was compared before the race."""
    ours, theirs = checked["exploitability"], checked["exploitability_openspiel"]
    return (
        f"{checked['infosets']:,} infosets and {checked['sequences']:,} sequences, as in OpenSpiel; "
        f"exploitability of {checked['compared_on']} after {CHECKED_ITERATIONS} iterations of CFR+ "
        f"{ours:.9f}, in OpenSpiel {theirs:.9f}"
    )
