"""Everything there is to know about one K: a condition that is true in exactly the reachable states where the K is."""

from __future__ import annotations

from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.knowledge import KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemmas
from epistrat.logic.show import show
from epistrat.proving.contract import Reachability
from epistrat.terms import Expr


class Unfinished(Exception):
    """More lemmas would be needed than were allowed."""


def denotation(
    atom: Atom, reach: Reachability, knowledge: KnowledgeInStates, lemmas: Lemmas, most: int | None = None
) -> Expr:
    """Learn about states about which no lemma speaks, until there is none; then the positive lemmas say it all."""
    terms = lemmas.terms
    while True:
        about = lemmas.about(atom)
        open_states = [terms.negate(lemma.condition) for lemma in about]
        if atom.delay == 0:
            open_states.append(atom.truth)
        trace = reach.reaches(open_states or [terms.boolean(True)])
        if trace is None:
            return terms.disjunction(lemma.condition for lemma in about if lemma.known)
        if most is not None and len(about) >= most:
            raise Unfinished(f"{most} lemmas do not say where {show(atom.node)} is true")
        knowledge.in_state(atom, trace.last, trace)
