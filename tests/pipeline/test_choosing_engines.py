"""Which engine answers, and what is said when none does."""

from __future__ import annotations

import pytest

import epistrat
from epistrat import Verdict
from epistrat.engines import registry
from epistrat.engines.choose import NoEngine, choose, every, named, plan
from epistrat.engines.contract import Facts, Options, Outcome, Session, Strategies
from epistrat.engines.needs import difference, needs
from epistrat.service import models, pipeline
from epistrat.solvers.budget import Budget, OutOfBudget

FINITE = """
Agent A
  Vars: x : 0..1; end Vars
  Actions = {go};
  Protocol: Other : {go}; end Protocol
  Evolution: x = 1 - x if Action = go; end Evolution
end Agent
Evaluation one if A.x = 1; end Evaluation
InitStates A.x = 0; end InitStates
Groups g = {A}; end Groups
Formulae EF one; end Formulae
"""
INTERLEAVED = "Composition = Interleaved;" + FINITE
UNBOUNDED = FINITE.replace("0..1", "integer")


@pytest.mark.parametrize(
    ("text", "formula", "engine"),
    [
        (FINITE, "EF one", "symbolic"),
        (FINITE, "K(A, one)", "symbolic"),
        (FINITE, "<g>F one", "symbolic"),
        (FINITE, "LTL F one", "symbolic"),
        (INTERLEAVED, "EF one", "symbolic"),
        (INTERLEAVED, "LTL G (one -> Once one)", "symbolic"),
        (UNBOUNDED, "EF one", "abstraction"),
        (UNBOUNDED, "LTL F one", "abstraction"),
        (UNBOUNDED, "LTL F Once one", "lazy"),
    ],
)
def test_the_table(text: str, formula: str, engine: str) -> None:
    system = epistrat.load(text)
    assert choose(system, system.formula(formula), Options()).engine.name == engine


def test_abstraction_joins_where_ranges_are_wide() -> None:
    wide = epistrat.load(FINITE.replace("0..1;", "0..1000000;"))
    engines = [choice.engine.name for choice in plan(wide, wide.formula("EF one"), Options())]
    assert engines[:2] == ["symbolic", "abstraction"]
    narrow = epistrat.load(FINITE)
    assert "abstraction" not in [choice.engine.name for choice in plan(narrow, narrow.formula("EF one"), Options())]


def test_every_engine_that_accepts_is_asked() -> None:
    system = epistrat.load(FINITE)
    asked = [choice.engine.name for choice in every(system, system.formula("AG one"), Options())]
    assert asked == list(registry.NAMES)


def test_strategies_and_the_past_are_not_defined_for_interleaved_models() -> None:
    system = epistrat.load(INTERLEAVED)
    from epistrat.logic.formula import And, Coalition, Finally, Once, Prop

    strategic = Coalition(system.group("g"), Finally(Prop("one")))
    assert choose(system, strategic, Options()).engine.name == "explicit"
    formula = And((strategic, Once(Prop("one"))))
    for ask in (choose, every):
        with pytest.raises(NoEngine, match="interleaved"):
            ask(system, formula, Options())
    (result,) = system.check(formula)
    assert result.verdict is Verdict.UNKNOWN
    assert result.engine is None
    assert "interleaved" in (result.reason or "")


def test_a_named_engine_says_why_it_refuses() -> None:
    system = epistrat.load(UNBOUNDED)
    with pytest.raises(
        NoEngine,
        match=r"the engine symbolic cannot answer this: it cannot deal with unbounded variables such as A\.x; abstraction can",
    ):
        named("symbolic", system, system.formula("EF one"), Options())


def test_unknown_engines_are_named() -> None:
    with pytest.raises(LookupError, match="there are symbolic, explicit, abstraction, lazy, reference"):
        registry.load("magic")


def test_needs_in_words() -> None:
    system = epistrat.load(UNBOUNDED)
    wanted = needs(system, system.formula("LTL F Once one"), Options())
    assert str(wanted) == "a model with unbounded variables; a formula of LTL with past"
    strategic = needs(epistrat.load(FINITE), epistrat.load(FINITE).formula("<g>F one"), Options(Strategies.OBJECTIVE))
    assert str(strategic) == "a model; a formula of ATL, strategies read as `objective`"
    assert difference(wanted, {"a": "no past", "b": "no past"}) == "no past"
    assert difference(wanted, {"a": "no past", "b": "too large"}).endswith("a: no past; b: too large")


class Broken(Session):
    """A session that runs out of something."""

    name = "broken"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def check(self, formula: object) -> Outcome:
        raise self.error

    def facts(self) -> Facts:
        raise self.error

    def statistics(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "reason"),
    [(OutOfBudget("time limit of 1 s reached"), "time limit of 1 s reached"), (MemoryError(), "memory ran out")],
)
def test_running_out_is_unknown_never_an_exception(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from epistrat.engines.symbolic.engine import SymbolicEngine

    monkeypatch.setattr(SymbolicEngine, "open", lambda *_: Broken(error))
    report = epistrat.load(FINITE).report(engine="symbolic")
    assert report.results[0].verdict is Verdict.UNKNOWN
    assert report.results[0].reason == reason
    assert report.facts.states is None
    assert report.facts.reason == reason


@pytest.mark.parametrize("text", [FINITE, INTERLEAVED])
def test_another_engine_has_its_turn_when_the_first_runs_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.engines.symbolic.engine import SymbolicEngine

    monkeypatch.setattr(SymbolicEngine, "open", lambda *_: Broken(OutOfBudget("time limit of 5 s reached")))
    report = epistrat.load(text).report()
    assert report.results[0].verdict is Verdict.HOLDS
    assert report.results[0].engine == "explicit"
    assert "were not done at once" in report.results[0].statistics["chosen because"]
    assert report.facts.states == 2


def test_no_turns_are_taken_when_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    from epistrat.engines.symbolic.engine import SymbolicEngine

    budget = Budget()
    broken = Broken(OutOfBudget("interrupted"))

    def interrupted(*_: object) -> Broken:
        budget.cancel()
        return broken

    monkeypatch.setattr(SymbolicEngine, "open", interrupted)
    system = epistrat.load(FINITE)
    report = pipeline.check(system, models.questions(system), budget=budget)
    assert report.results[0].verdict is Verdict.UNKNOWN
    assert report.results[0].engine == "symbolic"


def test_answers_are_told_as_they_come() -> None:
    system = epistrat.load(FINITE)
    heard: list[str] = []
    asked = models.questions(system, [system.formula("EF one"), system.formula("one")])
    pipeline.check(system, asked, tell=lambda result: heard.append(result.text), budget=Budget())
    assert heard == ["EF one", "one"]


def test_questions_keep_the_users_words() -> None:
    system = epistrat.load(FINITE.replace("EF one;", "EF   (one\n or one); EF (one -- or\n or one);"))
    assert system.loaded is not None
    texts = [question.text for question in models.questions(system, origins=system.loaded.origins)]
    assert texts == ["EF (one or one)", "EF (one or one)"]
    with pytest.raises(LookupError, match="there is no formula 3: the model has 2"):
        models.questions(system, only=[3])
