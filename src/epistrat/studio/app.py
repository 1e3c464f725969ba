"""The server: passes what the page asks on to child processes, and what they tell back to the page."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from epistrat import __version__
from epistrat.studio import CALLS
from epistrat.studio.children import Child, ChildFailed
from epistrat.studio.desk import Conflict, Desk, examples, story
from epistrat.studio.errands import Errands, TooMany
from epistrat.studio.form import form, operators
from epistrat.studio.guard import Door, Guard, TooLarge

ASSETS = Path(__file__).parent / "assets"
SECONDS = 20.0
"""So long a question of the editor or the simulator may take."""

LIGHT = 1_500_000_000
"""Bytes that the editor's and the simulator's child may have, each."""

_MOST_FOLLOWED = 64


class Studio:
    """What the routes share: the desk, two children that answer at once, and the errands."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.editor = Child(LIGHT)
        self.simulator = Child(LIGHT)
        self.errands = Errands()

    @contextlib.asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """Start what the page will need first; end all children at the end."""
        warming = [asyncio.create_task(self._warm(child)) for child in (self.editor, self.simulator)]
        try:
            yield
        finally:
            for task in warming:
                task.cancel()
            await asyncio.gather(*warming, return_exceptions=True)
            await self.errands.close()
            await asyncio.gather(self.editor.kill(), self.simulator.kill())

    async def _warm(self, child: Child) -> None:
        with contextlib.suppress(ChildFailed):
            await child.call({"do": "analyse", "text": "", "name": ""}, SECONDS)

    # -- texts -------------------------------------------------------------------------------------------------------

    async def show_desk(self, _: Request) -> Response:
        """What lies on the desk, and what else there is."""
        shown = []
        for name, file in examples().items():
            title, words = story(file.read_text(encoding="utf-8"))
            shown.append({"name": name, "title": title or name, "story": words})
        return JSONResponse(
            {
                "version": __version__,
                "papers": [paper.data() for paper in self.desk.papers],
                "examples": shown,
                "settings": form(),
                "operators": operators(),
                "running": [{"id": errand.id, "name": errand.what.get("name")} for errand in self.errands.open],
            }
        )

    async def example(self, request: Request) -> Response:
        """The text of an example; only names in the list are served."""
        file = examples().get(request.path_params["name"])
        if file is None:
            return _refused(404, "there is no such example")
        return JSONResponse({"text": file.read_text(encoding="utf-8")})

    async def keep(self, request: Request) -> Response:
        """Remember a text that is not saved."""
        body = await _body(request)
        paper = self.desk.keep(request.path_params["id"], _text(body, "name"), _text(body, "text"))
        return JSONResponse({"touched": paper.touched})

    async def save(self, request: Request) -> Response:
        """Write a text into its file."""
        body = await _body(request)
        try:
            paper = self.desk.save(request.path_params["id"], _text(body, "text"), anyway=body.get("anyway") is True)
        except Conflict as conflict:
            return _refused(409, str(conflict))
        except KeyError:
            return _refused(404, "there is no such text")
        except OSError as error:
            return _refused(500, f"the file cannot be written: {error.strerror}")
        return JSONResponse({"saved": paper.saved, "touched": paper.touched})

    async def close(self, request: Request) -> Response:
        """Take a text from the desk."""
        self.desk.close(request.path_params["id"])
        return JSONResponse({})

    # -- questions ---------------------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """A question that is answered at once."""
        what = request.path_params["what"]
        children = {"editing": self.editor, "walking": self.simulator}
        child = next((one for module, one in children.items() if what in CALLS[module]), None)
        if child is None:
            return _refused(404, f"there is no question {what!r}")
        body = await _body(request)
        return JSONResponse(await child.call({**body, "do": what}, SECONDS))

    # -- errands -----------------------------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Begin something that takes time."""
        body = await _body(request)
        if body.get("do") not in CALLS["asking"]:
            return _refused(400, f"there is no work called {body.get('do')!r}")
        try:
            errand = self.errands.start(body)
        except TooMany as many:
            return _refused(429, str(many))
        return JSONResponse({"id": errand.id}, 201)

    async def cancel(self, request: Request) -> Response:
        """Stop it."""
        errand = self.errands.get(request.path_params["id"])
        if errand is None:
            return _refused(404, "there is no such work")
        await self.errands.cancel(errand)
        return JSONResponse({"cancelled": True})

    async def report(self, request: Request) -> Response:
        """A page with all answers of a check that needs nothing from outside."""
        errand = self.errands.get(request.path_params["id"])
        if errand is None or errand.report is None:
            return _refused(404, "there is no report; check the model again")
        headers = {
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts"
        }
        return Response(errand.report, media_type="text/html; charset=utf-8", headers=headers)

    async def events(self, socket: WebSocket) -> None:
        """Events of the errands that the page follows: it sends ``{"follow": id}``."""
        await socket.accept()
        following: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                key = _followed(await socket.receive_text())
                errand = self.errands.get(key)
                if errand is None:
                    for event in _forgotten(key):
                        await socket.send_json(event)
                elif len(following) >= _MOST_FOLLOWED:
                    await socket.send_json({"error": "too much is followed already"})
                elif errand.id not in following or following[errand.id].done():
                    following[errand.id] = asyncio.create_task(self._pass_on(errand.id, socket))
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # the page went away, or sent bytes instead of a text
        finally:
            for task in following.values():
                task.cancel()
            await asyncio.gather(*following.values(), return_exceptions=True)

    async def _pass_on(self, key: str, socket: WebSocket) -> None:
        async for event in self.errands.follow(self.errands[key]):
            await socket.send_text(json.dumps({"id": key, **event}))


