"""Evidence for what the lazy engine found: a run to a bad state, with a look-alike for every K that is false there."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.engines.lazy.atoms import observers, outermost
from epistrat.engines.lazy.knowledge import KnowledgeAnswer
from epistrat.engines.lazy.runs import Circle
from epistrat.engines.lazy.stepped import joint_action
from epistrat.evidence import Along, Around, Elsewhere, Lasso, LookAlike, Part, Path, Reason, Stated, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.points import point_claim
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, subformulae
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.proving.contract import Trace, Valuation

Oracle = Callable[[Formula, Trace], KnowledgeAnswer]
"""Whether a knowledge formula is true at the end of a trace, and if not a trace that shows it."""


class Exhibits:
    """Builds trees for one system."""

    def __init__(self, system: System, oracle: Oracle, proof: Callable[[Formula, Trace], Reason]) -> None:
        self._system = system
        self._oracle = oracle
        self._proof = proof
        self._conditions = StateConditions(system)

    def violation(self, formula: Formula, body: Formula, trace: Trace) -> Tree:
        """``AG body`` fails: the trace leads to a state without it."""
        path = self.path(trace)
        along = Along(path, ((len(path.actions), self.tree(body, trace, False)),))
        return Tree(path.states[0], formula, False, (along,))

    def circle(self, formula: Formula, found: Circle, points: set[tuple[int, Formula]]) -> Tree:
        """A linear formula fails on a run; at the points given it matters whether something is known."""
        states = tuple(map(self.state, found.states))
        lasso = Lasso(states, tuple(map(self.joint, found.inputs)), found.loop)
        claims = []
        for place, node in sorted(points, key=lambda point: point[0]):
            trace = Trace(found.states[: place + 1], found.inputs[:place], {})
            claims.append((place, self.tree(node, trace, self._oracle(node, trace).known)))
        return Tree(states[0], formula, False, (Around(lasso, tuple(claims)),))

    def tree(self, claim: Formula, trace: Trace, holds: bool) -> Tree:
        """Why a claim has its truth value at the end of a trace."""
        state = self.state(trace.last)
        if self._conditions.decides(claim):
            return Tree(state, claim, holds)
        if isinstance(claim, (*logic.KNOWLEDGE, logic.Correct)):
            return Tree(state, claim, holds, self._knowledge(claim, trace, holds))
        known = self._needed(claim, trace, state, holds)
        parts = tuple(Part(self.tree(node, trace, value)) for node, value in known.items())
        return Tree(state, claim, holds, parts)

    def _needed(self, claim: Formula, trace: Trace, state: State, holds: bool) -> dict[Formula, bool]:
        """The truth of as few knowledge formulae as a greedy search finds to decide the claim."""
        known = {node: self._oracle(node, trace).known for node in outermost(claim)}
        for node in list(known):
            fewer = {other: value for other, value in known.items() if other != node}
            if self._conditions.value(claim, state, fewer) is holds:
                known = fewer
        return known

    def _knowledge(self, claim: Formula, trace: Trace, holds: bool) -> tuple[Reason, ...]:
        if holds:
            return (self._proof(claim, trace),)
        if isinstance(claim, logic.Everybody):
            members = [logic.Knows(member, claim.arg) for member in claim.group.members]
            claim = next(one for one in members if not self._oracle(one, trace).known)
        answer = self._oracle(claim, trace)
        agents, _, body = observers(self._system, claim)
        assert answer.witness is not None
        if isinstance(claim, logic.Correct):
            return (Elsewhere(self.path(answer.witness), self._elsewhere(claim.arg, answer.witness)),)
        if not is_state(body):
            return (Stated(),)
        return (LookAlike(agents, self.path(answer.witness), self._elsewhere(point_claim(body), answer.witness)),)

    def _elsewhere(self, claim: Formula, trace: Trace) -> Tree:
        """Why a claim is false at the end of another run; knowledge of path formulae is only stated there.

        The provers speak of such knowledge in terms of the run that was asked about first.
        """
        if any(isinstance(part, logic.KNOWLEDGE) and not is_state(part.arg) for part in subformulae(claim)):
            return Tree(self.state(trace.last), claim, False, (Stated(),))
        return self.tree(claim, trace, False)

    # Runs

    def path(self, trace: Trace) -> Path:
        """A trace as a path of the system."""
        return Path(tuple(map(self.state, trace.states)), tuple(map(self.joint, trace.inputs)))

    def state(self, valuation: Valuation) -> State:
        """The values of the system's own variables."""
        return tuple([valuation[variable.key] for variable in self._system.variables])

    def joint(self, inputs: Valuation) -> Joint:
        """The joint action that the inputs of a step choose."""
        return joint_action(self._system, inputs)
