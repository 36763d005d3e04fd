"""Compiled helpers of the hold'em form."""

from __future__ import annotations

from rue.regret.compiled import compiled


@compiled
def add_comparison(matrix, strength_one, strength_two, cards_one, cards_two):
    """Add 1 where the first hand wins and -1 where it loses, for each pair of hands that share no card."""
    for i in range(len(strength_one)):
        a, b = cards_one[i, 0], cards_one[i, 1]
        for j in range(len(strength_two)):
            c, d = cards_two[j, 0], cards_two[j, 1]
            if a != c and a != d and b != c and b != d:
                if strength_one[i] > strength_two[j]:
                    matrix[i, j] += 1
                elif strength_one[i] < strength_two[j]:
                    matrix[i, j] -= 1
