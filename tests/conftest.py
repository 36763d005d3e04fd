"""What all tests share."""

from __future__ import annotations

import gc
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from command import Said
from own_network import enter
from rue.cli.main import run

for sent, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(sent) is signal.SIG_IGN:  # as nohup and the background of a script leave it
        signal.signal(sent, usual)

settings.register_profile(
    "rue", deadline=None, max_examples=30, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rue")

REFUSED = enter()
"""Why the tests share the network of this machine; None if they have one of their own."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if REFUSED:
        terminalreporter.write_line(
            f"the tests shared the loopback interface of this machine ({REFUSED}): "
            "root, or unshare -rm python -m pytest, gives them a network of their own"
        )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Any:
    """What is loaded for all tests is no garbage: to look through it takes half a second each time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def rue(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command in this process."""
    for name in ("COLUMNS", "FORCE_COLOR", "RUE_LIBRATUS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("rue.cli.progress.LINES", 1e6)  # a busy machine has time to say how far it is

    def call(*arguments: object) -> Said:
        code = run([str(argument) for argument in arguments])
        return Said(code, *capsys.readouterr())

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
    from rue.forms.compile import compile_game
    from rue.games.catalogue import make

    return {name: compile_game(make(name), sampled=True) for name in ("kuhn", "leduc")}
