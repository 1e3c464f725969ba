"""What a label is remembered by: the formula and what is given; universe, fairness and reading are those of one evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.symbolic.test_short_cuts import LINE

import epistrat
from epistrat.engines.contract import Options, Strategies, silent
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.fixpoints.evaluator import Evaluator
from epistrat.engines.symbolic.candidates import Candidates
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.uniform.checker import open_checker
from epistrat.engines.symbolic.work import Work
from epistrat.logic.formula import Exists, Formula, Globally, Knows, Not, Prop
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Opened = tuple[Evaluator[Any, Any], Callable[[Any], int]]
"""Labels, and how many states a label has."""

late, end = Prop("late"), Prop("end_")
KNOWN, STAYING = Knows("Blind", late), Exists(Globally(Not(end)))


def model(fairness: str = "") -> System:
    return epistrat.load(LINE.replace("FAIRNESS", fairness))


def masks(system: System, strategies: Strategies) -> Opened:
    layout = Layout(system)
    space = ExplicitSpace(layout, full_successors(layout), Budget(), silent, strategies)
    return space.labels(), lambda where: int(where.sum())


def diagrams(system: System, strategies: Strategies) -> Opened:
    options, work = Options(strategies=strategies), Work(Budget(), silent)
    candidate = Candidates(system, options.tuned(SymbolicTuning), 1 << 20, work).first()
    checker = open_checker(candidate, work, "auto", options)
    return checker.labels, lambda where: checker.space.encoding.count(where & checker.space.reachable)


OPENERS = pytest.mark.parametrize("opened", [masks, diagrams])
Opener = Callable[[System, Strategies], Opened]


@OPENERS
def test_what_was_announced_is_part_of_the_question(opened: Opener) -> None:
    """Blind learns that x is not 0 when it is told so; before, and after another announcement, it does not know."""
    labels, size = opened(model(), Strategies.ANY)
    assert size(labels.label(KNOWN)) == 0
    told = labels.announced(late)
    assert size(told.label(KNOWN)) == 4  # also where it was not true: in all worlds that are left
    assert size(labels.announced(Not(end)).label(KNOWN)) == 0
    assert size(told.announced(Not(end)).label(Knows("Blind", Not(end)))) == 4
    assert size(told.label(Knows("Blind", Not(end)))) == 0
    assert size(labels.label(KNOWN)) == 0
    assert told.label(KNOWN) is told.label(KNOWN), "computed once"


@OPENERS
def test_fairness_and_readings_share_no_labels(opened: Opener) -> None:
    """Three of four states have a path that never comes to the end; none, where fair paths come there."""
    plain, size = opened(model(), Strategies.ANY)
    fair, fair_size = opened(model("Fairness end_; end Fairness"), Strategies.ANY)
    uniform, _ = opened(model(), Strategies.OBJECTIVE)
    assert size(plain.label(STAYING)) == 3 and fair_size(fair.label(STAYING)) == 0
    assert len({id(one.labels) for one in (plain, fair, uniform)}) == 3


@OPENERS
def test_labels_do_not_depend_on_the_order_of_questions(opened: Opener) -> None:
    asked: list[Formula] = [KNOWN, STAYING, late]
    sizes = []
    for order in (asked, asked[::-1]):
        labels, size = opened(model(), Strategies.ANY)
        told = labels.announced(late)
        sizes.append({(given, one): size(on.label(one)) for one in order for given, on in ((0, labels), (1, told))})
    assert sizes[0] == sizes[1]
