"""Solve two-player zero-sum imperfect-information games by minimising regret.

>>> import rue
>>> result = rue.solve("leduc", "dcfr", iterations=100)
>>> result.exploitability < 0.02
True
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
"""As in `typing`, which takes longer to load than all the rest here: until this is done, Ctrl-C shows a traceback."""

if TYPE_CHECKING:
    from typing import Any

    from rue.public import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """Load the public names when one is asked for, so that `rue --help` need not wait for a compiler."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module 'rue' has no attribute {name!r}")
        from importlib import import_module

        public = import_module("rue.public")
        names = sorted(key for key in vars(public) if not key.startswith("_"))
        globals().update({key: getattr(public, key) for key in names}, __all__=names)
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(f"module 'rue' has no attribute {name!r}") from None

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
