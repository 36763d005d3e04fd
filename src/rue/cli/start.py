"""Where the command starts: Ctrl-C ends it quietly from here on, also while the rest is being loaded."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point."""
    try:
        from rue.cli.main import main as start

        start()
    except KeyboardInterrupt:
        sys.exit(130)
