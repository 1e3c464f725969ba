"""Honest evidence: what engines answer about random systems, families of infinite ones, and models that are shipped.

Proofs about interleaved systems and strategies of what is seen are written here: no engine gives them yet.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.evidence.forgeries.case import Case
from tests.generators import random_formula, random_system

import epistrat
from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.needs import refusal
from epistrat.engines.registry import load as engine
from epistrat.evidence import Descent, Enforced, Invariant, Place, Region, RuleStrategy, Tree
from epistrat.lang import load
from epistrat.logic.formula import Exists, ForAll, Formula, Group
from epistrat.model.conditions import as_condition
from epistrat.model.system import Blocking, Composition, System
from epistrat.records import replace
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import TRUE, Expr, Terms

ROOT = Path(__file__).parents[3]
SHIPPED = [
    "examples/unbounded/account.ispl",
    "examples/unbounded/drift.ispl",
    "examples/unbounded/opacity.ispl",
    "examples/unbounded/watchdog.ispl",
    "examples/unbounded/battery.ispl",
    "examples/unbounded/lease.ispl",
    "examples/unbounded/sensor.ispl",
    "examples/unbounded/nim.ispl",
    "examples/unbounded/thermostat.ispl",
    "src/epistrat/scenarios/batteries.ispl",
    "src/epistrat/scenarios/secret-ballot.ispl",
]
SECONDS = 6.0

COUNTDOWN = """
Agent Environment
  Vars: x: {numbers}; y: 0..{most}; end Vars
  Actions = {{down, keep}};
  Protocol: x > 0: {{down{idle}}}; Other: {{keep}}; end Protocol
  Evolution:
    x = x - {step} if Action = down and x > {step} - 1;
    x = 0 if Action = down and x > 0 and x < {step};
    y = y + 1 if Action = down and y < {most};
  end Evolution
end Agent
Agent A
  {sees}
  Vars: seen: boolean; end Vars
  Actions = {{look, wait}};
  Protocol: Other: {{look, wait}}; end Protocol
  Evolution: seen = true if Action = look and Environment.Action = keep; end Evolution
end Agent
Evaluation
  done if Environment.x = 0; low if Environment.x <= {high}; never if Environment.x < 0;
  told if A.seen = true -> Environment.x = 0; few if Environment.y <= {most};
end Evaluation
InitStates Environment.x >= {low} and Environment.x <= {high} and Environment.y = 0 and A.seen = false; end InitStates
Groups g = {{Environment}}; a = {{A}}; all = {{Environment, A}}; end Groups
Formulae
  AG !never; AG low; AF done; EF done; EG !done; AG told; EF never; AF never; A(low U done); E(low U done);
  K(A, !never); K(A, low); GK(all, !never); DK(all, low); GCK(all, !never); AG K(A, !never); <g>F done; <g>G !never; <all>F done;
  <a>G low; AG (A.seen = true -> K(A, done)); AG (done -> few);
end Formulae
"""
PURSUIT = """
Agent Environment
  Vars: gap: {numbers}; end Vars
  Actions = {{flee, rest}};
  Protocol: Other: {{flee, rest}}; end Protocol
  Evolution:
    gap = gap - {fast} + {slow} if Action = flee and Hunter.Action = run;
    gap = gap - {fast} if Action = rest and Hunter.Action = run;
    gap = gap + {slow} if Action = flee and Hunter.Action = sit;
  end Evolution
end Agent
Agent Hunter
  Vars: tired: boolean; end Vars
  Actions = {{run, sit}};
  Protocol: Other: {{run, sit}}; end Protocol
  Evolution: tired = true if Action = run; end Evolution
end Agent
Evaluation caught if Environment.gap <= 0; near if Environment.gap <= {high}; end Evaluation
InitStates Environment.gap >= {low} and Environment.gap <= {high} and Hunter.tired = false; end InitStates
Groups h = {{Hunter}}; e = {{Environment}}; end Groups
Formulae
  <h>F caught; <e>F caught; <h>G near; EF caught; AF caught; EG !caught; <e>G !caught; AG !caught; E(near U caught); <h>(near U caught);
end Formulae
"""
STRIPES = """
Agent Environment
  Vars: x: integer; z: {numbers}; end Vars
  Actions = {{up, down, flip}};
  Protocol: x <= 0: {{up}}; Other: {{up, down, flip}}; end Protocol
  Evolution:
    x = x + {step} if Action = up; x = x - {step} if Action = down and x >= {step}; z = {top} - z if Action = flip;
  end Evolution
end Agent
Agent A
  Vars: sign: boolean; end Vars
  Actions = {{n}};
  Protocol: Other: {{n}}; end Protocol
  Evolution: sign = true if Environment.Action = flip; end Evolution
