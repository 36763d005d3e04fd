"""The linear equations that define a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats, Integers, Treeplex

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def plan_constraints(treeplex: Treeplex, fixed: Floats | None = None) -> tuple[csr_array, Integers]:
    """Return E, such that E x = (1, 0, ..., 0) for plans x, and the infoset of each row.

    There is a row for the empty sequence (-1) and a row for each infoset. An infoset whose strategy is fixed has a row
    for each action: x[I, a] = fixed[I, a] x[parent of I]. `fixed` has a number for each sequence, nan where it is free.
    """
    from scipy.sparse import csr_array

    is_fixed = np.zeros(treeplex.sequences, dtype=bool) if fixed is None else ~np.isnan(fixed)
    is_fixed[0] = False
    actions, learned = np.flatnonzero(is_fixed), np.flatnonzero(~is_fixed[treeplex.first])
    infosets = np.concatenate([[-1], learned, treeplex.owner[actions]]).astype(np.int64)
    row = np.zeros(1 + len(treeplex.infosets), dtype=np.int64)
    row[1 + infosets[: 1 + len(learned)]] = np.arange(1 + len(learned))
    rows = row[1 + treeplex.owner]
    rows[actions] = 1 + len(learned) + np.arange(len(actions))
    columns = np.concatenate([np.arange(treeplex.sequences), treeplex.tree.parent[infosets[1:]]])
    shares = np.zeros(0) if fixed is None else fixed[actions]
    entries = np.concatenate([np.ones(treeplex.sequences), -np.ones(len(learned)), -shares])
    places = np.concatenate([rows, np.arange(1, len(infosets))]), columns.astype(np.int64)
    return csr_array((entries, places), shape=(len(infosets), treeplex.sequences)), infosets
