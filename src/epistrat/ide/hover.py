"""What is known of the word at a place: its type, who sees it, where it changes, what an operator means."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from epistrat.ide import operators
from epistrat.ide.outline import shorten
from epistrat.ide.parameters import parameter_at
from epistrat.ide.values import Hover
from epistrat.ide.written import declared, family, uses_at
from epistrat.lang.analysis import Analysis
from epistrat.lang.format import format_source
from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.names import AgentNames, listing
from epistrat.lang.uses import Symbol, Use
from epistrat.model.agent import ENVIRONMENT
from epistrat.terms import Bounded, Enumeration

_LONGEST = 400
"""Characters of a line of a family, as it is written out for one member, that are shown."""

_MOST_LINES = 6
"""Line numbers that are listed before the rest is only counted."""


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """What is known of the word at a place; None where there is nothing to say."""
    words = analysis.words.written
    uses = uses_at(analysis, offset)
    if uses:
        at = analysis.words.origin(uses[0].at)
        facts = _FACTS.get(uses[0].symbol.kind, _anything)(analysis, uses[0].symbol)
        text = "\n\n".join(filter(None, [*facts, _members(analysis, uses)]))
        return Hover(words.span(at, at + 1), text)
    at = words.at(offset)
    span = words.span(at, at + 1)
    if not span.start <= offset <= span.end:
        return None
    parameter = parameter_at(analysis, offset)
    if parameter is not None:
        value = "" if parameter.value is None else f"Value: {parameter.value}"
        return Hover(span, "\n\n".join(filter(None, [_code(parameter.line), value])))
    meaning = operators.explain(words.list[at])
    return None if meaning is None else Hover(span, f"`{words.list[at]}`: {meaning}")


def _members(analysis: Analysis, uses: list[Use]) -> str:
    """Of a family: which members the word stands for, and how many there are."""
    symbol = uses[0].symbol
    if "[" not in symbol.name + symbol.owner:
        return ""
    here = list(dict.fromkeys(use.symbol for use in uses))
    everywhere = {use.symbol for use in analysis.uses.values() if family(use.symbol) == family(symbol)}
    names = [f"{one.owner}.{one.name}" if one.owner and one.kind != "value" else one.name for one in here]
    if len(here) == 1:
        return f"One of {len(everywhere)} members of the family" if len(everywhere) > 1 else ""
    return f"{len(here)} of {len(everywhere)} members: {listing(names)}"


def _variable(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    owner = analysis.names.agents.get(symbol.owner)
    domain = None if owner is None else owner.variables.get(symbol.name)
    yield _code(f"{symbol.owner}.{symbol.name} : {'?' if domain is None else domain}")
    if isinstance(domain, (Bounded, Enumeration)):
        yield f"{len(domain)} values"
    yield _comment(analysis, symbol)
    if owner is not None:
        yield _observers(analysis, owner, symbol.name)
    writes = [use.at for use in analysis.uses.values() if use.symbol == symbol and use.writes]
    yield f"Assigned in {_lines(analysis, writes)}" if writes else "Never assigned: it keeps its initial value"


def _observers(analysis: Analysis, owner: AgentNames, name: str) -> str:
    if owner.name != ENVIRONMENT:
        return f"Only {owner.name} sees it"
    if name in owner.public:
        return "Every agent sees it (Obsvars)"
    seen = [agent.name for agent in analysis.names.agents.values() if name in agent.observes]
    return f"Seen by {listing(seen)} (Lobsvars)" if seen else "Only the Environment sees it"


def _action(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    yield _code(f"{symbol.owner}.Action = {symbol.name}")
    yield _comment(analysis, symbol)
    uses = [use.at for use in analysis.uses.values() if use.symbol == symbol and not use.declares]
    yield f"An action of {symbol.owner}, named in {_lines(analysis, uses)}" if uses else "Named nowhere else"


def _value(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    agent, _, variable = symbol.owner.partition(".")
    owner = analysis.names.agents.get(agent)
    domain = None if owner is None else owner.variables.get(variable)
    yield _code(f"{symbol.owner} = {symbol.name}")
    yield f"A value of `{symbol.owner} : {domain}`" if domain is not None else ""
    written = [
        use.at
        for use in analysis.uses.values()
        if use.symbol == symbol and not use.declares and analysis.uses.get(use.at - 2, use).writes
    ]
    yield f"Assigned in {_lines(analysis, written)}" if written else ""


def _agent(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    yield _code(f"Agent {symbol.name}")
    yield _comment(analysis, symbol)
    agent = analysis.names.agents.get(symbol.name)
    if agent is None:
        return
    variables = [f"{name} : {domain}" for name, domain in agent.variables.items()]
    yield f"Variables: `{listing(variables)}`" if variables else "No variables"
    yield f"Actions: `{listing(agent.actions)}`" if agent.actions else "No actions"
    yield f"Sees of the Environment: `{listing(agent.observes)}`" if agent.observes else ""
    groups = [name for name, members in analysis.names.groups.items() if symbol.name in members]
    yield f"Member of `{listing(groups)}`" if groups else ""


def _proposition(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    for named in analysis.program.evaluation:
        if analysis.words.list[named.name] == symbol.name:
            shown = "?" if named.condition is None else _expanded(analysis, named.name + 2, named.end)
            yield _code(f"{symbol.name} if {shown}")
    yield _comment(analysis, symbol)


def _group(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    members = analysis.names.groups.get(symbol.name, ())
    yield _code(f"{symbol.name} = {{{listing(members)}}}")
    yield _comment(analysis, symbol)
    yield f"{len(members)} members" if len(members) != 1 else "1 member"


def _formula(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    for number, marked in enumerate(analysis.program.formulae, start=1):
        if marked.name is not None and analysis.words.list[marked.name] == symbol.name:
            yield _code(f"{symbol.name} : {_expanded(analysis, marked.start, marked.end)}")
            yield f"Formula {number}"
    yield _comment(analysis, symbol)


def _anything(analysis: Analysis, symbol: Symbol) -> Iterable[str]:
    yield _code(f"{symbol.kind} {symbol.name}")
    yield _comment(analysis, symbol)


_FACTS: dict[str, Callable[[Analysis, Symbol], Iterable[str]]] = {
    "variable": _variable,
    "action": _action,
    "value": _value,
    "agent": _agent,
    "proposition": _proposition,
    "group": _group,
    "formula": _formula,
}


def _expanded(analysis: Analysis, start: int, end: int) -> str:
    """Some words on one line; of a family as they are written out for one member."""
    if analysis.words is analysis.words.written:
        return shorten(analysis, start, end)
    text = format_source(" ".join(["Formulae", *analysis.words.list[start:end], ";"]))
    text = " ".join(text.split()).removeprefix("Formulae ").rstrip("; ")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _code(text: str) -> str:
    return f"```ispl\n{text}\n```"


def _lines(analysis: Analysis, places: list[int]) -> str:
    """``line 3``, ``lines 3, 4 and 5``, ``lines 3, 4, ... (17 in all)``."""
    source, words = analysis.source, analysis.words
    numbers = list(dict.fromkeys(source.position(words.span(at, at + 1).start).line for at in places))
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    if len(numbers) > _MOST_LINES:
        return f"lines {', '.join(map(str, numbers[:_MOST_LINES]))}, ... ({len(numbers)} in all)"
    return f"lines {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _comment(analysis: Analysis, symbol: Symbol) -> str:
    """The comment at the end of the line where something is declared, else the ones directly above it."""
    place = declared(analysis, symbol)
    if place is None:
        return ""
    source = analysis.source
    number = source.position(place.start).line
    line = source.line(number)
    behind = [word for word in WORD.findall(line) if word.startswith(COMMENT)]
    if behind:
        return _bare(behind[-1])
    above: list[str] = []
    while number > 1 and source.line(number - 1).lstrip().startswith(("--", "//")):
        number -= 1
        above.insert(0, _bare(source.line(number).strip()))
    return "\n".join(above)


def _bare(comment: str) -> str:
    if comment.startswith("/*"):
        return comment[2:].removesuffix("*/").strip()
    return comment[2:].strip()
