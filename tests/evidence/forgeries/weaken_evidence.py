"""Premises of the evidence: conditions, measures, places, rules."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.evidence.forgeries.case import Case, Proof
from tests.evidence.forgeries.weaken import TERMS, weakens, without_one

from epistrat.answers import Strategies
from epistrat.evidence import Descent, Enforced, Invariant, Place, Region, RuleStrategy
from epistrat.logic.formula import Group
from epistrat.records import replace
from epistrat.terms import TRUE, And, Expr, Or

# Conditions


def _conditions(proof: Proof) -> list[Expr]:
    return [place.condition for place in proof.places] if isinstance(proof, Descent) else [proof.condition]


def _with_condition(proof: Proof, number: int, condition: Expr) -> Proof:
    if isinstance(proof, Descent):
        place = replace(proof.places[number], condition=condition)
        return Descent((*proof.places[:number], place, *proof.places[number + 1 :]))
    return replace(proof, condition=condition)


def _on_condition(rng: random.Random, case: Case, change: Callable[[Expr], Expr | None]) -> Case | None:
    proof = case.proof
    if proof is None or not _conditions(proof):
        return None
    number = rng.randrange(len(_conditions(proof)))
    changed = change(_conditions(proof)[number])
    return None if changed is None else case.with_reason(proof, _with_condition(proof, number, changed))


@weakens
def a_conjunct_is_dropped(rng: random.Random, case: Case) -> Case | None:
    return _on_condition(rng, case, lambda one: without_one(rng, one, And))


@weakens
def a_disjunct_is_dropped(rng: random.Random, case: Case) -> Case | None:
    return _on_condition(rng, case, lambda one: without_one(rng, one, Or))


@weakens
def a_condition_is_true_everywhere(rng: random.Random, case: Case) -> Case | None:
    return _on_condition(rng, case, lambda one: None if one == TRUE else TRUE)


@weakens
def a_condition_speaks_of_the_state_alone(rng: random.Random, case: Case) -> Case | None:
    variables = case.system.variables
    here = TERMS.conjunction(
        TERMS.equals(one.reference, value) for one, value in zip(variables, case.tree.state, strict=True)
    )
    return _on_condition(rng, case, lambda one: here)


@weakens
def a_condition_is_true_or_nothing_is_a_number(rng: random.Random, case: Case) -> Case | None:
    """Beside the condition stands a comparison with what a division by zero makes."""
    infinite = TERMS.arith("/", TERMS.number(1), TERMS.number(0))
    nothing = TERMS.arith("-", infinite, infinite)
    strange = rng.choice(
        [TERMS.compare("<", TERMS.number(0), infinite), TERMS.negate(TERMS.compare("<", TERMS.number(0), nothing))]
    )
    return _on_condition(rng, case, lambda one: TERMS.disjunction((one, strange)))


# Measures


def _on_measures(rng: random.Random, case: Case, change: Callable[[Expr], Expr]) -> Case | None:
    proof = case.proof
    match proof:
        case Region(_, measure) if measure is not None:
            return case.with_reason(proof, replace(proof, measure=change(measure)))
        case Descent(places) if any(place.measures for place in places):
            number = rng.choice([number for number, place in enumerate(places) if place.measures])
            which = rng.randrange(len(places[number].measures))
            old = places[number].measures
            place = replace(places[number], measures=(*old[:which], change(old[which]), *old[which + 1 :]))
            return case.with_reason(proof, Descent((*places[:number], place, *places[number + 1 :])))
        case _:
            return None


def _zero(case: Case) -> Expr:
    number = next((one.reference for one in case.system.variables if one.domain.sort.value == "number"), None)
    return TERMS.number(0) if number is None else TERMS.arith("-", number, number)


@weakens
def a_measure_divides_by_zero(rng: random.Random, case: Case) -> Case | None:
    zero = rng.choice((TERMS.number(0), _zero(case)))
    return _on_measures(rng, case, lambda one: TERMS.arith("/", TERMS.number(1), zero))


@weakens
def a_measure_is_infinite_less_itself(rng: random.Random, case: Case) -> Case | None:
    infinite = TERMS.arith("/", TERMS.number(1), _zero(case))
    return _on_measures(rng, case, lambda one: TERMS.arith(rng.choice("-+*"), infinite, one))


@weakens
def a_measure_is_halved(rng: random.Random, case: Case) -> Case | None:
    return _on_measures(rng, case, lambda one: TERMS.arith("/", one, TERMS.number(2)))


@weakens
def a_measure_goes_the_wrong_way(rng: random.Random, case: Case) -> Case | None:
    return _on_measures(rng, case, lambda one: TERMS.arith("-", TERMS.number(0), one))


@weakens
def a_measure_goes_below_zero(rng: random.Random, case: Case) -> Case | None:
    return _on_measures(rng, case, lambda one: TERMS.arith("-", one, TERMS.number(rng.randint(2, 50))))


@weakens
def a_measure_stands_still(rng: random.Random, case: Case) -> Case | None:
    return _on_measures(rng, case, lambda one: TERMS.number(rng.randint(0, 3)))


@weakens
def a_measure_is_left_out(rng: random.Random, case: Case) -> Case | None:
    proof = case.proof
    match proof:
        case Region(condition, measure) if measure is not None:
            return case.with_reason(proof, Region(condition))
        case Descent(places) if places and places[0].measures:
            out = rng.randrange(len(places[0].measures))
            fewer = [Place(one.condition, (*one.measures[:out], *one.measures[out + 1 :])) for one in places]
            return case.with_reason(proof, Descent(tuple(fewer)))
        case _:
            return None


@weakens
def a_place_is_left_out(rng: random.Random, case: Case) -> Case | None:
    proof = case.proof
    if not isinstance(proof, Descent) or not proof.places:
        return None
    out = rng.randrange(len(proof.places))
    return case.with_reason(proof, Descent((*proof.places[:out], *proof.places[out + 1 :])))


@weakens
def all_places_are_left_out(rng: random.Random, case: Case) -> Case | None:
    proof = case.proof
    return None if proof is None else case.with_reason(proof, Descent(()))


# Strategies as rules


def _on_rules(case: Case, change: Callable[[RuleStrategy], RuleStrategy | None]) -> Case | None:
    beside = case.rules
    if case.proof is None or beside is None or not isinstance(beside.strategy, RuleStrategy):
        return None
    changed = change(beside.strategy)
    return None if changed is None else case.with_reason(beside, Enforced(changed, beside.claims))


@weakens
def a_rule_is_left_out(rng: random.Random, case: Case) -> Case | None:
    def change(strategy: RuleStrategy) -> RuleStrategy | None:
        if not strategy.rules:
            return None
        which = rng.randrange(len(strategy.rules))
        name, rules = strategy.rules[which]
        out = rng.randrange(len(rules))
        table = (name, (*rules[:out], *rules[out + 1 :]))
        return replace(strategy, rules=(*strategy.rules[:which], table, *strategy.rules[which + 1 :]))

    return _on_rules(case, change)


@weakens
def a_rule_says_something_else(rng: random.Random, case: Case) -> Case | None:
    def change(strategy: RuleStrategy) -> RuleStrategy | None:
        if not strategy.rules:
            return None
        which = rng.randrange(len(strategy.rules))
        name, rules = strategy.rules[which]
        place = rng.randrange(len(rules))
        rule = (rules[place][0], rng.choice(case.system.agent[name].actions))
        table = (name, (*rules[:place], rule, *rules[place + 1 :]))
        return replace(strategy, rules=(*strategy.rules[:which], table, *strategy.rules[which + 1 :]))

    return _on_rules(case, change)


@weakens
def rules_are_those_of_others(rng: random.Random, case: Case) -> Case | None:
    names = [agent.name for agent in case.system.agents]
    return _on_rules(case, lambda one: replace(one, group=Group(tuple(rng.sample(names, rng.randint(0, len(names)))))))


@weakens
def the_strategy_is_left_out(rng: random.Random, case: Case) -> Case | None:
    return None if case.proof is None or case.rules is None else case.with_reason(case.rules, None)


@weakens
def agents_are_to_act_on_what_they_see(rng: random.Random, case: Case) -> Case | None:
    if case.proof is None or case.rules is None:
        return None
    reading = rng.choice((Strategies.OBJECTIVE, Strategies.SUBJECTIVE))
    return Case(case.system, replace(case.certificate, reading=reading), case.source)


@weakens
def an_invariant_for_anything(rng: random.Random, case: Case) -> Case | None:
    """The conditions stand for an invariant that they need not be."""
    proof = case.proof
    if proof is None or isinstance(proof, Invariant):
        return None
    return case.with_reason(proof, Invariant(TERMS.disjunction(_conditions(proof))))
