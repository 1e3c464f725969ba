"""What a prover is asked about one fact: that it is true in all states that satisfy an invariant, where other facts may be used.

*Region* r, with the state inside.  For ``AG f``, r entails f and every step stays in r; for ``EG f`` some step does.  For ``AF g`` and
``A(f U g)``, every step from a state in r without g stays in r and makes the measure smaller, which is never below 0 there, and f is
true there; for ``EF`` and ``E U`` some step does.  A coalition's goal is proved like A, in the system whose members follow the rules,
which must be a strategy of the group, and under which time must go on (`evidence.followed`).  E is not proved under fairness, nor
where only infinite paths count, except for G.

*Descent*: the same for F and U, with numbers that depend on the place where a state is.  These may be reals, for they fall by 1 or
more; they must be numbers, so no measure may divide by zero in its place: infinity minus 1 is infinity.

Claims that fail are proved as their opposites: ``EF f`` fails where ``AG !f`` holds.  A coalition fails where, whatever its members are
allowed to choose, some step serves the opposite, and where somebody may do nothing at all.  Common knowledge is true in a set that is
closed under what looks the same to a member, where its body is true.

A formula inside that is no condition on states is a truth value of which only what is known is used: see `evidence.knowing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from epistrat.answers.verdict import Strategies
from epistrat.evidence.followed import Followed, everybody_may_act
from epistrat.evidence.knowing import LookAlikes
from epistrat.evidence.prover import Prover
from epistrat.evidence.strategy import Strategy
from epistrat.evidence.tree import Descent, Fact, Place, Region
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import negation
from epistrat.model.agent import Agent, Variable
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import (
    TRUE,
    Arith,
    Const,
    Expr,
    Operation,
    Real,
    Terms,
    subterms,
    variables,
)

Answer = bool | None
_KEPT = "?kept"


class Player(Enum):
    """Whose steps serve a claim: all, some, those under a strategy, or for every choice of a group some."""

    ALL = "all"
    SOME = "some"
    GROUP = "group"
    OTHERS = "others"


class Aim(NamedTuple):
    """``hold`` is to be true until ``goal`` is met; ``lasting``: the goal need not be met."""

    player: Player
    hold: Formula
    goal: Formula
    lasting: bool


class Obligations:
    """Asks a prover about facts of one system."""

    def __init__(
        self,
        system: System,
        prover: Prover,
        reading: Strategies,
        invariant: Expr = TRUE,
        known: Sequence[Fact] = (),
    ) -> None:
        """``invariant`` and ``known`` have been shown of all reachable states."""
        self._system = system
        self.prover = prover
        self._reading = reading
        self._invariant = invariant
        self._known = known
        self._terms = Terms()

    def shown(self, fact: Fact) -> Iterator[Answer]:
        """Whether the fact is true in all states that satisfy the invariant."""
        match fact.reason:
            case None:
                yield self.entailed(fact.where, fact.claim, fact.holds)
            case Region(condition) if isinstance(fact.claim, logic.Common):
                yield self._follows(fact.where, condition)
                yield from self._linked(fact, condition)
            case Region() | Descent():
                yield self._follows(fact.where, self.inside(fact.claim, fact.holds, fact.reason))
                yield from self.steps(fact.claim, fact.holds, fact.reason, fact.strategy)

    def entailed(self, premise: Expr, claim: Formula, holds: bool) -> Answer:
        """Whether the claim holds (or fails) wherever the premise is true, by what is known."""
        copies = self._copies()
        truth = copies.truth(claim)
        if truth is None:
            return None
        conclusion = truth if holds else self._terms.negate(truth)
        return _told(copies, self.prover.entails(copies.system, self._premises(copies, premise), conclusion))

    def inside(self, claim: Formula, holds: bool, reason: Region | Descent) -> Expr:
        """The states that a reason speaks of; a goal that is a condition counts as met."""
        if isinstance(reason, Region):
            return reason.condition
        aim = aim_of(claim, holds)
        copies = self._copies()
        met = None if aim is None else copies.truth(aim.goal)
        goal = [met] if met is not None and not copies.needed else []
        return self._terms.disjunction([*goal, *(place.condition for place in reason.places)])

    def steps(
        self, claim: Formula, holds: bool, reason: Region | Descent, strategy: Strategy | None
    ) -> Iterator[Answer]:
        """Whether the steps that serve the claim, from the states of a region or a descent, lead where they should."""
        aim = aim_of(claim, holds)
        possible = False if aim is None else self._possible(claim, aim, reason, strategy)
        if aim is None or not possible:
            yield possible
            return
        copies = self._copies()
        hold, goal = copies.truth(aim.hold), copies.truth(aim.goal)
        if hold is None or goal is None:
            yield None
            return
        moves = _Moves(self, claim, aim.player, strategy, copies.system, aim.lasting)
        known = self._premises(copies, TRUE)
        match reason:
            case Region():
                answers = self._region(moves, reason, known, hold, goal)
            case Descent():
                answers = self._descent(moves, reason, known, hold, goal)
        yield from (_told(copies, answer) for answer in answers)

    # What may be used

    def _copies(self) -> LookAlikes:
        return LookAlikes(self._system, self._invariant, self._known)

    def _premises(self, copies: LookAlikes, premise: Expr) -> Expr:
        return self._terms.conjunction((self._invariant, premise, *copies.facts))

    def _follows(self, premise: Expr, conclusion: Expr) -> Answer:
        inside = self._terms.conjunction((self._invariant, premise))
        return self.prover.entails(self._system, inside, conclusion)

    def _possible(self, claim: Formula, aim: Aim, reason: Region | Descent, strategy: Strategy | None) -> Answer:
        """Whether such a claim can be proved so at all; this is asked even where no step has to be looked at."""
        if aim.lasting and isinstance(reason, Descent):
            return False
        open_end = getattr(claim, "star", False) and aim != aim._replace(goal=logic.Truth(False), lasting=True)
        match aim.player:
            case Player.ALL:
                return True
            case Player.SOME:
                return None if self._system.fairness or open_end else True
            case Player.GROUP:
                return self.followed(claim, strategy).suits()
            case Player.OTHERS:
                return None if self._system.fairness or self._system.interleaved else True

    def followed(self, claim: Formula, strategy: Strategy | None) -> Followed:
        """The rules that a coalition's claim rests on."""
        return Followed(self._system, logic.Group(_members(claim)), strategy, self._reading)

    # Regions and descents

    def _region(self, moves: _Moves, reason: Region, known: Expr, hold: Expr, goal: Expr) -> Iterator[Answer]:
        terms = self._terms
        still = terms.conjunction((reason.condition, known, terms.negate(goal)))
        yield self.prover.entails(moves.system, still, hold)
        if not moves.lasting:
            yield self._well_founded(moves.system, still, reason.measure)
        yield from moves.lead(moves.system, still, reason.condition, None if moves.lasting else reason.measure)

    def _well_founded(self, system: System, still: Expr, measure: Expr | None) -> Answer:
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
        return self.prover.entails(system, still, self._terms.compare("<=", self._terms.number(0), measure))

    def _descent(self, moves: _Moves, reason: Descent, known: Expr, hold: Expr, goal: Expr) -> Iterator[Answer]:
        """From each place, steps lead to the goal or to smaller measures; the old ones are kept in variables that nobody changes."""
        width = max((len(place.measures) for place in reason.places), default=0)
        if any(len(place.measures) != width for place in reason.places):
            yield False
            return
        terms = self._terms
        kept = [Variable(_KEPT, f"measure{number}", Real()) for number in range(width)]
        grown = replace(moves.system, agents=(*moves.system.agents, Agent(_KEPT, variables=tuple(kept))))
        taken: list[Expr] = []
        own: list[tuple[Expr, Place]] = []
        for place in reason.places:
            own.append((terms.conjunction((place.condition, *map(terms.negate, taken))), place))
            taken.append(place.condition)
        smaller = [terms.conjunction((here, self._smaller(place.measures, kept))) for here, place in own]
        met = [goal] if variables(goal) <= set(self._system.position) else []  # else a place says where it is met
        target = terms.disjunction([*met, *smaller])
        for here, place in own:
            first = terms.conjunction((here, known, terms.negate(goal)))
            yield self.prover.entails(moves.system, first, hold)
            yield self.prover.entails(moves.system, first, self._defined(place.measures))
            equal = [terms.compare("=", one.reference, part) for one, part in zip(kept, place.measures, strict=True)]
            yield from moves.lead(grown, terms.conjunction((first, *equal)), target, None)

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

    # Knowledge

    def _linked(self, fact: Fact, condition: Expr) -> Iterator[Answer]:
        """In the set the body is true, and whatever looks the same to a member is in it."""
        assert isinstance(fact.claim, logic.Common)
        if not fact.holds:
            yield False
            return
        yield self.entailed(condition, fact.claim.arg, True)
        for member in fact.claim.group.members:
            copies = self._copies()
            there, alike = copies.twin(self._system.views[member])
            before = self._premises(
                copies, self._terms.conjunction((condition, alike, copies.at(self._invariant, there)))
            )
            yield self.prover.entails(copies.system, before, copies.at(condition, there))


