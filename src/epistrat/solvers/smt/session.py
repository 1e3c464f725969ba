"""A session on Z3: conditions are added and removed in scopes, asked about with assumptions, and answered with models or cores.

A session has its own Z3 context (that of its translation), so sessions in different threads do not meet.  A query stops at its
time limit or when the budget ends, as far as Z3 watches the clock; what it ignores limits in (Spacer) belongs into a child process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import z3

from epistrat.solvers.budget import Budget
from epistrat.solvers.disagreement import disagreement
from epistrat.solvers.smt.answer import Answer, Asked, Status, Translation
from epistrat.terms import Expr, Node, Value

_ROUNDING = 10  # a limit that changed by less than a tenth is not told to Z3 anew
_QUERY = 2_000  # work of a query
_NO_LIMIT = 4_294_967_295  # Z3's own way of saying so


class Session:
    """Conditions that must be true together.  ``seconds`` limits each query."""

    def __init__(self, translation: Translation, budget: Budget | None = None, seconds: float | None = None) -> None:
        self.translation = translation
        self.queries = 0
        self._budget = budget or Budget()
        self._seconds = seconds
        self._solver = z3.Solver(ctx=translation.context)
        self._model: Any = None
        self._assumed: dict[int, Asked] = {}
        self._timeout = 0

    def add(self, *conditions: Asked) -> None:
        """Require the conditions until the current scope ends."""
        for condition in conditions:
            self._solver.add(self._term(condition))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is added inside is forgotten at the end."""
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def check(self, *assumptions: Asked, seconds: float | None = None) -> Answer:
        """Whether the conditions added and the assumptions can be true together."""
        self._budget.check()
        self._budget.spend(_QUERY)
        self.queries += 1
        self._model = None
        terms = [self._term(assumption) for assumption in assumptions]
        self._assumed = {}
        literals = []
        for term, assumption in zip(terms, assumptions, strict=True):
            literal = term if _is_literal(term) else self._named(term)
            self._assumed[literal.get_id()] = assumption
            literals.append(literal)
        answer = self._ask(literals, self._limit(seconds))
        if self._budget.cross_check:
            self._compare(literals, answer)
        return answer

    def _compare(self, literals: Sequence[Any], answer: Answer) -> None:
        """Ask cvc5 too; a different answer is an error."""
        from epistrat.solvers.smt.opinion import second_opinion

        script = self._script(literals)
        other = second_opinion(script)
        if not answer.unknown and not other.unknown and other.status is not answer.status:
            raise disagreement(script, ".smt2", f"Z3: {answer.status.value}", f"cvc5: {other.status.value}")

    def combinations(
        self, names: Sequence[Any], given: Sequence[Any], most: int
    ) -> tuple[list[tuple[bool, ...]], Answer]:
        """The values that the Boolean constants ``names`` can have together where the terms ``given`` are true.

        The answer is Unsat if all were found, Sat if there are more than ``most``, Unknown if the solver gave up.
        """
        context = self.translation.context
        declarations = [name.decl().ast for name in names]
        opposite = [z3.Not(name) for name in names]
        found: list[tuple[bool, ...]] = []
        with self.scope():
            self._solver.add(*given)
            while True:
                self._budget.spend(_QUERY)
                self._budget.check()
                self.queries += 1
                answer = self._ask((), self._limit(None))
                if not answer.sat or len(found) >= most:
                    return found, answer
                row = _values(context, self._model, declarations)
                found.append(row)
                block = [no if value else yes for yes, no, value in zip(names, opposite, row, strict=True)]
                self._solver.add(z3.Or(*block) if block else z3.BoolVal(False, context))

    def _named(self, term: Any) -> Any:
        """A literal that implies the term: Z3 wants literals as assumptions."""
        literal = z3.FreshBool("assumed", self.translation.context)
        self._solver.add(z3.Implies(literal, term))
        return literal

    def _limit(self, seconds: float | None) -> float | None:
        own = seconds or self._seconds
        usual = None if own is None else self._budget.patience.clock(own)
        limits = [limit for limit in (usual, self._budget.left) if limit is not None]
        return min(limits, default=None)

    def _ask(self, literals: Sequence[Any], limit: float | None) -> Answer:
        timeout = _NO_LIMIT if limit is None else max(1, int(limit * 1000))
        if abs(timeout - self._timeout) * _ROUNDING > timeout:
            self._solver.set("timeout", timeout)
            self._timeout = timeout
        try:
            result = self._solver.check(*literals)
        except z3.Z3Exception as error:
            return Answer(Status.UNKNOWN, str(error))
        if result == z3.sat:
            self._model = self._solver.model()
            return Answer(Status.SAT)
        if result == z3.unsat:
            return Answer(Status.UNSAT)
        return Answer(Status.UNKNOWN, self._solver.reason_unknown())

    def core(self) -> list[Asked]:
        """Assumptions of the last query that cannot be true together, in the form in which they were given."""
        return [self._assumed[literal.get_id()] for literal in self._solver.unsat_core()]

    @property
    def model(self) -> Any:
        """The model of the last query, as the solver gives it; None if there is none."""
        return self._model

    def booleans(self, names: Sequence[Any]) -> tuple[bool, ...]:
        """The values of Boolean constants in the model of the last query."""
        return _values(self.translation.context, self._model, [name.decl().ast for name in names])

    def value(self, expr: Expr, frame: int | str = 0) -> Value:
        """The value of an expression in the model of the last query."""
        return self.translation.value(self._model, expr, frame)

    def _term(self, asked: Asked) -> Any:
        if isinstance(asked, Node):
            return self.translation.condition(asked)  # type: ignore[arg-type]  # the nodes handed in are expressions
        if isinstance(asked, tuple):
            return self.translation.condition(*asked)
        return asked

    def _script(self, literals: Sequence[Any]) -> str:
        query = z3.Solver(ctx=self.translation.context)
        query.add(*self._solver.assertions(), *literals)
        return str(query.to_smt2())


def _is_literal(term: Any) -> bool:
    atom = term.arg(0) if z3.is_not(term) else term
    return bool(z3.is_const(atom) and atom.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _values(context: Any, model: Any, declarations: Sequence[Any]) -> tuple[bool, ...]:
    """The values of Boolean constants in a model; read without Z3's Python objects, which would take most of the time."""
    reference = context.ref()
    row = []
    for declaration in declarations:
        value = z3.Z3_model_get_const_interp(reference, model.model, declaration)
        row.append(bool(value) and z3.Z3_get_bool_value(reference, value) == z3.Z3_L_TRUE)
    return tuple(row)
