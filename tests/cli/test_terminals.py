"""Decisions of hold'em on terminals of all kinds: nothing disappears when it is narrow, colours are never needed."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerosum.cli.main import run
from zerosum.results.display.action_colours import (
    ALLIN,
    FOLD,
    LARGE,
    PASSIVE,
    SMALL,
    choose_colours,
    choose_terminal_colours,
)

ACTIONS = ("check", "bet 858", "(33%)", "bet 1950", "(75%)", "bet 3900", "(150%)", "allin", "(335%)")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "river.zs"
    assert run(["solve", "spot:river", "--iterations", "30", "--json", "--out", str(path)]) == 0
    return path


def plain(text: str) -> list[str]:
    return COLOUR.sub("", text).splitlines()


def numbers(lines: list[str]) -> list[str]:
    return re.findall(r"-?\d[\d.]*%?", " ".join(lines))


@pytest.mark.parametrize("options", [(), ("--hands", "KQ"), ("--by", "class", "--limit", "5")])
def test_narrow_terminals_show_all_that_wide_ones_show(
    zerosum: Any, saved: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_width = {}
    for width in (48, 66, 80, 120, 160):
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, err = zerosum("show", saved, "--line", "check", *options)
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert "…" not in out
        if width >= 66:
            assert all(len(line) <= width for line in lines[2:] if not line.startswith(("--", "Ks")))
            by_width[width] = set(numbers(lines))
        for action in ACTIONS:
            assert action in out
    for width, seen in by_width.items():
        assert by_width[160] - seen == set(), width


def test_the_sizes_of_a_spot_are_not_cut(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = zerosum("solve", "spot:turn", "--dry-run").out
    assert "street   boards   decisions   fold   showdown   allin   deal" in out
    assert "…" not in out


def test_a_narrow_terminal_says_why_there_is_no_grid(
    zerosum: Any, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = zerosum("show", saved).out
    assert "needs 64 columns and the terminal has 50" in " ".join(out.split())
    monkeypatch.setenv("COLUMNS", "66")
    assert "KQsa" in zerosum("show", saved).out.replace("KQsA", "KQsa")


@pytest.mark.parametrize(
    ("kind", "no_color", "expected"),
    [
        ("xterm-256color", "", r"\x1b\[1;(30|37);48;5;"),
        ("xterm", "", r"\x1b\[1;\d+mA9s [a-dA-D]"),
        ("xterm", "1", r"A9s [a-dA-D]"),
        ("dumb", "", r"A9s [a-dA-D]"),
    ],
)
def test_colours_of_a_terminal(saved: Path, kind: str, no_color: str, expected: str) -> None:
    """Run in a separate process: rich keeps the codes of styles, and this one may have seen other terminals."""
    variables = {"TERM": kind, "FORCE_COLOR": "1", "COLUMNS": "80"} | ({"NO_COLOR": no_color} if no_color else {})
    environment = {key: value for key, value in os.environ.items() if key not in ("COLORTERM", "NO_COLOR")} | variables
    command = [sys.executable, "-m", "zerosum", "show", str(saved), "--line", "check bet33"]
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert re.search(expected, out), kind
    codes = set(re.findall(r"\x1b\[([0-9;]*)m", out))
    assert not any(re.search(r"(^|;)[34]8;2;", code) for code in codes)
    if kind == "xterm":
        assert not any("8;5" in code for code in codes)
        assert "capital: at least" in " ".join(" ".join(plain(out)).split())
    if no_color or kind == "dumb":
        assert all(re.fullmatch(r"0|1|2|", code) for code in codes)


def test_many_sizes_keep_their_order() -> None:
    shades = choose_colours(["fold", "call", "raise 1", "raise 2", "raise 3", "allin"])
    assert [shades[0], shades[1], shades[2], shades[4], shades[5]] == [FOLD, PASSIVE, SMALL, LARGE, ALLIN]
    brightness = [0.3 * red + 0.59 * green + 0.11 * blue for red, green, blue in shades[2:]]
    assert brightness == sorted(brightness, reverse=True)
    assert choose_terminal_colours(["check", "bet 1"]) == ["green", "yellow"]


SEEN = {
    "all colours": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""How light arrives at eyes that lack a kind of cone, by Machado, Oliveira and Fernandes (2009), in linear RGB."""


def lab(colour: tuple[int, int, int], seen: Any) -> Any:
    """A colour in CIELAB, where distances are about what people see: 2 is just visible."""
    light = np.asarray(colour) / 255
    linear = np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    arriving = np.clip(np.asarray(seen) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.asarray(to_xyz) @ arriving / [0.95047, 1.0, 1.08883]
    fx, fy, fz = (np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


@pytest.mark.parametrize("eyes", SEEN)
def test_actions_stay_apart_for_all_eyes(eyes: str) -> None:
    for colour, other in itertools.combinations((FOLD, PASSIVE, SMALL, LARGE, ALLIN), 2):
        assert np.linalg.norm(lab(colour, SEEN[eyes]) - lab(other, SEEN[eyes])) > 20, (colour, other)
