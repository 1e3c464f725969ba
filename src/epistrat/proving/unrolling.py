"""A transition system unrolled in time, in one SMT session: frame 0, 1, 2, ... joined by steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import z3

from epistrat.encoding.remembered import forgetful, remembered, with_memories
from epistrat.encoding.smt.build import same
from epistrat.encoding.smt.terms import SmtTerms
from epistrat.encoding.transitions import PRIME, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.model.fold import fold
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import equality
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.answer import Frame
from epistrat.solvers.smt.horn import SafetyProblem
from epistrat.solvers.smt.session import Session
from epistrat.terms import FALSE, Boolean, Domain, Enumeration, Expr, Key, Var, subterms, variables

_CLOSE_SECONDS = 2.0  # for one question about close states


class FramedTerms(SmtTerms):
    """A translation in which the next value of a variable is its value in the next frame, and a remembered one that in an earlier frame."""

    def __init__(self, domains: Mapping[Key, Domain], remembered: Mapping[Key, tuple[Key, int]]) -> None:
        super().__init__(domains)
        self.remembered = remembered

    def constant(self, key: Key, frame: Frame = 0) -> Any:
        """The solver's constant for a variable that is Boolean or a number."""
        return super().constant(*self._moved(key, frame))

    def bits(self, key: Key, frame: Frame = 0) -> list[Any]:
        """The constants that encode a variable with names."""
        return super().bits(*self._moved(key, frame))

    def _moved(self, key: Key, frame: Frame) -> tuple[Key, Frame]:
        assert isinstance(frame, int)
        if key[1].endswith(PRIME):
            key, frame = (key[0], key[1].removesuffix(PRIME)), frame + 1
        if key in self.remembered:
            source, age = self.remembered[key]
            return source, max(0, frame - age)
        return key, frame


class Unrolling:
    """Conditions on frames of one system.  The initial condition is not part of them unless ``from_start``.

    From the start, what is remembered is looked up in earlier frames, so that long memories cost nothing.
    """

    def __init__(self, system: Transitions, budget: Budget, from_start: bool = True) -> None:
        self.system = system
        self._domains = dict(system.domains)
        self.remembered = remembered(system) if from_start else {}
        for key in self.remembered:
            del self._domains[primed_key(key)]  # another name for a value that has one
        self._laid = forgetful(system, self.remembered)
        self.terms = FramedTerms(self._domains, self.remembered)
        self.session = Session(self.terms, budget)
        self._steps = 0
        self._made: list[Any] = []
        self._literals: dict[int, Any] = {}
        self._meaning: dict[int, Any] = {}
        self._names: dict[int, Any] = {}
        self.budget = budget
        self._inside(0)
        if from_start:
            for condition in self._laid.initial:
                self.session.add(self.terms.condition(condition, 0))

    def _inside(self, frame: int) -> None:
        for one in self._laid.variables:
            self.session.add(self.terms.within(one.key, frame))

    def extend(self, steps: int) -> None:
        """Lay out at least so many steps."""
        while self._steps < steps:
            made = z3.FreshBool("made", self.terms.context)
            self.session.add(z3.Implies(made, self.terms.all(self.step_terms(self._steps))))
            self._made.append(made)
            self._steps += 1
            self._inside(self._steps)

    def step_terms(self, frame: int) -> list[Any]:
        """The conditions for a step from a frame to the next."""
        inputs = [self.terms.within(one.key, frame) for one in self.system.inputs]
        return [*inputs, *[self.terms.condition(part.relation, frame) for part in self._laid.parts]]

    def at(self, condition: Expr, frame: int = 0) -> Any:
        """A condition on a frame, as the solver's term; unknown Boolean variables are declared."""
        for term in subterms(condition):
            if isinstance(term, Var) and term.key not in self._domains:
                self._domains[term.key] = Boolean()
        return self.terms.condition(condition, frame)

    def solve(self, assumptions: Sequence[Any], seconds: float | None = None, *, steps: int) -> bool:
        """Whether the assumptions can be true on a path of so many steps, which need not go on.  Raises `Undecided`."""
        made = self._made[:steps]
        answer = self.session.check(*made, *[self._assumed(term) for term in assumptions], seconds=seconds)
        if answer.unknown:
            raise Undecided(f"the solver gave up: {answer.reason}")
        return answer.sat

    def _assumed(self, term: Any) -> Any:
        """A literal that stands for a term as an assumption, made once."""
        found = self._literals.get(term.get_id())
        if found is None:
            literal = z3.FreshBool("assumed", self.terms.context)
            self.session.add(z3.Implies(literal, term))
            found = self._literals[term.get_id()] = literal
            self._meaning[literal.get_id()] = term
        return found

    def named(self, term: Any) -> Any:
        """A Boolean constant that has the term's value, made once."""
        found = self._names.get(term.get_id())
        if found is None:
            name = z3.FreshBool("value", self.terms.context)
            self.session.add(same(name, term))
            found = self._names[term.get_id()] = name
            self._meaning[name.get_id()] = term
        return found

    def core(self) -> list[Any]:
        """The assumptions that made the last question unsolvable."""
        blamed = [self._meaning.get(literal.get_id()) for literal in self.session.core()]
        return [term for term in blamed if term is not None]

    def trace(self, steps: int, free: Iterable[Variable] = ()) -> Trace:
        """The first so many steps of the last solution."""
        states = [self._values(self._laid.variables, frame) for frame in range(steps + 1)]
        inputs = tuple(self._values(self.system.inputs, frame) for frame in range(steps))
        return Trace(with_memories(self.remembered, states), inputs, self._values(free, steps))

    def closest(self, end: int, question: Sequence[Expr], wanted: Sequence[Expr], most: int) -> Trace | None:
        """A trace of so many steps to a state that satisfies the question and all but a few (at most so many) of what is wanted."""
        self.extend(end)
        fixed, soft = [self.at(one, end) for one in question], [self.at(one, end) for one in wanted]
        for _ in range(most):
            with suppress(Undecided):
                if self.solve([*fixed, *soft], _CLOSE_SECONDS, steps=end):
                    return self.trace(end)
                core = {term.get_id() for term in self.core()}
                blamed = [term for term in soft if term.get_id() in core]
                if blamed:
                    soft = [term for term in soft if term is not blamed[0]]
                    continue
            return None
        return None

    def _values(self, variables: Iterable[Variable], frame: int) -> Valuation:
        model = self.session.model
        return {one.key: self.terms.variable_value(model, one.key, frame) for one in variables}


