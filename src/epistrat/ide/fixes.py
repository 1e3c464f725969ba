"""Ways to mend what messages are about: those that the messages carry, and those that need a look at the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from epistrat.ide.context import context_at
from epistrat.ide.written import bare
from epistrat.lang.analysis import Analysis
from epistrat.lang.syntax import AgentNode
from epistrat.source import Diagnostic, Edit, Fix, Span


class Mending(NamedTuple):
    """A message and a way to mend it."""

    diagnostic: Diagnostic
    fix: Fix


def fixes(analysis: Analysis, span: Span) -> list[Mending]:
    """Ways to mend the messages that touch a range."""
    own = [one for one in analysis.diagnostics if one.source is None or one.source.name == analysis.source.name]
    near = [one for one in own if one.span is not None and _touch(one.span, span)]
    return [Mending(one, fix) for one in near for fix in (*one.fixes, *_more(analysis, one))]


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _more(analysis: Analysis, diagnostic: Diagnostic) -> Iterable[Fix]:
    assert diagnostic.span is not None
    match diagnostic.code:
        case "E010":
            return _missing_section(analysis, diagnostic.span, diagnostic.message)
        case "E012":
            return _declare(analysis, diagnostic.span)
        case "E014":
            return _add_action(analysis, diagnostic.span)
        case "E017":
            return _observe(analysis, diagnostic.span)
    return ()


def _node(analysis: Analysis, name: str) -> AgentNode | None:
    words = analysis.words.list
    return next((node for node in analysis.program.agents if bare(words[node.name]) == name), None)


def _words(analysis: Analysis, span: Span) -> list[str]:
    first, last = analysis.words.at(span.start + 1), analysis.words.at(span.end)
    return analysis.words.list[first : last + 1]


def _place(analysis: Analysis, span: Span) -> str:
    """The agent around a range; empty outside."""
    context = context_at(analysis, span.end)
    return "" if context is None else context.agent


def _missing_section(analysis: Analysis, span: Span, message: str) -> Iterator[Fix]:
    end = len(analysis.source.text)
    if "InitStates" in message and "missing" in message:
        lead = "" if analysis.source.text.endswith("\n") or not end else "\n"
        text = f"{lead}\nInitStates\n    true;\nend InitStates\n"
        yield Fix("insert the section InitStates", (Edit(Span(end, end), text),))
        return
    words = _words(analysis, span)
    node = _node(analysis, words[-1])
    if node is None:
        return
    behind = analysis.words.span(node.name, node.name + 1).end
    if "Actions" in message:
        named = dict.fromkeys(analysis.words.list[at] for rule in node.protocol for at in rule.actions)
        text = f"\n    Actions = {{{', '.join(named)}}};"
        yield Fix("insert the section Actions", (Edit(Span(behind, behind), text),))
    elif "Protocol" in message:
        actions = ", ".join(dict.fromkeys(analysis.words.list[at] for at in node.actions))
        last = analysis.words.span(node.actions[-1] + 1, node.actions[-1] + 3).end
        text = f"\n    Protocol:\n        Other : {{{actions}}};\n    end Protocol"
        yield Fix("insert a Protocol that allows all actions", (Edit(Span(last, last), text),))


def _declare(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """A variable that is not declared is, as a Boolean."""
    words = _words(analysis, span)
    name, owner = words[-1], words[0] if len(words) == 3 else _place(analysis, span)
    node = _node(analysis, owner)
    if node is None or not name[:1].isalpha():
        return
    place = next((at for section, at in node.sections if section == "Vars"), None)
    if place is not None:
        behind = analysis.words.span(place, place + 2).end
        edit = Edit(Span(behind, behind), f"\n        {name} : boolean;")
    else:
        behind = analysis.words.span(node.name, node.name + 1).end
        edit = Edit(Span(behind, behind), f"\n    Vars:\n        {name} : boolean;\n    end Vars")
    yield Fix(f"declare `{name}` as a Boolean variable of {owner}", (edit,))


def _add_action(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """An action that an agent does not have is added to its list."""
    at = analysis.words.at(span.end)
    action, before = analysis.words.list[at], analysis.words.list[max(0, at - 4) : at]
    tested = before[-2:] == ["Action", "="]
    owner = before[0] if tested and len(before) == 4 and before[1] == "." else _place(analysis, span)
    node = _node(analysis, owner)
    if node is None:
        return
    if node.actions:
        end = analysis.words.span(node.actions[-1], node.actions[-1] + 1).end
        yield Fix(f"add `{action}` to the actions of {owner}", (Edit(Span(end, end), f", {action}"),))
        return
    place = next((one for section, one in node.sections if section == "Actions"), None)
    if place is not None and analysis.words.list[place + 1 : place + 3] == ["=", "{"]:
        end = analysis.words.span(place, place + 3).end
        yield Fix(f"add `{action}` to the actions of {owner}", (Edit(Span(end, end), action),))


def _observe(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """A variable of the Environment that an agent cannot see is added to its Lobsvars."""
    words = _words(analysis, span)
    owner = _place(analysis, span)
    node = _node(analysis, owner)
    if node is None or len(words) != 3 or words[2] not in analysis.names.environment.variables:
        return
    if node.lobsvars:
        end = analysis.words.span(node.lobsvars[-1], node.lobsvars[-1] + 1).end
        edit = Edit(Span(end, end), f", {words[2]}")
    else:
        end = analysis.words.span(node.name, node.name + 1).end
        edit = Edit(Span(end, end), f"\n    Lobsvars = {{{words[2]}}};")
        if any(section == "Lobsvars" for section, _ in node.sections):
            return
    yield Fix(f"let {owner} see Environment.{words[2]}", (edit,))
