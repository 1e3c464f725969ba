"""Interpreted systems: agents, how they are composed, where they start, and what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property

from epistrat.logic.formula import Formula, Group, Reading
from epistrat.model.agent import ENVIRONMENT, Agent, Variable
from epistrat.records import dataclass, field, fields
from epistrat.terms import TRUE, Arith, Expr, subterms
from epistrat.terms.linear import linear_form


class Composition(Enum):
    """How the agents' moves make a global step."""

    SYNCHRONOUS = "Synchronous"
    INTERLEAVED = "Interleaved"


class Blocking(Enum):
    """What happens in an interleaved system where the choices of a group leave nothing (see `epistrat.model.play`)."""

    WAIT = "wait"
    ADVERSARY = "adversary"
    IGNORE = "ignore"


class Scheduling(Enum):
    """Which plays of an interleaved system count besides fairness constraints (see `epistrat.model.play`)."""

    ANY = "any"
    FAIR = "fair"


class Semantics(Enum):
    """How evolution lines are read: one line at a time, or one line per variable."""

    MULTI = "MultiAssignment"
    SINGLE = "SingleAssignment"


@dataclass(frozen=True)
class System:
    """A checked model.  Immutable; everything derived from it is computed on demand and kept.

    The Environment, if there is one, comes first among the agents.  ``fairness`` are state formulae: along a fair path each
    of them holds infinitely often.  ``formula_names`` are the names of the formulae, in their order and empty for those without; there are
    none at all if no formula has one.  ``constants`` are the parameters and constants of the text, for formulae asked later.

    ``goals`` are what agents want, each a path formula over states, for equilibria.  ``knowledge`` is how operators of knowledge are
    read that do not say it themselves.

    Equality is equality of the model, wherever it came from.  ``blocking`` and ``scheduling`` say how strategies are read in an interleaved
    system; they are not part of the text.
    """

    agents: tuple[Agent, ...]
    initial: Expr = TRUE
    composition: Composition = Composition.SYNCHRONOUS
    semantics: Semantics = Semantics.MULTI
    propositions: Mapping[str, Expr] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fairness: tuple[Formula, ...] = ()
    formulae: tuple[Formula, ...] = ()
    formula_names: tuple[str, ...] = ()
    constants: Mapping[str, int] = field(default_factory=dict, compare=False)
    blocking: Blocking = Blocking.WAIT
    scheduling: Scheduling = Scheduling.ANY
    goals: tuple[tuple[str, Formula], ...] = ()
    knowledge: Reading = Reading.OBSERVATION

    def __getstate__(self) -> dict[str, object]:
        """The model alone, for pickling: another thread may be deriving something from it just now."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def is_program(self) -> bool:
        """Whether what agents may do depends on what they know."""
        return any(agent.knows for agent in self.agents)

    @property
    def interleaved(self) -> bool:
        """Whether one action happens at a time."""
        return self.composition is Composition.INTERLEAVED

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, agent by agent; a state is a tuple of values in this order."""
        return tuple(variable for agent in self.agents for variable in agent.variables)

    @cached_property
    def position(self) -> dict[tuple[str, str], int]:
        """Where in a state the variable (owner, name) stands."""
        return {variable.key: index for index, variable in enumerate(self.variables)}

    @cached_property
    def agent(self) -> dict[str, Agent]:
        """The agents by name."""
        return {agent.name: agent for agent in self.agents}

    @property
    def environment(self) -> Agent | None:
        """The Environment, if the model writes one."""
        return self.agent.get(ENVIRONMENT)

    @property
    def finite(self) -> bool:
        """Whether every variable has finitely many values."""
        return all(variable.domain.finite for variable in self.variables)

    @cached_property
    def views(self) -> dict[str, tuple[int, ...]]:
        """What each agent sees: the positions of the variables that make up its local state.

        Its own variables, the Environment's public ones, and those it lists as locally observed.  The Environment sees all its own
        variables.  An Environment that is not written sees nothing, so it cannot tell any two states apart.
        """
        own: dict[str, list[int]] = {agent.name: [] for agent in self.agents}
        public: list[int] = []
        listed: dict[str, int] = {}
        for index, variable in enumerate(self.variables):
            own[variable.owner].append(index)
            if variable.owner == ENVIRONMENT:
                listed[variable.name] = index
                public += [index] if variable.public else []
        views: dict[str, tuple[int, ...]] = {ENVIRONMENT: ()}
        for agent in self.agents:
            observed = [listed[name] for name in agent.observes if name in listed]
            views[agent.name] = tuple(sorted({*own[agent.name], *public, *observed}))
        return {name: view for name, view in views.items() if name != ENVIRONMENT or not self.interleaved}

    @cached_property
    def product(self) -> Expr | None:
        """A term in which variables are multiplied, or divided by, if the model has one."""
        roots = [self.initial, *self.propositions.values()]
        for agent in self.agents:
            roots += [line.condition for line in agent.protocol] + [line.guard for line in agent.evolution]
            roots += [assignment.value for line in agent.evolution for assignment in line.assignments]
        terms = subterms(*roots)
        return next((term for term in terms if isinstance(term, Arith) and linear_form(term) is None), None)

    def group(self, name: str) -> Group:
        """The group of that name."""
        return Group(self.groups[name], name)

    def pooled_view(self, group: Group) -> tuple[int, ...]:
        """What the members of a group see together."""
        return tuple(sorted({index for member in group.members for index in self.views[member]}))
