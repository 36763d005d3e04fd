"""Admit only a browser of this machine that has the token and calls this server by its own name.

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

HOST_NAMES = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
STORAGE_KEY = "zerosum.token"
"""The key of the browser's storage that holds the token, for links without it."""
REDIRECT_SCRIPT = f'const t=localStorage.getItem("{STORAGE_KEY}");if(t)location.replace("/"+t+"/"+location.hash)'
MISSING_TOKEN_PAGE = f"""<!doctype html><meta charset="utf-8"><title>zerosum explore</title>
<p>This address has no token. Open the address that <code>zerosum explore</code> printed; if this link contains a spot,
paste it there under Load.</p><script>{REDIRECT_SCRIPT}</script>
"""


def _hash_script(script: str) -> str:
    import base64
    import hashlib

    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


REDIRECT_POLICY = f"default-src 'none'; script-src 'sha256-{_hash_script(REDIRECT_SCRIPT)}'; frame-ancestors 'none'"


class TokenGuard:
    """Passes requests on to an app if they have the token, the Host of this server and no foreign Origin."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = frozenset(f"{name}:{port}" for name in HOST_NAMES)
        self.origins = frozenset(f"http://{host}" for host in self.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        if not _are_all_allowed(headers.getlist("host"), self.hosts, needed=True):
            await PlainTextResponse("this server answers only to its own name", 421)(scope, receive, send)
        elif not _are_all_allowed(headers.getlist("origin"), self.origins):
            await PlainTextResponse("pages of other sites are refused", 403)(scope, receive, send)
        else:
            await self._check_token(scope, receive, send)

    async def _check_token(self, scope: Scope, receive: Receive, send: Send) -> None:
        token, slash, rest = scope["path"].removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(), self.token.encode()):
            page = HTMLResponse(
                MISSING_TOKEN_PAGE, 403, {"Content-Security-Policy": REDIRECT_POLICY, "Referrer-Policy": "no-referrer"}
            )
            await page(scope, receive, send)
        elif not slash:
            await RedirectResponse(f"/{self.token}/")(scope, receive, send)
        else:
            inner = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}
            await self.app(inner, receive, _add_headers(send))


def _are_all_allowed(values: Iterable[str], allowed: frozenset[str], needed: bool = False) -> bool:
    values = list(values)
    return all(value.lower() in allowed for value in values) and (bool(values) or not needed)


def _add_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = POLICY
            headers["Referrer-Policy"] = "no-referrer"
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return send_with_headers
