"""Random formulae of a fragment over the propositions, variables, agents and groups of a system."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from epistrat.logic.formula import (
    And,
    Coalition,
    Colour,
    Common,
    Correct,
    Distributed,
    Everybody,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Group,
    Historically,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.model.agent import Variable
from epistrat.model.system import System
from epistrat.terms import Boolean, Bounded, Enumeration, Terms

Unary: TypeAlias = Callable[[Formula], Formula]
Binary: TypeAlias = Callable[[Formula, Formula], Formula]

FRAGMENTS = ("CTL", "CTLK", "ATLK", "LTL", "LTLK", "CTL*", "CTL*K")


@dataclass(frozen=True, slots=True)
class _Draft:
    rng: random.Random
    system: System
    knowledge: bool
    strategic: bool
    past: bool
    next_free: bool


def random_formula(
    rng: random.Random,
    system: System,
    fragment: str = "CTLK",
    depth: int = 3,
    past: bool = False,
    next_free: bool = False,
) -> Formula:
    """A random state formula of one of `FRAGMENTS` (linear ones with their A in front), nested ``depth`` deep at most.

    ``past`` adds Y, Once, Hist and S to the path formulae of LTL and CTL*; ``next_free`` leaves out X and Y.
    """
    family = fragment.removesuffix("K")
    if family not in ("CTL", "ATL", "LTL", "CTL*"):
        raise ValueError(f"no such fragment: {fragment}")
    draft = _Draft(rng, system, fragment.endswith("K"), family == "ATL", past, next_free)
    if family in ("CTL", "ATL"):
        return _branching(draft, depth)
    if family == "LTL":
        return ForAll(_path(draft, depth, quantifiers=False), star=True)
    return _star(draft, depth)


def random_group(rng: random.Random, system: System) -> Group:
    """One of the system's groups, or its agents in a group without name."""
    if rng.random() < 0.8:
        return system.group(rng.choice(list(system.groups)))
    return Group((rng.choice(system.agents).name,))


def _branching(draft: _Draft, depth: int) -> Formula:
    """CTL or ATL, with knowledge where wanted."""
    rng = draft.rng
    if depth == 0 or rng.random() < 0.1:
        return _atom(draft)
    kinds = ["boolean", "time", "time"] + ["knowledge"] * 2 * draft.knowledge + ["coalition"] * 3 * draft.strategic
    kind = rng.choice(kinds)
    if kind == "boolean":
        return _boolean(rng, lambda: _branching(draft, depth - 1))
    if kind == "knowledge":
        return _knowledge(draft, _branching(draft, depth - 1), correct=True)
    if kind == "coalition":
        return Coalition(random_group(rng, draft.system), _shape(draft, depth, weak=False))
    return rng.choice((ForAll, Exists))(_shape(draft, depth, weak=True))


def _shape(draft: _Draft, depth: int, weak: bool) -> Formula:
    """One future operator over branching formulae."""
    rng = draft.rng
    unary: list[Unary] = [Finally, Globally] if draft.next_free else [Next, Finally, Globally]
    binary: list[Binary] = [Until, WeakUntil, Release] if weak else [Until]
    if rng.random() < 0.65:
        return rng.choice(unary)(_branching(draft, depth - 1))
    return rng.choice(binary)(_branching(draft, depth - 1), _branching(draft, depth - 1))


def _star(draft: _Draft, depth: int) -> Formula:
    """A state formula of CTL*."""
    rng = draft.rng
    if depth == 0 or rng.random() < 0.1:
        return _atom(draft)
    kinds = ["boolean", "quantifier", "quantifier", "quantifier"] + ["knowledge"] * 2 * draft.knowledge
    kind = rng.choice(kinds)
    if kind == "boolean":
        return _boolean(rng, lambda: _star(draft, depth - 1))
    if kind == "knowledge":
        body = _star(draft, depth - 1) if rng.random() < 0.5 else _path(draft, depth - 1, quantifiers=True)
        return _knowledge(draft, body, correct=False)
    return rng.choice((ForAll, Exists))(_path(draft, depth, quantifiers=True), star=True)


def _path(draft: _Draft, depth: int, quantifiers: bool) -> Formula:
    """A path formula; without ``quantifiers`` it is linear."""
    rng = draft.rng
    if depth == 0 or rng.random() < 0.1:
        return _atom(draft)
    kinds = ["boolean", "future", "future", "future"] + ["past"] * 2 * draft.past
    kinds += ["knowledge"] * draft.knowledge + ["state"] * quantifiers
    kind = rng.choice(kinds)

    def inner() -> Formula:
        return _path(draft, depth - 1, quantifiers)

    if kind == "state":
        return _star(draft, depth - 1)
    if kind == "boolean":
        return _boolean(rng, inner)
    if kind == "knowledge":
        return _knowledge(draft, inner(), correct=False)
    if rng.random() < 0.65:
        unary: list[Unary] = [Yesterday, Once, Historically] if kind == "past" else [Next, Finally, Globally]
        return rng.choice(unary[draft.next_free :])(inner())
    binary: list[Binary] = [Since] if kind == "past" else [Until, WeakUntil, Release]
    return rng.choice(binary)(inner(), inner())


def _knowledge(draft: _Draft, body: Formula, correct: bool) -> Formula:
    rng, system = draft.rng, draft.system
    agent = rng.choice(list(system.views))
    match rng.randrange(6):
        case 0:
            return Everybody(random_group(rng, system), body)
        case 1:
            return Distributed(random_group(rng, system), body)
        case 2:
            return Common(random_group(rng, system), body)
        case 3 if correct:
            return Correct(rng.choice(system.agents).name, body)
        case _:
            return Knows(agent, body)


def _boolean(rng: random.Random, inner: Callable[[], Formula]) -> Formula:
    match rng.randrange(9):
        case 0 | 1 | 2:
            return Not(inner())
        case 3 | 4:
            return And(_flat(And, inner))
        case 5 | 6:
            return Or(_flat(Or, inner))
        case 7:
            return Implies(inner(), inner())
        case _:
            return rng.choice((Iff, Xor))(inner(), inner())


def _flat(kind: type[And] | type[Or], inner: Callable[[], Formula]) -> tuple[Formula, ...]:
    """Two operands, neither of them of the same kind: nested conjunctions are written flat."""
    args: list[Formula] = []
    for _ in range(2):
        arg = inner()
        args.extend(arg.args if isinstance(arg, kind) else [arg])
    return tuple(args)


def _atom(draft: _Draft) -> Formula:
    rng, system = draft.rng, draft.system
    match rng.randrange(10):
        case 0:
            return Truth(rng.random() < 0.5)
        case 1:
            return Colour(rng.choice(system.agents).name, rng.random() < 0.5)
        case 2:
            return _test(rng, rng.choice(system.variables))
        case _:
            return Prop(rng.choice(list(system.propositions)))


def _test(rng: random.Random, variable: Variable) -> Formula:
    terms = Terms()
    match variable.domain:
        case Boolean():
            return Test(terms.compare("=", variable.reference, terms.boolean(rng.random() < 0.5)))
        case Enumeration(values):
            return Test(terms.compare(rng.choice(("=", "<>")), variable.reference, terms.name(rng.choice(values))))
        case Bounded(low, high):
            number = terms.number(rng.randint(low, high))
        case _:
            number = terms.number(rng.randint(0, 2))
    return Test(terms.compare(rng.choice(("=", "<>", "<", "<=")), variable.reference, number))
