"""The judge against enumeration: all short lassos of tiny systems, all strategies of tiny games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from tests.generators import random_formula, random_system
from tests.reference.by_enumeration import Enumeration

from epistrat.engines.contract import Strategies
from epistrat.engines.reference import temporal
from epistrat.engines.reference.games import Arena, Game, greatest, least
from epistrat.engines.reference.graph import Graph, Nodes, World
from epistrat.engines.reference.judge import Judge, JudgeLabels
from epistrat.logic import fragment, is_state, show
from epistrat.logic.formula import (
    FUTURE,
    PAST,
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
    Knows,
    Next,
    Prop,
    Release,
    Until,
    WeakUntil,
    subformulae,
)
from epistrat.logic.fragment import Feature
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import Act
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget

BEYOND_ENUMERATION = (Everybody, Distributed, Common, Correct, Colour)


def tiny(seed: int, **wishes: object) -> tuple[random.Random, Stepper, ReachableGraph] | None:
    rng = random.Random(seed)
    system = random_system(rng, agents=rng.randint(1, 2), **wishes)
    stepper = Stepper(system)
    reached = explore(stepper, initial_states(system))
    narrow = all(len({target for _, target in steps}) <= 2 for steps in reached.steps)
    return (rng, stepper, reached) if narrow and 2 <= len(reached.states) <= 3 else None


def simple(formula: Formula) -> bool:
    """Few enough operators for lassos of four states, and only operators that the enumeration knows."""
    parts = subformulae(formula)
    if any(isinstance(part, BEYOND_ENUMERATION) or (isinstance(part, Knows) and is_state(part.arg)) for part in parts):
        return False
    temporal_parts = sum(isinstance(part, FUTURE + PAST) for part in parts)
    return temporal_parts <= 3 and sum(isinstance(part, (ForAll, Exists, Knows)) for part in parts) <= 2


def judged(stepper: Stepper, reached: ReachableGraph, formula: Formula) -> bool:
    return Judge(stepper, reached, Strategies.ANY, Budget()).satisfied(formula)


@pytest.mark.parametrize("name", ["LTL", "LTLK", "CTL*", "CTL*K"])
def test_path_formulae_with_past_as_on_all_short_lassos(name: str) -> None:
    compared = 0
    for seed in range(200):
        drawn = tiny(seed, fairness=False)
        if drawn is None:
            continue
        rng, stepper, reached = drawn
        formula = random_formula(rng, stepper.system, name, depth=3, past=True)
        if simple(formula):
            compared += 1
            expected = Enumeration(stepper, reached, 3).satisfied(formula)
            assert judged(stepper, reached, formula) == expected, (seed, show(formula))
    assert compared > 15


@pytest.mark.parametrize("name", ["LTLK", "CTL*"])
def test_fair_runs_as_on_all_short_fair_lassos(name: str) -> None:
    compared = 0
    for seed in range(400):
        drawn = tiny(seed, fairness=True)
        if drawn is None:
            continue
        rng, stepper, reached = drawn
        formula = random_formula(rng, stepper.system, name, depth=2, past=True)
        judge = Judge(stepper, reached, Strategies.ANY, Budget())
        if simple(formula):
            compared += 1
            fair = judge.world().fair
            assert fair is not None
            assert judge.satisfied(formula) == Enumeration(stepper, reached, 3, fair).satisfied(formula), seed
    assert compared > 15


def test_quantifiers_that_look_back_as_on_all_short_lassos() -> None:
    compared = 0
    for seed in range(400):
        drawn = tiny(seed, fairness=False)
        if drawn is None:
            continue
        rng, stepper, reached = drawn
        formula = random_formula(rng, stepper.system, "CTL*", depth=4, past=True)
        if Feature.INNER_PAST in fragment(formula).features and simple(formula):
            compared += 1
            expected = Enumeration(stepper, reached, 3).satisfied(formula)
            assert judged(stepper, reached, formula) == expected, (seed, show(formula))
    assert compared > 5


# Strategies: fix one, look at what is left of the graph.


def labels_of(system: System) -> tuple[JudgeLabels, ReachableGraph, Stepper]:
    stepper = Stepper(system)
    reached = explore(stepper, initial_states(system))
    return Judge(stepper, reached, Strategies.ANY, Budget()).labels(), reached, stepper


def shapes(system: System) -> list[Formula]:
    p, q = (Prop(name) for name in list(system.propositions)[:2])
    return [Next(p), Finally(p), Globally(p), Until(p, q), WeakUntil(p, q), Release(p, q)]


def under_strategy(world: World, outcomes: dict[int, frozenset[int]], shape: Formula, args: list[Nodes]) -> Nodes:
    """Where all (fair) paths of what the strategy leaves satisfy the shape, by CTL on that graph."""
    if world.fair is None:
        return _all_outcomes(world, outcomes, shape, args)
    graph = world.graph
    child = [{graph.state[target]: target for target in outcomes.get(node, ())} for node in range(len(graph.state))]
    pruned = Graph(graph.state, child, graph.initial, graph.origin)
    everything = World(pruned, graph.nodes, world.fair)
    fair = World(pruned, temporal.fair_nodes(everything), world.fair)
    good = temporal.for_all(fair, shape, [arg & fair.nodes for arg in args])
    return (world.nodes - fair.nodes) | good


def _all_outcomes(world: World, outcomes: dict[int, frozenset[int]], shape: Formula, args: list[Nodes]) -> Nodes:
    """Without fairness coalitions are fixpoints of one step, at dead ends too."""

    def step(goal: Nodes) -> Nodes:
        return frozenset(node for node in world.nodes if node in outcomes and outcomes[node] <= goal)

    match shape:
        case Next():
            return step(args[0])
        case Finally():
            return least(lambda z: args[0] | step(z))
        case Globally():
            return greatest(world.nodes, lambda z: args[0] & step(z))
        case Until():
            return least(lambda z: args[1] | (args[0] & step(z)))
        case WeakUntil():
            return greatest(world.nodes, lambda z: args[1] | (args[0] & step(z)))
        case _:
            return greatest(world.nodes, lambda z: args[1] & (args[0] | step(z)))


def memoryless(game: Game) -> Iterator[dict[int, frozenset[int]]]:
    """All memoryless strategies with perfect information, as the outcomes they leave."""
    nodes = [node for node, choices in enumerate(game.choices) if choices]
    for picked in product(*(game.choices[node].values() for node in nodes)):
        yield dict(zip(nodes, picked, strict=True))


def uniform(system: System, game: Game, reached: ReachableGraph) -> Iterator[dict[int, frozenset[int]]]:
    """All uniform memoryless strategies, as the outcomes they leave."""
    names = [system.agents[member].name for member in game.members]

    def situations(node: int) -> list[tuple[str, tuple[object, ...]]]:
        state = reached.states[game.world.graph.state[node]]
        return [(name, tuple(state[index] for index in system.views[name])) for name in names]

    actions: dict[tuple[str, tuple[object, ...]], set[Act | None]] = {}
    for node, choices in enumerate(game.choices):
        for choice in choices:
            for situation, action in zip(situations(node), choice, strict=True):
                actions.setdefault(situation, set()).add(action)
    keys = list(actions)
    for picked in product(*(sorted(actions[key], key=str) for key in keys)):
        decided = dict(zip(keys, picked, strict=True))
        yield {
            node: choices[tuple(decided[situation] for situation in situations(node))]
            for node, choices in enumerate(game.choices)
            if choices
        }


def few(counts: list[int], limit: int = 300) -> bool:
    total = 1
    for count in counts:
        total *= max(count, 1)
        if total > limit:
            return False
    return True


@pytest.mark.parametrize("fairness", [False, True])
def test_coalitions_as_by_all_memoryless_strategies(fairness: bool) -> None:
    compared = 0
    for seed in range(250):
        rng = random.Random(seed)
        system = random_system(rng, composition=Composition.SYNCHRONOUS, fairness=fairness)
        labels, reached, stepper = labels_of(system)
        if len(reached.states) > 12:
            continue
        for name in system.groups:
            group = system.group(name)
            game = Game(Arena(labels.world, stepper, reached.states, reached.number), group)
            if not few([len(choices) for choices in game.choices]):
                continue
            for shape in shapes(system):
                args = [labels.of(operand) for operand in subformulae(shape)[:-1]]
                if len(args) == 2 and isinstance(shape, (Until, WeakUntil, Release)):
                    args = [labels.of(shape.left), labels.of(shape.right)]
                best = frozenset[int]()
                for outcomes in memoryless(game):
                    best |= under_strategy(labels.world, outcomes, shape, args)
                compared += 1
                assert labels.of(Coalition(group, shape)) == best & labels.world.nodes, (seed, name, shape)
    assert compared > 300


@pytest.mark.parametrize("fairness", [False, True])
@pytest.mark.parametrize("reading", [Strategies.OBJECTIVE, Strategies.SUBJECTIVE])
def test_uniform_strategies_as_by_all_of_them(reading: Strategies, fairness: bool) -> None:
    compared = 0
    for seed in range(150):
        system = random_system(random.Random(seed), composition=Composition.SYNCHRONOUS, fairness=fairness)
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system))
        if len(reached.states) > 12:
            continue
        labels = Judge(stepper, reached, reading, Budget()).labels()
        for name in system.groups:
            group = system.group(name)
            game = Game(Arena(labels.world, stepper, reached.states, reached.number), group)
            if not few([len(choices) for choices in game.choices]):
                continue
            for shape in shapes(system):
                expected = _by_uniform_strategies(system, game, reached, labels, group, shape, reading)
                compared += 1
                assert labels.of(Coalition(group, shape)) == expected, (seed, name, shape)
    assert compared > 200


def _by_uniform_strategies(
    system: System,
    game: Game,
    reached: ReachableGraph,
    labels: JudgeLabels,
    group: Group,
    shape: Formula,
    reading: Strategies,
) -> Nodes:
    world = labels.world
    operands = [shape.left, shape.right] if isinstance(shape, (Until, WeakUntil, Release)) else [subformulae(shape)[0]]
    args = [labels.of(operand) for operand in operands]
    pooled = system.pooled_view(group) if reading is Strategies.SUBJECTIVE else tuple(range(len(system.variables)))
    classes: dict[tuple[object, ...], set[int]] = {}
    for node in world.nodes:
        state = reached.states[world.graph.state[node]]
        classes.setdefault(tuple(state[index] for index in pooled), set()).add(node)
    won: set[int] = set()
    for outcomes in uniform(system, game, reached):
        good = under_strategy(world, outcomes, shape, args)
        for nodes in classes.values():
            if nodes <= good:
                won |= nodes
    return frozenset(won)
