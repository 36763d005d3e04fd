"""Compile the kernels of card games in public form, in both precisions, so that tests find them on the disk."""

from __future__ import annotations

import numpy as np

import rue
from rue.forms.poker_public import poker_tree
from rue.solve.dealt_solver import DealtSolver
from rue.solve.public_solver import PublicSolver

if __name__ == "__main__":
    for dtype in (np.float32, np.float64):
        solver = PublicSolver(poker_tree(rue.game("kuhn")), rue.algorithm("cfr"), 1, dtype=dtype)
        solver.run(1)
        solver.evaluate()
    DealtSolver(poker_tree(rue.game("kuhn")), rue.algorithm("mccfr")).warm_up()
