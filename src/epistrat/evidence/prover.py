"""What evidence about infinitely many states asks of a solver.  The solver is handed in, so that evidence depends on none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from epistrat.model.system import System
from epistrat.terms import Expr


class Prover(Protocol):
    """Answers questions about all states whose values lie in the domains of their variables; None: it cannot tell.

    Whoever checks evidence should hand in a prover that shares nothing with the engine that found it.
    """

    def entails(self, system: System, premise: Expr, conclusion: Expr) -> bool | None:
        """Whether every state that satisfies the premise satisfies the conclusion."""

    def every_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every step from a state in ``source`` leads to a state in ``target``; with a measure, to one where it is smaller."""

    def some_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        """Whether every state in ``source`` has a step to a state in ``target``; with a measure, to one where it is smaller."""

    def answered(self, system: System, group: Sequence[str], source: Expr, target: Expr) -> bool | None:
        """Whether in every state in ``source``, whatever the group is allowed to choose, some step leads to ``target``.

        The system is synchronous.
        """
