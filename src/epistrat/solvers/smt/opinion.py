"""A second opinion: cvc5 on an SMT-LIB script."""

from __future__ import annotations

from typing import Any

from epistrat.solvers.smt.answer import Answer, Status


class NoSecondSolver(RuntimeError):
    """cvc5 is not installed."""


def second_opinion(script: str, seconds: float = 10) -> Answer:
    """What cvc5 says about a script with one ``(check-sat)``."""
    try:
        import cvc5
    except ImportError as error:
        raise NoSecondSolver("cvc5 is not installed: pip install 'epistrat[cross-check]'") from error
    solver: Any = cvc5.Solver()
    solver.setOption("tlimit-per", str(int(seconds * 1000)))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _with_logic(script), "query")
    symbols = parser.getSymbolManager()
    said = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said = command.invoke(solver, symbols).strip() or said
    if said in (Status.SAT.value, Status.UNSAT.value):
        return Answer(Status(said))
    return Answer(Status.UNKNOWN, said or "no answer")


def _with_logic(script: str) -> str:
    return script if "(set-logic" in script else f"(set-logic ALL)\n{script}"
