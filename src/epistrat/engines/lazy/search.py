"""One question from beginning to end: encode, abstract, look for counterexamples, give evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from epistrat.answers.decoration import decorated
from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.lazy.assumptions import Assumptions
from epistrat.engines.lazy.atoms import split
from epistrat.engines.lazy.denotation import denotation
from epistrat.engines.lazy.inner import Denotations
from epistrat.engines.lazy.lemmas import Lemma, told
from epistrat.engines.lazy.loop import Counterexample, InvariantLoop
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.question import Invariant, Refused, shape
from epistrat.engines.lazy.witnesses import Witnesses
from epistrat.evidence import Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.proving.contract import Trace


class MayEnd(Refused):
    """Whether reachable states lie on infinite runs matters, and not all of them may."""


class InvariantSearch:
    """Whether ``AG f`` or ``LTL G f`` holds."""

    def __init__(
        self,
        system: System,
        formula: Formula,
        provers: Provers,
        tell: Callable[[int, int], None],
        exhibit: Callable[[Trace], Tree | None] | None = None,
    ) -> None:
        """``exhibit`` makes evidence of a trace to a violation, where that is not simply one about the formula."""
        self._formula = formula
        self._exhibit = exhibit
        self._provers = provers
        self._tell = tell
        asked = shape(split(formula))
        assert isinstance(asked, Invariant)
        self._asked = asked
        inner = Denotations(system, provers)
        inner.add_inner(asked.body)
        assumed = self._assumed = Assumptions(system, provers)
        assumed.abstraction.add(asked.body, inner.without_knowledge)
        self._condition = assumed.abstraction.condition(asked.body)
        assumed.open()
        if (asked.runs or assumed.over_time) and not assumed.runs_on:
            raise MayEnd("the system may have dead ends, so that not every reachable state lies on an infinite run")
        assumed.learn_statically()
        self._witnesses = Witnesses(system, provers, assumed, inner)

    @property
    def learnt(self) -> list[Lemma]:
        """What was learnt about knowledge so far."""
        return self._assumed.lemmas.learnt

    @property
    def reached(self) -> str:
        """What was found out so far, in words; may be asked while the search is at work."""
        if self._assumed.atoms:  # runs are then looked for under guesses about who knows what
            return ""
        length = self._assumed.reach.statistics().get("unrolled", 0) - 1  # the longest was begun
        return f"no run of at most {length} steps violates it" if length > 1 else ""

    # The answer

    def outcome(self, evidence: bool) -> Outcome:
        """The verdict with notes on what was learnt, and evidence where it is asked for."""
        assumed, tuning, budget = self._assumed, self._provers.tuning, self._provers.budget
        atoms, reach, knowledge, lemmas = assumed.atoms, assumed.reach, assumed.knowledge, assumed.lemmas
        if tuning.eager:
            for atom in atoms:
                denotation(atom, reach, knowledge, lemmas)
        loop = InvariantLoop(reach, knowledge, lemmas, tuning.switches, self._tell)
        found = loop.refute(self._condition, atoms)
        statistics: dict[str, Any] = {
            **reach.statistics(),
            "rounds": loop.rounds,
            "lemmas": len(lemmas.learnt),
            "validations": knowledge.validations,
        }
        notes, left_out = told(lemmas.learnt, self._provers.base.terms, reach.valid)
        if found is not None and self._asked.runs:  # a run that goes on for ever is not shown
            notes = (*notes, f"it goes wrong at moment {len(found.trace.inputs)} of some run")
        verdict = Verdict.HOLDS if found is None else Verdict.FAILS
        tree: Tree | None = None
        if evidence:
            tree, more = decorated("evidence", lambda: self._evidence(found), None, budget)
            left_out = (*left_out, *more)
        return Outcome(verdict, notes=notes, statistics=statistics, evidence=tree, left_out=left_out)

    def _evidence(self, found: Counterexample | None) -> Tree | None:
        """Why the formula holds, or a run to a state that violates it; the verdict does not depend on it."""
        if self._exhibit is not None:
            return None if found is None else self._exhibit(found.trace)
        if found is None:
            return self._proved()
        if self._asked.runs:
            return None
        assert isinstance(self._formula, logic.ForAll) and isinstance(self._formula.arg, logic.Globally)
        return self._witnesses.exhibits.violation(self._formula, self._formula.arg.arg, found.trace)

    def _proved(self) -> Tree | None:
        """Why the formula holds, told about some initial state; None if there is none."""
        start = self._assumed.reach.reaches([self._provers.base.terms.boolean(True)])
        if start is None:
            return None
        first = Trace(start.states[:1], (), {})
        state = self._witnesses.exhibits.state(first.last)
        return Tree(state, self._formula, True, (self._witnesses.proof(self._formula, first),))
