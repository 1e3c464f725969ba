"""Knowledge replaced by conditions that say where it is true: for knowledge inside knowledge, and for the eager variant."""

from __future__ import annotations

from epistrat.engines.lazy.assumptions import Assumptions
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.denotation import denotation
from epistrat.engines.lazy.knowledge import KnowledgeAnswer, KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemma
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.question import Refused
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.model.system import System
from epistrat.proving.contract import Trace
from epistrat.solvers.budget import Budget


class Denotations:
    """Conditions that are true in exactly the reachable states where a knowledge formula is."""

    def __init__(self, system: System, provers: Provers) -> None:
        self._system = system
        self._provers = provers
        self._known: dict[Formula, Formula] = {}
        self._answering: dict[Formula, tuple[KnowledgeInStates, Atom]] = {}
        self.lemmas: list[Lemma] = []

    def add_inner(self, body: Formula) -> None:
        """Find out about knowledge that stands inside knowledge, innermost first."""
        nodes = [part for part in subformulae(body) if isinstance(part, logic.KNOWING)]
        below = set(subformulae(*[part.arg for part in nodes]))
        for node in nodes:
            if node in below:
                self.add(node)

    def add(self, node: Formula, budget: Budget | None = None, most: int | None = None) -> None:
        """Find out about one knowledge formula, by at most so many lemmas; what it speaks about must be known already."""
        if node in self._known:
            return
        assumed = Assumptions(self._system, self._provers)
        assumed.abstraction.add(node, self.without_knowledge)
        assumed.open(budget)
        assumed.refuse_dead_ends()
        atom = assumed.abstraction.atoms[node]
        found = denotation(atom, assumed.reach, assumed.knowledge, assumed.lemmas, most)
        self._known[node] = logic.Test(found)
        self.lemmas += assumed.lemmas.learnt
        self._answering[node] = assumed.knowledge, atom

    def answer(self, node: Formula, trace: Trace) -> KnowledgeAnswer:
        """Whether a formula that was added is true at the end of a trace, and a run that shows it if not."""
        knowledge, atom = self._answering[node]
        if not is_state(atom.body):
            raise Refused("there is no evidence for knowledge of what happens over time")
        return knowledge.in_state(atom, trace.last, trace)

    def without_knowledge(self, body: Formula) -> Formula:
        """The formula with the conditions that were found in the place of knowledge."""
        changed: dict[Formula, Formula] = {}
        for part in subformulae(body):
            new = tuple([changed[operand] for operand in operands(part)])
            changed[part] = self._known[part] if part in self._known else with_operands(part, new)
        return changed[body]

    def __contains__(self, node: Formula) -> bool:
        return node in self._known
