"""docs/study.md: its commands run, and print what it shows."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from documents import ROOT, blocks, plain

PAGE = (ROOT / "docs" / "study.md").read_text()
SPEED = re.compile(r"^iterations .* in |^solved to |^memory ")
"""Lines that tell how fast it was, or what every core needs."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files of the page lie."""
    for text in blocks(PAGE, "toml"):
        (tmp_path / re.match(r"# (\w+\.toml)\n", text)[1]).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_print_what_is_shown(folder: Path, rue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = [line for block in blocks(PAGE, "sh") for line in block.splitlines()]
    assert len(commands) > 10
    printed: list[str] = []
    for command in commands:
        said = rue(*shlex.split(command)[1:])
        assert said.code == 0, (command, said.err)
        printed += plain(said.out)
    for line in (line for block in blocks(PAGE, "text") for line in plain(block)):
        assert line in printed or SPEED.search(line), line
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(PAGE, "pycon")), {}, "study.md", "study.md", 0)
    assert len(test.examples) == 5
    assert doctest.DocTestRunner().run(test).failed == 0
    monkeypatch.setenv("COLUMNS", "60")
    narrow = rue("report", "srp/", "--line", "check bet66 call * check", "--limit", "48").out.split()
    assert {"As", "Ah", "2c", "all", "cards", "equity", "19.14"} <= set(narrow)
    assert (folder / "rivers.csv").read_text().count("\n") == 1 + 48 + 1


def test_the_long_commands_are_what_they_are_said_to_be(folder: Path, rue: Any) -> None:
    """They are not run: the spot is read and estimated."""
    (console,) = blocks(PAGE, "console")
    first, *others = [shlex.split(line)[2:] for line in console.splitlines()]
    code, out, _ = rue(*first[:2], "--dry-run")
    assert code == 0
    assert "infosets   63,984,451" in out
    assert "The first has 64 million infosets" in PAGE
    for words in others:
        assert rue(words[0], "--help").code == 0
        if "--line" in words:
            line = words[words.index("--line") + 1].removesuffix("call")
            assert rue("solve", "flop.toml", "--line", line, "--dry-run").code == 0
