"""The command: how to start it, what it leaves behind, a game in a file."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

COMMAND = [sys.executable, "-c", "from rue.cli.main import main; main()"]
KEYS = {
    "game",
    "algorithm",
    "iterations",
    "seconds",
    "exploitability",
    "nash_conv",
    "value",
    "infosets",
    "sequences",
    "curve",
    "stopped",
    "rue",
    "nodes",
    "seed",
    "bytes",
    "locks",
    "price",
}
"""What `--json` says of a run."""
GAME = """
from rue import NOBODY, ONE, TWO, Game

class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, NOBODY)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return f"player {len(state) + 1}"
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
"""


class Said(NamedTuple):
    """The exit code and both outputs."""

    code: int
    out: str
    err: str


def refused(said: Said, message: str) -> None:
    """One sentence on stderr, nothing else, exit code 2."""
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("rue: ")
    assert re.search(message, said.err)