class _Moves:
    """The steps that serve one claim, as questions to the prover."""

    def __init__(
        self,
        asked: Obligations,
        claim: Formula,
        player: Player,
        strategy: Strategy | None,
        system: System,
        lasting: bool,
    ) -> None:
        self.system = system
        self.lasting = lasting
        self._asked = asked
        self._claim = claim
        self._player = player
        self._strategy = strategy

    def lead(self, system: System, still: Expr, region: Expr, measure: Expr | None) -> Iterator[Answer]:
        """Whether the steps that matter lead from ``still`` into the region, in this system or one with more variables."""
        prover = self._asked.prover
        match self._player:
            case Player.ALL:
                yield prover.every_step(system, still, region, measure)
            case Player.SOME:
                yield prover.some_step(system, still, region, measure)
            case Player.OTHERS:
                members = _members(self._claim)
                acting = everybody_may_act(system)  # where somebody cannot, no choice of the group leads anywhere
                still = Terms().conjunction((still, acting))
                yield None if measure is not None else prover.answered(system, members, still, region)
            case Player.GROUP:
                followed = self._asked.followed(self._claim, self._strategy)
                narrowed = followed.narrowed(system)
                yield prover.every_step(narrowed, still, region, measure)
                yield from followed.goes_on(prover, narrowed, still, self.lasting)


