"""Strict mode: what MCMAS accepts is accepted, and each extension is refused with a message of its own."""

from __future__ import annotations

import re

import pytest
from tests.lang.samples import EVERYTHING, PLAIN

from epistrat.lang import load

# Changes to a model that MCMAS accepts: what is replaced, by what, and what the message is about.
EXTENSIONS: list[tuple[str, str, str]] = [
    # words
    ("Semantics = MA;", "Semantics = MA; // plain", "`//` comments"),
    ("Semantics = MA;", "/* plain */ Semantics = MA;", "`/*` comments"),
    ("P.n = 0", "P.n != 0", "`<>`"),
    ("n < 3", "n < 2.5", "decimal"),
    ("n + 1 > 2", "n + 1 > 4294967296", "32 bits"),
    ("b = true and Environment.l", "F = true and Environment.l", "reserves `F`"),
    # sections
    ("Semantics = MA;", "Composition = Synchronous;", "Composition"),
    ("Semantics = MA;", "Composition = Synchronous; Semantics = MA;", "first line"),
    ("Evaluation\n", "Evaluation:\n", "`:`"),
    ("Groups\n    g = {P, Environment};\nend Groups", "", "group from Groups"),
    ("g = {P, Environment};", "g = {P, Environment}; h = {};", "member"),
    ("l : boolean;", "l : boolean; i : integer;", "type integer"),
    ("l : boolean;", "l : boolean; i : real;", "type real"),
    # conditions
    ("l = true : {go};", "l : {go};", "compare it with true"),
    ("l = true : {go};", "!l : {go};", "compare it with true"),
    ("l = true : {go};", "l & l : {go};", "compare it with true"),
    ("l = true : {go};", "true : {go};", "compare it with true"),
    ("l = true : {go};", "l = true -> l = false : {go};", "`->` in conditions"),
    ("l = true : {go};", "l = true xor l = false : {go};", "`xor` in conditions"),
    ("l = true : {go};", "l = (o = s) : {go};", "no value"),
    ("l = true : {go};", "Environment.l = true : {go};", "without prefix"),
    ("n = n + 1 if n < 3", "n = n + 1 if P.n < 3", "without prefix"),
    ("n = n + 1 if", "P.n = n + 1 if", "without prefix"),
    ("n = n + 1 if", "n = n + 1 and b = Environment.l if", "Lobsvars"),
    ("n = n + 1 if", "n = n + 1 and b = (Environment.l = true) if", "Lobsvars"),
    ("n = n + 1 if", "n = n + 1 and b = !b if", "no value"),
    ("P.n = 0 and !(P.b", "P.n <> 0 and !(P.b", "InitStates of MCMAS"),
    ("P.n = 0 and !(P.b", "0 = P.n and !(P.b", "InitStates of MCMAS"),
    ("P.n = 0 and !(P.b", "P.n + 1 = 1 and !(P.b", "InitStates of MCMAS"),
    ("P.n = 0 and !(P.b", "P.b and !(P.b", "InitStates of MCMAS"),
    # formulae
    ("AG (p -> EF", "AG (true -> EF", "constants"),
    ("AG (p -> EF", "AG (P.n = 1 -> EF", "conditions in formulae"),
    ("AG (p -> EF", "AG (P.b -> EF", "conditions in formulae"),
    ("AG (p -> EF", "AG (P.n + 1 = 1 -> EF", "conditions in formulae"),
    ("AG (p -> EF", "AG (~P.b -> EF", "conditions in formulae"),
    ("AG (p -> EF", "AG (p <-> EF", "`<->`"),
    ("AG (p -> EF", "AG (p xor EF", "`xor`"),
    ("A(!p U q)", "A(!p W q)", "`W`"),
    ("A(!p U q)", "A(!p U q U r)", "`A( f U g )`"),
    ("A(!p U q)", "A (G p)", "`A( f U g )`"),
    ("A(!p U q)", "G p", "`G` cannot stand here"),
    ("A(!p U q)", "(p U q)", "`U` cannot stand here"),
    ("LTL G", "LTL Once", "`Once`"),
    ("LTL G", "LTL AG", "`AG` is not part of LTL"),
    ("LTL G", "LTL A G", "`A` is not part of LTL"),
    ("CTL* A (G p)", "CTL* AG p", "`AG` is not part of CTL*"),
    ("CTL* A (G p)", "CTL* O(P, p)", "`O` is not part of CTL*"),
    ("CTL* A (G p)", "CTL* <g>X p", "strategies are not part of CTL*"),
    ("<g>G p", "<P>G p", "group from Groups"),
    ("<g>G p", "<P, Environment>G p", "group from Groups"),
    ("GK(g, p)", "GK({P}, p)", "group from Groups"),
    ("GK(g, p)", "GK(P, p)", "group from Groups"),
]


