"""Evolution as Boolean functions: the factors of an agent's part of a step.

Where at most one line can be enabled at a time, every next bit is a *function* of state and actions.  Where lines overlap, the agent's free
choice between them is one *relation* over its variables (MultiAssignment) or over one variable (SingleAssignment).  A value outside
its target's domain leaves its line without successor: for functions that is a separate factor, in relations it needs none.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.bits import Field
from epistrat.encoding.conditions import Conditions
from epistrat.encoding.part import Part
from epistrat.encoding.written import Written, written
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.alternatives import alternatives
from epistrat.model.system import Semantics
from epistrat.records import dataclass, field
from epistrat.terms import And, Compare, Comparison, Const, Expr, Not, Sort, Var


@dataclass(slots=True)
class Evolution:
    """The factors of an agent's moves.

    ``single_valued`` if state and actions determine the move.  ``overflows`` are the lines, by number, that can compute a value beyond
    the bounds of its target, with the condition for it; ``blocked`` are the conditions under which an enabled line has no move.
    """

    parts: list[Part] = field(default_factory=list)
    single_valued: bool = True
    overflows: list[tuple[int, Part]] = field(default_factory=list)
    blocked: list[Part] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that can be enabled: its guard, and what it writes into variables that can change."""

    guard: Part
    writes: dict[str, Written]


def frozen_variables(agent: Agent) -> frozenset[str]:
    """The agent's variables that no line can change: assigned never, to themselves, or to what the guard already says they are.

    A variable of the Environment with the same name is another variable.  Of the guard only conjuncts count that fix the value by
    themselves.
    """
    changing: set[str] = set()
    for line in agent.evolution:
        for assignment in line.assignments:
            if assignment.target not in changing and not _keeps(
                agent.name, assignment.target, assignment.value, line.guard
            ):
                changing.add(assignment.target)
    return frozenset(variable.name for variable in agent.variables if variable.name not in changing)


def _keeps(agent: str, target: str, value: Expr, guard: Expr) -> bool:
    if isinstance(value, Var):
        return value.key == (agent, target)
    if not isinstance(value, Const):
        return False
    conjuncts = guard.args if isinstance(guard, And) else (guard,)
    return any(_fixes(conjunct, agent, target, value) for conjunct in conjuncts)


def _fixes(condition: Expr, agent: str, target: str, value: Const) -> bool:
    """Whether the condition says that the target has the value."""
    match condition:
        case Var():
            return condition.key == (agent, target) and value.sort is Sort.BOOLEAN and bool(value.value)
        case Not(Var() as variable):
            return variable.key == (agent, target) and value.sort is Sort.BOOLEAN and not value.value
        case Compare(Comparison.EQUAL, Var() as variable, Const() as constant):
            return variable.key == (agent, target) and constant == value
        case Compare(Comparison.EQUAL, Const() as constant, Var() as variable):
            return variable.key == (agent, target) and constant == value
    return False


def encode_evolution(
    agent: Agent, conditions: Conditions, semantics: Semantics, valid: Part, as_relation: bool = False
) -> Evolution:
    """The factors of the agent's moves; ``valid`` restricts states and actions to those that exist.

    With ``as_relation`` everything is written as relations, which is slower and only good for comparison.
    """
    result = Evolution()
    lines = _encode_lines(agent, conditions, valid, result)
    changing = {
        variable.name: conditions.layout.variables[variable.key]
        for variable in agent.variables
        if not conditions.layout.variables[variable.key].frozen
    }
    for group in alternatives(agent, semantics):
        targets = {name: changing[name] for name in group.variables if name in changing}
        relevant = [lines[number] for number, _ in group.lines if number in lines]
        if not targets:
            continue
        if as_relation or _overlap(relevant, conditions, valid):
            result.parts.append(_relation(targets, relevant, conditions))
            if len(relevant) > 1 and _overlap(relevant, conditions, valid):
                result.single_valued = False
        else:
            result.parts.extend(_functions(targets, relevant, conditions, valid))
    return result


