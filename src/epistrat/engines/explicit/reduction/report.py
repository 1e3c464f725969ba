"""What reduction does to a model, for people who want to know."""

from __future__ import annotations

import numpy as np

from epistrat.engines.contract import Strategies, Watcher, silent
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.reduction.automata import NotReducible
from epistrat.engines.explicit.reduction.space import ReducedSpace, Reducer
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.explicit.verdict import quantified
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget, OutOfBudget

_BLOCK = 1 << 16  # states looked at together
_FULL = 20_000_000  # states that are counted where no limit is given


@dataclass(frozen=True, slots=True)
class ReductionReport:
    """Sizes and the part each action plays.

    ``reason`` says why there is no reduction, or why a size is missing.  ``visible`` are the actions that change what the formula
    sees.  ``taken`` counts, for each action, the states in which it was taken while others were put off.
    """

    full_states: int | None
    reduced_states: int | None
    reason: str | None = None
    rules: str = ""
    visible: tuple[str, ...] = ()
    taken: tuple[tuple[str, int], ...] = ()


def reduction_report(
    system: System,
    formula: Formula,
    mode: str = "auto",
    budget: Budget | None = None,
    watch: Watcher = silent,
    strategies: Strategies = Strategies.ANY,
) -> ReductionReport:
    """Explore the reduced space of a formula and the full one, and say what was left out."""
    budget = budget or Budget()
    layout = Layout(system)
    successors = full_successors(layout)
    reason: str | None = None
    space: ReducedSpace | None = None
    reduced: int | None = None
    if strategies is Strategies.UNIFORM:
        reason = "where strategies are fixed beforehand, all states are looked at"
    elif isinstance(successors, InterleavedSuccessors):
        try:
            space = Reducer(successors, budget, watch, strategies).space(quantified(formula), mode)
            reduced = space.explored().count
        except (NotReducible, OutOfBudget) as problem:
            reason = str(problem)
    else:
        reason = "the model is synchronous: there are no interleavings to leave out"
    full: int | None = None
    try:
        limited = replace(budget, states=budget.states or _FULL)
        full = ExplicitSpace(layout, successors, limited, watch).explored().count
    except OutOfBudget as limit:
        reason = reason or f"not all states were counted: {limit}"
    if space is None or reduced is None:
        return ReductionReport(full, None, reason)
    return ReductionReport(
        full,
        reduced,
        reason,
        str(space.statistics()["rules"]),
        _names(space, space.reduced.rules.visible),
        _taken(space),
    )


def _names(space: ReducedSpace, labels: frozenset[int]) -> tuple[str, ...]:
    rules, actions = space.reduced.rules, space.reduced.full.actions
    numbers = {rules.automata.labels[label].action for label in labels}
    return tuple(action.name for number, action in enumerate(actions) if number in numbers)


def _taken(space: ReducedSpace) -> tuple[tuple[str, int], ...]:
    """How often each action was taken in a state where something was left out."""
    reduced = space.reduced
    labels, actions = reduced.rules.automata.labels, reduced.full.actions
    counts = np.zeros(len(actions), dtype=np.int64)
    states = space.explored().states
    for start in range(0, len(states), _BLOCK):
        block = states.block[start : start + _BLOCK]
        locals_ = reduced.full.locals(block)
        plan = reduced.plan(block, locals_)
        left_out = plan.reduced & reduced.leaves_out(plan, locals_)
        for label, rows in plan.taken:
            counts[labels[label].action] += int(left_out[rows].sum())
    return tuple((action.name, int(n)) for action, n in zip(actions, counts, strict=True) if n)
