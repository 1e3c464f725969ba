"""Serves a `LabelRequest`: the reachable states, the steps between them, and where each of some state formulae holds."""

from __future__ import annotations

from epistrat.answers import Misuse
from epistrat.engines.reference.judge import Judge, JudgeLabels
from epistrat.logic.formula import REMEMBERING, ForAll, Formula, Globally, subformulae
from epistrat.logic.fragment import OF_NAMES, fragment, history_quantifiers
from epistrat.logic.histories import read_as
from epistrat.logic.show import show
from epistrat.model.conditions import NoCondition, as_condition, is_condition
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service import models
from epistrat.service.checking import reading_of
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.requests import LabelRequest
from epistrat.solvers.budget import Budget

States = frozenset[int]


@dataclass(frozen=True, slots=True)
class Labelled:
    """The reachable states of a system, by number, and for each formula asked the states where it holds.

    Under fairness ``fair`` holds one set for each constraint.  There a formula that is no condition holds only in states from which a
    fair run starts: formulae range over these.
    """

    system: System
    reached: ReachableGraph
    labels: dict[Formula, States]
    fair: tuple[States, ...]


def label(request: LabelRequest, send: Send, budget: Budget) -> None:
    """Explore and label; raises `InputError`, `Misuse`, and `OutOfBudget` where states or steps are too many."""
    system, _ = models.load(request)
    send(Produced(labelled(request, system, budget)))
    send(Finished())


def labelled(request: LabelRequest, system: System, budget: Budget) -> Labelled:
    """The labels of a request about this system; knowledge is read as the model says."""
    meant = {formula: read_as(formula, system.knowledge) for formula in request.formulae}
    for formula in (*meant.values(), *system.fairness):
        if fragment(formula).features & OF_NAMES:
            raise Misuse(f"states are not labelled with {show(formula)}: strategies have names there, or memory")
        remembers = any(isinstance(part, REMEMBERING) for part in subformulae(formula))
        if remembers or history_quantifiers(ForAll(Globally(formula))):
            raise Misuse(f"the truth of {show(formula)} depends on the past, not on the state alone")
    stepper = Stepper(system)
    start = initial_states(system, request.most, budget)
    reached = explore(stepper, start, request.most, budget, steps=request.most_steps)
    judge = Judge(stepper, reached, reading_of(request, system, tuple(meant.values())), budget)
    labels = judge.labels()
    found = {formula: _where(one, stepper, reached, labels) for formula, one in meant.items()}
    return Labelled(system, reached, found, labels.world.constraints)


def _where(formula: Formula, stepper: Stepper, reached: ReachableGraph, labels: JudgeLabels) -> States:
    """The states where a formula holds; a condition needs no engine."""
    if is_condition(formula):
        try:
            meaning = stepper.evaluator.meaning(as_condition(stepper.system, formula))
            return frozenset(number for number, state in enumerate(reached.states) if meaning(state, ()))
        except NoCondition:
            pass
    return labels.of(formula)
