"""One question from beginning to end: encode, abstract, look for counterexamples, give evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from epistrat.encoding.memory import Memory
from epistrat.encoding.transitions import Transitions, transitions
from epistrat.engines.contract import Outcome, Verdict
from epistrat.engines.lazy.atoms import outermost, split
from epistrat.engines.lazy.denotation import denotation
from epistrat.engines.lazy.evidence import Exhibits
from epistrat.engines.lazy.knowledge import Answer, Knowledge
from epistrat.engines.lazy.lemmas import Lemmas, static_lemmas
from epistrat.engines.lazy.loop import InvariantLoop
from epistrat.engines.lazy.question import Abstraction, Invariant, Refused, shape
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.evidence import Reason, Stated
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.model.system import System
from epistrat.proving.contract import Reachability, Trace
from epistrat.proving.finite import FiniteReachability, FiniteSettings
from epistrat.solvers.budget import Budget


class InvariantSearch:
    """Whether ``AG f`` or ``LTL G f`` holds."""

    def __init__(
        self,
        system: System,
        formula: Formula,
        tuning: LazyTuning,
        budget: Budget,
        tell: Callable[[int, int], None],
    ) -> None:
        self._system = system
        self._formula = formula
        self._tuning = tuning
        self._switches = tuning.switches
        self._budget = budget
        self._tell = tell
        self._base = transitions(system)
        self._memory = Memory(system, self._base)
        self._abstraction = Abstraction(system, self._memory, self._base)
        self._lemmas = Lemmas(self._base.terms)
        self._inner: dict[Formula, Formula] = {}
        asked = shape(split(formula))
        if not isinstance(asked, Invariant):
            raise Refused("formulae other than invariants are not answered yet")
        self._asked = asked
        self._denote_inner(asked.body)
        self._abstraction.add(asked.body, self._without_knowledge)
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
        self._reach = self._reachability(self._transitions)
        self._knowledge = Knowledge(self._reach, self._memory, self._transitions, self._lemmas, self._switches)
        if (self._asked.runs or any(not is_state(atom.body) for atom in atoms)) and not self._runs_on():
            raise Refused("the system may have dead ends, so that not every reachable state lies on an infinite run")
        if self._switches.static:
            self._lemmas.static = list(static_lemmas(atoms, self._reach, self._base.terms))

    def _reachability(self, system: Transitions) -> Reachability:
        """IC3 where all variables are finite, else the portfolio for unbounded ones."""
        if system.finite and self._tuning.solver != "smt":
            settings = FiniteSettings(self._switches.cone, self._switches.frames)
            return FiniteReachability(system, self._budget.check, settings)
        from epistrat.proving.unbounded import UnboundedReachability

        return UnboundedReachability(system, self._budget, self._switches.cone)

    def _runs_on(self) -> bool:
        return self._system.interleaved or self._reach.system.total

    # Knowledge inside knowledge

    def _denote_inner(self, body: Formula) -> None:
        """Replace knowledge that stands inside knowledge by conditions that say where it is true, innermost first."""
        nodes = [part for part in subformulae(body) if isinstance(part, (*logic.KNOWLEDGE, logic.Correct))]
        below = set(subformulae(*[part.arg for part in nodes]))
        for node in nodes:
            if node in below:
                self._inner[node] = self._denoted(node)

    def _denoted(self, node: Formula) -> Formula:
        memory = Memory(self._system, self._base)
        abstraction = Abstraction(self._system, memory, self._base)
        abstraction.add(node, self._without_knowledge)
        atom = abstraction.atoms[node]
        if not is_state(atom.body):
            raise Refused("knowledge of what happens over time is not answered inside other knowledge")
        system = memory.extend()
        reach = self._reachability(system)
        lemmas = Lemmas(self._base.terms)
        knowledge = Knowledge(reach, memory, system, lemmas, self._switches)
        return logic.Test(denotation(atom, reach, knowledge, lemmas))

    def _without_knowledge(self, body: Formula) -> Formula:
        return _replaced(body, self._inner)

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
        notes = tuple(f"learnt: {lemma}" for lemma in self._lemmas.learnt if len(str(lemma)) < 300)[:5]
        if found is None:
            return Outcome(Verdict.HOLDS, notes=notes, statistics=statistics)
        tree = None
        if evidence and not self._asked.runs:
            exhibits = Exhibits(self._system, self._oracle, self._proof)
            assert isinstance(self._formula, logic.ForAll) and isinstance(self._formula.arg, logic.Globally)
            tree = exhibits.violation(self._formula, self._formula.arg.arg, found.trace)
        return Outcome(Verdict.FAILS, notes=notes, statistics=statistics, evidence=tree)

    def _oracle(self, node: Formula, trace: Trace) -> Answer:
        """Whether a knowledge formula is true at the end of a trace: by the atoms that it was split into."""
        if node in self._inner:
            return self._answer(node, trace)
        parts = outermost(split(node))
        answers = [self._answer(part, trace) for part in parts]
        return next((answer for answer in answers if not answer.known), Answer(True))

    def _answer(self, node: Formula, trace: Trace) -> Answer:
        if node not in self._abstraction.atoms:
            self._abstraction.add(node, self._without_knowledge)
        return self._knowledge.in_state(self._abstraction.atoms[node], trace.last, trace)

    def _proof(self, node: Formula, trace: Trace) -> Reason:
        return Stated()


def _replaced(body: Formula, known: dict[Formula, Formula]) -> Formula:
    """The formula with subformulae replaced; the outermost replacement counts."""
    changed: dict[Formula, Formula] = {}
    for part in subformulae(body):
        new = tuple([changed[operand] for operand in operands(part)])
        changed[part] = known[part] if part in known else with_operands(part, new)
    return changed[body]
