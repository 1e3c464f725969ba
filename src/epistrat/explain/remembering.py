"""Strategies with memory, and equilibria, in words: who does what with which memory, who may leave the run and what happens then."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers import Setting
from epistrat.answers.explanation import Block, Policy, Rule, Rules, Say, Truth
from epistrat.evidence import Balance, Chosen, Machine, Punishment, Remembered, Row, Tree, Unbalanced
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.strategy import Acts
from epistrat.explain.policy import decision_rules
from epistrat.explain.sentences import short
from epistrat.explain.shown_tables import tables_blocks, tables_summary
from epistrat.explain.story import Teller
from epistrat.explain.words import counted, facts, listed
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import negation
from epistrat.model.state import Act, show_act
from epistrat.model.system import System
from epistrat.terms import Value

MOST_MEMORIES = 4  # of which the rules are told
MOST_ANSWERS = 3  # told of each memory
MOST_WAYS = 6  # steps at which an agent may leave a run, by their numbers


def memory_summary(system: System, tree: Tree, reason: Remembered | Balance | Unbalanced | Chosen) -> Say:
    """What strategies show, in one sentence."""
    if isinstance(reason, Chosen):
        return tables_summary(tree, reason)
    if isinstance(reason, Unbalanced):
        return _nobody_stays(tree, reason)
    return _remembered(tree, reason) if isinstance(reason, Remembered) else _equilibrium(system, tree, reason)


def memory_blocks(
    system: System, teller: Teller, tree: Tree, reason: Remembered | Balance | Unbalanced | Chosen, full: bool
) -> Iterator[Block]:
    """What strategies show: the rules; of an equilibrium its run, and what happens to those who leave it."""
    if isinstance(reason, Chosen):
        yield tables_summary(tree, reason).within("", ".")
        yield from tables_blocks(system, reason)
    elif isinstance(reason, Remembered):
        yield _remembered(tree, reason).within("", ".")
        yield from machine_blocks(system, reason.machine, full)
    elif isinstance(reason, Unbalanced):
        yield _nobody_stays(tree, reason).within("", ".")
        for gain in reason.gains:
            goal = next(goal for name, goal in system.goals if name == gain.agent)
            many = counted(len(gain.won), "situation")
            yield Say(f"{gain.agent} can get {short(goal)} from {many}, whatever the others do.")
    else:
        yield teller.scene("The run of the equilibrium", reason.lasso)
        yield from _equilibrium_blocks(system, reason, full)


def _remembered(tree: Tree, reason: Remembered) -> Say:
    """Who wins, and with how much memory."""
    asserts = (Truth(tree.claim, tree.holds, tree.state),)
    memory = _memory(reason.machine)
    claim = tree.claim.arg if isinstance(tree.claim, logic.Tagged) else tree.claim
    if isinstance(claim, logic.Coalition):
        who, goal = listed(claim.group.members), short(claim.arg)
        if tree.holds:
            return Say(
                f"{who or 'Nobody'} can make sure that {goal} is true, whatever the others do: a strategy {memory}",
                asserts,
            )
        memory = memory.replace("needs", "need")
        return Say(f"{who or 'Nobody'} cannot make sure that {goal} is true: the others have answers {memory}", asserts)
    wanting, others = map(listed, _sides(claim))
    if tree.holds:
        against = f" against {others}" if others else ""
        return Say(
            f"In the order of the quantifiers {wanting or 'chance'} succeeds{against}: a strategy {memory}", asserts
        )
    who = wanting or "nobody"
    return Say(f"In the order of the quantifiers {who} cannot succeed: the other side has a strategy {memory}", asserts)


def _sides(sentence: Formula) -> tuple[list[str], list[str]]:
    """The agents that follow strategies which exist, and those that follow any."""
    some: dict[str, bool] = {}
    sides: dict[bool, dict[str, None]] = {True: {}, False: {}}
    while isinstance(sentence, logic.NAMING):
        if isinstance(sentence, logic.Bound):
            sides[some.get(sentence.variable, True)][sentence.agent] = None
        else:
            some[sentence.variable] = isinstance(sentence, logic.SomeStrategy)
        sentence = sentence.arg
    return list(sides[True]), list(sides[False])


def _memory(machine: Machine) -> str:
    count = len({row.memory for row in machine.rows})
    return f"with {count} memories" if machine.remembers else "that needs no memory"


def machine_blocks(system: System, machine: Machine, full: bool) -> Iterator[Block]:
    """What is done with each memory: as rules, or as the first answers where the other side's actions are answered."""
    memories = sorted({row.memory for row in machine.rows})
    for memory in memories if full else memories[:MOST_MEMORIES]:
        rows = [row for row in machine.rows if row.memory == memory]
        if machine.remembers:
            yield Say(f"With memory {memory}:")
        if any(row.against for row in rows):
            yield Say(answers_to(system, rows))
        else:
            yield Rules(tuple(rules_with(system, rows, machine.remembers)))
    if not full and len(memories) > MOST_MEMORIES:
        yield Say(
            f"{len(memories) - MOST_MEMORIES} more.",
            more=Setting("full"),
        )
    if not machine.complete:
        yield Say("Only the first situations are shown.")


