"""The server: passes what the page asks on to child processes, and what they tell back to the page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
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
from epistrat.studio import CALLS, EDITED, SIMULATED
from epistrat.studio.children import Child, ChildFailed
from epistrat.studio.desk import Conflict, Desk, Unwritable, whole
from epistrat.studio.errands import Errands, TooMany
from epistrat.studio.form import form, operators
from epistrat.studio.guard import PROTOCOL, Door, Guard, TooLarge
from epistrat.studio.shelf import START, examples, level, story, twin

ASSETS = Path(__file__).parent / "assets"
SECONDS = 20.0
"""So long a question of the editor or the simulator may take."""

SIMULATORS = 3
"""So many questions of the simulator are worked on at once: a long one does not keep a short one waiting."""

LIGHT = 1_500_000_000
"""Bytes that the editor's child and each of the simulator's may have."""

_MOST_FOLLOWED = 64
_ENTERING = 10.0  # seconds in which a token has to arrive
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Studio:
    """What the routes share: the desk, the door, two children that answer at once, and the errands."""

    def __init__(self, desk: Desk, door: Door) -> None:
        self.desk = desk
        self.door = door
        self.editor = Child(LIGHT)
        self.simulators = [Child(LIGHT) for _ in range(SIMULATORS)]
        self.asking: dict[str, asyncio.Task[Any]] = {}
        self.errands = Errands()

    @contextlib.asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """Start what the page will need first; end all children at the end."""
        warming = [asyncio.create_task(self._warm(child)) for child in (self.editor, self.simulators[0])]
        try:
            yield
        finally:
            for task in warming:
                task.cancel()
            await asyncio.gather(*warming, return_exceptions=True)
            await self.errands.close()
            await asyncio.gather(*(child.kill() for child in (self.editor, *self.simulators)))

    async def _warm(self, child: Child) -> None:
        with contextlib.suppress(ChildFailed):
            await child.call({"do": "analyse", "text": "", "name": ""}, SECONDS)

    async def enter(self, request: Request) -> Response:
        """The secret of the session, for who knows the token."""
        async with asyncio.timeout(_ENTERING):
            body = await _body(request)
        if not self.door.is_token(_text(body, "token")):
            return _refused(401, "this token does not open the studio; open the address that `epistrat studio` printed")
        return JSONResponse({"session": self.door.session})

    # -- texts -------------------------------------------------------------------------------------------------------

    async def show_desk(self, _: Request) -> Response:
        """What lies on the desk, and what else there is."""
        shown = []
        for name, file in examples().items():
            title, words = story(file.read_text(encoding="utf-8"))
            shown.append(
                {
                    "name": name,
                    "title": title or name,
                    "story": words,
                    "level": level(name),
                    "start": name in START,
                    "twin": twin(name),
                }
            )
        return JSONResponse(
            {
                "version": __version__,
                "papers": [paper.data() for paper in self.desk.papers],
                "examples": shown,
                "settings": form(),
                "operators": operators(),
                "closed": [{"id": paper.id, "name": paper.name} for paper in self.desk.closed],
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
        base, seen, by = (_said(body, key) for key in ("base", "seen", "by"))
        key, name, text = request.path_params["id"], _text(body, "name"), _text(body, "text")
        try:
            paper = self.desk.keep(key, name, text, base=base, by=by or "", seen=seen, edits=body.get("edits"))
        except Conflict as conflict:
            return _disagreement(conflict)
        except OSError as error:
            return _refused(507, f"the draft cannot be written: {error.strerror}")
        return JSONResponse({"touched": paper.touched, "version": paper.data()["version"]})

    async def save(self, request: Request) -> Response:
        """Write a text into its file."""
        body = await _body(request)
        anyway, utf8 = body.get("anyway") is True, body.get("utf8") is True
        try:
            paper = self.desk.save(
                request.path_params["id"],
                _text(body, "text"),
                base=_said(body, "base"),
                anyway=anyway,
                utf8=utf8,
            )
        except Conflict as conflict:
            return _disagreement(conflict)
        except Unwritable as unwritable:
            return JSONResponse({"error": str(unwritable), "encoding": True}, 422)
        except KeyError:
            return _refused(404, "there is no such text")
        except OSError as error:
            return _refused(500, f"the file cannot be written: {error.strerror}")
        return JSONResponse(paper.data())

    async def close(self, request: Request) -> Response:
        """Take a text from the desk."""
        self.desk.close(request.path_params["id"])
        return JSONResponse({})

    async def reopen(self, request: Request) -> Response:
        """Put a text that was closed on the desk again."""
        return JSONResponse(self.desk.reopen(request.path_params["id"]).data())

    async def view(self, request: Request) -> Response:
        """What the page had kept of what was shown beside a text."""
        return JSONResponse({"view": self.desk.view(request.path_params["id"])})

    async def keep_view(self, request: Request) -> Response:
        """Keep what is shown beside a text."""
        body = await _body(request)
        try:
            self.desk.keep_view(request.path_params["id"], body.get("view"))
        except OSError as error:
            return _refused(507, f"what is shown cannot be kept: {error.strerror}")
        return JSONResponse({})

    def _placed(self, body: dict[str, Any]) -> dict[str, Any]:
        """A call with the place of its text, which the server knows and the page does not: files that it includes are found there."""
        body.pop("folder", None)
        place = self.desk.folder_of(str(body.get("paper", "")))
        return body if place is None else {**body, "name": place[0], "folder": place[1]}

    # -- questions ---------------------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """A question that is answered at once."""
        what = request.path_params["what"]
        if what not in (*EDITED, *SIMULATED):
            return _refused(404, f"there is no question {what!r}")
        body = await _body(request)
        call = {**self._placed(body), "do": what}
        if what not in SIMULATED:
            return JSONResponse(await self.editor.call(call, SECONDS))
        child = next((one for one in self.simulators if not one.busy), self.simulators[0])
        asked = _said(body, "asked") or secrets.token_hex(8)
        self.asking[asked] = asyncio.create_task(child.call(call, SECONDS))
        try:
            return JSONResponse(await self.asking[asked])
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if this is None or this.cancelling():  # nobody waits for the answer any more
                raise
            raise ChildFailed("this question was cancelled") from None
        finally:
            self.asking.pop(asked, None)

    async def stop_asking(self, request: Request) -> Response:
        """Nobody waits for the answer to a question any more; others that the same child serves or will serve are answered."""
        task = self.asking.get(request.path_params["what"])
        if task is not None:
            task.cancel()
        return JSONResponse({})

    # -- errands -----------------------------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Begin something that takes time."""
        body = await _body(request)
        if body.get("do") not in CALLS["asking"]:
            return _refused(400, f"there is no work called {body.get('do')!r}")
        try:
            errand = self.errands.start(self._placed(body))
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
        errand = self.errands.reported(request.path_params["id"])
        if errand is None or errand.report is None:
            return _refused(404, "there is no report; check the model again")
        headers = {
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts"
        }
        return Response(errand.report, media_type="text/html; charset=utf-8", headers=headers)

    async def events(self, socket: WebSocket) -> None:
        """Events of the errands that the page follows: it sends ``{"follow": id}``."""
        await socket.accept(PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", ()) else None)
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


def _disagreement(conflict: Conflict) -> Response:
    """Both versions of a text, for the person to choose."""
    return JSONResponse({"error": str(conflict), "there": conflict.there, "version": conflict.version}, 409)


class _BadBody(ValueError):
    """The body of a request is not what it should be."""


async def _body(request: Request) -> dict[str, Any]:
    try:
        content = await request.body()
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise _BadBody("the body of the request is not JSON") from None
    if _SURROGATE.search(content) and whole(text := json.dumps(body, ensure_ascii=False)) != text:
        raise _BadBody("the text holds half of a character (a surrogate without its partner)")
    if not isinstance(body, dict):
        raise _BadBody("the body of the request should be an object")
    return body


def _text(body: dict[str, Any], key: str) -> str:
    if not isinstance(body.get(key), str):
        raise _BadBody(f"{key!r} should be a text")
    return str(body[key])


def _said(body: dict[str, Any], key: str) -> str | None:
    """A text that may be left out."""
    return body[key] if isinstance(body.get(key), str) else None


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
    studio = Studio(desk, door)
    routes = [
        Route("/", _page),
        Route("/api/session", studio.enter, methods=["POST"]),
        Route("/api/desk", studio.show_desk),
        Route("/api/examples/{name:path}", studio.example),
        Route("/api/papers/{id}", studio.keep, methods=["PUT"]),
        Route("/api/papers/{id}", studio.close, methods=["DELETE"]),
        Route("/api/papers/{id}/save", studio.save, methods=["POST"]),
        Route("/api/papers/{id}/reopen", studio.reopen, methods=["POST"]),
        Route("/api/views/{id}", studio.view),
        Route("/api/views/{id}", studio.keep_view, methods=["PUT"]),
        Route("/api/ask/{what}", studio.ask, methods=["POST"]),
        Route("/api/ask/{what}", studio.stop_asking, methods=["DELETE"]),
        Route("/api/errands", studio.start, methods=["POST"]),
        Route("/api/errands/{id}", studio.cancel, methods=["DELETE"]),
        Route("/reports/{id}", studio.report),
        WebSocketRoute("/api/events", studio.events),
        Route("/assets/{name}", _asset),
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _nothing_there,
        _BadBody: _in_words(400),
        LookupError: _in_words(400),
        TooLarge: _in_words(413),
        ChildFailed: _in_words(422),
        TimeoutError: _in_words(408),
    }
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=studio.running)
    return Guard(app, door)