def _forgotten(key: str) -> list[dict[str, str]]:
    """The events of work that this server knows nothing of: most likely another one, which is gone, had begun it."""
    reason = "the server does not know this work; it may have been started anew"
    return [{"id": key, "event": "finished", "how": "crashed", "reason": reason}, {"id": key, "event": "over"}]


def _followed(message: str) -> str:
    """The identifier in a message of the page; empty if there is none."""
    try:
        data = json.loads(message)
    except (ValueError, RecursionError):
        return ""
    key = data.get("follow") if isinstance(data, dict) else None
    return key if isinstance(key, str) else ""


def _refused(status: int, words: str) -> Response:
    return JSONResponse({"error": words}, status)


class _BadBody(ValueError):
    """The body of a request is not what it should be."""


async def _body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise _BadBody("the body of the request is not JSON") from None
    if not isinstance(body, dict):
        raise _BadBody("the body of the request should be an object")
    return body


def _text(body: dict[str, Any], key: str) -> str:
    if not isinstance(body.get(key), str):
        raise _BadBody(f"{key!r} should be a text")
    return str(body[key])


def _in_words(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_: Request, error: Exception) -> Response:
        return _refused(status, str(error.args[0] if error.args else error))

    return answer


async def _nothing_there(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _refused(status, "there is nothing at this address")


async def _page(_: Request) -> Response:
    return FileResponse(ASSETS / "index.html", headers={"cache-control": "no-store"})


async def _asset(request: Request) -> Response:
    """A part of the page; its name changes when it does."""
    folder = ASSETS / "assets"
    found = {file.name: file for file in folder.iterdir()} if folder.is_dir() else {}
    file = found.get(request.path_params["name"])
    if file is None:
        return _refused(404, "there is no such file")
    return FileResponse(file, headers={"cache-control": "private, max-age=31536000, immutable"})


def application(desk: Desk, door: Door) -> Guard:
    """The application behind its guard."""
    studio = Studio(desk)
    routes = [
        Route("/", _page),
        Route("/api/desk", studio.show_desk),
        Route("/api/examples/{name:path}", studio.example),
        Route("/api/papers/{id}", studio.keep, methods=["PUT"]),
        Route("/api/papers/{id}", studio.close, methods=["DELETE"]),
        Route("/api/papers/{id}/save", studio.save, methods=["POST"]),
        Route("/api/ask/{what}", studio.ask, methods=["POST"]),
        Route("/api/errands", studio.start, methods=["POST"]),
        Route("/api/errands/{id}", studio.cancel, methods=["DELETE"]),
        Route("/api/errands/{id}/report", studio.report),
        WebSocketRoute("/api/events", studio.events),
        Route("/assets/{name}", _asset),
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _nothing_there,
        _BadBody: _in_words(400),
        LookupError: _in_words(400),
        TooLarge: _in_words(413),
        ChildFailed: _in_words(422),
    }
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=studio.running)
    return Guard(app, door)
