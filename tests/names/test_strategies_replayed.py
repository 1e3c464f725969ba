"""Strategies with memory and equilibria as evidence: re-checked from the system alone, written and read back; lies are refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.generators.arenas import random_arena, random_path, with_goals
from tests.names.comparing import answer

from epistrat import evidence as e
from epistrat.answers import Certificate
from epistrat.answers.verdict import Named
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.readings import named
from epistrat.evidence.findings import Replay
from epistrat.evidence.replay import replay
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Tag
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.play import Play
from epistrat.model.show import to_ispl
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.records import replace
from epistrat.render.json.evidence import evidence_json
from epistrat.render.json.reading import read_evidence
from epistrat.terms import Expr, Terms

SHOWN = Options(evidence=True)
MODELS = Path(__file__).parent / "models"


def arena(rng: random.Random, chance: float = 0.0, fair: bool = False) -> System:
    return random_arena(rng, rng.choice((1, 2, 2, 3)), rng.choice((2, 3, 4)), chance, own=rng.random() < 0.3, fair=fair)


def sentence(rng: random.Random, system: System) -> Formula:
    names = [agent.name for agent in system.agents if agent.actions]
    body = random_path(rng, system, 2)
    for name in names:
        body = logic.Bound(name, f"s{name}", body)
    for name in rng.sample(names, len(names)):
        body = rng.choice((logic.SomeStrategy, logic.EveryStrategy))(f"s{name}", body)
    return logic.Tagged(Tag.PERFECT, body)


def replayed(system: System, formula: Formula, engine: str) -> Replay | None:
    outcome = answer(engine, system, formula, SHOWN)
    if outcome.verdict is Verdict.UNKNOWN:
        return None
    for tree in outcome.trees:
        words = {show(part.claim): part.claim for part in e.walk(tree)}
        again = read_evidence(system, evidence_json(system, tree), words.__getitem__)
        assert again == tree
    found = replay(system, Certificate(formula, outcome.verdict, trees=outcome.trees, named=named(formula, SHOWN)))
    assert not found.problems, (engine, found.problems, show(formula), to_ispl(system))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_what_engines_show_is_re_checked(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(6):
        system = arena(rng, 0.2 if number % 3 == 0 else 0.0, fair=number == 5)
        members = [agent.name for agent in system.agents if agent.actions]
        group = Group(tuple(rng.sample(members, rng.randint(1, len(members)))))
        for engine in ("symbolic", "explicit"):
            found = replayed(system, logic.Coalition(group, random_path(rng, system, 2)), engine)
            assert found is None or all("initial state" in words for words in found.trusted), found
        if system.fairness:
            continue  # names are refused
        found = replayed(system, sentence(rng, system), "symbolic")
        assert found is None or all("initial state" in words for words in found.trusted), found


@pytest.mark.parametrize("seed", range(6))
def test_runs_of_equilibria_are_re_checked(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(6):
        system = with_goals(rng, arena(rng), rng.choice((1, 2)))
        kind = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))
        formula = kind(random_path(rng, system, 2))
        outcome = answer("symbolic", system, formula, SHOWN)
        found = replayed(system, formula, "symbolic")
        if outcome.verdict is not Verdict.UNKNOWN:
            kinds = {type(reason) for tree in outcome.trees for reason in tree.because}
            assert kinds in ({e.Balance}, {e.Unbalanced}), "equilibria, or how those gain who leave"
            assert found is not None and all("initial state" in words for words in found.trusted), found


# -- strategies of those who lose


def any_machine(rng: random.Random, system: System, claim: logic.Coalition, start: State, holds: bool) -> e.Machine:
    """A strategy of one side that does whatever it may, with a random memory."""
    play, names = Play(Stepper(system)), [agent.name for agent in system.agents]
    rows: list[e.Row] = []
    pending, seen = [(start, 0)], {(start, 0)}

    def choices(state: State) -> Iterator[tuple[tuple[str, str], ...]]:
        found: list[tuple[tuple[str, str], ...]] = [()]
        for name in claim.group.members:
            options = [act for act in play.options(name, state) if isinstance(act, str)]
            found = [(*one, (name, act)) for one in found for act in options]
        yield from found

    for state, memory in pending:
        after = rng.choice((0, 1))
        targets: list[State] = []
        if holds:
            chosen = rng.choice(list(choices(state)))
            rows.append(e.Row(memory, state, chosen, after))
            targets = [step.target for step in play.steps(state, dict(chosen)) or ()]
        else:
            for chosen in choices(state):
                step = rng.choice(play.steps(state, dict(chosen)) or [])
                rest = [(name, act) for name, act in zip(names, step.joint, strict=True) if act is not None]
                done = tuple(one for one in rest if one[0] not in claim.group.members)
                rows.append(e.Row(memory, state, done, after, chosen, step.target))
                targets.append(step.target)
        for target in targets:
            if (target, after) not in seen:
                seen.add((target, after))
                pending.append((target, after))
    return e.Machine(tuple(rows))


@pytest.mark.parametrize("seed", range(6))
def test_no_strategy_shows_what_is_not_so(seed: int) -> None:
    rng = random.Random(seed)
    refused = 0
    for number in range(8):
        system = arena(rng, 0.3 if number % 2 else 0.0, fair=number == 7)
        members = [agent.name for agent in system.agents if agent.actions]
        claim = logic.Coalition(
            Group(tuple(rng.sample(members, rng.randint(1, len(members))))), random_path(rng, system, 2)
        )
        true = answer("reference", system, claim, Options())
        start = initial_states(system, 10)[0]
        alone = replace(system, initial=_only(system, start))
        if answer("reference", alone, claim, Options()).verdict is Verdict.UNKNOWN or true.verdict is Verdict.UNKNOWN:
            continue
        false = answer("reference", alone, claim, Options()).verdict is not Verdict.HOLDS
        for _ in range(6):
            machine = any_machine(rng, alone, claim, start, false)
            tree = e.Tree(start, claim, false, (e.Remembered(machine),))
            verdict = Verdict.HOLDS if false else Verdict.FAILS
            assert replay(alone, Certificate(claim, verdict, trees=(tree,))).problems, (show(claim), to_ispl(system))
            refused += 1
    assert refused > 10


def _only(system: System, state: State) -> Expr:
    terms = Terms()
    return terms.conjunction(equals(terms, system, place, [value]) for place, value in enumerate(state))


# -- lies about small games

HUB = """
Agent Environment
  Obsvars: at : {hub, p, q}; end Obsvars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    at = p if at = hub and Ann.Action = l;
    at = q if at = hub and Ann.Action = r;
    at = hub if at <> hub;
  end Evolution
