"""Who gets in: only a browser on this machine that knows the token, asking this server by its own name.

The token is the first part of every address: `/TOKEN/...`, so that nothing has to carry a header or a cookie, which
all ports of a machine would share. A name that leads here from elsewhere (DNS rebinding) has a foreign Host, a page of
another site has a foreign Origin: both are refused, also with the token.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
KEPT = "rue.token"
"""Where a page keeps the token in its browser, for links that do not have it."""
GATE_SCRIPT = f'const t=localStorage.getItem("{KEPT}");if(t)location.replace("/"+t+"/"+location.hash)'
GATE = f"""<!doctype html><meta charset="utf-8"><title>rue explore</title>
<p>This address lacks the token that <code>rue explore</code> printed when it started: open that address, and paste this
link there if it holds a spot.</p><script>{GATE_SCRIPT}</script>
"""


def _hash(script: str) -> str:
    import base64
    import hashlib

    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


GATE_POLICY = f"default-src 'none'; script-src 'sha256-{_hash(GATE_SCRIPT)}'; frame-ancestors 'none'"


class Guard:
    """Lets requests through to an app if they have the token, our Host and no foreign Origin."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = frozenset(f"{name}:{port}" for name in NAMES)
        self.origins = frozenset(f"http://{host}" for host in self.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        if not _all_in(headers.getlist("host"), self.hosts, needed=True):
            await PlainTextResponse("this server answers to its own name only", 421)(scope, receive, send)
        elif not _all_in(headers.getlist("origin"), self.origins):
            await PlainTextResponse("pages of other sites are refused", 403)(scope, receive, send)
        else:
            await self._inside(scope, receive, send)

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        given, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            gate = HTMLResponse(GATE, 403, {"Content-Security-Policy": GATE_POLICY, "Referrer-Policy": "no-referrer"})
            await gate(scope, receive, send)
        elif not slash:
            await RedirectResponse(f"/{self.token}/")(scope, receive, send)
        else:
            inner = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}
            await self.app(inner, receive, _with_headers(send))


def _all_in(found: Iterable[str], allowed: frozenset[str], needed: bool = False) -> bool:
    values = list(found)
    return all(value.lower() in allowed for value in values) and (bool(values) or not needed)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = POLICY
            headers["Referrer-Policy"] = "no-referrer"
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return sending
