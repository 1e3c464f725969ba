"""Strategies that are fixed before anything is checked, in interleaved systems: some uniform choices make the whole formula true.

Every follower fixes one choice for each of its local states, and the formula is asked of what remains of the system, in which what is left
without any step repeats itself.  One operator over conditions is a search for a uniform strategy from all initial states; everything else
is tried strategy by strategy, each local state decided only when it is reached.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from epistrat.engines.contract import Options, Outcome, Verdict, Watcher
from epistrat.engines.explicit.decisions import Deciding
from epistrat.engines.explicit.layout import Layout, Mask
from epistrat.engines.explicit.session import ExplicitSession
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.explicit.uniform import UniformGames
from epistrat.engines.explicit.verdict import quantified, satisfied
from epistrat.engines.witness.attempts import refuted, under_strategy
from epistrat.evidence import UniformStrategy
from epistrat.evidence.restrict import restrict
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, operands
from epistrat.model.conditions import is_condition
from epistrat.model.system import System
from epistrat.solvers.budget import Budget, OutOfBudget


class PruningSession(ExplicitSession):
    """Explores all states once, and each system that strategies leave."""

    def __init__(self, system: System, options: Options, budget: Budget, watch: Watcher) -> None:
        super().__init__(system, options, budget, watch)
        names = options.uniform_group
        self._followers = Group(names if names is not None else tuple(agent.name for agent in system.agents))
        self._tried = 0

    def check(self, formula: Formula) -> Outcome:
        """Do some uniform choices of the followers make the formula true in every initial state?"""
        self._tried = 0
        try:
            found = self._strategy(quantified(formula))
        except OutOfBudget as limit:
            return self._unknown(limit, ())
        statistics = self._sizes(self._full) | {"strategies tried": self._tried}
        outcome = Outcome(Verdict.FAILS if found is None else Verdict.HOLDS, statistics=statistics)
        if not self._options.evidence:
            return outcome
        if found is None:
            return refuted(outcome, formula, self._system, self._followers.members, self._open_pruned)
        return under_strategy(outcome, formula, self._system, found, self._open_pruned)

    def remark(self, formula: Formula, verdict: Verdict) -> Outcome:
        """Nothing: each strategy would need a remark of its own."""
        return Outcome(verdict)

    def _strategy(self, formula: Formula) -> UniformStrategy | None:
        """A strategy of the followers that makes the formula true."""
        labels = self._full.labels()
        structure = labels.structure
        assert isinstance(structure, Explored)
        starts: Mask = np.zeros(structure.count, dtype=np.bool_)
        starts[structure.initial] = True
        goal = self._objective(formula)
        if goal is None:
            return next((one for one in self._strategies(structure, starts) if self._succeeds(one, formula)), None)
        games = UniformGames(structure, self._followers, labels.constraints)
        found = games.strategy(goal, [labels.label(operand) for operand in operands(goal)], starts)
        return None if found is None else games.as_strategy(self._followers, found)

    def _objective(self, formula: Formula) -> Formula | None:
        """The operator, if the formula asks for no more than one strategy from all initial states.

        A coalition of followers has no choice left, so it enforces what happens anyway.
        """
        match formula:
            case logic.Coalition(group, arg) if set(group.members) <= set(self._followers.members):
                goal = arg
            case logic.ForAll(arg):
                goal = arg
            case _:
                return None
        plain = isinstance(goal, (logic.Next, logic.Finally, logic.Globally, logic.Until))
        return goal if plain and all(map(is_condition, (*operands(goal), *self._system.fairness))) else None

    def _strategies(self, structure: Explored, starts: Mask) -> Iterator[UniformStrategy]:
        """All strategies of the followers, as far as they differ in local states that are reached."""
        deciding = Deciding(structure, self._followers)
        everything: Mask = np.ones(structure.count, dtype=np.bool_)
        stack: list[dict[tuple[int, int], int]] = [{}]
        while stack:
            self._budget.check()
            decisions = stack.pop()
            left = deciding.left(decisions)
            found = deciding.open_in(left.reach(starts, everything) & ~left.decided, decisions)
            if found is None:
                yield deciding.as_strategy(decisions)
            else:
                stack.extend({**decisions, found[0]: act} for act in reversed(found[1]))

    def _succeeds(self, strategy: UniformStrategy, formula: Formula) -> bool:
        self._tried += 1
        layout = Layout(restrict(self._system, strategy), self._budget.patience)
        space = ExplicitSpace(layout, full_successors(layout), self._budget, self._watch)
        return satisfied(space.labels(), formula)
