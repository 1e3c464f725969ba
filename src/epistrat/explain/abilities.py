"""Sentences about what groups of agents can and cannot enforce, and about how the others answer."""

from __future__ import annotations

from epistrat.answers.explanation import Policy, Rule, Say, Truth
from epistrat.evidence import Answered, Answers, StateStrategy, Tree, UniformStrategy
from epistrat.explain.endings import Stop
from epistrat.explain.policy import policies
from epistrat.explain.sentences import itself, members, short, truth
from epistrat.explain.words import MOST_NAMES, acts, counted, listed, show_value
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.state import show_act
from epistrat.model.step import Stepper
from epistrat.model.system import System


def enforcing(system: System, tree: Tree, stop: Stop | None = None) -> Say:
    """What a group can or cannot enforce; ``stop`` is a step of its strategy after which the run does not go on."""
    claim = tree.claim
    if not isinstance(claim, logic.Coalition):
        return truth(claim, tree.holds, tree.state).within("", " under this strategy")
    goal = _goal(claim.arg)
    if stop is not None:
        goal += f", or that the run ends: {stopping(system, stop)}"
    lasting = tree.holds and stop is None and not system.fairness
    asserts = (Truth(claim, tree.holds, tree.state, lasting=lasting),)
    if not claim.group.members:  # "nobody can make sure" would say the opposite
        return Say(f"Whatever anybody does, {goal}" if tree.holds else f"It is not certain that {goal}", asserts)
    who = members(claim.group)
    if tree.holds:
        whatever = "" if stop is not None or not _others(system, claim.group) else ", whatever the others do"
        return Say(f"{who} can make sure that {goal}{whatever}", asserts)
    opposed = any(isinstance(reason, Answered) and reason.answers.moves for reason in tree.because)
    answered = ": for every choice, the others have a counter-move" if opposed and _others(system, claim.group) else ""
    return Say(f"{who} cannot make sure that {goal}{answered}", asserts)


def stopping(system: System, stop: Stop) -> str:
    """Which step does not go on, and which line would leave the range of which variable."""
    stepper = Stepper(system)
    done = listed(acts(system, stop.joint))
    for agent in system.agents:
        domains = {variable.name: variable.domain for variable in agent.variables}
        for line in stepper.enabled_lines(agent, stop.state, stop.joint):
            for assigned in line.assignments:
                value = stepper.evaluator.value(assigned.value, stop.state, stop.joint)
                domain = domains[assigned.target]
                if value not in domain:
                    place = f"evolution line {agent.evolution.index(line) + 1} of {agent.name}"
                    given = f"{agent.name}.{assigned.target} the value {show_value(value)}, outside {domain}"
                    return f"with {done}, {place} would give {given}"
    return f"after {done} there is no next state"


def _goal(arg: Formula) -> str:
    match arg:
        case logic.Next(f):
            return f"{short(f)} is true after the next step"
        case logic.Finally(f):
            return f"{short(f)} becomes true"
        case logic.Globally(f):
            return f"{short(f)} stays true for ever"
        case logic.Until(f, g):
            return f"{short(g)} becomes true and {short(f)} is true until then"
        case _:
            return f"{short(arg)} is true"


def answers_sentence(system: System, tree: Tree, answers: Answers) -> Say:
    """How the others answer."""
    return Say(_answering(system, tree, answers), (itself(tree),))


def _answering(system: System, tree: Tree, answers: Answers) -> str:
    inside = set(answers.group.members)
    others = _others(system, answers.group)
    positions = tuple(index for index, agent in enumerate(system.agents) if agent.name in inside)
    states = len({answer.state for answer in answers.moves})
    if not answers.moves:
        return _lost_at_once(system, tree)
    who = listed(others, MOST_NAMES) if others else "chance"
    scope = f"in {counted(states, 'state')}" + ("" if answers.complete else " (only these are shown)")
    if system.interleaved:
        return f"Whatever the group chooses, what is left can go against it: {scope}."
    if not others:
        return f"Whatever the group does, things can go against it: {scope} every choice has a bad outcome."
    if answers.is_strategy(positions):
        return f"{who} can prevent it without even knowing what the group is about to do: {scope}."
    return f"{who} can answer every choice of the group: {scope}, {counted(len(answers.moves), 'answer')}."


def _lost_at_once(system: System, tree: Tree) -> str:
    """Why nobody need answer anything: nobody can act, or the state itself is what must not be."""
    arg = tree.claim.arg if isinstance(tree.claim, logic.Coalition) else tree.claim
    able = next(Stepper(system).joint_actions(tree.state), None) is not None
    match arg:
        case logic.Globally(f) if able:
            return f"There {short(f)} is false already."
        case logic.Until(f, g) if able:
            return f"There neither {short(f)} nor {short(g)} is true."
        case _:
            return "Nobody can act there at all."


def _others(system: System, group: Group) -> list[str]:
    inside = set(group.members)
    return [agent.name for agent in system.agents if agent.name not in inside and agent.actions]


def counter_policies(system: System, answers: Answers) -> tuple[Policy, ...] | None:
    """What the others do, as rules, where it does not depend on what the group chooses at the same moment.

    Who must keep the run fair may do different things in the same state at different times: by turns.
    """
    inside = set(answers.group.members)
    positions = tuple(index for index, agent in enumerate(system.agents) if agent.name in inside)
    if system.interleaved or not answers.moves or not answers.is_strategy(positions):
        return None
    index = {agent.name: place for place, agent in enumerate(system.agents)}
    found: list[Policy] = []
    for name in _others(system, answers.group):
        done = {(answer.state, answer.joint[index[name]]) for answer in answers.moves}
        if len(done) == len({state for state, _ in done}):
            found += policies(
                system, StateStrategy(Group((name,)), tuple((s, (act,)) for s, act in sorted(done, key=repr)))
            )
        else:
            turns = sorted({str(action) for _, action in done})
            found.append(Policy(name, (Rule((), f"by turns {listed(turns, 3)}"),)))
    return tuple(found)


def first_answers(system: System, answers: Answers) -> str:
    """How the others answer the group's choices in the first state, as an example."""
    index = {agent.name: place for place, agent in enumerate(system.agents)}
    others = [name for name in _others(system, answers.group) if len(system.agent[name].actions) > 1]
    first = (answers.moves[0].state, answers.moves[0].goal)
    said = []
    for answer in [move for move in answers.moves if (move.state, move.goal) == first][:MOST_NAMES]:
        chosen = zip(answers.group.members, answer.choice, strict=True)
        group = [f"{name} {show_act(act)}" for name, act in chosen if act is not None]
        if system.interleaved:
            event = next((action for action in answer.joint if action is not None), None)
            said.append(f"to {listed(group) or 'anything'}: {event or 'nothing is left, the group waits'}")
            continue
        reply = [f"{name} {answer.joint[index[name]]}" for name in others if answer.joint[index[name]] is not None]
        said.append(f"to {listed(group) or 'anything'}: {listed(reply) or 'what may happen by itself'}")
    return f"First answers: {'; '.join(said)}."


def restricting(tree: Tree, strategy: UniformStrategy) -> str:
    """That agents fix what they do."""
    who, s = members(strategy.group), "s" if len(strategy.group.members) == 1 else ""
    if not tree.holds:
        if isinstance(tree.claim, logic.Coalition) and tree.claim.group.members == strategy.group.members:
            return f"Whatever rules {who} follow{s}, based on what each sees, some play defeats them"
        return f"Whatever fixed rules {who} follow{s}, it is false"
    return f"It is true if {who} act{s} by fixed rules"
