"""Solve a spot: the same runs and the same algorithms as for any game, on the public form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.defaults import HOLDEM
from rue.algorithms.sampling import PublicChanceSampling
from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.holdem.equity import equity
from rue.holdem.estimate import estimate, supported
from rue.holdem.form import public_tree
from rue.holdem.solution import Point as Decision
from rue.holdem.solution import Solution
from rue.holdem.spots import Spot, spot
from rue.result import Point
from rue.solvers.compare import check_distinct, one_by_one, starts_of
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.iterate import Keeping, Progress, iterate
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver, check_half
from rue.solvers.run import Start, tuned
from rue.solvers.warm import WEIGHT, Warm, check_warm, check_weight, warm_up_public


@dataclass(frozen=True)
class HoldemResult:
    """A solved spot: its numbers in chips, the curve, and the solution to look at.

    `value` is what the player out of position wins, net of half the pot; `exploitability` is the mean of what the
    players could gain by a best response.
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    exploitability_pot: float
    """As a fraction of the pot."""
    exploitability_mbb: float
    """In thousandths of a big blind a game."""
    nash_conv: float
    value: float
    equity: float
    """The share of the pot that the player out of position wins if nobody bets any more."""
    infosets: int
    sequences: int
    bytes: int
    """What the store and its tables take."""
    curve: tuple[Point, ...]
    solution: Solution = field(repr=False, compare=False)
    stopped: str = "iterations"
    """Why the run ended: iterations, until, seconds, nodes or interrupted."""
    nodes: int | None = None
    """The nodes touched by a sampled run."""
    seed: int | None = None
    """Of a sampled run: the same seed, the same run."""
    rue: str = field(default_factory=lambda: version("rue"))

    @classmethod
    def reached(cls, solution: Solution, last: Point, **more: Any) -> HoldemResult:
        """The result of a run whose last point is given; what follows from it and from the spot is worked out."""
        spot, tree = solution.spot, solution.tree
        return cls(
            game=str(spot),
            iterations=last.iteration,
            seconds=last.seconds,
            exploitability=last.exploitability,
            exploitability_pot=last.exploitability / spot.pot,
            exploitability_mbb=last.exploitability / spot.big_blind * 1000,
            nash_conv=last.nash_conv,
            value=last.value,
            equity=equity(spot.board, spot.oop, spot.ip),
            infosets=tree.infosets,
            sequences=tree.sequences,
            solution=solution,
            **more,
        )

    @property
    def spot(self) -> Spot:
        """What was solved."""
        return self.solution.spot

    def at(self, line: str = "") -> Decision:
        """Any decision: strategy, what each hand earns and both ranges after a line like `check bet50 call 4d`."""
        return self.solution.at(line)

    def summary(self) -> dict[str, Any]:
        """The numbers, the curve and what the first player does at the root, ready for JSON."""
        numbers = {key: getattr(self, key) for key in self.__dataclass_fields__ if key != "solution"}
        numbers["curve"] = [asdict(point) for point in self.curve]
        numbers["root"] = self.at().frequencies
        return numbers

    def save(self, path: str | Path) -> None:
        """Write the strategies to a file that `rue show` and `rue.load` read; `solve(..., out=)` saves a whole run."""
        from rue.runs.spots import save_strategy

        save_strategy(self, Path(path))


