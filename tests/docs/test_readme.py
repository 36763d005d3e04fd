"""The README and the examples of other pages: commands, Python output, links and numbers are right."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from documents import ROOT, blocks, plain
from zerosum.cli.main import run

TEXT = (ROOT / "README.md").read_text()
PAGES = ("README.md", "benchmarks/README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next heading."""
    (text,) = re.findall(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", (ROOT / page).read_text(), re.DOTALL | re.M)
    return str(text)


EXAMPLES = "\n".join([
    TEXT,
    section("docs/games.md", "User-defined games"),
    section("docs/algorithms.md", "User-defined rules"),
    section("docs/algorithms.md", "Iterating step by step"),
    section("docs/runs.md", "Controlling a run from a program"),
    section("docs/strategies.md", "An example"),
    section("docs/holdem.md", "Reading the result"),
])  # fmt: skip
"""What is run and compared: the README, and the examples that it leads to."""


def commands() -> list[str]:
    """Return every command of the shell blocks once, without the folder of the virtual environment."""
    lines = [line for block in blocks(EXAMPLES, "sh") for line in block.splitlines()]
    return list(dict.fromkeys(part.strip().removeprefix(".venv/bin/") for line in lines for part in line.split("&&")))


def zerosum_commands() -> list[list[str]]:
    return [shlex.split(command)[1:] for command in commands() if command.startswith("zerosum ")]


def write_files(folder: Path) -> None:
    """Write the files that the document asks the reader to write."""
    for code in blocks(EXAMPLES, "python"):
        (folder / re.match(r"# (\w+\.py)\n", code)[1]).write_text(code)


def test_the_commands_print_the_output_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyspiel")
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("zerosum.cli.progress.LINE_INTERVAL", 1e6)  # a busy machine has time to say how far it is
    assert len(zerosum_commands()) >= 10
    printed: list[str] = []
    for arguments in zerosum_commands():
        assert run(arguments) == 0, arguments
        out, err = capsys.readouterr()
        assert err == "", arguments
        printed += plain(out)
    assert {"leduc.png", "compare.png"} <= {path.name for path in tmp_path.iterdir()}
    speed = re.compile("iterations/s|^(cfr|dcfr|icfr|pcfr)")
    for line in (line for block in blocks(EXAMPLES, "text") for line in plain(block) if not speed.search(line)):
        assert line in printed


def test_the_python_examples_give_the_output_shown() -> None:
    pytest.importorskip("pandas")
    test = doctest.DocTestParser().get_doctest("\n".join(blocks(EXAMPLES, "pycon")), {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_continuous_integration_runs_the_command_for_tests() -> None:
    (tests,) = (command for command in commands() if "pytest" in command)
    script = (ROOT / ".ci" / "run").read_text()
    assert re.search(rf"^(\$alone )?{re.escape(tests)}( |$)", script, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target, anchor, source in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)|src=\"([^\"]+)\"", path.read_text()):
        leads = path.parent / (target or source) if target or source else path
        assert leads.is_file(), f"{page}: {target or source}"
        if anchor:
            assert anchor in anchors(leads.read_text()), f"{page}: {target}#{anchor}"


def anchors(text: str) -> set[str]:
    """What GitHub makes of the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_speed_table_is_that_of_the_benchmarks() -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text().partition("### From rules to arrays")[0]
    measured = [
        [cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\|[^|]*\| +cfr\+ \|.*$", page, re.M)
    ]
    rows = re.findall(r"^\| .* \| ([\d.,]+) us \| ([\d.,]+) us \| ([\d.,]+) us \| ([\d,]+)x, ([\d,]+)x \|$", TEXT, re.M)
    assert len(rows) == 5
    for (_, _, ours, lite, first, later, *ratios, _), row in zip(measured, rows, strict=True):
        faster = min(first, later, key=lambda text: float(text.replace(",", "")))
        assert row == (ours, lite, faster, *ratios)
