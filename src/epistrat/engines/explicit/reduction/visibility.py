"""What a formula can see: whose local states, and which conditions.

The reduced state space keeps every run up to *stuttering*, the repetition of states in which nothing that the formula can see changes.
The formula sees the truth of its propositions, those of the fairness constraints, and the whole local state of every agent under a
knowledge operator (the set J).  A step that changes none of this is *invisible*.

Every event of a member of one of the formula's coalitions is visible, also one that changes nothing: the member may refuse it.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.reduction.automata import Automata
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, knowers, subformulae
from epistrat.model.evaluate import Evaluator
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import And, AtLeast, Expr, Not, Or, Xor, variables


@dataclass(frozen=True, slots=True)
class Eyes:
    """What is seen: all of some agents, the truth of some conditions, and all events of the members of coalitions."""

    agents: frozenset[str]
    conditions: frozenset[Expr]
    members: frozenset[str] = frozenset()


def eyes(system: System, formulae: Iterable[Formula]) -> Eyes:
    """What the formulae and the system's fairness constraints see."""
    asked = [*formulae, *system.fairness]
    agents = knowers(asked)
    conditions: set[Expr] = set()
    members: set[str] = set()
    for part in subformulae(*asked):
        match part:
            case logic.Coalition(group):
                members.update(group.members)
            case logic.Prop(name):
                conditions.add(system.propositions[name])
            case logic.Test(condition):
                conditions.add(condition)
            case logic.Colour(agent) | logic.Correct(agent):
                red = system.agent[agent].red
                if red is not None:
                    conditions.add(red)
    return Eyes(frozenset(agents), frozenset(conditions), frozenset(members))


def visible_labels(successors: InterleavedSuccessors, automata: Automata, seen: Eyes) -> frozenset[int]:
    """The numbers of the labels that can change something seen, in some local state of some participant.

    Condition C3 and CJ of the theory ask that no reduced set contains one of these.
    """
    colours = _local_colours(successors, automata, seen)
    visible = set(refusable_labels(successors, automata, seen))
    for number, label in enumerate(automata.labels):
        for agent in automata.participants(label):
            colour = colours[agent]
            after = automata.next[agent][number]
            if any(y >= 0 and colour[x] != colour[y] for x, y in enumerate(after.tolist())):
                visible.add(number)
                break
    return frozenset(visible)


def refusable_labels(successors: InterleavedSuccessors, automata: Automata, seen: Eyes) -> frozenset[int]:
    """The numbers of the labels in which a member of a coalition takes part."""
    agents = successors.layout.system.agents
    members = {index for index, agent in enumerate(agents) if agent.name in seen.members}
    return frozenset(
        number for number, label in enumerate(automata.labels) if members.intersection(automata.participants(label))
    )


def _local_colours(successors: InterleavedSuccessors, automata: Automata, seen: Eyes) -> list[list[tuple[object, ...]]]:
    """For each agent, what can be seen of each of its local states."""
    layout = successors.layout
    system = layout.system
    evaluator = Evaluator(system)
    whole = [agent.name in seen.agents for agent in system.agents]
    units: list[set[Expr]] = [set() for _ in system.agents]
    exposed: list[set[int]] = [set() for _ in system.agents]
    owner = {agent.name: index for index, agent in enumerate(system.agents)}
    for condition in seen.conditions:
        _split(condition, system, owner, units, exposed)
    colours: list[list[tuple[object, ...]]] = []
    for index in range(len(system.agents)):
        found: list[tuple[object, ...]] = []
        for number, own in enumerate(successors.agents[index].locals):
            state = layout.unpack(own)
            found.append(
                (
                    number if whole[index] else None,
                    *(evaluator.holds(unit, state) for unit in units[index]),
                    *(state[position] for position in exposed[index]),
                )
            )
        colours.append(found)
    return colours


def _split(
    condition: Expr, system: System, owner: dict[str, int], units: list[set[Expr]], exposed: list[set[int]]
) -> None:
    """Cut a condition into parts about one agent each; of a comparison across agents, expose the variables it reads."""
    read = variables(condition)
    owners = {owner[agent] for agent, _ in read}
    if len(owners) <= 1:
        for index in owners:
            units[index].add(condition)
        return
    match condition:
        case Not(arg):
            _split(arg, system, owner, units, exposed)
        case And(args) | Or(args) | AtLeast(_, args):
            for arg in args:
                _split(arg, system, owner, units, exposed)
        case Xor(left, right):
            _split(left, system, owner, units, exposed)
            _split(right, system, owner, units, exposed)
        case _:
            for agent, name in read:
                exposed[owner[agent]].add(system.position[agent, name])
