"""Random small systems over linear arithmetic with observers, against bounded exploration: ``python -m tests.fuzz.arithmetic --cases 500``.

Exploration visits the states of a few steps.  That somebody does not know something it sees by a state that looks the same; that
somebody knows something it sees where the states are all visited.  So it refutes invariants of infinite systems, and decides those of
systems with few reachable states.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress

from tests.generators.certificates import certified

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.tuning import OPTIMISATIONS, LazyTuning
from epistrat.engines.registry import load
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.replay import replay
from epistrat.lang.load import load as parse
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.initial import initial_states
from epistrat.model.state import State, view
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.proving.fresh import FreshProver
from epistrat.solvers.budget import Budget

NUMBERS = ("x", "y", "z")
MOST_STATES = 250
QUESTIONS = 3
_OTHERS = ("turn", "rest", "turn, rest")
_LOOKS = "Actions = {look}; Protocol: Other : {look}; end Protocol"


def text(rng: random.Random) -> str:
    """A model: the environment counts, two observers see a part of it."""
    numbers = NUMBERS[: rng.randint(1, 3)]
    sort = {one: rng.choice(("integer", "integer", "real")) for one in numbers}
    seen = [one for one in (*numbers, "flag") if rng.random() < 0.4]
    hidden = [one for one in (*numbers, "flag") if one not in seen]
    declared = {one: f"{one} : {sort.get(one, 'boolean')};" for one in (*numbers, "flag")}
    lines = [_line(rng, numbers, action) for action in ("go", "turn") for _ in range(rng.randint(1, 2))]
    guard = _condition(rng, numbers, "")
    start = [_start(rng, one) for one in numbers] + [f"Environment.flag = {rng.choice(('true', 'false'))}"]
    formulae = "\n".join(f"  {_formula(rng, numbers)};" for _ in range(QUESTIONS))
    return f"""
Agent Environment
  Obsvars: {" ".join(declared[one] for one in seen)} end Obsvars
  Vars: {" ".join(declared[one] for one in hidden)} end Vars
  Actions = {{go, turn, rest}};
  Protocol: {guard} : {{go, {rng.choice(_OTHERS)}}}; Other : {{{rng.choice(_OTHERS)}}}; end Protocol
  Evolution:
    {" ".join(lines)}
  end Evolution
