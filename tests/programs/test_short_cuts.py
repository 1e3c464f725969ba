"""Programs on which a short cut would go wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.programs.definition import Written
from tests.programs.test_against_definition import histories

from epistrat.lang import load
from epistrat.logic.formula import Reading
from epistrat.model.programs import Guard, Implementation, implement
from epistrat.model.show import to_ispl
from epistrat.model.system import System
from epistrat.service import Text, ask, implementing
from epistrat.service.requests import ImplementRequest
from epistrat.solvers.budget import Budget
from epistrat.terms import TRUE

MODEL = """
Knowledge = Clock;
Agent Environment
  Vars: n : 0..5; p : boolean; end Vars
  Actions = {{wait}};
  Protocol: Other : {{wait}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
Agent Ann
  Lobsvars = {{{sees}}};
  Vars: done : boolean; end Vars
  Actions = {{go, rest}};
  Protocol: {guard} : {{go}}; Other : {{rest}}; end Protocol
  Evolution: done = true if Action = go; done = false if Action = rest; end Evolution
end Agent
Evaluation p if Environment.p = true; done if Ann.done = true; big if Environment.n >= 2 and Environment.n <= 3; end Evaluation
InitStates Environment.n = 0 and Ann.done = false {initial}; end InitStates
Formulae AG p; end Formulae
"""


def program(guard: str, evolution: str, sees: str = "", initial: str = "and Environment.p = false") -> System:
    loaded = load(MODEL.format(guard=guard, evolution=evolution, sees=sees, initial=initial))
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    return loaded.system


def compare(system: System, last: int = 9) -> None:
    for reading in (Reading.CLOCK, Reading.RECALL):
        found = implement(system, reading)
        expected = [set(layer) for layer in Written(system, reading, last).histories]
        printed = load(to_ispl(found.printed)).system
        assert printed is not None
        for one in (found.system, printed):
            assert histories(one, system, last) == expected


@pytest.mark.parametrize("period", [1, 2, 3, 5])
def test_a_clock_that_goes_round(period: int) -> None:
    """The agent acts at every so many steps, and knows it by the clock alone."""
    lines = f"n = n + 1 if n < {period}; n = 0 if n = {period};"
    compare(program("K(self, big)", lines, initial="and Environment.p = false"), 2 * period + 2)


def test_nothing_moves_but_the_clock() -> None:
    """What is known of the past changes once, and in the Environment no line ever applies."""
    compare(program("K(self, Y !p)", "p = true if p = true;"))
    compare(program("K(self, !Once done) or K(self, Y Y done)", "p = true if p = true;"))


def test_the_same_states_with_another_past() -> None:
    """All states come back at once; what was does not."""
    compare(program("K(self, Y Y Y !p)", "p = false if p = false;"))


def test_ranges_of_values() -> None:
    compare(program("K(self, big)", "n = n + 1 if n < 5;", sees="n"))
    found = implement(program("K(self, big)", "n = n + 1 if n < 5;", sees="n"))
    assert found.clock is not None
    assert "2 <= Environment.n and Environment.n <= 3" in to_ispl(found.printed) or found.clock.last > 0


def test_what_was_always_so() -> None:
    compare(program("K(self, Hist !done)", "p = true if p = true;"))
    compare(program("!K(self, Hist done)", "p = true if p = true;"))
    compare(program("K(self, !p S !done)", "p = true if Ann.Action = go;"))


SHOWN = """
Agent Environment
  Vars: bit : boolean; rung : 0..3; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution: rung = rung + 1 if rung < 3 and Ann.Action = go; end Evolution
end Agent
Agent Ann
  Vars: see : {nothing, yes, no}; end Vars
  Actions = {go, rest};
  Protocol: GUARD : {go}; Other : {rest}; end Protocol
  Evolution: see = nothing if see <> nothing; end Evolution
end Agent
Agent Bob
  Lobsvars = {bit};
  Vars: x : boolean; end Vars
  Actions = {};
  Protocol: end Protocol
  Evolution: end Evolution
end Agent
Evaluation bit if Environment.bit = true; end Evaluation
InitStates Environment.rung = 0 and Bob.x = false and
  (Ann.see = nothing or (Ann.see = yes and Environment.bit = true) or (Ann.see = no and Environment.bit = false));
end InitStates
Groups both = {Ann, Bob}; end Groups
Formulae AG bit; end Formulae
"""
BOB = """Actions = {go, rest};
  Protocol: K(self, KW(Ann, bit)) : {go}; !K(self, !KW(Ann, bit)) : {rest}; Other : {go, rest}; end Protocol"""


@pytest.mark.parametrize(
    "guard",
    [
        "K(self, bit)",
        "!K(self, bit)",
        "KW(self, bit)",
        "!KW(self, bit)",
        "K(self, Once bit)",
        "!K(self, KW(Bob, !bit))",
        "K(self, Y Y bit)",
    ],
)
def test_one_state_and_two_pasts(guard: str) -> None:
    """The agent was shown the bit, or not; after a step that makes no difference to the state."""
    loaded = load(SHOWN.replace("GUARD", guard))
    assert loaded.system is not None
    compare(loaded.system, 4)


def test_nested_knowledge_of_one_state() -> None:
    """What Ann knows makes a difference to what Bob knows of her, in one state."""
    loaded = load(SHOWN.replace("GUARD", "K(self, bit)").replace("Actions = {};\n  Protocol: end Protocol", BOB))
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    compare(loaded.system, 4)


def test_a_wrong_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(system: System, reading: Reading, budget: Budget, tell: object, to_print: bool) -> Implementation:
        found = implement(system, reading, budget)

        def always(guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
            return tuple(replace(one, condition=TRUE) for one in guards)

        return replace(found, guards=always(found.guards), printed_guards=always(found.printed_guards))

    monkeypatch.setattr(implementing, "made", wrong)
    text = to_ispl(program("K(self, big)", "n = n + 1 if n < 5;"))
    with pytest.raises(AssertionError, match="is not its condition"):
        ask(ImplementRequest(model=Text(text)))
