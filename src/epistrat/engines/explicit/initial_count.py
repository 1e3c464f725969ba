"""How many initial states there are at least: quick to tell, and enough to see that exploring them is hopeless.

Conjuncts of the initial condition without a common variable can be solved apart, so the numbers of their solutions multiply.  Few
candidates are all tried; of many a sample is.  If some of a sample are solutions, then more than a thousandth of all candidates are,
but for a chance that is negligible.  Where a sample finds nothing, or would take long, one solution is assumed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import And, Expr, FiniteDomain, Value, children, variables

_SAMPLE = 64  # random combinations that are tested
_HITS = 4  # of the sample: fewer say nothing
_MOST_OPERANDS = 300  # larger conditions are not evaluated
_MOST_VALUES = 1 << 16  # of one variable


def fewest_initial_states(system: System) -> int:
    """A lower bound on the number of initial states, if there is one at all."""
    values = [_values(variable.domain) for variable in system.variables]
    evaluator = Evaluator(system)
    return prod(_solutions(evaluator, places, conditions, values) for places, conditions in _components(system))


def _values(domain: object) -> Sequence[Value]:
    assert isinstance(domain, FiniteDomain)
    return list(islice(domain, _MOST_VALUES))


def _components(system: System) -> Iterator[tuple[list[int], list[Expr]]]:
    """Positions of variables that conjuncts tie together, with these conjuncts."""
    initial = system.initial
    group = {place: [place] for place in range(len(system.variables))}
    conjuncts: list[tuple[Expr, int]] = []
    for conjunct in initial.args if isinstance(initial, And) else (initial,):
        places = [system.position[key] for key in variables(conjunct)]
        for place in places[1:]:
            one, other = group[places[0]], group[place]
            if one is not other:
                one, other = (one, other) if len(one) > len(other) else (other, one)
                one += other
                group.update(dict.fromkeys(other, one))
        if places:
            conjuncts.append((conjunct, places[0]))
    conditions: dict[int, list[Expr]] = {}
    for conjunct, place in conjuncts:
        conditions.setdefault(id(group[place]), []).append(conjunct)
    for members in {id(members): members for members in group.values()}.values():
        yield members, conditions.get(id(members), [])


def _solutions(
    evaluator: Evaluator, places: Sequence[int], conditions: Sequence[Expr], values: Sequence[Sequence[Value]]
) -> int:
    """A lower bound on the solutions of conditions on these variables."""
    candidates = prod(len(values[place]) for place in places)
    if not conditions:
        return candidates
    if sum(len(children(condition)) for condition in conditions) > _MOST_OPERANDS:
        return 1
    state = [options[0] for options in values]
    few = candidates <= _SAMPLE
    dice = random.Random(1)
    hits = 0
    for chosen in (
        product(*(values[place] for place in places))
        if few
        else ([dice.choice(values[place]) for place in places] for _ in range(_SAMPLE))
    ):
        for place, value in zip(places, chosen, strict=True):
            state[place] = value
        hits += _hold(evaluator, conditions, tuple(state))
    return max(1, hits) if few else max(1, candidates // 1000) if hits >= _HITS else 1


def _hold(evaluator: Evaluator, conditions: Sequence[Expr], state: State) -> bool:
    return all(evaluator.holds(condition, state) for condition in conditions)
