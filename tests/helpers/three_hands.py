"""A small kernel for tests with several processes, without numba; `python three_hands.py` prints its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.holdem.cards.kernels import add_comparison
from zerosum.native.decorators import Kernel, kernel

PLACE = add_comparison.import_path
WINS = [[-1.0, -1.0], [0.0, 0.0], [1.0, 0.0]]
"""Hands of strength 1, 2 and 3 against two of strength 2 with the cards of the second and the third."""


def fresh() -> Kernel[..., Any]:
    """The kernel as it is in a process that has not called it yet."""
    return kernel(add_comparison.py_func)


def wins() -> Any:
    """Return the result of the first call of the kernel, for three hands against two."""
    matrix, cards = np.zeros((3, 2)), np.array([[0, 1], [2, 3], [4, 5]])
    fresh()(matrix, np.array([1, 2, 3]), np.array([2, 2]), cards, cards[1:])
    return matrix.tolist()


if __name__ == "__main__":
    print(wins())
