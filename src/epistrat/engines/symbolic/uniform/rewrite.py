"""Bounds on what pruning can make true, as formulae about the full model.

Pruning lets some agents, the *followers*, fix one uniform strategy each before anything is checked.  Whatever they fix, the pruned
model has fewer paths and fewer reachable states than the full one, and what the followers can bring about together is the most they can
hope for:

- the *optimistic* form of f holds in the full model wherever f holds in some pruned one: followers join every coalition, ``A`` becomes
  what they can enforce, knowledge shrinks to truth;
- where the *pessimistic* form holds in the full model, f holds in every pruned one: followers leave every coalition, ``E`` becomes what
  they cannot prevent.

Both need a model in which the protocols always allow some joint action.  Both forms are formulae that the engine accepts: what a coalition
enforces must not depend on the past, so a quantifier over what looks back has no bound but true or false.
"""

from __future__ import annotations

from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside
from epistrat.logic.formula import Formula, Group, is_state, operands
from epistrat.logic.rewrite import FALSE, TRUE, negation, opposite, with_operands
from epistrat.model.conditions import is_condition


class PruningBounds:
    """Optimistic and pessimistic forms of formulae, for given followers."""

    def __init__(self, followers: Group) -> None:
        self._followers = followers
        self._known: dict[tuple[Formula, bool], Formula] = {}

    def optimistic(self, formula: Formula) -> Formula:
        """Holds in the full model if some pruning makes the formula true."""
        return self._form(formula, True)

    def pessimistic(self, formula: Formula) -> Formula:
        """If it holds in the full model, every pruning makes the formula true."""
        return self._form(formula, False)

    def _form(self, formula: Formula, hope: bool) -> Formula:
        found = self._known.get((formula, hope))
        if found is None:
            found = self._known[formula, hope] = self._compute(formula, hope)
        return found

    def _compute(self, formula: Formula, hope: bool) -> Formula:
        match formula:
            case logic.Truth() | logic.Prop() | logic.Test() | logic.Colour():
                return formula
            case logic.Not(arg):
                return negation(self._form(arg, not hope))
            case logic.And() | logic.Or():
                return with_operands(formula, tuple([self._form(arg, hope) for arg in operands(formula)]))
            case logic.Implies(left, right):
                return logic.Implies(self._form(left, not hope), self._form(right, hope))
            case logic.Iff(left, right):
                return self._form(
                    logic.Or((logic.And((left, right)), logic.And((logic.Not(left), logic.Not(right))))), hope
                )
            case logic.Xor(left, right):
                return self._form(
                    logic.Or((logic.And((left, logic.Not(right))), logic.And((logic.Not(left), right)))), hope
                )
            case logic.Coalition(group, arg):
                return logic.Coalition(self._team(group, hope), self._inside(arg, hope))
            case logic.ForAll(arg, star) | logic.Exists(arg, star):
                return self._quantifier(formula, arg, star, hope)
        return self._knowledge(formula, hope)

    def _inside(self, shape: Formula, hope: bool) -> Formula:
        return with_operands(shape, tuple([self._form(operand, hope) for operand in operands(shape)]))

    def _team(self, group: Group, hope: bool) -> Group:
        """The coalition with all followers, or without any."""
        followers = self._followers.members
        if hope:
            return Group(tuple(dict.fromkeys((*group.members, *followers))))
        return Group(tuple(member for member in group.members if member not in followers))

    def _quantifier(self, formula: Formula, arg: Formula, star: bool, hope: bool) -> Formula:
        universal = isinstance(formula, logic.ForAll)
        if star:
            fewer = universal is not hope  # pruning takes paths away: E can only become false, A only true
            return formula if fewer and all(map(is_condition, _leaves(arg))) else logic.Truth(hope)
        if universal is not hope:
            return with_operands(formula, (self._inside(arg, hope),))
        shape = arg if universal else opposite(arg)
        if not isinstance(shape, (logic.Next, logic.Finally, logic.Globally, logic.Until)):
            return logic.Truth(hope)
        enforced = logic.Coalition(self._followers, self._inside(shape, True))
        if past_inside(enforced):
            return logic.Truth(hope)
        return enforced if universal else negation(enforced)

    def _knowledge(self, formula: Formula, hope: bool) -> Formula:
        assert isinstance(formula, logic.KNOWING)
        if hope:
            return self._form(formula.arg, True) if _is_truthful(formula) else TRUE
        if is_state(formula.arg):
            return with_operands(formula, (self._form(formula.arg, False),))
        return formula if all(map(is_condition, _leaves(formula.arg))) else FALSE


def _is_truthful(formula: Formula) -> bool:
    """Whether what is known of the present state is true there; not where nobody is asked, nor what correct behaviour ensures."""
    match formula:
        case logic.Correct():
            return False
        case logic.Everybody(group) if not group.members:
            return False
    return all(map(is_state, operands(formula)))


def _leaves(body: Formula) -> list[Formula]:
    """The maximal state formulae of a path formula."""
    found, stack = [], [body]
    while stack:
        part = stack.pop()
        if is_state(part):
            found.append(part)
        else:
            stack.extend(operands(part))
    return found
