"""Conditions as Boolean functions of the bits of an abstraction: exact, since every comparison in them is decided by predicates."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat import terms as t
from epistrat.encoding.part import Part, at_least, mask_of
from epistrat.engines.abstraction.layout import STEP, Layout, values_of
from epistrat.engines.abstraction.predicates import Decided, Grid, Predicate, Shape, decide, fitting
from epistrat.model.system import System
from epistrat.solvers.bdd import Algebra, Bdd
from epistrat.terms import Domain, Expr, Key, Sort, children, subterms


class Undecided(LookupError):
    """A condition has a comparison that the predicates do not decide."""


class PredicateConditions:
    """Translates the conditions of one system into functions with their supports."""

    def __init__(self, system: System, algebra: Algebra, layout: Layout, grid: Grid) -> None:
        self._system = system
        self._algebra = algebra
        self._layout = layout
        self._grid = grid
        self._domains = {variable.key: variable.domain for variable in system.variables}
        self._memo: dict[Expr, Part] = {}

    def of(self, expr: Expr) -> Part:
        """A condition as a function; raises `Undecided` where predicates are missing."""
        for term in subterms(expr):
            if term.sort is Sort.BOOLEAN and term not in self._memo:
                self._memo[term] = self._one(term)
        return self._memo[expr]

    def _one(self, expr: Expr) -> Part:
        algebra = self._algebra
        parts = [self._memo[child] for child in children(expr) if child.sort is Sort.BOOLEAN]
        match expr:
            case t.Const(value):
                return Part(algebra.true if value else algebra.false, 0)
            case t.Var():
                ((bit, _),) = self._layout.finite[expr.key]
                return Part(algebra.var[bit], 1 << bit)
            case t.ActionIs(agent, action):
                return self.does(agent, action)
            case t.Not():
                return Part(~parts[0].function, parts[0].support)
            case t.And():
                return self.all(parts)
            case t.Or():
                return self.any(parts)
            case t.AtLeast(number):
                return at_least(algebra, number, parts)
            case t.Xor():
                return Part(algebra.xor(parts[0].function, parts[1].function), parts[0].support | parts[1].support)
            case t.Compare(_, left, right) if left.sort is Sort.BOOLEAN:
                return Part(~algebra.xor(parts[0].function, parts[1].function), parts[0].support | parts[1].support)
            case t.Compare(_, left, right) if left.sort is Sort.NAME:
                return self.any([self.all((self.has(left, n), self.has(right, n))) for n in self._names(left, right)])
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
            return Part(self._algebra.true if expr.value == name else self._algebra.false, 0)
        assert isinstance(expr, t.Var)
        values = values_of(self._domains[expr.key])
        if name not in values:
            return Part(self._algebra.false, 0)
        return self.code(values.index(name), [bit for bit, _ in self._layout.finite[expr.key]])

    def code(self, number: int, bits: Iterable[int]) -> Part:
        """The bits hold the number, lowest bit first."""
        listed = list(bits)
        result = self._algebra.true
        for place, bit in sorted(enumerate(listed), key=lambda pair: -pair[1]):
            variable = self._algebra.var[bit]
            result = (variable if number >> place & 1 else ~variable) & result
        return Part(result, mask_of(listed))

    def does(self, agent: str, action: str | None) -> Part:
        """The agent does the action; in an interleaved step: it happens and the agent has it."""
        owner = agent
        if self._system.interleaved:
            if agent != STEP and action not in self._system.agent[agent].actions:
                return Part(self._algebra.false, 0)
            owner = STEP
        names = self._layout.names.get(owner, ())
        if action not in names:
            return Part(self._algebra.false, 0)
        return self.code(names.index(action), self._layout.actions[owner])

    def decided(self, decided: Decided) -> Part:
        """A condition on numbers by its predicates."""
        bits = [self.predicate(predicate) for predicate in decided.predicates]
        match decided.shape:
            case Shape.POSITIVE:
                return bits[0]
            case Shape.NEGATIVE:
                return Part(~bits[0].function, bits[0].support)
            case Shape.BETWEEN:
                return Part(bits[0].function & ~bits[1].function, bits[0].support | bits[1].support)
            case _:
                return Part(self._algebra.true if decided.shape is Shape.TRUE else self._algebra.false, 0)

    def predicate(self, predicate: Predicate) -> Part:
        """A predicate's bit."""
        found = self._layout.predicates.get(predicate)
        if found is None:
            raise Undecided(str(predicate))
        return Part(self._algebra.var[found[0]], 1 << found[0])

    def fits(self, value: Expr, domain: Domain) -> Part:
        """An expression's value lies in a domain."""
        match domain:
            case t.Boolean():
                return Part(self._algebra.true, 0)
            case t.Enumeration(values):
                return self.any([self.has(value, name) for name in values])
            case _:
                return self.all([self.decided(part) for part in fitting(value, domain, self._grid)])

    def becomes(self, key: Key, value: Expr) -> Part:
        """The variable, which is kept in bits, has in the next state the value that the expression has in the present one."""
        algebra = self._algebra
        pairs = self._layout.finite[key]
        later = [bit for _, bit in pairs]
        if isinstance(self._domains[key], t.Boolean):
            now = self.of(value)
            return Part(~algebra.xor(now.function, algebra.var[later[0]]), now.support | mask_of(later))
        values = values_of(self._domains[key])
        return self.any(
            [self.all((self.has(value, str(name)), self.code(index, later))) for index, name in enumerate(values)]
        )

    def stays(self, key: Key) -> Part:
        """The variable, which is kept in bits, keeps its value."""
        algebra = self._algebra
        pairs = self._layout.finite[key]
        return self.all([Part(~algebra.xor(algebra.var[a], algebra.var[b]), 1 << a | 1 << b) for a, b in pairs])

    def all(self, parts: Iterable[Part]) -> Part:
        """The conjunction."""
        function: Bdd = self._algebra.true
        support = 0
        for part in parts:
            function, support = function & part.function, support | part.support
        return Part(function, support)

    def any(self, parts: Iterable[Part]) -> Part:
        """The disjunction."""
        function: Bdd = self._algebra.false
        support = 0
        for part in parts:
            function, support = function | part.function, support | part.support
        return Part(function, support)
