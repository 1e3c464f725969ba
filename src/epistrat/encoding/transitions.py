"""A system as a symbolic transition system: expressions over the present state, inputs, and the next state.

Definition.  A `Transitions` has state variables, *inputs* (chosen anew at every step: actions, and which of several enabled
evolution lines is executed), conjuncts of the initial condition, and *parts*.  A step leads from s to s' iff some values of the
inputs satisfy all parts.  The next value of variable x is written ``x'``.  The steps are exactly those of ``model/step.py``:
an assignment that leaves its target's domain has no solution, because ``x'`` ranges over the domain of x.

A part fixes the next values of some variables, or restricts some inputs.  Parts are kept apart so that those a question does
not depend on can be left out (`encoding.cone`); ``blocks`` says where that would admit steps that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from epistrat import terms as t
from epistrat.encoding.fits import Fits, NotEncodable as NotEncodable
from epistrat.encoding.overlap import disjoint
from epistrat.model.agent import Agent, Variable
from epistrat.model.alternatives import allowed_where, alternatives
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.terms import FALSE, TRUE, Domain, Expr, Key, Terms, children, subterms
from epistrat.terms.substitute import rebuilt

PRIME = "'"
ACTION = "?action"
IDLE = "?idle"
LINE = "?line"
NO_LINE = "?none"


@dataclass(frozen=True)
class StepPart:
    """A conjunct of the step relation.  ``defines`` are the variables whose next value, or the inputs whose value, it fixes.

    ``blocks`` is a condition on state and inputs that holds wherever the part has no solution (and perhaps elsewhere).
    ``writes``, if not None, says the same as the relation of a part that fixes one variable: pairs of a condition and the value that the
    variable gets where it holds; at most one condition holds, and where none does the variable keeps its value.
    """

    relation: Expr
    defines: tuple[Key, ...]
    blocks: Expr = FALSE
    writes: tuple[tuple[Expr, Expr], ...] | None = None


@dataclass(frozen=True)
class Transitions:
    """See the module's description."""

    variables: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    initial: tuple[Expr, ...]
    parts: tuple[StepPart, ...]
    terms: Terms = field(default_factory=Terms, compare=False)

    @property
    def finite(self) -> bool:
        """Whether every variable has finitely many values."""
        return all(variable.domain.finite for variable in self.variables)

    @property
    def total(self) -> bool:
        """Whether it is plain that every state has a successor."""
        return all(part.blocks == FALSE for part in self.parts)

    @property
    def domains(self) -> dict[Key, Domain]:
        """The domain of every variable, input and next value."""
        domains = {variable.key: variable.domain for variable in (*self.variables, *self.inputs)}
        domains.update({primed_key(variable.key): variable.domain for variable in self.variables})
        return domains

    def extended(
        self,
        variables: Iterable[Variable] = (),
        initial: Iterable[Expr] = (),
        parts: Iterable[StepPart] = (),
        inputs: Iterable[Variable] = (),
    ) -> Transitions:
        """The same system with more variables, conditions and parts."""
        return Transitions(
            (*self.variables, *variables),
            (*self.inputs, *inputs),
            (*self.initial, *initial),
            (*self.parts, *parts),
            self.terms,
        )


def primed_key(key: Key) -> Key:
    """The name of a variable's next value."""
    return key[0], key[1] + PRIME


def primed(expr: Expr, terms: Terms, memo: dict[Expr, Expr]) -> Expr:
    """The same condition on the next state."""
    return rewrite(expr, terms, lambda leaf: _primed_leaf(leaf, terms), memo)


def _primed_leaf(leaf: Expr, terms: Terms) -> Expr:
    return terms.variable(leaf.agent, leaf.name + PRIME, leaf.sort) if isinstance(leaf, t.Var) else leaf


def same_truth(terms: Terms, one: Expr, other: Expr) -> Expr:
    """Both conditions hold, or neither."""
    return terms.negate(terms.exclusive(one, other))


def writing(terms: Terms, variable: Variable, value: Expr) -> StepPart:
    """The part by which a variable gets a value at every step."""
    new = terms.variable(*primed_key(variable.key), variable.domain.sort)
    boolean = isinstance(variable.domain, t.Boolean)
    relation = same_truth(terms, new, value) if boolean else terms.compare("=", new, value)
    return StepPart(relation, (variable.key,), writes=((TRUE, value),))


