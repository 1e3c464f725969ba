"""Protocols with several lines and Other in interleaved systems: what a group can choose is what the lines say, in every engine."""

from __future__ import annotations

import random

import pytest

from epistrat.engines.contract import Options, Strategies
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine_of
from epistrat.lang.load import load, parse_formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

AGENT = """
Agent {name}
  Vars: l: 0..3; end Vars
  Actions = {{{actions}}};
  Protocol: {lines} Other: {{{other}}}; end Protocol
  Evolution: {evolution} end Evolution
end Agent
"""


def _agent(rng: random.Random, name: str, actions: str) -> str:
    lines = [f"l = {at}: {{{', '.join(rng.sample(actions, rng.randint(1, 2)))}}};" for at in rng.sample(range(4), 2)]
    if rng.random() < 0.4:
        lines.append(f"l > 1: {{{rng.choice(actions)}}};")
    moves = [
        f"l = {rng.randrange(4)} if l = {at} and Action = {one};"
        for at in range(4)
        for one in actions
        if rng.random() < 0.7
    ]
    return AGENT.format(
        name=name,
        actions=", ".join(actions),
        lines=" ".join(lines),
        other=rng.choice(actions),
        evolution=" ".join(moves),
    )


def _system(seed: int) -> System:
    rng = random.Random(seed)
    text = "Composition = Interleaved;\n" + _agent(rng, "A", "abs") + _agent(rng, "B", "cds")
    text += f"Evaluation p if A.l = {rng.randrange(4)}; q if A.l = 3 and B.l > 0; end Evaluation\n"
    text += "InitStates A.l = 0 and B.l = 0; end InitStates\nGroups a = {A}; b = {B}; ab = {A, B}; end Groups\n"
    text += "Formulae AG true; end Formulae"
    found = load(text, "other")
    assert found.system is not None, (text, found.diagnostics)
    return found.system


@pytest.mark.parametrize("reading", [Strategies.ANY, Strategies.OBJECTIVE])
@pytest.mark.parametrize("seed", range(12))
def test_engines_agree(seed: int, reading: Strategies) -> None:
    system, options = _system(seed), Options(reading)
    sessions = {name: engine_of(name).open(system, options, Budget()) for name in ("reference", "symbolic", "explicit")}
    for text in [f"<{group}>{goal}" for group in ("a", "b", "ab") for goal in ("F p", "G !p", "X p", "F q")]:
        formula, problems = parse_formula(text, system)
        assert formula is not None, problems
        answers = {
            name: session.check(formula).verdict
            for name, session in sessions.items()
            if refusal(engine_of(name), system, formula, options) is None
        }
        assert len(set(answers.values())) == 1, (text, answers)
