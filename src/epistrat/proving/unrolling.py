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
from epistrat.solvers.smt.session import Session
from epistrat.terms import FALSE, Boolean, Domain, Enumeration, Expr, Key, variables

_CLOSE_WORK = 1_000_000  # for one question about close states


Memories = Mapping[Key, tuple[Key, int]]
"""Variables that hold what another one was so many steps ago."""


class FramedTerms(SmtTerms):
    """A translation in which the next value of a variable is its value in the next frame, and a remembered one that in an earlier frame."""

    def __init__(self, remembered: Memories) -> None:
        self._declared: dict[Key, Domain] = {}
        super().__init__(self._declared)
        self.remembered = remembered

    def declare(self, domains: Mapping[Key, Domain]) -> None:
        """Variables that conditions may read; under one key there is only one."""
        for key, domain in domains.items():
            assert self._declared.setdefault(key, domain) == domain, f"two variables {key}"

    def declare_free(self, condition: Expr) -> None:
        """Unknown variables of the condition are Boolean ones, about which nothing is known."""
        if condition not in self._read:
            for key in self.reads(condition):
                self._declared.setdefault(key, Boolean())

    def home(self, key: Key, frame: Frame) -> tuple[Key, Frame]:
        """The variable and the frame whose constants stand for a variable in a frame."""
        later = 0
        if key[1].endswith(PRIME):
            key, later = (key[0], key[1].removesuffix(PRIME)), 1
        if key in self.remembered:
            key, age = self.remembered[key]
            later -= age
        return key, max(0, frame + later) if isinstance(frame, int) else f"{frame}{later:+d}"


class Translations:
    """Translations that solvers share: what several are asked about one system and its cones is translated once."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[Key, tuple[Key, int]], ...], FramedTerms] = {}

    def of(self, domains: Mapping[Key, Domain], remembered: Memories) -> FramedTerms:
        """The translation in which these variables are looked up in earlier frames, with these domains declared."""
        found = self._known.setdefault(tuple(sorted(remembered.items())), FramedTerms(remembered))
        found.declare(domains)
        return found


class Unrolling:
    """Conditions on frames of one system.  The initial condition is not part of them unless ``from_start``.

    From the start, what is remembered is looked up in earlier frames, so that long memories cost nothing.  An unrolling ``beside`` another
    one has a solver of its own and shares its translations.
    """

    def __init__(
        self, system: Transitions, budget: Budget, from_start: bool = True, beside: Unrolling | None = None
    ) -> None:
        self.system = system
        self.remembered = remembered(system) if from_start else {}
        domains = dict(system.domains)
        for key in self.remembered:
            del domains[primed_key(key)]  # another name for a value that has one
        self._laid = forgetful(system, self.remembered)
        self.translations: Translations = Translations() if beside is None else beside.translations
        self.terms = self.translations.of(domains, self.remembered)
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
        self.terms.declare_free(condition)
        return self.terms.condition(condition, frame)

    def solve(self, assumptions: Sequence[Any], work: int | None = None, *, steps: int) -> bool:
        """Whether the assumptions can be true on a path of so many steps, which need not go on.  Raises `Undecided`."""
        made = self._made[:steps]
        answer = self.session.check(*made, *[self._assumed(term) for term in assumptions], work=work)
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
                if self.solve([*fixed, *soft], _CLOSE_WORK, steps=end):
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


def in_whole_system(system: Transitions, trace: Trace, budget: Budget, beside: Unrolling | None = None) -> Trace:
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

    start = Unrolling(plain, budget, beside=beside)
    if not start.solve(fixed(start, states[0], 0), steps=0):
        raise AssertionError("the trace of a cone has no initial state")
    whole = [start.trace(0).last]
    inputs: list[Valuation] = []
    step = Unrolling(plain, budget, from_start=False, beside=beside)
    step.extend(1)
    for chosen, after in zip(trace.inputs, states[1:], strict=True):
        if not step.solve([*fixed(step, whole[-1], 0), *fixed(step, chosen, 0), *fixed(step, after, 1)], steps=1):
            raise AssertionError("the trace of a cone has an impossible step")
        found = step.trace(1)
        whole.append(found.last)
        inputs += found.inputs
    return Trace(with_memories(memory, whole), tuple(inputs), trace.free)
