"""A template written out for one value of its parameter, as ISPL without repetition (``count`` keeps its range)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias, TypeVar

from epistrat.lang.families.counting import spelt
from epistrat.lang.templates.holes import NotATree
from epistrat.lang.templates.index import Env
from epistrat.lang.templates.tree import (
    AgentTree,
    Compared,
    Declared,
    Each,
    Enforces,
    FormulaTree,
    GroupTree,
    Knows,
    Line,
    Listed,
    Literal,
    Move,
    Name,
    Number,
    Op,
    Prefixed,
    Proposition,
    Ref,
    Rule,
    Scope,
    Template,
    Term,
    Unread,
    Whom,
    subterms,
)

Lines: TypeAlias = list[str]
T = TypeVar("T", bound=Line)
_JOINTS = {"forall": (" and ", "true"), "exists": (" or ", "false"), "sum": (" + ", "0")}


def written(template: Template, value: int) -> str:
    """The text for one value, without formulae that have no tree; raises `Wrong` where an index term has no value."""
    env = {template.parameter.name: value}
    out = [f"{name} = {word};" for name, word in template.settings]
    for agent in template.agents:
        for inner in envs(agent.scopes, env):
            out += _agent(agent, inner)
    out += _section("Evaluation", _lines(template.propositions, env, _proposition))
    if template.initial is not None:
        out += _section("InitStates", [f"{_term(template.initial, env)};"])
    if template.groups:
        out += _section("Groups", _lines(template.groups, env, _group))
    if template.fairness:
        out += _section("Fairness", _lines(template.fairness, env, _formula))
    formulae = [one for one in template.formulae if not any(isinstance(part, Unread) for part in subterms(one.body))]
    out += _section("Formulae", _lines(formulae, env, _formula))
    return "\n".join(out) + "\n"


def said(term: Term, env: Env) -> str:
    """A term for values of the parameter and of indices; raises `Wrong` where an index term has none."""
    return _term(term, env)


def envs(scopes: Sequence[Scope], env: Env) -> Iterator[dict[str, int]]:
    """All values of the indices of scopes, the last changing fastest."""
    if not scopes:
        yield dict(env)
        return
    for inner in members(scopes[0], env):
        yield from envs(scopes[1:], inner)


def members(scope: Scope, env: Env) -> Iterator[dict[str, int]]:
    """All values of the indices of a scope."""
    found = [dict(env)]
    for one in scope.binders:
        found = [{**at, one.name: value} for at in found for value in range(one.low.value(at), one.high.value(at) + 1)]
    for at in found:
        if scope.where is None or scope.where.value(at):
            yield at


def _lines(lines: Sequence[T], env: Env, write: Callable[[T, Env], str], depth: int = 0) -> Lines:
    """Lines for all their indices: those that share a scope are written together for each of its values."""
    out: Lines = []
    for number, group in groupby(lines, lambda one: one.scopes[depth].number if len(one.scopes) > depth else 0):
        together = list(group)
        if number == 0:
            out += [write(one, env) for one in together]
            continue
        for inner in members(together[0].scopes[depth], env):
            out += _lines(together, inner, write, depth + 1)
    return out


def _section(name: str, lines: Sequence[str], colon: str = "") -> Lines:
    return [f"{name}{colon}", *lines, f"end {name}"]


def _agent(agent: AgentTree, env: Env) -> Lines:
    out = [f"Agent {_name(agent.name, env)}"]
    if agent.public:
        out += _section("Obsvars", _lines(agent.public, env, _declared), ":")
    if agent.observes:
        out.append(f"Lobsvars = {{{', '.join(_listed(agent.observes, env))}}};")
    out += _section("Vars", _lines(agent.variables, env, _declared), ":")
    if agent.red is not None:
        out += _section("RedStates", [f"{_term(agent.red, env)};"], ":")
    out.append(f"Actions = {{{', '.join(_listed(agent.actions, env))}}};")
    out += _section("Protocol", _lines(agent.protocol, env, _rule), ":")
    out += _section("Evolution", _lines(agent.evolution, env, _move), ":")
    return [*out, "end Agent"]


def _declared(one: Declared, env: Env) -> str:
    kind = one.kind
    if one.low is not None and one.high is not None:
        kind = f"{one.low.value(env)}..{one.high.value(env)}"
    elif one.values:
        kind = f"{{{', '.join(_listed(one.values, env))}}}"
    return f"{_name(one.name, env)} : {kind};"


def _rule(one: Rule, env: Env) -> str:
    condition = "Other" if one.condition is None else _term(one.condition, env)
    chosen = []
    for choice in one.choices:
        together = isinstance(choice, tuple)
        listed = _listed(choice if isinstance(choice, tuple) else (choice,), env)
        chosen += [f"{{{', '.join(listed)}}}"] if together else listed
    return f"{condition} : {{{', '.join(chosen)}}};"


def _move(one: Move, env: Env) -> str:
    made = " and ".join(f"{_term(target, env)} = {_term(value, env)}" for target, value in one.assigns)
    return f"{made} if {_term(one.guard, env)};"


def _proposition(one: Proposition, env: Env) -> str:
    return f"{_name(one.name, env)} if {_term(one.condition, env)};"


def _group(one: GroupTree, env: Env) -> str:
    return f"{_name(one.name, env)} = {{{', '.join(_listed(one.members, env))}}};"


def _formula(one: FormulaTree, env: Env) -> str:
    title = "" if one.name is None else f"{_name(one.name, env)}: "
    return f"{title}{one.tag}{one.tag and ' '}{one.marker}{one.marker and ' '}{_term(one.body, env)};"


def _name(name: Name, env: Env) -> str:
    return f"{name.word}[{','.join(str(one.value(env)) for one in name.indices)}]" if name.indices else name.word


def _listed(names: Sequence[Listed], env: Env) -> Lines:
    return [
        _name(one.name, inner) for one in names for inner in ([env] if one.scope is None else members(one.scope, env))
    ]


def _whom(who: Whom, env: Env) -> str:
    return f"{{{', '.join(_listed(who.names, env))}}}" if who.listed else _listed(who.names, env)[0]


def _term(term: Term, env: Env, inside: bool = False) -> str:
    """A term; in brackets if it stands inside another and is no operand by itself."""
    match term:
        case Number(index=index):
            return str(index.value(env))
        case Compared(index=index):
            return "true" if index.value(env) else "false"
        case Literal(word=word):
            return word
        case Ref(owner=owner, name=name):
            return _name(name, env) if owner is None else f"{_name(owner, env)}.{_name(name, env)}"
        case Op(op=op, args=args):
            text = f" {op} ".join(_term(arg, env, True) for arg in args)
        case Prefixed(op=op, arg=arg):
            text = f"{op} {_term(arg, env, True)}" if op.isalpha() else f"{op}{_term(arg, env, True)}"
        case Each():
            return _each(term, env)
        case Knows(op=op, who=who, arg=arg, reading=reading):
            read = f"[{reading}]" if reading else ""
            return f"{op}{read}({_whom(who, env)}, {_term(arg, env)})"
        case Enforces(who=who, arg=arg):
            text = f"<{_whom(who, env)}>{_term(arg, env, not isinstance(arg, Prefixed))}"
        case Unread(what=what):
            raise NotATree(what, 0)
    return f"({text})" if inside else text


def _each(term: Each, env: Env) -> str:
    if term.kind == "count":
        return _count(term, env)
    joint, empty = _JOINTS[term.kind]
    copies = [_term(term.arg, inner) for inner in members(term.scope, env)]
    if term.brackets:
        copies = [f"({copy})" for copy in copies]
    return f"({joint.join(copies)})" if copies else empty


def _count(term: Each, env: Env) -> str:
    assert term.bound is not None
    copies = [f"( {_term(term.arg, inner)} )".split() for inner in members(term.scope, env)]
    words, _ = spelt(0, [(copy, [0] * len(copy)) for copy in copies], term.op, term.bound.value(env))
    return f"({' '.join(words)})"
