"""A prover for evidence: every question goes to a solver of its own, so that nothing an engine learnt can be carried over.

Steps are those of `encoding.smt.system`.  A measure is compared across a step by a variable that no agent changes.  Z3 is imported when the
first question is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from epistrat.model.agent import Agent, Variable
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.terms import TRUE, Expr, Integer, Terms

if TYPE_CHECKING:
    from epistrat.encoding.smt.system import SmtSystem

_KEPT = Variable("?kept", "measure", Integer())


@dataclass(frozen=True, slots=True)
class FreshProver:
    """Implements `epistrat.evidence.prover.Prover`; ``seconds`` limits each question."""

    seconds: float = 10.0

    def entails(self, system: System, premise: Expr, conclusion: Expr) -> bool | None:
        """Whether every state that satisfies the premise satisfies the conclusion."""
        smt = _translated(system)
        terms = Terms()
        asked = smt.condition(terms.conjunction((premise, terms.negate(conclusion))))
        return self._impossible(smt, smt.domains(0), asked)

    def every_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every step from ``source`` leads to ``target``, with a measure to where it is smaller."""
        smt, before, after = _with_measure(system, source, target, measure)
        return self._impossible(
            smt,
            smt.domains(0),
            smt.condition(before, 0),
            smt.step(0, 1),
            smt.condition(Terms().negate(after), 1),
        )

    def some_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every state in ``source`` has a step to ``target``, with a measure to where it is smaller."""
        import z3

        smt, before, after = _with_measure(system, source, target, measure)
        moves = z3.And(smt.step(0, 1), smt.domains(1), smt.condition(after, 1))
        chosen = [term for key in smt.keys for term in smt.terms.constants(key, 1)] + smt.choices(0)
        none = z3.ForAll(chosen, z3.Not(moves)) if chosen else z3.Not(moves)
        return self._impossible(smt, smt.domains(0), smt.condition(before, 0), none)

    def _impossible(self, smt: SmtSystem, *conditions: Any) -> bool | None:
        """Whether the conditions cannot be true together; None: the solver cannot tell."""
        session = smt.session(seconds=self.seconds)
        session.add(*conditions)
        answer = session.check()
        return None if answer.unknown else answer.unsat


def _translated(system: System) -> SmtSystem:
    from epistrat.encoding.smt.system import SmtSystem

    return SmtSystem(system)


def _with_measure(system: System, source: Expr, target: Expr, measure: Expr | None) -> tuple[SmtSystem, Expr, Expr]:
    """The system, and what is true before and after a step; with a measure, of the system with a variable that keeps it."""
    if measure is None:
        return _translated(system), source, target
    terms = Terms()
    kept = _KEPT.reference
    grown = replace(system, agents=(*system.agents, Agent(_KEPT.owner, variables=(_KEPT,))))
    before = terms.conjunction((source, terms.compare("=", kept, measure)))
    after = terms.conjunction((target, terms.compare("<", measure, kept), TRUE))
    return _translated(grown), before, after
