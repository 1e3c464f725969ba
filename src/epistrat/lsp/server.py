"""The language server: which questions of the protocol are answered, and when messages are sent.

A change is followed by a pause before the text is read again, so that typing in a large model is not slowed down by it; a question
about the text (completion, hover) reads it at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from epistrat import __version__, ide
from epistrat.lsp import convert
from epistrat.lsp.checking import Checking
from epistrat.lsp.document import Document

PAUSE = 0.2
"""Seconds without a change before messages about a text are sent."""

LARGE = 300_000
"""Characters from which on colours are sent only for what is on the screen."""

_REQUEST_FAILED = -32803


class Protocol(LanguageServerProtocol):
    """The protocol, with positions in UTF-16 units whatever else a client offers: every client knows them."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        """Leave no choice of encodings, then go on as usual."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancel a request; if it is a command, also what the command has started."""
        super()._handle_cancel_notification(msg_id)
        assert isinstance(self._server, Server)
        self._server.checking.cancel_request(msg_id)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message; a request that cannot be read is answered too, so that nobody waits for ever."""
        try:
            return super().structure_message(data)
        except JsonRpcException as wrong:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=wrong.to_response_error())
            raise


class Server(LanguageServer):
    """A server and the documents that are open in it."""

    def __init__(self) -> None:
        super().__init__("epistrat", __version__, protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self._pauses: dict[str, asyncio.Task[None]] = {}
        self.checking = Checking(self)
        for method, hear in self._notifications().items():
            self.feature(method)(partial(hear))  # pygls marks what it is given
        for method, answer in self._answers().items():
            self.feature(method, _OPTIONS.get(method))(partial(self._about, answer))
        for command, carry_out in self.checking.commands().items():
            self.command(command)(partial(carry_out))

    def _notifications(self) -> dict[str, Callable[[Any], None]]:
        """Which method hears what."""
        return {
            types.INITIALIZE: self.initialise,
            types.TEXT_DOCUMENT_DID_OPEN: self.did_open,
            types.TEXT_DOCUMENT_DID_CHANGE: self.did_change,
            types.TEXT_DOCUMENT_DID_SAVE: self.did_save,
            types.TEXT_DOCUMENT_DID_CLOSE: self.did_close,
        }

    def _answers(self) -> dict[str, Callable[[Document, Any], Any]]:
        """Which method answers what question about a document."""
        return {
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: self.outline,
            types.TEXT_DOCUMENT_HOVER: self.hover,
            types.TEXT_DOCUMENT_DEFINITION: self.definition,
            types.TEXT_DOCUMENT_REFERENCES: self.references,
            types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: self.highlights,
            types.TEXT_DOCUMENT_PREPARE_RENAME: self.prepare_rename,
            types.TEXT_DOCUMENT_RENAME: self.rename,
            types.TEXT_DOCUMENT_COMPLETION: self.completion,
            types.TEXT_DOCUMENT_SIGNATURE_HELP: self.signature,
            types.TEXT_DOCUMENT_FORMATTING: self.formatting,
            types.TEXT_DOCUMENT_RANGE_FORMATTING: self.formatting,
            types.TEXT_DOCUMENT_CODE_ACTION: self.code_actions,
            types.TEXT_DOCUMENT_CODE_LENS: lambda document, _: self.checking.lenses(document),
            types.TEXT_DOCUMENT_FOLDING_RANGE: self.folds,
            types.TEXT_DOCUMENT_INLAY_HINT: self.hints,
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: self.tokens,
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: self.tokens_in_range,
        }

    def document(self, named: types.TextDocumentIdentifier | types.VersionedTextDocumentIdentifier) -> Document:
        """An open document."""
        found = self.documents.get(named.uri)
        if found is None:
            raise JsonRpcException(f"{named.uri} is not open", _REQUEST_FAILED)
        return found

    def _about(self, answer: Callable[[Document, Any], Any], params: Any) -> Any:
        """The answer to a question about an open document."""
        return answer(self.document(params.text_document), params)

    def initialise(self, params: types.InitializeParams) -> None:
        """Take the client's options: ``seconds`` is how long a check may take."""
        options = params.initialization_options
        seconds = options.get("seconds") if isinstance(options, dict) else None
        if isinstance(seconds, (int, float)) and seconds > 0:
            self.checking.seconds = float(seconds)

    # -- documents ---------------------------------------------------------------------------------------------------

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Read a document and say what is wrong with it."""
        opened = params.text_document
        self.documents[opened.uri] = Document(opened.uri, opened.text, opened.version)
        self._say_what_is_wrong(opened.uri)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take a change; say what is wrong after a pause."""
        changed = params.text_document
        self.documents[changed.uri] = self.document(changed).changed(params.content_changes, changed.version)
        self._stop_waiting(changed.uri)
        self._pauses[changed.uri] = asyncio.get_running_loop().create_task(self._after_pause(changed.uri))

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Read documents again that include files: one of them may be the file that was saved."""
        for uri, document in list(self.documents.items()):
            if uri != params.text_document.uri and document.includes:
                self.documents[uri] = Document(uri, document.text, document.version)
                self._say_what_is_wrong(uri)

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document and the messages about it."""
        uri = params.text_document.uri
        self._stop_waiting(uri)
        self.documents.pop(uri, None)
        self.checking.forget(uri)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def _after_pause(self, uri: str) -> None:
        await asyncio.sleep(PAUSE)
        self._say_what_is_wrong(uri)

    def _stop_waiting(self, uri: str) -> None:
        waiting = self._pauses.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def _say_what_is_wrong(self, uri: str) -> None:
        document = self.documents[uri]
        messages = [convert.diagnostic(document, one) for one in document.analysis.diagnostics]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, messages, document.version))

    # -- looking around ----------------------------------------------------------------------------------------------

    def outline(self, document: Document, _: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        """The outline."""
        return [convert.symbol(document, entry) for entry in ide.outline(document.analysis)]

    def hover(self, document: Document, params: types.HoverParams) -> types.Hover | None:
        """What is known of a word."""
        found = ide.hover(document.analysis, document.offset(params.position))
        if found is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(text, document.range(found.span))

    def definition(self, document: Document, params: types.DefinitionParams) -> types.Location | None:
        """Where something is declared."""
        found = ide.definition(document.analysis, document.offset(params.position))
        return None if found is None else types.Location(document.uri, document.range(found))

    def references(self, document: Document, params: types.ReferenceParams) -> list[types.Location]:
        """Where something is named."""
        offset, declarations = document.offset(params.position), params.context.include_declaration
        found = ide.references(document.analysis, offset, declarations=declarations)
        return [types.Location(document.uri, document.range(one.span)) for one in found]

    def highlights(self, document: Document, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        """Where something is named, read or assigned, in this document."""
        read, write = types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write
        return [
            types.DocumentHighlight(document.range(one.span), write if one.writes else read)
            for one in ide.references(document.analysis, document.offset(params.position))
        ]

    def folds(self, document: Document, _: types.FoldingRangeParams) -> list[types.FoldingRange]:
        """What can be folded."""
        return [convert.fold(one) for one in ide.folds(document.analysis)]

    def hints(self, document: Document, params: types.InlayHintParams) -> list[types.InlayHint]:
        """What an editor may show between the words."""
        found = ide.hints(document.analysis, document.span(params.range))
        return [types.InlayHint(document.position(one.offset), one.label, padding_right=True) for one in found]

    def tokens(self, document: Document, _: types.SemanticTokensParams) -> types.SemanticTokens:
        """The colours of a whole document, where it is not large."""
        large = len(document.text) > LARGE
        return convert.tokens(document, [] if large else ide.tokens(document.analysis))

    def tokens_in_range(self, document: Document, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        """The colours of what is on the screen."""
        return convert.tokens(document, ide.tokens(document.analysis, document.span(params.range)))

    # -- writing -----------------------------------------------------------------------------------------------------

    def completion(self, document: Document, params: types.CompletionParams) -> list[types.CompletionItem]:
        """What could stand at a place."""
        text = self.client_capabilities.text_document
        item = text.completion.completion_item if text and text.completion else None
        snippets = bool(item and item.snippet_support)
        found = ide.completion(document.analysis, document.offset(params.position))
        return [convert.completion(document, number, one, snippets) for number, one in enumerate(found)]

    def signature(self, document: Document, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        """The operator whose arguments are being written."""
        found = ide.signature(document.analysis, document.offset(params.position))
        return None if found is None else convert.signature(found)

    def prepare_rename(self, document: Document, params: types.PrepareRenameParams) -> types.Range | None:
        """The word that would be renamed."""
        found = ide.renamable(document.analysis, document.offset(params.position))
        return None if found is None else document.range(found)

    def rename(self, document: Document, params: types.RenameParams) -> types.WorkspaceEdit:
        """Another name for something."""
        try:
            edits = ide.rename(document.analysis, document.offset(params.position), params.new_name, document.read)
        except ide.CannotRename as refused:
            raise JsonRpcException(str(refused), _REQUEST_FAILED) from None
        return types.WorkspaceEdit({document.uri: [document.edit(edit) for edit in edits]})

    def formatting(
        self, document: Document, params: types.DocumentFormattingParams | types.DocumentRangeFormattingParams
    ) -> list[types.TextEdit]:
        """Canonical layout, of all or of a range."""
        span = document.span(params.range) if isinstance(params, types.DocumentRangeFormattingParams) else None
        return [document.edit(edit) for edit in ide.format_edits(document.analysis, span)]

    def code_actions(self, document: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Ways to mend messages, and checks of the formulae in a range."""
        span = document.span(params.range)
        found = [convert.action(document, *mending) for mending in ide.fixes(document.analysis, span)]
        return [*found, *self.checking.actions(document, span)]


_OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(trigger_characters=[".", "=", "{", "(", "<"]),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(trigger_characters=["(", ","]),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: convert.LEGEND,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: convert.LEGEND,
}


def serve() -> None:
    """Serve a client on standard input and output until it leaves."""
    if not os.environ.get("EPISTRAT_TRACEBACK"):
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what is refused is told to the client
    with contextlib.suppress(KeyboardInterrupt):
        Server().start_io()
