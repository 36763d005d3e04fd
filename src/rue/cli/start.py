"""Where the command starts: until the rest is loaded, Ctrl-C ends the process without a word.

`_signal` is the built-in part of `signal`, which itself takes some ten milliseconds to load.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import sys

from rue import __version__

LOADED = 150_000
"""Objects that are made before Python first looks for garbage. Those of start-up, some 80,000, are none."""


def main() -> None:
    """The entry point."""
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        if sys.argv[1:] == ["--version"]:
            print(f"rue {__version__}")
            return
        look_for_garbage_later()
        from rue.cli.main import main as start

        start()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()  # the process gives all of it back at once: Python need not look through it, twice


def look_for_garbage_later() -> None:
    """Not before so many objects are there; then as usual."""
    usual = gc.get_threshold()

    def begin(phase: str, info: dict[str, int]) -> None:
        gc.callbacks.remove(begin)
        gc.set_threshold(*usual)

    gc.callbacks.append(begin)
    gc.set_threshold(LOADED)
