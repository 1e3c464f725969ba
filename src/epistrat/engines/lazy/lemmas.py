"""Lemmas: what has been learnt about where something is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from epistrat.engines.lazy.atoms import Atom
from epistrat.logic.show import show
from epistrat.proving.contract import Reachability
from epistrat.records import dataclass, field
from epistrat.terms import Expr, Terms, variables
from epistrat.terms.show import show_condition


@dataclass(frozen=True)
class Lemma:
    """In reachable states with ``condition`` the atom is true (``known``) or false."""

    atom: Atom
    known: bool
    condition: Expr
    how: str

    def formula(self, terms: Terms) -> Expr:
        """The lemma as a condition on state and placeholder."""
        variable: Expr = self.atom.variable
        return terms.disjunction((terms.negate(self.condition), variable if self.known else terms.negate(variable)))

    def __str__(self) -> str:
        return f"{show(self.atom.node)} is {'true' if self.known else 'false'} where {show_condition(self.condition)}"


@dataclass
class Lemmas:
    """All lemmas about a question."""

    terms: Terms
    static: list[Expr] = field(default_factory=list)
    learnt: list[Lemma] = field(default_factory=list)
    conditions: list[Expr] = field(default_factory=list)

    def learn(self, lemma: Lemma) -> None:
        """Add a lemma."""
        self.learnt.append(lemma)
        self.conditions.append(lemma.formula(self.terms))

    def all(self) -> list[Expr]:
        """Every lemma as a condition on one state."""
        return [*self.static, *self.conditions]

    def about(self, atom: Atom) -> list[Lemma]:
        """What was learnt about one atom."""
        return [lemma for lemma in self.learnt if lemma.atom is atom]


def static_lemmas(atoms: Sequence[Atom], reach: Reachability, terms: Terms) -> Iterator[Expr]:
    """What is true of knowledge without looking at runs.

    What is known is true; what depends on observed variables alone is known where it is true; who sees more knows more, also of what
    follows from it.
    """
    present = [atom for atom in atoms if atom.delay == 0]
    for atom in present:
        if variables(atom.truth) <= set(atom.keys):
            yield terms.negate(terms.exclusive(atom.variable, atom.truth))
        else:
            yield terms.disjunction((terms.negate(atom.variable), atom.truth))
    for one in present:
        for other in present:
            if one is not other and set(one.keys) <= set(other.keys):
                follows = terms.disjunction((terms.negate(one.truth), other.truth))
                if reach.valid(follows):
                    yield terms.disjunction((terms.negate(one.variable), other.variable))
