"""Which variables are shown: enough to see that what is said is true.

The rule of evidence.  Of a claim about a state those variables are shown that *make* it true: every state that formulae range over and
that agrees with this one on what is shown agrees on the claim too.  Of two states that are compared, those that differ.  They
are computed, never listed beforehand: where the states are few, by separating this state from all in which the claim has the other truth;
else by what the claim's truth can depend on at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from epistrat import evidence as e
from epistrat.answers.verdict import Strategies
from epistrat.encoding.fits import Fits
from epistrat.evidence import LookAlike, Tree, walk
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.explain.proofs import shown_by
from epistrat.logic import formula as logic
from epistrat.logic.formula import Colour, Formula, Prop, Reading, Test, is_state, operands, subformulae
from epistrat.model.agent import Agent
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.terms import TRUE, ActionIs, Expr, Key, Terms, subterms, variables

MOST_STATES = 1_000
"""States among which a smallest set of variables is looked for; in larger models all are shown that may matter."""

_SHOWN_BY_RUNS = (e.Along, e.Around, e.Abstract)
_PROOFS = (e.Invariant, e.Region, e.Descent, e.Derivation)


def spoken_of(system: System, *formulae: Formula) -> frozenset[int]:
    """The positions of the variables that the formulae's conditions read."""
    found: set[tuple[str, str]] = set()
    for part in subformulae(*formulae):
        match part:
            case Prop(name):
                found |= variables(system.propositions[name])
            case Test(condition):
                found |= variables(condition)
            case Colour(agent) if agent in system.agent:
                red = system.agent[agent].red
                found |= variables(red) if red is not None else frozenset()
    return frozenset(system.position[key] for key in found)


