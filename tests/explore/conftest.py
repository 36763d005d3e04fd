"""A server in this process for most tests, and the real command with a browser for the page."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from explorer_page import BASE, CHROMIUM, PORT, SPOT, TOKEN, Page
from starlette.testclient import TestClient

from command import COMMAND
from rue.explore.app import application
from rue.explore.explorer import Explorer
from rue.explore.folder import Folder
from rue.explore.workshop import Workshop

REFUSED = "the server responded with a status of 4"
"""What a browser says of a request that was answered with a sentence."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """Opens the explorer on a folder, again and again."""
    clients: list[TestClient] = []

    def opening() -> Page:
        while clients:
            clients.pop().__exit__(None, None, None)
        workshop = Workshop(Folder(tmp_path / "runs"))
        client = TestClient(application(Explorer(workshop, {"page": "home"}), TOKEN, PORT), base_url=BASE)
        clients.append(client.__enter__())
        return Page(client, workshop.folder.path)

    yield opening
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def page(opened: Callable[[], Page]) -> Page:
    """The explorer on an empty folder."""
    return opened()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real command's page, with a small spot to build."""
    from rue.holdem.files import from_mapping, write_spot

    folder = tmp_path_factory.mktemp("served")
    write_spot(from_mapping(SPOT), folder / "small.toml")
    command = [*COMMAND, "explore", str(folder / "small.toml"), "--folder", str(folder / "runs"), "--no-open"]
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the page is driven by playwright: it is not here")
    if not CHROMIUM.exists():
        pytest.skip("the page is looked at in Chromium, which is not here: apt-get install chromium")
    playwright.expect.set_options(timeout=30_000)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab that fails the test if the page has an error."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    made = context.new_page()
    made.set_default_timeout(30_000)
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.on(
        "console", lambda said: errors.append(said.text) if said.type == "error" and REFUSED not in said.text else 0
    )
    yield made
    context.close()
    assert [error for error in errors if REFUSED not in error] == []
