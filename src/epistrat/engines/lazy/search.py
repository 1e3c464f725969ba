"""One question from beginning to end: encode, abstract, look for counterexamples, give evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from epistrat.answers.decoration import decorated
from epistrat.encoding.memory import Memory
from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.lazy.atoms import outermost, split
from epistrat.engines.lazy.denotation import denotation
from epistrat.engines.lazy.evidence import Exhibits
from epistrat.engines.lazy.inner import Denotations, Provers
from epistrat.engines.lazy.knowledge import KnowledgeAnswer, KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemma, Lemmas, static_lemmas, told
from epistrat.engines.lazy.loop import Counterexample, InvariantLoop
from epistrat.engines.lazy.proof import reason
from epistrat.engines.lazy.question import Abstraction, Invariant, Refused, shape
from epistrat.evidence import Reason, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state
from epistrat.model.state import State
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
        self._system = system
        self._formula = formula
        self._exhibit = exhibit
        self._provers = provers
        self._tuning = provers.tuning
        self._switches = provers.tuning.switches
        self._tell = tell
        self._base = provers.base
        self._memory = Memory(system, self._base)
        self._abstraction = Abstraction(system, self._memory, self._base)
        self._lemmas = Lemmas(self._base.terms)
        self._inner = Denotations(system, provers)
        asked = shape(split(formula))
        if not isinstance(asked, Invariant):
            raise Refused("formulae other than invariants are not answered yet")
        self._asked = asked
        self._inner.add_inner(asked.body)
        self._abstraction.add(asked.body, self._inner.without_knowledge)
        self._condition = self._abstraction.condition(asked.body)
        self._open()

    def _open(self) -> None:
        """A solver for the system with all the memory that was asked for so far."""
        atoms = list(self._abstraction.atoms.values())
        for atom in atoms:
            for key in atom.keys:
                self._memory.ago(key, atom.delay)
            self._memory.later(atom.delay)
        self._transitions = self._memory.extend()
        self._reach = self._provers.of(self._transitions)
        self._knowledge = KnowledgeInStates(
            self._reach,
            self._memory,
            self._transitions,
            self._lemmas,
            self._switches,
            self._tuning.parameters,
            self._provers.budget.patience,
        )
        if (self._asked.runs or any(not is_state(atom.body) for atom in atoms)) and not self._runs_on():
            raise MayEnd("the system may have dead ends, so that not every reachable state lies on an infinite run")
        if self._switches.static:
            self._lemmas.static = list(static_lemmas(atoms, self._reach, self._base.terms))

    @property
    def learnt(self) -> list[Lemma]:
        """What was learnt about knowledge so far."""
        return self._lemmas.learnt

    @property
    def reached(self) -> str:
        """What was found out so far, in words; may be asked while the search is at work."""
        if self._abstraction.atoms:  # runs are then looked for under guesses about who knows what
            return ""
        length = self._reach.statistics().get("unrolled", 0) - 1  # the longest was begun
        return f"no run of at most {length} steps violates it" if length > 1 else ""

    def _runs_on(self) -> bool:
        return self._system.interleaved or self._reach.system.total

    # The answer

    def outcome(self, evidence: bool) -> Outcome:
        """The verdict with notes on what was learnt, and evidence where it is asked for."""
        atoms = list(self._abstraction.atoms.values())
        if self._tuning.eager:
            for atom in atoms:
                denotation(atom, self._reach, self._knowledge, self._lemmas)
        loop = InvariantLoop(self._reach, self._knowledge, self._lemmas, self._switches, self._tell)
        found = loop.refute(self._condition, atoms)
        statistics: dict[str, Any] = {
            **self._reach.statistics(),
            "rounds": loop.rounds,
            "lemmas": len(self._lemmas.learnt),
            "validations": self._knowledge.validations,
        }
        notes, left_out = told(self._lemmas.learnt, self._base.terms, self._reach.valid)
        if found is not None and self._asked.runs:  # a run that goes on for ever is not shown
            notes = (*notes, f"it goes wrong at moment {len(found.trace.inputs)} of some run")
        verdict = Verdict.HOLDS if found is None else Verdict.FAILS
        tree: Tree | None = None
        if evidence:
            tree, more = decorated("evidence", lambda: self._evidence(found), None, self._provers.budget)
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
        exhibits = Exhibits(self._system, self._oracle, self._proof)
        assert isinstance(self._formula, logic.ForAll) and isinstance(self._formula.arg, logic.Globally)
        return exhibits.violation(self._formula, self._formula.arg.arg, found.trace)

    def _oracle(self, node: Formula, trace: Trace) -> KnowledgeAnswer:
        """Whether a knowledge formula is true at the end of a trace: by the atoms that it was split into."""
        if node in self._inner:
            return self._answer(node, trace)
        parts = outermost(split(node))
        answers = [self._answer(part, trace) for part in parts]
        return next((answer for answer in answers if not answer.known), KnowledgeAnswer(True))

    def _answer(self, node: Formula, trace: Trace) -> KnowledgeAnswer:
        if node not in self._abstraction.atoms:
            self._abstraction.add(node, self._inner.without_knowledge)
        return self._knowledge.in_state(self._abstraction.atoms[node], trace.last, trace)

    def _proved(self) -> Tree | None:
        """Why the formula holds, told about some initial state; None if there is none."""
        start = self._reach.reaches([self._base.terms.boolean(True)])
        if start is None:
            return None
        first = Trace(start.states[:1], (), {})
        return Tree(self._state(first), self._formula, True, (self._proof(self._formula, first),))

    def _state(self, trace: Trace) -> State:
        return tuple([trace.last[one.key] for one in self._system.variables])

    def _proof(self, node: Formula, trace: Trace) -> Reason:
        return reason(self._system, node, self._state(trace), self._provers.invariant(), self._provers.budget)
