"""Evidence: runs and look-alikes from the explored states, invariants and regions from the abstraction.

A claim about a state is shown by what was explored where that is possible; where it rests on all states of a set, the set is given as a
condition that a prover can check; and what rests on a proof of termination is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from epistrat import evidence as e
from epistrat.engines.abstraction.arguments import Arguments, TooLong
from epistrat.engines.abstraction.concrete import Walker
from epistrat.engines.abstraction.deriving import Deriving
from epistrat.engines.abstraction.force import Anything
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.prefix import Guess, Prefix, PrefixLabels
from epistrat.engines.witness.knowledge import observers
from epistrat.evidence import Tree
from epistrat.evidence.shapes import Literal, Reach, Shape, shapes
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands
from epistrat.model.conditions import is_condition
from epistrat.model.state import Joint, State
from epistrat.records import replace
from epistrat.solvers.bdd import Bdd

_OF_SETS = (e.Invariant, e.Region, e.Descent, e.Derivation, e.Enforced)


class Witnesses:
    """Trees about the states of a prefix."""

    def __init__(self, prefix: Prefix, known: PrefixLabels, abstract: AbstractLabels | None, guess: Guess) -> None:
        self._prefix = prefix
        self._guess = guess
        self._known = known
        self._abstract = abstract
        self._system = prefix.stepper.system

    def root(self, formula: Formula, holds: bool) -> Tree | None:
        """A tree for the verdict: about an initial state where the formula fails, or about one of those where it holds."""
        label = self._known.label(formula)
        wanted = label.yes if holds else label.no
        for node in self._prefix.initial:
            if node in wanted:
                tree = self.tree(formula, node, holds)
                return self._for_all_starts(tree, node) if holds and len(self._prefix.initial) > 1 else tree
        return None

    def _for_all_starts(self, tree: Tree, node: int) -> Tree:
        """The tree; where it speaks of one initial state alone, with what the abstraction proves about the others."""
        if self._abstract is None or is_condition(tree.claim) or any(isinstance(one, _OF_SETS) for one in tree.because):
            return tree
        if self._guess(tree.claim, self._prefix.states[node]) is not True:
            return tree
        derivation = Deriving(self._abstract).derivation(tree.claim, True)
        return tree if derivation is None else replace(tree, because=(*tree.because, derivation))

    def tree(self, formula: Formula, node: int, holds: bool) -> Tree:
        """Why the formula holds or fails in an explored state, where that is known."""
        return Tree(self._prefix.states[node], formula, holds, tuple(self._reasons(formula, node, holds)))

    def _reasons(self, formula: Formula, node: int, holds: bool) -> list[e.Reason]:
        if is_condition(formula):
            return []
        if isinstance(formula, logic.CONNECTIVES):
            return [e.Part(self.tree(part, node, value)) for part, value in self._parts(formula, node)]
        match formula:
            case logic.ForAll() | logic.Exists():
                path = self._path(formula, node, holds)
                return self._set(formula, node, holds) if path is None else [path]
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() if not holds:
                return [self._look_alike(formula, node)]
            case logic.Correct(agent, arg) if not holds:
                return [self._elsewhere(agent, arg)]
            case _:
                return self._set(formula, node, holds)

    def _parts(self, formula: Formula, node: int) -> list[tuple[Formula, bool]]:
        """The outermost subformulae that are no conditions, as far as their truth is known."""
        found: dict[Formula, bool] = {}
        stack = [formula]
        while stack:
            current = stack.pop()
            if isinstance(current, logic.CONNECTIVES):
                stack.extend(operands(current))
            elif not is_condition(current):
                value = self._value(current, node)
                if value is not None:
                    found[current] = value
        return list(found.items())

    def _value(self, formula: Formula, node: int) -> bool | None:
        label = self._known.label(formula)
        return True if node in label.yes else False if node in label.no else None

    def _satisfies(self, literals: Iterable[Literal], node: int) -> bool:
        return all(self._value(formula, node) is truth for formula, truth in literals)

    # -- runs -----------------------------------------------------------------------------------------------------

    def _path(self, formula: Formula, node: int, holds: bool) -> e.Reason | None:
        for shape in shapes(formula, holds):
            found = self._shown(shape, node)
            if found is not None:
                return found
        return None

    def _shown(self, shape: Shape, node: int) -> e.Reason | None:
        if isinstance(shape, Reach):
            walk = self._walk(shape, node)
            if walk is None:
                return self._far(shape, node)
            nodes, actions = walk
            claims = [(place, one) for place, at in enumerate(nodes[:-1]) for one in self._claims(shape.through, at)]
            claims += [(len(nodes) - 1, one) for one in self._claims(shape.target, nodes[-1])]
            return e.Along(e.Path(self._states(nodes), tuple(actions)), tuple(claims))
        circle = self._circle(shape.everywhere, node)
        if circle is None:
            return None
        nodes, actions, loop = circle
        claims = [(place, one) for place, at in enumerate(nodes) for one in self._claims(shape.everywhere, at)]
        return e.Around(e.Lasso(self._states(nodes), tuple(actions), loop), tuple(claims))

    def _far(self, shape: Reach, node: int) -> e.Reason | None:
        """A run that leaves the explored states, along the stages in which the abstraction forces it."""
        literals = (*shape.through, *shape.target)
        if self._abstract is None or shape.steps is not None or not all(is_condition(one) for one, _ in literals):
            return None
        before, goal = self._sure(shape.through), self._sure(shape.target)
        try:
            stages = Arguments(self._abstract).stages(Anything(), before, goal)
        except TooLong:
            return None
        found = Walker(self._prefix.stepper, self._abstract.space, stages, goal).walk(self._prefix.states[node])
        return None if found is None else e.Along(e.Path(tuple(found[0]), tuple(found[1])))

    def _sure(self, literals: Iterable[Literal]) -> Bdd:
        """The abstract states in which the literals are sure."""
        assert self._abstract is not None
        result = self._abstract.space.reached
        for formula, truth in literals:
            label = self._abstract.label(formula)
            result = result & (label.yes if truth else label.no)
        return result

    def _claims(self, literals: Iterable[Literal], node: int) -> list[Tree]:
        return [self.tree(formula, node, truth) for formula, truth in literals if not is_condition(formula)]

    def _states(self, nodes: list[int]) -> tuple[State, ...]:
        return tuple(self._prefix.states[node] for node in nodes)

    def _walk(self, shape: Reach, node: int) -> tuple[list[int], list[Joint]] | None:
        """A shortest way from the node to one that satisfies the target, through nodes that satisfy what must hold before."""
        if shape.steps is None and self._satisfies(shape.target, node):
            return [node], []
        parents: dict[int, tuple[int, Joint] | None] = {node: None}
        queue = [node]
        for current in queue:
            if current >= len(self._prefix.moves) or not self._satisfies(shape.through, current):
                continue
            for joint, targets in self._prefix.moves[current]:
                for target in targets:
                    if self._satisfies(shape.target, target):
                        nodes, actions = _back(parents, current)
                        return [*nodes, target], [*actions, joint]
                    if target not in parents and shape.steps is None:
                        parents[target] = (current, joint)
                        queue.append(target)
        return None

    def _circle(self, everywhere: Iterable[Literal], node: int) -> tuple[list[int], list[Joint], int] | None:
        """A way through nodes that satisfy the literals, from the node to a node that it passes twice."""
        literals = tuple(everywhere)
        if not self._satisfies(literals, node):
            return None
        place = {node: 0}
        nodes, actions = [node], list[Joint]()
        iterators = [self._successors(node, lambda target: self._satisfies(literals, target))]
        dead: set[int] = set()
        while iterators:
            step = next(iterators[-1], None)
            if step is None:
                iterators.pop()
                dead.add(nodes.pop())
                place = {at: index for index, at in enumerate(nodes)}
                if actions:
                    actions.pop()
                continue
            joint, target = step
            if target in place:
                return nodes, [*actions, joint], place[target]
            if target not in dead:
                place[target] = len(nodes)
                nodes.append(target)
                actions.append(joint)
                iterators.append(self._successors(target, lambda one: self._satisfies(literals, one)))
        return None

    def _successors(self, node: int, good: Callable[[int], bool]) -> Iterator[tuple[Joint, int]]:
        if node < len(self._prefix.moves):
            for joint, targets in self._prefix.moves[node]:
                yield from ((joint, target) for target in targets if good(target))

    # -- knowledge ------------------------------------------------------------------------------------------------

    def _look_alike(self, formula: Formula, node: int) -> e.Reason:
        """A state that looks the same and in which the body is false; for common knowledge only one link is looked for."""
        assert isinstance(formula, logic.KNOWLEDGE)
        false = self._known.label(formula.arg).no
        state = self._prefix.states[node]
        for agents in observers(formula):
            positions = self._system.pooled_view(logic.Group(agents))
            for other in sorted(false):
                if all(self._prefix.states[other][place] == state[place] for place in positions):
                    states, actions = self._prefix.path_to(other)
                    return e.LookAlike(
                        agents, e.Path(tuple(states), tuple(actions)), self.tree(formula.arg, other, False)
                    )
        return e.Stated()

    def _elsewhere(self, agent: str, arg: Formula) -> e.Reason:
        green = self._known.label(logic.Colour(agent, green=True)).yes
        for node in sorted(green & self._known.label(arg).no):
            states, actions = self._prefix.path_to(node)
            return e.Elsewhere(e.Path(tuple(states), tuple(actions)), self.tree(arg, node, False))
        return e.Stated()

    # -- sets -----------------------------------------------------------------------------------------------------

    def _set(self, formula: Formula, node: int, holds: bool) -> list[e.Reason]:
        """What the abstraction proves about all states of a set, this one among them; if nothing can be shown, that is stated."""
        if self._abstract is None or self._guess(formula, self._prefix.states[node]) is not holds:
            return [e.Stated()]
        found = Arguments(self._abstract).reasons(formula, holds)
        derivation = None if found else Deriving(self._abstract).derivation(formula, holds)
        return found or [e.Stated() if derivation is None else derivation]


def _back(parents: dict[int, tuple[int, Joint] | None], node: int) -> tuple[list[int], list[Joint]]:
    nodes, actions = [node], list[Joint]()
    origin = parents[node]
    while origin is not None:
        nodes.append(origin[0])
        actions.append(origin[1])
        origin = parents[origin[0]]
    return nodes[::-1], actions[::-1]
