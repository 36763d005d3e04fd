"""The command as a process: pipes, signals, compiled kernels."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command import COMMAND, KEYS, CommandOutput, refused
from zerosum.cli.main import COMMANDS
from zerosum.native import code_cache
from zerosum.results.game_result import GameResult
from zerosum.support.source_hash import cache_folder


def test_json_is_all_a_process_prints() -> None:
    done = subprocess.run(
        [*COMMAND, "solve", "kuhn", "--iterations", "10", "--json"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert json.loads(done.stdout).keys() == KEYS
    assert done.stdout.count("\n") == 1


def test_every_command_takes_debug(zerosum: Any) -> None:
    for command in COMMANDS:
        assert "--debug" in zerosum(command, "--help").out


def test_bad_input_of_a_process() -> None:
    done = subprocess.run([*COMMAND, "solve", "leduk"], capture_output=True, text=True, check=False)
    refused(CommandOutput(done.returncode, done.stdout, done.stderr), "did you mean leduc")


def test_closed_pipe_is_silent() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([*COMMAND, "games"], stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_saves_the_run(tmp_path: Path, sent: signal.Signals) -> None:
    out = tmp_path / "r.json"
    terminal, stderr = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [*COMMAND, "solve", "leduc", "--seconds", "1000", "--json", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment,
    )
    os.close(stderr)
    seen = b""
    while b"iteration" not in seen:
        seen += os.read(terminal, 4096)
    process.send_signal(sent)
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    stdout, _ = process.communicate()
    os.close(terminal)
    assert process.returncode == 128 + sent
    assert b"exploitability" in seen
    assert (b"zerosum: interrupted" if sent == signal.SIGINT else b"zerosum: terminated") in seen
    content = json.loads(stdout)
    assert content["stopped"] == "interrupted"
    assert content["iterations"] == GameResult.load(out).iterations > 0


def test_ctrl_c_while_the_command_is_loaded_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    from zerosum.cli.entry_point import main

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.cli.main.main", interrupt)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_the_package_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "zerosum", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("zerosum ")


OWN_RULE = """
import zerosum

NUMBER = {number}


def uniform(t, instant, regret, strategy, memory):
    regret[:] = NUMBER
    strategy[:] = 1.0 / len(strategy)


mine = zerosum.rule(uniform)
"""


def kernels(cache: Path) -> dict[str, int]:
    """Return the time of change of every object file in a cache."""
    return {path.name: path.stat().st_mtime_ns for path in cache.rglob("*.o")}


def unfinished(names: list[str]) -> set[str]:
    """Return the files of a cache that are not object code."""
    return {name for name in names if not name.endswith(".o")}


@pytest.mark.parametrize(
    "what", ["kuhn", "spot:river", "kuhn --algorithm FOLDER/own.py:mine", "kuhn --algorithm mccfr"]
)
def test_a_second_run_compiles_nothing(tmp_path: Path, what: str) -> None:
    """Both runs use a private copy of the cache, because other tests compile at the same time."""
    (tmp_path / "own.py").write_text(OWN_RULE.format(number=time.time_ns()))
    command = [*COMMAND, "solve", *what.replace("FOLDER", str(tmp_path)).split(), "--iterations", "10"]
    cache, there = tmp_path / "cache", code_cache.local_folder()
    if there.exists():
        shutil.copytree(there, cache / there.relative_to(cache_folder()), ignore=lambda _, names: unfinished(names))
    outputs = []
    for _ in range(2):
        compiled = kernels(cache)
        environment = {**os.environ, "NUMBA_DEBUG_CACHE": "1", "ZEROSUM_CACHE_DIR": str(cache)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.append(done.stdout + done.stderr)
    first, second = outputs
    assert "[cache] data saved" not in second
    assert compiled == kernels(cache), "no kernel was compiled again"
    if "own.py" in what:
        assert "[cache] data saved" in first, "a new rule is compiled"
        assert "[cache] data loaded" in second


def test_output_of_rules_stays_out_of_json(tmp_path: Path) -> None:
    rules = tmp_path / "loud.py"
    rules.write_text(
        "from zerosum import ONE, TERMINAL, Game\nprint('loading')\n\n\nclass Loud(Game):\n"
        "    def root(self): return ()\n"
        "    def player(self, state): return TERMINAL if state else ONE\n"
        "    def actions(self, state): return ('a', 'b')\n"
        "    def child(self, state, action): return (action,)\n"
        "    def infoset(self, state): return 'mine'\n"
        "    def payoff(self, state): print('paid'); return 1.0 if state == ('a',) else 0.0\n"
    )
    command = [*COMMAND, "solve", f"{rules}:Loud", "--iterations", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["value"] > 0.5, done.stderr
    assert "paid" in done.stderr
