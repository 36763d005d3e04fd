"""A page without a browser: requests with the token, and a small spot."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

PORT, TOKEN = 9376, "token"
BASE = f"http://127.0.0.1:{PORT}"
SPOT = {
    "name": "small river",
    "board": "Ks 7h 2d 9c 4s",
    "pot": 100,
    "stack": 200,
    "oop": "KK,QJs,A7s",
    "ip": "AA,99,T8s,65s",
    "bets": "50%,allin",
    "raises": "allin",
    "minimum": 1,
}
CHROMIUM = Path("/usr/bin/chromium")
TIMEOUT = 180_000
"""Milliseconds that a test waits for the page: its first run compiles kernels, beside other tests that do the same."""


class Page:
    """A client that knows the token."""

    def __init__(self, client: TestClient, folder: Path) -> None:
        self.client, self.folder = client, folder

    def ask(self, verb: str, path: str, data: Any = None, status: int = 200) -> Any:
        answer = self.client.request(verb, f"/{TOKEN}/api/{path}", content=None if data is None else json.dumps(data))
        assert answer.status_code == status, answer.text
        return answer.json()

    def refused(self, verb: str, path: str, data: Any = None) -> str:
        """Send a request that must be refused and return the error message."""
        message = self.ask(verb, path, data, status=400)["error"]
        assert isinstance(message, str)
        assert "\n" not in message
        return message

    def solved(self, **changes: Any) -> str:
        """Solve a small river and return its key."""
        key = self.ask("POST", "runs", {"spot": SPOT, "iterations": 50, **changes})["id"]
        self.wait(key, "done")
        return str(key)

    def wait(self, key: str, *states: str) -> Any:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            run = self.ask("GET", f"runs/{key}")
            if run["state"] in states:
                return run
            assert run["state"] != "failed", run["error"]
            time.sleep(0.02)
        raise AssertionError(f"{run['state']}, not {states}")


def solved(served: str, spot: dict[str, Any]) -> str:
    """Wait for a finished run on the server and return its key."""
    body = json.dumps({"spot": spot, "iterations": 50}).encode()
    with urllib.request.urlopen(f"{served}api/runs", body) as answer:
        key = json.load(answer)["id"]
    while True:
        with urllib.request.urlopen(f"{served}api/runs/{key}") as answer:
            run = json.load(answer)
        assert run["state"] != "failed", run["error"]
        if run["state"] == "done":
            return str(key)
        time.sleep(0.05)