def _encode_lines(agent: Agent, conditions: Conditions, valid: Part, result: Evolution) -> dict[int, _Line]:
    """The lines that can be enabled, by number, with overflows noted.

    A line that only writes frozen variables still counts as enabled, so that it competes with the others.
    """
    algebra, join = conditions.algebra, conditions.join
    lines: dict[int, _Line] = {}
    for number, line in enumerate(agent.evolution, 1):
        guard = conditions.part(line.guard)
        if guard.function == algebra.false:
            continue
        writes = _writes(agent, line, conditions)
        lines[number] = _Line(guard, writes)
        enabled = join.all([guard, valid])
        beyond = join.all([enabled, join.any([write.beyond for write in writes.values()])])
        if beyond.function != algebra.false:
            result.overflows.append((number, beyond))
        outside = [Part(~write.inside.function, write.inside.support) for write in writes.values()]
        blocked = join.all([enabled, join.any(outside)])
        if blocked.function != algebra.false:
            result.blocked.append(blocked)
    return lines


def _writes(agent: Agent, line: EvolutionLine, conditions: Conditions) -> dict[str, Written]:
    """What the line writes into variables that can change; a frozen one gets the value it has."""
    writes = {}
    for assignment in line.assignments:
        target = conditions.layout.variables[agent.name, assignment.target]
        if not target.frozen:
            writes[assignment.target] = written(assignment.value, target, conditions)
    return writes


def _overlap(lines: Sequence[_Line], conditions: Conditions, valid: Part) -> bool:
    """Whether two lines can be enabled together."""
    algebra = conditions.algebra
    seen = algebra.false
    for line in lines:
        both = seen & line.guard.function
        if both != algebra.false and both & valid.function != algebra.false:
            return True
        seen = seen | line.guard.function
    return False


def _functions(targets: dict[str, Field], lines: Sequence[_Line], conditions: Conditions, valid: Part) -> list[Part]:
    """One factor per next bit, and one that forbids values out of range."""
    algebra, join = conditions.algebra, conditions.join
    parts = []
    for name, target in targets.items():
        writing = [line for line in lines if name in line.writes]
        written = join.any([line.guard for line in writing])
        for position, (bit, following) in enumerate(zip(target.bits, target.next, strict=True)):
            ones = [_both(line.guard, line.writes[name].bits[position]) for line in writing]
            new = join.any(ones)
            function = new.function | (algebra.var[bit] & ~written.function)
            same = ~algebra.xor(function, algebra.var[following])
            parts.append(Part(same, new.support | written.support | 1 << bit | 1 << following))
    for line in lines:
        for write in line.writes.values():
            if write.inside.function == algebra.true:
                continue
            legal = ~line.guard.function | write.inside.function
            if not algebra.implies(valid.function, legal):
                parts.append(Part(legal, line.guard.support | write.inside.support))
    return parts


def _relation(targets: dict[str, Field], lines: Sequence[_Line], conditions: Conditions) -> Part:
    """One factor for all targets: some enabled line is executed, or none is enabled and nothing changes."""
    algebra, join = conditions.algebra, conditions.join
    stays = {name: conditions.same_bits(target.bits, target.next) for name, target in targets.items()}
    enabled = join.any([line.guard for line in lines])
    idle = join.all(list(stays.values()))
    options = [Part(idle.function & ~enabled.function, idle.support | enabled.support)]
    for line in lines:
        factors = [line.guard]
        for name, target in targets.items():
            write = line.writes.get(name)
            if write is None:
                factors.append(stays[name])
                continue
            for bit, following in zip(write.bits, target.next, strict=True):
                same = ~algebra.xor(bit.function, algebra.var[following])
                factors.append(Part(same, bit.support | 1 << following))
        factors.extend(write.inside for write in line.writes.values())
        options.append(join.all(factors))
    return join.any(options)


def _both(one: Part, other: Part) -> Part:
    return Part(one.function & other.function, one.support | other.support)