def refusals(text: str) -> list[str]:
    return [error.message for error in load(text, strict=True).report.errors if error.code == "E050"]


def test_plain_ispl_is_accepted() -> None:
    loaded = load(PLAIN, strict=True)
    assert loaded.ok, [str(error) for error in loaded.report.errors]
    assert loaded.system == load(PLAIN).system


@pytest.mark.parametrize(("old", "new", "about"), EXTENSIONS)
def test_extensions_are_refused(old: str, new: str, about: str) -> None:
    assert old in PLAIN
    messages = refusals(
        PLAIN.replace(old, new, 1).replace("b : boolean", "F : boolean" if "F = true" in new else "b : boolean")
    )
    assert any(about in message for message in messages), messages


@pytest.mark.parametrize(
    ("old", "new", "about"), [one for one in EXTENSIONS if one[2] not in ("reserves `F`", "group from Groups")]
)
def test_extensions_are_accepted_otherwise(old: str, new: str, about: str) -> None:
    loaded = load(PLAIN.replace(old, new, 1))
    assert not loaded.report.errors or {error.code for error in loaded.report.errors} <= {"E022"}


def section(name: str) -> str:
    found = re.search(rf"^{name}\n.*?^end {name}\n", PLAIN, re.S | re.M)
    assert found
    return found.group()


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (PLAIN.replace(section("Evaluation"), "") + section("Evaluation"), "comes before Formulae"),
        (section("Groups") + PLAIN.replace(section("Groups"), ""), "after all agents"),
        (PLAIN.replace(section("Evaluation"), "Evaluation end Evaluation"), "a proposition in Evaluation"),
        (PLAIN.replace(section("Formulae"), ""), "a formula"),
        ("Agent Environment Actions = {}; end Agent InitStates true; end InitStates", "beside the Environment"),
        (
            "Agent Environment Actions = {}; end Agent InitStates true; end InitStates",
            "section Protocol in Environment",
        ),
        ("Agent P Actions = {}; end Agent InitStates true; end InitStates", "a variable in Vars of P"),
        ("Agent P Actions = {}; end Agent InitStates true; end InitStates", "an action in Actions of P"),
        ("Agent P Actions = {}; end Agent InitStates true; end InitStates", "a line in Evolution of P"),
        ("Agent P Actions = {}; Vars: x : boolean; end Vars end Agent", "Vars comes before Actions"),
        ("Agent P Actions = {}; end Agent Agent Environment Actions = {}; end Agent", "first agent"),
    ],
)
def test_sections(text: str, about: str) -> None:
    assert any(about in message for message in refusals(text)), refusals(text)


def test_everything_at_once() -> None:
    assert len(refusals(EVERYTHING)) > 30


def test_words_that_only_the_extensions_use_are_free() -> None:
    text = PLAIN.replace("p if", "R if").replace("q if", "S if").replace("r if", "Once if")
    text = re.sub(r"\bp\b", "R", text)
    text = re.sub(r"\bq\b", "S", text)
    text = re.sub(r"\br\b", "Once", text)
    assert load(text, strict=True).ok, [str(error) for error in load(text, strict=True).report.errors]


def test_choices_of_several_actions_are_refused() -> None:
    text = "Composition = Interleaved;" + PLAIN.replace("l = true : {go};", "l = true : {{go}};", 1)
    assert any("choices of several actions" in message for message in refusals(text))
