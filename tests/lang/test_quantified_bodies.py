"""Quantified conditions without brackets mean the same as their copies written out by hand, each in brackets.

All operators, alone and mixed, under `forall` and `exists`, one inside the other, before and behind something else: compared
by their values in all states, because what is written out differently may still mean the same.
"""

from __future__ import annotations

import random
from itertools import product

import pytest

from epistrat.engines.contract import Options
from epistrat.engines.registry import load as load_engine
from epistrat.lang.load import load
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

MODEL = """
{parameters}
Agent Box
  Vars: {variables} end Vars
  Actions = {{idle}};
  Protocol: Other: {{idle}}; end Protocol
end Agent
Evaluation
  {propositions}
end Evaluation
InitStates {start} end InitStates
Formulae {formulae} end Formulae
"""
FAMILY = {
    "parameters": "Parameters n = 2; end Parameters",
    "variables": "a[i in 1..n]: boolean; b[i in 1..n]: boolean; k[i in 1..n]: 0..2;",
    "start": "forall i in 1..n: Box.a[i] = true;",
}
PLAIN = {
    "parameters": "",
    "variables": "a_1: boolean; a_2: boolean; b_1: boolean; b_2: boolean; k_1: 0..2; k_2: 0..2;",
    "start": "Box.a_1 = true and Box.a_2 = true;",
}
ATOMS = ("Box.a[{i}] = true", "Box.b[{i}] = true", "Box.k[{i}] > 1", "Box.k[{i}] + 1 = 2", "!(Box.b[{i}] = true)")
OPERATORS = ("and", "or", "xor", "->", "<->")
QUANTIFIERS = {"forall": " and ", "exists": " or "}


def _bodies() -> list[str]:
    rng = random.Random(5)
    simple = [f"{rng.choice(ATOMS)} {op} {rng.choice(ATOMS[:3])}" for op in OPERATORS]
    mixed = [
        f"{rng.choice(ATOMS)} {one} {rng.choice(ATOMS)} {other} {rng.choice(ATOMS)}"
        for one, other in product(OPERATORS, repeat=2)
    ]
    return [ATOMS[0], *simple, *mixed]


def _pairs() -> list[tuple[str, str]]:
    """A condition with families, and the same by hand."""
    found: list[tuple[str, str]] = []
    for body, (word, between) in product(_bodies(), QUANTIFIERS.items()):
        family = f"{word} i in 1..n: {body.format(i='i')}"
        plain = "(" + between.join(f"({body.format(i=i)})" for i in (1, 2)) + ")"
        found.append((family, plain))
        found.append((f"Box.b[1] = true or {family}", f"Box.b[1] = true or {plain}"))
        found.append(
            (f"Box.b[1] = true -> ({family}) and Box.a[2] = true", f"Box.b[1] = true -> {plain} and Box.a[2] = true")
        )
        found.append((f"!({family})", f"!{plain}"))
    for outer, inner in product(QUANTIFIERS, repeat=2):
        for op in OPERATORS:
            family = f"{outer} i in 1..n: Box.a[i] = true {op} {inner} j in 1..n: Box.k[j] > 0 {op} Box.b[i] = true"
            copies = [f"(Box.a[{i}] = true {op} ({_joined(inner, op, i)}))" for i in (1, 2)]
            found.append((family, QUANTIFIERS[outer].join(copies)))
    return found


def _joined(quantifier: str, op: str, i: int) -> str:
    return QUANTIFIERS[quantifier].join(f"(Box.k[{j}] > 0 {op} Box.b[{i}] = true)" for j in (1, 2))


PAIRS = _pairs()


def _by_hand(text: str) -> str:
    return text.replace("[", "_").replace("]", "")


def _system(rest: dict[str, str], texts: list[str], formulae: list[str]) -> System:
    first = PAIRS[0][0] if "n = 2" in rest["parameters"] else _by_hand(PAIRS[0][1])
    propositions = " ".join(f"p{number} if {text};" for number, text in enumerate(texts or [first]))
    found = load(
        MODEL.format(**rest, propositions=propositions, formulae=" ".join(f"{one};" for one in formulae)), "bodies"
    )
    assert found.system is not None, found.diagnostics
    return found.system


def test_conditions() -> None:
    families = _system(FAMILY, [family for family, _ in PAIRS], ["AG true"])
    plain = _system(PLAIN, [_by_hand(text) for _, text in PAIRS], ["AG true"])
    one, other = Evaluator(families), Evaluator(plain)
    states = list(product(*([(False, True)] * 4 + [(0, 1, 2)] * 2)))
    for number, (text, _) in enumerate(PAIRS):
        for state in states:
            expected = other.holds(plain.propositions[f"p{number}"], state)
            assert one.holds(families.propositions[f"p{number}"], state) == expected, (text, state)


@pytest.mark.parametrize("a", [True, False])
@pytest.mark.parametrize("shape", ["{0}", "AG ({0})", "K(Box, {0})"])
def test_formulae(shape: str, a: bool) -> None:
    """In formulae: the verdicts are the same, with all values of the other variables as initial states and with one."""
    chosen = [pair for pair in PAIRS if "j in" not in pair[0]][::5]
    start = f"Box.a[1] = {str(a).lower()} and Box.a[2] = true and Box.b[1] = false and Box.k[1] = 1 and Box.k[2] = 2;"
    families = _system(FAMILY | {"start": start}, [], [shape.format(family) for family, _ in chosen])
    plain = _system(PLAIN | {"start": _by_hand(start)}, [], [shape.format(_by_hand(text)) for _, text in chosen])
    found, expected = (
        [engine.check(formula).verdict for formula in system.formulae]
        for system in (families, plain)
        for engine in [load_engine("explicit").open(system, Options(), Budget())]
    )
    assert [text for (text, _), one, other in zip(chosen, found, expected, strict=True) if one is not other] == []
