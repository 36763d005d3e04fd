"""Solve two-player zero-sum imperfect-information games by minimising regret.

`solve` solves a game or a hold'em spot, `compare` runs several algorithms, and `start` returns a run that is advanced
step by step. `load`, `resume`, `export` and `plot` continue from their results; `exploit` and `diff` evaluate and
compare strategies. `Game` is the base class of user-defined games, `Algorithm` and `rule` build algorithms, and
`zerosum.holdem` builds spots.

>>> import zerosum
>>> result = zerosum.solve("leduc", "dcfr", iterations=100)
>>> result.exploitability < 0.02
True
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
"""As in `typing`, which takes longer to load than all the rest of this module; until then Ctrl-C shows a traceback."""

PROBLEM_KINDS: dict[str, dict[str, Any]] = {
    "holdem": {
        "noun": "hold'em spot",
        "module": "zerosum.holdem.kind",
        "names": r"holdem|(?:spot|libratus|deepstack):.*|.*\.(?:toml|json)",
        "options": ("folder", "isomorphism", "half", "streets", "line", "hand", "unit", "by"),
        "option_group": "zerosum.holdem.spots.options:SpotFileOptions",
        "run_formats": ("public", "dealt", "sampled boards", "cut", "strategy"),
        "export_formats": ("pio",),
        "infoset_columns": ("hand", "board", "line"),
        "text_start": r"(?:#[^\n]*\n|\s)*show_(?:node|strategy|children)\s",
    }
}
"""The kinds of problems beside general games, as data: `zerosum.problems.kinds` says what each entry means."""

if TYPE_CHECKING:
    from typing import Any

    from zerosum import holdem as holdem
    from zerosum.public import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """Load the public names when one of them is first used: `zerosum --help` need not wait for a compiler."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module 'zerosum' has no attribute {name!r}")
        from importlib import import_module

        public = import_module("zerosum.public")
        names = sorted(key for key in vars(public) if not key.startswith("_"))
        globals().update({key: getattr(public, key) for key in names}, __all__=names)
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(f"module 'zerosum' has no attribute {name!r}") from None

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