end Agent
Agent B
  Vars: odd: boolean; end Vars
  Actions = {{n}};
  Protocol: Other: {{n}}; end Protocol
  Evolution: odd = false if odd = true; odd = true if odd = false; end Evolution
end Agent
Evaluation
  good if Environment.x >= 0; z0 if Environment.z = 0; ztop if Environment.z = {top}; fresh if A.sign = true or Environment.z = 0;
end Evaluation
InitStates Environment.x = {low} and Environment.z = 0 and A.sign = false{more}; end InitStates
Groups ab = {{A, B}}; end Groups
Formulae
  AG good; AG (z0 or ztop); K(A, z0); K(A, good); K(B, good); GK(ab, z0); DK(ab, z0); GCK(ab, good); AG fresh;
  AG (A.sign = false -> K(A, z0)); EF ztop; EG good; AG K(B, good); K(A, K(B, good)); EF !good; EG z0;
end Formulae
"""
TOGETHER = """
Composition = Interleaved;
Agent A
  Vars: n: {numbers}; end Vars
  Actions = {{a, c, up}};
  Protocol: Other: {{a, c, up}}; end Protocol
  Evolution: n = n + 1 if Action = a or Action = up; n = n - 1 if Action = c; end Evolution
end Agent
Agent B
  Vars: m: boolean; end Vars
  Actions = {{a, c}};
  Protocol: Other: {{a, c}}; end Protocol
  Evolution: m = true if Action = a; end Evolution
end Agent
InitStates A.n >= {low} and A.n <= {high} and B.m = false; end InitStates
Groups g = {{A}}; gb = {{A, B}}; end Groups
Formulae <g>F A.n >= {goal}; end Formulae
"""
TURNS = """
Agent Environment
  Vars: ph: boolean; ok: boolean; end Vars
  Actions = {{tick}};
  Protocol: Other: {{tick}}; end Protocol
  Evolution:
    ph = true and ok = true if ph = false and A.Action = pos;
    ph = true and ok = false if ph = false and A.Action = neg;
    ph = false and ok = false if ph = true and A.Action = pos;
    ph = false and ok = true if ph = true and A.Action = neg;
  end Evolution
end Agent
Agent A
  {sees}
  Vars: s: boolean; end Vars
  Actions = {{pos, neg}};
  Protocol: Other: {{pos, neg}}; end Protocol
  Evolution: s = true if s = true; end Evolution
end Agent
Agent C
  Vars: u: {numbers}; end Vars
  Actions = {{n}};
  Protocol: Other: {{n}}; end Protocol
  Evolution: u = u - 1 if u > 0; end Evolution
