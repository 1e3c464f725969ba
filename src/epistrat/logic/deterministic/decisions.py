"""What an automaton does when it reads a state of a run, as a tree of questions about the state: which leaf of the formula holds?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from epistrat.logic.formula import Prop
from epistrat.records import dataclass

T = TypeVar("T")
S = TypeVar("S")


@dataclass(frozen=True, slots=True, eq=False)
class Reads(Generic[T]):
    """Whether the leaf holds decides."""

    leaf: Prop
    yes: Tree[T]
    no: Tree[T]


@dataclass(frozen=True, slots=True, eq=False)
class Then(Generic[T]):
    """No more questions."""

    outcome: T


Tree: TypeAlias = Reads[T] | Then[T]


class Trees(Generic[T]):
    """Makes trees in which equal parts are one object, and no question is asked whose answer does not matter."""

    def __init__(self) -> None:
        self._outcomes: dict[T, Then[T]] = {}
        self._questions: dict[tuple[Prop, int, int], Reads[T]] = {}

    def then(self, outcome: T) -> Tree[T]:
        """The end of the questions."""
        return self._outcomes.setdefault(outcome, Then(outcome))

    def reads(self, leaf: Prop, yes: Tree[T], no: Tree[T]) -> Tree[T]:
        """One question, unless both answers lead to the same."""
        if yes is no:
            return yes
        return self._questions.setdefault((leaf, id(yes), id(no)), Reads(leaf, yes, no))

    def decide(self, leaves: Sequence[Prop], outcome: Callable[[frozenset[Prop]], T]) -> Tree[T]:
        """The tree that asks about these leaves; ``outcome`` is given those that hold."""

        def ask(place: int, true: frozenset[Prop]) -> Tree[T]:
            if place == len(leaves):
                return self.then(outcome(true))
            leaf = leaves[place]
            return self.reads(leaf, ask(place + 1, true | {leaf}), ask(place + 1, true))

        return ask(0, frozenset())


def in_order(tree: Tree[T]) -> list[Tree[T]]:
    """All parts of a tree, each before what it leads to."""
    order: list[Tree[T]] = []
    seen: set[int] = set()
    stack: list[tuple[Tree[T], bool]] = [(tree, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            order.append(part)
        elif id(part) not in seen:
            seen.add(id(part))
            stack.append((part, True))
            if isinstance(part, Reads):
                stack += [(part.yes, False), (part.no, False)]
    return order[::-1]


def divide(tree: Tree[T], whole: S, part: Callable[[S, Prop, bool], S | None], join: Callable[[S, S], S]) -> dict[T, S]:
    """Which of the things in ``whole`` have which outcome; ``part`` gives those for which a leaf holds or not, None for nothing."""
    here: dict[int, S] = {id(tree): whole}
    found: dict[T, S] = {}
    for node in in_order(tree):
        some = here.get(id(node))
        if some is None:
            continue
        if isinstance(node, Then):
            found[node.outcome] = some
            continue
        for after, value in ((node.yes, True), (node.no, False)):
            left = part(some, node.leaf, value)
            if left is not None:
                known = here.get(id(after))
                here[id(after)] = left if known is None else join(known, left)
    return found
