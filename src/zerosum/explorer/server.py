"""Listen on the loopback interface, make a token, open the browser."""

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

from zerosum.explorer.app import create_app
from zerosum.explorer.handler import Explorer
from zerosum.explorer.run_manager import RunManager
from zerosum.explorer.workspace import Workspace
from zerosum.support.errors import ZerosumError

StartPage = Callable[[RunManager], Mapping[str, Any]]
"""Returns the page to open first, as JSON holds it."""
LOOPBACK = "127.0.0.1"
PORT = 9376
"""z, e, r, o on the keys of a telephone; another one if it is taken."""
MAX_PORT = 65535
BACKLOG = 128
"""Connections that may wait to be accepted: the first ones do until the server is up."""
REDIRECT_FILE = "open-explorer.html"
"""A file of the workspace that leads to the page while the server runs. Only its owner can read the token in it, while
every user of the machine can read the arguments of a browser."""


def serve(
    folder: Path,
    start: StartPage,
    port: int | None,
    opens_browser: bool,
    libratus_folder: str | None,
    show_address: Callable[[str], None],
) -> None:
    """Serve the page until Ctrl-C.

    folder: the workspace. port: None for the usual one, or any free one. libratus_folder: the folder of the Libratus
    endgames. show_address: called with the address of the page.
    """
    with contextlib.closing(open_socket(port)) as listener:
        port, token = listener.getsockname()[1], secrets.token_urlsafe(24)
        runs = RunManager(Workspace(folder))
        explorer = Explorer(runs, start(runs), libratus_folder)
        address = f"http://{LOOPBACK}:{port}/{token}/"
        closing = threading.Event()
        app = create_app(explorer, token, port, closing)
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1, lifespan="on")
        server = _Server(config, closing)
        show_address(address)
        try:
            with _write_redirect_file(runs.workspace.path, address) as path:
                if opens_browser:
                    threading.Thread(target=webbrowser.open, args=(path.as_uri(),), daemon=True).start()
                gc.freeze()  # loaded modules stay: searching them for garbage would delay a request
                server.run(sockets=[listener])
        finally:
            explorer.close()


class _Server(uvicorn.Server):
    """A server that ends its event streams before it waits for open requests, and logs no errors about them."""

    def __init__(self, config: uvicorn.Config, closing: threading.Event) -> None:
        super().__init__(config)
        self.closing = closing

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.closing.set()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        super().handle_exit(sig, frame)


def open_socket(port: int | None) -> socket.socket:
    """Return a socket that accepts connections of this machine, at a port, or by default at `PORT` or any free one."""
    if port is not None and port > MAX_PORT:
        raise ZerosumError(f"there is no port {port}: ports go up to {MAX_PORT}; leave out --port for any free one")
    for number in (PORT, 0) if port is None else (port,):
        listener = socket.socket(proto=socket.IPPROTO_TCP)  # without it asyncio leaves Nagle's delay on
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK, number))
            listener.listen(BACKLOG)
            return listener
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
    raise ZerosumError(f"cannot listen on port {port}: {reason}; leave out --port for any free one")


@contextmanager
def _write_redirect_file(folder: Path, address: str) -> Iterator[Path]:
    """Write the file that leads to the page, and delete it at the end."""
    path = folder / REDIRECT_FILE
    path.unlink(missing_ok=True)
    try:
        escaped = html.escape(address)
        refresh = f'<meta http-equiv="refresh" content="0; url={escaped}">'
        text = f'<!doctype html>{refresh}<a href="{escaped}">zerosum explore</a>\n'
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        yield path
    except OSError as error:
        raise ZerosumError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
