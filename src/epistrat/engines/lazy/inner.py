"""Knowledge replaced by conditions that say where it is true: for knowledge inside knowledge, and for the eager variant."""

from __future__ import annotations

from epistrat.encoding.integral import with_integers
from epistrat.encoding.memory import Memory
from epistrat.encoding.transitions import Transitions, transitions
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.denotation import denotation
from epistrat.engines.lazy.knowledge import KnowledgeAnswer, KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemma, Lemmas
from epistrat.engines.lazy.question import Abstraction, Refused
from epistrat.engines.lazy.stepped import SteppedReachability, Steps
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.model.system import System
from epistrat.proving.contract import Reachability, Trace
from epistrat.proving.finite import FiniteReachability, FiniteSettings
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

KNOWING = (*logic.KNOWLEDGE, logic.Correct)


class Provers:
    """The provers of one session: what was found out about a transition system serves all questions about it."""

    def __init__(self, system: System, tuning: LazyTuning, budget: Budget) -> None:
        self.base = with_integers(transitions(system))
        self.tuning = tuning
        self.budget = budget
        self.steps = Steps(system)
        self._known: dict[tuple[object, ...], Reachability] = {}
        self._opened: list[Reachability] = []

    def invariant(self) -> tuple[Expr, ...]:
        """Conditions that were found to hold in all reachable states of systems that were asked about."""
        return tuple(dict.fromkeys(condition for reach in self._opened for condition in reach.invariant()))

    def of(self, system: Transitions, budget: Budget | None = None) -> Reachability:
        """IC3 where all variables are finite, else the portfolio for unbounded ones; with a budget of its own, a new one."""
        if budget is not None:
            return self._new(system, budget)
        key = (system.variables, system.initial, system.parts)
        if key not in self._known:
            self._known[key] = self._new(system, self.budget)
        return self._known[key]

    def _new(self, system: Transitions, budget: Budget) -> Reachability:
        self._opened.append(SteppedReachability(self._prover(system, budget), self.steps))
        return self._opened[-1]

    def _prover(self, system: Transitions, budget: Budget) -> Reachability:
        if system.finite and self.tuning.solver != "smt":
            switches = self.tuning.switches
            settings = FiniteSettings(switches.cone, switches.frames, self.tuning.cross_check, budget.patience)
            return FiniteReachability(system, budget.check, settings)
        from epistrat.proving.unbounded import UnboundedReachability

        return UnboundedReachability(system, budget, self.tuning.switches.cone)


class Denotations:
    """Conditions that are true in exactly the reachable states where a knowledge formula is."""

    def __init__(self, system: System, provers: Provers) -> None:
        self._system = system
        self._provers = provers
        self._base = provers.base
        self._known: dict[Formula, Formula] = {}
        self._answering: dict[Formula, tuple[KnowledgeInStates, Atom]] = {}
        self.lemmas: list[Lemma] = []

    def add_inner(self, body: Formula) -> None:
        """Find out about knowledge that stands inside knowledge, innermost first."""
        nodes = [part for part in subformulae(body) if isinstance(part, KNOWING)]
        below = set(subformulae(*[part.arg for part in nodes]))
        for node in nodes:
            if node in below:
                self.add(node)

    def add(self, node: Formula, budget: Budget | None = None, most: int | None = None) -> None:
        """Find out about one knowledge formula, by at most so many lemmas; what it speaks about must be known already."""
        if node in self._known:
            return
        memory = Memory(self._system, self._base)
        abstraction = Abstraction(self._system, memory, self._base)
        abstraction.add(node, self.without_knowledge)
        atom = abstraction.atoms[node]
        for key in atom.keys:
            memory.ago(key, atom.delay)
        memory.later(atom.delay)
        system = memory.extend()
        reach = self._provers.of(system, budget)
        if not is_state(atom.body) and not (self._system.interleaved or reach.system.total):
            raise Refused(
                "knowledge of what happens over time, in a system that may have dead ends, is not answered yet"
            )
        lemmas = Lemmas(self._base.terms)
        knowledge = KnowledgeInStates(
            reach,
            memory,
            system,
            lemmas,
            self._provers.tuning.switches,
            self._provers.tuning.parameters,
            (budget or self._provers.budget).patience,
        )
        self._known[node] = logic.Test(denotation(atom, reach, knowledge, lemmas, most))
        self.lemmas += lemmas.learnt
        self._answering[node] = knowledge, atom

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
