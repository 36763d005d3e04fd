"""The stream of server-sent events: which runs there are, and how far tasks are."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool

from zerosum.explorer.handler import Explorer

POLL_SECONDS = 0.2
"""Seconds between two checks for changes."""
PROGRESS_SECONDS = 1.0
"""Seconds between two events about the progress of a run; a change of its state is sent at once."""
KEEP_ALIVE_SECONDS = 15.0
"""Seconds after which a stream without events sends a comment."""


class _SentState(NamedTuple):
    """What was sent about a run, and when."""

    version: int
    state: str
    time: float

    def is_due_after(self, sent: _SentState) -> bool:
        """Return whether it is to be sent after what was sent before."""
        if self.version == sent.version:
            return False
        return self.state != sent.state or self.time - sent.time >= PROGRESS_SECONDS


async def event_stream(explorer: Explorer, closing: threading.Event) -> AsyncIterator[str]:
    """Yield an event `runs` with all runs, then `run` for each that changed, and `figure` and `report` for the tasks
    that make one."""
    runs = explorer.runs
    runs_version, sent, idle_seconds = -1, dict[str, _SentState](), 0.0
    sent_tasks: dict[str, tuple[Any, int]] = {}
    while not closing.is_set():
        events = []
        tasks, now = dict(runs.runs), time.monotonic()
        if runs.version != runs_version:
            runs_version = runs.version
            sent = {key: _SentState(task.version, task.state, now) for key, task in tasks.items()}
            events.append(_format_event("runs", await run_in_threadpool(runs.list_runs)))
        for key, task in tasks.items():
            state = _SentState(task.version, task.state, now)
            if key not in sent or state.is_due_after(sent[key]):
                sent[key] = state
                events.append(_format_event("run", await run_in_threadpool(task.to_json)))
        for name, queue in (("figure", explorer.figure_queue), ("report", explorer.report_queue)):
            latest = queue.latest
            if latest is not None and sent_tasks.get(name) != (latest, latest.version):
                sent_tasks[name] = latest, latest.version
                events.append(_format_event(name, latest.to_json()))
        idle_seconds = 0.0 if events else idle_seconds + POLL_SECONDS
        if idle_seconds >= KEEP_ALIVE_SECONDS:
            idle_seconds = 0.0
            events.append(": keep alive\n\n")
        if events:
            yield "".join(events)
        await asyncio.sleep(POLL_SECONDS)


def _format_event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"
