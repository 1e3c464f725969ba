"""Path formulae over a symbolic transition system: variables that guess the future and remember the past.

For every future operator a Boolean variable guesses whether it (for X: its operand) is true at the next point; a step must prove the guess
right.  For every past operator a variable remembers whether it (for Y: its operand) was true at the last point.  With them every part
of the formula is a condition on the extended state:

    F f = f | next      G f = f & next      f U g = f W g = g | (f & next)      f R g = g & (f | next)
    Once f = f | last   Hist f = f & last   f S g = g | (f & last)              X f = next,  Y f = last

An infinite run of the extended system tells the truth about the formula iff nothing is postponed for ever: each condition in ``justice`` is
met again and again.
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.memory import Memory
from epistrat.encoding.transitions import StepPart, Transitions, guessing, primed, same_truth
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import Variable
from epistrat.model.system import System
from epistrat.terms import FALSE, TRUE, Expr


class TransitionTableau(Memory):
    """The tableau of path formulae over one system; ``leaf`` tells formulae that are neither temporal nor atoms."""

    def __init__(self, system: System, transitions: Transitions, leaf: Callable[[Formula], Expr]) -> None:
        super().__init__(system, transitions, "path ", leaf)
        self._inputs: list[Variable] = []
        self._primes: dict[Expr, Expr] = {}
        self.justice: list[Expr] = []

    def extend(self) -> Transitions:
        """The transition system with all guesses and memories."""
        return super().extend().extended(inputs=self._inputs)

    def _modal(self, formula: Formula) -> Expr:
        match formula:
            case logic.Next(arg):
                guess = self._guess()
                self._prove(guess, self.condition(arg))
                return guess
            case logic.Finally(arg):
                return self._eventually(TRUE, self.condition(arg))
            case logic.Until(left, right):
                return self._eventually(self.condition(left), self.condition(right))
            case logic.Globally(arg):
                return self._always(FALSE, self.condition(arg))
            case logic.WeakUntil(left, right):
                one, two = self.condition(left), self.condition(right)
                return self._always(two, self._terms.disjunction((one, two)))
            case logic.Release(left, right):
                return self._always(self.condition(left), self.condition(right))
            case _:
                return super()._modal(formula)

    def _eventually(self, keeps: Expr, ends: Expr) -> Expr:
        """``keeps U ends``; while it is true its end is owed."""
        terms, guess = self._terms, self._guess()
        truth = terms.disjunction((ends, terms.conjunction((keeps, guess))))
        self._prove(guess, truth)
        self.justice.append(terms.disjunction((ends, terms.negate(truth))))
        return truth

    def _always(self, releases: Expr, holds: Expr) -> Expr:
        """``releases R holds``; while it is false its violation is owed."""
        terms, guess = self._terms, self._guess()
        truth = terms.conjunction((holds, terms.disjunction((releases, guess))))
        self._prove(guess, truth)
        self.justice.append(terms.disjunction((truth, terms.negate(holds))))
        return truth

    def _guess(self) -> Expr:
        variable = self._fresh()
        choice, part = guessing(self._terms, variable)
        self._inputs.append(choice)
        self._parts.append(part)
        return variable.reference

    def _prove(self, guess: Expr, demanded: Expr) -> None:
        """A step is possible only if the demanded condition is true after it exactly where that was guessed."""
        later = primed(demanded, self._terms, self._primes)
        self._parts.append(StepPart(same_truth(self._terms, guess, later), (), TRUE))
