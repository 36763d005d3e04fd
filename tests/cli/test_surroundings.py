"""The surroundings of the command: narrow terminals, locales, read-only folders, control characters, endless input."""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import zerosum as package
from zerosum.support.source_hash import cache_folder
from zerosum.support.text import mask_control_characters

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
ESCAPE = "\x1b]0;owned\x07\x1b[31mK\r\u202e|"


def command(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process, with some variables of its environment changed."""
    return subprocess.run(
        [sys.executable, "-m", "zerosum", *map(str, arguments)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        preexec_fn=obedient,
    )


@pytest.mark.parametrize("columns", [1, 2, 5, 10, 20, 25, 26, 40])
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kuhn", "--iterations", 30),
        ("compare", "kuhn", "cfr", "dcfr", "--iterations", 30),
        ("games",),
        ("algorithms",),
        ("solve", "spot:river", "--iterations", 3),
    ],
    ids=lambda arguments: arguments[0] + arguments[1][:4] if len(arguments) > 1 else arguments[0],
)
def test_any_width(arguments: tuple[object, ...], columns: int, zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    output = zerosum(*arguments)
    assert output.code == 0, output.err


def test_a_plain_locale(tmp_path: Path) -> None:
    """Sources, results and spots are read as UTF-8, regardless of the encoding of the locale."""
    for kernels in cache_folder().glob("kernels-*"):
        (tmp_path / kernels.name).symlink_to(kernels)
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "ZEROSUM_CACHE_DIR": str(tmp_path)}
    spot = tmp_path / "spot.toml"
    spot.write_text(
        'name = "flüssig"\nboard = "Ks 7♥ 2♦ 9♣ 4♠"\npot = 10\nstack = 20\nbig_blind = 1\n', encoding="utf-8"
    )
    for arguments in (
        ("solve", "kuhn", "--iterations", 20, "--out", tmp_path / "kuhn.zs"),
        ("show", tmp_path / "kuhn.zs"),
        ("export", tmp_path / "kuhn.zs", "--format", "csv", "--out", tmp_path / "kuhn.csv"),
        ("solve", spot, "--dry-run"),
    ):
        process = command(*arguments, **plain)
        assert process.returncode == 0, process.stderr
        assert "bug" not in process.stderr


def test_an_export_masks_control_characters_for_a_terminal_only(
    zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kuhn.json"
    package.solve("kuhn", iterations=20).save(path)
    content = json.loads(path.read_text())
    for decision in content["decisions"]:
        decision["infoset"] = ESCAPE + decision["infoset"]
    path.write_text(json.dumps(content))
    piped = zerosum("export", path, "--format", "csv").out
    assert ESCAPE in piped
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    terminal = zerosum("export", path, "--format", "csv").out
    assert terminal == mask_control_characters(piped)
    assert not set(terminal) & {"\x1b", "\x07", "\r", "\u202e"}
    zerosum("export", path, "--format", "csv", "--out", tmp_path / "kuhn.csv")
    assert ESCAPE in (tmp_path / "kuhn.csv").read_bytes().decode()


def test_a_terminal_never_gets_control_characters(zerosum: Any, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    package.solve("kuhn", iterations=20).save(path)
    content = json.loads(path.read_text())
    content["game"] = content["algorithm"] = ESCAPE
    for decision in content["decisions"]:
        decision["infoset"] = ESCAPE + decision["infoset"]
        decision["actions"] = {f"{ESCAPE}{action}": chance for action, chance in decision["actions"].items()}
    path.write_text(json.dumps(content))
    output = zerosum("show", path)
    assert output.code == 0
    assert "[31mK?" in output.out
    assert not set(output.out) & {"\x1b", "\x07", "\r", "\u202e"}
    for arguments in (("exploit", "leduc", path), ("solve", ESCAPE), ("show", tmp_path / ESCAPE)):
        output = zerosum(*arguments)
        assert output.code == 2
        assert not set(output.err) & {"\x1b", "\x07", "\r", "\u202e"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "x" * 50_000),
        ("solve", f"leduc({'x' * 50_000})"),
        ("solve", f"matrix([{'1,' * 50_000}])"),
        ("solve", "kuhn", "--algorithm", "y" * 50_000),
        ("solve", "kuhn", "--until", "z" * 50_000),
        ("solve", "kuhn", "--" + "q" * 50_000),
        ("solve", "kuhn", "--iterations", "9" * 50_000),
        ("solve", "spot:river", "--oop", "AKx" * 20_000),
        ("solve", "spot:river", "--bets", "5," * 50_000 + "x"),
        ("solve", "spot:river", "--line", "check " * 20_000),
        ("show", "p" * 50_000),
        ("s" * 50_000,),
    ],
    ids=lambda arguments: " ".join(str(word)[:12] for word in arguments),
)
def test_messages_do_not_repeat_all_that_was_typed(arguments: tuple[str, ...], zerosum: Any) -> None:
    output = zerosum(*arguments)
    assert output.code == 2
    assert len(output.err) < 1000


@pytest.fixture
def unwritable(tmp_path: Path) -> str:
    """A home that not even root can write to, because it is a file."""
    path = tmp_path / "home"
    path.write_text("")
    return str(path)


def test_without_a_folder_for_machine_code_a_sentence_says_so(unwritable: str) -> None:
    process = command("solve", "kuhn", "--iterations", 5, HOME=unwritable, ZEROSUM_CACHE_DIR=f"{unwritable}/cache")
    assert process.returncode == 2
    assert "$ZEROSUM_CACHE_DIR names another folder" in process.stderr
    assert "Traceback" not in process.stderr


def obedient() -> None:
    """Make even root obey permissions by dropping its right to override them (Linux)."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def test_a_cache_that_can_only_be_read_is_enough(tmp_path: Path) -> None:
    """Stored machine code is used; anything else that would be stored is computed again."""
    for kernels in cache_folder().glob("kernels-*"):
        shutil.copytree(kernels, tmp_path / kernels.name, symlinks=True)
    for folder in (tmp_path, *tmp_path.glob("*/"), *tmp_path.glob("*/*/")):
        folder.chmod(0o500)
    try:
        process = command(
            "solve", "kuhn", "--iterations", 5, "--json", HOME="/nonexistent", ZEROSUM_CACHE_DIR=str(tmp_path)
        )
    finally:
        for folder in (tmp_path, *tmp_path.glob("*/"), *tmp_path.glob("*/*/")):
            folder.chmod(0o700)
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["iterations"] == 5
    assert not (tmp_path / "sources.json").exists(), "it could be written after all"


def test_a_clock_that_goes_back(zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes back an hour at every reading and files are from next year: times grow, runs resume."""
    monkeypatch.setattr("zerosum.papers.curve_job.cache_folder", lambda: tmp_path / "cache")
    hours = itertools.count()
    began = time.time()
    monkeypatch.setattr(time, "time", lambda: began - 3600.0 * next(hours))
    run, swept = tmp_path / "kuhn.zs", tmp_path / "sweep"
    commands: list[tuple[object, ...]] = [
        ("solve", "kuhn", "--iterations", 60, "--seconds", 1000, "--out", run, "--json"),
        ("resume", run, "--iterations", 90, "--json"),
        ("sweep", "kuhn", "-a", "dcfr({alpha})", "--grid", "alpha=1,2", "--iterations", 20, "--out", swept),
        ("sweep", "kuhn", "-a", "dcfr({alpha})", "--grid", "alpha=1,2", "--iterations", 20, "--out", swept),
        ("figure", "ecfr-4", "--quick", "--iterations", 5, "--out", tmp_path / "figures", "--json"),
        ("figure", "ecfr-4", "--quick", "--iterations", 5, "--out", tmp_path / "figures", "--json"),
    ]
    outputs = []
    for arguments in commands:
        output = zerosum(*arguments)
        assert output.code == 0, output.err
        assert " -" not in output.err
        outputs.append(output.out)
        for path in tmp_path.rglob("*"):
            os.utime(path, (began + 3e7, began + 3e7))
    first, second = (json.loads(text) for text in outputs[:2])
    assert (first["stopped"], second["iterations"]) == ("iterations", 90)
    times = [point["seconds"] for point in second["curve"]]
    assert times == sorted(times)
    assert 0.0 <= times[0] <= first["seconds"] <= second["seconds"] == times[-1]
    assert outputs[2] == outputs[3]
    assert outputs[4] == outputs[5]
