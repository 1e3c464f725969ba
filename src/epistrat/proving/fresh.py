"""A prover for evidence: every question goes to a solver of its own, so that nothing an engine learnt can be carried over.

Steps are those of `encoding.smt.system`.  A measure is compared across a step by a variable that no agent changes.  The translation of a
system is kept from one question to the next, for that is most of the work; solvers are not.  Z3 is imported when the first question is
asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from epistrat.model.agent import Agent, Variable
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.terms import TRUE, Expr, Integer, Terms

if TYPE_CHECKING:
    from epistrat.encoding.smt.system import SmtSystem

_KEPT = Variable("?kept", "measure", Integer())
_SMALLER = ", and the measure becomes smaller"
Kept: TypeAlias = tuple[str, str]
"""What a question means, and the question in SMT-LIB."""
_MOST_SYSTEMS = 4  # whose translations are kept: most questions are about one


class FreshProver:
    """Implements `epistrat.evidence.prover.Prover`; ``work`` limits each question.

    With ``keep`` the questions that were shown are ``kept`` as SMT-LIB; none of them has a solution.
    """

    def __init__(self, work: int = 5_000_000, keep: bool = False) -> None:
        self.work = work
        self.kept: list[Kept] = []
        self._keep = keep
        self._terms = Terms()
        self._translations: list[tuple[System, bool, SmtSystem]] = []

    def asked(self) -> tuple[Kept, ...]:
        """What was kept since this was asked last."""
        kept, self.kept = tuple(self.kept), []
        return kept

    def entails(self, system: System, premise: Expr, conclusion: Expr) -> bool | None:
        """Whether every state that satisfies the premise satisfies the conclusion."""
        smt = self._translated(system)
        asked = smt.condition(self._terms.conjunction((premise, self._terms.negate(conclusion))))
        return self._impossible("one condition follows from another", smt, smt.domains(0), asked)

    def every_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every step from ``source`` leads to ``target``, with a measure to where it is smaller."""
        smt, before, after = self._with_measure(system, source, target, measure)
        return self._impossible(
            "no step leaves the condition" + _SMALLER * (measure is not None),
            smt,
            smt.domains(0),
            smt.condition(before, 0),
            smt.step(0, 1),
            smt.condition(self._terms.negate(after), 1),
        )

    def some_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every state in ``source`` has a step to ``target``, with a measure to where it is smaller."""
        import z3

        smt, before, after = self._with_measure(system, source, target, measure)
        moves = z3.And(smt.step(0, 1), smt.domains(1), smt.condition(after, 1))
        chosen = [term for key in smt.keys for term in smt.terms.constants(key, 1)] + smt.choices(0)
        none = z3.ForAll(chosen, z3.Not(moves)) if chosen else z3.Not(moves)
        meaning = "some step stays in the condition" + _SMALLER * (measure is not None)
        return self._impossible(meaning, smt, smt.domains(0), smt.condition(before, 0), none)

    def answered(self, system: System, group: Sequence[str], source: Expr, target: Expr) -> bool | None:
        """Whether in every state in ``source``, whatever the group is allowed to choose, some step leads to ``target``."""
        import z3

        smt = self._translated(system)
        members = [agent for agent in system.agents if agent.name in group and agent.actions]
        allowed = [part for one in members for part in (smt.terms.within((one.name, "!"), 0), smt.allowed(one, 0))]
        chosen = {str(term) for one in members for term in smt.terms.bits((one.name, "!"), 0)}
        open_choices = [term for term in smt.choices(0) if str(term) not in chosen]
        later = [term for key in smt.keys for term in smt.terms.constants(key, 1)]
        answer = z3.And(smt.step(0, 1), smt.domains(1), smt.condition(target, 1))
        none = z3.ForAll([*later, *open_choices], z3.Not(answer)) if later or open_choices else z3.Not(answer)
        meaning = "whatever the group does, some step stays in the condition"
        return self._impossible(meaning, smt, smt.domains(0), smt.condition(source, 0), *allowed, none)

    def _impossible(self, meaning: str, smt: SmtSystem, *conditions: Any) -> bool | None:
        """Whether the conditions cannot be true together; None: the solver cannot tell."""
        session = smt.session(work=self.work)
        session.add(*conditions)
        answer = session.check()
        if self._keep and answer.unsat:
            self.kept.append((meaning, session.script))
        return None if answer.unknown else answer.unsat

    def _translated(self, system: System, measured: bool = False) -> SmtSystem:
        """The translation of this very system, with a variable that keeps a measure if one is compared."""
        for known, other, found in self._translations:
            if known is system and other is measured:
                return found
        from epistrat.encoding.smt.system import SmtSystem

        grown = replace(system, agents=(*system.agents, Agent(_KEPT.owner, variables=(_KEPT,)))) if measured else system
        made = SmtSystem(grown)
        self._translations = [*self._translations[1 - _MOST_SYSTEMS :], (system, measured, made)]
        return made

    def _with_measure(
        self, system: System, source: Expr, target: Expr, measure: Expr | None
    ) -> tuple[SmtSystem, Expr, Expr]:
        """The system, and what is true before and after a step; with a measure, of the system with a variable that keeps it."""
        if measure is None:
            return self._translated(system), source, target
        terms, kept = self._terms, _KEPT.reference
        before = terms.conjunction((source, terms.compare("=", kept, measure)))
        after = terms.conjunction((target, terms.compare("<", measure, kept), TRUE))
        return self._translated(system, measured=True), before, after
