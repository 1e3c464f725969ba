"""Evidence about infinitely many states: invariants, regions with measures, strategies as rules, abstract runs."""

from __future__ import annotations

import json
import pickle
from functools import partial
from pathlib import Path as File

import jsonschema
import pytest

import epistrat
from epistrat.answers import Certificate, Verdict
from epistrat.evidence import (
    Abstract,
    Along,
    Enforced,
    Invariant,
    Path,
    Reason,
    Region,
    RuleStrategy,
    Stated,
    Tree,
)
from epistrat.evidence.conditions import as_condition
from epistrat.logic.formula import Group
from epistrat.render.evidence_json import evidence_json
from epistrat.render.evidence_json_read import read_evidence
from epistrat.service.models import read_formula
from epistrat.terms import Expr, Terms

SCHEMA = json.loads((File(__file__).parents[2] / "docs/schema/evidence-1.json").read_text())
COUNTER = """
Agent Counter
  Vars: n : integer; end Vars
  Actions = {up, down, stay};
  Protocol: n < 1 : {up, stay}; Other : {up, down, stay}; end Protocol
  Evolution: n = n + 1 if Action = up; n = n - 1 if Action = down; end Evolution
end Agent
Evaluation zero if Counter.n = 0; negative if Counter.n < 0; end Evaluation
InitStates Counter.n = 3; end InitStates
Groups g = {Counter}; end Groups
Formulae AG !negative; end Formulae
"""
SYSTEM = epistrat.load(COUNTER)
START = (3,)


def condition(text: str) -> Expr:
    return as_condition(SYSTEM, read_formula(text, SYSTEM))


N = SYSTEM.variables[0].reference
DOWN = RuleStrategy(
    Group(("Counter",)), (("Counter", ((condition("Counter.n > 0"), "down"), (Terms().boolean(True), "stay"))),)
)
WAY = Along(Path(((3,), (2,), (1,), (0,)), (("down",),) * 3))
REASONS: dict[str, tuple[str, tuple[Reason, ...]]] = {
    "invariant": ("AG !negative", (Invariant(condition("Counter.n >= 0 and !(Counter.n < 0 or false)")),)),
    "stated": ("AG !negative", (Stated(),)),
    "measure": ("EF zero", (Region(condition("Counter.n >= 0"), N),)),
    "rules": ("<g>F zero", (Enforced(DOWN),)),
    "abstract": ("EF zero", (Abstract((*[condition("Counter.n > 0")] * 3, condition("Counter.n = 0")), WAY),)),
}


def tree(name: str) -> Tree:
    text, reasons = REASONS[name]
    return Tree(START, read_formula(text, SYSTEM), True, reasons)


@pytest.mark.parametrize("name", REASONS)
def test_json_and_pickles_read_back(name: str) -> None:
    shown = tree(name)
    data = json.loads(json.dumps(evidence_json(SYSTEM, shown)))
    jsonschema.validate(data, SCHEMA)
    assert read_evidence(SYSTEM, data, partial(read_formula, system=SYSTEM)) == shown
    certificate = Certificate(shown.claim, Verdict.HOLDS, trees=(shown,))
    assert pickle.loads(pickle.dumps(certificate)) == certificate
