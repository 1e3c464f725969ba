"""Deterministic parity automata by Safra's trees, in the form in which nodes are numbered by their age.

A node is a set of states that runs of a nondeterministic Büchi automaton can be in; its children follow runs that were accepting since.
When the children together have all of a node's states, each run has been accepting once more: the node *succeeds*, and its descendants
go.  A node without states goes, and the younger ones move up.  The run is accepted iff some node stays for ever and succeeds again and
again.  The oldest node that something happens to decides: its number is a priority, even for success, odd for going.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from epistrat.logic.automaton import Automaton
from epistrat.logic.formula import Formula
from epistrat.records import dataclass

Literals: TypeAlias = tuple[tuple[Formula, bool], ...]
Tree: TypeAlias = tuple[tuple[int, frozenset[int]], ...]
"""Nodes in the order of their age: the number of the parent (-1 at the root), and the states."""


@dataclass(frozen=True, slots=True)
class Buchi:
    """A nondeterministic Büchi automaton: for each state (literals, target, whether the transition is accepting); 0 is initial."""

    steps: tuple[tuple[tuple[Literals, int, bool], ...], ...]


def buchi(machine: Automaton) -> Buchi:
    """Many acceptance sets become one by a counter of those that were met."""
    many = max(machine.acceptance, 1)
    steps: list[list[tuple[Literals, int, bool]]] = [[] for _ in range(machine.states * many)]
    for one in machine.transitions:
        for met in range(many):
            reached = met
            while reached < machine.acceptance and reached in one.sets:
                reached += 1
            accepting = reached >= machine.acceptance
            target = one.target * many + (0 if accepting else reached)
            steps[one.source * many + met].append((tuple(one.literals), target, accepting))
    return Buchi(tuple(map(tuple, steps)))


START: Tree = ((-1, frozenset((0,))),)


def mentioned(machine: Buchi, tree: Tree) -> list[Formula]:
    """What the next step depends on."""
    states = tree[0][1] if tree else frozenset()
    found = {atom: None for state in sorted(states) for literals, _, _ in machine.steps[state] for atom, _ in literals}
    return list(found)


def step(machine: Buchi, tree: Tree, true: Collection[Formula]) -> tuple[Tree, int | None]:
    """The next tree, and the priority: 2 k + 1 if node k went, 2 k + 2 if it succeeded, for the oldest k; None if nothing happened."""
    count = len(tree)
    parents = [parent for parent, _ in tree]
    labels: list[set[int]] = []
    born: list[set[int]] = []
    for _, states in tree:
        reached: set[int] = set()
        accepted: set[int] = set()
        for state in states:
            for literals, target, accepting in machine.steps[state]:
                if all((atom in true) is value for atom, value in literals):
                    reached.add(target)
                    if accepting:
                        accepted.add(target)
        labels.append(reached)
        born.append(accepted)
    parents += range(count)
    labels += born
    _older_first(parents, labels)
    return _tidied(parents, labels, count)


def _older_first(parents: list[int], labels: list[set[int]]) -> None:
    """A state stays with the oldest of siblings, and is nowhere where it is not in the parent."""
    taken: list[set[int]] = [set() for _ in parents]
    for node, parent in enumerate(parents):  # parents are older than their children
        if parent >= 0:
            labels[node] &= labels[parent]
            labels[node] -= taken[parent]
            taken[parent] |= labels[node]


def _tidied(parents: list[int], labels: list[set[int]], count: int) -> tuple[Tree, int | None]:
    covered: list[set[int]] = [set() for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            covered[parent] |= labels[node]
    kept: dict[int, int] = {}
    succeeded: set[int] = set()
    priority: int | None = None
    result: list[tuple[int, frozenset[int]]] = []
    for node, parent in enumerate(parents):
        stays = bool(labels[node]) and (parent < 0 or (parent in kept and parent not in succeeded))
        happened: int | None = None
        if not stays:
            happened = 2 * node + 1 if node < count else None
        else:
            kept[node] = len(result)
            result.append((kept[parent] if parent >= 0 else -1, frozenset(labels[node])))
            if covered[node] == labels[node]:
                succeeded.add(node)
                happened = 2 * node + 2 if node < count else None
        if happened is not None and (priority is None or happened < priority):
            priority = happened
    return tuple(result), priority
