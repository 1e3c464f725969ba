"""Short cuts of the symbolic engine where they must not be taken: each question has another answer if one is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import epistrat
from epistrat.encoding.order import Choice
from epistrat.engines.contract import silent
from epistrat.engines.symbolic.candidates import Candidate, Candidates
from epistrat.engines.symbolic.race import Race
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.work import Work
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget

ENGINES = ("reference", "explicit", "symbolic")


def verdicts(model: str, formulae: Sequence[str], engine: str, **options: str) -> list[str]:
    """Asked in one session, in this order; the model has no formulae of its own."""
    return [one.verdict.value for one in epistrat.load(model).check(list(formulae), engine=engine, **options)]


# 0 -> 1 -> 2, and 2 stays or, with `go`, passes on to 3 for ever.  Blind sees nothing of it.
LINE = """
Agent Environment
  Vars: x : 0..3; end Vars
  Actions = {wait, go};
  Protocol: Other : {wait, go}; end Protocol
  Evolution:
    x = 1 if x = 0;
    x = 2 if x = 1;
    x = 3 if x = 2 and Action = go;
  end Evolution
end Agent
Agent Blind
  Vars: idle : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
end Agent
Evaluation
  zero if Environment.x = 0;
  one if Environment.x = 1;
  late if Environment.x >= 1;
  end_ if Environment.x = 3;
end Evaluation
InitStates Environment.x = 0 and Blind.idle = false; end InitStates
FAIRNESS
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_knowledge_after_an_implication_is_about_all_reachable_states(engine: str) -> None:
    """Seen from where `one` holds, `late` is always true; Blind does not know that x is not 0."""
    formulae = ["AG(one -> AF K(Blind, late))", "AG(one -> EF GK({Blind}, late))", "AG(one -> !EF DK({Blind}, late))"]
    assert verdicts(LINE.replace("FAIRNESS", ""), formulae, engine) == ["fails", "fails", "holds"]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_follows_an_implication_is_about_fair_paths(engine: str) -> None:
    fair = LINE.replace("FAIRNESS", "Fairness end_; end Fairness")
    unfair = LINE.replace("FAIRNESS", "")
    formulae = ["AG(one -> AF end_)", "AG(one -> EG !end_)"]
    assert verdicts(fair, formulae, engine) == ["holds", "fails"]
    assert verdicts(unfair, formulae, engine) == ["fails", "holds"]


# x and y change together; Watcher sees a copy of y and of z, but not x.
CORRELATED = """
Agent Environment
  Vars: x : boolean; y : boolean; z : boolean; end Vars
  Actions = {flip, wait};
  Protocol: Other : {flip, wait}; end Protocol
  Evolution: x = ~x and y = ~y and z = ~z if Action = flip; end Evolution
end Agent
Agent Watcher
  Lobsvars = {z};
  Vars: idle : boolean; end Vars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
end Agent
Evaluation
  x if Environment.x = true;
  y if Environment.y = true;
  z if Environment.z = true;
end Evaluation
InitStates Environment.x = false and Environment.y = false and Environment.z = false and Watcher.idle = false; end InitStates
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_each_knowledge_question_gets_the_variables_it_is_about(engine: str) -> None:
    formulae = [
        "AG(z -> K(Watcher, x))",
        "AG(z -> K(Watcher, y))",
        "AG K(Watcher, x <-> y)",
        "AG(z -> GK({Watcher}, y))",
    ]
    assert verdicts(CORRELATED, formulae, engine) == ["holds"] * 4


@pytest.mark.parametrize("engine", ENGINES)
def test_knowledge_of_past_and_future_is_about_runs_from_the_start(engine: str) -> None:
    """On every run x was 0 once; on a sequence of steps that starts in 1 it never was."""
    formulae = {
        "AG K(Blind, Once F zero)": "holds",
        "AG K(Blind, Once (zero and F late))": "holds",
        "AG K(Blind, Y F late -> late)": "holds",
        "AG K(Blind, zero or Y F late)": "holds",
        "AG K(Blind, Once F one)": "holds",
        "AG K(Blind, Hist F one)": "fails",
    }
    assert verdicts(LINE.replace("FAIRNESS", ""), list(formulae), engine) == list(formulae.values())


class _OneRunner(Candidates):
    """The first encoding needs too many nodes, and so do some of the others."""

    def __init__(self, model: str, hopeless: int) -> None:
        super().__init__(epistrat.load(model), SymbolicTuning(), 1 << 20, Work(Budget(), silent))
        self.challengers = [Choice("declared"), Choice("breadth"), Choice("random")]
        self.built: list[str] = []
        self._hopeless = hopeless

    def first(self) -> Candidate:
        raise OutOfNodes

    def next_challenger(self) -> Choice | None:
        return self.challengers.pop(0) if self.challengers else None

    def build(self, choice: Choice, nodes: int, work: Work | None = None, patience: float = float("inf")) -> Candidate:
        self.built.append(str(choice))
        if len(self.built) <= self._hopeless:
            raise OutOfNodes
        return super().build(choice, nodes, work)


@pytest.mark.parametrize("hopeless", [0, 1, 2])
def test_other_orders_are_tried_when_the_only_runner_is_out_of_nodes(hopeless: int) -> None:
    candidates = _OneRunner(CORRELATED, hopeless)
    race = Race(candidates, Work(Budget(), silent), "auto")
    formula = epistrat.load(CORRELATED).formula("AG(x <-> y)")
    assert race.ask(lambda checker: checker.decide(formula))
    assert len(candidates.built) == hopeless + 1
    race.close()


def test_out_of_nodes_is_said_when_no_order_is_left() -> None:
    race = Race(_OneRunner(CORRELATED, 3), Work(Budget(), silent), "auto")
    with pytest.raises(OutOfNodes):
        race.ask(lambda checker: checker.space.reachable)
    race.close()
