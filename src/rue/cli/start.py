"""Where the command starts: until the rest is loaded, Ctrl-C ends the process without a word."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """The entry point."""
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        from rue.cli.main import main as start

        start()
    except KeyboardInterrupt:
        sys.exit(130)
