"""What all tests share."""

from __future__ import annotations

import gc
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from command import CommandOutput
from private_network import enter
from zerosum.cli.main import run

for sent, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(sent) is signal.SIG_IGN:  # as nohup and the background of a script leave it
        signal.signal(sent, usual)

settings.register_profile(
    "zerosum", deadline=None, max_examples=30, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("zerosum")

REFUSED = enter()
"""Why the tests share the network of this machine; None if they have a separate one."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if REFUSED:
        terminalreporter.write_line(
            f"the tests shared the loopback interface of this machine ({REFUSED}): "
            "root, or unshare -rm python -m pytest, gives them a separate network"
        )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Any:
    """Freeze the objects loaded for all tests: the garbage collector would scan them for half a second each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def zerosum(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command in this process."""
    for name in ("COLUMNS", "FORCE_COLOR", "ZEROSUM_LIBRATUS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("zerosum.cli.progress.LINE_INTERVAL", 1e6)  # a busy machine has time to say how far it is

    def call(*arguments: object) -> CommandOutput:
        code = run([str(argument) for argument in arguments])
        return CommandOutput(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A strategy of Leduc in a file."""
    path = tmp_path_factory.mktemp("saved") / "leduc.json.gz"
    assert run(["solve", "leduc", "--iterations", "100", "--json", "--out", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def forms() -> Any:
    """Two small games with their histories, by name."""
    from zerosum.engine.forms.sequence.form_compiler import compile_game
    from zerosum.games.catalogue import create_game

    return {name: compile_game(create_game(name), sampled=True) for name in ("kuhn", "leduc")}
