"""Formulae as conditions on several states: what an invariant, and facts about parts, say about time and about who knows what.

Let c be an invariant and f a formula with knowledge of conditions.  For every K(i, g) in f there is a truth value k and a copy of the
state.  If k is true, g is true here: what is known is true.  If k is false, the copy satisfies c, looks the same to i and denies g: some
reachable state does, and all reachable states satisfy c.  So, if these facts and c entail f with the values k in the place of
knowledge, f is true in all reachable states.  Knowledge inside knowledge is treated alike, in the copies.

A subformula about time or strategies gets a truth value, too, of which nothing is said but what the facts about it say: here, and in the
copies, which stand for reachable states like any other.  (Where a copy denies nothing, it may be taken to be the state itself.)  A
linear formula is true where it is with an A before each of its operators, for that says more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.evidence.tree import Fact
from epistrat.logic import formula as logic
from epistrat.logic.formula import FUTURE, Formula, is_state, operands
from epistrat.logic.rewrite import negation_normal_form, with_operands
from epistrat.model.agent import Agent, Variable
from epistrat.model.conditions import NoCondition, Propositional
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import Boolean, Expr, Terms
from epistrat.terms.substitute import substitute

MOST_COPIES = 40
"""Of the state, and truth values without one: the solver gets all of them in one query."""

Names = Mapping[Expr, Expr]


class LookAlikes:
    """Formulae about one system as conditions, with the copies and the facts about them that they need."""

    def __init__(self, system: System, invariant: Expr, about: Sequence[Fact] = ()) -> None:
        """``about``: facts that are known of all states which satisfy the invariant."""
        self._own = system
        self._invariant = invariant
        self._about = about
        self._terms = Terms()
        self._agents: list[Agent] = []
        self.facts: list[Expr] = []

    @property
    def system(self) -> System:
        """The system with the copies, as agents that do nothing."""
        return replace(self._own, agents=(*self._own.agents, *self._agents)) if self._agents else self._own

    @property
    def needed(self) -> bool:
        """Whether the state alone does not tell the truth of what was asked about."""
        return bool(self._agents)

    def truth(self, formula: Formula) -> Expr | None:
        """The formula as a condition; None where it speaks of more than conditions and knowledge, or needs too many copies."""
        try:
            return self._truth(formula, {one.reference: one.reference for one in self._own.variables})
        except NoCondition:
            return None

    def _truth(self, formula: Formula, here: Names) -> Expr:
        translated = Propositional(self._own, self._terms, lambda node: self._modal(node, here))
        return substitute(self._terms, translated.condition(formula), here)

    def looks_initial(self, seen: Sequence[int]) -> Expr:
        """That some initial state has the same values in these places."""
        there = self._copied("?start")
        return self._terms.conjunction((substitute(self._terms, self._own.initial, there), *self._alike(seen, there)))

    def _copied(self, owner: str, *more: Variable) -> Names:
        """A copy of the state, as variables of a new agent."""
        copies = [Variable(owner, f"{one.owner}.{one.name}", one.domain) for one in self._own.variables]
        self._agents.append(Agent(owner, variables=(*more, *copies)))
        return {one.reference: copy.reference for one, copy in zip(self._own.variables, copies, strict=True)}

    def _alike(self, seen: Sequence[int], there: Names, here: Names | None = None) -> list[Expr]:
        """That two copies (or the state itself) have the same values in these places."""
        places = [self._own.variables[place].reference for place in seen]
        return [self._terms.compare("=", place if here is None else here[place], there[place]) for place in places]

    def at(self, condition: Expr, there: Names) -> Expr:
        """A condition, said of a copy."""
        return substitute(self._terms, condition, there)

    def twin(self, seen: Sequence[int]) -> tuple[Names, Expr]:
        """A copy of the state, and that it has the same values in these places."""
        there = self._copied(f"?{len(self._agents)}")
        return there, self._terms.conjunction(self._alike(seen, there))

    def _modal(self, node: Formula, here: Names) -> Expr:
        """The truth of a formula about knowledge, time or strategies, with what is known about it."""
        terms = self._terms
        value = self._temporal(node, here) if isinstance(node, _OPAQUE) else self._knowledge(node, here)
        for fact in self._about:
            if fact.claim == node:
                elsewhere = terms.negate(substitute(terms, fact.where, here))
                self.facts.append(terms.disjunction((elsewhere, value if fact.holds else terms.negate(value))))
        return value

    def _temporal(self, node: Formula, here: Names) -> Expr:
        """A truth value; what follows from a linear formula's body, and from common knowledge, is said of it."""
        value = self._value()
        stronger = _everywhere(node)
        if stronger is not None:
            self.facts.append(self._terms.disjunction((value, self._terms.negate(self._truth(stronger, here)))))
        if isinstance(node, logic.Common) and not self._own.fairness:
            self.facts.append(self._terms.disjunction((self._terms.negate(value), self._truth(node.arg, here))))
        return value

    def _value(self) -> Expr:
        """A truth value of which nothing is known."""
        if len(self._agents) >= MOST_COPIES:
            raise NoCondition("there are too many formulae")
        owner = f"?{len(self._agents)}"
        value = Variable(owner, "true", Boolean())
        self._agents.append(Agent(owner, variables=(value,)))
        return value.reference

    def _knowledge(self, node: Formula, here: Names) -> Expr:
        match node:
            case logic.Everybody(group, arg):
                return self._terms.conjunction(self._known(self._own.views[one], arg, here) for one in group.members)
            case logic.Knows(agent, arg):
                return self._known(self._own.views[agent], arg, here)
            case logic.Distributed(group, arg):
                return self._known(self._own.pooled_view(group), arg, here)
            case logic.Correct(agent, arg):
                return self._known((), logic.Implies(logic.Colour(agent, green=True), arg), here)
            case _:
                raise NoCondition(f"not a condition: {type(node).__name__}")

    def _known(self, seen: Sequence[int], arg: Formula, here: Names) -> Expr:
        """A truth value for knowledge of ``arg`` by who sees these places of a state."""
        terms, number = self._terms, len(self._agents)
        if number >= MOST_COPIES:
            raise NoCondition("there are too many knowledge formulae")
        owner = f"?{number}"
        value = Variable(owner, "known", Boolean())
        there = self._copied(owner, value)
        alike = self._alike(seen, there, here)
        inside = substitute(terms, self._invariant, there)
        denied = terms.conjunction((inside, *alike, terms.negate(self._truth(arg, there))))
        self.facts.append(terms.disjunction((value.reference, denied)))
        if not self._own.fairness:
            self.facts.append(terms.disjunction((terms.negate(value.reference), self._truth(arg, here))))
        return value.reference


_OPAQUE = (logic.ForAll, logic.Exists, logic.Coalition, logic.Common)


def _everywhere(node: Formula) -> Formula | None:
    """A formula that says more than ``A f`` over infinite runs: f in normal form with A, over all runs, before each temporal operator."""
    if not isinstance(node, logic.ForAll) or not node.star:
        return None
    found = _on_all_runs(negation_normal_form(node.arg))
    return None if found == node else found


def _on_all_runs(body: Formula) -> Formula | None:
    if is_state(body):
        return body
    if not isinstance(body, (logic.And, logic.Or, *FUTURE)):
        return None
    parts = [_on_all_runs(one) for one in operands(body)]
    if None in parts:
        return None
    new = with_operands(body, tuple(one for one in parts if one is not None))
    return logic.ForAll(new) if isinstance(body, FUTURE) else new
