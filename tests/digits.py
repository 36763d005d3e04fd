"""Hashes of the digits of every algorithm on every small game, and of some hold'em spots.

    python tests/digits.py > tests/digits.json

`tests/conventions/test_digits.py` compares them. The file was written by the code at commit cd111f6 and changes only
with a change that is meant to change digits. Kernels are compiled for x86-64-v3, so that the hashes do not depend on
the machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
from collections.abc import Iterator
from typing import Any

import zerosum

ITERATIONS = 20
NODES = 4_000
GAMES = (
    "kuhn",
    "kuhn(ranks=5)",
    "leduc",
    "leduc(ranks=2, suits=3)",
    "leduc(infosets=rank)",
    "leduc-nl(stack=3)",
    "goofspiel(3)",
    "goofspiel(3, order=shuffled)",
    "liars-dice(3)",
    "matrix([[3, -1, 0], [-2, 4, 1]])",
    "rps",
    "rps-double-scissors",
    "decision",
    "coin-toss",
    "battleship",
    "pushfold(stack=8)",
)
POKER = GAMES[:5]
FULL = (
    "cfr",
    "cfr+",
    "cfr+(average=1, skip=0.2)",
    "cfr(order=simultaneous)",
    "cfr(first=2)",
    "lcfr",
    "lcfr+",
    "dcfr",
    "dcfr(1.5, 0.5, 2)",
    "dcfr(1.5, -1, 3, immediate=true)",
    "icfr",
    "icfr+",
    "idcfr",
    "dcfr+",
    "idcfr+",
    "hybrid-cfr+",
    "ecfr",
    "ecfr(scale=2.0)",
    "hedge(0.5)",
    "ftrl",
    "ftrl(theory, euclidean)",
    "ftrl(tuned)",
    "oftrl",
    "oftrl(theory, euclidean)",
    "oftrl(tuned)",
    "oftrl(prediction=last)",
    "pcfr+",
    "pcfr+(prediction=last)",
    "pdcfr+",
    "hs-dcfr",
    "hs-pcfr+",
    "nh-dcfr",
    "nh-cfr",
    "optimistic-lcfr",
    "optimistic-dcfr",
    "trm-lcfr",
    "trm-cfr(random=1, seed=3)",
    "trm-cfr+(1.01, 0.99)",
    "rtrm-lcfr",
    "rtrm-dcfr",
)
SAMPLED = (
    "mccfr",
    "mccfr+",
    "os-mccfr",
    "os-mccfr(0.3)",
    "vr-mccfr",
    "cs-cfr",
    "linear-mccfr(500)",
    "discounted-os-mccfr(1.5, 0, 2, 300)",
    "initial-discount-cs-cfr(0.1, 700)",
)
BOARDS = ("pcs-cfr", "linear-pcs-cfr(500)")
RAKED = zerosum.holdem.spot(
    "Ks 7h 2d 9c 4s", 500, 2750, oop="22+,A2s+,KTs+,98s", ip="25%", bets="50%,100%", rake="5%", rake_cap=30
)
SPOTS: dict[str, dict[str, Any]] = {
    "spot:river dcfr": {"game": "spot:river", "algorithm": "dcfr", "iterations": 15},
    "spot:river half": {"game": "spot:river", "algorithm": "dcfr", "iterations": 15, "half": True},
    "spot:river idcfr+": {"game": "spot:river", "algorithm": "idcfr+", "iterations": 15},
    "spot:river oftrl": {"game": "spot:river", "algorithm": "oftrl", "iterations": 6},
    "spot:river nh-dcfr": {"game": "spot:river", "algorithm": "nh-dcfr", "iterations": 6},
    "raked river dcfr": {"game": RAKED, "algorithm": "dcfr", "iterations": 15},
    "raked river icfr": {"game": RAKED, "algorithm": "icfr", "iterations": 5},
    "spot:river mccfr": {"game": "spot:river", "algorithm": "mccfr", "nodes": 60_000, "seed": 2},
    "spot:river pcs-cfr": {"game": "spot:river", "algorithm": "pcs-cfr", "iterations": 5, "seed": 2},
    "spot:turn dcfr": {"game": "spot:turn", "algorithm": "dcfr", "iterations": 3},
    "spot:turn locked": {"game": "spot:turn", "algorithm": "cfr+", "iterations": 3, "locks": "check: check"},
    "deepstack:turn-5k:3 lcfr": {"game": "deepstack:turn-5k:3", "algorithm": "lcfr", "iterations": 3},
}


def _add(digest: Any, value: Any) -> None:
    """Add a value, floats by their bits."""
    digest.update(struct.pack("<d", value) if isinstance(value, float) else str(value).encode())


def _digest(result: Any) -> str:
    """Hash the value, the exploitability and the strategy of a result."""
    digest = hashlib.sha256()
    for number in (result.value, result.exploitability, result.nash_conv):
        _add(digest, float(number))
    for k, row in enumerate(result.rows()):
        if k > 300_000:
            break
        for value in row.values():
            _add(digest, value)
    return digest.hexdigest()[:16]


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of every case and the arguments of `solve`."""
    for game in GAMES:
        for algorithm in FULL:
            yield f"{game} {algorithm}", {"game": game, "algorithm": algorithm, "iterations": ITERATIONS}
        for algorithm in SAMPLED + (BOARDS if game in POKER else ()):
            yield f"{game} {algorithm}", {"game": game, "algorithm": algorithm, "nodes": NODES, "seed": 1}
        yield f"{game} lp", {"game": game, "algorithm": "lp"}
    yield from SPOTS.items()


def digits(arguments: dict[str, Any]) -> str:
    """Solve a case; return the hash of its digits, or "refused"."""
    options = dict(arguments)
    game, algorithm = options.pop("game"), options.pop("algorithm")
    try:
        return _digest(zerosum.solve(game, algorithm, **options))
    except zerosum.ZerosumError as error:
        print(game, algorithm, error, file=sys.stderr)
        return "refused"


if __name__ == "__main__":
    os.environ["ZEROSUM_PROCESSOR"] = "x86-64-v3"  # here, because pytest imports every module for its doctests
    json.dump({name: digits(arguments) for name, arguments in cases()}, sys.stdout, indent=0)
    print()
