"""The base class of every part of an algorithm: registered by its name, by which it is saved and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from zerosum.algorithms.schedules import Floats, Schedule


class Choice:
    """A part of an algorithm: a frozen dataclass, whose class is registered when it is defined.

    A part whose parameters depend on the iteration fills their columns of the coefficients (columns:
    `zerosum.algorithms.kernel_rule`).
    """

    registry: ClassVar[dict[str, type[Choice]]] = {}

    def __init_subclass__(cls) -> None:
        Choice.registry[cls.__name__] = cls

    @property
    def schedules(self) -> tuple[Schedule, ...]:
        """The parameters that may depend on the iteration."""
        return ()

    def fill_coefficients(self, c: Floats, t: Floats, n: int) -> None:
        """Fill this part's columns of the coefficients `c` of the iterations t of a run of n; all columns are 1."""

    def rescale(self, factor: float) -> Self:
        """Return the same choice where every payoff is `factor` times as large."""
        return self