def solve(
    spot: Spot,
    algorithm: str | Algorithm = HOLDEM,
    *,
    iterations: int | None = None,
    until: float | str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int | None = None,
    start_from: HoldemResult | str | Path | None = None,
    start_weight: float = WEIGHT,
    isomorphism: bool = True,
    half: bool = False,
    out: str | Path | None = None,
    streets: str | Sequence[str] | None = None,
    overwrite: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> HoldemResult:
    """Solve a spot; limits and Ctrl-C as in `rue.solve`.

    until: an exploitability in chips, or `"0.5%"` of the pot. nodes: touched, of a run that samples; seed: of its
    draws, 0 by default. start_from: a result of the same spot, or its file, to start from, as far as `start_weight`
    trusts it (`rue.solvers.warm`). isomorphism: store boards that only differ by interchangeable suits once, which
    changes nothing but time and memory. half: store 16-bit floats, which takes half the memory and stops getting nearer
    at about 0.02% of the pot. out, overwrite: where the run is saved, as in `rue.solve`; streets: which ones a finished
    run keeps, such as `"flop,turn"`: decisions of the others are solved again when they are asked for.

    >>> from rue.holdem.files import load_spot
    >>> result = solve(load_spot("river"), until="0.5%")
    >>> result.exploitability_pot <= 0.005, result.stopped
    (True, 'until')
    >>> solve(load_spot("river"), "linear-mccfr(1e6)", nodes=10**7, seed=1).exploitability_pot < 0.02
    True
    """
    chosen = supported(algorithm)
    limits = Limits(iterations, until_chips(until, spot.pot), seconds, threads, nodes)
    limits.horizon(chosen)
    Start(seed).check(chosen)
    check_start(chosen, start_weight, half) if start_from is not None else check_weight(start_weight)
    estimate(spot, chosen, isomorphism=isomorphism, threads=threads, half=half).check()
    if out is None and streets is not None:
        raise RueError("streets says what a saved run keeps: give out as well")
    with _kept(out, spot, chosen, limits, seed, isomorphism, half, streets, overwrite) as keeping:
        tree = public_tree(spot, isomorphism)
        start = None
        if start_from is not None:
            from rue.strategies.spots import warm_start

            start = warm_start(spot, tree, start_from, start_weight)
        return solve_tree(spot, tree, chosen, limits, progress, seed, half, start, keeping)


@contextmanager
def _kept(out: str | Path | None, *about: Any) -> Iterator[Keeping | None]:
    """What saves the run, if it is to be saved."""
    if out is None:
        yield None
        return
    from rue.runs.keeper import keeping_spot

    with keeping_spot(out, *about) as kept:
        yield kept.keeper


def check_start(algorithm: Algorithm, weight: float, half: bool) -> None:
    """Refuse what cannot start from a strategy, before anything is built."""
    check_weight(weight)
    check_warm(algorithm)
    if half:
        raise RueError("the 16-bit store starts from zero: leave out either the start or the 16-bit store")


def compare(
    spot: Spot,
    algorithms: Sequence[str | Algorithm],
    *,
    iterations: int | None = None,
    until: float | str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    seed: int | None = None,
    isomorphism: bool = True,
    half: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> list[HoldemResult]:
    """Solve a spot with several algorithms, one after the other, each within the same limits; see `solve`.

    The tree is built once. Every result keeps its solution, so the memory grows with the number of algorithms.
    Ctrl-C ends the comparison and keeps what was reached.

    >>> from rue.holdem.files import load_spot
    >>> [result.algorithm for result in compare(load_spot("river"), ["dcfr", "pcfr+"], until="0.5%")]
    ['dcfr', 'pcfr+']
    """
    chosen = [supported(algorithm) for algorithm in algorithms]
    check_distinct(chosen)
    limits = Limits(iterations, until_chips(until, spot.pot), seconds, threads, nodes)
    starts = starts_of(chosen, Start(seed))
    for algorithm in chosen:
        limits.horizon(algorithm)
        estimate(spot, algorithm, isomorphism=isomorphism, threads=threads, half=half).check()
    tree = public_tree(spot, isomorphism)

    def run(each: Algorithm) -> HoldemResult:
        return solve_tree(spot, tree, each, limits, progress, starts(each).seed, half)

    return list(one_by_one(chosen, run))


def solve_tree(
    spot: Spot,
    tree: PublicTree,
    algorithm: Algorithm,
    limits: Limits,
    progress: Callable[[Progress], None] | None = None,
    seed: int | None = None,
    half: bool = False,
    start: Warm | None = None,
    keeping: Keeping | None = None,
) -> HoldemResult:
    """Run an algorithm on the tree of a spot; the seed is that of an algorithm that samples, half the store's."""
    if half:
        check_half(algorithm)
    warm_up(algorithm, half)
    if algorithm.sampling is not None:
        sampler = sampler_of(tree, algorithm, limits, seed or 0)
        curve, stopped = iterate(sampler, limits, progress, keeping=keeping)
        return replace(_result(spot, sampler, sampler.judge, curve, stopped), nodes=sampler.nodes, seed=sampler.seed)
    horizon = limits.horizon(algorithm)

    def solver_of(chosen: Algorithm) -> PublicSolver:
        solver = PublicSolver(tree, chosen, horizon, limits.threads, half=half)
        if start is not None:
            warm_up_public(solver, start)
        return solver

    solver = solver_of(tuned(algorithm, solver_of))
    curve, stopped = iterate(solver, limits, progress, keeping=keeping)
    return _result(spot, solver, solver, curve, stopped)


def sampler_of(tree: PublicTree, algorithm: Algorithm, limits: Limits, seed: int) -> DealtSolver | PublicSampler:
    """The solver of a sampled run within limits: it deals hands, or boards alone."""
    kind = PublicSampler if isinstance(algorithm.sampling, PublicChanceSampling) else DealtSolver
    return kind(tree, algorithm, seed, limits.horizon(algorithm), limits.end(algorithm), limits.threads)


def _result(
    spot: Spot,
    solver: PublicSolver | DealtSolver | PublicSampler,
    averages: PublicSolver,
    curve: list[Point],
    stopped: str,
) -> HoldemResult:
    """What a run has reached; `averages` holds its strategies."""
    about = {"algorithm": solver.algorithm.name, "bytes": solver.bytes, "curve": tuple(curve), "stopped": stopped}
    return HoldemResult.reached(Solution(spot, averages), curve[-1], **about)


def until_chips(until: float | str | None, pot: float) -> float | None:
    """A limit in chips: a number of them, or a percentage of the pot.

    >>> until_chips("0.5%", 600), until_chips(2, 600)
    (3.0, 2.0)
    """
    if until is None:
        return None
    text = str(until).strip()
    try:
        return float(text[:-1]) / 100 * pot if text.endswith("%") else float(text)
    except ValueError:
        raise RueError(f"until must be a number of chips or a share of the pot like 0.5%, not {until!r}") from None


def warm_up(algorithm: Algorithm, half: bool = False) -> None:
    """Load the compiled code, or compile it, on a tiny spot, so that the time of a run is its own."""
    tree = public_tree(spot("2s 2h 3d 3c 4s", 100, 100, "AA", "KK", "allin"))
    limits = Limits(iterations=1, threads=1)
    sampled = algorithm.sampling is not None
    tiny = (
        sampler_of(tree, algorithm, limits, 0) if sampled else PublicSolver(tree, algorithm, WITHOUT_END, 1, half=half)
    )
    tiny.warm_up()
    tiny.evaluate()
