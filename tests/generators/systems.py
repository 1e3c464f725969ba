"""Random small Systems of every kind: both compositions, both semantics, dead ends and overflows included.

``random_system(rng)`` draws a system from a plain ``random.Random``; what a caller wants fixed it names, everything else
is drawn.  Systems stay small (tens to a few hundred states), are well typed, and can be written in ISPL.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.generators.formulae import random_formula

from epistrat.model.agent import (
    ENVIRONMENT,
    Agent,
    Assignment,
    EvolutionLine,
    ProtocolLine,
    Variable,
)
from epistrat.model.system import Composition, Semantics, System
from epistrat.terms import TRUE, Boolean, Bounded, Domain, Enumeration, Expr, Integer, Sort, Terms

COLOURS = ("red", "green", "blue")
SIZES = ("small", "large")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a random system should have; None leaves it to chance."""

    composition: Composition | None = None
    semantics: Semantics | None = None
    environment: bool | None = None
    fairness: bool | None = None
    red_states: bool | None = None
    agents: int | None = None
    unbounded: bool = False
    total: bool = False


@dataclass
class _Draft:
    """What the parts of a system under construction need to know."""

    rng: random.Random
    wishes: Wishes
    composition: Composition
    semantics: Semantics
    terms: Terms = field(default_factory=Terms)

    def decide(self, wish: bool | None, chance: float) -> bool:
        drawn = self.rng.random() < chance
        return drawn if wish is None else wish


def random_system(rng: random.Random, **wishes: object) -> System:
    """A random system; keyword arguments are the fields of `Wishes`.

    ``total=True`` asks for a system without dead ends: protocols with an Other line and no arithmetic.
    """
    wanted = Wishes(**wishes)  # type: ignore[arg-type]
    draft = _Draft(
        rng,
        wanted,
        wanted.composition or rng.choice(list(Composition)),
        wanted.semantics or rng.choice(list(Semantics)),
    )
    agents = _agents(draft)
    propositions = {f"p{index}": _condition(draft, _all_variables(agents), 2) for index in range(rng.randint(2, 3))}
    bare = System(
        agents=agents,
        initial=_initial(draft, _all_variables(agents)),
        composition=draft.composition,
        semantics=draft.semantics,
        propositions=propositions,
        groups=_groups(draft, agents),
    )
    if not draft.decide(wanted.fairness, 0.3):
        return bare
    constraints = tuple(random_formula(rng, bare, "CTLK", depth=rng.randint(0, 1)) for _ in range(rng.randint(1, 2)))
    return System(
        bare.agents, bare.initial, bare.composition, bare.semantics, bare.propositions, bare.groups, constraints
    )


def _agents(draft: _Draft) -> tuple[Agent, ...]:
    rng = draft.rng
    interleaved = draft.composition is Composition.INTERLEAVED
    names = [f"A{index + 1}" for index in range(draft.wishes.agents or rng.choice((1, 2, 2, 3, 3)))]
    if not interleaved and draft.decide(draft.wishes.environment, 0.5):
        names.insert(0, ENVIRONMENT)
    variables = {name: _variables(draft, name) for name in names}
    actions = {name: _actions(draft, name) for name in names}
    environment = variables.get(ENVIRONMENT, ())
    return tuple(_agent(draft, name, variables[name], environment, actions) for name in names)


def _variables(draft: _Draft, owner: str) -> tuple[Variable, ...]:
    rng = draft.rng
    count = rng.choice((1, 2, 2))
    environment = owner == ENVIRONMENT
    return tuple(
        Variable(owner, f"{'xyz'[index]}", _domain(draft), environment and rng.random() < 0.5) for index in range(count)
    )


def _domain(draft: _Draft) -> Domain:
    rng = draft.rng
    if draft.wishes.unbounded and rng.random() < 0.5:
        return Integer()
    low = rng.choice((0, 0, -1, 1))
    return rng.choice(
        (
            Boolean(),
            Boolean(),
            Bounded(low, low + rng.choice((0, 1, 2, 2, 3))),
            Enumeration(COLOURS),
            Enumeration(SIZES),
        )
    )


