"""Definitions of the published method that are wrong if taken literally: each has a system on which the literal reading gives a
wrong answer.  The engine answers rightly, and the literal reading, put in its place, is caught.

References are to "Verification of Multi-Agent Systems via Predicate Abstraction against ATLK Specifications" (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_
from typing import Any

import pytest

from epistrat.encoding.part import variables_of
from epistrat.engines.abstraction import truth
from epistrat.engines.abstraction.choices import domains_of, units_of
from epistrat.engines.abstraction.conditions import Undecided
from epistrat.engines.abstraction.cone import Cone
from epistrat.engines.abstraction.engine import AbstractionEngine
from epistrat.engines.abstraction.enumerate import Enumerator
from epistrat.engines.abstraction.force import Forcing, Members, Others, Player
from epistrat.engines.abstraction.grids import grid_of
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.space import AbstractSpace, Basis, Diagrams
from epistrat.engines.abstraction.truth import Label
from epistrat.engines.abstraction.tuning import AbstractionTuning
from epistrat.engines.abstraction.vocabulary import first_predicates
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.lang import load
from epistrat.logic.formula import Knows
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

Patch = pytest.MonkeyPatch
PLAIN = AbstractionTuning(first_look=0, exact_range=0, without="ranks,invariants")


def system_of(text: str) -> System:
    loaded = load(text)
    assert loaded.system is not None, [str(one) for one in loaded.report.errors]
    return loaded.system


def everything(system: System) -> Cone:
    names = frozenset(agent.name for agent in system.agents)
    return Cone(system, frozenset(system.position), units_of(system), names, system.initial)


def agent(name: str, variables: str, actions: str, protocol: str, evolution: str) -> str:
    return (
        f"Agent {name} Vars: {variables} end Vars Actions = {{{actions}}}; Protocol: {protocol} end Protocol "
        f"Evolution: {evolution} end Evolution end Agent "
    )


def model(agents: str, propositions: str, initial: str, groups: str, formula: str) -> System:
    return system_of(
        f"{agents} Evaluation {propositions} end Evaluation InitStates {initial}; end InitStates "
        f"Groups {groups} end Groups Formulae {formula}; end Formulae"
    )


def answered(system: System) -> Verdict:
    return (
        AbstractionEngine().open(system, Options(tuning=(PLAIN,)), Budget(seconds=60)).check(system.formulae[0]).verdict
    )


def judged(system: System) -> Verdict:
    return ReferenceEngine().open(system, Options(), Budget(seconds=60)).check(system.formulae[0]).verdict


def right(system: System) -> bool:
    return answered(system) in (judged(system), Verdict.UNKNOWN)


# -- 1. Algorithm 2: a step whose abstract successors are good and bad counts as good --------------------------------

GROWS = agent("A", "x : integer;", "go", "Other : {go};", "x = x + 1 if Action = go and x < 50;")
NEXT = model(GROWS, "big if A.x >= 3;", "A.x >= 0 and A.x <= 5", "g = {A};", "<g> X big")


def some_successor(self: Forcing, player: Player, good: Any) -> Any:
    space, algebra = self.space, self.space.algebra
    if isinstance(player, Members):
        choice, own = self.choice(player.group)
        into = space.may.moves_into(good & space.reached, own)
        return algebra.exists(choice & into, algebra.cube(variables_of(own))) & space.reached
    return STEP(self, player, good)


# -- 2 and 3. Algorithm 3 and the clauses for "false": the coalition instead of its opponents -----------------------

CHOOSES = agent(
    "A", "p : boolean;", "yes, no", "Other : {yes, no};", "p = true if Action = yes; p = false if Action = no;"
)
KEEPS = model(CHOOSES, "p if A.p = true;", "A.p = true", "g = {A};", "!(<g> G p)")


def coalition_against_itself(self: Forcing, player: Player, good: Any) -> Any:
    return STEP(self, Members(player.group) if isinstance(player, Others) else player, good)


# -- 3. The line for conjunction, read literally, makes "unknown" false ---------------------------------------------

both_sides = truth._both

CERTAIN = model(GROWS, "low if A.x <= 10;", "A.x = 3", "g = {A};", "AX (AX low and AX AX low)")


def two_valued(args: Sequence[Label[Any]]) -> Label[Any]:
    yes = reduce(and_, (arg.yes for arg in args))
    return both_sides(args) if isinstance(yes, set) else Label(yes, ~yes)


# -- 4. Compatible sets of paths: opponents that the closure condition leaves out -------------------------------------

MATCH = model(
    agent("One", "s : {here, goal};", "x, y", "Other : {x, y};", "s = goal if Action = y and Two.Action = l;")
    + agent("Two", "t : boolean;", "l, r", "Other : {l, r};", "t = true if Action = l;"),
    "won if One.s = goal;",
    "One.s = here and Two.t = false",
    "one = {One};",
    "<one> X won",
)


def opponents_help(self: Forcing, player: Player, good: Any) -> Any:
    return some_successor(self, player, good)


# -- 5. The must relation in a universal check --------------------------------------------------------------------------

HIDDEN = model(
    agent("A", "v : integer; w : integer;", "a", "Other : {a};", "v = 1 if B.Action = x; v = 1 - w if B.Action = y;")
    + agent("B", "s : boolean;", "x, y", "Other : {x, y};", "s = true if Action = x;"),
    "good if A.v >= 1;",
    "A.v = 0 and A.w >= 0 and A.w <= 1 and B.s = false",
    "one = {A};",
    "<one> X good",
)


def must_steps_only(self: Forcing, player: Player, good: Any) -> Any:
    space, algebra = self.space, self.space.algebra
    if isinstance(player, Members):
        choice, own = self.choice(player.group)
        sure = choice & ~space.must.moves_into(space.reached & ~good, own)
        return algebra.exists(sure, algebra.cube(variables_of(own))) & space.reached
    return STEP(self, player, good)


STEP = Forcing.step
LITERAL_STEPS: dict[str, tuple[System, Callable[..., Any]]] = {
    "existential successor": (NEXT, some_successor),
    "coalition instead of opponents": (KEEPS, coalition_against_itself),
    "opponents left out": (MATCH, opponents_help),
    "must in a universal check": (HIDDEN, must_steps_only),
}


@pytest.mark.parametrize(("system", "literal"), LITERAL_STEPS.values(), ids=LITERAL_STEPS)
def test_literal_steps_are_caught(system: System, literal: Callable[..., Any], monkeypatch: Patch) -> None:
    assert right(system)
    monkeypatch.setattr(Forcing, "step", literal)
    assert caught(system)


def caught(system: System) -> bool:
    """Whether a wrong verdict comes out, or a state where a formula is both true and false."""
    return not right(system) or contradicts(system)


def contradicts(system: System) -> bool:
    enumerator = Enumerator(domains_of(system), grid_of(system), Budget())
    cone = everything(system)
    predicates = first_predicates(cone, system.formulae, enumerator.grid, 0)
    space = AbstractSpace(cone, Basis(tuple(predicates)), enumerator, Diagrams(), Budget())
    label = AbstractLabels(space, space.initial).label(system.formulae[0])
    return bool((label.yes & label.no) != space.algebra.false)


def test_conjunction_is_not_two_valued(monkeypatch: Patch) -> None:
    assert judged(CERTAIN) is Verdict.HOLDS and right(CERTAIN)
    monkeypatch.setattr(truth, "_both", two_valued)
    assert not right(CERTAIN)


# -- 6. "Exactly one may transition" makes a protocol must only if its atoms are predicates ---------------------------

GUARDED = model(
    agent("A", "x : integer;", "go, rest", "x = 1 : {go}; Other : {rest};", "x = 5 if Action = go;"),
    "five if A.x = 5;",
    "A.x >= 0 and A.x <= 1",
    "g = {A};",
    "<g> X five",
)


def test_protocol_atoms_cannot_be_left_out() -> None:
    assert answered(GUARDED) is judged(GUARDED) is Verdict.FAILS
    enumerator = Enumerator(domains_of(GUARDED), grid_of(GUARDED), Budget())
    with pytest.raises(Undecided):
        AbstractSpace(everything(GUARDED), Basis(()), enumerator, Diagrams(), Budget())


# -- 7. Reachable abstract states: by may steps, not by must steps ---------------------------------------------------

LATER = model(
    agent("A", "x : integer;", "go", "Other : {go};", "x = x + 1 if Action = go and x < 50;")
    + agent("B", "s : boolean;", "wait", "Other : {wait};", "s = true if Action = wait;"),
    "small if A.x <= 7;",
    "A.x >= 0 and A.x <= 5 and B.s = false",
    "b = {B};",
    "AX K(B, small)",
)


def must_reach(self: AbstractSpace) -> Any:
    return self.surely_reached(self.initial)


def test_reachability_by_must_steps_is_caught(monkeypatch: Patch) -> None:
    assert judged(LATER) is Verdict.FAILS and right(LATER)
    monkeypatch.setattr(AbstractSpace, "_reach", must_reach)
    assert not right(LATER)


# -- 8. Ignorance by a look-alike abstract state ------------------------------------------------------------------------

SEES = model(
    agent("A", "x : integer;", "a", "Other : {a};", "x = x if Action = a;")
    + agent("B", "e : {u, v};", "b", "Other : {b};", "e = e if Action = b;"),
    "u if B.e = u;",
    "A.x >= 1 and A.x <= 9 and B.e = u or A.x >= 11 and A.x <= 19 and B.e = v",
    "a = {A};",
    "u -> K(A, u)",
)


def abstract_look_alikes(self: AbstractLabels, positions: Sequence[int], body: Label[Any]) -> Label[Any]:
    yes = self.counts & ~self._look_alike(positions, self.counts & ~body.yes)
    return Label(yes, body.no | self._look_alike(positions, self.sure & body.no))


def test_ignorance_needs_a_concrete_look_alike(monkeypatch: Patch) -> None:
    """With the one predicate x > 0, the states where e = u and those where it is v look the same to A, who sees x."""
    assert judged(SEES) is Verdict.HOLDS and right(SEES)
    enumerator = Enumerator(domains_of(SEES), grid_of(SEES), Budget())
    above = first_predicates(everything(SEES), SEES.formulae, enumerator.grid, 0)
    assert len(above) > 1
    monkeypatch.setattr(AbstractLabels, "_certain", abstract_look_alikes)
    monkeypatch.setattr(AbstractLabels, "_look_alike", lambda self, positions, states: self.counts)
    assert not right(SEES)


# -- 9. Atoms about several agents are predicates like others --------------------------------------------------------

CROSS = model(
    agent("A", "x : integer;", "a", "Other : {a};", "x = x + 1 if Action = a;")
    + agent("B", "y : integer;", "b", "Other : {b};", "y = y + 1 if Action = b;"),
    "behind if A.x < B.y; ahead if !(B.y <= A.x);",
    "A.x = 0 and B.y = 3",
    "a = {A};",
    "AG (behind and ahead)",
)


def test_atoms_about_two_agents_are_decided() -> None:
    assert answered(CROSS) is Verdict.HOLDS


# -- 8. Abstract states that look the same: numbers that are seen may tell them apart --------------------------------

COUNTING = model(
    agent("A", "x : integer;", "go", "Other : {go};", "x = x + 1 if Action = go;")
    + agent("B", "odd : boolean;", "go", "Other : {go};", "odd = ~odd if Action = go;"),
    "odd if B.odd = true;",
    "A.x = 0 and B.odd = false",
    "a = {A};",
    "K(A, odd)",
)


def test_abstract_look_alikes_show_no_ignorance_of_who_sees_numbers() -> None:
    """A counts the steps, so it knows where the number is odd; no predicate tells odd numbers from even ones."""
    enumerator = Enumerator(domains_of(COUNTING), grid_of(COUNTING), Budget())
    cone = everything(COUNTING)
    predicates = first_predicates(cone, COUNTING.formulae, enumerator.grid, 0)
    space = AbstractSpace(cone, Basis(tuple(predicates)), enumerator, Diagrams(), Budget())
    labels = AbstractLabels(space, space.reached)
    knows = COUNTING.formulae[0]
    assert isinstance(knows, Knows)
    odd = labels.label(knows.arg).yes & space.reached
    assert odd != space.algebra.false
    assert labels.label(knows).no & odd == space.algebra.false
