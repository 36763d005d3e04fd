"""Where the command starts: until the rest is loaded, Ctrl-C ends the process without a word.

`_signal` is the built-in part of `signal`, which itself takes some ten milliseconds to load.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import sys

from rue import __version__


def main() -> None:
    """The entry point."""
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        if sys.argv[1:] == ["--version"]:
            print(f"rue {__version__}")
            return
        from rue.cli.main import main as start

        start()
    except KeyboardInterrupt:
        sys.exit(130)
