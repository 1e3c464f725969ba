"""A system as conditions for a solver: initial states and steps between frames, as ``model.step`` defines them.

Made for proving again what was found on `encoding.transitions`, so it shares nothing with that: see docs/decisions/021-counted-proofs.md.
"""

from __future__ import annotations

from typing import Any

import z3

from epistrat.encoding.smt.terms import SmtTerms
from epistrat.model.agent import Agent
from epistrat.model.state import State
from epistrat.model.system import Semantics, System
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.answer import Frame
from epistrat.solvers.smt.session import QUESTION, Session
from epistrat.terms import ActionIs, Expr, Terms, subterms
from epistrat.terms.substitute import substitute

_STEP = "<step>"
"""In an interleaved system one action name happens: it is kept as the action of this agent, which does not exist."""


class SmtSystem:
    """Initial condition, domains and steps of one system, translated once per frame."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.keys = tuple(system.position)
        if system.interleaved:
            names = dict.fromkeys(action for agent in system.agents for action in agent.actions)
            self._names = tuple(names)
            actions = {_STEP: self._names} if names else {}
        else:
            actions = {agent.name: agent.actions for agent in system.agents if agent.actions}
        self._actors = tuple(actions)
        self.terms = SmtTerms({variable.key: variable.domain for variable in system.variables}, actions)
        self._factory = Terms()
        self._rewritten: dict[Expr, Expr] = {}
        self._steps: dict[tuple[Frame, Frame], Any] = {}

    def session(self, budget: Budget | None = None, work: int = QUESTION) -> Session:
        """A solver for questions about this system."""
        return Session(self.terms, budget, work)

    def domains(self, frame: Frame) -> Any:
        """All variables have values of their domains."""
        return self.terms.all([self.terms.within(key, frame) for key in self.keys])

    def initial(self, frame: Frame = 0) -> Any:
        """The frame is an initial state."""
        return z3.And(self.domains(frame), self.terms.condition(self.system.initial, frame))

    def condition(self, expr: Expr, frame: Frame = 0) -> Any:
        """A condition on states, or on states and actions, in a frame."""
        return self.terms.condition(self._acting(expr), frame)

    def step(self, frame: Frame, later: Frame) -> Any:
        """A step leads from one frame to the other, as formulae see it; the first frame holds the actions.

        The frames' values are assumed to lie in their domains: an induction from `initial` keeps them there.
        """
        if (frame, later) not in self._steps:
            self._steps[frame, later] = self._step(frame, later)
        return self._steps[frame, later]

    def _step(self, frame: Frame, later: Frame) -> Any:
        if self.system.interleaved:
            moves = self._interleaved(frame, later)
            stay = self.terms.all([self.terms.unchanged(key, later, frame) for key in self.keys])
            return z3.Or(moves, z3.And(z3.Not(self.can_step(frame)), stay))
        parts = [self.terms.within((agent, "!"), frame) for agent in self._actors]
        parts += [self.allowed(agent, frame) for agent in self.system.agents if agent.actions]
        parts += [self._moves(agent, frame, later) for agent in self.system.agents]
        return self.terms.all(parts)

    def choices(self, frame: Frame) -> list[Any]:
        """The constants that say which actions are done in the frame."""
        return [term for actor in self._actors for term in self.terms.bits((actor, "!"), frame)]

    def allowed(self, agent: Agent, frame: Frame) -> Any:
        """The protocol allows the action that the agent does in the frame."""
        return self.terms.any(
            [z3.And(self._does(agent, action, frame), self.may(agent, action, frame)) for action in agent.actions]
        )

    def may(self, agent: Agent, action: str, frame: Frame) -> Any:
        """The protocol allows an action."""
        if agent.free:
            return z3.BoolVal(True, self.terms.context)
        lines = [self.terms.condition(line.condition, frame) for line in agent.protocol]
        listed = [term for term, line in zip(lines, agent.protocol, strict=True) if action in line.actions]
        if agent.other is not None and action in agent.other:
            listed.append(z3.Not(self.terms.any(lines)))
        return self.terms.any(listed)

    def _does(self, agent: Agent, action: str, frame: Frame) -> Any:
        return self.terms.is_name((_STEP if self.system.interleaved else agent.name, "!"), action, frame)

    def _acting(self, expr: Expr) -> Expr:
        """In an interleaved system "the agent does a" means that a happens and the agent has it."""
        if not self.system.interleaved:
            return expr
        found = self._rewritten.get(expr)
        if found is None:
            tests = [term for term in subterms(expr) if isinstance(term, ActionIs)]
            replaced: dict[Expr, Expr] = {
                test: self._factory.action(_STEP, test.action)
                if test.action in self.system.agent[test.agent].actions
                else self._factory.boolean(False)
                for test in tests
            }
            found = self._rewritten[expr] = substitute(self._factory, expr, replaced)
        return found

    def _moves(self, agent: Agent, frame: Frame, later: Frame) -> Any:
        """The agent's own variables get new values by its evolution."""
        guards = [self.condition(line.guard, frame) for line in agent.evolution]
        if self.system.semantics is Semantics.SINGLE:
            return self._single(agent, guards, frame, later)
        choices = []
        for line, guard in zip(agent.evolution, guards, strict=True):
            values = {(agent.name, a.target): a.value for a in line.assignments}
            parts = [guard]
            for variable in agent.variables:
                if variable.key in values:
                    parts.append(self.terms.fits(values[variable.key], variable.domain, frame))
                    parts.append(self.terms.assigned(variable.key, later, values[variable.key], frame))
                else:
                    parts.append(self.terms.unchanged(variable.key, later, frame))
            choices.append(self.terms.all(parts))
        stay = [self.terms.unchanged(variable.key, later, frame) for variable in agent.variables]
        return self.terms.any([*choices, self.terms.all([*map(z3.Not, guards), *stay])])

    def _single(self, agent: Agent, guards: list[Any], frame: Frame, later: Frame) -> Any:
        parts = []
        for variable in agent.variables:
            lines = [
                (guard, assignment.value)
                for line, guard in zip(agent.evolution, guards, strict=True)
                for assignment in line.assignments
                if assignment.target == variable.name
            ]
            choices = [
                z3.And(
                    guard,
                    self.terms.fits(value, variable.domain, frame),
                    self.terms.assigned(variable.key, later, value, frame),
                )
                for guard, value in lines
            ]
            stay = [z3.Not(guard) for guard, _ in lines]
            stay.append(self.terms.unchanged(variable.key, later, frame))
            parts.append(self.terms.any([*choices, self.terms.all(stay)]))
        return self.terms.all(parts)

    def _interleaved(self, frame: Frame, later: Frame) -> Any:
        if not self._actors:
            return z3.BoolVal(False, self.terms.context)
        parts = [self.terms.within((_STEP, "!"), frame)]
        for agent in self.system.agents:
            takes_part = self.terms.any([self._does(agent, action, frame) for action in agent.actions])
            stay = [self.terms.unchanged(variable.key, later, frame) for variable in agent.variables]
            moves = (
                z3.And(self.allowed(agent, frame), self._moves(agent, frame, later)) if agent.actions else takes_part
            )
            parts.append(z3.Or(moves, z3.And(z3.Not(takes_part), *stay)))
        return self.terms.all(parts)

    def can_step(self, frame: Frame) -> Any:
        """Some step of the agents' own exists from the frame (an interleaved system only)."""
        choices = []
        for name in self._names:
            parts = []
            for agent in self.system.agents:
                if name in agent.actions:
                    parts += [self.may(agent, name, frame), self._can_move(agent, name, frame)]
            choices.append(self.terms.all(parts))
        return self.terms.any(choices)

    def _can_move(self, agent: Agent, name: str, frame: Frame) -> Any:
        """The agent has a move when the action of that name happens."""
        happens: dict[Expr, Expr] = {
            self._factory.action(_STEP, other): self._factory.boolean(other == name) for other in self._names
        }

        def under(guard: Expr) -> Any:
            return self.terms.condition(substitute(self._factory, self._acting(guard), happens), frame)

        domains = {variable.name: variable.domain for variable in agent.variables}
        lines = [
            (
                under(line.guard),
                {a.target: self.terms.fits(a.value, domains[a.target], frame) for a in line.assignments},
            )
            for line in agent.evolution
        ]
        if self.system.semantics is Semantics.MULTI:
            moves = [z3.And(guard, *fits.values()) for guard, fits in lines]
            return self.terms.any([*moves, self.terms.all([z3.Not(guard) for guard, _ in lines])])
        parts = []
        for variable in agent.variables:
            own = [(guard, fits[variable.name]) for guard, fits in lines if variable.name in fits]
            parts.append(
                self.terms.any([*(z3.And(*line) for line in own), self.terms.all([z3.Not(g) for g, _ in own])])
            )
        return self.terms.all(parts)

    # -- models ---------------------------------------------------------------------------------------------------

    def state(self, model: Any, frame: Frame = 0) -> State:
        """The state that a model holds in a frame."""
        return tuple([self.terms.variable_value(model, key, frame) for key in self.keys])

    def equals(self, state: State, frame: Frame = 0) -> Any:
        """The frame holds this state."""
        parts = [
            self._factory.equals(variable.reference, value)
            for variable, value in zip(self.system.variables, state, strict=True)
        ]
        return self.terms.condition(self._factory.conjunction(parts), frame)
