"""Conditions of the template in a listed state, by the model of that size: its propositions and what its agents see."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.every.places.candidates import Listed
from epistrat.lang.load import parse_formula
from epistrat.lang.templates.tree import Term, Whom
from epistrat.lang.templates.writing import said
from epistrat.model.conditions import as_condition
from epistrat.model.state import State
from epistrat.terms import Expr


class Plainly:
    """Looks at states of one size."""

    def __init__(self, listed: Listed) -> None:
        self._listed = listed
        self._read: dict[tuple[Term, tuple[tuple[str, int], ...]], Expr] = {}

    def truth(self, term: Term, state: State, env: Mapping[str, int]) -> bool:
        """Whether the condition holds."""
        key = term, tuple(sorted(env.items()))
        if key not in self._read:
            formula, _ = parse_formula(said(term, env), self._listed.system)
            assert formula is not None
            self._read[key] = as_condition(self._listed.system, formula)
        return self._listed.stepper.evaluator.holds(self._read[key], state)

    def alike(self, who: Whom, one: State, other: State, env: Mapping[str, int]) -> bool:
        """Whether the states look the same to all these agents together."""
        for entry in who.names:
            indices = [index.value(env) for index in entry.name.indices]
            name = f"{entry.name.word}[{', '.join(map(str, indices))}]" if indices else entry.name.word
            if any(one[place] != other[place] for place in self._listed.system.views[name]):
                return False
        return True