end Agent
Evaluation ok if Environment.ok = true; zero if C.u = 0; end Evaluation
InitStates Environment.ph = false and C.u >= 0 and C.u <= {high} and Environment.ok = true and A.s = false; end InitStates
Groups a = {{A}}; end Groups
Formulae <a>G ok; <a>(ok U zero); end Formulae
"""


def variants(case: Case) -> Iterator[Case]:
    """The case, and the same as another kind of proof: an invariant as a region, a descent by one number as a measure."""
    yield case
    proof = case.proof
    match proof:
        case Invariant(condition) if isinstance(case.tree.claim, (ForAll, Exists)):
            yield case.with_reason(proof, Region(condition))
        case Descent((Place(condition, (measure,)),)):
            yield case.with_reason(proof, Region(condition, measure))
        case Region(condition, measure) if measure is not None:
            yield case.with_reason(proof, Descent((Place(condition, (measure,)),)))


def finite(rng: random.Random, names: tuple[str, ...]) -> Iterator[Case]:
    """Answers of these engines about a random finite system."""
    fragment, reading = rng.choice(
        [
            ("CTLK", Strategies.ANY),
            ("ATLK", Strategies.ANY),
            ("LTL", Strategies.ANY),
            ("CTL*K", Strategies.ANY),
            ("ATLK", Strategies.UNIFORM),
            ("ATLK", Strategies.OBJECTIVE),
            ("ATLK", Strategies.SUBJECTIVE),
        ]
    )
    name = rng.choice(names) if reading is Strategies.ANY else "reference"
    few = 2 if reading is not Strategies.ANY else None
    composition = Composition.SYNCHRONOUS if "ATL" in fragment else None
    system = random_system(rng, composition=composition, agents=few)
    formulae = [random_formula(rng, system, fragment, rng.randint(1, 3)) for _ in range(3)]
    yield from _asked(name, system, formulae, reading, f"random, {name}", Budget(states=60, seconds=SECONDS))


def infinite(rng: random.Random) -> Iterator[Case]:
    """Answers about a member of a family of infinite systems; sometimes its numbers are bounded after all."""
    low = rng.randint(1, 4)
    high = low + rng.randint(0, 5)
    words = {
        "numbers": rng.choice(("integer", "integer", "integer", f"-3..{high + 9}")),
        "most": rng.randint(1, 3),
        "idle": rng.choice(("", "", ", keep")),
        "step": rng.randint(1, 2),
        "sees": rng.choice(("", "Lobsvars = {y};", "Lobsvars = {x};")),
        "low": low,
        "high": high,
        "fast": rng.randint(2, 3),
        "slow": rng.randint(1, 2),
        "top": rng.randint(2, 5),
        "more": rng.choice(("", " and B.odd = false")),
    }
    text = rng.choice((COUNTDOWN, PURSUIT, STRIPES)).format(**words)
    system = epistrat.load(text)
    name = rng.choice(("abstraction", "abstraction", "lazy"))
    formulae = rng.sample(list(system.formulae), min(6, len(system.formulae)))
    yield from _asked(name, system, formulae, Strategies.ANY, f"family, {name}", Budget(seconds=SECONDS))


@cache
def _shipped_system(path: str) -> System:
    system = load((ROOT / path).read_text(encoding="utf-8"), path).system
    assert system is not None
    return system


def shipped(rng: random.Random) -> Iterator[Case]:
    """Answers about a model that is shipped."""
    system = _shipped_system(rng.choice(SHIPPED))
    formulae = rng.sample(list(system.formulae), min(3, len(system.formulae)))
    yield from _asked("abstraction", system, formulae, Strategies.ANY, "shipped, abstraction", Budget(seconds=SECONDS))


def written(rng: random.Random) -> Iterator[Case]:
    """Proofs with rules that no engine writes yet: interleaved systems, and strategies of what is seen."""
    terms = Terms()
    low = rng.randint(0, 3)
    high = low + rng.randint(0, 2)
    goal = high + rng.randint(1, 4)
    numbers = rng.choice(("integer", f"-2..{goal + 3}"))
    if rng.random() < 0.6:
        system = epistrat.load(TOGETHER.format(numbers=numbers, low=low, high=high, goal=goal))
        blocking, act = rng.choice(
            [(Blocking.WAIT, "a"), (Blocking.WAIT, "up"), (Blocking.IGNORE, "a"), (Blocking.ADVERSARY, "up")]
        )
        system = replace(system, blocking=blocking)
        n = system.variables[0].reference
        group = Group(("A",), "g")
        rules = RuleStrategy(group, (("A", ((TRUE, act),)),))
        inside = _condition(system, f"A.n >= {low} and A.n <= {goal}")
        left = terms.arith("-", terms.number(goal), n)
        region = rng.choice([Region(inside, left), Descent((Place(inside, (left,)),))])
        text = f"<g>F A.n >= {goal}"
        reading = rng.choice((Strategies.ANY, Strategies.OBJECTIVE))
        start: tuple[object, ...] = (rng.randint(low, high), False)
    else:
        blind = rng.random() < 0.5
        sees = "" if blind else "Lobsvars = {ph};"
        system = epistrat.load(TURNS.format(numbers=rng.choice(("integer", f"0..{high + 4}")), high=high, sees=sees))
        rules = RuleStrategy(
            Group(("A",), "a"), (("A", ((_condition(system, "Environment.ph = false"), "pos"), (TRUE, "neg"))),)
        )
        text = rng.choice(("<a>G ok", "<a>(ok U zero)"))
        inside = _condition(system, "Environment.ok = true and C.u >= 0")
        u = next(one.reference for one in system.variables if one.name == "u")
        region = Region(inside) if "G" in text else rng.choice([Region(inside, u), Descent((Place(inside, (u,)),))])
        reading = Strategies.ANY if blind else rng.choice((Strategies.ANY, Strategies.OBJECTIVE))
        start = (False, True, False, rng.randint(0, high))
    question = read_formula(text, system)
    tree = Tree(start, question, True, (Enforced(rules), region))  # type: ignore[arg-type]
    yield Case(system, Certificate(question, Verdict.HOLDS, reading, trees=(tree,)), "written by hand")


def _condition(system: System, text: str) -> Expr:
    return as_condition(system, read_formula(text, system))


def _asked(
    name: str, system: System, formulae: list[Formula], reading: Strategies, source: str, budget: Budget
) -> Iterator[Case]:
    options = Options(reading, evidence=True)
    try:
        session = engine(name).open(system, options, budget)
    except OutOfBudget:
        return
    try:
        for formula in formulae:
            if refusal(engine(name), system, formula, options) is not None:
                continue
            try:
                outcome = session.check(formula)
            except OutOfBudget:
                continue
            if outcome.trees and outcome.verdict is not Verdict.UNKNOWN:
                yield Case(system, Certificate(formula, outcome.verdict, reading, trees=outcome.trees), source)
    finally:
        session.close()


__all__ = ["finite", "infinite", "shipped", "variants", "written"]
