"""A finite transition system inside an incremental SAT solver.

One copy of the present state, the inputs and the next state.  The initial condition and the steps are switched on by assuming
the literals ``initial`` and ``step``, so that one solver answers every kind of question.  More conditions on the present state
(bad states, lemmas) are translated when asked for; variables that are no state variables (placeholders) are free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from epistrat.encoding.gates import NO, YES, Gates, Literal, Word
from epistrat.encoding.literals import Literals, finite, width
from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.solvers.sat import Sat
from epistrat.terms import Domain, Expr, Key, Terms, Value


class Bits:
    """See the module's description."""

    def __init__(self, system: Transitions, tick: Callable[[], None], cross_check: bool = False) -> None:
        self.system = system
        self.cross_check = cross_check
        self._impossible = False
        self.solver = Sat(tick, cross_check)
        self.solver.add([self.solver.variable()])  # literal 1 is true
        self._bits: dict[Key, Word] = {}
        self._domains: dict[Key, Domain] = {}
        self._places: dict[int, tuple[Variable, int]] = {}
        self.definitions: list[list[Literal]] = []
        """The clauses of the circuit, for those who want copies of it (`unrolled`)."""
        self._gates = Gates(self.solver.variable, self._define)
        self._literals = Literals(self._gates, self._bits, self._domains)
        for variable in (*system.variables, *system.inputs):
            self._declare(variable.key, variable.domain)
        for variable in system.variables:
            self._declare(primed_key(variable.key), variable.domain)
        self.latches = [bit for one in system.variables for bit in self._bits[one.key]]
        self.inputs = [bit for one in system.inputs for bit in self._bits[one.key]]
        nexts = [bit for one in system.variables for bit in self._bits[primed_key(one.key)]]
        self._next = dict(zip(self.latches, nexts, strict=True))
        self.initial = self.solver.variable()
        self.step = self.solver.variable()
        for condition in system.initial:
            self._define([-self.initial, self.literal(condition)])
        for part in system.parts:
            self._define([-self.step, self.literal(part.relation)])
        self.blocked: Literal = NO
        """Holds wherever the values of the inputs are not possible in the present state (and perhaps elsewhere)."""
        self.forbid(system.parts)

    def forbid(self, parts: Iterable[StepPart]) -> None:
        """Say which inputs are not possible where, by parts of the step relation."""
        chosen = {one.key for one in self.system.inputs}
        self.blocked = self._gates.disjunction(
            -self.literal(part.relation) if chosen.issuperset(part.defines) else self.literal(part.blocks)
            for part in parts
        )

    def _declare(self, key: Key, domain: Domain) -> None:
        self._bits[key] = [self.solver.variable() for _ in range(width(domain))]
        self._domains[key] = domain
        if self._literals.in_domain(key) != YES:
            self._define([self._literals.in_domain(key)])

    def _define(self, clause: list[Literal]) -> None:
        self.definitions.append(clause)
        self.solver.add(clause)

    def bits(self, key: Key) -> Word:
        """The bits of a variable."""
        return self._bits[key]

    def declare(self, variable: Variable) -> None:
        """A free variable that is no part of the state."""
        if variable.key not in self._bits:
            self._declare(variable.key, variable.domain)

    def literal(self, condition: Expr) -> Literal:
        """The literal of a condition."""
        return self._literals.truth(condition)

    def primed(self, literal: Literal) -> Literal:
        """A literal of the present state as one of the next state."""
        return self._next[literal] if literal > 0 else -self._next[-literal]

    def solve(self, assumptions: Iterable[Literal]) -> bool:
        """Whether the assumptions can hold together."""
        wanted = [literal for literal in assumptions if literal != YES]
        self._impossible = NO in wanted
        return not self._impossible and self.solver.solve(wanted)

    def core(self) -> set[Literal]:
        """The assumptions that made the last question unsolvable; the solver was not asked if one of them cannot be true."""
        return {NO} if self._impossible else set(self.solver.core())

    def cube(self, bits: Iterable[Literal]) -> list[Literal]:
        """The values of bits in the last solution, as literals."""
        value = self.solver.value
        return [bit if value(bit) else -bit for bit in bits]

    def next_cube(self) -> list[Literal]:
        """The next state of the last solution, as literals of the present state."""
        value = self.solver.value
        return [bit if value(self._next[bit]) else -bit for bit in self.latches]

    def cube_of(self, values: Mapping[Key, Value]) -> list[Literal]:
        """Literals that say that variables have the given values."""
        found: list[Literal] = []
        for key, value in values.items():
            number = finite(self._domains[key]).code(value)
            found.extend(bit if number >> place & 1 else -bit for place, bit in enumerate(self._bits[key]))
        return found

    def values(self, cube: Iterable[Literal], variables_: Iterable[Variable]) -> dict[Key, Value]:
        """The values of variables in a full assignment of their bits."""
        true = set(cube)
        codes = {
            one.key: sum(1 << place for place, bit in enumerate(self._bits[one.key]) if bit in true)
            for one in variables_
        }
        return {key: finite(self._domains[key]).at(code) for key, code in codes.items()}

    def clause(self, cube: Iterable[Literal]) -> Expr:
        """The condition that a state is not in the cube."""
        terms = self.system.terms
        if not self._places:
            for one in self.system.variables:
                self._places.update({bit: (one, place) for place, bit in enumerate(self._bits[one.key])})
        found = []
        for literal in sorted(cube, key=abs):
            one, place = self._places[abs(literal)]
            is_set = _bit_condition(terms, one, place)
            found.append(terms.negate(is_set) if literal > 0 else is_set)
        return terms.disjunction(found)

    def temporary(self, clause: Iterable[Literal]) -> Literal:
        """A literal to assume for a question that needs a clause; give it back with `retire`."""
        switch = self.solver.variable()
        self.solver.add([-switch, *clause])
        return switch

    def retire(self, switch: Literal) -> None:
        """The clause of a temporary literal is not needed any more."""
        self.solver.add([-switch])


def _bit_condition(terms: Terms, variable: Variable, place: int) -> Expr:
    """The values of a variable whose code has a bit set."""
    value, domain = terms.variable(*variable.key, variable.domain.sort), finite(variable.domain)
    chosen = [domain.at(code) for code in range(domain.last + 1) if code >> place & 1]
    return terms.disjunction(terms.equals(value, one) for one in chosen)
