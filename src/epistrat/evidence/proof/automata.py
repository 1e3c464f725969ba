"""Path formulae as automata: a bit for every subformula that speaks of what comes next, guessed at a point, settled at the next.

For ``f U g = g or (f and X(f U g))`` and its kin the bit says whether the part behind X is true.  A run whose bits
fit tells the truth about itself where what is put off is not put off for ever: for each such operator a condition that must be met again
and again.  So ``E body`` holds where some values of the bits make the body true and a path of the product meets all conditions.
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.relation import Extra, Pairs
from epistrat.evidence.proof.world import World
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, operands
from epistrat.solvers.bdd import Bdd


class Automaton:
    """The automaton of one path formula; ``leaf`` gives the states of what it reads, None for what speaks of the path."""

    def __init__(self, world: World, body: Formula, leaf: Callable[[Formula], Bdd | None]) -> None:
        self._world = world
        self._space = world.space
        self._leaf = leaf
        self._known: dict[Formula, Bdd] = {}
        self._settles: list[tuple[tuple[int, int], Bdd]] = []
        self.conditions: list[Bdd] = []
        self.start = self._true(body)

    @property
    def pairs(self) -> Pairs:
        """The bits, now and after a step."""
        return tuple(pair for pair, _ in self._settles)

    def extras(self) -> list[Extra]:
        """Each bit now says what is true after the step."""
        return [Extra(now, means, after=True) for (now, _), means in self._settles]

    def _true(self, formula: Formula) -> Bdd:
        """Where, under which guesses, the formula is true."""
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = self._made(formula)
        return found

    def _made(self, formula: Formula) -> Bdd:
        algebra = self._space.algebra
        leaf = self._leaf(formula)
        if leaf is not None:
            return leaf
        args = [self._true(one) for one in operands(formula)]
        if isinstance(formula, logic.CONNECTIVES):
            every = Booleans[Bdd](lambda one: ~one, self._space.conjunction, self._space.disjunction, algebra.xor)
            return connect(formula, args, every)
        if not isinstance(formula, logic.FUTURE):
            raise NotProvable("a past operator over a future one")
        now, later = algebra.grow(2)
        guess = algebra.var[now]
        match formula:
            case logic.Next():
                self._settles.append(((now, later), args[0]))
                return guess
            case logic.Finally():
                result, due = args[0] | guess, args[0]
                self.conditions.append(due | ~result)
            case logic.Until():
                result, due = args[1] | args[0] & guess, args[1]
                self.conditions.append(due | ~result)
            case logic.Globally():
                result = args[0] & guess
                self.conditions.append(result | ~args[0])
            case logic.WeakUntil():
                result = args[1] | args[0] & guess
                self.conditions.append(result | ~args[0] & ~args[1])
            case _:
                result = args[1] & (args[0] | guess)
                self.conditions.append(result | ~args[1])
        self._settles.append(((now, later), result))
        return result
