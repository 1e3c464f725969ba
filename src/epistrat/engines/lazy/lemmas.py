"""Lemmas: what has been learnt about where something is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from epistrat.answers.decoration import decorated
from epistrat.engines.lazy.atoms import Atom
from epistrat.logic import formula as logic
from epistrat.logic.show import show
from epistrat.proving.contract import Reachability
from epistrat.records import dataclass, field
from epistrat.terms import FALSE, TRUE, Expr, Terms, variables
from epistrat.terms.show import show_condition

_MOST, _LONGEST = 5, 300  # sentences that are told, and their length


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
        if self.condition == TRUE:
            return _said(self.atom, "always" if self.known else "never")
        return f"{_said(self.atom, '' if self.known else 'not')} where {show_condition(self.condition)}"


def _said(atom: Atom, when: str) -> str:
    """Who knows something, always, never, or not."""
    match atom.node:
        case logic.Knows(agent, body) if when == "not":
            return f"{agent} does not know {show(body)}"
        case logic.Knows(agent, body):
            return f"{agent} {when} knows {show(body)}".replace("  ", " ")
        case _:
            return f"{show(atom.node)} is {when} true".replace("  ", " ")


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


def told(
    learnt: Sequence[Lemma], terms: Terms, everywhere: Callable[[Expr], bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was learnt, as notes on a verdict; and why there are none, if that failed."""
    nothing: list[str] = []
    words, left_out = decorated("what was learnt", lambda: in_words(learnt, terms, everywhere), nothing)
    return tuple(f"learnt: {one}" for one in words), left_out


def in_words(learnt: Sequence[Lemma], terms: Terms, everywhere: Callable[[Expr], bool]) -> list[str]:
    """What lemmas say; one sentence where those about an atom decide it in all reachable states."""
    told: list[str] = []
    for atom in dict.fromkeys(lemma.atom for lemma in learnt):
        own = [lemma for lemma in learnt if lemma.atom is atom]
        known = terms.disjunction(lemma.condition for lemma in own if lemma.known)
        false = [terms.negate(atom.truth)] if atom.delay == 0 else []
        if not everywhere(terms.disjunction((known, *(one.condition for one in own if not one.known), *false))):
            told += map(str, own)
        elif known in (TRUE, FALSE):
            told.append(_said(atom, "always" if known == TRUE else "never"))
        else:
            told.append(f"{_said(atom, '')} exactly where {show_condition(known)}")
    return [one for one in dict.fromkeys(told) if len(one) < _LONGEST][:_MOST]


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
