"""What is used where no algorithm is named."""

from __future__ import annotations

GENERAL = "dcfr"
"""On games: the parameters of the paper."""
HOLDEM = "dcfr(1.25, 0.5, 4)"
"""On hold'em spots: the first or nearly the first everywhere in the table of `benchmarks/README.md`."""
