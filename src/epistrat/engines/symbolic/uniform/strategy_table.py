"""Uniform strategies as evidence: what the search found, written down for the situations that its outcomes meet."""

from __future__ import annotations

from epistrat.engines.symbolic.uniform.label import UniformLabelling
from epistrat.engines.symbolic.uniform.objective import objective_of
from epistrat.engines.symbolic.uniform.search import UniformSearch
from epistrat.evidence import UniformStrategy
from epistrat.logic.formula import Coalition, Finally, Globally, Next, Until, operands
from epistrat.model.play import Play
from epistrat.model.state import Act, State, view
from epistrat.model.step import Stepper
from epistrat.solvers.bdd import Bdd

Tables = dict[str, dict[State, Act]]


def uniform_strategy(
    labels: UniformLabelling, claim: Coalition, starts: Bdd, first: list[State], most: int, trials: int | None = None
) -> UniformStrategy | None:
    """One uniform strategy that wins from all of ``starts``, listed for what can be met from the ``first`` states.

    None if its outcomes are more than can be listed, or if none is found in so many ``trials``.
    """
    objective = objective_of(labels.algebra, claim.arg, [labels.label(operand) for operand in operands(claim.arg)])
    search = UniformSearch(labels.space, labels, claim.group, objective)
    try:
        if not search.wins_from(starts, trials):
            if trials is not None:
                return None
            raise AssertionError("the strategy that decided the formula cannot be found again")
        return _Listing(labels, claim, search, most).strategy(first)
    finally:
        search.close()


class _Listing:
    """Follows the outcomes of a strategy and notes what each member does on the way."""

    def __init__(self, labels: UniformLabelling, claim: Coalition, search: UniformSearch, most: int) -> None:
        self._labels = labels
        self._claim = claim
        self._search = search
        self._most = most
        self._stepper = Stepper(labels.space.system)
        self._play = Play(self._stepper)
        self._agents = [labels.space.system.agent[n] for n in claim.group.members if n in labels.space.system.agent]
        self._met = self._goal()

    def _goal(self) -> Bdd:
        """Where nothing has to be done any more."""
        match self._claim.arg:
            case Finally(goal) | Until(_, goal):
                return self._labels.label(goal)
            case _:
                return self._labels.algebra.false

    def strategy(self, first: list[State]) -> UniformStrategy | None:
        """What the members do in the situations that can be met."""
        tables: Tables = {agent.name: {} for agent in self._agents if agent.actions}
        pending, seen = list(first), set(first)
        for state in pending:
            if self._is_met(state):
                continue
            choice = self._note(state, tables)
            outcomes = None if choice is None else self._outcomes(state, choice)
            if choice is not None and (outcomes is None or len(seen) > self._most):
                return None
            fresh = [target for target in outcomes or () if target not in seen]
            if not isinstance(self._claim.arg, Next) or self._labels.fairness:
                seen.update(fresh)
                pending.extend(fresh)
        return UniformStrategy(self._claim.group, tuple((name, tuple(t.items())) for name, t in tables.items() if t))

    def _is_met(self, state: State) -> bool:
        if isinstance(self._claim.arg, Globally):
            return False
        here = self._labels.space.encoding.singleton(state)
        return self._labels.algebra.implies(here, self._met) and not self._labels.fairness

    def _note(self, state: State, tables: Tables) -> dict[str, Act | None] | None:
        """Enter what the members do in the state; None where somebody cannot act."""
        decided = {situation.agent: action for situation, action in self._search.decisions([state]).items()}
        choice: dict[str, Act | None] = {}
        for agent in self._agents:
            allowed = self._stepper.choices(agent, state)
            if not allowed and agent.actions and not self._play.can_act(state):
                return None
            if allowed:
                action = decided.get(agent.name, allowed[0])
                action = action if action in allowed else allowed[0]
                choice[agent.name] = tables[agent.name][view(self._labels.space.system, agent.name, state)] = action
        return choice

    def _outcomes(self, state: State, choice: dict[str, Act | None]) -> list[State] | None:
        steps = self._play.steps(state, choice, self._most)
        return None if steps is None else list(dict.fromkeys(step.target for step in steps))
