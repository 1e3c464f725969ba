"""Finite systems as AIGER circuits (text form, version 1.9), so that other model checkers can confirm an invariant.

A circuit is deterministic: its latches are functions of latches and inputs.  So every bit of a state is a latch whose next value is an
input, and a latch remembers whether all inputs so far were possible steps; the first step chooses an initial state.  The bad output
says: the invariant is false in a state that was reached by possible steps.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.encoding.gates import NO, YES, Gates, Literal, Word
from epistrat.encoding.literals import Literals, width
from epistrat.encoding.transitions import NotEncodable, Transitions, primed, primed_key, transitions
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import invariant_body
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.terms import Domain, Expr, Key


class _AndGates(Gates):
    """Gates that are kept as and-gates with two inputs."""

    def __init__(self) -> None:
        super().__init__(self.variable, _no_clauses)
        self.count = 1
        self.gates: list[tuple[int, int, int]] = []
        self._pairs: dict[tuple[int, int], int] = {}

    def variable(self) -> int:
        """A new variable."""
        self.count += 1
        return self.count

    def conjunction(self, literals: Iterable[Literal]) -> Literal:
        """All of the literals."""
        total = YES
        for literal in literals:
            total = self._both(total, literal)
        return total

    def exclusive(self, one: Literal, other: Literal) -> Literal:
        """Exactly one of two literals."""
        return -self._both(-self._both(one, -other), -self._both(-one, other))

    def _both(self, one: Literal, other: Literal) -> Literal:
        if one in (YES, other):
            return other
        if other == YES:
            return one
        if NO in (one, other) or one == -other:
            return NO
        key = (min(one, other), max(one, other))
        if key not in self._pairs:
            self._pairs[key] = self.variable()
            self.gates.append((self._pairs[key], *key))
        return self._pairs[key]


def _no_clauses(_: list[Literal]) -> None:
    raise AssertionError("and-gates need no clauses")


def aiger(system: System, formula: Formula) -> str:
    """The circuit whose bad state is reachable iff the invariant fails.  Raises `NotEncodable` for anything but ``AG f``."""
    body = invariant_body(formula)
    if body is None:
        raise NotEncodable("AIGER takes invariants: AG f with f about single states")

    def leaf(part: Formula) -> Expr:
        raise NotEncodable(f"AIGER knows conditions on states only, not {type(part).__name__}")

    encoded = transitions(system)
    invariant = Propositional(system, encoded.terms, leaf).condition(body)
    return _written(encoded, invariant)


def _written(encoded: Transitions, invariant: Expr) -> str:
    circuit = gates = _AndGates()
    bits: dict[Key, Word] = {}
    domains: dict[Key, Domain] = {}
    latches: list[tuple[int, int]] = []
    inputs: list[int] = []
    names: dict[int, str] = {}
    for one in (*encoded.variables, *encoded.inputs):
        bits[one.key] = [circuit.variable() for _ in range(width(one.domain))]
        domains[one.key] = one.domain
        names.update({bit: f"{one}[{place}]" for place, bit in enumerate(bits[one.key])})
    for one in encoded.inputs:
        inputs += bits[one.key]
    for one in encoded.variables:
        key = primed_key(one.key)
        bits[key] = [circuit.variable() for _ in range(width(one.domain))]
        domains[key] = one.domain
        inputs += bits[key]
        names.update({bit: f"next {one}[{place}]" for place, bit in enumerate(bits[key])})
        latches += list(zip(bits[one.key], bits[key], strict=True))
    started, fine = circuit.variable(), circuit.variable()
    literals = Literals(gates, bits, domains)
    memo: dict[Expr, Expr] = {}
    inside = [literals.in_domain(primed_key(one.key)) for one in encoded.variables]
    chosen = [literals.in_domain(one.key) for one in encoded.inputs]
    first = gates.conjunction([*inside, *[literals.truth(primed(one, encoded.terms, memo)) for one in encoded.initial]])
    step = gates.conjunction([*inside, *chosen, *[literals.truth(part.relation) for part in encoded.parts]])
    now = gates.disjunction([gates.conjunction([-started, first]), gates.conjunction([started, fine, step])])
    bad = gates.conjunction([started, fine, -literals.truth(invariant)])
    latches += [(started, 1), (fine, now)]
    return _text(circuit, inputs, latches, bad, names)


def _text(
    circuit: _AndGates, inputs: list[int], latches: list[tuple[int, int]], bad: Literal, names: dict[int, str]
) -> str:
    def code(literal: int) -> int:
        if abs(literal) == 1:
            return 1 if literal > 0 else 0
        return 2 * number[abs(literal)] + (literal < 0)

    order = [*inputs, *[latch for latch, _ in latches], *[gate for gate, _, _ in circuit.gates]]
    number = {variable: place for place, variable in enumerate(order, start=1)}
    lines = [f"aag {len(order)} {len(inputs)} {len(latches)} 0 {len(circuit.gates)} 1"]
    lines += [str(code(one)) for one in inputs]
    lines += [f"{code(latch)} {code(new)}" for latch, new in latches]
    lines.append(str(code(bad)))
    lines += [f"{code(gate)} {code(one)} {code(other)}" for gate, one, other in circuit.gates]
    lines += [f"i{place} {names[one]}" for place, one in enumerate(inputs) if one in names]
    lines += [f"l{place} {names[one]}" for place, (one, _) in enumerate(latches) if one in names]
    return "\n".join(lines) + "\n"
