"""What the counted system rests on: for each condition a family that shows what goes wrong without it."""

from __future__ import annotations

import pytest

from epistrat.every.compare import difference
from epistrat.every.plan import Outside, Plan, planned, template
from epistrat.every.quotient import counted
from epistrat.every.spots import New, Special
from epistrat.lang.load import load
from epistrat.service.counting import Proved, Prover, Unproved
from epistrat.solvers.budget import Budget

ROOM = """
Parameters n = 3 in 2..; end Parameters
Agent Environment
    Obsvars: open : boolean; end Obsvars
    Vars: in[i in 1..n] : boolean; room : 0..n; end Vars
    Actions = {wait, call[i in 1..n]};
    Protocol: for i in 1..n: in[i] = false : {call[i]}; Other : {wait}; end Protocol
    Evolution:
        for i in 1..n: in[i] = true and room = room + 1 if Action = call[i] and (exists j in 1..n where j <> i: in[j] = true);
        for i in 1..n: in[i] = true and room = room + 2 if Action = call[i] and !(exists j in 1..n where j <> i: in[j] = true);
    end Evolution
end Agent
Agent Guest[i in 1..n]
    Lobsvars = {in[j in 1..n where j <> i]};
    Actions = {rest};
    Protocol: Other : {rest}; end Protocol
end Agent
Evaluation in[i in 1..n] if Environment.in[i] = true; end Evaluation
InitStates (forall i in 1..n: Environment.in[i] = false) and Environment.room = 0; end InitStates
Formulae F; end Formulae
"""
CROWD = """
Parameters n = 3 in 2..; end Parameters
Agent Guest[i in 1..n]
    Vars: in : boolean; end Vars
    Actions = {nod, rest};
    Protocol: in = false : {nod, rest}; Other : {rest}; end Protocol
    Evolution: in = true if Action = nod and (exists j in 1..n where j <> i: Guest[j].Action = nod); end Evolution
end Agent
Evaluation in[i in 1..n] if Guest[i].in = true; end Evaluation
InitStates forall i in 1..n: Guest[i].in = false; end InitStates
Formulae F; end Formulae
"""
BUS = """
Parameters n = 3 in 2..; end Parameters
Composition = Interleaved;
Agent Cache[i in 1..n]
    Vars: s : {dirty, clean, none}; end Vars
    Actions = {own[j in 1..n], drop[i]};
    Protocol:
        s = none : {own[i]};
        for j in 1..n where j <> i: s <> dirty : {own[j]};
        s <> none : {drop[i]};
    end Protocol
    Evolution:
        s = dirty if Action = own[i];
        for j in 1..n where j <> i: s = none if Action = own[j] and s = clean;
        s = clean if Action = drop[i] and s = dirty;
        s = none if Action = drop[i] and s = clean;
    end Evolution
end Agent
Evaluation dirty[i in 1..n] if Cache[i].s = dirty; end Evaluation
InitStates forall i in 1..n: Cache[i].s = none; end InitStates
Formulae F; end Formulae
"""


def plan(text: str, formula: str) -> Plan:
    tree = template(text.replace("F;", f"{formula};"), "n", {})
    return planned(tree, tree.formulae[0], 2)


@pytest.mark.parametrize("text", [ROOM, CROWD, BUS], ids=["room", "crowd", "bus"])
@pytest.mark.parametrize(
    "specials", [[], [Special(0, 1)], [Special(1, 0), New(0)]], ids=["none", "first", "last and some"]
)
def test_it_is_the_quotient(text: str, specials: list[Special | New]) -> None:
    """Others than i, numbers up to n, who is counted, what is seen, and what forbids an event that all take part in."""
    text = text.replace("F;", "true;")
    found = counted(template(text, "n", {}), specials, 2)
    for size in (found.least, found.least + 1):
        system = load(text, parameters={"n": size}).system
        assert system is not None and difference(found, system, size, 2000) is None


@pytest.mark.parametrize(
    ("formula", "start"),
    [
        ("AG in[2] -> AG in[n]", 3),
        ("AG in[min(2, n)]", 2),
        ("AG in[n - 1] -> AG in[1]", 3),
        ("AG(forall i in 1..n: in[i])", 2),
    ],
)
def test_from_which_size_on_members_differ(formula: str, start: int) -> None:
    assert plan(ROOM, formula).start == start


def test_everybody_knows_the_size() -> None:
    """Without n nobody knows that all have voted yes when n votes were counted."""
    text = """
Parameters n = 2 in 2..; end Parameters
Agent Environment
    Obsvars: over : boolean; total : 0..n; end Obsvars
    Vars: vote[i in 1..n]: 0..1; end Vars
    Actions = {none};
    Protocol: Other : {none}; end Protocol
    Evolution: over = true and total = sum(i in 1..n: vote[i]) if over = false; end Evolution
end Agent
Agent Voter[i in 1..n] Actions = {wait}; Protocol: Other : {wait}; end Protocol end Agent
Evaluation over if Environment.over = true; end Evaluation
InitStates Environment.over = false and Environment.total = 0; end InitStates
Formulae AG((over and Environment.total = n) -> K(Voter[1], forall i in 1..n: Environment.vote[i] = 1)); end Formulae
"""
    prover = Prover(text, "n", {}, Budget())
    assert isinstance(prover.prove(text.index("AG"), 2), Proved)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("AG in[1]", "(AG (c1 -> c2))"),
        ("AX in[1]", "(AX A(!c2 U (c2 and c1)))"),
        ("!EF in[1]", "(! (EF (c2 and c1)))"),
        ("EX AF in[1]", "(EX E(!c2 U (c2 and (AF (c2 and c1)))))"),
    ],
)
def test_formulae_pass_over_states_in_which_somebody_has_decided(formula: str, text: str) -> None:
    found = plan(CROWD, formula)
    assert found.counted.choices
    assert found.texts[0].translate({ord("1"): "n", ord("2"): "n"}) == text.translate({ord("1"): "n", ord("2"): "n"})


@pytest.mark.parametrize(
    "formula", ["!AF in[1]", "AX in[1] -> AG in[1]", "EG in[1]", "A(in[1] U in[2])", "LTL F in[1]", "F in[1]"]
)
def test_runs_that_are_not_settled_again_prove_nothing(formula: str) -> None:
    with pytest.raises(Outside, match="members have choices"):
        plan(CROWD, formula)


def test_two_things_of_one_name_are_refused() -> None:
    text = ROOM.replace("room : 0..n;", "room : 0..n; in_1 : boolean;").replace("F;", "AG in[1];")
    with pytest.raises(Outside, match="two variables"):
        planned(tree := template(text, "n", {}), tree.formulae[0], 2)


def test_what_cannot_be_proved_again_is_no_proof() -> None:
    """That nobody knows something has no evidence that covers infinitely many states."""
    text = BUS.replace("F;", "AG(!dirty[1] -> !K(Cache[1], dirty[2]));")
    prover = Prover(text, "n", {}, Budget())
    assert isinstance(found := prover.prove(text.index("AG"), 2), Unproved) and "cannot be re-checked" in found.why
