"""Results as earlier versions wrote them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from rue.holdem.files import to_mapping
from rue.holdem.saved import FORMAT, FORMAT_VERSION, layout


def write_zip(result: Any, path: Path) -> None:
    """A solved spot as a zip of JSON and numpy arrays: version 1 of hold'em files."""
    solution = result.solution
    content = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "spot": to_mapping(result.spot),
        "isomorphism": any(len(board.names) > 1 for board in solution.tree.boards),
        "layout": layout(solution.tree),
        **result.summary(),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("result.json", json.dumps(content, allow_nan=False))
        for player, average in enumerate(solution.solver.averages()):
            with archive.open(f"average{player}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, average, allow_pickle=False)
    path.write_bytes(made.getvalue())
