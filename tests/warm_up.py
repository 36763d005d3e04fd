"""Compile the kernels that most tests use, side by side, so that tests find them on the disk."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import zerosum
from zerosum.engine.forms.public.poker import build_poker_tree
from zerosum.engine.forms.sequence.form_compiler import compile_game
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.sampling.deal_solver import DealSampler
from zerosum.engine.sampling.history_solver import HistorySampler
from zerosum.engine.sequence.solver import Solver
from zerosum.engine.updates.custom_rule import bind_rare_rules
from zerosum.holdem.cards.hand_strength import list_kernel_calls
from zerosum.native.kernel_call import compile_missing
from zerosum.support.system import available_cores


def public() -> None:
    """Card games in public form, solved with numbers of each kind; rules that few runs have; how hands compare."""
    tree, plain = build_poker_tree(zerosum.game("kuhn")), zerosum.algorithm("cfr")
    solvers = [PublicSolver(tree, plain, 1, dtype=kind) for kind in (np.float16, np.float32, np.float64)]
    calls = [call for solver in solvers for call in solver.bind_calls()]
    compile_missing([*calls, bind_rare_rules(np.float32), bind_rare_rules(np.float64), *list_kernel_calls()])


def general() -> None:
    """The general form."""
    Solver(compile_game(zerosum.game("kuhn")), zerosum.algorithm("cfr"), 1).evaluate()


def sampled() -> None:
    """Sampled walks in both forms, and equities."""
    DealSampler(build_poker_tree(zerosum.game("kuhn")), zerosum.algorithm("mccfr")).load_kernels()
    HistorySampler(compile_game(zerosum.game("kuhn"), sampled=True), zerosum.algorithm("mccfr")).load_kernels()
    zerosum.solve("spot:turn", iterations=1)


if __name__ == "__main__":
    with ThreadPoolExecutor(available_cores()) as pool:
        for future in [pool.submit(job) for job in (public, general, sampled)]:
            future.result()
