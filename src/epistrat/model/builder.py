"""Models written in Python.

    model = Builder()
    lamp = model.agent("Lamp")
    on = lamp.boolean("on")
    lamp.actions("press", "wait")
    lamp.may("press", "wait")
    lamp.evolve(lamp.action == "press", on=~on)
    model.initial(~on)
    system = model.build()

The calls mirror the sections of ISPL one by one, and the system built equals the one its ISPL twin gives.  Mistakes raise `ModelError`
at the call that makes them where it can be known there, else in `build`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set as AbstractSet
from dataclasses import replace
from typing import TypeAlias

from epistrat.logic.formula import Formula
from epistrat.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    ChoiceList,
    EvolutionLine,
    ProtocolLine,
    Variable,
    choices_among,
)
from epistrat.model.handles import ActionHandle, ModelError, Operand, Term, constant, domain_of
from epistrat.model.system import Composition, Semantics, System
from epistrat.terms import ActionIs, Boolean, Domain, Enumeration, Expr, Integer, Real, Sort, Terms, Var, subterms
from epistrat.terms.show import show_expr

FormulaReader: TypeAlias = Callable[[str, System], Formula]
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\[-?\d+(,-?\d+)*\])?\Z")  # perhaps a member of a family


class AgentBuilder:
    """One agent of a model under construction."""

    def __init__(self, factory: Terms, name: str) -> None:
        self.name = _name(name)
        self.action = ActionHandle(factory, name)
        self._factory = factory
        self._handles: dict[str, Term] = {}
        self._variables: list[Variable] = []
        self._observes: dict[str, None] = {}
        self._actions: dict[str, None] = {}
        self._protocol: list[ProtocolLine] = []
        self._other: tuple[str, ...] | None = None
        self._other_choices: ChoiceList = ()
        self._evolution: list[EvolutionLine] = []
        self._red: Expr | None = None

    def __getitem__(self, variable: str) -> Term:
        """The variable of that name."""
        try:
            return self._handles[variable]
        except KeyError:
            own = ", ".join(self._handles)
            known = f"its variables are {own}" if own else "it has none"
            raise ModelError(f"{self.name} has no variable {variable}: {known}") from None

    def variable(
        self, name: str, domain: Domain | range | Sequence[str] | tuple[int, int], *, public: bool = False
    ) -> Term:
        """Declare a variable.  ``public`` (Environment only): every agent sees it."""
        if name in self._handles:
            raise ModelError(f"{self.name} already has a variable {name}")
        if public and self.name != ENVIRONMENT:
            raise ModelError(f"{self.name}.{name}: only variables of the Environment can be public")
        known = domain if isinstance(domain, Domain) else domain_of(domain)
        variable = Variable(self.name, _name(name), known, public)
        self._variables.append(variable)
        reference = self._factory.variable(self.name, name, known.sort)
        handle = self._handles[name] = Term(self._factory, reference, known)
        return handle

    def boolean(self, name: str, *, public: bool = False) -> Term:
        """Declare a Boolean variable."""
        return self.variable(name, Boolean(), public=public)

    def enum(self, name: str, *values: str | Iterable[str], public: bool = False) -> Term:
        """Declare an enumeration variable with these values: ``enum("colour", "red", "green")``, or a list of them."""
        listed = [value for one in values for value in ([one] if isinstance(one, str) else one)]
        for value in listed:
            if isinstance(value, str) and len(value.split()) > 1:
                given = ", ".join(repr(one) for one in value.replace(",", " ").split())
                raise ModelError(f"{value!r} is no value: write each on its own, enum({name!r}, {given})")
        if not listed:
            raise ModelError(f"{self.name}.{name}: an enumeration has at least one value")
        return self.variable(name, Enumeration(tuple(_name(value) for value in listed)), public=public)

    def range(self, name: str, low: int, high: int, *, public: bool = False) -> Term:
        """Declare an integer variable with values from low to high."""
        return self.variable(name, (low, high), public=public)

    def integer(self, name: str, *, public: bool = False) -> Term:
        """Declare an unbounded integer variable."""
        return self.variable(name, Integer(), public=public)

    def real(self, name: str, *, public: bool = False) -> Term:
        """Declare a real variable."""
        return self.variable(name, Real(), public=public)

    def sees(self, *variables: Term | str) -> None:
        """Let the agent see private variables of the Environment (Lobsvars)."""
        for variable in variables:
            name = variable if isinstance(variable, str) else _environment_variable(self.name, variable)
            self._observes[name] = None

    def actions(self, *names: str | Iterable[str]) -> None:
        """Declare actions: ``actions("go", "stop")``, or a list of them."""
        listed = [name for one in names for name in ([one] if isinstance(one, str) else one)]
        self._actions.update(dict.fromkeys(map(_name, listed)))

    def may(self, *actions: str | AbstractSet[str], when: Operand = True) -> None:
        """A protocol line: where the condition holds, the agent may do any of these actions.

        A set of actions is one choice of a strategy: whichever of them comes (in interleaved models).
        """
        self._protocol.append(ProtocolLine(self._condition(when), *self._line(actions)))

    def otherwise(self, *actions: str | AbstractSet[str]) -> None:
        """The Other line: what the agent may do where no protocol line applies."""
        self._other, self._other_choices = self._line(actions)

    def _line(self, written: Iterable[str | AbstractSet[str]]) -> tuple[tuple[str, ...], ChoiceList]:
        """The actions of a protocol line, and its choices."""
        sets = [(one,) if isinstance(one, str) else tuple(a for a in self._actions if a in one) for one in written]
        unknown = [action for one in written if not isinstance(one, str) for action in one]
        self._declared(sorted(unknown))
        return self._declared(a for one in sets for a in one), choices_among(list(self._actions), sets)

    def evolve(self, when: Operand = True, /, **assignments: Operand) -> None:
        """An evolution line: when the condition holds, the named variables take these values, together."""
        if not assignments:
            raise ModelError(f"{self.name}: an evolution line assigns at least one variable")
        made = tuple(self._assignment(name, value) for name, value in assignments.items())
        self._evolution.append(EvolutionLine(made, self._condition(when)))

    def red(self, condition: Operand) -> None:
        """The agent's red states: where it behaves incorrectly."""
        self._red = self._condition(condition)

    def _condition(self, condition: Operand) -> Expr:
        return _truth(self._factory, condition, f"{self.name}: ")

    def _declared(self, actions: Iterable[str]) -> tuple[str, ...]:
        wanted = tuple(dict.fromkeys(actions))
        for action in wanted:
            if action not in self._actions:
                raise ModelError(f"{self.name} has no action {action}; declare it with actions({action!r})")
        return wanted

    def _assignment(self, name: str, value: Operand) -> Assignment:
        target = self[name]
        expr = _expression(self._factory, value)
        if expr.sort is not target.expr.sort:
            raise ModelError(
                f"{self.name}.{name} is {_article(target.expr.sort.value)} and cannot become {_article(expr.sort.value)}"
            )
        if not isinstance(value, Term) and target.domain is not None and value not in target.domain:
            raise ModelError(f"{self.name}.{name} cannot become {value}: its values are {target.domain}")
        return Assignment(name, expr)

    def build(self) -> Agent:
        """The agent as it stands."""
        ordered = sorted(self._variables, key=lambda variable: not variable.public)
        return Agent(
            self.name,
            tuple(ordered),
            tuple(self._observes),
            tuple(self._actions),
            tuple(self._protocol),
            self._other,
            tuple(self._evolution),
            self._red,
            self._other_choices,
        )