def safety_problem(
    system: Transitions, known: Sequence[Expr], question: Sequence[Expr], budget: Budget
) -> SafetyProblem:
    """Can a state that satisfies the question be reached?  As text for a solver in another process, with what is known of all states."""
    unrolling = Unrolling(system, budget, from_start=False)
    terms = unrolling.terms
    always = [unrolling.at(one) for one in known]
    inside = [terms.within(one.key, 0) for one in system.variables]
    after = [terms.within(one.key, 1) for one in system.variables]
    script = z3.Solver(ctx=terms.context)
    script.add(terms.all([*inside, *[unrolling.at(one) for one in system.initial]]))
    script.add(terms.all([*always, *after, *unrolling.step_terms(0)]))
    script.add(terms.all([*always, *[unrolling.at(one) for one in question]]))
    pairs = [
        (str(now), str(then))
        for one in system.variables
        for now, then in zip(terms.constants(one.key, 0), terms.constants(one.key, 1), strict=True)
    ]
    return SafetyProblem(script.to_smt2(), tuple(pairs))


def _with_other_inputs(
    system: Transitions, states: Sequence[Valuation], inputs: Sequence[Valuation]
) -> tuple[Valuation, ...]:
    """The inputs of steps with those that change nothing, which a cone leaves out: for each the first value that the parts admit."""
    missing = [one for one in system.inputs if inputs and one.key not in inputs[0]]
    parts = {
        one.key: [part.relation for part in system.parts if one.key in variables(part.relation)] for one in missing
    }
    found: list[Valuation] = []
    for chosen, before, after in zip(inputs, states[:-1], states[1:], strict=True):
        known = {**before, **chosen, **{primed_key(key): value for key, value in after.items()}}
        for one in missing:
            assert isinstance(one.domain, (Boolean, Enumeration))
            fitting = (
                value
                for value in one.domain
                if all(fold(system.terms, part, {**known, one.key: value}) != FALSE for part in parts[one.key])
            )
            known[one.key] = next(fitting)
        found.append({one.key: known[one.key] for one in system.inputs})
    return tuple(found)


def in_whole_system(system: Transitions, trace: Trace, budget: Budget) -> Trace:
    """A trace of a cone of influence as one of the whole system: what the cone leaves out never prevents a step."""
    memory = remembered(system)
    plain = forgetful(system, memory)
    own = {one.key for one in plain.variables}
    states = [{key: value for key, value in state.items() if key in own} for state in trace.states]
    if len(states[0]) == len(own):
        chosen_too = _with_other_inputs(plain, states, trace.inputs)
        return Trace(with_memories(memory, states), chosen_too, trace.free)

    def fixed(unrolling: Unrolling, values: Valuation, frame: int) -> list[Any]:
        return [unrolling.at(equality(plain, key, value), frame) for key, value in values.items()]

    start = Unrolling(plain, budget)
    if not start.solve(fixed(start, states[0], 0), steps=0):
        raise AssertionError("the trace of a cone has no initial state")
    whole = [start.trace(0).last]
    inputs: list[Valuation] = []
    step = Unrolling(plain, budget, from_start=False)
    step.extend(1)
    for chosen, after in zip(trace.inputs, states[1:], strict=True):
        if not step.solve([*fixed(step, whole[-1], 0), *fixed(step, chosen, 0), *fixed(step, after, 1)], steps=1):
            raise AssertionError("the trace of a cone has an impossible step")
        found = step.trace(1)
        whole.append(found.last)
        inputs += found.inputs
    return Trace(with_memories(memory, whole), tuple(inputs), trace.free)