end Agent
Agent Ann
  Vars: end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation p if Environment.at = p; q if Environment.at = q; end Evaluation
InitStates Environment.at = hub; end InitStates
Groups ga = {Ann}; end Groups
Formulae <ga>((G F p) and (G F q)); end Formulae
"""
CHASE = """
Agent Environment
  Obsvars: at : {start, rich, paid, poor}; end Obsvars
  Actions = {none};
  Protocol: Other : {none}; end Protocol
  Evolution:
    at = rich if at = start and Ann.Action = leave;
    at = paid if at = start and Ann.Action = stay;
    at = poor if at = rich and Bob.Action = punish;
    at = paid if at = rich and Bob.Action = wait;
  end Evolution
end Agent
Agent Ann
  Vars: end Vars
  Actions = {stay, leave};
  Protocol: Other : {stay, leave}; end Protocol
  Evolution: end Evolution
end Agent
Agent Bob
  Vars: end Vars
  Actions = {wait, punish};
  Protocol: Other : {wait, punish}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation
  gains if Environment.at = rich;
  paid if Environment.at = paid;
  poor if Environment.at = poor;
end Evaluation
InitStates Environment.at = start; end InitStates
Goals
  Ann : F (gains and X paid);
end Goals
Formulae ENash(X paid); end Formulae
"""


def shown(text: str) -> tuple[System, Certificate]:
    system = load(text).system
    assert system is not None
    (formula,) = system.formulae
    outcome = answer("symbolic", system, formula, SHOWN)
    certificate = Certificate(formula, outcome.verdict, trees=outcome.trees, named=named(formula, SHOWN))
    assert replay(system, certificate).complete
    return system, certificate


def refused(system: System, certificate: Certificate, reason: e.Reason) -> bool:
    tree = replace(certificate.trees[0], because=(reason,))
    return bool(replay(system, replace(certificate, trees=(tree,))).problems)


def rows(machine: e.Machine, change: dict[int, e.Row | None]) -> e.Machine:
    """The machine with some rows changed or left out."""
    changed = [change.get(number, row) for number, row in enumerate(machine.rows)]
    return replace(machine, rows=tuple(row for row in changed if row is not None))


def test_wrong_actions_and_memories_are_refused() -> None:
    system, certificate = shown(HUB)
    (reason,) = certificate.trees[0].because
    assert isinstance(reason, e.Remembered)
    assert not refused(system, certificate, reason)
    machine = reason.machine
    at_the_hub = [number for number, row in enumerate(machine.rows) if row.state == ("hub",)]
    assert len(at_the_hub) == 2
    for number, row in enumerate(machine.rows):
        assert refused(system, certificate, e.Remembered(rows(machine, {number: None}))), "a row is missing"
        assert refused(system, certificate, e.Remembered(rows(machine, {number: replace(row, after=1 - row.after)})))
        if number in at_the_hub:
            other = tuple((name, {"l": "r", "r": "l"}[str(act)]) for name, act in row.do)
            assert refused(system, certificate, e.Remembered(rows(machine, {number: replace(row, do=other)})))
    unlawful = replace(machine.rows[0], do=(("Ann", "jump"),))
    assert refused(system, certificate, e.Remembered(rows(machine, {0: unlawful})))
    twice = replace(machine, rows=(*machine.rows, replace(machine.rows[0], after=1 - machine.rows[0].after)))
    assert refused(system, certificate, e.Remembered(twice))
    assert replay(system, replace(certificate, named=Named(remembering=False))).problems
    assert replay(system, replace(certificate, verdict=Verdict.FAILS)).problems


def test_wrong_punishments_are_refused() -> None:
    system, certificate = shown(CHASE)
    (reason,) = certificate.trees[0].because
    assert isinstance(reason, e.Balance)
    assert not refused(system, certificate, reason)
    (punished,) = reason.punishments

    def lie(**change: object) -> bool:
        return refused(system, certificate, replace(reason, punishments=(replace(punished, **change),)))  # type: ignore[arg-type]

    first = next(one for one in punished.deviations if one.at == 0)
    rest = tuple(one for one in punished.deviations if one is not first)
    assert lie(deviations=rest), "a way to leave is missing"
    assert lie(deviations=(replace(first, state=("poor",)), *rest)), "the punishment starts one state late"
    assert lie(deviations=(replace(first, memory=7), *rest)), "it starts with another memory"
    wait = {
        number: replace(row, do=tuple((name, "wait" if name == "Bob" else act) for name, act in row.do))
        for number, row in enumerate(punished.machine.rows)
        if row.state == ("rich",)
    }
    assert lie(machine=rows(punished.machine, wait)), "Bob does not punish"  # type: ignore[arg-type]
    assert lie(agent="Bob"), "somebody else is punished"
    assert refused(system, certificate, replace(reason, punishments=()))
    lasso = reason.lasso
    assert refused(
        system,
        certificate,
        replace(reason, lasso=replace(lasso, actions=(("none", "leave", "wait"), *lasso.actions[1:]))),
    )
    away = e.Lasso(
        (("start",), ("rich",), ("poor",)),
        (("none", "leave", "wait"), ("none", "stay", "punish"), ("none", "stay", "wait")),
        2,
    )
    assert refused(system, certificate, replace(reason, lasso=away))
    for other in (Named(equilibria=Tag.STATES), Named(states_only=True)):
        assert replay(system, replace(certificate, named=other)).problems
    for fact in (logic.Next(logic.Prop("gains")), logic.Finally(logic.Prop("poor"))):
        other_claim = logic.SomeEquilibrium(fact)
        lied = replace(certificate.trees[0], claim=other_claim)
        assert replay(system, replace(certificate, question=other_claim, trees=(lied,))).problems, (
            "it is not so on the run"
        )
    tagged = logic.Tagged(Tag.PERFECT, certificate.question)
    tree = replace(certificate.trees[0], claim=tagged)
    known = replace(certificate, question=tagged, trees=(tree,))
    assert replay(system, known).complete
    assert replay(system, replace(known, named=Named(states_only=True))).problems, "a tag says nothing about actions"


def test_no_run_shows_an_equilibrium_that_is_none() -> None:
    """Runs of random actions, and others who do anything: whoever loses at matching pennies does something else."""
    rng = random.Random(7)
    system = load((MODELS / "s06_pennies.ispl").read_text()).system
    assert system is not None
    claim = logic.SomeEquilibrium(logic.Truth(True))
    (start,) = initial_states(system, 10)
    for _ in range(60):
        tree = e.Tree(start, claim, True, (any_balance(rng, system, start),))
        assert replay(system, Certificate(claim, Verdict.HOLDS, trees=(tree,))).problems


def any_balance(rng: random.Random, system: System, start: State) -> e.Balance:
    play, names = Play(Stepper(system)), [agent.name for agent in system.agents]
    states, actions = [start], []
    while True:
        step = rng.choice(play.steps(states[-1], {}) or [])
        actions.append(step.joint)
        if step.target in states:
            break
        states.append(step.target)
    lasso = e.Lasso(tuple(states), tuple(actions), states.index(step.target))
    punishments = []
    for name, _ in system.goals:
        place = names.index(name)
        ways = [
            e.Deviation(at, other.joint[place] or "", other.target, 0)
            for at, (state, joint) in enumerate(zip(states, actions, strict=True))
            for other in play.steps(state, {}) or ()
            if other.joint[place] != joint[place] and _but(other.joint, place) == _but(joint, place)
        ]
        table = []
        reachable = dict.fromkeys(ways_on(play, [start]))
        for state in reachable:
            joint = rng.choice(play.steps(state, {}) or []).joint
            do = tuple((other, act) for other, act in zip(names, joint, strict=True) if other != name and act)
            table.append(e.Row(0, state, do, 0))
        punishments.append(e.Punishment(name, e.Machine(tuple(table)), tuple(ways)))
    return e.Balance(lasso, tuple(punishments))


def _but(joint: tuple[str | None, ...], place: int) -> tuple[str | None, ...]:
    return (*joint[:place], *joint[place + 1 :])


def ways_on(play: Play, states: list[State]) -> list[State]:
    """All states that can be reached."""
    for state in states:
        states += [step.target for step in play.steps(state, {}) or () if step.target not in states]
    return states


def test_what_no_protocol_allows_is_refused() -> None:
    """Ann would reach q by an action that her protocol does not allow at the hub."""
    text = HUB.replace("Protocol: Other : {l, r}; end", "Protocol: Environment.at = hub : {l}; Other : {l, r}; end")
    system = load(text.replace("((G F p) and (G F q))", "(G F q)")).system
    assert system is not None
    (claim,) = system.formulae
    assert answer("symbolic", system, claim, SHOWN).verdict is Verdict.FAILS
    table = tuple(e.Row(0, (at,), (("Ann", "r"),), 0) for at in ("hub", "p", "q"))
    tree = e.Tree(("hub",), claim, True, (e.Remembered(e.Machine(table)),))
    problems = replay(system, Certificate(claim, Verdict.HOLDS, trees=(tree,))).problems
    assert problems and "may not do r" in problems[0]


# -- no equilibrium

COIN = """
Agent Environment
  Obsvars: at : {start, same, other}; end Obsvars
  Actions = {};
  Protocol: end Protocol
  Evolution:
    at = same if at = start and ((Ann.Action = h and Bob.Action = h) or (Ann.Action = t and Bob.Action = t));
    at = other if at = start and ((Ann.Action = h and Bob.Action = t) or (Ann.Action = t and Bob.Action = h));
    at = start if at <> start;
  end Evolution