class Builder:
    """A model under construction.

    Formulae are `Formula` values, or texts if the builder was given a reader for them (the one in `epistrat` was).
    """

    def __init__(self, *, interleaved: bool = False, single: bool = False, reader: FormulaReader | None = None) -> None:
        self.terms = Terms()
        self._composition = Composition.INTERLEAVED if interleaved else Composition.SYNCHRONOUS
        self._semantics = Semantics.SINGLE if single else Semantics.MULTI
        self._reader = reader
        self._agents: dict[str, AgentBuilder] = {}
        self._initial: list[Expr] = []
        self._propositions: dict[str, Expr] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        self._fairness: list[Formula | str] = []
        self._formulae: list[Formula | str] = []
        self._formula_names: list[str] = []

    def agent(self, name: str) -> AgentBuilder:
        """A new agent."""
        if name in self._agents:
            raise ModelError(f"there already is an agent {name}")
        if name == ENVIRONMENT and self._composition is Composition.INTERLEAVED:
            raise ModelError("an interleaved model has no Environment")
        made = self._agents[name] = AgentBuilder(self.terms, name)
        return made

    def environment(self) -> AgentBuilder:
        """The Environment; may be called at any time, it always comes first."""
        return self._agents[ENVIRONMENT] if ENVIRONMENT in self._agents else self.agent(ENVIRONMENT)

    def initial(self, *conditions: Operand) -> None:
        """Conditions that hold in the initial states, all of them together."""
        for condition in conditions:
            self._initial.append(self._state_condition(condition))

    def proposition(self, name: str, condition: Operand) -> None:
        """A named condition that formulae can use."""
        self._propositions[_name(name)] = self._state_condition(condition)

    def group(self, name: str, *members: AgentBuilder | str) -> None:
        """A named group of agents."""
        names = [member if isinstance(member, str) else member.name for member in members]
        self._groups[_name(name)] = tuple(dict.fromkeys(names))

    def fairness(self, *constraints: Formula | str) -> None:
        """State formulae that hold infinitely often on every fair run."""
        self._fairness.extend(constraints)

    def formula(self, *formulae: Formula | str, **named: Formula | str) -> None:
        """Formulae to check; those given by keyword have that name."""
        self._formulae += [*formulae, *named.values()]
        self._formula_names += [*[""] * len(formulae), *named]

    def build(self) -> System:
        """The finished system."""
        ordered = sorted(self._agents.values(), key=lambda agent: agent.name != ENVIRONMENT)
        system = System(
            agents=tuple(agent.build() for agent in ordered),
            initial=self.terms.conjunction(self._initial),
            composition=self._composition,
            semantics=self._semantics,
            propositions=dict(self._propositions),
            groups=dict(self._groups),
        )
        _validate(system)
        fairness = tuple(self._read(formula, system) for formula in self._fairness)
        formulae = tuple(self._read(formula, system) for formula in self._formulae)
        names = tuple(self._formula_names) if any(self._formula_names) else ()
        return replace(system, fairness=fairness, formulae=formulae, formula_names=names)

    def _state_condition(self, condition: Operand) -> Expr:
        return _truth(self.terms, condition)

    def _read(self, formula: Formula | str, system: System) -> Formula:
        if not isinstance(formula, str):
            return formula
        if self._reader is None:
            raise ModelError("formulae as text need epistrat.Builder, which can read them")
        return self._reader(formula, system)


