"""What each word is, for colouring, and which lines can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.ide.outline import section_end
from epistrat.ide.values import Fold, Token
from epistrat.ide.written import own_text, written_uses
from epistrat.lang.analysis import Analysis
from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.uses import Use
from epistrat.lang.vocabulary import EPISTEMIC, PATH_WORDS, SETTINGS, STRUCTURE
from epistrat.source import Span

_KINDS = "keyword operator number comment agent variable action value proposition group formula type"
TOKEN_KINDS = tuple(_KINDS.split())
"""All kinds of tokens: those of words, and those of `epistrat.lang.uses.Symbol`."""

_WORD_OPERATORS = frozenset({"and", "or", "xor", "U", "W", "R", "S", *PATH_WORDS, *EPISTEMIC})
_FAMILIES = frozenset(
    {"Parameters", "Constants", "Definitions", "for", "in", "where", "forall", "exists", "sum", "count", "mod"}
)
_CLOSERS = frozenset({"=", ":", ";", ")", ",", ".", "if", ""})  # behind these a word of families is a name
_TYPES = frozenset({"boolean", "integer", "real"})
_KEYWORDS = STRUCTURE | frozenset({*SETTINGS, "LTL", "MultiAssignment", "SingleAssignment", "MA", "SA"})


def tokens(analysis: Analysis, span: Span | None = None) -> list[Token]:
    """The words and comments in a range (or everywhere) that mean something, in the order of the text; brackets and commas are left out."""
    text, words, uses = own_text(analysis), analysis.words.written, written_uses(analysis)
    start, end = (0, len(text)) if span is None else span
    at = words.at(start)
    begin = words.span(at - 1, at).end if at else 0
    found: list[Token] = []
    for match in WORD.finditer(text, begin, min(len(text), _whole(text, end))):
        word = match.group()
        if word.startswith(COMMENT):
            if match.end() > start:
                found.append(Token(Span(*match.span()), "comment"))
            continue
        if at >= words.count or words.list[at] != word:  # a character without meaning, of which there is no word
            continue
        use = uses.get(at)
        kind = _kind(word, use, words.list[at + 1])
        if kind is not None:
            marks = (use.declares, use.writes) if use is not None else (False, False)
            found.append(Token(Span(*match.span()), kind, *marks))
        at += 1
    return found


def _whole(text: str, end: int) -> int:
    """An end that cuts no word: the next line's."""
    following = text.find("\n", end)
    return len(text) if following < 0 else following


def _kind(word: str, use: Use | None, behind: str) -> str | None:
    if use is not None and word != "Environment":
        return use.symbol.kind if use.symbol.kind in TOKEN_KINDS else "variable"
    if word[0].isdigit():
        return "number"
    if word in _TYPES:
        return "type"
    if word in _FAMILIES and (behind not in _CLOSERS or word.istitle()):
        return "keyword"
    if word in _WORD_OPERATORS:
        return "operator"
    if word in _KEYWORDS:
        return "keyword"
    return "operator" if not word[0].isalpha() and word not in "(){}[],;:." else None


def folds(analysis: Analysis) -> list[Fold]:
    """Lines that can be folded: agents, sections, and comments of several lines."""
    return sorted([*_regions(analysis), *_comments(analysis)])


def _regions(analysis: Analysis) -> Iterator[Fold]:
    program, position = analysis.program, analysis.source.position
    places = [(agent.start, agent.end) for agent in program.agents]
    for sections in (program.sections, *[agent.sections for agent in program.agents]):
        places += [(at, section_end(analysis, at)) for _, at in sections]
    spans = {Span(*analysis.words.span(start, end)) for start, end in places}
    for span in spans:
        if span.end <= len(own_text(analysis)):
            first, last = position(span.start).line, position(span.end).line
            if first < last:
                yield Fold(first, last, "region")


def _comments(analysis: Analysis) -> Iterator[Fold]:
    """Comments that follow each other on lines of their own are folded together."""
    text, position = own_text(analysis), analysis.source.position
    first, last = 0, -1
    for match in WORD.finditer(text) if analysis.words.comments else ():
        if not match.group().startswith(COMMENT):
            continue
        line, end = position(match.start()).line, position(match.end()).line
        alone = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        if not alone or line != last + 1:
            if 0 < first < last:
                yield Fold(first, last, "comment")
            first = line
        last = end if alone else -1
    if 0 < first < last:
        yield Fold(first, last, "comment")
