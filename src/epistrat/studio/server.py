"""Starting the server: where it listens, which token opens it, and what is said at the start.

The browser is given the address of a file that only this user can read, and that leads on to the page: arguments of processes can be
read by every user of a machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import html
import os
import secrets
import socket
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from epistrat.studio.app import ASSETS, application
from epistrat.studio.desk import Desk, drafts_folder
from epistrat.studio.guard import Door

PORT = 8417
"""The port that is tried first: with the same one, the browser finds again what it remembers."""

IDLE = 10.0
"""Seconds within which a connection has to send the head of its first request."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Impatient(H11Protocol):
    """Hangs up on connections that say nothing."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.loop.call_later(IDLE, self._hang_up, transport)

    def _hang_up(self, transport: asyncio.Transport) -> None:
        """Close a connection on which no request has come; after one, uvicorn's own limit holds."""
        if self.cycle is None and transport.get_protocol() is self and not transport.is_closing():
            transport.close()


class Ending(uvicorn.Server):
    """Does something at its end, also where a signal ends it: uvicorn sends that to the process again, and nothing is done after it."""

    def __init__(self, config: uvicorn.Config, last: Callable[[], None]) -> None:
        super().__init__(config)
        self._last = last

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what is open."""
        await super().shutdown(sockets)
        self._last()


def leading(address: str) -> Path:
    """A file that leads a browser to an address; only this user can read it."""
    handle, name = tempfile.mkstemp(prefix="epistrat-studio-", suffix=".html")  # mode 0600
    quoted = html.escape(address)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(
            f'<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>epistrat studio</title>'
            f'<meta http-equiv="refresh" content="0; url={quoted}"><a href="{quoted}">The studio</a>\n'
        )
    return Path(name)


def assets_built() -> bool:
    """Whether the page itself is there."""
    return (ASSETS / "index.html").is_file()


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens; without a port, the usual one or, where that is taken, any.  Raises OSError."""
    if port is not None and not 0 <= port < 2**16:
        raise OSError(errno.EINVAL, "ports are numbers from 0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [PORT, 0] if port is None else [port]:
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, wanted))
            bound.listen(128)
        except OSError:
            bound.close()
            if wanted == 0 or port is not None:
                raise
        else:
            return bound
    raise AssertionError("some port is free or binding has failed")


def called(host: str) -> list[str]:
    """The names by which a server that listens there can be called, as they stand in addresses; the best one first."""
    found = [host]
    if host in ("0.0.0.0", "::"):
        found = [socket.gethostname().lower()]
        with contextlib.suppress(OSError):
            found += [str(one[4][0]) for one in socket.getaddrinfo(found[0], None, type=socket.SOCK_STREAM)]
    return [f"[{name}]" if ":" in name else name for name in dict.fromkeys(found)]


def run(
    files: list[Path],
    host: str,
    port: int | None,
    *,
    browse: bool,
    say: Callable[[str], None],
    drafts: Path | None = None,
) -> None:
    """Serve until Ctrl-C; raises OSError where the port cannot be had."""
    listening = listen(host, port)
    number = int(listening.getsockname()[1])
    names = called(host)
    door = Door(frozenset({*names, *LOOPBACK}), number, secrets.token_urlsafe(24))
    address = door.address("127.0.0.1" if host in ("127.0.0.1", "localhost") else names[0])
    desk = Desk(drafts or drafts_folder(), files)
    config = uvicorn.Config(
        application(desk, door),
        log_level="critical",
        access_log=False,
        http=Impatient,
        ws="websockets-sansio",
        ws_max_size=100_000,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    way = leading(address) if browse else None

    def clear() -> None:
        if way is not None:
            way.unlink(missing_ok=True)

    try:
        with contextlib.suppress(KeyboardInterrupt):
            say(f"The studio is at {address}")
            say("Ctrl-C ends it.")
            if way is not None:
                threading.Timer(0.5, webbrowser.open, [way.as_uri()]).start()
            Ending(config, clear).run(sockets=[listening])
    finally:
        clear()
