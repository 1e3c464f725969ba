"""Why knowledge formulae are true or false at the end of a run: answers and proofs for evidence."""

from __future__ import annotations

from epistrat.engines.lazy.assumptions import Assumptions
from epistrat.engines.lazy.atoms import outermost, split
from epistrat.engines.lazy.evidence import Exhibits
from epistrat.engines.lazy.inner import Denotations
from epistrat.engines.lazy.knowledge import KnowledgeAnswer
from epistrat.engines.lazy.proof import reason
from epistrat.engines.lazy.provers import Provers
from epistrat.evidence import Reason
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.proving.contract import Trace


class Witnesses:
    """Answers from what one question found out about its own knowledge and about knowledge inside that."""

    def __init__(self, system: System, provers: Provers, assumed: Assumptions, inner: Denotations) -> None:
        self._system = system
        self._provers = provers
        self._assumed = assumed
        self._inner = inner
        self.exhibits = Exhibits(system, self.answer, self.proof)

    def answer(self, node: Formula, trace: Trace) -> KnowledgeAnswer:
        """Whether a knowledge formula is true at the end of a trace: by the atoms that it is split into."""
        answers = [self._of_part(part, trace) for part in outermost(split(node))]
        return next((answer for answer in answers if not answer.known), KnowledgeAnswer(True))

    def _of_part(self, node: Formula, trace: Trace) -> KnowledgeAnswer:
        abstraction = self._assumed.abstraction
        if node not in abstraction.atoms:
            if node in self._inner:
                return self._inner.answer(node, trace)
            abstraction.add(node, self._inner.without_knowledge)
        return self._assumed.knowledge.in_state(abstraction.atoms[node], trace.last, trace)

    def proof(self, node: Formula, trace: Trace) -> Reason:
        """An invariant from which the formula follows at the end of a trace, where one was found."""
        state = self.exhibits.state(trace.last)
        return reason(self._system, node, state, self._provers.invariant(), self._provers.budget)