end Agent
Agent Ann Vars: end Vars Actions = {h, t}; Protocol: Other : {h, t}; end Protocol Evolution: end Evolution end Agent
Agent Bob Vars: end Vars Actions = {h, t}; Protocol: Other : {h, t}; end Protocol Evolution: end Evolution end Agent
Evaluation same if Environment.at = same; end Evaluation
InitStates Environment.at = start; end InitStates
Goals Ann : F (same and F (!same and X same)); Bob : G !same; end Goals
Formulae Nash; end Formulae
"""


def test_wrong_gains_are_refused() -> None:
    system, certificate = shown(COIN)
    assert certificate.verdict is Verdict.FAILS
    (reason,) = certificate.trees[0].because
    assert isinstance(reason, e.Unbalanced)
    assert not refused(system, certificate, reason)
    assert {one.agent for one in reason.gains} == {"Ann", "Bob"}
    for gain in reason.gains:
        rest = [one for one in reason.gains if one is not gain]
        assert refused(system, certificate, e.Unbalanced(tuple(rest))), "one of two gains"

        def lie(**change: object) -> bool:
            gains = (*rest, replace(gain, **change))  # type: ignore[arg-type]  # noqa: B023
            return refused(system, certificate, e.Unbalanced(gains))

        assert lie(won=()), "nowhere"
        everywhere = dict.fromkeys((row.state, row.memory) for row in gain.machine.rows)
        assert set(everywhere) == set(gain.won) or lie(won=tuple(everywhere)), "where it loses, too"
        assert lie(agent=rest[0].agent), "somebody else"
        assert lie(agent="Environment"), "somebody without a goal"
        answering = [at for at, row in enumerate(gain.machine.rows) if row.do and row.state == ("start",)]
        turned = {
            at: replace(row, do=tuple((name, {"h": "t", "t": "h"}[str(act)]) for name, act in row.do))
            for at, row in enumerate(gain.machine.rows)
            if at in answering
        }
        assert lie(machine=rows(gain.machine, turned)), "it loses by that"  # type: ignore[arg-type]
        silent = {at: None for at, row in enumerate(gain.machine.rows) if (row.state, row.memory) == (("start",), 0)}
        assert lie(machine=rows(gain.machine, silent)), "it is not said what is remembered"  # type: ignore[arg-type]
    ann = next(one for one in reason.gains if one.agent == "Ann")
    forgetful = e.Machine(
        tuple(
            e.Row(0, (at,), (("Bob", {"h": "t", "t": "h"}[act]),), 0, (("Ann", act),))
            for at in ("start", "same", "other")
            for act in "ht"
        )
    )
    won = ((("start",), 0), (("other",), 0))
    assert refused(system, certificate, e.Unbalanced((ann, e.Gain("Bob", forgetful, won)))), (
        "they may have been the same"
    )
    for other in (Named(equilibria=Tag.STATES), Named(states_only=True)):
        assert replay(system, replace(certificate, named=other)).problems
    assert replay(system, replace(certificate, verdict=Verdict.HOLDS)).problems


@pytest.mark.parametrize("seed", range(6))
def test_gains_show_nothing_that_is_not_so(seed: int) -> None:
    """Where there is an equilibrium as wanted, nobody gains as is said."""
    rng = random.Random(seed)
    refuted = 0
    for _ in range(12):
        system = with_goals(rng, random_arena(rng, 2, rng.choice((2, 3)), own=False), 1)
        start = initial_states(system, 10)[0]
        system = replace(system, initial=_only(system, start))
        claim = logic.SomeEquilibrium(random_path(rng, system, 1))
        if answer("reference", system, claim, Options()).verdict is not Verdict.HOLDS:
            continue
        states = dict.fromkeys(ways_on(Play(Stepper(system)), [start]))
        gains = []
        for name, _ in system.goals:
            others = [agent.name for agent in system.agents if agent.actions and agent.name != name]
            table = []
            for state in states:
                step = rng.choice(Play(Stepper(system)).steps(state, {}) or [])
                names = [agent.name for agent in system.agents]
                for one in Play(Stepper(system)).steps(state, {}) or []:
                    joint = dict(zip(names, one.joint, strict=True))
                    own = dict(zip(names, step.joint, strict=True))[name]
                    against = tuple((other, str(joint[other])) for other in others)
                    table.append(e.Row(0, state, ((name, str(own)),), 0, against))
            gains.append(e.Gain(name, e.Machine(tuple(dict.fromkeys(table))), tuple((state, 0) for state in states)))
        for shown_gains in (tuple(gains), tuple(replace(one, won=()) for one in gains), ()):
            tree = e.Tree(start, claim, False, (e.Unbalanced(shown_gains),))
            assert replay(system, Certificate(claim, Verdict.FAILS, trees=(tree,))).problems, (
                show(claim),
                to_ispl(system),
            )
            refuted += 1
    assert refuted > 6
