"""The digits of every algorithm are those that were published: a change of names or places changes none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1]


def test_no_digit_has_changed() -> None:
    """Run in a separate process, because it compiles for another level of processor; see `tests/digits.py`."""
    process = subprocess.run(
        [sys.executable, str(FOLDER / "digits.py")], capture_output=True, text=True, check=True, timeout=900
    )
    expected = json.loads((FOLDER / "digits.json").read_text())
    computed = json.loads(process.stdout)
    assert computed.keys() == expected.keys()
    changed = [name for name, digest in expected.items() if computed[name] != digest]
    assert not changed, process.stderr
