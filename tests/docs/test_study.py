"""docs/study.md: its commands run and print the output shown."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from documents import ROOT, blocks, plain

PAGE = (ROOT / "docs" / "study.md").read_text()
SPEED = re.compile(r"^iterations .* in |^worst exploitability |^memory ")
"""Lines that depend on the machine: times, and memory per core."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files of the page."""
    for text in blocks(PAGE, "toml"):
        (tmp_path / re.match(r"# (\w+\.toml)\n", text)[1]).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_print_the_output_shown(folder: Path, zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = [line for block in blocks(PAGE, "sh") for line in block.splitlines()]
    assert len(commands) > 10
    printed: list[str] = []
    for command in commands:
        output = zerosum(*shlex.split(command)[1:])
        assert output.code == 0, (command, output.err)
        printed += plain(output.out)
    for line in (line for block in blocks(PAGE, "text") for line in plain(block)):
        assert line in printed or SPEED.search(line), line
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(PAGE, "pycon")), {}, "study.md", "study.md", 0)
    assert len(test.examples) == 5
    assert doctest.DocTestRunner().run(test).failed == 0
    monkeypatch.setenv("COLUMNS", "60")
    narrow = zerosum("report", "srp/", "--line", "check bet66 call * check", "--limit", "48").out.split()
    assert {"As", "Ah", "2c", "all", "cards", "equity", "19.14"} <= set(narrow)
    assert (folder / "rivers.csv").read_text().count("\n") == 1 + 48 + 1


def test_the_long_commands_are_as_described(folder: Path, zerosum: Any) -> None:
    """They are not run: the spot is read and estimated."""
    (console,) = blocks(PAGE, "console")
    first, *others = [shlex.split(line)[2:] for line in console.splitlines()]
    code, out, _ = zerosum(*first[:2], "--dry-run")
    assert code == 0
    assert "infosets   63,984,451" in out
    assert "The first command solves 64 million infosets" in PAGE
    for words in others:
        assert zerosum(words[0], "--help").code == 0
        if "--line" in words:
            line = words[words.index("--line") + 1].removesuffix("call")
            assert zerosum("solve", "flop.toml", "--line", line, "--dry-run").code == 0