def _validate(system: System) -> None:
    """Everything that can be known only when all agents are there: who sees what, and who does what."""
    if not any(not agent.is_environment for agent in system.agents):
        raise ModelError("a model needs at least one agent besides the Environment")
    for agent in system.agents:
        _validate_agent(system, agent)
    for what, condition in [("the initial condition", system.initial), *system.propositions.items()]:
        for term in subterms(condition):
            if isinstance(term, ActionIs):
                raise ModelError(f"{what}: actions can be tested only in evolution lines")
            if isinstance(term, Var) and term.key not in system.position:
                raise ModelError(f"{what}: there is no variable {term.agent}.{term.name}")
    for name, members in system.groups.items():
        unknown = [member for member in members if member not in system.views]
        if unknown or not members:
            raise ModelError(
                f"group {name}: " + (f"there is no agent {unknown[0]}" if unknown else "it has no members")
            )


def _validate_agent(system: System, agent: Agent) -> None:
    private = {v.name for v in system.environment.variables if not v.public} if system.environment else set()
    for name in agent.observes:
        if name not in private:
            raise ModelError(f"{agent.name} cannot see {name}: the Environment has no private variable of that name")
    if not system.interleaved and (agent.other_choices or any(line.choices for line in agent.protocol)):
        raise ModelError(f"{agent.name}: a choice of several actions is for interleaved models")
    if system.semantics is Semantics.SINGLE and any(len(line.assignments) != 1 for line in agent.evolution):
        raise ModelError(f"{agent.name}: with single assignment, an evolution line assigns exactly one variable")
    seen = {system.variables[index].key for index in system.views[agent.name]}
    values = [assignment.value for line in agent.evolution for assignment in line.assignments]
    conditions = [line.condition for line in agent.protocol] + ([agent.red] if agent.red is not None else [])
    guards = [line.guard for line in agent.evolution]
    for term in subterms(*values, *conditions, *guards):
        if isinstance(term, Var) and term.key not in seen:
            raise ModelError(f"{agent.name} cannot see {term.agent}.{term.name}")
    if any(isinstance(term, ActionIs) for term in subterms(*values, *conditions)):
        raise ModelError(f"{agent.name}: actions can be tested only in the conditions of evolution lines")
    for term in subterms(*guards):
        if isinstance(term, ActionIs):
            _validate_action(system, agent, term)


def _validate_action(system: System, agent: Agent, test: ActionIs) -> None:
    if system.interleaved and test.agent != agent.name:
        raise ModelError(f"{agent.name}: in an interleaved model an agent tests only its own action")
    actor = system.agent.get(test.agent)
    if actor is None or test.action not in actor.actions:
        raise ModelError(f"{agent.name}: {test.agent} has no action {test.action}")


def _environment_variable(agent: str, variable: Term) -> str:
    expr = variable.expr
    if not isinstance(expr, Var) or expr.agent != ENVIRONMENT:
        raise ModelError(f"{agent} can be given sight only of variables of the Environment")
    return expr.name


def _expression(factory: Terms, value: Operand) -> Expr:
    """A value or condition as an expression of this model."""
    if not isinstance(value, Term):
        return constant(factory, value)
    if value.factory is not factory:
        raise ModelError(f"`{show_expr(value.expr)}` belongs to another builder: models do not share variables")
    return value.expr


def _truth(factory: Terms, condition: Operand, where: str = "") -> Expr:
    """A condition as an expression of this model; ``where`` is what a message begins with."""
    if isinstance(condition, str):
        raise ModelError(
            f"{where}a condition is written with Python's operators, (x > 1) & ~y, not as the text {condition!r}"
        )
    expr = _expression(factory, condition)
    if expr.sort is not Sort.BOOLEAN:
        raise ModelError(f"{where}a condition is needed here, not {_article(expr.sort.value)}")
    return expr


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _name(name: str) -> str:
    if not isinstance(name, str):
        raise ModelError(f"a name is a text, not {name!r}")
    if not _NAME.match(name):
        raise ModelError(f"{name!r} is no name: a letter, then letters, digits and underscores")
    return name


__all__ = ["AgentBuilder", "Builder", "ModelError"]
