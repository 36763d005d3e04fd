"""A small kernel and what it says, for several processes: it loads no numba. `python three_hands.py` prints it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.native.kernel import Kernel

PLACE = "rue.holdem.kernels:add_comparison"
WINS = [[-1.0, -1.0], [0.0, 0.0], [1.0, 0.0]]
"""Hands of strength 1, 2 and 3 against two of strength 2 with the cards of the second and the third."""


def wins(kernel: Kernel) -> Any:
    """What a kernel says of three hands against two."""
    matrix, cards = np.zeros((3, 2)), np.array([[0, 1], [2, 3], [4, 5]])
    kernel(matrix, np.array([1, 2, 3]), np.array([2, 2]), cards, cards[1:])
    return matrix.tolist()


if __name__ == "__main__":
    print(wins(Kernel(PLACE)))
