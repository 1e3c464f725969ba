"""Proofs about infinitely many states: what a prover is asked so that an invariant or a region shows a claim.

*Invariant* c: all initial states satisfy c, and every step from a state in c ends in c.  Then ``AG f`` holds where c entails f; an agent
knows f in a state where c, together with what the agent sees there, entails f; and so on.

*Region* r, with the state inside.  For ``AG f``, r entails f and every step stays in r; for ``EG f`` some step does.  For ``AF g`` and
``A(f U g)``, every step from a state in r without g stays in r and makes the measure smaller, which is never below 0 there, and f is
true there; for ``EF`` and ``E U`` some step does.  A coalition's goal is proved like A, in the system whose members follow the rules,
where moreover somebody can always act while the goal is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.verdict import Strategies
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.games import actors
from epistrat.evidence.prover import Prover
from epistrat.evidence.restrict import restrict
from epistrat.evidence.strategy import RuleStrategy, UniformStrategy
from epistrat.evidence.tree import Enforced, Invariant, Region, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.terms import TRUE, Arith, Const, Expr, Operation, Real, Terms, subterms, variables

Answer = bool | None


class Proofs:
    """Re-proves invariants and regions of one system; without a prover nothing can be told."""

    def __init__(self, system: System, prover: Prover | None, reading: Strategies = Strategies.ANY) -> None:
        self._system = system
        self._reading = reading
        self._prover = prover
        self._conditions = StateConditions(system)
        self._terms = Terms()

    def shows(self, tree: Tree, reason: Invariant | Region) -> Answer:
        """Whether the reason shows the claim; None: cannot tell."""
        if not tree.holds:
            return False
        if not Evaluator(self._system).holds(reason.condition, tree.state):
            return False
        if self._prover is None:
            return None
        if isinstance(reason, Invariant):
            return _all(self._invariant(self._prover, tree, reason.condition))
        return _all(self._region(self._prover, tree, reason))

    def starts(self, reason: Invariant | Region) -> Answer:
        """Whether all initial states satisfy the reason's condition, so that it shows its claim in all of them."""
        return (
            None if self._prover is None else self._prover.entails(self._system, self._system.initial, reason.condition)
        )

    # Invariants

    def _invariant(self, prover: Prover, tree: Tree, invariant: Expr) -> Iterator[Answer]:
        yield prover.entails(self._system, self._system.initial, invariant)
        yield prover.every_step(self._system, invariant, invariant)
        conclusions = list(self._conclusions(tree.claim, tree.state))
        if not conclusions:
            yield None
        for premise, conclusion in conclusions:
            yield prover.entails(self._system, self._terms.conjunction((invariant, premise)), conclusion)

    def _conclusions(self, claim: Formula, state: State) -> Iterator[tuple[Expr, Expr]]:
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
        if not self._conditions.decides(goal):
            return
        conclusion = as_condition(self._system, goal)
        match claim:
            case logic.ForAll() | logic.Common():
                yield TRUE, conclusion
            case logic.Knows(agent):
                yield self._seen((agent,), state), conclusion
            case logic.Distributed(group):
                yield self._seen(group.members, state), conclusion
            case logic.Everybody(group):
                for member in group.members:
                    yield self._seen((member,), state), conclusion
            case logic.Correct(agent):
                yield as_condition(self._system, logic.Colour(agent, green=True)), conclusion

    def _seen(self, agents: tuple[str, ...], state: State) -> Expr:
        """That the agents together see what they see in the state."""
        places = self._system.pooled_view(logic.Group(agents))
        return self._terms.conjunction(equals(self._terms, self._system, place, [state[place]]) for place in places)

    # Regions

    def _region(self, prover: Prover, tree: Tree, reason: Region) -> Iterator[Answer]:
        arg = getattr(tree.claim, "arg", None)
        match arg:
            case logic.Globally(hold):
                goal: Formula = logic.Truth(False)
            case logic.Finally(goal):
                hold = logic.Truth(True)
            case logic.Until(hold, goal):
                pass
            case _:
                yield None
                return
        if not self._conditions.decides(hold) or not self._conditions.decides(goal):
            yield None
            return
        met = as_condition(self._system, goal)
        still = self._terms.conjunction((reason.condition, self._terms.negate(met)))
        yield prover.entails(self._system, still, as_condition(self._system, hold))
        if not isinstance(arg, logic.Globally):
            yield self._well_founded(prover, still, reason.measure)
        measure = None if isinstance(arg, logic.Globally) else reason.measure
        yield from self._steps(prover, tree, still, reason.condition, measure)

    def _well_founded(self, prover: Prover, still: Expr, measure: Expr | None) -> Answer:
        """The measure is a whole number and not below 0."""
        if measure is None:
            return False
        real = {variable.key for variable in self._system.variables if isinstance(variable.domain, Real)}
        for part in subterms(measure):
            divides = isinstance(part, Arith) and part.op is Operation.DIVIDE
            if divides or (isinstance(part, Const) and not isinstance(part.value, int)):
                return None
        if variables(measure) & real:
            return None
        return prover.entails(self._system, still, self._terms.compare("<=", self._terms.number(0), measure))

    def _steps(self, prover: Prover, tree: Tree, still: Expr, region: Expr, measure: Expr | None) -> Iterator[Answer]:
        match tree.claim:
            case logic.ForAll():
                yield prover.every_step(self._system, still, region, measure)
            case logic.Exists(star=star) if not self._system.fairness and not (star and measure is not None):
                yield prover.some_step(self._system, still, region, measure)
            case logic.Coalition(group):
                strategies = [reason.strategy for reason in tree.because if isinstance(reason, Enforced)]
                rules = strategies[0] if strategies else None
                if not isinstance(rules, (RuleStrategy, UniformStrategy)) or self._reading is Strategies.SUBJECTIVE:
                    yield None
                elif not set(actors(rules)) <= set(group.members):
                    yield False
                else:
                    narrowed = restrict(self._system, rules)
                    yield prover.every_step(narrowed, still, region, measure)
                    yield prover.some_step(narrowed, still, TRUE)
            case _:
                yield None


def _all(answers: Iterator[Answer]) -> Answer:
    """False if one is False, None if one is None, else True."""
    found: Answer = True
    for answer in answers:
        if answer is False:
            return False
        found = None if answer is None else found
    return found
