"""Commands of the language server that have formulae checked, and what is shown of them: lenses, actions, progress, messages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled

from epistrat import ide
from epistrat.answers import Result, Verdict
from epistrat.lsp.checks import Checks, Failed
from epistrat.lsp.document import Document
from epistrat.service import CheckRequest, Text, asking
from epistrat.service.settings import FACES
from epistrat.source import Span

if TYPE_CHECKING:
    from epistrat.lsp.server import Server

CHECK, WHY, CANCEL = "epistrat.check", "epistrat.why", "epistrat.cancel"
_INVALID, _REQUEST_FAILED = -32602, -32803


class Checking:
    """Checks on behalf of a server's client."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._checks = Checks()
        self._tasks: dict[str, set[asyncio.Task[Any]]] = {}
        self._requests: dict[object, asyncio.Task[Any]] = {}
        self.seconds: float = FACES["editor"]["time"]

    def commands(self) -> dict[str, Callable[..., Any]]:
        """The commands, by name."""
        return {CHECK: self.check, WHY: self.why, CANCEL: self.cancel}

    def forget(self, uri: str) -> None:
        """A document was closed: end its checks."""
        self.cancel(uri)
        self._checks.forget(uri)

    # -- what is shown -----------------------------------------------------------------------------------------------

    def lenses(self, document: Document) -> list[types.CodeLens]:
        """Above each formula its last verdict, or that it can be checked; where it fails, also why; above the first, all at once."""
        found: list[types.CodeLens] = []
        written: dict[Span, list[ide.Lens]] = {}
        for lens in ide.lenses(document.analysis):
            written.setdefault(lens.span, []).append(lens)
        for span, members in written.items():
            place, numbers = document.range(span), [lens.number for lens in members]
            commands = [types.Command(self._title(document, members), CHECK, arguments=[document.uri, *numbers])]
            fail = [one.number for one in members if self._checks.verdict(document, one.formula) is Verdict.FAILS]
            commands += [types.Command("why?", WHY, arguments=[document.uri, number]) for number in fail[:1]]
            if not found:
                commands.append(types.Command("check all", CHECK, arguments=[document.uri]))
            found += [types.CodeLens(place, command) for command in commands]
        return found

    def _title(self, document: Document, members: list[ide.Lens]) -> str:
        """What is known of a formula; of those that a family writes, how many have which verdict."""
        titles = [self._checks.title(document, lens.formula) for lens in members]
        if len(titles) == 1:
            return titles[0]
        counts = Counter(title.partition(" (")[0] for title in titles)
        return ", ".join(f"{title}: {count}" for title, count in counts.items())

    def actions(self, document: Document, span: Span) -> list[types.CodeAction]:
        """The same for editors that show no lenses."""
        inside = [
            one for one in ide.lenses(document.analysis) if one.span.start <= span.end and span.start <= one.span.end
        ]
        return [
            types.CodeAction(
                title, types.CodeActionKind.Empty, command=types.Command(title, command, arguments=arguments)
            )
            for lens in inside
            for title, command in ((f"Check formula {lens.number}", CHECK), (f"Why formula {lens.number}?", WHY))
            if (arguments := [document.uri, lens.number])
        ]

    # -- commands ----------------------------------------------------------------------------------------------------

    async def check(self, *arguments: object) -> list[dict[str, Any]]:
        """Check the formulae with some numbers, or all; the verdicts."""
        document, numbers = self._asked(arguments)
        results = await self._results(document, numbers)
        if len(numbers) == 1 and results:
            self._show(results[0])
        return [
            {"number": one.index, "formula": one.text, "verdict": one.verdict.value, "why": one.why or one.reason or ""}
            for one in results
        ]

    async def why(self, *arguments: object) -> str:
        """The evidence for the verdict on a formula, in words."""
        from epistrat.render.text import show_result
        from epistrat.render.wording import Style

        document, numbers = self._asked(arguments)
        results = await self._results(document, numbers[:1], evidence=True)
        system = document.analysis.system
        lines = [line for result in results for line in show_result(system, result, Style(colour=False), len(numbers))]
        return "\n".join(lines)

    def cancel(self, *arguments: object) -> int:
        """End all checks of a document; how many there were."""
        tasks = [task for task in self._tasks.pop(str(arguments[0]) if arguments else "", ()) if not task.done()]
        for task in tasks:
            task.cancel()
        return len(tasks)

    def _asked(self, arguments: tuple[object, ...]) -> tuple[Document, list[int]]:
        """The document that a command names, and the numbers of formulae."""
        uri, *given = arguments or ("",)
        document = self._server.document(types.TextDocumentIdentifier(str(uri)))
        known = [lens.number for lens in ide.lenses(document.analysis)]
        if not known:
            raise JsonRpcException("there is nothing to check: the model has errors, or no formulae", _REQUEST_FAILED)
        if any(number not in known for number in given):
            raise JsonRpcException(f"there are only the formulae 1 to {len(known)}", _INVALID)
        return document, [number for number in known if not given or number in given]

    async def _results(self, document: Document, numbers: list[int], *, evidence: bool = False) -> list[Result]:
        """The answers, unless the check is cancelled."""
        formulae = {lens.number: lens.formula for lens in ide.lenses(document.analysis) if lens.number in numbers}
        model = Text(document.text, document.name, folder=document.folder)
        given = {"only": numbers, "evidence": evidence, "time": self.seconds}
        request = asking.request(CheckRequest, model, given, face="editor")
        token = str(uuid4())
        task = asyncio.get_running_loop().create_task(self._collect(document, request, formulae, token))
        with self._cancellable(document.uri, task, token):
            try:
                return await task
            except Failed as failed:
                raise JsonRpcException(f"the check came to nothing: {failed}", _REQUEST_FAILED) from None
            except asyncio.CancelledError:
                raise JsonRpcRequestCancelled("the check was cancelled") from None
            finally:
                self.refresh()

    async def _collect(
        self, document: Document, request: CheckRequest, formulae: dict[int, str], token: str
    ) -> list[Result]:
        found: list[Result] = []
        async with aclosing(self._checks.check(document, request, formulae)) as results:
            self.refresh()
            async for result in results:
                found.append(result)
                self.refresh()
                if self._shows_progress:
                    told = types.WorkDoneProgressReport(message=f"formula {result.index}: {result.verdict.value}")
                    self._server.work_done_progress.report(token, told)
        return found

    @property
    def _shows_progress(self) -> bool:
        window = self._server.client_capabilities.window
        return bool(window and window.work_done_progress)

    @contextmanager
    def _cancellable(self, uri: str, task: asyncio.Task[Any], token: str) -> Iterator[None]:
        """While a check is under way: it can be cancelled by command, by its request, or by a button where the client shows one."""
        request = self._server.protocol.msg_id
        self._tasks.setdefault(uri, set()).add(task)
        self._requests[request] = task
        progress = self._server.work_done_progress
        if self._shows_progress:
            progress.create(token, lambda _: progress.tokens[token].add_done_callback(lambda _: task.cancel()))
            progress.begin(token, types.WorkDoneProgressBegin("epistrat", cancellable=True, message="checking"))
        try:
            yield
        finally:
            self._tasks.get(uri, set()).discard(task)
            self._requests.pop(request, None)
            if self._shows_progress:
                progress.end(token, types.WorkDoneProgressEnd())

    def cancel_request(self, request: object) -> None:
        """End the check that a request has asked for, if it has."""
        task = self._requests.get(request)
        if task is not None:
            task.cancel()

    def refresh(self) -> None:
        """Have the client ask for the lenses again."""
        workspace = self._server.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)

    def _show(self, result: Result) -> None:
        text = f"Formula {result.index} {_VERBS[result.verdict]}. {result.why or result.reason or ''}".strip()
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))


_VERBS = {Verdict.HOLDS: "holds", Verdict.FAILS: "fails", Verdict.UNKNOWN: "is undecided"}
