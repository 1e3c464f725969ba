"""Certificates for tests: from a tree alone, or from what an engine answered."""

from __future__ import annotations

from epistrat.answers import Certificate, Outcome, Verdict
from epistrat.engines.contract import Options
from epistrat.evidence import Tree
from epistrat.logic.formula import Formula

PLAIN = Options()


def claimed(*trees: Tree) -> Certificate:
    """The trees as an answer to the question that the first one speaks of."""
    verdict = Verdict.HOLDS if trees[0].holds else Verdict.FAILS
    return Certificate(trees[0].claim, verdict, trees=trees)


def certified(formula: Formula, outcome: Outcome, options: Options = PLAIN) -> Certificate:
    """What an engine answered."""
    return Certificate(formula, outcome.verdict, options.strategies, options.uniform_group, outcome.trees)
