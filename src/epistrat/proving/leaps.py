"""The accelerated system: macros taken any number of times as single steps, and the way back to steps of the system itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.model.fold import fold
from epistrat.proving.acceleration import Macro, Macros, constant
from epistrat.proving.contract import NotARun, Trace, Undecided, Valuation
from epistrat.proving.unrolling import Unrolling
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Expr, Integer, Sort
from epistrat.terms.substitute import substitute

ROUNDS = Variable("?leap", "rounds", Integer())
_PLACE = Variable("?leap", "place", Integer())
_WORK = 1_000_000  # for the question whether a leap is right


def accelerated(system: Transitions, macros: Sequence[Macro], steps: bool = True) -> Transitions:
    """The system with leaps as additional steps, or without ``steps`` as the only ones."""
    terms = system.terms
    plain = [terms.conjunction(part.relation for part in system.parts)] if steps else []
    relation = terms.disjunction((*plain, *(_leap(system, macro) for macro in macros)))
    keys = tuple(one.key for one in system.variables)
    return Transitions(
        system.variables, (*system.inputs, ROUNDS), system.initial, (StepPart(relation, keys, TRUE),), system.terms
    )


def _leap(system: Transitions, macro: Macro) -> Expr:
    """k rounds of the macro, k at least 1."""
    terms = system.terms
    rounds = _rounds(system, macro)
    one_less = terms.arith("-", rounds, terms.number(1))
    shifted: dict[Expr, Expr] = {}
    adds = dict(macro.adds)
    conditions: list[Expr] = [terms.compare("<=", terms.number(1), rounds), *macro.guard]
    for variable in system.variables:
        old = terms.variable(*variable.key, variable.domain.sort)
        new = terms.variable(*primed_key(variable.key), variable.domain.sort)
        if variable.key in adds:
            factor = terms.number(adds[variable.key])
            shifted[old] = terms.arith("+", old, terms.arith("*", factor, one_less))
            conditions.append(terms.compare("=", new, terms.arith("+", old, terms.arith("*", factor, rounds))))
        else:
            conditions.append(terms.compare("=", new, old))
    conditions += [substitute(terms, literal, shifted) for literal in macro.guard]
    return terms.conjunction(conditions)


def proved(
    system: Transitions, macros: Iterable[Macro], budget: Budget, beside: Unrolling | None = None
) -> list[Macro]:
    """Those whose leap, as it is written down, takes no round where the guard does not hold, and leads where its rounds lead.

    One question about the j-th of k rounds, for all states, k and j.  That a round is possible where the guard holds was proved before.
    """
    state = Unrolling(system.extended(inputs=(ROUNDS, _PLACE)), budget, from_start=False, beside=beside)
    return [macro for macro in macros if _is_right(state, system, macro)]


def _is_right(state: Unrolling, system: Transitions, macro: Macro) -> bool:
    terms, adds = system.terms, dict(macro.adds)
    rounds, place = _rounds(system, macro), terms.variable(*_PLACE.key, Sort.NUMBER)
    before: dict[Expr, Expr] = {}
    wrong: list[Expr] = []
    for one in system.variables:
        new = terms.variable(*primed_key(one.key), one.domain.sort)
        after: Expr = one.reference
        if one.key in adds:
            factor = terms.number(adds[one.key])
            before[one.reference] = terms.arith("+", one.reference, terms.arith("*", factor, place))
            after = terms.arith("+", one.reference, terms.arith("*", factor, rounds))
        wrong.append(terms.negate(terms.compare("=", new, after)))
    wrong += [terms.negate(substitute(terms, literal, before)) for literal in macro.guard]
    inside = (terms.compare("<=", terms.number(0), place), terms.compare("<", place, rounds))
    asked = [_leap(system, macro), *inside, terms.disjunction(wrong)]
    try:
        return not state.solve([state.at(one) for one in asked], _WORK, steps=0)
    except Undecided:
        return False


def _rounds(system: Transitions, macro: Macro) -> Expr:
    """How many rounds are taken: told by a whole number that each of them changes by one, else by a variable of its own."""
    terms, adds = system.terms, dict(macro.adds)
    for one in system.variables:
        if isinstance(one.domain, Integer) and abs(adds.get(one.key, 0)) == 1:
            change = [terms.variable(*key, Sort.NUMBER) for key in (primed_key(one.key), one.key)]
            return terms.arith("-", *(change if adds[one.key] == 1 else change[::-1]))
    return terms.variable(*ROUNDS.key, Sort.NUMBER)


def expanded(system: Transitions, macros: Sequence[Macro], trace: Trace, most: int) -> Trace | None:
    """A trace of the accelerated system as one of the system itself; None if it has more than ``most`` steps."""
    searcher = Macros(system, (), Budget())
    states, inputs = [trace.states[0]], []
    for source, target, chosen in zip(trace.states, trace.states[1:], trace.inputs, strict=False):
        plain = {one.key: chosen[one.key] for one in system.inputs}
        if is_step(system, source, plain, target):
            states.append(target)
            inputs.append(plain)
            continue
        macro, rounds = _taken(system, macros, source, target)
        if len(inputs) + rounds * len(macro.inputs) > most:
            return None
        for _ in range(rounds):
            for choice in macro.inputs:
                step = searcher.step(states[-1], choice)
                after = {key: constant(system.terms, value, states[-1]) for key, value in step.values.items()}
                if not is_step(system, states[-1], choice, after):
                    raise NotARun("a step of a leap is impossible")
                states.append(after)
                inputs.append(dict(choice))
        if states[-1] != target:
            raise NotARun("a leap does not lead where it should")
    return Trace(tuple(states), tuple(inputs), trace.free)


def is_step(system: Transitions, source: Valuation, inputs: Valuation, target: Valuation) -> bool:
    """Whether the inputs lead from one state to the other, which lies in the domains."""
    known = {**source, **inputs, **{primed_key(key): value for key, value in target.items()}}
    if any(target[one.key] not in one.domain for one in system.variables):
        return False
    return all(fold(system.terms, part.relation, known) == TRUE for part in system.parts)


def _taken(system: Transitions, macros: Sequence[Macro], source: Valuation, target: Valuation) -> tuple[Macro, int]:
    terms = system.terms
    for macro in macros:
        key, add = macro.adds[0]
        rounds = (Fraction(target[key]) - Fraction(source[key])) / add
        if rounds.denominator != 1 or rounds < 1:
            continue
        known = {**source, **{primed_key(one): value for one, value in target.items()}, ROUNDS.key: int(rounds)}
        if fold(terms, _leap(system, macro), known) == TRUE:
            return macro, int(rounds)
    raise NotARun("no leap leads from one state to the other")
