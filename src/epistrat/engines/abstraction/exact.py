"""Knowledge where the reachable states are known exactly: then it is a condition on what the agent sees.

An inductive condition c holds in every reachable state.  If, moreover, every state in c is initial or has a predecessor in c at which some
number that is never negative is smaller, then every state in c is reachable: go back until an initial state is met.  So c is
exactly the set of reachable states, and an agent does not know f where some values of what it does not see satisfy c and not f.  These
values are eliminated; what is left is a condition on what the agent sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import z3

from epistrat.encoding.transitions import Transitions
from epistrat.engines.abstraction.predicates import is_numeric
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.model.conditions import as_condition
from epistrat.model.system import System
from epistrat.proving.projection import exactly_excluding
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.session import Session
from epistrat.terms import Expr, Key, Real, Terms

_WORK = 2_000_000  # for one query
_PAIR = 2  # variables that a condition may relate
_CONDITIONS = (logic.Truth, logic.Prop, logic.Test, logic.Colour, logic.Not, logic.And, logic.Or)
_BOOLEAN = (*_CONDITIONS, logic.Implies, logic.Iff, logic.Xor)


def reaches_all(system: Transitions, condition: Expr, budget: Budget) -> bool:
    """Whether every state that satisfies the inductive condition is surely reachable."""
    return any(_goes_back(system, condition, measure, budget) for measure in _measures(system))


def _measures(system: Transitions) -> Iterator[tuple[Key, ...]]:
    """Whole variables whose sum may count the steps so far."""
    whole = [
        variable.key
        for variable in system.variables
        if is_numeric(variable.domain) and not isinstance(variable.domain, Real)
    ]
    yield from ((key,) for key in whole)
    if len(whole) > 1:
        yield tuple(whole)
    if len(whole) > _PAIR:
        yield from combinations(whole, _PAIR)


def _goes_back(system: Transitions, condition: Expr, measure: tuple[Key, ...], budget: Budget) -> bool:
    """Whether every state of the condition is initial or has a predecessor in it with a smaller measure, which is never negative."""
    frames = Unrolling(system, budget, from_start=False)
    terms = frames.terms

    def inside(frame: int) -> list[Any]:
        return [*[terms.within(one.key, frame) for one in system.variables], frames.at(condition, frame)]

    earlier, later = (z3.Sum([terms.constant(key, frame) for key in measure]) for frame in (0, 1))
    bounded = Session(terms, budget, _WORK)
    bounded.add(*inside(1), later < 0)
    if not bounded.check().unsat:
        return False
    way = terms.all([*inside(0), *frames.step_terms(0), earlier + 1 <= later])
    chosen = [term for one in (*system.variables, *system.inputs) for term in terms.constants(one.key, 0)]
    initial = terms.all([frames.at(one, 1) for one in system.initial])
    session = Session(terms, budget, _WORK)
    session.add(*inside(1), z3.Not(initial), z3.ForAll(chosen, z3.Not(way)))
    return session.check().unsat


class KnowledgeAsConditions:
    """Replaces knowledge of conditions by conditions, in a system whose reachable states are exactly those of ``reached``."""

    def __init__(self, system: System, reached: Expr, budget: Budget) -> None:
        self._budget = budget
        self._system = system
        self._terms = Terms()
        self._reached = reached

    def rewritten(self, formula: Formula) -> Formula | None:
        """A formula that is true in the same reachable states, with less knowledge in it; None if nothing was replaced."""
        done: dict[Formula, Formula] = {}
        for part in subformulae(formula):
            new = with_operands(part, tuple(done[one] for one in operands(part))) if operands(part) else part
            done[part] = self._replaced(new) or new
        return done[formula] if done[formula] != formula else None

    def _replaced(self, part: Formula) -> Formula | None:
        match part:
            case logic.Knows(agent, body):
                views: list[Sequence[int]] = [self._system.views[agent]]
            case logic.Distributed(group, body):
                views = [self._system.pooled_view(group)]
            case logic.Everybody(group, body):
                views = [self._system.views[member] for member in group.members]
            case _:
                return None
        if not all(isinstance(one, _BOOLEAN) for one in subformulae(body)):
            return None
        known = [self._known(positions, as_condition(self._system, body)) for positions in views]
        found = [one for one in known if one is not None]
        return logic.Test(self._terms.conjunction(found)) if len(found) == len(known) else None

    def _known(self, positions: Sequence[int], body: Expr) -> Expr | None:
        """Where what is seen excludes that the body is false; None if that cannot be written as a condition."""
        seen = [self._system.variables[position].key for position in positions]
        states = Transitions(self._system.variables, (), (), (), self._terms)
        state = Unrolling(states, self._budget, from_start=False)
        return exactly_excluding(state, [self._reached], seen, self._terms.negate(body))