end Agent
Agent A {_LOOKS} end Agent
Agent B Lobsvars = {{{", ".join(one for one in hidden if rng.random() < 0.4)}}}; {_LOOKS} end Agent
Evaluation raised if Environment.flag = true; end Evaluation
InitStates {" and ".join(start)}; end InitStates
Formulae
{formulae}
end Formulae
"""


def _start(rng: random.Random, number: str) -> str:
    low = rng.randint(-1, 2)
    if rng.random() < 0.7:
        return f"Environment.{number} = {low}"
    return f"(Environment.{number} = {low} or Environment.{number} = {low + rng.randint(1, 3)})"


def _line(rng: random.Random, numbers: tuple[str, ...], action: str) -> str:
    changes = []
    for one in rng.sample(numbers, rng.randint(1, len(numbers))):
        other = rng.choice(numbers)
        values = (
            f"{one} + {rng.randint(1, 3)}",
            f"{one} - {rng.randint(1, 2)}",
            f"{other}",
            f"{rng.randint(0, 2)} - {one}",
        )
        changes.append(f"{one} = {rng.choice(values)}")
    if rng.random() < 0.4:
        changes.append(f"flag = {rng.choice(('true', 'false', '~flag'))}")
    guard = f" and {_condition(rng, numbers, '')}" if rng.random() < 0.5 else ""
    return f"{' and '.join(changes)} if Action = {action}{guard};"


def _condition(rng: random.Random, numbers: tuple[str, ...], owner: str) -> str:
    one, other = f"{owner}{rng.choice(numbers)}", f"{owner}{rng.choice(numbers)}"
    choices = [
        f"{one} {rng.choice(('<', '<=', '>=', '=', '>'))} {rng.randint(-1, 5)}",
        f"{one} + {other} {rng.choice(('<=', '>='))} {rng.randint(0, 6)}",
        f"{one} {rng.choice(('<=', '='))} {other}",
        f"{owner}flag = {rng.choice(('true', 'false'))}",
    ]
    return rng.choice(choices)


def _formula(rng: random.Random, numbers: tuple[str, ...]) -> str:
    def condition() -> str:
        return _condition(rng, numbers, "Environment.")

    def knows() -> str:
        goal = condition() if rng.random() < 0.6 else f"({condition()} or {condition()})"
        return f"K({rng.choice(('A', 'B'))}, {goal})"

    bodies = (
        f"({condition()}) -> {knows()}",
        f"{knows()} -> {condition()}",
        f"!{knows()}",
        knows(),
        f"({condition()}) -> !{knows()}",
        f"{knows()} -> {knows()}",
        f"{knows()} or {knows()} or raised",
        f"K(A, {condition()} -> {knows()})",
        f"({condition()}) -> ({knows()} and !{knows()})",
    )
    return f"AG({rng.choice(bodies)})"


class Exploration:
    """The states within some steps of one system, and what they say about an invariant."""

    def __init__(self, system: System, most: int = MOST_STATES) -> None:
        self._system = system
        self._conditions = StateConditions(system)
        stepper = Stepper(system)
        found = dict.fromkeys(initial_states(system))
        work = list(found)
        while work and len(found) < most:
            state = work.pop(0)
            for step in stepper.successors(state):
                if step.target not in found:
                    found[step.target] = None
                    work.append(step.target)
        self.states = list(found)
        self.complete = not work
        self._alike: dict[tuple[str, object], list[State]] = defaultdict(list)
        for agent in system.views:
            for state in self.states:
                self._alike[agent, view(system, agent, state)].append(state)

    def verdict(self, formula: Formula) -> Verdict:
        """What exploration says about ``AG f``."""
        assert isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally)
        body = formula.arg.arg
        known: dict[State, dict[Formula, bool]] = {state: {} for state in self.states}
        for part in subformulae(body):
            if isinstance(part, logic.Knows):
                for state in self.states:
                    value = self._knows(part, state, known)
                    if value is not None:
                        known[state][part] = value
        values = {self._conditions.value(body, state, known[state]) for state in self.states}
        if False in values:
            return Verdict.FAILS
        return Verdict.HOLDS if self.complete and None not in values else Verdict.UNKNOWN

    def _knows(self, node: logic.Knows, state: State, known: dict[State, dict[Formula, bool]]) -> bool | None:
        alike = self._alike[node.agent, view(self._system, node.agent, state)]
        values = {self._conditions.value(node.arg, other, known[other]) for other in alike}
        return False if False in values else None if None in values or not self.complete else True


def compare(seed: int, seconds: float = 20.0) -> Iterator[tuple[str, str]]:
    """For each question of one random system: what came of it, and what was asked."""
    rng = random.Random(seed)
    system = parse(text(rng)).system
    assert system is not None
    options = drawn(rng)
    explored = Exploration(system)
    session = load("lazy").open(system, options, Budget(seconds=seconds))
    for formula in system.formulae:
        outcome = session.check(formula)
        right = explored.verdict(formula)
        asked = f"seed {seed}: {formula} with {options.tuning}: {outcome.verdict.value}, explored: {right.value}"
        if outcome.verdict is Verdict.UNKNOWN:
            yield "undecided", asked
        elif right is Verdict.UNKNOWN:
            yield "not explored", asked
        else:
            yield "agrees" if right is outcome.verdict else "WRONG", asked
        if outcome.evidence is not None:
            replayed = replay(system, certified(formula, outcome), prover=FreshProver(2_500_000))
            yield ("replayed" if replayed.ok else "NOT REPLAYED"), f"{asked} {replayed.problems}"
            if replayed.ok and replayed.complete:
                yield "replayed completely", asked


def drawn(rng: random.Random) -> Options:
    """All options on, or some off."""
    off = "" if rng.random() < 0.4 else ",".join(name for name in OPTIMISATIONS if rng.random() < 0.4)
    tuning = LazyTuning(without=off, eager=rng.random() < 0.15, parameters=rng.random() < 0.15)
    return Options(evidence=True, tuning=(tuning,))


def main() -> int:
    """Compare many cases; what is wrong is printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000, help="systems, each with three formulae")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0, help="CPU minutes after which no new system is begun")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with suppress(KeyboardInterrupt):
        for seed in range(options.seed, options.seed + options.cases):
            if time.process_time() > 60 * options.minutes:
                break
            counts["systems"] += 1
            for found, asked in compare(seed):
                counts[found] += 1
                if found.isupper():
                    print(found, asked, flush=True)
    print(dict(counts), flush=True)
    return int(bool(counts["WRONG"] or counts["NOT REPLAYED"]))


if __name__ == "__main__":
    sys.exit(main())
