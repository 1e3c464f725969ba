"""Equivalences that every system must respect: negation, duals, normal forms, fragments that coincide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.generators import random_formula, random_system

from epistrat.engines.contract import Strategies
from epistrat.engines.reference.judge import Judge, JudgeLabels
from epistrat.logic import is_state, negation, negation_normal_form, show
from epistrat.logic.formula import (
    And,
    Coalition,
    Correct,
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
    Truth,
    Until,
    WeakUntil,
    Yesterday,
)
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, System
from epistrat.solvers.budget import Budget

TRUE = Truth(True)
p, q = Prop("p0"), Prop("p1")


def judge_of(system: System) -> Judge:
    stepper = Stepper(system)
    return Judge(stepper, explore(stepper, initial_states(system)), Strategies.ANY, Budget())


def judges(count: int, **wishes: object) -> Iterator[tuple[int, random.Random, System, Judge]]:
    for seed in range(count):
        rng = random.Random(seed)
        system = random_system(rng, **wishes)
        yield seed, rng, system, judge_of(system)


def same_everywhere(labels: JudgeLabels, one: Formula, other: Formula) -> bool:
    return labels.of(one) == labels.of(other)


@pytest.mark.parametrize("name", ["CTLK", "ATLK", "LTLK", "CTL*K"])
def test_negation_flips_where_one_state_is_initial(name: str) -> None:
    composition = Composition.SYNCHRONOUS if name == "ATLK" else None
    flipped = 0
    for seed, rng, system, judge in judges(60, composition=composition):
        formula = random_formula(rng, system, name, past=True)
        if len(judge.world().initial) == 1:
            flipped += 1
            assert judge.satisfied(formula) != judge.satisfied(Not(formula)), (seed, show(formula))
    assert flipped > 10


@pytest.mark.parametrize("name", ["CTLK", "ATLK", "LTLK", "CTL*K"])
def test_normal_forms_preserve_verdicts(name: str) -> None:
    composition = Composition.SYNCHRONOUS if name == "ATLK" else None
    for seed, rng, system, judge in judges(80, composition=composition):
        formula = random_formula(rng, system, name, past=True)
        verdict = judge.satisfied(formula)
        for form in (negation_normal_form, lambda f: negation_normal_form(negation(negation(f)))):
            assert judge.satisfied(form(formula)) == verdict, (seed, show(formula), show(form(formula)))


def test_universal_and_existential_quantifiers_are_duals() -> None:
    for _, rng, system, judge in judges(60):
        f, g = (random_formula(rng, system, "CTLK", depth=1) for _ in range(2))
        labels = judge.labels()
        pairs: list[tuple[Formula, Formula]] = [
            (Next(f), Next(Not(f))),
            (Finally(f), Globally(Not(f))),
            (Globally(f), Finally(Not(f))),
            (Until(f, g), WeakUntil(Not(g), And((Not(f), Not(g))))),
            (WeakUntil(f, g), Until(Not(g), And((Not(f), Not(g))))),
            (Release(f, g), Until(Not(f), Not(g))),
        ]
        for one, opposite in pairs:
            for star in (False, True):
                assert same_everywhere(labels, ForAll(one, star), Not(Exists(opposite, star)))
                assert same_everywhere(labels, Exists(one, star), Not(ForAll(opposite, star)))


def test_unfolding_one_step() -> None:
    """Fixpoint equations of CTL; those with an eventuality hold where no state is a dead end."""
    for _, rng, system, judge in judges(60, total=True):
        f, g = (random_formula(rng, system, "CTL", depth=1) for _ in range(2))
        labels = judge.labels()
        for a in (ForAll, Exists):
            assert same_everywhere(labels, a(Finally(f)), Or((f, a(Next(a(Finally(f)))))))
            assert same_everywhere(labels, a(Globally(f)), And((f, a(Next(a(Globally(f)))))))
            until = a(Until(f, g))
            assert same_everywhere(labels, until, Or((g, And((f, a(Next(until)))))))


def test_ctl_star_reads_ctl_shapes_like_ctl_without_dead_ends() -> None:
    for _, rng, system, judge in judges(80, total=True):
        f, g = (random_formula(rng, system, "CTLK", depth=1) for _ in range(2))
        labels = judge.labels()
        for shape in (Next(f), Finally(f), Globally(f), Until(f, g), WeakUntil(f, g), Release(f, g)):
            for a in (ForAll, Exists):
                assert same_everywhere(labels, a(shape), a(shape, star=True))


def test_fairness_true_changes_nothing_without_dead_ends() -> None:
    for seed, rng, system, judge in judges(60, total=True, fairness=False, composition=Composition.SYNCHRONOUS):
        formula = random_formula(rng, system, "ATLK")
        fair = judge_of(replace(system, fairness=(TRUE, TRUE)))
        assert fair.satisfied(formula) == judge.satisfied(formula), (seed, show(formula))


def test_everybody_together_and_nobody_coincide_with_ctl() -> None:
    """The empty coalition enforces what holds on all paths; all agents what they can bring about, if evolution is deterministic."""
    for _, rng, system, judge in judges(80, total=True, fairness=False, composition=Composition.SYNCHRONOUS):
        f, g = (random_formula(rng, system, "CTLK", depth=1) for _ in range(2))
        labels, nobody = judge.labels(), Group(())
        everybody = Group(tuple(agent.name for agent in system.agents))
        deterministic = _deterministic(system)
        for shape in (Next(f), Finally(f), Globally(f), Until(f, g)):
            assert same_everywhere(labels, Coalition(nobody, shape), ForAll(shape))
            if deterministic:
                assert same_everywhere(labels, Coalition(everybody, shape), Exists(shape))
            stronger = labels.of(Coalition(everybody, shape))
            assert labels.of(Coalition(nobody, shape)) <= stronger <= labels.of(Exists(shape))


def _deterministic(system: System) -> bool:
    stepper = Stepper(system)
    states = explore(stepper, initial_states(system)).states
    return all(len(list(stepper.outcomes(s, joint))) == 1 for s in states for joint in stepper.joint_actions(s))


def past_identities(f: Formula, g: Formula) -> list[tuple[Formula, Formula]]:
    """Path formulae that are true of the same runs, from time 0."""
    return [
        (Finally(And((g, Once(f)))), Finally(And((f, Finally(g))))),
        (Once(f), f),
        (Yesterday(TRUE), Truth(False)),
        (Globally(Historically(f)), Globally(f)),
        (Globally(Once(f)), f),
        (Globally(Implies(g, Once(f))), WeakUntil(Not(g), f)),
        (Next(Yesterday(f)), f),
        (Next(Yesterday(TRUE)), TRUE),
        (Finally(Since(f, g)), Finally(g)),
        (Globally(Iff(Historically(f), Not(Once(Not(f))))), TRUE),
        (Globally(Iff(Since(f, g), Or((g, And((f, Yesterday(Since(f, g)))))))), TRUE),
        (Globally(Iff(Once(f), Or((f, Yesterday(Once(f)))))), TRUE),
        (Globally(Iff(Once(f), Since(TRUE, f))), TRUE),
        (Finally(And((f, Not(Yesterday(TRUE))))), f),
        (Until(f, g), Finally(And((g, Or((Not(Yesterday(TRUE)), Yesterday(Historically(f)))))))),
    ]


@pytest.mark.parametrize("fairness", [False, True])
def test_linear_identities_with_past_from_time_zero(fairness: bool) -> None:
    for seed, rng, system, judge in judges(25, fairness=fairness):
        f, g = (random_formula(rng, system, "CTLK", depth=1) for _ in range(2))
        for one, other in past_identities(f, g):
            for a in (ForAll, Exists):
                first, second = a(one, star=True), a(other, star=True)
                assert judge.satisfied(first) == judge.satisfied(second), (seed, show(first), show(second))
                assert judge.satisfied(ForAll(Globally(Implies(first, first)), star=True))


def test_identities_with_past_hold_inside_knowledge_over_paths() -> None:
    """Knowledge looks at all points of all runs, not at time 0 alone: only equivalences at every point survive."""
    for seed, rng, system, judge in judges(40):
        agent = rng.choice(list(system.views))
        for one, other in (
            (Historically(p), Not(Once(Not(p)))),
            (Since(p, q), Or((q, And((p, Yesterday(Since(p, q))))))),
            (Next(Yesterday(p)), p),
            (Finally(Once(p)), Or((Once(p), Finally(p)))),
        ):
            first, second = Knows(agent, one), Knows(agent, other)
            if is_state(other):  # a state formula is asked of dead ends, too; a path formula has no run there
                second = Knows(agent, ForAll(other, star=True))
            labels = judge.labels()
            assert labels.of(first) == labels.of(second), (seed, show(first), show(second))


def test_knowledge_over_paths_without_past_is_knowledge_of_all_paths() -> None:
    for seed, rng, system, judge in judges(60):
        body = random_formula(rng, system, "LTL", depth=2)
        assert isinstance(body, ForAll)
        if is_state(body.arg):
            continue
        agent = rng.choice(list(system.views))
        labels = judge.labels()
        assert labels.of(Knows(agent, body.arg)) == labels.of(Knows(agent, body)), (seed, show(body))
        assert labels.of(Correct(system.agents[0].name, body.arg)) == labels.of(Correct(system.agents[0].name, body))


def test_quantifiers_that_look_back_know_the_past_of_this_very_run() -> None:
    """On every run, A and E of a formula about the past alone say just that formula, wherever they stand."""
    for seed, _, _, judge in judges(40, total=True):
        for past in (Once(p), Historically(p), Since(p, q), Yesterday(p), Once(And((p, Yesterday(q))))):
            for a in (ForAll, Exists):
                always = ForAll(Globally(Iff(a(past, star=True), past)), star=True)
                assert judge.satisfied(always), (seed, show(always))


def test_uniform_strategies_are_strategies() -> None:
    """What can be enforced subjectively can be enforced objectively, and that with perfect information."""
    for seed in range(40):
        system = random_system(random.Random(seed), composition=Composition.SYNCHRONOUS)
        stepper = Stepper(system)
        reached = explore(stepper, initial_states(system))
        if len(reached.states) > 30:
            continue
        readings = (Strategies.SUBJECTIVE, Strategies.OBJECTIVE, Strategies.ANY)
        for shape in (Next(p), Finally(p), Globally(p), Until(p, q)):
            formula = Coalition(system.group("g0"), shape)
            sets = [Judge(stepper, reached, reading, Budget()).labels().of(formula) for reading in readings]
            assert sets[0] <= sets[1] <= sets[2], (seed, show(formula))


def test_operators_in_places_the_logic_does_not_have_are_refused() -> None:
    system = random_system(random.Random(1), composition=Composition.SYNCHRONOUS, fairness=False)
    fair = replace(system, fairness=(TRUE,))
    group = system.group("g0")
    for asked, formula in (
        (system, ForAll(Once(p))),
        (system, Exists(Once(p))),
        (system, Coalition(group, Once(p))),
        (fair, Coalition(group, Once(p))),
    ):
        with pytest.raises(TypeError):
            judge_of(asked).satisfied(formula)
