"""Bounds on what pruning can make true, as formulae about the full model.

Pruning lets some agents, the *followers*, fix one uniform strategy each before anything is checked.  Whatever they fix, the pruned
model has fewer paths and fewer reachable states than the full one, and what the followers can bring about together is the most they can
hope for:

- the *optimistic* form of f holds in the full model wherever f holds in some pruned one: followers join every coalition, ``A`` becomes
  what they can enforce, knowledge shrinks to truth;
- where the *pessimistic* form holds in the full model, f holds in every pruned one: followers leave every coalition, ``E`` becomes what
  they cannot prevent.

Both need a model in which the protocols always allow some joint action.
"""

from __future__ import annotations

from epistrat.logic.formula import (
    KNOWLEDGE,
    And,
    Coalition,
    Colour,
    Correct,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    is_state,
    operands,
    subformulae,
)
from epistrat.logic.rewrite import FALSE, TRUE, negation, with_operands

_CONDITION = (Truth, Prop, Test, Colour, Not, And, Or, Implies, Iff, Xor)


def is_condition(formula: Formula) -> bool:
    """Whether the formula is about the present state alone."""
    return all(isinstance(part, _CONDITION) for part in subformulae(formula))


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
            case Truth() | Prop() | Test() | Colour():
                return formula
            case Not(arg):
                return negation(self._form(arg, not hope))
            case And() | Or():
                return with_operands(formula, tuple([self._form(arg, hope) for arg in operands(formula)]))
            case Implies(left, right):
                return Implies(self._form(left, not hope), self._form(right, hope))
            case Iff(left, right):
                return self._form(Or((And((left, right)), And((Not(left), Not(right))))), hope)
            case Xor(left, right):
                return self._form(Or((And((left, Not(right))), And((Not(left), right)))), hope)
            case Coalition(group, arg):
                return Coalition(self._team(group, hope), self._inside(arg, hope))
            case ForAll(arg, star) | Exists(arg, star):
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
        universal = isinstance(formula, ForAll)
        if star:
            fewer = universal is not hope  # pruning takes paths away: E can only become false, A only true
            return formula if fewer and all(map(is_condition, _leaves(arg))) else Truth(hope)
        if universal is not hope:
            return with_operands(formula, (self._inside(arg, hope),))
        shape = arg if universal else _dual(arg)
        if not isinstance(shape, (Next, Finally, Globally, Until)):
            return Truth(hope)
        enforced = Coalition(self._followers, self._inside(shape, True))
        return enforced if universal else negation(enforced)

    def _knowledge(self, formula: Formula, hope: bool) -> Formula:
        assert isinstance(formula, (*KNOWLEDGE, Correct))
        if hope:
            return TRUE if isinstance(formula, Correct) or not is_state(formula.arg) else self._form(formula.arg, True)
        if is_state(formula.arg):
            return with_operands(formula, (self._form(formula.arg, False),))
        return formula if all(map(is_condition, _leaves(formula.arg))) else FALSE


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


def _dual(shape: Formula) -> Formula:
    """The negation of an operator of CTL's shape, as such an operator."""
    match shape:
        case Next(arg):
            return Next(negation(arg))
        case Finally(arg):
            return Globally(negation(arg))
        case Globally(arg):
            return Finally(negation(arg))
        case WeakUntil(left, right):
            return Until(negation(right), And((negation(left), negation(right))))
        case Release(left, right):
            return Until(negation(left), negation(right))
        case Until(left, right):
            return Release(negation(left), negation(right))
    raise TypeError(f"not of CTL's shape: {type(shape).__name__}")
