"""Why a run ended, in words."""

from __future__ import annotations

STOPPED = {
    "iterations": "all iterations done",
    "nodes": "all nodes touched",
    "until": "exploitability reached",
    "seconds": "time over",
    "interrupted": "interrupted",
    "exact": "exact solution",
}
INTERRUPTED = 130
"""The exit code after Ctrl-C."""
