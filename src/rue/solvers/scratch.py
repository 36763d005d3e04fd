"""The scratch arrays of a walk over a card game in public form: their shapes, the arrays, and the bytes they take."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rue.forms.extents import Extents
from rue.forms.public_form import WAYS_TO_PAY
from rue.forms.rounds import LANES
from rue.regret.rule import EXPONENTIAL, PROPAGATED, Rule
from rue.solvers.public_space import TOTAL, WORK_ROWS, Space

EXACT = 8
"""Bytes of a number in a judgement."""
KINDS = {"starts": np.int64, "stack": np.int64}
"""Of arrays that do not hold the numbers of a walk."""
ALIGNED = ("lanes", "sums")
"""Arrays that begin where a line of the cache does."""


def space_shapes(extents: Extents, threads: int, guess: bool = False, mine: bool = False) -> Space:
    """The shape of each scratch array."""
    levels, widest, largest = extents.levels, extents.widest, extents.largest
    pieces = extents.pieces if threads > 1 else 0
    return Space(
        reach=(threads, levels, largest + LANES),
        value=(threads, levels, largest + widest),
        guess=(threads, levels, largest if guess else 0),
        mine=(threads, levels, largest if mine else 0),
        lanes=(threads, 3, LANES * (widest + LANES)),
        sums=(threads, (TOTAL + 1) * LANES),
        strategy=(threads, extents.actions * widest),
        score=(threads, extents.actions * widest),
        work=(threads, WORK_ROWS, widest),
        starts=(threads, 1 + WAYS_TO_PAY, LANES),
        amounts=(threads, WAYS_TO_PAY, LANES),
        stack=(threads, levels, 2),
        parts=(threads, 2 if guess else 1, pieces, extents.entering_pieces if pieces else 0),
    )


def new_space(shapes: Space, dtype: Any) -> Space:
    """Scratch arrays of these shapes."""
    return Space._make(
        (aligned if name in ALIGNED else np.zeros)(shape, KINDS.get(name, dtype))
        for name, shape in shapes._asdict().items()
    )


def with_both(space: Space, shapes: Space) -> Space:
    """The same arrays with room for what the own average is worth beside a best answer."""
    kind = space.reach.dtype
    return space._replace(guess=np.zeros(shapes.value, kind), parts=np.zeros(shapes.parts, kind))


def results_shape(extents: Extents, deals: int, guess: bool) -> tuple[int, int, int]:
    """The shape of what so many deals of the first place are worth."""
    return 2 if guess else 1, deals, extents.entering


def scratch_bytes(extents: Extents, rule: Rule, threads: int, number: int) -> int:
    """What iterations with numbers of so many bytes and judgements take."""
    guess, mine = rule.predict == PROPAGATED, rule.accumulate == EXPONENTIAL
    alone, both = (space_shapes(extents, threads, each, mine) for each in (False, True))
    return number * _numbers(both if guess else alone) + EXACT * _numbers([*alone, both.value, both.parts])


def results_bytes(extents: Extents, rule: Rule, number: int) -> int:
    """What results of all deals take: of an iteration, whose memory is not given back, and of a judgement."""
    learned, judged = (results_shape(extents, extents.deals, each) for each in (rule.predict == PROPAGATED, True))
    return number * math.prod(learned) + EXACT * math.prod(judged)


def _numbers(shapes: Iterable[tuple[int, ...]]) -> int:
    return sum(math.prod(shape) for shape in shapes)


def aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros that begin where a line of the cache does, so that no vector lies in two of them."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    first = -raw.ctypes.data % 64
    return raw[first : first + size].view(dtype).reshape(shape)
