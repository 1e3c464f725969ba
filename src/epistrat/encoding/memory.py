"""The past as a model transformation: variables that remember what past operators and delays need.

For a past operator a Boolean variable holds whether it (for Y: its operand) was true one step ago; for "the value of x so many
steps ago" a chain of copies of x.  The variables are functions of the run so far, so they change nothing else.

Bounded futures are turned into pasts: `Memory.delayed` says at time n+k whether a formula with at most k nested X was true at
time n.
"""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.transitions import StepPart, Transitions, same_truth, writing
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, operands
from epistrat.logic.fragment import delay
from epistrat.model.agent import Variable
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.terms import FALSE, TRUE, Boolean, Expr, Key

OWNER = "?past"


class Memory:
    """Conditions that look back, and the variables that they need.  `extend` adds these to a transition system.

    ``name`` tells the variables of several memories of one system apart; ``leaf`` tells formulae that are neither past nor conditions.
    """

    def __init__(
        self,
        system: System,
        transitions: Transitions,
        name: str = "",
        leaf: Callable[[Formula], Expr] | None = None,
    ) -> None:
        self._system = system
        self._name = name
        self._leaf = leaf
        self._base = transitions
        self._terms = transitions.terms
        self._variables: list[Variable] = []
        self._initial: list[Expr] = []
        self._parts: list[StepPart] = []
        self._held: dict[tuple[Expr, bool], Expr] = {}
        self._inductions: dict[tuple[Expr, Expr], Expr] = {}
        self._copies: dict[tuple[Key, int], Expr] = {}
        self._domains = {one.key: one.domain for one in transitions.variables}
        self._present = Propositional(system, self._terms, self._modal)

    def extend(self) -> Transitions:
        """The transition system with everything that was asked for so far."""
        return self._base.extended(self._variables, self._initial, self._parts)

    def condition(self, formula: Formula) -> Expr:
        """A formula without future and without knowledge as a condition on the extended state."""
        return self._present.condition(formula)

    def _modal(self, formula: Formula) -> Expr:
        match formula:
            case logic.Yesterday(arg):
                return self.before(self.condition(arg), first=False)
            case logic.Once(arg):
                return self._inductive(self.condition(arg), TRUE)
            case logic.Historically(arg):
                return self._terms.negate(self._inductive(self._terms.negate(self.condition(arg)), TRUE))
            case logic.Since(left, right):
                return self._inductive(self.condition(right), self.condition(left))
            case _ if self._leaf is not None:
                return self._leaf(formula)
            case _:
                raise TypeError(f"not a condition on the past: {type(formula).__name__}")

    def _inductive(self, starts: Expr, keeps: Expr) -> Expr:
        """S: ``starts`` now, or ``keeps`` now and S one step ago."""
        terms = self._terms
        if (starts, keeps) not in self._inductions:
            variable = self._fresh()
            truth = terms.disjunction((starts, terms.conjunction((keeps, variable.reference))))
            self._define(variable, truth, FALSE)
            self._inductions[starts, keeps] = truth
        return self._inductions[starts, keeps]

    def before(self, condition: Expr, first: bool) -> Expr:
        """Whether a condition was true one step ago; ``first`` at time 0."""
        if (condition, first) not in self._held:
            variable = self._fresh()
            self._held[condition, first] = variable.reference
            self._define(variable, condition, self._terms.boolean(first))
        return self._held[condition, first]

    def _fresh(self) -> Variable:
        variable = Variable(OWNER, f"{self._name}h{len(self._variables)}", Boolean())
        self._variables.append(variable)
        return variable

    def _define(self, variable: Variable, truth: Expr, first: Expr) -> None:
        self._initial.append(same_truth(self._terms, variable.reference, first))
        self._parts.append(writing(self._terms, variable, truth))

    def ago(self, key: Key, steps: int) -> Expr:
        """The value of a variable so many steps ago; before time 0 that is anything."""
        terms, domain = self._terms, self._domains[key]
        if steps == 0:
            return terms.variable(*key, domain.sort)
        found = self._copies.get((key, steps))
        if found is None:
            earlier = self.ago(key, steps - 1)
            copy = Variable(OWNER, f"{key[0]}.{key[1]} {steps} ago", domain)
            self._variables.append(copy)
            self._parts.append(writing(terms, copy, earlier))
            found = self._copies[key, steps] = copy.reference
        return found

    def later(self, steps: int) -> Expr:
        """Whether at least so many steps were made."""
        condition: Expr = TRUE
        for _ in range(steps):
            condition = self.before(condition, first=False)
        return condition

    def delayed(self, formula: Formula, steps: int) -> Expr:
        """Whether a formula with at most ``steps`` nested X was true so many steps ago."""
        terms = self._terms
        if delay(formula) == 0:
            condition = self.condition(formula)
            for _ in range(steps):
                condition = self.before(condition, first=False)
            return condition
        if isinstance(formula, logic.Next):
            return self.delayed(formula.arg, steps - 1)
        if not isinstance(formula, logic.CONNECTIVES):
            raise TypeError(f"not a bounded future: {type(formula).__name__}")
        of = Booleans(terms.negate, terms.conjunction, terms.disjunction, terms.exclusive)
        return connect(formula, [self.delayed(operand, steps) for operand in operands(formula)], of)
