"""Clauses, disjunctions of conditions on one variable each, of which an initial condition may have many.

"No three of them" is a clause for each three.  They are not folded when a variable is fixed: a clause is met, or it loses the variable,
and when one variable is left it narrows that one.
"""

from __future__ import annotations

from epistrat import terms as t
from epistrat.model.fold import fold
from epistrat.terms import TRUE, Expr, Key, Terms, Value, variables


class Clauses:
    """Disjunctions of conditions on one variable each, as what each says of each of its variables."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._says: list[dict[Key, list[Expr]]] = []
        self._met: dict[tuple[Expr, Value], bool] = {}
        self.about: dict[Key, list[int]] = {}

    def add(self, constraint: Expr) -> int | None:
        """The number of the clause; None for a constraint that is none."""
        if not isinstance(constraint, t.Or):
            return None
        says: dict[Key, list[Expr]] = {}
        for condition in constraint.args:
            keys = variables(condition)
            if len(keys) != 1:
                return None
            (key,) = keys
            says.setdefault(key, []).append(condition)
        self._says.append(says)
        number = len(self._says) - 1
        for key in says:
            self.about.setdefault(key, []).append(number)
        return number

    def met(self, number: int, key: Key, value: Value) -> bool:
        """Whether this value of one of its variables makes the clause true."""
        return any(self._true(condition, key, value) for condition in self._says[number][key])

    def _true(self, condition: Expr, key: Key, value: Value) -> bool:
        found = self._met.get((condition, value))
        if found is None:
            found = self._met[condition, value] = fold(self._terms, condition, {key: value}) == TRUE
        return found
