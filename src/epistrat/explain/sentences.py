"""The sentences of an explanation, one function per kind of reason."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.answers.explanation import Assertion, Extent, Say, Truth
from epistrat.evidence import Fixpoint, Lasso, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.explain.words import MOST_NAMES, counted, listed, number
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, knows_whether, operands
from epistrat.logic.histories import unread
from epistrat.logic.rewrite import TRUE, with_operands
from epistrat.logic.show import show
from epistrat.model.state import State
from epistrat.model.system import System

WIDTH = 60
_NAME = 16  # characters of an atom that is named at any depth
_LEFT_OUT = logic.Prop("...")
ON_THIS_RUN = "on this run"
"""How a sentence begins that only repeats what was asked."""


def short(formula: Formula) -> str:
    """The formula in backquotes; of a long one as much as fits, with ``...`` for whole subformulae."""
    text = show(formula)
    if len(text) > WIDTH:
        outlines = (show(_outline(formula, depth, most)) for depth in range(1, 6) for most in (1, 2, 3))
        text = max((one for one in outlines if len(one) <= WIDTH), key=len, default=_LEFT_OUT.name)
    return f"`{text}`"


def _outline(formula: Formula, depth: int, most: int) -> Formula:
    """The formula without what lies deeper, and without all but so many first operands of a conjunction or disjunction."""
    whether = knows_whether(formula)
    parts = operands(formula)
    unit = not parts or (whether is not None and depth > 0)
    if unit and len(show(formula)) <= (WIDTH // 2 if depth else _NAME):
        return formula
    if not parts or not depth:
        return _LEFT_OUT
    if whether is not None:
        fact = _outline(whether[1], depth - 1, most)
        return logic.Or((logic.Knows(whether[0], fact), logic.Knows(whether[0], logic.Not(fact))))
    inner = [_outline(part, depth - 1, most) for part in parts]
    if isinstance(formula, (logic.And, logic.Or)):
        if all(part == _LEFT_OUT for part in inner):
            return _LEFT_OUT
        if len(inner) > most:
            return type(formula)((*inner[:most], _LEFT_OUT))
    return with_operands(formula, tuple(inner))


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
    """Several parts in one: ``a, b and c``; the same thing is said once."""
    parts = list(parts)
    said = list(dict.fromkeys(part.text for part in parts))
    return Say(listed(said), tuple(one for part in parts for one in part.asserts))


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
        case logic.Truth(True), True:
            return Say("this run goes on for ever", (itself(tree),))
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
    return Say(f"{ON_THIS_RUN} {short(arg)} is {word}", (Truth(arg, tree.holds, tree.state, lasso),))


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


def asked(claim: Formula) -> Formula:
    """The claim as one about knowledge by observation: the sentences about what is known are the same in all readings."""
    return unread(claim) if isinstance(claim, logic.Remembers) else claim


def ignorance(tree: Tree, agents: tuple[str, ...], inner: Tree, doubts: tuple[str, ...] = ()) -> Say:
    """Why somebody does not know, in one sentence; ``doubts`` are the links of a chain, for common knowledge."""
    who = named(agents)
    fact = short(inner.claim)
    seen = "sees" if asked(tree.claim) == tree.claim else _SAW[tree.claim.reading]  # type: ignore[union-attr]
    match asked(tree.claim):
        case logic.Distributed() if not agents:
            text = f"{who} cannot know {fact}: all states look the same to it"
        case logic.Knows():
            text = f"{who} cannot know {fact}: it {seen} the same where that is false"
        case logic.Everybody():
            text = f"{who} does not know {fact}: it {seen} the same where that is false"
        case logic.Distributed():
            shared = " together" if len(agents) > 1 else ""
            seen = seen.replace("has ", "have ").replace("sees", "see")
            text = f"{who}{shared} cannot know {fact}: they {seen} the same where that is false"
        case _:
            text = f"{fact} is not common knowledge: {_chained(doubts or (who,))}"
    return Say(text, (itself(tree), itself(inner)))


_SAW = {
    Reading.OBSERVATION: "sees",
    Reading.CLOCK: "sees at this time",
    Reading.RECALL: "has always seen",
    Reading.CHANGES: "has seen the same changes, and sees",
}
"""What an agent compares, by the reading of knowledge."""


def cannot_tell(tree: Tree, inner: Tree) -> Say:
    """Why an agent does not know whether: there is a state that looks the same and differs in what it is about."""
    whether = knows_whether(tree.claim)
    assert whether is not None
    agent, fact = whether
    there = inner.holds is (inner.claim == fact)
    word, other = ("true", "false") if there else ("false", "true")
    text = (
        f"{agent} cannot tell whether {short(fact)}: it is {other} here, and {agent} sees the same where it is {word}"
    )
    return Say(text, (itself(tree), itself(inner)))


def _chained(doubts: tuple[str, ...]) -> str:
    """Who cannot rule out what, link by link; a long chain by its length."""
    if len(doubts) > MOST_NAMES:
        return f"a chain of {counted(len(doubts), 'look-alike')} leads to a state where it is false"
    return f"{' '.join(f'{who} cannot rule out that' for who in doubts)} it is false"


def because_of(tree: Tree, agents: tuple[str, ...] = ()) -> Say:
    """What a look-alike or another state shows."""
    match asked(tree.claim):
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
        case logic.Remembers(), "look-alikes":
            return _remembered(tree, claim, reason.size)
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
        case logic.Truth(True), False:
            text = f"no {run} from there goes on for ever"
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


def _remembered(tree: Tree, claim: logic.Remembers, size: int) -> Say:
    """What is known by clock or memory: in how many states the histories end that look the same."""
    fact, who = short(claim.arg), members(claim.group)
    if not claim.group.members:
        return Say(_remembered_by_nobody(claim, fact), (itself(tree),))
    where = "one state" if size == 1 else f"{number(size)} states"
    text = f"histories that look like this one to {who} end in {where}, and {fact} is true of all of them"
    return Say(text, (itself(tree),))


def _remembered_by_nobody(claim: logic.Remembers, fact: str) -> str:
    match claim.word:
        case "GK":
            return f"the group has no members, so {fact} need not be true"
        case "GCK":
            return f"the group has no members, and {fact} is true here"
        case _:
            alike = "equally long" if claim.reading in (Reading.CLOCK, Reading.RECALL) else "possible"
            return f"a group without members sees nothing, and {fact} is true of all histories that are {alike}"


def _known_to_nobody(claim: logic.Everybody | logic.Distributed | logic.Common, fact: str, size: int) -> str:
    match claim:
        case logic.Everybody():
            return f"the group has no members, so {fact} need not be true"
        case logic.Common():
            return f"the group has no members, and {fact} is true here"
        case logic.Distributed():
            return f"a group without members sees nothing, and {fact} is true in all states ({number(size)})"


def lowered(part: Say) -> Say:
    """The part to go on with within a sentence; names keep their letters."""
    text = part.text
    for opening in ("After ", "At the start", "A run", "Whatever", "Some", "All ", "None "):
        if text.startswith(opening):
            return Say(text[0].lower() + text[1:], part.asserts)
    return part
