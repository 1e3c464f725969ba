"""Proofs about infinitely many states: what a prover is asked so that an invariant, a region or a derivation shows a claim.

*Invariant* c: all initial states satisfy c, and every step from a state in c ends in c.  Then ``AG f`` holds where c entails f; an agent
knows f in a state where c, together with what the agent sees there, entails f; and so on.  Knowledge in f: see `evidence.knowing`.

The invariant itself is proved for all reachable states, whichever the tree is about; what somebody knows is proved for what is seen in
the tree's state, and `Proofs.starts` asks again for what is seen in the other initial states.

*Region* and *descent*: see `evidence.obligations`.

*Derivation*: an invariant, and facts about parts of the claim in all states that satisfy it, each shown with the help of those before it.
The claim follows from them in the state, or, for `Proofs.starts`, in every initial state.

All conditions and measures speak of variables of the system alone, and are evaluated with values of their domains.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.verdict import Strategies
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.followed import speaks_of_states
from epistrat.evidence.knowing import LookAlikes
from epistrat.evidence.obligations import Obligations, aim_of
from epistrat.evidence.prover import Prover
from epistrat.evidence.shapes import positive
from epistrat.evidence.tree import Derivation, Descent, Enforced, Invariant, Region, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.records import replace
from epistrat.terms import TRUE, Expr, Sort, Terms

Answer = bool | None
Proof = Invariant | Region | Descent | Derivation


class Proofs:
    """Re-proves invariants and regions of one system; without a prover nothing can be told."""

    def __init__(self, system: System, prover: Prover | None, reading: Strategies = Strategies.ANY) -> None:
        self._system = system
        self._reading = reading
        self._prover = prover
        self._conditions = StateConditions(system)
        self._terms = Terms()
        self._shown: dict[tuple[Tree, Proof], Answer] = {}

    def shows(self, tree: Tree, reason: Proof) -> Answer:
        """Whether the reason shows the claim; None: cannot tell."""
        if (tree, reason) not in self._shown:
            self._shown[tree, reason] = self._shows(tree, reason)
        return self._shown[tree, reason]

    def _shows(self, tree: Tree, reason: Proof) -> Answer:
        if not self._is_written_well(reason) or not Evaluator(self._system).holds(
            self._inside(tree, reason), tree.state
        ):
            return False
        if self._prover is None:
            return None
        match reason:
            case Invariant(condition):
                claim = positive(tree.claim, tree.holds)
                if claim is None:
                    return False
                return _all(self._invariant(self._prover, replace(tree, claim=claim, holds=True), condition))
            case Region() | Descent():
                strategies = [one.strategy for one in tree.because if isinstance(one, Enforced)]
                asked = Obligations(self._system, self._prover, self._reading)
                return _all(asked.steps(tree.claim, tree.holds, reason, strategies[0] if strategies else None))
            case Derivation():
                return _all(self._derivation(self._prover, tree, reason))

    def starts(self, tree: Tree, reason: Proof) -> Answer:
        """Whether the reason, which shows the tree's claim in its state, shows it in all initial states; None: cannot tell.

        A region is proved for all states inside, so the initial states must be inside.  What somebody knows depends on what is seen in
        the initial state, so it is asked what any initial state looks like.  The rest of what invariants prove is the same everywhere.
        """
        if self._prover is None or not tree.holds or self.shows(tree, reason) is not True:
            return None
        match reason:
            case Derivation():
                return self._derived(self._prover, reason).entailed(self._system.initial, tree.claim, True)
            case Invariant(condition):
                if not isinstance(tree.claim, (logic.Knows, logic.Everybody, logic.Distributed)):
                    return True
                return _all(self._concluded(self._prover, tree.claim, None, condition))
            case _:
                return self._prover.entails(self._system, self._system.initial, self._inside(tree, reason))

    def _is_written_well(self, reason: Proof) -> bool:
        """Whether conditions are conditions on states, and measures are numbers that states have."""
        conditions, measures = _written(reason)
        return (
            all(condition.sort is Sort.BOOLEAN for condition in conditions)
            and all(measure.sort is Sort.NUMBER for measure in measures)
            and speaks_of_states(self._system, *conditions, *measures)
        )

    def _inside(self, tree: Tree, reason: Proof) -> Expr:
        """The states that a reason speaks of."""
        match reason:
            case Invariant(condition) | Region(condition) | Derivation(condition):
                return condition
            case Descent(places):
                aim = aim_of(tree.claim, tree.holds)
                met = aim is not None and self._conditions.decides(aim.goal)
                goal = [as_condition(self._system, aim.goal)] if aim is not None and met else []
                return self._terms.disjunction([*goal, *(place.condition for place in places)])

    # Derivations

    def _derivation(self, prover: Prover, tree: Tree, reason: Derivation) -> Iterator[Answer]:
        yield from self._inductive(prover, reason.invariant)
        for place, fact in enumerate(reason.facts):
            known = reason.facts[:place]
            yield _all(Obligations(self._system, prover, self._reading, reason.invariant, known).shown(fact))
        here = self._terms.conjunction(
            equals(self._terms, self._system, place, [value]) for place, value in enumerate(tree.state)
        )
        yield self._derived(prover, reason).entailed(here, tree.claim, tree.holds)

    def _derived(self, prover: Prover, reason: Derivation) -> Obligations:
        return Obligations(self._system, prover, self._reading, reason.invariant, reason.facts)

    # Invariants

    def _invariant(self, prover: Prover, tree: Tree, invariant: Expr) -> Iterator[Answer]:
        yield from self._inductive(prover, invariant)
        yield from self._concluded(prover, tree.claim, tree.state, invariant)

    def _inductive(self, prover: Prover, invariant: Expr) -> Iterator[Answer]:
        yield prover.entails(self._system, self._system.initial, invariant)
        yield prover.every_step(self._system, invariant, invariant)

    def _concluded(self, prover: Prover, claim: Formula, state: State | None, invariant: Expr) -> Iterator[Answer]:
        """Whether the claim follows from the invariant in a state; None: in all initial states."""
        copies = LookAlikes(self._system, invariant)
        conclusions = list(self._conclusions(claim, state, copies))
        if not conclusions:
            yield None
        for premise, conclusion in conclusions:
            premises = self._terms.conjunction((invariant, premise, *copies.facts))
            yield prover.entails(copies.system, premises, conclusion)

    def _conclusions(self, claim: Formula, state: State | None, copies: LookAlikes) -> Iterator[tuple[Expr, Expr]]:
        """What, in all reachable states that satisfy the first condition, must satisfy the second; nothing: cannot tell."""
        match claim:
            case logic.ForAll(logic.Globally(goal)):
                pass
            case logic.Knows(_, goal) | logic.Everybody(_, goal) | logic.Distributed(_, goal):
                pass
            case logic.Common(_, goal) | logic.Correct(_, goal):
                pass
            case _:
                return
        conclusion = copies.truth(goal)
        if conclusion is None:
            return
        match claim:
            case logic.ForAll() | logic.Common():
                yield TRUE, conclusion
            case logic.Knows(agent):
                yield self._seen((agent,), state, copies), conclusion
            case logic.Distributed(group):
                yield self._seen(group.members, state, copies), conclusion
            case logic.Everybody(group):
                for member in group.members:
                    yield self._seen((member,), state, copies), conclusion
            case logic.Correct(agent):
                yield as_condition(self._system, logic.Colour(agent, green=True)), conclusion

    def _seen(self, agents: tuple[str, ...], state: State | None, copies: LookAlikes) -> Expr:
        """That the agents together see what they see in the state; None: in some initial state."""
        places = self._system.pooled_view(logic.Group(agents))
        if state is None:
            return copies.looks_initial(places)
        return self._terms.conjunction(equals(self._terms, self._system, place, [state[place]]) for place in places)


def _written(reason: Proof) -> tuple[list[Expr], list[Expr]]:
    """The conditions and the measures that a reason is written with."""
    match reason:
        case Invariant(condition):
            return [condition], []
        case Region(condition, measure):
            return [condition], [] if measure is None else [measure]
        case Descent(places):
            return [place.condition for place in places], [one for place in places for one in place.measures]
        case Derivation(invariant, facts):
            conditions = [invariant, *(fact.where for fact in facts)]
            measures: list[Expr] = []
            for fact in facts:
                if isinstance(fact.reason, (Region, Descent)):
                    more, numbers = _written(fact.reason)
                    conditions, measures = [*conditions, *more], [*measures, *numbers]
            return conditions, measures


def _all(answers: Iterator[Answer]) -> Answer:
    """False if one is False, None if one is None, else True."""
    found: Answer = True
    for answer in answers:
        if answer is False:
            return False
        found = None if answer is None else found
    return found
