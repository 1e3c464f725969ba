"""The sentences of an explanation, one function per kind of reason."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.answers.explanation import Assertion, Extent, Policy, Rule, Say, Truth
from epistrat.evidence import (
    Answered,
    Answers,
    Descent,
    Fixpoint,
    Invariant,
    Lasso,
    Region,
    Stated,
    StateStrategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.conditions import StateConditions, as_formula
from epistrat.explain.endings import Ending
from epistrat.explain.policy import policies
from epistrat.explain.words import MOST_NAMES, acts, counted, listed, number, show_value
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state
from epistrat.logic.rewrite import TRUE
from epistrat.logic.show import show
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms import variables
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


def together(parts: Iterable[Say]) -> Say:
    """Several parts in one: ``a, b and c``."""
    parts = list(parts)
    return Say(listed([part.text for part in parts]), tuple(one for part in parts for one in part.asserts))


def itself(tree: Tree) -> Truth:
    """The claim of a tree."""
    return Truth(tree.claim, tree.holds, tree.state)


def truth(claim: Formula, holds: bool, state: State) -> Say:
    """``p` is true``."""
    return Say(f"{short(claim)} is {'true' if holds else 'false'}", (Truth(claim, holds, state),))


def what_path_shows(tree: Tree, lasso: Lasso, conditions: StateConditions) -> Say:
    """What holds along an infinite run.

    CTL shows a violated ``f U g`` by a run without g, and ``f W g`` by a run with f for ever.  A run that decides a linear formula may do
    it in another way: there the states say which.
    """
    claim = tree.claim
    arg = claim.arg if isinstance(claim, (logic.Exists, logic.ForAll)) else claim
    linear = not isinstance(claim, (logic.Exists, logic.ForAll)) or claim.star
    match arg, tree.holds:
        case logic.Globally(f), True:
            return _all_along(f, lasso)
        case logic.Finally(f), False:
            return _never(f, lasso)
        case ((logic.Until() | logic.WeakUntil()), False) | ((logic.WeakUntil() | logic.Release()), True) if linear:
            said = _decided_by_states(arg, tree.holds, lasso, conditions)
            if said is not None:
                return said
        case logic.Until(_, g), False:
            return _never(g, lasso)
        case ((logic.WeakUntil(f, _) | logic.Release(_, f)), True):
            return _all_along(f, lasso)
    word = "true" if tree.holds else "false"
    return Say(f"on this run {short(arg)} is {word}", (Truth(arg, tree.holds, tree.state, lasso),))


def _all_along(f: Formula, lasso: Lasso) -> Say:
    return Say(f"{short(f)} is true all the time", (Truth(logic.Globally(f), True, lasso.states[0], lasso),))


def _never(f: Formula, lasso: Lasso) -> Say:
    return Say(f"{short(f)} never becomes true", (Truth(logic.Finally(f), False, lasso.states[0], lasso),))


def _decided_by_states(arg: Formula, holds: bool, lasso: Lasso, conditions: StateConditions) -> Say | None:
    """How the states of a run decide a linear formula over f and g; None if f or g is more than a condition on a state."""
    assert isinstance(arg, (logic.Until, logic.WeakUntil, logic.Release))
    if not (conditions.decides(arg.left) and conditions.decides(arg.right)):
        return None
    left = [conditions.holds(arg.left, state) for state in lasso.states]
    right = [conditions.holds(arg.right, state) for state in lasso.states]
    f, g = short(arg.left), short(arg.right)
    moments = range(len(lasso.states))
    whole = (Truth(arg, holds, lasso.states[0], lasso),)
    if isinstance(arg, logic.Release):
        both = next((n for n in moments if left[n] and right[n]), None)
        if both is None:
            return _all_along(arg.right, lasso)
        return Say(f"{g} is true up to moment {both}, where {f} is true too", whole)
    if holds:
        first = next((n for n in moments if right[n]), None)
        if first is None:
            return _all_along(arg.left, lasso)
        return Say(f"{g} is true at moment {first}" + (f", and {f} until then" if first else ""), whole)
    if isinstance(arg, logic.Until) and not any(right):
        return _never(arg.right, lasso)
    neither = next((n for n in moments if not left[n] and not right[n]), None)
    if neither is None:
        return None
    return Say(f"at moment {neither} {f} is false, and {g} has not been true until then", whole)


def ignorance(tree: Tree, agents: tuple[str, ...], inner: Tree) -> Say:
    """Why somebody does not know, in one sentence."""
    who = named(agents)
    fact = short(inner.claim)
    match tree.claim:
        case logic.Distributed() if not agents:
            text = f"{who} cannot know {fact}: all states look the same to it"
        case logic.Knows():
            text = f"{who} cannot know {fact}: it sees the same where that is false"
        case logic.Everybody():
            text = f"{who} does not know {fact}: it sees the same where that is false"
        case logic.Distributed():
            shared = " together" if len(agents) > 1 else ""
            text = f"{who}{shared} cannot know {fact}: they see the same where that is false"
        case _:
            text = f"{fact} is not common knowledge: somebody cannot rule out that somebody cannot rule out that it is false"
    return Say(text, (itself(tree), itself(inner)))


def because_of(tree: Tree, agents: tuple[str, ...] = ()) -> Say:
    """What a look-alike or another state shows."""
    match tree.claim:
        case logic.Knows(agent):
            text = f"{agent} does not know it"
        case logic.Everybody():
            text = f"{listed(agents)} does not know it, and not everybody does"
        case logic.Distributed() if not agents:
            text = "the group has no members"
        case logic.Distributed():
            text = f"{listed(agents, MOST_NAMES)} do not know it even together"
        case logic.Common():
            text = "it is not common knowledge"
        case logic.Correct(agent, arg):
            text = f"{agent} behaves correctly there, and yet {short(arg)} is false"
        case _:
            return truth(tree.claim, tree.holds, tree.state)
    return Say(text, (itself(tree),))


def enforcing(system: System, tree: Tree, stop: Ending | None = None) -> Say:
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


def stopping(system: System, stop: Ending) -> str:
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
        group = [f"{n} {a}" for n, a in zip(answers.group.members, answer.choice, strict=True) if a is not None]
        reply = [f"{name} {answer.joint[index[name]]}" for name in others if answer.joint[index[name]] is not None]
        said.append(f"to {listed(group) or 'anything'}: {listed(reply) or 'what may happen by itself'}")
    return f"First answers: {'; '.join(said)}."


def restricting(tree: Tree, strategy: UniformStrategy) -> str:
    """That agents fix what they do."""
    who, s = members(strategy.group), "s" if len(strategy.group.members) == 1 else ""
    if not tree.holds:
        return f"Whatever fixed rules {who} follow{s}, it is false"
    return f"It is true if {who} act{s} by fixed rules"


def fixpoint_sentence(system: System, tree: Tree, reason: Fixpoint, ends: bool) -> Say:
    """What the engine found about a set of states.  ``ends``: runs that end are possible, as far as is known."""
    said = _about_states(system, tree, reason, ends)
    counts = any(isinstance(one, Extent) for one in said.asserts)
    return (
        said.within("", ", counting only states from which a fair run starts") if counts and system.fairness else said
    )


def _about_states(system: System, tree: Tree, reason: Fixpoint, ends: bool) -> Say:
    count = number(reason.size)
    claim = tree.claim
    match claim, reason.kind:
        case logic.ForAll(logic.Globally(f), star), "reachable" if is_state(f) and not (star and ends):
            inside = short(f) if len(show(f)) <= WIDTH else "what is asked"
            scope = "the only reachable state" if reason.size == 1 else f"all {count} reachable states"
            return Say(f"{inside} is true in {scope}", (Extent(TRUE, reason.size), Extent(f, reason.size)))
        case logic.Correct(agent, f), _ if tree.holds:
            green = logic.Colour(agent, True)
            where = "in the only state" if reason.size == 1 else f"in all {count} states"
            asserts = (Extent(green, reason.size), Extent(logic.And((green, f)), reason.size))
            return Say(f"it is true {where} where {agent} behaves correctly", asserts)
        case ((logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common()), "look-alikes"):
            return _knowledge(tree, claim, reason.size)
        case ((logic.ForAll(arg) | logic.Exists(arg)), _):
            return _about_all_runs(system, tree, arg, reason, ends)
        case _, "excluded" if reason.size == 0:
            return Say(f"no state satisfies {short(claim)}", (Extent(claim, 0),))
        case _, "excluded":
            text = f"{short(claim)} is true in {counted(reason.size, 'state')}, but not here"
        case _:
            text = f"{short(claim)} is true here, as in {counted(reason.size, 'state')} in all"
    return Say(text, (Extent(claim, reason.size), itself(tree)))


def proof_sentence(tree: Tree, reason: Invariant | Region | Descent | Stated) -> str:
    """What was proved about all states of an infinite set."""
    if isinstance(reason, Stated):
        return f"{short(tree.claim)} is {'true' if tree.holds else 'false'} there"
    truth = f"{short(tree.claim)} is {'true' if tree.holds else 'false'}"
    if isinstance(reason, Descent):
        return f"{_falling(reason)}, so {truth}"
    condition = short(as_formula(reason.condition))
    if isinstance(reason, Invariant):
        return f"every reachable state satisfies {condition}, so {truth}"
    if reason.measure is None:
        return f"in every state with {condition} {truth}, and this is one"
    measure = f"`{show_expr(reason.measure)}`"
    return f"while {condition} is true, {measure} becomes smaller with every step, so {truth}"


def _falling(reason: Descent) -> str:
    """That the measures of a descent come to an end."""
    numbers: dict[str, None] = {}
    for place in reason.places:
        numbers.update(dict.fromkeys(f"`{show_expr(one)}`" for one in place.measures if variables(one)))
    count = len(reason.places)
    if not numbers:
        return f"at most {counted(count, 'step')} lead to the goal"
    if count == 1:
        return f"{next(iter(numbers))} becomes smaller with every step until the goal is met"
    named = " and ".join(numbers) if len(numbers) <= MOST_NAMES else f"{len(numbers)} numbers"
    verb = "falls" if len(numbers) == 1 else "fall"
    return f"the way to the goal has {count} stages, which come in order while {named} {verb}"


def _about_all_runs(system: System, tree: Tree, arg: Formula, reason: Fixpoint, ends: bool) -> Say:
    """What is true of all runs: of ``A`` that holds, and of ``E`` that fails.

    Where runs may end, a sentence about what comes sooner or later speaks of those that go on for ever, and so does every sentence about
    a linear formula.
    """
    linear = isinstance(tree.claim, (logic.ForAll, logic.Exists)) and tree.claim.star
    run = "fair run" if system.fairness else "run"
    lasting = not system.fairness and not ends
    endless = run if system.fairness or not ends else f"{run} that goes on for ever"
    any_run = endless if linear else run
    asserts = (Truth(tree.claim, tree.holds, tree.state, lasting=lasting and tree.holds),)
    match arg, tree.holds:
        case logic.Next(f), True if not linear:
            text = f"every {_step(system)} leads to a state where {short(f)} is true"
        case logic.Next(f), False if not linear:
            text = f"no {_step(system)} leads to a state where {short(f)} is true"
        case ((logic.Finally(f) | logic.Until(_, f)), True) if reason.kind == "bounded" and reason.rounds and lasting:
            text = f"every {run} has come to {short(f)} within {counted(reason.rounds, 'step')}"
        case logic.Finally(f), True:
            text = f"every {endless} comes to {short(f)} sooner or later"
        case logic.Finally(f), False:
            text = f"no {any_run} from there ever comes to {short(f)}"
        case logic.Globally(f), True:
            text = f"{short(f)} stays true on every {any_run}"
        case logic.Globally(f), False:
            text = f"no {run} from there keeps {short(f)} true for ever"
        case logic.Until(f, g), True:
            text = f"every {endless} comes to {short(g)}, and {short(f)} is true until then"
        case logic.Until(f, g), False:
            text = f"no {any_run} from there comes to {short(g)} with {short(f)} true until then"
        case _:
            text = f"{short(arg)} is {'true' if tree.holds else 'false'} on every {endless}"
    return Say(text, asserts)


def _step(system: System) -> str:
    return "step after which a fair run can go on" if system.fairness else "step"


def _knowledge(tree: Tree, claim: logic.Knows | logic.Everybody | logic.Distributed | logic.Common, size: int) -> Say:
    who = claim.agent if isinstance(claim, logic.Knows) else members(claim.group)
    fact = short(claim.arg)
    asserts: tuple[Assertion, ...] = (itself(tree),)
    if not isinstance(claim, logic.Knows) and not claim.group.members:
        return Say(_known_to_nobody(claim, fact, size), asserts)
    if isinstance(claim, (logic.Knows, logic.Distributed)) and is_state(claim.arg):
        agents = (claim.agent,) if isinstance(claim, logic.Knows) else claim.group.members
        asserts = (*asserts, Extent(claim.arg, size, agents, tree.state), Extent(TRUE, size, agents, tree.state))
    if size == 1:
        return Say(f"no other state looks like this one to {who}, and {fact} is true here", asserts)
    return Say(f"{number(size)} states look like this one to {who}, and {fact} is true in all of them", asserts)


def _known_to_nobody(claim: logic.Everybody | logic.Distributed | logic.Common, fact: str, size: int) -> str:
    match claim:
        case logic.Everybody():
            return f"the group has no members, so {fact} need not be true"
        case logic.Common():
            return f"the group has no members, and {fact} is true here"
        case logic.Distributed():
            return f"a group without members sees nothing, and {fact} is true in all states ({number(size)})"
