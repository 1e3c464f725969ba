"""What a question assumes about knowledge: a placeholder for each K, and what was found out about them."""

from __future__ import annotations

from epistrat.encoding.memory import Memory
from epistrat.encoding.transitions import Transitions
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.knowledge import KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemmas, static_lemmas
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.question import Abstraction, Refused
from epistrat.logic.formula import is_state
from epistrat.model.system import System
from epistrat.proving.contract import Reachability
from epistrat.solvers.budget import Budget


class Assumptions:
    """The knowledge in one question.  Formulae are added to ``abstraction``; then it is opened, and ``knowledge`` can be asked."""

    transitions: Transitions
    reach: Reachability
    knowledge: KnowledgeInStates

    def __init__(self, system: System, provers: Provers) -> None:
        self._system = system
        self._provers = provers
        self.memory = Memory(system, provers.base)
        self.abstraction = Abstraction(system, self.memory, provers.base)
        self.lemmas = Lemmas(provers.base.terms)

    @property
    def atoms(self) -> list[Atom]:
        """The placeholders."""
        return list(self.abstraction.atoms.values())

    def extend(self) -> Transitions:
        """The system with all the memory that was asked for so far."""
        for atom in self.atoms:
            for key in atom.keys:
                self.memory.ago(key, atom.delay)
            self.memory.later(atom.delay)
        self.transitions = self.memory.extend()
        return self.transitions

    def open(self, budget: Budget | None = None) -> None:
        """Make what answers questions about the system with its memory, within a budget of its own if one is given."""
        provers, system = self._provers, self.extend()
        self.reach = provers.of(system, budget)
        self.knowledge = KnowledgeInStates(
            self.reach,
            self.memory,
            system,
            self.lemmas,
            provers.tuning.switches,
            provers.tuning.parameters,
            (budget or provers.budget).patience,
        )

    def learn_statically(self) -> None:
        """Learn what is plain from the atoms' form, where that is wanted."""
        if self._provers.tuning.switches.static:
            self.lemmas.static = list(static_lemmas(self.atoms, self.reach, self._provers.base.terms))

    @property
    def over_time(self) -> bool:
        """Whether what happens on runs is known, not only what is true in a state."""
        return any(not is_state(atom.body) for atom in self.atoms)

    @property
    def runs_on(self) -> bool:
        """Whether it is plain that every state lies on an infinite run."""
        return self._system.interleaved or self.reach.system.total

    def refuse_dead_ends(self) -> None:
        """Raises `Refused` where dead ends would matter and there may be some."""
        if self.over_time and not self.runs_on:
            raise Refused(
                "knowledge of what happens over time, in a system that may have dead ends, is not answered yet"
            )