def _actions(draft: _Draft, owner: str) -> tuple[str, ...]:
    rng = draft.rng
    if draft.composition is Composition.INTERLEAVED:
        shared = [name for name in ("s", "t") if rng.random() < 0.6]
        return (*shared, *(f"{owner.lower()}{index}" for index in range(rng.randint(1, 2))))
    if owner == ENVIRONMENT and rng.random() < 0.2:
        return ()
    return tuple(f"{'abc'[index]}" for index in range(rng.randint(1, 3)))


def _agent(
    draft: _Draft,
    name: str,
    own: tuple[Variable, ...],
    environment: Sequence[Variable],
    actions: dict[str, tuple[str, ...]],
) -> Agent:
    rng = draft.rng
    hidden = [variable.name for variable in environment if not variable.public] if name != ENVIRONMENT else []
    observes = tuple(variable for variable in hidden if rng.random() < 0.4)
    seen = list(own)
    if name != ENVIRONMENT:
        seen += [variable for variable in environment if variable.public or variable.name in observes]
    protocol, other = _protocol(draft, name, seen, actions[name])
    return Agent(
        name=name,
        variables=own,
        observes=observes,
        actions=actions[name],
        protocol=protocol,
        other=other,
        evolution=_evolution(draft, name, own, seen, actions),
        red=_condition(draft, seen, 1) if draft.decide(draft.wishes.red_states, 0.3) else None,
    )


def _protocol(
    draft: _Draft, name: str, seen: Sequence[Variable], actions: tuple[str, ...]
) -> tuple[tuple[ProtocolLine, ...], tuple[str, ...] | None]:
    rng = draft.rng
    if not actions or (name == ENVIRONMENT and rng.random() < 0.2):
        return (), None

    def some() -> tuple[str, ...]:
        return tuple(rng.sample(actions, rng.randint(1, len(actions))))

    lines = tuple(ProtocolLine(_condition(draft, seen, 1), some()) for _ in range(rng.randint(0, 2)))
    other = some() if not lines or draft.wishes.total or rng.random() < 0.8 else None
    return lines, other


def _evolution(
    draft: _Draft,
    name: str,
    own: tuple[Variable, ...],
    seen: Sequence[Variable],
    actions: dict[str, tuple[str, ...]],
) -> tuple[EvolutionLine, ...]:
    rng = draft.rng
    lines: list[EvolutionLine] = []
    for _ in range(rng.randint(2, 6)):
        targets = (
            [rng.choice(own)] if draft.semantics is Semantics.SINGLE else rng.sample(own, rng.randint(1, len(own)))
        )
        assignments = tuple(Assignment(target.name, _right_side(draft, target, seen)) for target in targets)
        guard = [_action_test(draft, name, actions)] if rng.random() < 0.8 else []
        guard += [_condition(draft, seen, 1)] if rng.random() < 0.4 else []
        guard += [_small(draft, target) for target in targets if not target.domain.finite]
        lines.append(EvolutionLine(assignments, draft.terms.conjunction(guard or [_condition(draft, seen, 1)])))
    return tuple(lines)


def _small(draft: _Draft, target: Variable) -> Expr:
    """Keeps an unbounded variable near zero, so that the reachable states are finitely many."""
    return draft.terms.compare("<", target.reference, draft.terms.number(draft.rng.randint(1, 3)))


def _action_test(draft: _Draft, name: str, actions: dict[str, tuple[str, ...]]) -> Expr:
    rng, terms = draft.rng, draft.terms
    acting = [agent for agent, listed in actions.items() if listed]
    if draft.composition is Composition.INTERLEAVED or rng.random() < 0.6:
        acting = [name] if actions[name] else acting
    if not acting:
        return TRUE
    actor = rng.choice(acting)
    test = terms.action(actor, rng.choice(actions[actor]))
    return terms.negate(test) if rng.random() < 0.2 else test


