"""The ASGI application: the page, static files and JSON endpoints."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from zerosum.explorer.auth import TokenGuard
from zerosum.explorer.events import event_stream
from zerosum.explorer.handler import ENDPOINTS, Endpoint, Explorer
from zerosum.explorer.handlers import figures, game_tree, games, runs
from zerosum.explorer.holdem import locks, reports, spots, training, walk
from zerosum.explorer.requests import decode_query, decode_request
from zerosum.support.errors import ZerosumError, format_error
from zerosum.support.options import Source, options_come_from

HANDLER_MODULES = (figures, game_tree, games, locks, reports, runs, spots, training, walk)
"""The modules whose handlers are in ENDPOINTS once they are imported."""
STATIC = Path(__file__).parent / "static"
MAX_REQUEST_BYTES = 2 << 20
MAX_INTEGER_DIGITS = 18
"""Digits of an integer in a request, so that each fits 64 bits."""


def create_app(explorer: Explorer, token: str, port: int, closing: threading.Event | None = None) -> ASGIApp:
    """Return the application behind its token. `closing` is set when it ends, which ends the event streams."""
    closing = closing or threading.Event()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        closing.set()
        await run_in_threadpool(explorer.close)

    async def serve_page(request: HttpRequest) -> Response:
        return FileResponse(STATIC / "index.html")

    async def stream_events(request: HttpRequest) -> Response:
        return StreamingResponse(event_stream(explorer, closing), media_type="text/event-stream")

    routes = [Route(item.path, _build_json_endpoint(explorer, item), methods=[item.method]) for item in ENDPOINTS]
    app = Starlette(
        routes=[
            Route("/", serve_page),
            Route("/api/events", stream_events),
            *routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
        exception_handlers={404: _answer_not_found, 405: _answer_not_found},
    )
    app.router.redirect_slashes = False
    return TokenGuard(app, token, port)


async def _answer_not_found(request: HttpRequest, error: Exception) -> Response:
    return JSONResponse({"error": "nothing is at this address"}, getattr(error, "status_code", 404))


def _build_json_endpoint(explorer: Explorer, endpoint: Endpoint) -> Any:
    """Return a function that answers with the result of a handler, or with the message of a `ZerosumError`, as JSON."""

    def call_handler(path_values: dict[str, str], data: Any) -> bytes:
        reader = decode_query if endpoint.method in ("GET", "DELETE") else decode_request
        with options_come_from(Source.REQUEST):
            request: Any = reader(endpoint.request_type, data)
            values = {"request": request} if endpoint.takes_request else vars(request)
            content = endpoint.handler(explorer, **path_values, **values)
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()

    async def respond(request: HttpRequest) -> Response:
        try:
            data = await _read_body(request) if request.method in ("POST", "PUT") else dict(request.query_params)
            content = await run_in_threadpool(call_handler, request.path_params, data)
            return Response(content, media_type="application/json")
        except ZerosumError as error:
            return JSONResponse({"error": str(error)}, 400)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            return JSONResponse({"error": format_error(error)}, 500)

    return respond


async def _read_body(request: HttpRequest) -> Any:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_REQUEST_BYTES:
            raise ZerosumError(f"a request has at most {MAX_REQUEST_BYTES:,} bytes")
    try:
        return json.loads(bytes(content) or b"{}", parse_int=_parse_integer, parse_constant=_refuse_constant)
    except ZerosumError:
        raise
    except (ValueError, RecursionError):
        raise ZerosumError("the request is not valid JSON") from None


def _parse_integer(text: str) -> int:
    if len(text) > MAX_INTEGER_DIGITS:
        raise ZerosumError(f"an integer in a request has at most {MAX_INTEGER_DIGITS} digits")
    return int(text)


def _refuse_constant(constant: str) -> Any:
    raise ValueError(constant)
