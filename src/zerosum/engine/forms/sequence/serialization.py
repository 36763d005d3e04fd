"""Sequence forms to and from arrays with the names of infosets, so that strategies can be read without the rules."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats, Tree, Treeplex
from zerosum.support.errors import ZerosumError
from zerosum.support.files import parse_json
from zerosum.support.system import max_text_bytes
from zerosum.support.text import format_bytes

Bytes = NDArray[np.uint8]
Arrays = Mapping[str, NDArray[Any]]


def pack_texts(content: Any) -> Bytes:
    """Return texts in lists and dictionaries as compressed bytes.

    >>> unpack_texts(pack_texts(["K|", "Q|bet"]))
    ['K|', 'Q|bet']
    """
    text = json.dumps(content, separators=(",", ":")).encode()
    return np.frombuffer(len(text).to_bytes(8, "little") + zlib.compress(text, 6), np.uint8)


def unpack_texts(data: Bytes) -> Any:
    """Return the content of compressed bytes; refuse a length that does not fit in memory."""
    raw = data.tobytes()
    length = int.from_bytes(raw[:8], "little")
    most = max_text_bytes()
    if length > min(most, 1100 * len(raw)):
        raise ZerosumError(f"its texts claim to have {length:,} bytes, and at most {format_bytes(most)} are read")
    decompressor = zlib.decompressobj()
    try:
        text = decompressor.decompress(raw[8:], length + 1)
    except zlib.error:
        raise ValueError("its texts cannot be read") from None
    if len(text) != length or not decompressor.eof:
        raise ValueError("its texts do not have the length that it states")
    return parse_json(text, "its texts")


def form_to_arrays(form: SequenceForm) -> dict[str, NDArray[Any]]:
    """Return the arrays that are needed to read a strategy: names of infosets and actions, and the treeplexes."""
    arrays: dict[str, NDArray[Any]] = {}
    names = []
    for player, treeplex in enumerate(form.treeplexes):
        arrays[f"blocks{player}"] = treeplex.tree.blocks
        arrays[f"parent{player}"] = treeplex.tree.parent
        lists = [tuple(str(action) for action in actions) for actions in treeplex.actions]
        kinds = {actions: number for number, actions in enumerate(dict.fromkeys(lists))}
        texts = [form.describe(infoset) for infoset in treeplex.infosets]
        names.append({"infosets": texts, "kinds": list(kinds), "kind": [kinds[actions] for actions in lists]})
    return {"names": pack_texts(names), **arrays}


def treeplexes_from_arrays(arrays: Arrays) -> tuple[Treeplex, Treeplex]:
    """Return the treeplexes of a saved run, whose infosets are strings; all arrays are checked."""
    names = unpack_texts(arrays["names"])
    first, second = (_read_treeplex(arrays[f"blocks{p}"], arrays[f"parent{p}"], names[p]) for p in (0, 1))
    return first, second


def _read_treeplex(blocks: NDArray[Any], parent: NDArray[Any], names: dict[str, Any]) -> Treeplex:
    if blocks.dtype != np.int64 or blocks.ndim != 2 or blocks.shape[1] != 4 or parent.dtype != np.uint32:
        raise ValueError("its infosets are not laid out in blocks")
    infosets = tuple(names["infosets"])
    kinds = [tuple(kind) for kind in names["kinds"]]
    actions = tuple(kinds[number] for number in names["kind"])
    if not all(isinstance(text, str) for text in (*infosets, *(action for kind in kinds for action in kind))):
        raise ValueError("an infoset or an action is not a text")
    sequences, count = 1, 0
    for first, choices, width, infoset in blocks.tolist():
        if first != sequences or infoset != count or choices < 1 or width < 1 or count + width > len(infosets):
            raise ValueError("its blocks do not follow each other")
        if any(len(actions[i]) != choices for i in range(count, count + width)):
            raise ValueError("an infoset does not have its actions")
        if parent[count : count + width].max() >= first:
            raise ValueError("an infoset comes before its parent")
        sequences, count = sequences + choices * width, count + width
    if not count == len(infosets) == len(actions) == len(parent):
        raise ValueError("some of its infosets are missing")
    return Treeplex(Tree(blocks, parent), infosets, actions, sequences)


def read_plans(treeplexes: tuple[Treeplex, Treeplex], averages: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the plans of the accumulated averages of a saved run, which are checked."""
    plans: list[Floats] = []
    for treeplex, average in zip(treeplexes, averages, strict=True):
        if average.shape != (treeplex.sequences,) or average.dtype != np.float64:
            raise ValueError("its strategies do not fit its infosets")
        if not np.isfinite(average).all() or (average < 0).any():
            raise ValueError("its strategies contain numbers that are not probabilities")
        plans.append(treeplex.plan(treeplex.strategy(average)))
    return plans[0], plans[1]
