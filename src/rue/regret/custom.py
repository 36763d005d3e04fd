"""The place of a user's own rule: `rue.rules` builds a copy of the kernels in which this function is theirs."""

from __future__ import annotations

from rue.regret.compiled import part


@part
def custom(t, instant, regret, strategy, memory):
    """Learn at a block of infosets: read `instant`, change `regret` and `memory`, write `strategy`.

    t is the iteration, counted from 1. `instant`, `regret` and `strategy` are (A, W) arrays, `memory` is a (K A, W)
    array, K being what the rule asked for. `strategy` holds the old strategy on entry.
    """
