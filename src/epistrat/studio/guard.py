"""Who may talk to the server: a caller in a session, that comes from the server's own page, and sends little.

Loopback alone does not keep other pages out: any page in the same browser can send requests to it.  So the name by which the server is
called (Host) has to be one of its own, which stops pages that make their own name resolve to this machine; and the page that sends a
request (Origin) has to be the server's.

The address that is printed carries a token behind ``#``, where no server and no log sees it.  The page exchanges it for the secret of a
session, which it keeps in the storage of its own origin (scheme, host and port) and sends as a header.  There is no cookie: browsers
send cookies to all ports of a host, so that any other local server would learn them.  The page itself is the same for everybody and holds
no secret; it is served without a session.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
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


_LAST = {b"connection": b"close"}
"""Ends the connection after an answer, so that whatever else the caller wants to send is not read."""

OPEN = ("/", "/assets/", "/reports/", "/api/session")
"""What is served without a session: the page, its parts, reports (each at an address that cannot be guessed), and the way in."""

PROTOCOL = "epistrat"
"""What the page's socket speaks; the secret of the session stands behind it, since browsers let no page set headers of sockets."""

_MOST_TOLD = 4_096
"""Bytes that a caller without a session may send."""


@dataclass(frozen=True)
class Door:
    """What the server is called, which token opens it, and the secret of the session behind it."""

    hosts: frozenset[str]
    port: int
    token: str
    session: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def names(self) -> frozenset[str]:
        """What may stand in the header Host."""
        with_port = {f"{host}:{self.port}" for host in self.hosts}
        return frozenset(with_port | (set(self.hosts) if self.port == 80 else set()))

    def address(self, host: str) -> str:
        """The address that opens the page."""
        return f"http://{host}:{self.port}/#token={quote(self.token)}"

    def refusal(self, headers: Headers) -> tuple[int, str] | None:
        """Why a request is not served, whatever it asks; None if it is."""
        if headers.get("host", "").lower() not in self.names:
            return 421, "this server is not called by that name"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{name}" for name in self.names}:
            return 403, "requests from other pages are not served"
        return None

    def knows(self, scope: Scope, headers: Headers) -> bool:
        """Whether the caller is in the session."""
        said = [headers.get("authorization", "").removeprefix("Bearer ")]
        said += [one.removeprefix("session.") for one in scope.get("subprotocols", ()) if one.startswith("session.")]
        return any(_same(one, self.session) for one in said)

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return _same(given, self.token)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="surrogatepass"), other.encode())


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
        known = self._door.knows(scope, headers)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                added = _HEADERS if known or scope["method"] in ("GET", "HEAD") else _HEADERS | _LAST
                message["headers"] = [*message["headers"], *((k, v) for k, v in added.items() if k not in own)]
            await send(message)

        refused = self._answer(scope, headers)
        if refused is not None:
            refused.headers["connection"] = "close"
            await refused(scope, receive, send_safely)
            return
        most = MOST_BYTES if known else _MOST_TOLD
        await self._app(scope, _limited(receive, most), send_safely)

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that goes no further; None where it does."""
        wrong = self._door.refusal(headers)
        if wrong is not None:
            return _words(*wrong)
        known = self._door.knows(scope, headers)
        if not known and not _is_open(scope["path"]):
            return _words(401, "open the address that `epistrat studio` printed: it carries the token")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > (MOST_BYTES if known else _MOST_TOLD):
            return _words(413, str(TooLarge()))
        return None

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if self._door.refusal(headers) is not None or not self._door.knows(scope, headers):
            await receive()
            await send({"type": "websocket.close", "code": 4401})
            return
        await self._app(scope, receive, send)


def _words(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)


def _is_open(path: str) -> bool:
    """Whether this is served without a session."""
    return any(path == one or (one.endswith("/") and one != "/" and path.startswith(one)) for one in OPEN)


def _limited(receive: Receive, most: int) -> Receive:
    """The same, but it raises `TooLarge` when a body without a length goes on for too long."""
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise TooLarge
        return message

    return counted
