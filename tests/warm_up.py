"""Compile kernels, so that tests find them on the disk: `warm_up.py single double half dealt`, or some of these."""

from __future__ import annotations

import sys

import numpy as np

import rue
from rue.forms.poker_public import poker_tree
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_solver import PublicSolver

KINDS = {"single": np.float32, "double": np.float64, "half": np.float16}
"""Numbers that a card game in public form is solved with."""

if __name__ == "__main__":
    for word in sys.argv[1:]:
        tree = poker_tree(rue.game("kuhn"))
        if word == "dealt":
            DealtSolver(tree, rue.algorithm("mccfr")).load()
            continue
        solver = PublicSolver(tree, rue.algorithm("cfr"), 1, dtype=KINDS[word])
        solver.run(1)
        solver.evaluate()