def telling_apart(one: State, other: State) -> frozenset[int]:
    """The positions at which two states differ."""
    return frozenset(index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def separating(
    state: State, others: Iterable[State], shown: Iterable[int], preferred: frozenset[int] = frozenset()
) -> frozenset[int]:
    """Few positions, beside those shown anyway, that tell a state from all of the others; all there are if it is among them."""
    chosen = frozenset(shown)
    left = [other for other in others if not telling_apart(state, other) & chosen]
    picked: list[int] = []
    while left:
        best = max(
            range(len(state)),
            key=lambda place: (sum(one[place] != state[place] for one in left), place in preferred),
        )
        if all(one[best] == state[best] for one in left):
            return frozenset(range(len(state)))  # the state itself is among them: say all there is
        picked.append(best)
        left = [one for one in left if one[best] == state[best]]
    return frozenset(picked)


def plays(formula: Formula) -> bool:
    """Whether the formula speaks of what groups can enforce: its truth depends on how strategies are read."""
    return any(isinstance(part, logic.Coalition) for part in subformulae(formula))


def surveyed(system: System, visited: Visited | None = None) -> Survey:
    """The states of a system, where they are few; they are visited when first asked for."""
    return Survey(RunChecker(system), MOST_STATES if system.finite else 0, visited=visited)


class Relevance:
    """Finds the variables that matter for trees of one system."""

    def __init__(
        self, system: System, survey: Survey | None = None, reading: Strategies = Strategies.OBJECTIVE
    ) -> None:
        """``reading`` says how strategies are read; where nothing is said, they may depend on what is seen."""
        self._system = system
        self._reading = reading
        self._conditions = StateConditions(system)
        self._survey = survey or surveyed(system)

    def of(self, tree: Tree) -> frozenset[int]:
        """What makes the claims of a tree true, and what differs at its look-alikes."""
        found = set(spoken_of(self._system, *[part.claim for part in walk(tree)]))
        found |= telling_histories_apart(tree)
        for part in walk(tree):
            for reason in part.because:
                if isinstance(reason, (LookAlike, e.Restricted)):
                    found |= telling_apart(part.state, reason.tree.state)
                elif isinstance(reason, (e.Enforced, e.Answered)):
                    found |= self._telling_from_other_starts(part)
                elif isinstance(reason, (e.Region, e.Descent)):
                    found.update(shown_by(self._system, part, reason))
            if self._needs_more(part):
                found |= self.making(part.claim, part.holds, part.state, found)
        return frozenset(found)

    def _telling_from_other_starts(self, part: Tree) -> frozenset[int]:
        """What tells the state from the initial states: moves are shown for this one, and may be others elsewhere."""
        starts = self._survey.starts()
        differing = (
            [telling_apart(part.state, start) for start in starts]
            if starts is not None
            else [frozenset(range(len(part.state)))]
        )
        return frozenset().union(*differing) & self.influence(part.claim)

    def _needs_more(self, part: Tree) -> bool:
        """Whether a claim is neither shown by its state, nor by a run, nor by other claims."""
        if part.claim == FAIR_START or self._conditions.decides(part.claim):
            return False
        played = any(isinstance(reason, (e.Enforced, e.Answered)) for reason in part.because)
        shown = [
            reason
            for reason in part.because
            if isinstance(reason, (*_SHOWN_BY_RUNS, *_PROOFS, LookAlike, e.Told))
            or (isinstance(reason, e.Part) and (played or reason.tree.claim != FAIR_START))  # a fair run shows nothing
        ]
        return not shown

    def making(self, claim: Formula, holds: bool, state: State, shown: Iterable[int] = ()) -> frozenset[int]:
        """Few variables, beside those shown anyway, whose values in the state make the claim true (or false)."""
        candidates = self.influence(claim)
        others = self._with_other_truth(claim, holds)
        if others is None:
            return candidates
        return separating(state, others, shown, candidates)

    def _with_other_truth(self, claim: Formula, holds: bool) -> list[State] | None:
        """The states that formulae range over in which the claim has the other truth; None where they are not known."""
        known = is_state(claim) and (self._reading is Strategies.ANY or not plays(claim))
        states = self._survey.reachable() if known else None
        if states is None:
            return None
        found: list[State] = []
        for state in states:
            if self._survey.counts(state):
                value = self._survey.value(claim, state)
                if value is None:
                    return None
                if value is not holds:
                    found.append(state)
        return found

    # What a truth can depend on

    def influence(self, formula: Formula) -> frozenset[int]:
        """The positions of the variables on which the formula's truth in a state can depend.

        Knowledge depends on what is seen alone; what comes later depends on everything that steps read; and what a group can enforce
        by rules that look at what its members see depends on that too.
        """
        system = self._system
        match formula:
            case logic.Remembers(_, _, group):
                return self._closed(frozenset(place for one in group.members for place in system.views[one]))
            case logic.Knows(agent):
                return frozenset(system.views[agent])
            case logic.Everybody(group) | logic.Common(group):
                return frozenset(place for member in group.members for place in system.views[member])
            case logic.Distributed(group):
                return frozenset(system.pooled_view(group))
            case logic.Correct():
                return frozenset()
            case _ if self._conditions.decides(formula):
                return spoken_of(system, formula)
        below = frozenset(place for operand in operands(formula) for place in self.influence(operand))
        if isinstance(formula, logic.Coalition) and self._reading is not Strategies.ANY:
            below |= {place for member in formula.group.members for place in system.views.get(member, ())}
        return below if isinstance(formula, logic.CONNECTIVES) else self._closed(below)

    def _closed(self, positions: frozenset[int]) -> frozenset[int]:
        """The variables with all that steps read to change them, or that can prevent steps."""
        place = self._system.position
        begun = positions | spoken_of(self._system, *self._system.fairness)  # only fair runs count
        found = {self._system.variables[position].key for position in begun} | self._preventing
        work = list(found)
        while work:
            fresh = self._read_for(work.pop()) - found
            found |= fresh
            work += fresh
        return frozenset(place[key] for key in found)

    def _read_for(self, key: Key) -> set[Key]:
        """What the lines read that change a variable, and the protocols of those whose actions they test."""
        agent = self._system.agent[key[0]]
        found: set[Key] = set()
        for line in agent.evolution:
            for made in line.assignments:
                if made.target == key[1]:
                    found |= variables(line.guard, made.value) | self._deciding(line.guard)
        return found

    def _deciding(self, guard: Expr) -> set[Key]:
        """What the protocols read of those whose actions a guard tests; in an interleaved system, of all."""
        tested = {term.agent for term in subterms(guard) if isinstance(term, ActionIs)}
        acting = [one for one in self._system.agents if self._system.interleaved or one.name in tested]
        return {key for agent in acting for key in self._asked[agent.name]}

    @cached_property
    def _asked(self) -> dict[str, frozenset[Key]]:
        """What each agent's protocol reads."""
        return {agent.name: variables(*(line.condition for line in agent.protocol)) for agent in self._system.agents}

    @cached_property
    def _preventing(self) -> set[Key]:
        """What can make steps impossible: protocols without an Other line, and values that may not fit."""
        found: set[Key] = set()
        for agent in self._system.agents:
            if not agent.free and not agent.other:
                found |= self._asked[agent.name]
            found |= self._overflowing(agent)
        return found

    def _overflowing(self, agent: Agent) -> set[Key]:
        """What the lines read whose values may not fit their targets."""
        domains = {one.key: one.domain for one in self._system.variables}
        fits = Fits(Terms(), domains)
        found: set[Key] = set()
        for line in agent.evolution:
            if any(fits.surely(domains[agent.name, made.target], made.value) != TRUE for made in line.assignments):
                found |= variables(line.guard, *(made.value for made in line.assignments)) | self._deciding(line.guard)
        return found


def relevant(
    system: System, tree: Tree, survey: Survey | None = None, reading: Strategies = Strategies.OBJECTIVE
) -> frozenset[int]:
    """The variables that matter for a tree: what makes its claims true, and what differs at its look-alikes."""
    return Relevance(system, survey, reading).of(tree)


def telling_histories_apart(tree: Tree) -> frozenset[int]:
    """The variables in which a history and one that always looked the same differ, at any moment."""
    found: frozenset[int] = frozenset()
    stack: list[tuple[Tree, tuple[State, ...]]] = [(tree, (tree.state,))]
    while stack:
        current, past = stack.pop()
        for reason in current.because:
            match reason:
                case e.Part(inner):
                    stack.append((inner, past))
                case e.Along(path, claims):
                    stack += [(inner, past + path.states[1 : at + 1]) for at, inner in claims]
                case e.Around(lasso, claims, at):
                    before = past[:-1] if at == 0 else ()
                    stack += [(inner, before + lasso.states[: place + 1]) for place, inner in claims]
                case e.Told(said, after):
                    stack += [(one, past) for one in (said, after) if one is not None]
                case e.LookAlike(_, run, inner):
                    if reason.reading is Reading.RECALL:
                        found |= frozenset().union(*map(telling_apart, past, run.states))
                    stack.append((inner, run.states))
    return found
