"""Compile the kernels that most tests use, side by side, so that tests find them on the disk."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import rue
from rue.forms.compile import compile_game
from rue.forms.poker_public import poker_tree
from rue.machine import cores
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_solver import PublicSolver
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.solver import Solver


def public(dtype: object) -> None:
    """Card games in public form, solved with numbers of a kind."""
    PublicSolver(poker_tree(rue.game("kuhn")), rue.algorithm("cfr"), 1, dtype=dtype).load()


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
    jobs = [lambda: public(np.float32), lambda: public(np.float64), lambda: public(np.float16), general, sampled]
    with ThreadPoolExecutor(cores()) as pool:
        for future in [pool.submit(job) for job in jobs]:
            future.result()
