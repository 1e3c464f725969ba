"""Derivations on random systems: written from a list of all states, they are accepted; whatever is accepted after a change is true."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import jsonschema
import pytest
from tests.generators import random_formula, random_system

from epistrat.evidence import Derivation, Descent, Fact, Place, Region, RuleStrategy, Tree
from epistrat.evidence.labels import Labels, States
from epistrat.evidence.obligations import Aim, Player, aim_of
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.runs import RunChecker
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, Semantics, System
from epistrat.proving.fresh import FreshProver
from epistrat.records import replace
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.service.models import read_formula
from epistrat.solvers.budget import OutOfBudget
from epistrat.terms import FALSE, TRUE, Expr, Terms

SYSTEMS = int(os.environ.get("EPISTRAT_DERIVATIONS", "60"))
SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/evidence-1.json").read_text())
TERMS = Terms()
Choice = tuple[str | None, ...]


class Writer:
    """Writes honest derivations about one small system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.stepper = Stepper(system)
        self.graph: ReachableGraph = explore(self.stepper, initial_states(system, 100))
        self.labels = Labels(RunChecker(system), self.graph, games=True)
        self.invariant = self.condition(self.labels.everything)

    def condition(self, states: States) -> Expr:
        """The set as a condition."""
        return TERMS.disjunction(
            TERMS.conjunction(
                TERMS.equals(one.reference, value)
                for one, value in zip(self.system.variables, self.graph.states[number], strict=True)
            )
            for number in sorted(states)
        )

    def derivation(self, formula: Formula) -> Derivation:
        """Facts about all parts, wherever they are true or false."""
        return Derivation(self.invariant, tuple(self._facts(formula)))

    def _facts(self, formula: Formula) -> Iterator[Fact]:
        for part in subformulae(formula):
            for holds in (True, False):
                if isinstance(part, (logic.ForAll, logic.Exists, logic.Coalition, logic.Common)):
                    true = self.labels.where(part)
                    fact = self._fact(part, holds, true if holds else self.labels.everything - true)
                    if fact is not None:
                        yield fact

    def _fact(self, part: Formula, holds: bool, states: States) -> Fact | None:
        where = self.condition(states)
        if isinstance(part, logic.Common):
            return Fact(part, True, where, Region(where)) if holds else None
        aim = aim_of(part, holds)
        if aim is None:
            return None
        group = part.group.members if isinstance(part, logic.Coalition) else ()
        rules: dict[int, Choice] = {}
        if aim.lasting:
            for number in states:
                self._serves(aim.player, group, number, states, rules)
            return Fact(part, holds, where, Region(where), self._strategy(aim, group, rules))
        places = []
        done: States = self.labels.where(aim.goal)
        if done:
            places.append(Place(self.condition(done), (TERMS.number(-1),)))
        hold = self.labels.where(aim.hold)
        while True:
            more = {n for n in hold - done if self._serves(aim.player, group, n, done, rules)}
            if not more:
                break
            places.append(Place(self.condition(frozenset(more)), (TERMS.number(len(places)),)))
            done |= more
        return Fact(part, holds, where, Descent(tuple(places)), self._strategy(aim, group, rules))

    def _serves(
        self, player: Player, group: tuple[str, ...], number: int, good: States, rules: dict[int, Choice]
    ) -> bool:
        """Whether the player leads from the state into the set; for a group, its choice is noted."""
        steps = self.graph.steps[number]
        if player is Player.ALL:
            return all(target in good for _, target in steps)
        if player is Player.SOME:
            return any(target in good for _, target in steps)
        state = self.graph.states[number]
        places = [index for index, agent in enumerate(self.system.agents) if agent.name in group]
        allowed = [self.stepper.allowed(agent, state) if agent.actions else (None,) for agent in self.system.agents]
        if not all(allowed):
            return player is Player.OTHERS
        for choice in product(*[allowed[place] for place in places]):
            targets = {to for joint, to in steps if tuple(joint[place] for place in places) == choice}
            if player is Player.GROUP and targets <= good:
                rules[number] = choice
                return True
            if player is Player.OTHERS and not targets & good:
                return False
        return player is Player.OTHERS

    def _strategy(self, aim: Aim, group: tuple[str, ...], rules: dict[int, Choice]) -> RuleStrategy | None:
        if aim.player is not Player.GROUP:
            return None
        members = [agent.name for agent in self.system.agents if agent.name in group]
        tables: dict[str, list[tuple[Expr, str]]] = {}
        for number, choice in rules.items():
            for name, action in zip(members, choice, strict=True):
                if action is not None:
                    tables.setdefault(name, []).append((self.condition(frozenset((number,))), action))
        return RuleStrategy(logic.Group(group), tuple((name, tuple(table)) for name, table in tables.items()))

    def is_true(self, fact: Fact) -> bool:
        """Whether the fact is one, by the list of all states."""
        true = self.labels.where(fact.claim)
        holds = self.stepper.evaluator.holds
        return all((n in true) is fact.holds for n in self.labels.everything if holds(fact.where, self.graph.states[n]))


