"""The outline of a text: agents with their variables, actions and sections, then what stands behind the agents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from epistrat.ide.values import Entry
from epistrat.ide.written import own_text
from epistrat.lang.analysis import Analysis
from epistrat.lang.names import AgentNames, listing
from epistrat.lang.syntax import AgentNode, Declaration, GroupNode, Marked, Named
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS
from epistrat.source import Span

T = TypeVar("T")

_SECTIONS = frozenset(AGENT_SECTIONS + MODEL_SECTIONS)
_LONGEST = 80
"""Characters of a formula or condition that an entry shows."""


def outline(analysis: Analysis) -> tuple[Entry, ...]:
    """The entries of a text, in the order of the text."""
    program = analysis.program
    nodes = _once(analysis, [(node.start, node) for node in program.agents])
    agents = [_agent(analysis, node) for node in nodes]
    sections = [_section(analysis, name, at) for name, at in program.sections]
    end = len(own_text(analysis))
    own = [entry for entry in (*agents, *sections) if entry.span.end <= end]
    return tuple(sorted(own, key=lambda entry: entry.span))


def _once(analysis: Analysis, placed: list[tuple[int, T]]) -> list[T]:
    """Things with the indices of their first words; of those that a family has written out of one place only the first."""
    return list({analysis.words.origin(at): thing for at, thing in reversed(placed)}.values())[::-1]


def _agent(analysis: Analysis, node: AgentNode) -> Entry:
    words = analysis.words
    names = analysis.names.agents.get(words.list[node.name]) or AgentNames("")
    children: list[Entry] = []
    for declarations, remark in ((node.obsvars, "observable by all"), (node.vars, "")):
        once = _once(analysis, [(one.start, one) for one in declarations])
        children += [_variable(analysis, one, names, remark) for one in once]
    actions = _once(analysis, [(at, at) for at in node.actions])
    children += [_named(analysis, "action", at, (at, at + 1)) for at in actions]
    children += [
        _named(analysis, "section", at, (at, section_end(analysis, at)))
        for name, at in node.sections
        if name in ("RedStates", "Protocol", "Evolution")
    ]
    return _named(analysis, "agent", node.name, (node.start, node.end), children=children)


def _variable(analysis: Analysis, node: Declaration, names: AgentNames, remark: str = "") -> Entry:
    domain = names.variables.get(analysis.words.list[node.name])
    detail = ", ".join(filter(None, ["" if domain is None else str(domain), remark]))
    return _named(analysis, "variable", node.name, (node.start, node.end), detail)


def _section(analysis: Analysis, name: str, at: int) -> Entry:
    program, end = analysis.program, section_end(analysis, at)
    children: list[Entry] = []
    lines: Iterable[Named | GroupNode | Marked] = ()
    match name:
        case "Evaluation":
            lines = program.evaluation
        case "Groups":
            lines = program.groups
        case "Fairness":
            lines = program.fairness
        case "Formulae":
            lines = program.formulae
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if at <= line.start < end]
    for number, line in _once(analysis, [(line.start, (number, line)) for number, line in numbered]):
        children.append(_line(analysis, line, name, number))
    return _named(analysis, "section", at, (at, end), children=children)


def _line(analysis: Analysis, line: Named | GroupNode | Marked, section: str, number: int) -> Entry:
    place = (line.start, line.end)
    match line:
        case Named(name=name, condition=condition):
            detail = "" if condition is None else shorten(analysis, name + 2, line.end)
            return _named(analysis, "proposition", name, place, detail)
        case GroupNode(name=name, members=members):
            return _named(analysis, "group", name, place, listing(analysis.words.list[at] for at in members))
        case Marked():
            kind = "formula" if section == "Formulae" else "fairness"
            if line.name is not None:
                return _named(analysis, kind, line.name, (line.name, line.end), shorten(analysis, *place))
            span = analysis.words.span(*place)
            return Entry(shorten(analysis, *place), kind, str(number), span, span)


def _named(
    analysis: Analysis, kind: str, name: int, place: tuple[int, int], detail: str = "", children: Iterable[Entry] = ()
) -> Entry:
    words = analysis.words
    inside = tuple(sorted(children, key=lambda entry: entry.span))
    whole = words.span(*place)
    whole = Span(whole.start, max([whole.end, *[entry.span.end for entry in inside]]))
    name_span = _with_indices(analysis, words.origin(name))
    return Entry(analysis.source.cut(name_span), kind, detail, whole, name_span, inside)


def _with_indices(analysis: Analysis, at: int) -> Span:
    """A written name with its indices in brackets."""
    words = analysis.words.written
    end = at + 1
    if words.list[end] == "[":
        while words.list[end] not in ("]", ";", ""):
            end += 1
        end += words.list[end] == "]"
    return words.span(at, end)


def section_end(analysis: Analysis, at: int) -> int:
    """The index behind the section that starts at a word: behind its ``end``, or where the next section or agent begins."""
    words = analysis.words.list
    section = words[at]
    for index in range(at + 1, analysis.words.count):
        word, before = words[index], words[index - 1]
        if before == "end":
            return index + 1 if word == section else index - 1
        if word == "Agent" or (word in _SECTIONS and before != "."):
            return index
    return analysis.words.count


def shorten(analysis: Analysis, start: int, end: int) -> str:
    """Some words on one line, cut where they are long."""
    text = " ".join(analysis.source.cut(analysis.words.span(start, end)).split())
    text = text.removesuffix(";").rstrip()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
