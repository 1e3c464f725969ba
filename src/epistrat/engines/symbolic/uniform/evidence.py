"""Evidence for strategies that prune the model: the strategy, and evidence about the model that it leaves.

The pruned model is a system of its own, with narrower protocols, so it is checked anew; its evidence hangs below the strategy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from epistrat.engines.contract import Outcome, Session, Verdict
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.uniform.checker import PruningChecker
from epistrat.evidence import Tree, UniformStrategy
from epistrat.evidence.restrict import restrict
from epistrat.evidence.tree import Restricted
from epistrat.logic.formula import Formula
from epistrat.model.system import System

SITUATIONS = 2_000
"""The longest strategy that is written down."""


def strategy_of(checker: Checker) -> UniformStrategy | None:
    """The strategy that made the last formula true; None if it is too long to list."""
    assert isinstance(checker, PruningChecker)
    return checker.strategy(SITUATIONS)


def under_strategy(
    outcome: Outcome, formula: Formula, system: System, strategy: UniformStrategy, open_: Callable[[System], Session]
) -> Outcome:
    """The outcome with evidence about the system under the strategy."""
    session = open_(restrict(system, strategy))
    try:
        shown = session.check(formula)
    finally:
        session.close()
    if shown.verdict is not Verdict.HOLDS or shown.evidence is None:
        return outcome
    trees = [_below(tree, strategy) for tree in (shown.evidence, *shown.others)]
    return replace(outcome, evidence=trees[0], others=tuple(trees[1:]), notes=(*outcome.notes, *shown.notes))


def _below(tree: Tree, strategy: UniformStrategy) -> Tree:
    return Tree(tree.state, tree.claim, True, (Restricted(strategy, tree),))
