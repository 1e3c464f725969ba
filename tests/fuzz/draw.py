"""Random cases that have given features."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields, replace

from tests.generators import random_group, random_system
from tests.generators.features import COALITIONS, FEATURES, FORMULAE, PAST, READINGS, SYSTEMS, Case, Feature
from tests.generators.mazes import maze
from tests.generators.shapes import Parts, Shape

from epistrat.answers import Strategies
from epistrat.lang.load import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.system import Composition, Semantics, System
from epistrat.solvers.patience import IMPATIENT, PATIENT, Patience

ORDERS = ("auto", "auto", "auto", "index", "declared", "random", "index-top", "index-interleaved", "1", "2", "3", "4")
SEARCHES = ("auto", "auto", "1", "2", "3", "smaller", "chaining", "mcmas")
REDUCTIONS = ("auto", "auto", "off", "singleton", "linear")
EXTRA = 0.12
"""How likely a property is that nobody asked for."""


def draw(rng: random.Random, wanted: Sequence[str]) -> Case:
    """A random case that has, if luck will have it, the wanted features."""
    features = [FEATURES[name] for name in wanted]
    reading = _reading(rng, wanted, features)
    system = _system(rng, wanted, features, reading)
    formulae = _formulae(rng, system, features)
    case = Case(system, formulae, reading, _followers(rng, system, reading), _patience(rng, wanted))
    switches = {
        "order": rng.choice(ORDERS),
        "reach": rng.choice(SEARCHES),
        "bdd": rng.choice(("oxidd", "oxidd", "cudd")),
    }
    if system.interleaved:
        switches["reduce"] = rng.choice(REDUCTIONS)
    settings = [feature.setting for feature in features if feature.setting is not None]
    if settings:
        switches["order"] = "auto"
    for setting in settings:
        case = replace(case, **setting(rng))
    return replace(case, switches=switches)


def _reading(rng: random.Random, wanted: Sequence[str], features: Sequence[Feature]) -> Strategies:
    asked = [name for name in wanted if name in READINGS]
    if asked:
        return Strategies(asked[0])
    if "fair scheduling" in wanted:
        return rng.choice((Strategies.OBJECTIVE, Strategies.SUBJECTIVE))
    if any(feature.interleaved for feature in features):  # one engine alone reads `uniform` there
        return rng.choice((Strategies.ANY, Strategies.OBJECTIVE, Strategies.SUBJECTIVE))
    if "several trials" in wanted or any(feature.strategic for feature in features):
        return rng.choice(list(Strategies))
    return rng.choice((Strategies.ANY, Strategies.ANY, Strategies.UNIFORM))


def _system(rng: random.Random, wanted: Sequence[str], features: Sequence[Feature], reading: Strategies) -> System:
    composition = _composition(rng, features, reading)
    semantics = Semantics.SINGLE if "single assignment" in wanted else rng.choice(list(Semantics))
    environment = True if {"observed", "copied"} & set(wanted) else None
    agents = rng.choice((1, 2) if reading is not Strategies.ANY else (1, 2, 2, 3))
    hidden = reading is not Strategies.ANY and composition is Composition.SYNCHRONOUS
    if hidden and rng.random() < (0.6 if "several trials" in wanted else 0.1):
        system = _maze(rng, wanted)
    else:
        system = random_system(
            rng, composition=composition, semantics=semantics, environment=environment, agents=agents, fairness=False
        )
    own = [feature.twist for feature in features if feature.twist is not None]
    extra = [
        feature.twist
        for feature in SYSTEMS
        if feature.twist is not None and _fits(feature, system) and rng.random() < EXTRA
    ]
    for twist in dict.fromkeys([*own, *extra]):
        system = twist(rng, system)
    return system


def _composition(rng: random.Random, features: Sequence[Feature], reading: Strategies) -> Composition:
    if any(feature.interleaved for feature in features):
        return Composition.INTERLEAVED
    alone = any(feature.synchronous for feature in features) or reading is Strategies.UNIFORM
    undefined = any(feature.strategic for feature in features) and any(feature.name in PAST for feature in features)
    return Composition.SYNCHRONOUS if alone or undefined else rng.choice(list(Composition))


def _fits(feature: Feature, system: System) -> bool:
    """Whether the system can have the feature as well; unusual rules of play would keep half of the engines out."""
    if feature.name in ("blocking", "fair scheduling") or (feature.interleaved and not system.interleaved):
        return False
    return not (feature.synchronous and system.interleaved)


def _maze(rng: random.Random, wanted: Sequence[str]) -> System:
    """A hidden game, small enough for the judge to go through its strategies."""
    overflow = "overflow" in wanted or rng.random() < 0.3
    system = load(maze(rng, overflow, rng.random() < 0.4, places=rng.randint(4, 6), colours=rng.randint(2, 3))).system
    assert system is not None
    return system


def _formulae(rng: random.Random, system: System, features: Sequence[Feature]) -> tuple[Formula, ...]:
    wanted = [feature for feature in features if feature.shape is not None]
    found = [_formula(rng, system, wanted)]
    found += [_formula(rng, system, wanted if rng.random() < 0.5 else []) for _ in range(rng.randint(2, 5))]
    knowers = [part.agent for formula in found for part in subformulae(formula) if isinstance(part, logic.Knows)]
    if knowers:
        claim = logic.Knows(rng.choice(knowers), _parts(rng, system).condition())
        found.append(claim if rng.random() < 0.3 else logic.ForAll(logic.Globally(claim)))
    return tuple(found)


def _parts(rng: random.Random, system: System) -> Parts:
    return Parts(rng, system, lambda: Parts(rng, system, lambda: logic.Truth(True)).condition())


def _formula(rng: random.Random, system: System, wanted: Sequence[Feature]) -> Formula:
    """The wanted shapes inside each other or side by side; others are added where they are few."""
    shapes = [_shape(rng, feature, wanted) for feature in wanted]
    pool = [*FORMULAE, *COALITIONS]
    if system.interleaved:  # strategies together with past operators are not defined there
        pool = _without_past(rng, wanted)
    while len(shapes) < rng.choice((1, 2, 2)):
        shape = rng.choice(pool).shape
        assert shape is not None
        shapes.append(shape)
    rng.shuffle(shapes)
    outer, *rest = shapes
    if not rest:
        return outer(_parts(rng, system))
    inner = rest[0]
    if rng.random() < 0.25:
        left, right = (shape(_parts(rng, system)) for shape in (outer, inner))
        joined = (logic.And((left, right)), logic.Or((left, right)), logic.Implies(left, right), logic.Xor(left, right))
        return rng.choice(joined)
    return outer(Parts(rng, system, lambda: inner(_parts(rng, system))))


def _shape(rng: random.Random, feature: Feature, wanted: Sequence[Feature]) -> Shape:
    """The feature's shape; beside strategies often the one without past, which more engines answer."""
    assert feature.shape is not None
    if feature.shape_without_past is None or not any(one.strategic for one in wanted) or rng.random() < 0.3:
        return feature.shape
    return feature.shape_without_past


def _without_past(rng: random.Random, wanted: Sequence[Feature]) -> list[Feature]:
    """Shapes that go with those wanted in an interleaved system: with past operators, or with strategies, not with both."""
    back = [feature for feature in FORMULAE if feature.name in (*PAST, "K path")]
    strategic = any(feature.strategic for feature in wanted)
    if any(feature in back for feature in wanted) or (not strategic and rng.random() < 0.5):
        return list(FORMULAE)
    return [*(feature for feature in FORMULAE if feature not in back), *COALITIONS]


def _followers(rng: random.Random, system: System, reading: Strategies) -> tuple[str, ...] | None:
    if reading is not Strategies.UNIFORM or rng.random() < 0.5:
        return None
    return random_group(rng, system).members


def _patience(rng: random.Random, wanted: Sequence[str]) -> Patience:
    """As users have it, none at all, or none in some respects."""
    choice = rng.random()
    if choice < 0.3 and "impatient" not in wanted:
        return PATIENT
    if choice < 0.6:
        return IMPATIENT
    some = {one.name: getattr(IMPATIENT, one.name) for one in fields(Patience) if rng.random() < 0.5}
    return replace(PATIENT, **some)
