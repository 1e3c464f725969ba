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

from epistrat.engines.explicit.edges import Ids
from epistrat.engines.explicit.games import Games
from epistrat.engines.explicit.graph import Graph, from_edges
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.explicit.monitor import Monitor
from epistrat.engines.explicit.structure import Structure
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.logic.fragment import history_quantifiers
from epistrat.logic.rewrite import rebuild
from epistrat.model.state import State
from epistrat.terms import Expr


class Remembering:
    """A structure whose nodes stand for nodes of another one, ``base_of`` them, together with something of their history."""

    def __init__(self, base: Structure, base_of: NDArray[np.int64], graph: Graph) -> None:
        self.base = base
        self.base_of: Ids = base_of.astype(np.int32)
        self.graph, self.initial, self.count = graph, graph.initial, len(base_of)
        self.system, self.budget, self.dead_ends = base.system, base.budget, base.dead_ends

    def holds(self, condition: Expr) -> Mask:
        """Where a condition is true."""
        return self.base.holds(condition)[self.base_of]

    def views(self, positions: tuple[int, ...]) -> Numbers:
        """What is seen of the state; nobody sees the past."""
        return self.base.views(positions)[self.base_of]

    def state(self, node: int) -> State:
        """The state a node stands for."""
        return self.base.state(int(self.base_of[node]))


class PastBits:
    """One bit for each of some past operators over state formulae, and how steps change them."""

    def __init__(self, operators: list[Formula], labels: MaskLabels) -> None:
        self.operators = operators
        self.size = 1 << len(operators)
        self._parts = [[labels.label(operand) for operand in operands(operator)] for operator in operators]
        self._budget = labels.structure.budget

    def first(self, nodes: Ids) -> NDArray[np.int64]:
        """The bits at time 0."""
        bits = np.zeros(len(nodes), dtype=np.int64)
        for index, (operator, parts) in enumerate(zip(self.operators, self._parts, strict=True)):
            if not isinstance(operator, logic.Yesterday):
                bits |= parts[-1][nodes].astype(np.int64) << index
        return bits

    def next(self, bits: NDArray[np.int64], before: NDArray[np.int64], after: Ids) -> NDArray[np.int64]:
        """The bits one step later."""
        result = np.zeros(len(after), dtype=np.int64)
        for index, (operator, parts) in enumerate(zip(self.operators, self._parts, strict=True)):
            old = (bits >> index & 1).astype(np.bool_)
            match operator:
                case logic.Yesterday():
                    new = parts[0][before]
                case logic.Once():
                    new = parts[0][after] | old
                case logic.Historically():
                    new = parts[0][after] & old
                case logic.Since():
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


class RememberingLabels(MaskLabels):
    """Labels over a product with memory: formulae that do not mention what is remembered are asked below."""

    def __init__(self, structure: Remembering, below: MaskLabels, facts: dict[Formula, Mask]) -> None:
        super().__init__(structure, below.fairness)
        self._below = below
        self._lift = structure.base_of
        self._own: set[Formula] = set()
        self._lifted: dict[Group, Games] = {}
        for formula, where in facts.items():
            self.learn(formula, where)

    def learn(self, formula: Formula, where: Mask) -> None:
        """Say where a formula holds of which the structure below knows nothing."""
        self._own.add(formula)
        self.know(formula, where)

    def at_once(self, formula: Formula) -> Mask | None:
        """What does not mention the past, from below."""
        if self._own.isdisjoint(subformulae(formula)):
            return self._below.label(formula)[self._lift]
        return super().at_once(formula)

    def games(self, group: Group) -> Games:
        """What a group can choose after a history."""
        from epistrat.engines.explicit.histories.choices import lifted

        if group not in self._lifted:
            assert isinstance(self.structure, Remembering)
            self._lifted[group] = lifted(self._below.games(group), self.structure)
        return self._lifted[group]

    @cached_property
    def constraints(self) -> list[Mask]:
        """Fairness constraints do not look back."""
        return [where[self._lift] for where in self._below.constraints]

    @cached_property
    def worlds(self) -> Mask | None:
        """Whether a fair path starts somewhere does not depend on the history."""
        below = self._below.worlds
        return None if below is None else below[self._lift]


def remember(labels: MaskLabels, formula: Formula) -> tuple[MaskLabels, Formula]:
    """Labels over a structure that remembers what the formula asks of the past, and the formula in these terms.

    Past operators over path formulae remain where they are asked at time 0, or directly below knowledge.
    """
    number = 0
    while True:
        ready = _ready(formula)[: labels.structure.budget.patience.memories_at_once]
        if ready:
            structure, truths = _with_bits(ready, labels)
        elif nested := _nested(formula):
            structure, truths = _with_monitor(nested[0], labels)
        else:
            return labels, formula
        names: dict[Formula, Formula] = {part: logic.Prop(f"past {number + i}") for i, part in enumerate(truths)}
        number += len(names)
        labels = RememberingLabels(structure, labels, {names[part]: where for part, where in truths.items()})
        formula = rebuild(formula, lambda part, names=names: names.get(part, part))  # type: ignore[misc]  # mypy cannot type the default


def _with_bits(operators: list[Formula], labels: MaskLabels) -> tuple[Remembering, dict[Formula, Mask]]:
    memory = PastBits(operators, labels)
    nodes, graph = memory.product(labels.structure.graph)
    bits = nodes % memory.size
    truths = {operator: (bits >> index & 1).astype(np.bool_) for index, operator in enumerate(operators)}
    return Remembering(labels.structure, nodes // memory.size, graph), truths


def _with_monitor(
    quantifier: logic.ForAll | logic.Exists, labels: MaskLabels
) -> tuple[Remembering, dict[Formula, Mask]]:
    monitor = Monitor(quantifier, labels)
    return Remembering(labels.structure, monitor.base_of, monitor.graph), {quantifier: monitor.truth()}


def _nested(formula: Formula) -> list[logic.ForAll | logic.Exists]:
    """The quantifiers that look back and are asked later than at time 0, innermost first; not those directly below knowledge."""
    known = {
        part.arg
        for part in subformulae(formula)
        if isinstance(part, logic.KNOWING) and isinstance(part.arg, logic.ForAll)
    }
    found = [part for part in history_quantifiers(formula) if isinstance(part, logic.ForAll | logic.Exists)]
    return [part for part in found if part not in known or _elsewhere(part, formula)]


def _elsewhere(quantifier: Formula, formula: Formula) -> bool:
    """Whether the quantifier stands below something other than knowledge, too."""
    parts = subformulae(formula)
    return any(quantifier in operands(part) for part in parts if not isinstance(part, logic.KNOWING))


def _ready(formula: Formula) -> list[Formula]:
    """The past operators whose operands are state formulae that do not look back themselves."""
    found: list[Formula] = []
    for part in subformulae(formula):
        if isinstance(part, logic.PAST) and all(is_state(operand) for operand in operands(part)):
            inside = subformulae(*operands(part))
            if not any(isinstance(inner, logic.PAST) for inner in inside):
                found.append(part)
    return found
