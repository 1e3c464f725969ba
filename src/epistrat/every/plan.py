"""What is to be proved so that a formula holds for every size: formulae of one counted system.

Which members are kept by themselves depends on the formula, so each formula has a system of its own.
"""

from __future__ import annotations

from epistrat.every.formulae import Part, Phrasing, is_universal, parts
from epistrat.every.layout import Quotients
from epistrat.every.quotient import Counted, counted
from epistrat.every.spots import NeedsSpecial, New, Outside, Special
from epistrat.lang.templates import NotATree, Template, template
from epistrat.lang.templates.tree import FormulaTree
from epistrat.records import dataclass, replace
from epistrat.source import Span

__all__ = ["NotATree", "Outside", "Plan", "Template", "planned", "template"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The formula holds for every size from ``start`` on if these texts hold in the system."""

    counted: Counted
    start: int
    texts: tuple[str, ...]
    parts: tuple[Part, ...]


def planned(tree: Template, formula: FormulaTree, least: int) -> Plan:
    """The plan for sizes from ``least`` on; raises `Outside` where the formula or the model is not of the kind that is counted.

    Fairness lines are left out for a formula that is about all runs and all that agents hold possible: without them there are more of both.
    """
    found: frozenset[Special | New] = frozenset()
    if tree.fairness and is_universal(formula.body):
        tree = replace(tree, fairness=())
    quotients: Quotients = {}
    while True:
        system = counted(tree, found, least, quotients)
        try:
            asked = parts(system.layout, formula)
            new = frozenset(one for part in asked for one in part.new)
            if new <= set(system.specials):
                phrasing = Phrasing(system)
                texts = tuple([phrasing.text(part, formula.marker) for part in asked])
                if len(system.layout.quotients) > len(quotients) and not _declared(system):
                    quotients = dict(system.layout.quotients)
                    continue
                whole = replace(system, system=replace(system.system, propositions=phrasing.conditions))
                return Plan(whole, max(whole.least, least), texts, tuple(asked))
            found |= new
        except NeedsSpecial as needed:
            found |= {needed.special}


def _declared(system: Counted) -> bool:
    """Whether all numbers that conditions speak of are variables of the system."""
    return all(key in system.system.position for key in system.layout.quotients.values())


def where(tree: Template, at: Span | None) -> str:
    """The line of a place, in words that go behind a reason."""
    return "" if at is None else f" (line {tree.line(at)})"
