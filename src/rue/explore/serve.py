"""The server: loopback only, a random token in its address, a browser that opens there."""

from __future__ import annotations

import contextlib
import gc
import html
import logging
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from rue.errors import RueError
from rue.explore.app import application
from rue.explore.explorer import Explorer
from rue.explore.folder import Folder
from rue.explore.workshop import Workshop
from rue.records import dataclass

HERE = "127.0.0.1"
PORT = 7837
"""r, u, e, s on the keys of a telephone; another one if it is taken."""
PORTS = 65535
WAITING = 128
"""Requests that may wait for an answer: the first ones do until the server is up."""
DOOR = "open-explorer.html"
"""A file of the chosen folder that leads to the page while the server runs: only its owner can read the token in it,
where everybody could read it among the arguments of a browser."""


@dataclass(frozen=True)
class Serving:
    """How the explorer is served: where runs lie, what it opens with, on which port, whether a browser opens, and where
    the Libratus endgames are."""

    folder: Path
    start: Callable[[Workshop], Mapping[str, Any]]
    port: int | None = None
    browser: bool = True
    data: str | None = None


def serve(serving: Serving, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C; `say` is told the address."""
    listening = listen(serving.port)
    with contextlib.closing(listening):
        port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
        workshop = Workshop(Folder(serving.folder))
        explorer = Explorer(workshop, serving.start(workshop), serving.data)
        address = f"http://{HERE}:{port}/{token}/"
        closing = threading.Event()
        app = application(explorer, token, port, closing)
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1, lifespan="on")
        server = _Server(config, closing)
        say(address)
        try:
            with _door(workshop.folder.path, address) as door:
                if serving.browser:
                    threading.Thread(target=webbrowser.open, args=(door.as_uri(),), daemon=True).start()
                gc.freeze()  # what is loaded stays: looking through it for garbage would keep a request waiting
                server.run(sockets=[listening])
        finally:
            explorer.close()


class _Server(uvicorn.Server):
    """A server that ends its streams before it waits for them; what is cut off then is no error."""

    def __init__(self, config: uvicorn.Config, closing: threading.Event) -> None:
        super().__init__(config)
        self.closing = closing

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.closing.set()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        super().handle_exit(sig, frame)


def listen(port: int | None) -> socket.socket:
    """A socket of this machine alone: at the port that was asked for, or at ours, or at any."""
    if port is not None and port > PORTS:
        raise RueError(f"there is no port {port}: ports go up to {PORTS}; leave out --port for any free one")
    for wanted in (PORT, 0) if port is None else (port,):
        made = socket.socket(proto=socket.IPPROTO_TCP)  # only then asyncio sends at once, without waiting for Nagle
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((HERE, wanted))
            made.listen(WAITING)
            return made
        except OSError as error:
            made.close()
            problem = error
    told = problem.strerror or problem
    raise RueError(f"cannot listen on port {port}: {told}; leave out --port for any free one")


@contextmanager
def _door(folder: Path, address: str) -> Iterator[Path]:
    """The file that leads to the page, while it lasts."""
    path = folder / DOOR
    path.unlink(missing_ok=True)
    try:
        where = html.escape(address)
        text = f'<!doctype html><meta http-equiv="refresh" content="0; url={where}"><a href="{where}">rue explore</a>\n'
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        yield path
    except OSError as error:
        raise RueError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
