"""The application: the page's files, the endpoints, and a stream that tells how runs go."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rue.errors import RueError
from rue.errors import told as told_error
from rue.explore.easel import Going
from rue.explore.explorer import Explorer, Handler, Request
from rue.explore.guard import Guard
from rue.explore.handlers import HANDLERS
from rue.explore.press import Making

STATIC = Path(__file__).parent / "static"
LARGEST = 2 << 20
"""Bytes of a request."""
DIGITS = 18
"""Digits of a whole number of a request: each fits 64 bits."""
EVERY = 0.2
"""Seconds between two looks for something new to tell."""
PROGRESS = 1.0
"""Seconds between two tellings of how far a run is; another state is told at once."""
QUIET = 15.0
"""Seconds after which a stream without news says that it is there."""


def application(explorer: Explorer, token: str, port: int, closing: threading.Event | None = None) -> ASGIApp:
    """The whole server, guarded. `closing` is set when it is to end: streams end, too, which pages keep open."""
    closing = closing or threading.Event()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        closing.set()
        await run_in_threadpool(explorer.close)

    async def page(request: HttpRequest) -> Response:
        return FileResponse(STATIC / "index.html")

    async def stream(request: HttpRequest) -> Response:
        return StreamingResponse(events(explorer, closing), media_type="text/event-stream")

    routes = [Route(path, _endpoint(explorer, handler), methods=[verb]) for (verb, path), handler in HANDLERS.items()]
    app = Starlette(
        routes=[
            Route("/", page),
            Route("/api/events", stream),
            *routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
        exception_handlers={404: _missing, 405: _missing},
    )
    app.router.redirect_slashes = False
    return Guard(app, token, port)


async def _missing(request: HttpRequest, error: Exception) -> Response:
    return JSONResponse({"error": "there is nothing at this address"}, getattr(error, "status_code", 404))


def _endpoint(explorer: Explorer, handler: Handler) -> Any:
    """A handler as an endpoint: what it returns as JSON, what it refuses as a sentence with a 4xx."""

    async def endpoint(request: HttpRequest) -> Response:
        try:
            data = dict(request.query_params) if request.method in ("GET", "DELETE") else await _body(request)
            asked = Request(request.path_params, data)
            return Response(await run_in_threadpool(_answer, handler, explorer, asked), media_type="application/json")
        except RueError as error:
            return JSONResponse({"error": str(error)}, 400)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            return JSONResponse({"error": told_error(error)}, 500)

    return endpoint


def _answer(handler: Handler, explorer: Explorer, asked: Request) -> bytes:
    return json.dumps(handler(explorer, asked), allow_nan=False, separators=(",", ":")).encode()


async def _body(request: HttpRequest) -> Any:
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > LARGEST:
            raise RueError(f"a request has at most {LARGEST:,} bytes")
    try:
        return json.loads(bytes(content) or b"{}", parse_int=_whole, parse_constant=_refuse)
    except RueError:
        raise
    except (ValueError, RecursionError):
        raise RueError("the request is not readable as JSON") from None


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise RueError(f"a whole number of a request has at most {DIGITS} digits")
    return int(text)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


class _Seen(NamedTuple):
    """What was told of a run, and when."""

    changes: int
    state: str
    at: float

    def is_news(self, before: _Seen) -> bool:
        """Whether it is to be told after what was told before."""
        if self.changes == before.changes:
            return False
        return self.state != before.state or self.at - before.at >= PROGRESS


async def events(explorer: Explorer, closing: threading.Event) -> AsyncIterator[str]:
    """Tells all runs, then each that changed: `runs` with the whole list, `run` with one; `figure` and
    `report` with those that are made, as far as they are."""
    workshop = explorer.workshop
    listed, seen, quiet = -1, dict[str, _Seen](), 0.0
    told: dict[str, tuple[Going | Making, int]] = {}
    while not closing.is_set():
        news = []
        sessions, at = dict(workshop.sessions), time.monotonic()
        if workshop.changes != listed:
            listed = workshop.changes
            seen = {key: _Seen(session.changes, session.state, at) for key, session in sessions.items()}
            news.append(_event("runs", await run_in_threadpool(workshop.told)))
        for key, session in sessions.items():
            before, found = seen.get(key), _Seen(session.changes, session.state, at)
            if before is None or found.is_news(before):
                seen[key] = found
                news.append(_event("run", await run_in_threadpool(session.view)))
        for name, now in (("figure", explorer.easel.now), ("report", explorer.press.now)):
            if now is not None and told.get(name) != (now, now.changes):
                told[name] = now, now.changes
                news.append(_event(name, now.told()))
        quiet = 0.0 if news else quiet + EVERY
        if quiet >= QUIET:
            quiet = 0.0
            news.append(": still here\n\n")
        if news:
            yield "".join(news)
        await asyncio.sleep(EVERY)


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"
