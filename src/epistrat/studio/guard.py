"""Who may talk to the server: a caller that knows the token, comes from the server's own page, and sends little.

Loopback alone does not keep other pages out: any page in the same browser can send requests to it.  So the name by which the server is
called (Host) has to be one of its own, which stops pages that make their own name resolve to this machine; and the page that sends a
request (Origin) has to be the server's.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from urllib.parse import quote

from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 8_000_000
"""The largest body of a request."""

_HEADERS = {
    b"content-security-policy": b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:; "
    b"frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}


_LOCKED = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="color-scheme" content="light dark"><title>epistrat studio</title>
<body style="font:16px/1.6 system-ui;max-width:34rem;margin:20vh auto;padding:0 1rem"><h1 style="font-size:1.2rem">The studio is locked</h1>
<p>Open the address that <code>epistrat studio</code> printed when it was started: it carries the token.</p></body></html>"""


@dataclass(frozen=True)
class Door:
    """What the server is called and which token opens it."""

    hosts: frozenset[str]
    port: int
    token: str

    @property
    def cookie(self) -> str:
        """The name of the cookie; cookies do not know ports, so the port is part of the name."""
        return f"epistrat-studio-{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """What may stand in the header Host."""
        with_port = {f"{host}:{self.port}" for host in self.hosts}
        return frozenset(with_port | (set(self.hosts) if self.port == 80 else set()))

    def address(self, host: str) -> str:
        """The address that opens the page."""
        return f"http://{host}:{self.port}/?token={quote(self.token)}"

    def refusal(self, headers: Headers) -> tuple[int, str] | None:
        """Why a request is not served, whatever it asks; None if it is."""
        if headers.get("host", "").lower() not in self.names:
            return 421, "this server is not called by that name"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{name}" for name in self.names}:
            return 403, "requests from other pages are not served"
        return None

    def knows(self, headers: Headers) -> bool:
        """Whether the caller has shown the token."""
        given = cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return self.is_token(given) or self.is_token(bearer)

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode(), self.token.encode())


class TooLarge(Exception):
    """The body of a request, which had not said its size, is larger than `MOST_BYTES`."""

    def __init__(self) -> None:
        super().__init__(f"a request may have {MOST_BYTES // 10**6} MB at most")


class Guard:
    """Stands before the application and lets through what the door allows."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((k, v) for k, v in _HEADERS.items() if k not in own)]
            await send(message)

        refused = self._answer(scope, headers)
        if refused is not None:
            await refused(scope, receive, send_safely)
            return
        await self._app(scope, _limited(receive), send_safely)

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that goes no further; None where it does."""
        wrong = self._door.refusal(headers)
        if wrong is not None:
            return _words(*wrong)
        if headers.get("content-length", "0").isdecimal() and int(headers.get("content-length", "0")) > MOST_BYTES:
            return _words(413, str(TooLarge()))
        given = QueryParams(scope["query_string"]).get("token")
        if scope["path"] == "/" and given is not None and self._door.is_token(given):
            welcome = RedirectResponse("/", 303)
            welcome.set_cookie(self._door.cookie, self._door.token, httponly=True, samesite="strict", path="/")
            return welcome
        if self._door.knows(headers):
            return None
        if scope["path"] == "/" and "text/html" in headers.get("accept", ""):
            return HTMLResponse(_LOCKED, 401)
        return _words(401, "open the address that `epistrat studio` printed: it carries the token")

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._door.refusal(headers) is not None or not self._door.knows(headers):
            await receive()
            await send({"type": "websocket.close", "code": 4401})
            return
        await self._app(scope, receive, send)


def _words(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)


def _limited(receive: Receive) -> Receive:
    """The same, but it raises `TooLarge` when a body without a length goes on for too long."""
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BYTES:
            raise TooLarge
        return message

    return counted
