"""From values of `epistrat.ide` to those of the protocol."""

from __future__ import annotations

from lsprotocol import types

from epistrat import ide
from epistrat.lsp.document import Document
from epistrat.source import Diagnostic, Fix, Severity, Span

_SYMBOLS = {
    "agent": types.SymbolKind.Class,
    "section": types.SymbolKind.Namespace,
    "variable": types.SymbolKind.Variable,
    "action": types.SymbolKind.Event,
    "proposition": types.SymbolKind.Boolean,
    "group": types.SymbolKind.Array,
    "fairness": types.SymbolKind.Operator,
    "formula": types.SymbolKind.Function,
}
_ITEMS = {
    "agent": types.CompletionItemKind.Class,
    "variable": types.CompletionItemKind.Variable,
    "action": types.CompletionItemKind.Event,
    "value": types.CompletionItemKind.EnumMember,
    "proposition": types.CompletionItemKind.Constant,
    "group": types.CompletionItemKind.Struct,
    "keyword": types.CompletionItemKind.Keyword,
    "operator": types.CompletionItemKind.Operator,
    "section": types.CompletionItemKind.Snippet,
    "type": types.CompletionItemKind.TypeParameter,
}
_TOKENS = {
    "keyword": "keyword",
    "operator": "operator",
    "number": "number",
    "comment": "comment",
    "agent": "class",
    "variable": "variable",
    "action": "event",
    "value": "enumMember",
    "proposition": "property",
    "group": "struct",
    "formula": "function",
    "type": "type",
}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(ide.TOKEN_KINDS)}

LEGEND = types.SemanticTokensLegend([_TOKENS[kind] for kind in ide.TOKEN_KINDS], ["declaration", "modification"])


def diagnostic(document: Document, one: Diagnostic) -> types.Diagnostic:
    """A message; what stands beside the caret and the notes follow it on lines of their own.

    One about a file that is included stands at the beginning of the text.
    """
    elsewhere = one.source is not None and one.source.name != document.name
    span = Span(0, 0) if one.span is None or elsewhere else one.span
    message = f"{one.where}: {one.message}" if elsewhere else one.message
    related = (
        []
        if elsewhere
        else [
            types.DiagnosticRelatedInformation(types.Location(document.uri, document.range(other.span)), other.message)
            for other in one.related
        ]
    )
    error = one.severity is Severity.ERROR
    return types.Diagnostic(
        document.range(span),
        "\n".join(filter(None, [message, one.label, *one.notes])),
        severity=types.DiagnosticSeverity.Error if error else types.DiagnosticSeverity.Warning,
        code=one.code,
        source="epistrat",
        related_information=related or None,
    )


def symbol(document: Document, entry: ide.Entry) -> types.DocumentSymbol:
    """A line of the outline."""
    return types.DocumentSymbol(
        entry.name,
        _SYMBOLS[entry.kind],
        document.range(entry.span),
        document.range(entry.name_span),
        entry.detail or None,
        children=[symbol(document, child) for child in entry.children],
    )


def completion(document: Document, number: int, one: ide.Completion, snippets: bool) -> types.CompletionItem:
    """An offer; the number keeps the order."""
    as_snippet = one.snippet and snippets
    return types.CompletionItem(
        one.label,
        kind=_ITEMS[one.kind],
        detail=one.detail or None,
        sort_text=f"{number:05}",
        insert_text_format=types.InsertTextFormat.Snippet if as_snippet else types.InsertTextFormat.PlainText,
        insert_text_mode=types.InsertTextMode.AdjustIndentation,
        text_edit=types.TextEdit(
            document.range(one.replace), one.insert if as_snippet or not one.snippet else _filled(one)
        ),
    )


def _filled(one: ide.Completion) -> str:
    """For editors without snippets: operators alone, everything else with its fields as they are."""
    return one.label if one.kind == "operator" and "<" not in one.label else ide.without_fields(one.insert)


def signature(one: ide.Signature) -> types.SignatureHelp:
    """An operator and its arguments."""
    parameters = [types.ParameterInformation(name) for name in one.parameters]
    known = types.SignatureInformation(one.label, one.text, parameters, one.active)
    return types.SignatureHelp([known], 0, one.active)


def fold(one: ide.Fold) -> types.FoldingRange:
    """Lines that can be folded."""
    kind = types.FoldingRangeKind.Comment if one.kind == "comment" else types.FoldingRangeKind.Region
    return types.FoldingRange(one.first - 1, one.last - 1, kind=kind)


def action(document: Document, one: Diagnostic, fix: Fix) -> types.CodeAction:
    """A way to mend a message."""
    return types.CodeAction(
        fix.title[:1].upper() + fix.title[1:],
        types.CodeActionKind.QuickFix,
        [diagnostic(document, one)],
        edit=types.WorkspaceEdit({document.uri: [document.edit(edit) for edit in fix.edits]}),
        is_preferred=fix == one.fixes[0] if one.fixes else None,
    )


def tokens(document: Document, found: list[ide.Token]) -> types.SemanticTokens:
    """Tokens as numbers, each relative to the one before; what goes over several lines becomes one token a line."""
    data: list[int] = []
    last_line = last_unit = 0
    for token in found:
        marks = token.declares | token.writes << 1
        for piece in _lines(document.text, token.span):
            start, end = document.position(piece.start), document.position(piece.end)
            unit = start.character - (last_unit if start.line == last_line else 0)
            length = end.character - start.character
            data += [start.line - last_line, unit, length, _KIND_NUMBERS[token.kind], marks]
            last_line, last_unit = start.line, start.character
    return types.SemanticTokens(data)


def _lines(text: str, span: Span) -> list[Span]:
    if "\n" not in text[span.start : span.end] and "\r" not in text[span.start : span.end]:
        return [span]
    found: list[Span] = []
    at = span.start
    for line in text[span.start : span.end].replace("\r\n", "\n\n").replace("\r", "\n").split("\n"):
        if line:
            found.append(Span(at, at + len(line)))
        at += len(line) + 1
    return found
