"""Formulae without steps, evaluated once for all states that agree on what they read.

Atoms read variables, and knowledge reads what agents see.  States with equal values of all these variables satisfy the same Boolean and
epistemic combinations of the atoms, so one state of each kind is enough: that two states look the same to an agent depends on their
kinds alone, and each kind has a reachable state.

This assumes that knowledge ranges over all reachable states.  With fairness it ranges over some of them, which kinds do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.edges import Ids
from epistrat.engines.explicit.graph import Graph
from epistrat.engines.explicit.layout import Block, Mask, Numbers
from epistrat.engines.explicit.scope import Scope
from epistrat.engines.explicit.structure import Explored
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, knowers, operands, subformulae
from epistrat.model.conditions import as_condition
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Expr, variables

STATIC = (*logic.CONNECTIVES, *logic.ATOMS, *logic.KNOWING)
_BLOCK = 1 << 18  # states numbered together
_FEWEST = 1 << 16  # states from which on kinds are worth counting
_STATES_PER_KIND = 8  # fewer, and nothing is gained


class Kinds:
    """One state of each kind, as a structure without steps; ``kinds`` tells the kind of every state."""

    def __init__(self, structure: Explored, block: Block, kinds: Numbers) -> None:
        self.system, self.budget = structure.system, structure.budget
        self.kinds = kinds
        self._layout, self._block = structure.layout, block
        self._conditions = VectorConditions(structure.layout)
        self.initial: Ids = np.empty(0, dtype=np.int32)
        self.dead_ends = False

    @property
    def graph(self) -> Graph:
        """There are no steps between kinds."""
        raise AssertionError("a formula without steps asks for steps")

    def state(self, node: int) -> State:
        """A state of the kind."""
        return self._layout.unpack(self._layout.integers(self._block[node : node + 1])[0])

    @property
    def count(self) -> int:
        """How many kinds there are."""
        return len(self._block)

    def holds(self, condition: Expr) -> Mask:
        """For which kinds a condition is true."""
        return self._conditions.holds(condition, self._block)

    def views(self, positions: tuple[int, ...]) -> Numbers:
        """Equal numbers for kinds in which the variables at these positions have equal values."""
        return Scope(self._layout, positions).numbers(self._block)


def static_parts(formula: Formula) -> Iterator[Formula]:
    """The largest subformulae that have knowledge but no steps."""
    static: dict[Formula, bool] = {}
    knowing: dict[Formula, bool] = {}
    for part in subformulae(formula):
        static[part] = isinstance(part, STATIC) and all(static[operand] for operand in operands(part))
        knowing[part] = isinstance(part, logic.KNOWING) or any(knowing[operand] for operand in operands(part))
    outer = [part for part in static if not static[part]]
    for part in dict.fromkeys([formula, *(operand for one in outer for operand in operands(one))]):
        if static[part] and knowing[part]:
            yield part


def read_by(system: System, formula: Formula) -> tuple[int, ...]:
    """The positions of the variables that the truth of a formula without steps depends on."""
    found = {position for agent in knowers([formula]) for position in system.views[agent]}
    for part in subformulae(formula):
        match part:
            case logic.Correct(agent):
                green = as_condition(system, logic.Colour(agent, True))
                found.update(system.position[key] for key in variables(green))
            case logic.Distributed(group):
                found.update(system.pooled_view(group))
            case _ if isinstance(part, logic.ATOMS):
                found.update(system.position[key] for key in variables(as_condition(system, part)))
    return tuple(sorted(found))


def kinds_of(structure: Explored, positions: tuple[int, ...]) -> Kinds | None:
    """The kinds of all explored states by these variables; None where states are few, or nearly as few as kinds."""
    count, patience = structure.count, structure.budget.patience
    if count < patience.most(_FEWEST):
        return None
    scope = Scope(structure.layout, positions, entries=count)
    kinds = np.empty(count, dtype=np.int32)
    found: list[Block] = [structure.layout.empty()]
    most = patience.block(_BLOCK)
    for start in range(0, count, most):
        structure.budget.check()
        block = structure.states.block[start : start + most]
        kinds[start : start + most], new = scope.number(block)
        found.append(block[new])
        if len(scope) * patience.most(_STATES_PER_KIND) > count:
            return None
    return Kinds(structure, np.concatenate(found), kinds)
