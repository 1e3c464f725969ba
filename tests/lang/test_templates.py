"""The template as a tree: written out for a value it is the system that the text describes for that value."""

from __future__ import annotations

from pathlib import Path

import pytest

import epistrat.scenarios
from epistrat.lang.families import parameters
from epistrat.lang.load import load
from epistrat.lang.templates import NotATree, Template, template, written
from epistrat.lang.templates.tree import Compared, Each, Op, Ref, Unread, subterms
from epistrat.records import replace

FILES = [
    *Path(epistrat.scenarios.__file__).parent.glob("*.ispl"),
    *(Path(__file__).parents[1] / "every" / "families").glob("*.ispl"),
    *(Path(__file__).parents[2] / "examples").glob("**/*.ispl"),
]
CASES = [
    (file, one.name, one.least)
    for file in FILES
    for one in parameters(file.read_text())
    if one.least is not None and file.stem != "coercion" and file.parent.name != "announcements"  # not read as trees
]
TEXT = """
Parameters n = 3 in 2..; top = 4; end Parameters
Constants half = (n - n mod 2) / 2; rest = top - 1; end Constants
Composition = Interleaved;
Agent Cell[i in 1..n]
    Vars: x : 0..rest; on[j in 1..2] : boolean; end Vars
    Actions = {go[i], stop[i, v in 0..1]};
    Definitions: near[j in 0..1] if exists k in 0..1: x = k + j and (forall i2 in 0..0: x >= i2);
    end Definitions
    Protocol:
        for k in 0..1 { near[k] : {go[i]}; where i > k: x = k : {{go[i], stop[i, 0]}, stop[i, 1]}; }
        Other : {go[i]};
    end Protocol
    Evolution: x = min(i, rest) if Action = go[i]; for j in 1..2: on[j] = true if Action = stop[i, j - 1]; end Evolution
end Agent
Evaluation
    high[i in 1..n where i <> half] if Cell[i].x = rest;
    p if Cell[n].x >= half;
end Evaluation
InitStates forall i in 1..n: Cell[i].x = i mod 2 -> n > 2 or Cell[i].on[1] = true; end InitStates
Groups odd = {Cell[i in 1..n where i mod 2 = 1]}; end Groups
Formulae
    many: AG(count(i in 1..n: Cell[i].x = 0) >= half -> sum(i in 1..n: Cell[i].x) <= n * rest);
    knows[i in 1..n]: AG(K(Cell[i], Cell[i].on[2] = true) -> GK({Cell[j in 1..n where j <> i]}, p));
    until: A(p U !p);
    LTL G(F p);
    <odd>F p;
    <<x>> (Cell[i in 1..n], x) F p;
end Formulae
"""


@pytest.mark.parametrize(("file", "name", "least"), CASES, ids=[f"{one[0].stem}-{one[1]}" for one in CASES])
def test_written_out_it_is_the_system_of_that_value(file: Path, name: str, least: int) -> None:
    text = file.read_text()
    tree = template(text, name, {}, str(file))
    for value in range(least, least + 4):
        wanted = load(text, parameters={name: value}).system
        if wanted is not None:
            assert_same(tree, value, wanted)


def assert_same(tree: Template, value: int, wanted: object) -> None:
    found = load(written(tree, value))
    assert found.ok, [one.message for one in found.diagnostics]
    assert found.system == wanted


def test_all_that_a_text_can_repeat() -> None:
    tree = template(TEXT, "n", {"top": 3})
    for value in range(2, 6):
        wanted = load(TEXT, parameters={"n": value, "top": 3}).system
        assert wanted is not None
        assert_same(
            tree, value, replace(wanted, formulae=wanted.formulae[:-1], formula_names=wanted.formula_names[:-1])
        )
    assert isinstance(tree.formulae[-1].body, Unread)


def test_constants_and_other_parameters_are_put_in() -> None:
    tree = template(TEXT, "n", {"top": 3})
    high = tree.propositions[0]
    assert str(high.scopes[0].where) == "i <> (n - n mod 2) / 2"
    assert isinstance(high.condition, Op) and isinstance(high.condition.args[0], Ref)
    assert str(high.condition.args[0].owner) == "Cell[i]"
    assert [str(one) for one in (tree.agents[0].variables[0].low, tree.agents[0].variables[0].high)] == ["0", "2"]


def test_a_definition_keeps_its_indices_apart_from_those_around_it() -> None:
    text = """
Parameters n = 3 in 2..; end Parameters
Agent Environment
    Vars: x[i in 1..n] : boolean; end Vars
    Definitions: others[i in 1..n] if exists k in 1..n where k <> i: x[k] = true; end Definitions
    Actions = {none};
    Protocol: Other : {none}; end Protocol
    Evolution: for k in 1..n: x[k] = true if others[k]; end Evolution
end Agent
Evaluation p if Environment.x[1] = true; end Evaluation
InitStates Environment.x[1] = true; end InitStates
Formulae AG p; end Formulae
"""
    tree = template(text, "n", {})
    guard = tree.agents[0].evolution[0].guard
    assert isinstance(guard, Each) and str(guard.scope.where) == f"{guard.scope.binders[0].name} <> k"
    assert guard.scope.binders[0].name != "k"
    for value in (2, 3, 4):
        assert_same(tree, value, load(text, parameters={"n": value}).system)


def test_places_are_those_of_the_text() -> None:
    tree = template(TEXT, "n", {})
    assert tree.line(tree.propositions[1].at) == 18 and tree.words(tree.propositions[1].at).startswith("p if Cell[n]")
    assert tree.initial is not None
    found = [one for one in subterms(tree.initial) if isinstance(one, Compared)]
    assert [tree.words(one.at) for one in found] == ["n > 2"]


def test_what_has_no_tree_is_said() -> None:
    with pytest.raises(NotATree, match="no parameter `m`"):
        template(TEXT, "m", {})
    with pytest.raises(NotATree):
        template("Parameters n = 2 in 1..; end Parameters Agent", "n", {})
