"""A system whose agents follow a strategy: the same system with narrower protocols."""

from __future__ import annotations

from epistrat.evidence.strategy import RuleStrategy, UniformStrategy
from epistrat.model.state import Act
from epistrat.model.system import System
from epistrat.model.transform.rules import equals, exclusive, with_rules
from epistrat.terms import Expr, Terms, Value


def restrict(system: System, strategy: UniformStrategy | RuleStrategy) -> System:
    """The system whose members follow the strategy."""
    return with_rules(system, rules_of(system, strategy))


def rules_of(system: System, strategy: UniformStrategy | RuleStrategy) -> dict[str, list[tuple[Expr, Act]]]:
    """What each member does where, as rules that exclude each other."""
    terms = Terms()
    if isinstance(strategy, RuleStrategy):
        return {name: exclusive(terms, rules) for name, rules in strategy.rules}
    return {name: _rules(system, terms, name, moves) for name, moves in strategy.moves}


def _rules(
    system: System, terms: Terms, name: str, moves: tuple[tuple[tuple[Value, ...], Act], ...]
) -> list[tuple[Expr, Act]]:
    positions = system.views[name]
    by_action: dict[Act, list[Expr]] = {}
    for seen, action in moves:
        tests = [equals(terms, system, place, [value]) for place, value in zip(positions, seen, strict=True)]
        by_action.setdefault(action, []).append(terms.conjunction(tests))
    return [(terms.disjunction(views), action) for action, views in by_action.items()]
