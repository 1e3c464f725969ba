"""Conditions of every kind in every place: as initial condition, in guards with actions, and in formulae, by every engine.

Enumerations whose values stand in another order are compared, truth values are compared, counts and exclusive or are nested: a
model rarely has them, so random models hardly do either.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.engines.tuning import Tuning
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Expr, Terms

TERMS = Terms()
OWN: dict[str, dict[str, Domain]] = {
    "A": {"c": Enumeration(("red", "green", "blue")), "p": Boolean(), "x": Bounded(0, 2)},
    "Environment": {"d": Enumeration(("blue", "red")), "q": Boolean(), "y": Bounded(-1, 1)},
}
ACTIONS = {"A": ("go", "stay"), "Environment": ("go", "turn", "wait")}
E = "Environment"
OWN["B"], ACTIONS["B"] = OWN[E], ACTIONS[E]
ENGINES: dict[str, tuple[str, tuple[Tuning, ...], Patience]] = {
    "symbolic": ("symbolic", (), PATIENT),
    "symbolic, impatient": ("symbolic", (), IMPATIENT),
    "explicit": ("explicit", (), PATIENT),
    "explicit, impatient": ("explicit", (), IMPATIENT),
    "lazy": ("lazy", (), PATIENT),
    "lazy by arithmetic": ("lazy", (LazyTuning(solver="smt"),), PATIENT),
    "abstraction": ("abstraction", (AbstractionTuning(first_look=0, exact_range=0),), PATIENT),
}


def _condition(rng: random.Random, depth: int, owners: Sequence[str], acting: Sequence[str] = ()) -> Expr:
    """A condition on variables of the owners and on actions of those that act."""
    kind = rng.randrange(9) if depth else rng.randrange(5)
    if kind == 0 and acting:
        agent = rng.choice(acting)
        return TERMS.action(agent, rng.choice(ACTIONS[agent]))
    of = {name: (owner, name) for owner in owners for name in OWN[owner]}
    if kind <= 1:
        return _variable(of[rng.choice([name for name in "pq" if name in of])])
    if kind == 2:
        names = [_variable(of[name]) for name in "cd" if name in of]
        pairs = [(one, TERMS.name(rng.choice(("red", "green", "blue")))) for one in names]
        return TERMS.compare(
            "=", *rng.choice([*pairs, *zip(names, names[::-1], strict=True)][-2:] if len(names) > 1 else pairs)
        )
    if kind <= 4:
        numbers = [_variable(of[name]) for name in "xy" if name in of]
        other = rng.choice((numbers[-1], TERMS.number(1), TERMS.arith("+", numbers[-1], TERMS.number(1))))
        return TERMS.compare(rng.choice(("<", "<=", "=", "<>")), numbers[0], other)
    parts = [_condition(rng, depth - 1, owners, acting) for _ in range(3)]
    match kind:
        case 5:
            return TERMS.conjunction(parts[:2])
        case 6:
            return TERMS.at_least(2, [*parts, _condition(rng, 0, owners, acting)])
        case 7:
            return TERMS.exclusive(*parts[:2])
        case _:
            return TERMS.compare("=", TERMS.negate(parts[0]), TERMS.disjunction(parts[1:]))


def _variable(key: tuple[str, str]) -> Expr:
    return TERMS.variable(*key, OWN[key[0]][key[1]].sort)


def _read(name: str, heard: Sequence[str]) -> tuple[str, ...]:
    return (name,) if name == E or E not in heard else (name, E)


def _agent(rng: random.Random, name: str, heard: Sequence[str]) -> Agent:
    """An agent reads its own variables and the Environment's, which everybody sees."""
    variables = tuple(Variable(name, one, domain, public=name == E) for one, domain in OWN[name].items())
    lines: list[EvolutionLine] = []
    for variable in [*rng.sample(variables, 3), rng.choice(variables)]:
        assert isinstance(variable.domain, Boolean | Bounded | Enumeration)
        value = TERMS.constant(rng.choice(list(variable.domain)))
        lines.append(EvolutionLine((Assignment(variable.name, value),), _condition(rng, 2, _read(name, heard), heard)))
    return Agent(name, variables, actions=ACTIONS[name], other=ACTIONS[name], evolution=tuple(lines))


def _system(seed: int) -> tuple[System, list[Formula]]:
    rng = random.Random(seed)
    interleaved = rng.random() < 0.3  # where agents hear of their own actions only
    second = "B" if interleaved else E
    agents = tuple(_agent(rng, name, (name,) if interleaved else (E, "A")) for name in (second, "A"))
    composition = Composition.INTERLEAVED if interleaved else Composition.SYNCHRONOUS
    system = System(agents, composition=composition, initial=_condition(rng, 2, (second, "A")))
    tests: list[Formula] = [logic.Test(_condition(rng, 2, (second, "A"))) for _ in range(5)]
    formulae: list[Formula] = [logic.ForAll(logic.Globally(one)) for one in tests]
    formulae += [logic.ForAll(logic.Globally(logic.Implies(tests[0], logic.Knows("A", tests[1]))))]
    formulae += [logic.Exists(logic.Finally(tests[2])), logic.Knows(second, tests[3]), tests[4]]
    return system, formulae


@pytest.mark.parametrize("seed", range(16))
def test_engines_agree(seed: int) -> None:
    system, formulae = _system(seed)
    judge = engine_of("reference").open(system, Options(), Budget())
    expected = [judge.check(formula).verdict for formula in formulae]
    for name, (engine, tuning, patience) in ENGINES.items():
        options = Options(tuning=tuning)
        session = engine_of(engine).open(system, options, Budget(seconds=3, patience=patience))
        for formula, right in zip(formulae, expected, strict=True):
            if refusal(engine_of(engine), system, formula, options) is None:
                assert session.check(formula).verdict in (right, Verdict.UNKNOWN), (name, formula)
        session.close()
