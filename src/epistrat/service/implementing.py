"""Programs that ask for knowledge: the systems that they are, made, printed, and compared with what their guards say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from epistrat import terms
from epistrat.answers import Misuse, Question, Setting, Strategies, Verdict
from epistrat.engines import readings, registry
from epistrat.engines.contract import Options
from epistrat.engines.readings import Way
from epistrat.lang.load import Loaded, load
from epistrat.logic import formula as logic
from epistrat.logic.formula import ForAll, Formula, Globally, Iff, Reading, Tag, Test, subformulae
from epistrat.logic.histories import read_as
from epistrat.model.agent import asked
from epistrat.model.programs import Guard, Implementation, NotImplementable, implement as made
from epistrat.model.programs.unfolding import lines_of
from epistrat.model.show import protocol_line, to_ispl
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.service.events import Finished, Produced, Progress, Send, Warned, ignore
from epistrat.service.requests import EngineRequest, ImplementRequest, Request
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.source import Report
from epistrat.terms import Expr, children, subterms

_SOON, _MOST_LOOKED_AT = 2.0, 2_000
"""Seconds, and histories of one moment, that looking for a reason may take."""
_BY_VIEWS = "strategies that depend on what agents see are not asked of a program: ask the model that `epistrat implement` prints"


def implemented(
    request: Request, system: System, loaded: Loaded, budget: Budget, send: Send = ignore, *, to_print: bool = False
) -> Implementation:
    """The implementation of a program, perhaps ``to_print``; raises `InputError` where there is none."""
    from epistrat.service.models import InputError

    if isinstance(request, EngineRequest) and request.strategies not in (None, Strategies.ANY):
        raise Misuse(_BY_VIEWS + " ({})", Setting("strategies", request.strategies.value))

    def tell(moments: int) -> None:
        send(Progress("implementing the program", {"moments": moments}))

    try:
        return made(system, system.knowledge, budget, tell, to_print=to_print)
    except NotImplementable as why:
        report = Report(loaded.source)
        agent = next(agent for agent in system.agents if agent.knows)
        line = _first_line(agent.name, system)
        span = loaded.origins.span("protocol", agent.name, line)
        hints = {
            Reading.OBSERVATION: "write `Knowledge = Clock;` or `Knowledge = Recall;`, or say `--knowledge clock`",
            Reading.CHANGES: "read it by `clock` or `recall`",
        }
        label = hints.get(system.knowledge, "")
        report.error("E045", str(why), span, label=label, notes=tuple(_undecided(system, loaded, budget)))
        raise InputError(report.diagnostics) from None


def _undecided(system: System, loaded: Loaded, budget: Budget) -> Iterator[str]:
    """A guard that an agent with a clock finds true at one moment and false at another, though it sees the same, if one is found soon."""
    if system.interleaved or not system.finite:
        return
    try:
        found = made(system, Reading.CLOCK, replace(budget.at_most(_SOON), states=_MOST_LOOKED_AT), to_print=False)
    except (NotImplementable, OutOfBudget):
        return
    clock = found.clock
    seen: dict[tuple[str, tuple[object, ...]], tuple[int, tuple[bool, ...]]] = {}
    for moment, rows in enumerate(clock.allowed if clock is not None else ()):
        for (name, view), allowed in rows.items():
            before, earlier = seen.setdefault((name, view), (moment, allowed))
            for line, one, other in zip(lines_of(system.agent[name]), earlier, allowed, strict=True):
                if one != other:
                    guard = protocol_line(system.agent[name], line).rsplit(" : ", 1)[0]
                    pairs = zip((system.variables[place] for place in system.views[name]), view, strict=True)
                    state = ", ".join(f"{variable} = {_words(value)}" for variable, value in pairs)
                    times = f"{_words(one)} at time {before} and {_words(other)} at time {moment}"
                    yield f"with a clock, `{guard}` of {name} is {times}, where it sees the same: {state or 'nothing'}"
                    return


def _words(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first_line(agent: str, system: System) -> int:
    return lines_of(system.agent[agent])[0]


def about_views(asked: Sequence[Question], options: Options) -> None:
    """Raise `Misuse` for strategies that depend on what agents see."""
    for question in asked:
        parts = subformulae(question.formula)
        read = readings.readings(question.formula, options)
        names = any(isinstance(part, logic.NAMING) for part in parts) and read.names is not Tag.PERFECT
        equilibria = any(isinstance(part, logic.EQUILIBRIA) for part in parts) and read.equilibria is Tag.VIEWS
        coalitions = any(isinstance(part, logic.Coalition) for part in parts) and read.coalitions in (
            Way.VIEWS,
            Way.POOLED,
        )
        if names or equilibria or coalitions:
            raise Misuse(f"formula {question.index}: {_BY_VIEWS}")


@dataclass(frozen=True)
class Printed:
    """The implementation of a program as text, and what re-checking it found.

    ``compared``: each guard is its condition in every reachable state of the model that the text describes; else ``reason`` says why that
    was not found out.  ``guards`` are the guards as they are written.
    """

    implementation: Implementation
    text: str
    guards: tuple[str, ...]
    compared: bool
    reason: str = ""


def implement(request: ImplementRequest, send: Send, budget: Budget) -> None:
    """Produce the implementation of a program, printed and re-checked."""
    from epistrat.service import models

    send(Progress("reading the model"))
    system, loaded = models.load_as_written(request)
    for one in loaded.diagnostics:
        send(Warned(one))
    found = implemented(request, system, loaded, budget, send, to_print=True)
    text = printed(found) if system.is_program or not loaded.source.text else loaded.source.text
    send(Progress("comparing guards with their conditions"))
    reason = _compare(found, text, budget)
    written = tuple(_written(guard, system, loaded) for guard in found.guards)
    send(Produced(Printed(found, text, written, reason is None, reason or "")))
    send(Finished())


def printed(implementation: Implementation) -> str:
    """The implementation as ISPL; lines of evolutions that are never executed are left out."""
    system = implementation.printed
    loaded = load(to_ispl(system))
    never = {one.span for one in loaded.diagnostics if one.code == "W005"}
    agents = tuple(
        replace(
            agent,
            evolution=tuple(
                line
                for number, line in enumerate(agent.evolution)
                if loaded.origins.span("evolution", agent.name, number) not in never
            ),
        )
        for agent in system.agents
    )
    return to_ispl(replace(system, agents=agents))


def _written(guard: Guard, system: System, loaded: Loaded) -> str:
    """A protocol line as it was written, on one line."""
    text = loaded.origins.text("protocol", guard.agent, guard.line)
    note = loaded.origins.note("protocol", guard.agent, guard.line)
    if text is None:
        text = protocol_line(system.agent[guard.agent], guard.line)
    return " ".join(text.split()).removesuffix(";") + (f" ({note})" if note else "")


# -- comparing -------------------------------------------------------------------------------------------------------------


def _compare(implementation: Implementation, text: str, budget: Budget) -> str | None:
    """Why it was not found out whether each guard is its condition in every reachable state of the printed model; None: it is.

    There is one system only of which that is true.  An engine answers, which knows nothing of how conditions were made.
    """
    program = implementation.program
    if not implementation.guards:
        return None
    printed = load(text).system
    assert printed is not None, "what is printed is read back"
    known = [read_as(one, implementation.reading) for agent in program.agents for one in agent.knows]
    if implementation.ends and any(isinstance(part, logic.PAST) for part in subformulae(*known)):
        return "guards look back, and some history cannot go on"
    system, guards = printed, implementation.printed_guards
    if shows_memory(implementation, known):
        system, guards = implementation.system, implementation.guards
    session = registry.load("explicit").open(replace(system, fairness=()), Options(), budget)
    for guard in guards:
        agent = program.agent[guard.agent]
        says = _as_formula(agent.protocol[guard.line].condition, {asked(agent.name, one): one for one in agent.knows})
        same = ForAll(Globally(Iff(says, Test(guard.condition))), False)
        outcome = session.check(read_as(same, implementation.reading))
        if outcome.verdict is Verdict.UNKNOWN:
            return outcome.reason or "no engine answers"
        if outcome.verdict is not Verdict.HOLDS:
            raise AssertionError(f"a guard of {guard.agent} is not its condition in the model that implements it")
    return None


def shows_memory(implementation: Implementation, formulae: Iterable[Formula]) -> bool:
    """Whether formulae ask what an agent knows by the clock that sees its memory in the printed model, and so knows more there."""
    remembering = {name for name, memory in implementation.memories.items() if len(memory.rows) > 1}
    return any(
        isinstance(part, logic.Remembers) and part.reading is Reading.CLOCK and remembering & set(part.group.members)
        for part in subformulae(*formulae)
    )


def _as_formula(condition: Expr, known: Mapping[Expr, Formula]) -> Formula:
    """A guard as a formula."""
    found = known.get(condition)
    if found is not None:
        return found
    if not known.keys() & set(subterms(condition)):
        return Test(condition)
    args = tuple(_as_formula(one, known) for one in children(condition))
    match condition:
        case terms.Not():
            return logic.Not(args[0])
        case terms.And():
            return logic.And(args)
        case terms.Or():
            return logic.Or(args)
        case terms.Xor():
            return logic.Xor(args[0], args[1])
        case terms.AtLeast(number):
            return logic.Or(tuple(logic.And(several) for several in combinations(args, number)))
    raise AssertionError(f"no operator of conditions: {condition}")
