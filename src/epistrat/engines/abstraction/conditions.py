"""Conditions as Boolean functions of the bits of an abstraction: exact, since every comparison in them is decided by predicates."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat import terms as t
from epistrat.encoding.boolean import BooleanConditions
from epistrat.encoding.junction import Junctions
from epistrat.encoding.part import Part, cube, exclusive, mask_of, negated
from epistrat.engines.abstraction.layout import STEP, AbstractLayout, values_of
from epistrat.engines.abstraction.predicates import Decided, Grid, Predicate, Shape, decide, fitting
from epistrat.model.system import System
from epistrat.solvers.bdd import Algebra
from epistrat.terms import Domain, Expr, Key, Sort


class Undecided(LookupError):
    """A condition has a comparison that the predicates do not decide."""


class PredicateConditions(BooleanConditions):
    """Translates the conditions of one system into functions with their supports."""

    def __init__(self, system: System, algebra: Algebra, layout: AbstractLayout, grid: Grid) -> None:
        super().__init__(algebra, Junctions(algebra))
        self._system = system
        self._layout = layout
        self._grid = grid
        self._domains = {variable.key: variable.domain for variable in system.variables}

    def _leaf(self, expr: Expr) -> Part:
        match expr:
            case t.Var():
                ((bit, _),) = self._layout.finite[expr.key]
                return Part(self.algebra.var[bit], 1 << bit)
            case t.ActionIs(agent, action):
                return self.does(agent, action)
            case t.Compare(_, left, right) if left.sort is Sort.NAME:
                common = [(self.has(left, name), self.has(right, name)) for name in self._names(left, right)]
                return self.join.any([self.join.all(pair) for pair in common])
            case t.Compare():
                return self.decided(decide(expr, self._grid))
            case _:
                raise TypeError(f"not a condition: {expr}")

    def _names(self, *exprs: Expr) -> list[str]:
        names: dict[str, None] = {}
        for expr in exprs:
            if isinstance(expr, t.Const):
                names[str(expr.value)] = None
            elif isinstance(expr, t.Var):
                names.update(dict.fromkeys(str(name) for name in values_of(self._domains[expr.key])))
        return list(names)

    def has(self, expr: Expr, name: str) -> Part:
        """An enumeration expression has this value."""
        if isinstance(expr, t.Const):
            return self.constant(expr.value == name)
        assert isinstance(expr, t.Var)
        values = values_of(self._domains[expr.key])
        if name not in values:
            return self.constant(False)
        return self.code(values.index(name), [bit for bit, _ in self._layout.finite[expr.key]])

    def code(self, number: int, bits: Iterable[int]) -> Part:
        """The bits hold the number, lowest bit first."""
        values = [(bit, bool(number >> place & 1)) for place, bit in enumerate(bits)]
        return Part(cube(self.algebra, values), mask_of([bit for bit, _ in values]))

    def does(self, agent: str, action: str | None) -> Part:
        """The agent does the action; in an interleaved step: it happens and the agent has it."""
        owner = agent
        if self._system.interleaved:
            if agent != STEP and action not in self._system.agent[agent].actions:
                return self.constant(False)
            owner = STEP
        names = self._layout.names.get(owner, ())
        if action not in names:
            return self.constant(False)
        return self.code(names.index(action), self._layout.actions[owner])

    def decided(self, decided: Decided) -> Part:
        """A condition on numbers by its predicates."""
        bits = [self.predicate(predicate) for predicate in decided.predicates]
        match decided.shape:
            case Shape.POSITIVE:
                return bits[0]
            case Shape.NEGATIVE:
                return negated(bits[0])
            case Shape.BETWEEN:
                return Part(bits[0].function & ~bits[1].function, bits[0].support | bits[1].support)
            case _:
                return self.constant(decided.shape is Shape.TRUE)

    def predicate(self, predicate: Predicate) -> Part:
        """A predicate's bit."""
        found = self._layout.predicates.get(predicate)
        if found is None:
            raise Undecided(str(predicate))
        return Part(self.algebra.var[found[0]], 1 << found[0])

    def fits(self, value: Expr, domain: Domain) -> Part:
        """An expression's value lies in a domain."""
        match domain:
            case t.Boolean():
                return self.constant(True)
            case t.Enumeration(values):
                return self.join.any([self.has(value, name) for name in values])
            case _:
                return self.join.all([self.decided(part) for part in fitting(value, domain, self._grid)])

    def becomes(self, key: Key, value: Expr) -> Part:
        """The variable, which is kept in bits, has in the next state the value that the expression has in the present one."""
        pairs = self._layout.finite[key]
        later = [bit for _, bit in pairs]
        if isinstance(self._domains[key], t.Boolean):
            return negated(exclusive(self.algebra, self.part(value), Part(self.algebra.var[later[0]], mask_of(later))))
        values = values_of(self._domains[key])
        return self.join.any(
            [self.join.all((self.has(value, str(name)), self.code(index, later))) for index, name in enumerate(values)]
        )

    def stays(self, key: Key) -> Part:
        """The variable, which is kept in bits, keeps its value."""
        algebra = self.algebra
        pairs = self._layout.finite[key]
        return self.join.all([Part(~algebra.xor(algebra.var[a], algebra.var[b]), 1 << a | 1 << b) for a, b in pairs])
