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

from epistrat.encoding.transitions import StepPart, Transitions, primed
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import Variable
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.terms import FALSE, TRUE, Boolean, Expr, Terms

OWNER = "?path"


class TransitionTableau:
    """The tableau of path formulae over one system; ``leaf`` tells formulae that are neither temporal nor atoms."""

    def __init__(self, system: System, transitions: Transitions, leaf: Callable[[Formula], Expr]) -> None:
        self._base = transitions
        self._terms = transitions.terms
        self._leaf = leaf
        self._variables: list[Variable] = []
        self._inputs: list[Variable] = []
        self._initial: list[Expr] = []
        self._parts: list[StepPart] = []
        self.justice: list[Expr] = []
        self._truth = Propositional(system, self._terms, self._temporal)
        self._primes: dict[Expr, Expr] = {}

    def truth(self, formula: Formula) -> Expr:
        """The formula as a condition on the extended state."""
        return self._truth.condition(formula)

    def extend(self) -> Transitions:
        """The transition system with all guesses and memories."""
        return self._base.extended(self._variables, self._initial, self._parts, self._inputs)

    def _temporal(self, formula: Formula) -> Expr:
        match formula:
            case logic.Next(arg):
                return self._guess(self.truth(arg), lambda guess: guess)[0]
            case logic.Finally(arg):
                return self._eventually(TRUE, self.truth(arg))
            case logic.Until(left, right):
                return self._eventually(self.truth(left), self.truth(right))
            case logic.Globally(arg):
                return self._always(FALSE, self.truth(arg))
            case logic.WeakUntil(left, right):
                one, two = self.truth(left), self.truth(right)
                return self._always(two, self._terms.disjunction((one, two)))
            case logic.Release(left, right):
                return self._always(self.truth(left), self.truth(right))
            case logic.Yesterday(arg):
                return self._memory(self.truth(arg), lambda last: last, first=False)
            case logic.Once(arg):
                return self._since(TRUE, self.truth(arg))
            case logic.Since(left, right):
                return self._since(self.truth(left), self.truth(right))
            case logic.Historically(arg):
                now = self.truth(arg)
                return self._memory(None, lambda last: self._terms.conjunction((now, last)), first=True)
            case _:
                return self._leaf(formula)

    def _eventually(self, keeps: Expr, ends: Expr) -> Expr:
        """``keeps U ends``; while it is true its end is owed."""
        terms = self._terms
        truth = self._guess(None, lambda guess: terms.disjunction((ends, terms.conjunction((keeps, guess)))))[1]
        self.justice.append(terms.disjunction((ends, terms.negate(truth))))
        return truth

    def _always(self, releases: Expr, holds: Expr) -> Expr:
        """``releases R holds``; while it is false its violation is owed."""
        terms = self._terms
        truth = self._guess(None, lambda guess: terms.conjunction((holds, terms.disjunction((releases, guess)))))[1]
        self.justice.append(terms.disjunction((truth, terms.negate(holds))))
        return truth

    def _guess(self, demanded: Expr | None, truth: Callable[[Expr], Expr]) -> tuple[Expr, Expr]:
        """A variable that guesses whether ``demanded`` (None: the truth itself) holds at the next point; and the truth with it."""
        terms = self._terms
        variable = self._fresh("g")
        choice = Variable(OWNER, f"{variable.name}?", Boolean())
        self._inputs.append(choice)
        now = truth(variable.reference)
        later = primed(now if demanded is None else demanded, terms, self._primes)
        self._parts.append(StepPart(_iff(terms, variable.reference, later), (), TRUE))
        new = primed(variable.reference, terms, self._primes)
        self._parts.append(
            StepPart(_iff(terms, new, choice.reference), (variable.key,), writes=((TRUE, choice.reference),))
        )
        return variable.reference, now

    def _since(self, keeps: Expr, starts: Expr) -> Expr:
        terms = self._terms
        return self._memory(
            None, lambda last: terms.disjunction((starts, terms.conjunction((keeps, last)))), first=False
        )

    def _memory(self, remembered: Expr | None, truth: Callable[[Expr], Expr], first: bool) -> Expr:
        """A variable that remembers whether ``remembered`` (None: the truth itself) held at the last point; and the truth with it."""
        terms = self._terms
        variable = self._fresh("m")
        now = truth(variable.reference)
        self._initial.append(variable.reference if first else terms.negate(variable.reference))
        kept = now if remembered is None else remembered
        new = primed(variable.reference, terms, self._primes)
        self._parts.append(StepPart(_iff(terms, new, kept), (variable.key,), writes=((TRUE, kept),)))
        return now

    def _fresh(self, kind: str) -> Variable:
        variable = Variable(OWNER, f"{kind}{len(self._variables)}", Boolean())
        self._variables.append(variable)
        return variable


def _iff(terms: Terms, one: Expr, other: Expr) -> Expr:
    return terms.negate(terms.exclusive(one, other))
