"""Reasons and notes of vacuity do not stop where models are too large for the reference engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import epistrat
from benchmarks import families
from epistrat.cli.main import main
from epistrat.engines import registry
from epistrat.engines.contract import Options, Outcome, Verdict, silent
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Layout, Mask
from epistrat.engines.explicit.mask_space import MaskSpace
from epistrat.engines.explicit.space import ExplicitSpace, full_successors
from epistrat.engines.symbolic.bdd_space import BddSpace
from epistrat.engines.symbolic.session import SymbolicSession
from epistrat.engines.witness.notes import Indifference
from epistrat.jobs import Portfolio
from epistrat.jobs.runner import FURTHER_WORK, Allowance, Job
from epistrat.logic.formula import Formula, Knows, subformulae
from epistrat.solvers.budget import Budget, Meter, ShareSpent

AGENT = """
Agent A{n} Vars: on : boolean; done : boolean; end Vars Actions = {{press, wait}};
  Protocol: on = false : {{press, wait}}; Other : {{wait}}; end Protocol
  Evolution: on = true if Action = press; end Evolution end Agent
"""
MODEL = (
    "".join(AGENT.format(n=n) for n in range(20))
    + "Evaluation on0 if A0.on; on1 if A1.on; done0 if A0.done; end Evaluation InitStates "
    + " and ".join(f"!A{n}.on and !A{n}.done" for n in range(20))
    + "; end InitStates Formulae AG(done0 -> K(A0, on1)); AG !on0; AF on0; AG(on0 -> K(A0, on0)); end Formulae"
)


def test_notes_and_reasons_come_from_the_engine_that_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "large.ispl").write_text(MODEL)
    assert main(["check", str(tmp_path / "large.ispl"), "--json", "--engine", "symbolic"]) == 1
    one, two, three, four = json.loads(capsys.readouterr().out)["results"]
    assert one["notes"] == ["`done0` is never true, so the formula holds vacuously."]
    assert two["why"] == "After 1 step `on0` is true."
    assert three["why"] == "A run goes round through 1 state for ever, and `on0` never becomes true."
    assert four["notes"] == [] and "why" not in four


def test_python_says_the_same() -> None:
    results = epistrat.load(MODEL).check(engine="symbolic", evidence=False)
    assert [bool(result.notes) for result in results] == [True, False, False, False]


def test_remarks_share_a_tenth_of_the_work_for_verdicts_fairly() -> None:
    meter = Meter()
    allowance = Allowance(meter)
    allowance.begin(Job("check"))
    meter.work = 100 * FURTHER_WORK  # so remarks may cost 10 * FURTHER_WORK
    allowance.begin(Job("remark", share=1 / 2))
    meter.work += 5 * FURTHER_WORK
    allowance.check()
    meter.work += 1
    with pytest.raises(ShareSpent):
        allowance.check()
    allowance.begin(Job("remark", share=1))
    meter.work += 4 * FURTHER_WORK
    allowance.check()
    meter.work += FURTHER_WORK
    with pytest.raises(ShareSpent):
        allowance.check()
    allowance.begin(Job("check"))
    allowance.check()


def test_no_remark_is_begun_where_one_operation_may_cost_more_than_all_of_it() -> None:
    """The check's last operation took a fifth of its work; a remark, which may cost a tenth, could not be ended inside one such."""
    for largest, begun in ((FURTHER_WORK // 2, True), (2 * FURTHER_WORK, False)):
        meter = Meter()
        allowance = Allowance(meter)
        allowance.begin(Job("check"))
        for part in (*[FURTHER_WORK // 2] * 16, largest):
            meter.work += part
            allowance.check()
        allowance.begin(Job("remark", share=1))
        meter.work += 20  # a look at the budget
        if begun:
            allowance.check()
        else:
            with pytest.raises(ShareSpent):
                allowance.check()


def test_a_run_to_a_look_alike_costs_little_of_what_the_verdict_cost() -> None:
    """Finding a joint action between two states takes none of the work that relations with actions kept take."""
    system = epistrat.load(families.text("cache", 20, "all"))
    formula = system.formulae[2]
    budget = Budget()
    session = registry.load("symbolic").open(system, Options(), budget)
    assert session.check(formula).verdict is epistrat.Verdict.FAILS
    before = budget.meter.work
    assert session.remark(formula, epistrat.Verdict.FAILS).evidence is not None
    assert budget.meter.work - before < before / 10


def test_every_formula_gets_its_part_of_the_work_for_remarks(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[float] = []
    remark = Portfolio.remark

    def noted(self: Portfolio, result: epistrat.Result, share: float = 1.0) -> Outcome:
        parts.append(share)
        return remark(self, result, share)

    monkeypatch.setattr(Portfolio, "remark", noted)
    epistrat.load(MODEL).check(engine="symbolic", evidence=False)
    assert parts == [0.25, 0.5, 0.75, 1.0]


def test_notes_found_before_the_share_is_spent_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    system = epistrat.load(MODEL.replace("AF on0;", "AG(done0 -> on1) and AG(on0 -> EF on0);"))
    session = registry.load("symbolic").open(system, Options(), Budget())
    formula = system.formulae[2]
    verdict = session.check(formula).verdict
    whole = session.remark(formula, verdict).notes
    assert whole == (
        "`done0` is never true, so the formula holds vacuously.",
        "`on0` does not matter: the formula holds with `true` in its place.",
    )

    def spent(_: Indifference[Any], formula: Formula) -> Iterator[str]:
        raise ShareSpent("more work than this is worth")

    monkeypatch.setattr(Indifference, "notes", spent)
    assert session.remark(formula, verdict).notes == whole[:1]


def test_looks_at_single_states_are_work() -> None:
    """A strategy's counter-moves make few nodes; without counting them no share would end the search for them."""
    system = epistrat.load(MODEL)
    budget = Budget()
    session = registry.load("symbolic").open(system, Options(), budget)
    formula = system.formulae[1]
    verdict = session.check(formula).verdict
    before = budget.meter.work
    session.remark(formula, verdict)
    assert budget.meter.work - before >= 100 * len(system.agents)


def test_steps_back_that_were_made_before_are_work() -> None:
    """A remark that repeats steps of the question makes no new nodes, and takes as long again."""
    system = epistrat.load(families.text("tianji", 8, "strategy"))
    budget = Budget()
    session = registry.load("symbolic").open(system, Options(), budget)
    formula = system.formulae[0]
    assert session.check(formula).verdict is Verdict.HOLDS
    assert isinstance(session, SymbolicSession) and session._checker is not None
    space = BddSpace(session._checker, 10)
    states, algebra = space.satisfying(formula), session._checker.space.algebra
    spent = []
    for _ in range(2):
        before = budget.meter.work
        space.before(states)
        spent.append(budget.meter.work - before)
    assert min(spent) > 10 * algebra.size(states)


def test_trials_share_the_sets_of_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several subformulae are replaced in turn, what the others know is computed once."""
    computed: list[Formula] = []
    compute = MaskLabels._compute

    def counted(labels: MaskLabels, formula: Formula, stop: Callable[[Mask], bool]) -> Mask:
        computed.append(formula)
        return compute(labels, formula, stop)

    monkeypatch.setattr(MaskLabels, "_compute", counted)
    agents = "".join(AGENT.format(n=n) for n in range(2))
    system = epistrat.load(
        agents + "Evaluation on0 if A0.on; on1 if A1.on; done0 if A0.done; end Evaluation "
        "InitStates !A0.on and !A0.done and !A1.on and !A1.done; end InitStates"
    )
    formula = system.formula("AG((on0 and !done0) -> (K(A0, on0) and K(A0, !done0) and !K(A0, on1)))")
    layout = Layout(system)
    space = MaskSpace(ExplicitSpace(layout, full_successors(layout), Budget(), silent).labels(), False)
    list(Indifference(space, frozenset(), True).notes(formula))
    known = [one for one in computed if isinstance(one, Knows) and one in subformulae(formula)]
    assert len(known) == len(set(known)) == 3
