"""Compile the kernels that most tests use, side by side, so that tests find them on the disk."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import rue
from rue.algorithms.own_rule import rare_rules
from rue.forms.compile import compile_game
from rue.forms.poker_public import poker_tree
from rue.holdem.equity import comparing
from rue.machine import cores
from rue.native.kernel import prepare
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_solver import PublicSolver
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.solver import Solver


def public() -> None:
    """Card games in public form, solved with numbers of each kind; rules that few runs have; how hands compare."""
    tree, plain = poker_tree(rue.game("kuhn")), rue.algorithm("cfr")
    solvers = [PublicSolver(tree, plain, 1, dtype=kind) for kind in (np.float16, np.float32, np.float64)]
    calls = [call for solver in solvers for call in solver.calls()]
    prepare([*calls, rare_rules(np.float32), rare_rules(np.float64), *comparing()])


def general() -> None:
    """The general form, with and without what is given."""
    form = compile_game(rue.game("kuhn"))
    Solver(form, rue.algorithm("cfr"), 1).evaluate()
    nothing = np.full(form.treeplexes[0].sequences, np.nan)
    Solver(form, rue.algorithm("cfr"), 1, given=(nothing, None))


def sampled() -> None:
    """Sampled walks in both forms, and equities."""
    DealtSolver(poker_tree(rue.game("kuhn")), rue.algorithm("mccfr")).load()
    SampledSolver(compile_game(rue.game("kuhn"), sampled=True), rue.algorithm("mccfr")).load()
    rue.solve("spot:turn", iterations=1)


if __name__ == "__main__":
    with ThreadPoolExecutor(cores()) as pool:
        for future in [pool.submit(job) for job in (public, general, sampled)]:
            future.result()
