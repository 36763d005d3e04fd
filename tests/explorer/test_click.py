"""A click in the explorer passes through few files: the request, the run, the line, the solution, the table."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from explorer_page import BASE, PORT, SPOT, TOKEN

from call_traces import check_trace, read_traces
from zerosum.explorer.app import create_app
from zerosum.explorer.handler import Explorer
from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.workspace import Workspace

MAX_FILES = 18
"""Files of the package for a decision of which the frequencies are shown."""
MAX_FILES_WITH_EVS = 28
"""Files for the same with EVs and equities, which are computed by kernels."""


class Server:
    """The application without a network, on threads that begin with each request: so that calls can be followed."""

    def __init__(self, folder: Path) -> None:
        self.explorer = Explorer(RunManager(Workspace(folder)), {"page": "home"})
        self.app = create_app(self.explorer, TOKEN, PORT)

    def ask(self, verb: str, path: str, data: Any = None) -> Any:
        """Return the answer to a request."""

        async def request() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app=self.app), base_url=BASE) as client:
                return await client.request(verb, f"/{TOKEN}/api/{path}", content=json.dumps(data) if data else None)

        answer = asyncio.run(request())
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.mark.parametrize(("evs", "most"), [(0, MAX_FILES), (1, MAX_FILES_WITH_EVS)], ids=["frequencies", "EVs"])
def test_a_click_passes_through_few_files(tmp_path: Path, evs: int, most: int) -> None:
    server = Server(tmp_path / "runs")
    key = server.ask("POST", "runs", {"spot": SPOT, "iterations": 50})["id"]
    while server.ask("GET", f"runs/{key}")["state"] != "done":
        pass
    solution = server.explorer.runs.read_result(key).solution  # type: ignore[attr-defined]

    def click() -> None:
        solution._decisions.cache_clear()
        solution._rows.cache_clear()
        answer = server.ask("GET", f"runs/{key}/walk?line=check&evs={evs}")
        assert answer["decision"]["has_ev"] == bool(evs)

    try:
        files = check_trace(read_traces()["a click in the explorer"] if not evs else [], click)
    finally:
        server.explorer.close()
    assert len(files) <= most, "\n".join(files)
