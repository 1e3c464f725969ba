"""The judge's evidence: the shared builder over its graph and its labels."""

from __future__ import annotations

from dataclasses import replace

from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.reference.judge import Judge
from epistrat.engines.witness import evidence
from epistrat.engines.witness_graph import GraphSpace
from epistrat.engines.witness_notes import vacuity
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import history_quantifiers
from epistrat.model.explore import ReachableGraph
from epistrat.model.step import Stepper


def space_of(judge: Judge, stepper: Stepper, reached: ReachableGraph) -> GraphSpace | None:
    """The judge's states, as the builder of evidence sees them; None where fairness makes states depend on their history."""
    labels = judge.labels()
    world = labels.world
    if len(world.graph.state) != len(reached.states):
        return None
    return GraphSpace(stepper, reached, world.nodes, world.constraints, labels.of)


def with_evidence(outcome: Outcome, formula: Formula, space: GraphSpace | None, examples: int) -> Outcome:
    """The outcome with up to so many trees; formulae whose inner quantifiers look back in time get none."""
    if space is None or outcome.verdict is Verdict.UNKNOWN or history_quantifiers(formula):
        return outcome
    holds = outcome.verdict is Verdict.HOLDS
    trees = evidence(space, formula, holds, examples)
    notes = outcome.notes + (vacuity(space, formula) if holds else ())
    return replace(outcome, evidence=trees[0] if trees else None, others=tuple(trees[1:]), notes=notes)
