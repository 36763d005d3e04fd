"""Entry point: until the rest is loaded, Ctrl-C ends the process silently, and --version loads nothing.

`_signal` is the built-in part of `signal`, which itself takes some ten milliseconds to load.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import sys

from zerosum import __version__

START_UP_OBJECTS = 150_000
"""Objects that are created before the first garbage collection: start-up creates about 80,000 that all stay."""


def main() -> None:
    """Run the command."""
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        if sys.argv[1:] == ["--version"]:
            print(f"zerosum {__version__}")
            return
        postpone_garbage_collection()
        from zerosum.cli.main import main as start

        start()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()  # the process gives all of it back at once: Python need not look through it, twice


def postpone_garbage_collection() -> None:
    """Postpone the first garbage collection until START_UP_OBJECTS objects exist."""
    usual = gc.get_threshold()

    def restore_thresholds(phase: str, info: dict[str, int]) -> None:
        gc.callbacks.remove(restore_thresholds)
        gc.set_threshold(*usual)

    gc.callbacks.append(restore_thresholds)
    gc.set_threshold(START_UP_OBJECTS)
