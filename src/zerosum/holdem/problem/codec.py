"""How spots and their runs are stored: headers, checks, and reading results back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.sampling import ExternalSampling
from zerosum.engine.limits import Limits
from zerosum.engine.public.saved_solution import EVALUATION_ONLY, SavedSolution
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.solver import BaseSolver
from zerosum.holdem.cards.suits import find_suit_symmetries
from zerosum.holdem.engine.board_arrays import BOARDS, COUNTS, boards_to_arrays, load_public_tree
from zerosum.holdem.problem.lock_set import read_saved_suits
from zerosum.holdem.solution.partial_solution import ResolvingSolution, SavedStreets, extract_streets, find_last_street
from zerosum.holdem.solution.result import STRATEGY, SpotResult, require_spot_result
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.codec import Codec, collect_saved_result_fields
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import decode_bool, decode_probability, decode_text

if TYPE_CHECKING:
    from zerosum.holdem.problem.problem import SpotProblem
    from zerosum.runs.saved_run import SavedRun

PARTIAL_RUN = "cut"
"""The format of a saved run with some of its streets only."""
UNFINISHED_STOPS = ("seconds", "memory")
"""Reasons for the end of a run that is likely to be resumed: all of it is saved."""
DEALT, SAMPLED_BOARDS = "dealt", "sampled boards"
"""The formats of sampled runs, which are the kinds of their solvers."""
DEALING = Algorithm(sampling=ExternalSampling())
"""An algorithm that deals hands, to read the averages of a run that did."""


class SpotCodec(Codec["SpotProblem"]):
    """Storage of spots and their runs."""

    run_formats = (PublicSolver.kind, DEALT, SAMPLED_BOARDS, PARTIAL_RUN, STRATEGY)
    saves_as_json = False

    def to_json(self, problem: SpotProblem) -> dict[str, Any]:
        storage = {"isomorphism": problem.storage.isomorphism, "half": problem.storage.half}
        return {"spot": dict(problem.content), **storage, "streets": problem.streets, **problem.locks.to_json()}

    def from_json(self, header: Mapping[str, Any], game: Any = None) -> SpotProblem:
        if game is not None:
            raise ZerosumError(f"a saved run has its spot: leave out {option_name('game')}")
        return self.problem_class(
            spot_from_dict(header["spot"]), header["isomorphism"], header["half"], header["streets"]
        )

    def check_json(self, header: Mapping[str, Any]) -> None:
        for name in ("isomorphism", "half"):
            decode_bool(header[name])
        numbers = header["numbers"]
        for value in (numbers["name"], numbers["fingerprint"], header.get("was", ""), *(header["streets"] or ())):
            decode_text(value)
        if header.get("locks") and not all(sorted(suits) == [0, 1, 2, 3] for suits in header["suits"]):
            raise ValueError("its suits are not four")

    def check_resumable(self, saved: SavedRun) -> None:
        if saved.kind == STRATEGY:
            raise ZerosumError(
                f"{saved.path} holds the strategy only: runs that are saved on the way "
                f"({option_name('out')}) can be resumed"
            )
        if saved.kind == PARTIAL_RUN:
            streets = ", ".join(saved.header["streets"])
            raise ZerosumError(
                f"{saved.path} contains only the {streets} ({option_name('streets')}): view it or solve again"
            )

    def check_saved(self, problem: SpotProblem, saved: SavedRun) -> None:
        is_partial = saved.kind == PARTIAL_RUN and saved.has_array(COUNTS)
        fingerprint = saved.header["kept"] if is_partial else saved.header["numbers"]["fingerprint"]
        if problem.build_form().fingerprint != fingerprint:
            raise ZerosumError(f"it was stored by zerosum {saved.code} in an order that this zerosum does not know")

    def read_result(self, saved: SavedRun) -> SpotResult:
        """Return the result; its strategies are read from the file when they are viewed.

        Streets that were not saved are solved again; boards are built only if the file has none.
        """
        problem = self.from_json(saved.header)
        kind, reached = saved.kind, saved.reached
        solver: PublicSolver | None = None
        if saved.has_array(COUNTS) and kind != DEALT:
            suits = read_saved_suits(saved.header) or find_suit_symmetries(problem.spot.board, problem.spot.weights)
            problem.use_tree(load_public_tree(problem.spot, {name: saved.read_array(name) for name in BOARDS}, suits))
        problem.locks.restore(problem, saved)
        if kind == PARTIAL_RUN:
            from zerosum.runs.run import Run

            self.check_saved(problem, saved)
            if problem.streets is None:
                raise ValueError("a run that was cut has no street to drop")
            streets = SavedStreets(problem.build_form(), problem.streets, saved.read_arrays())

            def solve_subgame(spot: Spot, until: float, iterations: int) -> SpotResult:
                subgame = self.problem_class(spot)
                run = Run(subgame, subgame.resolve_algorithm(), Limits(iterations=iterations, until=until))
                run.advance()
                return require_spot_result(run.result())

            solution: Solution = ResolvingSolution(problem.spot, streets, solve_subgame)
        else:
            problem.check_memory(DEALING if kind == DEALT else EVALUATION_ONLY)
            self.check_saved(problem, saved)
            solver = _read_averages(problem, saved)
            solution = Solution(problem.spot, solver)
        numbers = collect_saved_result_fields(saved)
        if reached.stopped == "running" and solver is not None and not reached.curve:
            evaluation = solver.evaluate()
            numbers |= {name: getattr(evaluation, name) for name in ("exploitability", "nash_conv", "value", "rake")}
        sampled = saved.header.get("was", kind) in (DEALT, SAMPLED_BOARDS)
        sizes = {name: saved.header["numbers"][name] for name in ("infosets", "sequences")}
        if saved.header.get("equity") is not None:
            problem.equity = decode_probability(saved.header["equity"])
        return problem.build_result(solution, {**numbers, **sizes, "seed": saved.seed or 0 if sampled else None})

    def static_arrays(self, problem: SpotProblem, solver: BaseSolver) -> dict[str, NDArray[Any]]:
        if solver.kind == DEALT:
            return {}
        return boards_to_arrays(problem.build_form()) | problem.locks.collect_arrays(problem)

    def trim_finished(
        self, problem: SpotProblem, solver: BaseSolver, header: dict[str, Any], arrays: dict[str, NDArray[Any]]
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Keep the streets that are to be saved and the values of the first place, so that viewing needs no walk."""
        public_solver, header = find_public_solver(solver), {**header, "equity": problem.equity}
        if problem.streets is None or header["stopped"] in UNFINISHED_STOPS:
            if solver.kind == DEALT:
                return header, arrays
            weights = problem.build_form().weights
            values = [public_solver.compute_row_values(0, weights[1 - player][None], player) for player in (0, 1)]
            return header, arrays | {"value0": values[0], "value1": values[1]}
        boards = boards_to_arrays(problem.build_form(), find_last_street(problem.streets))
        fingerprint = load_public_tree(problem.spot, boards).fingerprint
        header |= {"kind": PARTIAL_RUN, "was": header["kind"], "kept": fingerprint}
        return header, extract_streets(public_solver, problem.streets) | boards


def find_public_solver(solver: BaseSolver) -> PublicSolver:
    """Return the solver of the public form that holds the averages: the solver itself, or that of a sampler."""
    return solver if isinstance(solver, PublicSolver) else solver.evaluator  # type: ignore[attr-defined]


def _read_averages(problem: SpotProblem, saved: SavedRun) -> PublicSolver:
    """Return a solver that holds the averages of a saved run."""
    tree = problem.build_form()
    if saved.kind == DEALT:
        from zerosum.engine.sampling.deal_solver import DealSampler

        dealt = DealSampler(tree, DEALING)
        average = saved.read_array("average")
        if average.shape != dealt.table.average.shape or average.dtype != dealt.table.average.dtype:
            raise ValueError("its strategies do not fit the spot")
        if not np.isfinite(average).all() or (average < 0).any():
            raise ValueError("its strategies contain numbers that are not probabilities")
        dealt.table.average[:] = average
        dealt.iteration = saved.iteration
        return dealt.evaluator
    averages = saved.open_lazily("average0"), saved.open_lazily("average1")
    values = (saved.read_array("value0"), saved.read_array("value1")) if saved.has_array("value0") else None
    return SavedSolution(tree, averages, values, saved.iteration, problem.storage.dtype, problem.fixed)
