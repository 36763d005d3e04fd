"""Why a run ended, and what it cannot tell, in words."""

from __future__ import annotations

STOPPED = {
    "iterations": "all iterations done",
    "nodes": "all nodes touched",
    "memory": "memory full",
    "until": "exploitability reached",
    "seconds": "time over",
    "interrupted": "interrupted",
    "exact": "exact solution",
    "running": "not yet: it was killed or still goes on; rue resume takes it up",
}
INTERRUPTED = 130
"""The exit code after Ctrl-C."""
NOT_KNOWN = "not computed: the game is not enumerated"
"""The exploitability of a run by rules alone."""
