"""Run the command in tests: its environment, its output, and a game in a file."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

COMMAND = [sys.executable, "-c", "from zerosum.cli.main import main; main()"]
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
    "zerosum",
    "nodes",
    "seed",
    "bytes",
    "locks",
    "price",
}
"""What `--json` says of a run."""
GAME = """
from zerosum import TERMINAL, ONE, TWO, Game

class Pennies(Game):
    def root(self): return ()
    def player(self, state): return (ONE, TWO, TERMINAL)[len(state)]
    def actions(self, state): return ("heads", "tails")
    def child(self, state, action): return (*state, action)
    def infoset(self, state): return f"player {len(state) + 1}"
    def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
"""


class CommandOutput(NamedTuple):
    """The exit code and both outputs."""

    code: int
    out: str
    err: str


def refused(output: CommandOutput, message: str) -> None:
    """Check for exit code 2, a one-line message on stderr and nothing on stdout."""
    assert output.code == 2
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert output.err.startswith("zerosum: ")
    assert re.search(message, output.err)
