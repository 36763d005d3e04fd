"""The command `show`, on a strategy that was saved."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def test_show(zerosum: Any, saved: Path) -> None:
    code, out, err = zerosum("show", saved)
    assert (code, err) == (0, "")
    assert "player 1" in out
    assert re.search(r"^ Kc\|\s+100%\s+\d+%", out, re.MULTILINE)
    assert "896 of 936 infosets left out: 896 by the limit of 40 (--limit 936 shows them)" in out


def test_show_filters(zerosum: Any, saved: Path) -> None:
    code, out, _ = zerosum("show", saved, "--player", 2, "--infoset", "^K", "--min-reach", 0.5, "--limit", 3)
    assert code == 0
    assert "player 1" not in out
    assert len(re.findall(r"^ K", out, re.MULTILINE)) == 3
    assert re.search(r"933 of 936 infosets left out: \d+ by the limit of 3 .*, \d+ by the filters", out)
    assert "no infoset is left" in zerosum("show", saved, "--infoset", "nonsense").out


def test_show_everything(zerosum: Any, saved: Path) -> None:
    out = zerosum("show", saved, "--limit", 936).out
    assert "left out" not in out
    assert "player 2" in out


def test_show_json(zerosum: Any, saved: Path) -> None:
    content = json.loads(zerosum("show", saved, "--player", 1, "--json").out)
    assert len(content["decisions"]) == content["left_out"] == 468
    assert content["decisions"][0].keys() == {"player", "infoset", "reach", "actions"}


def test_show_many_actions(zerosum: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    zerosum("solve", "liars-dice(4)", "--iterations", 20, "--json", "--out", path)
    assert re.search(r" \d+%  .* \d+%", zerosum("show", path, "--limit", 5).out)