def cases(seed: int, count: int) -> Iterator[tuple[Writer, Formula, random.Random]]:
    """Small random systems, each with a formula about time, knowledge and strategies."""
    rng = random.Random(seed)
    while count:
        wishes = {"composition": Composition.SYNCHRONOUS, "fairness": False}
        system = random_system(rng, semantics=rng.choice(list(Semantics)), **wishes)
        try:
            writer = Writer(system)
        except OutOfBudget:
            continue
        formula = random_formula(rng, system, rng.choice(("CTLK", "ATLK", "ATL", "CTL")), depth=3)
        if 1 < len(writer.graph.states) <= 40 and writer.graph.states and not _unknown_kinds(formula):
            count -= 1
            yield writer, formula, rng


def _unknown_kinds(formula: Formula) -> bool:
    return any(
        isinstance(part, logic.FUTURE) and aim_of(logic.ForAll(part), True) is None for part in subformulae(formula)
    )


def changed(rng: random.Random, writer: Writer, honest: Derivation) -> Derivation:
    """The derivation with one thing changed."""
    facts = list(honest.facts)
    if not facts or rng.random() < 0.1:
        states = frozenset(n for n in writer.labels.everything if rng.random() < 0.8)
        return replace(honest, invariant=rng.choice((TRUE, writer.condition(states))))
    place = rng.randrange(len(facts))
    old = facts[place]
    some = writer.condition(frozenset(n for n in writer.labels.everything if rng.random() < 0.5))
    match rng.randrange(8):
        case 0:
            facts[place] = replace(old, holds=not old.holds)
        case 1:
            facts[place] = replace(old, where=rng.choice((TRUE, some)))
        case 2:
            facts[place] = replace(old, where=TRUE, reason=Region(TRUE))
        case 3:
            facts[place] = replace(old, reason=None, where=rng.choice((TRUE, some, old.where)))
        case 4 if isinstance(old.reason, Descent) and old.reason.places:
            places = list(old.reason.places)
            one = rng.randrange(len(places))
            places[one] = replace(places[one], measures=(TERMS.number(rng.randint(-1, 3)),))
            facts[place] = replace(old, reason=Descent(tuple(places)))
        case 5 if isinstance(old.reason, Descent) and old.reason.places:
            places = list(old.reason.places)
            one = rng.randrange(len(places))
            places[one] = replace(places[one], condition=rng.choice((TRUE, some, FALSE)))
            facts[place] = replace(old, reason=Descent(tuple(places)))
        case 6:
            facts[place] = replace(old, claim=rng.choice([fact.claim for fact in facts]))
        case _:
            facts.insert(rng.randrange(len(facts)), facts.pop(place))
    return replace(honest, facts=tuple(facts))


