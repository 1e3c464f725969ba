"""Evidence about systems in which agents follow uniform strategies that were fixed beforehand.

Where one makes the formula true: the strategy, and below it evidence about the system that it leaves.  Where none does: each of them, if
they are few, with evidence that it fails; so too where every uniform strategy of a coalition is defeated.  Strategies are told apart only
where they matter: by what agents do in situations that can be reached when they follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from epistrat.answers.verdict import UNIFORM
from epistrat.engines.contract import Options, Outcome, Session, Strategies, Verdict
from epistrat.evidence import Fixpoint, Restricted, Tree, UniformStrategy
from epistrat.evidence.restrict import restrict
from epistrat.logic.formula import Coalition, ForAll, Formula, Group
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.play import Play
from epistrat.model.state import Act, State, View, view
from epistrat.model.step import Stepper
from epistrat.model.system import Scheduling, System
from epistrat.model.transform.rules import equals
from epistrat.records import replace
from epistrat.solvers.budget import OutOfBudget
from epistrat.terms import Expr, Terms

Situation = tuple[str, View]
Decisions = dict[Situation, Act]
Starts = Callable[[System, int], list[State]]
MOST_STRATEGIES = 24  # that are shown to fail, one by one: nobody reads more
MOST_STATES = 400  # of the system under one of them


def refuted(
    outcome: Outcome, formula: Formula, system: System, followers: Iterable[str], open_: Callable[[System], Session]
) -> Outcome:
    """The outcome, which is that the formula fails under all uniform strategies, with evidence for each if they are few."""
    group = Group(tuple(followers))
    shown: list[Restricted] = []
    for strategy in _strategies(system, group, initial_states):
        tree = _failing(open_(restrict(system, strategy)), formula)
        if tree is None or len(shown) == MOST_STRATEGIES:
            return outcome
        shown.append(Restricted(strategy, tree))
    if outcome.verdict is not Verdict.FAILS or not shown:
        return outcome
    first = shown[0].tree
    return replace(outcome, evidence=Tree(first.state, first.claim, False, tuple(shown)))


def defeated(
    outcome: Outcome, formula: Formula, system: System, options: Options, open_: Callable[[System], Session]
) -> Outcome:
    """The outcome, with a play against each uniform strategy of a coalition that has none which succeeds, if they are few."""
    tree = outcome.evidence
    if (
        outcome.verdict is not Verdict.FAILS
        or tree is None
        or options.strategies not in UNIFORM
        or not isinstance(formula, Coalition)
        or not any(isinstance(one, Fixpoint) for one in tree.because)  # it is shown already
    ):
        return outcome
    from epistrat.engines.witness.play_notes import waiting_in
    from epistrat.engines.witness.scheduled import losing_play
    from epistrat.evidence.defeats import shows_defeats

    if not shows_defeats(formula, system):
        return outcome
    starts = _starts(system, formula.group, tree.state, options.strategies)
    if not starts:
        return outcome
    asked = replace(system, initial=_among(system, starts), formulae=())
    shown: list[Restricted] = []
    claim = ForAll(formula.arg)
    for strategy in _strategies(system, formula.group, lambda *_: list(starts)):
        if system.scheduling is Scheduling.FAIR:
            play = losing_play(restrict(asked, strategy), starts, claim, MOST_STATES)
        else:
            play = _failing(open_(restrict(asked, strategy)), claim)
        if play is None or len(shown) == MOST_STRATEGIES:
            return outcome
        shown.append(Restricted(strategy, play))
    kept = tuple(one for one in tree.because if not isinstance(one, Fixpoint))
    if not shown:
        return outcome
    notes = dict.fromkeys((*outcome.notes, *waiting_in(system, shown[0])))
    return replace(outcome, evidence=replace(tree, because=(*kept, *shown)), notes=tuple(notes))


def _starts(system: System, group: Group, state: State, reading: Strategies) -> list[State]:
    """The states from which one strategy has to succeed; none where that is hard to say."""
    if reading is Strategies.OBJECTIVE:
        return [state]
    if system.fairness:
        return []
    places = system.pooled_view(group)
    try:
        reached = explore(Stepper(system), initial_states(system, MOST_STATES), MOST_STATES).states
    except OutOfBudget:
        return []
    return [one for one in reached if all(one[place] == state[place] for place in places)]


def _among(system: System, states: list[State]) -> Expr:
    """The condition that the state is one of these."""
    terms = Terms()
    return terms.disjunction(
        terms.conjunction(equals(terms, system, place, [value]) for place, value in enumerate(state))
        for state in states
    )


def _failing(session: Session, formula: Formula) -> Tree | None:
    """Evidence that the formula fails; None if there is none."""
    try:
        tree = session.check(formula).evidence
    finally:
        session.close()
    return None if tree is None or tree.holds else tree


def under_strategy(
    outcome: Outcome, formula: Formula, system: System, strategy: UniformStrategy, open_: Callable[[System], Session]
) -> Outcome:
    """The outcome with evidence about the system under the strategy."""
    session = open_(restrict(system, strategy))
    try:
        shown = session.check(formula)
    finally:
        session.close()
    if shown.verdict is not Verdict.HOLDS or shown.evidence is None:
        return outcome
    trees = [_below(tree, strategy) for tree in (shown.evidence, *shown.others)]
    return replace(outcome, evidence=trees[0], others=tuple(trees[1:]), notes=(*outcome.notes, *shown.notes))


def _below(tree: Tree, strategy: UniformStrategy) -> Tree:
    return Tree(tree.state, tree.claim, True, (Restricted(strategy, tree),))


def _strategies(system: System, group: Group, starts: Starts) -> Iterable[UniformStrategy]:
    """The uniform strategies of the group, as far as they differ in what plays from the given states meet; none where states are many."""
    stepper = Stepper(system)
    open_ends: list[Decisions] = [{}]
    while open_ends:
        decisions = open_ends.pop()
        try:
            undecided = _undecided(stepper, group, decisions, starts)
        except OutOfBudget:
            return
        if undecided is None:
            yield _strategy(group, decisions)
        else:
            situation, actions = undecided
            open_ends.extend({**decisions, situation: action} for action in reversed(actions))


def _undecided(
    stepper: Stepper, group: Group, decisions: Decisions, starts: Starts
) -> tuple[Situation, tuple[Act, ...]] | None:
    """A reachable situation in which a member still has a choice, and what it can do there."""
    system = stepper.system
    pending = starts(system, MOST_STATES)
    seen = set(pending)
    followers = [agent for agent in system.agents if agent.name in group.members]
    play = Play(stepper)
    for state in pending:
        done: dict[str, Act | None] = {}
        for agent in followers:
            actions = stepper.choices(agent, state)
            if len(actions) > 1:
                situation = (agent.name, view(system, agent.name, state))
                if situation not in decisions:
                    return situation, actions
                done[agent.name] = decisions[situation]
        steps = play.steps(state, done) or ()
        fresh = dict.fromkeys(step.target for step in steps if step.target not in seen)
        seen.update(fresh)
        pending.extend(fresh)
        if len(seen) > MOST_STATES:
            raise OutOfBudget("too many states")
    return None


def _strategy(group: Group, decisions: Decisions) -> UniformStrategy:
    tables: dict[str, list[tuple[View, Act]]] = {}
    for (name, seen), action in decisions.items():
        tables.setdefault(name, []).append((seen, action))
    return UniformStrategy(group, tuple((name, tuple(rows)) for name, rows in tables.items()))
