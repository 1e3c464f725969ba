"""The accelerated system: macros taken any number of times as single steps, and the way back to steps of the system itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from epistrat.encoding.transitions import StepPart, Transitions, primed_key
from epistrat.model.agent import Variable
from epistrat.model.fold import fold
from epistrat.proving.acceleration import Macro, Macros, constant
from epistrat.proving.contract import NotARun, Trace, Valuation
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE, Expr, Integer, Sort
from epistrat.terms.substitute import substitute

ROUNDS = Variable("?leap", "rounds", Integer())


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
