"""Interleaved systems given as automata that share actions: by hand, and at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from epistrat.logic.formula import ForAll, Formula, Globally, Knows, Or, Prop
from epistrat.model.agent import Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.system import Composition, System
from epistrat.terms import Bounded, Expr, Sort, Terms

Moves = Mapping[int, Mapping[str, Sequence[int]]]
"""For each place the actions allowed there, each with the places it can lead to."""


def system_of(
    automata: Sequence[Moves],
    propositions: Mapping[str, tuple[int, Sequence[int]]],
    formulae: Sequence[Formula] = (),
    initial: Sequence[Sequence[int]] | None = None,
) -> System:
    """Agents A1, A2, ... that start at place 0 (or at the given tuples of places).

    A proposition is true when the agent with this index is at one of these places.
    """
    terms = Terms()
    agents = tuple(_agent(terms, index, moves) for index, moves in enumerate(automata))

    def at(index: int, place: int) -> Expr:
        return terms.compare("=", terms.variable(f"A{index + 1}", "at", Sort.NUMBER), terms.number(place))

    starts = initial or [[0] * len(agents)]
    return System(
        agents,
        terms.disjunction([terms.conjunction([at(i, place) for i, place in enumerate(places)]) for places in starts]),
        Composition.INTERLEAVED,
        propositions={
            name: terms.disjunction([at(index, place) for place in places])
            for name, (index, places) in propositions.items()
        },
        formulae=tuple(formulae),
    )


def _agent(terms: Terms, index: int, moves: Moves) -> Agent:
    name = f"A{index + 1}"
    place = terms.variable(name, "at", Sort.NUMBER)
    actions = sorted({action for row in moves.values() for action in row})
    protocol = tuple(
        ProtocolLine(terms.compare("=", place, terms.number(here)), tuple(sorted(row)))
        for here, row in moves.items()
        if row
    )
    evolution = tuple(
        EvolutionLine(
            (Assignment("at", terms.number(target)),),
            terms.conjunction([terms.compare("=", place, terms.number(here)), terms.action(name, action)]),
        )
        for here, row in moves.items()
        for action, targets in row.items()
        for target in targets
    )
    variable = Variable(name, "at", Bounded(0, max(moves)))
    return Agent(name, (variable,), (), tuple(actions), protocol, None, evolution)


def random_automata(rng: random.Random, choices: float = 0.1) -> tuple[System, Formula]:
    """A random system of two to four small automata, and a formula that sees one or two propositions and up to one agent.

    ``choices`` is the chance that an action leads to either of two places.
    """
    count = rng.choice((2, 3, 3, 4))
    sizes = [rng.choice((2, 3, 3, 4)) for _ in range(count)]
    alphabets: list[list[str]] = [[] for _ in range(count)]
    for number in range(rng.randint(count + 1, 8)):
        several = rng.random()
        members = rng.sample(range(count), 1 if several < 0.55 else 2 if several < 0.93 or count < 3 else 3)
        for agent in members:
            alphabets[agent].append(f"a{number}")
    shared = {action for one in alphabets for action in one if sum(action in other for other in alphabets) > 1}
    automata: list[dict[int, dict[str, list[int]]]] = []
    for size, alphabet in zip(sizes, alphabets, strict=True):
        moves: dict[int, dict[str, list[int]]] = {place: {} for place in range(size)}
        for action in alphabet:
            chance = 0.5 if action in shared else 0.4
            places = [p for p in range(size) if rng.random() < chance] or [rng.randrange(size)]
            for place in places:
                moves[place][action] = rng.sample(range(size), 2 if rng.random() < choices else 1)
        automata.append(moves)
    propositions = {}
    for number in range(rng.choice((1, 1, 2))):
        agent = rng.randrange(count)
        propositions[f"p{number}"] = agent, [p for p in range(sizes[agent]) if rng.random() < 0.5]
    body: Formula = Prop("p0") if len(propositions) == 1 else Or((Prop("p0"), Prop("p1")))
    if rng.random() < 0.4:
        body = Or((body, Knows(f"A{rng.randrange(count) + 1}", body)))
    return system_of(automata, propositions), ForAll(Globally(body))
