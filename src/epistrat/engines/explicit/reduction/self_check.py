"""Is the reduced space really as good as the full one?  Checked on small models, without trusting the theory.

The full and the reduced graph are compared as labelled graphs: a state's label is the truth of every condition the formula sees and the
local state of every agent in J.  Then the formula itself, and random formulae that see no more, must have one verdict on both.
"""

from __future__ import annotations

import random
from collections.abc import Hashable

from epistrat.engines.contract import Strategies, silent
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.reduction.applicability import is_linear
from epistrat.engines.explicit.reduction.automata import NotReducible
from epistrat.engines.explicit.reduction.space import Reducer
from epistrat.engines.explicit.reduction.stuttering import Labelled, bisimilar, trace_equivalent
from epistrat.engines.explicit.reduction.visibility import Eyes, eyes
from epistrat.engines.explicit.space import ExplicitSpace
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.explicit.verdict import quantified, satisfied
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import view
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.budget import Budget

STATE_LIMIT = 5_000
"""Larger models are not compared: the comparison takes quadratic time."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What the comparison found.  ``bisimilar`` is None where rule M may be used, which keeps traces only."""

    full_states: int
    reduced_states: int
    traces_equal: bool
    bisimilar: bool | None
    formulae: int
    disagreeing: tuple[Formula, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the reduction."""
        return self.traces_equal and self.bisimilar is not False and not self.disagreeing


def self_check(
    system: System,
    formula: Formula,
    mode: str = "auto",
    samples: int = 20,
    seed: int = 0,
    budget: Budget | None = None,
    strategies: Strategies = Strategies.ANY,
) -> SelfCheck:
    """Compare the formula's reduced space with the full one.

    Raises `NotReducible` if there is no reduced space, or the model is too large for the comparison.
    """
    budget = budget or Budget()
    layout = Layout(system)
    successors = InterleavedSuccessors(layout)
    formula = quantified(formula)
    space = Reducer(successors, budget, silent, strategies).space(formula, mode)
    full = ExplicitSpace(layout, successors, budget, silent)
    while full.advance() is not None:
        if len(full.explorer) > STATE_LIMIT:
            raise NotReducible(f"the model has more than {STATE_LIMIT:,} states, too many for a self-check")
    linear = space.reduced.rules.linear
    asked = [formula, *random_formulae(system, formula, samples, seed, linear)]
    return compare(full.explored(), space.explored(), eyes(system, [formula]), asked, not linear, strategies)


def compare(
    full: Explored,
    reduced: Explored,
    seen: Eyes,
    asked: list[Formula],
    branching: bool,
    strategies: Strategies = Strategies.ANY,
) -> SelfCheck:
    """Compare two explored graphs of one system, by traces, by branching if asked for, and by verdicts."""
    one, other = labelled(full, seen), labelled(reduced, seen)
    fairness = full.system.fairness
    here, there = MaskLabels(full, fairness, strategies), MaskLabels(reduced, fairness, strategies)
    disagreeing = [f for f in asked if satisfied(here, f) != satisfied(there, f)]
    return SelfCheck(
        full.count,
        reduced.count,
        trace_equivalent(one, other),
        bisimilar(one, other) if branching else None,
        len(asked),
        tuple(disagreeing),
    )


def labelled(structure: Explored, seen: Eyes) -> Labelled:
    """An explored graph with what is seen as labels; initial states in the order of their values."""
    system = structure.system
    evaluator = Evaluator(system)
    conditions = sorted(seen.conditions, key=repr)
    agents = sorted(seen.agents)
    states = [structure.state(node) for node in range(structure.count)]
    labels: list[Hashable] = [
        (
            tuple(evaluator.holds(condition, state) for condition in conditions),
            tuple(view(system, agent, state) for agent in agents),
        )
        for state in states
    ]
    rows = structure.graph.forward
    successors = [rows.targets[rows.starts[n] : rows.starts[n + 1]].tolist() for n in range(structure.count)]
    initial = sorted(structure.initial.tolist(), key=lambda node: repr(states[node]))
    return Labelled(labels, successors, initial)


def random_formulae(system: System, formula: Formula, count: int, seed: int, linear: bool) -> list[Formula]:
    """Random formulae without next that see no more than the given one; linear ones where only traces are kept."""
    rng = random.Random(seed)
    seen = eyes(system, [formula])
    atoms: list[Formula] = [logic.Test(condition) for condition in sorted(seen.conditions, key=repr)] or [
        logic.Truth(True)
    ]
    agents = sorted(seen.agents)

    def draw(depth: int) -> Formula:
        if depth == 0:
            return rng.choice(atoms)
        if agents and rng.random() < 0.3:
            return logic.Knows(rng.choice(agents), draw(depth - 1))
        match rng.randrange(6):
            case 0:
                return logic.Not(draw(depth - 1))
            case 1:
                return logic.And((draw(depth - 1), draw(depth - 1)))
            case 2:
                return logic.Or((draw(depth - 1), draw(depth - 1)))
            case 3:
                return path(logic.Finally(draw(depth - 1)))
            case 4:
                return path(logic.Globally(draw(depth - 1)))
            case _:
                return path(logic.Until(draw(depth - 1), draw(depth - 1)))

    def path(body: Formula) -> Formula:
        return body if linear else rng.choice((logic.ForAll, logic.Exists))(body)

    drawn = [quantified(draw(rng.randint(1, 4))) for _ in range(count)]
    return [one for one in drawn if not linear or is_linear(system, one)]
