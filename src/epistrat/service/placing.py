"""Proves formulae for every size of a family whose members stand in places (`epistrat.every.places`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from epistrat.every.plan import NotATree, Outside, Template, template, where
from epistrat.lang.templates.tree import FormulaTree
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.service.counting import Unproved, digest_of
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.every.places.prove import Places

SECONDS = 30.0
"""So long a formula is tried."""
MOST_TRIALS = 2
"""So many sizes are tried as the first from which on a formula holds that fails for a smaller one."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The formula holds for every size from ``start`` on: the obligations of the certificate ``data`` were shown."""

    start: int
    data: Mapping[str, Any] = field(repr=False)
    digest: str

    method = "places"


class Placing:
    """Tries the formulae of one text; ``system`` gives the model of a size."""

    def __init__(
        self, text: str, parameter: str, given: Mapping[str, int], system: Callable[[int], System], budget: Budget
    ) -> None:
        self._digest = digest_of(text)
        self._system, self._budget = system, budget
        self._started: dict[int, Places | Unproved] = {}
        self._tree: Template | None = None
        with suppress(NotATree):  # counting says why
            self._tree = template(text, parameter, given)

    def prove(self, place: int, first: int) -> Placed | Unproved:
        """A proof of the formula that is written at this place, for all sizes from ``first`` on."""
        formula = None if self._tree is None else formula_at(self._tree, place)
        if self._tree is None or formula is None:
            return Unproved("the formula has no tree")
        places = self._places(self._tree, first)
        if isinstance(places, Unproved):
            return places
        try:
            data = places.prove(formula, self._budget.at_most(SECONDS))
        except Outside as outside:
            return Unproved(f"{outside.why}{where(self._tree, outside.at)}")
        except OutOfBudget as limit:
            return Unproved(f"no proof was found: {limit}")
        return Unproved("no invariant was found that shows it") if data is None else Placed(first, data, self._digest)

    def later(self, place: int, first: int) -> Placed | None:
        """A proof for all sizes from some size on, for a formula that fails for the size before ``first``."""
        for start in range(first, first + MOST_TRIALS):
            found = self.prove(place, start)
            if isinstance(found, Placed):
                return found
        return None

    def _places(self, tree: Template, first: int) -> Places | Unproved:
        """What looks for proofs from this size on."""
        from epistrat.every.places.prove import Places  # with Z3, which most answers do without

        if first not in self._started:
            try:
                self._started[first] = Places(tree, first, self._system, self._budget)
            except Outside as outside:
                self._started[first] = Unproved(f"{outside.why}{where(tree, outside.at)}")
        return self._started[first]


def formula_at(tree: Template, place: int) -> FormulaTree | None:
    """The formula that is written at this place."""
    return next((one for one in tree.formulae if one.at.start <= place < one.at.end), None)
