"""A server in this process for most tests, and the real command with a browser for the page."""

from __future__ import annotations

import re
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from explorer_page import BASE, CHROMIUM, PORT, SPOT, TIMEOUT, TOKEN, Page, solved
from starlette.testclient import TestClient

from command import COMMAND
from zerosum.explorer.app import create_app
from zerosum.explorer.handler import Explorer
from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.workspace import Workspace

REFUSED = "the server responded with a status of 4"
"""What a browser says of a request that was answered with a sentence."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """A function that opens the explorer on a folder, any number of times."""
    clients: list[TestClient] = []

    def opening() -> Page:
        while clients:
            clients.pop().__exit__(None, None, None)
        runs = RunManager(Workspace(tmp_path / "runs"))
        client = TestClient(create_app(Explorer(runs, {"page": "home"}), TOKEN, PORT), base_url=BASE)
        clients.append(client.__enter__())
        return Page(client, runs.workspace.path)

    yield opening
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def page(opened: Callable[[], Page]) -> Page:
    """The explorer on an empty folder."""
    return opened()


def compile_kernels(address: str) -> None:
    """Solve a spot and delete it: with an empty cache that takes longer than a test of the page waits."""
    run = f"{address}api/runs/{solved(address, SPOT)}"
    urllib.request.urlopen(f"{run}/walk?line=check&evs=1").close()
    urllib.request.urlopen(urllib.request.Request(run, method="DELETE")).close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real command's page, with a small spot to build."""
    from zerosum.holdem.spots.files import spot_from_dict, write_spot

    folder = tmp_path_factory.mktemp("served")
    write_spot(spot_from_dict(SPOT), folder / "small.toml")
    command = [*COMMAND, "explore", str(folder / "small.toml"), "--folder", str(folder / "runs"), "--no-open"]
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match is not None
            compile_kernels(match[0])
            yield match[0]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is driven by playwright: it is not here")
    if not CHROMIUM.exists():
        pytest.skip("the page needs Chromium, which is not installed: apt-get install chromium")
    playwright.expect.set_options(timeout=TIMEOUT)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab that fails the test if the page has an error."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    new_page = context.new_page()
    new_page.set_default_timeout(TIMEOUT)
    new_page.on("pageerror", lambda error: errors.append(str(error)))
    new_page.on(
        "console",
        lambda message: errors.append(message.text) if message.type == "error" and REFUSED not in message.text else 0,
    )
    yield new_page
    context.close()
    assert [error for error in errors if REFUSED not in error] == []
