"""The judge's evidence: the shared builder over its graph and its labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from epistrat.engines.contract import Outcome, Strategies, Verdict
from epistrat.engines.reference.graph import Nodes
from epistrat.engines.reference.judge import Judge
from epistrat.engines.witness.graph import GraphSpace
from epistrat.evidence import Along, Path, Restricted, Tree, UniformStrategy
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.shapes import Reach, shapes
from epistrat.logic.formula import Coalition, Formula, Group
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Act, State, view
from epistrat.model.step import Stepper
from epistrat.model.system import Scheduling
from epistrat.records import replace

if TYPE_CHECKING:
    from epistrat.engines.reference.uniform import Decisions


class JudgeSpace(GraphSpace):
    """The judge's states; where strategies must be uniform, the judge's search finds them."""

    def __init__(self, judge: Judge, stepper: Stepper, reached: ReachableGraph, strategies: Strategies) -> None:
        labels = judge.labels()
        world = labels.world
        super().__init__(stepper, reached, world.nodes, world.constraints, labels.of, strategies)
        self._labels = labels

    def _strategy(self, claim: Coalition, starts: Nodes, trials: int | None) -> UniformStrategy | None:
        if self.system.scheduling is Scheduling.FAIR:
            return None
        decisions = self._labels.uniform_game(claim).strategy(starts, trials)
        assert decisions is not None or trials is not None, (
            "the strategy that decided the formula cannot be found again"
        )
        return None if decisions is None else uniform_strategy(self.stepper, self._reached, claim.group, decisions)


def uniform_strategy(stepper: Stepper, reached: ReachableGraph, group: Group, decisions: Decisions) -> UniformStrategy:
    """Decisions as a strategy that says what to do in every reachable view: as decided, else the first that is allowed."""
    system = stepper.system
    tables: list[tuple[str, tuple[tuple[State, Act], ...]]] = []
    for name in group.members:
        agent = system.agent.get(name)
        if agent is None or not agent.actions:
            continue
        table: dict[State, Act] = {}
        for state in reached.states:
            seen = view(system, name, state)
            if seen not in table:
                allowed = stepper.choices(agent, state)
                if allowed:
                    table[seen] = decisions.get((name, seen), allowed[0])
        if table:
            tables.append((name, tuple(table.items())))
    return UniformStrategy(group, tuple(tables))


def space_of(judge: Judge, stepper: Stepper, reached: ReachableGraph, strategies: Strategies) -> JudgeSpace | None:
    """The judge's states, as the builder of evidence sees them; None where fairness makes states depend on their history."""
    if len(judge.labels().world.graph.state) != len(reached.states):
        return None
    return JudgeSpace(judge, stepper, reached, strategies)


def under_strategy(outcome: Outcome, strategy: UniformStrategy) -> Outcome:
    """Evidence of a system pruned by a strategy, as evidence of the system itself: the strategy is the reason."""
    tree = outcome.evidence
    if tree is None:
        return outcome
    return replace(outcome, evidence=Tree(tree.state, tree.claim, True, (Restricted(strategy, tree),)))


def early_evidence(outcome: Outcome, formula: Formula, stepper: Stepper, seen: ReachableGraph) -> Outcome:
    """Evidence for ``AG f`` that fails or ``EF f`` that holds by the states seen so far: the way to the first that decides it."""
    holds = outcome.verdict is Verdict.HOLDS
    conditions = StateConditions(stepper.system, stepper.evaluator)
    for shape in shapes(formula, holds):
        assert isinstance(shape, Reach)
        ((goal, value),) = shape.target
        number = next(n for n, state in enumerate(seen.states) if conditions.holds(goal, state) is value)
        states, actions = seen.path_to(number)
        end = (len(actions), Tree(states[-1], goal, value))
        along = Along(Path(tuple(states), tuple(actions)), (end,))
        return replace(outcome, evidence=Tree(states[0], formula, holds, (along,)))
    return outcome
