"""The command `compare`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from command import KEYS


def test_compare(zerosum: Any, tmp_path: Path) -> None:
    code, out, err = zerosum("compare", "leduc", "cfr", "dcfr", "lp", "--iterations", 100, "--plot", tmp_path / "x.svg")
    assert (code, err) == (0, "")
    assert "leduc: 936 infosets" in out
    assert re.search(r"^\s*lp\s.*best\s*$", out, re.MULTILINE)
    assert "a cfr   b dcfr" in out
    drawn = (tmp_path / "x.svg").read_text()
    assert ">cfr<" in drawn
    assert ">dcfr<" in drawn


def test_compare_json(zerosum: Any) -> None:
    code, out, err = zerosum("compare", "kuhn", "cfr", "cfr+", "--iterations", 50, "--x", "seconds", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert content.keys() == {"game", "infosets", "sequences", "results"}
    assert [result["algorithm"] for result in content["results"]] == ["cfr", "cfr+"]
    assert all(result.keys() == KEYS for result in content["results"])


def test_compare_marks_the_best(zerosum: Any) -> None:
    _, out, _ = zerosum("compare", "leduc", "cfr", "cfr+", "--iterations", 100, "--x", "seconds")
    assert re.findall(r"^\s*(\S+)\s.*best\s*$", out, re.MULTILINE) == ["cfr+"]
    assert out.rstrip().splitlines()[-2].endswith("  seconds")
