"""Proofs by places: a certificate is a list of clauses, and what replaying it does is to show all obligations from the text again.

Nothing of the search counts: a proof is one only after `wrong` has found nothing in it, with a reading of the template, a context and
solvers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import z3

from epistrat.every.places.candidates import Listed, clauses as candidates
from epistrat.every.places.claims import Claim, Goal, claims
from epistrat.every.places.clauses import Clause, Unreadable, clause
from epistrat.every.places.exchange import Ignorance, exchange
from epistrat.every.places.family import Family, Outside
from epistrat.every.places.lookalikes import LookAlikes
from epistrat.every.places.obligations import Obligation, Obligations
from epistrat.every.places.search import Inductive
from epistrat.lang.templates.tree import FormulaTree, Template
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Data = dict[str, Any]
_SIZES = 3  # so many sizes are listed to draw candidates from
_LARGE = 3  # in smaller sizes special members coincide, and too much is true


class Places:
    """Looks for proofs about one template, for all sizes from ``least`` on."""

    def __init__(self, tree: Template, least: int, system: Callable[[int], System], budget: Budget) -> None:
        self._tree, self._least, self._system, self._budget = tree, least, system, budget
        self._tick = budget.check
        self._obligations = Obligations(Family(tree, z3.Context()), least, budget.check)
        self._inductive: Inductive | None = None
        self._sizes: dict[int, Listed] = {}

    def prove(self, formula: FormulaTree, budget: Budget) -> Data | None:
        """A certificate for all sizes, which was looked through; None where none was found.  Raises `Outside` where there is no rule."""
        self._obligations.tick = self._tick = budget.check
        needed: list[Clause] = []
        exchanges: list[Data] = []
        for claim in claims(formula):
            found = (
                self._needed(self._obligations.of(claim, ()))
                if claim.goal is not Goal.IGNORES
                else self._ignorance(claim, exchanges)
            )
            if found is None:
                return None
            needed += found
        closed = self._invariants().closed(needed) if needed else []
        data = {"start": self._least, "clauses": [one.data() for one in closed], "exchanges": exchanges}
        return None if wrong(self._tree, formula, data, budget) else data

    def _needed(self, obligations: Iterable[Obligation]) -> list[Clause] | None:
        """The clauses with which all of the obligations are met."""
        needed: list[Clause] = []
        for one in obligations:
            found = self._obligations.needed(one, ())
            if found is None:
                found = self._obligations.needed(one, self._invariants().clauses)
            if found is None:
                return None
            needed += found
        return needed

    def _ignorance(self, claim: Claim, exchanges: list[Data]) -> list[Clause] | None:
        """The same for what is not known, with an exchange, which is noted."""
        family, size = self._obligations.family, max(self._least, _LARGE) + _SIZES - 1
        for found in LookAlikes(family, claim, self._listed(size)).found():
            needed = self._needed(Ignorance(self._obligations, claim, found, ()).obligations())
            if needed is not None:
                exchanges.append(found.data())
                return needed
        return None

    def _listed(self, size: int) -> Listed:
        if size not in self._sizes:
            self._sizes[size] = Listed(self._system(size), size, self._budget)
        return self._sizes[size]

    def _invariants(self) -> Inductive:
        if self._inductive is None:
            first = max(self._least, _LARGE)
            sizes = [self._listed(size) for size in range(first, first + _SIZES)]
            drawn = candidates(self._obligations.family, sizes, self._tick)
            starting = [one for one in drawn if self._obligations.refuted(self._obligations.starts(one))]
            self._inductive = Inductive(self._obligations, starting, lambda: self._tick())
        return self._inductive


def wrong(tree: Template, formula: FormulaTree, data: Mapping[str, Any], budget: Budget) -> str | None:
    """What the certificate does not show; None where it shows that the formula holds for every size from its start on."""
    family = Family(tree, z3.Context())
    try:
        known = [clause(family, one) for one in data["clauses"]]
        least = int(data["start"])
    except (Unreadable, KeyError, TypeError, ValueError) as unreadable:
        return f"this is no certificate: {unreadable}"
    obligations = Obligations(family, least, budget.check)
    try:
        asked = list(_asked(obligations, formula, known, list(data["exchanges"])))
    except Unreadable as unreadable:
        return f"this is no certificate: {unreadable}"
    except Outside as outside:
        return f"there is no such proof: {outside.why}"
    for one in [*obligations.invariant(known), *asked]:
        if not obligations.refuted(one):
            return f"not shown: there is no {one.meaning}"
    return None


def lacking(
    tree: Template, formula: FormulaTree, data: Mapping[str, Any], system: Callable[[int], System], budget: Budget
) -> str | None:
    """As `wrong`; the clauses are also looked at in the states of the two smallest sizes, which guards against errors of translation."""
    found = wrong(tree, formula, data, budget)
    if found is not None:
        return found
    family = Family(tree, z3.Context())
    for size in (int(data["start"]), int(data["start"]) + 1):
        listed = Listed(system(size), size, budget)
        for one in data["clauses"]:
            if not listed.satisfies(clause(family, one)):
                return f"{tree.parameter.name} = {size}: a reachable state violates {clause(family, one)}"
    return None


def _asked(
    made: Obligations, formula: FormulaTree, known: Sequence[Clause], exchanges: list[Data]
) -> Iterator[Obligation]:
    """The obligations of the formula's claims, besides those of the clauses."""
    for claim in claims(formula):
        if claim.goal is not Goal.IGNORES:
            yield from made.of(claim, known)
            continue
        if not exchanges:
            raise Unreadable("an exchange is missing")
        yield from Ignorance(made, claim, exchange(made.family, exchanges.pop(0), claim), known).obligations()
