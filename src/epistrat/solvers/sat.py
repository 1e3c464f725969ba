"""A SAT solver that is asked again and again while clauses arrive: CaDiCaL, through python-sat.

Variables are positive integers, literals variables with a sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from epistrat.solvers.disagreement import disagreement

_SLICE = 20_000  # conflicts between two looks at the budget


_SLICE = 1_000  # conflicts between two looks at a limit, for a refutation


def refutation(
    clauses: Sequence[Sequence[int]], conflicts: int, tick: Callable[[], object] = lambda: None
) -> list[str] | None:
    """The lines of a DRAT proof that the clauses have no solution, by Glucose; None if they have one, or after so many conflicts.

    ``tick`` is called between slices of the search; it may raise to end it.
    """
    from pysat.solvers import Glucose4  # type: ignore[import-untyped]  # python-sat has no types

    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        for _ in range(0, conflicts, _SLICE):
            tick()
            solver.conf_budget(_SLICE)
            answer = solver.solve_limited()
            if answer is not None:
                proof: list[str] | None = None if answer else solver.get_proof()
                return proof
    return None


class Sat:
    """An incremental solver.  ``tick`` is called between slices of a long search; it may raise to end it.

    With ``cross_check`` Glucose is asked the same; a different answer raises `Disagreement`.
    """

    def __init__(self, tick: Callable[[], None], cross_check: bool = False) -> None:
        from pysat.solvers import Cadical153, Glucose4

        self._solver: Any = Cadical153()
        self._second: Any = Glucose4() if cross_check else None
        self._clauses: list[list[int]] = []
        self._tick = tick
        self._model: Sequence[int] = ()
        self.variables = 0
        self.clauses = 0

    def variable(self, prefer: bool = False) -> int:
        """A new variable, tried first with the preferred value."""
        self.variables += 1
        self._solver.set_phases([self.variables if prefer else -self.variables])
        return self.variables

    def add(self, clause: Iterable[int]) -> None:
        """One of the literals must be true."""
        self.clauses += 1
        literals = list(clause)
        self._solver.add_clause(literals)
        if self._second is not None:
            self._second.add_clause(literals)
            self._clauses.append(literals)

    def solve(self, assumptions: Iterable[int] = ()) -> bool:
        """Whether all clauses and assumptions can be true together."""
        assumed = list(assumptions)
        while True:
            self._tick()
            self._solver.conf_budget(_SLICE)
            answer = self._solver.solve_limited(assumptions=assumed)
            if answer is not None:
                self._model = self._solver.get_model() or () if answer else ()
                if self._second is not None:
                    self._compare(assumed, bool(answer))
                return bool(answer)

    def _compare(self, assumed: list[int], answer: bool) -> None:
        other = bool(self._second.solve(assumptions=assumed))
        if other is not answer:
            lines = [*self._clauses, *([literal] for literal in assumed)]
            text = "".join(f"{' '.join(map(str, line))} 0\n" for line in lines)
            query = f"p cnf {self.variables} {len(lines)}\n{text}"
            words = {True: "satisfiable", False: "unsatisfiable"}
            raise disagreement(query, ".cnf", f"CaDiCaL: {words[answer]}", f"Glucose: {words[other]}")

    def core(self) -> list[int]:
        """The assumptions that made the last question unsolvable; some of them, not necessarily the fewest."""
        return self._solver.get_core() or []

    def value(self, variable: int) -> bool:
        """The variable's value in the solution found last; variables younger than that count as false."""
        return variable <= len(self._model) and self._model[variable - 1] > 0

    def close(self) -> None:
        """Release the solver."""
        self._solver.delete()
        if self._second is not None:
            self._second.delete()