def rules_with(system: System, rows: list[Row], remembers: bool) -> Iterator[Policy]:
    """What each agent with a choice does with one memory; with ``remembers`` also what is remembered then, as the last one."""
    positions = range(len(system.variables))
    agents = dict.fromkeys(agent for row in rows for agent, _ in row.do if len(system.agent[agent].actions) > 1)
    for agent in agents:
        table: list[tuple[dict[int, Value], Act]] = [
            (dict(enumerate(row.state)), dict(row.do)[agent]) for row in rows if agent in dict(row.do)
        ]
        yield Policy(agent, _rules(table, positions), uniform=False)
    if remembers:
        yield Policy("next memory", _rules([(dict(enumerate(row.state)), str(row.after)) for row in rows], positions))


def _rules(table: list[tuple[dict[int, Value], Act]], positions: range) -> tuple[Rule, ...]:
    return decision_rules(table, list(positions))


def answers_to(system: System, rows: list[Row]) -> str:
    """What is done after what the other side has chosen in the same step."""
    said = []
    for row in [row for row in rows if row.against][:MOST_ANSWERS]:
        where = ", ".join(facts(system, range(len(system.variables)), row.state))
        against = _done(system, row.against) or "anything"
        reply = _done(system, row.do) or "what may happen by itself"
        said.append(f"where {where}, to {against}: {reply}")
    rest = len([row for row in rows if row.against]) - len(said)
    return "; ".join(said) + (f"; and {counted(rest, 'more answer')}." if rest else ".")


def _done(system: System, acts: Acts) -> str:
    """What those do who have a choice."""
    return listed([f"{agent} {show_act(act)}" for agent, act in acts if len(system.agent[agent].actions) > 1])


def _nobody_stays(tree: Tree, reason: Unbalanced) -> Say:
    """That no run as wanted is that of an equilibrium."""
    claim = tree.claim.arg if isinstance(tree.claim, logic.Tagged) else tree.claim
    assert isinstance(claim, logic.EQUILIBRIA)
    fact = claim.arg if isinstance(claim, logic.SomeEquilibrium) else negation(claim.arg)
    runs = "every run" if fact == logic.Truth(True) else f"every run on which {short(fact)} is true"
    who = " or ".join(one.agent for one in reason.gains)
    told = f"On {runs} {who} misses its goal, and gets it by leaving the run"
    if not reason.gains:
        told = f"On no run {short(fact)} is true and everybody gets its goal"
    return Say(told, (Truth(tree.claim, tree.holds, tree.state),))


def _equilibrium(system: System, tree: Tree, reason: Balance) -> Say:
    """That there is an equilibrium, who gets its goal, and who is kept from it."""
    told = [sentence(system, reason, one) for one in reason.punishments]
    gained = [name for name, _ in system.goals if name not in {one.agent for one in reason.punishments}]
    happy = (
        f"{listed(gained)} {'get their goals' if len(gained) > 1 else 'gets its goal'}"
        if gained
        else "nobody gets its goal"
    )
    said = "; ".join([f"On the run of an equilibrium {happy}", *told])
    return Say(said, (Truth(tree.claim, tree.holds, tree.state),))


def sentence(system: System, reason: Balance, punished: Punishment) -> str:
    """When an agent may leave the run, what the others do then, and that it never gets its goal."""
    name = punished.agent
    goal = next(goal for agent, goal in system.goals if agent == name)
    never = f"{name} never gets {short(goal)}"
    if not punished.deviations:
        return f"{name} has no other choice on it, and {never}"
    steps = sorted({one.at + 1 for one in punished.deviations})
    when = f"at step {listed(list(map(str, steps)), MOST_WAYS)}"
    others: dict[str, set[str]] = {}
    for row in punished.machine.rows:
        for agent, act in row.do:
            if len(system.agent[agent].actions) > 1:
                others.setdefault(agent, set()).add(show_act(act))
    always = [f"{agent} plays {min(acts)}" for agent, acts in others.items() if len(acts) == 1]
    varied = [agent for agent, acts in others.items() if len(acts) > 1]
    if varied:
        always.append(f"{listed(varied)} {'punish' if len(varied) > 1 else 'punishes'} it")
    then = listed(always) or "nothing helps it"
    return f"{name} may deviate {when}, then {then} for ever and {never}"


def _equilibrium_blocks(system: System, reason: Balance, full: bool) -> Iterator[Block]:
    """Each agent's goal on the run; and for each that does not get it what happens when it leaves."""
    punished = {one.agent: one for one in reason.punishments}
    conditions = StateConditions(system)
    lasso = reason.lasso
    for name, goal in system.goals:
        truth = (
            LassoTruth(len(lasso.states), lasso.loop, lambda at, part: conditions.value(part, lasso.states[at], {}))
            .word(goal)
            .at(0)
        )
        if name in punished:
            yield Say(f"{sentence(system, reason, punished[name])}.")
            yield from machine_blocks(system, punished[name].machine, full)
        else:
            yield Say(
                f"{name} gets its goal {short(goal)}."
                if truth is not False
                else f"{name} cannot get its goal {short(goal)}."
            )
