"""Proofs about infinitely many states: what a prover is asked so that an invariant or a region shows a claim.

*Invariant* c: all initial states satisfy c, and every step from a state in c ends in c.  Then ``AG f`` holds where c entails f; an agent
knows f in a state where c, together with what the agent sees there, entails f; and so on.  Knowledge in f: see `evidence.knowing`.

The invariant itself is proved for all reachable states, whichever the tree is about; what somebody knows is proved for what is seen in
the tree's state, and `Proofs.starts` asks again for what is seen in the other initial states.

*Region* r, with the state inside.  For ``AG f``, r entails f and every step stays in r; for ``EG f`` some step does.  For ``AF g`` and
``A(f U g)``, every step from a state in r without g stays in r and makes the measure smaller, which is never below 0 there, and f is
true there; for ``EF`` and ``E U`` some step does.  A coalition's goal is proved like A, in the system whose members follow the rules,
which must be a strategy of the group, and under which time must go on (`evidence.followed`).  E is not proved under fairness, nor
where only infinite paths count, except for G.

*Descent*: the same for F and U, with numbers that depend on the place where a state is.  These may be reals, for they fall by 1 or
more; they must be numbers, so no measure may divide by zero in its place: infinity minus 1 is infinity.

All conditions and measures speak of variables of the system alone, and are evaluated with values of their domains.

Claims that fail are turned into their opposites: ``EF f`` fails where ``AG !f`` holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from epistrat.answers.verdict import Strategies
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.followed import Followed, speaks_of_states
from epistrat.evidence.knowing import LookAlikes
from epistrat.evidence.prover import Prover
from epistrat.evidence.tree import Descent, Enforced, Invariant, Place, Region, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import Agent, Variable
from epistrat.model.conditions import as_condition
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.transform.rules import equals
from epistrat.records import replace
from epistrat.terms import FALSE, TRUE, Arith, Const, Expr, Operation, Real, Sort, Terms, subterms, variables

Answer = bool | None
Proof = Invariant | Region | Descent
_KEPT = "?kept"


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
        claim = positive(tree.claim, tree.holds)
        if claim is None or not self._is_written_well(reason):
            return False
        tree = replace(tree, claim=claim, holds=True)
        if not Evaluator(self._system).holds(self._inside(claim, reason), tree.state):
            return False
        if self._prover is None:
            return None
        match reason:
            case Invariant(condition):
                return _all(self._invariant(self._prover, tree, condition))
            case Region():
                return _all(self._region(self._prover, tree, reason))
            case Descent():
                return _all(self._descent(self._prover, tree, reason))

    def starts(self, tree: Tree, reason: Proof) -> Answer:
        """Whether the reason, which shows the tree's claim in its state, shows it in all initial states; None: cannot tell.

        A region is proved for all states inside, so the initial states must be inside.  What somebody knows depends on what is seen in
        the initial state, so it is asked what any initial state looks like.  The rest of what invariants prove is the same everywhere.
        """
        if self._prover is None or not tree.holds or self.shows(tree, reason) is not True:
            return None
        if isinstance(reason, Invariant):
            if not isinstance(tree.claim, (logic.Knows, logic.Everybody, logic.Distributed)):
                return True
            return _all(self._concluded(self._prover, tree.claim, None, reason.condition))
        return self._prover.entails(self._system, self._system.initial, self._inside(tree.claim, reason))

    def _is_written_well(self, reason: Proof) -> bool:
        """Whether conditions are conditions on states, and measures are numbers that states have."""
        match reason:
            case Invariant(condition):
                conditions, measures = [condition], []
            case Region(condition, measure):
                conditions, measures = [condition], [] if measure is None else [measure]
            case Descent(places):
                conditions = [place.condition for place in places]
                measures = [measure for place in places for measure in place.measures]
        return (
            all(condition.sort is Sort.BOOLEAN for condition in conditions)
            and all(measure.sort is Sort.NUMBER for measure in measures)
            and speaks_of_states(self._system, *conditions, *measures)
        )

    def _inside(self, claim: Formula, reason: Proof) -> Expr:
        """The states that a reason speaks of."""
        if not isinstance(reason, Descent):
            return reason.condition
        goal = _operands(claim)[1]
        met = as_condition(self._system, goal) if goal is not None and self._conditions.decides(goal) else FALSE
        return self._terms.disjunction([met, *(place.condition for place in reason.places)])

    # Invariants

    def _invariant(self, prover: Prover, tree: Tree, invariant: Expr) -> Iterator[Answer]:
        yield prover.entails(self._system, self._system.initial, invariant)
        yield prover.every_step(self._system, invariant, invariant)
        yield from self._concluded(prover, tree.claim, tree.state, invariant)

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

    # Regions

    def _region(self, prover: Prover, tree: Tree, reason: Region) -> Iterator[Answer]:
        hold, goal = _operands(tree.claim)
        provable = self._provable(tree) if self._decided(hold, goal) else None
        if not provable:
            yield provable
            return
        still = self._terms.conjunction((reason.condition, self._terms.negate(self._condition(goal))))
        yield prover.entails(self._system, still, self._condition(hold))
        lasting = _lasts(tree.claim)
        if not lasting:
            yield self._well_founded(prover, still, reason.measure)
        yield from self._steps(prover, tree, self._system, still, reason.condition, None if lasting else reason.measure)

    def _decided(self, *formulae: Formula | None) -> bool:
        return all(formula is not None and self._conditions.decides(formula) for formula in formulae)

    def _condition(self, formula: Formula | None) -> Expr:
        assert formula is not None
        return as_condition(self._system, formula)

    # Descents

    def _descent(self, prover: Prover, tree: Tree, reason: Descent) -> Iterator[Answer]:
        """From each place, steps lead to the goal or to smaller measures; the old ones are kept in variables that nobody changes."""
        hold, goal = _operands(tree.claim)
        width = max((len(place.measures) for place in reason.places), default=0)
        if _lasts(tree.claim) or any(len(place.measures) != width for place in reason.places):
            yield False
            return
        provable = self._provable(tree) if self._decided(hold, goal) else None
        if not provable:
            yield provable
            return
        terms = self._terms
        kept = [Variable(_KEPT, f"measure{number}", Real()) for number in range(width)]
        grown = replace(self._system, agents=(*self._system.agents, Agent(_KEPT, variables=tuple(kept))))
        met = self._condition(goal)
        taken: list[Expr] = [met]
        here: list[tuple[Expr, Place]] = []
        for place in reason.places:
            here.append((terms.conjunction((place.condition, *map(terms.negate, taken))), place))
            taken.append(place.condition)
        smaller = [terms.conjunction((first, self._smaller(place.measures, kept))) for first, place in here]
        target = terms.disjunction((met, *smaller))
        for first, place in here:
            yield prover.entails(self._system, first, self._condition(hold))
            yield prover.entails(self._system, first, self._defined(place.measures))
            equal = [terms.compare("=", one.reference, part) for one, part in zip(kept, place.measures, strict=True)]
            yield from self._steps(prover, tree, grown, terms.conjunction((first, *equal)), target, None)

    def _smaller(self, measures: Sequence[Expr], kept: Sequence[Variable]) -> Expr:
        """One measure fell by 1 or more and was not below 0, and none of those before it rose."""
        terms = self._terms
        ways: list[Expr] = []
        level: list[Expr] = []
        for new, variable in zip(measures, kept, strict=True):
            old = variable.reference
            falls = terms.compare("<=", new, terms.arith("-", old, terms.number(1)))
            ways.append(terms.conjunction((*level, terms.compare("<=", terms.number(0), old), falls)))
            level.append(terms.compare("<=", new, old))
        return terms.disjunction(ways)

    def _defined(self, measures: Iterable[Expr]) -> Expr:
        """That no measure divides by zero, so that all of them are finite numbers."""
        terms = self._terms
        divisors = [
            part.right for part in subterms(*measures) if isinstance(part, Arith) and part.op is Operation.DIVIDE
        ]
        return terms.conjunction(terms.compare("<>", divisor, terms.number(0)) for divisor in divisors)

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

    def _provable(self, tree: Tree) -> Answer:
        """Whether regions and descents can prove such a claim at all; this is asked even where no step has to be looked at."""
        match tree.claim:
            case logic.ForAll():
                return True
            case logic.Exists(arg, star):
                open_end = star and not isinstance(arg, logic.Globally)
                return None if self._system.fairness or open_end else True
            case logic.Coalition(group):
                return self._followed(tree, group).suits()
            case _:
                return False

    def _followed(self, tree: Tree, group: logic.Group) -> Followed:
        strategies = [reason.strategy for reason in tree.because if isinstance(reason, Enforced)]
        return Followed(self._system, group, strategies[0] if strategies else None, self._reading)

    def _steps(
        self, prover: Prover, tree: Tree, system: System, still: Expr, region: Expr, measure: Expr | None
    ) -> Iterator[Answer]:
        """Whether the steps that matter lead from ``still`` into the region; assumes that the claim is `_provable`."""
        match tree.claim:
            case logic.ForAll():
                yield prover.every_step(system, still, region, measure)
            case logic.Exists():
                yield prover.some_step(system, still, region, measure)
            case logic.Coalition(group):
                followed = self._followed(tree, group)
                narrowed = followed.narrowed(system)
                yield prover.every_step(narrowed, still, region, measure)
                yield from followed.goes_on(prover, narrowed, still, _lasts(tree.claim))


def positive(claim: Formula, holds: bool) -> Formula | None:
    """A formula that is true where the claim is: itself, or its opposite if it fails; None where no proof is known for that."""
    match claim:
        case _ if holds:
            return claim
        case logic.ForAll(logic.Globally(f), star):
            return logic.Exists(logic.Finally(logic.Not(f)), star)
        case logic.ForAll(logic.Finally(f), star):
            return logic.Exists(logic.Globally(logic.Not(f)), star)
        case logic.Exists(logic.Globally(f), star):
            return logic.ForAll(logic.Finally(logic.Not(f)), star)
        case logic.Exists(logic.Finally(f), star):
            return logic.ForAll(logic.Globally(logic.Not(f)), star)
        case _:
            return None


def _operands(claim: Formula) -> tuple[Formula | None, Formula | None]:
    """What must stay true until the goal is met, and the goal; nothing for operators that regions and descents do not prove."""
    match getattr(claim, "arg", None):
        case logic.Globally(hold):
            return hold, logic.Truth(False)
        case logic.Finally(goal):
            return logic.Truth(True), goal
        case logic.Until(hold, goal):
            return hold, goal
        case _:
            return None, None


def _lasts(claim: Formula) -> bool:
    """Whether something is to be kept for ever, so that no measure is needed."""
    return isinstance(getattr(claim, "arg", None), logic.Globally)


def _all(answers: Iterator[Answer]) -> Answer:
    """False if one is False, None if one is None, else True."""
    found: Answer = True
    for answer in answers:
        if answer is False:
            return False
        found = None if answer is None else found
    return found
