"""What short cuts look for: every optimisation of an engine with the shape of formula, system or setting that it serves.

A `Feature` says how to draw a question that has it, and how to see whether a question has it.  Random tests draw from these on purpose,
pair by pair, and count what they exercised (`tests.fuzz`).  Whoever adds a short cut adds its feature here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.generators import shapes, twists
from tests.generators.shapes import Shape

from epistrat.answers import Facts, Strategies
from epistrat.encoding.evolution import frozen_variables
from epistrat.engines.registry import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.logic.fragment import history_quantifiers
from epistrat.model.agent import ENVIRONMENT
from epistrat.model.initial import initial_states
from epistrat.model.system import Blocking, Composition, Scheduling, Semantics, System
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Var


@dataclass(frozen=True)
class Case:
    """Questions that are asked in one session, and how they are asked."""

    system: System
    formulae: tuple[Formula, ...]
    reading: Strategies = Strategies.ANY
    followers: tuple[str, ...] | None = None
    patience: Patience = PATIENT
    nodes: int | None = None
    switches: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """One question of a case, with what is known after it was answered."""

    case: Case
    formula: Formula
    facts: Facts
    statistics: Mapping[str, Any]

    def mentions(self, *kinds: type) -> bool:
        """Whether one of these operators occurs."""
        return any(isinstance(part, kinds) for part in subformulae(self.formula))


Twist = Callable[[random.Random, System], System]


@dataclass(frozen=True)
class Feature:
    """A property of a question.  ``serves`` names the short cut.

    ``synchronous``, ``interleaved`` and ``strategic`` say where alone it can occur.
    """

    name: str
    serves: str
    present: Callable[[Asked], bool]
    shape: Shape | None = None
    shape_without_past: Shape | None = None
    twist: Twist | None = None
    setting: Callable[[random.Random], dict[str, Any]] | None = None
    synchronous: bool = False
    interleaved: bool = False
    strategic: bool = False


def _has(*kinds: type) -> Callable[[Asked], bool]:
    return lambda asked: asked.mentions(*kinds)


def _always_implies(asked: Asked) -> bool:
    return any(
        isinstance(part, logic.ForAll)
        and isinstance(part.arg, logic.Globally)
        and isinstance(part.arg.arg, logic.Implies)
        for part in subformulae(asked.formula)
    )


def _always_implies_known(asked: Asked) -> bool:
    return any(
        isinstance(part, logic.ForAll)
        and isinstance(part.arg, logic.Globally)
        and isinstance(part.arg.arg, logic.Implies)
        and any(isinstance(inner, logic.KNOWLEDGE) for inner in subformulae(part.arg.arg.right))
        for part in subformulae(asked.formula)
    )


def _several_knows(asked: Asked) -> bool:
    """Several questions of one session are about what one agent knows of conditions."""
    knowers = [
        {part.agent for part in subformulae(formula) if isinstance(part, logic.Knows)}
        for formula in asked.case.formulae
    ]
    return any(sum(agent in others for others in knowers) > 1 for agent in set().union(*knowers))


def _path_known(asked: Asked) -> bool:
    return any(
        isinstance(part, (*logic.KNOWLEDGE, logic.Correct)) and not logic.is_state(part.arg)
        for part in subformulae(asked.formula)
    )


def _of_nobody(asked: Asked) -> bool:
    groups = (logic.Everybody, logic.Distributed, logic.Common, logic.Coalition)
    return any(isinstance(part, groups) and not part.group.members for part in subformulae(asked.formula))


def _nested_coalition(asked: Asked) -> bool:
    return any(
        isinstance(part, logic.Coalition) and any(isinstance(inner, logic.Coalition) for inner in subformulae(part.arg))
        for part in subformulae(asked.formula)
    )


def _coalition(kind: type) -> Callable[[Asked], bool]:
    return lambda asked: any(
        isinstance(part, logic.Coalition) and isinstance(part.arg, kind) for part in subformulae(asked.formula)
    )


def _several_initial(asked: Asked) -> bool:
    return len(list(initial_states(asked.case.system))) > 1


def _copied(asked: Asked) -> bool:
    return any(
        isinstance(assignment.value, Var) and assignment.value.key == (ENVIRONMENT, assignment.target)
        for agent in asked.case.system.agents
        if agent.name != ENVIRONMENT
        for line in agent.evolution
        for assignment in line.assignments
    )


def _sets_chosen(asked: Asked) -> bool:
    return any(
        len(choice) > 1
        for agent in asked.case.system.agents
        for choices in (agent.other_choices, *(line.choices for line in agent.protocol))
        for choice in choices
    )


def _reading(reading: Strategies) -> Callable[[Asked], bool]:
    return lambda asked: asked.case.reading is reading


def _low_nodes(rng: random.Random) -> dict[str, Any]:
    return {"nodes": rng.choice((1 << 8, 1 << 9, 1 << 10, 1 << 12))}


FORMULAE = (
    Feature("AG(p -> q)", "symbolic.checker._holds_after", _always_implies, shapes.always_implies),
    Feature("AG(p -> K)", "symbolic.checker._worth_a_closure", _always_implies_known, shapes.always_implies_known),
    Feature("!EF", "symbolic.checker._holds", _has(logic.Not), shapes.never_finally),
    Feature("or", "symbolic.uniform.prune.decide", lambda a: isinstance(a.formula, logic.Or), shapes.either),
    Feature("and", "symbolic.checker._holds", lambda a: isinstance(a.formula, logic.And), shapes.both),
    Feature("xor", "symbolic.uniform.rewrite, uniform.blame", _has(logic.Xor, logic.Iff), shapes.exclusive),
    Feature("U", "symbolic.label, explicit.label", _has(logic.Until), shapes.binary(logic.Until)),
    Feature("W", "symbolic.label, explicit.label", _has(logic.WeakUntil), shapes.binary(logic.WeakUntil)),
    Feature("R", "symbolic.label, explicit.label", _has(logic.Release), shapes.binary(logic.Release)),
    Feature(
        "path",
        "symbolic.linear, explicit.linear, explicit.reduction",
        lambda a: any(isinstance(p, (logic.ForAll, logic.Exists)) and p.star for p in subformulae(a.formula)),
        shapes.path,
    ),
    Feature("Y", "explicit.reduction, symbolic.linear.history", _has(logic.Yesterday), shapes.past(logic.Yesterday)),
    Feature("Once", "symbolic.linear.history, explicit.history", _has(logic.Once), shapes.past(logic.Once)),
    Feature("Hist", "symbolic.linear.history", _has(logic.Historically), shapes.past(logic.Historically)),
    Feature("S", "symbolic.linear.history, explicit.history", _has(logic.Since), shapes.past(logic.Since)),
    Feature(
        "looks back",
        "symbolic.linear.history, uniform.rewrite",
        lambda a: bool(history_quantifiers(a.formula)),
        shapes.looking_back,
    ),
    Feature("K", "symbolic.knowledge", _has(logic.Knows), shapes.knows),
    Feature("several K", "symbolic.knowledge._projected", _several_knows, shapes.knows),
    Feature("GK", "symbolic.knowledge", _has(logic.Everybody), shapes.known(logic.Everybody)),
    Feature("DK", "explicit.reduction.visibility", _has(logic.Distributed), shapes.known(logic.Distributed)),
    Feature("GCK", "symbolic.knowledge.common", _has(logic.Common), shapes.known(logic.Common)),
    Feature("nobody", "symbolic.uniform.rewrite", _of_nobody, shapes.known_of_nobody),
    Feature("K path", "symbolic.linear.paths.somewhere", _path_known, shapes.knows_path, shapes.knows_future),
    Feature("O", "symbolic.knowledge.correct", _has(logic.Correct), shapes.correct),
)

COALITIONS = (
    Feature("<g>X", "uniform.label._single_step", _coalition(logic.Next), shapes.coalition(logic.Next), strategic=True),
    Feature(
        "<g>F", "symbolic.strategic._reach", _coalition(logic.Finally), shapes.coalition(logic.Finally), strategic=True
    ),
    Feature(
        "<g>G", "uniform.bounds._safe", _coalition(logic.Globally), shapes.coalition(logic.Globally), strategic=True
    ),
    Feature("<g>U", "uniform.trial", _coalition(logic.Until), shapes.coalition(logic.Until), strategic=True),
    Feature("<g><h>", "uniform.label", _nested_coalition, shapes.nested_coalition, strategic=True),
)

SYSTEMS = (
    Feature("several initial", "space.single_initial", _several_initial, twist=twists.several_initial_states),
    Feature("overflow", "space.blocked, strategic._reach", lambda a: bool(a.facts.overflows), twist=twists.overflow),
    Feature(
        "dead ends", "space.dead_ends, checker._endless", lambda a: bool(a.facts.dead_ends), twist=twists.dead_ends
    ),
    Feature(
        "choices",
        "encoding.protocol",
        lambda a: any(len(agent.other or ()) > 1 for agent in a.case.system.agents),
        twist=twists.free_choices,
    ),
    Feature("fairness", "checker._holds_simply", lambda a: bool(a.case.system.fairness), twist=twists.fairness),
    Feature("red", "knowledge.correct", lambda a: any(b.red for b in a.case.system.agents), twist=twists.red_states),
    Feature(
        "observed",
        "knowledge.hidden, encoding.footprint",
        lambda a: any(agent.observes for agent in a.case.system.agents),
        twist=twists.observed_variable,
        synchronous=True,
    ),
    Feature(
        "frozen",
        "encoding.evolution.frozen_variables",
        lambda a: any(frozen_variables(agent) for agent in a.case.system.agents),
        twist=twists.frozen_variable,
    ),
    Feature("copied", "encoding.evolution._keeps", _copied, twist=twists.copied_variable, synchronous=True),
    Feature("single assignment", "encoding.evolution", lambda a: a.case.system.semantics is Semantics.SINGLE),
    Feature(
        "interleaved",
        "explicit.reduction, space.pre",
        lambda a: a.case.system.composition is Composition.INTERLEAVED,
        interleaved=True,
    ),
    Feature("sets chosen", "model.play", _sets_chosen, twist=twists.chosen_sets, interleaved=True),
    Feature(
        "blocking",
        "model.play, explicit.games",
        lambda a: a.case.system.blocking is not Blocking.WAIT,
        twist=twists.blocking,
        interleaved=True,
    ),
    Feature(
        "fair scheduling",
        "explicit.scheduling, witness.scheduled",
        lambda a: a.case.system.scheduling is Scheduling.FAIR,
        twist=twists.fair_scheduling,
        interleaved=True,
    ),
)

SETTINGS = (
    Feature("uniform", "symbolic.uniform.prune", _reading(Strategies.UNIFORM)),
    Feature("objective", "symbolic.uniform.label", _reading(Strategies.OBJECTIVE)),
    Feature("subjective", "symbolic.uniform.label", _reading(Strategies.SUBJECTIVE)),
    Feature("impatient", "solvers.patience", lambda a: a.case.patience != PATIENT),
    Feature("low nodes", "jobs.portfolio, symbolic.candidates", lambda a: a.case.nodes is not None, setting=_low_nodes),
    Feature(
        "several trials",
        "symbolic.uniform.lessons, uniform.nogood, uniform.blame",
        lambda a: int(a.statistics.get("strategies tried", 0)) > 1,
        twist=twists.free_choices,
        synchronous=True,
    ),
)

FEATURES = {one.name: one for one in (*FORMULAE, *COALITIONS, *SYSTEMS, *SETTINGS)}


def of(asked: Asked) -> frozenset[str]:
    """The features that a question has."""
    return frozenset(name for name, feature in FEATURES.items() if feature.present(asked))


ENGINES = ("reference", "explicit", "symbolic")
"""The engines that answer nearly everything, and so must have met every pair of features that they accept."""

PAST = ("Y", "Once", "Hist", "S", "looks back")
READINGS = ("uniform", "objective", "subjective")
UNDEFINED = (
    {"or", "and"},
    {"blocking", "uniform"},
    {"fair scheduling", "blocking"},
    {"fair scheduling", "uniform"},
)
"""Pairs that no question has."""


def possible(engine: str, one: str, other: str) -> bool:
    """Whether the engine can meet both features in one question at all."""
    pair = {one, other}
    features = [FEATURES[name] for name in pair]
    interleaved, strategic = (any(getattr(one, kind) for one in features) for kind in ("interleaved", "strategic"))
    if interleaved and any(feature.synchronous for feature in features):
        return False
    if len(pair & set(READINGS)) > 1 or pair in UNDEFINED:
        return False
    if engine != "symbolic" and pair & {"low nodes", "several trials"}:
        return False
    accepts = load(engine).accepts
    if strategic and "blocking" in pair and accepts.blocking == {Blocking.WAIT}:
        return False
    if strategic and "fair scheduling" in pair and Scheduling.FAIR not in accepts.scheduling:
        return False
    readings = accepts.asynchronous if interleaved else accepts.readings | {Strategies.ANY}
    asked = {Strategies(name) for name in pair & set(READINGS)} if strategic or "uniform" in pair else set()
    if (engine == "explicit" and "uniform" in pair) or not asked <= readings:
        return False
    return not (engine == "explicit" and strategic and pair & set(PAST))
