"""Is a premise of a proof violated?  Decided by going through states one by one, without a solver and without `epistrat.evidence`.

A finite system's states are all looked at.  Of an infinite one, states of a concrete prefix of its runs, states near them, and states
with small numbers and numbers that the model mentions: a violation that is found there is one; where none is found nothing is said.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from math import prod

from tests.evidence.forgeries.case import Case
from tests.evidence.forgeries.values import values_of

from epistrat.answers import Strategies
from epistrat.evidence import Descent, Enforced, Invariant, Place, Region, RuleStrategy
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.initial import initial_states
from epistrat.model.state import Act, Joint, State, actions_of
from epistrat.model.step import Step, Stepper
from epistrat.model.system import Blocking
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Expr, Value

MOST_STATES = 3_000
OTHER_STARTS = "another initial state"


class Premises:
    """Looks for violated premises of the proof at the root of a case."""

    def __init__(self, case: Case, rng: random.Random) -> None:
        self._case = case
        self._system = case.system
        self._rng = rng
        self._stepper = Stepper(case.system)
        self._holds = self._stepper.evaluator.holds

    @cached_property
    def _states(self) -> list[State]:
        domains = [values_of(self._system, place) for place in range(len(self._system.variables))]
        if prod(map(len, domains)) <= MOST_STATES:
            found = list(product(*domains))
        else:
            found = [tuple(self._rng.choice(domain) for domain in domains) for _ in range(MOST_STATES // 2)]
        return list(dict.fromkeys([*self._prefix(), *found]))

    def _prefix(self) -> Iterator[State]:
        """States that can be reached, and others that differ from them in one place."""
        try:
            pending = initial_states(self._system, 200, Budget(seconds=2))
        except OutOfBudget:
            pending = []
        pending = [*pending, self._case.tree.state]
        seen = dict.fromkeys(pending)
        while pending and len(seen) < 300:
            for step in self._stepper.successors(pending.pop(0)):
                if step.target not in seen:
                    seen[step.target] = None
                    pending.append(step.target)
        yield from seen
        for state in list(seen)[:100]:
            for place in range(len(state)):
                value = self._rng.choice(values_of(self._system, place))
                yield (*state[:place], value, *state[place + 1 :])

    # Which premises there are

    def broken(self) -> str | None:
        """A premise that some state violates, in words."""
        tree, proof = self._case.tree, self._case.proof
        if proof is None:
            return None
        claim = _positive(tree.claim, tree.holds)
        if claim is None:
            return "no such proof"
        starts = [state for state in self._states if self._holds(self._system.initial, state)]
        if isinstance(proof, Invariant):
            wrong = self._invariant(claim, tree.state, proof.condition, starts)
        else:
            wrong = self._region(claim, tree.state, proof, starts if tree.holds else [])
        if wrong is not None and isinstance(claim, logic.Coalition) and self._wins(claim, starts):
            return None
        return wrong

    def _invariant(self, claim: Formula, state: State, inside: Expr, starts: list[State]) -> str | None:
        if not self._holds(inside, state) or not all(self._holds(inside, one) for one in starts):
            return "an initial state"
        within = [one for one in self._states if self._holds(inside, one)]
        for one in within:
            if not all(self._holds(inside, step.target) for step in self._stepper.successors(one)):
                return "a step"
        goal = claim.arg.arg if isinstance(claim, logic.ForAll) and isinstance(claim.arg, logic.Globally) else None
        goal = claim.arg if isinstance(claim, (*logic.KNOWLEDGE, logic.Correct)) else goal
        if goal is None:
            return "no such proof"
        if not is_condition(goal):
            return None
        wanted = as_condition(self._system, goal)
        bad = [one for one in within if not self._holds(wanted, one)]
        match claim:
            case logic.ForAll() | logic.Common():
                return "the conclusion" if bad else None
            case logic.Correct(agent):
                green = as_condition(self._system, logic.Colour(agent, green=True))
                return "the conclusion" if any(self._holds(green, one) for one in bad) else None
            case logic.Knows(agent):
                views = [self._system.views[agent]]
            case logic.Everybody(group):
                views = [self._system.views[member] for member in group.members]
            case logic.Distributed(group):
                views = [self._system.pooled_view(group)]
            case _:
                return None
        for view in views:
            doubtful = {_seen(view, one) for one in bad}
            if _seen(view, state) in doubtful:
                return "the conclusion"
            if any(_seen(view, one) in doubtful for one in starts):
                return OTHER_STARTS
        return None

    def _region(self, claim: Formula, state: State, proof: Region | Descent, starts: list[State]) -> str | None:
        if not self._provable(claim, proof):
            return "no such proof"
        hold, goal = _operands(claim)
        lasting = isinstance(getattr(claim, "arg", None), logic.Globally)
        if not is_condition(hold) or not is_condition(goal):
            return None
        places = (
            proof.places
            if isinstance(proof, Descent)
            else (Place(proof.condition, () if proof.measure is None else (proof.measure,)),)
        )
        if not lasting and isinstance(proof, Region) and proof.measure is None:
            return "no measure"
        if len({len(place.measures) for place in places}) > 1:
            return "measures of different lengths"
        met, kept = as_condition(self._system, goal), as_condition(self._system, hold)
        whole = isinstance(proof, Region)
        if self._size(places, met, state) is None:
            return "the state"
        if any(self._size(places, met, one) is None for one in starts):
            return OTHER_STARTS
        if isinstance(claim, logic.Coalition):
            wrong = self._rules(claim.group)
            if wrong is not None:
                return wrong
        for one in self._states:
            size = self._size(places, met, one)
            if size is None or size == "met":
                continue
            if not self._holds(kept, one):
                return "the left operand"
            if not lasting and not _numbers(size, whole):
                return "a measure"
            wrong = self._steps(claim, one, places, met, lasting)
            if wrong is not None:
                return wrong
        return None

    def _provable(self, claim: Formula, proof: Region | Descent) -> bool:
        """Whether there are such proofs of such claims."""
        if not isinstance(claim, (logic.ForAll, logic.Exists, logic.Coalition)):
            return False
        lasting = isinstance(claim.arg, logic.Globally)
        if not isinstance(claim.arg, (logic.Globally, logic.Finally, logic.Until)):
            return False
        if isinstance(claim, logic.Exists) and (self._system.fairness or (claim.star and not lasting)):
            return False
        return not (lasting and isinstance(proof, Descent))

    def _size(self, places: tuple[Place, ...], met: Expr, state: State) -> tuple[object, ...] | str | None:
        """The measures in a state; "met" where the goal is met; None outside."""
        if self._holds(met, state):
            return "met"
        for place in places:
            if self._holds(place.condition, state):
                return tuple(self._stepper.evaluator.value(one, state) for one in place.measures)
        return None

    def _steps(self, claim: Formula, state: State, places: tuple[Place, ...], met: Expr, lasting: bool) -> str | None:
        before = self._size(places, met, state)

        def good(target: State) -> bool:
            after = self._size(places, met, target)
            if after is None or lasting or after == "met":
                return after is not None
            return isinstance(before, tuple) and isinstance(after, tuple) and _falls(before, after)

        match claim:
            case logic.Exists():
                targets = [step.target for step in self._stepper.successors(state)]
                return None if any(map(good, targets)) else "some step"
            case logic.Coalition(group):
                targets_left = self._left(group, state)
                if targets_left is None:
                    return "somebody cannot act"
                return None if all(map(good, targets_left)) else "a step under the rules"
            case _:
                targets = [step.target for step in self._stepper.successors(state)]
                return None if all(map(good, targets)) else "a step"

    # Groups

    def _rules(self, group: logic.Group) -> str | None:
        beside = self._case.rules
        if beside is None or not isinstance(beside.strategy, RuleStrategy):
            return "no rules"
        if set(beside.strategy.group.members) != set(group.members):
            return "rules of others"
        if not {name for name, _ in beside.strategy.rules} <= set(group.members):
            return "rules of others"
        if self._case.certificate.reading is Strategies.ANY:
            return None
        for name, _ in beside.strategy.rules:
            view = self._system.views[name]
            done: dict[tuple[Value, ...], Act | None] = {}
            for state in self._states:
                act = self._act(name, state)
                if done.setdefault(_seen(view, state), act) != act:
                    return "what an agent sees"
        return None

    def _wins(self, claim: logic.Coalition, starts: list[State]) -> bool:
        """Whether the rules win where they are simply played, or may win (too many states): then no proof is needed."""
        if self._rules(claim.group) is not None or not isinstance(
            claim.arg, (logic.Finally, logic.Until, logic.Globally)
        ):
            return False
        hold, goal = _operands(claim)
        if not is_condition(goal) or not is_condition(hold):
            return True
        met, kept = as_condition(self._system, goal), as_condition(self._system, hold)
        graph: dict[State, list[State]] = {}
        pending = [self._case.tree.state, *starts]
        while pending:
            state = pending.pop()
            if state in graph or self._holds(met, state):
                continue
            targets = self._left(claim.group, state)
            if targets is None or not self._holds(kept, state):
                return False
            if len(graph) > MOST_STATES:
                return True
            graph[state] = targets
            pending += targets
        return isinstance(claim.arg, logic.Globally) or _ends(graph)

    def _act(self, name: str, state: State) -> Act | None:
        """What the rules say, if the agent may do it."""
        beside = self._case.rules
        assert isinstance(beside, Enforced) and isinstance(beside.strategy, RuleStrategy)
        table = dict(beside.strategy.rules).get(name, ())
        act = next((act for when, act in table if self._holds(when, state)), None)
        return act if act in self._stepper.choices(self._system.agent[name], state) else None

    def _left(self, group: logic.Group, state: State) -> list[State] | None:
        """Where the rules can lead, with a perfectly informed choice of what they leave open; None where somebody cannot act."""
        agents = self._system.agents
        chosen = {
            place: self._act(agent.name, state) for place, agent in enumerate(agents) if agent.name in group.members
        }

        def lets(joint: Joint) -> bool:
            return all(
                act is None or joint[place] is None or joint[place] in actions_of(act) for place, act in chosen.items()
            )

        steps = [step for step in self._stepper.steps(state) if lets(step.joint)]
        targets = [step.target for step in steps]
        if not self._system.interleaved:
            if not all(self._stepper.allowed(agent, state) for agent in agents if agent.actions):
                return None
            return targets
        if not steps or (self._system.blocking is Blocking.ADVERSARY and self._blocked(group, state, steps)):
            targets.append(state)
        return targets

    def _blocked(self, group: logic.Group, state: State, steps: list[Step]) -> bool:
        """Whether the others can choose so that none of the steps is left."""
        others = [
            (place, self._stepper.choices(agent, state) or (None,))
            for place, agent in enumerate(self._system.agents)
            if agent.name not in group.members and agent.actions
        ]
        for choice in islice(product(*[options for _, options in others]), 200):
            made = {place: actions_of(act) for (place, _), act in zip(others, choice, strict=True)}
            if not any(
                all(step.joint[place] is None or step.joint[place] in acts for place, acts in made.items())
                for step in steps
            ):
                return True
        return False


def _ends(graph: dict[State, list[State]]) -> bool:
    """Whether all runs leave the graph: what leads only to states that do is taken away, until nothing is left."""
    left = dict(graph)
    while True:
        done = [state for state, targets in left.items() if not any(target in left for target in targets)]
        if not done:
            return not left
        for state in done:
            del left[state]


def _operands(claim: Formula) -> tuple[Formula, Formula]:
    """What must stay true until the goal is met, and the goal, which for G is never."""
    match getattr(claim, "arg", None):
        case logic.Globally(hold):
            return hold, logic.Truth(False)
        case logic.Until(hold, goal):
            return hold, goal
        case logic.Finally(goal):
            return logic.Truth(True), goal
        case _:
            raise ValueError("no such proof")


def _positive(claim: Formula, holds: bool) -> Formula | None:
    match claim:
        case _ if holds:
            return claim
        case logic.ForAll(logic.Globally(arg), star):
            return logic.Exists(logic.Finally(logic.Not(arg)), star)
        case logic.ForAll(logic.Finally(arg), star):
            return logic.Exists(logic.Globally(logic.Not(arg)), star)
        case logic.Exists(logic.Globally(arg), star):
            return logic.ForAll(logic.Finally(logic.Not(arg)), star)
        case logic.Exists(logic.Finally(arg), star):
            return logic.ForAll(logic.Globally(logic.Not(arg)), star)
        case _:
            return None


def _seen(view: tuple[int, ...], state: State) -> tuple[Value, ...]:
    return tuple(state[place] for place in view)


def _numbers(size: object, whole: bool) -> bool:
    """Whether measures are finite numbers; that of a region is whole and not below 0."""
    assert isinstance(size, tuple)
    if any(not isinstance(one, (int, Fraction)) for one in size):
        return False
    return not whole or all(Fraction(one).denominator == 1 and one >= 0 for one in size)


def _falls(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    for old, new in zip(before, after, strict=True):
        assert isinstance(old, (int, Fraction))
        if not isinstance(new, (int, Fraction)):
            return False
        if old >= 0 and new <= old - 1:
            return True
        if new > old:
            return False
    return False
