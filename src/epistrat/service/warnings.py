"""Warnings about reachable states: that there are none, dead ends, and assignments that leave their range."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from epistrat.answers import Facts, Finding
from epistrat.engines import registry
from epistrat.explain.words import number
from epistrat.lang.load import Loaded
from epistrat.model.show import line_to_ispl
from epistrat.model.system import System
from epistrat.source import Diagnostic, Severity, Span
from epistrat.terms.domain import Real
from epistrat.terms.expr import Arith, Const, Operation, Var, subterms


def about_states(system: System, loaded: Loaded, facts: Facts) -> Iterator[Diagnostic]:
    """What there is to warn about."""
    known = {one.code for one in loaded.diagnostics}
    if facts.states == 0 and "W001" not in known:
        yield _warning(loaded, "W001", "no state satisfies InitStates, so every formula holds", "initial")
    elif facts.states and system.fairness and facts.fair_states == 0:
        yield _warning(loaded, "W010", "no run is fair, so every formula holds", "fairness", 0)
    yield from _dead_ends(system, facts)
    yield from _overflows(system, loaded, facts)


def about_engine(system: System, loaded: Loaded, engine: str) -> Iterator[Diagnostic]:
    """A variable that the engine asked for cannot deal with, and which engine can."""
    if engine in ("auto", "all") or registry.load(engine).accepts.unbounded:
        return
    unbounded = next((one for one in system.variables if not one.domain.finite), None)
    if unbounded is not None:
        able = next(name for name in registry.NAMES if registry.load(name).accepts.unbounded)
        words = f"{unbounded} has no bounds: the engine {engine} answers only finite models; {able} answers this one"
        yield _warning(loaded, "W012", words, "variable", unbounded.owner, unbounded.name)


def unfounded(system: System, loaded: Loaded, facts: Facts) -> Iterator[str]:
    """The codes of warnings about the text that the states show to be unfounded."""
    warned = any(one.code == "W006" for one in loaded.diagnostics)
    if warned and facts.overflows == 0 and not _fractions(system):
        yield "W006"


def _fractions(system: System) -> bool:
    """Whether a line could assign a fraction: that blocks it too, and is not counted among the overflows."""
    values = (assigned.value for agent in system.agents for line in agent.evolution for assigned in line.assignments)
    return any(
        (isinstance(term, Arith) and term.op is Operation.DIVIDE)
        or (isinstance(term, Const) and isinstance(term.value, Fraction))
        or (isinstance(term, Var) and isinstance(system.variables[system.position[term.key]].domain, Real))
        for term in subterms(*values)
    )


def _warning(loaded: Loaded, code: str, message: str, *origin: str | int) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, loaded.origins.span(*origin), source=loaded.source)


def _dead_ends(system: System, facts: Facts) -> Iterator[Finding]:
    if not facts.dead_ends:
        return
    many = (
        "one reachable state is a dead end"
        if facts.dead_ends == 1
        else f"{number(facts.dead_ends)} reachable states are dead ends"
    )
    meaning = (
        "Such a state is taken to repeat itself for ever."
        if system.interleaved
        else "There EX and EG are false, AX and AF true; LTL and CTL* look only at runs that go on for ever."
    )
    yield Finding("W008", Severity.WARNING, f"{many}: nothing can happen there", notes=(meaning,), path=facts.dead_end)


def _overflows(system: System, loaded: Loaded, facts: Facts) -> Iterator[Finding]:
    if not facts.overflows:
        return
    many = "one reachable state" if facts.overflows == 1 else f"{number(facts.overflows)} reachable states"
    message = f"in {many} an assignment leaves the range of its variable"
    notes = ["The line then gives no step."]
    span: Span | None = None
    if facts.overflow_line is not None:
        agent, at = facts.overflow_line
        line = system.agent[agent].evolution[at - 1]
        span = loaded.origins.span("evolution", agent, at - 1)
        if span is None:
            notes.insert(0, f"line {at} of {agent}: {line_to_ispl(agent, line)}")
    source = None if span is None else loaded.source
    yield Finding("W009", Severity.WARNING, message, span, notes=tuple(notes), source=source, path=facts.overflow)
