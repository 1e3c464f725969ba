"""Satisfiability modulo theories: sessions on Z3, invariants by Spacer in child processes, cvc5 as a second opinion.

Z3 is imported by the modules of this package, and this package only by what needs a solver.
"""

from epistrat.solvers.smt.answer import Answer, Status, Translation
from epistrat.solvers.smt.session import Session

__all__ = ["Answer", "Session", "Status", "Translation"]
