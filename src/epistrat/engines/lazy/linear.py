"""Linear formulae with knowledge: a run that may be a counterexample, what it assumes about knowledge, learn, repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from epistrat.answers.decoration import decorated
from epistrat.encoding.transitions import StepPart, Transitions, guessing
from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.lazy.assumptions import Assumptions
from epistrat.engines.lazy.atoms import OWNER, Atom, outermost, split
from epistrat.engines.lazy.denotation import Unfinished
from epistrat.engines.lazy.inner import Denotations
from epistrat.engines.lazy.lemmas import told
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.question import Refused
from epistrat.engines.lazy.runs import Circle, Runs
from epistrat.engines.lazy.stepped import joint_action
from epistrat.engines.lazy.witnesses import Witnesses
from epistrat.evidence import Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.linear import LassoTruth
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import Variable
from epistrat.model.fold import fold
from epistrat.model.system import System
from epistrat.proving.contract import NotARun, Trace, Valuation
from epistrat.solvers.budget import OutOfBudget
from epistrat.terms import FALSE, TRUE, Boolean, Expr, Terms, variables

Point = tuple[int, Atom]

_DENOTATION_WORK = 5_000_000  # spent on one K before it is learnt lazily
_DENOTATION_LEMMAS = 16  # and so many lemmas


class LinearSearch:
    """Whether a linear formula holds on all infinite runs."""

    def __init__(
        self,
        system: System,
        formula: Formula,
        body: Formula,
        provers: Provers,
        tell: Callable[[int, int], None],
    ) -> None:
        self._system = system
        self._formula = formula
        self._body = split(body)
        self._provers = provers
        self._tuning = provers.tuning
        self._budget = provers.budget
        self._tell = tell
        self._base = provers.base
        self._inner = Denotations(system, provers)
        self._inner.add_inner(self._body)
        if provers.tuning.eager:
            for node in outermost(self._body):
                self._inner.add(node)
            self._body = self._inner.without_knowledge(self._body)
        elif not system.finite:
            self._try_denotations()
        self._assumed = Assumptions(system, provers)
        self._assumed.abstraction.add(self._body, self._inner.without_knowledge)
        self._atoms = self._assumed.atoms
        self._lemmas = self._assumed.lemmas
        self.rounds = 0

    def _try_denotations(self) -> None:
        """For a while, find out where exactly something is known: then the formula is one without knowledge."""
        most = self._budget.patience.most(_DENOTATION_LEMMAS)
        for node in outermost(self._body):
            try:
                self._inner.add(node, self._budget.worth(_DENOTATION_WORK), most)
            except (OutOfBudget, Unfinished):
                self._budget.check()
        self._body = self._inner.without_knowledge(self._body)

    def outcome(self, evidence: bool) -> Outcome:
        """The verdict with notes on what was learnt, and evidence where it is asked for."""
        found = self._refute()
        learnt = [*self._inner.lemmas, *self._lemmas.learnt]
        notes, left_out = told(learnt, self._base.terms, self._everywhere)
        statistics: dict[str, Any] = {"rounds": self.rounds, "lemmas": len(learnt)}
        if found is None:
            return Outcome(Verdict.HOLDS, notes=notes, statistics=statistics, left_out=left_out)
        if found.grows:
            notes = (self._growth(found), *notes)
        tree = None
        if evidence and not found.grows:
            tree, more = decorated("evidence", lambda: self._evidence(found), None, self._budget)
            left_out = (*left_out, *more)
        return Outcome(Verdict.FAILS, notes=notes, statistics=statistics, evidence=tree, left_out=left_out)

    def _everywhere(self, condition: Expr) -> bool:
        """Whether a condition is true in all reachable states, where it speaks of variables that a prover here has."""
        provers = [self._provers.of(self._base), *([self._assumed.reach] if self._atoms else [])]
        return any(
            variables(condition) <= {one.key for one in prover.system.variables} and prover.valid(condition)
            for prover in provers
        )

    def _growth(self, found: Circle) -> str:
        """Which run is the counterexample, where it cannot be shown as one that repeats."""
        if found.macro is None or found.real is None:
            return "the counterexample is an infinite run that is not known to repeat, so it is not shown"
        (inputs,) = found.macro.inputs
        choosing = zip(self._system.agents, joint_action(self._system, inputs), strict=True)
        actions = ", ".join(f"{agent.name}: {done}" for agent, done in choosing if done and len(agent.actions) > 1)
        own = set(self._system.position)
        changes = [
            f"{owner}.{name} {'grows' if by > 0 else 'falls'} by {abs(by)}"
            for (owner, name), by in found.macro.adds
            if (owner, name) in own
        ]
        begins = f"after {found.real - 1} steps" if found.real > 2 else ["at once", "after one step"][found.real - 1]
        step = f"the step with {actions}" if actions else "the only step"
        return f"it is false on a run that never repeats: {begins} {step} is taken for ever; {', '.join(changes)} each time"

    # The loop

    def _refute(self) -> Circle | None:
        assumed = self._assumed
        if self._atoms:
            assumed.open()
            assumed.refuse_dead_ends()
            assumed.learn_statically()
        else:
            assumed.extend()
        while True:
            self.rounds += 1
            self._tell(self.rounds, len(self._lemmas.learnt))
            runs = Runs(self._system, assumed.transitions, self._leaf, self._budget, self._guessing, self._lemmas.all())
            found = runs.violating(self._body)
            if found is None:
                return None
            self._stepped(found)
            if self._is_real(found):
                return found

    def _guessing(self, base: Transitions) -> Transitions:
        """The system with placeholders that change freely, as far as the lemmas admit."""
        placeholders = [Variable(*atom.variable.key, Boolean()) for atom in self._atoms]
        guessed = [guessing(base.terms, one) for one in placeholders]
        lemmas = [StepPart(lemma, (), TRUE) for lemma in self._lemmas.all()]
        return base.extended(placeholders, (), [*(part for _, part in guessed), *lemmas], [one for one, _ in guessed])

    def _leaf(self, formula: Formula) -> Expr:
        atom = self._assumed.abstraction.atoms.get(formula)
        return self._assumed.memory.condition(formula) if atom is None else atom.variable

    # Is it a counterexample?

    def _is_real(self, found: Circle) -> bool:
        """Whether what the run assumes about knowledge is true; if not, a lemma was learnt that excludes it.

        Where numbers grow for ever, a lemma has to speak of all the states to come.  Those that the run was found with do: their conditions
        do not change on it.  One that is learnt here may speak of this state alone, so the run has to be found again with it.
        """
        real, before = True, self._lemmas.all()
        for (place, atom), value in self._needed(found).items():
            state = found.states[place]
            if _forced(atom, state, value, before, self._base.terms):
                continue
            if not _forced(atom, state, value, self._lemmas.all(), self._base.terms):
                answer = self._assumed.knowledge.in_state(atom, state, prefix(found, place))
                if answer.known is not value:
                    return False
            if found.grows and found.violated is None and place >= found.loop:
                real = False
        return real

    def _stepped(self, found: Circle) -> None:
        """Follow the run with the model's own steps, and evaluate the formula on it; raises `NotARun`."""
        steps = self._provers.steps
        if found.grows:
            steps.run(found.states[: found.real], found.inputs)
        else:
            steps.circle(found.states, found.inputs, found.loop)
        values = {(place, atom.node): value for (place, atom), value in self._values(found).items()}
        if self._truth(found, self._body, values) is not False:
            raise NotARun("the formula is not false on it")

    def _values(self, found: Circle) -> dict[Point, bool]:
        """What the run assumes about knowledge."""
        return {
            (place, atom): bool(state[atom.variable.key])
            for place, state in enumerate(found.states)
            for atom in self._atoms
        }

    def _needed(self, found: Circle) -> dict[Point, bool]:
        """Values of few atoms at few points that make the formula false on the run."""
        values = self._values(found)
        if self._tuning.switches.rails:
            for point in list(values):
                fewer = {other: value for other, value in values.items() if other != point}
                by_node = {(place, atom.node): value for (place, atom), value in fewer.items()}
                if self._truth(found, self._body, by_node) is False:
                    values = fewer
        return values

    def _truth(self, found: Circle, body: Formula, values: dict[tuple[int, Formula], bool]) -> bool | None:
        """The formula's truth on the run, as far as the values of knowledge formulae at some points decide it."""
        conditions = StateConditions(self._system)
        nodes = {node for _, node in values}
        states = [tuple(state[one.key] for one in self._system.variables) for state in found.states]

        def base(place: int, formula: Formula) -> bool | None:
            known = {node: values[place, node] for node in nodes if (place, node) in values}
            return conditions.value(formula, states[place], known)

        if found.violated is None:
            return LassoTruth(len(states), found.loop, base).word(body).at(0)
        assert isinstance(body, logic.Globally)
        return LassoTruth(len(states), len(states) - 1, base).word(body.arg).at(found.violated)

    # Evidence

    def _evidence(self, found: Circle) -> Tree | None:
        """The run, with claims about what is known at the points where it matters."""
        try:
            witnesses = Witnesses(self._system, self._provers, self._assumed, self._inner)
            return witnesses.exhibits.circle(self._formula, found, self._written(found, witnesses))
        except Refused:
            return None

    def _written(self, found: Circle, witnesses: Witnesses) -> set[tuple[int, Formula]]:
        """The knowledge formulae, as they were written, that matter at points of the run."""
        shown = self._formula.arg if isinstance(self._formula, logic.ForAll) else self._formula
        known = {
            (place, node): witnesses.answer(node, prefix(found, place)).known
            for node in outermost(shown)
            for place in range(len(found.states))
        }
        for point in list(known):
            fewer = {other: value for other, value in known.items() if other != point}
            if self._truth(found, shown, fewer) is False:
                known = fewer
        return set(known)


def prefix(found: Circle, place: int) -> Trace:
    """The run up to one of its states."""
    return Trace(found.states[: place + 1], found.inputs[:place], {})


def _forced(atom: Atom, state: Valuation, value: bool, lemmas: Sequence[Expr], terms: Terms) -> bool:
    """Whether a lemma says that the atom has the value in the state, whatever is known besides: a run only guesses at that."""
    known = {key: one for key, one in state.items() if key[0] != OWNER} | {atom.variable.key: not value}
    return any(fold(terms, lemma, known) == FALSE for lemma in lemmas)
