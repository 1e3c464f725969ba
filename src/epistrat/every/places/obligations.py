"""What has to be shown that a claim holds for every size from some one on, as questions that have no answer.

An obligation is a list of conditions that cannot all be true.  It is asked of a solver of its own, which is told nothing but these, for a
size that is at least the first.  Theorem 3 of the book's page: what is refuted so is refuted for every such size, since values of one size
at the places that were looked at would be an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3

from epistrat.every.places.claims import Claim, Goal
from epistrat.every.places.clauses import Clause, here
from epistrat.every.places.family import ENVIRONMENT, Cell, Env, Family, Moment, Outside, equal
from epistrat.every.places.first_order import AllOf, Condition, Ground, Place, opposite
from epistrat.every.places.reading import Eyes, Reader, indices
from epistrat.every.places.steps import Steps
from epistrat.lang.templates.tree import AgentTree, Listed, Whom
from epistrat.records import dataclass

_WORK = 4_000_000  # of Z3's own count, for one obligation
MOST_PLACES = 40  # of a question, without neighbours
_LEVELS = ((0, False), (0, True), (1, True), (2, True))  # see `Ground.told`: few places mostly do


@dataclass(frozen=True, slots=True)
class Obligation:
    """What cannot be, in words, and the conditions; ``places`` are looked at first."""

    meaning: str
    conditions: tuple[Condition, ...]
    places: tuple[Place, ...] = ()


class Obligations:
    """Makes obligations about one family, from size ``least`` on, and asks them."""

    def __init__(self, family: Family, least: int, tick: Callable[[], None] = lambda: None) -> None:
        self.family, self.least = family, least
        self.reader = Reader(family)
        self.steps = Steps(self.reader)
        self.now, self.later, self.other = (Moment(family, name) for name in ("s", "s'", "t"))
        self.tick = tick
        self._shifts = family.shifts()
        self._ground = Ground(family.context, self._near, lambda: self.tick())
        moments = (self.now, self.later, self.other)
        positions = [place for moment in moments for place in family.positions(moment)]
        self._ends = (family.whole(1), family.size, *positions)
        self._start, self._step = self.steps.initial(self.now), self.steps.step(self.now, self.later)
        self._types = {moment.name: family.types(moment) for moment in (self.now, self.other)}
        self._known: dict[tuple[Clause, str], Condition] = {}
        named = [z3.Int(name, family.context) for name in ("x", "y")]
        self._usual = self._ground.places(self.stepping(), (*self._ends, *named), 1)

    def refuted(self, obligation: Obligation) -> bool:
        """Whether the conditions cannot all be true; False also where the solver cannot tell."""
        for rounds, near in _LEVELS:
            fixed = self._ground.places(obligation.conditions, (*self._ends, *obligation.places), rounds)
            if len(fixed) > MOST_PLACES:
                return False
            if self.solver(obligation.conditions, fixed, 0, near).check() == z3.unsat:
                return True
        return False

    def needed(self, obligation: Obligation, clauses: Sequence[Clause]) -> list[Clause] | None:
        """Which of the clauses, which hold in every reachable state, make the conditions impossible; None: not even all."""
        for rounds, near in _LEVELS:
            there = self.reached([one for one in clauses if one.side == "some"], self.now)[1:]
            there += self.reached([one for one in clauses if one.side == "some"], self.other)[1:]
            fixed = self._ground.places((*obligation.conditions, *there), (*self._ends, *obligation.places), rounds)
            if len(fixed) > MOST_PLACES:
                return None
            solver = self.solver(obligation.conditions, fixed, 0, near)
            literals = {}
            for number, one in enumerate(clauses):
                literal = z3.Bool(f"on {number}", self.family.context)
                literals[literal.get_id()] = one, literal
                said = [self.reached([one], moment)[-1] for moment in (self.now, self.other)]
                solver.add(*[z3.Implies(literal, term) for term in self._ground.told(said, fixed, 0, near)])
            if solver.check(*[literal for _, literal in literals.values()]) == z3.unsat:
                return [literals[literal.get_id()][0] for literal in solver.unsat_core()]
        return None

    def solver(self, conditions: Sequence[Condition], fixed: Sequence[Place], rounds: int, near: bool) -> Any:
        """A new solver that was told the conditions."""
        self.tick()
        solver = z3.Solver(ctx=self.family.context)
        solver.set("rlimit", _WORK)
        solver.add(self.family.size >= self.least)
        solver.add(*self._ground.told(conditions, (*self._ends, *fixed), rounds, near))
        return solver

    def told(self, conditions: Sequence[Condition], places: Sequence[Place]) -> list[Any]:
        """What a solver is told of conditions at these places."""
        return self._ground.told(conditions, places, 0)

    def usual(self, clauses: Sequence[Clause]) -> tuple[Place, ...]:
        """The places x and y, those of a step, and those of which clauses say that they exist."""
        there = self.reached([one for one in clauses if one.side == "some"], self.now)
        return self._ground.places(there, self._usual, 0)

    def stepping(self) -> tuple[Condition, ...]:
        """A step from a state."""
        return self._types[self.now.name], self._step

    def _near(self, place: Place) -> Iterator[Place]:
        """The neighbours of a place."""
        shifts, turned = self._shifts
        size, one = self.family.size, self.family.whole(1)
        for shift in shifts:
            before, behind = place - shift, place + shift
            if turned:
                before = z3.If(before < one, before + size, before)
                behind = z3.If(behind > size, behind - size, behind)
            yield z3.simplify(before)
            yield z3.simplify(behind)

    # invariants

    def invariant(self, clauses: Sequence[Clause]) -> Iterator[Obligation]:
        """The clauses hold at the start, and no step leaves them."""
        for clause in clauses:
            yield self.starts(clause)
            yield self.stays(clauses, clause)

    def starts(self, clause: Clause) -> Obligation:
        """An initial state satisfies the clause."""
        wrong = clause.denied(self.family, self.now)
        return Obligation(f"an initial state violates: {clause}", (self._start, wrong), self._places(clause))

    def stays(self, clauses: Sequence[Clause], clause: Clause) -> Obligation:
        """A step from where all clauses hold leads to where this one does."""
        return Obligation(
            f"a step violates: {clause}",
            (
                *self.reached(clauses, self.now),
                self._step,
                clause.denied(self.family, self.later),
            ),
            self._places(clause),
        )

    def _places(self, clause: Clause) -> tuple[Place, ...]:
        return tuple(here(self.family, clause.side))

    def reached(self, clauses: Sequence[Clause], moment: Moment) -> tuple[Condition, ...]:
        """What is known of every reachable state."""
        for one in clauses:
            if (one, moment.name) not in self._known:
                self._known[one, moment.name] = one.truth(self.family, moment)
        return self._types[moment.name], *[self._known[one, moment.name] for one in clauses]

    # claims

    def of(self, claim: Claim, clauses: Sequence[Clause]) -> list[Obligation]:
        """The obligations of a claim, with clauses that are invariant; raises `Outside` where there is no rule for it."""
        interleaved = self.family.template.interleaved
        match claim.goal:
            case Goal.HOLDS:
                return [self._holds(claim, clauses)]
            case Goal.KNOWS:
                return [self._knows(claim, clauses)]
            case Goal.NEXT if not interleaved:
                return [self._next(claim, clauses)]
            case Goal.LASTS:
                return list(self._lasts(claim, clauses))
        raise Outside(_NO_RULE[claim.goal], claim.fact.at)

    def _where(
        self, claim: Claim, clauses: Sequence[Clause], moment: Moment, says: Callable[[Env], Condition]
    ) -> list[Condition]:
        """A state of the claim in which its premise holds, and what is said of its members."""
        family = self.family
        state = self._start if claim.first else AllOf(self.reached(clauses, moment))

        def premises(env: Env) -> Condition:
            eyes = Eyes(moment, env)
            return AllOf((*[self.reader.truth(one, eyes) for one in claim.premise], says(env)))

        return [state, family.somewhere(claim.scopes, family.env(), premises)]

    def _holds(self, claim: Claim, clauses: Sequence[Clause]) -> Obligation:
        wrong = self._where(
            claim, clauses, self.now, lambda env: opposite(self.reader.truth(claim.fact, Eyes(self.now, env)))
        )
        return Obligation("a state in which it does not hold", tuple(wrong))

    def _knows(self, claim: Claim, clauses: Sequence[Clause]) -> Obligation:
        assert claim.who is not None
        who = claim.who

        def says(env: Env) -> Condition:
            return AllOf(
                (
                    self.alike(who, env, self.now, self.other),
                    opposite(self.reader.truth(claim.fact, Eyes(self.other, env))),
                )
            )

        wrong = self._where(claim, clauses, self.now, says)
        return Obligation(
            "a state that looks the same, in which it does not hold", (*wrong, *self.reached(clauses, self.other))
        )

    def _next(self, claim: Claim, clauses: Sequence[Clause]) -> Obligation:
        wrong = self._where(
            claim, clauses, self.now, lambda env: opposite(self.reader.truth(claim.fact, Eyes(self.later, env)))
        )
        return Obligation("a step to where it does not hold", (*wrong, self._step))

    def _lasts(self, claim: Claim, clauses: Sequence[Clause]) -> Iterator[Obligation]:
        """The fact holds where the premise does, and no step leaves it."""
        yield self._holds(claim, clauses)
        family = self.family

        def leaves(env: Env) -> Condition:
            here = self.reader.truth(claim.fact, Eyes(self.now, env))
            return AllOf((here, opposite(self.reader.truth(claim.fact, Eyes(self.later, env)))))

        yield Obligation(
            "a step from where it holds to where it does not",
            (
                *self.reached(clauses, self.now),
                self._step,
                family.somewhere(claim.scopes, family.env(), leaves),
            ),
        )

    # what agents see

    def alike(self, who: Whom, env: Env, one: Moment, other: Moment) -> Condition:
        """Two moments look the same to an agent; to several who put together what they see."""
        parts = []
        for agent, places in self.members(who, env):
            own = {**self.family.env(), **dict(zip(indices(agent.scopes), places, strict=True))}
            parts += [self._same(cell, own, one, other) for cell in self.family.cells.values() if cell.agent is agent]
            parts += self._observed(agent, own, one, other)
        return AllOf(tuple(parts))

    def members(self, who: Whom, env: Env) -> list[tuple[AgentTree, list[Place]]]:
        """The agents that are named, with their places; raises `Outside` where they are a family."""
        found = []
        for one in who.names:
            agent = self.family.agents.get(one.name.word)
            if agent is None or one.scope is not None:
                raise Outside("knowledge of a group that grows")
            found.append((agent, [self.family.place(index, env) for index in one.name.indices]))
        return found

    def _same(self, cell: Cell, env: Env, one: Moment, other: Moment) -> Condition:
        """A cell of an agent holds the same, whatever its own indices are."""
        return self.family.everywhere(
            cell.declared.scopes,
            env,
            lambda inner: equal(self.family.of(one, cell, inner), self.family.of(other, cell, inner)),
        )

    def _observed(self, agent: AgentTree, env: Env, one: Moment, other: Moment) -> list[Condition]:
        """What an agent sees of the Environment."""
        environment = self.family.agents.get(ENVIRONMENT)
        if environment is None or agent is environment:
            return []
        public = [Cell(environment, declared) for declared in environment.public]
        return [
            *[self._same(cell, env, one, other) for cell in public],
            *[self._entry(entry, env, one, other) for entry in agent.observes],
        ]

    def _entry(self, entry: Listed, env: Env, one: Moment, other: Moment) -> Condition:
        cell = self.family.cells[ENVIRONMENT, entry.name.word]

        def says(inner: Env) -> Condition:
            places = [self.family.place(index, inner) for index in entry.name.indices]
            return equal(one.value(cell, places), other.value(cell, places))

        return says(env) if entry.scope is None else self.family.everywhere((entry.scope,), env, says)


_NO_RULE = {
    Goal.COMMON: "there is no rule for common knowledge",
    Goal.NEXT: "there is no rule for the next step where members take turns",
    Goal.SOME_NEXT: "there is no rule for what some step leads to",
    Goal.REACHES: "there is no rule for what a run can lead to",
    Goal.COMES: "there is no rule for what every run leads to",
}
