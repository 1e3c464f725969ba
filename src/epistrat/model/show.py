"""A system as ISPL text that reads back to an equal system.

The text keeps to what MCMAS accepts wherever the system does: order of sections, comparisons with ``true`` and ``false``, ``<>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epistrat.logic.formula import Reading
from epistrat.logic.show import show
from epistrat.model.agent import Agent, ChoiceList, EvolutionLine, Variable, asked
from epistrat.model.system import Semantics, System
from epistrat.terms import Expr
from epistrat.terms.show import show_condition, show_expr

_INDENT = "  "


def to_ispl(system: System) -> str:
    """The system as an ISPL program."""
    return "\n".join(_program(system)) + "\n"


def _program(system: System) -> Iterator[str]:
    if system.interleaved:
        yield f"Composition = {system.composition.value};"
    if system.semantics is not Semantics.MULTI:
        yield f"Semantics = {system.semantics.value};"
    if system.knowledge is not Reading.OBSERVATION:
        yield f"Knowledge = {system.knowledge.value.capitalize()};"
    for agent in system.agents:
        yield from _agent(agent)
    yield from _section(
        "Evaluation", (f"{name} if {show_condition(expr)};" for name, expr in system.propositions.items())
    )
    yield from _section("InitStates", [show_condition(system.initial) + ";"])
    if system.groups:
        yield from _section(
            "Groups", (f"{name} = {{{', '.join(members)}}};" for name, members in system.groups.items())
        )
    if system.goals:
        yield from _section("Goals", (f"{agent} : {show(goal, written_out=True)};" for agent, goal in system.goals))
    if system.fairness:
        yield from _section("Fairness", (show(formula, written_out=True) + ";" for formula in system.fairness))
    names = system.formula_names or [""] * len(system.formulae)
    formulae = zip(names, system.formulae, strict=True)
    yield from _section(
        "Formulae", (f"{name and f'{name}: '}{show(formula, written_out=True)};" for name, formula in formulae)
    )


def _section(name: str, lines: Iterable[str], colon: str = "", indent: str = "") -> Iterator[str]:
    yield f"{indent}{name}{colon}"
    for line in lines:
        yield indent + _INDENT + line
    yield f"{indent}end {name}"


def _agent(agent: Agent) -> Iterator[str]:
    yield f"Agent {agent.name}"
    public = [variable for variable in agent.variables if variable.public]
    private = [variable for variable in agent.variables if not variable.public]
    if public:
        yield from _section("Obsvars", map(_declaration, public), ":", _INDENT)
    if agent.observes:
        yield f"{_INDENT}Lobsvars = {{{', '.join(agent.observes)}}};"
    if private or not agent.is_environment:
        yield from _section("Vars", map(_declaration, private), ":", _INDENT)
    if agent.red is not None:
        yield from _section("RedStates", [show_condition(agent.red, agent.name) + ";"], ":", _INDENT)
    yield f"{_INDENT}Actions = {{{', '.join(agent.actions)}}};"
    yield from _section("Protocol", _protocol(agent), ":", _INDENT)
    yield from _section("Evolution", (line_to_ispl(agent.name, line) for line in agent.evolution), ":", _INDENT)
    yield "end Agent"


def _declaration(variable: Variable) -> str:
    return f"{variable.name} : {variable.domain};"


def _protocol(agent: Agent) -> Iterator[str]:
    for number in range(len(agent.protocol)):
        yield protocol_line(agent, number)
    if agent.other is not None:
        yield f"Other : {_choices(agent.other, agent.other_choices)};"


def protocol_line(agent: Agent, number: int) -> str:
    """A line of the agent's protocol."""
    line = agent.protocol[number]
    return f"{_guard(agent, line.condition)} : {_choices(line.actions, line.choices)};"


def _guard(agent: Agent, condition: Expr) -> str:
    """A condition of the protocol, with what it asks of knowledge in its place."""
    text = show_condition(condition, agent.name)
    for formula in agent.knows:
        name = asked(agent.name, formula).name
        text = text.replace(f"{name} = true", name[1:]).replace(f"{name} = false", f"!{name[1:]}")
    return text


def _choices(actions: tuple[str, ...], choices: ChoiceList) -> str:
    sets = [one[0] if len(one) == 1 else f"{{{', '.join(one)}}}" for one in choices]
    return f"{{{', '.join(sets or actions)}}}"


def line_to_ispl(agent: str, line: EvolutionLine) -> str:
    """An evolution line of the agent."""
    made = " and ".join(f"{one.target} = {show_expr(one.value, agent)}" for one in line.assignments)
    return f"{made} if {show_condition(line.guard, agent)};"
