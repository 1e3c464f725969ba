"""The sentences of an explanation, one function per kind of reason."""

from __future__ import annotations

from epistrat.answers.explanation import Policy, Rule
from epistrat.evidence import (
    Answered,
    Answers,
    Fixpoint,
    Invariant,
    Lasso,
    Region,
    Stated,
    StateStrategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.conditions import Conditions, as_formula
from epistrat.explain.policy import policies
from epistrat.explain.words import MOST_NAMES, counted, listed, number
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.logic.show import show
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms.show import show_expr

WIDTH = 60


def short(formula: Formula, width: int = WIDTH) -> str:
    """The formula in backquotes, cut if it is long."""
    text = show(formula)
    return f"`{text}`" if len(text) <= width else f"`{text[: width - 3].rstrip()}...`"


NO_MEMBERS = "a group without members"


def named(agents: tuple[str, ...]) -> str:
    """Agents by name, those of a group without members as such."""
    return listed(agents, MOST_NAMES) or NO_MEMBERS


def members(group: Group) -> str:
    """A group by its members, or, if they are many, by its name."""
    if not group.members:
        return NO_MEMBERS
    if len(group.members) <= MOST_NAMES:
        return listed(group.members)
    return f"{group.name or 'the group'} ({counted(len(group.members), 'agent')})"


def what_path_shows(tree: Tree, lasso: Lasso, conditions: Conditions) -> str:
    """What holds along an infinite run.

    CTL shows a violated ``f U g`` by a run without g, and ``f W g`` by a run with f for ever.  A run that decides a linear formula may do
    it in another way: there the states say which.
    """
    claim = tree.claim
    arg = claim.arg if isinstance(claim, (logic.Exists, logic.ForAll)) else claim
    linear = not isinstance(claim, (logic.Exists, logic.ForAll)) or claim.star
    match arg, tree.holds:
        case logic.Globally(f), True:
            return f"{short(f)} is true all the time"
        case logic.Finally(f), False:
            return f"{short(f)} never becomes true"
        case ((logic.Until() | logic.WeakUntil()), False) | ((logic.WeakUntil() | logic.Release()), True) if linear:
            said = _decided_by_states(arg, tree.holds, lasso, conditions)
            if said is not None:
                return said
        case logic.Until(_, g), False:
            return f"{short(g)} never becomes true"
        case ((logic.WeakUntil(f, _) | logic.Release(_, f)), True):
            return f"{short(f)} is true all the time"
    return f"on this run {short(arg)} is {'true' if tree.holds else 'false'}"


def _decided_by_states(arg: Formula, holds: bool, lasso: Lasso, conditions: Conditions) -> str | None:
    """How the states of a run decide a linear formula over f and g; None if f or g is more than a condition on a state."""
    assert isinstance(arg, (logic.Until, logic.WeakUntil, logic.Release))
    if not (conditions.decides(arg.left) and conditions.decides(arg.right)):
        return None
    left = [conditions.holds(arg.left, state) for state in lasso.states]
    right = [conditions.holds(arg.right, state) for state in lasso.states]
    f, g = short(arg.left), short(arg.right)
    moments = range(len(lasso.states))
    if isinstance(arg, logic.Release):
        both = next((n for n in moments if left[n] and right[n]), None)
        return (
            f"{g} is true all the time" if both is None else f"{g} is true up to moment {both}, where {f} is true too"
        )
    if holds:
        first = next((n for n in moments if right[n]), None)
        if first is None:
            return f"{f} is true all the time"
        return f"{g} is true at moment {first}" + (f", and {f} until then" if first else "")
    if isinstance(arg, logic.Until) and not any(right):
        return f"{g} never becomes true"
    neither = next((n for n in moments if not left[n] and not right[n]), None)
    return None if neither is None else f"at moment {neither} {f} is false, and {g} has not been true until then"


def ignorance(system: System, tree: Tree, agents: tuple[str, ...], inner: Tree) -> str:
    """Why somebody does not know, in one sentence."""
    who = named(agents)
    fact = short(inner.claim)
    match tree.claim:
        case logic.Distributed() if not agents:
            return f"{who} cannot know {fact}: all states look the same to it"
        case logic.Knows():
            return f"{who} cannot know {fact}: it sees the same where that is false"
        case logic.Everybody():
            return f"{who} does not know {fact}: it sees the same where that is false"
        case logic.Distributed() if not agents:
            return f"a group without members sees nothing, so it cannot know {fact}, which is false somewhere"
        case logic.Distributed():
            together = " together" if len(agents) > 1 else ""
            return f"{who}{together} cannot know {fact}: they see the same where that is false"
        case _:
            return f"{fact} is not common knowledge: somebody cannot rule out that somebody cannot rule out that it is false"


def because_of(tree: Tree, agents: tuple[str, ...] = ()) -> str:
    """What a look-alike or another state shows."""
    match tree.claim:
        case logic.Knows(agent):
            return f"{agent} does not know it"
        case logic.Everybody():
            return f"{listed(agents)} does not know it, and not everybody does"
        case logic.Distributed() if not agents:
            return "the group has no members"
        case logic.Distributed():
            return f"{listed(agents, MOST_NAMES)} do not know it even together"
        case logic.Common():
            return "it is not common knowledge"
        case logic.Correct(agent, arg):
            return f"{agent} behaves correctly all along, and yet {short(arg)} is false in the end"
        case _:
            return f"{short(tree.claim)} is {'true' if tree.holds else 'false'}"


def enforcing(system: System, tree: Tree) -> str:
    """What a group can or cannot enforce."""
    claim = tree.claim
    if not isinstance(claim, logic.Coalition):
        return f"{short(claim)} is {'true' if tree.holds else 'false'} under this strategy"
    goal = _goal(claim.arg)
    if not claim.group.members:  # "nobody can make sure" would say the opposite
        return f"Whatever anybody does, {goal}" if tree.holds else f"It is not certain that {goal}"
    who = members(claim.group)
    if tree.holds:
        return f"{who} can make sure that {goal}, whatever the others do"
    opposed = any(isinstance(reason, Answered) and reason.answers.moves for reason in tree.because)
    answered = ": the others have an answer to everything" if opposed and _others(system, claim.group) else ""
    return f"{who} cannot make sure that {goal}{answered}"


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


def answers_sentence(system: System, tree: Tree, answers: Answers) -> str:
    """How the others answer."""
    inside = set(answers.group.members)
    others = _others(system, answers.group)
    positions = tuple(index for index, agent in enumerate(system.agents) if agent.name in inside)
    states = len({answer.state for answer in answers.moves})
    if not answers.moves:
        return _lost_at_once(system, tree)
    who = listed(others, MOST_NAMES) if others else "chance"
    scope = f"in {counted(states, 'state')}" + ("" if answers.complete else " (only these are shown)")
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
    if not answers.moves or not answers.is_strategy(positions):
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
            acts = sorted({str(action) for _, action in done})
            found.append(Policy(name, (Rule((), f"by turns {listed(acts, 3)}"),)))
    return tuple(found)


def first_answers(system: System, answers: Answers) -> str:
    """How the others answer the group's choices in the first state, as an example."""
    index = {agent.name: place for place, agent in enumerate(system.agents)}
    others = [name for name in _others(system, answers.group) if len(system.agent[name].actions) > 1]
    first = (answers.moves[0].state, answers.moves[0].goal)
    said = []
    for answer in [move for move in answers.moves if (move.state, move.goal) == first][:MOST_NAMES]:
        group = [f"{n} {a}" for n, a in zip(answers.group.members, answer.choice, strict=True) if a is not None]
        reply = [f"{name} {answer.joint[index[name]]}" for name in others if answer.joint[index[name]] is not None]
        said.append(f"to {listed(group) or 'anything'}: {listed(reply) or 'what may happen by itself'}")
    return f"First answers: {'; '.join(said)}."


def restricting(strategy: UniformStrategy) -> str:
    """That agents fix what they do."""
    return f"It is true if {members(strategy.group)} act by fixed rules"


def fixpoint_sentence(tree: Tree, reason: Fixpoint) -> str:
    """What the engine found about a set of states."""
    count = number(reason.size)
    match tree.claim, reason.kind:
        case logic.ForAll(logic.Globally(f)), "reachable":
            inside = short(f) if len(show(f)) <= WIDTH else "what is asked"
            return f"{inside} is true in all {count} reachable states"
        case logic.Correct(agent), _ if tree.holds:
            return f"it is true in all {count} states where {agent} behaves correctly"
        case ((logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common()), "look-alikes"):
            return _knowledge(tree.claim, reason.size)
        case logic.ForAll(logic.Finally(f) | logic.Until(_, f)), "bounded" if reason.rounds:
            return f"every run has come to {short(f)} within {counted(reason.rounds, 'step')}"
        case ((logic.ForAll(arg) | logic.Exists(arg)), _):
            return _about_all_runs(tree, arg)
        case _, "excluded" if reason.size == 0:
            return f"no state satisfies {short(tree.claim)}"
        case _, "excluded":
            return f"{short(tree.claim)} is true in {counted(reason.size, 'state')}, but not here"
        case _:
            return f"{short(tree.claim)} is true here, as in {counted(reason.size, 'state')} in all"


def proof_sentence(tree: Tree, reason: Invariant | Region | Stated) -> str:
    """What was proved about all states of an infinite set."""
    if isinstance(reason, Stated):
        return f"{short(tree.claim)} is {'true' if tree.holds else 'false'} there"
    condition = short(as_formula(reason.condition))
    if isinstance(reason, Invariant):
        return f"every reachable state satisfies {condition}, and {short(tree.claim)} follows"
    if reason.measure is None:
        return f"every state with {condition} satisfies {short(tree.claim)}, and this is one"
    measure = f"`{show_expr(reason.measure)}`"
    return f"while {condition} is true, {measure} becomes smaller with every step, so {short(tree.claim)} is true"


def _about_all_runs(tree: Tree, arg: Formula) -> str:
    """What is true of all runs: of ``A`` that holds, and of ``E`` that fails."""
    match arg, tree.holds:
        case logic.Next(f), True:
            return f"every step leads to a state where {short(f)} is true"
        case logic.Next(f), False:
            return f"no step leads to a state where {short(f)} is true"
        case logic.Finally(f), True:
            return f"every run comes to {short(f)} sooner or later"
        case logic.Finally(f), False:
            return f"no run from there ever comes to {short(f)}"
        case logic.Globally(f), True:
            return f"{short(f)} stays true on every run"
        case logic.Globally(f), False:
            return f"no run from there keeps {short(f)} true for ever"
        case logic.Until(f, g), True:
            return f"every run comes to {short(g)}, and {short(f)} is true until then"
        case logic.Until(f, g), False:
            return f"no run from there comes to {short(g)} with {short(f)} true until then"
        case _:
            return f"{short(arg)} is {'true on every run' if tree.holds else 'false on every run'}"


def _knowledge(claim: logic.Knows | logic.Everybody | logic.Distributed | logic.Common, size: int) -> str:
    who = claim.agent if isinstance(claim, logic.Knows) else members(claim.group)
    fact = short(claim.arg)
    if not isinstance(claim, logic.Knows) and not claim.group.members:
        return _known_to_nobody(claim, fact, size)
    if size == 1:
        return f"no other state looks like this one to {who}, and {fact} is true here"
    return f"{number(size)} states look like this one to {who}, and {fact} is true in all of them"


def _known_to_nobody(claim: logic.Everybody | logic.Distributed | logic.Common, fact: str, size: int) -> str:
    match claim:
        case logic.Everybody():
            return f"the group has no members, so {fact} need not be true"
        case logic.Common():
            return f"the group has no members, and {fact} is true here"
        case logic.Distributed():
            return f"a group without members sees nothing, and {fact} is true in all states ({number(size)})"
