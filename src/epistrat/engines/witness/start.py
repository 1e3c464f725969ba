"""Where evidence starts: the initial state to speak of, what was already shown, and what is true at the beginning of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from epistrat.engines.witness.linear import RunProduct, combined
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Along, Around, Elsewhere, Fixpoint, LookAlike, Tree, walk
from epistrat.evidence.points import FAIR_START, looks_back
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state
from epistrat.model.state import State

MOST_ROUNDS = 200  # up to which it is told in how many steps a goal is reached


class Spent(Generic[S]):
    """What earlier trees showed for each claim (None: their roots), so that the next one shows something else."""

    def __init__(self, space: WitnessSpace[S]) -> None:
        self._space = space
        self._states: dict[Formula | None, S] = {}

    def add(self, tree: Tree) -> None:
        """Remember what a tree showed."""
        self._add(None, tree.state)
        for inner in walk(tree):
            for reason in inner.because:
                if isinstance(reason, Along):
                    self._add(inner.claim, reason.path.last)
                elif isinstance(reason, (LookAlike, Elsewhere)):
                    self._add(inner.claim, reason.tree.state)
                elif isinstance(reason, Around) and inner.claim != FAIR_START:
                    self._add(inner.claim, reason.lasso.states[reason.lasso.loop])

    def _add(self, claim: Formula | None, state: State) -> None:
        found = self._states.get(claim)
        single = self._space.only(state)
        self._states[claim] = single if found is None else self._space.join(found, single)

    def of(self, claim: Formula | None) -> S | None:
        """What was shown for the claim."""
        return self._states.get(claim)

    def fresh(self, claim: Formula | None, states: S) -> S:
        """The states not yet shown for the claim; all of them if nothing else is left."""
        spent = self._states.get(claim)
        if spent is None:
            return states
        fresh = self._space.minus(states, spent)
        return states if self._space.is_empty(fresh) else fresh


class Starts(Generic[S]):
    """Chooses initial states.  ``product`` gives the product of the space with a path formula."""

    def __init__(self, space: WitnessSpace[S], product: Callable[[Formula], RunProduct[S]]) -> None:
        self._space = space
        self._product = product

    def choose(self, formula: Formula, holds: bool, spent: Spent[S]) -> State | None:
        """Some initial state where the formula holds (fails).  If it holds, it does so in all of them."""
        space = self._space
        candidates = space.initial if holds else space.minus(space.initial, self.where(formula))
        telling = self._telling(formula) if holds else None
        if telling is not None and not space.is_empty(space.meet(candidates, telling)):
            candidates = space.meet(candidates, telling)
        return None if space.is_empty(candidates) else space.pick(spent.fresh(None, candidates))

    def _telling(self, formula: Formula) -> S | None:
        """Where a formula that holds says something: its premise is true, its goal not yet reached."""
        match formula:
            case logic.Implies(left, _):
                return self.where(left)
            case (
                logic.Exists(logic.Finally(goal) | logic.Until(_, goal), False)
                | logic.ForAll(logic.Finally(goal) | logic.Until(_, goal), False)
                | logic.Coalition(_, logic.Finally(goal) | logic.Until(_, goal))
            ) if is_state(goal):
                return self._space.minus(self._space.worlds, self._space.satisfying(goal))
            case _:
                return None

    def where(self, formula: Formula) -> S:
        """The states where the formula holds if they are taken as the beginning of time."""
        space = self._space
        if isinstance(formula, logic.Tagged):
            return self.where(formula.arg)
        if not looks_back(formula):
            return space.satisfying(formula)
        parts = (
            []
            if isinstance(formula, (logic.ForAll, logic.Exists))
            else [self.where(part) for part in logic.operands(formula)]
        )
        match formula:
            case logic.ForAll(arg):
                return space.minus(space.worlds, self._some_run(logic.Not(arg)))
            case logic.Exists(arg):
                return self._some_run(arg)
            case _:
                assert isinstance(formula, logic.CONNECTIVES)
                return combined(space, formula, parts)

    def _some_run(self, arg: Formula) -> S:
        return self._product(arg).starts()

    def within(self, formula: Formula, state: State, everywhere: bool) -> Fixpoint | None:
        """For ``AF f`` and ``A(e U f)`` that hold: within how many steps every run has come to f.

        From the state, or, with ``everywhere``, from all initial states.
        """
        match formula:
            case logic.ForAll(logic.Finally(goal), False) | logic.ForAll(logic.Until(_, goal), False) if (
                not self._space.fairness
            ):
                starts = self._space.initial if everywhere else self._space.only(state)
                return self._rounds(self._space.satisfying(formula), self._space.satisfying(goal), starts)
            case _:
                return None

    def _rounds(self, good: S, goal: S, starts: S) -> Fixpoint | None:
        space = self._space

        def sure(within: S) -> S:
            return space.minus(good, space.before(space.minus(space.worlds, within)))

        for rounds, within in zip(range(MOST_ROUNDS), space.growing(goal, sure), strict=False):
            if space.is_empty(space.minus(starts, within)):
                return space.fixpoint("bounded", within, rounds)
        return None
