"""What a formula means: its operators, written as sets of states.

The definitions are those of docs/semantics.  Path quantifiers range over fair paths where there is fairness; with ``star`` over infinite
ones; otherwise they are CTL's, by preimages.  Knowledge ranges over the states from which such a path starts where there is fairness.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from epistrat.answers.verdict import Strategies
from epistrat.evidence.proof import groups
from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.sets import (
    STEP,
    Again,
    Anywhere,
    Before,
    Either,
    Given,
    Greatest,
    Kind,
    Least,
    Outside,
    Set,
    Through,
    Uniform,
    both,
    outside,
)
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.model.system import System
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr


class Reading(Protocol):
    """What the meaning of formulae needs of a world."""

    system: System

    def where(self, condition: Expr) -> Bdd:
        """The states that satisfy a condition."""

    def some_path(self, body: Formula, meaning: Meaning) -> Set:
        """``E body`` over infinite (fair) paths, for a body that no fixpoint of CTL expresses."""


class Meaning:
    """Formulae of one world.  ``remembered`` are formulae about the past that bits of the world keep."""

    def __init__(
        self,
        world: Reading,
        everything: Bdd,
        remembered: Mapping[Formula, Set],
        reading: Strategies = Strategies.ANY,
        fair: bool = True,
    ) -> None:
        self._world = world
        self._reading = reading
        self._system = world.system
        self._all = Given(everything)
        self._none = Outside(self._all)
        self._remembered = remembered
        self._known: dict[Formula, Set] = {}
        self.fairness: tuple[Set, ...] = ()
        self.fair: Set | None = None
        if fair and self._system.fairness:
            plain = Meaning(world, everything, remembered, reading, fair=False)
            self.fairness = tuple(plain.of(formula) for formula in self._system.fairness)
            self.fair = Again(STEP, self._all, self._none, self.fairness)
        self.endless: Set = self.fair or Greatest(STEP, self._all, self._none)

    def of(self, formula: Formula) -> Set:
        """The states where a state formula holds; a path formula in front is read over all runs."""
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = self._made(formula)
        return found

    def _made(self, formula: Formula) -> Set:
        if formula in self._remembered:
            return self._remembered[formula]
        if isinstance(formula, logic.CONNECTIVES):
            every = Booleans[Set](outside, lambda sets: both(*sets), lambda sets: Either(tuple(sets)), _differ)
            return connect(formula, [self.of(one) for one in operands(formula)], every)
        match formula:
            case logic.Truth(value):
                return self._all if value else self._none
            case logic.Prop(name):
                return Given(self._world.where(self._system.propositions[name]))
            case logic.Test(condition):
                return Given(self._world.where(condition))
            case logic.Colour(name, green):
                return self.green(name) if green else outside(self.green(name))
            case logic.Exists(arg, star):
                return self._exists(arg, star)
            case logic.ForAll(arg, star):
                return self._for_all(arg, star)
            case logic.Coalition(group, arg):
                return self._enforced(group.members, arg)
            case _:
                return self._known_to(formula)

    def _known_to(self, formula: Formula) -> Set:
        match formula:
            case logic.Knows(agent, arg):
                return outside(self._doubtful((agent,), arg))
            case logic.Everybody(group, arg):
                return outside(Either(tuple(self._doubtful((one,), arg) for one in group.members)))
            case logic.Distributed(group, arg):
                return outside(self._doubtful(group.members, arg))
            case logic.Common(group, arg):
                return self._common(group.members, arg)
            case logic.Correct(agent, arg):
                return outside(Anywhere(both(self.green(agent), self._denied(arg))))
        if isinstance(formula, logic.REMEMBERING):
            raise NotProvable("knowledge that counts or remembers, and announcements, have no rule of proof")
        if isinstance(formula, (logic.Tagged, *logic.NAMING, *logic.EQUILIBRIA)):
            raise NotProvable("strategies with names, and equilibria, have no rule of proof")
        raise NotProvable("a formula about runs stands where one about states is needed")

    def green(self, name: str) -> Set:
        """The states that are green for an agent."""
        agent = self._system.agent.get(name)
        return self._all if agent is None or agent.red is None else Outside(Given(self._world.where(agent.red)))

    # -- knowledge ----------------------------------------------------------------------------------------------------

    def _denied(self, arg: Formula) -> Set:
        """The states that formulae range over and in which ``arg`` can be false."""
        claim = arg if is_state(arg) else logic.ForAll(arg, star=True)
        bad = outside(self.of(claim))
        return bad if self.fair is None else both(bad, self.fair)

    def _doubtful(self, agents: tuple[str, ...], arg: Formula) -> Set:
        return Before(Through(Kind.ALIKE, agents), self._denied(arg))

    def _common(self, members: tuple[str, ...], arg: Formula) -> Set:
        """``GCK``: no chain of look-alikes leads to a state that denies it."""
        if not members:
            return outside(self._denied(arg))
        link = Through(Kind.LINKED, members)
        return outside(Before(link, Least(link, self.fair or self._all, self._denied(arg))))

    # -- time ---------------------------------------------------------------------------------------------------------

    def _exists(self, arg: Formula, star: bool) -> Set:
        """``E``; CTL's operators over infinite paths are CTL's with the states from which such a path starts as goals."""
        if not isinstance(arg, logic.FUTURE) or not all(map(self.about_states, operands(arg))):
            if self.about_states(arg):
                return both(self.of(arg), self.endless)
            return self._world.some_path(arg, self)
        ends = self.endless if star else self.fair
        sets = [self.of(one) for one in operands(arg)]

        def until(hold: Set, goal: Set) -> Set:
            return Least(STEP, hold, goal if ends is None else both(goal, ends))

        def always(hold: Set) -> Set:
            if self.fairness:
                return Again(STEP, hold, self._none, self.fairness)
            return Greatest(STEP, hold, self._none)

        match arg:
            case logic.Next():
                return Before(STEP, sets[0] if ends is None else both(sets[0], ends))
            case logic.Finally():
                return until(self._all, sets[0])
            case logic.Globally():
                return always(sets[0])
            case logic.Until():
                return until(sets[0], sets[1])
            case logic.WeakUntil():
                return Either((until(sets[0], sets[1]), always(sets[0])))
            case _:
                return Either((until(sets[1], both(*sets)), always(sets[1])))

    def about_states(self, formula: Formula) -> bool:
        """Whether the truth of a formula is a matter of states: of what they are, and of what they remember."""
        if isinstance(formula, logic.CONNECTIVES):
            return all(map(self.about_states, operands(formula)))
        return is_state(formula) or formula in self._remembered

    def _for_all(self, arg: Formula, star: bool) -> Set:
        """``A``: no path violates it."""
        no = logic.Not
        match arg:
            case logic.Next(f):
                bad: Formula = logic.Exists(logic.Next(no(f)), star)
            case logic.Finally(f):
                bad = logic.Exists(logic.Globally(no(f)), star)
            case logic.Globally(f):
                bad = logic.Exists(logic.Finally(no(f)), star)
            case logic.Until(f, g) if not star:
                over = logic.Exists(logic.Until(no(g), logic.And((no(f), no(g)))), star)
                bad = logic.Or((over, logic.Exists(logic.Globally(no(g)), star)))
            case logic.WeakUntil(f, g) if not star:
                bad = logic.Exists(logic.Until(no(g), logic.And((no(f), no(g)))), star)
            case logic.Release(f, g) if not star:
                bad = logic.Exists(logic.Until(no(f), no(g)), star)
            case _:
                bad = logic.Exists(no(arg), star=True)
        return outside(self.of(bad))

    # -- groups -------------------------------------------------------------------------------------------------------

    def _enforced(self, group: tuple[str, ...], arg: Formula) -> Set:
        """``<g>``, in the reading of strategies that is asked for."""
        if not isinstance(arg, logic.FUTURE) or not all(map(self.about_states, operands(arg))):
            raise NotProvable(groups.OTHER_GOAL)
        sets = tuple(self.of(one) for one in operands(arg))
        if self.fair is not None:
            # where a group waits, a run may become fair that is none of the system's: play may leave the fair states
            met = self._all if self._system.interleaved else self.fair
            fair = (met, *self.fairness)
            perfect = groups.under_fairness(group, arg, sets, self._all, fair)
        else:
            fair = ()
            perfect = groups.enforced(group, arg, sets, self._all)
        if self._reading in (Strategies.ANY, Strategies.UNIFORM):
            return perfect
        return Uniform(group, self._reading is Strategies.SUBJECTIVE, arg, sets, perfect, fair)


def _differ(one: Set, other: Set) -> Set:
    return Either((both(one, outside(other)), both(outside(one), other)))