def aim_of(claim: Formula, holds: bool) -> Aim | None:
    """What regions and descents have to show for a claim; None for claims that they do not prove."""
    match claim:
        case logic.ForAll():
            player = Player.ALL if holds else Player.SOME
        case logic.Exists():
            player = Player.SOME if holds else Player.ALL
        case logic.Coalition():
            player = Player.GROUP if holds else Player.OTHERS
        case _:
            return None
    true, false = logic.Truth(True), logic.Truth(False)
    match claim.arg, holds:
        case logic.Globally(f), True:
            return Aim(player, f, false, True)
        case logic.Globally(f), False:
            return Aim(player, true, negation(f), False)
        case logic.Finally(f), True:
            return Aim(player, true, f, False)
        case logic.Finally(f), False:
            return Aim(player, negation(f), false, True)
        case logic.Until(f, g), True:
            return Aim(player, f, g, False)
        case logic.Until(f, g), False:
            return Aim(player, negation(g), logic.And((negation(f), negation(g))), True)
        case _:
            return None


def _told(copies: LookAlikes, answer: Answer) -> Answer:
    """An answer; where not all is known of what it depends on, that something does not follow tells nothing."""
    return None if copies.needed and not answer else answer


def _members(claim: Formula) -> tuple[str, ...]:
    assert isinstance(claim, logic.Coalition)
    return claim.group.members
