"""Initial states where they cannot all be listed: some of them, found by a solver."""

from __future__ import annotations

from itertools import islice

from epistrat.model.initial import InfinitelyManyInitialStates, each_initial_state
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

_SAMPLE = 8  # states found where they cannot all be listed
_WORK = 2_500_000  # for one query


def some_initial_states(system: System, most: int, budget: Budget) -> tuple[list[State], bool]:
    """At most so many initial states, and whether these are all."""
    try:
        found = list(islice(each_initial_state(system, budget), most + 1))
    except InfinitelyManyInitialStates:
        return sampled_states(system, system.initial, budget, min(most, _SAMPLE))
    return found[:most], len(found) <= most


def sampled_states(system: System, condition: Expr, budget: Budget, count: int) -> tuple[list[State], bool]:
    """At most so many states that satisfy a condition, found by a solver, and whether these are all."""
    import z3

    from epistrat.encoding.smt.system import SmtSystem

    smt = SmtSystem(system)
    session = smt.session(budget, _WORK)
    session.add(smt.domains(0), condition)
    found: list[State] = []
    while len(found) < count:
        answer = session.check()
        if not answer.sat:
            return found, answer.unsat
        found.append(smt.state(session.model, 0))
        session.add(z3.Not(smt.equals(found[-1], 0)))
    return found, False
