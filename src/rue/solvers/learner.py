"""What one player knows of a game in sequence form, and the kernel of `rue.solvers.walk` that moves it on."""

from __future__ import annotations

from typing import NamedTuple

from rue.forms.treeplex import Floats
from rue.native.kernel import Kernel

MEAN, GUESS_MEAN = 3, 4
"""Rows of the scratch array, after those that `rue.regret` uses."""
WORK_ROWS = 5


class Learner(NamedTuple):
    """What one player knows: arrays over sequences, except `step` (infosets), `memory` and the scratch arrays."""

    regret: Floats
    strategy: Floats
    plan: Floats
    average: Floats
    gradient: Floats
    guess: Floats
    """The gradient once more, to be propagated through the new strategies; used by predictive rules."""
    previous: Floats
    """The gradient of the last iteration; used when regret is taken against two plans."""
    weight: Floats
    """e^L1 of the exponential rule."""
    given: Floats | None
    """The strategy where it is given instead of learned, not a number elsewhere; None without any."""
    step: Floats
    memory: Floats
    score: Floats
    work: Floats


ITERATE = Kernel("rue.solvers.walk:iterate")
