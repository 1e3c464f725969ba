"""The past, remembered in the nodes.

A past operator whose operands are state formulae is worth, at each point of a run, what its operands were worth so far: one bit, known
at time 0 and updated by every step.  `Remembering` is the product of a structure with such bits: a node is a state together with what
its history made of them.  There the operators are propositions, so formulae that look back, quantifiers and knowledge included, become
formulae that do not: a run of the product is a run of the system, each with its one and only history.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from epistrat.engines.explicit.graph import Graph, Ids, from_edges
from epistrat.engines.explicit.label import Labels
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.structure import Structure
from epistrat.logic.formula import (
    KNOWLEDGE,
    PAST,
    And,
    Correct,
    Exists,
    ForAll,
    Formula,
    Historically,
    Iff,
    Implies,
    Not,
    Once,
    Or,
    Prop,
    Since,
    Truth,
    Xor,
    Yesterday,
    is_state,
    operands,
    subformulae,
)
from epistrat.logic.fragment import past_at_path_level
from epistrat.logic.rewrite import rebuild
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

_AT_ONCE = 6  # bits added to the nodes in one go


class Remembering:
    """A structure whose nodes also know the truth of some past operators."""

    def __init__(self, base: Structure, memory: Memory) -> None:
        self.base = base
        self._nodes, self.graph = memory.product(base.graph)
        self.base_of: Ids = (self._nodes // memory.size).astype(np.int32)
        self.bits = self._nodes % memory.size

    @property
    def system(self) -> System:
        """Whose states these are."""
        return self.base.system

    @property
    def budget(self) -> Budget:
        """What may still be spent."""
        return self.base.budget

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self.base_of)

    @property
    def initial(self) -> Ids:
        """The nodes at time 0."""
        return self.graph.initial

    @property
    def dead_ends(self) -> bool:
        """Whether some node has no step."""
        return self.base.dead_ends

    def holds(self, condition: Expr) -> Mask:
        """Where a condition is true."""
        return self.base.holds(condition)[self.base_of]

    def views(self, positions: tuple[int, ...]) -> Numbers:
        """What is seen of the state; nobody sees the past."""
        return self.base.views(positions)[self.base_of]

    def state(self, node: int) -> State:
        """The state a node stands for."""
        return self.base.state(int(self.base_of[node]))


class Memory:
    """One bit for each of some past operators over state formulae, and how steps change them."""

    def __init__(self, operators: list[Formula], labels: Labels) -> None:
        self.operators = operators
        self.size = 1 << len(operators)
        self._parts = [[labels.holds(operand) for operand in operands(operator)] for operator in operators]
        self._budget = labels.structure.budget

    def first(self, nodes: Ids) -> NDArray[np.int64]:
        """The bits at time 0."""
        bits = np.zeros(len(nodes), dtype=np.int64)
        for index, (operator, parts) in enumerate(zip(self.operators, self._parts, strict=True)):
            if not isinstance(operator, Yesterday):
                bits |= parts[-1][nodes].astype(np.int64) << index
        return bits

    def next(self, bits: NDArray[np.int64], before: NDArray[np.int64], after: Ids) -> NDArray[np.int64]:
        """The bits one step later."""
        result = np.zeros(len(after), dtype=np.int64)
        for index, (operator, parts) in enumerate(zip(self.operators, self._parts, strict=True)):
            old = (bits >> index & 1).astype(np.bool_)
            match operator:
                case Yesterday():
                    new = parts[0][before]
                case Once():
                    new = parts[0][after] | old
                case Historically():
                    new = parts[0][after] & old
                case Since():
                    new = parts[1][after] | (parts[0][after] & old)
                case _:
                    raise AssertionError(f"not a past operator: {operator}")
            result |= new.astype(np.int64) << index
        return result

    def product(self, graph: Graph) -> tuple[NDArray[np.int64], Graph]:
        """The reachable pairs of node and bits, coded as node * size + bits, and the graph they make."""
        seen = np.zeros(graph.count * self.size, dtype=np.bool_)
        start = graph.initial.astype(np.int64) * self.size + self.first(graph.initial)
        frontier = np.unique(start)
        seen[frontier] = True
        sources: list[NDArray[np.int64]] = []
        targets: list[NDArray[np.int64]] = []
        while len(frontier):
            self._budget.check()
            nodes = frontier // self.size
            lengths = graph.forward.starts[nodes + 1] - graph.forward.starts[nodes]
            after = graph.forward.of(nodes)
            origin = np.repeat(frontier, lengths)
            bits = self.next(origin % self.size, origin // self.size, after)
            reached = after.astype(np.int64) * self.size + bits
            sources.append(origin)
            targets.append(reached)
            frontier = np.unique(reached[~seen[reached]])
            seen[frontier] = True
        pairs = np.flatnonzero(seen)
        rank = np.cumsum(seen, dtype=np.int64) - 1
        source = rank[np.concatenate(sources)] if sources else np.empty(0, dtype=np.int64)
        target = rank[np.concatenate(targets)] if targets else np.empty(0, dtype=np.int64)
        initial = rank[start].astype(np.int32)
        return pairs, from_edges(len(pairs), source, target.astype(np.int32), initial, self._budget)


class RememberingLabels(Labels):
    """Labels over a product with memory: formulae that do not mention what is remembered are asked below."""

    def __init__(self, structure: Remembering, below: Labels, facts: dict[Formula, Mask], names: set[Formula]) -> None:
        super().__init__(structure, below.fairness)
        self._below = below
        self._lift = structure.base_of
        self._own = names
        for formula, where in facts.items():
            self.know(formula, where)

    def _compute(self, formula: Formula) -> Mask:
        if not any(part in self._own for part in subformulae(formula)) and is_state(formula):
            return self._below.holds(formula)[self._lift]
        return super()._compute(formula)

    @cached_property
    def constraints(self) -> list[Mask]:
        """Fairness constraints do not look back."""
        return [where[self._lift] for where in self._below.constraints]

    @cached_property
    def worlds(self) -> Mask | None:
        """Whether a fair path starts somewhere does not depend on the history."""
        below = self._below.worlds
        return None if below is None else below[self._lift]


def remember(labels: Labels, formula: Formula) -> tuple[Labels, Formula]:
    """Labels over a structure that remembers what the formula asks of the past, and the formula in these terms.

    Past operators over path formulae remain in the formula.
    """
    number = 0
    while True:
        ready = _ready(formula)[:_AT_ONCE]
        if not ready:
            return labels, formula
        memory = Memory(ready, labels)
        structure = Remembering(labels.structure, memory)
        names: dict[Formula, Formula] = {}
        facts: dict[Formula, Mask] = {}
        for index, operator in enumerate(ready):
            name = names[operator] = Prop(f"past {number}")
            facts[name] = (structure.bits >> index & 1).astype(np.bool_)
            number += 1
        labels = RememberingLabels(structure, labels, facts, set(facts))
        formula = rebuild(formula, lambda part, names=names: names.get(part, part))  # type: ignore[misc]


def _ready(formula: Formula) -> list[Formula]:
    """The past operators whose operands are state formulae that do not look back themselves."""
    found: list[Formula] = []
    for part in subformulae(formula):
        if isinstance(part, PAST) and all(is_state(operand) for operand in operands(part)):
            inside = subformulae(*operands(part))
            if not any(isinstance(inner, PAST) for inner in inside):
                found.append(part)
    return found


def looks_back_too_far(formula: Formula) -> bool:
    """Whether a past operator over a path formula stands where its value depends on more than the future from time 0.

    That is: in a quantifier that is itself below another operator, except directly below knowledge.
    """
    while ready := _ready(formula):
        formula = rebuild(formula, lambda part, ready=ready: Truth(True) if part in ready else part)  # type: ignore[misc]
    later: list[Formula] = []
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, Not | And | Or | Implies | Iff | Xor):
            stack.extend(operands(part))
        elif isinstance(part, ForAll | Exists):
            later.extend(_states_inside(part.arg))
        else:
            later.append(part)
    while later:
        part = later.pop()
        if isinstance(part, (*KNOWLEDGE, Correct)) and isinstance(part.arg, ForAll):
            later.extend(_states_inside(part.arg.arg))
        elif isinstance(part, ForAll | Exists) and past_at_path_level(part.arg):
            return True
        else:
            later.extend(operands(part))
    return False


def _states_inside(path: Formula) -> list[Formula]:
    """The outermost state formulae in a path formula."""
    if is_state(path):
        return [path]
    return [inner for operand in operands(path) for inner in _states_inside(operand)]