def guessing(terms: Terms, variable: Variable) -> tuple[Variable, StepPart]:
    """An input, and the part by which the Boolean variable gets its value: it changes freely."""
    choice = Variable(variable.owner, f"{variable.name}?", t.Boolean())
    return choice, writing(terms, variable, choice.reference)


def rewrite(expr: Expr, terms: Terms, change: Callable[[Expr], Expr], memo: dict[Expr, Expr]) -> Expr:
    """The expression with ``change`` applied to its leaves.  ``memo`` serves all rewritings by the same change."""
    if expr in memo:
        return memo[expr]
    for term in subterms(expr):
        if term not in memo:
            below = children(term)
            memo[term] = rebuilt(terms, term, [memo[child] for child in below]) if below else change(term)
    return memo[expr]


def transitions(system: System) -> Transitions:
    """The system's initial condition and steps as expressions."""
    return _Encoder(system).result()


class _Encoder:
    def __init__(self, system: System) -> None:
        self._system = system
        self._terms = Terms()
        self._inputs: list[Variable] = []
        self._parts: list[StepPart] = []
        self._memo: dict[Expr, Expr] = {}
        self._fits = Fits(self._terms, {variable.key: variable.domain for variable in system.variables})

    def result(self) -> Transitions:
        system = self._system
        if system.interleaved:
            self._interleaved_actions()
        else:
            for agent in system.agents:
                self._synchronous_action(agent)
        for agent in system.agents:
            self._evolution(agent)
        initial = system.initial.args if isinstance(system.initial, t.And) else (system.initial,)
        return Transitions(
            system.variables,
            tuple(self._inputs),
            tuple(part for part in initial if part != TRUE),
            tuple(self._parts),
            self._terms,
        )

    # Who does what

    def _action_variable(self, agent: str) -> t.Var:
        return t.Var("" if self._system.interleaved else agent, ACTION, _NAME)

    def _of_action(self, expr: Expr) -> Expr:
        """Tests of actions as tests of the inputs that choose them."""
        return rewrite(expr, self._terms, self._action_leaf, self._memo)

    def _action_leaf(self, leaf: Expr) -> Expr:
        if not isinstance(leaf, t.ActionIs):
            return leaf
        agent = self._system.agent.get(leaf.agent)
        if agent is None or leaf.action not in agent.actions:
            return FALSE
        return self._equals(self._action_variable(leaf.agent), leaf.action)

    def _equals(self, variable: t.Var, name: str) -> Expr:
        return self._terms.compare("=", self._terms.variable(*variable.key, variable.sort), self._terms.name(name))

    def _synchronous_action(self, agent: Agent) -> None:
        if not agent.actions:
            return
        terms, chosen = self._terms, self._action_variable(agent.name)
        self._inputs.append(Variable(agent.name, ACTION, t.Enumeration(agent.actions)))
        allowed = allowed_where(terms, agent)
        rules = [
            terms.disjunction((terms.negate(self._equals(chosen, action)), where)) for action, where in allowed.items()
        ]
        blocks: Expr = FALSE
        if not agent.free and agent.other is None:
            blocks = terms.negate(terms.disjunction(allowed.values()))
        elif agent.other == ():
            blocks = terms.negate(terms.disjunction(line.condition for line in agent.protocol))
        self._parts.append(StepPart(terms.conjunction(rules), (chosen.key,), blocks))

    def _interleaved_actions(self) -> None:
        """One action happens, which all who declare it allow; nobody acts where no action can be completed."""
        terms, agents = self._terms, self._system.agents
        names = tuple(dict.fromkeys(action for agent in agents for action in agent.actions))
        chosen = t.Var("", ACTION, _NAME)
        self._inputs.append(Variable("", ACTION, t.Enumeration((*names, IDLE))))
        may = {agent.name: allowed_where(terms, agent) for agent in agents}
        rules: list[Expr] = []
        complete: list[Expr] = []
        for name in names:
            takers = [agent for agent in agents if name in agent.actions]
            allowed = terms.conjunction(may[agent.name][name] for agent in takers)
            rules.append(terms.disjunction((terms.negate(self._equals(chosen, name)), allowed)))
            complete.append(terms.conjunction((allowed, *(self._can_move(agent, name) for agent in takers))))
        stuck = terms.negate(terms.disjunction(complete))
        rules.append(terms.disjunction((terms.negate(self._equals(chosen, IDLE)), stuck)))
        self._parts.append(StepPart(terms.conjunction(rules), (chosen.key,)))

    def _can_move(self, agent: Agent, action: str) -> Expr:
        """Where the agent, taking part in an action, has a move: see `model.step`."""
        terms = self._terms
        memo: dict[Expr, Expr] = {}

        def under(expr: Expr) -> Expr:
            def leaf(one: Expr) -> Expr:
                return terms.boolean(one.action == action) if isinstance(one, t.ActionIs) else one

            return rewrite(expr, terms, leaf, memo)

        conditions: list[Expr] = []
        for group in alternatives(agent, self._system.semantics):
            guards = [under(line.guard) for _, line in group.lines]
            fits = [
                terms.conjunction(
                    self._fits.exactly((agent.name, one.target), under(one.value)) for one in line.assignments
                )
                for _, line in group.lines
            ]
            if all(fit == TRUE for fit in fits):
                continue
            moves = [terms.conjunction(pair) for pair in zip(guards, fits, strict=True)]
            conditions.append(terms.disjunction((terms.negate(terms.disjunction(guards)), *moves)))
        return terms.conjunction(conditions)

    # What happens then

    def _evolution(self, agent: Agent) -> None:
        takes_part = self._takes_part(agent)
        owned = {variable.name: variable for variable in agent.variables}
        for group in alternatives(agent, self._system.semantics):
            lines = [
                (
                    self._terms.conjunction((takes_part, self._of_action(line.guard))),
                    {one.target: self._of_action(one.value) for one in line.assignments},
                )
                for _, line in group.lines
            ]
            always = self._always(lines)
            if always and always == lines[-1][1]:
                lines = lines[:-1]
            choice = LINE if len(group.variables) == len(owned) else f"{LINE} of {group.variables[0]}"
            chosen = self._choice(agent.name, choice, [guard for guard, _ in lines])
            for name in group.variables:
                writes = [
                    (when, values[name]) for when, (_, values) in zip(chosen, lines, strict=True) if name in values
                ]
                self._assign(owned[name], [(TRUE, always[name])] if name in always else writes)

    def _always(self, lines: Sequence[tuple[Expr, dict[str, Expr]]]) -> dict[str, Expr]:
        """What is assigned whatever happens: by every line, the last being for "none of the others"; memory is of that kind."""
        terms = self._terms
        if not lines or lines[-1][0] != terms.negate(terms.disjunction(guard for guard, _ in lines[:-1])):
            return {}
        return {name: value for name, value in lines[-1][1].items() if all(one.get(name) == value for _, one in lines)}

    def _takes_part(self, agent: Agent) -> Expr:
        if not self._system.interleaved:
            return TRUE
        chosen = self._action_variable(agent.name)
        return self._terms.disjunction(self._equals(chosen, action) for action in agent.actions)

    def _choice(self, owner: str, name: str, guards: Sequence[Expr]) -> list[Expr]:
        """Conditions under which each line is executed: its guard where lines exclude each other, else a free choice."""
        if len(guards) < 2 or disjoint(guards):
            return list(guards)
        terms, chosen = self._terms, t.Var(owner, name, _NAME)
        labels = [f"line {number}" for number in range(1, len(guards) + 1)]
        self._inputs.append(Variable(owner, name, t.Enumeration((*labels, NO_LINE))))
        when = [self._equals(chosen, label) for label in labels]
        rules = [terms.disjunction((terms.negate(this), guard)) for this, guard in zip(when, guards, strict=True)]
        none = terms.disjunction((terms.negate(self._equals(chosen, NO_LINE)), terms.negate(terms.disjunction(guards))))
        self._parts.append(StepPart(terms.conjunction((*rules, none)), ((owner, name),)))
        return when

    def _assign(self, variable: Variable, writes: Sequence[tuple[Expr, Expr]]) -> None:
        terms = self._terms
        new = terms.variable(*primed_key(variable.key), variable.domain.sort)
        stays = terms.compare("=", new, terms.variable(*variable.key, variable.domain.sort))
        rules = [terms.disjunction((terms.negate(when), terms.compare("=", new, value))) for when, value in writes]
        rules.append(terms.disjunction((*(when for when, _ in writes), stays)))
        blocks = terms.disjunction(
            terms.conjunction((when, terms.negate(self._fits.surely(variable.domain, value)))) for when, value in writes
        )
        self._parts.append(StepPart(terms.conjunction(rules), (variable.key,), blocks, tuple(writes)))


_NAME = t.Enumeration(()).sort
