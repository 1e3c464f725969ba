"""The state space of a system: its layout, its steps, and how far they were explored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from epistrat.engines.contract import Strategies, Watcher
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.edges import Edges
from epistrat.engines.explicit.explore import Explorer, Successors
from epistrat.engines.explicit.initial import InitialStates
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Block, Layout
from epistrat.engines.explicit.paths import as_path, go_round, path_to
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.explicit.synchronous import SynchronousSuccessors
from epistrat.engines.explicit.tables.plays import Plays
from epistrat.engines.explicit.tables.tables import Tables
from epistrat.engines.explicit.verdict import reads_steps
from epistrat.engines.readings import Readings
from epistrat.evidence import Along, Around, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.conditions import as_condition
from epistrat.model.step import Stepper
from epistrat.solvers.budget import Budget

_MOST_LABEL_BYTES = 1 << 28  # 256 MB of masks are kept for the next formula
_BLOCK = 1 << 17  # states looked at together
_LONGEST = 20_000  # states of a run shown as evidence


class ExplicitSpace:
    """The reachable states, as far as they were explored."""

    def __init__(
        self,
        layout: Layout,
        successors: Successors,
        budget: Budget,
        watch: Watcher,
        strategies: Strategies = Strategies.ANY,
    ) -> None:
        self.system, self.budget = layout.system, budget
        self._strategies = strategies
        self.layout, self.successors = layout, successors
        self.conditions = VectorConditions(layout)
        initial = InitialStates(layout, self.conditions, budget)
        self.explorer = Explorer(layout, successors, initial.blocks, budget, watch)
        self._explored: Explored | None = None
        self._labels: MaskLabels | None = None
        self._plays: Plays | None = None

    def advance(self) -> Block | None:
        """The new states of one more level, or None when all states were found."""
        return None if self.explorer.done else self.explorer.advance()

    def record(self, formulae: Sequence[Formula]) -> None:
        """Keep the edges that are found from now on, if one of the formulae needs them."""
        if not self.explorer.started:
            self.explorer.advance()
        starts = len(self.explorer.initial)
        if self.explorer.edges is None and any(self.system.fairness or reads_steps(one, starts) for one in formulae):
            strategic = any(isinstance(part, logic.Coalition) for one in formulae for part in subformulae(one))
            self.explorer.edges = Edges(self.system.interleaved, strategic)

    def explored(self) -> Explored:
        """All states."""
        while self.advance() is not None:
            pass
        if self._explored is None:
            self._explored = Explored(self.layout, self.explorer, self.successors, self.budget)
        return self._explored

    def labels(self) -> MaskLabels:
        """Where formulae hold among all states."""
        if self._labels is None:
            self._labels = MaskLabels(self.explored(), self.system.fairness, self._strategies)
        return self._labels

    def read(self, readings: Readings, nodes: int) -> MaskLabels:
        """The same, where strategies have names, remember, or form equilibria, and are read like this."""
        labels = MaskLabels(self.explored(), self.system.fairness, readings.strategies)
        self._plays = self._plays or Plays(self.explored())
        labels.tables = Tables(labels, self._plays, readings, nodes)
        return labels

    def forget_some(self) -> None:
        """Let go of what was computed for formulae if it has become much."""
        if self._labels is not None and self._labels.bytes > _MOST_LABEL_BYTES:
            self._labels = None

    @property
    def complete(self) -> bool:
        """Whether all states were found."""
        return self.explorer.done

    def always(self, body: Formula) -> bool:
        """Whether a Boolean combination of atoms holds in all reachable states; explores no further than needed."""
        condition = as_condition(self.system, body)
        known, block = self.explorer.known().block, self.budget.patience.block(_BLOCK)
        for start in range(0, len(known), block):
            if not self.conditions.holds(condition, known[start : start + block]).all():
                return False
        while (fresh := self.advance()) is not None:
            if not self.conditions.holds(condition, fresh).all():
                return False
        return True

    def violation(self, formula: logic.ForAll, body: Formula) -> Tree | None:
        """Evidence against ``AG body`` from the states found so far, one of which violates it: a shortest run there.

        Read over infinite runs, the run goes on until it repeats itself; None if that takes too long.
        """
        condition = as_condition(self.system, body)
        structure = Explored(self.layout, self.explorer, self.successors, self.budget, self.explorer.known())
        ids = path_to(structure, ~structure.holds(condition))
        assert ids is not None
        stepper = Stepper(self.system)
        path = as_path(structure, ids, stepper)
        claims = ((len(ids) - 1, Tree(path.last, body, False)),)
        if not formula.star:
            return Tree(path.states[0], formula, False, (Along(path, claims),))
        lasso = go_round(stepper, path, self.budget.patience.most(_LONGEST))
        return None if lasso is None else Tree(path.states[0], formula, False, (Around(lasso, claims),))

    def statistics(self) -> dict[str, Any]:
        """Sizes so far."""
        found: dict[str, Any] = {
            "levels": self.explorer.levels,
            "complete": self.complete,
            "bits per state": self.layout.bits,
        }
        if self._explored is not None and "graph" in self._explored.__dict__:
            found["edges"] = len(self._explored.graph.forward.targets)
        return found


def full_successors(layout: Layout) -> InterleavedSuccessors | SynchronousSuccessors:
    """All steps of the layout's system."""
    return InterleavedSuccessors(layout) if layout.system.interleaved else SynchronousSuccessors(layout)