def _right_side(draft: _Draft, target: Variable, seen: Sequence[Variable]) -> Expr:
    rng, terms = draft.rng, draft.terms
    match target.domain:
        case Boolean():
            return _bits(draft, [variable for variable in seen if variable.domain.sort is Sort.BOOLEAN], 1)
        case Enumeration(values):
            same = [variable.reference for variable in seen if variable.domain == target.domain]
            return rng.choice([terms.name(rng.choice(values)), *same[:1]])
        case Bounded(low, high):
            literal = terms.number(rng.randint(low, high))
        case _:
            return terms.arith("+", target.reference, terms.number(1))
    if draft.wishes.total or rng.random() < 0.4:
        return literal
    numbers = [variable.reference for variable in seen if isinstance(variable.domain, Bounded)]
    return terms.arith(rng.choice("++-*/"), rng.choice(numbers), terms.number(rng.choice((1, 1, 2, 0))))


def _bits(draft: _Draft, booleans: Sequence[Variable], depth: int) -> Expr:
    rng, terms = draft.rng, draft.terms
    if depth == 0 or not booleans or rng.random() < 0.4:
        leaves = [terms.boolean(True), terms.boolean(False), *(variable.reference for variable in booleans)]
        return rng.choice(leaves)
    one, other = rng.choice(booleans).reference, _bits(draft, booleans, depth - 1)
    match rng.randrange(4):
        case 0:
            return terms.negate(one)
        case 1:
            return terms.conjunction((one, other))
        case 2:
            return terms.disjunction((one, other))
        case _:
            return terms.exclusive(one, other)


def _condition(draft: _Draft, seen: Sequence[Variable], depth: int) -> Expr:
    rng, terms = draft.rng, draft.terms
    if depth == 0 or rng.random() < 0.5:
        return _comparison(draft, rng.choice(seen), seen)
    parts = [_condition(draft, seen, depth - 1) for _ in range(2)]
    match rng.randrange(3):
        case 0:
            return terms.negate(parts[0])
        case 1:
            return terms.conjunction(parts)
        case _:
            return terms.disjunction(parts)


def _comparison(draft: _Draft, variable: Variable, seen: Sequence[Variable]) -> Expr:
    rng, terms = draft.rng, draft.terms
    match variable.domain:
        case Boolean():
            return terms.compare(rng.choice(("=", "<>")), variable.reference, terms.boolean(rng.random() < 0.5))
        case Enumeration(values):
            same = [other.reference for other in seen if other.domain == variable.domain and other != variable]
            right = rng.choice([terms.name(rng.choice(values)), *same[:1]])
            return terms.compare(rng.choice(("=", "<>")), variable.reference, right)
        case Bounded(low, high):
            right = terms.number(rng.randint(low, high))
        case _:
            right = terms.number(rng.randint(0, 2))
    return terms.compare(rng.choice(("=", "<>", "<", "<=", ">", ">=")), variable.reference, right)


def _initial(draft: _Draft, everything: Sequence[Variable]) -> Expr:
    """Most variables fixed, so that a few states are initial; now and then a choice of two."""
    rng, terms = draft.rng, draft.terms

    def fixed(variable: Variable) -> Expr:
        match variable.domain:
            case Boolean():
                return terms.compare("=", variable.reference, terms.boolean(rng.random() < 0.5))
            case Enumeration(values):
                return terms.compare("=", variable.reference, terms.name(rng.choice(values)))
            case Bounded(low, high):
                return terms.compare("=", variable.reference, terms.number(rng.randint(low, high)))
            case _:
                return terms.compare("=", variable.reference, terms.number(rng.randint(0, 1)))

    parts: list[Expr] = []
    for variable in everything:
        if not variable.domain.finite or rng.random() < 0.85:
            parts.append(fixed(variable))
            if rng.random() < 0.1:
                parts[-1] = terms.disjunction((parts[-1], fixed(variable)))
    return terms.conjunction(parts or [fixed(everything[0])])


def _groups(draft: _Draft, agents: Sequence[Agent]) -> dict[str, tuple[str, ...]]:
    rng = draft.rng
    names = [agent.name for agent in agents]
    if draft.composition is Composition.SYNCHRONOUS and names[0] != ENVIRONMENT and rng.random() < 0.2:
        names.append(ENVIRONMENT)
    drawn = [rng.sample(names, rng.randint(1, len(names))) for _ in range(2)]
    return {f"g{index}": tuple(members) for index, members in enumerate(drawn)}


def _all_variables(agents: Sequence[Agent]) -> list[Variable]:
    return [variable for agent in agents for variable in agent.variables]
