"""What the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest

from rue.cli.main import run


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A strategy of Leduc in a file."""
    path = tmp_path_factory.mktemp("saved") / "leduc.json.gz"
    assert run(["solve", "leduc", "--iterations", "100", "--json", "--out", str(path)]) == 0
    return path
