"""Path formulae over infinite (fair) runs: the product of the graph with the formula's tableau."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from epistrat.engines.reference.graph import Nodes, World, backwards, on_fair_cycles
from epistrat.engines.reference.tableau import Atom, Tableau
from epistrat.logic.formula import And, Formula, Implies, Not, Or
from epistrat.logic.rewrite import negation
from epistrat.solvers.budget import Budget

Point = tuple[int, Atom]

_EVERY = 4096  # nodes between two looks at the clock


class Product:
    """Pairs of node and atom, reachable from given ones by steps in which the atoms fit together.

    A pair describes truly some run through its node iff an infinite path starts there that meets the fairness constraints and settles
    every eventuality infinitely often; on such a path each atom tells the truth about the rest of the run.
    """

    def __init__(self, world: World, tableau: Tableau, leaves: Sequence[int], budget: Budget) -> None:
        self.world = world
        self.tableau = tableau
        self._leaves = leaves
        self._budget = budget
        self._number: dict[tuple[int, int, int], int] = {}
        self._points: list[tuple[int, int, int]] = []
        self._next: list[list[int]] = []

    def grow(self, starts: Iterable[Point]) -> None:
        """Add everything reachable from the given pairs."""
        for node, atom in starts:
            self._add((node, atom.guess, atom.memory))
        while len(self._next) < len(self._points):
            if len(self._next) % _EVERY == 0:
                self._budget.check()
            self._next.append(self._successors(*self._points[len(self._next)]))

    def _add(self, point: tuple[int, int, int]) -> int:
        number = self._number.get(point)
        if number is None:
            number = self._number[point] = len(self._points)
            self._points.append(point)
        return number

    def _successors(self, node: int, guess: int, memory: int) -> list[int]:
        """The pairs that fit: what was guessed is demanded there, what is true here is remembered there."""
        tableau, leaves = self.tableau, self._leaves
        memory = tableau.truth(leaves[node], guess, memory).remembers
        return [
            self._add((child, later, memory))
            for child in self.world.children(node)
            for later in tableau.continuations(leaves[child], memory, guess)
        ]

    def holds(self, number: int) -> bool:
        """Whether the formula is true according to the atom of a pair."""
        node, guess, memory = self._points[number]
        return self.tableau.truth(self._leaves[node], guess, memory).holds

    def on_runs(self) -> set[int]:
        """The pairs through which a run passes, by number."""
        settled = [self.tableau.truth(self._leaves[n], g, m).settled for n, g, m in self._points]
        constraints = [_settles(settled, bit) for bit in self.tableau.eventualities]
        constraints += [self._visits(fair) for fair in self.world.constraints]
        cycles = on_fair_cycles(range(len(self._points)), self._next.__getitem__, constraints)
        parents: list[list[int]] = [[] for _ in self._points]
        for number, targets in enumerate(self._next):
            for target in targets:
                parents[target].append(number)
        self._budget.check()
        return backwards(cycles, parents.__getitem__)

    def _visits(self, fair: Nodes) -> Callable[[int], bool]:
        return lambda number: self._points[number][0] in fair

    def satisfiable(self, atoms: Mapping[int, Iterable[Atom]]) -> Nodes:
        """The nodes from which some run, with one of the node's given atoms at its beginning, satisfies the formula."""
        promising = [
            (node, atom)
            for node, some in atoms.items()
            for atom in some
            if self.tableau.truth(self._leaves[node], atom.guess, atom.memory).holds
        ]
        self.grow(promising)
        runs = self.on_runs()
        return frozenset(node for node, atom in promising if self._number[node, atom.guess, atom.memory] in runs)

    def violated(self) -> Nodes:
        """The nodes of the pairs through which a run passes and at which the formula is false."""
        return frozenset(self._points[number][0] for number in self.on_runs() if not self.holds(number))


def _settles(settled: Sequence[int], bit: int) -> Callable[[int], bool]:
    return lambda number: bool(settled[number] >> bit & 1)


def first_atoms(tableau: Tableau) -> list[Atom]:
    """The atoms that are possible at time 0."""
    return [Atom(guess, tableau.first_memory) for guess in tableau.guesses]


def alternatives(body: Formula) -> list[Formula]:
    """Path formulae one of which holds wherever the body does, and conversely: its disjuncts, as far as they show."""
    found: list[Formula] = []
    stack = [body]
    while stack:
        match stack.pop():
            case Or(args):
                stack.extend(args)
            case Not(And(args)):
                stack.extend(map(negation, args))
            case Implies(left, right):
                stack.extend((negation(left), right))
            case Not(Not(arg)):
                stack.append(arg)
            case other:
                found.append(other)
    return found


def leaf_masks(world: World, labels: Sequence[Nodes]) -> list[int]:
    """For every node the set of leaves that hold there, as bits."""
    masks = [0] * len(world.graph.state)
    for number, nodes in enumerate(labels):
        for node in nodes:
            masks[node] |= 1 << number
    return masks