def test_what_is_written_from_all_states_is_accepted_and_what_is_accepted_is_true() -> None:
    accepted = refused = known = 0
    for writer, formula, rng in cases(20, SYSTEMS):
        system, honest = writer.system, writer.derivation(formula)
        number = rng.choice(sorted(writer.graph.initial))
        state = writer.graph.states[number]
        holds = number in writer.labels.where(formula)
        proofs = Proofs(system, FreshProver())
        told = proofs.shows(Tree(state, formula, holds, (honest,)), honest)
        speaks = any(isinstance(part, (*logic.KNOWLEDGE, logic.Correct)) for part in subformulae(formula))
        assert told is True or (told is None and speaks), (system, formula, holds, honest)
        known += told is None
        assert proofs.shows(Tree(state, formula, not holds, (honest,)), honest) is not True
        for _ in range(6):
            forged = changed(rng, writer, honest)
            for said in (holds, not holds):
                if proofs.shows(Tree(state, formula, said, (forged,)), forged) is True:
                    accepted += 1
                    assert said is holds, (system, formula, forged)
                    assert all(map(writer.is_true, forged.facts)), (system, formula, forged)
                else:
                    refused += 1
    assert accepted > SYSTEMS and refused > SYSTEMS and known < SYSTEMS / 2, (accepted, refused, known)


def test_json_reads_back() -> None:
    seen = 0
    for writer, formula, _ in cases(4, 20):
        honest = writer.derivation(formula)
        state = writer.graph.states[0]
        tree = Tree(state, formula, True, (honest,))
        data = json.loads(json.dumps(evidence_json(writer.system, tree)))
        jsonschema.validate(data, SCHEMA)
        assert read_evidence(writer.system, data, partial(read_formula, system=writer.system)) == tree
        seen += len(honest.facts)
    assert seen > 10


WORKERS = """
Agent Environment
  Vars: n : integer; started : boolean; end Vars
  Actions = {go, rest};
  Protocol: Other : {go, rest}; end Protocol
  Evolution: n = n + 1 and started = true if Action = go; end Evolution
end Agent
Agent Guard
  Vars: open : boolean; end Vars
  Actions = {shut, leave};
  Protocol: Other : {shut, leave}; end Protocol
  Evolution: open = false if Action = shut; open = true if Action = leave; end Evolution
end Agent
Evaluation
  many if Environment.n >= 5; some if Environment.n >= 0; started if Environment.started = true; open if Guard.open = true;
end Evaluation
InitStates Environment.n = 0 and Environment.started = false and Guard.open = true; end InitStates
Groups e = {Environment}; g = {Guard}; end Groups
Formulae AG some; end Formulae
"""


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("AG EF many", "holds"),
        ("AG (many -> AG many)", "holds"),
        ("<g>F many", "fails"),
        ("<g>G !many", "fails"),
        ("AG <e>F many", "holds"),
        ("AG (started -> !(<g>F !started))", "holds"),
        ("AG K(Guard, some)", "holds"),
        ("K(Guard, <e>F many)", "holds"),
        ("GCK(g, AG some)", "holds"),
        ("LTL G (many -> F many)", "holds"),
        ("<g>(some U many)", "fails"),
        ("EF AG !some", "fails"),
    ],
)
def test_nested_claims_of_unbounded_models_are_proved_again(formula: str, verdict: str) -> None:
    import epistrat

    system = epistrat.load(WORKERS)
    (result,) = system.check([formula], evidence=True, engine="abstraction", prove=True)
    assert result.verdict.value == verdict
    assert result.replay is not None and result.replay.complete, result.replay


def test_operands_are_parts() -> None:
    """`subformulae` lists operands first: a fact may use those before it."""
    formula = logic.ForAll(logic.Globally(logic.ForAll(logic.Finally(logic.Truth(True)))))
    listed = subformulae(formula)
    assert all(listed.index(one) < listed.index(part) for part in listed for one in operands(part))
